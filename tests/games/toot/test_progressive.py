"""Progressive TooT: everybody at once, nothing opened before all are done, what is left counts (TO-5)."""

from __future__ import annotations

from collections import Counter

import pytest

from tabletin.games.toot.progressive import Progressive
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Shuffle
from tests.games.toot.scene import Scene


def scene(*hands: str, pile: str = "", **options: object) -> Scene:
    made = Scene("toot-progressive", *hands, pile=pile, **options)
    made.state.phase = "work"
    return made


def test_nothing_is_opened_before_all_are_done() -> None:
    """TO-5: each says done without content; the default is to be done, and then to show none."""
    table = scene("red blue 1 2", "green 1 1 1")
    assert table.rules.to_act(table.state) == (0, 1)
    assert table.move(0, "show", "red+blue") == "not_now"
    assert table.rules.default(table.state, 0) == ("done",)
    assert table.move(0, "done") is None
    assert table.rules.to_act(table.state) == (1,)
    assert table.move(1, "done") is None
    assert table.move(1, "done") == "not_now"
    assert table.rules.to_act(table.state) == (0, 1)
    assert not table.state.public
    assert table.rules.default(table.state, 0) == ("show", ())


def test_cards_outside_the_one_toot_count_one_each() -> None:
    """TO-5."""
    table = scene("red blue 1 2", "green 1 1 1", "4 4 red 3")
    for seat in range(3):
        table.move(seat, "done")
    assert table.move(0, "show", "1[red+blue]") is None
    assert table.move(1, "show", "1[green], 1") == "lone_number"
    assert table.move(1, "show", "1[1[green]]") == "touch_one"
    assert table.move(1, "show", "1[green]") is None
    assert table.rules.to_act(table.state) == (2,)
    assert table.move(2, "show", "") is None
    assert table.state.rounds == ((1, 2, 4),)
    assert table.state.size == 5
    assert table.rules.standings(table.state) == (1, 2, 4)


def test_several_toots_are_not_shown_as_one() -> None:
    """Rulebook: if multiple TooTs are made, only one is used."""
    table = scene("red blue green 1")
    table.move(0, "done")
    assert table.move(0, "show", "red+blue, green") == "not_one"
    assert table.move(0, "show", "1[red+blue]") is None
    assert table.state.rounds == ((1,),)


def test_rounds_of_four_to_ten_cards_shuffled_every_time() -> None:
    """TO-5: reshuffled every round; the deal goes round."""
    table = Scene("toot-progressive", "", "")
    table.state = table.rules.start()
    sizes = []
    while not table.state.end_reason:
        assert isinstance(table.state.requests[0], Shuffle)
        assert len(table.state.requests[0]) == 57
        table.answer()
        sizes.append(len(table.state.hands[0]))
        first = len(table.state.rounds) + 1
        assert min(table.state.hands[first % 2]) < min(table.state.hands[(first + 1) % 2])
        for verb in (("done",), ("show", "")):
            for seat in range(2):
                assert table.move(seat, *verb) is None
    assert sizes == [4, 5, 6, 7, 8, 9, 10]
    outcome = table.rules.outcome(table.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.low_wins) == ((49, 49), (0, 1), True)


def test_cards_set_aside_until_too_few_remain_for_a_whole_round() -> None:
    """TO-5, option: 2 × (4 + 5 + 6 + 7) = 44 of 57 cards are dealt, then 13 are too few for 16."""
    table = Scene("toot-progressive", "", "", set_aside=True)
    table.state = table.rules.start()
    asides = []
    for _ in range(5):
        table.answer()
        asides.append(len(table.state.set_aside))
        zones = [card for cards in table.rules.zones(table.state).values() for card in cards]
        assert Counter(table.faces[card] for card in zones) == Counter(table.rules.deck())
        for verb in (("done",), ("show", "")):
            for seat in range(2):
                table.move(seat, *verb)
    assert asides == [0, 8, 18, 30, 0]


def test_as_many_decks_as_the_largest_round_needs() -> None:
    """TO-5."""
    assert len(Progressive(5, {}).deck()) == 57
    assert len(Progressive(6, {}).deck()) == 114
    assert len(Progressive(4, {"last_round": 12}).deck()) == 57
    assert len(Progressive(5, {"last_round": 12}).deck()) == 114
    with pytest.raises(Refused):
        Progressive(2, {"last_round": 13})


def test_what_was_shown_is_kept_for_looking_at() -> None:
    table = scene("X blue 1 2", "red 1 1 1")
    for seat in range(2):
        table.move(seat, "done")
    table.move(0, "show", "1[X=red+blue]")
    table.move(1, "show", "")
    assert table.state.last == (((("1", None),), (((("X", "red"), ("blue", None)), ()),)), None)
    assert table.rules.sheet(table.state)[0].cells == (1, 4)
