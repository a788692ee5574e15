"""TooT Pursuit and Fluke TooT: turns, one TooT on the table, the last turns (TO-4, TO-6, TO-7)."""

from __future__ import annotations

import pytest

from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Roll, Show
from tests.games.toot.scene import Scene


def pursuit(*hands: str, pile: str, **options: object) -> Scene:
    scene = Scene("toot-pursuit", *hands, pile=pile, **options)
    scene.state.turn = 0
    return scene


def turn(scene: Scene, play: str = "") -> str | None:
    """The seat whose turn it is draws, and lays ``play`` or nothing."""
    seat = scene.state.turn
    if not scene.state.drawn:
        assert scene.move(seat, scene.rules.draw_verb) is None
        scene.answer()
    return scene.move(seat, "play", play) if play else scene.move(seat, "pass")


def test_the_example_of_pursuit() -> None:
    """The rulebook's worked example, and TO-4, TO-7: a point each, whatever the size.

    A purple; a 2 on red with yellow and the purple; a 1 on that; and a 2 on two TooTs, a 1 on top of it, and a 2 on
    that 1 and the TooT on the table.
    """
    scene = pursuit("", "2 red", "", "2 2 1 green", pile="purple yellow 1 orange")
    assert turn(scene, "purple") is None
    assert turn(scene, "2[red+yellow, table]") is None
    assert turn(scene, "1[table]") is None
    assert turn(scene, "2[1[2[orange, green]], table]") is None
    assert scene.table == "2[1[2[orange, green]], 1[2[red+yellow, purple]]]"
    assert scene.state.top_face == "2"
    assert scene.state.points == (1, 1, 1, 1)


def test_the_first_toot_may_be_of_any_cards_that_form_one() -> None:
    """TO-7."""
    scene = pursuit("2 red blue", "", pile="green 1")
    assert turn(scene, "2[green, red+blue]") is None
    assert scene.state.points == (1, 0)


def test_a_card_that_is_no_toot_stays_in_hand() -> None:
    scene = pursuit("", "", pile="red 1")
    assert turn(scene, "red") == "lone_primary"
    assert scene.move(0, "pass") is None
    assert scene.hand(0) == "red"
    assert scene.state.points == (0, 0)


def test_only_one_toot_may_be_left() -> None:
    """TO-7."""
    scene = pursuit("", "orange", pile="purple green 1")
    turn(scene, "purple")
    assert turn(scene, "green") == "not_one_table"
    assert scene.move(1, "play", "green, orange") == "not_one_table"
    assert scene.table == "purple"


def test_one_play_a_turn_and_a_draw_first() -> None:
    """TO-7: at most one point a turn."""
    scene = pursuit("purple", "1", pile="orange 2 red")
    assert scene.move(0, "play", "purple") == "draw_first"
    assert scene.move(0, "pass") == "draw_first"
    assert scene.move(0, "draw") is None
    scene.answer()
    assert scene.move(0, "draw") == "drawn"
    assert scene.move(0, "play", "purple") is None
    assert scene.state.turn == 1
    assert scene.move(0, "draw") == "kernel.not_your_turn"


def test_cards_not_held_and_cards_used_twice_are_refused() -> None:
    scene = pursuit("purple", "", pile="1 1")
    assert turn(scene, "green") == "not_held"
    card = scene.state.hands[0][0]
    double = ("play", ((((card, None), (card, None)), ()),))
    found = scene.rules.make(scene.state, 0, double, scene.faces)
    assert found is not None
    assert found.key == "toot.refuse.twice"


