"""How the bots of this family are measured in the arena."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.bots.matchups import Measurement

MEASUREMENTS: Final[Mapping[str, Measurement]] = {
    "teeth": Measurement(2, (40, 60, 150), waits=("discard",), busts=("teeth.log.one_bust", "teeth.log.both_bust")),
}
