"""How pictures for the docs are kept small."""

from __future__ import annotations

from typing import Final

QUALITY: Final = 60  # of JPEG
MOST_BYTES: Final = 80_000
