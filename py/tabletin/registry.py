"""The registry: every game is one line here and one folder beside. Modules are imported on first need.

A family's folder has ``rules`` (classes), ``bot`` (``LEVELS``, ``choose``), ``board`` (what a seat's state looks like as a
scene), ``art`` (pieces as SVG) and ``rulebook.md``; some have ``feats`` (what is told of a match beside its points).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, Final

from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Malformed


@dataclass(frozen=True, slots=True)
class Game:
    """Where a game lives: ``family`` is its folder, ``rules`` the class in ``<family>.rules`` (or a module below)."""

    family: str
    rules: str

    def module(self, name: str) -> ModuleType:
        """The family's module ``name``: "rules", "bot", "board", "art"."""
        return import_module(f"tabletin.games.{self.family}.{name}")

    def has(self, name: str) -> bool:
        """Whether the family has a module ``name``."""
        return find_spec(f"tabletin.games.{self.family}.{name}") is not None


GAMES: Final[Mapping[str, Game]] = MappingProxyType({
    "teeth-time": Game("teeth_time", "TeethTime"),
    "teeth": Game("teeth", "Teeth"),
    "dominoes": Game("dominoes", "Dominoes"),
    "matador": Game("dominoes", "Matador"),
    "tiddle-a-wink": Game("dominoes", "TiddleAWink"),
    "iota": Game("iota", "Iota"),
    "toot-progressive": Game("toot", "Progressive"),
    "toot-fluke": Game("toot", "Fluke"),
    "toot-pursuit": Game("toot", "Pursuit"),
    "toot-speed": Game("toot", "Speed"),
})


def rules_of(game: str) -> type[Rules[Any]]:
    """The rules class of ``game``. Raises ``Malformed`` for one that is not in the tin."""
    if game not in GAMES:
        raise Malformed(f"no such game: {game}")
    entry = GAMES[game]
    found: type[Rules[Any]] = getattr(entry.module("rules"), entry.rules)
    return found
