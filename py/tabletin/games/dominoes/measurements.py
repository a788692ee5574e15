"""How the bots of this family are measured in the arena."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.bots.matchups import Measurement

MEASUREMENTS: Final[Mapping[str, Measurement]] = {
    "dominoes": Measurement(2, (20, 150, 300), plays=("lay",), waits=("draw", "pass")),
    "matador": Measurement(3, (150, 300, 800), ceiling=30, plays=("lay",), waits=("draw", "pass")),
    "tiddle-a-wink": Measurement(6, (130, 100, 100), plays=("lay",), waits=("pass",)),
}
