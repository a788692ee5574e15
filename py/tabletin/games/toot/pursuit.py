"""TooT Pursuit: draw a card, and score a point for any play that leaves one TooT. Most points win.

Source: rulebook ``toot``, "TooT Pursuit", and ruling TO-7.
"""

from __future__ import annotations

from tabletin.games.toot.arrangement import TOOTS
from tabletin.games.toot.onetable import OneTable, OneTableState
from tabletin.kernel.rules import SheetRow


class PursuitState(OneTableState):
    """``points`` by seat."""

    __slots__ = ("points",)

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.points: tuple[int, ...] = (0,) * seats


class Pursuit(OneTable[PursuitState]):
    """TooT Pursuit for 2–6 seats."""

    id = "toot-pursuit"
    forced_verbs = frozenset(("draw",))  # a turn begins with it, as everybody sees
    forced_verbs_among_bots = frozenset(("pass",))  # whoever could lay may pass, too
    quiet_events_of_others = frozenset(("toot.log.drew",))
    brief_verbs = frozenset(("draw", "pass"))  # many follow each other, and a plate keeps saying who passed
    unseen_verbs = frozenset(("pass",))
    verbs = {"draw": (), "play": (TOOTS,), "pass": ()}
    draw_verb = "draw"
    draw_first = "toot.refuse.draw_first"
    ruling = "TO-7"

    def start(self) -> PursuitState:
        state = PursuitState(self.seats)
        state.new_deck(self.deck())
        return state

    def begin_draw(self, state: PursuitState, seat: int) -> None:
        self.take(state, seat, 1)

    def earn(self, state: PursuitState, seat: int) -> None:
        """One point a turn, however many cards were laid (TO-7)."""
        state.points = tuple(points + (index == seat) for index, points in enumerate(state.points))
        state.say("toot.log.scored", seat, n=1)

    def standings(self, state: PursuitState) -> tuple[int, ...]:
        return state.points

    def sheet(self, state: PursuitState) -> list[SheetRow]:
        return [SheetRow("toot.sheet.points", state.points, total=True)]
