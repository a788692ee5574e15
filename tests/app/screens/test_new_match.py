"""The form of a new match: a bot that adapts says so, people are picked by their faces, options that are named are seen."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from tabletin.app.routes import Route
from tabletin.app.screens.new_match import NewMatchScreen
from tabletin.app.screens.previews import NoShell
from tabletin.app.session.plan import ME, PERSON, Place
from tabletin.app.storage.matches import MatchRecord
from tabletin.app.storage.profiles import KEPT_AS, Profile, Profiles
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Seat
from tabletin.kernel.table import AUTHOR
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tests.support.examples import ONE_DEAL

WORDS = load()
SEATS = (Seat("person", AUTHOR), Seat("bot", AUTHOR, level="medium"))


def opened(seats: str, records: list[MatchRecord]) -> str:
    async def read() -> list[MatchRecord]:
        return records

    shell = cast(Any, NoShell(WORDS))
    shell.matches = SimpleNamespace(records=read)
    asyncio.run(NewMatchScreen(shell, Route("new_match", ONE_DEAL, query={"seats": seats})).open())
    html: str = shell.preview.html
    return html


def test_the_form_says_which_level_the_bot_has_now() -> None:
    outcome = Outcome((1, 0), (0,), "over")
    won = [MatchRecord(f"{number}", ONE_DEAL, 1, 0, number, 9, {}, SEATS, {"me": 0}, (), (1, 0), False, outcome)
           for number in (1, 2)]
    for records, level in (([], "medium"), (won, "hard")):
        assert WORDS.text("newmatch.adapts", level=WORDS.text(f"shell.level.{level}")) in opened("me,adapts", records)
    assert 'id="adapts"' not in opened("me,easy", won)


def form(game: str, seats: str, people: Profiles) -> NewMatchScreen:
    async def open_it() -> NewMatchScreen:
        shell = cast(Any, NoShell(WORDS))
        shell.matches = SimpleNamespace(records=no_records)
        shell.texts = SimpleNamespace(recall={KEPT_AS: people.to_json()}.get)
        shell.document.repaint = lambda part, html: None
        screen = NewMatchScreen(shell, Route("new_match", game, query={"seats": seats}))
        await screen.open()
        return screen

    async def no_records() -> list[MatchRecord]:
        return []

    return asyncio.run(open_it())


def test_somebody_here_is_picked_by_a_face() -> None:
    """Also by those who cannot write."""
    people = Profiles((Profile("a", "Ada", "fox"), Profile("b", "Bo", "owl")), "a")
    screen = form(ONE_DEAL, "me,person", people)
    assert [place.name for place in screen.plan.places] == ["Ada", ""]
    asyncio.run(screen.act("sit", {"seat": "1", "player": "b"}))
    assert [place.name for place in screen.plan.places] == ["Ada", "Bo"]
    assert screen.seats().count('aria-pressed="true"') == 2
    assert "sitters" not in form(ONE_DEAL, "me,easy", Profiles(people.people[:1])).seats(), "there is nobody to choose from"
    assert "sitters" not in form(ONE_DEAL, "me,person", Profiles()).seats()


def test_whoever_plays_now_sits_on_one_seat_of_the_plan_of_last_time() -> None:
    people = Profiles((Profile("a", "Ada"), Profile("b", "Bo")), "b")
    screen = form(ONE_DEAL, "me,person", people)
    screen.plan.places = [Place(ME, "Ada"), Place(PERSON, "Bo")]
    screen.seat_profile()
    assert [place.name for place in screen.plan.places] == ["Bo", "Ada"]


def test_the_options_open_as_soon_as_one_of_them_is_named() -> None:
    """One device, two people, and a game against the clock."""
    game = next(game for game in GAMES if not rules_of(game).can_share({}))
    screen = form(game, "me,easy", Profiles())
    painted: dict[str, str] = {}
    cast(Any, screen.shell.document).repaint = painted.__setitem__
    assert "<details open" not in screen.options()
    asyncio.run(screen.on_change("who-1", "person"))
    assert "<details open" in painted["options"]
