"""Playing rounds of Teeth on in imagined worlds: true to the rules, and of use."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from random import Random

import pytest

from tabletin.games.teeth import lookahead
from tabletin.games.teeth.columns import DECK, Values, winner
from tabletin.games.teeth.evaluation import LAST_CARDS, Evaluator, Option
from tabletin.games.teeth.lookahead import ColumnCodes, Lookahead, put
from tabletin.games.teeth.reckon import NOTHING, Belief, Count, Look, Reckoner, add, code_of
from tabletin.games.teeth.state import COUNTED, OVER
from tests.games.teeth.deals import Deal

RECKONER = Reckoner(Values("rank", -4, 18))
POOL = Counter(RECKONER.count[face] for face in DECK)
PLAIN = Belief(RECKONER, POOL)


def ahead(columns: int) -> Lookahead:
    beliefs = dict.fromkeys(range(columns), PLAIN)
    return Lookahead(RECKONER, Evaluator(beliefs, POOL), Evaluator(beliefs, POOL))


def test_te_2_a_called_column_ends_as_the_rules_have_it() -> None:
    """One column, called at once by seat 0 or, after a discard, by seat 1."""
    rng = Random(3)
    for _ in range(60):
        top, middle, bottom, drawn = rng.sample(DECK, 4)
        stack = ColumnCodes.of_counts(RECKONER.count[top], NOTHING, RECKONER.count[middle], NOTHING, RECKONER.count[bottom], 3)
        for caller in range(2):
            deal = Deal(f"{top} {middle} {bottom} {drawn}", columns=1)
            if caller:
                deal.do(0, "draw").do(0, "discard")
            deal.do(caller, "call", 0)
            assert (1, -1)[deal.state.column_counts[1]] == ahead(1).score(stack, caller == 0)


def some_round(rng: Random, pile: int) -> tuple[dict[int, ColumnCodes], list[Count]]:
    """Three columns and a pile of so many cards."""
    cards = [RECKONER.count[face] for face in rng.sample(DECK, 9 + pile)]
    columns = {at: ColumnCodes.of_counts(cards.pop(), NOTHING, cards.pop(), NOTHING, cards.pop(), 3) for at in range(3)}
    return columns, cards


@pytest.mark.parametrize("option", [("call", 0), ("draw", -1)])
def test_near_the_end_of_the_pile_every_column_is_won_by_somebody(option: Option) -> None:
    rng = Random(5)
    for _ in range(40):
        columns, pile = some_round(rng, LAST_CARDS)
        won, _, hope, left = ahead(3).play_on(columns, pile, option)
        assert columns == {}
        assert won in (-3, -1, 1, 3)
        assert (hope, left) == (0, len(pile))


@pytest.mark.parametrize("option", [("call", 0), ("draw", -1)])
def test_earlier_a_few_turns_are_played_and_hope_is_of_the_columns_left(option: Option) -> None:
    """Mine, the opponent's, mine again: three calls or placed cards, and what is open counts as it is worth to me."""
    rng = Random(6)
    for _ in range(40):
        columns, pile = some_round(rng, 30)
        mind = ahead(3)
        won, _, hope, left = mind.play_on(columns, pile, option)
        called = 3 - len(columns)
        assert called + 30 - left == 1 + lookahead.TURNS
        assert abs(won) <= called
        assert hope == pytest.approx(sum(2 * mind.me.worth(at, column.side(True), len(columns), left) - 1
                                         for at, column in columns.items()))


def test_te_3_putting_a_card_down() -> None:
    mine, extra, middle, their_extra, theirs = (3, 0), (2, 0), (9, 0), (4, 0), (6, 0)
    column = ColumnCodes.of_counts(mine, extra, middle, their_extra, theirs, 5)
    assert put(column, "replace", (13, 0), True) == ColumnCodes.of_counts(mine, extra, (13, 0), their_extra, theirs, 5)
    assert put(column, "replace", (1, 1), False) == ColumnCodes.of_counts(mine, extra, (1, 1), their_extra, theirs, 5)
    assert put(column, "double", (1, 1), True) == ColumnCodes.of_counts(mine, (3, 1), middle, their_extra, theirs, 6)
    assert put(column, "double", (1, 1), False) == ColumnCodes.of_counts(mine, extra, middle, (5, 1), theirs, 6)
    assert column.mine == code_of(Look((5, 0), middle, their_extra))
    assert column.theirs == code_of(Look((10, 0), middle, extra))
    assert column.mine + column.hidden_card == code_of(Look((5, 0), middle, (10, 0)))


def test_te_6_no_two_columns_have_one_code() -> None:
    """Whatever cards count, and however many lie there: a code stands for one lead, one middle and the aces of either side."""
    rng = Random(9)
    for joker in (-13, -4, 13):
        reckoner = Reckoner(Values("rank", joker, 18))
        seen = dict[int, tuple[object, ...]]()
        for _ in range(1000):
            cards = [reckoner.count[face] for face in rng.sample(DECK, rng.randint(2, 54))]
            middle, cut = cards.pop(), rng.randint(0, len(cards) - 1)
            mine, theirs = (reduce(add, side, NOTHING) for side in (cards[:cut], cards[cut:]))
            spoken = (mine[0] - theirs[0], mine[1], middle, theirs[1])
            assert seen.setdefault(code_of(Look(mine, middle, theirs)), spoken) == spoken
            scores = (reckoner.values.best(spoken[0] + middle[0], mine[1] + middle[1], theirs[1]),
                      reckoner.values.best(middle[0] - spoken[0], theirs[1] + middle[1], mine[1]))
            winners = {winner(caller, scores) for caller in range(2)}
            assert reckoner.end(mine, middle, theirs) == (0 if len(winners) == 2 else 1 - 2 * winners.pop())


def test_a_round_played_on_by_the_rules_ends_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is worth most to either side, in the imagined round and move by move by the rules, takes the same columns."""
    monkeypatch.setattr(lookahead, "TURNS", lookahead.ALL_TURNS)
    for seed in range(8):
        cards = Random(seed).sample(DECK, 54)
        stacks = {at: ColumnCodes.of_counts(*_columns(cards[3 * at:3 * at + 3])) for at in range(3)}
        pile = [RECKONER.count[face] for face in reversed(cards[9:])]
        mind = ahead(3)
        deal = Deal(" ".join(cards))
        table, rest, me = dict(stacks), pile[:], True
        while deal.state.phase not in (COUNTED, OVER):
            seat = 0 if me else 1
            verb, at = mind.turn(table, rest, me)
            if verb == "call":
                table.pop(at)
                deal.do(seat, "call", at)
            else:
                verb, at = mind.best_place(table, rest, me)
                card = rest.pop()
                if at >= 0:
                    table[at] = put(table[at], verb, card, me)
                deal.do(seat, "draw").do(seat, *((verb, at) if at >= 0 else (verb,)))
            me = not me
        first = mind.turn(stacks, pile, True)
        mine, theirs = (counts[0] - counts[1] for counts in (deal.state.round_column_counts, deal.state.round_capture_counts))
        assert mind.play_on(dict(stacks), pile[:], first)[:2] == (mine, theirs)


def _columns(faces: list[str]) -> tuple[Count, Count, Count, Count, Count, int]:
    top, middle, bottom = (RECKONER.count[face] for face in faces)
    return top, NOTHING, middle, NOTHING, bottom, 3
