"""One peer's driving half of sealed dealing: from its secret seed it makes the messages it owes and reads the cards it may.

Everything it does is a function of the seed and of the public half (``sealed_dealing``), so that a device that lost its page
says the same again. It places nothing and judges nobody; nothing secret leaves it but what a message is meant to tell.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection

from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.log import Json
from tabletin.kernel.options import refused
from tabletin.kernel.state import State
from tabletin.peers.dealing.dealing import SealedDealing, read_bytes
from tabletin.peers.sealed.handover import Wrapped, offer, offer_secret, unwrap
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.requests import Duty
from tabletin.peers.sealed.wire import Malformed


class SealedDealer:
    """One peer's driving half: from its secret seed it makes the messages it owes and reads the cards it may."""

    def __init__(self, author: str, seed: bytes) -> None:
        self.author = author
        self._seed = seed
        self._unwrapped: tuple[tuple[str, Wrapped], int] | None = None

    def _party(self, dealing: SealedDealing) -> Party:
        peer = dealing.authors.index(self.author)
        return Party(peer, self._seed, self._handed(dealing, peer))

    def _handed(self, dealing: SealedDealing, peer: int) -> int | None:
        """The secret of this deal that another device handed to this one; None where it has its own."""
        handed, deal = dealing.wrapped(peer), dealing.ceremony
        if handed is None or deal is None:
            return None
        if self._unwrapped is None or self._unwrapped[0] != handed:
            author, wrapped = handed
            ctx = deal.context(0, peer, "handover")
            key = unwrap(deal.group, ctx, offer_secret(self._seed, (dealing.match, author.encode())), wrapped)
            self._unwrapped = handed, key
        return self._unwrapped[1]

    def takes_part(self, dealing: SealedDealing) -> bool:
        """Whether this device has a part in the deal, and its secret: one that was handed over and is wrong is none."""
        deal = dealing.ceremony
        if deal is None or self.author not in dealing.authors:
            return False
        peer = dealing.authors.index(self.author)
        if peer not in deal.peers:
            return False  # it left
        handed = self._handed(dealing, peer)
        return handed is None or peer not in deal.keys or deal.group.sum([(handed, deal.group.base)]) == deal.keys[peer]

    def offer(self, dealing: SealedDealing, author: str) -> str:
        """What this device offers ``author``, another one of the same person, to be handed its secret by."""
        secret = offer_secret(self._seed, (dealing.match, author.encode()))
        return b64encode(offer(dealing.checker.group, secret)).decode()

    def hand_over(self, dealing: SealedDealing, offered: str) -> tuple[int | None, str | None]:
        """The number of the deal under way and its secret, for the device that made the offer. Raises ``Refused``."""
        point = read_bytes(offered)
        try:
            dealing.checker.group.decode_points([point])
        except Malformed as error:
            raise refused("sealed.malformed", what=str(error)) from error
        if dealing.ceremony is None or not self.takes_part(dealing):
            return None, None
        wrapped = self._party(dealing).hand_over(dealing.ceremony, point)
        return dealing.ceremony.deal, b64encode(wrapped.to_bytes()).decode()

    def duties(self, state: State, dealing: SealedDealing) -> list[Duty]:
        """What this peer owes to the deal now."""
        now = dealing.caught_up(state)
        if now.ceremony is None or not self.takes_part(now):
            return []
        return now.ceremony.duties(self._party(now).peer)

    def fulfil(self, state: State, dealing: SealedDealing, duty: Duty) -> dict[str, Json]:
        """The body of the ``deal`` statement that does what is owed."""
        now = dealing.caught_up(state)
        assert now.ceremony is not None
        return {"sealed": b64encode(self._party(now).fulfil(now.ceremony, duty)).decode()}

    def prepare(self, dealing: SealedDealing) -> dict[str, Json] | None:
        """The body of the next ``deal`` statement that prepares the next hand; None where it is not this peer's turn."""
        if not self.takes_part(dealing):
            return None
        ahead = dealing.looking_ahead().ahead
        assert ahead is not None
        if self.author not in ahead.authors:
            return None
        party = Party(ahead.authors.index(self.author), self._seed)
        duties = ahead.ceremony.duties(party.peer)
        return {"ahead": b64encode(party.fulfil(ahead.ceremony, duties[0])).decode()} if duties else None

    def idle(self, state: State, dealing: SealedDealing) -> bool:
        """Whether requests wait that need nobody's message, so that whoever orders should say "go on"."""
        if not state.requests:
            return False
        return dealing.caught_up(state).ready

    def open(self, state: State, dealing: SealedDealing, openings: dict[Card, Face]) -> list[list[Json]]:
        """``openings`` as a move carries them."""
        if not openings:
            return []
        now = dealing.caught_up(state)
        assert now.ceremony is not None
        proof = b64encode(self._party(now).play(now.ceremony, tuple(openings))).decode()
        first, *rest = sorted(openings)
        return [[first, openings[first], proof], *([card, openings[card]] for card in rest)]

    def leave(self, dealing: SealedDealing, live: Collection[Card]) -> str | None:
        """This device's last message to the deal under way, while nothing is asked for: what a leave carries. ``live``: the
        cards that stay in play. None where this device has no part in the deal."""
        if dealing.ceremony is None or not self.takes_part(dealing):
            return None
        return b64encode(self._party(dealing).leave(dealing.ceremony, live)).decode()

    def read(self, dealing: SealedDealing, known: Faces) -> Faces:
        """The faces of cards that this peer can read now and does not know yet."""
        ceremony = dealing.ceremony
        if ceremony is None or not self.takes_part(dealing) or ceremony.key is None:
            return Faces()
        party = self._party(dealing)
        cards = tuple(handle for handle, card in ceremony.cards.items()
                      if card.face is None and card.reader == party.peer and handle not in known
                      and not ceremony.missing(handle) - {party.peer})
        return Faces(party.read(ceremony, cards)) if cards else Faces()
