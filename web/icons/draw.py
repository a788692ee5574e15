"""Writes the icons of the page beside itself: ``python3 web/icons/draw.py``. A test keeps them equal to the drawing."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "py"))

from tabletin.board.app_icon import app_icon_svg  # noqa: E402  the package lies beside, not installed

ICONS = {"app.svg": app_icon_svg(maskable=False), "app-maskable.svg": app_icon_svg(maskable=True)}

if __name__ == "__main__":
    for name, drawn in ICONS.items():
        (HERE / name).write_text(drawn + "\n", encoding="utf-8")
