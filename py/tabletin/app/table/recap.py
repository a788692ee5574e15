"""What happened since somebody's last turn, retold in few lines to a person who looked away. Pure.

The sentences are those of the log (``narration``). This chooses among them, and joins what one seat did to a line. What a seat
did several times is told once, with how often: in words of its own, where there are any (a key that ends in ``OFTEN``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from tabletin.app.table.narration import NarratedEvent, Narration, NarrationLine, for_readers
from tabletin.kernel.match import Match
from tabletin.words.wording import Wording

OFTEN: Final = "_often"  # the same several times: as the last of them, and ``times``


def entries_since_turn(match: Match, seat: int, is_forced: Callable[[int], bool] = lambda index: False) -> list[int]:
    """The entries since ``seat`` last chose a move that still stands, oldest first; before its first one, all since the deal.

    What was taken back is not among them, nor what the dealer answered to that move. ``is_forced``: whether the move of ``seat``
    at an entry was made for it: then it may have been away.
    """
    found: list[int] = []
    index = len(match.entries) - 1
    while index > 0:
        kind, body = match.entries[index].statement.kind, match.entries[index].statement.body
        is_own = body.get("seat") == seat
        if kind == "move" and is_own and not is_forced(index):
            break
        if not (kind == "undo" and is_own):
            found.append(index)
        index = int(body["to"]) if kind == "undo" else index - 1
    while found and match.entries[found[-1]].statement.kind == "deal":
        found.pop()
    return found[::-1]


def recap(narration: Narration, seat: int, wording: Wording, uncovered: Iterable[int],
          is_forced: Callable[[int], bool] = lambda index: False) -> list[NarrationLine]:
    """What happened since the last turn of ``seat``, for the readers at the seats ``uncovered``: a line for all that one seat did
    in a row. Each leads to the first of its entries."""
    wanted = entries_since_turn(narration.match, seat, is_forced)
    if not wanted:
        return []
    events, chosen, readers = narration.events, set(wanted), frozenset(uncovered)
    since = events[bisect_left(events, wanted[0], key=lambda one: one.index):]
    heard = (one for one in since if one.index in chosen and for_readers(one.event, readers))
    lines = narration.lines(_often(heard, wording), wording, readers)
    found: list[NarrationLine] = []
    for actor, told in groupby(lines, lambda line: line.seat):
        row = list(told)
        if actor is None:
            found += row
        else:
            found.append(NarrationLine(row[0].index, " ".join(_counted(line.text for line in row)), actor))
    return found


def _often(events: Iterable[NarratedEvent], wording: Wording) -> Iterator[NarratedEvent]:
    """``events``, of which the same of one seat several times in a row is one, where that has words and no card is named."""
    for (key, _), same in groupby(events, lambda one: (one.event.key, one.event.seat)):
        row = list(same)
        last = row[-1].event
        if len(row) == 1 or f"{key}{OFTEN}" not in wording.catalogue or any(one.event.cards for one in row):
            yield from row
        else:
            yield replace(row[0], event=replace(last, key=f"{key}{OFTEN}", params={**last.params, "times": len(row)}))


def _counted(sentences: Iterable[str]) -> Iterable[str]:
    """``sentences``, each once with how often it follows on itself."""
    for sentence, same in groupby(sentences):
        times = len(list(same))
        yield sentence if times == 1 else f"{sentence.removesuffix('.')} ×{times}."
