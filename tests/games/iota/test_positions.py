"""Iota positions, from the rulebook and from our own reading of it; each names the ruling it rests on.

IO-1, IO-2, IO-3, IO-4, IO-5, IO-6, IO-7, IO-8, IO-9, IO-10.
"""

from __future__ import annotations

import pytest

from tabletin.games.iota.rules import Iota
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Shuffle
from tests.games.iota.positions import Position

Play = list[tuple[str, int, int]]


def test_IO_10_the_rulebooks_example_scores_6_6_34_208() -> None:
    """The four turns of the printed example."""
    game = Position("gc2")
    game.give("rt2 bx2 yc1 yc4")
    assert game.play(("rt2", 1, 0), ("bx2", 2, 0)) == 6
    game.give("rx1 gx3 yc1 yc4")
    assert game.play(("rx1", 2, -1), ("gx3", 2, 1)) == 6  # on both sides of the blue cross: they needn't touch
    game.give("ys2 yc3 gc1 gc4")
    assert game.play(("ys2", 3, 0), ("yc3", 3, -1)) == (8 + 4 + 5) * 2
    game.give("yx1 yx2 yx3 yx4")
    assert game.play(("yx2", 1, -2), ("yx4", 2, -2), ("yx1", 3, -2), ("yx3", 4, -2)) == (10 + 10 + 6) * 8
    assert game.state.scores[0] == 6 + 6 + 34 + 208


SCORED: list[tuple[str, str, str, Play, int]] = [
    # what, picture, hand, play, points
    ("two cards always make a line", "rc1", "gs2 bc3", [("gs2", 1, 0)], 3),
    ("a line of three, all different", "rc1 gs2", "bt3 yc1", [("bt3", 2, 0)], 6),
    ("a line of three, all the same colour and shape", "rc1 rc2", "rc4 yc1", [("rc4", 2, 0)], 7),
    ("two cards at once on one end", "rc1", "rc2 rc3 ys1", [("rc2", 1, 0), ("rc3", 2, 0)], 6),
    ("one at each end of a line", "rc2 gc2", "bc2 yc2 rs1", [("bc2", -1, 0), ("yc2", 2, 0)], 8 * 2),
    ("named in any order", "rc2 gc2", "bc2 yc2 rs1", [("yc2", 2, 0), ("bc2", -1, 0)], 8 * 2),
    ("a gap filled between two cards", "rc1 . rc3", "rc2 ys1", [("rc2", 1, 0)], 6),
    ("two gaps closed by one line of four", "rc1 . rc3 .", "rc2 rc4 ys1", [("rc2", 1, 0), ("rc4", 3, 0)], 10 * 2),
    ("a lot doubles", "rc1 rc2 rc3", "rc4 ys1", [("rc4", 3, 0)], 20),
    ("a card in two lines counts twice", "rc1 gs3/. ./. .", "bt2 yc1", [("bt2", 0, 1)], 3),
    ("a corner: column and row", "rc1 ./. gs3", "bt2 yc1", [("bt2", 1, 0)], (1 + 2) + (2 + 3)),
    ("two lots by one card", "rc1 rc2 rc3 ./. . . gs4/. . . bt4/. . . yx4", "rc4 ys1", [("rc4", 3, 0)], (10 + 16) * 4),
    ("four cards double", "rc1", "gc1 gs2 gt3 gx4", [("gc1", 0, 1), ("gs2", 1, 1), ("gt3", 2, 1), ("gx4", 3, 1)],
     (2 + 10) * 4),  # a lot and all four cards
    ("four cards into a line of their own beside the grid", "rc1 rc2", "yc4 ys4 yt4 yx4",
     [("yc4", 0, 1), ("ys4", 1, 1), ("yt4", 2, 1), ("yx4", 3, 1)], (5 + 6 + 16) * 4),
    ("a wild is worth nothing", "rc1", "wild ys1", [("wild", 1, 0)], 1),
    ("a wild completes a lot", "rc1 rc2 rc3", "wild ys1", [("wild", 3, 0)], 6 * 2),
    ("a wild bridges two lines", "rc1 . gc4", "wild ys1", [("wild", 1, 0)], 5),
    ("both wilds in one line", "rc1", "wild wild ys1", [("wild", 1, 0), ("wild", 2, 0)], 1),
    ("a lot of two cards and two wilds", "rc1 gs1", "wild wild ys1", [("wild", 2, 0), ("wild", 3, 0)], 2 * 2),
    ("a wild as the double of a card in play (IO-4)", "rc1 rc2 rc3/rc4 . .", "wild ys1", [("wild", 3, 0)], 6 * 2),
    ("an extended line counts whole", "rc4 gc4", "bc4 ys1", [("bc4", -1, 0)], 12),
    ("an untouched line does not count", "rc4 gc4/. bs1", "bt3 ys1", [("bt3", 2, 1)], 1 + 3),
]


