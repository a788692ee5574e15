"""What esbuild makes: the page's scripts, the modules Python loads by name, the style sheet; with hashed file names.

Knows web/, npm's packages and our cache; never touches the site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from workshop.cache import cached, folder_digest
from workshop.console import StepFailed, report, run
from workshop.fonts import fonts
from workshop.paths import ROOT, WEB
from workshop.runtime import INSIDE
from workshop.setup import node

BROWSERS: Final = MappingProxyType({"chrome": (96, 0), "firefox": (114, 0), "safari": (16, 4)})  # the oldest that run Python
TOLD: Final = "es2017"  # a browser too old for Python must still understand the script that tells it so
OPTIONS: Final = MappingProxyType({
    "bundle": True, "format": "esm", "splitting": True, "minify": True, "metafile": True, "legalComments": "none",
    "target": ["es2022", *(f"{name}{major}.{minor}" for name, (major, minor) in BROWSERS.items())], "logLevel": "warning",
    "mainFields": ["browser", "module", "main"], "conditions": ["browser", "import"],
    "external": ["node:*", "fs", "path", "url", "crypto", "ws"],  # asked for only outside a browser
    "loader": {".woff2": "file", ".svg": "file", ".png": "file", ".wasm": "file"},
    "entryNames": "[name].[hash]", "chunkNames": "part.[hash]", "assetNames": "[name].[hash]",
})
PACKAGE_IN_PATH: Final = re.compile(r".*node_modules/((?:@[^/]+/)?[^/]+)/")


@dataclass(frozen=True, slots=True)
class Bundles:
    """``folder`` holds the files; ``outputs`` says which one each entry (a path, or a package) became.

    ``packages`` are the npm packages that parts of the files come from.
    """

    folder: Path
    outputs: Mapping[str, str]
    packages: frozenset[str]


def is_own(entry: str) -> bool:
    """Whether an entry is a file of ours, not an npm package."""
    return entry.startswith("web/")


def entry_name(entry: str) -> str:
    """What the file of ``entry`` is called, before its hash."""
    return Path(entry).stem if is_own(entry) else entry.strip("@").replace("/", "-")


def bundles(entries: tuple[str, ...]) -> Bundles:
    """Bundles ``entries``: scripts and style sheets under web/, or npm packages by name."""
    for entry in entries:
        if is_own(entry) and not (ROOT / entry).is_file():
            raise StepFailed(f"The page refers to {entry}, which does not exist.")
    faces = fonts()
    key = folder_digest([WEB, ROOT / "package-lock.json", faces, Path(__file__), INSIDE / "bundle.mjs"], extra="\n".join(entries))

    def make(folder: Path) -> None:
        report("Bundling scripts and styles")
        points = [{"in": f"./{entry}" if is_own(entry) else entry, "out": entry_name(entry)} for entry in entries]
        order = {**OPTIONS, "browsers": dict(BROWSERS), "entryPoints": points, "alias": {"@fonts": str(faces)},
                 "outdir": str(folder / "files"), "absWorkingDir": str(ROOT)}
        meta = run([node(), INSIDE / "bundle.mjs"], "The scripts and styles could not be bundled.", cwd=ROOT,
                   stdin=json.dumps(order))
        (folder / "meta.json").write_text(meta, "utf-8")

    folder = cached("bundles", key, make)
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    packages = frozenset(found[1] for name in meta["inputs"] if (found := PACKAGE_IN_PATH.search(name)))
    return Bundles(folder / "files", outputs(meta, entries), packages)


def inlined(entry: str) -> str:
    """A script under web/ as text to stand in the page itself, where it runs before anything is fetched."""
    key = folder_digest([WEB, Path(__file__)], extra=entry)

    def make(folder: Path) -> None:
        order = {"entryPoints": [f"./{entry}"], "bundle": True, "format": "iife", "minify": True, "metafile": True,
                 "target": TOLD, "outfile": str(folder / "script.js"), "absWorkingDir": str(ROOT)}
        run([node(), INSIDE / "bundle.mjs"], f"{entry} could not be bundled.", cwd=ROOT, stdin=json.dumps(order))

    text = (cached(f"inlined-{entry_name(entry)}", key, make) / "script.js").read_text("utf-8")
    return text.strip().replace("</script", "<\\/script")


def outputs(meta: dict[str, Any], entries: tuple[str, ...]) -> dict[str, str]:
    """From esbuild's metafile: entry → name of its file. Style sheets that a script imports are not entries."""
    found = {}
    for entry in entries:
        stem = entry_name(entry)
        kind = ".css" if entry.endswith(".css") else ".js"
        names = [
            Path(path).name for path, output in meta["outputs"].items()
            if output.get("entryPoint") and Path(path).suffix == kind and Path(path).name.rsplit(".", 2)[0] == stem
        ]
        if len(names) != 1:
            raise StepFailed(f"esbuild made {len(names)} files of {entry}, not one. Are two entries called {stem}?")
        found[entry] = names[0]
    return found
