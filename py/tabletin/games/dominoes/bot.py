"""Bots for the three domino games: *easy* overlooks much, *medium* has a rule of thumb, *hard* plays imagined rounds out.

They decide from their own seat's view. Hard deals the closed dominoes so that every claim made at the table was true and
lets all seats go on by the rule of thumb; easy never thinks of what the others have told.
"""

from __future__ import annotations

from statistics import fmean
from typing import Any, Final

from tabletin.kernel.shapes import Move
from tabletin.search.bots import LEVELS as LEVELS
from tabletin.search.bots import Decision, Thought

from .base import DominoRules
from .matador import Matador
from .scoring import score
from .sketch import DOMINOES, MATADOR, TIDDLE_A_WINK, Branch, Line, Sketch, Thumb
from .state import PLAYING, DominoState
from .tiles import HALVES
from .worlds import Unseen

WORLDS: Final = 160  # hard imagines no more than this …
SIFTED: Final = (12, 30, 60, 100)  # … and gives up on the weaker half of the moves after so many
EASY_OVERLOOKS: Final = 0.5  # of the moves there are
THUMBS: Final = {"dominoes": DOMINOES, "matador": MATADOR, "tiddle-a-wink": TIDDLE_A_WINK}


def choose(thought: Thought) -> Decision:
    """The move of a bot of ``thought.level``."""
    rules, state = thought.rules, thought.state
    assert isinstance(rules, DominoRules) and isinstance(state, DominoState)
    options = distinct(state, list(rules.moves(state, thought.seat, thought.faces)))
    if len(options) == 1:
        return Decision(options[0], f"dominoes.why.{_forced(state, options[0])}")
    move = {"easy": _easy, "medium": _medium, "hard": _hard}[thought.level](thought, rules, options)
    why, params = _why(thought, rules, move)
    return Decision(move, why, params)


def distinct(state: DominoState, moves: list[Move]) -> list[Move]:
    """``moves`` without those that differ only in which of several equal ends they go to."""
    found: dict[tuple[Any, ...], Move] = {}
    for move in moves:
        key = (move[1], state.open[move[2]], *move[3:]) if move[0] == "lay" else move
        found.setdefault(key, move)
    return list(found.values())


def _forced(state: DominoState, move: Move) -> str:
    if move[0] != "lay":
        return str(move[0])
    return "out" if len(state.hands[state.turn]) == 1 else "forced"


def _easy(thought: Thought, rules: DominoRules, options: list[Move]) -> Move:
    """The heaviest domino among the moves it happens to notice."""
    faces = thought.faces
    noticed = [move for move in options if thought.rng.random() > EASY_OVERLOOKS] or options
    return max(noticed, key=lambda move: sum(HALVES[faces[move[1]]]) if move[0] == "lay" else 0)


def _medium(thought: Thought, rules: DominoRules, options: list[Move]) -> Move:
    """The rule of thumb, from its own hand alone."""
    unseen = Unseen(rules, thought.state, thought.faces)
    sketch = unseen.sketch(unseen.draw(thought.rng))  # of which only its own hand and the table are looked at
    hand = sketch.hands[thought.seat]
    thumb = THUMBS[rules.id]
    if isinstance(sketch, Line):
        lay = sketch.best(hand, thumb)
        assert lay is not None
        tile, end, inner = lay
        wanted = (tile, sketch.ends[end], inner)
        return next(move for move in options if move[0] == "lay"
                    and (HALVES[thought.faces[move[1]]], thought.state.open[move[2]], move[3]) == wanted)
    assert isinstance(sketch, Branch)
    best = sketch.best(hand, thumb)
    return next(move for move in options if move[0] == "lay"
                and (HALVES[thought.faces[move[1]]], thought.state.open[move[2]]) == best)


def _hard(thought: Thought, rules: DominoRules, options: list[Move]) -> Move:
    """The move after which imagined rounds end best, the same worlds for every move."""
    unseen = Unseen(rules, thought.state, thought.faces)
    thumb, rng = THUMBS[rules.id], thought.rng
    gains: dict[Move, float] = dict.fromkeys(options, 0.0)
    for count in range(1, WORLDS + 1):
        sketch = unseen.sketch(unseen.draw(rng))
        for move in gains:
            gains[move] += _gain(thought, rules, sketch.copy(), move, thumb)
        if count in SIFTED and len(gains) > 2:
            kept = sorted(gains, key=lambda move: gains[move], reverse=True)[:(len(gains) + 1) // 2]
            gains = {move: gains[move] for move in kept}
        if thought.spent(0.8):
            break
    return max(gains, key=lambda move: gains[move])


def _gain(thought: Thought, rules: DominoRules, sketch: Sketch, move: Move, thumb: Thumb) -> float:
    """What ``move`` and the rest of the imagined round bring its seat, over what they bring the others."""
    make(sketch, thought.state, move, thought.faces[move[1]] if move[0] == "lay" else "")
    sketch.play_out(thumb, thought.rng)
    _, points = score(sketch.pips(), sketch.out, (), rules.balance)
    return points[thought.seat] - fmean(own for seat, own in enumerate(points) if seat != thought.seat)


def make(sketch: Sketch, state: DominoState, move: Move, face: str) -> None:
    """Make ``move``, legal in ``state``, in a sketch of it; ``face``: of the domino laid."""
    if isinstance(sketch, Line):
        if move[0] == "lay":
            sketch.lay(HALVES[face], sorted(state.open).index(move[2]), move[3])
        else:
            sketch.draw()
    else:
        assert isinstance(sketch, Branch)
        sketch.lay(HALVES[face], state.open[move[2]])


def _why(thought: Thought, rules: DominoRules, move: Move) -> tuple[str, dict[str, Any]]:
    """The plainest good thing about ``move``, for a hint."""
    state, faces = thought.state, thought.faces
    if move[0] == "draw":
        return "matador.why.saves", {}
    hand = state.hands[thought.seat]
    face = faces[move[1]]
    if len(hand) == 1:
        return "dominoes.why.out", {}
    if isinstance(rules, Matador) and face in rules.matadors:
        return "matador.why.matador", {}
    high, low = HALVES[face]
    if high == low:
        return "dominoes.why.double", {}
    if high + low >= max(sum(HALVES[faces[card]]) for card in hand):
        return "dominoes.why.heavy", {"n": high + low}
    outer = (high + low - move[3]) if isinstance(rules, Matador) else high + low - state.open[move[2]]
    if not isinstance(rules, Matador) and any(outer in HALVES[faces[card]] for card in hand if card != move[1]):
        return "dominoes.why.keeps", {}
    return "dominoes.why.blocks" if thought.level == "hard" else "dominoes.why.fits", {}
