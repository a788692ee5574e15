"""Every ruling that a family declares is enforced somewhere, by name, and pinned by a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabletin.registry import HOMES, Family
from workshop.paths import PACKAGE, ROOT

FAMILIES = [family for family in HOMES.values() if family.rulings]
PREFIXES = "|".join(family.rulings[0] for family in FAMILIES if family.rulings)
NAMED = re.compile(rf"(?:\b|_)({PREFIXES})[-_](\d+)(?:\s*(?:…|\.\.|–|to)\s*(?:\1-)?(\d+))?")


def named_in(folder: Path, but: Path | None = None) -> set[str]:
    """The ruling ids in the Python files under ``folder``; a range such as IO-1…3 names all of its ids."""
    found = set()
    for path in folder.rglob("*.py"):
        if path != but and path.name != "__init__.py":  # a family's declares how many there are
            for family, first, last in NAMED.findall(path.read_text("utf-8")):
                found |= {f"{family}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_no_two_families_begin_their_rulings_alike() -> None:
    assert len({family.rulings[0] for family in FAMILIES if family.rulings}) == len(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_ruling_is_named_by_a_test_and_by_the_code(family: Family) -> None:
    assert family.rulings is not None
    prefix, count = family.rulings
    wanted = {f"{prefix}-{number}" for number in range(1, count + 1)}
    assert wanted - named_in(ROOT / "tests", but=Path(__file__)) == set(), "no test names these"
    assert wanted - named_in(PACKAGE) == set(), "no code names these"
