"""Addresses: which screen each leads to, and that every screen is there."""

from __future__ import annotations

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.app.routes import SCREENS, address, parse
from tabletin.app.ui.screen import Screen
from tabletin.board.lesson import lessons_of
from tabletin.registry import GAMES


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_has_its_class(screen: str) -> None:
    module, name = SCREENS[screen]
    assert issubclass(getattr(import_module(f"tabletin.app.screens.{module}"), name), Screen)


def test_every_screen_has_an_address() -> None:
    written = ["#/", "#/iota/new", "#/match/abc", "#/match/abc/result", "#/match/abc/replay", "#/match/abc/sealed",
               "#/match/abc/move", "#/matches", "#/judge", "#/iota/rules", "#/iota/guide", "#/settings", "#/iota/room",
               "#/room", "#/room/invite", "#join=abc", "#reply=abc", "#meet=abc", "#/nowhere",
               *(f"#/{game}/{lesson.word}" for game in GAMES for lesson in lessons_of(game))]
    assert {parse(one).screen for one in written} == SCREENS.keys()


@pytest.mark.parametrize(("text", "screen", "about", "query"), [
    ("", "home", "", {}), ("#/", "home", "", {}), ("#/settings", "settings", "", {}), ("#/matches", "history", "", {}),
    ("#/iota/new?seats=me,hard", "new_match", "iota", {"seats": "me,hard"}), ("#/iota", "new_match", "iota", {}),
    ("#/iota/rules?at=IO-5", "rules", "iota", {"at": "IO-5"}), ("#/match/abc", "match", "abc", {}),
    ("#/match/abc/result", "result", "abc", {}), ("#/match/abc/replay?at=12", "replay", "abc", {"at": "12"}),
    ("#/teeth-time/teeth?at=y6", "lesson", "teeth-time/teeth", {"at": "y6"}), ("#/iota/teeth", "not_found", "/iota/teeth", {}),
    ("#/chess", "not_found", "/chess", {}), ("#/match/abc/nothing", "not_found", "/match/abc/nothing", {}),
])
def test_addresses(text: str, screen: str, about: str, query: dict[str, str]) -> None:
    route = parse(text)
    assert (route.screen, route.subject, dict(route.query)) == (screen, about, query)


def test_an_address_is_read_as_it_was_written() -> None:
    assert parse(address("match", "abc", "replay", at=3)).query == {"at": "3"}
    assert address("iota", "new") == "#/iota/new"


@given(st.text())
def test_any_address_leads_somewhere(text: str) -> None:
    assert parse(text).screen
