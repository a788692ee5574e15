"""No style knows a game: what a board's pieces look like, the board says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabletin.registry import GAMES

STYLES = Path(__file__).parents[3] / "web" / "styles"
SHEETS = sorted(path.relative_to(STYLES).as_posix() for path in STYLES.rglob("*.css") if path.name != "tokens.css")
NAMES = {*GAMES, *(entry.family for entry in GAMES.values()), *(entry.family.replace("_", "-") for entry in GAMES.values())}


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_selector_names_a_game(sheet: str) -> None:
    css = re.sub(r"/\*.*?\*/", "", (STYLES / sheet).read_text("utf-8"), flags=re.DOTALL)
    assert "data-game" not in css
    assert not set(re.findall(r"""=["']?([\w-]+)["']?\]""", css)) & NAMES