@pytest.mark.parametrize(("what", "picture", "hand", "play", "points"), SCORED, ids=[row[0] for row in SCORED])
def test_IO_6_scores(what: str, picture: str, hand: str, play: Play, points: int) -> None:
    assert Position(picture, hand).play(*play) == points


REFUSED: list[tuple[str, str, str, Play, str]] = [
    ("two of a colour and one other", "rc1 rc2", "gc3 ys1", [("gc3", 2, 0)], "misfit_colour"),
    ("two of a shape and one other", "rc1 rc2", "rs3 ys1", [("rs3", 2, 0)], "misfit_shape"),
    ("two of a number and one other", "rc1 rc1", "rc3 ys1", [("rc3", 2, 0)], "misfit_number"),
    ("a fifth card", "rc1 rc2 rc3 rc4", "wild ys1", [("wild", 4, 0)], "too_long"),
    ("two lines joined to five", "rc1 rc2 . rc3 rc4", "wild ys1", [("wild", 2, 0)], "too_long"),
    ("a gap between one's cards", "rc1", "rc2 rc3", [("rc2", 1, 0), ("rc3", 3, 0)], "gap"),
    ("a bend", "rc1", "rc2 rc3", [("rc2", 1, 0), ("rc3", 2, 1)], "not_straight"),
    ("two lines apart in one column of the plane", "rc1", "rc2 rc3", [("rc2", 0, -1), ("rc3", 0, 2)], "gap"),
    ("not touching the grid", "rc1", "rc2 ys1", [("rc2", 2, 0)], "not_touching"),
    ("touching only by a corner", "rc1", "rc2 ys1", [("rc2", 1, 1)], "not_touching"),
    ("on top of a card", "rc1 rc2", "rc3 ys1", [("rc3", 1, 0)], "occupied"),
    ("two cards on one cell", "rc1", "rc2 rc3", [("rc2", 1, 0), ("rc3", 1, 0)], "occupied"),
    ("the cross line is wrong", "rc1 rs2/. ./. gs2", "rc3 rt3 ys1", [("rc3", 1, 1)], "misfit_colour"),
    ("no card fits both lines of the wild", "rc1 rc2 . gs1/. . gt1 .", "wild ys1", [("wild", 2, 0)], "misfit_colour"),
    ("a wild cannot be red and not red (IO-4)", "rc1 rc2 ./. . gc1/. . bc1", "wild ys1", [("wild", 2, 0)], "wild_misfit"),
    ("two wilds in one line, one held fast elsewhere (IO-4)", "rc1 wild ./. gs2 ./. bs3 .", "rc2 rc3 ys1",
     [("rc2", 2, 0), ("rc3", 3, 0)], "wild_misfit"),
]


@pytest.mark.parametrize(("what", "picture", "hand", "play", "reason"), REFUSED, ids=[row[0] for row in REFUSED])
def test_IO_3_refusals(what: str, picture: str, hand: str, play: Play, reason: str) -> None:
    position = Position(picture, hand)
    before = position.state.copy()
    assert position.play(*play) == reason
    assert position.state == before


def test_IO_4_two_wilds_are_judged_jointly() -> None:
    """Red, red, wild, wild: both must be red; each is free until another line says otherwise."""
    free = Position("rc1 rc2 wild .", "wild ys1")
    assert free.play(("wild", 3, 0)) == 3 * 2
    held = Position("rc1 rc2 wild ./. . gs3 ./. . bs4 .", "wild ys1")  # a third red line cannot also be green-and-blue's
    assert held.play(("wild", 3, 0)) == "wild_misfit"


def test_IO_4_differing_wilds_need_different_values() -> None:
    """Red, green, wild, wild: blue and yellow in one order or the other, but not both blue."""
    picture = "rc1 gc2 wild wild/. . bs3 ./. . bt3 ."  # the first wild must be blue
    assert Position(picture, "ys4 ys1").play(("ys4", 3, 1)) == (3 + 4) + 4
    both = Position("rc1 gc2 wild wild/. . bs3 bs4/. . bt3 .", "bt4 ys1")
    assert both.play(("bt4", 3, 2)) == "wild_misfit"  # the second would have to be blue as well


