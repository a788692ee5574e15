"""What a log's prefix amounts to. It is a value: a fold copies it and changes the copy. It judges nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from tabletin.kernel.dealing import Dealing, prepares_next_hand
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.log import Hash, Statement
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import State

DEALT, DEPARTED, OPENED = "dealt", "departed", "opened"

Consent: TypeAlias = tuple[int, int]  # the seat that consents, and the entry to which the match may be taken back
Chain: TypeAlias = "tuple[Consent, Chain] | None"


class Consents(Set[Consent]):
    """Who consented to which undo. One with a consent more shares all others with the one before: a log may be full of them, and
    many snapshots are kept."""

    __slots__ = ("_chain",)

    def __init__(self, chain: Chain = None) -> None:
        self._chain = chain

    def with_consent(self, seat: int, target: int) -> Consents:
        return Consents(((seat, target), self._chain))

    def __iter__(self) -> Iterator[Consent]:
        return iter(set(self._all()))

    def __len__(self) -> int:
        return len(set(self._all()))

    def __contains__(self, consent: object) -> bool:
        return any(one == consent for one in self._all())

    def _all(self) -> Iterator[Consent]:
        chain = self._chain
        while chain is not None:
            one, chain = chain
            yield one



@dataclass(slots=True)
class Snapshot:
    """All that a log's prefix amounts to: the game's state, the dealing's, who plays, who puts statements in order,
    who is gone for good, who consented to which undo, who plays which seat from the next hand on.

    ``voters``: the people's authors, who decide together. ``epoch``: the ballot that began the part of the log under way.
    ``passed_over``: who was passed over as the one that orders since the last deal. ``deals``: decks asked for so far.
    ``must_order``: who has to get the order now, before anything else is said; "" where nobody has to.
    ``departures``: author → the hash of the statement with which it last left, was declared gone or gave a seat away.
    ``length``: how many entries the prefix has. ``newest``: the newest entry of each kind that an undo must not cross, or not
    alone: ``DEALT``, ``DEPARTED``, ``OPENED``, and one by each seat that played, by its number.
    """

    state: State
    dealing: Dealing
    setup: Setup
    orderer: str
    former_authors: frozenset[str] = frozenset()
    consents: Consents = field(default_factory=Consents)
    promises: Mapping[int, Seat] = field(default_factory=dict)
    voters: frozenset[str] = frozenset()
    epoch: int = 0
    passed_over: frozenset[str] = frozenset()
    deals: int = 0
    must_order: str = ""
    departures: Mapping[str, Hash] = field(default_factory=dict)
    length: int = 1
    newest: Mapping[str | int, int] = field(default_factory=dict)
    openings: Mapping[Card, Face] = field(default_factory=dict)  # what the last entry laid open; no part of what comes next

    def copy(self) -> Snapshot:
        return Snapshot(self.state.copy(), self.dealing.copy(), self.setup, self.orderer, self.former_authors,
                        self.consents, self.promises, self.voters, self.epoch, self.passed_over, self.deals, self.must_order,
                        self.departures, self.length, self.newest)

    def note_entry(self, statement: Statement) -> None:
        """The prefix has grown by ``statement``. What an undo may not cross is noted, so that none looks for it in the log."""
        kind, body = statement.kind, statement.body
        met: tuple[str | int, ...] = ()
        if kind in ("move", "timeout"):
            met = (body["seat"], OPENED) if body.get("open") else (body["seat"],)
        elif kind == "deal" and not prepares_next_hand(statement):
            met = (DEALT,)
        elif kind in ("gone", "leave"):
            met = (DEPARTED,)
        elif kind == "undo" and self.setup.protocol > 5:  # going back to what it took back crosses that again
            met = (body["seat"], *(what for what, index in self.newest.items() if index > body["to"]))
        if met:
            self.newest = {**self.newest, **dict.fromkeys(met, self.length)}
        self.length += 1

    def seats_of(self, author: str) -> tuple[int, ...]:
        """The seats that ``author`` speaks for."""
        return tuple(index for index, seat in enumerate(self.setup.seats) if seat.author == author)

    @property
    def live(self) -> tuple[str, ...]:
        """The authors who speak for seats and are not gone, in order of their first seats."""
        if not self.former_authors:
            return self.setup.authors
        return tuple(author for author in self.setup.authors if author not in self.former_authors)

    @property
    def live_voters(self) -> tuple[str, ...]:
        """The voters that are not gone, in order of their first seats."""
        return tuple(author for author in self.live if author in self.voters)

    def may_order(self, without: Collection[str] = ()) -> tuple[str, ...]:
        """The live authors who may put statements in order, ``without`` some, in order of their first seats: the voters, where
        any is left. Nobody is passed over without the vote of the person who gave a seat to another key."""
        live = tuple(author for author in self.live if author not in without)
        voters = tuple(author for author in live if author in self.voters)
        return voters if voters and self.setup.protocol > 4 else live

    def next_to_order(self, author: str) -> str:
        """Who orders after ``author``, which is live; that one itself where nobody else is left."""
        live, others = self.live, self.may_order((author,))
        at = live.index(author)
        return next((one for one in (*live[at + 1:], *live[:at]) if one in others), author)

    @property
    def due_orderer(self) -> str:
        """Whose turn it is to order, by the number of the deal."""
        due = [author for author in self.may_order() if author not in self.passed_over] or list(self.may_order())
        return due[max(self.deals - 1, 0) % len(due)]

    def note_order(self, asked_before: bool, asks: bool) -> None:
        """An entry was taken in. ``asked_before``, ``asks``: whether the rules asked for a new deck before and after it."""
        if asked_before and not asks:
            self.passed_over = frozenset()
        if asks and not asked_before:
            self.deals += 1
        if asks and self.setup.protocol > 3 and self.orderer not in self.may_order():
            self.orderer = self.due_orderer  # it gave its seats away: no ballot is against who is not there
        if (asks and not asked_before) or self.must_order:
            due = self.due_orderer
            self.must_order = due if due != self.orderer and self.orderer in self.live else ""
