"""Finds a Chromium for the tests, or gets one: the system's, else from the system's packages, else Playwright's own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from workshop.console import StepFailed, report, run
from workshop.paths import VENV_PYTHON, WORK
from workshop.system import first_that_starts, installed

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
MAC: Final = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
              "/Applications/Chromium.app/Contents/MacOS/Chromium")
# Chromium heeds the last such list alone, so ours repeats Playwright's.
PLAYWRIGHT_OMISSIONS: Final = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
    "msForceBrowserSignIn", "msEdgeUpdateLaunchServicesPreferredVersion",
)
# The list under the address bar is a page with a process of its own in every window, and each device of a test has a window:
# without it a device costs the processor a quarter less.
ADDRESS_LIST: Final = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    f"--disable-features={','.join((*PLAYWRIGHT_OMISSIONS, *ADDRESS_LIST))}",
)
OWN: Final = WORK / "browsers"


def on_system() -> Path | None:
    """A Chromium or Chrome that this machine has; ``TABLETIN_CHROMIUM`` names one first."""
    named = os.environ.get("TABLETIN_CHROMIUM")
    if named:
        return Path(named)
    found = first_that_starts(NAMES)
    return found or next((Path(path) for path in MAC if Path(path).exists()), None)


def from_playwright() -> Path | None:
    """Playwright's own build, kept under .build."""
    report("Asking Playwright for its own Chromium")
    os.environ["PLAYWRIGHT_BROWSERS_PATH"] = str(OWN)
    try:
        run([VENV_PYTHON, "-m", "playwright", "install", "chromium"], "Playwright's Chromium could not be had.")
    except StepFailed:
        return None
    found = sorted(OWN.glob("chromium-*/chrome-linux*/chrome"))
    return found[-1] if found else None


def chromium() -> Path:
    """A Chromium that starts. Raises ``StepFailed`` where none can be had."""
    found = on_system() or next(iter(sorted(OWN.glob("chromium-*/chrome-linux*/chrome"))), None)
    found = found or (on_system() if installed("chromium") else None) or from_playwright()
    if found is None:
        raise StepFailed(
            "No Chromium or Chrome was found and none could be installed. Install one (Debian: sudo apt install "
            "chromium) or name it in TABLETIN_CHROMIUM, then run this again."
        )
    return found
