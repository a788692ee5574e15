"""The table of Teeth: columns between two seats, the pile, the discards, and the drawn card beside them.

A pure function of what a seat sees and of its draft. Faces come from the reader's own knowledge and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from tabletin.board.board import Board, Draft, Reason
from tabletin.board.layout import PLATE_HEIGHT, count_point, heap, plates, resting, seat_rects
from tabletin.board.scene import (
    CLOSED_CARD,
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
    card_key,
)
from tabletin.games.teeth import art
from tabletin.games.teeth.board_call import call_note
from tabletin.games.teeth.board_column_labels import LETTER, SIZES, SMALL_LINE, ColumnLabels, LabelRoom, Side
from tabletin.games.teeth.board_fans import CORNER, FEW, STRIP, Fan, card_size, fan
from tabletin.games.teeth.board_place import place_note
from tabletin.games.teeth.board_sums import Sum, Sums
from tabletin.games.teeth.columns import ACE_LOW, ACE_STEP, JOKER
from tabletin.games.teeth.draft import PILE, TeethDraft
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import COUNTED, Act, Column, ColumnScore, TeethState
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.schema import Move
from tabletin.words import SOURCE, figure

TALL: Final = art.VIEWBOX[1] / art.VIEWBOX[0]
PILE_SHOWN: Final = 3
CALL: Final = 44.0  # px, high enough for a finger
WORD: Final = 5.8  # rem that the word in it may take …
LARGEST_WORD: Final = 0.25  # … and of the width; …
LEAST_WORD: Final = 4.4  # … rem that it needs beside large cards
NEEDS: Final = 4.0  # px more between one's own cards and their total, for a line below that
BESIDE: Final = 12.0  # rem of width at least for what stands beside the table on a wide stage …
WIDEST_BESIDE: Final = 18.0  # … and at most, where columns leave it that
COLUMN_BESIDE: Final = 15.5  # rem of a column's width, beyond which that gets what is left
MOST_BESIDE: Final = 0.38  # … and of the width, at most
PLATE_SHARE: Final = 0.17  # of the height that each of the two seats there takes at most
WIDE: Final = 1.15  # width to height from which a stage is wide
THUMBNAIL: Final = 64.0  # px of a card's height below which more is looked for
CROWDED: Final = 1.4  # times that cards must be larger with words beside them, so that those stand there …
LARGER: Final = 1.2  # … where they are no thumbnails without that
STEP: Final = 190.0  # px from one column to the next at most …
WIDE_STEP: Final = 320.0  # … with words beside the cards …
TABLET: Final = 44.0  # rem of width from which an upright stage is a tablet's, …
ROOMY_STEP: Final = 14.5  # … and rem from one column to the next from which words stand beside its cards there, too
WIDE_WORDS: Final = 9.5  # … and rem that these have there: more would set the columns apart from each other and the drawn card
LARGEST_LINE: Final = 0.09  # of the width that a line of text takes at most
LARGEST: Final = 240.0  # px of a card's height at most, …
LEAST_HEIGHT: Final = 40.0  # … and at least, of those that lie alone
RULE_LINE: Final = 1.25  # rem: as high as a line of the rule in the tray is …
KNOWN_RULE_LINE: Final = 1.05  # … after the first round on a phone, and smaller words in it
RULE_EDGE: Final = 14.0  # px above and below it
RECKONED_LINE: Final = 1.6  # rem: as high as a line that tells how a column was counted is
RECKONED: Final = (("plain", 0.5),)  # its look, and rem that a character takes; …
RECKONED_WINNER: Final = (("head", 0.6), ("title", 0.5))  # … the winner's, as large as it fits
WORDS: Final = 74.0  # px at least for what stands beside the cards of a column …
UNKNOWN: Final = "?"  # stands on the other's closed card, as on its small back in sums
MOST_WORDS: Final = 0.44  # … and of a column's width, where there is room
BELOW_MIDDLE: Final = 36.0  # px that are left free below the middle cards for what one there would bring: two lines
ABOVE_TOTAL: Final = 4.0  # px more over the total below all that, so that it does not touch the outline of a place
SUM_LETTER: Final = 0.5  # rem: about as wide as a character of what a place would bring is, …
LEAST_SUM_LETTER: Final = 0.41  # … and where it is written smaller, as web/styles/table/places.css does in little room
THREE_LINES: Final = 6.5  # rem of a place's height from which three of them are no smaller
PILE_LETTER: Final = 0.45  # rem: about as wide as a character of what several cards add up to is, …
PILE_EDGES: Final = 1.5  # … such characters that its edges take, …
PILE_FOOT: Final = 0.7  # … and as far its middle is above the foot of the last of them
RIM: Final = 6.0  # px by which the outline of a place is larger than the card in it
AROUND_WORDS: Final = 8.0  # px of a column's mat that its total leaves free
BETWEEN: Final = 8.0  # px between two columns
INSET: Final = 4.0  # px from a mat's edge to what lies in it, where words stand beside the cards …
WIDE_INSET: Final = 10.0  # … and the stage is large
TRAY: Final = 0.2  # of the height that the tray at the foot takes
COUNT_STEP: Final = 0.5  # seconds after which the next thing is told of a column that is counted, …
MOST_COUNT: Final = 1.8  # … for all of it at most, …
SEEN: Final = 0.4  # … and until what was won may fly


@cache
def drawing(face: Face | None, language: str = SOURCE, worth: str = "") -> Drawing:
    """The drawing of ``face`` with its letters in ``language`` and what it is ``worth`` in a corner, or of the back."""
    front = "" if face is None else art.front(face, language) + (art.worth(worth) if worth else "")
    return Drawing(front or art.back(), *art.VIEWBOX, shows=face)


def board(game: str) -> Board:
    """The board of Teeth; ``game`` is its only one."""
    return TeethBoard()


class TeethBoard(Board):
    """Draws Teeth."""

    results = counts = frozenset(f"teeth.log.{how}" for how in ("higher", "equal", "one_bust", "both_bust"))

    def draft(self, sight: Sight) -> TeethDraft:
        return TeethDraft(sight)

    def reason(self, sight: Sight, draft: Draft) -> Reason | None:
        """The drawn card is looked at first, then its place, then what the reader has with it there; of a call the column, then
        for which closed cards of the other it is won; before a card is drawn, whether there is one to be called."""
        assert isinstance(draft, TeethDraft)
        rules, move, state = sight.view.rules, draft.hint, draft.state
        assert isinstance(rules, Teeth)
        if sight.seat is None or move is None:
            return None
        if state.drawn_card is not None:
            if move[0] not in ("replace", "double"):
                return Reason("", turn=(state.drawn_card,), nudge=sight.say("teeth.board.note.nowhere"))
            lies = state.columns[move[1]]
            assert lies is not None
            own = Sums(sight, rules, sight.seat, sight.face).own(lies)
            nudge = sight.say("teeth.board.note.over" if own.needs else "teeth.board.note.look", column=move[1] + 1,
                              total=own.short.replace(CLOSED_CARD, UNKNOWN))
            return Reason("", turn=(state.drawn_card,), nudge=nudge, last=place_note(sight, rules, sight.seat, move))
        if move[0] == "draw":
            places = tuple(f"column{at}" for at, column in enumerate(state.columns) if column is not None)
            return Reason("", nudge=sight.say("teeth.board.note.which"), places=places)
        column = state.columns[move[1]] if move[0] == "call" else None
        return None if column is None else Reason(call_note(sight, rules, sight.seat, column))

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
        self.low = sight.seat if sight.seat is not None else sight.people[0] if sight.people else 0
        self.call = self._call_shown()
        self.closed_card = self._still_closed()
        self.columns = self._shown_columns()
        self.scored_by_place = self._scored_columns()
        self.sums = Sums(sight, rules, self.low, self.face)
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
        self.tray, self.field = rest.foot(max(96.0, min(170.0, layout.height * TRAY)))
        self.big = (self.tray.height - layout.rem * 1.6 - 8) / TALL
        self.side = self.big * 0.8
        x, y = self.tray.centre
        apart = min(self.tray.width / 2 - 14 - self.side / 2, 260.0)
        self.pile_at, self.heap_at = (x - apart, y), (x + apart, y)
        self.drawn_at = x, self.tray.y + 6 + self.big * TALL / 2

    def _widest_step(self) -> float:
        """Px from one column to the next at most, on a wide stage: as cards have the whole height, with words beside them."""
        layout = self.sight.layout
        return min(WIDE_STEP, layout.height / (3 + 2 * STRIP) / TALL + WIDE_WORDS * layout.rem)

    def _is_tablet(self) -> bool:
        """Whether an upright stage is so wide that words may stand beside the cards."""
        layout = self.sight.layout
        return layout.width >= TABLET * layout.rem

    def _place_beside(self, layout: Layout) -> None:
        """A wide stage: all of that in a column of its own, so that the table has the whole height. It stands where the cards
        of the columns lie, and not their words, so that the drawn card is near its places; low, beside one's own cards and over
        the buttons."""
        left = layout.width - len(self.columns) * COLUMN_BESIDE * layout.rem
        beside = min(max(BESIDE * layout.rem, min(WIDEST_BESIDE * layout.rem, left)), MOST_BESIDE * layout.width)
        spare = max(0.0, layout.width - beside - len(self.columns) * self._widest_step()) / 2
        column, self.field = layout.rect._replace(x=spare, width=layout.width - 2 * spare).left(beside)
        line = layout.rem
        height = min(PLATE_HEIGHT * layout.rem, PLATE_SHARE * layout.height)
        self.seats = [Rect(column.x + 4, column.y + 4 + seat * (height + 4), column.width - 8, height) for seat in range(2)]
        _, self.tray = column.top(2 * (height + 4) + 6)
        room = self.tray.height - 2.6 * line
        self.side = min((self.tray.width - 30) / 2, room * 0.4 / TALL)
        self.big = min(self.tray.width * 0.7, room * 0.56 / TALL)
        apart, y = (self.side + 14) / 2, self.tray.y + 6 + self.side * TALL / 2
        x = self.tray.centre[0]
        self.pile_at, self.heap_at = (x - apart, y), (x + apart, y)
        top = self.pile_at[1] + self.side * TALL / 2 + RULE_EDGE
        self.drawn_at = x, (self.tray.bottom - 1.8 * line - self.big * TALL / 2 if self.state.turn == self.low else
                            top + self.big * TALL / 2)  # the other's lies nearer to its side

    def _call_shown(self) -> Act | None:
        """The call whose column is being turned up and counted, so that its cards lie there still; None where none is."""
        return self.state.acts[-1] if self.sight.landing and self._is_just_scored else None

    def _still_closed(self) -> Card | None:
        """The card across from the caller's, which is turned up after that one; one's own lies open before oneself."""
        call = self.call
        column = call.columns[call.column] if call is not None and self.sight.laying else None
        if call is None or column is None or self.sight.seat == 1 - call.seat:
            return None
        return column.owns[1 - call.seat]

    def face(self, card: Card) -> Face | None:
        """What ``card`` shows to the reader now."""
        return None if card == self.closed_card else self.sight.face(card)

    def _shown_columns(self) -> tuple[Column | None, ...]:
        """The columns; the one that is called until it was counted, and while the last one scored is looked at, the one dealt in
        its place is not there yet."""
        columns, last, call = self.state.columns, self.state.last, self.call
        if call is not None:
            return (*columns[:call.column], call.columns[call.column], *columns[call.column + 1:])
        if not self.sight.resting or last is None or not self._is_just_scored or last.column >= len(columns):
            return columns
        return (*columns[:last.column], None, *columns[last.column + 1:])

    def _undealt(self) -> tuple[Card, ...]:
        """The cards of a column that is not there yet."""
        return tuple(card for column in self.state.columns if column not in self.columns and column for card in column.cards)

    def _scored_columns(self) -> dict[int, ColumnScore]:
        """The columns of this round that were scored, by place: those whose place is free since, and the one that is counted."""
        state, public, found = self.state, self.state.public, dict[int, ColumnScore]()
        for act in state.acts:
            column = act.columns[act.column] if act.verb == "call" else None
            is_counted = act is self.call and not self.sight.laying
            if column is not None and (is_counted or self.columns[act.column] is None):
                found[act.column] = self.rules.column_score(public, state.round, act.column, act.seat, column)
        return found

    def _measure(self) -> None:
        """How large the cards of the columns may be, and where the lines lie."""
        rem = self.sight.layout.rem
        columns = self.columns
        count = max(1, len(columns))
        self.step = min((self.field.width - 8) / count, self._widest_step() if self.is_wide or self._is_tablet() else STEP)
        self.is_beside = self.step > 2 * WORDS - 20 if self.is_wide else self.step > ROOMY_STEP * rem
        if not self.is_beside:
            self.step = min(self.step, STEP)
        sides = [column.extras for column in columns if column is not None]
        sides += [(score.sides[0][1:], score.sides[1][1:]) for score in self.scored_by_place.values()]  # type: ignore[misc]
        deepest = [max([1, *(len(extras[seat]) for extras in sides)]) for seat in range(2)]
        rooms = [STRIP * min(most, FEW) for most in deepest]
        width = self.sight.layout.width
        line = min(rem * 1.35, LARGEST_LINE * width)
        self.call_width = max(CALL, min(self.step - 12, WORD * rem, LARGEST_WORD * width))
        room = self.step - (max(WORDS + 16, min(MOST_WORDS * self.step, 8 * rem)) if self.is_beside else 10)
        if not (self.is_wide or self.is_beside):  # there may be little height, as below a guide
            above, high = ((self.field.height - taken) / (3 + sum(rooms)) for taken in (2 * line + CALL + NEEDS + 24, 24))
            beside = self.step - max(WORDS - 4, min(self.call_width, LEAST_WORD * rem)) - 20
            if min(high, beside * TALL) > (LARGER if self.sight.layout.narrow and above >= THUMBNAIL else CROWDED) * above:
                self.is_beside, room = True, beside
        self.is_roomy = (self.is_wide or self.is_beside) and not self.sight.layout.low
        self.inset = WIDE_INSET if self.is_roomy else INSET
        taken = 12 + 2 * self.inset if self.is_beside else 2 * line + CALL + NEEDS + 24  # by what is above and below the cards
        size = card_size(deepest, max(LEAST_HEIGHT * (3 + sum(rooms)), self.field.height - taken), room, LARGEST, TALL)
        self.height, self.rooms = size.height, size.rooms
        self.width = self.height / TALL
        self.fans_width = room if size.fans > 1 and not self.is_beside else self.width * (1 + CORNER * (size.fans - 1))
        used = taken + 3 * self.height + sum(self.rooms)
        y = self.field.y + max(0.0, (self.field.height - used) / 2)
        self.top = y
        self.their_words = y + line / 2
        self.theirs = y + line + self.height / 2
        self.middle = self.theirs + self.height + self.rooms[1 - self.low] + 6
        self.mine = self.middle + self.height + 6
        self.my_words = self.mine + self.height / 2 + self.rooms[self.low] + line / 2 + NEEDS + 4
        self.calls = self.my_words + line / 2 + CALL / 2
        self.height_used = used
        self.call_width = max(self.call_width, self.width)
        self.words_width = self._mat_width() - AROUND_WORDS
        if self.is_beside:
            self._put_words_beside(line)
        places = range(len(columns))
        words_room = LabelRoom(
            xs=tuple(map(self.words_x, places)), width=self.words_width, theirs=self.their_words,
            mine=tuple(self.my_words + CALL * self._makes_room(at) for at in places), calls=self.calls,
            top=self.top, middle=self.middle, bottom=self.top + self.height_used, is_beside=self.is_beside,
            is_large=self.is_beside and (self.is_wide or self.is_roomy))
        self.words = ColumnLabels(self.sight, self.low, self.rules.values.limit, words_room,
                                  is_placing=self.draft is not None and self.draft.placing)

    def _put_words_beside(self, line: float) -> None:
        """Totals and calls at the right of the cards, each at its own side, so that the cards have the whole height."""
        self.words_width = self.step - self.fans_width - 8 - 3 * self.inset
        up = self.top + self.inset - self.theirs + self.height / 2
        self.theirs, self.middle, self.mine = self.theirs + up, self.middle + up, self.mine + up
        self.their_words = self.theirs
        self.calls = self.mine + self.height / 2 - CALL / 2
        self.my_words = self.calls - CALL / 2 - line / 2 - (self.inset - INSET)

    def _makes_room(self, at: int) -> bool:
        """Whether there is room below cards of a column for what a drawn card would bring there: that of the place to call it,
        as none can be called then."""
        return self.draft is not None and self.draft.placing and not self.is_beside and self.columns[at] is not None

    def below_middle(self, at: int) -> float:
        """Px of it that are left free below the middle card."""
        return BELOW_MIDDLE if self._makes_room(at) else 0.0

    def below_mine(self, at: int) -> float:
        """… and below one's own."""
        return CALL - BELOW_MIDDLE - ABOVE_TOTAL if self._makes_room(at) else 0.0

    def middle_of(self, at: int) -> float:
        """The middle of a column's mat."""
        return self.field.centre[0] + (at - (len(self.columns) - 1) / 2) * self.step

    def x(self, at: int) -> float:
        """Where a column's cards lie, or the first of them."""
        beside = (self.words_width + self.inset + self.fans_width - self.width) / 2
        return self.middle_of(at) - (beside if self.is_beside else 0)

    def words_x(self, at: int) -> float:
        """… and what is said beside, above or below them."""
        return self.middle_of(at) + (self.fans_width + self.inset) / 2 if self.is_beside else self.x(at)

    def fan(self, seat: int, count: int) -> Fan:
        """How ``count`` cards that ``seat`` added lie with its own one, first."""
        return fan(count, self.width, self.height, self.rooms[seat], self.fans_width)

    def fan_x(self, at: int, own: Fan) -> float:
        """Where the first card of a side lies: its fans are in the middle of the mat, or at the left beside words."""
        return self.x(at) - (0 if self.is_beside else (own.wide - self.width) / 2)

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth.board.{key}", **params)

    def scene(self) -> Scene:
        """The whole table."""
        state, sight = self.state, self.sight
        side, pile_at, heap_at = self.side, self.pile_at, self.heap_at
        spots = self._spots(pile_at, heap_at, side)
        totals = self.words.totals(self._sums(), self.scored_by_place)
        labels = (*self._counts(pile_at, heap_at, side), *self._numbers(), *self._unknown(), *self._pile_sums(), *totals,
                  *self._brought_beside(), *self.words.winners(self.scored_by_place, {label.key: label for label in totals}),
                  *self._marks())
        counted = self._counted_labels(labels)
        lying = {card for column in self.columns if column is not None for card in column.cards}
        rests = [resting([card for card in won if card not in lying], count_point(rect), self.width * 0.5, drawing(None))
                 for won, rect in zip(state.captures, self.seats, strict=True)]
        return Scene(
            pieces=(*self._pile(pile_at, heap_at, side), *self._columns(), *self._drawn()),
            spots=spots,
            plates=plates(sight, self.seats, scores=[str(taken) for taken in state.column_counts],
                          notes=[self.say("columns", n=n) for n in self._columns_won()],
                          won=self._won_round()),
            zones=(Zone("tray", self.tray, "tray"), *self._mats(), *self._rule_zone(),
                   Zone("pile-place", _about(pile_at, side), "slot", self.say("pile", n=len(state.pile))),
                   Zone("heap-place", _about(heap_at, side), "slot", self.say("discards", n=len(state.discards)))),
            labels=tuple(counted.get(label.key, label) for label in labels),
            controls=self._controls(),
            resting=(resting((*state.pile[PILE_SHOWN:], *self._undealt()), pile_at, side, drawing(None)),
                     resting(state.discards[:-1], heap_at, side, drawing(None)), *rests),
            ask=self._ask(),
            status=self._status(),
            won_at=self._won_at(),
            count_seconds=max((label.delay for label in counted.values()), default=-SEEN) + SEEN,
            note=self._note(),
            focus=self._focus(spots),
            hand=self.tray,
        )

    # ---- pieces ----

    def _named(self, card: Card) -> str:
        return self.sight.words.card(card, Faces() if card == self.closed_card else self.sight.view.faces)

    def _piece(self, card: Card, x: float, y: float, width: float, label: str = "", *, z: int = 0, tap: bool = False,
               drag: bool = False, row: str = "") -> Piece:
        last = self.state.acts[-1] if self.state.acts else None
        is_new = card in self.sight.fresh or (last is not None and last.seat != self.low and card == last.card)
        flags = ("new",) if is_new else ()  # also once the next card is drawn: what it is laid for
        return Piece(card_key(card), self._drawing(self.face(card)), x, y, width, label, z=z, flags=flags, tap=tap,
                     drag=drag, row=row)

    def _drawing(self, face: Face | None) -> Drawing:
        return drawing(face, self.sight.words.catalogue.language, self._worth(face))

    def _worth(self, face: Face | None) -> str:
        """What a card counts, where that does not stand on it as its rank."""
        if face is None or face[:-1].isdigit():
            return ""
        values = self.rules.values
        value = figure(values.values[face])
        return self.say("either", total=value, most=figure(values.values[face] + ACE_STEP)) if face in values.aces else value

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
            elif at in self.scored_by_place:  # its cards went to the winner
                pieces += self._revealed(self.scored_by_place[at])
        return pieces

    def _column(self, at: int, column: Column) -> list[Piece]:
        x, pieces = self.x(at), []
        is_placing = self.draft is not None and self.draft.placing
        for seat, top in ((1 - self.low, self.theirs), (self.low, self.mine + self.below_middle(at))):
            own = column.owns[seat]
            mine = seat == self.sight.seat
            key = "peek" if mine else "closed"
            label = self.say(key, card=self._named(own), name=self.sight.words.seat(seat), column=at + 1)
            extras = column.extras[seat]
            lies = self.fan(seat, len(extras))
            left = self.fan_x(at, lies)
            tap = is_placing and seat != self.low  # it says whose side that is
            pieces.append(self._piece(own, left, top, self.width, label, z=1, tap=tap))
            pieces += [self._piece(card, left + right, top + down, self.width,
                                   self.say("extra", card=self._named(card), seat=seat, column=at + 1), z=1 + n, tap=tap)
                       for n, (card, (right, down)) in enumerate(zip(extras, lies.offsets[1:], strict=True), 1)]
        label = self.say("middle", card=self._named(column.middle), column=at + 1)
        tap = self.draft is not None and self.draft.turn
        pieces.append(self._piece(column.middle, x, self.middle, self.width, label, tap=tap))
        return pieces

    def _revealed(self, score: ColumnScore) -> list[Piece]:
        """A column that was scored, turned up as it lay. While others are played for it stands back, but the last one."""
        at, pieces = score.column, []
        x, label = self.x(at), "was"
        is_past = any(self.columns) and not (self._is_just_scored and score == self.state.last)
        quiet = ("past",) if is_past else ()
        for seat, top in ((1 - self.low, self.theirs), (self.low, self.mine)):
            flags = ("marked",) if seat == score.winner and not is_past else quiet
            lies = self.fan(seat, len(score.sides[seat]) - 1)
            left = self.fan_x(at, lies)
            for n, (face, (right, down)) in enumerate(zip(score.sides[seat], lies.offsets, strict=True)):
                pieces.append(Piece(f"was{at}-{seat}-{n}", self._drawing(face), left + right, top + down, self.width,
                                    self.say(label, card=self.sight.words.face(face), column=at + 1), z=1 + n, flags=flags))
        pieces.append(Piece(f"was{at}-middle", self._drawing(score.middle), x, self.middle, self.width,
                            self.say(label, card=self.sight.words.face(score.middle), column=at + 1), flags=quiet))
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
        """Px of a column's mat."""
        return self.step - min(BETWEEN, 0.05 * self.step)

    def _mats(self) -> list[Zone]:
        width = self._mat_width()
        calling = self.draft.calling if self.draft else self.call.column if self.call else None
        return [Zone(f"column{at}", Rect(self.middle_of(at) - width / 2, self.top, width, self.height_used), "mat",
                     self.say("column", column=at + 1), flags=("marked", "legal") if at == calling else (), quiet=True)
                for at in range(len(self.columns))]

    def _spots(self, pile_at: Point, heap_at: Point, side: float) -> tuple[Spot, ...]:
        draft = self.draft
        if draft is None:
            return ()
        spots: list[Spot] = []
        places = [at for at, column in enumerate(self.columns) if column is not None]
        if draft.turn:
            if self.state.pile:
                spots.append(Spot(PILE, *pile_at, side, side * TALL, self.say("do.draw"), flags=("pile", *self._hinted("draw"))))
            wide = self.words_width - 6 if self.is_beside else self.call_width
            spots += [Spot(f"call{at}", self.words_x(at), self.calls, wide, CALL - 4, self.say("call", column=at + 1),
                           text=self.say("call_short"), flags=("button", *self._hinted("call", at)))
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
        """The middle and the own side of ``column``, each with what both would have with ``drawn`` there."""
        card, below, room = self._named(drawn), self.below_middle(at), self.rooms[self.low] + self.below_mine(at)
        wide = self.fan(self.low, len(column.extras[self.low])).wide
        beside = (wide - self.width) / 2 if self.is_beside else 0.0
        found = []
        for verb, after in self._after(column, drawn):
            x, y, width, height = (self.x(at), self.middle + below / 2, self.width, self.height + below)
            if verb == "double":
                x, y, width, height = (x + beside, self.mine + below + room / 2, wide, self.height + room)
            own, theirs = self.sums.own(after), self.sums.theirs(after)
            label = self.say(f"{verb}_total" if own.text else verb, card=card, column=at + 1, total=own.speech,
                             name=self._other_name(), theirs=theirs.speech)
            most = self.width if self.is_beside else self._mat_width() - AROUND_WORDS
            lines = [] if self._has_room_beside else self._brought_lines(own, theirs, most)
            few = 1 if self.is_beside else 3 if height > THREE_LINES * self.sight.layout.rem else 2
            found.append(Spot(f"{verb}{at}", x, y, width + RIM, height + RIM, label, flags=("over", *self._hinted(verb, at)),
                              points="\n".join(lines[:few]), points_width=most))
        return found

    def _after(self, column: Column, drawn: Card) -> tuple[tuple[str, Column], ...]:
        """``column`` with ``drawn`` in its middle, and with it on the own side."""
        return ("replace", column._replace(middle=drawn)), ("double", column.with_extra(self.low, drawn))

    def _brought_lines(self, own: Sum, theirs: Sum, width: float) -> list[str]:
        """What a place would bring, in ``width`` px: one's own total, from which closed card on that is not bust, the other's."""
        rem = self.sight.layout.rem

        def line(found: Sum, seat: int, letter: float, room: float) -> str:
            forms = [form for total in (found.text, found.short)
                     for form in (self.say("theirs", name=self.sight.words.seat(seat), total=total), total)]
            if seat == self.low:  # larger, and whose it is stands over the other's
                forms = forms[1::2]
            return next((form for form in forms if len(form) * letter * rem <= room), forms[-1])

        edge = SUM_LETTER * rem if self._has_room_beside else 0.0
        found = [line(own, self.low, SUM_LETTER, width - edge)] if own.text else []
        if own.needs and len(own.needs) * LEAST_SUM_LETTER * rem <= width + edge:
            found.append(own.needs)
        return [*found, line(theirs, 1 - self.low, LEAST_SUM_LETTER, width)] if theirs.text else found

    @property
    def _has_room_beside(self) -> bool:
        """Whether what a place would bring stands beside it, and covers no card."""
        return self.is_beside and self.is_roomy

    def _brought_beside(self) -> list[Label]:
        """… and there it stands, beside each place."""
        drawn, draft = self.state.drawn_card, self.draft
        if drawn is None or draft is None or not draft.placing or not self._has_room_beside:
            return []
        low = self.mine + (self.height - STRIP * self.height) / 2 + self.rooms[self.low]
        rem, wide = self.sight.layout.rem, self.words_width + RIM  # from the outline of a place on
        told = {(verb, at): self._brought_lines(self.sums.own(after), self.sums.theirs(after), wide)
                for at, column in enumerate(self.columns) if column is not None for verb, after in self._after(column, drawn)}
        longest = max(len(lines[0]) for lines in told.values())
        look = next((look for look, letter in SIZES[1:] if (longest + 1) * letter * rem <= wide), SIZES[-1][0])
        found = []
        for (verb, at), lines in told.items():
            x = self.x(at) - self.width / 2 + self.fans_width + 2 * RIM
            top = self.middle if verb == "replace" else low - (len(lines) - 1) * SMALL_LINE * rem
            looks = [look, *("plain" if len(line) * LETTER * rem <= wide else "small" for line in lines[1:])]
            found += [Label(f"after-{verb}{at}" + (f".{n}" if n else ""), x, top + n * SMALL_LINE * rem, line, looks[n],
                            anchor="start") for n, line in enumerate(lines)]
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

    def _numbers(self) -> list[Label]:
        """The number by which sentences call a column, in a corner of its mat; its name says it to a screen reader."""
        half, rem = self._mat_width() / 2, self.sight.layout.rem
        if self.is_beside:
            if not self.is_roomy:
                return []
            right, y = half - self.inset - 0.5 * LETTER * rem, self.top + self.inset + 0.5 * SMALL_LINE * rem
        else:
            right, y = -(half + self.width / 2) / 2, self.middle
            if half - self.width / 2 < 2 * LETTER * rem:
                return []
        return [Label(f"number{at}", self.middle_of(at) + right, y, str(at + 1)) for at in range(len(self.columns))]

    def _unknown(self) -> list[Label]:
        """What sums call the other's closed card stands on it: in the middle of its back, or on what other cards leave to be
        seen of it."""
        if self.sight.seat is None:
            return []
        other, found = 1 - self.low, list[Label]()
        for at, column in enumerate(self.columns):
            if column is not None and self.face(column.owns[other]) is None:
                lies = self.fan(other, len(column.extras[other]))
                left, up = ((size - shown) / 2 for size, shown in zip((self.width, self.height), lies.first_seen, strict=True))
                found.append(Label(f"unknown{at}", self.fan_x(at, lies) - left, self.theirs - up, UNKNOWN, "count"))
        return found

    def _pile_sums(self) -> list[Label]:
        """What several cards of one side add up to, at the foot of the last: in sums they are one number."""
        found: list[Label] = []
        is_placing = self.draft is not None and self.draft.placing  # at the own ones it stands what one more would bring
        for at, column in enumerate(self.columns):
            score = self.scored_by_place.get(at)
            for seat, top in ((1 - self.low, self.theirs), (self.low, self.mine)):
                if score is not None:
                    faces: tuple[Face | None, ...] = score.sides[seat]
                elif column is None or (is_placing and seat == self.low):
                    continue
                else:
                    faces = tuple(map(self.face, (column.owns[seat], *column.extras[seat])))
                if len(faces) > 1 + (None in faces):  # beside the closed card a single one needs no words
                    lies = self.fan(seat, len(faces) - 1)
                    most = lies.wide if self.is_beside else self._mat_width() - AROUND_WORDS
                    text = next((text for text in self.sums.of_pile(faces)
                                 if (len(text) + PILE_EDGES) * PILE_LETTER * self.words.rem <= most), "")
                    x = self.fan_x(at, lies) + (lies.wide - self.width) / 2
                    y = top + max(down for _, down in lies.offsets) + self.height / 2 - PILE_FOOT * self.words.rem
                    found += [Label(f"pile-sum{at}-{seat}", x, y, text, "count")] * bool(text)
        return found

    def _marks(self) -> list[Label]:
        """Where a drawn card comes to lie, how a column was counted or is; the limit alone where there is no room; and beside the
        card that only this reader sees it."""
        x, foot = self.tray.centre[0], self.tray.bottom - self.sight.layout.rem * 0.8
        if self.state.drawn_card is not None:
            if self.sight.seat != self.state.turn:
                return []
            below = self.drawn_at[1] + self.big * TALL / 2 + self.sight.layout.rem
            return [Label("peek", x, min(foot, below) if self.is_wide else foot, self.say("only_you"))]
        room = self._rule_room()
        reckoned = self._reckoning(room)
        if reckoned:
            return reckoned
        lines = self._rule_lines(room)
        if self.sight.seat is None or not lines:
            return [Label("limit", x, foot, self.say("limit", n=self.rules.values.limit), "title")]
        high = self._rule_height()
        top = room.centre[1] - (len(lines) - 1) / 2 * high
        known = "plain" if self.is_wide else "small"
        kinds = [known] * len(lines) if self._is_rule_known() else ["title", "title", *["plain"] * len(lines)]
        return [Label(f"rule{at}", x, top + at * high, line, kinds[at]) for at, line in enumerate(lines)]

    def _reckoning(self, room: Rect) -> list[Label]:
        """How both sides of the column just scored came about, in ``room``, the winner's large: "Ann: 11 + 7 − 1 = 17"; [] where
        that stands beside its cards, or has no room."""
        last = self.state.last
        if last is None or not self._is_just_scored or self.words.room.is_large or self.sight.laying:
            return []
        high, labels = RECKONED_LINE * self.sight.layout.rem, list[Label]()
        for line, seat in enumerate((1 - self.low, self.low)):  # as they lie
            found, name = self.sums.of_scored(last, seat), self.sight.words.seat(seat)
            looks = RECKONED_WINNER if seat == last.winner else RECKONED
            said = [(self.say("theirs", name=name, total=f"{found.terms} = {total}"), look)
                    for look in looks for total in (found.text, found.short)]
            text, look = next(((text, look) for text, (look, letter) in said
                               if len(text) * letter * self.sight.layout.rem <= room.width), ("", ""))
            if not text or 2 * high > room.height:
                return []
            labels.append(Label(f"reckoned{seat}", room.centre[0], room.centre[1] + (line - 0.5) * high, text, look))
        return labels

    def _rule_room(self) -> Rect:
        """Where the rule has room in the tray."""
        if not self.is_wide:
            wide = self.heap_at[0] - self.pile_at[0] - self.side - 16
            return Rect(self.tray.centre[0] - wide / 2, self.tray.y, wide, self.tray.height)
        top = self.pile_at[1] + self.side * TALL / 2 + RULE_EDGE
        return Rect(self.tray.x + 8, top, self.tray.width - 16, max(0.0, self.tray.bottom - RULE_EDGE - top))

    def _is_rule_known(self) -> bool:
        """Whether a whole round was played by it: then it is a reminder alone."""
        return self.state.round > 1

    def _rule_height(self) -> float:
        """How high a line of the rule is, px."""
        return (KNOWN_RULE_LINE if self._is_rule_known() and not self.is_wide else RULE_LINE) * self.sight.layout.rem

    def _rule_lines(self, room: Rect) -> list[str]:
        """How a column is counted, and when to call one where there is room for that; [] where there is none at all."""
        rem = self.sight.layout.rem
        keys = ["yours", "theirs", "goal", "limit", *(["call"] if self.is_wide else [])]
        for shown in (keys, keys[:4]):
            lines = [self.say(f"rule.{key}", name=self._other_name(), n=self.rules.values.limit) for key in shown]
            if max(map(len, lines)) * LETTER * rem <= room.width and len(lines) * self._rule_height() <= room.height:
                return lines
        return []

    def _rule_zone(self) -> list[Zone]:
        """What the rule stands on, on a wide stage."""
        room = self._rule_room()
        lines = self._rule_lines(room) if self.is_wide and self.sight.seat is not None else []
        if not lines or self.state.drawn_card is not None:
            return []
        high = min(room.height, (len(lines) + 1) * self._rule_height())
        return [Zone("rule", Rect(room.x, room.centre[1] - high / 2, room.width, high), "mat")]

    def _sums(self) -> dict[tuple[Side, int], Sum]:
        """What both sides of each column come to, where that is told."""
        sums: dict[tuple[Side, int], Sum] = {}
        for at, column in enumerate(self.columns):
            if at in self.scored_by_place:
                theirs, mine = (self.sums.of_scored(self.scored_by_place[at], seat) for seat in (1 - self.low, self.low))
            elif column is not None and (self.call is None or self.call.column != at or self.closed_card is not None):
                theirs, mine = self.sums.theirs(column), self.sums.own(column)
            else:  # it is called, and not counted yet
                continue
            both: tuple[tuple[Side, Sum], ...] = (("theirs", theirs), ("mine", mine))
            sums |= {(who, at): found for who, found in both if found.text}
        return sums

    def _counted_labels(self, labels: Sequence[Label]) -> dict[Key, Label]:
        """What is told of the column that is counted, by key, one thing after another: what the other has there, what one has
        oneself, who won it; number by number where these stand below each other."""
        if self.call is None or self.sight.laying:
            return {}
        beats: list[list[Label]] = []
        for side, seat in (("theirs", 1 - self.low), ("mine", self.low)):
            at = f"{side}{self.call.column}"
            beats += [[label] for label in labels if label.key.startswith(f"made-{at}")]
            beats.append([label for label in labels if label.key in (at, f"remark-{at}", f"reckoned{seat}")])
        beats.append([label for label in labels if label.key.startswith(f"won{self.call.column}")])
        step = min(COUNT_STEP, MOST_COUNT / len(beats))
        return {label.key: replace(label, delay=step * number) for number, beat in enumerate(beats, 1) for label in beat}

    def _won_at(self) -> dict[int, Point]:
        """The column just scored is what was won."""
        last = self.state.last
        if last is None or self.sight.laying or not self._is_just_scored:
            return {}
        return {last.winner: (self.x(last.column), self.middle)}

    def _status(self) -> str:
        """How the round ended, or what came of a call, while that is looked at; else nothing, as it is somebody's turn."""
        state, last = self.state, self.state.last
        if self.sight.landing:
            return ""
        if state.phase == COUNTED:
            taken = state.sheet[-1]
            most, winner = max(taken), int(taken[1] > taken[0])
            if taken[0] == taken[1]:
                return self.say("round_tie", n=most)
            return self.say("round_won", seat=winner, own=most, theirs=min(taken))
        if self.draft is not None or not self.sight.resting or last is None or not self._is_just_scored:
            return ""
        return self.say(f"verdict.{last.sentence.rpartition('.')[2]}", seat=last.winner, **last.facts)

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
            column = state.columns[draft.calling]
            assert column is not None
            return call_note(self.sight, self.rules, self.low, column)
        if draft is not None and draft.placing:
            return self.say("note.placing", name=self._other_name())
        if self.call is not None:  # it is counted where it lies
            return ""
        if self._is_just_scored:
            return self._told_of_column()
        if draft is None or not draft.turn:
            return ""
        told = [self._told_of_other()]
        if not state.pile:
            told.append(self.say("note.call"))
        return " ".join(filter(None, told)) or self.say("note.begin" if state.acts else "note.begin_first")

    def _told_of_other(self) -> str:
        """What the other did in the turn before: it stands there until the reader acts."""
        act = self.state.acts[-1] if self.state.acts else None
        if act is None or act.seat == self.low:
            return ""
        card = self.sight.words.cards((act.card,), self.sight.view.faces)
        if act.replaced_card is not None:
            old = self.sight.words.cards((act.replaced_card,), self.sight.view.faces)
            return self.say("note.swapped", seat=act.seat, card=card, old=old, column=act.column + 1)
        key = "doubled" if act.verb == "double" else "discarded"
        return self.sight.say(f"teeth.log.{key}", seat=act.seat, cards=card, column=act.column + 1)

    def _told_of_column(self) -> str:
        """Who won the column just scored; what a joker in it did; and at the end why it is one, though there are cards left."""
        state, last, outcome = self.state, self.state.last, self.rules.outcome(self.state)
        assert last is not None
        told = [self.sight.say(last.sentence, seat=last.winner, **last.facts)]
        value = self.rules.values.values[JOKER]
        if JOKER in (*last.sides[0], *last.sides[1]) and value:
            told.append(self.say("note.joker", value=figure(value), off=figure(-value, plus=True)))
        told += self._told_of_aces(last)
        mode = self.rules.option_values["mode"]
        if state.pile and not state.columns[last.column] and (outcome is not None or mode == "continuous"):
            told.append(self.say(f"left.{mode}", n=len(state.pile)))
        if outcome is not None and outcome.reason != "teeth.ended.columns":
            told.append(self.sight.words.ending(outcome))  # the plates say as many columns each, and not why that was enough
        return " ".join(told)

    def _told_of_aces(self, last: ColumnScore) -> list[str]:
        """That an ace of the column just scored counts 1 to one and 11 to the other, where it does (TE-1)."""
        values, other = self.rules.values, 1 - self.low
        aces = [face for face in (*last.sides[0], last.middle, *last.sides[1]) if face in values.aces]
        mine = values.parts(last.sides[self.low], last.middle, last.sides[other])
        theirs = values.parts(last.sides[other], last.middle, last.sides[self.low])[::-1]  # in the same order
        if mine == theirs:
            return []
        if len(aces) > 1:
            return [self.say("note.aces")]
        least, most = figure(ACE_LOW), figure(ACE_LOW + ACE_STEP)
        own, off = (most, least) if sum(mine) > sum(theirs) else (least, most)
        return [self.say("note.ace", seat=self.low, own=own, name=self._other_name(), theirs=off)]

    def _other_name(self) -> str:
        return self.sight.words.seat(1 - self.low)

    @property
    def _is_just_scored(self) -> bool:
        """Whether nothing was done since the last column was called."""
        state = self.state
        return bool(state.acts) and state.acts[-1].verb == "call" and state.drawn_card is None

    def _columns_won(self) -> list[int]:
        """How many columns each seat has won, but for one that is still counted."""
        counted = self.state.last if self.call is not None else None
        return [won - (counted is not None and counted.winner == seat) for seat, won in enumerate(self.state.column_counts)]

    def _won_round(self) -> tuple[int, ...] | None:
        """Who took more columns in the round that is over, None while one is played."""
        if self.state.phase != COUNTED or self.sight.landing:
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
            return (Control("discard", self.say("do.discard"), primary=draft.hint == ("discard",), shortcut="d",
                            shape=ButtonShape.MODEST),
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
