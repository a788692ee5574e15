"""The tables of the four TooT games; what each looks like is in the modules beside this one."""

from __future__ import annotations

from typing import Final

from tabletin.page.scene import Scene, Sight
from tabletin.page.table.board import Board, Draft

from .board_mat import Scenery
from .board_rounds import ProgressiveScenery, SpeedScenery
from .board_table import TableScenery
from .draft import Composing
from .draft_games import ProgressiveDraft, SpeedDraft, TableDraft

PARTS: Final[dict[str, tuple[type[Scenery], type[Composing]]]] = {
    "toot-fluke": (TableScenery, TableDraft),
    "toot-pursuit": (TableScenery, TableDraft),
    "toot-progressive": (ProgressiveScenery, ProgressiveDraft),
    "toot-speed": (SpeedScenery, SpeedDraft),
}


def board(game: str) -> Board:
    """The board of ``game``."""
    return TootBoard(*PARTS[game])


class TootBoard(Board):
    """Draws one of the four games."""

    def __init__(self, scenery: type[Scenery], draft: type[Composing]) -> None:
        self._scenery = scenery
        self._draft = draft

    def draft(self, sight: Sight) -> Composing:
        return self._draft(sight)

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, self._draft)
        return self._scenery(sight, draft).scene()
