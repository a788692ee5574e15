"""The first hand of Teeth, step by step: a card drawn and laid under your own, two columns called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.guide import Guide, Step

GUIDES: Final[Mapping[str, Guide]] = {
    "teeth": Guide("teeth", 2, options={"columns": 2}, rolls=(1,), deals=(
        "9H 8S 4D"  # the first column: mine, the middle, the other's
        " 3C 5D 10S"
        " KD 2H 9C",  # what is drawn: I, the other, the other
    ), steps=(
        Step("aim"),
        Step("row"),
        Step("draw", ("draw",), point=("pile",), equivalents=("draw",)),
        Step("double", ("double", 1), point=("double1",)),
        Step("answer", ("draw",), seat=1),
        Step("", ("discard",), seat=1),
        Step("call", ("call", 0), point=("call", "call0")),
        Step("won"),
        Step("", ("draw",), seat=1),
        Step("", ("replace", 1), seat=1),
        Step("last", ("call", 1), point=("call", "call1")),
        Step("end"),
    )),
}
