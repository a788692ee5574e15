"""The tables of Dominoes, Matador and Tiddle-A-Wink: the dominoes laid on their plane, the hand, the pile, what may be done.

A function of what a seat sees and of its draft. So that nothing moves without need, a board keeps where dominoes lie on the
table, which everybody sees, and how each hand lay. Faces come from the reader's own knowledge and nowhere else. Counted rounds
are drawn by ``board_counted``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from tabletin.board.board import ActStep, Board, Draft
from tabletin.board.layout import Placement as Place
from tabletin.board.layout import column_seating, count_point, heap, plates, resting, seating
from tabletin.board.scene import (
    ButtonShape,
    Control,
    Heap,
    Label,
    Layout,
    Piece,
    Plate,
    Point,
    Prompt,
    Rect,
    Scene,
    Sight,
    Spot,
    Zone,
    around_all,
    card_key,
)
from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.board_counted import RowPlacement, counted_rows, out_call, row_placements
from tabletin.games.dominoes.board_ends import EndMark, before_end, reach
from tabletin.games.dominoes.board_pieces import (
    BAND,
    BESIDE_NEXT,
    CELL_UNITS,
    LYING,
    band,
    drawing,
    hand_lies,
    hand_rows,
    rotation,
    star,
    wanted_half,
)
from tabletin.games.dominoes.draft import CELL, HAND, LEAD_SPOT, TO_NUMBER, TURN, DominoDraft
from tabletin.games.dominoes.layout import TableLayout, TilePlacement, reverse, step
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.screen_layouts import WIDE, ScreenLayout, ScreenLayouts, closest
from tabletin.games.dominoes.state import COUNTED, LEADING, OVER, PLAYING, DominoState
from tabletin.games.dominoes.table import LEAD, LaidTile, line_order, tile_and_side
from tabletin.games.dominoes.tiles import HALVES, pips
from tabletin.kernel.faces import Card
from tabletin.kernel.match import View
from tabletin.kernel.state import Event
from tabletin.words import figure

HandKey: TypeAlias = tuple[int, int, float]  # a hand by its seat, its round and the width of the screen

LAID: Final = frozenset(("dominoes.log.laid", "dominoes.log.led", "matador.log.laid", "tiddle-a-wink.log.laid",
                         "tiddle-a-wink.log.led"))
SHINING: Final = frozenset(("dominoes.log.out", "matador.log.out", "tiddle-a-wink.log.out", "tiddle-a-wink.log.again"))
LOOKS: Final = 4  # times that a better layout is looked for at once where nothing is told step by step
LIES: Final = 0.8  # paces until what another seat laid lies there and was read, …
OWN_LIES: Final = 0.4  # … until one's own does, …
GLIDES: Final = 0.7  # … and until what moves to make room lies there, too, …
GLIDE: Final = 0.8  # … which takes so many seconds, as web/styles/table/stage.css has it
ADDED: Final = 0.9  # paces until it was read that one plays again, before what there is to do
EDGE: Final = 0.4  # cells of the table that are seen around all that lies …
MARGIN: Final = 8.0  # … and px around the numbers of its ends
FIRST: Final = (-2, -3, 2, 3)  # cells that are seen while nothing lies yet
NUMBER: Final = 0.65  # rem from the middle of an end's number to its edge …
NUMBER_REM: Final = 22.0  # px: with larger text these grow no further, as web/styles/table/places.css has it
CLEAR: Final = 0.1  # … and from there to the end
SETTLED: Final = 8  # times after which dominoes hardly get smaller for the numbers beside them
WORDED: Final = 7.0  # rem of height from which there is room for words beside the table
LARGE_TEXT: Final = 24.0  # px a rem from which the dots of a hand would stand on what lies, on a phone
READABLE: Final = 30.0  # px: how wide a domino is on which dots can be counted
PLACE: Final = 44.0  # … and to which a phone's view goes near the places of the chosen one
LEAST_SEEN: Final = 14.0  # … and so wide that something of it is seen beside the hands of a counted round
HAND_EDGE: Final = 8.0  # px of height around a hand
PILE_SHOWN: Final = 3
PILE_APART: Final = 28.0  # px from the pile to a hand as it was dealt, or larger, at a desk
NARROW: Final = 600.0  # px of width up to which a pile is small
PILE_COUNT: Final = 1.0  # rem from the middle of the pile's number to its edge
PILE_EDGE: Final = 14.0  # … and from it, or from the hand, to the edge there
SIDES: Final = (("left", -1, 0), ("right", 1, 0), ("top", 0, -1), ("bottom", 0, 1))  # and which way they lie
STAR: Final = "★"  # what stands for a matador
LETTER: Final = 0.45  # rem that a letter over the table takes
ROOMY_PLATE: Final = 10.0  # rem of width: a seat that also says how many dots one holds
LOW_TRAY: Final = 88.0  # px of height for the hand on a phone held sideways
TRAY_SHARE: Final = 0.21  # of the height for the hand elsewhere, …
MOST_TRAY: Final = 150.0  # … and no more px than this
SEATS_WIDE: Final = 11.0  # rem of width for seats beside the table, …
WIDE_FIELD: Final = 1.3  # … where it is so many times as wide as high without them


def board(game: str) -> Board:
    """The board of ``game``; the three share it."""
    return DominoBoard()


class DominoBoard(Board):
    """Draws the three domino games."""

    counts = frozenset(("dominoes.log.won", "dominoes.log.nobody"))
    results = counts | {"dominoes.log.remix", "dominoes.log.no_lead"}

    def __init__(self) -> None:
        self._layouts = ScreenLayouts()
        self._told: tuple[LaidTile, ...] = ()  # the last table that was told step by step, or found settled
        self._landing: tuple[View, TableLayout, str] | None = None  # what is seen before dominoes move, how they lie, and words
        self._hand_turns: dict[HandKey, float] = {}

    def layout(self, sight: Sight) -> TableLayout:
        """The layout of the table that ``sight`` shows. What was laid moves when a screen is turned, and else rarely."""
        return self._screen_layout(sight).table

    def _screen_layout(self, sight: Sight) -> ScreenLayout:
        rules = sight.view.rules
        assert isinstance(rules, DominoRules)
        return self._layouts.find(rules, Areas.measure(rules, sight.layout).window, sight.view.state.tiles)

    def flourish(self, events: Sequence[Event]) -> tuple[Card, ...]:
        """The domino with which somebody goes out shines, and the double after which its seat plays again."""
        told = {event.key for event in events}
        return tuple(card for event in events if event.key in LAID for card in event.cards) if told & SHINING else ()

    def draft(self, sight: Sight) -> DominoDraft:
        screen = self._screen_layout(sight)
        self._make_room(sight, screen)
        return DominoDraft(sight, screen.table)

    def _make_room(self, sight: Sight, screen: ScreenLayout) -> None:
        """What was not told step by step moves at once, never under a person's hands."""
        state = sight.view.state
        if state.phase == PLAYING and state.tiles != self._told:
            self._told = state.tiles
            for _ in range(LOOKS):
                screen.search.improve()
            screen.settle()

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, DominoDraft)
        screen, state = self._screen_layout(sight), sight.view.state
        is_landing = self._landing is not None and sight.view is self._landing[0]
        if draft is None and not sight.past:
            if state.tiles != self._told:
                self._make_room(sight, screen)
            elif state.phase == PLAYING:
                screen.search.improve()  # it is shown after the next domino
        layout = self._landing[1] if is_landing and self._landing is not None else screen.table
        if draft is not None:
            draft.layout = layout
        scene = _DominoDrawing(sight, draft, layout, self._hand_turns).scene()
        if is_landing and self._landing is not None:
            return replace(scene, status=self._landing[2] or scene.status)
        if not sight.stepping:
            return scene
        labels = tuple(label for label in scene.labels if not label.plane)  # numbers would be there before their ends
        return replace(scene, glides=True, labels=labels)

    def steps(self, sight: Sight, events: Sequence[Event]) -> Sequence[ActStep]:
        """Where what lies moves after an act, the domino that was laid comes first; then they move by themselves, slowly. Who
        plays again with nothing that fits is told the one before the other."""
        cards = frozenset(card for event in events if event.key in LAID for card in event.cards)
        if not cards or sight.view.state.phase != PLAYING:
            return ()
        screen = self._screen_layout(sight)
        screen.search.improve()
        self._told, before = sight.view.state.tiles, screen.table
        moves, fresh, is_own = screen.settle(), sight.fresh | cards, events[0].seat == sight.seat
        room = sight.say("dominoes.board.status.room")
        again = sight.say("dominoes.board.status.again_you") if is_own and self._must_pass(sight) else ""
        if not (moves or again):
            return ()
        self._landing = replace(sight.view), before, again or (room if is_own else "")
        lands = ActStep(self._landing[0], ADDED if again else OWN_LIES if is_own else LIES, fresh=fresh)
        return (lands, ActStep(sight.view, GLIDES, room, fresh, GLIDE)) if moves else (lands,)

    def _must_pass(self, sight: Sight) -> bool:
        """Whether the reader plays again, with nothing that fits."""
        view, seat = sight.view, sight.seat
        return seat is not None and view.state.turn == seat and \
            [move[0] for move in view.rules.moves(view.state, seat, view.faces)] == ["pass"]


