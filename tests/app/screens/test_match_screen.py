"""What the screen of a match says above its table: the question about sounds, which never takes the table's space for long."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.match.match import MatchScreen
from tabletin.app.session.local import LocalSession
from tabletin.app.settings import Settings
from tabletin.kernel.setup import Seat
from tabletin.kernel.table import AUTHOR
from tests.support.bots_here import WORDS, BotsHere, context, short_match

pytestmark = pytest.mark.usefixtures("swap")


class Shell:
    """As much of a shell as the question needs."""

    def __init__(self, settings: Settings) -> None:
        self.words = WORDS
        self.settings = settings
        self.rooms_if_any = None
        self.shown: dict[str, str] = {}
        self.document = SimpleNamespace(repaint=self.shown.__setitem__, focus_title=lambda: None)
        self.signals = SimpleNamespace(play=lambda name: None)

    def adopt(self, settings: Settings) -> None:
        self.settings = settings

    def come_to(self, session: LocalSession) -> tuple[MatchScreen, str]:
        """The screen of ``session``, and what it asks."""
        screen = MatchScreen(cast(Any, self), Route("match", session.id))
        screen.session = session
        asked = screen.sound_question()
        self.shown["ask-sound"] = asked
        session.on_change(screen.match_changed)
        return screen, asked


def with_match(test: Callable[[LocalSession], Awaitable[None]], *seats: Seat) -> None:
    async def run() -> None:
        session = await LocalSession.begin(short_match(*seats, game="swap"), context(bots=BotsHere()))
        await test(session)
        session.close()
        await asyncio.sleep(0)

    asyncio.run(run())


ANN, BEN = Seat("person", AUTHOR, "Ann"), Seat("person", AUTHOR, "Ben")


def test_the_question_about_sounds_goes_with_the_first_move_and_comes_once_more_at_the_next_match() -> None:
    shell = Shell(Settings())

    async def first(session: LocalSession) -> None:
        _, asked = shell.come_to(session)
        assert WORDS.text("playing.sound.ask") in asked
        session.publish()
        assert shell.shown["ask-sound"] == asked, "nobody has moved"
        await session.move(0, ("swap", ()))
        assert shell.shown["ask-sound"] == ""
        assert shell.come_to(session)[1] == "", "not again in this match"

    async def second(session: LocalSession) -> None:
        _, asked = shell.come_to(session)
        assert asked
        await session.move(0, ("swap", ()))
        assert shell.shown["ask-sound"] == ""

    async def third(session: LocalSession) -> None:
        assert shell.come_to(session)[1] == ""

    for test in (first, second, third):
        with_match(test, ANN, BEN)


@pytest.mark.parametrize("answer", ["sound_on", "sound_off"])
def test_who_has_answered_is_asked_no_more(answer: str) -> None:
    shell = Shell(Settings())

    async def first(session: LocalSession) -> None:
        screen, asked = shell.come_to(session)
        assert asked
        await screen.act(answer, {})
        assert shell.shown["ask-sound"] == "" and shell.settings.sound is (answer == "sound_on")

    async def second(session: LocalSession) -> None:
        shell.settings = shell.settings.with_value("sound", False)
        assert shell.come_to(session)[1] == ""

    with_match(first, ANN, BEN)
    with_match(second, ANN, BEN)


def test_what_a_bot_does_or_what_was_no_choice_leaves_the_question_there() -> None:
    async def act(session: LocalSession) -> None:
        shell = Shell(Settings())
        _, asked = shell.come_to(session)
        session.forced_moves.was_made = lambda seat, index: True  # type: ignore[method-assign]
        await session.move(0, ("swap", ()))
        assert shell.shown["ask-sound"] == asked
        for _ in range(200):
            if 0 in session.acting:
                break
            await asyncio.sleep(0.01)
        assert 0 in session.acting, "the bot has moved"
        assert shell.shown["ask-sound"] == asked
        del session.forced_moves.was_made
        await session.move(0, ("swap", ()))
        assert shell.shown["ask-sound"] == ""

    with_match(act, ANN, Seat("bot", AUTHOR, "Bo", level="easy"))


def test_that_a_tap_hurries_is_said_so_many_times_more_on_this_device() -> None:
    shell = Shell(Settings())

    async def kept(session: LocalSession) -> None:
        screen, _ = shell.come_to(session)
        assert shell.settings.hurry_tips == 2
        for left in (1, 0):
            screen.keep_hurry_tips(left)
            assert Settings.from_json(shell.settings.to_json()) == shell.settings
            assert shell.settings.hurry_tips == left

    with_match(kept, ANN, BEN)
