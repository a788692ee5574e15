"""Our package for the browser: a zip of compiled modules, compiled rulebooks and data files, and one for each language.

Compiled modules are cached by the hash of their source, so a change of one module compiles one module. The compiler is
Pyodide in Node, which takes a second to start; a draft of the site holds a changed module as its source instead. The zip
also holds PyScript's modules, compiled: PyScript writes their sources at every start, and Python finds these first.
Knows sources and the cache; never touches the site.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

from workshop import library
from workshop.cache import CACHE, cached, folder_digest
from workshop.console import StepFailed, report, run
from workshop.inside.compile_tree import changed
from workshop.paths import PACKAGE, REQUIREMENTS
from workshop.runtime import INSIDE, PYODIDE, PYSCRIPT, compile_inside, inside, standard_library
from workshop.setup import node

EPOCH: Final = (1980, 1, 1, 0, 0, 0)
DATA: Final = frozenset({".json", ".md", ".svg", ".txt"})
# For tests and terminals only; a page never imports these.
LEFT_OUT: Final = frozenset({
    "tabletin/__main__.py", "tabletin/cli.py", "tabletin/scaffold.py", "tabletin/play.py",
    "tabletin/app/ui/rulebook_markdown.py", "tabletin/app/screens/previews.py", "tabletin/bots/arena.py",
    "tabletin/bots/matchups.py", "tabletin/bots/results.py", "tabletin/board/app_icon.py",
    "tabletin/peers/sealed/group_sodium.py",
})
LEFT_OUT_OF_FAMILIES: Final = "measurements.py"  # … and of each family this
# So many changed modules start faster as sources in the browser than the compiler does here.
MOST_SOURCES: Final = 8
RULEBOOK: Final = re.compile(r"/rulebook(\.[\w-]+)?\.md$")
LANGUAGE: Final = re.compile(r"/(?:words/([\w-]+)|(?:words|rulebook)\.([\w-]+))\.(?:json|md)$")
INDEX: Final = "tabletin/words/languages.json"


@dataclass(frozen=True, slots=True)
class Application:
    """Our package as zips: ``main`` has everything a page needs at once, the others words and rulebooks of a language each."""

    main: Path
    languages: Mapping[str, Path]


def write_zip(target: Path, entries: Mapping[str, bytes], *, packed: bool = True) -> None:
    """A zip that is the same for the same entries."""
    method = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with zipfile.ZipFile(target, "w", method, compresslevel=9) as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = method
            archive.writestr(info, entries[name])


def compiled_paths(sources: Mapping[str, bytes]) -> dict[str, Path]:
    """The cached .pyc of every source, there or not: its name depends on the source's name and content and on the compiler."""
    compiler = folder_digest([INSIDE / "compile_tree.py", PYODIDE / "package.json"])
    marks = {name: hashlib.sha256(f"{compiler}|{name}|".encode() + source) for name, source in sources.items()}
    return {name: CACHE / "modules" / f"{mark.hexdigest()[:24]}.pyc" for name, mark in marks.items()}


def compile_modules(sources: Mapping[str, bytes], what: str) -> dict[str, bytes]:
    """The .pyc of every source, by names that end in ``.pyc``. Compiles those that the cache does not have."""
    kept = compiled_paths(sources)
    missing = [name for name, place in kept.items() if not place.exists()]
    if missing:
        keep = CACHE / "modules"
        keep.mkdir(parents=True, exist_ok=True)
        report(f"Compiling {len(missing)} of {len(sources)} modules of {what}")
        with tempfile.TemporaryDirectory(dir=keep) as work:
            jobs = []
            for number, name in enumerate(missing):
                (Path(work) / f"{number}.py").write_bytes(sources[name])
                jobs.append((inside(Path(work) / f"{number}.py"), inside(Path(work) / f"{number}.pyc"), name))
            compile_inside({"jobs": jobs}, what, library=standard_library())
            for number, name in enumerate(missing):
                (Path(work) / f"{number}.pyc").replace(kept[name])
    return {f"{name}c": place.read_bytes() for name, place in kept.items()}


