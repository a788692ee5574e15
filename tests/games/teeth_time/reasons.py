"""What this family's bots give as their reasons, to be held against the table they decided at."""

from __future__ import annotations

from typing import Any

from tabletin.bots.decision import Decision, Position
from tabletin.games.teeth_time.bot import CLOSE
from tabletin.games.teeth_time.cards import (
    DENTIST_EACH,
    FAIRY_EACH,
    GUMPSTER,
    GUMPSTER_FILLS_TO,
    IN_HAND,
    OWN_PLAYS,
    PLACE,
    PREVENTION,
    RANK,
    SUITE,
    TOOTHACHE,
    WILDS,
)
from tabletin.games.teeth_time.groups import RUN
from tabletin.games.teeth_time.melds import sorted_hand, ways
from tabletin.games.teeth_time.state import REPLY, SCORED, TeethTimeState
from tests.support.cases import Case

CASES: list[Case] = [("teeth-time", 3, {"hands": 3})]
OPINIONS = frozenset(("take_meld", "leave", "pull_closer", "decline", "discard_useless", "plain"))


def goes_down(position: Position, extra: tuple[int, ...]) -> bool:
    state: TeethTimeState = position.state
    holding = sorted_hand((*state.hands[position.seat], *extra), position.faces, one_colour=False)
    return next(ways(holding, state.contract), None) is not None


def is_useful(position: Position, card: int) -> bool:
    """Whether the next seat could lay the tooth ``card`` at once, or has shown a card that it goes with."""
    state, faces = position.state, position.faces
    face, after = faces[card], state.next_seat(position.seat)
    if face not in RANK:
        return False
    rank = RANK[face]
    if state.has_melded(after):
        for group in state.groups.values():
            held = group.cards[group.suite.index(rank)] if group.kind == RUN and rank in group.suite else None
            if group.takes(rank) or (held is not None and faces[held] in WILDS):
                return True
    shown = [RANK[faces[held]] for held in state.hands[after] if held in state.public and faces[held] in RANK]
    return any(SUITE[rank] == SUITE[other] and abs(PLACE[rank] - PLACE[other]) <= 2 for other in shown)


def claim(position: Position, decision: Decision) -> Any:
    """Whether what ``decision`` claims holds in ``position``; None where it claims nothing that can be held against it."""
    state: TeethTimeState = position.state
    hand, faces = state.hands[position.seat], position.faces
    match decision.why.rpartition(".")[2]:
        case "deal":
            return state.phase == SCORED
        case "take_lays":
            return state.has_melded(position.seat) or goes_down(position, state.discards[-1:])
        case "down":
            return goes_down(position, ())
        case "group" | "hit":
            played = state.copy()
            assert position.rules.make(played, position.seat, decision.move, faces) is None
            return len(played.hands[position.seat]) < len(hand)
        case "prevention":
            return faces[decision.move[1]] == PREVENTION
        case "whammy" | "whammy_dead" as why:
            return faces[decision.move[1]] == PREVENTION and (state.phase == REPLY) == (why == "whammy")
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
        case "penalty":
            return faces[decision.move[1]] != GUMPSTER or len(state.hands[decision.move[2]]) < GUMPSTER_FILLS_TO
        case "own_play":
            played = state.copy()
            assert position.rules.make(played, position.seat, decision.move, faces) is None
            fairy, dentist = (len(after[position.seat]) - len(before[position.seat]) for after, before in (
                (played.fairies, state.fairies), (played.dentists, state.dentists)))
            return decision.params["n"] == -FAIRY_EACH * fairy - DENTIST_EACH * dentist
        case "take_bonus":
            return faces[state.discards[-1]] in OWN_PLAYS
        case "swap":
            return any(group.open_ranks() for group in state.groups.values())
        case "penalty_held":
            return len(state.hands[decision.move[2]]) <= CLOSE
        case "penalty_rid":
            return faces[decision.move[1]] in (GUMPSTER, TOOTHACHE)  # the others always cost something
        case "take_wild":
            return faces[state.discards[-1]] in WILDS
        case "leave_restless":
            return any(card in state.public for card in hand if faces[card] in RANK)
        case "discard_safe":
            return not is_useful(position, decision.move[1])
        case "discard_denies":
            return any(is_useful(position, card) for card in hand if card != decision.move[1])
    return None
