"""What all games share names none of them: a family can be taken out by its two folders and its word in the registry.

A file that names one all the same stands in ``NAMING`` with the reason. ``python3 check.py --without NAME`` tries it in earnest.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from tabletin.registry import GAMES, HOMES
from workshop.paths import ROOT

SHARED: Final = ("py", "tests", "e2e", "bench", "workshop", "serve.py", "check.py", "web", "index.html")
OWN: Final = ("py/tabletin/games", "tests/games", "e2e/games", "bench/games")  # one folder a family in each
READ: Final = (".py", ".mjs", ".js", ".cjs", ".ts", ".css", ".html", ".toml", ".json", ".jsonl")
NAMING: Final = MappingProxyType({
    "py/tabletin/registry.py": "the line of the families itself, and an example of what a family declares",
    "py/tabletin/app/routes.py": "examples of addresses in the docstring",
    "py/tabletin/app/screens/guide.py": "an example of an address in the docstring",
    "py/tabletin/app/screens/lesson.py": "an example of an address in the docstring",
    "py/tabletin/app/screens/rules.py": "an example of an address in the docstring",
    "py/tabletin/app/table/arrows.py": "a chain of such pieces as an example, in a sentence",
    "py/tabletin/app/ui/rulebook_markdown.py": "an example of a rulebook in the docstring",
    "py/tabletin/play.py": "the example that the docstring plays",
    **{f"bench/{name}.py": "measures games that docs/speed.md tells of" for name in (
        "baselines", "bots_browser", "catching_up", "catching_up_browser", "deal", "first_visit", "flood",
        "judging", "latency", "memory", "next_hand", "paces", "peers", "peers_bytes", "peers_faults", "rules", "rules_browser",
        "table", "tables", "tasks", "toot_solver")},
})
"""Files that name a family or a game, and why."""

FAMILIES: Final = [family for package, family in HOMES.items() if package.startswith("tabletin.")]
WORDS: Final = sorted({name for family in FAMILIES for game in family.games
                       for name in (family.name, game, game.replace("-", "_"))}, key=len, reverse=True)
NAMED: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, WORDS))})(?![\w]|-\w)")


def is_own(path: Path) -> bool:
    """Whether ``path`` lies in a family's own folder."""
    return any(path.is_relative_to(ROOT / folder / family.name) for folder in OWN for family in FAMILIES)


@cache
def found() -> dict[str, list[str]]:
    """The shared files that name a family or a game, and where."""
    naming: dict[str, list[str]] = {}
    for shared in SHARED:
        place = ROOT / shared
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.suffix not in READ or is_own(path) or "__pycache__" in path.parts:
                continue
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                if NAMED.search(line):
                    naming.setdefault(path.relative_to(ROOT).as_posix(), []).append(f"{number}: {line.strip()[:100]}")
    return naming


def test_no_shared_file_names_a_family_or_a_game() -> None:
    wrong = {path: lines for path, lines in found().items() if path not in NAMING}
    assert not wrong, "take a game from the registry or tests/support/examples.py, or move this into the family's folder:\n" + \
        "\n".join(f"{path}:{line}" for path, lines in wrong.items() for line in lines)


@pytest.mark.parametrize("path", NAMING)
def test_every_exception_is_there(path: str) -> None:
    assert (ROOT / path).is_file()


def test_a_name_is_found_wherever_it_stands() -> None:
    for game in GAMES:
        assert NAMED.search(f'begin("{game}")') and NAMED.search(f"#/{game}/new?seats=me") and NAMED.search(f"{game}: fast")
        assert not NAMED.search(f"{game}s") and not NAMED.search(f"my-{game}")
