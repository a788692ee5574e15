"""What this browser can do, asked before the modules are imported that need it."""

from __future__ import annotations

import js


def can_connect() -> bool:
    """Whether this browser can play with others: it has WebRTC, and locks between tabs. It has none on a page that came by plain
    HTTP from another machine."""
    return hasattr(js, "RTCPeerConnection") and hasattr(js.navigator, "locks")
