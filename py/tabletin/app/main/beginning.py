"""How the page begins: imports the app a part at a time, so that a slow device hears taps in between, then starts it.

Imports nothing itself: the first part is a task of its own, too. What the memory holds that the build made is there already
(workshop/inside/make_memory.mjs).
"""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module
from typing import Final

PARTS: Final = (
    "kernel.faces", "kernel.options", "kernel.requests", "kernel.schema", "kernel.state", "kernel.rules", "registry",
    "kernel.user_text", "words", "kernel.log", "kernel.setup", "kernel.dealing", "kernel.snapshot", "kernel.membership",
    "kernel.prefix", "kernel.authority", "kernel.match", "app.routes", "app.ui.screen", "app.storage.matches", "app.ui.html",
    "board.scene", "app.screens.home", "app.session.handoff", "app.settings", "kernel.logfile", "app.browser.indexed_db",
    "app.main.app",
)
"""In an order in which none brings much along."""

AT_A_PAGE: Final = frozenset({"app.browser.indexed_db", "app.main.app"})
"""Those that look at the page, which a worker has not."""

AT_A_TABLE: Final = (
    "app.screens.new_match", "app.screens.match.match", "app.table.updates", "app.table.viewpoint", "app.table.controls",
    "app.table.camera", "app.table.sounds", "app.table.arrows", "app.ui.rulebook", "board.reading_order", "bots.worker",
    "app.screens.puzzle_line",
)
"""What a table needs besides, the bots' worker, and home a moment after the start."""


def import_plain() -> None:
    """Import what knows no page, and read the English words, as the build does that makes the memory of a start."""
    for part in PARTS:
        if part not in AT_A_PAGE:
            import_module(f"tabletin.{part}")
    from tabletin.words import load
    load()


async def begin() -> None:
    """Bring the page to life."""
    for part in PARTS:
        name = f"tabletin.{part}"
        if name not in sys.modules:
            await asyncio.sleep(0)
        module = import_module(name)
    await asyncio.sleep(0)
    await module.start()
