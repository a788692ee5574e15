"""The Python that runs in the browser: Pyodide, its standard library trimmed and precompiled, and PyScript's files.

Most of Pyodide's start is compiling its standard library, which ships as sources; here it is compiled once, by the same
Pyodide in Node. Knows npm's folders and our cache; never touches the site.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from workshop.cache import cached, folder_digest
from workshop.console import StepFailed, report, run
from workshop.library import ADDED, CHANGES, DROPPED, KEPT_ENCODINGS
from workshop.paths import NODE_MODULES, ROOT
from workshop.pruning import Interpreter, pruned
from workshop.setup import node

PYODIDE: Final = NODE_MODULES / "pyodide"
PYSCRIPT: Final = NODE_MODULES / "@pyscript" / "core"
INSIDE: Final = Path(__file__).parent / "inside"
SCRIPT: Final = INSIDE / "compile.mjs"

# Of PyScript's chunks, what a page with all plugins switched off asks for.
PYSCRIPT_USED: Final = ("core-*.js", "error-*.js")


_PAUSE: Final = "await Module.breathe?.()"

# Texts of scripts and what stands in their place, by the beginning of a file's name: PyScript's word of welcome; shared
# memory that only Node uses and browsers report as deprecated on a page without isolation; a module of WebAssembly for each
# function that Python may call, where one for each signature will do; all that at once with the rest, and the end of a start
# in one task, where pauses (`breathe` in inside/interpreter.mjs) let the page answer a tap; and stacks of their own for calls
# that may wait (JSPI), which nothing here needs: in some sessions Chromium samples what a page allocates, and it then reads
# past the end of such a stack and the page crashes.
SCRIPT_CHANGES: Final = MappingProxyType({
    "core-": {
        'console.debug("[pyscript/main] PyScript Ready")': "void 0",
        '=["import os as _os","from pathlib import Path as _Path","_path = None"],': "=[],",
        '["_Path","_path","_os","_pyscript"].map(': '["_pyscript"].map(',
    },
    "pyodide.mjs": {
        "let a=Ae(r,s,t);return await Oe(a,t)": "let a=await Ae(r,s,t);return await Oe(a,t)",
    },
    "pyodide.asm.mjs": {
        "new WebAssembly.Memory({shared:!0,initial:1,maximum:1}).buffer": "new ArrayBuffer(4)",
        "var module=new WebAssembly.Module(bytes);var instance=new WebAssembly.Instance(module,{e:":
            "var module=(convertJsFunctionToWasm.modules??={})[sig]??=new WebAssembly.Module(bytes);"
            "var instance=new WebAssembly.Instance(module,{e:",
        'if(!dynamicLibraries.length){reportUndefinedSymbols();return}addRunDependency("loadDylibs");':
            'addRunDependency("loadDylibs");await Module["breathe"]?.();',
        "API.finalizeBootstrap=function(t,e){t&&Hr();let[r,n]=":
            f"API.finalizeBootstrap=async function(t,e){{t&&Hr();{_PAUSE};let[r,n]=",
        "let o=API.importlib.import_module;": f"{_PAUSE};let o=API.importlib.import_module;",
        "let l=API._pyodide._importhook,u=Do();": f"{_PAUSE};let l=API._pyodide._importhook,u=Do();",
        'API.pyodide_py=o("pyodide"),': f'{_PAUSE},API.pyodide_py=o("pyodide"),',
        'var newJspiSupported=canConstructWasm&&"Suspending"in WebAssembly;': "var newJspiSupported=false;",
    },
})

SCRIPT_CUTS: Final = MappingProxyType({
    "core-": (('wo(".",{pyscript:{"__init__.py":', 'ho.push("import pyscript as _pyscript")'),),
})
"""By the beginning of a file's name, what is left out of a script: from one text up to another. PyScript writes its Python
modules as sources into the interpreter's file system with every start; our package brings them compiled."""


def inside(path: Path) -> str:
    """How Pyodide in Node sees ``path``, which lies under the root."""
    return f"/repo/{path.resolve().relative_to(ROOT).as_posix()}"


def compile_inside(order: dict[str, Any], what: str, library: Path | None = None) -> None:
    """Has Pyodide in Node carry out ``order`` (see inside/compile_tree.py). Raises ``StepFailed`` naming ``what``."""
    job = {"root": str(ROOT), "pyodide": str(PYODIDE), "library": str(library) if library else None, "order": order}
    run([node(), SCRIPT], f"{what} could not be compiled.", stdin=json.dumps(job), cwd=ROOT)


