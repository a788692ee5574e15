"""What a column is worth: values, aces, busts, ties (TE-1, TE-2, TE-6), and the rulebook's examples (TE-7)."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tabletin.games.teeth.columns import DECK, Score, Values, winner

PRINTED = Values("rank", -4, 18)


def both(top: str, middle: str, bottom: str, values: Values = PRINTED) -> tuple[Score, Score]:
    """Scores of the bottom player and of the top player; a side may be several cards."""
    return (values.score(bottom.split(), middle, top.split()), values.score(top.split(), middle, bottom.split()))


def totals(top: str, middle: str, bottom: str) -> tuple[int, int]:
    below, above = both(top, middle, bottom)
    return below.total, above.total


def test_te_1_the_deck_has_54_cards() -> None:
    assert len(DECK) == 54
    assert DECK.count("joker") == 2
    assert len(set(DECK)) == 53


def test_te_1_own_card_and_middle_less_the_others() -> None:
    """The rulebook's first example: 3 over 9 over 6 makes 12 from below and 6 from above."""
    assert totals("3S", "9H", "6D") == (12, 6)


def test_te_1_the_rulebooks_king() -> None:
    """9 over 2 over 3, the 2 replaced by a king: −4 and 8 become 7 and 19, which is bust."""
    assert totals("9S", "2H", "3D") == (-4, 8)
    below, above = both("9S", "KH", "3D")
    assert (below, above) == (Score(7, False), Score(19, True))
    assert winner(0, (below, above)) == 0


def test_te_7_the_rulebooks_ace_with_the_right_figures() -> None:
    """K over 9 over 3, the 9 replaced by an ace. The rulebook prints −2, 20, "a 7 in the middle" and "the better score, 0";
    right are −1 and 19 before, 1 (or −9) and 21 (or 11) after, so 1 against 11."""
    assert totals("KS", "9H", "3D") == (-1, 19)
    below, above = both("KS", "AH", "3D")
    assert (below, above) == (Score(1, False), Score(11, False))
    assert winner(0, (below, above)) == 1


def test_te_1_the_rulebooks_double_down() -> None:
    """Q over 2 over 4 with a 9 added below: 3 and 1."""
    assert totals("QS", "2H", "4D 9C") == (3, 1)


def test_te_1_jokers_take_off_and_are_added_when_subtracted() -> None:
    assert totals("joker", "9H", "6D") == (19, -1)
    assert totals("5S", "joker", "6D") == (-3, -5)


def test_te_1_each_player_chooses_every_ace_separately() -> None:
    """An ace in the middle is 11 to one and 1 to the other."""
    below, above = both("2S", "AH", "9D")
    assert (below, above) == (Score(18, False), Score(4, False))
    below, above = both("2S", "AH", "10D")  # 19 with 11, so 9
    assert below == Score(9, False)


def test_te_1_an_ace_across_is_taken_off_as_one_likes() -> None:
    below, above = both("AS", "9H", "KD")  # 22 − 11, not 22 − 1
    assert below == Score(11, False)
    assert above == Score(7, False)  # 11 + 9 − 13


def test_te_1_bust_only_if_every_choice_is() -> None:
    assert both("2S", "KH", "QD")[0] == Score(23, True)
    assert both("AS", "KH", "QD KS")[0] == Score(27, True)  # even with 11 taken off


def test_te_1_aces_equal_trying_every_choice() -> None:
    rng, deck = Random(2), list(DECK)
    for _ in range(400):
        cards = rng.sample(deck + ["AS", "AH", "AD", "AC"] * 3, rng.randint(3, 7))
        middle, cut = cards[0], rng.randint(2, len(cards) - 1)
        own, other = cards[1:cut], cards[cut:]
        signed = [(face, 1) for face in (*own, middle)] + [(face, -1) for face in other]
        choices = product(*[(1, 11) if face[0] == "A" else (PRINTED.values[face],) for face, _ in signed])
        sums = [sum(sign * value for (_, sign), value in zip(signed, choice, strict=True)) for choice in choices]
        fitting = [total for total in sums if total <= 18]
        expected = Score(max(fitting), False) if fitting else Score(min(sums), True)
        assert PRINTED.score(own, middle, other) == expected


@pytest.mark.parametrize(("caller", "other", "wins"), [
    (Score(12, False), Score(6, False), True),  # higher wins
    (Score(6, False), Score(12, False), False),
    (Score(19, True), Score(-3, False), False),  # one bust: the other wins
    (Score(-3, False), Score(19, True), True),
    (Score(7, False), Score(7, False), False),  # equal: the caller loses
    (Score(20, True), Score(19, True), False),  # both bust: the caller loses
])
def test_te_2_who_wins(caller: Score, other: Score, wins: bool) -> None:
    assert winner(0, (caller, other)) == (0 if wins else 1)
    assert winner(1, (other, caller)) == (1 if wins else 0)


def test_te_6_values_by_option() -> None:
    tens = Values("ten", -4, 18)
    assert [tens.values[face] for face in ("10S", "JS", "QS", "KS", "AS", "2S")] == [10, 10, 10, 10, 1, 2]
    assert [PRINTED.values[face] for face in ("10S", "JS", "QS", "KS", "AS", "2S")] == [10, 11, 12, 13, 1, 2]
    assert Values("rank", 13, 18).score(["joker"], "2S", ["5S"]) == Score(10, False)
    assert Values("rank", -4, 5).score(["6S"], "2S", ["3S"]) == Score(5, False)
    assert Values("rank", -4, 5).score(["6S"], "3S", ["3S"]) == Score(6, True)


def test_te_6_both_bust_needs_such_options() -> None:
    """With the printed values it cannot be: both scores together are twice the middle, 26 at most, aces apart."""
    low = Values("rank", -4, 5)
    assert all(score.bust for score in both("7S", "6H", "7D", low))
    rng = Random(3)
    for _ in range(3000):
        cards = rng.sample(DECK, rng.randint(3, 6))
        cut = rng.randint(2, len(cards) - 1)
        first, second = PRINTED.score(cards[1:cut], cards[0], cards[cut:]), PRINTED.score(cards[cut:], cards[0], cards[1:cut])
        assert not (first.bust and second.bust)


def test_te_1_what_a_total_is_made_of_adds_up_to_it() -> None:
    rng = Random(8)
    for values in (PRINTED, Values("ten", 7, 12), Values("rank", -13, 5)):
        for _ in range(400):
            cards = rng.sample(DECK, 7)
            own, middle, other = cards[:rng.randint(1, 3)], cards[3], cards[4:4 + rng.randint(1, 3)]
            parts = values.parts(own, middle, other)
            assert parts[0] + parts[1] - parts[2] == values.score(own, middle, other).total
            for part, faces in zip(parts, (own, [middle], other), strict=True):
                low, aces = values.sum(faces)
                assert (part - low) % 10 == 0 and low <= part <= low + 10 * aces
    assert PRINTED.parts(["KS"], "AH", ["3D"]) == (13, 1, 3), "21 would be bust"
    assert PRINTED.parts(["3S"], "9H", ["AD"]) == (3, 9, 1), "the other's ace takes off as little as it can"
