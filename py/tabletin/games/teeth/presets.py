"""Options of Teeth that are usually chosen together, under one name each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.kernel.options import Preset

PRESETS: Final[Mapping[str, tuple[Preset, ...]]] = {
    "teeth": (
        Preset("quick", {"mode": "score_card", "rounds": 2}),
        Preset("family", {"mode": "score_card", "rounds": 3, "columns": 2, "court": "ten"}),
    ),
}
