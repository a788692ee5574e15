"""Icons as PNG, for the systems that take no SVG: drawn from ours while the site is built, none of them is committed.

``web/icons/app-192.png`` is ``web/icons/app.svg`` drawn 192 px wide. Knows files and our cache; never touches the site.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from workshop import png
from workshop.cache import cached, folder_digest
from workshop.console import StepFailed, run
from workshop.paths import ROOT
from workshop.runtime import INSIDE
from workshop.setup import digest, node

SIZED: Final = re.compile(r"(?P<stem>.+)-(?P<width>\d{2,4})\.png")
SCRIPT: Final = INSIDE / "draw.mjs"


def picture(wanted: Path) -> Path:
    """The file ``wanted``, or, where it is not there and its name says so, the drawing it is made from as PNG."""
    if wanted.is_file():
        return wanted
    sized = SIZED.fullmatch(wanted.name)
    source = wanted.with_name(f"{sized['stem']}.svg") if sized else wanted
    if sized is None or not source.is_file():
        raise StepFailed(f"The page refers to {wanted.name}, which does not exist and cannot be drawn.")
    key = folder_digest([source, SCRIPT, Path(png.__file__)], extra=f"{sized['width']} {digest(ROOT / 'package-lock.json')}")

    def make(folder: Path) -> None:
        order = {"svg": str(source), "png": str(folder / wanted.name), "width": int(sized["width"])}
        run([node(), SCRIPT], f"{source.name} could not be drawn as PNG.", cwd=ROOT, stdin=json.dumps(order))
        drawn = folder / wanted.name
        drawn.write_bytes(png.compact(drawn.read_bytes()))

    return cached(f"picture-{wanted.stem}", key, make) / wanted.name
