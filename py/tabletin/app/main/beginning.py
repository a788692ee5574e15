"""How the page begins: imports the app a part at a time, so that a slow device hears taps in between, then starts it.

Imports nothing itself: the first part is a task of its own, too.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Final

PARTS: Final = (
    "kernel.faces", "kernel.options", "kernel.requests", "kernel.schema", "kernel.state", "kernel.rules", "registry",
    "kernel.user_text", "words", "kernel.log", "kernel.setup", "kernel.dealing", "kernel.snapshot", "kernel.membership",
    "kernel.prefix", "kernel.authority", "kernel.match", "app.routes", "app.ui.screen", "app.storage.matches", "app.ui.html",
    "app.screens.home", "app.session.handoff", "app.settings", "kernel.logfile", "app.browser.indexed_db", "app.main.app",
)
"""In an order in which none brings much along."""


async def begin() -> None:
    """Bring the page to life."""
    for part in PARTS:
        await asyncio.sleep(0)
        module = import_module(f"tabletin.{part}")
    await asyncio.sleep(0)
    await module.start()
