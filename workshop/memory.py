"""The memory of a started interpreter, and the archives without what it holds.

A page's start goes on from it. The interpreter of the page makes it in Node (inside/make_memory.mjs). Where a browser cannot go
on from it, Python starts anew, from the whole archives. Never touches the site.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workshop import packing
from workshop.app import write_zip
from workshop.cache import cached, folder_digest
from workshop.console import report, run
from workshop.paths import ROOT
from workshop.runtime import INSIDE, PYODIDE, copy_quietly, interpreter
from workshop.setup import node

SCRIPT: Final = INSIDE / "make_memory.mjs"
FORMAT: Final = INSIDE / "memory.mjs"
SCRIPTS: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


@dataclass(frozen=True, slots=True)
class Started:
    """The ``memory`` of a start, packed with gzip, and what a page then needs of its ``library`` and its ``application``."""

    memory: Path
    library: Path
    application: Path


def started(library: Path, application: Path) -> Started:
    """What a page goes on from that has these archives. Cached."""
    makers = [interpreter(), library, application, SCRIPT, FORMAT, Path(__file__), INSIDE.parent / "runtime.py"]
    folder = cached("memory", folder_digest(makers), lambda folder: make(library, application, folder))
    return Started(folder / "start.memory", folder / "library.zip", folder / "tabletin.zip")


def make(library: Path, application: Path, folder: Path) -> None:
    """Writes into ``folder`` what ``started`` returns."""
    report("Starting the interpreter of the page, for its memory")
    made = folder / "start.memory"
    with tempfile.TemporaryDirectory(dir=folder) as work:
        python = Path(work)
        for name in SCRIPTS:
            copy_quietly(interpreter() / name, python / name)
        info = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]
        (python / "info.json").write_text(json.dumps(info), "utf-8")
        for archive, name in ((library, "library.zip"), (application, "tabletin.zip")):
            # As they are: unpacking leaves traces in the memory.
            (python / name).write_bytes(packing.unpacked(archive, archive.read_bytes()))
        order = {"python": str(python), "library": str(python / "library.zip"), "application": str(python / "tabletin.zip"),
                 "memory": str(made), "held": str(python / "held.json")}
        run([node(), SCRIPT], "The memory of a started interpreter could not be made.", stdin=json.dumps(order), cwd=ROOT,
            env={"TZ": "UTC"})  # which Python reads when it starts
        held = json.loads((python / "held.json").read_text("utf-8"))
    made.write_bytes(gzip.compress(made.read_bytes(), 9, mtime=0))
    for archive, name in ((library, "library.zip"), (application, "tabletin.zip")):
        write_zip(folder / name, without(archive, held))


def without(archive: Path, modules: Iterable[str]) -> dict[str, bytes]:
    """The files of ``archive`` but those of ``modules``."""
    left_out = {f"{name.replace('.', '/')}{end}" for name in modules for end in (".pyc", "/__init__.pyc")}
    with zipfile.ZipFile(archive) as whole:
        return {name: whole.read(name) for name in whole.namelist() if name not in left_out}
