"""A bot that adapts says so, where it is chosen."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from tabletin.app.routes import Route
from tabletin.app.screens.new_match import NewMatchScreen
from tabletin.app.screens.previews import NoShell
from tabletin.app.storage.matches import MatchRecord
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Seat
from tabletin.kernel.table import AUTHOR
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
