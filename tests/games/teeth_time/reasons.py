"""What this family's bots give as their reasons, to be held against the table they decided at."""

from __future__ import annotations

from typing import Any

from tabletin.bots.decision import Decision, Position
from tabletin.games.teeth_time.cards import IN_HAND, PREVENTION
from tabletin.games.teeth_time.melds import sorted_hand, ways
from tabletin.games.teeth_time.state import TeethTimeState
from tests.support.cases import Case

CASES: list[Case] = [("teeth-time", 3, {"hands": 3})]


def goes_down(position: Position, extra: tuple[int, ...]) -> bool:
    state: TeethTimeState = position.state
    holding = sorted_hand((*state.hands[position.seat], *extra), position.faces, one_colour=False)
    return next(ways(holding, state.contract), None) is not None


def claim(position: Position, decision: Decision) -> Any:
    """Whether what ``decision`` claims holds in ``position``; None where it claims nothing that can be held against it."""
    state: TeethTimeState = position.state
    hand, faces = state.hands[position.seat], position.faces
    match decision.why.rpartition(".")[2]:
        case "take_down" | "pull_down":
            return not goes_down(position, ()) and goes_down(position, state.discards[-1:])
        case "decline_ready":
            return goes_down(position, ())
        case "discard_out":
            return len(hand) == 1
        case "discard_costly":
            return IN_HAND[faces[decision.move[1]]] == max(IN_HAND[faces[card]] for card in hand)
        case "accept":
            return all(faces[card] != PREVENTION for card in hand)
        case "penalty_nearest":
            others = [other for other in state.playing if other != position.seat]
            return len(state.hands[decision.move[2]]) == min(len(state.hands[other]) for other in others)
    return None
