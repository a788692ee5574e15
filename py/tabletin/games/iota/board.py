"""Iota's table: the grid on its plane, the hand, the pile, and a turn composed card by card.

A pure function of what a seat sees and of its draft. Faces come from the reader's own knowledge and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final, TypeAlias

from tabletin.board.board import Board, Draft, Reason
from tabletin.board.layout import GAP, PLATE_HEIGHT, column, count_point, fan, heap, plates, resting, row, seating
from tabletin.board.scene import (
    ButtonShape,
    Control,
    Drawing,
    Key,
    Label,
    Layout,
    Piece,
    Point,
    Rect,
    Scene,
    Sight,
    Spot,
    Zone,
    around_all,
    card_key,
)
from tabletin.games.iota import art
from tabletin.games.iota.board_last_turn import CountedTurn, factors
from tabletin.games.iota.draft import PILE, IotaDraft
from tabletin.games.iota.grid import Cell, agreement, xy
from tabletin.games.iota.orientation import Place, is_turned, seen_at
from tabletin.games.iota.plane import CARD, CELL, plate_beside
from tabletin.games.iota.rules import HAND, IotaState
from tabletin.games.iota.turn import TurnSum
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.state import Event
from tabletin.words import SOURCE, figure

EDGE: Final = 0.65  # … of a cell from the middle of the outermost to the edge of what is shown
ROOM: Final = 1.0  # … where somebody else may lay a card there
CLOSEST: Final = 1.5  # of a card of the hand: how large one on the grid may be, …
LARGEST: Final = 170.0  # … and in px
PLACE: Final = 44.0  # px of a place for the chosen card, on the grid where all of them can be seen so
SMALL: Final = 34.0  # px of a card of the grid below which only what tells it from others is drawn
WIDE: Final = 1.2  # width to height from which seats, hand and pile stand beside the grid, which has all the height then …
LEAST_WIDE: Final = 46.0  # … where there are so many rem of width
BESIDE: Final = 13.5  # rem of width for what stands there at least; more where the grid …
GRID_SHAPE: Final = 1.3  # … is so much wider than high without it
MOST_BESIDE: Final = 0.19  # of the height that a card of the hand there takes, at most …
LARGEST_BESIDE: Final = 150.0  # … and in px
PLATE_GAP: Final = 4.0
READ: Final = 0.8  # of a card of the hand: cells that are so large are read with ease, and the grid stands as it is
ABREAST: Final = 2  # cards of the hand side by side there
AROUND: Final = 12.0  # px at its edges
RAISED: Final = 8.0  # px that a chosen card comes nearer to the grid, or higher
PILE_SHOWN: Final = 3
PILE_SIZE: Final = 0.72  # of a card of the hand
PILE_FOOT: Final = 14.0  # px below it, into which the number of its cards reaches
PILE_CLEAR: Final = 12.0  # px between it and the hand above it: a finger means the one or the other
Lying: TypeAlias = tuple[Card, Face, Place, bool, bool]  # a card of the grid: its face, where it is seen, whether new, small
POINTS_SLACK: Final = 0.92  # of how near the cells are by themselves: the plate with points takes room, too
POINTS_WAYS: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))  # where it stands from the card laid last, the first that is free
LAID: Final = ("iota.log.played", "iota.log.laid")
OUT: Final = "iota.log.out_doubled"
LOTS: Final = ("iota.log.lots", "iota.log.lots_doubled")


@cache
def drawing(face: Face | None, language: str = SOURCE, *, small: bool = False) -> Drawing:
    """The drawing of ``face`` with its letters in ``language``, or of the back; ``small``: for a card that lies small."""
    front = art.small_front if small else art.front
    return Drawing(art.back() if face is None else front(face, language), *art.VIEWBOX, shows=face, corner="square")


def board(game: str) -> Board:
    """The board of Iota; ``game`` is its only one."""
    return IotaBoard()


class IotaBoard(Board):
    """Draws Iota. What lies on the grid is drawn alike from then on, so those pieces are kept. What counts double as the last
    turn is counted on the table."""

    counts = frozenset((OUT,))

    def __init__(self) -> None:
        self._lying: dict[Lying, Piece] = {}

    def draft(self, sight: Sight) -> IotaDraft:
        return IotaDraft(sight)

    def flourish(self, events: Sequence[Event]) -> tuple[Card, ...]:
        """A lot makes the cards that completed it shine."""
        lot = any(event.key in LOTS for event in events)
        return tuple(card for event in events if event.key in LAID for card in event.cards) if lot else ()

    def reason(self, sight: Sight, draft: Draft) -> Reason | None:
        """What the cards of the line have in common and in what they differ, in how many lines they count, and the points."""
        assert isinstance(draft, IotaDraft)
        lines = draft.turn.lines() if draft.turn.lays else []
        if not lines:
            return None

        def say(key: str, **params: object) -> str:
            return sight.say(f"iota.board.{key}", **params)

        def named(properties: list[str]) -> str:
            return sight.catalogue.join_names(say(f"fits.{name}") for name in properties)

        same, different = agreement(lines[0])
        told = [say("fits.both" if same else "fits.different", same=named(same), different=named(different)) if different
                else say("fits.wild")]
        if len(lines) > 1:
            told.append(say("fits.more", n=len(lines) - 1))
        if draft.shows_scores:
            told.append(turn_note(sight, draft.turn.sum()))
        grid = sight.view.state.grid
        cards = dict.fromkeys(grid[cell] for line in lines for cell in line.cells if cell in grid)
        return Reason(" ".join(told), tuple(cards))

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, IotaDraft)
        return _IotaDrawing(sight, draft, self._lying).scene()


class _IotaDrawing:
    """One scene in the making."""

    def __init__(self, sight: Sight, draft: IotaDraft | None,
                 lying: dict[Lying, Piece]) -> None:
        self._lying = lying
        self.sight = sight
        self.draft = draft
        self.state: IotaState = sight.view.state
        self.shows_scores = not sight.view.rules.option_values["young_children"]
        layout = sight.layout
        seats = sight.view.rules.seats
        self.is_wide = not layout.low and layout.width > max(WIDE * layout.height, LEAST_WIDE * layout.rem)
        self.is_beside = self.is_wide or layout.low
        if self.is_wide:
            self.tray, self.seats, self.window = _beside(seats, layout)
            lines = HAND // ABREAST
            wide = (self.tray.width - 2 * AROUND - (ABREAST - 1) * GAP) / ABREAST
            high = (self.tray.height - 4 * AROUND - (lines - 1) * GAP) / (lines + PILE_SIZE)
            self.card = max(52.0, min(_most_beside(layout), wide, high))
        else:
            high = (layout.height - RAISED - (HAND - 1) * GAP - PILE_CLEAR - PILE_FOOT) / (HAND + PILE_SIZE)
            self.card = max(52.0, min(104.0, layout.width / 5.75, high if layout.low else layout.height / 6))
            self.tray, rest = layout.rect.left(self.card + 26) if layout.low else layout.rect.foot(self.card + 26)
            self.seats, self.window = seating(seats, rest, layout)
        self.is_turned = is_turned(map(xy, self.state.grid), self.window, READ * self.card)
        if draft:
            draft.is_turned = self.is_turned
        is_counted = self.state.end_reason == "iota.ended.out" and self.shows_scores and not sight.laying
        self.last_turn = CountedTurn(sight, self.window, self._seen) if is_counted else None
        if self.last_turn is not None:
            self.window = self.last_turn.window
        self.closest = min(self.card * CLOSEST, LARGEST) / CARD
        self.is_small = self._zoom() * CARD < SMALL

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"iota.board.{key}", **params)

    def _seen(self, cell: Cell) -> Place:
        return seen_at(xy(cell), turned=self.is_turned)

    def scene(self) -> Scene:
        """The whole table."""
        state, sight, draft, last_turn = self.state, self.sight, self.draft, self.last_turn
        pile_width = self.card * PILE_SIZE
        pile_at, hand_room = self._pile_and_hand(pile_width)
        spots = self._spots(pile_at, pile_width)
        rests = [resting(hand, count_point(self.seats[seat]), self.card * 0.4, drawing(None))
                 for seat, hand in enumerate(state.hands)
                 if seat != sight.seat]
        hand = self._hand(hand_room)
        return Scene(
            pieces=(*self._pile(pile_at, pile_width), *self._grid(), *hand),
            spots=spots,
            plates=plates(sight, self.seats, scores=[str(score) for score in state.scores] if self.shows_scores else (),
                          counts=[len(hand) for hand in state.hands]),
            zones=(Zone("tray", self.tray, "tray"), Zone("pile-place", _square(pile_at, pile_width * 1.08), "slot",
                                                         self.say("pile", n=len(state.pile))),
                   *(() if last_turn is None else (last_turn.zone(turn_note(sight, last_turn.sum)),))),
            labels=(Label("pile-count", pile_at[0], pile_at[1] + pile_width / 2 - 2, str(len(state.pile)), "count"),
                    *self._turn_points(), *self._trade_order(hand),
                    *(() if last_turn is None else last_turn.labels(self._rem_on_plane()))),
            controls=self._controls(),
            resting=(resting(state.pile[PILE_SHOWN:], pile_at, pile_width, drawing(None)), *rests),
            window=self.window,
            bounds=self._bounds(),
            unit=CELL,
            closest=self.closest,
            place_size=PLACE,
            ask=self._ask(),
            note=self._note(),
            focus=self._focus(spots) if draft else "",
            hand=self.tray if self.is_wide else sight.layout.rect.foot(self.card + 26)[0],
            won_at={} if last_turn is None else last_turn.won_at,
            count_seconds=0.0 if last_turn is None else last_turn.seconds,
        )

    def _zoom(self) -> float:
        """Px of a unit of the plane, about, with the whole grid in view. It never grows while cards are laid."""
        cells = [self._seen(cell) for cell in self.state.grid] or [(0, 0)]
        columns, rows = [x for x, _ in cells], [y for _, y in cells]
        wide, high = max(columns) - min(columns) + 2 * ROOM, max(rows) - min(rows) + 2 * ROOM
        return min(self.window.width / wide, self.window.height / high) / CELL

    def _pile_and_hand(self, pile_width: float) -> tuple[Point, Rect]:
        """Where the middle of the pile is, and the room for the hand."""
        tray = self.tray
        if self.is_beside:
            foot, rest = tray.foot(pile_width + PILE_FOOT)
            room = rest._replace(y=rest.y + RAISED, height=rest.height - RAISED - PILE_CLEAR)
            return (tray.centre[0], foot.y + pile_width / 2), room
        if self.sight.layout.width >= self.card * 6.6:
            return (tray.centre[0] - self.card * 3.1, tray.centre[1]), tray
        pile, rest = tray.left(pile_width + 20)
        return (pile.x + 12 + pile_width / 2, tray.centre[1]), rest._replace(width=rest.width - 14)

    # ---- pieces ----

    def _named(self, card: Card) -> str:
        return self.sight.words.card(card, self.sight.view.faces)

    def _piece(self, card: Card, x: float, y: float, width: float, *, label: str = "", plane: bool = False, z: int = 0,
               flags: tuple[str, ...] = (), tap: bool = False, pressed: bool | None = None, row: str = "",
               place: str = "") -> Piece:
        shown = drawing(self.sight.face(card), self.sight.words.catalogue.language, small=plane and self.is_small)
        return Piece(card_key(card), shown, x, y, width, label, plane, 0, z, flags, tap, tap,
                     pressed, row, place=place)

    def _pile(self, at: Point, width: float) -> list[Piece]:
        shown = self.state.pile[:PILE_SHOWN]
        lies = heap(len(shown), at)
        return [self._piece(card, lie.x, lie.y, width, z=lie.z)
                for card, lie in zip(reversed(shown), lies, strict=True)]

    def _grid(self) -> list[Piece]:
        state, draft = self.state, self.draft
        swapped = dict(draft.turn.recycles) if draft else {}
        misfits = draft.misfit[1] if draft else ()
        pieces = []
        for cell, card in sorted(state.grid.items(), key=lambda lies: self._seen(lies[0])[::-1]):  # row by row
            at = self._seen(cell)
            if card in swapped:
                pieces.append(self._tentative(swapped[card], *at))
                continue
            if cell in misfits:
                lies = self._lies(card, *at)
                pieces.append(replace(lies, flags=(*lies.flags, "wrong")))
                continue
            kind = (card, state.public[card], at, card in self.sight.fresh, self.is_small)
            piece = self._lying.get(kind)
            if piece is None:
                piece = self._lying[kind] = self._lies(card, *at)
            pieces.append(piece)
        if draft:
            pieces += [self._tentative(card, *self._seen(cell)) for card, cell in draft.turn.lays.items()]
        return pieces

    def _lies(self, card: Card, x: int, y: int) -> Piece:
        label = self.say("lies", card=self._named(card), x=x, y=y)
        flags = ("new",) if card in self.sight.fresh else ()
        return self._piece(card, x * CELL, y * CELL, CARD, label=label, plane=True, flags=flags)

    def _tentative(self, card: Card, x: int, y: int) -> Piece:
        label = self.say("tried", card=self._named(card), x=x, y=y)
        flags = ("tentative", "chosen") if self.draft and self.draft.selection == card else ("tentative",)
        if self.draft and self.draft.turn.lays.get(card) in self.draft.misfit[1]:
            flags = (*flags, "wrong")
        place = self.say("place", card=self._named(card), x=x, y=y)
        return self._piece(card, x * CELL, y * CELL, CARD, label=label, plane=True, z=5, flags=flags, tap=True, place=place)

    def _hand(self, room: Rect) -> list[Piece]:
        sight, draft = self.sight, self.draft
        if sight.seat is None:
            return []
        held = draft.turn.hand_left if draft else list(self.state.hands[sight.seat])
        if draft:  # a swapped card lies on the grid already, its wild is here
            held = [card for card in held if card not in {own for _, own in draft.turn.recycles}]
        if self.is_wide:
            lies = fan(len(held), room, self.card, self.card, lines=-(-len(held) // ABREAST))
        else:
            lies = (column if self.is_beside else row)(len(held), room, self.card)
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
        else:
            chosen = card == draft.selection
            flags = (("chosen",) if chosen else ("wrong",) if card == draft.misfit[0] else ("legal",) if draft.usable(card)
                     else ("dim",) if not draft.stuck else ())
        if chosen and self.sight.layout.low:
            x += RAISED
        elif chosen:
            y -= RAISED
        return self._piece(card, x, y, self.card, label=label, z=20 + index, flags=flags, tap=True, pressed=chosen,
                           row="hand")

    def _trade_order(self, hand: Sequence[Piece]) -> list[Label]:
        """At the foot of each card to be traded, its place in the order under the pile; by ear the card itself says it."""
        traded = [] if self.draft is None else self.draft.trade or []
        at = {piece.key: piece for piece in hand}
        return [Label(f"trade-order{index}", at[card_key(card)].x, at[card_key(card)].y + self.card / 2, figure(index + 1), "lit")
                for index, card in enumerate(traded) if card_key(card) in at]

    # ---- places ----

    def _spots(self, pile_at: Point, pile_width: float) -> tuple[Spot, ...]:
        draft = self.draft
        if draft is None or (draft.selection is None and draft.trade is None):
            return ()
        spots: list[Spot] = []
        side = max(PLACE, pile_width * 1.08)
        if self.state.pile and not draft.turn.lays:
            spots.append(Spot(PILE, *pile_at, side, side, self.say("to_pile"), flags=("pile",), text=self.say("to_pile_short")))
        card = draft.selection
        if card is None or draft.trade is not None:
            return tuple(spots) if draft.selection is not None else ()
        name = self._named(card)
        for place in draft.places(card):
            points = draft.score_at(card, place)
            x, y = seen_at(place, turned=self.is_turned)
            key = "place_points" if draft.shows_scores else "place"
            label = self.say(key, card=name, x=x, y=y, n=points)
            spots.append(Spot(f"at{place[0]},{place[1]}", x * CELL, y * CELL, CARD, CARD, label, plane=True,
                              points=figure(points, plus=True) if draft.shows_scores else ""))
        if card not in draft.turn.lays:
            at = {self.state.grid[cell]: self._seen(cell) for cell in self.state.wilds}
            spots += [Spot(f"wild{wild}", at[wild][0] * CELL, at[wild][1] * CELL, CARD, CARD,
                           self.say("recycle", card=name, x=at[wild][0], y=at[wild][1]), plane=True, flags=("swap",))
                      for wild in draft.turn.recyclable(card)]
        return tuple(spots)

    def _focus(self, spots: tuple[Spot, ...]) -> Key:
        """With a card picked up the place nearest to the middle, else the next card of the hand."""
        draft = self.draft
        assert draft is not None
        on_grid = [spot for spot in spots if spot.plane]
        if draft.selection is not None and on_grid:
            x, y = self._bounds().centre
            return min(on_grid, key=lambda spot: (spot.x - x) ** 2 + (spot.y - y) ** 2).key
        held = [card for card in draft.turn.hand_left if draft.trade is not None or not self.draft or draft.usable(card)]
        return card_key(held[0]) if held else ""

    def _bounds(self) -> Rect:
        """What is shown of the plane: cells, and what a turn on trial scores."""
        cells, points = self._cells_shown(), self._points_rect()
        lines = {} if self.last_turn is None else self.last_turn.plates(self._rem_on_plane())
        return around_all((cells, *([] if points is None else [points]), *lines.values()))

    def _cells_shown(self) -> Rect:
        """The grid with all places for the hand, so that choosing a card moves nothing; while others play, with a little more.
        Where cards are small, the lines that count alone, as long as they are counted."""
        draft = self.draft
        if self.last_turn is not None and self.sight.landing and self._zoom() * CELL < READ * self.card:
            return self.last_turn.close_up
        margin = EDGE if draft or self.state.end_reason else ROOM
        cells = [self._seen(cell) for cell in self.state.grid] or [(0, 0)]
        if draft:
            cells += [self._seen(cell) for cell in draft.turn.lays.values()]
            cells += [seen_at(place, turned=self.is_turned) for card in draft.turn.hand_left for place in draft.places(card)]
        left, right = min(x for x, _ in cells) - margin, max(x for x, _ in cells) + margin
        top, bottom = min(y for _, y in cells) - margin, max(y for _, y in cells) + margin
        return Rect(left * CELL, top * CELL, (right - left) * CELL, (bottom - top) * CELL)

    # ---- words ----

    def _ask(self) -> str:
        draft = self.draft
        if draft is None:
            return ""
        if draft.trade is not None:
            return self.say("ask.choose" if self.state.pile else "ask.pass")
        return self.say("ask.lay" if not draft.stuck else "ask.trade" if self.state.pile else "ask.pass")

    def _note(self) -> str:
        draft = self.draft
        if draft is None:
            return self._end_note()
        if draft.trade is not None:
            if not self.state.pile:
                return self.say("note.pass")
            return self.say("note.trade", n=len(draft.trade)) if draft.trade else self.say("note.trade_none")
        if draft.turn.lays and draft.shows_scores:
            return turn_note(self.sight, draft.turn.sum())
        if draft.selection is not None:
            count = len(draft.places(draft.selection)) + len(draft.turn.recyclable(draft.selection))
            return self.say("note.chosen", n=count) if count else \
                self.say("note.chosen_none" if self.state.pile else "note.chosen_none_empty")
        return "" if draft.begun else self._way_on()

    def _way_on(self) -> str:
        """What to do first: the empty hand of a turn, in words."""
        if self.draft is not None and self.draft.stuck:
            return self.say("note.stuck" if self.state.pile else "note.stuck_empty")
        return self.say("note.begin")

    def _end_note(self) -> str:
        """Who laid the last card, by which that turn counted double (IO-6): as it was told when it happened."""
        state = self.state
        if state.end_reason != "iota.ended.out" or not self.shows_scores or self.sight.landing:
            return ""
        points = state.plays[-1][1]
        return self.sight.say("iota.log.out_doubled", seat=state.turn, base=points // 2, points=points)

    def _turn_points(self) -> list[Label]:
        """What the whole turn on trial scores, beside the card that was laid last."""
        text, at = self._points_text(), self._points_rect()
        return [Label("turn-points", *at.centre, text, "points", plane=True)] if at is not None else []

    def _points_text(self) -> str:
        draft = self.draft
        if draft is None or not draft.shows_scores or not draft.turn.lays:
            return ""
        return figure(draft.turn.score()[0], plus=True)

    def _points_rect(self) -> Rect | None:
        """The small plate with it on the plane: in a free cell beside that card, at its foot where there is none; None without
        points."""
        text = self._points_text()
        if not text:
            return None
        assert self.draft is not None
        laid = list(self.draft.turn.lays.values())
        place = self._seen(laid[-1])
        taken = {self._seen(cell) for cell in (*self.state.grid, *laid)}
        way = next((way for way in POINTS_WAYS if (place[0] + way[0], place[1] + way[1]) not in taken), (0, 0))
        return plate_beside(place, way, text, self._rem_on_plane())

    def _rem_on_plane(self) -> float:
        """How many units of the plane a rem is, about."""
        cells = self._cells_shown()
        zoom = min(self.closest, self.window.width / cells.width, self.window.height / cells.height) * POINTS_SLACK
        return self.sight.layout.rem / zoom

    def _controls(self) -> tuple[Control, ...]:
        draft = self.draft
        if draft is None:
            return ()
        if draft.trade is not None:  # what ends the turn stands where nothing else was pressed
            back = Control("trade", self.say("do.back"), shortcut="t", shape=ButtonShape.HINGE)
            if draft.trade:
                return (back, Control("do_trade", self.say("do.trade", n=len(draft.trade)), primary=True, shortcut="c"))
            if self.state.pile:
                return (back, Control("do_trade", self.say("do.pass_only")))
            return (back, Control("do_trade", self.say("do.pass"), primary=True, shortcut="c"))
        clear = (Control("clear", self.say("do.clear")),) if draft.begun else ()
        if draft.turn.lays:
            points, _ = draft.turn.score()
            count = len(draft.turn.lays)
            label = self.say("do.play", n=count, points=points) if draft.shows_scores else self.say("do.lay", n=count)
            return (*clear, Control("play", label, primary=True, shortcut="c"))
        label = self.say("do.begin_trade" if self.state.pile else "do.pass")
        trade = Control("trade", label, shortcut="t", shape=ButtonShape.HINGE)
        return (trade, *clear, Control("play", self.say("do.lay_none"), why=self._way_on(), shortcut="c"))


def turn_note(sight: Sight, found: TurnSum) -> str:
    """What a turn scores, and how that comes about where it makes several lines, or something doubles it (IO-6)."""
    def say(key: str, **params: object) -> str:
        return sight.say(f"iota.board.{key}", **params)

    lines = " + ".join(figure(line) for line in found.lines if line)  # of two wilds nothing is added
    is_long = "+" in lines
    doubled = [say("factor.doubled", factor=factor, why=why) for factor, why in factors(sight, found)]
    if doubled:
        base = f"({lines})" if is_long else lines or figure(0)
        return say("note.doubled", base=base, factors=" ".join(doubled), n=found.points)
    return say("note.lines", lines=lines, n=found.points) if is_long else say("note.points", n=found.points)


def _beside(count: int, layout: Layout) -> tuple[Rect, list[Rect], Rect]:
    """On a wide stage the tray and ``count`` seats above it, in a column at the right; and the window beside them."""
    needed = ABREAST * (_most_beside(layout) + GAP) - GAP + 2 * AROUND
    side, window = layout.rect.end(max(BESIDE * layout.rem, min(needed, layout.width - GRID_SHAPE * layout.height)))
    height = min(PLATE_HEIGHT * layout.rem, layout.height * 0.4 / count)
    seats = [Rect(side.x + PLATE_GAP, side.y + PLATE_GAP + seat * (height + PLATE_GAP), side.width - 2 * PLATE_GAP, height)
             for seat in range(count)]
    return side.top(PLATE_GAP + count * (height + PLATE_GAP) + PLATE_GAP)[1], seats, window


def _most_beside(layout: Layout) -> float:
    """Px of a card of the hand beside the grid, at most."""
    return min(LARGEST_BESIDE, MOST_BESIDE * layout.height)


def _square(at: Point, side: float) -> Rect:
    return Rect(at[0] - side / 2, at[1] - side / 2, side, side)
