"""Hints tell the truth: what the hard bot gives as its reason is held against the table it decided at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import pytest

from tabletin.bots.arena import decide
from tabletin.bots.decision import Decision, Position
from tabletin.games.dominoes.tiles import HALVES
from tabletin.games.teeth_time.cards import IN_HAND, PREVENTION
from tabletin.games.teeth_time.melds import sorted_hand, ways
from tabletin.games.teeth_time.state import TeethTimeState
from tabletin.games.toot.cards import kinds
from tabletin.games.toot.solver import best_use
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tabletin.words.wording import Wording

WORDS = load()
Told = tuple[Position, Decision]
CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("teeth-time", 3, {"hands": 3}), ("teeth", 2, {}), ("dominoes", 2, {}), ("matador", 3, {}),
    ("tiddle-a-wink", 6, {"target": 60}), ("iota", 2, {"half_deck": True}), ("iota", 2, {"young_children": True}),
    ("toot-progressive", 2, {}), ("toot-fluke", 2, {}), ("toot-pursuit", 2, {}), ("toot-speed", 2, {"target": 2})]


BUDGET = {"iota": 0.4}  # seconds of processor time; there it must have seen every turn to say which makes the most


def told(game: str, seats: int, options: dict[str, Any], seed: int) -> list[Told]:
    """What hard bots decide in a match, or its beginning, and what they decided from."""
    budget, most = BUDGET.get(game, 0.05), 12 if game == "iota" else 260
    rules = rules_of(game)
    players = tuple(Seat("bot", AUTHOR, level="hard", name=f"P{seat}") for seat in range(seats))
    table = Table.begin(rules, Setup(game, rules.version, options, players), OpenDealer(Random(seed)))
    match, rng = table.match, Random(seed)
    found: list[Told] = []
    wording = Wording(WORDS, match.setup)
    while (acting := match.rules.to_act(match.state)) and len(found) < most:
        answers = []
        for seat in acting:
            view = match.view((seat,))
            thought = Position(view, seat, "hard", rng, budget, process_time)
            decision = decide(game, thought)
            assert wording.phrase(decision.why, dict(decision.params)), decision.why
            answers.append((decision.delay, seat, decision, thought))
        _, seat, decision, thought = min(answers, key=lambda answer: answer[:2])
        found.append((thought, decision))
        table.move(seat, decision.move)
    return found


def hand_of(thought: Position) -> list[str]:
    return [thought.faces[card] for card in thought.state.hands[thought.seat]]


# ---- what each reason claims ----

def goes_down(thought: Position, extra: tuple[int, ...]) -> bool:
    state: TeethTimeState = thought.state
    holding = sorted_hand((*state.hands[thought.seat], *extra), thought.faces, one_colour=False)
    return next(ways(holding, state.contract), None) is not None


def teeth_time(thought: Position, decision: Decision) -> Any:
    state: TeethTimeState = thought.state
    hand, faces = state.hands[thought.seat], thought.faces
    match decision.why.rpartition(".")[2]:
        case "take_down" | "pull_down":
            return not goes_down(thought, ()) and goes_down(thought, state.discards[-1:])
        case "decline_ready":
            return goes_down(thought, ())
        case "discard_out":
            return len(hand) == 1
        case "discard_costly":
            return IN_HAND[faces[decision.move[1]]] == max(IN_HAND[faces[card]] for card in hand)
        case "accept":
            return all(faces[card] != PREVENTION for card in hand)
        case "penalty_nearest":
            others = [other for other in state.playing if other != thought.seat]
            return len(state.hands[decision.move[2]]) == min(len(state.hands[other]) for other in others)
    return None


def dominoes(thought: Position, decision: Decision) -> Any:
    state, hand = thought.state, hand_of(thought)
    lays = [move for move in thought.rules.moves(state, thought.seat, thought.faces) if move[0] == "lay"]
    number = decision.params.get("number")
    face = thought.faces[decision.move[1]] if decision.move[0] == "lay" else ""
    match decision.why.rpartition(".")[2]:
        case "draw" | "pass":
            return not lays
        case "saves":
            return bool(lays)
        case "spends":
            return ("draw",) in list(thought.rules.moves(state, thought.seat, thought.faces))
        case "heavy":
            return sum(HALVES[face]) == decision.params["n"] == max(sum(HALVES[other]) for other in hand)
        case "double":
            return HALVES[face][0] == HALVES[face][1]
        case "keeps":
            return any(number in HALVES[other] for other in hand if other != face) and number in HALVES[face]
        case "few" | "nobody":
            shown = {thought.faces[laid.card] for laid in state.laid} | set(hand)
            rest = [other for other in thought.rules.deck() if other not in shown and number in HALVES[other]]
            return len(rest) == decision.params.get("n", 0)
        case "out":
            return len(hand) == 1
        case "matador":
            return state.open[decision.move[2]] == 0
    return None


def iota(thought: Position, decision: Decision) -> Any:
    rules, state = thought.rules, thought.state
    lays = [move for move in rules.moves(state, thought.seat, thought.faces) if move[0] == "play"]
    match decision.why.rpartition(".")[2]:
        case "trade":
            return not lays
        case "lays":
            return decision.params["n"] == len(decision.move[2]) == max(len(move[2]) for move in lays)
        case "best_now" | "keeps_wild" | "leaves_less" | "sets_up" as why:
            def points(move: Any) -> int:
                after = state.copy()
                assert rules.make(after, thought.seat, move, thought.faces) is None
                return int(after.scores[thought.seat] - state.scores[thought.seat])
            own, most = points(decision.move), max(map(points, lays))
            return own == decision.params["n"] and (own == most) == (why == "best_now")
    return None


def toot(thought: Position, decision: Decision) -> Any:
    own = kinds(hand_of(thought)) if "ready" not in decision.why and "roll" not in decision.why else None
    use = best_use(own, getattr(thought.state, "shown", None)) if own is not None else None
    match decision.why.rpartition(".")[2]:
        case "nothing_fits" | "nothing_makes" | "none":
            return use is None
        case "wait":
            return use is not None
        case "most" | "uses_most":
            return use is not None and use.size == decision.params["n"]
        case "claim":
            return own is not None and use is not None and use.size == sum(own)
    return None


CLAIMS: dict[str, Callable[[Position, Decision], Any]] = {
    "teeth_time": teeth_time, "dominoes": dominoes, "iota": iota, "toot": toot}


@pytest.mark.parametrize(("game", "seats", "options"), CASES, ids=lambda value: value if isinstance(value, str) else None)
def test_reasons_are_true(game: str, seats: int, options: dict[str, Any]) -> None:
    claim = CLAIMS.get(GAMES[game].family)
    checked: Counter[str] = Counter()
    for thought, decision in told(game, seats, options, 4):
        held = None if claim is None else claim(thought, decision)
        assert held is not False, (decision, hand_of(thought))
        checked[decision.why] += held is True
    assert claim is None or checked.total() >= 3, checked
