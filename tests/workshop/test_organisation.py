"""How tests, browser tests and benchmarks hang together: what is shared lies in a support folder, every import leads somewhere.

Python that is run inside a page or a worker is text here; what it imports of ours is looked up all the same.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from workshop.paths import PACKAGE, ROOT, VENV_PYTHON

SCRIPTS = [path for folder in ("tests", "e2e", "bench") for path in sorted((ROOT / folder).rglob("*.py"))]
BENCHMARKS = [path for path in sorted((ROOT / "bench").rglob("*.py")) if "__main__" in path.read_text("utf-8")]
ELSEWHERE = {"baselines.py"}  # runs among other engines, in an environment of their own


def imports(source: str) -> Iterator[tuple[str, list[str]]]:
    """Modules imported anywhere in ``source``, with the names taken from each."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, [name.name for name in node.names]
        elif isinstance(node, ast.Import):
            yield from ((name.name, []) for name in node.names)


def code_in_text(source: str) -> Iterator[str]:
    """The strings of ``source`` that are Python and import something of ours."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "from tabletin" in node.value:
            try:
                ast.parse(node.value)
            except SyntaxError:  # a part of a template, or prose
                continue
            yield node.value


@cache
def names_of(module: str) -> frozenset[str] | None:
    """What ``module`` of ours defines, imports or has below it; None if there is no such module."""
    path = (PACKAGE.parent if module.startswith("tabletin") else ROOT) / module.replace(".", "/")
    folder, file = path, path.with_suffix(".py")
    if folder.is_dir():
        file = folder / "__init__.py"
    if not file.is_file():
        return None
    below = {found.stem for found in folder.glob("*")} if folder.is_dir() else set()
    tree = ast.parse(file.read_text("utf-8"))
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    imported = {name.asname or name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}
    return frozenset(below | defined | stored | imported)


def test_nothing_is_imported_from_a_test_module() -> None:
    for path in SCRIPTS:
        for module, names in imports(path.read_text("utf-8")):
            if module.split(".")[0] in ("tests", "e2e"):
                last = (module.rpartition(".")[2], *(name for name in names if names_of(f"{module}.{name}") is not None))
                assert not any(part.startswith("test_") for part in last), f"{path.relative_to(ROOT)}: {module}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_code_in_text_imports_what_is_there(script: Path) -> None:
    for code in code_in_text(script.read_text("utf-8")):
        for module, names in imports(code):
            if module.split(".")[0] == "tabletin":
                known = names_of(module)
                assert known is not None, module
                assert set(names) <= known, module


def test_code_in_text_is_found() -> None:
    assert sum(1 for script in SCRIPTS for _ in code_in_text(script.read_text("utf-8"))) > 5


@pytest.mark.parametrize("script", [path for path in BENCHMARKS if path.name not in ELSEWHERE], ids=lambda path: path.name)
def test_every_benchmark_starts(script: Path) -> None:
    done = subprocess.run([VENV_PYTHON, script, "--help"], cwd=ROOT, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "usage" in done.stdout


def test_nobody_waits_for_a_promise_as_if_it_were_true() -> None:
    """Playwright's ``wait_for_function`` takes any promise for true: ``e2e.support.site.eventually`` asks until it is."""
    for path in SCRIPTS:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="wait_for_function"), args=[ast.Constant(str(asked)), *_]):
                    waits = path.name == "test_webkit.py" or not any(word in asked for word in ("async ", ".then(", "Promise"))
                    assert waits, f"{path.relative_to(ROOT)}:{node.lineno}"
