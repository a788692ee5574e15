"""Writing a round down (DO-4), the rulebook's example (DO-9), and what it costs to be found out (DO-10)."""

from __future__ import annotations

import pytest

from tabletin.games.dominoes.scoring import every_difference, one_difference, score
from tests.games.dominoes.positions import Round


def test_do_9_the_rulebooks_example_scores_21() -> None:
    """Player A has 5 left, B 19 and C 12: 14 + 7 = 21."""
    assert score((5, 19, 12), None, (), every_difference) == (0, (21, 0, 0))


def test_do_9_played() -> None:
    """The same on the table: blocked, with 5, 19 and 12 in hand."""
    game = Round("dominoes", ["6-6 5-0 4-0 3-0 2-0", "6-3 6-1 5-4 5-3 4-2", "6-4 5-2 4-1 3-2 2-1"], set=6).led()
    game.hold("5-0", "6-4 5-4", "5-2 3-2", ends=(1, 1), pile="")
    for seat in (1, 2, 0):
        game.do(seat, "pass")
    assert game.state.last_count is not None
    assert game.state.last_count.pips == (5, 19, 12)
    assert game.state.totals == (21, 0, 0)
    (won,) = game.told("dominoes.log.won")
    assert (won.seat, won.params["n"]) == (0, 21)


@pytest.mark.parametrize(("pips", "out", "blocked", "result"), [
    ((0, 19, 12), 0, every_difference, (0, (31, 0, 0))),  # going out: all that is left in the others' hands
    ((0, 0, 12), 1, every_difference, (1, (0, 12, 0))),  # seat 0 holds the 0-0: no tie, seat 1 went out
    ((0, 0), 1, every_difference, (1, (0, 0))),  # against blanks alone it wins 0
    ((5, 5, 12), None, every_difference, (None, (0, 0, 0))),  # a tie for lowest scores nothing
    ((7, 5, 12), None, every_difference, (1, (0, 9, 0))),
    ((7, 5, 12), None, one_difference, (1, (0, 14, 0))),  # Tiddle-A-Wink: its own pips come off once
    ((7, 0, 12), 1, one_difference, (1, (0, 19, 0))),
])
def test_do_4_scores(pips: tuple[int, ...], out: int | None, blocked: object, result: object) -> None:
    assert score(pips, out, (), blocked) == result  # type: ignore[arg-type]


@pytest.mark.parametrize(("pips", "out", "liars", "result"), [
    ((5, 19, 12), None, (1,), (0, (7, -19, 0))),  # it loses the most pips of any hand, and counts for nobody
    ((5, 19, 12), None, (0,), (2, (-19, 0, 7))),  # the lowest hand cannot win if it lied
    ((0, 19, 12), 0, (0,), (2, (-19, 0, 7))),  # nor can the one that went out: the others as in a blocked round
    ((0, 19, 12), 0, (1,), (0, (12, -19, 0))),
    ((5, 19), None, (1,), (0, (0, -19))),  # nobody is left to score from
    ((5, 19), None, (0, 1), (None, (-19, -19))),
    ((5, 19, 5), None, (1,), (None, (0, -19, 0))),
])
def test_do_10_scores_without_the_liar(pips: tuple[int, ...], out: int | None, liars: tuple[int, ...], result: object) -> None:
    assert score(pips, out, liars, every_difference) == result
