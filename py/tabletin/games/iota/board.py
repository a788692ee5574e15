"""Iota's table: the grid on its plane, the hand, the pile, and a turn composed card by card.

A pure function of what a seat sees and of its draft. Whether a card may lie somewhere, and what it scores, is asked of
``turn.Turn``; faces come from the reader's own knowledge and nowhere else.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refusal
from tabletin.kernel.shapes import Move
from tabletin.page.scene import (
    Control,
    Drawing,
    Key,
    Label,
    Piece,
    Point,
    Rect,
    Scene,
    Sight,
    Spot,
    Zone,
    card_key,
    card_of,
)
from tabletin.page.table.arrange import heap, plates, resting, row, seat_rects
from tabletin.page.table.board import Board, Draft, Reply

from . import art
from .grid import cell_at, xy
from .rules import IotaState
from .turn import Turn

CELL: Final = 100.0  # units of the plane from one card to the next
CARD: Final = 95.0  # … of which a card takes
PILE_SHOWN: Final = 3
PILE: Final[Key] = "pile"


@cache
def drawing(face: Face | None) -> Drawing:
    """The drawing of ``face``, or of the back."""
    return Drawing(art.back() if face is None else art.front(face), *art.VIEWBOX, shows=face)


def board(game: str) -> Board:
    """The board of Iota; ``game`` is its only one."""
    return IotaBoard()


class IotaDraft(Draft):
    """A turn of Iota being tried out. ``chosen``: the card picked up; ``trade``: cards to go under the pile, or None."""

    def __init__(self, sight: Sight) -> None:
        assert sight.seat is not None
        self._view = sight.view
        self._seat = sight.seat
        self.scored = not sight.view.rules.chosen["young_children"]
        self.turn = Turn(sight.view.state, sight.seat, sight.view.faces)
        self.chosen: Card | None = None
        self.trade: list[Card] | None = None
        self._places: dict[Card, list[tuple[int, int]]] = {}

    # ---- what is possible ----

    def places(self, card: Card) -> list[tuple[int, int]]:
        """Where ``card`` could be laid now; found once for each step of the turn."""
        if card not in self._places:
            self._places[card] = self.turn.places(card)
        return self._places[card]

    def usable(self, card: Card) -> bool:
        """Whether anything but a trade can be done with ``card``."""
        return bool(self.places(card) or self.turn.recyclable(card))

    @property
    def stuck(self) -> bool:
        """Whether no card of the hand fits anywhere, and nothing has been laid."""
        return not self.turn.lays and not any(self.usable(card) for card in self.turn.held)

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
        card = card_of(key)
        if card is not None:
            return self._tap_card(card)
        if key.startswith("at") and self.chosen is not None:
            x, y = key[2:].split(",")
            return self._laid(self.turn.lay(self.chosen, int(x), int(y)))
        if key.startswith("wild") and self.chosen is not None:
            return self._laid(self.turn.recycle(int(key[4:]), self.chosen))
        if key == PILE:
            return self._to_pile()
        return self._press(key)

    def _press(self, key: Key) -> Reply:
        if key == "play":
            return self.turn.play()
        if key == "trade":
            self.chosen, self.trade = None, []
        elif key == "do_trade":
            return self.turn.trade(tuple(self.trade or ()))
        elif key == "clear":
            self._restart(keep=0)
        return None

    def _tap_card(self, card: Card) -> Reply:
        if self.trade is not None:
            if card in self.trade:
                self.trade.remove(card)
            else:
                self.trade.append(card)
        elif card in self.turn.lays:
            self.turn.take_back(card)
            self._places.clear()
            self.chosen = None
        elif any(card == own for _, own in self.turn.recycles):
            self._restart(keep=[own for _, own in self.turn.recycles].index(card))
        else:
            self.chosen = None if card == self.chosen else card
        return None

    def _laid(self, refusal: Refusal | None) -> Reply:
        if refusal is None:
            self.chosen = None
            self._places.clear()
        return refusal

    def _to_pile(self) -> Reply:
        """Put the chosen card on the heap of what is traded."""
        if self.chosen is None or self.turn.lays:
            return None
        if self.trade is None:
            self.trade = []
        if self.chosen not in self.trade:
            self.trade.append(self.chosen)
        self.chosen = None
        return None

    def pick(self, key: Key) -> None:
        card = card_of(key)
        if self.trade is None and card is not None and card in self.turn.hand:
            self.chosen = card

    def drop(self, key: Key, spot: Key) -> Reply:
        card = card_of(key)
        if self.trade is not None and spot == PILE and card is not None:
            if card not in self.trade:
                self.trade.append(card)
            return None
        return super().drop(key, spot)

    def miss(self, key: Key, point: Point, *, plane: bool) -> Reply:
        card = card_of(key) if key else self.chosen
        if card is None or self.trade is not None:
            return None
        if not plane:
            if key:
                self.turn.take_back(card)
                self._places.clear()
                self.chosen = None
            return None
        x, y = round(point[0] / CELL), round(point[1] / CELL)
        state: IotaState = self._view.state
        there = state.grid.get(cell_at(x, y))
        if key:
            self.chosen = None
        if there is not None and cell_at(x, y) in state.wilds:
            return self.turn.recycle_refusal(there, card)
        return self.turn.lay_refusal(card, cell_at(x, y))

    def back(self) -> bool:
        if self.chosen is not None:
            self.chosen = None
        elif self.trade is not None:
            if self.trade:
                self.trade.pop()
            else:
                self.trade = None
        elif self.turn.lays:
            self.turn.take_back(list(self.turn.lays)[-1])
            self._places.clear()
        elif self.turn.recycles:
            self._restart(keep=len(self.turn.recycles) - 1)
        else:
            return False
        return True

    def _restart(self, keep: int) -> None:
        """Begin again with the first ``keep`` wilds recycled."""
        recycles = self.turn.recycles[:keep]
        self.turn = Turn(self._view.state, self._seat, self._view.faces)
        for wild, card in recycles:
            self.turn.recycle(wild, card)
        self.chosen, self.trade = None, None
        self._places.clear()

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


class IotaBoard(Board):
    """Draws Iota."""

    def draft(self, sight: Sight) -> IotaDraft:
        return IotaDraft(sight)

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, IotaDraft)
        return _Drawing(sight, draft).scene()


class _Drawing:
    """One scene in the making."""

    def __init__(self, sight: Sight, draft: IotaDraft | None) -> None:
        self.sight = sight
        self.draft = draft
        self.state: IotaState = sight.view.state
        self.scored = not sight.view.rules.chosen["young_children"]
        layout = sight.layout
        self.card = max(52.0, min(104.0, layout.width / 5.75, layout.height / 6))
        rects, height = seat_rects(sight.view.rules.seats, layout.width, layout.rem)
        self.seats = rects
        _, rest = layout.rect.top(height)
        self.tray, self.window = rest.foot(self.card + 26)

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"iota.board.{key}", **params)

    def scene(self) -> Scene:
        """The whole table."""
        state, sight, draft = self.state, self.sight, self.draft
        pile_width = self.card * 0.8
        narrow = sight.layout.width < self.card * 6.6
        pile_at = ((self.tray.x + 12 + pile_width / 2) if narrow else (self.tray.centre[0] - self.card * 3.1),
                   self.tray.centre[1])
        hand_room = Rect(pile_at[0] + pile_width / 2 + 8, self.tray.y,
                         self.tray.right - pile_at[0] - pile_width / 2 - 14, self.tray.height) if narrow else self.tray
        spots = self._spots(pile_at, pile_width)
        rests = [resting(hand, self.seats[seat].centre, self.card * 0.4) for seat, hand in enumerate(state.hands)
                 if seat != sight.seat]
        return Scene(
            pieces=(*self._pile(pile_at, pile_width), *self._grid(), *self._hand(hand_room)),
            spots=spots,
            plates=plates(sight, self.seats, scores=[str(score) for score in state.scores] if self.scored else (),
                          counts=[len(hand) for hand in state.hands]),
            zones=(Zone("tray", self.tray, "tray"), Zone("pile-place", _square(pile_at, pile_width * 1.08), "slot",
                                                         self.say("pile", n=len(state.pile)))),
            labels=(Label("pile-count", pile_at[0], pile_at[1] + pile_width / 2 - 2, str(len(state.pile)), "count"),),
            controls=self._controls(),
            resting=(resting(state.pile[PILE_SHOWN:], pile_at, pile_width), *rests),
            window=self.window,
            bounds=self._bounds(),
            unit=CELL,
            closest=self.card / CARD,
            status=self._status(),
            note=self._note(),
            focus=self._focus(spots) if draft else "",
            hand=self.tray,
        )

    # ---- pieces ----

    def _named(self, card: Card) -> str:
        return self.sight.words.card(card, self.sight.view.faces)

    def _piece(self, card: Card, x: float, y: float, width: float, *, label: str = "", plane: bool = False, z: int = 0,
               flags: tuple[str, ...] = (), tap: bool = False, pressed: bool | None = None, row: str = "") -> Piece:
        return Piece(card_key(card), drawing(self.sight.face(card)), x, y, width, label, plane, 0, z, flags, tap, tap,
                     pressed, row)

    def _pile(self, at: Point, width: float) -> list[Piece]:
        shown = self.state.pile[:PILE_SHOWN]
        lies = heap(len(shown), at)
        return [self._piece(card, lie.x, lie.y, width, z=lie.z) for card, lie in zip(reversed(shown), lies, strict=True)]

    def _grid(self) -> list[Piece]:
        state, draft = self.state, self.draft
        swapped = dict(draft.turn.recycles) if draft else {}
        pieces = []
        for cell, card in state.grid.items():
            x, y = xy(cell)
            if card in swapped:
                pieces.append(self._tentative(swapped[card], x, y))
                continue
            flags = ("new",) if card in self.sight.fresh else ()
            label = self.say("lies", card=self._named(card), x=x, y=y)
            pieces.append(self._piece(card, x * CELL, y * CELL, CARD, label=label, plane=True, flags=flags))
        if draft:
            pieces += [self._tentative(card, *xy(cell)) for card, cell in draft.turn.lays.items()]
        return pieces

    def _tentative(self, card: Card, x: int, y: int) -> Piece:
        label = self.say("tried", card=self._named(card), x=x, y=y)
        flags = ("tentative", "chosen") if self.draft and self.draft.chosen == card else ("tentative",)
        return self._piece(card, x * CELL, y * CELL, CARD, label=label, plane=True, z=5, flags=flags, tap=True)

    def _hand(self, room: Rect) -> list[Piece]:
        sight, draft = self.sight, self.draft
        if sight.seat is None:
            return []
        held = draft.turn.held if draft else list(self.state.hands[sight.seat])
        if draft:  # a swapped card lies on the grid already, its wild is here
            held = [card for card in held if card not in {own for _, own in draft.turn.recycles}]
        lies = row(len(held), room, self.card)
        return [self._in_hand(card, index, len(held), lie.x, lie.y)
                for index, (card, lie) in enumerate(zip(held, lies, strict=True))]

    def _in_hand(self, card: Card, index: int, count: int, x: float, y: float) -> Piece:
        draft = self.draft
        label = self.say("held", card=self._named(card), n=index + 1, of=count)
        if draft is None:
            return self._piece(card, x, y, self.card, label=label, z=20 + index, row="hand")
        flags: tuple[str, ...] = ()
        if draft.trade is not None:
            chosen = card in draft.trade
            if chosen:
                flags = ("chosen",)
                label = self.say("traded_as", card=self._named(card), n=draft.trade.index(card) + 1)
                y -= 12
        else:
            chosen = card == draft.chosen
            flags = ("chosen",) if chosen else ("legal",) if draft.usable(card) else ("dim",) if not draft.stuck else ()
            y -= 10 if chosen else 0
        return self._piece(card, x, y, self.card, label=label, z=20 + index, flags=flags, tap=True, pressed=chosen, row="hand")

    # ---- places ----

    def _spots(self, pile_at: Point, pile_width: float) -> tuple[Spot, ...]:
        draft = self.draft
        if draft is None or (draft.chosen is None and draft.trade is None):
            return ()
        spots: list[Spot] = []
        side = pile_width * 1.16
        if self.state.pile and not draft.turn.lays:
            spots.append(Spot(PILE, *pile_at, side, side, self.say("to_pile"), flags=("pile",)))
        card = draft.chosen
        if card is None or draft.trade is not None:
            return tuple(spots) if draft.chosen is not None else ()
        name = self._named(card)
        for x, y in draft.places(card):
            key = "place_points" if draft.scored else "place"
            label = self.say(key, card=name, x=x, y=y, n=draft.score_at(card, (x, y)))
            spots.append(Spot(f"at{x},{y}", x * CELL, y * CELL, CARD, CARD, label, plane=True))
        if card not in draft.turn.lays:
            at = {self.state.grid[cell]: xy(cell) for cell in self.state.wilds}
            spots += [Spot(f"wild{wild}", at[wild][0] * CELL, at[wild][1] * CELL, CARD, CARD,
                           self.say("recycle", card=name, x=at[wild][0], y=at[wild][1]), plane=True, flags=("swap",))
                      for wild in draft.turn.recyclable(card)]
        return tuple(spots)

    def _focus(self, spots: tuple[Spot, ...]) -> Key:
        """With a card picked up the place nearest to the middle, else the next card of the hand."""
        draft = self.draft
        assert draft is not None
        on_grid = [spot for spot in spots if spot.plane]
        if draft.chosen is not None and on_grid:
            x, y = self._bounds().centre
            return min(on_grid, key=lambda spot: (spot.x - x) ** 2 + (spot.y - y) ** 2).key
        held = [card for card in draft.turn.held if draft.trade is not None or not self.draft or draft.usable(card)]
        return card_key(held[0]) if held else ""

    def _bounds(self) -> Rect:
        """The grid with room for one more card all around, so that choosing a card moves nothing."""
        cells = [xy(cell) for cell in self.state.grid] or [(0, 0)]
        if self.draft:
            cells += [xy(cell) for cell in self.draft.turn.lays.values()]
        left, right = min(x for x, _ in cells), max(x for x, _ in cells)
        top, bottom = min(y for _, y in cells), max(y for _, y in cells)
        return Rect((left - 1.6) * CELL, (top - 1.6) * CELL, (right - left + 3.2) * CELL, (bottom - top + 3.2) * CELL)

    # ---- words ----

    def _status(self) -> str:
        draft = self.draft
        if draft is None:
            return ""
        if draft.trade is not None:
            return self.say("status.trade")
        if draft.stuck:
            return self.say("status.stuck" if self.state.pile else "status.stuck_empty")
        return ""

    def _note(self) -> str:
        draft = self.draft
        if draft is None:
            return ""
        if draft.trade is not None:
            return self.say("note.trade", n=len(draft.trade)) if draft.trade else self.say("note.trade_none")
        if draft.turn.lays and draft.scored:
            points, lots = draft.turn.score()
            note = self.say("note.points", n=points)
            return f"{note} {self.say('note.lots', n=lots)}" if lots else note
        if draft.chosen is not None:
            return self.say("note.chosen", n=len(draft.places(draft.chosen)))
        return "" if draft.begun or draft.stuck else self.say("note.begin")

    def _controls(self) -> tuple[Control, ...]:
        draft = self.draft
        if draft is None:
            return ()
        if draft.trade is not None:
            label = self.say("do.trade", n=len(draft.trade)) if draft.trade else self.say("do.pass")
            return (Control("do_trade", label, primary=True, shortcut="c"), Control("clear", self.say("do.clear_trade")))
        clear = (Control("clear", self.say("do.clear")),) if draft.begun else ()
        if draft.turn.lays:
            points, _ = draft.turn.score()
            count = len(draft.turn.lays)
            label = self.say("do.play", n=count, points=points) if draft.scored else self.say("do.lay", n=count)
            return (*clear, Control("play", label, primary=True, shortcut="c"))
        if self.state.pile:
            return (*clear, Control("trade", self.say("do.begin_trade"), primary=draft.stuck, shortcut="t"))
        return (*clear, Control("do_trade", self.say("do.pass"), primary=draft.stuck, shortcut="t"))


def _square(at: Point, side: float) -> Rect:
    return Rect(at[0] - side / 2, at[1] - side / 2, side, side)
