"""What this family's bots give as their reasons, to be held against the table they decided at."""

from __future__ import annotations

from typing import Any

from tabletin.bots.decision import Decision, Position
from tabletin.games.toot.cards import kinds
from tabletin.games.toot.solver import best_use, uses
from tests.support.cases import Case
from tests.support.positions import hand_of

CASES: list[Case] = [
    ("toot-progressive", 2, {}), ("toot-fluke", 2, {}), ("toot-pursuit", 2, {}), ("toot-speed", 2, {"target": 2})]


def claim(position: Position, decision: Decision) -> Any:
    """Whether what ``decision`` claims holds in ``position``; None where it claims nothing that can be held against it."""
    own = kinds(hand_of(position)) if "ready" not in decision.why and "roll" not in decision.why else None
    use = best_use(own, getattr(position.state, "top_face", None)) if own is not None else None
    match decision.why.rpartition(".")[2]:
        case "nothing_fits" | "nothing_makes" | "none":
            return use is None
        case "wait":
            return use is not None
        case "wait_open":
            shown = position.state.top_face
            plays = list(uses(own, shown)) if own is not None else []
            return shown in (None, "1") and bool(plays) and not any(play.ones for play in plays)
        case "wait_dear":
            plays = list(uses(own, position.state.top_face)) if own is not None else []
            return decision.params["n"] == min(play.size for play in plays) > 1
        case "most" | "uses_most":
            return use is not None and use.size == decision.params["n"]
        case "claim":
            return own is not None and use is not None and use.size == sum(own)
    return None
