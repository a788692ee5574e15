"""A copy of the checkout without one family of games: its folders are gone, and its word in the registry. Knows no test."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from workshop.console import StepFailed
from workshop.paths import NODE_MODULES, ROOT, VENV, WORK

PARTS: Final = ("py", "tests", "e2e", "bench", "workshop", "web", "docs", "requirements")
HOMES: Final = ("py/tabletin/games", "tests/games", "e2e/games")
REGISTRY: Final = "py/tabletin/registry.py"
LINE: Final = re.compile(r"^FAMILIES: Final = \((.*)\)$", re.MULTILINE)


def copy_without(family: str) -> Path:
    """Where the copy lies. Raises ``StepFailed`` where no such family is registered."""
    there = WORK / "without" / family
    shutil.rmtree(there, ignore_errors=True)
    for part in PARTS:
        shutil.copytree(ROOT / part, there / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy2(file, there / file.name)
    for folder in (VENV, NODE_MODULES):
        (there / folder.name).symlink_to(folder, target_is_directory=True)
    registry = there / REGISTRY
    text = registry.read_text("utf-8")
    found = LINE.search(text)
    names = [name.strip() for name in found[1].split(",") if name.strip()] if found else []
    if found is None or f'"{family}"' not in names:
        raise StepFailed(f"{REGISTRY} names no family {family!r}: {', '.join(names)}")
    names.remove(f'"{family}"')
    registry.write_text(text.replace(found[0], f"FAMILIES: Final = ({', '.join(names)})"), "utf-8")
    for home in HOMES:
        shutil.rmtree(there / home / family, ignore_errors=True)
    return there
