"""A stock Firefox under Playwright, which drives it by WebDriver BiDi: how it is launched, and what it cannot be told."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from workshop.firefox import firefox

FIREFOX: Final = "firefox"
LACKING_COMMANDS: Final = Path(__file__).parent / "bidi.cjs"
PREFERENCES: Final[dict[str, str | float | bool]] = {
    "media.peerconnection.ice.loopback": True,  # a machine that has only loopback offers no other way from browser to browser
    "media.peerconnection.ice.obfuscate_host_addresses": False,
    "media.navigator.streams.fake": True,
    "media.navigator.permission.disabled": True,
    "ui.prefersReducedMotion": 1,  # BiDi cannot ask for it
    "dom.disable_open_during_load": False,
}


def launch_arguments() -> dict[str, Any]:
    """What Playwright's launch takes for it."""
    return {"channel": "moz-firefox", "executable_path": str(firefox()), "args": [], "firefox_user_prefs": dict(PREFERENCES)}
