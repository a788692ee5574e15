"""Options of the TooT games that are usually chosen together, under one name each. Fluke and Pursuit have nothing to choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.kernel.options import Preset

PRESETS: Final[Mapping[str, tuple[Preset, ...]]] = {
    "toot-progressive": (
        Preset("quick", {"last_round": 6}),
        Preset("family", {"last_round": 8}),
    ),
    "toot-speed": (
        Preset("quick", {"target": 3}),
        Preset("family", {"target": 5, "gentle": True}),
    ),
}
