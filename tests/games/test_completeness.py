"""Every registered game has all its parts; what one lacks is listed here by name, and fails no other test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletin.registry import GAMES, install, remove
from tabletin.words import languages
from tests.support.completeness import lacking

WHOLE = tuple(languages())

BARE = '''
from tests.support.highcard import HighCard

class Bare(HighCard):
    id = "bare-cards"
'''


def test_every_game_has_all_its_parts() -> None:
    missing = [line for game in GAMES for line in lacking(game, WHOLE)]
    assert not missing, "these are still to be written:\n  " + "\n  ".join(missing)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A family of rules alone; the id of its game."""
    folder = tmp_path / "bare_cards"
    folder.mkdir()
    (folder / "__init__.py").write_text('GAMES = {"bare-cards": "Bare"}\n', "utf-8")
    (folder / "rules.py").write_text(BARE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    install("bare_cards")
    yield "bare-cards"
    remove("bare_cards")
    for name in [name for name in sys.modules if name.partition(".")[0] == "bare_cards"]:
        del sys.modules[name]


def test_a_family_of_rules_alone_lacks_everything_else_by_name(bare: str) -> None:
    missing = "\n".join(lacking(bare, WHOLE))
    for part in ("board.py", "art.py", "bot.py", "measured.py", "presets.py", "guide.py", "rulebook.md", "RULINGS",
                 '"bare-cards.name": games/bare_cards/words.en.json', '"bare-cards.tagline": games/bare_cards/words.de.json',
                 "option_sets", "golden", "hand", "moments", "pictures", "departures", "stored/bare-cards.jsonl", "test_*.py"):
        assert part in missing, part
