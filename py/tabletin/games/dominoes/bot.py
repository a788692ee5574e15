"""Bots for the three domino games: *easy* overlooks much, *medium* plays a few imagined rounds out, *hard* many.

They decide from their own seat's view. Medium and hard deal the closed dominoes and play on with a rule of thumb for all seats,
hard so that every claim made at the table was true. The other levels ignore claims.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from statistics import fmean
from typing import Any, Final, TypeAlias

from tabletin.bots.characters import BOLD, CAREFUL, COLLECTOR, SPRINTER
from tabletin.bots.comparison import Playout
from tabletin.bots.decision import Decision, Position
from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.scoring import score
from tabletin.games.dominoes.sketch import THUMBS, BranchSketch, LineSketch, Sketch, Thumb
from tabletin.games.dominoes.state import DominoState
from tabletin.games.dominoes.tiles import HALVES
from tabletin.games.dominoes.worlds import HiddenTiles, table_only
from tabletin.kernel.faces import Card
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import LEVELS as LEVELS

WORLDS: Final = 600  # hard imagines no more than this …
MEDIUM_WORLDS: Final = 12  # medium, enough to stand midway between its neighbours
SIFTED: Final = (40, 100, 200, 350)  # … and gives up on the weaker half of the moves after so many
Choice: TypeAlias = tuple[Move, bool]  # a move, and whether imagined rounds spoke for it against the rule of thumb
DOUBT: Final = 1.0  # standard errors by which a move must beat what the rule of thumb says
FEW: Final = 3  # dominoes that may still go on an end, for a hint to count them
PLAYOUTS: Final = {"matador": Playout("easy")}  # medium imagines rounds there
EASY_OVERLOOKS: Final = 0.4  # of its dominoes


def thumb_of(position: Position) -> Thumb:
    """The rule of thumb of the bot's level and habit."""
    thumb, habit = THUMBS[position.level][position.rules.id], position.habit
    if habit == BOLD:
        return thumb._replace(pips=thumb.pips * 0.7)
    if habit == CAREFUL:
        return thumb._replace(pips=thumb.pips * 1.3)
    if habit == COLLECTOR:
        return thumb._replace(double=thumb.double - 2, matador=thumb.matador - 4)
    return thumb._replace(follow=thumb.follow + 1) if habit == SPRINTER else thumb


def choose(position: Position) -> Decision:
    """The move of a bot of ``position.level``."""
    rules, state = position.rules, position.state
    assert isinstance(rules, DominoRules) and isinstance(state, DominoState)
    moves = list(rules.moves(state, position.seat, position.faces))
    options = distinct(state, moves)
    if len(options) == 1:
        return Decision(options[0], f"dominoes.why.{_forced(state, options[0], len(moves))}")
    move, imagined = {"easy": _easy, "medium": _medium, "hard": _hard}[position.level](position, rules, options)
    why, params = _why(position, rules, move, options, imagined)
    return Decision(move, why, params)


def distinct(state: DominoState, moves: list[Move]) -> list[Move]:
    """``moves`` without those that differ only in which of several equal ends they go to."""
    found: dict[tuple[Any, ...], Move] = {}
    for move in moves:
        key = (move[1], state.open[move[2]], *move[3:]) if move[0] == "lay" else move
        found.setdefault(key, move)
    return list(found.values())


def _forced(state: DominoState, move: Move, places: int) -> str:
    """Why ``move`` is made, where nothing else can be done but, on equal ends, the same in several ``places``."""
    if move[0] != "lay":
        return str(move[0])
    if len(state.hands[state.turn]) == 1:
        return "out"
    return "forced" if places == 1 else "alike"


def _easy(position: Position, rules: DominoRules, options: list[Move]) -> Choice:
    """Heavy dominoes and doubles first, of those that it happens to notice."""
    hand = [card for card in position.state.hands[position.seat] if position.rng.random() > EASY_OVERLOOKS]
    noticed = _by_thumb(position, rules, options, hand, thumb_of(position))
    return noticed or position.rng.choice([move for move in options if move[0] == "lay"]), False


def _medium(position: Position, rules: DominoRules, options: list[Move]) -> Choice:
    """Heavy dominoes and doubles first, unless a few imagined rounds end better after another move."""
    unseen = HiddenTiles(rules, position.state, position.faces, heed=False)
    worlds = MEDIUM_WORLDS if unseen.cards else 1
    return _imagined(position, rules, options, unseen, thumb_of(position), worlds, 0.0)


def _by_thumb(position: Position, rules: DominoRules, options: list[Move], hand: Iterable[Card], thumb: Thumb) -> Move | None:
    """What a rule of thumb lays from ``hand``, a part of the seat's own; None if nothing in it fits."""
    state, faces = position.state, position.faces
    tiles = {HALVES[faces[card]]: card for card in hand}
    sketch = table_only(rules, state)
    best = sketch.best(list(tiles), thumb)
    if best is None:
        return None
    wanted = (tiles[best[0]], sketch.ends[best[1]], best[2]) if isinstance(sketch, LineSketch) else (tiles[best[0]], best[1])
    return next(move for move in options if move[0] == "lay" and (move[1], state.open[move[2]], *move[3:]) == wanted)


