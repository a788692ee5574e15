"""Iota's options that are usually chosen together, under one name each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.kernel.options import Preset

PRESETS: Final[Mapping[str, tuple[Preset, ...]]] = {
    "iota": (
        Preset("quick", {"half_deck": True}),
        Preset("family", {"half_deck": True, "young_children": True}),
    ),
}
