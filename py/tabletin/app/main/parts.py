"""Which modules a screen needs, in an order in which none brings much along, imported a module a task.

All at once they are one task of a quarter of a second on a slow phone, in which no tap is heard. What is missing here a screen
imports by itself, in one task.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

OF_A_FORM: Final = (
    "bots.characters", "kernel.table", "words.wording", "board.scene", "board.portraits", "board.guide", "app.storage.profiles",
    "app.screens.faces", "app.session.plan", "app.screens.new_match",
)

OF_A_TABLE: Final = (
    "app.screens.match.match", "board.hints", "app.table.dom", "app.table.elements", "app.table.motion", "app.table.stage",
    "app.table.arrows", "app.table.hints", "app.table.controls", "app.ui.rulebook", "app.table.panels", "app.table.side_panel",
    "app.table.viewpoint", "app.table.updates", "app.table.buttons", "app.table.keyboard", "app.table.sounds",
    "app.table.announcer", "app.table.read_aloud", "app.table.pointer", "app.table.hurry_tip", "app.table.note",
    "app.table.gain_flight", "app.table.landing", "app.table.beats", "app.table.presentation", "app.table.replay_bar",
    "app.table.screen",
)

OF_A_SESSION: Final = (
    "kernel.table", "words.wording", "kernel.trusted_match", "app.storage.persistence", "bots.decision", "app.session.bot_driver",
    "app.session.session", "app.session.local", "bots.worker",
)

OF_A_SESSION_AMONG_PEERS: Final = ("app.session.peers.session", "app.screens.match.peers")

OF_A_SCREEN: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "new_match": OF_A_FORM, "match": (*OF_A_SESSION, *OF_A_TABLE),
})


async def import_in_parts(parts: Iterable[str], pause: float = 0.0) -> None:
    """Import those of ``parts`` (below ``tabletin``) that are not here yet, each after ``pause`` seconds."""
    for part in parts:
        name = f"tabletin.{part}"
        if name not in sys.modules:
            await asyncio.sleep(pause)
            import_module(name)
