"""Every game with the option sets that the shared properties are tried on: (game, seats, options)."""

from __future__ import annotations

from typing import Any

from tabletin.registry import GAMES
from tests.support.examples import option_sets

Case = tuple[str, int, dict[str, Any]]

CASES: list[Case] = [(game, seats, dict(options)) for game in GAMES for seats, options in option_sets(game)]
