"""How the bots of this family are measured in the arena."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.bots.matchups import Measurement

MEASUREMENTS: Final[Mapping[str, Measurement]] = {
    "toot-progressive": Measurement(2, (60, 40, 60), plays=("show",)),
    "toot-fluke": Measurement(2, (60, 100, 100), plays=("play",), waits=("pass",)),
    "toot-pursuit": Measurement(2, (60, 100, 100), waits=("pass",)),
    "toot-speed": Measurement(2, (60, 60, 40)),
}
