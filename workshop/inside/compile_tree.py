"""Runs inside Pyodide: compiles Python sources to .pyc that are never checked against a source (unchecked hash).

Docstrings go (nobody reads them in a browser, and unmarshalling them costs start-up time) unless the module looks at
``__doc__``; so do columns, by the setting it is started with; lines and assertions stay. It knows only the job it is given.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import marshal
import zipfile
from pathlib import Path

Job = tuple[str, str, str]  # source, target, name shown in tracebacks


def without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            match node.body:
                case [ast.Expr(ast.Constant(str()) as text), *_] if isinstance(node, ast.ClassDef) and node.decorator_list:
                    text.value = "."  # without any, a dataclass would work out its signature for one: 1 ms each
                case [ast.Expr(ast.Constant(str())), *rest]:
                    node.body = rest if rest or isinstance(node, ast.Module) else [ast.Pass(lineno=1, col_offset=0)]
    return tree


def compiled(source: bytes, name: str) -> bytes:
    """The .pyc of ``source``. Raises ``SyntaxError`` with ``name`` in it."""
    tree = ast.parse(source, name)
    if b"__doc__" not in source:
        tree = without_docstrings(tree)
    code = compile(tree, name, "exec", dont_inherit=True)
    flags = (0b01).to_bytes(4, "little")  # hash-based, unchecked
    return importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + marshal.dumps(code)


def compile_jobs(jobs: list[Job]) -> None:
    for source, target, name in jobs:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).write_bytes(compiled(Path(source).read_bytes(), name))


def changed(source: bytes, name: str, pairs: list[tuple[str, str]]) -> bytes:
    """``source`` with the second text of each pair in place of the first. Raises ``ValueError`` where that is not there once."""
    text = source.decode()
    for old, new in pairs:
        if text.count(old) != 1:
            raise ValueError(f"{name} does not hold this once: {old}")
        text = text.replace(old, new)
    return text.encode()


def compile_library(
    stock: str, target: str, dropped: list[str], changes: dict[str, list[tuple[str, str]]], added: dict[str, str],
) -> None:
    """The standard library ``stock`` (a zip of sources) as a zip of .pyc: without ``dropped``, changed, with ``added``."""
    with zipfile.ZipFile(stock) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        names = [name for name in old.namelist() if not name.endswith("/")]
        kept = [name for name in names if not any(name == drop or name.startswith(f"{drop}/") for drop in dropped)]
        sources = {name: old.read(name) for name in kept} | {name: text.encode() for name, text in added.items()}
        for name, data in sorted(sources.items()):
            if name.endswith(".py"):
                name, data = f"{name}c", compiled(changed(data, name, changes.pop(name, [])), f"/lib/python/{name}")
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, data)
    if changes:
        raise ValueError(f"not in the library: {sorted(changes)}")


def work(job: str) -> None:
    """One order, as JSON: ``{"jobs": […]}`` or ``{"library": {stock, target, dropped, changes, added}}``."""
    order = json.loads(job)
    if "library" in order:
        compile_library(**order["library"])
    compile_jobs([tuple(entry) for entry in order.get("jobs", [])])
