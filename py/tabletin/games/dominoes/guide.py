"""The first round of Dominoes, step by step: leading, matching, a double, drawing, going out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.page.guide import Guide, Step

GUIDES: Final[Mapping[str, Guide]] = {
    "dominoes": Guide("dominoes", 2, options={"set": 6}, deals=(
        "6-6 6-4 4-4 4-1 2-0"  # mine
        " 6-5 5-3 6-1 1-1 5-5"  # the other's
        " 3-2 6-3",  # what is drawn: I, the other
    ), steps=(
        Step("aim"),
        Step("", ("none",), seat=1),
        Step("lead", ("lead", "6-6"), point=("6-6",)),
        Step("watch", ("lay", "6-5", 0), seat=1),
        Step("match", ("lay", "6-4", 1), any_of="cards", point=("6-4>at1",)),
        Step("two", ("lay", "5-3", 4), seat=1),
        Step("double", ("lay", "4-4", 8), any_of="cards", point=("4-4>at*",)),
        Step("three", ("lay", "6-1", 2), seat=1),
        Step("choose", ("lay", "4-1", 16), any_of="cards", point=("4-1>at*",)),
        Step("", ("lay", "1-1", 20), seat=1),
        Step("draw", ("draw",), point=("draw",)),
        Step("lucky", ("lay", "3-2", 12), any_of="cards", point=("3-2>at*",)),
        Step("they_draw", ("draw",), seat=1),
        Step("", ("lay", "6-3", 3), seat=1),
        Step("out", ("lay", "2-0", 32), any_of="cards", point=("2-0>at*",)),
        Step("end"),
    )),
}
