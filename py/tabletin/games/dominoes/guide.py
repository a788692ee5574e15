"""The first rounds of the domino games, step by step.

Dominoes: leading, matching, a double, drawing, going out. Matador: making ten, blanks and matadors. Tiddle-A-Wink: doubles
that play again, and "G".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.guide import Guide, Step
from tabletin.games.dominoes.draft import LEAD_SPOT, TO_NUMBER

LEADS: Final = ("lead", LEAD_SPOT)
LAYS: Final = ("lay", f"{TO_NUMBER}*")

GUIDES: Final[Mapping[str, Guide]] = {
    "dominoes": Guide("dominoes", 2, options={"set": 6}, deals=(
        "6-6 6-4 4-4 4-1 2-0"  # mine
        " 6-5 5-3 6-1 1-1 5-5"  # the other's
        " 3-2 6-3",  # what is drawn: I, the other
    ), steps=(
        Step("aim"),
        Step("", ("none",), seat=1),
        Step("lead", ("lead", "6-6"), point=("6-6",), equivalents=LEADS),
        Step("watch", ("lay", "6-5", 0), seat=1),
        Step("match", ("lay", "6-4", 1), any_of="cards", point=("6-4>at*",), equivalents=LAYS),
        Step("two", ("lay", "5-3", 4), seat=1),
        Step("double", ("lay", "4-4", 8), any_of="cards", point=("4-4>at*",), equivalents=LAYS),
        Step("three", ("lay", "6-1", 2), seat=1),
        Step("choose", ("lay", "4-1", 16), any_of="cards", point=("4-1>at*",), equivalents=LAYS),
        Step("", ("lay", "1-1", 20), seat=1),
        Step("draw", ("draw",), point=("draw",)),
        Step("lucky", ("lay", "3-2", 12), any_of="cards", point=("3-2>at*",), equivalents=LAYS),
        Step("they_draw", ("draw",), seat=1),
        Step("", ("lay", "6-3", 3), seat=1),
        Step("out", ("lay", "2-0", 32), any_of="cards", point=("2-0>at*",), equivalents=LAYS),
        Step("end"),
    )),
    "matador": Guide("matador", 3, options={"set": 9}, deals=(
        "9-9 5-2 7-3 6-3 8-8 6-6 2-2"  # mine
        " 8-1 9-5 4-3 2-1 3-0 7-7 3-3"  # the first opponent's
        " 1-0 6-1 7-5 4-2 5-3 4-4 6-2",  # the second's
    ), steps=(
        Step("ten"),
        Step("lead", ("lead", "9-9"), point=("9-9",), equivalents=LEADS),
        Step("next_to_nine", ("lay", "8-1", 0, 1), seat=1),
        Step("blank", ("lay", "1-0", 1, 1), seat=2),
        Step("match", ("lay", "5-2", 4, 2), any_of="cards", point=("5-2>at*",), equivalents=LAYS),
        Step("five", ("lay", "9-5", 12, 5), seat=1),
        Step("", ("lay", "6-1", 16, 1), seat=2),
        Step("matador", ("lay", "7-3", 8, 7), any_of="cards", point=("7-3>at8",), equivalents=LAYS),
        Step("end"),
    )),
    "tiddle-a-wink": Guide("tiddle-a-wink", 6, options={"set": 9}, deals=(
        "9-9 9-4 4-4 4-0 6-6"  # mine
        " 9-2 8-8 8-3 6-5 7-1"
        " 9-7 5-5 5-3 6-1 8-4"
        " 5-1 6-3 8-6 8-5 1-1"  # nothing for a while
        " 2-2 2-1 7-7 5-2 3-3"
        " 8-7 7-5 3-2 8-1 6-2",
    ), steps=(
        Step("aim"),
        Step("lead", ("lead", "9-9"), point=("9-9",), equivalents=LEADS),
        Step("again", ("lay", "9-4", 0), any_of="cards", point=("9-4>at*",), equivalents=LAYS),
        Step("others", ("lay", "9-2", 1), seat=1),
        Step("", ("lay", "9-7", 2), seat=2),
        Step("g", ("pass",), seat=3),
        Step("double", ("lay", "2-2", 8), seat=4),
        Step("", ("lay", "2-1", 16), seat=4),
        Step("", ("lay", "8-7", 12), seat=5),
        Step("two", ("lay", "4-4", 4), any_of="cards", point=("4-4>at*",), equivalents=LAYS),
        Step("more", ("lay", "4-0", 28), any_of="cards", point=("4-0>at*",), equivalents=LAYS),
        Step("end"),
    )),
}
