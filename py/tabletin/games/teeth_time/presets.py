"""Options of Teeth Time that are usually chosen together, under one name each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.kernel.options import Preset

PRESETS: Final[Mapping[str, tuple[Preset, ...]]] = {
    "teeth-time": (
        Preset("quick", {"hands": 3}),
        Preset("family", {"level": "beginner", "hands": 4}),
    ),
}
