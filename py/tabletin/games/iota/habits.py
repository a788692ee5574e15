"""In which games of this family the bots' characters have habits of their own; the bot says which."""

from __future__ import annotations

from typing import Final

WITH_HABITS: Final = ("iota",)
