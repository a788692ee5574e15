"""How each level of a bot plays among its equals: ``python3 bench/levels.py [GAME …] [--matches 6] [--document]``.

It prints a Markdown table of a seat in a match: its score, points a play, how many plays, turns that brought nothing, and busts.
What a play and a wait is a family says in its ``measurements``. ``--document`` puts the table into docs/bots.md.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.bots.arena import play
from tabletin.bots.matchups import ARENA_BUDGET, Measurement, measurement_of
from tabletin.kernel.setup import LEVELS, RANDOM
from tabletin.registry import GAMES

COLUMNS: Final = (RANDOM, *LEVELS)
MARKS: Final = ("<!-- levels -->", "<!-- /levels -->")


class LevelFigures(NamedTuple):
    """Means of a seat in a match; None for what a game does not have. ``each``: points a play."""

    score: float
    each: float | None
    plays: float | None
    waits: float | None
    busts: float | None


ROWS: Final = {"score": "score", "each": "points a play", "plays": "plays", "waits": "turns that brought nothing",
               "busts": "busts"}


def figures(game: str, measurement: Measurement, level: str, matches: int) -> LevelFigures:
    """What ``level`` does in ``matches`` among its equals."""
    verbs, said, scores = Counter[str](), Counter[str](), list[float]()
    for seed in range(1, matches + 1):
        table, result = play(game, (level,) * measurement.seats, dict(measurement.options), seed, ARENA_BUDGET)
        verbs.update(entry.statement.body["do"][0] for entry in table.match.entries if entry.statement.kind == "move")
        if measurement.busts:
            said.update(event.key for _, _, events in table.match.steps() for event in events)
        scores += result.scores
    plays, waits, busts = (sum(counted[name] for name in names) / len(scores) if names else None for names, counted in (
        (measurement.plays, verbs), (measurement.waits, verbs), (measurement.busts, said)))
    each = fmean(scores) / plays if plays and not result.low_wins else None
    return LevelFigures(fmean(scores), each, plays, waits, busts)


def rows(game: str, matches: int) -> Iterator[str]:
    """The lines of a game in the table."""
    measurement = measurement_of(game)
    found = [figures(game, measurement, level, matches) for level in COLUMNS]
    for field, words in ROWS.items():
        values = [getattr(one, field) for one in found]
        if any(value is not None for value in values):
            yield f"| {game} | {words} | {' | '.join('–' if value is None else f'{value:.1f}' for value in values)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--matches", type=int, default=6)
    parser.add_argument("--document", action="store_true")
    asked = parser.parse_args()
    lines = [f"| game | in a match | {' | '.join(COLUMNS)} |", f"|---|---|{'---|' * len(COLUMNS)}"]
    print(*lines, sep="\n")
    for game in [game for game in GAMES if game in asked.games or not asked.games]:
        for line in rows(game, asked.matches):
            lines.append(line)
            print(line, flush=True)
    if asked.document:
        document, text = ROOT / "docs" / "bots.md", "\n".join((MARKS[0], *lines, MARKS[1]))
        old = document.read_text("utf-8")
        document.write_text(re.sub(rf"{MARKS[0]}.*{MARKS[1]}", lambda _: text, old, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main()
