"""What is public of a match of dominoes: hands as handles, the table, open places, claims not yet checked, scores."""

from __future__ import annotations

from typing import Final, NamedTuple

from tabletin.games.dominoes.table import LaidTile
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.state import State

DEALING: Final = "dealing"
LEADING: Final = "leading"  # the lead is asked for; every seat in ``waiting`` may answer
PLAYING: Final = "playing"  # ``turn`` is to move
COUNTING: Final = "counting"  # hands are being opened
COUNTED: Final = "counted"  # the round is written down; every seat in ``waiting`` is asked whether it is ready
OVER: Final = "over"


class Claim(NamedTuple):
    """A seat's word about dominoes that stayed closed (DO-10), with the hand it held when it gave it.

    ``verb`` "none": none of ``hand`` is ``tile``. "draw", "pass": nothing in ``hand`` had to be played on ``ends``.
    """

    seat: int
    verb: str
    hand: tuple[Card, ...]
    ends: tuple[int, ...] = ()
    tile: Face = ""


class HandCount(NamedTuple):
    """A round as it was written down. ``ending``: "out", "blocked", or "remix" when nobody could lead.

    ``pips`` and ``points`` by seat (what was left in hand; what it scored or lost); ``liars``: seats found out (DO-10).
    """

    ending: str
    winner: int | None
    pips: tuple[int, ...]
    points: tuple[int, ...]
    liars: tuple[int, ...]


class DominoState(State):
    """``phase``: see above. ``round``: from 1. ``dealer``. ``turn``: the seat to move while playing, else -1.

    ``waiting``: seats still to answer in a window. ``question``: which of the rules' ``questions`` is being asked.
    ``pile``: next domino first. ``hands``: by seat. ``tiles``: dominoes on the table in order. ``open``: place → number.
    ``passes``: in a row. ``first_out``: the seat that emptied its hand, or None. ``claims``: of this round.
    ``totals``: by seat. ``sheet``: every round written down. ``last_count``: how the last one ended, or None.
    """

    __slots__ = ("phase", "round", "dealer", "turn", "waiting", "question", "pile", "hands", "tiles", "open", "passes",
                 "first_out", "claims", "totals", "sheet", "last_count")

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.phase = DEALING
        self.round = 1
        self.dealer = seats - 1
        self.turn = -1
        self.waiting: tuple[int, ...] = ()
        self.question = 0
        self.pile: tuple[Card, ...] = ()
        self.hands: tuple[tuple[Card, ...], ...] = ((),) * seats
        self.tiles: tuple[LaidTile, ...] = ()
        self.open: dict[int, int] = {}
        self.passes = 0
        self.first_out: int | None = None
        self.claims: tuple[Claim, ...] = ()
        self.totals: tuple[int, ...] = (0,) * seats
        self.sheet: tuple[HandCount, ...] = ()
        self.last_count: HandCount | None = None
