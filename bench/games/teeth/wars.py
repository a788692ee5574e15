"""Whether Teeth's hard bot plays on too long for a round's last column: ``python3 bench/games/teeth/wars.py [--matches 30]``.

Two hard bots play. At each turn at which one draws though it could call the last open column, it is kept how likely it thought
to win it, and when the column is scored, who would have won had it called then and who did win. Printed for so many cards added
by both sides and for what the bot thought: how often calling then would have won, how often playing on won, and the difference
with a 95 % interval over columns. Above 0 it should have called. Last, how many cards a side a column had in the end.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.bots.arena import Interval, decide, play
from tabletin.bots.decision import Decision, Position
from tabletin.bots.matchups import ARENA_BUDGET
from tabletin.games.teeth.columns import DECK
from tabletin.games.teeth.reading import beliefs, calls, draw_worlds, history, weigh
from tabletin.games.teeth.reckon import Belief, Look, add, count_hidden, reckoner_of
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import TURN, ColumnScore, TeethState
from tabletin.kernel.table import Table

GAME = "teeth"
WATCHED = "watched"
WORLDS = 150
ADDED = (0, 3, 6)  # cards added by both sides: from so many on
LIKELY = (0.0, 0.5)  # chances of winning: from so much on


class Turn(NamedTuple):
    """A turn at which a seat drew: the last column as it saw it, how many cards had been added, how likely it thought to win."""

    seat: int
    look: Look
    added: int
    chance: float


class Result(NamedTuple):
    """What a turn would have brought and what it brought: whether its seat would have won by calling, and whether it won."""

    called: bool
    played_on: bool


class WarCount:
    """Stands in a bot's place at the table, and watches the columns."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.rng = Random(1)
        self.columns: list[dict[tuple[int, int], list[Result]]] = []  # a last column: its turns by cards added and chance
        self.sizes: list[int] = []
        self.sides: Counter[int] = Counter()  # cards added to the fuller side of a last column
        self.last: ColumnScore | None = None

    def __call__(self, position: Position) -> Decision:
        position.level = "hard"
        decision = decide(GAME, position)
        state = position.state
        if state.phase == TURN and decision.move[0] == "draw" and sum(column is not None for column in state.columns) == 1:
            self.turns.append(self._turn(position, state))
        return decision

    def _turn(self, position: Position, state: TeethState) -> Turn:
        """What the seat sees, believed as hard believes it."""
        rules, seat, faces = position.rules, position.seat, position.faces
        assert isinstance(rules, Teeth)
        at, column = next((at, column) for at, column in enumerate(state.columns) if column is not None)
        options = rules.option_values
        reckoner = reckoner_of(options["court"], options["joker"], options["limit"])
        looks = {at: reckoner.look(column, seat, faces)}
        live = [card for cards in rules.zones(state).values() for card in cards]
        pool = count_hidden(reckoner, DECK, live, faces)
        worlds = weigh(draw_worlds(pool, [at], WORLDS, self.rng), history(reckoner, state, seat, faces), Belief(reckoner, pool))
        _, chance = calls(looks, beliefs(reckoner, worlds, [at], pool))
        return Turn(seat, looks[at], sum(map(len, column.extras)), chance)

    def watch(self, table: Table) -> None:
        state, rules = table.match.state, table.match.rules
        last = state.last
        if last is None or last == self.last:
            return
        self.last = last
        self.sizes.append(1 + sum(map(len, last.sides)))
        if self.turns or not any(state.columns):
            self.sides[max(map(len, last.sides)) - 1] += 1
        options = rules.option_values
        reckoner = reckoner_of(options["court"], options["joker"], options["limit"])
        found: dict[tuple[int, int], list[Result]] = defaultdict(list)
        for turn in self.turns:
            own = reckoner.count[last.sides[1 - turn.seat][0]]
            called = reckoner.end(turn.look.mine, turn.look.middle, add(turn.look.theirs, own)) > 0
            key = sum(turn.added >= least for least in ADDED) - 1, sum(turn.chance >= least for least in LIKELY) - 1
            found[key].append(Result(called, last.winner == turn.seat))
        self.turns = []
        if found:
            self.columns.append(found)


def lines(count: WarCount) -> Iterator[str]:
    """A Markdown table of what ``count`` kept."""
    yield "| cards added by both | chance as believed | turns | calling then won | playing on won | difference |"
    yield "|---|---|---|---|---|---|"
    for added, least in enumerate(ADDED):
        for likely, chance in enumerate(LIKELY):
            columns = [found[added, likely] for found in count.columns if (added, likely) in found]
            results = [result for found in columns for result in found]
            if len(columns) > 1:
                gain = Interval.of_values([fmean(result.called - result.played_on for result in found) for found in columns])
                yield (f"| from {least} | from {chance:.0%} | {len(results)} | {fmean(one.called for one in results):.0%} "
                       f"| {fmean(one.played_on for one in results):.0%} | {100 * gain.mean:+.0f} ± {100 * gain.half:.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--budget", type=float, default=ARENA_BUDGET)
    asked = parser.parse_args()
    count = WarCount()
    for seed in range(1, asked.matches + 1):
        play(GAME, (WATCHED, WATCHED), {}, seed, asked.budget, watch=count.watch, guests={WATCHED: count})
    print(*lines(count), sep="\n")
    size = Interval.of_values([float(size) for size in count.sizes])
    print(f"\n{size.mean:.1f} cards a column in {len(count.sizes)} columns. Added to the fuller side of a round's last column: "
          + ", ".join(f"{added}: {number}" for added, number in sorted(count.sides.items())))


if __name__ == "__main__":
    main()
