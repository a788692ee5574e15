"""A turn of Teeth as a player composes it: a column picked to be called, or the place of the drawn card.

It asks the rules what may be done. It never touches the match and draws nothing; ``board`` reads it.
"""

from __future__ import annotations

from typing import Final

from tabletin.board.board import Draft, Reply
from tabletin.board.scene import Key, Sight, card_of
from tabletin.games.teeth.rules import PLACE_VERBS
from tabletin.games.teeth.state import COUNTED, PLACING, TURN, TeethState
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move

PILE: Final[Key] = "pile"
PLAIN: Final = ("draw", "discard", "ready")


class TeethDraft(Draft):
    """``calling``: the column picked to be called, or None. ``hint``: a move to point at, or None."""

    def __init__(self, sight: Sight) -> None:
        assert sight.seat is not None
        self.state: TeethState = sight.view.state
        self._view = sight.view
        self._seat = sight.seat
        self.calling: int | None = None
        self.hint: Move | None = None

    @property
    def turn(self) -> bool:
        """To draw, or to call a column."""
        return bool(self.state.phase == TURN)

    @property
    def placing(self) -> bool:
        """The drawn card is to be placed."""
        return bool(self.state.phase == PLACING)

    @property
    def counted(self) -> bool:
        return bool(self.state.phase == COUNTED)

    @property
    def has_choice(self) -> bool:
        return not self.counted

    def tap(self, key: Key) -> Reply:
        if card_of(key) is not None:
            return self._tap_card(card_of(key))
        if key == PILE:
            key = "draw"
        if key in PLAIN:
            return self._made((key,))
        if key == "call":
            return self._made(("call", self.calling)) if self.calling is not None else None
        if key == "keep":
            self.calling = None
            return None
        verb, at = key[:-1], key[-1]
        if not at.isdigit():
            return None
        if verb == "call":
            self.calling = None if self.calling == int(at) else int(at)
        elif verb in PLACE_VERBS:
            return self._made((verb, int(at)))
        return None

    def _tap_card(self, card: int | None) -> Reply:
        """A middle card answers with what the rules say to replacing it, a card of the other's side whose it is."""
        other = 1 - self._seat
        for at, column in enumerate(self.state.columns):
            if column is not None and column.middle == card:
                return self._made(("replace", at))
            if column is not None and card in (column.owns[other], *column.extras[other]):
                return Refusal("teeth.refuse.their_side", {"seat": other}, "TE-3")
        return None

    def _made(self, move: Move) -> Reply:
        """``move``, or why this seat may not make it."""
        return self._view.refusal(self._seat, move) or move

    def step_back(self) -> bool:
        if self.calling is None and self.hint is None:
            return False
        self.calling = self.hint = None
        return True

    def compose(self, move: Move) -> None:
        self.hint = move
        self.calling = move[1] if move[0] == "call" else None