def compile_or_copy(sources: Mapping[str, bytes], what: str) -> dict[str, bytes]:
    """As ``compile_modules``, but a few changed modules are copied as sources, by their own names.

    Raises ``StepFailed`` where one of them is no Python: otherwise only the open page would show it.
    """
    changed = {name: sources[name] for name, place in compiled_paths(sources).items() if not place.exists()}
    if len(changed) > MOST_SOURCES:
        return compile_modules(sources, what)
    for name, source in changed.items():
        try:
            ast.parse(source, name)
        except SyntaxError as error:
            raise StepFailed(f"{name}, line {error.lineno}: {error.msg}.") from error
    return changed | compile_modules({name: source for name, source in sources.items() if name not in changed}, what)


def module_files(root: Path) -> Iterable[tuple[str, Path]]:
    """Every module and data file under ``root`` with its name in the zip."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root.parent).as_posix()
        if path.is_file() and "__pycache__" not in path.parts and name not in LEFT_OUT and path.name != LEFT_OUT_OF_FAMILIES:
            yield name, path


def language_of(name: str) -> str:
    """The language whose words or rulebook the file ``name`` holds; "" for a file that every page needs."""
    found = LANGUAGE.search(name)
    code: str = (found[1] or found[2]) if found and name != INDEX else ""
    return "" if code == ours("words").SOURCE else code


def by_language(entries: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    """``entries`` by ``language_of``."""
    found: dict[str, dict[str, bytes]] = {}
    for name, data in entries.items():
        found.setdefault(language_of(name), {})[name] = data
    return found


def application(*, draft: bool = False) -> Application:
    """Our package: ``tabletin/**.pyc``, its data files, and PyScript's compiled modules; other languages apart.

    A ``draft`` is made in a fraction of a second, to be served on this machine: not packed, see ``compile_or_copy``.
    """
    files = dict(module_files(PACKAGE))

    def make(folder: Path) -> None:
        sources = {name: path.read_bytes() for name, path in files.items() if path.suffix == ".py"}
        entries = compile_or_copy(sources, "tabletin") if draft else compile_modules(sources, "tabletin")
        entries |= {name: path.read_bytes() for name, path in files.items() if path.suffix in DATA}
        entries = compile_rulebooks(entries)
        entries |= pyscript_modules()
        index = {INDEX: json.dumps(dict(ours("words").language_names()), ensure_ascii=False).encode()}
        for language, own in by_language(entries | index).items():
            write_zip(folder / (f"words-{language}.zip" if language else "tabletin.zip"), own, packed=not draft)

    makers = [INSIDE / "compile_tree.py", Path(__file__), Path(library.__file__), PYSCRIPT / "package.json",
              REQUIREMENTS / "build.txt"]
    key = folder_digest([PACKAGE, *makers])
    step = "draft-application" if draft else "application"
    folder = cached(step, key, make)
    languages = {path.stem.removeprefix("words-"): path for path in sorted(folder.glob("words-*.zip"))}
    return Application(folder / "tabletin.zip", languages)


def compile_rulebooks(entries: Mapping[str, bytes]) -> dict[str, bytes]:
    """``entries`` with the compiled form of every rulebook in place of its Markdown, which only the compiler reads."""
    compiled_form = ours("app.ui.rulebook_markdown").compile_markdown
    found = {}
    for name, data in entries.items():
        if RULEBOOK.search(name):
            name, data = f"{name.removesuffix('.md')}.json", compiled_form(data.decode("utf-8")).encode()
        found[name] = data
    return found


def ours(module: str) -> ModuleType:
    """A module of the package that runs without a browser."""
    sys.path.insert(0, str(PACKAGE.parent))
    try:
        return import_module(f"{PACKAGE.name}.{module}")
    finally:
        sys.path.remove(str(PACKAGE.parent))


def pyscript_modules() -> dict[str, bytes]:
    """The .pyc of PyScript's Python modules."""
    source = PYSCRIPT / "src" / "stdlib" / "pyscript.js"

    def make(folder: Path) -> None:
        script = f"import({json.dumps(source.as_uri())}).then((module) => console.log(JSON.stringify(module.default)))"
        said = run([node(), "--input-type=module", "-e", script], "PyScript's Python modules could not be read.")
        (folder / "modules.json").write_text(said, "utf-8")

    tree = json.loads((cached("pyscript", folder_digest([source]), make) / "modules.json").read_text("utf-8"))
    sources = {f"pyscript/{name}": text.encode() for name, text in tree["pyscript"].items()}
    sources |= {name: changed(sources[name], name, list(pairs)) for name, pairs in library.PYSCRIPT_CHANGES.items()}
    return compile_modules(sources, "pyscript")
