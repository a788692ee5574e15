"""What is no choice is made for a person, as the person would make it, where it is wanted and where haste tells nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

from tabletin.app.session.forced_moves import forced_move
from tabletin.app.session.local import LocalSession
from tabletin.app.session.seeded_dealer import dealer_for
from tabletin.app.session.session import SessionContext
from tabletin.app.storage.matches import MemoryMatches, SingleTab
from tabletin.app.table.undo import available_undo
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tests.support.bots_here import ME, WORDS, BotsHere, bot

BEN = Seat("person", AUTHOR, "Ben")


def dominoes(*seats: Seat, seed: int = 1, game: str = "dominoes") -> Setup:
    return Setup(game, rules_of(game).version, {}, seats, extra={"seed": seed})


def context(forces: bool = True) -> SessionContext:
    return SessionContext(MemoryMatches(), SingleTab(), BotsHere(), WORDS, forces=lambda: forces)


def a_seed_that_forces(*seats: Seat, game: str = "dominoes") -> Setup:
    """A match whose first question the first seat can only answer in one way."""
    for seed in range(50):
        setup = dominoes(*seats, seed=seed, game=game)
        if forced_move(Table.begin(rules_of(game), setup, dealer_for(setup)).match, 0) is not None:
            return setup
    raise AssertionError


async def until_it_rests(session: LocalSession) -> None:
    for _ in range(40):
        await asyncio.sleep(0.005)


async def test_a_person_is_not_asked_for_what_is_no_choice() -> None:
    setup = a_seed_that_forces(ME, BEN)
    session = await LocalSession.begin(setup, context())
    assert session.forced_moves.move_of(0) == ("none",)
    await until_it_rests(session)
    assert all(session.forced_moves.move_of(seat) is None for seat in session.acting)
    said = [entry.statement.body["seat"] for entry in session.match.entries if entry.statement.kind == "move"]
    assert 0 in said
    session.close()


async def test_whoever_taps_everything_is_asked() -> None:
    session = await LocalSession.begin(a_seed_that_forces(ME, BEN), context(forces=False))
    await until_it_rests(session)
    assert not any(entry.statement.kind == "move" for entry in session.match.entries)
    assert session.forced_moves.move_of(0) is None
    session.close()


async def test_what_was_taken_back_is_not_made_again_unasked() -> None:
    session = await LocalSession.begin(a_seed_that_forces(ME, bot()), context(forces=False))
    await session.move(0, ("none",))
    index = len(session.match.entries) - 1
    found = available_undo(session.match, 0)
    assert found is not None and found.target < index
    session.context = replace(session.context, forces=lambda: True)
    await session.undo(0, found.target, found.practice)
    entries = len(session.match.entries)
    assert session.forced_moves.move_of(0) is None
    await asyncio.sleep(0.02)
    assert not any(entry.statement.kind == "move" and entry.statement.body["seat"] == 0
                   for entry in session.match.entries[entries:])
    session.close()


async def test_undo_means_the_last_move_that_was_a_choice() -> None:
    session = await LocalSession.begin(a_seed_that_forces(ME, bot()), context())
    rng = Random(4)
    chosen: int | None = None
    for _ in range(200):
        await asyncio.sleep(0.005)
        match = session.match
        if 0 in session.acting and session.forced_moves.move_of(0) is None and match.outcome is None:
            if chosen is not None:
                break
            view = match.view((0,))
            await session.move(0, view.rules.random_move(view.state, 0, view.faces, rng))
            chosen = next(entry.index for entry in reversed(session.match.entries) if entry.statement.kind == "move"
                          and entry.statement.body["seat"] == 0)
    assert chosen is not None
    own = [entry.index for entry in session.match.entries if entry.statement.kind == "move" and entry.statement.body["seat"] == 0]
    forced = [index for index in own if session.forced_moves.was_made(0, index)]
    assert chosen not in forced and forced, "some were forced, and the one chosen was not"
    assert available_undo(session.match, 0, lambda index: session.forced_moves.was_made(0, index)) is not None
    assert available_undo(session.match, 0, lambda index: True) is None, "nobody has chosen anything to take back"
    session.close()


def test_haste_never_tells_other_people_what_the_move_does_not() -> None:
    """In Matador a seat with a matador may draw, too: among people a draw is made by hand (DO-7)."""
    rules = rules_of("matador")
    assert "draw" not in rules.forced_verbs and "draw" in rules.forced_verbs_among_bots
    for game in ("dominoes", "tiddle-a-wink"):
        assert rules_of(game).forced_verbs >= {"none", "pass"}
