"""Where a bot is chosen its portrait and its habit are shown, in games in which it has one.

A person, and a bot with a name of somebody's own, have none.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.match.result import ResultScreen
from tabletin.app.screens.new_match import NewMatchScreen
from tabletin.app.screens.previews import NoShell
from tabletin.app.storage.profiles import Profiles
from tabletin.app.ui.html import esc
from tabletin.board.portraits import portrait
from tabletin.bots.characters import habit_of_name, stock_names
from tabletin.kernel.setup import Seat
from tabletin.registry import GAMES, rules_of
from tabletin.words import languages, load


def opened(game: str, seats: str, language: str = "en") -> str:
    shell = cast(Any, NoShell(load(language)))
    asyncio.run(NewMatchScreen(shell, Route("new_match", game, query={"seats": seats})).open())
    html: str = shell.preview.html
    return html


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_the_form_shows_the_people_behind_the_bots(game: str, language: str) -> None:
    words = load(language)
    knows = game in GAMES[game].declaration("habits", "WITH_HABITS", ())
    bots = max(2, rules_of(game).seat_counts[0]) - 1
    html = opened(game, "me" + ",medium" * bots, language)
    for name, number in stock_names(words).items():
        assert (portrait(number) in html) == (number <= bots and knows), "nobody stands there twice for nothing"
        about = esc(words.text(f"newmatch.habits.{habit_of_name(number)}", name=name))
        assert (about in html) == (number <= bots and knows)


def test_who_is_only_called_you_has_a_sign_and_whoever_has_a_name_its_letter() -> None:
    words = load("en")
    screen = ResultScreen.__new__(ResultScreen)
    screen.shell, screen.people = cast(Any, SimpleNamespace(words=words)), Profiles()
    seats = Seat("person", "", words.text("newmatch.me_name")), Seat("person", "", "Mia")
    screen.match = cast(Any, SimpleNamespace(setup=SimpleNamespace(seats=seats)))
    assert "#icon-user" in screen.face(0) and "#icon-user" not in screen.face(1)
    assert ">M<" in screen.face(1)


def test_without_bots_there_is_nobody_to_show() -> None:
    assert 'id="habits"' not in opened(next(iter(GAMES)), "me,far")
