"""What a registered game still lacks, by name: the parts of its family's folder, its words, its tests' data.

Nothing here is needed to play: whatever is missing has a fallback, and the shared tests pass over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tabletin.app.ui.rulebook import rulebook_of
from tabletin.kernel.options import Choice
from tabletin.kernel.schema import Malformed
from tabletin.registry import FINDINGS, GAMES, NEEDED, rules_of
from tabletin.words import load
from tests.support.examples import departures, example_of, home_of

UNFINISHED: Final[frozenset[str]] = frozenset()
"""Languages that are still being written, by their codes: what they lack is said in English, and no test fails for it."""


def lacking(game: str, languages: tuple[str, ...]) -> list[str]:
    """What ``game`` lacks, each with the place where it belongs. ``languages``: those that are to be whole."""
    return [f"{game}: {what}" for what in (*_parts(game), *_words(game, languages), *_tests(game))]


def broken(languages: tuple[str, ...]) -> list[str]:
    """What of the registered families cannot be read at all: their folders, their words, and the names their modules lack."""
    found = [*FINDINGS, *(sentence for language in languages for sentence in load(language).findings)]
    for game, entry in GAMES.items():
        for part in ("rules", *NEEDED):
            try:
                rules_of(game) if part == "rules" else entry.module(part)
            except Malformed as error:
                found.append(f"{game}: {error}")
    return found


def _parts(game: str) -> Iterator[str]:
    entry = GAMES[game]
    folder = f"games/{entry.family}"
    for module, what in (("board", "its table"), ("art", "its pieces"), ("bot", "its bots")):
        if not entry.has(module):
            yield f"{what}: {folder}/{module}.py"
    if game not in entry.declaration("measurements", "MEASUREMENTS", {}):
        yield f"how its bots are measured: MEASUREMENTS in {folder}/measurements.py"
    something = {option.key for option in rules_of(game).options} - {"first_seat"}
    if something and game not in entry.declaration("presets", "PRESETS", {}):
        yield f"presets of its options: PRESETS in {folder}/presets.py"
    if game not in entry.declaration("guide", "GUIDES", {}):
        yield f"a guide: GUIDES in {folder}/guide.py"
    if entry.home.text("rulebook.md") is None:
        yield f"a rulebook: {folder}/rulebook.md"
    elif rules_of(game)(rules_of(game).seat_counts[0]).deck() and "<figure>" not in rulebook_of(game, load()).html:
        yield f"a figure of its pieces, '::' and their faces: {folder}/rulebook.md"
    if entry.home.rulings is None:
        yield f"numbered rulings: RULINGS in {folder}/__init__.py"


def _words(game: str, languages: tuple[str, ...]) -> Iterator[str]:
    entry = GAMES[game]
    sections = (game, game.replace("-", "_"), entry.family)
    wanted = ["name", "tagline"]
    for option in rules_of(game).options:
        wanted.append(f"options.{option.key}.label")
        if isinstance(option, Choice):
            wanted += [f"options.{option.key}.choices.{choice}" for choice in option.choices]
    for language in languages:
        words = load(language)
        own = set(words.keys())
        for key in wanted:
            if not any(f"{section}.{key}" in own for section in sections):
                yield f'the words "{game}.{key}": games/{entry.family}/words.{language}.json'


def _tests(game: str) -> Iterator[str]:
    family = GAMES[game].family
    home, example = home_of(family), example_of(game)
    place = f"tests/games/{family}"
    declared: Mapping[str, Any] = {
        "option_sets": example.option_sets, "golden": example.golden, "hand": example.hand, "moments": example.moments,
        "pictures": example.pictures, "departures": example.departures or not departures(game)}
    for name, value in declared.items():
        if not value:
            yield f"{name} of its Example: {place}/example.py"
    for name in example.golden:
        if not (home / "golden" / f"{name}.txt").is_file():
            yield f"a golden playthrough, by pytest tests/games/test_golden.py --golden-write: {place}/golden/{name}.txt"
    if example.ended is None or not (home / "stored" / f"{game}.jsonl").is_file():
        yield f"a stored match and how it ended: {place}/stored/{game}.jsonl, ended in {place}/example.py"
    if not (home / "read_aloud" / f"{game}.txt").is_file():
        yield ("what a screen reader meets, by pytest e2e/tables/test_read_aloud.py --write-read-aloud: "
               f"{place}/read_aloud/{game}.txt")
    if not list(home.glob("test_*.py")):
        yield f"tests of its own: {place}/test_*.py"
