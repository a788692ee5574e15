"""What a page makes for a person is all that the person could do, in every game."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.session.forced_moves import ForcedMoves, forced_move, forced_reason
from tabletin.app.session.pacing import BRIEF, READING, Pacing
from tabletin.app.session.seeded_dealer import dealer_for
from tabletin.kernel.match import Match
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import languages, load
from tests.support.bots_here import ME, bot
from tests.support.examples import example_of

BEN = Seat("person", AUTHOR, "Ben")
EVERY_LANGUAGE = [load(language) for language in languages()]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_made_is_all_that_can_be_done_and_legal(game: str, seed: int) -> None:
    for other in (bot(), BEN):
        seats = (ME, *[other] * (rules_of(game).seat_counts[0] - 1))
        setup = Setup(game, rules_of(game).version, {}, seats, extra={"seed": seed})
        table, rng = Table.begin(rules_of(game), setup, dealer_for(setup)), Random(seed)
        for _ in range(40):
            acting = table.match.rules.to_act(table.match.state)
            if not acting:
                break
            forced_is_the_only_move(table.match)
            view = table.match.view((acting[0],))
            table.move(acting[0], view.rules.random_move(view.state, acting[0], view.faces, rng))


def forced_is_the_only_move(match: Match) -> None:
    for seat in match.rules.to_act(match.state):
        move = forced_move(match, seat)
        if move is not None:
            view = match.view((seat,))
            assert list(view.rules.moves(view.state, seat, view.faces)) == [move]
            assert view.refusal(seat, move) is None
            reason = forced_reason(match, seat)
            assert (reason == "") == (move[0] in example_of(match.setup.game).self_evident)
            assert not reason or all(reason in words for words in EVERY_LANGUAGE)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_made_is_a_verb_of_the_game(game: str) -> None:
    rules = rules_of(game)
    assert rules.forced_verbs | rules.forced_verbs_among_bots | rules.brief_verbs <= set(rules.verbs)


def forced_positions(game: str) -> Iterator[tuple[Match, str, bool]]:
    """Positions of a random match in which the first seat has no choice, what it is told as the reason, and whether it did the
    same before."""
    seats = (ME, *[bot()] * (rules_of(game).seat_counts[0] - 1))
    setup = Setup(game, rules_of(game).version, {}, seats, extra={"seed": 1})
    table, rng, before = Table.begin(rules_of(game), setup, dealer_for(setup)), Random(1), ""
    for _ in range(200):
        acting = table.match.rules.to_act(table.match.state)
        if not acting:
            return
        forced = forced_move(table.match, 0) if acting[0] == 0 else None
        if forced is not None:
            yield table.match, forced_reason(table.match, 0), forced[0] == before
        view = table.match.view((acting[0],))
        move = view.rules.random_move(view.state, acting[0], view.faces, rng)
        before = before if acting[0] else move[0]
        table.move(acting[0], move)


async def test_a_new_reason_is_to_be_read_and_the_same_again_is_not() -> None:
    loop, seen = asyncio.get_running_loop(), set[float]()
    for game in GAMES:
        table = SimpleNamespace(is_forcing=True, acting=(0,), people=(0,))
        moves, before = ForcedMoves(cast(Any, table)), ""
        for table.match, reason, is_repeated in forced_positions(game):
            table.pacing, start = Pacing(lambda: 60.0), loop.time()
            table.pacing.note_act(is_brief=True)
            moves.drive()
            for _ in range(4):
                await asyncio.sleep(0)
            paces = BRIEF if is_repeated or not reason else 1.0 if reason == before else READING
            assert 60 * paces <= table.pacing.due - start < 60 * paces + 6
            moves.stop()
            seen.add(paces)
            before = before if is_repeated or not reason else reason
    assert seen == {BRIEF, 1.0, READING}
