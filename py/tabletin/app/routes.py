"""Addresses within the page: what stands behind the "#". Pure.

``#/`` home · ``#/iota/new?seats=me,hard`` a new match · ``#/iota/rules?at=IO-5`` · ``#/match/<id>``, ``…/result``,
``…/replay?at=12`` · ``#/settings`` · ``#/matches`` what was played ·
``#/match/<id>/sealed`` what was verified, ``…/move`` go on on another device ·
``#/judge`` a file to be judged · ``#/teeth-time/teeth?at=r6`` learn the teeth ·
``#/iota/guide`` a first hand, step by step · ``#/iota/room`` a room for friends far away, ``#/room`` the one that is open,
``#/room/invite`` · ``#join=CODE`` an invite, ``#reply=CODE`` a reply to one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from tabletin.registry import GAMES

SCREENS: Final[Mapping[str, str]] = MappingProxyType({
    "home": "HomeScreen", "newmatch": "NewMatchScreen", "playing": "PlayingScreen", "result": "ResultScreen",
    "replay": "ReplayScreen", "padlock": "PadlockScreen", "judge": "JudgeScreen", "rulespage": "RulesScreen",
    "settingspage": "SettingsScreen", "matches": "MatchesScreen",
    "teethpage": "TeethScreen", "guidepage": "GuideScreen", "lost": "LostScreen",
    "roompage": "RoomScreen", "roominvite": "InviteScreen", "roomjoin": "JoinScreen", "roomreply": "ReplyScreen",
    "roommove": "MoveScreen",
})
"""Module of ``tabletin.page`` and its class, for every screen."""

LESSONS: Final[Mapping[tuple[str, str], str]] = MappingProxyType({("teeth-time", "teeth"): "teethpage"})
"""Pages to learn from: game and the word behind it in the address → the screen."""

PLAIN: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,")


@dataclass(frozen=True, slots=True)
class Route:
    """Where the page is: the screen, what it is about (a game's id or a match's), and what was asked beyond."""

    screen: str
    about: str = ""
    query: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def parse(address: str) -> Route:
    """The route of a hash such as "#/iota/new?seats=me,hard"; whatever is no address leads to the screen "lost"."""
    if address.startswith(("#join=", "#reply=")):
        address = f"#/room/{address[1:].partition('=')[0]}?code={address.partition('=')[2]}"
    path, _, asked = address.removeprefix("#").partition("?")
    pairs = (pair.partition("=") for pair in asked.split("&") if pair)
    query = MappingProxyType({decoded(name): decoded(value) for name, _, value in pairs})
    parts = [decoded(part) for part in path.split("/") if part]
    match parts:
        case []:
            return Route("home", query=query)
        case ["settings"]:
            return Route("settingspage", query=query)
        case ["room"]:
            return Route("roompage", query=query)
        case ["room", ("invite" | "join" | "reply") as step]:
            return Route(f"room{step}", query=query)
        case [game, "room"] if game in GAMES:
            return Route("roompage", game, query)
        case ["matches"]:
            return Route("matches", query=query)
        case ["judge"]:
            return Route("judge", query=query)
        case ["match", name, "sealed"]:
            return Route("padlock", name, query)
        case ["match", name, "move"]:
            return Route("roommove", name, query)
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
        case [game, "guide"] if game in GAMES:
            return Route("guidepage", game, query)
        case [game, lesson] if (game, lesson) in LESSONS:
            return Route(LESSONS[game, lesson], game, query)
    return Route("lost", path, query)


def address(*parts: str, **query: object) -> str:
    """The hash of a path and what is asked beyond: ``address("match", name, "replay", at=3)``."""
    asked = "&".join(f"{name}={encoded(str(value))}" for name, value in query.items() if value is not None)
    return "#/" + "/".join(encoded(part) for part in parts) + (f"?{asked}" if asked else "")


def encoded(text: str) -> str:
    """``text`` as it may stand in an address. (The library's own brings modules that would delay every start.)"""
    return "".join(chr(byte) if chr(byte) in PLAIN else f"%{byte:02X}" for byte in text.encode("utf-8", "replace"))


def decoded(text: str) -> str:
    """What an address spells; what is spelled wrongly stays as it is."""
    first, *rest = text.replace("+", " ").encode("utf-8", "replace").split(b"%")
    for part in rest:
        code = part[:2]
        hexadecimal = len(code) == 2 and all(digit in b"0123456789abcdefABCDEF" for digit in code)
        first += bytes.fromhex(code.decode()) + part[2:] if hexadecimal else b"%" + part
    return first.decode("utf-8", "replace")

MODULES: Final[Mapping[str, str]] = MappingProxyType({
    "home": "tabletin.app.screens.home",
    "newmatch": "tabletin.app.screens.new_match",
    "playing": "tabletin.app.screens.match.match",
    "result": "tabletin.app.screens.match.result",
    "replay": "tabletin.app.screens.match.replay",
    "padlock": "tabletin.app.screens.match.verification",
    "judge": "tabletin.app.screens.judge",
    "rulespage": "tabletin.app.screens.rules",
    "settingspage": "tabletin.app.screens.settings",
    "matches": "tabletin.app.screens.history",
    "teethpage": "tabletin.app.screens.teeth",
    "guidepage": "tabletin.app.screens.guide",
    "lost": "tabletin.app.screens.not_found",
    "roompage": "tabletin.app.screens.room.room",
    "roominvite": "tabletin.app.screens.room.invite",
    "roomjoin": "tabletin.app.screens.room.join",
    "roomreply": "tabletin.app.screens.room.reply",
    "roommove": "tabletin.app.screens.match.move_device",
})
