"""A first hand of each TooT game, step by step. Each says anew what a TooT is, for any of them may be a player's first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.guide import Guide, Step
from tabletin.games.toot.arrangement import TABLE

TWO: Final = (("2", None),), (((("purple", None),), ()), ((("red", None), ("blue", None)), ()))
ONE: Final = (("1", None),), (((("X", "2"),), (((("green", None),), ()), ((("red", None), ("yellow", None)), ()))),)

PURPLE: Final = (("purple", None),), ()
GREEN: Final = (("green", None),), ()
RED_BLUE: Final = (("red", None), ("blue", None)), ()
RED_YELLOW: Final = (("red", None), ("yellow", None)), ()
ALL_EIGHT: Final = (("3", None),), (((("2", None),), (PURPLE, RED_BLUE)), GREEN, RED_YELLOW)

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
    "toot-fluke": Guide("toot-fluke", 2, options={"first_seat": "1"}, rolls=(3, 3, 3), deals=(
        "purple 1 red  green 2 blue  yellow 3 green",
    ), steps=(
        Step("aim"),
        Step("roll", ("roll",), point=("roll",)),
        Step("colour", tries=True, point=("purple>mat",)),
        Step("first", ("play", ((((("1", None),), (PURPLE,))),)), any_of="cards", point=("purple>mat", "1>on*", "play")),
        Step("kept", ("roll",), seat=1),
        Step("", ("play", (((("2", None),), (GREEN, TABLE)),)), seat=1),
        Step("again", ("roll",), point=("roll",)),
        Step("number", tries=True, point=("3>on*",)),
        Step("below", tries=True, point=("green>on*", "red>on*", "yellow>on*")),
        Step("lay", ("play", (((("3", None),), (RED_YELLOW, GREEN, TABLE)),)), any_of="cards",
             point=("3>on*", "green>on*", "red>on*", "yellow>on*", "play")),
        Step("end"),
    )),
    "toot-pursuit": Guide("toot-pursuit", 2, options={"first_seat": "1"}, deals=(
        "purple 3  1 red  green 4  2",
    ), steps=(
        Step("aim"),
        Step("draw", ("draw",), point=("draw",)),
        Step("first", ("play", (PURPLE,)), point=("purple>mat", "play")),
        Step("opponent", ("draw",), seat=1),
        Step("", ("pass",), seat=1),
        Step("again", ("draw",), point=("draw",)),
        Step("number", tries=True, point=("1>on*",)),
        Step("press", ("play", (((("1", None),), (TABLE,)),)), point=("1>on*", "play")),
        Step("watch", ("draw",), seat=1, is_brief=True),
        Step("", ("pass",), seat=1),
        Step("third", ("draw",), point=("draw",)),
        Step("wait", ("pass",), point=("pass",)),
        Step("watch", ("draw",), seat=1, is_brief=True),
        Step("", ("pass",), seat=1),
        Step("fourth", ("draw",), point=("draw",)),
        Step("join", tries=True, point=("2>on*", "green>on*")),
        Step("press", ("play", (((("2", None),), (GREEN, TABLE)),)), any_of="cards", point=("2>on*", "green>on*", "play")),
        Step("end"),
    )),
    "toot-speed": Guide("toot-speed", 2, deals=(
        "2 purple red blue 3 green yellow  1 1 4 1 2 1 2  red",
    ), steps=(
        Step("aim"),
        Step("opponent", ("ready",), seat=1),
        Step("ready", ("ready",), point=("ready",)),
        Step("colour", tries=True, point=("purple>mat", "2>on*")),
        Step("pair", tries=True, point=("red>on*", "blue>on*")),
        Step("top", tries=True, point=("3>on*", "green>on*")),
        Step("draw", ("draw",), point=("draw",)),
        Step("last", tries=True, point=("yellow>on*", "red>on*")),
        Step("claim", ("claim", (ALL_EIGHT,)), any_of="cards",
             point=("purple>mat", "2>on*", "red>on*", "blue>on*", "3>on*", "green>on*", "yellow>on*", "claim")),
        Step("end"),
    )),
}
