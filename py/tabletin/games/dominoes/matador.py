"""Matador: one line, two ends, and halves that add up to ten (or thirteen). Rulings DO-1, DO-4…DO-7, DO-10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tabletin.games.dominoes.base import ASKING, PLACE, DominoRules
from tabletin.games.dominoes.state import DominoState
from tabletin.games.dominoes.table import LEAD, LaidTile, opened_in_line
from tabletin.games.dominoes.tiles import HALVES, HIGHEST, doubles, heaviest, key_about, words_of
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Choice, Number, Refusal
from tabletin.kernel.schema import CARD, Int, Move

MATADORS: Final[dict[int, frozenset[Face]]] = {  # by total (DO-6)
    10: frozenset(("9-1", "8-2", "7-3", "6-4", "5-5", "0-0")),
    13: frozenset(("12-1", "11-2", "10-3", "9-4", "8-5", "7-6", "0-0")),
}


class Matador(DominoRules):
    """3–8 seats, double-nine or double-twelve; ``total`` 10 as printed, or 13 with double-twelve."""

    id = "matador"
    seat_counts = range(3, 9)
    most_seats: ClassVar[Mapping[int, int]] = {9: 8, 12: 8}
    table_rule = "DO-6"
    options = (Choice("set", (9, 12), 9), Choice("total", (10, 13), 10), Choice("six_hand", (7, 5), 7, advanced=True),
               Number("target", 1, 1000, 100))
    verbs = {"lay": (CARD, PLACE, Int(0, HIGHEST)), "draw": (), "pass": (), **ASKING}
    forced_verbs = frozenset(("none", "pass"))
    forced_verbs_among_bots = frozenset(("draw",))  # who holds a matador may draw, too: haste would tell who has none (DO-7)

    def check(self) -> Refusal | None:
        if self.option_values["total"] == 13 and self.option_values["set"] != 12:
            return Refusal("matador.refuse.total_13", rule="DO-6")
        self.total: int = self.option_values["total"]
        self.matadors = MATADORS[self.total]
        return super().check()

    @property
    def hand_size(self) -> int:
        """7 for three to five seats, 5 for seven or eight; six choose (DO-6)."""
        return 7 if self.seats < 6 else 5 if self.seats > 6 else int(self.option_values["six_hand"])

    def leads(self) -> tuple[Face, ...]:
        """The doubles, then every other domino, heaviest first (DO-1)."""
        return doubles(self.option_values["set"]) + heaviest(self.option_values["set"])

    # ---- fitting ----

    def regular(self, end: int, half: int) -> bool:
        """Whether ``half`` goes to the open end ``end`` without being a matador's; a blank end takes no such (DO-6)."""
        return end > 0 and end + half == self.total

    def need(self, end: int) -> int | None:
        """The half that goes to the open end ``end``; None where only a matador does."""
        return self.total - end if 0 < end <= self.total else None

    def needs(self, state: DominoState) -> list[tuple[int, int]]:
        """The open places, each with the half that a regular match brings; -1 where there is none."""
        halves = {place: self.need(end) for place, end in state.open.items()}
        return [(place, -1 if half is None else half) for place, half in halves.items()]

    def lays(self, state: DominoState, card: Card, face: Face) -> list[Move]:
        return self._lays(self.needs(state), card, face)

    def _lays(self, needs: list[tuple[int, int]], card: Card, face: Face) -> list[Move]:
        high, low = HALVES[face]
        if face in self.matadors:
            halves = (high,) if high == low else (high, low)
            return [("lay", card, place, inner) for place, _ in needs for inner in halves]
        return [("lay", card, place, need) for place, need in needs if need == high or need == low]

    def halves(self, state: DominoState, move: Move) -> tuple[int, int] | None:
        face, inner = state.public[move[1]], move[3]
        high, low = HALVES[face]
        if inner not in (high, low):
            return None
        fits = face in self.matadors or self.regular(state.open[move[2]], inner)
        return (inner, high + low - inner) if fits else None

    def lay_words(self, state: DominoState, seat: int, laid: LaidTile) -> str:
        """A matador is called one (DO-6)."""
        is_matador = state.public[laid.card] in self.matadors and laid.place != LEAD
        return "matador.log.laid" if is_matador else super().lay_words(state, seat, laid)

    def misfit(self, state: DominoState, face: Face, place: int) -> Refusal:
        if not state.open[place]:
            return Refusal("matador.refuse.blank", rule="DO-6")
        end = state.open[place]
        key = "total" if any(self.regular(end, half) for half in HALVES[face]) else "neither_way"
        return Refusal(key_about(f"matador.refuse.{key}", face), {**words_of(face), "number": end, "total": self.total}, "DO-6")

    def fits_nowhere(self, face: Face) -> Refusal:
        return Refusal(key_about("matador.refuse.fits_nowhere", face), {**words_of(face), "total": self.total}, "DO-6")

    def new_places(self, tile: int, laid: LaidTile) -> dict[int, int]:
        return opened_in_line(tile, laid)

    # ---- drawing and passing (DO-7) ----

    def had_to_play(self, verb: str, face: Face, ends: tuple[int, ...]) -> bool:
        """A regular match must be played; a matador only where there is nothing to draw, that is before a pass."""
        if face in self.matadors:
            return verb == "pass"
        return any(self.regular(end, half) for end in ends for half in HALVES[face])

    def wait_refusal(self, state: DominoState, verb: str) -> Refusal | None:
        if verb == "draw":
            return None if state.pile else Refusal("dominoes.refuse.pile_empty", rule="DO-7")
        return Refusal("dominoes.refuse.draw_first", rule="DO-7") if state.pile else None

    def turn_moves(self, state: DominoState, hand: tuple[Card, ...], faces: Mapping[Card, Face]) -> list[Move]:
        needs, found, regular = self.needs(state), [], False
        for card in hand:
            face = faces[card]
            ways = self._lays(needs, card, face)
            if ways:
                found += ways
                regular = regular or face not in self.matadors
        if state.pile and not regular:
            found.append(("draw",))  # with only matadors it is a choice
        return found or [("pass",)]
