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


PIECES = (STYLES / "table" / "pieces.css").read_text("utf-8")
RINGS = {"new": "--ring-thin", "legal": "--ring-thin", "tentative": "--ring", "chosen": "--ring", "marked": "--ring-thick",
         "wrong": "--ring-thick"}


def test_what_came_last_has_the_thinnest_ring_and_what_is_pointed_at_the_thickest() -> None:
    width = {name: int(px) for name, px in re.findall(r"^  (--ring[\w-]*): calc\((\d)px / var\(--zoom, 1\)\);", PIECES, re.M)}
    assert width["--ring-thin"] < width["--ring"] < width["--ring-thick"]
    rings = dict(re.findall(r"^\.piece\.is-([\w-]+) \{[^}]*box-shadow: 0 0 0 var\((--ring[\w-]*)\)", PIECES, re.M))
    assert rings == RINGS
    everywhere = [path.name for path in STYLES.rglob("*.css") if ".is-new" in path.read_text("utf-8")]
    assert everywhere == ["pieces.css"], "nothing elsewhere makes it louder"


def test_without_shadows_every_ring_is_an_outline() -> None:
    """Forced colours draw no shadows."""
    forced = PIECES.partition("@media (forced-colors: active)")[2].partition("\n}\n")[0]
    outlined = {flag: ring for flags, ring in re.findall(r"\.piece:is\(([^)]*)\)[^{]*\{\s*outline: var\((--ring[\w-]*)\)", forced)
                for flag in re.findall(r"\.is-(\w+)", flags)}
    assert outlined == RINGS
