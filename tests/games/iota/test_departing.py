"""A seat leaves a game of Iota that the others play to its end: turns, passes in a row, the pile, who wins."""

from __future__ import annotations

from tabletin.bots.determinize import HiddenCards
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tests.games.iota.positions import Position


def leave(game: Position, *seats: int) -> None:
    assert game.rules.can_depart(game.state, *seats)
    game.rules.depart(game.state, *seats)


def test_the_turn_passes_on_and_the_score_stands() -> None:
    game = Position("rc1", "gs2 bt3", seats=3)
    game.state.scores = (7, 20, 9)
    leave(game, 1)
    assert game.state.turn == 0
    assert game.play(("gs2", 1, 0)) == 3
    assert game.state.turn == 2, "the second is passed over"
    assert game.state.scores == (10, 20, 9)
    assert game.state.hands[1] == ()


def test_io_8_all_the_others_have_passed_when_the_last_one_leaves() -> None:
    """It also ends when the pile is empty and every seat passes in a row. Who left does not win, whatever the score."""
    game = Position("rc1", "gs2", seats=3, pile=0)
    game.state.scores = (7, 9, 20)
    game.pass_()
    game.rules.make(game.state, 1, ("pass", (), ()), game.faces)
    leave(game, 2)
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert (outcome.reason, outcome.scores, outcome.winners) == ("iota.ended.passed", (7, 9, 20), (1,))
    assert not outcome.unfinished


def test_io_8_passes_of_who_left_are_not_among_those_in_a_row() -> None:
    """Three times in a row each, with cards in the pile: of two that are left, six passes."""
    game = Position("rc1", "gs2", seats=3)
    for seat in (0, 1, 2, 0, 1):
        assert game.rules.make(game.state, seat, ("pass", (), ()), game.faces) is None
    assert game.state.passes == 5
    leave(game, 1)
    assert (game.state.passes, game.state.turn) == (3, 2)
    for seat in (2, 0, 2):
        assert not game.state.end_reason
        assert game.rules.make(game.state, seat, ("pass", (), ()), game.faces) is None
    assert game.state.end_reason == "iota.ended.passed"


def test_the_last_to_refill_leaves() -> None:
    """Its cards go with it; the pile is as empty as it was, and the next to lay its last card ends the game, doubled (IO-6)."""
    game = Position("rc1", "gs2 bt3", seats=3, pile=0)
    leave(game, 2)
    assert game.play(("gs2", 1, 0), ("bt3", 2, 0)) == 6 * 2
    assert game.state.end_reason == "iota.ended.out"


def test_what_left_is_nowhere_else_as_far_as_one_has_seen_it() -> None:
    """A card that was traded under the pile, drawn by another and taken along: no imagined world has it again."""
    game = Position("rc1", "gs2 bt3", seats=3)
    traded = game.state.hands[2][0]
    game.faces[traded] = "yx4"
    game.state.viewers[traded] = 0b101
    leave(game, 2)
    known = Faces({card: game.faces[card] for card in (traded, *game.state.hands[0], *game.state.public)})
    unseen = HiddenCards(View(game.rules, game.state, (0,), known))
    assert all("yx4" not in faces for _, faces in unseen.groups)
    assert sum(len(faces) for _, faces in unseen.groups) == 66 - len(known)


def test_io_9_young_children_who_left_keep_their_count_and_do_not_win() -> None:
    game = Position("rc1", "gs2 bt3 yx4", seats=3, pile=0, others=2, young_children=True)
    leave(game, 1)
    assert game.rules.standings(game.state) == (3, 2, 2)
    game.pass_()
    game.rules.make(game.state, 2, ("pass", (), ()), game.faces)
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((3, 2, 2), (2,))