def version(package: Path) -> str:
    """The version an npm package says it is."""
    found: str = json.loads((package / "package.json").read_text("utf-8"))["version"]
    return found


def dropped_encodings() -> list[str]:
    """The encodings of the stock library that a page never meets."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as stock:
        names = [name for name in stock.namelist() if name.startswith("encodings/") and name.endswith(".py")]
    return [name for name in names if name.removeprefix("encodings/").removesuffix(".py") not in KEPT_ENCODINGS]


def standard_library() -> Path:
    """The trimmed, precompiled standard library (a zip)."""
    stock = PYODIDE / "python_stdlib.zip"
    dropped, changes = [*DROPPED, *dropped_encodings()], dict(CHANGES)

    def make(folder: Path) -> None:
        report("Compiling the standard library of Pyodide (once)")
        order = {"stock": inside(stock), "target": inside(folder / "library.zip"), "dropped": dropped, "changes": changes,
                 "added": dict(ADDED)}
        compile_inside({"library": order}, "Pyodide's standard library")

    key = folder_digest([stock, INSIDE / "compile_tree.py"], extra=json.dumps([dropped, changes, dict(ADDED)]))
    return cached("library", key, make) / "library.zip"


def interpreter() -> Path:
    """A folder with Pyodide as a page has it: with less in its WebAssembly and in the script that starts that."""
    scripts = [PYODIDE / "pyodide.mjs", INSIDE / "interpreter.mjs", *pyscript_files()]
    names = ("pyodide.asm.wasm", "pyodide.asm.mjs")
    others = ("package.json", "pyodide-lock.json", "pyodide.mjs", "python_stdlib.zip")

    def make(folder: Path) -> None:
        report("Leaving out of Pyodide what no page needs (once)")
        stock = Interpreter((PYODIDE / names[0]).read_bytes(), (PYODIDE / names[1]).read_text("utf-8"))
        made = pruned(stock, [path.read_text("utf-8") for path in scripts])
        (folder / names[0]).write_bytes(made.module)
        (folder / names[1]).write_text(made.script, "utf-8")
        for name in others:
            shutil.copyfile(PYODIDE / name, folder / name)

    makers = [Path(__file__).parent / name for name in ("pruning.py", "webassembly.py")]
    return cached("interpreter", folder_digest([*(PYODIDE / name for name in (*names, *others)), *scripts, *makers]), make)


def interpreter_module(site: Mapping[str, Any], packages: Mapping[str, Any]) -> str:
    """The module PyScript is told to load: Pyodide with these ``packages`` in its lock.

    ``site``: what inside/interpreter.mjs calls ``SITE``; all addresses are as seen from the module.
    """
    stock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]
    lock = json.dumps(json.dumps({"info": stock, "packages": packages}))
    source = (INSIDE / "interpreter.mjs").read_text("utf-8")
    return source.replace('"SITE"', json.dumps(site)).replace('"LOCK"', lock)


def pyscript_files() -> Sequence[Path]:
    """The files of PyScript's build that our page can ask for, its core first."""
    found = [path for pattern in PYSCRIPT_USED for path in sorted((PYSCRIPT / "dist").glob(pattern))]
    if len(found) != len(PYSCRIPT_USED):
        raise StepFailed("PyScript's files are not where they should be. Delete node_modules and run this again.")
    return found


def copy_quietly(source: Path, target: Path) -> None:
    """Copies a script without its source map, which the site does not carry, and with ``SCRIPT_CUTS`` and ``SCRIPT_CHANGES``.

    Raises ``StepFailed`` where a text to be changed is not there once.
    """
    if source.suffix not in {".js", ".mjs"}:
        shutil.copyfile(source, target)
        return
    lines = (line for line in source.read_text("utf-8").splitlines() if not line.startswith("//# sourceMappingURL="))
    text = "\n".join(lines) + "\n"

    def changed(old: str, new: str) -> str:
        if text.count(old) != 1:
            raise StepFailed(f"{source.name} does not hold this once: {old}")
        return text.replace(old, new)

    for beginning, cuts in SCRIPT_CUTS.items():
        for first, behind in cuts if source.name.startswith(beginning) else ():
            text = changed(text[text.find(first):text.find(behind)], "")
    for beginning, changes in SCRIPT_CHANGES.items():
        for old, new in changes.items() if source.name.startswith(beginning) else ():
            text = changed(old, new)
    target.write_text(text, "utf-8")
