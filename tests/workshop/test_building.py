"""What the build promises: results kept by their inputs, stable zips, marks that must be there, letters that are drawn."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import brotli
import pytest

from tabletin.app.ui.html import game_name
from tabletin.registry import GAMES
from tabletin.words import load
from workshop import app, cache, fonts, packing, pictures, setup, site
from workshop.app import write_zip
from workshop.console import StepFailed
from workshop.paths import REQUIREMENTS, ROOT, WEB


def test_cached_step_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    made: list[str] = []

    def make(folder: Path) -> None:
        made.append(folder.name)
        (folder / "result").write_text("x")

    first = cache.cached("step", "key", make)
    assert cache.cached("step", "key", make) == first
    assert (first / "result").read_text() == "x"
    assert len(made) == 1


def test_runs_that_build_at_once_do_not_work_in_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)

    def make(folder: Path) -> None:
        (folder / "result").write_text("x")

    def make_meanwhile(folder: Path) -> None:
        cache.cached("step", "key", make)
        make(folder)

    assert (cache.cached("step", "key", make_meanwhile) / "result").read_text() == "x"
    assert [path.name for path in (tmp_path / "step").iterdir()] == ["key"]


def test_failed_step_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)

    def fail(folder: Path) -> None:
        (folder / "half").write_text("x")
        raise StepFailed("no")

    with pytest.raises(StepFailed):
        cache.cached("step", "key", fail)
    assert list((tmp_path / "step").iterdir()) == []


def test_only_the_newest_results_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    for number in range(cache.KEPT + 3):
        folder = cache.cached("step", f"key{number}", lambda folder: None)
        os.utime(folder, (number, number))
    cache.forget_old(tmp_path / "step")
    assert sorted(path.name for path in (tmp_path / "step").iterdir()) == [
        f"key{number}" for number in range(3, cache.KEPT + 3)
    ]


def test_digest_sees_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    first = cache.folder_digest([tmp_path])
    (tmp_path / "a").rename(tmp_path / "b")
    second = cache.folder_digest([tmp_path])
    (tmp_path / "b").write_text("2")
    assert len({first, second, cache.folder_digest([tmp_path])}) == 3


def test_same_entries_make_the_same_zip(tmp_path: Path) -> None:
    write_zip(tmp_path / "1.zip", {"b": b"2", "a": b"1"})
    write_zip(tmp_path / "2.zip", {"a": b"1", "b": b"2"})
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()
    assert zipfile.ZipFile(tmp_path / "1.zip").read("b") == b"2"


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A compiler that notes which sources it was given, and an empty cache; what it makes of one is its source, twice."""
    given: list[str] = []

    def work(order: dict[str, list[tuple[str, str, str]]], what: str, library: Path | None = None) -> None:
        for source, target, name in order["jobs"]:
            Path(target).write_bytes(Path(source).read_bytes() * 2)
            given.append(name)

    (tmp_path / "library.zip").write_bytes(b"")
    monkeypatch.setattr(app, "CACHE", tmp_path)
    monkeypatch.setattr(app, "standard_library", lambda: tmp_path / "library.zip")
    monkeypatch.setattr(app, "inside", str)
    monkeypatch.setattr(app, "compile_inside", work)
    return given


def test_a_changed_module_is_the_only_one_compiled(compiler: list[str]) -> None:
    modules = {f"{name}.py": b"x = 1" for name in "abc"}
    app.compile_modules(modules, "letters")
    compiler.clear()
    made = app.compile_modules(modules | {"b.py": b"x = 2"}, "letters")
    assert compiler == ["b.py"]
    assert made == {"a.pyc": b"x = 1x = 1", "b.pyc": b"x = 2x = 2", "c.pyc": b"x = 1x = 1"}


def test_who_is_in_a_hurry_gets_a_changed_module_as_its_source(compiler: list[str]) -> None:
    modules = {f"{name}.py": b"x = 1" for name in "abc"}
    app.compile_modules(modules, "letters")
    compiler.clear()
    made = app.compile_or_copy(modules | {"b.py": b"x = 2"}, "letters")
    assert made == {"a.pyc": b"x = 1x = 1", "b.py": b"x = 2", "c.pyc": b"x = 1x = 1"}
    assert compiler == []
    many = {f"m{number}.py": b"y = 1" for number in range(app.MOST_SOURCES + 1)}
    assert set(app.compile_or_copy(many, "many")) == {f"{name}c" for name in many}
    assert sorted(compiler) == sorted(many)


def test_a_changed_module_that_is_no_python_is_told_before_the_page_is_open(compiler: list[str]) -> None:
    with pytest.raises(StepFailed, match=r"b\.py, line 2"):
        app.compile_or_copy({"b.py": b"x = 1\nx ="}, "letters")


