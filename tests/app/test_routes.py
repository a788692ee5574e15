"""Addresses: which screen each leads to, and that every screen is there."""

from __future__ import annotations

import ast
from importlib import import_module
from inspect import getsource

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.app.routes import FIRST_WORDS, SCREENS, address, parse
from tabletin.app.ui.screen import Screen
from tabletin.board.lesson import lessons_of
from tabletin.registry import GAMES

GAME = next(iter(GAMES))


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_has_its_class(screen: str) -> None:
    module, name = SCREENS[screen]
    assert issubclass(getattr(import_module(f"tabletin.app.screens.{module}"), name), Screen)


def test_every_screen_has_an_address() -> None:
    written = ["#/", f"#/{GAME}/new", "#/match/abc", "#/match/abc/result", "#/match/abc/replay", "#/match/abc/review",
               "#/match/abc/turn", "#/match/abc/sealed", "#/players", "#/league",
               "#/match/abc/move", "#/matches", "#/judge", "#/far", f"#/{GAME}/rules", f"#/{GAME}/guide", "#/settings",
               "#/puzzle",
               f"#/{GAME}/room",
               "#/room", "#/room/invite", "#join=abc", "#reply=abc", "#meet=abc", "#/nowhere",
               *(f"#/{game}/{lesson.word}" for game in GAMES for lesson in lessons_of(game))]
    without = {"no_webrtc"}  # it stands for other screens, at their addresses
    assert {parse(one).screen for one in written} == SCREENS.keys() - without


def test_the_first_words_are_those_that_are_told_apart() -> None:
    """Each pattern of ``parse`` that begins with a word of its own, and not with a game."""
    patterns = [node for node in ast.walk(ast.parse(getsource(parse))) if isinstance(node, ast.MatchSequence) and node.patterns]
    told = {ast.literal_eval(one.value) for node in patterns for one in ast.walk(node.patterns[0])
            if isinstance(one, ast.MatchValue)}
    assert told == FIRST_WORDS
    assert not FIRST_WORDS & GAMES.keys()


@pytest.mark.parametrize(("text", "screen", "about", "query"), [
    ("", "home", "", {}), ("#/", "home", "", {}), ("#/settings", "settings", "", {}), ("#/matches", "history", "", {}),
    (f"#/{GAME}/new?seats=me,hard", "new_match", GAME, {"seats": "me,hard"}), (f"#/{GAME}", "new_match", GAME, {}),
    (f"#/{GAME}/rules?at=XX-5", "rules", GAME, {"at": "XX-5"}), ("#/match/abc", "match", "abc", {}),
    ("#/match/abc/result", "result", "abc", {}), ("#/match/abc/replay?at=12", "replay", "abc", {"at": "12"}),
    (f"#/{GAME}/nothing", "not_found", f"/{GAME}/nothing", {}),
    ("#/chess", "not_found", "/chess", {}), ("#/match/abc/nothing", "not_found", "/match/abc/nothing", {}),
])
def test_addresses(text: str, screen: str, about: str, query: dict[str, str]) -> None:
    route = parse(text)
    assert (route.screen, route.subject, dict(route.query)) == (screen, about, query)


def test_a_lesson_is_found_at_its_own_game_alone() -> None:
    for game in GAMES:
        for lesson in lessons_of(game):
            route = parse(f"#/{game}/{lesson.word}?at=y6")
            assert (route.screen, route.subject, dict(route.query)) == ("lesson", f"{game}/{lesson.word}", {"at": "y6"})
            for other in GAMES:
                if lesson.word not in {one.word for one in lessons_of(other)}:
                    assert parse(f"#/{other}/{lesson.word}").screen == "not_found"


def test_an_address_is_read_as_it_was_written() -> None:
    assert parse(address("match", "abc", "replay", at=3)).query == {"at": "3"}
    assert address(GAME, "new") == f"#/{GAME}/new"


@given(st.text())
def test_any_address_leads_somewhere(text: str) -> None:
    assert parse(text).screen
