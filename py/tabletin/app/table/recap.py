"""What happened since somebody's last turn, retold in few lines to a person who looked away. Pure.

The sentences are those of the log (``narration``, ``event_merging``). This chooses among them, and joins what one seat did to a
line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import groupby

from tabletin.app.table.event_merging import merged_lines
from tabletin.app.table.last_move import BY_ITSELF, last_move, standing_entries
from tabletin.app.table.narration import Narration, NarrationLine
from tabletin.kernel.match import Match
from tabletin.words.wording import Wording


def entries_since_turn(match: Match, seat: int, is_forced: Callable[[int], bool] = lambda index: False) -> list[int]:
    """The entries since ``seat`` last chose a move that still stands, oldest first; before its first one, all since the deal.

    An answer in the turn of another seat is no such move. What was taken back is not among them, nor what the dealer answered to
    that move. ``is_forced``: whether the move of ``seat`` at an entry was made for it: then it may have been away.
    """
    def is_no_turn(index: int) -> bool:
        statement = match.entries[index].statement
        return (statement.kind == "move" and statement.body["do"][0] in match.rules.answer_verbs) or is_forced(index)

    found: list[int] = []
    turn = last_move(match, seat, BY_ITSELF, is_no_turn)
    for index in standing_entries(match):
        if index == turn:
            break
        statement = match.entries[index].statement
        if not (statement.kind == "undo" and statement.body.get("seat") == seat):
            found.append(index)
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
    events, chosen = narration.events, set(wanted)
    since = events[bisect_left(events, wanted[0], key=lambda one: one.index):]
    lines = merged_lines(narration, (one for one in since if one.index in chosen), wording, uncovered)
    found: list[NarrationLine] = []
    for actor, told in groupby(lines, lambda line: line.seat):
        row = list(told)
        if actor is None:
            found += row
        else:
            found.append(NarrationLine(row[0].index, " ".join(_counted(line.text for line in row)), actor))
    return found


def _counted(sentences: Iterable[str]) -> Iterable[str]:
    """``sentences``, each once with how often it follows on itself."""
    for sentence, same in groupby(sentences):
        times = len(list(same))
        yield sentence if times == 1 else f"{sentence.removesuffix('.')} ×{times}."
