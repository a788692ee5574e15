"""Finds WebKitGTK with its driver and a display for it, or gets them from the system's packages."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from workshop.console import StepFailed
from workshop.system import installed

PROGRAMS: Final = ("WebKitWebDriver", "Xvfb")
PACKAGES: Final = ("webkit2gtk-driver", "libwebkit2gtk-4.1-0", "xvfb")


def is_here() -> bool:
    """Whether this machine has them."""
    return all(map(shutil.which, PROGRAMS)) and any(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))


def ensure_webkit() -> None:
    """Raises ``StepFailed`` where WebKitGTK is not here and cannot be had."""
    if not is_here() and not (installed(*PACKAGES) and is_here()):
        raise StepFailed("No WebKitGTK was found and none could be installed. On Debian or Ubuntu: "
                         f"sudo apt install {' '.join(PACKAGES)}; then run this again.")
