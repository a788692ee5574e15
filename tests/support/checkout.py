"""A copy of the checkout in which a test may write: the package, the tests and the workshop."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Final

from workshop.paths import ROOT

NOT_CACHES: Final = ignore_patterns("__pycache__")


def checkout(folder: Path) -> Path:
    """A copy of what a game needs: the package, the tests, and their options."""
    for part in ("py", "tests", "workshop"):
        copytree(ROOT / part, folder / part, ignore=NOT_CACHES)
    for file in ("pyproject.toml", "check.py"):
        (folder / file).write_bytes((ROOT / file).read_bytes())
    return folder