class Areas(NamedTuple):
    """Where things stand: the hand's ``tray``, the ``seats``, the open ``ends`` in words (None where the table needs the room),
    the ``window`` on the table; ``rest``: all that a counted round may use."""

    tray: Rect
    seats: list[Rect]
    ends: Rect | None
    window: Rect
    rest: Rect

    @classmethod
    def measure(cls, rules: DominoRules, layout: Layout) -> Areas:
        """The areas of a stage."""
        tray, above = layout.rect.foot(max(LOW_TRAY if layout.low else 96.0, min(MOST_TRAY, layout.height * TRAY_SHARE)))
        if above.width - SEATS_WIDE * layout.rem > WIDE_FIELD * above.height and not layout.low:
            seats, field = column_seating(rules.seats, above, layout.rem, ((1, SEATS_WIDE), (2, SEATS_WIDE)))
        else:
            seats, field = seating(rules.seats, above, layout, small=0.84 if is_crowded(rules, layout) else 1)
        rest = Rect(field.x, field.y, field.width, layout.height - field.y)
        if field.height < WORDED * layout.rem:
            return cls(tray, seats, None, field, rest)
        ends, window = field.top(layout.rem * 1.5)
        return cls(tray, seats, ends, window, rest)


def is_crowded(rules: DominoRules, layout: Layout) -> bool:
    """Whether plates hold a name, a score and one short word."""
    return rules.seats > 6 and layout.narrow


