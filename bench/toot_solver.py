"""How long TooT's exact solver takes: ``python3 bench/toot_solver.py``. Milliseconds of processor time a hand, with witness.

Hands are random, of the sizes named; "5 X" means that all five X are among them. Each is solved without a TooT on the table
and with one that shows a 1 and a 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time_ns

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from tabletin.games.toot import solver
from tabletin.games.toot.cards import DECK, WILD


def measure(name: str, draw: Callable[[], list[str]], hands: int) -> None:
    spent = []
    for shown in (None, "1", "2"):
        for _ in range(hands):
            hand = list(enumerate(draw()))
            solver._best.cache_clear()
            begun = process_time_ns()
            solver.solve(hand, shown)
            spent.append((process_time_ns() - begun) / 1e6)
    print(f"{name:14} mean {sum(spent) / len(spent):7.3f} ms   slowest {max(spent):7.3f} ms")


def main() -> None:
    rng = Random(1)
    plain = [face for face in DECK if face != WILD]
    measure("7 cards", lambda: rng.sample(DECK, 7), 500)
    measure("12 cards", lambda: rng.sample(DECK, 12), 500)
    measure("12 with 5 X", lambda: rng.sample(plain, 7) + [WILD] * 5, 500)
    measure("20 with 5 X", lambda: rng.sample(plain, 15) + [WILD] * 5, 500)
    measure("30 cards", lambda: rng.sample(DECK, 30), 200)
    measure("the whole deck", lambda: list(DECK), 30)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
