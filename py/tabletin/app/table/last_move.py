"""Which entries of a match still stand, and which move of a seat is its last among them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tabletin.kernel.match import Match

BY_ITSELF: Final = ("move",)  # kinds of entries: a seat made its move …
MADE: Final = ("move", "timeout")  # … or its time ran out, and a move was made for it


def standing_entries(match: Match) -> Iterator[int]:
    """The entries that still stand, newest first. An undo is one of them; what it took back is not."""
    index = len(match.entries) - 1
    while index > 0:
        yield index
        statement = match.entries[index].statement
        index = int(statement.body["to"]) if statement.kind == "undo" else index - 1


def last_move(match: Match, seat: int, kinds: tuple[str, ...],
              is_forced: Callable[[int], bool] = lambda index: False) -> int | None:
    """The entry of the last move of ``seat`` that still stands and is one of ``kinds``; None before it made one. ``is_forced``:
    whether the move at an entry was no choice, so that it does not count."""
    for index in standing_entries(match):
        statement = match.entries[index].statement
        if statement.kind in kinds and statement.body["seat"] == seat and not is_forced(index):
            return index
    return None
