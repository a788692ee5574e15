"""Going politely, as pages do it: what people are told before, what the others see, and that these play on to a result."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tabletin.app.routes import parse
from tabletin.app.screens.match.notices import own_seat
from tabletin.app.screens.match.peers import peer_bar
from tabletin.app.screens.match.result import ResultScreen
from tabletin.app.screens.match.verification import VerificationScreen
from tabletin.app.session.peers.session import PeerSession
from tabletin.board.layout import plates, seat_rects
from tabletin.board.scene import Sight
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tests.support.board_tables import PHONE
from tests.support.bots_here import WORDS
from tests.support.examples import MANY_HANDS, ONE_DEAL, short, unending
from tests.support.peer_screens import Painted
from tests.support.peer_tables import DeviceHere, Tables, tables
from tests.support.random_matches import asking_move, bare_move

SHORT = short(ONE_DEAL)


async def left(match: Tables, number: int) -> DeviceHere:
    """The people at one device go; it, while the others know."""
    leaver = match.devices[number]
    assert await leaver.session.leave.go()
    await match.until(lambda: all(leaver.author in session.match.former_authors for session in match.sessions))
    match.devices.remove(leaver)
    return leaver


def told(session: PeerSession) -> list[str]:
    """The sentences about the newest leave, as this page's log and announcer have them."""
    match = session.match
    index = max(entry.index for entry in match.entries if entry.statement.kind == "leave")
    return [session.wording.event(event, match.view(()).faces) for event in match.events(index)]


def labels(session: PeerSession) -> list[str]:
    """How the seats are read out."""
    match = session.match
    sight = Sight(match.view(session.people), session.wording, PHONE, session.people[0] if session.people else None)
    return [plate.label for plate in plates(sight, seat_rects(match.rules.seats, PHONE.width, PHONE.rem)[0])]


async def test_the_others_play_a_game_of_one_deal_on_to_its_result() -> None:
    async with tables(ONE_DEAL, [1, 2, 3], options=SHORT) as match:
        await match.play(5, Random(1))
        await match.until(match.dealt)
        session = match.sessions[1]
        held = session.match.view((1,)).faces.keys() - session.match.state.public.keys()
        question = peer_bar(WORDS, session, leaving=True)
        assert "the others finish without you" in question
        assert session.match.state.absentees == frozenset()
        leaver = await left(match, 1)
        one, two = match.sessions
        assert told(one) == ["P1 has left; the others play on, and nobody sees what P1 held."]
        assert ["has left" in label for label in labels(two)] == [False, True, False]
        assert one.status.other_authors == (two.author,)
        assert "the others play on to the end" in own_seat(WORDS, leaver.session).lower()
        assert "take-seat" not in own_seat(WORDS, leaver.session)
        with pytest.raises(Refused, match=r"not_your_seat|stranger"):
            await leaver.session.move(1, bare_move(one.match.rules))
        leaver.session.close()
        match.town.leave(leaver.link)
        await match.play(300, Random(2))
        await match.until(match.agreed)
        outcome = one.match.outcome
        assert outcome is not None
        assert not outcome.unfinished
        assert 1 not in outcome.winners
        assert held
        assert held.isdisjoint(one.match.knowledge.keys() | one.match.state.public.keys())
        screen = ResultScreen.__new__(ResultScreen)
        screen.shell, screen.match = Painted(match.devices[0]), one.match  # type: ignore[assignment]
        assert screen.ranking(outcome, one.wording).count("has left") == 1


