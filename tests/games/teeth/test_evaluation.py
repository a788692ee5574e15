"""What open columns at Teeth are worth, and the moves that follow from it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tabletin.games.teeth.columns import DECK, Values
from tabletin.games.teeth.evaluation import FINE, STEP, WEIGHTS, Evaluator, SeenColumn, rough, worth_of
from tabletin.games.teeth.reckon import (
    NOTHING,
    WITHOUT_MIDDLE,
    Belief,
    Count,
    Look,
    Reckoner,
    add,
    code_of,
    in_middle,
    own_side,
)

RECKONER = Reckoner(Values("rank", -4, 18))
POOL = Counter(RECKONER.count[face] for face in DECK)
PLAIN = Belief(RECKONER, POOL)


def seen(own: Count, middle: Count, extra: Count = NOTHING, theirs: Count = NOTHING) -> SeenColumn:
    return SeenColumn(own[0], code_of(Look(add(own, extra), middle, theirs)))


def evaluator(columns: int) -> Evaluator:
    return Evaluator(dict.fromkeys(range(columns), PLAIN), POOL)


def after(column: SeenColumn, verb: str, card: Count) -> SeenColumn:
    """The column once its seat put ``card`` there (TE-3)."""
    code = (column.code & WITHOUT_MIDDLE) + in_middle(card) if verb == "replace" else column.code + own_side(card)
    return SeenColumn(column.own, code)


def some_table(rng: Random) -> dict[int, SeenColumn]:
    cards = [RECKONER.count[face] for face in rng.sample(DECK, 12)]
    return {at: seen(*cards[4 * at:4 * at + 4]) for at in range(3)}


def test_each_feature_has_its_weight() -> None:
    said = seen((3, 0), (9, 0)).features(PLAIN, 3, 20)
    assert len(said) == len(WEIGHTS)
    assert 0 < worth_of(said) < 1


def test_a_lead_that_nothing_turns_round_is_worth_more_than_one_that_is_lost() -> None:
    """King and 4 against at most 13, over a joker: no closed card can turn that round or bust it (TE-2)."""
    sure, lost = seen((13, 0), (-4, 0), (4, 0)), seen((-4, 0), (-4, 0), NOTHING, (4, 0))
    assert (PLAIN.chance_of(sure.code).win, PLAIN.chance_of(lost.code).win) == (1, 0)
    for pile in (0, 1, 2, 7, 20, 40):
        assert evaluator(1).worth(0, sure, 3, pile) > evaluator(1).worth(0, lost, 3, pile) + 0.2
    assert evaluator(1).worth(0, sure, 3, 0) > 0.9
    assert evaluator(1).worth(0, lost, 3, 0) < 0.2


def test_the_worth_is_that_of_what_is_seen() -> None:
    rng = Random(1)
    for _ in range(20):
        table, pile = some_table(rng), rng.randrange(45)
        mind = evaluator(3)
        for _ in range(2):  # reckoned, then remembered
            for at, column in table.items():
                assert mind.worth(at, column, 3, pile) == worth_of(column.features(PLAIN, 3, rough(pile)))


def test_small_piles_are_told_apart_and_large_ones_in_steps() -> None:
    assert [rough(pile) for pile in range(FINE)] == list(range(FINE))
    assert {rough(pile) for pile in range(FINE, FINE + STEP)} == {FINE}
    assert all(0 <= pile - rough(pile) < STEP for pile in range(60))


def test_a_placing_brings_what_the_column_gains() -> None:
    rng = Random(2)
    for _ in range(10):
        table, card = some_table(rng), RECKONER.count[rng.choice(DECK)]
        mind = evaluator(3)
        ways = mind.placings(table, card, 12)
        assert ways[0] == (0.0, "discard", -1)
        assert {way[1:] for way in ways[1:]} == {(verb, at) for verb in ("replace", "double") for at in table}
        for gain, verb, at in ways[1:]:
            assert gain == pytest.approx(mind.worth(at, after(table[at], verb, card), 3, 12) - mind.worth(at, table[at], 3, 12))


def test_a_turn_is_worth_what_it_leaves() -> None:
    """A call: the chance of that column, and what the others are worth; a draw: what the best placing of each card leaves."""
    rng = Random(3)
    for _ in range(10):
        table = some_table(rng)
        mind = evaluator(3)
        hopes = mind.turns(table, 12)
        for at, column in table.items():
            rest = sum(mind.worth(other, table[other], 2, 12) for other in table if other != at)
            assert hopes["call", at] == pytest.approx(PLAIN.chance_of(column.code).win + rest)
        now = sum(mind.worth(at, column, 3, 11) for at, column in table.items())
        gains = sum(number * max(gain for gain, _, _ in mind.placings(table, card, 11)) for card, number in POOL.items())
        assert hopes["draw", -1] == pytest.approx(now + gains / len(DECK))
        assert hopes[mind.turn(table, 12)] == max(hopes.values())


def test_without_a_pile_a_column_is_called() -> None:
    """TE-3."""
    table = some_table(Random(4))
    assert set(evaluator(3).turns(table, 0)) == {("call", at) for at in table}


def test_the_last_column_is_worth_its_chance() -> None:
    column = seen((9, 0), (2, 0))
    assert evaluator(1).turns({0: column}, 5)["call", 0] == PLAIN.chance_of(column.code).win
