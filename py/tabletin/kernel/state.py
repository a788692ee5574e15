"""The public part of a match: what everybody at the table, and every spectator, can see.

A state holds no private face at all, so that applying an entry cannot read one: what a reader knows beyond it is a
``Faces`` kept beside. It records who was *shown* a card (public), never what the card was. Games subclass ``State``
with more slots; the kernel owns those named here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, ClassVar, Self

from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.requests import ALL, Request, Result, Roll, Show, Shuffle, discloses_publicly


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, for the log in words and the announcer: a catalogue key, parameters, cards named.

    ``cards`` are handles: words name a face only where their reader knows it. ``reader`` is the one
    seat it is for (a card drawn), or ``ALL``.
    """

    key: str
    seat: int | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    cards: tuple[Card, ...] = ()
    reader: int = ALL


@dataclass(frozen=True, slots=True)
class Batch:
    """What is public of one shuffle: ``size`` fresh handles from its key on, made of ``faces`` and ``hidden_count`` others."""

    size: int
    faces: tuple[Face, ...]
    hidden_count: int


_COPIED = frozenset({dict, list, set, Faces})


class State:
    """Base of every game's state. Fields hold immutable values, or flat dicts, lists and sets of immutable values.

    public: handle → face known to all. viewers: handle → bit mask of the seats it was shown to. requests: unanswered,
    in order. next_card: the next free handle (never reused). batches: first handle → what a shuffle was made of.
    resigner: the seat that resigned the match, or None. broken_off: a peer went for good and the game has no other hand to
    deal. absentees: the seats that left the hand being played, which goes on without them. practice: a turn was taken back
    behind a draw.
    events: what the last entry brought about, or None when nobody listens (rollouts).
    """

    __slots__ = ("public", "viewers", "requests", "next_card", "batches", "resigner", "broken_off", "absentees", "practice",
                 "events")

    _fields: ClassVar[tuple[str, ...]] = ()  # the slots that make up the state, ``events`` apart
    _values: ClassVar[attrgetter[tuple[Any, ...]]]  # theirs, read in one go

    def __init_subclass__(cls) -> None:
        names = [name for base in reversed(cls.__mro__) for name in base.__dict__.get("__slots__", ())]
        cls._fields = tuple(name for name in names if name != "events")
        cls._values = attrgetter(*cls._fields)

    def __init__(self) -> None:
        self.public = Faces()
        self.viewers: dict[Card, int] = {}
        self.requests: tuple[Request, ...] = ()
        self.next_card: Card = 0
        self.batches: dict[Card, Batch] = {}
        self.resigner: int | None = None
        self.broken_off = False
        self.absentees: frozenset[int] = frozenset()
        self.practice = False
        self.events: list[Event] | None = None

    def copy(self) -> Self:
        """An independent state, equal to this one; nobody listens to it."""
        kind = type(self)
        other = kind.__new__(kind)
        for name, value in zip(kind._fields, kind._values(self), strict=True):
            setattr(other, name, value.copy() if type(value) in _COPIED else value)
        other.events = None
        return other

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._fields)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inside})"

    # ---- what rules call ----

    def say(self, key: str, seat: int | None = None, *, cards: tuple[Card, ...] = (), to: int = ALL, **params: Any) -> None:
        """Note an event, if somebody listens."""
        if self.events is not None:
            self.events.append(Event(key, seat, params, cards, to))

    def ask(self, request: Request) -> None:
        """Leave ``request`` for the dealer, after those already waiting."""
        self.requests += (request,)

    def new_deck(self, faces: Iterable[Face], purpose: str = "deck") -> None:
        """Sweep every card off the table and ask for ``faces`` as a freshly shuffled deck: every seat plays again.

        A game begins with it, one that only rolls dice too: among devices, the deck of no faces is where they agree on keys.
        """
        self.absentees = frozenset()
        self.public.clear()
        self.viewers.clear()
        self.batches.clear()
        self.ask(Shuffle(faces=tuple(faces), purpose=purpose))

    # ---- what the kernel calls ----

    def settle(self, result: Result) -> tuple[Request, tuple[Card, ...]]:
        """Take the first request as answered by ``result``; return it with the cards it concerns (fresh ones for a shuffle).

        ``result`` must have the form its request asks for (``well_formed``): dealers' entries are checked before.
        """
        request, self.requests = self.requests[0], self.requests[1:]
        if isinstance(request, Show) and request.reader != ALL:
            bit = 1 << request.reader
            seen = self.viewers
            for card in request.cards:
                seen[card] = seen.get(card, 0) | bit
            return request, request.cards
        if isinstance(request, Shuffle):
            return request, self._shuffled(request)
        if isinstance(request, Roll):
            return request, ()
        if discloses_publicly(request):
            assert isinstance(result, tuple)
            self.public.update(zip(request.cards, result, strict=True))
        return request, request.cards

    def _shuffled(self, request: Shuffle) -> tuple[Card, ...]:
        known = [self.public[card] for card in request.cards if card in self.public]
        for card in request.cards:
            self.public.pop(card, None)
            self.viewers.pop(card, None)
        first, size = self.next_card, len(request)
        self.next_card = first + size
        gone = set(request.cards)
        self.batches = {start: batch for start, batch in self.batches.items()
                        if not gone.issuperset(range(start, start + batch.size))}
        if size:
            self.batches[first] = Batch(size, tuple(sorted((*request.faces, *known))), len(request.cards) - len(known))
        return tuple(range(first, first + size))


def well_formed(request: Request, result: Result) -> bool:
    """Whether ``result`` is of the form that an answer to ``request`` must have."""
    if isinstance(request, Roll):
        return type(result) is int and 1 <= result <= request.sides
    if discloses_publicly(request):
        return isinstance(result, tuple) and len(result) == len(request.cards) and all(type(f) is str for f in result)
    return result is None
