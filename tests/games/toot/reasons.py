"""What this family's bots give as their reasons, to be held against the table they decided at."""

from __future__ import annotations

from typing import Any

from tabletin.bots.decision import Decision, Position
from tabletin.games.toot.arrangement import cards_of
from tabletin.games.toot.cards import Kinds, kinds
from tabletin.games.toot.solver import best_use, uses
from tests.support.cases import Case
from tests.support.positions import hand_of

CASES: list[Case] = [
    ("toot-progressive", 2, {}), ("toot-fluke", 2, {}), ("toot-pursuit", 2, {}), ("toot-speed", 2, {"target": 2})]
OPINIONS = frozenset[str]()


def laid(position: Position, decision: Decision) -> tuple[int, Any]:
    """How many cards the move takes out of the hand, and the state after it."""
    after = position.state.copy()
    assert position.rules.make(after, position.seat, decision.move, position.faces) is None
    return len(position.state.hands[position.seat]) - len(after.hands[position.seat]), after


def claim(position: Position, decision: Decision) -> Any:
    """Whether what ``decision`` claims holds in ``position``; None where it claims nothing that can be held against it."""
    if decision.other is not None and (position.state.turn != position.seat or laid(
            position, Decision(decision.other))[0] != decision.params["n"]):
        return False
    own = kinds(hand_of(position)) if "ready" not in decision.why and "roll" not in decision.why else None
    use = best_use(own, getattr(position.state, "top_face", None)) if own is not None else None
    match decision.why.rpartition(".")[2]:
        case "nothing_fits" | "nothing_makes" | "none":
            return use is None
        case "roll" | "draw" as verb:
            return (verb,) in list(position.rules.moves(position.state, position.seat, position.faces))
        case "ready":
            return decision.move[0] in ("ready", "set_off", "done")
        case "plain" | "cheap" | "later" | "block" as why:
            size, after = laid(position, decision)
            return (decision.params["n"] == size and (why != "block" or after.top_face == "1")
                    and (why != "later" or (use is not None and size < use.size)))
        case "uses":
            return decision.params["n"] == len(cards_of(decision.move[1]))
        case "draw_more" | "give_up" as why:
            pile = position.state.pile
            return (bool(pile) == (why == "draw_more") and own is not None and decision.params["n"] == sum(own)
                    and (use is None or use.size < sum(own)))
        case "wait":
            return use is not None
        case "keep" | "keep_wild" as why:
            assert own is not None
            plain = best_use(own._replace(wilds=0), position.state.top_face)
            return position.rules.low_wins and use is not None and (plain is None) == (why == "keep_wild")
        case "wait_wild" | "wait_wild_one" as why:
            shown = position.state.top_face
            return (own is not None and own.wilds > 0 and not any(uses(own._replace(wilds=0), shown)) and any(uses(own, shown))
                    and (shown == "1") == (why == "wait_wild_one") and any(uses(Kinds(wilds=1), "2")))
        case "wait_open" | "wait_one" as why:
            return (position.state.top_face == "1" and own is not None and set(uses(own, "1")) <= set(uses(own, "2"))
                    and (own.ones > 0) == (why == "wait_one"))
        case "wait_dear":
            plays = list(uses(own, position.state.top_face)) if own is not None else []
            return (own is not None and decision.params["n"] >= min(play.size for play in plays) > 1
                    and set(plays) <= set(uses(own, "2")) and any(uses(Kinds(ones=1), position.state.top_face)))
        case "most":
            return use is not None and use.size == decision.params["n"]
        case "uses_most" | "uses_all" as why:
            left = decision.params["left"]
            return (position.level == "hard" and own is not None and use is not None and use.size == decision.params["n"]
                    and left == sum(own) - use.size and bool(left) == (why == "uses_most"))
        case "claim":
            return own is not None and use is not None and use.size == sum(own)
    return None
