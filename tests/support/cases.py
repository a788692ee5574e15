"""Every game with the option sets that the shared properties are tried on: (game, seats, options)."""

from __future__ import annotations

from typing import Any

from tabletin.registry import GAMES

Case = tuple[str, int, dict[str, Any]]

_CASES: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "iota": [(2, {}), (3, {"half_deck": True}), (4, {"young_children": True, "first_seat": "4"})],
    "teeth-time": [(2, {"hands": 2}), (4, {"hands": 2, "level": "advanced"}), (7, {"hands": 1, "decks": 2})],
    "teeth": [(2, {}), (2, {"mode": "continuous"}), (2, {"mode": "score_card", "rounds": 2, "limit": 10})],
    "dominoes": [(2, {}), (4, {"set": 9}), (6, {"set": 12, "target": 50})],
    "matador": [(3, {}), (6, {"set": 12, "total": 13}), (8, {"target": 50})],
    "tiddle-a-wink": [(6, {}), (10, {"set": 12})],
    "toot-progressive": [(1, {}), (3, {}), (6, {})],
    "toot-fluke": [(2, {}), (4, {})],
    "toot-pursuit": [(2, {}), (5, {})],
    "toot-speed": [(1, {"target": 2}), (3, {"target": 2}), (3, {"target": 2, "heats": True})],
}

CASES: list[Case] = [(game, seats, options) for game in GAMES for seats, options in _CASES[game]]
