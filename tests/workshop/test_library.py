"""The standard library of a page: lines are changed where they are known, and nothing that is imported at once is missing."""

from __future__ import annotations

import ast
import zipfile
from pathlib import Path

import pytest

from workshop import app, library, runtime
from workshop.inside.compile_tree import changed
from workshop.paths import PACKAGE


def test_a_line_is_changed_where_it_stands_once() -> None:
    assert changed(b"import a\nimport b\n", "x.py", [("import a\n", "")]) == b"import b\n"
    for source in (b"import b\n", b"import a\nimport a\n"):
        with pytest.raises(ValueError, match=r"x\.py does not hold this once"):
            changed(source, "x.py", [("import a\n", "")])


def left_out(name: str) -> bool:
    """Whether the module ``name`` of the standard library is not on a page."""
    path = name.replace(".", "/")
    return any(drop in (path, f"{path}.py") or path.startswith(f"{drop}/") for drop in library.DROPPED)


def imported_at_once(path: Path) -> set[str]:
    """The modules that are imported with the one at ``path``: what stands within functions or ``if`` is not."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_our_package_imports_nothing_that_is_left_out() -> None:
    assert left_out("subprocess") and left_out("xml.dom.minidom") and not left_out("xml.sax.saxutils")
    files = [path for name, path in app.module_files(PACKAGE) if path.suffix == ".py"]
    missing = {f"{path.name}: {name}" for path in files for name in imported_at_once(path) if left_out(name)}
    assert len(files) > 100 and missing == set()


def test_what_is_changed_is_in_the_library() -> None:
    with zipfile.ZipFile(runtime.PYODIDE / "python_stdlib.zip") as stock:
        for name, changes in library.CHANGES.items():
            changed(stock.read(name), name, list(changes))
            assert not left_out(name.removesuffix(".py"))
        names = set(stock.namelist())
    assert all(name not in names or left_out(name.removesuffix(".py")) for name in library.ADDED)
