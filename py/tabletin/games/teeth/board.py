"""The table of Teeth: columns between two seats, the pile, the discards, and the drawn card beside them.

A pure function of what a seat sees and of its draft. Faces come from the reader's own knowledge and nowhere else.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

from tabletin.board.board import Board, Draft
from tabletin.board.layout import PLATE_HEIGHT, heap, plates, resting, seat_rects
from tabletin.board.scene import (
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
    card_key,
)
from tabletin.games.teeth import art
from tabletin.games.teeth.columns import ACE_STEP, DECK
from tabletin.games.teeth.draft import PILE, TeethDraft
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import COUNTED, Column, ColumnScore, TeethState
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.schema import Move
from tabletin.words import SOURCE, figure

TALL: Final = art.VIEWBOX[1] / art.VIEWBOX[0]
STRIP: Final = 0.28  # of a card's height that shows under the next card of its side
PILE_SHOWN: Final = 3
CALL: Final = 44.0  # px, high enough for a finger
WORD: Final = 5.8  # rem that the word in it may take …
LARGEST_WORD: Final = 0.25  # … and of the width
BESIDE: Final = 11.5  # rem of width for what stands beside the table on a wide stage
MOST_BESIDE: Final = 0.38  # … and of the width, at most
PLATE_SHARE: Final = 0.17  # of the height that each of the two seats there takes at most
WIDE: Final = 1.35  # width to height from which a stage is wide
THUMBNAIL: Final = 64.0  # px of a card's height below which more is looked for
CROWDED: Final = 1.4  # times that cards must be larger with words beside them, so that those stand there
STEP: Final = 190.0  # px from one column to the next at most
NAMED: Final = 150.0  # px from one column to the next from which a total names the closed card, or says "14 or 24", in usual text
LABEL: Final = 14.0  # px of height that such text has …
LARGEST_LABEL: Final = 0.054  # … and of the width, how high it is at most (enlarged.css)
LARGEST_LINE: Final = 0.09  # of the width that a line of text takes at most
LARGEST: Final = 190.0  # px of a card's height at most
LETTER: Final = 0.55  # rem: about as wide as a letter of a name is
DIGIT: Final = 0.66  # rem: about as wide as one of a total in large
WORDS: Final = 74.0  # px at least for what stands beside the cards of a column
RIM: Final = 6.0  # px by which the outline of a place is larger than the card in it
AROUND_WORDS: Final = 8.0  # px of a column's mat that its total leaves free
BETWEEN: Final = 8.0  # px between two columns that are as wide as their totals


@cache
def drawing(face: Face | None, language: str = SOURCE) -> Drawing:
    """The drawing of ``face`` with its letters in ``language``, or of the back."""
    return Drawing(art.back() if face is None else art.front(face, language), *art.VIEWBOX, shows=face)


def board(game: str) -> Board:
    """The board of Teeth; ``game`` is its only one."""
    return TeethBoard()


class TeethBoard(Board):
    """Draws Teeth."""

    results = frozenset(f"teeth.log.{how}" for how in ("higher", "equal", "one_bust", "both_bust"))

    def draft(self, sight: Sight) -> TeethDraft:
        return TeethDraft(sight)

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, TeethDraft)
        return _TeethDrawing(sight, draft).scene()


class _TeethDrawing:
    """One scene in the making."""

    def __init__(self, sight: Sight, draft: TeethDraft | None) -> None:
        self.sight, self.draft = sight, draft
        self.state: TeethState = sight.view.state
        rules = sight.view.rules
        assert isinstance(rules, Teeth)
        self.rules = rules
        self.columns = self._shown_columns()
        self.low = sight.seat if sight.seat is not None else sight.people[0] if sight.people else 0
        layout = sight.layout
        self.is_wide = layout.width > WIDE * layout.height
        if self.is_wide:
            self._place_beside(layout)
        else:
            self._place_below(layout)
        self._measure()

    def _place_below(self, layout: Layout) -> None:
        """The seats along the top, the pile and the discards in a tray at the foot, the drawn card between them."""
        self.seats, top = seat_rects(2, layout.width, layout.rem)
        _, rest = layout.rect.top(top)
        self.tray, self.field = rest.foot(max(96.0, min(170.0, layout.height * 0.23)))
        self.big = (self.tray.height - layout.rem * 1.6 - 8) / TALL
        self.side = self.big * 0.8
        x, y = self.tray.centre
        apart = min(self.tray.width / 2 - 14 - self.side / 2, 260.0)
        self.pile_at, self.heap_at = (x - apart, y), (x + apart, y)
        self.drawn_at = x, self.tray.y + 6 + self.big * TALL / 2

    def _place_beside(self, layout: Layout) -> None:
        """A wide stage: all of that in a column of its own, so that the table has the whole height."""
        beside = min(BESIDE * layout.rem, MOST_BESIDE * layout.width)
        spare = max(0.0, layout.width - beside - len(self.columns) * STEP) / 2
        column, self.field = layout.rect._replace(x=spare, width=layout.width - 2 * spare).end(beside)
        line = layout.rem
        height = min(PLATE_HEIGHT * layout.rem, PLATE_SHARE * layout.height)
        self.seats = [Rect(column.x + 4, column.y + 4 + seat * (height + 4), column.width - 8, height) for seat in range(2)]
        _, self.tray = column.top(2 * (height + 4) + 6)
        room = self.tray.height - 2.6 * line
        self.side = min((self.tray.width - 30) / 2, room * 0.4 / TALL)
        self.big = min(self.tray.width * 0.6, room * 0.56 / TALL)
        apart, y = (self.side + 14) / 2, self.tray.y + 6 + self.side * TALL / 2
        x = self.tray.centre[0]
        self.pile_at, self.heap_at = (x - apart, y), (x + apart, y)
        self.drawn_at = x, self.tray.bottom - 1.5 * line - self.big * TALL / 2

    def _shown_columns(self) -> tuple[Column | None, ...]:
        """The columns; while the last one scored is looked at, the one dealt in its place is not there yet."""
        columns, last = self.state.columns, self.state.last
        if not self.sight.resting or last is None or not self._is_just_scored or last.column >= len(columns):
            return columns
        return (*columns[:last.column], None, *columns[last.column + 1:])

    def _undealt(self) -> tuple[Card, ...]:
        """The cards of a column that is not there yet."""
        return tuple(card for column in self.state.columns if column not in self.columns and column for card in column.cards)

    def _measure(self) -> None:
        """How large the cards of the columns may be, and where the lines lie."""
        state, rem = self.state, self.sight.layout.rem
        columns = self.columns
        count = max(1, len(columns))
        self.step = min((self.field.width - 8) / count, STEP)
        self.is_low = self.is_wide and self.sight.layout.low and self.step > 2 * WORDS - 20
        sides = [column.extras for column in columns if column is not None]
        if state.last is not None and self._shown_last(state.last.column) is not None:
            sides.append((state.last.sides[0][1:], state.last.sides[1][1:]))  # type: ignore[arg-type]
        self.deepest = [max([1, *(len(extras[seat]) for extras in sides)]) for seat in range(2)]
        rooms = [STRIP * min(most, 3) for most in self.deepest]
        width = self.sight.layout.width
        self.naming_step = NAMED * max(1.0, min(LABEL / 16 * rem, LARGEST_LABEL * width) / LABEL)
        line = min(rem * 1.35, LARGEST_LINE * width)
        self.call_width = max(CALL, min(self.step - 12, WORD * rem, LARGEST_WORD * width))
        room = self.step - (WORDS + 16 if self.is_low else 10)
        if not self.is_wide and self.step < self.naming_step:  # totals are short; so may be the height, as below a guide
            above, high = ((self.field.height - taken) / (3 + sum(rooms)) for taken in (2 * line + CALL + 24, 24))
            beside = self.step - max(WORDS - 4, self.call_width) - 20
            if above < THUMBNAIL and min(high, beside * TALL) > CROWDED * above:
                self.is_low, room = True, beside
        taken = 24 if self.is_low else 2 * line + CALL + 24  # by what stands above and below the cards
        self.height = max(40.0, min((self.field.height - taken) / (3 + sum(rooms)), room * TALL, LARGEST))
        self.width = self.height / TALL
        self.rooms = [room * self.height for room in rooms]
        self.strips = [room / most for room, most in zip(self.rooms, self.deepest, strict=True)]
        used = taken + 3 * self.height + sum(self.rooms)
        y = self.field.y + max(0.0, (self.field.height - used) / 2)
        self.top = y
        self.their_words = y + line / 2
        self.theirs = y + line + self.height / 2
        self.middle = self.theirs + self.height + self.rooms[1 - self.low] + 6
        self.mine = self.middle + self.height + 6
        self.my_words = self.mine + self.height / 2 + self.rooms[self.low] + line / 2 + 4
        self.calls = self.my_words + line / 2 + CALL / 2
        self.height_used = used
        self.call_width = max(self.call_width, self.width)
        self.words_width = self.step
        if self.is_low:
            self._put_words_beside(line)

    def _put_words_beside(self, line: float) -> None:
        """Totals and calls at the right of the cards, each at its own side, so that the cards have the whole height."""
        self.words_width = self.step - self.width - 20
        up = self.top + 6 - self.theirs + self.height / 2
        self.theirs, self.middle, self.mine = self.theirs + up, self.middle + up, self.mine + up
        self.their_words = self.theirs
        self.calls = self.mine + self.height / 2 - CALL / 2
        self.my_words = self.calls - CALL / 2 - line / 2

    def middle_of(self, at: int) -> float:
        """The middle of a column's mat."""
        return self.field.centre[0] + (at - (len(self.columns) - 1) / 2) * self.step

    def x(self, at: int) -> float:
        """Where a column's cards lie."""
        return self.middle_of(at) - ((self.words_width + 4) / 2 if self.is_low else 0)

    def words_x(self, at: int) -> float:
        """… and what is said beside, above or below them."""
        return self.middle_of(at) + (self.width + 4) / 2 if self.is_low else self.x(at)

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth.board.{key}", **params)

    def scene(self) -> Scene:
        """The whole table."""
        state, sight = self.state, self.sight
        side, pile_at, heap_at = self.side, self.pile_at, self.heap_at
        spots = self._spots(pile_at, heap_at, side)
        rests = [resting(won, rect.centre, self.width * 0.5, drawing(None))
                 for won, rect in zip(state.captures, self.seats, strict=True)]
        return Scene(
            pieces=(*self._pile(pile_at, heap_at, side), *self._columns(), *self._drawn()),
            spots=spots,
            plates=plates(sight, self.seats, scores=[str(taken) for taken in state.column_counts],
                          notes=[self.say("captured", n=n) for n in state.capture_counts],
                          won=self._won_round()),
            zones=(Zone("tray", self.tray, "tray"), *self._mats(),
                   Zone("pile-place", _about(pile_at, side), "slot", self.say("pile", n=len(state.pile))),
                   Zone("heap-place", _about(heap_at, side), "slot", self.say("discards", n=len(state.discards)))),
            labels=(*self._counts(pile_at, heap_at, side), *self._totals(), *self._marks()),
            controls=self._controls(),
            resting=(resting((*state.pile[PILE_SHOWN:], *self._undealt()), pile_at, side, drawing(None)),
                     resting(state.discards[:-1], heap_at, side, drawing(None)), *rests),
            ask=self._ask(),
            note=self._note(),
            focus=self._focus(spots),
            hand=self.tray,
        )

    # ---- pieces ----

    def _named(self, card: Card) -> str:
        return self.sight.words.card(card, self.sight.view.faces)

    def _piece(self, card: Card, x: float, y: float, width: float, label: str = "", *, z: int = 0, tap: bool = False,
               drag: bool = False, row: str = "") -> Piece:
        flags = ("new",) if card in self.sight.fresh else ()
        return Piece(card_key(card), self._drawing(self.sight.face(card)), x, y, width, label, z=z, flags=flags, tap=tap,
                     drag=drag, row=row)

    def _drawing(self, face: Face | None) -> Drawing:
        return drawing(face, self.sight.words.catalogue.language)

    def _pile(self, pile_at: Point, heap_at: Point, width: float) -> list[Piece]:
        shown = self.state.pile[:PILE_SHOWN]
        pieces = [self._piece(card, lie.x, lie.y, width, z=lie.z)
                  for card, lie in zip(reversed(shown), heap(len(shown), pile_at), strict=True)]
        if self.state.discards:
            card = self.state.discards[-1]
            pieces.append(self._piece(card, *heap_at, width, self.say("discarded", card=self._named(card)),
                                      row="pile"))
        return pieces

    def _columns(self) -> list[Piece]:
        pieces: list[Piece] = []
        for at, column in enumerate(self.columns):
            if column is not None:
                pieces += self._column(at, column)
            elif (last := self._shown_last(at)) is not None:
                pieces += self._revealed(last)
        return pieces

    def _column(self, at: int, column: Column) -> list[Piece]:
        x, pieces = self.x(at), []
        for seat, top in ((1 - self.low, self.theirs), (self.low, self.mine)):
            own = column.owns[seat]
            mine = seat == self.sight.seat
            key = "peek" if mine else "closed"
            label = self.say(key, card=self._named(own), name=self.sight.words.seat(seat), column=at + 1)
            pieces.append(self._piece(own, x, top, self.width, label, z=1))
            pieces += [self._piece(card, x, top + self.strips[seat] * n, self.width,
                                   self.say("extra", card=self._named(card), seat=seat, column=at + 1), z=1 + n)
                       for n, card in enumerate(column.extras[seat], 1)]
        label = self.say("middle", card=self._named(column.middle), column=at + 1)
        tap = self.draft is not None and self.draft.turn
        pieces.append(self._piece(column.middle, x, self.middle, self.width, label, tap=tap))
        return pieces

    def _shown_last(self, at: int) -> ColumnScore | None:
        """What was scored last, while its place is still free."""
        last = self.state.last
        free = last is not None and last.column == at < len(self.columns) and self.columns[at] is None
        return last if free and last is not None and last.round == self.state.round else None

    def _revealed(self, last: ColumnScore) -> list[Piece]:
        """The column that was scored last, turned up as it lay."""
        x, pieces = self.x(last.column), []
        for seat, top in ((1 - self.low, self.theirs), (self.low, self.mine)):
            for n, face in enumerate(last.sides[seat]):
                pieces.append(Piece(f"last-{seat}-{n}", self._drawing(face), x, top + self.strips[seat] * n, self.width,
                                    self.say("was", card=self.sight.words.face(face), column=last.column + 1), z=1 + n,
                                    flags=("marked",) if seat == last.winner else ()))
        pieces.append(Piece("last-middle", self._drawing(last.middle), x, self.middle, self.width,
                            self.say("was", card=self.sight.words.face(last.middle), column=last.column + 1)))
        return pieces

    def _drawn(self) -> list[Piece]:
        card = self.state.drawn_card
        if card is None:
            return []
        can = self.draft is not None and self.draft.placing
        label = self.say("drawn" if self.sight.face(card) else "drawn_closed", card=self._named(card))
        return [self._piece(card, *self.drawn_at, self.big, label, z=30, tap=can, drag=can, row="hand")]

    # ---- places ----

    def _mat_width(self) -> float:
        """Px of a column's mat: its cards, the place to call it and what it comes to lie in it."""
        if self.is_low:
            return self.step - 6
        named = len(self.say("less_named", total=figure(10))) * DIGIT * self.sight.layout.rem + AROUND_WORDS
        words = min(self.step - BETWEEN, named) if self.step >= self.naming_step else 0.0
        return min(self.step - 4, max(self.width + 28, self.call_width + 8, words))

    def _mats(self) -> list[Zone]:
        width = self._mat_width()
        calling = self.draft.calling if self.draft else None
        return [Zone(f"column{at}", Rect(self.middle_of(at) - width / 2, self.top, width, self.height_used), "mat",
                     self._column_name(at), flags=("marked", "legal") if at == calling else ())
                for at in range(len(self.columns))]

    def _column_name(self, at: int) -> str:
        """A column in words: with what the reader has in it, where no label tells."""
        column = self.columns[at]
        total = "" if column is None or self._says_something(at, column) else self._own_total(column, form="_spoken")
        if not total:
            return self.say("column", column=at + 1)
        return self.say("total", name=self.sight.words.seat(self.low), column=at + 1, total=total, limit=self.rules.values.limit)

    def _says_something(self, at: int, column: Column) -> bool:
        """Whether totals stand at ``column``: it is called, or a card was placed in it. Before that everybody sees the two cards
        that make one's own, and while a card is placed its places tell what it would come to."""
        draft = self.draft
        if self.sight.face(column.owns[1 - self.low]) is not None:
            return True
        if draft is not None and draft.placing:
            return False
        replaced = any(act.verb == "replace" and act.card == column.middle for act in self.state.acts)
        return replaced or any(column.extras) or (draft is not None and draft.calling == at)

    def _spots(self, pile_at: Point, heap_at: Point, side: float) -> tuple[Spot, ...]:
        draft = self.draft
        if draft is None:
            return ()
        spots: list[Spot] = []
        places = [at for at, column in enumerate(self.columns) if column is not None]
        if draft.turn:
            if self.state.pile:
                spots.append(Spot(PILE, *pile_at, side, side * TALL, self.say("do.draw"), flags=("pile", *self._hinted("draw"))))
            wide = self.words_width - 6 if self.is_low else self.call_width
            spots += [Spot(f"call{at}", self.words_x(at), self.calls, wide, CALL - 4,
                           self.say("call", column=at + 1), text=self.say("call_short"), flags=self._hinted("call", at))
                      for at in places]
        elif draft.placing:
            drawn = self.state.drawn_card
            assert drawn is not None
            card = self._named(drawn)
            spots.append(Spot("discard", *heap_at, side, side * TALL, self.say("discard", card=card),
                              flags=("pile", *self._hinted("discard"))))
            for at, column in enumerate(self.columns):
                if column is not None:
                    spots += self._places(at, column, drawn)
        return tuple(spots)

    def _places(self, at: int, column: Column, drawn: Card) -> list[Spot]:
        """The middle and the own side of ``column``, each with what the reader would have with ``drawn`` there."""
        above, below = column.extras
        doubled = (above, (*below, drawn)) if self.low else ((*above, drawn), below)
        card, room = self._named(drawn), self.rooms[self.low]
        found = []
        for verb, y, height, after in (("replace", self.middle, self.height, column._replace(middle=drawn)),
                                       ("double", self.mine + room / 2, self.height + room, column._replace(extras=doubled))):
            total = self._own_total(after, form="_place")
            spoken = self._own_total(after, form="_spoken")
            label = self.say(f"{verb}_total" if total else verb, card=card, column=at + 1, total=spoken)
            found.append(Spot(f"{verb}{at}", self.x(at), y, self.width + RIM, height + RIM, label,
                              flags=("over", *self._hinted(verb, at)), points=total))
        return found

    def _hinted(self, *move: object) -> tuple[str, ...]:
        return ("marked",) if self.draft is not None and self.draft.hint == move else ()

    def _focus(self, spots: tuple[Spot, ...]) -> Key:
        marked = [spot.key for spot in spots if "marked" in spot.flags]
        return marked[0] if marked else spots[1].key if len(spots) > 1 and spots[0].key == "discard" else \
            spots[0].key if spots else ""

    # ---- words ----

    def _counts(self, pile_at: Point, heap_at: Point, side: float) -> list[Label]:
        low = side * TALL / 2 - 4
        return [Label("pile-count", pile_at[0], pile_at[1] + low, str(len(self.state.pile)), "count"),
                Label("heap-count", heap_at[0], heap_at[1] + low, str(len(self.state.discards)), "count")]

    def _marks(self) -> list[Label]:
        """The limit, and what only this reader sees: at the foot of the tray, where no drawn card lies, and under the row."""
        x, y = self.tray.centre[0], self.tray.bottom - self.sight.layout.rem * 0.8
        if self.state.drawn_card is not None and self.sight.seat == self.state.turn:
            return [Label("peek", x, y, self.say("only_you"))]
        limit = Label("limit", x, y, self.say("limit", n=self.rules.values.limit), "title")
        is_told = any(column is None or self._says_something(at, column) for at, column in enumerate(self.columns))
        if is_told or self.is_low or self.sight.seat is None or not any(self.columns):
            return [limit]
        return [limit, Label("peek", self.field.centre[0], self.my_words, self.say("only_you_row"))]

    def _totals(self) -> list[Label]:
        labels: list[Label] = []
        unknown = self._unknown()
        for at, column in enumerate(self.columns):
            last = self._shown_last(at)
            if column is not None and not self._says_something(at, column):
                continue
            if column is not None:
                texts, spoken_texts = self._estimate(column, unknown)
            elif last is not None:
                texts = spoken_texts = figure(last.totals[1 - self.low]), figure(last.totals[self.low])
            else:
                continue
            for side, (who, seat, y) in enumerate((("theirs", 1 - self.low, self.their_words),
                                                   ("mine", self.low, self.my_words))):
                if text := texts[side]:
                    spoken = self.say("total", name=self.sight.words.seat(seat), column=at + 1, total=spoken_texts[side],
                                      limit=self.rules.values.limit)
                    if who == "theirs":
                        named = self.say("theirs", name=self.sight.words.seat(seat), total=text)
                        text = named if len(named) * LETTER * self.sight.layout.rem < self.words_width else text
                    labels.append(Label(f"{who}{at}", self.words_x(at), y, text, self._look(who, text), speech=spoken))
        return labels

    def _look(self, who: str, text: str) -> str:
        """One's own total is read from afar, where its column has room for that."""
        room = self.words_width if self.is_low else self._mat_width() - AROUND_WORDS
        return "total" if who == "mine" and len(text) * DIGIT * self.sight.layout.rem <= room else "title"

    def _unknown(self) -> list[tuple[int, int]]:
        """What a card that this reader does not know may count: its value (aces as 1), and whether it is an ace."""
        faces, values = self.sight.view.faces, self.rules.values
        live = [card for cards in self.rules.zones(self.state).values() for card in cards]
        rest = Counter(DECK) - Counter(faces[card] for card in live if card in faces)
        return sorted({values.sum([face]) for face in rest})

    def _estimate(self, column: Column, unknown: list[tuple[int, int]]) -> tuple[tuple[str, str], tuple[str, str]]:
        """The other's total from least to most, and one's own as far as the other's closed card leaves it open (TE-1): as they
        stand there, and as they are said."""
        values, text = self.rules.values, self._own_total(column)
        if not text:
            return ("", ""), ("", "")
        mine, theirs, middle, is_known = self._sums(column)
        ends = [values.best(theirs[0] + value + middle[0] - mine[0], theirs[1] + ace + middle[1], mine[1]).total
                for value, ace in ([(0, 0)] if is_known else unknown)]
        if is_known and self.words_width >= 120:
            text = self.say("of_limit", total=text, n=values.limit)
        low, high = min(ends), max(ends)
        if low == high:
            return (figure(low), text), (figure(low), self._own_total(column, form="_spoken"))
        shown, spoken = (self.say(key, low=figure(low), high=figure(high)) for key in ("range", "range_spoken"))
        return (shown, text), (spoken, self._own_total(column, form="_spoken"))

    def _own_total(self, column: Column, *, form: str = "") -> str:
        """What the reader has in ``column``, as far as the other's closed card leaves it open; "" for who may not know it.
        ``form``: "_place", where the note tells of that card, or "_spoken"."""
        if self.sight.seat is None or None in map(self.sight.face, (column.owns[self.low], column.middle)):
            return ""
        mine, theirs, middle, is_known = self._sums(column)
        base, aces = mine[0] + middle[0] - theirs[0], mine[1] + middle[1]
        if is_known:
            return figure(self.rules.values.best(base, aces, theirs[1]).total)
        least, most = base - ACE_STEP * theirs[1], base + ACE_STEP * aces  # the closed card settles which way the aces count
        if form == "_place":
            return figure(least) if least == most else f"{figure(least)}/{figure(most)}"
        is_narrow = self.words_width < self.naming_step
        key = "less" if least == most else "less_short" if is_narrow else "less_either"
        if least == most and not is_narrow:
            key = "less_named"
        if form == "_spoken":
            key = "less_spoken" if least == most else "less_either_spoken"
        return self.say(key, total=figure(least), most=figure(most))

    def _sums(self, column: Column) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int], bool]:
        """What lies on the reader's side, on the other's and in the middle: values with aces as 1, and how many aces; and whether
        the other's own card is among it, because the reader knows it."""
        face, values = self.sight.face, self.rules.values
        sides = [values.sum([known for card in (column.owns[seat], *column.extras[seat]) if (known := face(card))])
                 for seat in (self.low, 1 - self.low)]
        middle = face(column.middle)
        return sides[0], sides[1], values.sum([middle] if middle else []), face(column.owns[1 - self.low]) is not None

    def _ask(self) -> str:
        draft = self.draft
        if draft is None or draft.counted:
            return ""
        if draft.placing:
            return self.say("ask.place")
        return self.say("ask.turn" if self.state.pile else "ask.call")

    def _note(self) -> str:
        state, draft = self.state, self.draft
        if draft is not None and draft.calling is not None:
            return self.say("note.calling", name=self._other_name())
        if draft is not None and draft.placing:
            return self.say("note.placing", name=self._other_name())
        last = state.last
        if last is None or not self._is_just_scored:
            if draft is None or not draft.turn:
                return ""
            hides = any(column is not None and self._says_something(at, column) and self._own_total(column).endswith("?")
                        for at, column in enumerate(self.columns))
            return self.say("note.begin_hidden", name=self._other_name()) if hides else self.say("note.begin")
        return self.sight.say(last.sentence, seat=last.winner, **last.facts)

    def _other_name(self) -> str:
        return self.sight.words.seat(1 - self.low)

    @property
    def _is_just_scored(self) -> bool:
        """Whether nothing was done since the last column was called."""
        state = self.state
        return bool(state.acts) and state.acts[-1].verb == "call" and state.drawn_card is None

    def _won_round(self) -> tuple[int, ...] | None:
        """Who took more columns in the round that is over, None while one is played."""
        if self.state.phase != COUNTED:
            return None
        taken = self.state.sheet[-1]
        return tuple(seat for seat in (0, 1) if taken[seat] > taken[1 - seat])

    def _controls(self) -> tuple[Control, ...]:
        draft, state, sight = self.draft, self.state, self.sight
        if draft is None:
            if sight.seat is not None or state.phase != COUNTED:
                return ()
            return tuple(Control(f"ready{seat}", self.say("do.ready_for", name=sight.words.seat(seat)), seat=seat,
                                 move=("ready",)) for seat in sight.acting if seat in sight.people)
        if draft.counted:
            return (Control("ready", self.say("do.ready"), primary=True, shortcut="c"),)
        if draft.placing:
            return (Control("discard", self.say("do.discard"), primary=draft.hint == ("discard",), shortcut="d"),
                    *self._hinted_place(draft.hint))
        if draft.calling is not None:
            return (Control("keep", self.say("do.keep")),
                    Control("call", self.say("do.call", column=draft.calling + 1), primary=True, shortcut="c"))
        return (Control("draw", self.say("do.draw"), primary=True, shortcut="c"),) if state.pile else ()

    def _hinted_place(self, hint: Move | None) -> tuple[Control, ...]:
        """The place that a hint laid out, as a button."""
        if hint is None or hint[0] not in ("replace", "double"):
            return ()
        verb, at = hint
        return (Control(f"{verb}{at}", self.say(f"do.{verb}", column=at + 1), primary=True, shortcut="c"),)


def _about(at: Point, width: float) -> Rect:
    """The place of a card about ``at``."""
    return Rect(at[0] - width / 2, at[1] - width * TALL / 2, width, width * TALL).grow(3)
