"""The end of a match of Iota, played by hard of today against hard of a commit: ``python3 bench/games/iota/endings.py COMMIT``.

Until the pile is empty all seats play medium; so each deal's end is played twice, with the sides in each other's places. It
prints how many points a match today's bot is ahead at the end of those that it played itself.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from bench.versus import bot_before, keep_deal, kept_deals
from tabletin.bots.arena import Interval, Mind, Task, decide, play_deal
from tabletin.bots.decision import Decision, Position
from tabletin.bots.matchups import ARENA_BUDGET, Bout

GAME = "iota"


def after_the_pile(mind: Mind) -> Mind:
    """``mind``, but medium as long as there is a pile."""
    def mixed(position: Position) -> Decision:
        position.level = "medium" if position.state.pile else "hard"
        return decide(GAME, position) if position.state.pile else mind(position)
    return mixed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--kept", type=Path, help="a file in which deals are kept")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    asked = parser.parse_args()
    bout = Bout(GAME, ("today", asked.commit), asked.seats, asked.deals)
    with TemporaryDirectory() as folder:
        guests = {"today": after_the_pile(lambda position: decide(GAME, position)),
                  asked.commit: after_the_pile(bot_before(GAME, asked.commit, "hard", Path(folder)))}
        kept = kept_deals(asked.kept)
        margins = []
        for seed in range(asked.first, asked.first + asked.deals):
            if seed not in kept:
                deal = play_deal(Task(bout, seed, ARENA_BUDGET), guests)
                kept[seed] = deal.share, deal.margin
                keep_deal(asked.kept, seed, deal)
            margins.append(kept[seed][1])
            if len(margins) > 1:
                margin = Interval.of_values(margins)
                print(f"\r{len(margins)} deals: {margin.mean:+.2f} ± {margin.half:.2f} points", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