def test_rulebooks_are_compiled_and_their_markdown_stays_here() -> None:
    entries = {"tabletin/games/toy/rulebook.md": b"# Toy\n\n*Lay* one. {#TY-1}", "tabletin/games/toy/rulebook.de.md": b"# Spiel",
               "tabletin/games/toy/words.en.json": b"{}"}
    found = app.compile_rulebooks(entries)
    assert sorted(found) == [f"tabletin/games/toy/{name}.json" for name in ("rulebook.de", "rulebook", "words.en")]
    assert json.loads(found["tabletin/games/toy/rulebook.json"]) == [
        {"heading": [1, "toy", "Toy"]}, {"html": '<p id="TY-1" tabindex="-1"><em>Lay</em> one.</p>'},
    ]


def test_page_without_its_mark_is_refused() -> None:
    with pytest.raises(StepFailed, match="build:inventory"):
        site.fill("<html></html>", "inventory", "x")


def test_the_page_says_what_to_run_until_it_is_built() -> None:
    template = (ROOT / "index.html").read_text("utf-8")
    note = re.search(r'<p id="unbuilt">(.*?)</p>', template)
    assert note is not None and "<code>python3 serve.py</code>" in note.group(1)
    assert (ROOT / "serve.py").is_file()
    built = site.without_note(template)
    assert "serve.py" not in built and "unbuilt" not in built
    with pytest.raises(StepFailed, match="unbuilt"):
        site.without_note(built)


def test_the_description_of_the_page_names_every_game_and_the_template_none() -> None:
    words, template = load(), (ROOT / "index.html").read_text("utf-8")
    written = site.fill(template, "description", site.description())
    for game in GAMES:
        assert game_name(words, game) in written
        assert game_name(words, game) not in template
    assert written.count('<meta name="description"') == 1


def test_page_holds_every_mark_and_every_file_it_names() -> None:
    page = (ROOT / "index.html").read_text("utf-8")
    slots = ("inventory", "icons", "home", "laying", "startup", "description")
    assert [page.count(f"<!-- build:{slot} -->") for slot in slots] == [1] * len(slots)
    named = {match.group(2) for match in site.REFERENCE.finditer(page)}
    assert named
    for name in named:
        assert pictures.picture(ROOT / name).is_file(), name


def test_every_letter_of_the_catalogue_is_in_the_fonts() -> None:
    read = [json.loads(path.read_text("utf-8")) for path in fonts.catalogues()]
    used = {ord(sign) for catalogue in read for text in fonts.texts(catalogue) for sign in text if sign >= " "}
    assert used <= fonts.letters()
    texts = {text for catalogue in read for text in fonts.texts(catalogue)}
    words = load()
    assert {words.text("shell.name"), *(game_name(words, game) for game in GAMES)} <= texts, "families too"


def test_service_worker_keeps_every_file(tmp_path: Path) -> None:
    made = site.Site(tmp_path)
    made.add("index.html", b"page")
    made.add("files/a.1.js", b"script", for_ever=True)
    made.add_marked("rules.json", b"{}", passing=True)  # of no use once the site is kept
    site.service_worker(made, "7")
    text = (tmp_path / "service-worker.js").read_text("utf-8")
    kept = json.loads(re.search(r"const FILES = (\{.*?\});", text, re.DOTALL)[1])  # type: ignore[index]
    assert set(kept) == {"index.html", "files/a.1.js"}
    assert kept["files/a.1.js"] == ""
    assert re.fullmatch("[0-9a-f]{16}", kept["index.html"])
    assert 'const VERSION = "7";' in text


def test_the_copies_of_an_archive_hold_its_files_as_they_are(tmp_path: Path) -> None:
    entries = {f"{number}.pyc": b"one word " * 100 for number in range(20)}
    write_zip(tmp_path / "all.zip", entries)
    packing.pack(tmp_path, ["all.zip"])
    copy = brotli.decompress((tmp_path / "all.zip.br").read_bytes())
    assert copy == gzip.decompress((tmp_path / "all.zip.gz").read_bytes())
    with zipfile.ZipFile(io.BytesIO(copy)) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        assert {name: archive.read(name) for name in archive.namelist()} == entries
    assert (tmp_path / "all.zip.br").stat().st_size < (tmp_path / "all.zip").stat().st_size / 4


def test_what_is_rarely_sent_is_packed_quickly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "CACHE", tmp_path / "cache")
    data = b"".join(b"%d words, " % (number * number) for number in range(2000))
    for name in ("often.js", "rarely.js"):
        (tmp_path / name).write_bytes(data)
    packing.pack(tmp_path, ["often.js", "rarely.js"], rare={"rarely.js"})
    often, rarely = ((tmp_path / f"{name}.js.br").read_bytes() for name in ("often", "rarely"))
    assert len(often) < len(rarely) < len(data) / 2
    assert brotli.decompress(often) == brotli.decompress(rarely) == data


