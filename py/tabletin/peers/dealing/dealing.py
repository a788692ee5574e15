"""Sealed dealing behind the kernel's ``Dealing``: it turns requests of the rules into those of the ceremony.

``SealedDealing`` is the public half, the same on every replica; ``dealer`` holds the other half, with a peer's secrets. The
ceremony's messages stand in ``deal`` entries of the log. A deck of new faces begins a new deal with new keys; every other
request belongs to the deal under way.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tabletin.kernel.dealing import RequestAnswer
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.log import Hash, Json
from tabletin.kernel.options import Refusal as KernelRefusal
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.requests import ALL, Open, Request, Result, Roll, Show, Shuffle, TakeBack
from tabletin.kernel.setup import Setup
from tabletin.kernel.state import State
from tabletin.peers.dealing.next_deck import PreparedDeck
from tabletin.peers.sealed import ceremony, wire
from tabletin.peers.sealed import requests as sealed
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.handover import WrappedKey
from tabletin.peers.sealed.messages import Play, decode
from tabletin.peers.sealed.pending import Checker, Mixing

LEAVE = b"\x07"  # the first byte of a leave
NOT_IN_DEAL = (b"\x04", LEAVE)  # a play is part of a move, a leave is a statement of its own


@dataclass(frozen=True, slots=True)
class Handover:
    """The secret of a deal that the device ``author`` wrapped for the device that goes on for it."""

    author: str
    secret: WrappedKey


class SealedDealing:
    """The public half of sealed dealing, and what the kernel's ``Dealing`` asks for."""

    def __init__(self, setup: Setup, match: bytes, checker: Checker) -> None:
        self.setup = setup
        self.match = match
        self.checker = checker
        self.deals = 0  # begun so far
        self.deal: DealState | None = None  # the deal under way, copied before it changes; None before the first deck
        self.authors: tuple[str, ...] = ()  # of the deal under way: its peer i is authors[i]
        self.next_deck: PreparedDeck | None = None
        self.guilty: str | None = None  # whose shuffle was found to be false
        self.spoiled_decks = 0  # in how many decks one was
        self.last_results: tuple[Result, ...] = ()  # of the last entry that was read, one for each request it answered
        self._faces: tuple[Face, ...] = ()  # of the newest deck
        self._next_number = 0  # of the next deal; a deal that was dropped keeps its own
        self._heads: tuple[Hash, ...] = ()  # of each waiting request: the entry that asked
        self._handovers: dict[int, Handover] = {}  # by peer; never changed in place
        self._shufflers: dict[tuple[int, int], str] = {}  # who made a shuffle, by step and peer, where another device has the
        # peer's part now; never changed in place
        self._answers: tuple[RequestAnswer, ...] = ()  # found while a move was read; the next ``deal`` entry delivers them

    def copy(self) -> SealedDealing:
        twin = SealedDealing.__new__(SealedDealing)
        twin.__dict__.update(self.__dict__)
        return twin  # nothing that both hold is ever changed in place

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SealedDealing):
            return NotImplemented
        return ((self.deals, self.authors, self.deal, self.next_deck)
                == (other.deals, other.authors, other.deal, other.next_deck))

    __hash__ = None  # type: ignore[assignment]

    def void(self, setup: Setup) -> None:
        self.setup = setup
        self.checker.note_void()
        self.deal = self.next_deck = None
        self.guilty = None
        self._heads = ()
        self._answers = ()

    def change_player(self, setup: Setup) -> None:
        self.setup = setup

    def hand_over(self, setup: Setup, author: str, body: dict[str, Json]) -> None:
        """Another device is this deal's peer from now on; only that device can read ``key``, the deal's secret. A deck that
        was prepared is dropped: its keys are the old device's."""
        self.setup, self.next_deck = setup, None
        number, key, offered = body["deal"], body["key"], read_bytes(body["offer"])
        if self.deal is None or author not in self.authors:
            if number is not None or key is not None:
                raise refused("peers.device_late")
            return
        if type(number) is not int or number != self.deal.number or key is None:
            raise refused("peers.device_late")
        try:
            self.checker.group.decode_points([offered])
            wrapped = WrappedKey.from_bytes(self.checker.group, read_bytes(key))
        except wire.MalformedMessage as error:
            raise refused("sealed.malformed", what=str(error)) from error
        peer = self.authors.index(author)
        made = {(one.step, peer): author for one in self.deal.requests
                if isinstance(one, Mixing) and peer in one.authors[:len(one.claims)]}
        self._shufflers = made | self._shufflers
        self._handovers = {**self._handovers, peer: Handover(author, wrapped)}
        self.authors = (*self.authors[:peer], body["to"], *self.authors[peer + 1:])

    def leave(self, setup: Setup, author: str, body: dict[str, Json], live: Collection[Card]) -> None:
        """The deal goes on under the keys of those who stay. A deck that was prepared is dropped: the leaver had a part in
        it. So is what was found in that deck; nobody leaves a deck under way in which something was."""
        self.setup, self.next_deck, self.guilty = setup, None, None
        data = read_bytes(body["sealed"])
        if data[:1] != LEAVE or self.deal is None:
            raise refused("sealed.not_due")
        own = author == self.checker.own
        self.deal = self.deal.copy()
        self._effects(ceremony.accept(self.deal, self._peer(author), data, own=own, live=live), self.authors, self._shufflers)

    def handover(self, peer: int) -> Handover | None:
        """The newest handover to peer number ``peer`` in this deal."""
        return self._handovers.get(peer)

    def note_entry(self, state: State, head: Hash) -> None:
        """The entry ``head`` asked every request that is new; requests that an undo took back are forgotten."""
        waiting, asked = len(state.requests), len(self._heads)
        self._heads = (*self._heads[:waiting], *(head for _ in range(waiting - asked)))

    @property
    def has_answers(self) -> bool:
        """Whether answers wait for an entry to deliver them."""
        return bool(self._answers)

    # ---- what the rules ask ----

    def with_requests(self, state: State) -> SealedDealing:
        """This dealing, or a copy of it, that has taken in every request of ``state``."""
        if self._request_count() == len(state.requests):
            return self
        twin = self.copy()
        twin._take_in(state)
        return twin

    def readers(self, state: State) -> dict[Card, str]:
        """The author whom each card of the deal under way is shown, or is to be shown by what ``state`` asks for; cards that are
        shown to nobody alone are left out."""
        deal = self.with_requests(state).deal
        cards = {} if deal is None else deal.cards
        return {handle: self.authors[card.reader] for handle, card in cards.items() if card.reader is not None}

    def _request_count(self) -> int:
        """How many of the state's requests this dealing has taken in."""
        return 0 if self.deal is None else len(self.deal.requests) + len(self._answers)

    def _take_in(self, state: State) -> None:
        """Take in the requests of ``state`` that are new; some are answered without a message."""
        fresh = state.next_card
        taken = self._request_count()
        if self.deal is not None and taken < len(state.requests):
            self.deal = self.deal.copy()
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
        """Begin a deal: the one that was prepared, if it fits. Returns whether its deck was asked for already."""
        prepared, self.next_deck = self.next_deck, None
        self.authors, seats = self._roster()
        self.deals += 1
        self._faces = faces
        self._handovers = {}
        self._shufflers = {}
        if prepared is None or not prepared.fits(faces, self.authors, seats):
            self.deal = self._new_state(seats)
            return False
        self.deal = prepared.deal.renumber(fresh)
        if not self.deal.requests:  # shuffled and checked
            self._answers = (RequestAnswer(None),)
        return True

    def _roster(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The peers that deal, and the peer of each seat."""
        authors = self.setup.authors
        return authors, tuple(authors.index(seat.author) for seat in self.setup.seats)

    def _new_state(self, seats: tuple[int, ...]) -> DealState:
        self._next_number += 1
        return DealState(self.checker, self.match, self._next_number - 1, seats)

    def with_next_deck(self) -> SealedDealing:
        """This dealing, or a copy of it that has begun to prepare a deck. Raises ``Refused`` before the first deal."""
        if self.next_deck is not None:
            return self
        if self.deal is None:
            raise refused("sealed.no_deal")
        twin = self.copy()
        authors, seats = self._roster()
        twin.next_deck = PreparedDeck.prepare(self._faces, authors, twin._new_state(seats))
        return twin

    def _ask(self, request: sealed.Request) -> None:
        if self.deal is None:
            raise refused("sealed.no_deal")
        self._effects(ceremony.ask(self.deal, request), self.authors, self._shufflers)

    def _effects(self, effects: list[sealed.Effect] | sealed.DealRefusal, authors: tuple[str, ...],
                 shufflers: Mapping[tuple[int, int], str]) -> None:
        if isinstance(effects, sealed.DealRefusal):
            raise Refused(KernelRefusal(effects.key, effects.params))
        for effect in effects:
            if isinstance(effect, sealed.Void) and effect.guilty is not None:
                self.guilty = shufflers.get((int(effect.params["step"]), effect.guilty), authors[effect.guilty])
                self.spoiled_decks += 1
        answered = tuple(RequestAnswer(effect.result) for effect in effects if isinstance(effect, sealed.RequestResult))
        self._answers += answered

    # ---- what peers say ----

    def read(self, state: State, author: str, body: dict[str, Json]) -> Iterable[RequestAnswer]:
        """What the body of a ``deal`` entry answers. Raises ``Refused``.

        ``{"sealed": base64}`` is a message of the deal under way; ``{}`` delivers answers that need no message;
        ``{"ahead": base64}`` is a message about the next deck, which answers nothing."""
        if body.keys() == {"ahead"}:
            self._read_early(author, read_bytes(body["ahead"]))
            self.last_results = ()
            return ()
        self._take_in(state)
        if body.keys() == {"sealed"}:
            if self.deal is None:
                raise refused("sealed.no_deal")
            data = read_bytes(body["sealed"])
            if data[:1] in NOT_IN_DEAL:
                raise refused("sealed.not_due")
            own = author == self.checker.own
            self.deal = self.deal.copy()
            self._effects(ceremony.accept(self.deal, self._peer(author), data, own=own), self.authors, self._shufflers)
        elif body or not self._answers:
            raise refused("kernel.deal.form")
        answers, self._answers = self._answers, ()
        self._heads = self._heads[len(answers):]
        self.last_results = tuple(answered.result for answered in answers)
        return answers

    def _read_early(self, author: str, data: bytes) -> None:
        prepared = self.with_next_deck().next_deck
        assert prepared is not None
        prepared = prepared.copy()
        answers = self._answers
        self._effects(prepared.accept(author, data), prepared.authors, {})
        self._answers = answers  # a finished shuffle answers nothing before the rules ask for it
        if self.next_deck is None:
            self._next_number += 1
        self.next_deck = prepared

    def unfinished_guilty(self) -> str | None:
        """Whose shuffle fails in a chain that is not complete yet; None if none does.

        A chain may never be completed, if the peer that orders falls silent after a forgery. What is in the log is judged
        all the same."""
        deals = [(self.deal, self.authors, self._shufflers)]
        if self.next_deck is not None:
            deals.append((self.next_deck.deal, self.next_deck.authors, {}))
        for deal, authors, shufflers in deals:
            for pending in deal.requests if deal is not None else ():
                if isinstance(pending, Mixing) and not pending.done and pending.claims:
                    verdicts = self.checker.shuffles(pending.claims)
                    if not all(verdicts):
                        peer = pending.authors[verdicts.index(False)]
                        return shufflers.get((pending.step, peer), authors[peer])
        return None

    def _peer(self, author: str) -> int:
        if author not in self.authors:
            raise refused("kernel.stranger")
        return self.authors.index(author)

    def take_openings(self, state: State, author: str, openings: list[list[Json]]) -> dict[Card, Face]:
        """The cards that a move opens. The first opening carries one message for all of them; the others name card and face.

        Raises ``Refused``."""
        if not openings:
            return {}
        if len(openings[0]) != 3 or any(len(opening) != 2 for opening in openings[1:]) or self.deal is None:
            raise refused("kernel.opening.form")
        if any(type(opening[0]) is not int for opening in openings):
            raise refused("kernel.opening.form")
        opened: dict[Card, Face] = {opening[0]: opening[1] for opening in openings}
        own = author == self.checker.own
        try:
            message = decode(self.checker.group, read_bytes(openings[0][2]), own=own)
        except wire.MalformedMessage as error:
            raise refused("sealed.malformed", what=str(error)) from error
        if not isinstance(message, Play) or dict(zip(message.handles, message.faces, strict=True)) != opened:
            raise refused("kernel.opening.form")
        if len(opened) != len(openings):
            raise refused("kernel.opening.form")
        self._take_in(state)
        self.deal = self.deal.copy()
        self._effects(ceremony.accept_message(self.deal, self._peer(author), message, own=own), self.authors, self._shufflers)
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
    """The ceremony's request for one of the rules; the entry with hash ``head`` asked it."""
    if isinstance(request, Shuffle):
        return sealed.Shuffle((*request.faces, *request.cards), tuple(fresh))
    if isinstance(request, Show):
        return sealed.Show(request.cards, None if request.reader == ALL else request.reader)
    if isinstance(request, TakeBack):
        return sealed.TakeBack(request.cards)
    if isinstance(request, Open):
        return sealed.Open(request.cards)
    assert isinstance(request, Roll)
    return sealed.Roll(request.sides, bytes.fromhex(head))


def match_bytes(match: str) -> bytes:
    """A match's id in the form that the ceremony hashes."""
    return sha256(match.encode()).digest()
