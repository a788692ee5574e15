"""Finds a stock Firefox for the tests, or gets one from the system's packages. Playwright drives it by WebDriver BiDi."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from workshop.console import StepFailed
from workshop.system import first_that_starts, installed

NAMES: Final = ("firefox-esr", "firefox")
MAC: Final = Path("/Applications/Firefox.app/Contents/MacOS/firefox")


def on_system() -> Path | None:
    """A Firefox that this machine has; ``TABLETIN_FIREFOX`` names one first."""
    named = os.environ.get("TABLETIN_FIREFOX")
    return Path(named) if named else first_that_starts(NAMES) or (MAC if MAC.exists() else None)


def firefox() -> Path:
    """A Firefox that starts. Raises ``StepFailed`` where none can be had."""
    found = on_system() or (on_system() if installed("firefox-esr") else None)
    if found is None:
        raise StepFailed("No Firefox was found and none could be installed. Install one (Debian: sudo apt install firefox-esr) "
                         "or name it in TABLETIN_FIREFOX, then run this again.")
    return found
