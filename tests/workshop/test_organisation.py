"""How tests, browser tests and benchmarks hang together: what is shared lies in a support folder, every import leads somewhere.

Python that is run inside a page or a worker is text here; what it imports of ours is looked up all the same.
"""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from typing import NamedTuple

from workshop.paths import PACKAGE, ROOT, VENV_PYTHON

SCRIPTS = [path for folder in ("tests", "e2e", "bench") for path in sorted((ROOT / folder).rglob("*.py"))]
BENCHMARKS = [path for path in sorted((ROOT / "bench").rglob("*.py")) if "__main__" in path.read_text("utf-8")]
ELSEWHERE = {"baselines.py"}  # runs among other engines, in an environment of their own
ASK_FOR_HELP = """
import runpy, sys
for script in sys.argv[1:]:
    sys.argv = [script, "--help"]
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
"""


class Found(NamedTuple):
    """What a Python text holds of what is asked here."""

    imports: list[tuple[str, list[str]]]  # modules imported anywhere, with the names taken from each
    texts: list[str]  # strings
    calls: list[ast.Call]


def read(source: str) -> Found:
    found = Found([], [], [])
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module)):
                found.imports.append((module, [name.name for name in node.names]))
            case ast.Import():
                found.imports.extend((name.name, []) for name in node.names)
            case ast.Constant(str(text)):
                found.texts.append(text)
            case ast.Call():
                found.calls.append(node)
    return found


class Script(NamedTuple):
    """What is asked of a script, read once: a syntax tree takes long to walk, and much memory to keep."""

    name: str
    imports: list[tuple[str, list[str]]]
    code: list[str]  # strings that are Python and import something of ours
    waits: list[tuple[int, str]]  # line and text of what a page is asked until it is true


@cache
def scripts() -> tuple[Script, ...]:
    return tuple(script(path.relative_to(ROOT).as_posix(), read(path.read_text("utf-8"))) for path in SCRIPTS)


def script(name: str, found: Found) -> Script:
    waits = [(call.lineno, call.args[0].value) for call in found.calls
             if isinstance(call.func, ast.Attribute) and call.func.attr == "wait_for_function"
             and call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)]
    return Script(name, found.imports, [text for text in found.texts if is_code(text)], waits)


def is_code(text: str) -> bool:
    """Whether ``text`` is Python that imports something of ours; not a part of a template, or prose."""
    if "from tabletin" not in text:
        return False
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


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
    for one in scripts():
        for module, names in one.imports:
            if module.split(".")[0] in ("tests", "e2e"):
                last = (module.rpartition(".")[2], *(name for name in names if names_of(f"{module}.{name}") is not None))
                assert not any(part.startswith("test_") for part in last), f"{one.name}: {module}"


def test_code_in_text_imports_what_is_there() -> None:
    found = [(one.name, code) for one in scripts() for code in one.code]
    assert len(found) > 5
    for name, code in found:
        for module, names in read(code).imports:
            if module.split(".")[0] == "tabletin":
                known = names_of(module)
                assert known is not None, f"{name}: {module}"
                assert set(names) <= known, f"{name}: {module}"


def test_every_benchmark_starts() -> None:
    """One after the other in one process, because what they import takes longer than they do."""
    scripts = [path.relative_to(ROOT).as_posix() for path in BENCHMARKS if path.name not in ELSEWHERE]
    assert len(scripts) > 20
    done = subprocess.run([VENV_PYTHON, "-c", ASK_FOR_HELP, *scripts], cwd=ROOT, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("usage: ") == len(scripts), done.stdout


def test_nobody_waits_for_a_promise_as_if_it_were_true() -> None:
    """Playwright's ``wait_for_function`` takes any promise for true: ``e2e.support.site.eventually`` asks until it is."""
    waits = [(one.name, line, asked) for one in scripts() for line, asked in one.waits]
    assert len(waits) > 20
    for name, line, asked in waits:
        is_promise = any(word in asked for word in ("async ", ".then(", "Promise"))
        assert name.endswith("test_webkit.py") or not is_promise, f"{name}:{line}"
