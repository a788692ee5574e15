"""The first hand of Teeth Time, step by step: taking a card, going down, a penalty, a hit, a run, the Tooth Fairy."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Final

from tabletin.board.guide import Guide, Step

MINE: Final = "r5 b5 r1 b2 y3 cavity g8 fairy dentist b7"
THEIRS: Final = "bA yA gA r8 b8 y2 r7 y6 b6 g1"
DEAL: Final = " ".join(chain.from_iterable(zip(MINE.split(), THEIRS.split(), strict=True)))  # one at a time

GUIDES: Final[Mapping[str, Guide]] = {
    "teeth-time": Guide("teeth-time", 2, options={"level": "beginner"}, rolls=(2,), deals=(
        f"{DEAL} y5"  # turned up
        " r2 g6 y8"  # for the cavity, and the other's draw
        " g5",  # what I draw
    ), steps=(
        Step("aim"),
        Step("contract"),
        Step("take", ("take",), point=("take",)),
        Step("down", ("down", (("set", "5", ("r5", "b5", "y5")),)), any_of="cards", point=("r5", "b5", "y5", "lay")),
        Step("penalty", ("penalty", "cavity", 1), point=("cavity", "at1")),
        Step("", ("accept",), seat=1),
        Step("discard", ("discard", "g8"), point=("g8", "discard")),
        Step("answer", ("leave",), seat=1),
        Step("", ("down", (("set", "A", ("bA", "yA", "gA")),)), seat=1),
        Step("", ("discard", "b6"), seat=1),
        Step("leave", ("leave",), point=("leave",)),
        Step("hit", ("hit", 0, "5", "g5"), point=("g5", "hit.0.5")),
        Step("run", ("group", "run", "1", ("r1", "b2", "y3")), any_of="cards", point=("r1", "b2", "y3", "lay")),
        Step("fairy", ("play", "fairy"), point=("fairy", "play")),
        Step("dentist", ("play", "dentist"), point=("dentist", "play")),
        Step("out", ("discard", "b7"), point=("b7", "discard")),
        Step("end"),
    ), only_named=True),
}