def _hard(position: Position, rules: DominoRules, options: list[Move]) -> Choice:
    """The best of many imagined rounds, in which every claim made at the table was true."""
    unseen = HiddenTiles(rules, position.state, position.faces)
    worlds = WORLDS if unseen.cards else 1  # nothing is closed: there is but one
    return _imagined(position, rules, options, unseen, thumb_of(position), worlds, DOUBT)


def _imagined(position: Position, rules: DominoRules, options: list[Move], unseen: HiddenTiles, thumb: Thumb, worlds: int,
              doubt: float) -> Choice:
    """What the rule of thumb says, unless imagined rounds, the same for every move, end clearly better after another."""
    rng = position.rng
    first = _by_thumb(position, rules, options, position.state.hands[position.seat], thumb) or options[0]
    others = {move: (0.0, 0.0) for move in options if move != first}  # sum of gains over ``first``, and of their squares
    count = 0
    while count < worlds and others and not position.out_of_time(0.8):
        count += 1
        sketch = unseen.sketch(unseen.draw(rng))
        standard = _gain(position, rules, sketch.copy(), first, thumb)
        for move, (total, squares) in others.items():
            more = _gain(position, rules, sketch.copy(), move, thumb) - standard
            others[move] = (total + more, squares + more * more)
        if count in SIFTED:
            kept = sorted(others, key=lambda move: others[move][0], reverse=True)[:(len(others) + 1) // 2]
            others = {move: others[move] for move in kept if _lead(*others[move], count) > -2 * doubt}
    position.worlds = count
    best = max(others, key=lambda move: others[move][0], default=first)
    return (best, True) if best in others and _lead(*others[best], count) > doubt else (first, False)


def _lead(total: float, squares: float, count: int) -> float:
    """By how many of its standard errors a mean lies above nought; 0 where there was no time for one."""
    if not count:
        return 0.0
    variance = squares / count - (total / count) ** 2
    return total / sqrt(max(variance, 1e-9) * count)


def _gain(position: Position, rules: DominoRules, sketch: Sketch, move: Move, thumb: Thumb) -> float:
    """What ``move`` and the rest of the imagined round bring its seat, over what they bring the others."""
    make(sketch, position.state, move, position.faces[move[1]] if move[0] == "lay" else "")
    sketch.play_out(thumb, position.rng)
    _, points = score(sketch.pips(), sketch.first_out, (), rules.balance)
    totals, target, seats = position.state.totals, rules.option_values["target"], rules.playing(position.state)
    # more than the target is no use
    worth = {seat: min(own, target - totals[seat]) for seat, own in zip(seats, points, strict=True)}
    return float(worth[position.seat]) - fmean(own for seat, own in worth.items() if seat != position.seat)


def make(sketch: Sketch, state: DominoState, move: Move, face: str) -> None:
    """Make ``move``, legal in ``state``, in a sketch of it; ``face``: of the domino laid."""
    if isinstance(sketch, LineSketch):
        if move[0] == "lay":
            sketch.lay(HALVES[face], sketch.ends.index(state.open[move[2]]), move[3])
        else:
            sketch.draw()
    else:
        assert isinstance(sketch, BranchSketch)
        sketch.lay(HALVES[face], state.open[move[2]])


def goes_on(rules: DominoRules, face: str, number: int) -> bool:
    """Whether a domino may be laid where ``number`` is open."""
    if isinstance(rules, Matador):
        return face in rules.matadors or any(rules.regular(number, half) for half in HALVES[face])
    return number in HALVES[face]


def _why(position: Position, rules: DominoRules, move: Move, options: list[Move], imagined: bool) -> tuple[str, dict[str, Any]]:
    """The plainest good thing about ``move``, for a hint; something that can be seen at the table if there is one."""
    if move[0] == "draw":
        return "matador.why.saves", {}
    state, faces = position.state, position.faces
    hand = state.hands[position.seat]
    face, number = faces[move[1]], state.open[move[2]]
    high, low = HALVES[face]
    if len(hand) == 1:
        return "dominoes.why.out", {}
    if isinstance(rules, Matador):
        if face in rules.matadors and ("draw",) in options:
            return "matador.why.spends", {}
        if number == 0 and high + low > move[3]:
            return "matador.why.matador", {}
    elif high == low:
        return "dominoes.why.double", {}
    if high + low >= max(sum(HALVES[faces[card]]) for card in hand):
        return "dominoes.why.heavy", {"n": high + low}
    outer = high + low - (move[3] if isinstance(rules, Matador) else number)
    if any(goes_on(rules, faces[card], outer) for card in hand if card != move[1]):
        return f"{'matador' if isinstance(rules, Matador) else 'dominoes'}.why.keeps", {"number": outer}
    known = {laid.card for laid in state.tiles} | set(hand)
    seen = {faces[card] for card in known}
    rest = sum(goes_on(rules, other, outer) for other in rules.deck() if other not in seen)
    if rest <= FEW:
        return ("dominoes.why.few", {"n": rest, "number": outer}) if rest else ("dominoes.why.nobody", {"number": outer})
    return ("dominoes.why.imagined" if imagined else "dominoes.why.fits"), {"n": high + low}
