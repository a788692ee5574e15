"""The app's icon: whole, standing alone, within the circle a launcher may cut, written where the page looks."""

from __future__ import annotations

import re
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tabletin.board.app_icon import SAFE, SIZE, app_icon_svg

ICONS = Path(__file__).parents[3] / "web/icons"


@pytest.mark.parametrize(("file", "maskable"), [("app.svg", False), ("app-maskable.svg", True)])
def test_the_written_icon_is_the_drawn_one(file: str, maskable: bool) -> None:
    drawn = app_icon_svg(maskable)
    assert (ICONS / file).read_text("utf-8") == drawn + "\n"
    assert "var(" not in drawn and not re.search(r"\bid=", drawn)
    assert ElementTree.fromstring(drawn).get("viewBox") == f"0 0 {SIZE} {SIZE}"


def test_the_tin_stays_within_the_safe_circle() -> None:
    root = ElementTree.fromstring(app_icon_svg(maskable=True))
    tin = [node for node in root.iter() if node.tag.endswith("rect") and float(node.get("width", 0)) in (336, 376)]
    assert len(tin) == 2
    for node in tin:
        x, y, high = (float(node.get(side, 0)) for side in ("x", "y", "height"))
        assert hypot(x - SIZE / 2, y + high - SIZE / 2) * SAFE < SIZE * 0.4
