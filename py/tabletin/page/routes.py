"""Addresses within the page: what stands behind the "#". Pure.

``#/`` home · ``#/iota/new?seats=me,hard`` a new match · ``#/iota/rules?at=IO-5`` · ``#/match/<id>``, ``…/result``,
``…/replay?at=12`` · ``#/settings`` · ``#/matches`` what was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode

from tabletin.games import GAMES

SCREENS: Final[Mapping[str, str]] = MappingProxyType({
    "home": "HomeScreen", "newmatch": "NewMatchScreen", "playing": "PlayingScreen", "result": "ResultScreen",
    "replay": "ReplayScreen", "rulespage": "RulesScreen", "settingspage": "SettingsScreen", "matches": "MatchesScreen",
    "lost": "LostScreen",
})
"""Module of ``tabletin.page`` and its class, for every screen."""


@dataclass(frozen=True, slots=True)
class Route:
    """Where the page is: the screen, what it is about (a game's id or a match's), and what was asked beyond."""

    screen: str
    about: str = ""
    query: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def parse(address: str) -> Route:
    """The route of a hash such as "#/iota/new?seats=me,hard"; whatever is no address leads to the screen "lost"."""
    path, _, asked = address.removeprefix("#").partition("?")
    query = MappingProxyType(dict(parse_qsl(asked)))
    parts = [part for part in path.split("/") if part]
    match parts:
        case []:
            return Route("home", query=query)
        case ["settings"]:
            return Route("settingspage", query=query)
        case ["matches"]:
            return Route("matches", query=query)
        case ["match", name]:
            return Route("playing", name, query)
        case ["match", name, ("result" | "replay") as screen] | [("result" | "replay") as screen, name]:
            return Route(screen, name, query)
        case [game] if game in GAMES:
            return Route("newmatch", game, query)
        case [game, "new"] if game in GAMES:
            return Route("newmatch", game, query)
        case [game, "rules"] | ["rules", game] if game in GAMES:
            return Route("rulespage", game, query)
    return Route("lost", path, query)


def address(*parts: str, **query: object) -> str:
    """The hash of a path and what is asked beyond: ``address("match", name, "replay", at=3)``."""
    asked = urlencode({name: str(value) for name, value in query.items() if value is not None})
    return "#/" + "/".join(quote(part) for part in parts) + (f"?{asked}" if asked else "")
