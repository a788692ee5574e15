"""A turn of Iota as a player tries it out: cards picked up, laid, taken back, wilds swapped, cards put under
the pile.

It asks ``turn.Turn`` where a card may lie and what it scores. It never touches the match and
draws nothing; ``board`` reads it.
"""

from __future__ import annotations

from typing import Final

from tabletin.board.board import Draft, Reply
from tabletin.board.scene import Key, Point, Sight, card_of
from tabletin.games.iota.grid import Cell, cell_at
from tabletin.games.iota.orientation import place_at
from tabletin.games.iota.plane import CELL
from tabletin.games.iota.rules import IotaState
from tabletin.games.iota.turn import IotaTurn
from tabletin.kernel.faces import Card
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move

PILE: Final[Key] = "pile"


class IotaDraft(Draft):
    """``selection``: the card picked up. ``trade``: the cards to go under the pile, in order; None while none are
    traded. ``misfit``: the card that was just found to go nowhere, if any, and the cells of the line that forbids it.
    ``is_turned``: whether the grid is drawn from the side.
    """

    def __init__(self, sight: Sight) -> None:
        assert sight.seat is not None
        self._view = sight.view
        self._seat = sight.seat
        self.shows_scores = not sight.view.rules.option_values["young_children"]
        self.turn = IotaTurn(sight.view.state, sight.seat, sight.view.faces)
        self.selection: Card | None = None
        self.trade: list[Card] | None = None
        self.misfit: tuple[Card | None, tuple[Cell, ...]] = (None, ())
        self.is_turned = False
        self._places: dict[Card, list[tuple[int, int]]] = {}
        self._fits: dict[Card, bool] = {}

    # ---- what is possible ----

    def places(self, card: Card) -> list[tuple[int, int]]:
        """Where ``card`` could be laid now; found once for each step of the turn."""
        if card not in self._places:
            self._places[card] = self.turn.places(card)
        return self._places[card]

    def _forget(self) -> None:
        """Something was laid, taken back or swapped: what is possible has to be found anew."""
        self._places.clear()
        self._fits.clear()

    def usable(self, card: Card) -> bool:
        """Whether anything but a trade can be done with ``card``."""
        if card not in self._fits:
            self._fits[card] = bool(self.turn.fits(card) or self.turn.recyclable(card))
        return self._fits[card]

    @property
    def stuck(self) -> bool:
        """Whether no card of the hand fits anywhere, and nothing has been laid."""
        return not self.turn.lays and not any(self.usable(card) for card in self.turn.hand_left)

    @property
    def begun(self) -> bool:
        """Whether anything lies on trial."""
        return bool(self.turn.lays or self.turn.recycles)

    def score_at(self, card: Card, place: tuple[int, int]) -> int:
        """What the turn would score with ``card`` on ``place``, where it may lie."""
        before = self.turn.lays.get(card)
        self.turn.lays[card] = cell_at(*place)
        points, _ = self.turn.score()
        if before is None:
            del self.turn.lays[card]
        else:
            self.turn.lays[card] = before
        return points

    # ---- what the player does ----

    def tap(self, key: Key) -> Reply:
        self._forgive()
        card = card_of(key)
        if card is not None:
            return self._tap_card(card)
        if key.startswith("at") and self.selection is not None:
            x, y = key[2:].split(",")
            return self._laid(self.turn.lay(self.selection, int(x), int(y)))
        if key.startswith("wild") and self.selection is not None:
            return self._laid(self.turn.recycle(int(key[4:]), self.selection))
        if key == PILE:
            return self._to_pile()
        return self._press(key)

    def _press(self, key: Key) -> Reply:
        if key == "play":
            return self.turn.play()
        if key == "trade":  # pressed again it leads back
            self.selection, self.trade = None, [] if self.trade is None else None
        elif key == "do_trade":
            return self.turn.trade(tuple(self.trade or ()))
        elif key == "clear":
            self._restart(keep=0)
        return None

    def _tap_card(self, card: Card) -> Reply:
        if self.trade is not None:
            if card in self.trade:
                self.trade.remove(card)
            elif card in self.turn.hand and self._view.state.pile:  # a card that took a wild's place is on the grid
                self.trade.append(card)
        elif card in self.turn.lays:
            self.turn.take_back(card)
            self._forget()
            self.selection = None
        elif any(card == own for _, own in self.turn.recycles):
            self._restart(keep=[own for _, own in self.turn.recycles].index(card))
        elif self.turn.lays and not self.usable(card):
            return self._joins_nothing(card)
        else:
            self.selection = None if card == self.selection else card
        return None

    def _joins_nothing(self, card: Card) -> Refusal:
        """``card`` stays in the hand: it goes with none of those on trial. With nothing on trial it might still be traded."""
        self.selection = None
        refusal, line = self.turn.join_refusal(card)
        self.misfit = card, line
        return refusal

    def _forgive(self) -> None:
        """What did not fit is no longer shown."""
        self.misfit = None, ()

    def _laid(self, refusal: Refusal | None) -> Reply:
        if refusal is None:
            self.selection = None
            self._forget()
        return refusal

    def _to_pile(self) -> Reply:
        """Put the chosen card on the heap of what is traded."""
        if self.selection is None or self.turn.lays:
            return None
        if self.trade is None:
            self.trade = []
        if self.selection not in self.trade:
            self.trade.append(self.selection)
        self.selection = None
        return None

    def pick(self, key: Key) -> None:
        self._forgive()
        card = card_of(key)
        if self.trade is None and card is not None and card in self.turn.hand:
            self.selection = card

    def drop(self, key: Key, spot: Key) -> Reply:
        card = card_of(key)
        if self.trade is not None and spot == PILE and card is not None:
            if card not in self.trade and card in self.turn.hand:
                self.trade.append(card)
            return None
        return super().drop(key, spot)

    def miss(self, key: Key, point: Point, *, plane: bool) -> Reply:
        self._forgive()
        card = card_of(key) if key else self.selection
        if card is None or self.trade is not None:
            return None
        if not plane:
            if key:
                self.turn.take_back(card)
                self._forget()
                self.selection = None
            return None
        state: IotaState = self._view.state
        cell = cell_at(*place_at((round(point[0] / CELL), round(point[1] / CELL)), turned=self.is_turned))
        there = state.grid.get(cell)
        if key:
            self.selection = None
        if there is not None and cell in state.wilds:
            return self.turn.recycle_refusal(there, card)
        return self.turn.lay_refusal(card, cell)

    @property
    def hint_takes_back(self) -> bool:
        return bool(self.turn.lays or self.turn.recycles)

    def step_back(self) -> bool:
        self._forgive()
        if self.selection is not None:
            self.selection = None
        elif self.trade is not None:
            if self.trade:
                self.trade.pop()
            else:
                self.trade = None
        elif self.turn.lays:
            self.turn.take_back(list(self.turn.lays)[-1])
            self._forget()
        elif self.turn.recycles:
            self._restart(keep=len(self.turn.recycles) - 1)
        else:
            return False
        return True

    def _restart(self, keep: int) -> None:
        """Begin again with the first ``keep`` wilds recycled."""
        recycles = self.turn.recycles[:keep]
        self.turn = IotaTurn(self._view.state, self._seat, self._view.faces)
        for wild, card in recycles:
            self.turn.recycle(wild, card)
        self.selection, self.trade = None, None
        self._forgive()
        self._forget()

    def compose(self, move: Move) -> None:
        self._restart(keep=0)
        verb, recycles, rest = move
        for wild, card in recycles:
            self.turn.recycle(wild, card)
        if verb == "pass":
            self.trade = list(rest)
            return
        left = list(rest)
        for _ in rest:  # in the order in which each card holds on to those before
            left = [(card, x, y) for card, x, y in left if self.turn.lay(card, x, y) is not None]
