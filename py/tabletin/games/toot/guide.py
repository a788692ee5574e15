"""The first TooTs, step by step, in two rounds of Progressive TooT: a colour, a number, a pair, an X."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.guide import Guide, Step

TWO: Final = (("2", None),), (((("purple", None),), ()), ((("red", None), ("blue", None)), ()))
ONE: Final = (("1", None),), (((("X", "2"),), (((("green", None),), ()), ((("red", None), ("yellow", None)), ()))),)

GUIDES: Final[Mapping[str, Guide]] = {
    "toot-progressive": Guide("toot-progressive", 2, deals=(
        "purple 3 yellow 2  purple 2 red blue",
        "1 X green red yellow  3 green blue 1 2",
    ), steps=(
        Step("aim"),
        Step("colour", tries=True, point=("purple>mat",)),
        Step("number", tries=True, point=("2>on*",)),
        Step("pair", tries=True, point=("red>on*", "blue>on*")),
        Step("done", ("done",), point=("done",)),
        Step("", ("done",), seat=1),
        Step("show", ("show", (TWO,)), any_of="cards",
             point=("purple>mat", "2>on*", "red>on*", "blue>on*", "show")),
        Step("", ("show", (((("purple", None),), ()),)), seat=1),
        Step("count", tries=True, point=("next",)),
        Step("wild", tries=True, point=("green>mat", "X>on*")),
        Step("stands", tries=True, point=("red>on*", "yellow>on*")),
        Step("top", tries=True, point=("1>on*",)),
        Step("again", ("done",), point=("done",)),
        Step("", ("done",), seat=1),
        Step("all", ("show", (ONE,)), any_of="cards",
             point=("green>mat", "X>on*", "red>on*", "yellow>on*", "1>on*", "show")),
        Step("", ("show", (((("1", None),), (((("green", None),), ()),)),)), seat=1),
        Step("end"),
    )),
}

TEACHES: Final[Mapping[str, str]] = dict.fromkeys(("toot-fluke", "toot-pursuit", "toot-speed"), "toot-progressive")
"""Games that are learned by the guide of another: what a TooT is."""
