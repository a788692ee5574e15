"""Puts the site together: hashed files for long caching, the page that names them, the worker that keeps them, packed copies.

The result is the same wherever it is served: every address is relative, no header is needed. Knows what the other
modules of the workshop made; index.html and pyscript.toml are its templates.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import shutil
import threading
import tomllib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from workshop import app, assets, licences, memory, packing, pictures, policy, runtime, wheels
from workshop.cache import cached, folder_digest, is_cached
from workshop.console import StepFailed, report
from workshop.paths import NODE_MODULES, PACKAGE, ROOT, WEB
from workshop.setup import digest

HASHED: Final = "files"
INLINE: Final = re.compile(r'<script inline src="(web/[^"]+)"></script>')
REFERENCE: Final = re.compile(r'\b(src|href)="(web/[^"]+)"')
UNBUILT: Final = re.compile(r'<p id="unbuilt">.*?</p>\n')
ICON: Final = re.compile(r"(?s)<svg\b[^>]*>(.*?)</svg>")
LOCKS: Final = ("package-lock.json", "requirements/build.txt", "requirements/browser.txt")
ENTRY_KINDS: Final = (".js", ".css")
BUILDING: Final = threading.Lock()


@dataclass(slots=True)
class Site:
    """A site being written into ``root``. ``files`` are the addresses of all its files, ``hashed`` those for ever, ``passing``
    those that are of no use once the site is kept on a device, ``spare`` those that only a device needs on which Python cannot go
    on from its memory."""

    root: Path
    files: list[str] = field(default_factory=list)
    hashed: set[str] = field(default_factory=set)
    passing: set[str] = field(default_factory=set)
    spare: set[str] = field(default_factory=set)

    def add(self, name: str, data: bytes, *, for_ever: bool = False) -> str:
        """Writes one file; returns its address from the root: ``./…``."""
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        self.files.append(name)
        if for_ever:
            self.hashed.add(name)
        return f"./{name}"

    def add_hashed(self, path: Path, name: str | None = None) -> str:
        """Writes ``path`` under a name that holds the hash of its content; returns its address."""
        return self.add_marked(name or path.name, path.read_bytes())

    def add_marked(self, name: str, data: bytes, *, passing: bool = False) -> str:
        """Writes ``data`` under ``name`` with its hash; returns its address. ``passing``: no device is to keep it."""
        stem, _, suffix = name.partition(".")
        mark = hashlib.sha256(data).hexdigest()[:10]
        address = self.add(f"{HASHED}/{stem}.{mark}.{suffix}", data, for_ever=True)
        if passing:
            self.passing.add(self.files[-1])
        return address

    def add_folder(self, name: str, fill: Callable[[Path], None]) -> str:
        """Writes a folder whose files call each other by name; its own name holds the hash. Returns its address."""
        work = self.root / f"{name}.part"
        work.mkdir(parents=True)
        fill(work)
        folder = f"{name}-{folder_digest([work])[:10]}"
        work.rename(self.root / folder)
        for path in sorted((self.root / folder).iterdir()):
            self.files.append(f"{folder}/{path.name}")
            self.hashed.add(f"{folder}/{path.name}")
        return f"./{folder}"


def fill_runtime(folder: Path) -> None:
    """Pyodide, our library, and what reads the memory of a start."""
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        runtime.copy_quietly(runtime.interpreter() / name, folder / name)
    shutil.copyfile(runtime.standard_library(), folder / "library.zip")
    shutil.copyfile(runtime.INSIDE / "memory.mjs", folder / "memory.mjs")


def fill_pyscript(folder: Path) -> None:
    """PyScript's core and the chunks it may ask for."""
    for path in runtime.pyscript_files():
        runtime.copy_quietly(path, folder / path.name)


def fill_wheels(folder: Path, late: Mapping[str, wheels.Wheel]) -> None:
    """The wheels that a page loads late. Their names tell Pyodide what they are, so the folder's name holds the hash."""
    for wheel in late.values():
        shutil.copyfile(wheel.path, folder / wheel.path.name)


