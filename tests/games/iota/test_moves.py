"""Iota's move generator against brute force, composing a turn against the generator, and bots against the rules."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.bots.decision import Position as BotPosition
from tabletin.games.iota.bot import LEVELS, choose
from tabletin.games.iota.grid import BITS, FACES, GridLine, line_fits, line_through, wilds_fit, xy
from tabletin.games.iota.turn import IotaTurn
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.match import View
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tests.games.iota.positions import Position
from tests.support.random_matches import begin, check_ended


def small_table(seed: int, moves: int) -> Table:
    """A match of two after ``moves`` random moves."""
    table = Table.begin(rules_of("iota"), Setup("iota", 1, {"half_deck": bool(seed % 2)}, (Seat("person", AUTHOR),) * 2),
                        OpenDealer(Random(seed)))
    rng = Random(seed)
    for _ in range(moves):
        acting = table.match.rules.to_act(table.match.state)
        if acting:
            view = table.match.view(acting)
            table.move(acting[0], view.rules.random_move(view.state, acting[0], view.faces, rng))
    return table


def spelling(move: Move) -> Move:
    """A play as what matters: which swaps, which card where."""
    return (move[0], frozenset(move[1]), frozenset(move[2]))


def brute_force(view: View, seat: int) -> set[Move]:
    """Every play of up to three cards without recycling, by trying every cell near the grid."""
    rules, state = view.rules, view.state
    near = {(x + dx, y + dy) for x, y in map(xy, state.grid) for dx, dy in product(range(-3, 4), repeat=2)
            if not (dx and dy) or abs(dx) + abs(dy) <= 4}
    near -= set(map(xy, state.grid))
    found: set[Move] = set()
    for count in (1, 2, 3):
        for cells in combinations(sorted(near), count):
            if len({x for x, _ in cells}) > 1 and len({y for _, y in cells}) > 1:
                continue
            columns, rows = [x for x, _ in cells], [y for _, y in cells]
            if max(columns) - min(columns) > 3 or max(rows) - min(rows) > 3:
                continue
            for cards in permutations(state.hands[seat], count):
                move = ("play", (), tuple((card, x, y) for card, (x, y) in zip(cards, cells, strict=True)))
                if rules.make(state.copy(), seat, move, view.faces) is None:
                    found.add(spelling(move))
    return found


@pytest.mark.parametrize(("seed", "moves"), [(1, 0), (2, 1), (3, 2), (4, 2), (7, 3), (29, 3)])
def test_the_generator_equals_brute_force(seed: int, moves: int) -> None:
    table = small_table(seed, moves)
    seat = table.match.rules.to_act(table.match.state)[0]
    view = table.match.view((seat,))
    generated = [spelling(m) for m in view.moves(seat) if m[0] == "play" and not m[1] and len(m[2]) <= 3]
    assert len(generated) == len(set(generated)), "a play proposed twice"
    assert set(generated) == brute_force(view, seat)


@pytest.mark.parametrize(("picture", "hand"), [
    ("rc1 wild", "wild rc2 gs2 bt3"), ("rc1 wild . gc3/. gs2 . .", "wild rc2 gs2 bt3"),
    ("wild . wild/rc1 . rc2", "rc3 gs2 bt3 yx4"),
    ("rc1 gs2/rc2 .", "wild wild rc3 yx4"), ("rc1 . wild bc1/. . gs2 ./. . gs3 .", "rc4 wild gs1 gt1")])
def test_the_generator_equals_brute_force_with_wilds(picture: str, hand: str) -> None:
    position = Position(picture, hand)
    view = View(position.rules, position.state, (0,), position.faces)
    generated = {spelling(m) for m in view.moves(0) if m[0] == "play" and not m[1] and len(m[2]) <= 3}
    assert generated == brute_force(view, 0)


def stands_for(bits: dict[int, int], wilds: tuple[int, ...]) -> bool:
    """IO-4 by trying all 64 cards for each wild."""
    for faces in product(FACES, repeat=len(wilds)):
        trial = bits | {cell: BITS[face] for cell, face in zip(wilds, faces, strict=True)}
        if all(line_fits(line_through(trial, wild, step)) for wild in wilds for step in (1, 256)):
            return True
    return False


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_IO_4_joint_consistency_equals_trying_every_card(seed: int) -> None:
    """Random small crosses with one or two wilds."""
    rng = Random(seed)
    bits = {0x8080: 0}
    for cell in (0x8081, 0x8082, 0x807F, 0x8180, 0x8280, 0x7F80, 0x8181, 0x8182):
        if rng.random() < 0.55:
            bits[cell] = BITS[rng.choice(FACES[:12] if rng.random() < 0.7 else FACES)]
    wilds = [0x8080]
    spare = [cell for cell in bits if cell != 0x8080]
    if spare and rng.random() < 0.6:
        second = rng.choice(spare)
        bits[second] = 0
        wilds.append(second)
    lines: list[GridLine] = [line_through(bits, wild, step) for wild in wilds for step in (1, 256)]
    if all(map(line_fits, lines)):
        assert wilds_fit(bits, wilds) == stands_for(bits, tuple(wilds))


def test_IO_1_more_wilds_than_the_deck_has_never_fit() -> None:
    """A forged file may lay a third one: it is refused as any wrong move is."""
    bits = {0x8080: BITS["rc1"], 0x8081: 0, 0x8082: 0, 0x8181: 0}
    assert wilds_fit(bits, (0x8081, 0x8082))
    assert not wilds_fit(bits, (0x8081, 0x8082, 0x8181))


@pytest.mark.parametrize("seed", range(6))
def test_composing_reaches_every_play_step_by_step(seed: int) -> None:
    """Each generated play can be laid card by card through ``Turn``, with the score the rules give."""
    table = small_table(seed, seed % 4)
    match = table.match
    seat = match.rules.to_act(match.state)[0]
    view = match.view((seat,))
    plays = [move for move in view.moves(seat) if move[0] == "play" and not move[1]]
    for move in Random(seed).sample(plays, min(30, len(plays))):
        turn = IotaTurn(match.state, seat, view.faces)
        left = {card: (x, y) for card, x, y in move[2]}
        while left:
            card = next(card for card, place in left.items() if place in turn.places(card))
            assert turn.lay(card, *left.pop(card)) is None
        assert spelling(turn.play()) == spelling(move)
        trial = match.state.copy()
        before = trial.scores[seat]
        points = turn.score()[0]
        assert match.rules.make(trial, seat, turn.play(), view.faces) is None
        assert trial.scores[seat] - before == points


def test_composing_takes_back_what_no_longer_holds() -> None:
    position = Position("rc1", "rc2 rc3 gs1 gs2")
    turn = IotaTurn(position.state, 0, position.faces)
    two, three = position.card("rc2"), position.card("rc3")
    assert turn.lay(two, 1, 0) is None and turn.lay(three, 2, 0) is None
    turn.take_back(two)
    assert turn.lays == {} and set(turn.hand_left) == set(position.state.hands[0])


def test_composing_recycles_before_laying_only() -> None:
    position = Position("rc1 wild rc3", "rc2 gs1 gs2 gs3")
    turn = IotaTurn(position.state, 0, position.faces)
    wild = position.at(1, 0)
    assert turn.recyclable(position.card("rc2")) == [wild]
    assert turn.recyclable(position.card("gs1")) == []
    assert turn.recycle(wild, position.card("rc2")) is None
    assert turn.lay(wild, 3, 0) is None
    assert turn.score() == (12, 1)
    assert position.rules.make(position.state, 0, turn.play(), position.faces) is None
    assert position.state.scores[0] == 12


def test_composing_refuses_to_recycle_after_laying() -> None:
    """The wild fits the card in hand before and after the lay: only the order of the two is wrong (IO-5)."""
    position = Position("rc1 wild rc3", "rc2 rc4 gs2 gs3")
    turn = IotaTurn(position.state, 0, position.faces)
    wild, two, four = position.at(1, 0), position.card("rc2"), position.card("rc4")
    assert turn.recyclable(two) == [wild]
    assert turn.lay(four, 3, 0) is None
    assert turn.recyclable(two) == []
    refusal = turn.recycle(wild, two)
    assert refusal is not None and (refusal.key, refusal.rule) == ("iota.refuse.recycle_first", "IO-5")
    assert turn.recycles == []
    turn.take_back(four)
    assert turn.recycle(wild, two) is None


@pytest.mark.parametrize("level", LEVELS)
def test_invariant_7_bots_decide_from_their_own_view_alone(level: str) -> None:
    """With every face but its own hidden a bot still finds a legal move, and the same one for the same random numbers."""
    for seed in range(4):
        table = small_table(seed, seed * 3)
        match = table.match
        acting = match.rules.to_act(match.state)
        if not acting:
            continue
        view = match.view(acting)
        before = match.state.copy()
        decision = choose(BotPosition(view, acting[0], level, Random(5), budget=0.05))
        assert match.state == before
        assert match.rules.make(match.state.copy(), acting[0], decision.move, view.faces) is None


@pytest.mark.parametrize("traded", [1, 2, 4])
def test_io_8_the_last_pass_of_all_may_trade(traded: int) -> None:
    """Two seats pass three times each and trade every time: the sixth pass ends the match."""
    table = begin(("iota", 2, {}), 5)
    for _ in range(6):
        seat, = table.match.rules.to_act(table.match.state)
        table.move(seat, ("pass", (), table.match.state.hands[seat][:traded]))
    assert table.match.outcome is not None and table.match.outcome.reason == "iota.ended.passed"
    check_ended(table.match)
