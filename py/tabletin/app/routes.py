"""Addresses within the page: what stands behind the "#". Pure.

``#/`` home · ``#/iota/new?seats=me,hard`` a new match · ``#/iota/rules?at=IO-5`` · ``#/match/<id>``, ``…/result``,
``…/replay?at=12``, ``…/review`` looking back at one's turns, ``…/turn?at=12`` at one of them · ``#/settings`` ·
``#/puzzle?day=2026-11-23`` a day's puzzle, today's · ``#/matches`` what was played · ``#/players`` by whom ·
``#/league?season=2026`` the family league, its latest season ·
``#/match/<id>/sealed`` what was verified, ``…/move`` go on on another device ·
``#/judge`` a file to be judged · ``#/far`` what works between which networks · ``#/teeth-time/teeth?at=r6`` a lesson of a game ·
``#/iota/guide`` a first hand, step by step · ``#/iota/room`` a room for friends far away, ``#/room`` the one that is open,
``#/room?link=ID`` while it is looked for, ``#/room/invite`` · ``#meet=TOKEN`` the link of a room, ``#join=CODE`` an invite,
``#reply=CODE`` a reply to one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from tabletin.board.lesson import lesson_of
from tabletin.kernel.percent import decode, encode
from tabletin.registry import GAMES

SCREENS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "home": ("home", "HomeScreen"),
    "new_match": ("new_match", "NewMatchScreen"),
    "match": ("match.match", "MatchScreen"),
    "result": ("match.result", "ResultScreen"),
    "replay": ("match.replay", "ReplayScreen"),
    "review": ("match.review", "ReviewScreen"),
    "turn": ("match.turn", "TurnScreen"),
    "verification": ("match.verification", "VerificationScreen"),
    "move_device": ("match.move_device", "MoveScreen"),
    "history": ("history", "HistoryScreen"),
    "players": ("players", "PlayersScreen"),
    "league": ("league", "LeagueScreen"),
    "judge": ("judge", "JudgeScreen"),
    "far_away": ("far_away", "FarAwayScreen"),
    "rules": ("rules", "RulesScreen"),
    "guide": ("guide", "GuideScreen"),
    "puzzle": ("puzzle", "PuzzleScreen"),
    "settings": ("settings", "SettingsScreen"),
    "room": ("room.room", "RoomScreen"),
    "invite": ("room.invite", "InviteScreen"),
    "join": ("room.join", "JoinScreen"),
    "reply": ("room.reply", "ReplyScreen"),
    "meet": ("room.join_by_link", "JoinByLinkScreen"),
    "no_webrtc": ("room.no_webrtc", "NoWebRtcScreen"),
    "lesson": ("lesson", "LessonScreen"),
    "not_found": ("not_found", "NotFoundScreen"),
})
"""Every screen by its id: its module below ``tabletin.app.screens``, and its class there."""

LINKS: Final = ("#meet=", "#join=", "#reply=")
"""How the addresses begin that people send each other."""

AMONG_DEVICES: Final = frozenset({"room", "invite", "join", "reply", "meet", "move_device"})
"""The screens that lead to other devices: "no_webrtc" stands for them in a browser without WebRTC."""

FIRST_WORDS: Final = frozenset({"settings", "puzzle", "room", "matches", "players", "league", "judge", "far", "match", "result",
                                "replay", "rules"})
"""What addresses other than a game's begin with: no game may have such an id."""

COMMA: Final = ","  # between seats in an address; it reads better than its code


@dataclass(frozen=True, slots=True)
class Route:
    """Where the page is: the screen, what it is about (a game's id or a match's), and what was asked beyond."""

    screen: str
    subject: str = ""
    query: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def parse(address: str) -> Route:
    """The route of a hash such as "#/iota/new?seats=me,hard"; anything else leads to the screen "not_found"."""
    if address.startswith(LINKS):
        address = f"#/room/{address[1:].partition('=')[0]}?code={address.partition('=')[2]}"
    path, _, asked = address.removeprefix("#").partition("?")
    pairs = (pair.partition("=") for pair in asked.split("&") if pair)
    query = MappingProxyType({decode(name): decode(value) for name, _, value in pairs})
    parts = [decode(part) for part in path.split("/") if part]
    match parts:
        case []:
            return Route("home", query=query)
        case ["settings"]:
            return Route("settings", query=query)
        case ["puzzle"]:
            return Route("puzzle", query=query)
        case ["room"]:
            return Route("room", query=query)
        case ["room", ("invite" | "join" | "reply" | "meet") as step]:
            return Route(step, query=query)
        case [game, "room"] if game in GAMES:
            return Route("room", game, query)
        case ["matches"]:
            return Route("history", query=query)
        case ["players"]:
            return Route("players", query=query)
        case ["league"]:
            return Route("league", query=query)
        case ["judge"]:
            return Route("judge", query=query)
        case ["far"]:
            return Route("far_away", query=query)
        case ["match", name, "sealed"]:
            return Route("verification", name, query)
        case ["match", name, "move"]:
            return Route("move_device", name, query)
        case ["match", name]:
            return Route("match", name, query)
        case ["match", name, ("result" | "replay" | "review" | "turn") as screen] | [("result" | "replay") as screen, name]:
            return Route(screen, name, query)
        case [game] if game in GAMES:
            return Route("new_match", game, query)
        case [game, "new"] if game in GAMES:
            return Route("new_match", game, query)
        case [game, "rules"] | ["rules", game] if game in GAMES:
            return Route("rules", game, query)
        case [game, "guide"] if game in GAMES:
            return Route("guide", game, query)
        case [game, word] if game in GAMES and lesson_of(game, word) is not None:
            return Route("lesson", f"{game}/{word}", query)
    return Route("not_found", path, query)


def address(*parts: str, **query: object) -> str:
    """The hash of a path and what is asked beyond: ``address("match", name, "replay", at=3)``."""
    asked = "&".join(f"{name}={encode(str(value), COMMA)}" for name, value in query.items() if value is not None)
    return "#/" + "/".join(encode(part, COMMA) for part in parts) + (f"?{asked}" if asked else "")