def project_version() -> str:
    """The version of the package, as its ``__init__`` states it."""
    found = re.search(r'^__version__ = "(.+)"$', (PACKAGE / "__init__.py").read_text("utf-8"), re.M)
    if found is None:
        raise StepFailed("py/tabletin/__init__.py states no __version__.")
    return found[1]


def inputs() -> str:
    """The hash of everything a site is made from."""
    sources = [PACKAGE, WEB, ROOT / "workshop", ROOT / "index.html", ROOT / "pyscript.toml", ROOT / "pyproject.toml"]
    return folder_digest(sources, extra=digest(*(ROOT / name for name in LOCKS)))


def icons(names: list[str]) -> str:
    """One hidden drawing with a symbol ``icon-NAME`` for every icon that the page uses."""
    symbols = []
    for name in names:
        source = NODE_MODULES / "lucide-static" / "icons" / f"{name}.svg"
        if not source.exists():
            raise StepFailed(f"The page uses the icon {name}, which lucide-static does not have.")
        found = ICON.search(source.read_text("utf-8"))
        inner = re.sub(r"\s+", " ", found.group(1)).replace("> <", "><").strip() if found else ""
        symbols.append(f'<symbol id="icon-{name}" viewBox="0 0 24 24">{inner}</symbol>')
    return f'<svg class="icons" hidden aria-hidden="true">{"".join(symbols)}</svg>' if symbols else ""