def test_what_packs_has_packed_copies_beside_it(tmp_path: Path) -> None:
    text, picture = b"one word " * 100, bytes(range(256)) * 2
    for name, data in (("a.js", text), ("b.png", picture), ("c.js", b"short")):
        (tmp_path / name).write_bytes(data)
    packing.pack(tmp_path, ["a.js", "b.png", "c.js"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.js", "a.js.br", "a.js.gz", "b.png", "c.js"]
    assert brotli.decompress((tmp_path / "a.js.br").read_bytes()) == gzip.decompress((tmp_path / "a.js.gz").read_bytes()) == text


def test_the_inventory_says_how_long_each_file_is_and_how_it_travels(tmp_path: Path) -> None:
    made = site.Site(tmp_path)
    write_zip(tmp_path / "part.zip", {f"{number}.pyc": b"word " * 100 for number in range(9)})
    data = (tmp_path / "part.zip").read_bytes()
    script, archive = made.add("core.js", b"var a; " * 100), made.add("library.zip", data)
    text = site.inventory(made, [script], [archive], {"de": archive}, {"version": "</script>"})
    listed = json.loads(text.partition(">")[2].removesuffix("</script>"))
    assert text.count("</") == 1, "nothing in it ends the element"
    assert listed["scripts"][0] == {"address": script, "size": 700, "packed": len(brotli.compress(b"var a; " * 100))}
    (part,) = listed["parts"]
    assert part["address"] == archive and part["packed"] < part["plain"] == len(data) < 4500 < part["size"]
    assert listed["words"] == {"de": listed["parts"][0]}
    assert listed["version"] == "</script>"


def test_export_overwrites_no_strangers_folder(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(StepFailed, match="no site of ours"):
        site.export(tmp_path)
    assert (tmp_path / "diary.txt").read_text() == "mine"


def test_manifest_names_icons_that_exist() -> None:
    manifest = json.loads((WEB / "manifest.webmanifest").read_text("utf-8"))
    assert {entry["purpose"] for entry in manifest["icons"]} == {"any", "maskable"}
    for entry in manifest["icons"]:
        drawn = pictures.picture(WEB / entry["src"])
        data = drawn.read_bytes()
        if entry["type"] == "image/png":
            assert data.startswith(b"\x89PNG")
            width, height = (int.from_bytes(data[at:at + 4], "big") for at in (16, 20))
            assert entry["sizes"] == f"{width}x{height}" and width >= 192
        else:
            assert data.startswith(b"<svg")


def test_a_picture_that_cannot_be_drawn_is_named() -> None:
    with pytest.raises(StepFailed, match="nosuch-192"):
        pictures.picture(WEB / "icons" / "nosuch-192.png")


@pytest.mark.parametrize("lock", ["build", "dev", "node"])
def test_locks_hold_hashes_and_no_addresses(lock: str) -> None:
    text = (REQUIREMENTS / f"{lock}.txt").read_text("utf-8")
    pinned = re.findall(r"(?m)^[a-z0-9][^\s=]*==\S+ \\$", text)
    assert pinned
    assert len(re.findall(r"(?m)^[a-z0-9]", text)) == len(pinned)
    assert "://" not in text


def test_npm_lock_holds_hashes_and_no_addresses() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    taken = {name: entry for name, entry in lock["packages"].items() if name}
    assert [name for name, entry in taken.items() if "resolved" in entry] == []
    assert [name for name, entry in taken.items() if not entry.get("integrity", "").startswith("sha")] == []


def test_old_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "OLDEST_PYTHON", (99, 0))
    with pytest.raises(StepFailed, match=r"Python 99\.0 or newer"):
        setup.python_is_new_enough()


def test_missing_venv_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(setup, "VENV", tmp_path / "venv")
    monkeypatch.setattr(setup, "VENV_PYTHON", tmp_path / "venv" / "python")
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(StepFailed, match="apt install python3-venv"):
        setup.environment()


def test_failed_installation_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("no-such-package==0 --hash=sha256:00\n")
    monkeypatch.setattr(setup, "REQUIREMENTS", tmp_path)
    monkeypatch.setattr(setup, "STAMPS", tmp_path / "stamps")
    monkeypatch.setattr(setup, "VENV_PYTHON", tmp_path / "python")
    monkeypatch.setattr(setup, "environment", lambda: None)
    with pytest.raises(StepFailed, match=r"odd\.txt could not be installed.*network"):
        setup.packages("odd")
    assert not (tmp_path / "stamps").exists()


def test_serving_needs_nothing_installed() -> None:
    """serve.py starts under a bare Python: isolated, without site-packages."""
    done = subprocess.run([sys.executable, "-S", "serve.py", "--help"], cwd=ROOT, text=True, capture_output=True, check=False)
    assert done.returncode == 0
    assert "--build DIR" in done.stdout


def test_configuration_names_scripts_that_exist() -> None:
    settings = tomllib.loads((ROOT / "pyscript.toml").read_text("utf-8"))
    own = [*settings["tabletin"]["modules"].values(), *settings["tabletin"]["workers"].values()]
    assert [name for name in own if name.startswith("web/") and not (ROOT / name).is_file()] == []
    assert settings["sync_main_only"] is True
