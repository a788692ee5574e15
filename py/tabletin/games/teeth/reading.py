"""Reads the opponent: what its closed cards may be, given what it did with what it saw.

Worlds of closed cards are drawn from what is unseen and weighed by how well they explain each of the opponent's turns in
this round, if it plays by the rule of thumb and knows nothing of the closed cards across. Knows one seat's view only.
"""

from __future__ import annotations

from collections import Counter
from math import exp
from random import Random
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.teeth.reckon import NOTHING, Belief, Count, Look, Reckoner, add
from tabletin.games.teeth.state import Act, TeethState
from tabletin.kernel.faces import Faces

World: TypeAlias = dict[int, Count]  # the opponent's closed card in each open column

CALLS_AT: Final = 0.7  # the rule of thumb calls a column at this chance of winning it
CALL_BLUR: Final = 0.08  # how sharply an opponent keeps to that …
PLACE_BLUR: Final = 0.1  # … and to the best place for a card
WHIM: Final = 0.05  # the share of placings made for no reason
CALLED: Final = -2


class ObservedAct(NamedTuple):
    """An act of the opponent and the columns, those still open now, as it saw them but for its closed cards."""

    act: Act
    card: Count
    columns: dict[int, Look]


def calls(look: dict[int, Look], belief: dict[int, Belief]) -> tuple[int, float]:
    """The column that its seat is likeliest to win outright, and how likely."""
    best, top = CALLED, -1.0
    for at, column in look.items():
        chance = belief[at].chance(column).win
        if chance > top:
            best, top = at, chance
    return best, top


def gains(look: dict[int, Look], belief: dict[int, Belief], card: Count) -> list[tuple[float, str, int]]:
    """What each way to place ``card`` brings, in columns: discarding first, then by column."""
    found = [(0.0, "discard", -1)]
    for at, column in look.items():
        middle, double = belief[at].gains(column, card)
        found.append((middle, "replace", at))
        found.append((double, "double", at))
    return found


def history(reckoner: Reckoner, state: TeethState, seat: int, faces: Faces) -> list[ObservedAct]:
    """The acts of the other seat in this round, latest first, undone one by one from the table as it is."""
    count, other = reckoner.count, 1 - seat
    columns: dict[int, Look] = {}
    for at, column in enumerate(state.columns):
        if column is not None:
            theirs, mine = (reckoner.side(faces[extra] for extra in column.extras[side]) for side in (other, seat))
            columns[at] = Look(theirs, count[faces[column.middle]], mine)
    found = []
    for act in reversed(state.acts):
        if act.verb == "call":
            columns.pop(act.column, None)  # what lies there now was dealt after it
            if act.seat == other:
                found.append(ObservedAct(act, NOTHING, dict(columns)))
            continue
        card = count[faces[act.card]]
        if act.column in columns:
            look = columns[act.column]
            if act.replaced_card is not None:
                look = look._replace(middle=count[faces[act.replaced_card]])
            else:
                side = look.mine if act.seat == other else look.theirs
                less = (side[0] - card[0], side[1] - card[1])
                look = look._replace(mine=less) if act.seat == other else look._replace(theirs=less)
            columns[act.column] = look
        if act.seat == other:
            found.append(ObservedAct(act, card, dict(columns)))
    return found


def likelihood(world: World, befores: list[ObservedAct], ignorant: Belief) -> float:
    """How well ``world`` explains the opponent's turns; ``ignorant``: what it believes of any card across."""
    result = 1.0
    for act, card, columns in befores:
        look = {at: column._replace(mine=add(column.mine, world[at])) for at, column in columns.items()}
        belief = dict.fromkeys(look, ignorant)
        _, top = calls(look, belief)
        if act.verb == "call":
            continue  # it preferred a column that is gone: says little of the others
        result *= 1 / (1 + exp((top - CALLS_AT) / CALL_BLUR))
        if act.column == -1 or act.column in look:
            options = gains(look, belief, card)
            weights = [exp(gain / PLACE_BLUR) for gain, _, _ in options]
            chosen = next(weight for weight, option in zip(weights, options, strict=True) if option[1:] == (act.verb, act.column))
            result *= WHIM / len(options) + (1 - WHIM) * chosen / sum(weights)
    return result


def draw_worlds(pool: Counter[Count], places: list[int], number: int, rng: Random) -> list[World]:
    """``number`` ways to lay closed cards from ``pool`` at ``places``."""
    cards = list(pool.elements())
    return [dict(zip(places, rng.sample(cards, len(places)), strict=True)) for _ in range(number)]


def weigh(worlds: list[World], befores: list[ObservedAct], ignorant: Belief) -> list[tuple[World, float]]:
    """``worlds`` with how likely each is; alike if nothing explains what happened."""
    weights = [likelihood(world, befores, ignorant) for world in worlds]
    total = sum(weights)
    if total <= 0:
        return [(world, 1 / len(worlds)) for world in worlds]
    return [(world, weight / total) for world, weight in zip(worlds, weights, strict=True)]


def beliefs(reckoner: Reckoner, worlds: list[tuple[World, float]], places: list[int], pool: Counter[Count]) -> dict[int, Belief]:
    """What to believe of each closed card; a little of the plain odds is kept, lest one be too sure."""
    result = {}
    size = sum(pool.values())
    for at in places:
        weights: dict[Count, float] = {count: 0.1 * number / size for count, number in pool.items()}
        for world, weight in worlds:
            weights[world[at]] += 0.9 * weight
        result[at] = Belief(reckoner, weights)
    return result
