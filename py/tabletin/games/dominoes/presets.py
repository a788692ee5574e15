"""Options of the domino games that are usually chosen together, under one name each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.kernel.options import Preset

PRESETS: Final[Mapping[str, tuple[Preset, ...]]] = {
    "dominoes": (
        Preset("quick", {"set": 6, "target": 50}, seats=range(2, 5)),
        Preset("family", {"set": 6}, seats=range(2, 5)),
    ),
    "matador": (
        Preset("quick", {"target": 50}),
        Preset("family", {"set": 12, "total": 13}),
    ),
    "tiddle-a-wink": (
        Preset("quick", {"target": 50}),
        Preset("family", {"target": 100}),
    ),
}