async def test_in_a_game_of_hands_a_bot_has_the_seat_from_the_next_one_until_it_is_asked_back() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], options=unending(MANY_HANDS), secure=False) as match:
        await match.play(3, Random(3))
        await match.until(match.dealt)
        assert "takes your seat" in peer_bar(WORDS, match.sessions[2], leaving=True)
        leaver = await left(match, 2)
        one = match.sessions[0]
        assert one.match.state.absentees == {2}
        heir = next(device for device in match.devices if device.author == one.match.setup.seats[2].author)
        assert one.match.setup.seats[2].is_bot
        assert "take-seat" in own_seat(WORDS, leaver.session)
        assert "You left this match" in own_seat(WORDS, leaver.session)
        deals = sum(entry.statement.kind == "deal" for entry in one.match.entries)
        while one.match.state.absentees:
            await match.play(1, Random(deals))
        await match.until(lambda: any("A bot plays for P2 from this hand on." in session.wording.event(event, {})  # type: ignore[arg-type]
                                      for session in match.sessions for entry in session.match.entries[-40:]
                                      for event in session.match.events(entry.index)))
        await match.play(6, Random(4))
        assert heir.bots.requests
        leaver.session.close()


async def test_bots_go_with_the_device_that_runs_them() -> None:
    async with tables(ONE_DEAL, [1, 2, 3, Seat("bot", "2", "Bo", "easy")], options=SHORT) as match:
        await match.play(3, Random(6))
        await match.until(match.dealt)
        leaver = await left(match, 1)
        one = match.sessions[0]
        assert one.match.state.absentees == {1, 3}
        await match.play(6, Random(7))
        await match.until(match.agreed)
        assert not any(device.troubles for device in (leaver, *match.devices))
        assert not leaver.session.bots_to_act
        leaver.session.close()


async def test_who_leaves_while_something_is_dealt_is_asked_to_wait_and_may_stay() -> None:
    async with tables(ONE_DEAL, [1, 2, 3], options=SHORT) as match:
        await match.play(3, Random(4))
        await match.until(match.dealt)
        (seat,) = match.sessions[0].acting
        while (asking := asking_move(match.sessions[seat].match, seat)) is None:
            await match.play(1, Random(5))
            await match.until(match.dealt)
            (seat,) = match.sessions[0].acting
        mover, session, slow = match.sessions[seat], match.sessions[seat - 2], match.devices[seat - 1]
        others = [device for device in match.devices if device is not slow]
        for other in others:
            match.town.cut(slow.author, other.author)
        moving = asyncio.ensure_future(mover.move(seat, asking))
        await match.until(lambda: bool(session.match.state.requests))
        leaving = asyncio.ensure_future(session.leave.go())
        await match.until(lambda: session.leave.stage == "waits")
        shown = peer_bar(WORDS, session)
        assert "You leave as soon as that is done" in shown
        assert "stay_after_all" in shown
        await session.leave.stay()
        assert not await leaving
        assert "leave-match" in peer_bar(WORDS, session)
        again = asyncio.ensure_future(session.leave.go())
        await match.until(lambda: session.leave.stage == "waits")
        for other in others:
            match.town.heal(slow.author, other.author)
        await moving
        assert await again
        assert session.match.former_authors == {session.author}


@pytest.mark.parametrize(("game", "words"), [(ONE_DEAL, "the match ends here"), (MANY_HANDS, "the hand is dealt again")])
async def test_of_two_the_one_who_leaves_is_told_what_comes_of_it(game: str, words: str) -> None:
    async with tables(game, [1, 2]) as match:
        await match.until(match.dealt)
        assert words in peer_bar(WORDS, match.sessions[1], leaving=True)
        leaver = await left(match, 1)
        other = match.sessions[0]
        assert (other.match.outcome is not None) == (game == ONE_DEAL)
        assert other.match.state.absentees == frozenset()
        leaver.session.close()


async def test_the_padlock_tells_of_the_leave() -> None:
    async with tables(ONE_DEAL, [1, 2, 3], options=SHORT) as match:
        await match.play(3, Random(1))
        await match.until(match.dealt)
        leaver = await left(match, 0)
        await match.play(2, Random(5))
        session = match.sessions[0]
        await session.flush()
        shell = Painted(match.devices[0])
        screen = VerificationScreen(shell, parse(f"#/match/{session.id}/sealed"))  # type: ignore[arg-type]
        await screen.open()
        assert "1 leave: shares of" in shell.html
        assert ">leaving<" in shell.html
        leaver.session.close()
