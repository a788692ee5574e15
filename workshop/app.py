"""Our package as one file for the browser: every module compiled, data files beside them, in one zip.

Compiled modules are kept by the hash of their source, so a change of one module compiles one module. Also holds the
modules of PyScript compiled the same way: PyScript writes their sources at every start, and Python, which has this zip
first on its path, takes the compiled twins instead. Knows sources and our cache; never touches the site.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from workshop.cache import CACHE, cached, folder_digest
from workshop.paths import PACKAGE, VENV_PYTHON
from workshop.runtime import INSIDE, PYSCRIPT, compile_inside, inside, standard_library
from workshop.setup import node
from workshop.trouble import run, say

EPOCH: Final = (1980, 1, 1, 0, 0, 0)
DATA: Final = frozenset({".json", ".md", ".svg", ".txt"})
# For tests and terminals only; a page never imports these.
LEFT_OUT: Final = frozenset({
    "tabletin/__main__.py", "tabletin/cli.py", "tabletin/peers/sealed/group_standin.py",
    "tabletin/peers/sealed/group_sodium.py",
})


def write_zip(target: Path, entries: Mapping[str, bytes]) -> None:
    """A zip that is the same for the same entries."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entries[name])


def compiled(sources: Mapping[str, bytes], what: str) -> dict[str, bytes]:
    """The .pyc of every source, by the same names. What was compiled before is taken from the cache."""
    compiler = folder_digest([INSIDE / "compile_tree.py", standard_library()])
    keep = CACHE / "modules"
    keep.mkdir(parents=True, exist_ok=True)
    places = {
        name: keep / f"{hashlib.sha256('|'.join((compiler, name, '')).encode() + source).hexdigest()[:24]}.pyc"
        for name, source in sources.items()
    }
    missing = [name for name, place in places.items() if not place.exists()]
    if missing:
        say(f"Compiling {len(missing)} of {len(sources)} modules of {what}")
        with tempfile.TemporaryDirectory(dir=keep) as work:
            jobs = []
            for number, name in enumerate(missing):
                (Path(work) / f"{number}.py").write_bytes(sources[name])
                jobs.append((inside(Path(work) / f"{number}.py"), inside(Path(work) / f"{number}.pyc"), name))
            compile_inside({"jobs": jobs}, what, library=standard_library())
            for number, name in enumerate(missing):
                (Path(work) / f"{number}.pyc").replace(places[name])
    return {name: place.read_bytes() for name, place in places.items()}


def module_files(root: Path) -> Iterable[tuple[str, Path]]:
    """Every module and data file under ``root`` with its name in the zip."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root.parent).as_posix()
        if path.is_file() and "__pycache__" not in path.parts and name not in LEFT_OUT:
            yield name, path


def application() -> Path:
    """Our package as a zip: ``tabletin/**.pyc``, its data files, and PyScript's compiled modules."""
    files = dict(module_files(PACKAGE))
    key = folder_digest([PACKAGE, INSIDE / "compile_tree.py", Path(__file__), PYSCRIPT / "package.json"])

    def make(folder: Path) -> None:
        sources = {name: path.read_bytes() for name, path in files.items() if path.suffix == ".py"}
        entries = {f"{name}c": data for name, data in compiled(sources, "tabletin").items()}
        entries |= {name: path.read_bytes() for name, path in files.items() if path.suffix in DATA}
        entries |= pyscript_modules()
        write_zip(folder / "tabletin.zip", entries)

    return cached("application", key, make) / "tabletin.zip"


def pyscript_modules() -> dict[str, bytes]:
    """The .pyc of PyScript's Python modules."""
    source = PYSCRIPT / "src" / "stdlib" / "pyscript.js"

    def make(folder: Path) -> None:
        script = f"import({json.dumps(source.as_uri())}).then((module) => console.log(JSON.stringify(module.default)))"
        said = run([node(), "--input-type=module", "-e", script], "PyScript's Python modules could not be read.")
        (folder / "modules.json").write_text(said, "utf-8")

    tree = json.loads((cached("pyscript", folder_digest([source]), make) / "modules.json").read_text("utf-8"))
    sources = {f"pyscript/{name}": text.encode() for name, text in tree["pyscript"].items()}
    return {f"{name}c": data for name, data in compiled(sources, "pyscript").items()}


def wheel(package: str) -> Path:
    """An installed pure-Python package of our environment, compiled into a zip for the browser to import from."""
    where = f"import {package}, pathlib; print(pathlib.Path({package}.__file__).parent)"
    sentence = f"The Python package {package} is missing. Delete .venv and run this again."
    root = Path(run([VENV_PYTHON, "-c", where], sentence).strip())
    key = folder_digest([root, INSIDE / "compile_tree.py", Path(__file__)])

    def make(folder: Path) -> None:
        sources = {name: path.read_bytes() for name, path in module_files(root) if path.suffix == ".py"}
        write_zip(folder / f"{package}.zip", {f"{name}c": data for name, data in compiled(sources, package).items()})

    return cached(f"wheel-{package}", key, make) / f"{package}.zip"


