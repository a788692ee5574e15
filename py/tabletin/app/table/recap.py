"""What happened since somebody's last turn, retold in few lines to a person who looked away. Pure.

The sentences are those of the log (``narration``). This chooses among them, and joins what one seat did to a line. What a seat
did several times is told once, with how often, and what all seats said of themselves once of nobody: in words of their own, where
there are any (keys that end in ``OFTEN`` and ``NOBODY``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile
from typing import Final

from tabletin.app.table.narration import NarratedEvent, Narration, NarrationLine, for_readers
from tabletin.kernel.match import Match
from tabletin.words.wording import Wording

OFTEN: Final = "_often"  # the same several times: as the last of them, and ``times``
NOBODY: Final = "_nobody"  # what every seat said of itself, one after another, said once of all


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
    match = narration.match
    lines = narration.lines(_joined(list(heard), wording, len(match.rules.playing(match.state))), wording, readers)
    found: list[NarrationLine] = []
    for actor, told in groupby(lines, lambda line: line.seat):
        row = list(told)
        if actor is None:
            found += row
        else:
            found.append(NarrationLine(row[0].index, " ".join(_counted(line.text for line in row)), actor))
    return found


def _joined(events: Sequence[NarratedEvent], wording: Wording, seats: int) -> Iterator[NarratedEvent]:
    """``events``, of which the same of one seat several times in a row is one, and the same of all ``seats`` in a row, where
    that has words and no card is named."""
    at = 0
    while at < len(events):
        said, count = _merge_first(events[at:], wording, seats)
        yield said
        at += count


def _merge_first(events: Sequence[NarratedEvent], wording: Wording, seats: int) -> tuple[NarratedEvent, int]:
    """What is said of the first of ``events``, and of how many."""
    first = events[0].event
    same = list(takewhile(lambda one: one.event.key == first.key and not one.event.cards, events))
    own = list(takewhile(lambda one: one.event.seat == first.seat, same))
    if f"{first.key}{OFTEN}" in wording.catalogue and len(own) > 1:
        last = own[-1].event
        often = replace(last, key=f"{first.key}{OFTEN}", params={**last.params, "times": len(own)})
        return replace(events[0], event=often), len(own)
    alike = {one.event.seat for one in takewhile(lambda one: one.event.params == first.params, same[:seats])}
    if f"{first.key}{NOBODY}" in wording.catalogue and len(alike) == seats > 1:
        return replace(events[0], event=replace(first, key=f"{first.key}{NOBODY}", seat=None)), seats
    return events[0], 1


def _counted(sentences: Iterable[str]) -> Iterable[str]:
    """``sentences``, each once with how often it follows on itself."""
    for sentence, same in groupby(sentences):
        times = len(list(same))
        yield sentence if times == 1 else f"{sentence.removesuffix('.')} ×{times}."
