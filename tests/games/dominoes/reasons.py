"""What this family's bots give as their reasons, to be held against the table they decided at."""

from __future__ import annotations

from typing import Any

from tabletin.bots.decision import Decision, Position
from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.bot import distinct
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.state import COUNTED
from tabletin.games.dominoes.tiles import HALVES
from tests.support.cases import Case
from tests.support.positions import hand_of

CASES: list[Case] = [("dominoes", 2, {}), ("matador", 3, {}), ("tiddle-a-wink", 6, {"target": 60})]
OPINIONS = frozenset(("imagined",))


def may_follow(position: Position, face: str, number: Any) -> bool:
    """Whether a domino may lie where ``number`` is open: it shows it, or it makes the total with it, or is a matador (DO-6)."""
    if isinstance(position.rules, Matador):
        wanted = position.rules.total - number if number else None
        return sum(HALVES[face]) in (0, position.rules.total) or wanted in HALVES[face]
    return number in HALVES[face]


def claim(position: Position, decision: Decision) -> Any:
    """Whether what ``decision`` claims holds in ``position``; None where it claims nothing that can be held against it."""
    state, hand = position.state, hand_of(position)
    lays = [move for move in position.rules.moves(state, position.seat, position.faces) if move[0] == "lay"]
    number = decision.params.get("number")
    face = position.faces[decision.move[1]] if decision.move[0] == "lay" else ""
    match decision.why.rpartition(".")[2]:
        case "forced" | "alike" as why:
            moves = list(position.rules.moves(state, position.seat, position.faces))
            return len(distinct(state, moves)) == 1 and (len(moves) == 1) == (why == "forced")
        case "fits":
            return decision.move in lays
        case "lead":
            assert isinstance(position.rules, DominoRules)
            return position.faces[decision.move[1]] == position.rules.questions[state.question]
        case "none":
            return ("none",) in list(position.rules.moves(state, position.seat, position.faces))
        case "ready":
            return state.phase == COUNTED
        case "draw" | "pass":
            return not lays
        case "saves" | "spends" as why:
            assert isinstance(position.rules, Matador)
            may_draw = ("draw",) in list(position.rules.moves(state, position.seat, position.faces))
            matadors = [position.faces[move[1]] in position.rules.matadors for move in lays]
            return may_draw and bool(matadors) and all(matadors) and (decision.move == ("draw",)) == (why == "saves")
        case "heavy":
            return sum(HALVES[face]) == decision.params["n"] == max(sum(HALVES[other]) for other in hand)
        case "double":
            return HALVES[face][0] == HALVES[face][1]
        case "keeps":
            return any(may_follow(position, other, number) for other in hand if other != face) and number in HALVES[face]
        case "few" | "nobody":
            shown = {position.faces[laid.card] for laid in state.tiles} | set(hand)
            rest = [other for other in position.rules.deck() if other not in shown and may_follow(position, other, number)]
            return len(rest) == decision.params.get("n", 0)
        case "out":
            return len(hand) == 1
        case "matador":
            return state.open[decision.move[2]] == 0
    return None
