"""Doubt, ruling by ruling: DB-1, DB-2, DB-3, DB-4. This is what the tests of a game's own look like."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.bots.decision import Position
from tabletin.kernel.deck52 import rank_of
from tabletin.kernel.faces import Card
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.table import Table
from tests.example.doubt.bot import LEVELS, choose
from tests.example.doubt.rules import Doubt
from tests.support.random_matches import begin


def table(seats: int = 2, seed: int = 1, **options: object) -> Table:
    return begin(("doubt", seats, {"ranks": 6, **options}), seed)


def card_of(table: Table, seat: int, rank: str, *, other: bool = False) -> Card:
    """A card of that rank in the hand of ``seat``, or one of another rank."""
    match = table.match
    hand: tuple[Card, ...] = match.state.hands[seat]
    return next(card for card in hand if (rank_of(match.knowledge[card]) == rank) is not other)


def ranks(match: Match) -> tuple[str, ...]:
    assert isinstance(match.rules, Doubt)
    return match.rules.ranks


def test_DB_1_all_cards_are_dealt_and_ranks_go_round() -> None:
    match = table(5).match
    assert sorted(map(len, match.state.hands), reverse=True) == [5, 5, 5, 5, 4]
    assert ranks(match) == ("A", "2", "3", "4", "5", "6")
    playing = table(2)
    for number in range(7):
        assert playing.match.state.due == number % 6
        playing.move(number % 2, ("lay", playing.match.state.hands[number % 2][0]))


def test_DB_2_a_lie_lies_face_down_like_the_truth() -> None:
    playing = table()
    lie = card_of(playing, 0, "A", other=True)
    playing.move(0, ("lay", lie))
    match = playing.match
    assert match.state.heap == (lie,) and lie not in match.state.public
    assert lie not in match.view((1,)).faces and lie in match.view((0,)).faces


def test_DB_3_there_must_be_a_card_to_doubt() -> None:
    with pytest.raises(Refused, match="nothing_laid"):
        table().move(0, ("doubt",))


@pytest.mark.parametrize("honest", [True, False])
def test_DB_3_who_was_wrong_takes_the_heap_and_the_other_goes_on(honest: bool) -> None:
    playing = table()
    match = playing.match
    before = tuple(map(len, match.state.hands))
    playing.move(0, ("lay", card_of(playing, 0, "A", other=not honest)))
    playing.move(1, ("doubt",))
    state = match.state
    assert state.heap == () and state.turn == (0 if honest else 1)
    assert tuple(map(len, state.hands)) == ((before[0] - 1, before[1] + 1) if honest else before)


def test_DB_3_nobody_can_follow_the_cards_of_a_heap_that_was_taken() -> None:
    playing = table()
    lie = card_of(playing, 0, "A", other=True)
    playing.move(0, ("lay", lie))
    playing.move(1, ("doubt",))
    match = playing.match
    assert lie not in match.state.hands[0] and not match.state.public
    assert not match.view((1,)).faces.keys() & set(match.state.hands[0])


@pytest.mark.parametrize(("reply", "wins"), [("lay", True), ("doubt in vain", True), ("doubt", False)])
def test_DB_4_the_last_card_must_be_believed_or_true(reply: str, wins: bool) -> None:
    for seed in range(40):
        playing = table(2, seed, ranks=4)
        match = playing.match
        while len(match.state.hands[0]) > 1 or match.state.turn:
            seat = match.state.turn
            playing.move(seat, ("lay", match.state.hands[seat][0]))
        last, due = match.state.hands[0][0], ranks(match)[match.state.due]
        honest = rank_of(match.knowledge[last]) == due
        if honest is not (reply == "doubt in vain"):
            continue
        playing.move(0, ("lay", last))
        playing.move(1, ("lay", match.state.hands[1][0]) if reply == "lay" else ("doubt",))
        assert (match.outcome is not None and match.outcome.winners == (0,)) is wins
        return
    raise AssertionError("no such deal")


@pytest.mark.parametrize("level", LEVELS)
def test_bots_doubt_a_last_card(level: str) -> None:
    playing = table(2, 3, ranks=4)
    match = playing.match
    while match.state.hands[0] or not match.state.turn:
        seat = match.state.turn
        playing.move(seat, ("lay", match.state.hands[seat][0]))
    assert choose(Position(match.view((1,)), 1, level, Random(1))).move == ("doubt",)
