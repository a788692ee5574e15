"""Every registered game has all its parts; what one lacks is listed here by name, and fails no other test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabletin.registry import GAMES, install, remove
from tabletin.words import languages
from tests.support.completeness import UNFINISHED, broken, lacking

WHOLE = tuple(code for code in languages() if code not in UNFINISHED)
BARE = "tests.support.bare_family"


def test_no_family_is_broken() -> None:
    found = broken(WHOLE)
    assert not found, "these are to be mended:\n  " + "\n  ".join(found)


def test_every_game_has_all_its_parts() -> None:
    missing = [line for game in GAMES for line in lacking(game, WHOLE)]
    assert not missing, "these are still to be written:\n  " + "\n  ".join(missing)


@pytest.fixture
def bare() -> Iterator[str]:
    """The game of a family with rules alone."""
    game, = install(BARE).games
    yield game
    remove(BARE)


def test_a_family_of_rules_alone_lacks_everything_else_by_name(bare: str) -> None:
    missing = "\n".join(lacking(bare, WHOLE))
    for part in ("board.py", "art.py", "bot.py", "measurements.py", "presets.py", "guide.py", "rulebook.md", "RULINGS",
                 f'"{bare}.name": games/bare_family/words.en.json', f'"{bare}.tagline": games/bare_family/words.de.json',
                 f'"{bare}.options.turns.label"', "option_sets", "golden", "hand", "moments", "pictures", "departures",
                 f"stored/{bare}.jsonl", "test_*.py"):
        assert part in missing, part
