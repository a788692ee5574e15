"""Bots of Doubt: they say the truth when they can, and doubt what cannot be or would end the match."""

from __future__ import annotations

from collections import Counter

from tabletin.bots.decision import Decision, Position
from tabletin.kernel.deck52 import rank_of
from tabletin.kernel.setup import LEVELS as LEVELS
from tests.example.doubt.rules import Doubt

SUITS = 4
SUSPICION = {"easy": 0.1, "medium": 0.05, "hard": 0.05}  # how often a bot doubts without a reason


def choose(position: Position) -> Decision:
    """Easy bots only guess; medium ones look at their own hand; hard ones keep back the ranks that are due soon."""
    rules, state, seat, level = position.rules, position.state, position.seat, position.level
    assert isinstance(rules, Doubt)
    hand = {card: rank_of(position.faces[card]) for card in state.hands[seat]}
    held = Counter(hand.values())
    if state.heap:
        if not state.hands[state.layer]:
            return Decision(("doubt",), "doubt.why.last_card")
        if level != "easy" and held[rules.said(state)] == SUITS:
            return Decision(("doubt",), "doubt.why.all_here")
        if position.rng.random() < SUSPICION[level]:
            return Decision(("doubt",), "doubt.why.guess")
    due = rules.ranks[state.due]
    honest = [card for card, rank in hand.items() if rank == due]
    if honest:
        return Decision(("lay", honest[0]), "doubt.why.honest")
    later = {rank: (rules.ranks.index(rank) - state.due) % len(rules.ranks) for rank in held}
    lie = max(hand, key=lambda card: later[hand[card]]) if level == "hard" else position.rng.choice(list(hand))
    return Decision(("lay", lie), "doubt.why.lie")
