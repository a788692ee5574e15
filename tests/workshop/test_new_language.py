"""A further language is one file a place: a made-up one is written into a copy of the project, and nothing else is changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabletin.registry import HOMES, add_archive, text_of
from tabletin.registry import _archives as archives
from tabletin.words import SOURCE, languages
from tests.support.checkout import checkout
from workshop import app
from workshop.paths import PACKAGE

CODE = "xq"
LETTERS = str.maketrans("aeiounAEIOU", "àéîöûñÀÉÎÖÛ")
LOOK = f"""
import json, sys
from tabletin.app.screens.home import static_page
from tabletin.app.ui.rulebook import rulebook_of
from tabletin.registry import GAMES
from tabletin.words import language_names, languages, load
from workshop import app, fonts, site

words = load("{CODE}")
english = load()
print(json.dumps({{
    "languages": languages(), "name": language_names().get("{CODE}"), "findings": words.findings,
    "lacking": sorted(set(english.keys()) - set(words.keys()) - {{"language.plural.one"}}),
    "counted": [words.text("table.cards", n=n) for n in (1, 2, 3)],
    "rulebooks": sorted({{rulebook_of(game, words).language for game in GAMES}}),
    "home": static_page(words), "startup": site.said_in_each_language("startup"),
    "letters": sorted(set("àéîöûñ") - {{chr(letter) for letter in fonts.letters()}}),
    "archive": sorted(app.by_language({{name: b"" for name, _ in app.module_files(app.PACKAGE)}})["{CODE}"]),
}}))
"""


def made_up(value: Any) -> Any:
    """``value``, words of English, with other letters; what stands in braces stays."""
    if isinstance(value, dict):
        return {key: made_up(text) for key, text in value.items()}
    parts = str(value).split("{")
    return "{".join([parts[0].translate(LETTERS), *(f"{name}}}{rest.translate(LETTERS)}" for name, _, rest in
                                                  (part.partition("}") for part in parts[1:]))])


def write_language(package: Path) -> list[Path]:
    """The files of the language, in their places in ``package``; nothing is changed."""
    written = []
    for source in (package / "words" / f"{SOURCE}.json", *sorted((package / "games").glob(f"*/words.{SOURCE}.json"))):
        words = made_up(json.loads(source.read_text("utf-8")))
        if source.parent.name == "words":
            words["language"] = {"name": "Xqàñ", "plural": {"two": "n = 2"}}
        written.append(source.with_name(source.name.replace(f"{SOURCE}.json", f"{CODE}.json")))
        written[-1].write_text(json.dumps(words, ensure_ascii=False), "utf-8")
    for source in sorted((package / "games").glob("*/rulebook.md")):
        written.append(source.with_name(f"rulebook.{CODE}.md"))
        written[-1].write_text(source.read_text("utf-8"), "utf-8")
    return written


def test_a_language_is_one_file_a_place_and_nothing_else_names_it(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    written = write_language(folder / "py" / "tabletin")
    assert len(written) == 1 + 2 * len(HOMES)
    done = subprocess.run([sys.executable, "-c", LOOK], cwd=folder, text=True, capture_output=True, check=False,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(folder / "py")])})
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["languages"] == [SOURCE, *sorted({*languages(), CODE} - {SOURCE})]
    assert (found["name"], found["findings"], found["lacking"], found["letters"]) == ("Xqàñ", [], [], [])
    assert found["counted"] == ["1 càrds", "2 càrds", "3 càrds"]
    assert found["rulebooks"] == [CODE]
    assert "Thé tîñ" in found["home"] and f'<p lang="{CODE}">' in found["startup"]
    assert found["archive"] == sorted(path.relative_to(folder / "py").as_posix() for path in written)


def test_the_archive_that_every_page_loads_has_the_words_of_english_alone() -> None:
    names = [name for name, _ in app.module_files(PACKAGE)]
    parts = app.by_language(dict.fromkeys([*names, app.INDEX], b""))
    assert sorted(parts) == sorted(["", *(code for code in languages() if code != SOURCE)])
    rulebooks = {f"{home.replace('.', '/')}/rulebook.md" for home in HOMES}
    assert {f"tabletin/words/{SOURCE}.json", app.INDEX, *rulebooks} <= set(parts[""])
    assert sum(len(part) for part in parts.values()) == len(names) + 1


def test_what_a_package_lacks_is_read_from_an_archive_that_was_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletin.registry._archives", archives[:])
    app.write_zip(tmp_path / "words-xq.zip", {"tabletin/words/xq.json": b"{}", "tabletin/words/en.json": b"changed"})
    assert text_of("tabletin.words", "xq.json") is None
    add_archive(str(tmp_path / "words-xq.zip"))
    assert text_of("tabletin.words", "xq.json") == "{}"
    assert text_of("tabletin.words", "en.json") != "changed", "what is there comes first"
    assert text_of("tabletin.words", "xr.json") is None
