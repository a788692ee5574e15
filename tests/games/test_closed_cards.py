"""Cards that lie face down: no game forgets the request that keeps them unknown, and toy rules that do are found."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.requests import Show, TakeBack
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tests.support.cases import Case
from tests.support.closed_cards import closed_card_faults
from tests.support.highcard import HighCard, HighCardState, random_table
from tests.support.random_matches import each_case, played


@each_case
def test_no_closed_card_can_be_followed(case: Case) -> None:
    assert closed_card_faults(played(case)) == []


def test_the_toy_game_asks_for_what_it_returns() -> None:
    assert closed_card_faults(random_table(5, 4, turns=6).match) == []


class Forgetful(HighCard):
    """A wrong game: a card goes under the pile, and nobody is asked to take it back."""

    id = "forgetful"

    def apply(self, state: HighCardState, seat: int, move: Move) -> None:
        super().apply(state, seat, move)
        state.requests = tuple(request for request in state.requests if not isinstance(request, TakeBack))


class HandToHand(HighCard):
    """A wrong game: instead of under the pile a card goes into the next hand, as it is."""

    id = "hand-to-hand"

    def apply(self, state: HighCardState, seat: int, move: Move) -> None:
        super().apply(state, seat, move)
        if move[0] == "low":
            state.pile = state.pile[:-1]
            following = self.next_seat(state, seat)
            self._hold(state, following, (*state.hands[following], move[1]))
            state.requests = (*state.requests[:1], Show((move[1],), following), *state.requests[1:])


class Heap(HighCard):
    """A wrong game: a card goes face down onto a heap, properly taken back, and the next seat takes the heap up."""

    id = "heap"

    def apply(self, state: HighCardState, seat: int, move: Move) -> None:
        heap = state.laid[1:] if len(state.laid) > 1 and state.laid[-1] not in state.public else ()
        state.laid = state.laid[:len(state.laid) - len(heap)]
        super().apply(state, seat, move)
        self._hold(state, seat, state.hands[seat] + heap)
        if heap:
            state.requests = (Show(heap, seat), *state.requests)
        if move[0] == "low":
            state.pile, state.laid = state.pile[:-1], (*state.laid, move[1])


def fault_of(rules: type[HighCard]) -> list[str]:
    """What is found in some matches of a wrong game."""
    found: list[str] = []
    for seed in range(20):
        setup = Setup(rules.id, 1, {"turns": 6}, (Seat("person", AUTHOR),) * 3)
        table, rng = Table.begin(rules, setup, OpenDealer(Random(seed))), Random(seed)
        while table.match.rules.to_act(table.match.state):
            seat = table.match.rules.to_act(table.match.state)[0]
            moves = list(table.match.view((seat,)).moves(seat))
            if not moves:
                break
            table.move(seat, rng.choice([move for move in moves if move[0] == "low"] or moves))
        found += closed_card_faults(table.match)
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(("rules", "words"), [
    (Forgetful, "forgetful: the move 'low' lays a card from ('hand', seat) face down into 'pile'"),
    (HandToHand, "hand-to-hand: the move 'low' brings a card face down from ('hand', seat) into ('hand', seat)"),
    (Heap, "heap: the move 'low' brings a card face down from 'laid' into ('hand', seat)"),
])
def test_a_game_that_forgets_is_told_what_to_ask(rules: type[HighCard], words: str) -> None:
    found = fault_of(rules)
    assert any(sentence.startswith(words) for sentence in found), found
    assert all("Leave TakeBack(cards)" in sentence or "Leave Shuffle(cards) first" in sentence for sentence in found)
