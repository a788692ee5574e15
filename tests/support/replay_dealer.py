"""A dealer that reads its answers off a finished log: the same moves led to the same log, whoever deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.log import Entry, Json
from tabletin.kernel.requests import Show, Shuffle
from tabletin.kernel.state import State


class ReplayDealer:
    """Answers in the order in which a finished log did, with the knowledge that came beside it."""

    def __init__(self, entries: Iterable[Entry], knowledge: Faces) -> None:
        self._bodies: Iterator[dict[str, Any]] = iter([e.statement.body for e in entries if e.statement.kind == "deal"])
        self._knowledge = knowledge

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Json], Faces] | None:
        body = next(self._bodies, None)
        if body is None:
            return None
        request = state.requests[0]
        fresh = range(state.next_card, state.next_card + len(request)) if isinstance(request, Shuffle) else ()
        shown = request.cards if isinstance(request, Show) else ()
        cards = (*fresh, *shown)
        return body, Faces({card: self._knowledge[card] for card in cards if card in self._knowledge})

    def prove(self, openings: dict[Card, Face]) -> list[list[Json]]:
        return [[card, face] for card, face in openings.items()]
