"""Who answers requests. Rules and match do not know which dealer deals.

Dealing has two halves. A ``Dealing`` is the public one, part of every reader's match: it judges what dealers say and tells
when a request is answered. A ``Dealer`` is the driving one and knows the secrets. The open pair is here: one device draws
for all. The sealed pair is in ``peers/dealing``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from random import Random
from typing import Protocol, Self

from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.log import Hash, Json, Statement
from tabletin.kernel.options import refused
from tabletin.kernel.requests import Request, Result, Roll, Shuffle, discloses_publicly
from tabletin.kernel.setup import Setup
from tabletin.kernel.state import State, well_formed


@dataclass(frozen=True, slots=True)
class RequestAnswer:
    """The first waiting request is answered with ``result``."""

    result: Result


class Dealing(Protocol):
    """The public half: a copyable function of the log."""

    def copy(self) -> Self: ...

    def read(self, state: State, author: str, body: dict[str, Json]) -> Iterable[RequestAnswer]:
        """Judge and take in a ``deal`` statement; yield one answer per request it completes, in order.

        Raises ``Refused`` and leaves itself unchanged when the statement is wrong.
        """
        ...

    def take_openings(self, state: State, author: str, openings: list[list[Json]]) -> dict[Card, Face]:
        """Judge and take in the openings ``[card, face, *proof]`` that came with a move of ``author``'s.

        Raises ``Refused``; what it was then left in is discarded.
        """
        ...

    def void(self, setup: Setup) -> None:
        """Forget the deal under way: a peer is gone, and those who play by ``setup`` deal anew."""
        ...

    def change_player(self, setup: Setup) -> None:
        """Somebody else plays a seat from now on; what is dealt goes on."""
        ...

    def hand_over(self, setup: Setup, author: str, body: dict[str, Json]) -> None:
        """All that ``author`` did is done by another device of the same person from now on, as ``body`` says; see
        ``docs/log.md``. Raises ``Refused``."""
        ...

    def leave(self, setup: Setup, author: str, body: dict[str, Json], live: Collection[Card]) -> None:
        """``author`` went politely and the deal under way goes on without it, as ``body`` says; ``live``: the cards that are
        still in play. Raises ``Refused``."""
        ...

    def note_entry(self, state: State, head: Hash) -> None:
        """Told after each entry: ``state`` is what it led to, ``head`` is its hash. What chance hangs on may hang on it."""
        ...


def prepares_next_hand(statement: Statement) -> bool:
    """Whether ``statement`` only prepares the next hand: it is no part of this one, and undo may cross it."""
    return statement.kind == "deal" and statement.body.keys() == {"ahead"}


class Dealer(Protocol):
    """The driving half: knows secrets, writes ``deal`` statements."""

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Json], Faces] | None:
        """The body of the next ``deal`` statement and the faces it brings this device, or None while it must wait."""
        ...

    def prove(self, openings: dict[Card, Face]) -> list[list[Json]]:
        """Openings as a move carries them."""
        ...


class SeatAgnosticDealing:
    """The half of a ``Dealing`` that does not care who plays which seat, who is gone or where an entry stands."""

    def void(self, setup: Setup) -> None:
        pass

    def change_player(self, setup: Setup) -> None:
        pass

    def hand_over(self, setup: Setup, author: str, body: dict[str, Json]) -> None:
        pass

    def leave(self, setup: Setup, author: str, body: dict[str, Json], live: Collection[Card]) -> None:
        pass

    def note_entry(self, state: State, head: Hash) -> None:
        pass


def read_openings(openings: list[list[Json]], *, parts: tuple[int, ...] = (2,)) -> dict[Card, Face]:
    """The faces that openings name, each card once; ``parts``: how many fields one may have. Raises ``Refused``."""
    opened: dict[Card, Face] = {}
    for opening in openings:
        if len(opening) not in parts or type(opening[0]) is not int or type(opening[1]) is not str or opening[0] in opened:
            raise refused("kernel.opening.form")
        opened[opening[0]] = opening[1]
    return opened


class OpenDealing(SeatAgnosticDealing):
    """The open dealer's statements: the answer itself, in plain sight. Without state.

    Bodies: ``{}`` for a shuffle, a private disclosure or a take-back; ``{"faces": […]}`` for a public one;
    ``{"roll": n}``.
    """

    def copy(self) -> OpenDealing:
        return self

    def read(self, state: State, author: str, body: dict[str, Json]) -> Iterable[RequestAnswer]:
        if not state.requests:
            raise refused("kernel.deal.nothing_asked")
        request = state.requests[0]
        result: Result = None
        expected = {"roll"} if isinstance(request, Roll) else {"faces"} if discloses_publicly(request) else set()
        if body.keys() != expected:
            raise refused("kernel.deal.form")
        if "roll" in body:
            result = body["roll"]
        elif "faces" in body:
            result = tuple(body["faces"]) if isinstance(body["faces"], list | tuple) else None
        if not well_formed(request, result):
            raise refused("kernel.deal.form")
        if discloses_publicly(request):
            assert isinstance(result, tuple)
            for card, face in zip(request.cards, result, strict=True):
                if state.public.get(card, face) != face:
                    raise refused("kernel.deal.contradicts", card=card)
        return (RequestAnswer(result),)

    def take_openings(self, state: State, author: str, openings: list[list[Json]]) -> dict[Card, Face]:
        return read_openings(openings)


def plain_body(result: Result) -> dict[str, Json]:
    """The open dealer's statement for ``result``."""
    if result is None:
        return {}
    return {"roll": result} if isinstance(result, int) else {"faces": list(result)}


class OpenDealer:
    """Draws for everybody on one device. ``rng``: ``SystemRandom`` for people, a seeded ``Random`` for tests.

    All it draws is in the faces it hands out, so it needs no state to resume but the device's knowledge.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Json], Faces]:
        result, faces = answer(state, state.requests[0], knowledge, self.rng)
        return plain_body(result), faces

    def prove(self, openings: dict[Card, Face]) -> list[list[Json]]:
        return [[card, face] for card, face in openings.items()]


def answer(state: State, request: Request, knowledge: Faces, rng: Random) -> tuple[Result, Faces]:
    """An honest answer to ``request`` by somebody who knows every face, and the faces that a shuffle brought about."""
    if isinstance(request, Shuffle):
        faces = [*request.faces, *(knowledge[card] for card in request.cards)]
        rng.shuffle(faces)
        return None, Faces(zip(range(state.next_card, state.next_card + len(faces)), faces, strict=True))
    if isinstance(request, Roll):
        return rng.randint(1, request.sides), Faces()
    if discloses_publicly(request):
        return tuple(knowledge[card] for card in request.cards), Faces()
    return None, Faces()