def test_the_last_turns_go_round_from_the_left_of_the_last_drawer() -> None:
    """TO-7, and TO-6: one more turn each, without a draw, the one that drew last coming last."""
    scene = pursuit("green", "1 1", "2 red", pile="purple red")
    scene.state.turn = 1
    assert turn(scene, "purple") is None
    assert turn(scene) is None  # seat 2 draws the last card
    assert scene.state.closing
    order = []
    while scene.rules.to_act(scene.state):
        seat, = scene.rules.to_act(scene.state)
        order.append(seat)
        assert scene.move(seat, "draw") == "drawn"
        assert scene.move(seat, "pass") is None
    assert order == [0, 1, 2]
    outcome = scene.rules.outcome(scene.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((0, 1, 0), (1,))


def test_a_seat_without_cards_is_passed_over_in_the_last_turns() -> None:
    scene = pursuit("", "red", "", pile="purple")
    assert turn(scene, "purple") is None
    assert scene.rules.to_act(scene.state) == (1,)
    assert scene.move(1, "pass") is None
    assert scene.state.end_reason


def test_most_points_win_and_ties_share() -> None:
    """TO-7."""
    scene = pursuit("", "1", pile="purple")
    turn(scene, "purple")
    assert turn(scene, "1[table]") is None
    outcome = scene.rules.outcome(scene.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.low_wins) == ((1, 1), (0, 1), False)


def test_fluke_rolls_and_draws_that_many() -> None:
    """TO-6: any cards in hand may be used."""
    scene = Scene("toot-fluke", "red", "", pile="blue 1 2 green yellow", first_seat="1")
    scene.state.turn = 0
    assert scene.move(0, "play", "red+red") == "roll_first"
    assert scene.move(0, "roll") is None
    assert scene.state.requests == (Roll(6, "die"),)
    scene.answer(roll=3)
    assert scene.hand(0) == "red blue 1 2"
    assert scene.state.roll == 3
    assert scene.move(0, "play", "1[red+blue]") is None
    assert scene.hand(0) == "2"
    assert scene.rules.standings(scene.state) == (1, 0)


def test_fluke_draws_fewer_if_the_deck_ends_and_ends_with_a_turn_each() -> None:
    """TO-6: from the left of the one that drew last, without a roll; fewest cards win."""
    scene = Scene("toot-fluke", "red red", "blue", "2 green", pile="purple yellow")
    scene.state.turn = 1
    scene.move(1, "roll")
    scene.answer(roll=6)
    assert scene.hand(1) == "blue purple yellow"
    assert scene.move(1, "play", "purple") is None
    assert scene.rules.to_act(scene.state) == (2,)
    assert scene.move(2, "roll") == "drawn"
    assert scene.move(2, "play", "2[green, table]") is None
    assert scene.move(0, "pass") is None
    assert scene.move(1, "play", "blue+yellow") == "not_one_table"
    assert scene.move(1, "pass") is None
    outcome = scene.rules.outcome(scene.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.low_wins) == ((2, 2, 0), (2,), True)


def test_nobody_has_to_play() -> None:
    """TO-6, TO-7: a play is a choice."""
    for game in ("toot-fluke", "toot-pursuit"):
        scene = Scene(game, "purple", "", pile="purple 1 1")
        scene.state.turn = 0
        assert turn(scene) is None
        assert scene.table == ""
        assert scene.state.turn == 1


def test_an_x_on_top_keeps_what_it_was_stated_as() -> None:
    """TO-4: for good."""
    scene = pursuit("X", "2 1", pile="purple green green")
    turn(scene, "X=1[purple]")
    assert scene.state.top_face == "1"
    assert turn(scene, "1[table]") == "touch_one"
    assert scene.move(1, "play", "2[green, table]") is None
    assert scene.table == "2[green, X=1[purple]]"


@pytest.mark.parametrize("game", ["toot-fluke", "toot-pursuit"])
def test_who_begins(game: str) -> None:
    """A seat of one's choice, or a roll; a seat that is not there is refused."""
    scene = Scene(game, "", "", first_seat="2")
    scene.state = scene.rules.start()
    scene.answer()
    assert scene.state.turn == 1
    chance = Scene(game, "", "")
    chance.state = chance.rules.start()
    chance.answer_one()
    assert chance.state.requests == (Roll(2, "first"),)
    assert chance.rules.to_act(chance.state) == ()
    with pytest.raises(Refused):
        Scene(game, "", "", first_seat="3")


def test_a_draw_is_shown_to_its_seat_alone() -> None:
    scene = pursuit("", "", pile="red 1")
    card = scene.state.pile[0]
    scene.move(0, "draw")
    assert scene.state.requests == (Show((card,), 0),)
    scene.answer()
    assert scene.state.viewers == {card: 1}
    assert card not in scene.state.public
