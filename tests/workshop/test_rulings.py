"""Every ruling that a registered game goes by is enforced somewhere, by name, and pinned by a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabletin.registry import GAMES
from workshop.paths import PACKAGE, ROOT

# How many rulings a family has, and how they begin.
RULINGS = {"iota": ("IO", 10), "teeth_time": ("TT", 17), "teeth": ("TE", 7), "dominoes": ("DO", 10), "toot": ("TO", 8)}
REGISTERED = sorted({game.family for game in GAMES.values()})
NAMED = re.compile(r"(?:\b|_)(IO|TT|TE|DO|TO)[-_](\d+)(?:\s*(?:…|\.\.|–|to)\s*(?:\1-)?(\d+))?")


def named_in(folder: Path, but: Path | None = None) -> set[str]:
    """The ruling ids in the Python files under ``folder``; a range such as IO-1…3 names all of its ids."""
    found = set()
    for path in folder.rglob("*.py"):
        if path != but:
            for family, first, last in NAMED.findall(path.read_text("utf-8")):
                found |= {f"{family}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_every_registered_family_has_rulings() -> None:
    assert set(REGISTERED) <= set(RULINGS)


@pytest.mark.parametrize("family", REGISTERED)
def test_every_ruling_is_named_by_a_test_and_by_the_code(family: str) -> None:
    prefix, count = RULINGS[family]
    wanted = {f"{prefix}-{number}" for number in range(1, count + 1)}
    assert wanted - named_in(ROOT / "tests", but=Path(__file__)) == set(), "no test names these"
    assert wanted - named_in(PACKAGE) == set(), "no code names these"
