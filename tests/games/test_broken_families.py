"""A family with one slip in it: one sentence names the slip, and a game which stands beside it notices nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

import pytest

from tabletin import cli, registry, words
from tabletin.registry import GAMES, install, install_all, remove, rules_of
from tabletin.scaffold import INIT, RULES, fill
from tests.support.completeness import broken
from tests.support.examples import game_for

NAME = "slippery"
OTHER = game_for(2)
GOOD: dict[str, Any] = {"name": "Slippery", "log": {"laid": "{seat} laid {cards}.", "took": "{seat} took the trick."},
                        "ended": "All cards are played."}


@dataclass(frozen=True)
class Slip:
    """A file of the family as it is wrong, and what the one sentence about it says."""

    file: str
    text: str
    sentence: str


def section(**changed: Any) -> str:
    return json.dumps({NAME: GOOD | changed})


IN_WORDS = {
    "trailing comma": Slip("words.en.json", section()[:-1] + ",}", "words.en.json of slippery is not JSON"),
    "not UTF-8": Slip("words.en.json", "\udcff", "words.en.json of slippery is no text in UTF-8"),
    "section of the application": Slip("words.en.json", json.dumps({NAME: GOOD, "kernel": {"x": "y"}}), '"kernel" belongs to'),
    "section of another family": Slip("words.en.json", json.dumps({NAME: GOOD, OTHER: {"x": "y"}}), f'"{OTHER}" belongs to'),
    "no text": Slip("words.en.json", section(ended=3), '"slippery.ended" is to be a text'),
}
IN_TEXTS = {
    "unknown parameter": Slip("words.en.json", section(log=GOOD["log"] | {"laid": "{wat} laid."}), "slippery.log.laid"),
    "unclosed brace": Slip("words.en.json", section(log=GOOD["log"] | {"laid": "{seat laid."}), "slippery.log.laid"),
    "parameter without a name": Slip("words.en.json", section(log=GOOD["log"] | {"laid": "{} laid."}), "slippery.log.laid"),
}
IN_MODULES = {
    "bot without choose": Slip("bot.py", "LEVELS = ('easy',)\n", "slippery/bot.py does not define choose"),
    "missing class": Slip("__init__.py", "GAMES = {'slippery': 'Nobody'}\n", "names the class Nobody"),
    "no rules": Slip("rules.py", "", "names the class Slippery"),
    "syntax error": Slip("rules.py", "x = 1\n\nclass Slippery(\n", "slippery/rules.py cannot be read: rules.py, line 3: "),
    "unknown name": Slip("rules.py", "x = 1\ny = nobody\n", "slippery/rules.py cannot be read: rules.py, line 2: NameError: "),
    "unknown module": Slip("rules.py", "import nothing_of_the_kind\n", "rules.py, line 1: ModuleNotFoundError: "),
    "syntax error in a bot": Slip("bot.py", "def choose(:\n", "slippery/bot.py cannot be read: bot.py, line 1: "),
}


@pytest.fixture
def slip(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Slip]:
    """A family in a folder of its own with that one slip, installed."""
    broken_one: Slip = request.param
    home = tmp_path / NAME
    home.mkdir()
    files = {"__init__.py": fill(INIT, NAME), "rules.py": fill(RULES, NAME), "words.en.json": section()}
    for file, text in (files | {broken_one.file: broken_one.text}).items():
        (home / file).write_text(text, "utf-8", errors="surrogateescape")
    monkeypatch.syspath_prepend(tmp_path)
    invalidate_caches()
    words._read.cache_clear()
    install(NAME)
    yield broken_one
    remove(NAME)
    words.MISSING.clear()
    words._read.cache_clear()
    for module in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[module]


def of(kinds: dict[str, Slip]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("slip", [pytest.param(one, id=name) for name, one in kinds.items()], indirect=True)


def another_plays() -> None:
    assert cli.main(["play", OTHER, "--seats", "random,random"]) == 0


@of(IN_WORDS)
def test_words_that_cannot_be_read_are_one_sentence_and_keys_stand_for_them(
    slip: Slip, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    another_plays()
    said = capsys.readouterr().err
    assert slip.sentence in said and said.count("\n") == 1
    log = tmp_path / "log.jsonl"
    assert cli.main(["play", NAME, "--seats", "random,random", "--log", str(log)]) == 0
    assert cli.main(["show", str(log)]) == 0
    assert "slippery.log.laid" in capsys.readouterr().out
    assert [line for line in broken(("en",)) if slip.sentence in line]
    assert all(f"{OTHER}.name" in words.load(language) for language in words.languages())


@of(IN_TEXTS)
def test_a_text_that_does_not_fit_is_shown_as_its_key(
    slip: Slip, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    another_plays()
    log = tmp_path / "log.jsonl"
    assert cli.main(["play", NAME, "--seats", "random,random", "--log", str(log)]) == 0
    assert cli.main(["show", str(log)]) == 0
    out = capsys.readouterr().out
    assert slip.sentence in out and "took the trick." in out
    assert slip.sentence in words.MISSING, "the shared tests fail on it by name"


@of(IN_MODULES)
def test_a_name_that_a_module_lacks_is_one_sentence(slip: Slip, capsys: pytest.CaptureFixture[str]) -> None:
    another_plays()
    capsys.readouterr()
    for command in (["play", NAME, "--seats", "easy,easy"],
                    ["arena", NAME, "--deals", "1", "--pairs", "easy:random", "--workers", "1"]):
        assert cli.main(command) == 1
        said = capsys.readouterr().err
        assert slip.sentence in said.splitlines()[-1] and "Traceback" not in said
    assert [line for line in broken(("en",)) if slip.sentence in line]


def test_a_family_that_is_not_there_keeps_no_other_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    found = install_all(["tabletin.games.nobody", GAMES[OTHER].home.package])
    assert found == ["the registry names tabletin.games.nobody, and there is no such folder"]
    monkeypatch.setattr(cli, "FINDINGS", tuple(found))
    assert cli.main(["games"]) == 0
    said = capsys.readouterr()
    assert said.out.split() == list(GAMES) and said.err == f"tabletin: {found[0]}\n"


@pytest.mark.parametrize(("text", "sentence"), [
    ("GAMES = {", "cannot be read"), ("import nothing_of_the_kind", "cannot be read"), ("GAMES = nobody", "cannot be read"),
    ("", "has no GAMES"), ("GAMES = {'slippery': 3}", "has no GAMES"), ("GAMES = {3: 'Slippery'}", "has no GAMES"),
])
def test_an_init_that_cannot_be_used_keeps_no_other_away(
    text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "unreadable", raising=False)
    (tmp_path / "unreadable").mkdir()
    (tmp_path / "unreadable" / "__init__.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    invalidate_caches()
    found, = install_all(["unreadable"])
    assert f"unreadable/__init__.py {sentence}" in found
    assert rules_of(OTHER).id == OTHER and "unreadable" not in registry.HOMES
