"""One peer's driving half of sealed dealing: from its secret seed it makes the messages it owes and reads the cards it may.

Everything it does is a function of the seed and of the public half (``dealing``), so a device that lost its page says the
same again. It appends nothing and judges nobody. No secret leaves it but what a message is meant to tell.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection

from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.log import Json
from tabletin.kernel.options import refused
from tabletin.kernel.state import State
from tabletin.peers.dealing.dealing import Handover, SealedDealing, read_bytes
from tabletin.peers.sealed import wire
from tabletin.peers.sealed.handover import offer, offer_secret, unwrap
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.requests import Duty


class SealedDealer:
    """The messages and the cards of one peer. ``seed``: its secret, 32 bytes."""

    def __init__(self, author: str, seed: bytes) -> None:
        self.author = author
        self._seed = seed
        self._unwrapped: tuple[Handover, int] | None = None  # the newest handover, and its secret

    def _party(self, dealing: SealedDealing) -> Party:
        peer = dealing.authors.index(self.author)
        return Party(peer, self._seed, self._received_secret(dealing, peer))

    def _received_secret(self, dealing: SealedDealing, peer: int) -> int | None:
        """The secret of this deal that another device handed to this one; None where it has its own."""
        handover, deal = dealing.handover(peer), dealing.deal
        if handover is None:
            return None
        assert deal is not None
        if self._unwrapped is None or self._unwrapped[0] != handover:
            ctx = deal.context(0, peer, "handover")
            offered = offer_secret(self._seed, (dealing.match, handover.author.encode()))
            key = unwrap(deal.group, ctx, offered, handover.secret)
            self._unwrapped = handover, key
        return self._unwrapped[1]

    def takes_part(self, dealing: SealedDealing) -> bool:
        """Whether this device has a part in the deal and knows its secret. A secret that was handed over may be wrong."""
        deal = dealing.deal
        if deal is None or self.author not in dealing.authors:
            return False
        peer = dealing.authors.index(self.author)
        if peer not in deal.peers:
            return False  # it left
        secret = self._received_secret(dealing, peer)
        return secret is None or peer not in deal.keys or deal.group.sum([(secret, deal.group.base)]) == deal.keys[peer]

    def offer(self, dealing: SealedDealing, author: str) -> str:
        """What ``author``, another device of the same person, needs to wrap its secret for this device."""
        secret = offer_secret(self._seed, (dealing.match, author.encode()))
        return b64encode(offer(dealing.checker.group, secret)).decode()

    def hand_over(self, dealing: SealedDealing, offered: str) -> tuple[int | None, str | None]:
        """The number of the deal under way, and its secret wrapped for the device that made the offer. Both are None where this
        device has no part in a deal. Raises ``Refused``."""
        point = read_bytes(offered)
        try:
            dealing.checker.group.decode_points([point])
        except wire.MalformedMessage as error:
            raise refused("sealed.malformed", what=str(error)) from error
        if not self.takes_part(dealing):
            return None, None
        assert dealing.deal is not None
        wrapped = self._party(dealing).hand_over(dealing.deal, point)
        return dealing.deal.number, b64encode(wrapped.to_bytes()).decode()

    def duties(self, state: State, dealing: SealedDealing) -> list[Duty]:
        """What this peer owes to the deal now."""
        now = dealing.with_requests(state)
        if not self.takes_part(now):
            return []
        assert now.deal is not None
        return now.deal.duties(self._party(now).peer)

    def fulfil(self, state: State, dealing: SealedDealing, duty: Duty) -> dict[str, Json]:
        """The body of the ``deal`` statement that fulfils ``duty``."""
        now = dealing.with_requests(state)
        assert now.deal is not None
        return {"sealed": b64encode(self._party(now).fulfil(now.deal, duty)).decode()}

    def prepare(self, dealing: SealedDealing) -> dict[str, Json] | None:
        """The body of a ``deal`` statement that prepares the next hand; None where it is not this peer's turn."""
        if not self.takes_part(dealing):
            return None
        prepared = dealing.with_next_deck().next_deck
        assert prepared is not None
        if self.author not in prepared.authors:
            return None
        party = Party(prepared.authors.index(self.author), self._seed)
        duties = prepared.deal.duties(party.peer)
        return {"ahead": b64encode(party.fulfil(prepared.deal, duties[0])).decode()} if duties else None

    def idle(self, state: State, dealing: SealedDealing) -> bool:
        """Whether requests wait that need no message of anybody: then the peer that orders says an empty ``deal``."""
        return dealing.with_requests(state).has_answers

    def open(self, state: State, dealing: SealedDealing, openings: dict[Card, Face]) -> list[list[Json]]:
        """``openings`` in the form in which a move carries them."""
        if not openings:
            return []
        now = dealing.with_requests(state)
        assert now.deal is not None
        proof = b64encode(self._party(now).play(now.deal, tuple(openings))).decode()
        first, *rest = sorted(openings)
        return [[first, openings[first], proof], *([card, openings[card]] for card in rest)]

    def leave(self, dealing: SealedDealing, live: Collection[Card]) -> str | None:
        """This device's last message to the deal under way, which its leave carries; None where it has no part in the deal.

        Only while nothing is asked for. ``live``: the cards that stay in play."""
        if not self.takes_part(dealing):
            return None
        assert dealing.deal is not None
        return b64encode(self._party(dealing).leave(dealing.deal, live)).decode()

    def read(self, dealing: SealedDealing, known: Faces) -> Faces:
        """The faces of cards that this peer can read now and does not know yet."""
        deal = dealing.deal
        if not self.takes_part(dealing):
            return Faces()
        assert deal is not None
        party = self._party(dealing)
        cards = tuple(handle for handle, card in deal.cards.items()
                      if card.face is None and card.reader == party.peer and handle not in known
                      and not deal.missing(handle) - {party.peer})
        return Faces(party.read(deal, cards)) if cards else Faces()
