"""The bot of a game against the one it was at an earlier commit: ``python3 bench/versus.py GAME COMMIT``.

Both play with the rules of today, in one process and by its clock, in both places of every deal. Of the old bot it loads the
modules that only the bot uses; what rules use too is today's. It prints the share of wins and the score margin of today's. With
``--kept FILE`` each deal is kept there, and one that is there already is not played again. ``--alike`` counts instead how many of
today's decisions the old bot makes, too, with the same chances and time enough, in so many matches.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from importlib import import_module
from itertools import islice
from pathlib import Path
from subprocess import CalledProcessError, run
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.bots.arena import Deal, Interval, Mind, Task, decide, play, play_deal
from tabletin.bots.decision import Decision, Position
from tabletin.bots.matchups import ARENA_BUDGET, Bout, bouts
from tabletin.kernel.setup import LEVELS
from tabletin.registry import GAMES

TIME_ENOUGH = 600.0  # seconds, in which no decision is cut short
TODAY = "today"


def bot_before(game: str, commit: str, level: str, folder: Path) -> Mind:
    """The bot that ``game`` had at ``commit``, at ``level``; its modules are laid in ``folder``, which goes on Python's path."""
    family = GAMES[game].family
    package = f"tabletin.games.{family}"
    own = _closure(commit, family, "bot") - _closure(commit, family, "rules")
    old = f"{family}_at_{commit}"
    (folder / old).mkdir(exist_ok=True)
    for name in own:
        source = _source(commit, family, name)
        for other in own:
            source = source.replace(f"from {package}.{other} import", f"from {old}.{other} import")
        (folder / old / f"{name}.py").write_text(source, "utf-8")
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    choose = import_module(f"{old}.bot").choose

    def mind(position: Position) -> Decision:
        position.level = level
        decision: Decision = choose(position)
        return decision

    return mind


def _source(commit: str, family: str, name: str) -> str:
    return run(["git", "show", f"{commit}:py/tabletin/games/{family}/{name}.py"], cwd=ROOT, check=True, capture_output=True,
               text=True).stdout


def _closure(commit: str, family: str, name: str) -> set[str]:
    """The family's modules that module ``name`` imports, itself included, and what those import."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        found.add(one := waiting.pop())
        for node in ast.walk(ast.parse(_source(commit, family, one))):
            if isinstance(node, ast.ImportFrom) and node.module:
                package, _, module = node.module.rpartition(".")
                if package == f"tabletin.games.{family}" and module not in found:
                    waiting.append(module)
    return found


def kept_deals(file: Path | None) -> dict[int, tuple[float, float]]:
    """Share of wins and margin of the deals in ``file``, by their seeds."""
    lines = file.read_text("utf-8").splitlines() if file is not None and file.exists() else []
    return {seed: (share, margin) for seed, share, margin in map(json.loads, lines)}


def keep_deal(file: Path | None, seed: int, deal: Deal) -> None:
    """Add a deal to ``file``, if there is one."""
    if file is not None:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps([seed, deal.share, deal.margin]) + "\n")


def alike(bout: Bout, level: str, before: Mind, seeds: range) -> tuple[int, int]:
    """In matches that today's bot plays, how many of its decisions ``before`` makes, too, and of how many that were a choice."""
    same = asked = 0

    def mind(position: Position) -> Decision:
        nonlocal same, asked
        chances = position.rng.getstate()
        found: list[Decision] = []
        for bot in (before, lambda one: decide(bout.game, one)):
            position.rng.setstate(chances)
            again = Position(position.view, position.seat, level, position.rng, TIME_ENOUGH, position.clock)
            found.append(bot(again))
        if len(list(islice(position.view.moves(position.seat), 2))) > 1:
            asked += 1
            same += found[0].move == found[1].move and found[0].delay == found[1].delay
        return found[1]

    for seed in seeds:
        play(bout.game, (TODAY,) * bout.seats, dict(bout.options), seed, guests={TODAY: mind})
    return same, asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("commit")
    parser.add_argument("--level", choices=LEVELS, default="hard")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    parser.add_argument("--budget", type=float, default=ARENA_BUDGET)
    parser.add_argument("--kept", type=Path, help="a file in which deals are kept")
    parser.add_argument("--alike", action="store_true", help="count decisions and not deals")
    asked = parser.parse_args()
    bout, = bouts([asked.game], pairs=[(asked.level, asked.commit)], seats=asked.seats, deals=asked.deals)
    with TemporaryDirectory() as folder:
        try:
            guests = {asked.commit: bot_before(asked.game, asked.commit, asked.level, Path(folder))}
        except CalledProcessError:
            parser.error(f"there is no bot of {asked.game} at {asked.commit}")
        seeds = range(asked.first, asked.first + asked.deals)
        if asked.alike:
            same, choices = alike(bout, asked.level, guests[asked.commit], seeds)
            print(f"{same} of {choices} decisions are alike")
            return
        kept = kept_deals(asked.kept)
        shares, margins = [], []
        for seed in seeds:
            if seed not in kept:
                deal = play_deal(Task(bout, seed, asked.budget), guests)
                kept[seed] = deal.share, deal.margin
                keep_deal(asked.kept, seed, deal)
            share, margin = kept[seed]
            shares.append(share)
            margins.append(margin)
            if len(shares) > 1:
                wins, points = Interval.of_values(shares), Interval.of_values(margins)
                print(f"\r{len(shares)} deals: {100 * wins.mean:.1f} % ± {100 * wins.half:.1f}, margin {points.mean:+.2f} "
                      f"± {points.half:.2f}", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
