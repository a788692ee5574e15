"""What this family's bots give as their reasons, to be held against the table they decided at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabletin.bots.decision import Decision, Position
from tabletin.games.teeth.bot import EVEN, SAFE
from tabletin.games.teeth.columns import DECK
from tabletin.games.teeth.reckon import Belief, Chance, Look, Reckoner, count_hidden, place
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import COUNTED
from tests.support.cases import Case

CASES: list[Case] = [("teeth", 2, {}), ("teeth", 2, {"mode": "continuous", "columns": 5})]
OPINIONS = frozenset(("call_soon", "ahead", "plain"))
BUDGET = 0.03  # seconds
MOST = 70  # decisions


def columns(position: Position) -> tuple[Reckoner, dict[int, Look], Callable[[Look], Chance]]:
    """The open columns as the seat sees them, and a way to count how likely one is won, any unseen card being as likely."""
    rules, state, faces = position.rules, position.state, position.faces
    assert isinstance(rules, Teeth)
    reckoner = Reckoner(rules.values)
    looks = {at: reckoner.look(column, position.seat, faces) for at, column in enumerate(state.columns) if column is not None}
    live = [card for cards in rules.zones(state).values() for card in cards]
    return reckoner, looks, Belief(reckoner, count_hidden(reckoner, DECK, live, faces)).chance


def claim(position: Position, decision: Decision) -> Any:
    """Whether what ``decision`` claims holds in ``position``; None where it claims nothing that can be held against it."""
    state = position.state
    why = decision.why.rpartition(".")[2]
    if why == "ready":
        return state.phase == COUNTED
    reckoner, looks, chance = columns(position)
    if why == "call_lost":
        return not state.pile
    if why in ("call_soon", "ahead", "draw_first", "discard_first"):
        assert position.level == "hard"  # the others try nothing out
    if why == "call":
        return bool(state.pile) and decision.params["chance"] >= 100 * EVEN
    if why in ("draw", "draw_first"):
        wins = {at + 1: chance(look).win for at, look in looks.items()}
        column, times = decision.params["column"], decision.params["n"]
        is_told = wins[column] == max(wins.values()) and times == min(9, max(1, round(10 * wins[column])))
        return is_told and (max(wins.values()) < SAFE) == (why == "draw")
    if why in ("replace", "discard", "discard_first", "double", "double_low"):
        card = reckoner.count[position.faces[state.drawn_card]]
        if why.startswith("double"):
            return (card[0] < 0) == (why == "double_low")
        worth = {(verb, at): chance(place(look, verb, card)).even - chance(look).even
                 for at, look in looks.items() for verb in ("replace", "double")}
        most = max(0.0, *worth.values())
        if why == "discard_first":
            at, times = decision.params["column"] - 1, decision.params["n"]
            told = {min(9, max(1, round(10 * chance(place(looks[at], verb, card)).win)))
                    for verb in ("replace", "double") if worth[verb, at] == most > 0}
            return times in told
        return most <= 0 if why == "discard" else worth["replace", decision.params["column"] - 1] >= most
    return None