def test_IO_5_recycling_gives_the_wild_to_hand_and_scores_nothing() -> None:
    position = Position("rc1 wild rc3", "rc2 gs1 gs2 gs3")
    wild = position.at(1, 0)
    assert position.pass_(recycle=(((1, 0), "rc2"),)) is None
    assert wild in position.state.hands[0] and len(position.state.hands[0]) == 4
    assert position.state.scores == (0, 0) and position.state.passes == 1  # recycling and passing is a pass


def test_IO_5_a_recycled_wild_may_be_played_at_once() -> None:
    position = Position("rc1 wild rc3", "rc2 gs1 gs2 gs3")
    assert position.play(("wild", 3, 0), recycle=(((1, 0), "rc2"),)) == 6 * 2


def test_IO_5_a_recycled_wild_may_be_traded_at_once() -> None:
    position = Position("rc1 wild rc3", "rc2 gs1 gs2 gs3")
    wild = position.at(1, 0)
    assert position.pass_("wild", "gs1", recycle=(((1, 0), "rc2"),)) is None
    assert position.state.pile[-2] == wild
    assert len(position.state.hands[0]) == 4


def test_IO_5_what_takes_a_wilds_place_must_fit_every_line() -> None:
    assert Position("rc1 wild rc3", "gc2 gs1").pass_(recycle=(((1, 0), "gc2"),)) == "recycle_misfit"
    assert Position("rc1 wild rc3/. gs2 ./. bs2 .", "rc2 gs1").pass_(recycle=(((1, 0), "rc2"),)) == "recycle_misfit"


def test_IO_5_a_wild_does_not_take_a_wilds_place() -> None:
    assert Position("rc1 wild rc3", "wild gs1").pass_(recycle=(((1, 0), "wild"),)) == "wild_for_wild"


def test_IO_5_both_wilds_recycled_and_both_played() -> None:
    position = Position("rc1 wild wild", "rc2 rc3 gs1 gs2")
    assert position.play(("wild", 0, 1), ("wild", 0, 2), recycle=(((1, 0), "rc2"), ((2, 0), "rc3"))) == 1


def test_IO_5_the_second_wild_must_still_fit_after_the_first_swap() -> None:
    position = Position("rc1 wild wild", "rc2 gc3 gs1 gs2")
    assert position.pass_(recycle=(((1, 0), "rc2"), ((2, 0), "gc3"))) == "recycle_misfit"


def test_IO_2_a_wild_starter_is_worth_nothing_and_can_be_recycled() -> None:
    assert Position("wild", "rc4 gs1").play(("rc4", 1, 0)) == 4
    assert Position("wild", "rc4 gs1").play(("wild", 1, 0), recycle=(((0, 0), "rc4"),)) == 4


def test_IO_7_a_trade_goes_under_the_pile_in_the_order_chosen() -> None:
    position = Position("rc1", "gs1 gs2 gs3 gs4", pile=3)
    first, second = position.card("gs3"), position.card("gs1")
    top = position.state.pile[:2]
    assert position.pass_("gs3", "gs1") is None
    assert position.state.pile[-2:] == (first, second)
    assert position.state.hands[0][-2:] == top


def test_IO_7_from_a_short_pile_ones_own_cards_may_come_back() -> None:
    position = Position("rc1", "gs1 gs2 gs3 gs4", pile=1)
    first, second = position.card("gs1"), position.card("gs2")
    assert position.pass_("gs1", "gs2") is None
    assert first in position.state.hands[0]
    assert position.state.pile == (second,)


def test_IO_7_with_the_pile_empty_a_trade_is_refused() -> None:
    assert Position("rc1", "gs1 gs2", pile=0).pass_("gs1") == "trade_empty"
    assert Position("rc1", "gs1 gs2", pile=0).pass_() is None


def test_IO_6_the_last_card_with_the_pile_empty_doubles_and_ends() -> None:
    position = Position("rc1", "rc2", pile=0)
    assert position.play(("rc2", 1, 0)) == 3 * 2
    outcome = position.rules.outcome(position.state)
    assert outcome is not None and outcome.winners == (0,) and outcome.reason == "iota.ended.out"


