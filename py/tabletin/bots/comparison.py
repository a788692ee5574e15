"""Two moves in the same position, each played on in the same imagined worlds: which brings its seat more, and how sure that is.

Every world is a guess from the seat's own view, so nothing is weighed that the seat could not know. All seats go on as *medium*
does, and a hand is played to its end, unless ``PLAYOUTS`` in the family's ``bot`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean
from typing import Any, Final

from tabletin.bots.decision import Decision, Position
from tabletin.bots.determinize import HiddenCards, deal_on
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View, asks_new_deck
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Move
from tabletin.registry import GAMES

BUDGET: Final = 0.1  # seconds for a decision in an imagined world; medium needs a few thousandths
MOST_MOVES: Final = 2000  # in an imagined hand
MOST_WORLDS: Final = 400
FEWEST_WORLDS: Final = 4  # even where there is no time for them: fewer say nothing
SURE: Final = 1.96  # standard errors of a 95 % interval
CERTAIN: Final = 1e-6  # points: as sure as figures are


@dataclass(frozen=True, slots=True)
class Playout:
    """How a game goes on in an imagined world: as ``level`` plays it, which must be quick, for so many ``rounds``, after which
    the score shows what a turn was worth; 0: to the end of the hand."""

    level: str = "medium"
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """By how many points of lead one move came out ahead of another in ``worlds`` imagined worlds.

    ``total``: the sum over all worlds, ``squares``: of the squares; ``better``, ``worse``: in how many it was ahead, behind.
    """

    worlds: int = 0
    total: float = 0.0
    squares: float = 0.0
    better: int = 0
    worse: int = 0

    @property
    def mean(self) -> float:
        """Points a world."""
        return self.total / self.worlds if self.worlds else 0.0

    @property
    def half(self) -> float:
        """Half the width of the mean's 95 % interval; infinite for fewer than two worlds."""
        if self.worlds < 2:
            return float("inf")
        variance = max(0.0, self.squares / self.worlds - self.mean ** 2) * self.worlds / (self.worlds - 1)
        return SURE * sqrt(variance / self.worlds)

    @property
    def is_certain(self) -> bool:
        """Whether the difference was the same in every world, so that nothing hidden decides it."""
        return self.worlds > 1 and self.better + self.worse in (0, self.worlds) and self.half < CERTAIN

    def plus(self, other: Comparison) -> Comparison:
        """Both together."""
        return Comparison(self.worlds + other.worlds, self.total + other.total, self.squares + other.squares,
                          self.better + other.better, self.worse + other.worse)

    def add_world(self, difference: float) -> Comparison:
        """With one more world, in which the lead was larger by ``difference``."""
        return self.plus(Comparison(1, difference, difference ** 2, int(difference > 0), int(difference < 0)))


def compare(position: Position, one: Move, other: Move) -> Comparison:
    """By how much ``one`` came out ahead of ``other``, in as many worlds as the time of ``position`` allows, a few at least.

    Both must be legal for its seat. A world in which one of them cannot be made does not count.
    """
    game, seat, rng = position.rules.id, position.seat, position.rng
    playout: Playout = GAMES[game].declaration("bot", "PLAYOUTS", {}).get(game, Playout())
    hidden, found = HiddenCards(position.view), Comparison()
    for tried in range(1, MOST_WORLDS + 1):
        world, luck = hidden.draw(rng), rng.getrandbits(32)
        leads = [_lead_after(position.rules, position.state, world, seat, move, luck, playout) for move in (one, other)]
        if None not in leads:
            found = found.add_world(leads[0] - leads[1])  # type: ignore[operator]  # just looked
        if position.out_of_time() and (found.worlds >= FEWEST_WORLDS or tried >= 2 * FEWEST_WORLDS):
            break
    return found


def lead(rules: Rules[Any], scores: Sequence[int], seat: int) -> float:
    """By how much ``seat`` is better off than the others on average."""
    others = [score for other, score in enumerate(scores) if other != seat]
    ahead = scores[seat] - (fmean(others) if others else 0.0)
    return -ahead if rules.low_wins else float(ahead)


def _lead_after(rules: Rules[Any], state: Any, world: Faces, seat: int, move: Move, luck: int,
                playout: Playout) -> float | None:
    """The lead of ``seat`` once ``playout`` ends; None where ``move`` cannot be made. ``luck`` decides what is dealt."""
    state, world, rng = state.copy(), world.copy(), Random(luck)
    if rules.make(state, seat, move, world) is not None:
        return None
    for _ in range(playout.rounds * rules.seats or MOST_MOVES):
        if asks_new_deck(state):
            break
        deal_on(rules, state, world, rng)
        acting = rules.to_act(state)
        if not acting:
            break
        actor, choice = _first_to_act(rules, state, world, acting, playout.level, rng)
        if rules.make(state, actor, choice, world) is not None:
            return None
    return lead(rules, rules.standings(state), seat)


def _first_to_act(rules: Rules[Any], state: Any, world: Faces, acting: Sequence[int], level: str,
                  rng: Random) -> tuple[int, Move]:
    """Who acts next in a world, and how: where several may, the quickest."""
    best: tuple[float, int, Decision] | None = None
    for seat in acting:
        position = Position(View(rules, state, (seat,), _seen(state, seat, world)), seat, level, rng, BUDGET)
        decision: Decision = GAMES[rules.id].module("bot").choose(position)
        if best is None or decision.delay < best[0]:
            best = decision.delay, seat, decision
        if not decision.delay:
            break
    assert best is not None
    return best[1], best[2].move


def _seen(state: Any, seat: int, world: Faces) -> Faces:
    """What ``seat`` sees in a world."""
    faces = Faces((card, world[card]) for card, shown in state.viewers.items() if shown >> seat & 1 and card in world)
    faces.update(state.public)
    return faces
