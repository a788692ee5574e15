"""What this family's bots give as their reasons, to be held against the table they decided at."""

from __future__ import annotations

from typing import Any

from tabletin.bots.decision import Decision, Position
from tabletin.games.iota.grid import WILD
from tests.support.cases import Case

CASES: list[Case] = [("iota", 2, {"half_deck": True}), ("iota", 2, {"young_children": True})]
BUDGET = 0.4  # seconds: it must have seen every turn to say which makes the most
OPINIONS = frozenset[str]()
MOST = 12  # decisions: each takes long


def claim(position: Position, decision: Decision) -> Any:
    """Whether what ``decision`` claims holds in ``position``; None where it claims nothing that can be held against it."""
    rules, state = position.rules, position.state
    lays = [move for move in rules.moves(state, position.seat, position.faces) if move[0] == "play"]
    match decision.why.rpartition(".")[2]:
        case "trade":
            return not lays
        case "pass":
            return not lays and not state.pile
        case "waits":
            return bool(lays) and not state.pile
        case "lays":
            laid = len(decision.move[2])
            return decision.params["n"] == laid and (position.level == "easy" or laid == max(len(move[2]) for move in lays))
        case "plain" | "best_now" | "keeps_wild" | "leaves_less" | "sets_up" | "ends_well" | "played_on" as why:
            def points(move: Any) -> int:
                after = state.copy()
                assert rules.make(after, position.seat, move, position.faces) is None
                return int(after.scores[position.seat] - state.scores[position.seat])
            own, most = points(decision.move), max(map(points, lays))
            if why == "keeps_wild":
                after = state.copy()
                assert rules.make(after, position.seat, decision.move, position.faces) is None
                assert any(position.faces[card] == WILD for card in after.hands[position.seat] if card in position.faces)
            if why in ("ends_well", "played_on"):
                is_counted = len(rules.playing(state)) == 2 and not rules.option_values["half_deck"]  # else some lie in the box
                assert not state.pile and (why == "ends_well") == is_counted
            return own == decision.params["n"] and (why == "plain" or (own == most) == (why == "best_now"))
    return None