def compact(value: Any) -> str:
    """``value`` as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


def drawn_icons() -> list[str]:
    """The names of the icons that the page uses."""
    return sorted(app.ours("app.ui.html").ICONS)


def still_home() -> str:
    """The home page as it stands before Python is there."""
    still: str = app.ours("app.screens.home").static_page(app.ours("words").load())
    return still


def said_in_each_language(part: str) -> str:
    """What the page says in every language where Python does not come ("startup") or is awaited ("laying")."""
    words = app.ours("words")
    said: str = getattr(app.ours("app.screens.home"), part)([words.load(code) for code in words.languages()])
    return said


def previews(site: Site) -> dict[str, Any]:
    """Writes the screens that are shown before Python is there, in every language; where they are (``Inventory``)."""
    words, screens = app.ours("words"), app.ours("app.screens.previews")
    games = list(app.ours("registry").GAMES)
    found: dict[str, Any] = {"screens": {}, "rules": {}}
    for language in words.languages():
        spoken = words.load(language)
        shown = screens.screens(spoken)
        if language == words.SOURCE:
            del shown["home"]  # it stands in the page
        found["screens"][language] = site.add_marked(f"screens-{language}.json", compact(shown).encode())
        found["rules"][language] = {
            game: site.add_marked(f"rules-{game}-{language}.json", compact(screens.rulebook(game, spoken)).encode(), passing=True)
            for game in games}
    return found


def inventory(
    site: Site, scripts: list[str], parts: list[str], words: Mapping[str, str], found: dict[str, Any],
) -> str:
    """What the page fetches by itself, as web/page/inventory.js reads it. ``words``: the archives of languages."""
    def listed(address: str) -> dict[str, Any]:
        data = (site.root / address).read_bytes()
        whole = len(packing.unpacked(Path(address), data))
        found = {"address": address, "size": whole, "packed": len(packing.smallest(Path(address), data))}
        return found if whole == len(data) else found | {"plain": len(data)}

    listing = {"scripts": [listed(one) for one in scripts], "parts": [listed(one) for one in parts],
               "words": {code: listed(one) for code, one in words.items()}, **found}
    text = compact(listing).replace("</", "<\\/")  # which would end the element
    return f'<script type="application/json" id="inventory">{text}</script>'


def description() -> str:
    """What search engines say of the page: the sentence names every game of the registry."""
    sentence: str = app.ours("app.screens.home").description(app.ours("words").load())
    return f'<meta name="description" content="{html.escape(sentence)}">'


def build(target: Path, *, draft: bool = False) -> str:
    """Writes the whole site into ``target``, an empty folder; returns the version that the page shows.

    A ``draft`` holds our package as ``app.application`` makes drafts.
    """
    template = (ROOT / "index.html").read_text("utf-8")
    template = INLINE.sub(lambda found: f"<script>{assets.inlined(found.group(1))}</script>", template)
    settings: dict[str, Any] = tomllib.loads((ROOT / "pyscript.toml").read_text("utf-8"))
    own: dict[str, Any] = settings.pop("tabletin")
    modules: dict[str, str] = own.get("modules", {})
    references = sorted({match.group(2) for match in REFERENCE.finditer(template)})
    entries = tuple(dict.fromkeys([*(name for name in references if name.endswith(ENTRY_KINDS)), *modules.values()]))

    site = Site(target)
    with ThreadPoolExecutor(2) as beside:  # modules are compiled in another process: the page is written meanwhile
        compiling = beside.submit(app.application, draft=draft)
        bundled = assets.bundles(entries)
        symbols, home = icons(drawn_icons()), still_home()
        shown = beside.submit(previews, site).result()  # in a thread where no loop of the caller's runs
    for path in sorted(bundled.folder.iterdir()):
        site.add(f"{HASHED}/{path.name}", path.read_bytes(), for_ever=True)
    bundles = {entry: f"./{HASHED}/{name}" for entry, name in bundled.outputs.items()}
    python = site.add_folder("python", fill_runtime)
    pyscript = site.add_folder("pyscript", fill_pyscript)
    made = compiling.result()
    application = site.add_hashed(made.main)
    parts = [f"{python}/pyodide.asm.wasm", f"{python}/library.zip", application]
    rest: dict[str, str] | None = None
    if not draft:
        started = memory.started(runtime.standard_library(), made.main)
        rest = {"library": site.add_hashed(started.library), "application": site.add_hashed(started.application),
                "memory": site.add_hashed(started.memory)}
        site.spare |= {part.removeprefix("./") for part in parts[1:]}
        parts = [parts[0], rest["memory"], rest["library"], rest["application"]]
    languages = {code: site.add_hashed(path) for code, path in made.languages.items()}
    late = wheels.wheels()
    folder = site.add_folder("wheels", lambda folder: fill_wheels(folder, late))
    packages = {name: late[name].lock_entry(f".{folder}/{late[name].path.name}") for name in own.pop("wheels", [])}
    spoken = {code: f".{languages[code]}" if code in languages else "" for code in app.ours("words").languages()}
    seen = {"library": "./library.zip", "application": f".{application}", "languages": spoken,
            "rest": rest and {part: f".{address}" for part, address in rest.items()}}
    module = runtime.interpreter_module(seen, packages).encode()
    mark = hashlib.sha256(module).hexdigest()[:10]
    interpreter = site.add(f"{python.removeprefix('./')}/interpreter.{mark}.mjs", module, for_ever=True)

    own["languages"] = languages
    own["modules"] = {name: bundles[entry] for name, entry in modules.items()}
    own["workers"] = {name: site.add_hashed(ROOT / path) for name, path in own.get("workers", {}).items()}
    own["assets"] = {name: site.add_hashed(ROOT / path) for name, path in own.get("assets", {}).items()}
    addresses = {name: bundles.get(name) or place(site, name) for name in references}

    mark = hashlib.sha256(json.dumps([site.files, template]).encode()).hexdigest()[:8]
    own["version"] = f"{project_version()}+{mark}"
    shown["version"] = own["version"]
    settings |= {"interpreter": interpreter, "tabletin": own}
    plugins = settings["plugins"]  # PyScript asks for those of MicroPython too, which this page has not
    core = f"{pyscript}/{runtime.pyscript_files()[0].name}"
    page = REFERENCE.sub(lambda found: f'{found.group(1)}="{addresses[found.group(2)]}"', template)
    page = without_note(page)
    errors = next(name for name in site.files if name.startswith("pyscript") and "/error-" in name)  # PyScript waits for it
    starting = [f"{python}/{name}" for name in ("memory.mjs", "pyodide.mjs", "pyodide.asm.mjs")]
    scripts = [core, f"./{errors}", interpreter, *starting]
    shown |= {"core": core, "interpreter": interpreter}
    page = fill(page, "inventory", inventory(site, scripts, parts, languages, shown))
    page = fill(page, "icons", symbols)
    page = fill(page, "home", home)
    page = fill(page, "startup", said_in_each_language("startup"))
    page = fill(page, "laying", said_in_each_language("laying"))
    page = fill(page, "description", description())
    page = page.replace('config="pyscript.toml"', f'config="{html.escape(compact(settings))}"')
    no_micropython = f'<mpy-config type="json" hidden>{compact({"plugins": plugins})}</mpy-config>'
    page = page.replace("</body>", f"{no_micropython}\n</body>")
    page = fill(page, "policy", policy.meta(page))
    site.add("licences.txt", licences.licences(ROOT / "LICENSE", bundled.packages, late.values()).encode())
    site.add("index.html", page.encode())
    service_worker(site, str(own["version"]))
    if not draft:
        packing.pack(target, site.files, rare=site.spare)
    (target / ".nojekyll").write_bytes(b"")
    (target / "hashed.json").write_text(json.dumps(sorted(site.hashed)), "utf-8")
    return str(own["version"])


def place(site: Site, name: str) -> str:
    """A file that index.html names and esbuild does not make: the manifest with its icons, an icon, a picture."""
    path = ROOT / name
    if path.suffix != ".webmanifest":
        return site.add_hashed(pictures.picture(path))
    manifest = json.loads(path.read_text("utf-8"))
    for entry in [*manifest.get("icons", []), *manifest.get("screenshots", [])]:
        entry["src"] = site.add_hashed(pictures.picture(path.parent / entry["src"]))
    return site.add(path.name, json.dumps(manifest, ensure_ascii=False).encode())


def fill(page: str, slot: str, content: str) -> str:
    """``page`` with ``content`` in place of ``<!-- build:slot -->``."""
    mark = f"<!-- build:{slot} -->"
    if page.count(mark) != 1:
        raise StepFailed(f"index.html must hold {mark} exactly once.")
    return page.replace(mark, content)


def without_note(page: str) -> str:
    """``page`` without the sentence for those who open index.html as it is in the repository."""
    built, count = UNBUILT.subn("", page)
    if count != 1:
        raise StepFailed('index.html must hold one <p id="unbuilt"> on a line of its own.')
    return built


def service_worker(site: Site, version: str) -> None:
    """The service worker with the lists of what it keeps: address → hash of the content, and what it keeps when it is told to."""
    kept = {
        name: "" if name in site.hashed else hashlib.sha256((site.root / name).read_bytes()).hexdigest()[:16]
        for name in sorted(set(site.files) - site.passing - site.spare)
    }
    source = (WEB / "offline" / "service-worker.js").read_text("utf-8")
    for mark, value in (('"VERSION"', version), ('"FILES"', kept), ('"SPARE"', sorted(site.spare))):
        if source.count(mark) != 1:
            raise StepFailed(f"web/offline/service-worker.js must hold {mark} exactly once.")
        source = source.replace(mark, json.dumps(value, indent=1))
    (site.root / "service-worker.js").write_text(source, "utf-8")


def built() -> Path:
    """The site in our cache, built only when something it is made from has changed; once, also for stages side by side."""
    with BUILDING:
        return cached("site", inputs(), lambda folder: report(f"Built version {build(folder)}"))


def draft_or_built() -> Path:
    """The site as it is shipped where that is cached, else a draft of it: to play or to develop on this machine."""
    key = inputs()
    if is_cached("site", key):
        return built()
    return cached("draft-site", key, lambda folder: report(f"Built version {build(folder, draft=True)}"))


def export(target: Path) -> None:
    """Copies the site into ``target``. Raises ``StepFailed`` where that holds something else than a site of ours."""
    ours_or_empty = target.is_dir() and ((target / "service-worker.js").exists() or not any(target.iterdir()))
    if target.exists() and not ours_or_empty:
        raise StepFailed(f"{target} holds something that is no site of ours. Name an empty or a new folder.")
    site = built()
    try:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(site, target, ignore=shutil.ignore_patterns("hashed.json"))
    except OSError as error:
        raise StepFailed(f"The site could not be written into {target}: {error.strerror}. Name another folder.") from error
