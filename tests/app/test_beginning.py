"""The beginning of a page: what a worker may import of it, which has no page; and that no task imports much at once."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletin.app.main.beginning import PARTS
from tabletin.app.main.parts import OF_A_FORM, OF_A_SCREEN, OF_A_SESSION, OF_A_TABLE
from workshop.paths import ROOT

MOST_LINES = 800  # of source that one task imports


def test_what_a_device_keeps_of_a_start_knows_no_page() -> None:
    """Here there is no module ``js`` and none named ``pyodide``: importing what needs them fails."""
    code = "from tabletin.app.main.beginning import import_plain; import_plain()"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "py", check=True)


@pytest.mark.parametrize("parts", [OF_A_FORM, OF_A_SESSION, (*OF_A_FORM, *OF_A_SESSION, *OF_A_TABLE), *OF_A_SCREEN.values()],
                         ids=["form", "session", "ahead", *OF_A_SCREEN])
def test_no_part_brings_much_along(parts: tuple[str, ...]) -> None:
    """Imported in their order after what a start imports, without running any of them."""
    here: set[Path] = set()
    for part in PARTS:
        here |= set(brought_by(file_of(f"tabletin.{part}"), here))
    sizes = {}
    for part in parts:
        new = list(brought_by(file_of(f"tabletin.{part}"), here))
        here |= set(new)
        sizes[part] = sum(len(path.read_text("utf-8").splitlines()) for path in new)
    assert {part: lines for part, lines in sizes.items() if lines > MOST_LINES} == {}


def file_of(name: str) -> Path:
    """Where the module ``name`` stands."""
    path = ROOT / "py" / Path(*name.split("."))
    found = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    assert found.exists(), name
    return found


def brought_by(path: Path, here: set[Path]) -> Iterator[Path]:
    """``path`` and what its import runs first, without what is ``here``; its packages aside, which are empty."""
    seen = set(here)
    waiting = [path]
    while waiting:
        if (one := waiting.pop()) not in seen:
            seen.add(one)
            yield one
            waiting += imported_by(one)


def imported_by(path: Path) -> Iterator[Path]:
    """Our modules that the module at ``path`` imports at once."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (file_of(one.name) for one in node.names if one.name.startswith("tabletin"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tabletin"):
            folder = ROOT / "py" / Path(*str(node.module).split("."))
            below = [folder / f"{one.name}.py" for one in node.names]
            yield from (one for one in below if one.exists())
            yield file_of(str(node.module))
