"""Sealed dealing as the kernel's dealer: requests of the rules become a ceremony, its messages stand in ``deal`` entries.

``SealedDealing`` is the public half, the same on every replica; ``sealed_dealer`` has the other, with a peer's secrets. Rules
and match cannot tell them from the open dealer. A deck made of new faces begins a new deal with new keys; everything else goes
on in the deal under way.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Any

from tabletin.kernel.dealing import Answered
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.log import Hash, Json
from tabletin.kernel.options import Refusal as KernelRefusal
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.requests import ALL, Open, Request, Result, Roll, Show, Shuffle, TakeBack
from tabletin.kernel.setup import Setup, peers_of
from tabletin.kernel.state import State
from tabletin.peers.dealing.next_deck import PreparedDeck
from tabletin.peers.sealed import requests as sealed
from tabletin.peers.sealed.ceremony import Ceremony
from tabletin.peers.sealed.handover import Wrapped
from tabletin.peers.sealed.messages import Play, decode
from tabletin.peers.sealed.pending import Checker, Mixing
from tabletin.peers.sealed.wire import Malformed

LEAVES = b"\x07"  # the first byte of a leave
SAID_OTHERWISE = (b"\x04", LEAVES, b"\x08")  # a play is part of a move, a leave and somebody gone are statements of the log


class SealedDealing:
    """The public half. ``ceremony`` is the deal under way, None before the first deck; ``authors[i]`` is its peer i."""

    def __init__(self, setup: Setup, match: bytes, checker: Checker) -> None:
        self.setup = setup
        self.match = match
        self.checker = checker
        self.deals = 0
        self.ceremony: Ceremony | None = None
        self.ahead: PreparedDeck | None = None
        self._faces: tuple[Face, ...] = ()  # of the newest deck
        self._number = 0  # of the next ceremony; one that was dropped keeps its own
        self.authors: tuple[str, ...] = ()
        self.guilty: str | None = None
        self.delivered: tuple[Result, ...] = ()  # what the last entry that was read answered, one result a request
        self._heads: tuple[Hash, ...] = ()  # of each waiting request: the entry that asked
        self._wrapped: dict[int, tuple[str, Wrapped]] = {}  # by peer; never changed in place
        self._ready: tuple[Answered, ...] = ()  # answers that came about while a move was read; the next entry delivers

    def copy(self) -> SealedDealing:
        twin = SealedDealing.__new__(SealedDealing)
        twin.__dict__.update(self.__dict__)
        twin.ceremony = None if self.ceremony is None else self.ceremony.copy()
        return twin  # what is prepared is never changed in place

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SealedDealing):
            return NotImplemented
        return ((self.deals, self.authors, self.ceremony, self.ahead)
                == (other.deals, other.authors, other.ceremony, other.ahead))

    __hash__ = None  # type: ignore[assignment]

    def void(self, setup: Setup) -> None:
        self.setup = setup
        self.ceremony = self.ahead = None
        self.guilty = None
        self._heads = ()
        self._ready = ()

    def seated(self, setup: Setup) -> None:
        self.setup = setup

    def handed(self, setup: Setup, author: str, body: dict[str, Json]) -> None:
        """Another device is this deal's peer from now on; ``key``, the deal's secret, is for that device's eyes only. What
        was prepared for the next hand is dropped: its keys are the old device's."""
        self.setup, self.ahead = setup, None
        deal, key, offered = body["deal"], body["key"], read_bytes(body["offer"])
        if self.ceremony is None or author not in self.authors:
            if deal is not None or key is not None:
                raise refused("peers.device_late")
            return
        if deal != self.ceremony.deal or key is None:
            raise refused("peers.device_late")
        try:
            self.checker.group.decode_points([offered])
            wrapped = Wrapped.from_bytes(self.checker.group, read_bytes(key))
        except Malformed as error:
            raise refused("sealed.malformed", what=str(error)) from error
        peer = self.authors.index(author)
        self._wrapped = {**self._wrapped, peer: (author, wrapped)}
        self.authors = (*self.authors[:peer], body["to"], *self.authors[peer + 1:])

    def left(self, setup: Setup, author: str, body: dict[str, Json], live: Collection[Card]) -> None:
        """The deal goes on under the keys of those who stay. What was prepared for the next hand is dropped: the leaver had a
        part in it."""
        self.setup, self.ahead = setup, None
        data = read_bytes(body["sealed"])
        if data[:1] != LEAVES or self.ceremony is None:
            raise refused("sealed.not_due")
        own = author == self.checker.own
        self._effects(self.ceremony.accept(self._peer(author), data, own=own, live=live), self.authors)

    def wrapped(self, peer: int) -> tuple[str, Wrapped] | None:
        """The secret that peer number ``peer`` was handed in this deal, and by which device."""
        return self._wrapped.get(peer)

    def placed(self, state: State, head: Hash) -> None:
        """What is asked and was not before was asked by this entry (and what an undo took back is not asked any more)."""
        waiting, asked = len(state.requests), len(self._heads)
        if waiting != asked:
            self._heads = (*self._heads[:waiting], *(head for _ in range(waiting - asked)))

    @property
    def ready(self) -> bool:
        """Whether answers wait for an entry to deliver them."""
        return bool(self._ready)

    # ---- what the rules ask ----

    def caught_up(self, state: State) -> SealedDealing:
        """This dealing, or a copy of it, that has taken in every request of ``state``."""
        if self.ceremony is not None and self._taken() == len(state.requests):
            return self
        twin = self.copy()
        twin._take_in(state)
        return twin

    def _taken(self) -> int:
        """How many of the state's requests the ceremony has taken in."""
        return 0 if self.ceremony is None else len(self.ceremony.requests) + len(self._ready)

    def _take_in(self, state: State) -> None:
        """Put the requests of ``state`` that the ceremony does not have yet; some are answered without a message."""
        fresh = state.next_card
        taken = self._taken()
        for number, request in enumerate(state.requests):
            size = len(request) if isinstance(request, Shuffle) else 0
            if number >= taken:
                if isinstance(request, Shuffle) and not request.cards:
                    if number:  # a new deck waits until the old deal's requests are answered
                        break
                    if self._new_deal(request.faces, tuple(range(fresh, fresh + size))):
                        fresh += size
                        continue
                self._ask(_translated(request, range(fresh, fresh + size), self._heads[number]))
            fresh += size

    def _new_deal(self, faces: tuple[Face, ...], fresh: tuple[int, ...]) -> bool:
        """Begin a deal: the one that was prepared, if it fits. Whether its deck was asked for already."""
        ahead, self.ahead = self.ahead, None
        self.authors, seats = self._who()
        self.deals += 1
        self._faces = faces
        self._wrapped = {}
        if ahead is None or not ahead.fits(faces, self.authors, seats):
            self.ceremony = self._ceremony(seats)
            return False
        self.ceremony = ahead.ceremony.renumbered(fresh)
        if not self.ceremony.requests:  # shuffled and checked
            self._ready += (Answered(None),)
        return True

    def _who(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The peers that deal, and the peer of each seat."""
        authors = peers_of(self.setup)
        return authors, tuple(authors.index(seat.by) for seat in self.setup.seats)

    def _ceremony(self, seats: tuple[int, ...]) -> Ceremony:
        self._number += 1
        return Ceremony(self.checker, self.match, self._number - 1, seats)

    def looking_ahead(self) -> SealedDealing:
        """This dealing, or a copy of it that has begun to prepare the next hand. Raises ``Refused`` before the first."""
        if self.ahead is not None:
            return self
        if self.ceremony is None:
            raise refused("sealed.no_deal")
        twin = self.copy()
        authors, seats = self._who()
        twin.ahead = PreparedDeck.begun(self._faces, authors, twin._ceremony(seats))
        return twin

    def _ask(self, request: sealed.Request) -> None:
        if self.ceremony is None:
            raise refused("sealed.no_deal")
        self._effects(self.ceremony.ask(request), self.authors)

    def _effects(self, effects: list[sealed.Effect] | sealed.Refusal, authors: tuple[str, ...]) -> None:
        if isinstance(effects, sealed.Refusal):
            raise Refused(KernelRefusal(effects.key, effects.params))
        for effect in effects:
            if isinstance(effect, sealed.Spoiled) and effect.guilty is not None:
                self.guilty = authors[effect.guilty]
        answered = tuple(Answered(effect.result) for effect in effects if isinstance(effect, sealed.Answered))
        self._ready += answered

    # ---- what peers say ----

    def read(self, state: State, author: str, body: dict[str, Json]) -> Iterable[Answered]:
        """Bodies: ``{"sealed": base64}``, a ceremony's message; ``{}``, "go on" where no message is needed;
        ``{"ahead": base64}``, a message of the next hand, which answers nothing."""
        if body.keys() == {"ahead"}:
            self._read_ahead(author, read_bytes(body["ahead"]))
            self.delivered = ()
            return ()
        self._take_in(state)
        if body.keys() == {"sealed"}:
            if self.ceremony is None:
                raise refused("sealed.no_deal")
            data = read_bytes(body["sealed"])
            if data[:1] in SAID_OTHERWISE:
                raise refused("sealed.not_due")
            self._effects(self.ceremony.accept(self._peer(author), data, own=author == self.checker.own), self.authors)
        elif body or not self._ready:
            raise refused("kernel.deal.form")
        answers, self._ready = self._ready, ()
        self._heads = self._heads[len(answers):]
        self.delivered = tuple(answered.result for answered in answers)
        return answers

    def _read_ahead(self, author: str, data: bytes) -> None:
        ahead = self.looking_ahead().ahead
        if ahead is None:
            raise refused("sealed.no_deal")
        ahead = ahead.copy()
        ready = self._ready
        self._effects(ahead.accept(author, data), ahead.authors)
        self._ready = ready  # that its deck is shuffled answers nothing yet
        if self.ahead is None:
            self._number += 1
        self.ahead = ahead

    def unfinished_guilty(self) -> str | None:
        """Whose shuffle fails in a chain that is not complete yet; None if none does. A chain may never be completed, if who
        orders goes silent after a forgery: what is in the log is judged all the same."""
        deals = [(self.ceremony, self.authors)]
        if self.ahead is not None:
            deals.append((self.ahead.ceremony, self.ahead.authors))
        for deal, authors in deals:
            for pending in deal.requests if deal is not None else ():
                if isinstance(pending, Mixing) and not pending.done and pending.claims:
                    verdicts = self.checker.shuffles(pending.claims)
                    if not all(verdicts):
                        return authors[pending.authors[verdicts.index(False)]]
        return None

    def _peer(self, author: str) -> int:
        if author not in self.authors:
            raise refused("kernel.stranger")
        return self.authors.index(author)

    def opened(self, state: State, author: str, openings: list[list[Json]]) -> dict[Card, Face]:
        """The first opening carries one message that opens them all; the others name card and face only."""
        if not openings:
            return {}
        if len(openings[0]) != 3 or any(len(opening) != 2 for opening in openings[1:]) or self.ceremony is None:
            raise refused("kernel.opening.form")
        if any(type(o[0]) is not int or type(o[1]) is not str for o in openings):
            raise refused("kernel.opening.form")
        opened: dict[Card, Face] = {opening[0]: opening[1] for opening in openings}
        data = read_bytes(openings[0][2])
        try:
            message = decode(self.checker.group, data)
        except Malformed as error:
            raise refused("sealed.malformed", what=str(error)) from error
        if not isinstance(message, Play) or dict(zip(message.handles, message.faces, strict=True)) != opened:
            raise refused("kernel.opening.form")
        if len(opened) != len(openings):
            raise refused("kernel.opening.form")
        self._take_in(state)
        self._effects(self.ceremony.accept(self._peer(author), data, own=author == self.checker.own), self.authors)
        return opened


def read_bytes(text: Any) -> bytes:
    """The bytes that base64 ``text`` spells. Raises ``Refused``."""
    try:
        if type(text) is not str:
            raise ValueError
        data = b64decode(text, validate=True)
    except (ValueError, Base64Error) as error:
        raise refused("sealed.malformed", what="no base64") from error
    if b64encode(data).decode() != text:
        raise refused("sealed.malformed", what="no canonical base64")
    return data


def _translated(request: Request, fresh: range, head: Hash) -> sealed.Request:
    """The ceremony's request for one of the rules', which the entry with hash ``head`` asked."""
    if isinstance(request, Shuffle):
        return sealed.Shuffle((*request.faces, *request.cards), tuple(fresh))
    if isinstance(request, Show):
        return sealed.Show(request.cards, None if request.to == ALL else request.to)
    if isinstance(request, TakeBack):
        return sealed.TakeBack(request.cards)
    if isinstance(request, Open):
        return sealed.Open(request.cards)
    assert isinstance(request, Roll)
    return sealed.Roll(request.sides, bytes.fromhex(head))


def match_bytes(match: str) -> bytes:
    """A match's id as the ceremony's contexts take it."""
    return sha256(match.encode()).digest()