def test_IO_6_all_doublings_together() -> None:
    """Four cards, a lot, and the last cards of the game: × 2 × 2 × 2."""
    position = Position("rc1", "gc1 gs2 gt3 gx4", pile=0)
    assert position.play(("gc1", 0, 1), ("gs2", 1, 1), ("gt3", 2, 1), ("gx4", 3, 1)) == (2 + 10) * 8


def test_IO_6_the_last_cards_with_a_pile_left_do_not_end_it() -> None:
    position = Position("rc1", "rc2", pile=1)
    assert position.play(("rc2", 1, 0)) == 3
    assert position.rules.outcome(position.state) is None
    assert len(position.state.hands[0]) == 1 and position.state.pile == ()


def test_IO_8_an_empty_pile_and_a_round_of_passes_ends_without_doubling() -> None:
    position = Position("rc1", "gs1", pile=0, seats=3)
    position.state.scores = (5, 9, 9)
    for seat in range(3):
        assert position.rules.outcome(position.state) is None
        assert position.rules.make(position.state, seat, ("pass", (), ()), position.faces) is None
    outcome = position.rules.outcome(position.state)
    assert outcome is not None and outcome.winners == (1, 2)  # final ties are shared (IO-2)
    assert outcome.scores == (5, 9, 9)


def test_IO_8_three_rounds_of_passes_end_it_with_a_pile_left() -> None:
    position = Position("rc1", "gs1", pile=5)
    for turn in range(6):
        assert position.rules.outcome(position.state) is None
        assert position.rules.make(position.state, turn % 2, ("pass", (), ()), position.faces) is None
    assert position.rules.outcome(position.state) is not None


def test_IO_8_a_play_between_starts_the_count_anew() -> None:
    position = Position("rc1", "gs1", pile=0)
    position.rules.make(position.state, 0, ("pass", (), ()), position.faces)
    position.state.turn = 0
    position.give("gs1 gs2")
    assert position.play(("gs1", 1, 0)) == 2
    assert position.state.passes == 0


def test_IO_8_a_full_square_of_lots_takes_no_card() -> None:
    square = ("rc1 gs2 bt3 yx4/gs3 rc4 yx1 bt2/bt4 yx3 rc2 gs1/yx2 bt1 gs4 rc3")
    position = Position(square, "wild wild rc1 gs2")
    assert [move for move in position.rules.moves(position.state, 0, position.faces) if move[0] == "play"] == []


def test_IO_9_the_half_deck_has_both_wilds_and_32_cards() -> None:
    rules = Iota(2, {"half_deck": True})
    state = rules.start()
    whole = state.requests[0]
    assert isinstance(whole, Shuffle) and len(whole) == 64
    request, cards = state.settle(None)
    rules.take_answer(state, request, cards, None)
    assert len(state.set_aside) == 32
    half = state.requests[0]
    assert isinstance(half, Shuffle) and len(half) == 34 and half.faces == ("wild", "wild")


def test_IO_9_young_children_win_by_being_out_first() -> None:
    position = Position("rc1", "rc2", pile=0, seats=3, young_children=True)
    assert position.play(("rc2", 1, 0)) == 0
    outcome = position.rules.outcome(position.state)
    assert outcome is not None and outcome.winners == (0,) and outcome.scores == (0, 4, 4) and outcome.low_wins


def test_IO_9_young_children_all_passing_fewest_cards_win() -> None:
    position = Position("rc1", "gs1 gs2", pile=0, seats=2, young_children=True)
    for seat in range(2):
        position.rules.make(position.state, seat, ("pass", (), ()), position.faces)
    outcome = position.rules.outcome(position.state)
    assert outcome is not None and outcome.winners == (0,)


def test_IO_9_young_children_broken_off_fewest_cards_are_best() -> None:
    position = Position("rc1", "gs1 gs2", pile=0, seats=3, young_children=True)
    position.state.broken_off = True
    outcome = position.rules.result(position.state)
    assert outcome is not None and outcome.winners == (0,) and outcome.low_wins and outcome.unfinished


def test_IO_2_the_first_seat_can_be_chosen() -> None:
    with pytest.raises(Refused, match="first_seat"):
        Iota(2, {"first_seat": "3"})
    assert Iota(3, {"first_seat": "3"}).option_values["first_seat"] == "3"


def test_IO_1_the_deck() -> None:
    deck = Iota(2).deck()
    assert len(deck) == 66 and len(set(deck)) == 65 and deck.count("wild") == 2
