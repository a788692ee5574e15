"""How the bots of this family are measured in the arena."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.bots.matchups import Measurement

MEASUREMENTS: Final[Mapping[str, Measurement]] = {
    "iota": Measurement(2, (200, 20, 20), plays=("play",), waits=("pass",)),
}
