"""Undo as a player meets it: what can be taken back right now, and who has to agree.

The kernel judges; this finds the entry to go back to. Steps of a turn that is being composed are taken back in its draft.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tabletin.app.table.last_move import MADE, last_move
from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.match import Match


@dataclass(frozen=True, slots=True)
class Undo:
    """``seat`` can go back to entry ``target``. ``practice``: the pile is mixed anew and the match no longer counts.

    ``approvers``: the seats of other people who have to agree first.
    """

    seat: int
    target: int
    practice: bool = False
    approvers: tuple[int, ...] = ()


def available_undo(match: Match, seat: int, is_forced: Callable[[int], bool] = lambda index: False) -> Undo | None:
    """How ``seat`` can take the last move that it chose in this hand back now; None if it has none, or cannot. ``is_forced``:
    whether the move at an entry was none of its own choice, so that the one before is meant."""
    index = last_move(match, seat, MADE, is_forced)
    if index is None or match.state.resigner is not None or _is_of_counted_hand(match, index):
        return None
    people = tuple(other for other, player in enumerate(match.setup.seats) if not player.is_bot)
    if people != (seat,) and _chance_since(match, index):
        return None
    target = index - 1
    while target > 0 and match.snapshot_at(target).state.requests:
        target -= 1
    if match.undo_refusal(seat, target) is None:
        return Undo(seat, target)
    if people == (seat,):
        return Undo(seat, target, practice=True) if match.undo_refusal(seat, target, practice=True) is None else None
    refusal = match.undo_refusal(seat, target)
    if refusal is not None and refusal.key == "kernel.undo.consent":
        return Undo(seat, target, approvers=tuple(other for other in people if other != seat))
    return None


def _is_of_counted_hand(match: Match, index: int) -> bool:
    """Whether the hand is over in which the move at entry ``index`` was made: who takes that back plays another match."""
    rules, statement = match.rules, match.entries[index].statement
    if not rules.several_hands:
        return False
    is_between = statement.kind == "move" and statement.body["do"][0] in rules.between_verbs
    return is_between or len(rules.sheet(match.state)) > len(rules.sheet(match.snapshot_at(index - 1).state))


def _chance_since(match: Match, index: int) -> bool:
    """Whether chance is waited for, or was asked since entry ``index``. Cheaper than looking at earlier states."""
    since = (entry.statement for entry in match.entries[index + 1:])
    return bool(match.state.requests) or any(one.kind == "deal" and not prepares_next_hand(one) for one in since)


def last_mover(match: Match) -> int | None:
    """The seat whose move was the last entry, not counting the dealer's answers; None if the last was no move."""
    for entry in reversed(match.entries):
        statement = entry.statement
        if statement.kind != "deal":
            return int(statement.body["seat"]) if statement.kind == "move" else None
    return None