class _DominoDrawing:
    """One scene in the making. ``hand_turns``: how hands lay last, in degrees; brought up to date."""

    def __init__(self, sight: Sight, draft: DominoDraft | None, table: TableLayout,
                 hand_turns: dict[HandKey, float]) -> None:
        self.sight = sight
        self.hand_turns = hand_turns
        self.draft = draft
        self.table = table
        assert isinstance(sight.view.rules, DominoRules)
        self.rules: DominoRules = sight.view.rules
        self.state: DominoState = sight.view.state
        self.matador = self.rules if isinstance(self.rules, Matador) else None  # its rules, where halves add up to a total
        self.draws = "draw" in self.rules.verbs
        self.has_pile = self.draws and bool(self.state.pile)
        self.scoring = self.state.phase in (COUNTED, OVER) and not sight.laying
        layout = sight.layout
        self.tray, self.seats, self.ends_rect, self.window, self.rest = Areas.measure(self.rules, layout)
        self.counts_apart = self.seats[0].width < ROOMY_PLATE * layout.rem  # one's own dots have no room on a plate
        self.pile_width = min(30.0 if layout.width < NARROW else 46.0, (self.tray.height - 34) / 2)
        held = max(self.rules.hand_size, len(self.state.hands[sight.seat]) if sight.seat is not None else 0)
        wide = hand_rows(1, Rect(0, 0, layout.width, self.tray.height - HAND_EDGE)).width
        self.hand_width = held * (wide + BESIDE_NEXT)  # with dominoes as large as they get
        across = self.hand_width + 2 * (self.pile_width + PILE_APART)  # as if a pile lay on both sides
        inset = max(8.0 if layout.narrow else PILE_EDGE, (layout.width - across) / 2) + self.pile_width / 2
        self.pile_at: Point = max(inset, PILE_COUNT * layout.rem), self.tray.centre[1] - 6
        self.bounds = self._bounds()
        self.zoom = self._zoom(self.bounds)
        self.shows_trial = WIDE * self.zoom >= READABLE  # as all of the table is seen

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"dominoes.board.{key}", **params)

    def scene(self) -> Scene:
        """The whole table."""
        if self.scoring:
            return self._counted()
        sight, draft, state = self.sight, self.draft, self.state
        tray = (Zone("tray", self.tray, "tray"),)
        return Scene(
            pieces=(*self._pile(), *self._asked_for(), *self._table(), *self._wanted(), *self._on_trial(), *self._hand()),
            spots=self._spots(),
            plates=self._plates(),
            zones=(*tray, *self._pile_zone()),
            labels=(*self._line(), *self._end_numbers(), *self._pile_label(), *self._cry()),
            controls=self._controls(),
            resting=self._resting(sight.seat),
            window=self.window,
            bounds=self.bounds,
            unit=WIDE,
            closest=closest(self.window),
            place_size=PLACE,
            ask=self._ask(),
            status=self._status(),
            note=self._note(),
            focus=draft.focus() if draft and (sight.seat is not None and state.hands[sight.seat]) else "",
            hand=self.tray,
        )

    def _resting(self, open_seat: int | None) -> tuple[Heap, ...]:
        shown = PILE_SHOWN if self.draws else 0
        at = self.pile_at if self.draws else self.window.centre
        pile = resting(self.state.pile[shown:], at, self.pile_width, drawing(None))
        return (pile, *(resting(hand, count_point(self.seats[seat]), 22, drawing(None))
                        for seat, hand in enumerate(self.state.hands) if seat != open_seat))

    # ---- pieces ----

    def _named(self, card: Card) -> str:
        return self.sight.words.card(card, self.sight.view.faces)

    def _pile(self) -> list[Piece]:
        if not self.has_pile:
            return []
        shown = self.state.pile[:PILE_SHOWN]
        lies = heap(len(shown), self.pile_at, 2.0)
        may = self.draft is not None and self.draft.playing
        legal = may and self.draft is not None and "draw" in self.draft.acts
        pieces = []
        for card, lie in zip(reversed(shown), lies, strict=True):
            top = card == shown[0]
            pieces.append(Piece(card_key(card), drawing(None), lie.x, lie.y, self.pile_width,
                                self.say("draw_one") if top and may else "", z=lie.z, flags=("legal",) if top and legal else (),
                                tap=top and may, drag=top and may, row="pile"))
        return pieces

    def _pile_zone(self) -> tuple[Zone, ...]:
        if not self.has_pile:
            return ()
        x, y = self.pile_at
        width, height = self.pile_width + 8, 2 * self.pile_width + 8
        return (Zone("pile-place", Rect(x - width / 2, y - height / 2, width, height), "slot",
                     self.say("pile", n=len(self.state.pile))),)

    def _pile_label(self) -> tuple[Label, ...]:
        if not self.has_pile:
            return ()
        return (Label("pile-count", self.pile_at[0], self.pile_at[1] + self.pile_width + 10, str(len(self.state.pile)), "count"),)

    def _asked_for(self) -> list[Piece]:
        """The double that everybody is asked for, pale, where it will lie."""
        if self.state.phase != LEADING:
            return []
        face = self.rules.questions[self.state.question]
        turn = LYING if self.matador else 0.0  # along its line
        return [Piece("asked", drawing(face), 0, 0, WIDE, plane=True, turn=turn, flags=("ghost",))]

    def _table(self) -> list[Piece]:
        pieces, order = [], line_order(self.state.tiles)
        for index, tile in enumerate(order):
            laid, lie = self.state.tiles[tile], self.table.lies[tile]
            slot = None if laid.place == LEAD else self.table.slots.get(laid.place)
            is_apart = slot is not None and slot.apart
            key = "laid_apart" if is_apart else "laid" if self._follows(order, index) else "laid_at"
            joined_to = "" if laid.place == LEAD else self._neighbour(laid.place)
            label = self.say(key, card=self._named(laid.card), n=index + 1, tile=joined_to)
            pieces.append(Piece(card_key(laid.card), drawing(self.sight.face(laid.card)), lie.x * CELL, lie.y * CELL, WIDE, label,
                                plane=True, turn=rotation(laid, lie), flags=("new",) if laid.card in self.sight.fresh else ()))
            if is_apart:
                pieces.append(self._band(laid.place, laid.inner))
        return pieces

    def _follows(self, order: Sequence[int], index: int) -> bool:
        """Whether what is ``index``-th in ``order`` touches what is read before it; else it has to be said where it lies."""
        if not index:
            return True
        before, here = order[index - 1], order[index]
        return before == self._laid_to(here) or here == self._laid_to(before)

    def _laid_to(self, tile: int) -> int | None:
        """The domino to which the ``tile``-th was laid; None: the lead."""
        place = self.state.tiles[tile].place
        return None if place == LEAD else tile_and_side(place)[0]

    def _neighbour(self, place: int) -> str:
        """The domino that ``place`` belongs to."""
        return self._named(self.state.tiles[tile_and_side(place)[0]].card)

    def _band(self, place: int, inner: int) -> Piece:
        """Where an end that was walled in goes on elsewhere, with ``inner``. In Matador the end itself has another number."""
        slot = self.table.slots[place]
        (x, y), (to_x, to_y) = slot.start, slot.joint
        length, turn = slot.span
        joined = band(length, turn, None if self.matador else inner, inner)
        return Piece(f"band{place}", joined, (x + to_x) / 2 * CELL, (y + to_y) / 2 * CELL, (length + BAND / CELL_UNITS) * CELL,
                     plane=True, turn=turn, z=1)

    def _on_trial(self) -> list[Piece]:
        """The chosen domino, pale, as it would lie on each of its places; smaller than dots can be counted only where it can be
        turned round. What joins an end that is walled in to its place is shown however small it is: nothing else tells."""
        draft = self.draft
        if draft is None or draft.selection is None:
            return []
        face = draft.faces[draft.selection]
        pieces = []
        for place in draft.places(draft.selection):
            high, low = HALVES[face]
            way = draft.way_at(place)
            inner = way[3] if way is not None and len(way) > 3 else self.state.open[place]
            if self.table.slot(place).apart:
                pieces.append(self._band(place, inner))
            if not (self.shows_trial or draft.turns):
                continue
            lie = self.table.slot(place).lie(double=high == low)
            laid = LaidTile(draft.selection, place, inner, high + low - inner)
            pieces.append(Piece(f"trial{place}", drawing(face), lie.x * CELL, lie.y * CELL, WIDE, plane=True,
                                turn=rotation(laid, lie), flags=("ghost",)))
        return pieces

    def _hand_room(self) -> Rect:
        """Beside the pile; at a desk in the middle of the tray, and as far to its edge as a large hand needs."""
        is_narrow = self.sight.layout.narrow
        left = self.pile_at[0] + self.pile_width / 2 + (6 if is_narrow else 10) if self.has_pile else self.tray.x + 8
        right = self.tray.right - max(6 if is_narrow else PILE_EDGE, min(left, self.tray.right - left - self.hand_width))
        return Rect(left, self.tray.y + HAND_EDGE / 2, right - left, self.tray.height - HAND_EDGE)

    def _hand(self) -> list[Piece]:
        seat = self.sight.seat
        if seat is None:
            return []
        hand, room = self.state.hands[seat], self._hand_room()
        key = seat, self.state.round, self.sight.layout.width
        rows = hand_rows(len(hand), room, self.hand_turns.get(key))
        self.hand_turns[key] = rows.turn
        pieces = []
        for index, (card, lie) in enumerate(zip(hand, hand_lies(len(hand), room, rows), strict=True)):
            pieces += self._in_hand(card, index, len(hand), lie, rows.piece_width)
        return pieces

    def _in_hand(self, card: Card, index: int, count: int, lie: Place, width: float) -> list[Piece]:
        draft, face = self.draft, self.sight.face(card)
        is_matador = self.matador is not None and face in self.matador.matadors
        key = "held_matador" if is_matador else "held"
        label = self.say(key, card=self._named(card), n=index + 1, of=count)
        flags: tuple[str, ...] = ()
        chosen, y = False, lie.y
        if draft is not None:
            chosen = card == draft.selection
            usable = bool(draft.ways.get(card))
            flags = ("chosen",) if chosen else ("legal",) if usable else ("dim",) if not draft.stuck else ()
            y -= 8 if chosen else 4 if usable else 0
        pieces = [Piece(card_key(card), drawing(face), lie.x, y, width, label, turn=lie.turn, z=20 + 2 * lie.z, flags=flags,
                        tap=draft is not None, drag=draft is not None, pressed=chosen if draft is not None else None, row="hand")]
        if is_matador:
            size = width * 0.36
            across, up = (width, width / 2) if lie.turn else (width / 2, width)
            pieces.append(Piece(f"star{card}", star(), lie.x + across - size * 0.3, y - up + size * 0.3, size, z=21 + 2 * lie.z))
        return pieces

    # ---- places ----

    def _spots(self) -> tuple[Spot, ...]:
        draft = self.draft
        if draft is None:
            return ()
        if draft.lead is not None:
            lie = TilePlacement(0, 0, (1, 0) if self.matador else (0, 1))  # as what is asked for
            return (self._spot(LEAD_SPOT, lie, self.say("lead_spot", card=self._named(draft.lead)), ""),)
        if draft.drawing:
            room = self._hand_room()
            return (Spot(HAND, *room.centre, room.width, room.height, self.say("to_hand"), flags=("over",)),)
        card = draft.selection
        if card is None or card not in draft.ways:
            return ()
        double = len(set(HALVES[draft.faces[card]])) == 1
        on_trial = {piece.key for piece in self._on_trial()}
        meant = draft.meant_place() if len(draft.places(card)) > 1 or draft.hint is not None else None
        spots = []
        for place in sorted(draft.places(card), key=lambda place: place != meant):
            number, seen = self.state.open[place], f"trial{place}" in on_trial
            flags = (*(("target",) if place == meant else ()), *(("ghost",) if seen else ()))
            spots.append(self._spot(f"at{place}", self.table.slot(place).lie(double=double), self._place_label(card, place),
                                    "" if seen else self.say("end", number=number), flags))
        return tuple(spots)

    def _place_label(self, card: Card, place: int) -> str:
        """What happens at ``place``, and in Matador which number is open there then."""
        outer = self._left_open(place)
        key = "place" if outer is None else "place_leaving"
        return self.say(key, card=self._named(card), number=self.state.open[place],
                        tile=self._neighbour(place), outer=outer)

    def _left_open(self, place: int) -> int | None:
        """The number that the chosen domino would leave open at ``place``, where touching halves do not tell."""
        way = self.draft.way_at(place) if self.draft is not None else None
        if way is None or len(way) < 4:
            return None
        return sum(HALVES[self.sight.view.faces[way[1]]]) - int(way[3])

    def _spot(self, key: str, lie: TilePlacement, label: str, text: str, flags: tuple[str, ...] = ()) -> Spot:
        left, top, right, bottom = lie.box
        return Spot(key, lie.x * CELL, lie.y * CELL, (right - left) * CELL - 8, (bottom - top) * CELL - 8, label, plane=True,
                    text=text, flags=flags)

    def _bounds(self) -> Rect:
        """All that lies, the numbers of its ends, and wherever a domino of the reader's hand would lie, so that choosing one
        moves nothing; without a hand, all that may come."""
        left, top, right, bottom = self.table.box(self._next_lies()) or FIRST
        least = Rect(left * CELL, top * CELL, (right - left) * CELL, (bottom - top) * CELL).grow(EDGE * CELL)
        if self.matador and self.state.phase == PLAYING:
            least = around_all([least, *(self._first_half(place).grow(EDGE * CELL) for place in self.table.open)])
        bounds = least
        for _ in range(SETTLED):  # numbers keep their size, so they take the more of the table the smaller it is seen
            zoom = self._zoom(bounds)
            bounds = around_all([least, *(mark.rect.grow(MARGIN / zoom) for mark in self._end_marks(least, zoom))])
        return bounds

    def _zoom(self, bounds: Rect) -> float:
        """How many px a unit of the table is where all of ``bounds`` is seen."""
        return min(closest(self.window), self.window.width / bounds.width, self.window.height / bounds.height)

    def _next_lies(self) -> list[TilePlacement]:
        """Where the next domino may lie, as far as the reader knows."""
        if self.scoring:
            return []
        seat, slots = self.sight.seat, self.table.open
        if seat is None:
            return [lie for slot in slots.values() for lie in (slot.double, slot.plain)]
        known = [(card, face) for card in self.state.hands[seat] if (face := self.sight.face(card)) is not None]
        ways = [(way[2], len(set(HALVES[face])) == 1) for card, face in known for way in self.rules.lays(self.state, card, face)]
        return [slots[place].lie(double=double) for place, double in dict.fromkeys(ways)]

    # ---- words ----

    def _plates(self) -> tuple[Plate, ...]:
        state, dots = self.state, self._dots()
        made = plates(self.sight, self.seats, scores=[figure(total) for total in state.totals],
                      counts=[len(hand) for hand in state.hands], notes=[self._call(seat) for seat in range(self.rules.seats)],
                      won=self._won(), mover=self.sight.seat)
        calls = {seat: self._say_aloud(seat) for seat in range(self.rules.seats)}
        made = tuple(replace(plate, flags=(*plate.flags, "calls")) if plate.note and plate.note == calls[plate.seat] else plate
                     for plate in made)
        return tuple(replace(plate, note="") if self.counts_apart and plate.note == dots else plate for plate in made)

    def _cry(self) -> tuple[Label, ...]:
        """What somebody who went out calls, across the table as it lay, before anything is counted."""
        if not self.sight.laying or self.state.first_out is None:
            return ()
        return (Label("cry", *self.window.centre, self.say(out_call(self.rules.id)), "cry"),)

    def _won(self) -> tuple[int, ...] | None:
        """Who won the round that is counted, None while one is played."""
        counted = self.state.last_count
        if not self.scoring or counted is None:
            return None
        return () if counted.winner is None else (counted.winner,)

    def _call(self, seat: int) -> str:
        """What ``seat`` just said, that it plays next, or how many dots you hold."""
        said = self._say_aloud(seat)
        if said or self.scoring:
            return said
        if seat == self._next_seat():
            return self.say("call.next")
        return self._dots() if seat == self.sight.seat else ""

    def _say_aloud(self, seat: int) -> str:
        """What ``seat`` just said."""
        state = self.state
        if self.scoring:
            roomy = self.seats[seat].width > 11 * self.sight.layout.rem
            return self.say(out_call(self.rules.id)) if state.first_out == seat and roomy else ""
        if state.phase == LEADING and seat not in state.waiting and seat not in state.absentees:
            return self.say("call.none")
        if state.phase != PLAYING:
            return ""
        if seat == state.turn:
            return self.say("call.again") if self._plays_again else ""
        is_new = any(claim.seat == seat for claim in state.claims[len(state.claims) - state.passes:])
        if is_new or (seat != self._next_seat() and self._passed_last(seat)):
            return self.say("call.pass" if self.draws else "call.g")
        return ""

    def _passed_last(self, seat: int) -> bool:
        """Whether ``seat`` passed when it was its turn last: it has had the same hand since."""
        hand = self.state.hands[seat]
        return any((claim.seat, claim.verb, claim.hand) == (seat, "pass", hand) for claim in self.state.claims)

    @property
    def _plays_again(self) -> bool:
        """Whether the seat whose turn it is has just laid and goes on (DO-8)."""
        state = self.state
        return state.phase == PLAYING and bool(state.tiles) and not state.passes and self.rules.keeps_turn(state.tiles[-1])

    def _next_seat(self) -> int | None:
        """Who plays after the seat whose plate is marked, where seats that stand in rows do not tell."""
        state = self.state
        in_rows = len({seat.x for seat in self.seats}) > 1 < len({seat.y for seat in self.seats})
        if state.phase != PLAYING or not in_rows:
            return None
        if self.sight.shown_mover not in (None, state.turn):
            return state.turn
        after = [(state.turn + step) % self.rules.seats for step in range(1, self.rules.seats)]
        return next((seat for seat in after if seat not in state.absentees), None)

    def _dots(self) -> str:
        """The dots in the reader's own hand."""
        hand = self.state.hands[self.sight.seat] if self.sight.seat is not None else ()
        known = [face for face in map(self.sight.face, hand) if face is not None]
        return self.say("dots", n=pips(known)) if known else ""

    def _line(self) -> tuple[Label, ...]:
        """Over the table: the dots in hand, where a plate has no room for them, and the open ends. As much of it as fits."""
        if self.ends_rect is None:
            return ()
        rem, at = self.sight.layout.rem, self.ends_rect
        dots = self._dots() if self.counts_apart and not (self.sight.layout.narrow and rem > LARGE_TEXT) else ""
        letters = at.width / (LETTER * rem) - 2
        named = self.say("own_dots", dots=dots) if dots else ""
        told = self._ends()
        tries = [(text, words) for text in told for words in (named, dots)]
        text, dots = next((pair for pair in tries if len(pair[0]) + len(pair[1]) + 2 <= letters), (told[-1], ""))
        left = (len(dots) + 1.5) * LETTER * rem if dots else 0.0
        own = (Label("dots", at.x + LETTER * rem, at.centre[1], dots, anchor="start"),) if dots else ()
        return (*own, *((Label("ends", at.centre[0] + left / 2, at.centre[1], text, "title", speech=told[0]),) if text else ()))

    def _ends(self) -> tuple[str, ...]:
        """The open numbers of which not all dominoes lie yet, each once, and in Matador what each of them needs: as it is spoken,
        and shorter and shorter."""
        numbers = sorted({self.state.open[place] for place in self.table.open}, reverse=True)
        if not numbers:
            return ("",)
        join = self.sight.catalogue.join_names
        if self.matador is None:
            each = [self.say("end", number=number) for number in numbers]
            return self.say("ends", ends=join(each)), ", ".join(each)
        needs, sums = ([self._needed(self.matador, key, number) for number in numbers] for key in ("needs", "sum"))
        return self.say("ends_total", ends=join(needs), total=self.matador.total), " · ".join(needs), " · ".join(sums)

    def _needed(self, rules: Matador, key: str, number: int) -> str:
        """What the open ``number`` needs in Matador, in the words of ``key``."""
        need = rules.need(number)
        return self.say(f"{key}_matador", end=number) if need is None else self.say(key, end=number, need=need)

    def _end_text(self, number: int) -> str:
        """The open ``number`` before its end, as the words over the table have it. In Matador with the half that makes the total,
        or a star for a matador."""
        if self.matador is None:
            return self.say("end", number=number)
        need = self.matador.need(number)
        return STAR if need is None else f"{number}+{need}"

    def _end_marks(self, view: Rect, zoom: float) -> list[EndMark]:
        """The numbers of the ends on which something may still come, as they stand where a unit is ``zoom`` px: before each end,
        clear of its dots; of a double that is open on several sides on the one where they reach the least out of ``view``."""
        if self.state.phase != PLAYING or not zoom:
            return []
        alike: dict[tuple[int, int], list[EndMark]] = {}
        for place in self.table.open:
            alike.setdefault((tile_and_side(place)[0], self.state.open[place]), []).append(self._end_mark(place, zoom))
        return [min(marks, key=lambda mark: (mark.is_on_end, reach(view, mark.rect))) for marks in alike.values()]

    def _end_mark(self, place: int, zoom: float) -> EndMark:
        """The number of ``place``, as it stands where a unit is ``zoom`` px."""
        rem = min(self.sight.layout.rem, NUMBER_REM) / zoom
        text, slot = self._end_text(self.state.open[place]), self.table.slot(place)
        high, wide = NUMBER * rem, (NUMBER + LETTER * (len(text) - 1) / 2) * rem
        return EndMark(place, text, before_end(slot, wide, high, CLEAR * rem), slot.apart)

    def _shown_marks(self) -> list[EndMark]:
        """The numbers of ends as they are seen: on the other open sides of a double, too, where nothing lies there and nothing
        gets smaller for it."""
        found = self._end_marks(self.bounds, self.zoom)
        covered = [Rect(left * CELL, top * CELL, (right - left) * CELL, (bottom - top) * CELL)
                   for left, top, right, bottom in (lie.box for lie in self.table.lies[:len(self.state.tiles)])]
        for place in sorted(self.table.open.keys() - {mark.place for mark in found}) if found else ():
            mark = self._end_mark(place, self.zoom)
            others = (*covered, *(other.rect for other in found))
            if not (mark.is_on_end or reach(self.bounds, mark.rect) or any(mark.rect.overlaps(other) for other in others)):
                found.append(mark)
        return found

    def _end_numbers(self) -> tuple[Label, ...]:
        """The number of each end: however small dominoes are, it can be read. Those are lit to which the reader's hand goes. A
        place that is lit says its number itself, and in Matador the half that is wanted, where its dots can be counted."""
        if self.state.phase != PLAYING or self._shows_wanted:
            return ()
        aimed_at, goes = self._aimed_at(), self._goes()
        return tuple(Label(f"end{mark.place}", *mark.rect.centre, mark.text, "lit" if mark.place in goes else "count", plane=True)
                     for mark in self._shown_marks() if mark.place not in aimed_at)

    def _aimed_at(self) -> set[int]:
        """The places that are lit for the chosen domino."""
        draft = self.draft
        return set(draft.places(draft.selection)) if draft is not None and draft.selection is not None else set()

    def _goes(self) -> set[int]:
        """The places to which the reader's hand goes."""
        return {way[2] for ways in self.draft.ways.values() for way in ways} if self.draft is not None else set()

    @property
    def _shows_wanted(self) -> bool:
        return self.matador is not None and self.shows_trial

    def _wanted(self) -> list[Piece]:
        """In Matador, at each end the half that goes there, as a picture of what to look for in the hand."""
        rules = self.matador
        if rules is None or self.state.phase != PLAYING or not self._shows_wanted:
            return []
        goes = self._goes()
        pieces = []
        for place in self.table.open.keys() - self._aimed_at():
            need = rules.need(self.state.open[place])
            turn = LYING if need is not None and self.table.slot(place).plain.way[0] else 0.0
            pieces.append(Piece(f"wanted{place}", wanted_half(need, held=place in goes), *self._first_half(place).centre, WIDE,
                                plane=True, turn=turn))
        return pieces

    def _first_half(self, place: int) -> Rect:
        """Where the touching half of the next domino lies at ``place``."""
        lie = self.table.slot(place).plain
        x, y = step((lie.x, lie.y), (reverse(lie.way), 1))
        return Rect((x - 1) * CELL, (y - 1) * CELL, WIDE, WIDE)

    def _asked(self) -> str:
        return self.sight.words.face(self.rules.questions[self.state.question])

    def _ask(self) -> str:
        draft = self.draft
        if self._leads:
            return self.say("ask.lay")
        if draft is None or self.state.phase != PLAYING:
            return ""
        if not draft.stuck:
            return self.say("ask.lay_or_draw" if "draw" in draft.acts else "ask.again" if self._plays_again else "ask.lay")
        return self.say("ask.draw" if "draw" in draft.acts else "ask.g" if self.rules.id == "tiddle-a-wink" else "ask.pass")

    @property
    def _leads(self) -> bool:
        """Whether the reader has the double that everybody is asked for: then nobody has to ask any more."""
        return self.draft is not None and self.draft.lead is not None

    def _status(self) -> str:
        if self.state.phase == LEADING and not self._leads:
            return self.say("status.lead", card=self._asked())
        if self._plays_again and self.state.turn not in self.sight.people:  # of one's own turn the question says it
            return self.say("status.again", seat=self.state.turn)
        return ""

    def _note(self) -> str:
        draft = self.draft
        if draft is None:
            return ""
        if self.state.phase == LEADING:
            return self.say("note.lead" if self._leads else "note.none", card=self._asked())
        if draft.turns:
            return self.say("note.turns")
        if draft.selection is not None and draft.ways[draft.selection]:
            apart = next((place for place in draft.places(draft.selection) if self.table.slot(place).apart), None)
            if apart is not None:
                return self.say("note.apart", number=self.state.open[apart])
            return self.say("note.again") if draft.only_way() else self.say("note.places", n=len(draft.places(draft.selection)))
        if draft.stuck:
            if "draw" in draft.acts:
                return self.say("note.draw")
            return self.say("note.g" if self.rules.id == "tiddle-a-wink" else "note.pass")
        if "draw" in draft.acts:
            return self.say("note.matadors")
        return self.say("note.begin") if draft.only_card is None else self.say("note.only", card=self._named(draft.only_card))

    def _controls(self) -> tuple[Control, ...]:
        draft = self.draft
        if draft is None:
            return ()
        if self.state.phase == LEADING:
            if draft.lead is not None:
                return (Control("lead", self.say("do.lead", card=self._asked()), primary=True, shortcut="c"),)
            return (Control("none", self.say("do.none", card=self._asked()), primary=True, shortcut="c"),)
        if "draw" in draft.acts and draft.hint is None:  # it stays there while a matador is chosen, which is laid by its places
            return self._draw_control(draft)
        way = draft.only_way()
        numbers = [self.state.open[way[2]]] if way is not None else draft.numbers()
        meant = draft.meant_place()
        turn = (Control(TURN, self.say("do.turn"), shortcut="t", shape=ButtonShape.ASIDE),) if draft.turns else ()
        if len(numbers) == 1 and draft.candidate is not None:
            assert meant is not None
            lay = self._with_end("do.lay", meant, card=self._named(draft.candidate))
            return (*turn, Control("lay", lay, primary=True, shortcut="c"))
        if numbers:  # on a phone one that can be turned is laid by its places: one wide button is there for turning it
            ways = () if turn and self.sight.layout.narrow else numbers
            return (*turn, *(Control(f"{TO_NUMBER}{number}", self._to(number), shape=ButtonShape.CHOICE) for number in ways))
        if "pass" in draft.acts:
            key = "do.g" if self.rules.id == "tiddle-a-wink" else "do.pass"
            return (Control("pass", self.say(key), primary=True, shortcut="c"),)
        return ()

    def _draw_control(self, draft: DominoDraft) -> tuple[Control, ...]:
        """The button that draws: the one thing to do where nothing fits, else one way besides the matadors in hand, with other
        words once it was gone."""
        key = "do.draw" if draft.stuck else "do.draw_on" if draft.has_drawn else "do.draw_keep"
        label = self.say(key, n=sum(map(bool, draft.ways.values())))
        is_meant = draft.stuck or draft.draws_as_hinted
        return (Control("draw", label, primary=is_meant, shortcut="c" if is_meant else "d"),)

    def _to(self, number: int) -> str:
        """The name of the button that lays the chosen domino where ``number`` is open."""
        assert self.draft is not None and self.draft.selection is not None
        place = self.draft.place_of(number)
        outer = self._left_open(place)
        return self._with_end("do.to", place) if outer is None else self.say("do.to_leaving", number=number, outer=outer)

    def _with_end(self, key: str, place: int, **params: object) -> str:
        """The words of ``key`` with the open end at ``place``: its number, and where that is open elsewhere, too, its side."""
        assert self.draft is not None and self.draft.candidate is not None
        number = self.state.open[place]
        here = self.table.slot(place).plain
        others = [self.table.slot(one).plain for one in self.draft.places(self.draft.candidate)
                  if self.state.open[one] == number and one != place]
        clear = {side: min((x * (here.x - other.x) + y * (here.y - other.y) for other in others), default=0.0)
                 for side, x, y in SIDES}
        side = max(clear, key=clear.__getitem__)
        if clear[side] <= 0:
            return self.say(key, number=number, **params)
        return self.say(f"{key}_at", end=self.say(f"side.{side}", number=number), **params)

    # ---- a counted round ----

    def _seen_at(self, window: Rect) -> float:
        """How many px a unit of the table is where all of it is seen in ``window``, beside the hands; 0 where too little is
        seen."""
        zoom = min(closest(window), window.width / self.bounds.width, window.height / self.bounds.height)
        return zoom if min(window.width, window.height) > 110 and WIDE * zoom >= LEAST_SEEN else 0.0

    def _worth(self, placement: RowPlacement) -> float:
        """How well a counted round is read so: the table, up to the size it was played in, and the hands."""
        return min(1.0, self._seen_at(placement.window) / self.zoom) * placement.ease if self.zoom else 0.0

    def _counted(self) -> Scene:
        """The hands opened, dots counted, points given; what was laid stays in view where there is room: as it lay, if rows that
        are high enough to be read leave it there."""
        sight, state, rest = self.sight, self.state, self.rest
        rows_at, left, _, columns = max(row_placements(sight, self.seats, rest), key=self._worth)
        window = left if self._seen_at(left) else None
        if window is None:
            rows_at, columns = rest, 1
        rows = counted_rows(sight, rows_at, columns, drawing)
        say = self.say
        waiting = tuple((seat, ("ready",)) for seat in state.waiting if seat in sight.people)
        prompt = None
        controls: tuple[Control, ...] = ()
        may_go_on = bool(waiting) and not (sight.past or sight.landing)
        if sight.seat is None and may_go_on:  # nothing is hidden now, so nobody needs to uncover a hand
            prompt = Prompt("next", rows.status, (Control("next", say("do.next"), primary=True, moves=waiting),))
        elif self.draft is not None:
            controls = (Control("ready", say("do.next"), primary=True, shortcut="c"),)
        return Scene(pieces=(*(self._table() if window else ()), *rows.pieces), plates=self._plates(), zones=rows.zones,
                     labels=rows.labels, controls=controls, resting=self._resting(None)[:1], window=window,
                     bounds=self.bounds, unit=WIDE, closest=closest(window or rows_at), status=rows.status, note=rows.note,
                     prompt=prompt, won_at=rows.won_at, won_after=rows.won_after, count_seconds=rows.seconds,
                     in_view=rows.in_view, hand=rows_at.foot(self.tray.height)[0])
