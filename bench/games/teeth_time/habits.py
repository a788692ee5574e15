"""Habits of Teeth Time's hard bot that people see, counted: ``python3 bench/games/teeth_time/habits.py [--commit 23dd28b]``.

All seats are hard, or hard as it was at a commit. A match is counted where it stands when the bot decides, with all that its
seat knows. It prints how often penalties, discards and refusals were of the kinds that ``docs/bots.md`` tells of.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.versus import bot_before
from tabletin.bots.arena import decide, play
from tabletin.bots.decision import Decision, Position
from tabletin.bots.matchups import ARENA_BUDGET
from tabletin.games.teeth_time.cards import BROKEN, CAVITY, COLOUR, GUMPSTER, GUMPSTER_FILLS_TO, PENALTIES, RANK, WILDS
from tabletin.games.teeth_time.melds import swaps
from tabletin.games.teeth_time.plays import BEGINNER
from tabletin.games.teeth_time.state import WINDOW, TeethTimeState

GAME = "teeth-time"
NEAR = 3  # cards in a hand that is all but out
WATCHED = "watched"


class Calm(Random):
    """A bot's random numbers without its whims."""

    def random(self) -> float:
        return 0.5


class HabitCount:
    """Counts what a bot decides; it stands in its place at the table."""

    def __init__(self, bot: object = None) -> None:
        self.bot = bot
        self.found: Counter[str] = Counter()

    def __call__(self, position: Position) -> Decision:
        position.level = "hard"
        decision = self._decide(position)
        verb = decision.move[0]
        if verb == "penalty":
            self._count_penalty(position, *decision.move[1:])
        elif verb == "discard":
            self._count_discard(position, decision.move[1])
        elif position.state.phase == WINDOW and position.seat == position.state.turn:
            self._count_window(position, decision)
        return decision

    def _decide(self, position: Position) -> Decision:
        return self.bot(position) if callable(self.bot) else decide(GAME, position)

    def _count_penalty(self, position: Position, card: int, target: int) -> None:
        state, face = position.state, position.faces[card]
        if face == GUMPSTER:
            self.found["Gumpsters"] += 1
            self.found["… that draw nothing"] += len(state.hands[target]) >= GUMPSTER_FILLS_TO
        elif face in (CAVITY, BROKEN):
            self.found["Cavities and Broken Teeth"] += 1
            self.found["… against a seat that is not down"] += not state.has_melded(target)

    def _count_discard(self, position: Position, card: int) -> None:
        state, faces = position.state, position.faces
        self.found["penalties discarded"] += faces[card] in PENALTIES
        after = state.next_seat(position.seat)
        if not state.has_melded(after):
            return
        self.found["discards with the next seat down"] += 1
        if _is_food(position, card) and not all(_is_food(position, other) for other in state.hands[position.seat]):
            self.found["… that it can lay at once, though another could not be"] += 1
            self.found[f"…… with {NEAR} cards or fewer in its hand"] += len(state.hands[after]) <= NEAR

    def _count_window(self, position: Position, decision: Decision) -> None:
        """Asked again without whims: does it want what it left?"""
        if decision.move[0] == "take":
            self.found["discards wanted"] += 1
        elif decision.why.endswith("restless"):
            calm = self._decide(Position(position.view, position.seat, "hard", Calm(1), position.budget, position.clock))
            if calm.move[0] == "take":
                self.found["discards wanted"] += 1
                self.found["… and refused"] += 1
                self.found["…… a wild, or to go down with"] += calm.why.endswith(("take_down", "take_wild"))
            else:
                self.found["discards not wanted, refused with the same words"] += 1


def _is_food(position: Position, card: int) -> bool:
    """Whether a seat that is down can lay ``card`` at once."""
    state: TeethTimeState = position.state
    face = position.faces[card]
    if face in WILDS:
        return bool(state.groups)
    if face not in RANK:
        return False
    if any(group.takes(RANK[face]) and group.colour in ("", COLOUR[face]) for group in state.groups.values()):
        return True
    return position.rules.skill != BEGINNER and any(swaps([card], position.faces, state.groups))  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commit", help="of the bot that is counted; by default it is today's")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seats", type=int, default=2)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        count = HabitCount(bot_before(GAME, asked.commit, "hard", Path(folder)) if asked.commit else None)
        for seed in range(1, asked.matches + 1):
            play(GAME, (WATCHED,) * asked.seats, {}, seed, ARENA_BUDGET, guests={WATCHED: count})
    for name in ("Gumpsters", "… that draw nothing", "Cavities and Broken Teeth", "… against a seat that is not down",
                 "penalties discarded", "discards with the next seat down",
                 "… that it can lay at once, though another could not be", f"…… with {NEAR} cards or fewer in its hand",
                 "discards wanted", "… and refused", "…… a wild, or to go down with",
                 "discards not wanted, refused with the same words"):
        print(f"{count.found[name]:6}  {name}")


if __name__ == "__main__":
    main()
