"""Reads the opponent: what its closed cards may be, given what it did with what it saw, and what kind of player it is.

Worlds of closed cards are drawn from what is unseen and weighed by how well they explain each of the opponent's turns, if it is
a player of one of several kinds and knows nothing of the closed cards across. What has been turned up since tells which kind it
is. Knows one seat's view only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import exp, log
from random import Random
from typing import Final, NamedTuple, TypeAlias

from tabletin.games.teeth.reckon import Belief, Count, Look, Reckoner, add
from tabletin.games.teeth.state import Act, TeethState
from tabletin.kernel.faces import Faces

World: TypeAlias = dict[int, Count]  # the opponent's closed card in each open column

CALLS_AT: Final = 0.7  # the rule of thumb calls a column at this chance of winning it
PLAIN: Final = 0.15  # how much of the plain odds is kept in the weights of worlds, lest one be too sure …
COUNTED: Final = 0.1  # … and, besides, in what is believed of each card, since not every world was drawn; all of it without …
ENOUGH: Final = 100  # … worlds, of which so many are enough
CALLED: Final = -2


class PlayerKind(NamedTuple):
    """A kind of player: at what chance of winning it calls a column, and how sharply it keeps to that and to the best place.

    ``whim``: the share of its placings made for no reason.
    """

    calls_at: float
    call_blur: float
    place_blur: float
    whim: float


KINDS: Final = (
    PlayerKind(0.7, 0.1, 0.1, 0.05),  # by the rule of thumb
    PlayerKind(0.85, 0.1, 0.1, 0.05),  # hesitant
    PlayerKind(0.55, 0.15, 0.2, 0.1),  # bold
    PlayerKind(0.7, 0.3, 0.3, 0.05),  # one that searches, and so does what no rule of thumb would
    PlayerKind(0.9, 1.0, 1.0, 0.5),  # a child, which forgets what it has
)


class ObservedAct(NamedTuple):
    """An act of the opponent and the columns as it saw them, but for those of its own cards that are closed still.

    ``hidden_columns``: those of which that holds; of the others its own card has been turned up since.
    """

    act: Act
    card: Count
    columns: dict[int, Look]
    hidden_columns: frozenset[int]

    def looks(self, world: World) -> dict[int, Look]:
        """The columns as it saw them, if its closed cards are as in ``world``."""
        closed = self.hidden_columns
        return {at: look._replace(mine=add(look.mine, world[at])) if at in closed else look for at, look in self.columns.items()}


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
    """The acts of the other seat with this deck, the first one first. A column whose card went with a leaver is left out."""
    count, other = reckoner.count, 1 - seat
    found = []
    for act in (*state.earlier_acts, *state.acts):
        if act.seat != other or act.card not in faces:
            continue
        columns: dict[int, Look] = {}
        closed = set()
        for at, column in enumerate(act.columns):
            if column is None:
                continue
            own = column.owns[other]
            now = state.columns[at] if own not in faces else None
            if own in faces:
                columns[at] = reckoner.look(column, other, faces)
            elif now is not None and now.owns == column.owns:
                theirs, mine = (reckoner.side(faces[extra] for extra in column.extras[side]) for side in (other, seat))
                columns[at] = Look(theirs, count[faces[column.middle]], mine)
                closed.add(at)
        found.append(ObservedAct(act, count[faces[act.card]], columns, frozenset(closed)))
    return found


class Evidence(NamedTuple):
    """What an act says, in one world: the best chance it had of a column, and what it did instead of what else.

    ``call_chance``: the chance of the column that it called. ``gains``: of every way to place the card; ``gain``: of what it did.
    """

    top: float
    call_chance: float | None = None
    gains: tuple[float, ...] = ()
    gain: float = 0.0

    def of_kind(self, kind: PlayerKind) -> float:
        """The logarithm of how likely a player of ``kind`` does this."""
        calls_at, call_blur, place_blur, whim = kind
        mine = self.call_chance
        if mine is not None:
            return -log(1 + exp((calls_at - mine) / call_blur)) - log(1 + exp((self.top - mine) / call_blur))
        result = -log(1 + exp((self.top - calls_at) / call_blur))
        if self.gains:
            chosen = exp(self.gain / place_blur) / sum(exp(gain / place_blur) for gain in self.gains)
            result += log(whim / len(self.gains) + (1 - whim) * chosen)
        return result


def evidence(world: World, befores: list[ObservedAct], ignorant: Belief) -> list[Evidence]:
    """What each act says if the closed cards are as in ``world``; ``ignorant``: what the opponent believes of any card across."""
    found = []
    for before in befores:
        look = before.looks(world)
        if not look:
            continue
        belief = dict.fromkeys(look, ignorant)
        act = before.act
        _, top = calls(look, belief)
        if act.verb == "call":
            if act.column in look:
                found.append(Evidence(top, ignorant.chance(look[act.column]).win))
        elif act.column == -1 or act.column in look:
            options = gains(look, belief, before.card)
            gain = next(option[0] for option in options if option[1:] == (act.verb, act.column))
            found.append(Evidence(top, None, tuple(option[0] for option in options), gain))
    return found


def kinds_by(known: list[Evidence]) -> list[float]:
    """For each of ``KINDS`` the logarithm of how well it explains what is ``known``; alike at first."""
    return [sum(one.of_kind(kind) for one in known) for kind in KINDS]


def draw_worlds(pool: Counter[Count], places: list[int], number: int, rng: Random) -> list[World]:
    """``number`` ways to lay closed cards from ``pool`` at ``places``."""
    cards = list(pool.elements())
    return [dict(zip(places, rng.sample(cards, len(places)), strict=True)) for _ in range(number)]


def weigh(worlds: list[World], befores: list[ObservedAct], ignorant: Belief,
          out_of_time: Callable[[], bool] = lambda: False) -> list[tuple[World, float]]:
    """``worlds`` with how likely each is, by all kinds of player together, each as likely as its other acts make it.

    ``PLAIN`` of the weight is shared out evenly. Only the first worlds, where ``out_of_time`` says so after one of them.
    """
    kinds = kinds_by(evidence({}, [before for before in befores if not before.hidden_columns], ignorant))
    unsure = [before for before in befores if before.hidden_columns]
    logs = []
    for world in worlds:
        said = evidence(world, unsure, ignorant)
        logs.append([log_kind + sum(one.of_kind(kind) for one in said) for kind, log_kind in zip(KINDS, kinds, strict=True)])
        if out_of_time():
            break
    worlds = worlds[:len(logs)]
    top = max(max(row) for row in logs)
    weights = [sum(exp(one - top) for one in row) for row in logs]
    total = sum(weights)
    even = PLAIN / len(worlds)
    return [(world, even + (1 - PLAIN) * weight / total) for world, weight in zip(worlds, weights, strict=True)]


def beliefs(reckoner: Reckoner, worlds: list[tuple[World, float]], places: list[int], pool: Counter[Count]) -> dict[int, Belief]:
    """What to believe of each closed card; a little of it are the plain odds."""
    result = {}
    size, plain = sum(pool.values()), max(COUNTED, 1 - len(worlds) / ENOUGH)
    for at in places:
        weights: dict[Count, float] = {count: plain * number / size for count, number in pool.items()}
        for world, weight in worlds:
            weights[world[at]] += (1 - plain) * weight
        result[at] = Belief(reckoner, weights)
    return result
