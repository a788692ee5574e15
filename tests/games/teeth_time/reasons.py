"""What this family's bots give as their reasons, to be held against the table they decided at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.state import REPLY, SCORED, TeethTimeState
from tests.support.cases import Case

CASES: list[Case] = [("teeth-time", 3, {"hands": 3})]
OPINIONS = frozenset(("take_meld", "leave", "pull_closer", "decline", "discard_useless", "discard_chances", "plain"))


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


def teeth_beside(position: Position, card: int) -> list[str]:
    """The teeth in the hand besides ``card``."""
    faces = position.faces
    return [faces[held] for held in position.state.hands[position.seat] if held != card and faces[held] in RANK]


def is_close(one: str, other: str) -> bool:
    """Whether two teeth are next to each other, or but for one."""
    first, second = RANK[one], RANK[other]
    return SUITE[first] == SUITE[second] and first != second and abs(PLACE[first] - PLACE[second]) <= 2


def tells_of_a_tooth(position: Position, why: str, card: int, params: Mapping[str, Any]) -> bool:
    """Whether what is said of the tooth ``card`` and those beside it holds."""
    face, beside = position.faces[card], teeth_beside(position, card)
    state: TeethTimeState = position.state
    rules = position.rules
    assert isinstance(rules, TeethTime)
    kinds, ranks = {kind for kind, _ in state.contract}, Counter(RANK[tooth] for tooth in beside)
    has_close = any(is_close(face, tooth) for tooth in beside)
    match why:
        case "single":
            return kinds == {"set"} and not ranks[RANK[face]] and params["rank"] == RANK[face]
        case "rare" | "gone":
            gone = sum(RANK.get(shown) == RANK[face] for shown in position.faces.values())
            return not ranks[RANK[face]] and 8 * rules.decks - gone == params.get("n", 0)
        case "alone":
            return not ranks[RANK[face]] and not has_close
        case "far":
            return kinds == {"run"} and not has_close
        case "twice":
            return kinds == {"run"} and ranks[RANK[face]] > 0
        case "stuck":
            return not any(is_close(face, tooth) or RANK[face] == RANK[tooth] for tooth in beside)
    named = [params[name] for name in ("rank", "second") if name in params]
    run = SUITE[params["first"]][PLACE[params["first"]]:PLACE[params["last"]] + 1] if "first" in params else ""
    held = [ranks[rank] >= 2 for rank in named] + ([sum(ranks[rank] > 0 for rank in run) >= 2] if run else [])
    return all(held) and RANK[face] not in named


def claim(position: Position, decision: Decision) -> Any:
    """Whether what ``decision`` claims holds in ``position``; None where it claims nothing that can be held against it."""
    state: TeethTimeState = position.state
    hand, faces = state.hands[position.seat], position.faces
    what, _, fact = decision.why.rpartition(".")[2].partition("_")
    if (what, fact) not in (("discard", "useless"), ("discard", "chances"), ("discard", "out"), ("discard", "costly"),
                            ("discard", "safe"), ("discard", "denies"), ("leave", ""), ("leave", "restless")) \
            and what in ("discard", "leave", "apart"):
        return tells_of_a_tooth(position, fact, state.discards[-1] if decision.move[0] == "leave" else decision.move[1],
                                decision.params)
    match decision.why.rpartition(".")[2]:
        case "take_set":
            beside = teeth_beside(position, -1)
            return sum(RANK[tooth] == decision.params["rank"] for tooth in beside) == decision.params["n"] - 1 > 0
        case "take_run":
            return PLACE[decision.params["last"]] - PLACE[decision.params["first"]] + 1 >= decision.params["n"] > 1
        case "penalty_draw":
            return 0 < decision.params["n"] <= GUMPSTER_FILLS_TO and decision.params["seat"] == decision.move[2]
        case "penalty_skip":
            return faces[decision.move[1]] == TOOTHACHE
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
            return len(state.hands[decision.move[2]]) == decision.params["n"] == min(len(state.hands[other]) for other in others)
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
