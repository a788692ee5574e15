"""Whether a match may be taken back to an earlier entry: a question to a prefix of its log, with one answer for everybody."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import Entry
from tabletin.kernel.options import Refusal
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.snapshot import DEALT, DEPARTED

MOVES: Final = ("move", "timeout")  # kinds of statements by which a seat plays
MOST_UNDOS: Final = 10  # of one device among peers, until a move of anybody else stands or chance is asked; more take consent


def undo_refusal(prefix: Prefix, seat: int, target: int, *, practice: bool = False) -> Refusal | None:
    """Why ``seat`` may not take the match back to entry ``target`` right after ``prefix``; None if it may.

    Never across chance or a private disclosure, nor while one is waited for: whoever orders could look at the card whose
    shares it has and then take the draw back. Across the opening of one's own card or another's move only if every other
    seat is a bot's or every other person consented; nor, among peers, back to moves of others that were taken back. Alone with
    bots, in practice, across anything.
    """
    now = prefix.snapshot
    if not 0 <= target < prefix.index or prefix.snapshot_at(target).state.requests:
        return Refusal("kernel.undo.target")
    if now.state.resigner is not None:
        return Refusal("kernel.over")
    people = [index for index, player in enumerate(now.setup.seats) if not player.is_bot]
    if practice:
        return None if people == [seat] else Refusal("kernel.undo.practice")
    if now.state.requests:
        return Refusal("kernel.undo.chance")
    crosses = {what for what, index in now.newest.items() if index > target}
    if DEPARTED in crosses:
        return Refusal("kernel.undo.target")
    if DEALT in crosses:
        return Refusal("kernel.undo.chance")
    touching = bool(crosses - {seat})
    asked = [other for other in people if other != seat]
    if touching and any((other, target) not in now.consents for other in asked):
        return Refusal("kernel.undo.consent")
    return None


def holds_up(prefix: Prefix, seat: int, target: int) -> bool:
    """Whether ``seat`` could keep the others waiting for ever by going back to entry ``target`` right after ``prefix``, and
    somebody has not consented: it would take back that it was timed out, or a move once more after ``MOST_UNDOS``. A log may hold
    that; who puts statements in their places need not."""
    if not 0 <= target < prefix.index:
        return False
    crossed = (entry.statement for entry in prefix.entries_since(target))
    is_timed_out = any(statement.kind == "timeout" and statement.body["seat"] == seat for statement in crossed)
    now = prefix.snapshot
    own = now.seats_of(now.setup.seats[seat].author)  # by turns, two seats of one device could go back for ever
    if not is_timed_out and undo_count(reversed(prefix.entries_since(0)), own) < MOST_UNDOS:
        return False
    others = (other for other, player in enumerate(now.setup.seats) if not player.is_bot and other != seat)
    return any((other, target) not in now.consents for other in others)


def moves_behind(entries: Sequence[Entry], target: int) -> tuple[int, ...]:
    """Whose moves stand behind entry ``target``, the newest first: what going back there takes back."""
    found: list[int] = []
    index = len(entries) - 1
    while index > target:
        said = entries[index].statement
        if said.kind in MOVES:
            found.append(said.body["seat"])
        index = said.body["to"] if said.kind == "undo" else index - 1
    return tuple(found)


def undo_count(newest_first: Iterable[Entry], seats: Collection[int]) -> int:
    """How often ``seats`` went back since anybody else played, in a move that stands, or chance was asked; as much as need be
    counted. A move that was taken back lets nobody go back again: two could do that for each other without end."""
    count, last = 0, math.inf  # the entry from which on all below was taken back
    for entry in newest_first:
        said, stands = entry.statement, entry.index <= last
        plays = said.kind in MOVES and said.body["seat"] not in seats
        if count == MOST_UNDOS or (plays and stands) or (said.kind == "deal" and not prepares_next_hand(said)):
            break
        if said.kind == "undo":
            count += said.body["seat"] in seats
            last = said.body["to"] if stands else last
    return count
