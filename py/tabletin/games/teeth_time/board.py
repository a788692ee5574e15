"""Teeth Time's table: seats, the field with everybody's melds, piles and contract, and the hand in order.

A pure function of what a seat sees and of its draft. Faces come from the reader's own knowledge and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from tabletin.board.board import ActStep, Board, Draft, Reason
from tabletin.board.layout import (
    GAP,
    PLATE_HEIGHT,
    SMALL_PLATE,
    Placement,
    Seating,
    count_point,
    gaps,
    heap,
    plates,
    resting,
    seating,
)
from tabletin.board.scene import (
    Drawing,
    Heap,
    Key,
    Label,
    Leaf,
    Piece,
    Plate,
    Rect,
    Scene,
    Sight,
    Spot,
    Zone,
    card_key,
)
from tabletin.games.teeth_time import board_pieces
from tabletin.games.teeth_time.board_actions import Actions, place_key
from tabletin.games.teeth_time.board_counted import counted_rows, is_counted
from tabletin.games.teeth_time.board_field import (
    ALL_SEEN,
    CARD,
    GROUP_GAP,
    NARROW_GAP,
    SHOWN,
    WHOLE,
    FieldPlan,
    in_hand,
)
from tabletin.games.teeth_time.board_leaves import leaves
from tabletin.games.teeth_time.board_melds import Melds
from tabletin.games.teeth_time.board_penalty_steps import steps_of
from tabletin.games.teeth_time.cards import IN_HAND, OWN_PLAYS, PENALTIES, PENALTY_DRAWS, TOOTHACHE, WILDS
from tabletin.games.teeth_time.draft import DISCARDS, HAND, MINE, TeethTimeDraft
from tabletin.games.teeth_time.groups import RUN
from tabletin.games.teeth_time.hand_groups import Order, Terms, in_order
from tabletin.games.teeth_time.plays import BEGINNER
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.scoring import STAR, star_count
from tabletin.games.teeth_time.state import COUNTER, NOBODY, OVER, REPLY, SCORED, WINDOW, TeethTimeState
from tabletin.kernel.faces import Card
from tabletin.kernel.state import Event
from tabletin.words import figure

SHINING: Final = frozenset(f"teeth_time.log.{what}" for what in ("pulled", "dentist", "fairy"))
PILE_SHOWN: Final = 3
DISCARDS_SHOWN: Final = 3
RATIO: Final = 1.4  # a card's height to its width
HANDS: Final = (1 / 5.2, 1 / 5.8, 1 / 6.6)  # of a phone's width: a card of a hand on a tablet …
PHONE_HANDS: Final = (1 / 5.4, HANDS[1], 1 / 6.5, HANDS[-1])  # … and on a phone, in the last its lines lie over each other, …
MANY: Final = 12  # … where more cards than these have no use for the first
LARGE: Final = 80.0  # px
MOST_HELD: Final = 124.0
FEW: Final = 12  # cards in groups, up to which the field may leave room for a larger hand
RAISED: Final = 13.0  # px that a picked card is raised
AROUND_HAND: Final = RAISED + 16  # px of height beside the cards of a hand
HAND_EDGE: Final = 6.0  # px at both ends of one
NOTE_LETTER: Final = 0.42  # rem: about as wide as a letter of a note under a name is, …
NOTE_DIGIT: Final = 0.62  # … one of the score beside it, …
NOTE_EDGES: Final = 1.5  # … and what is kept free around them …
SLIM_EDGES: Final = 0.9  # … in a line of their own
NOTE_SHARE: Final = 0.55  # of a wide seat: what a note may take there
WIDE_SEAT: Final = 8.5  # rem, from which a seat is wide
LEAST_SEAT: Final = 3.7  # rem: the narrowest seat there is …
LINE_SEAT: Final = 4.1  # … and where there are few, so that a line holds them all, …
LINE_HIGH: Final = 3.5  # … in which a plate has three lines: its height
TABLET: Final = 64.0  # rem: on a wide stage below this a hand has two lines where there is room for them
PILE: Final = 0.82  # of a card of the hand: a pile …
WIDE_PILE: Final = 1.0  # … beside a field with much width …
ALONE: Final = 1.3  # … that has the field to itself
BADGE_ROOM: Final = 84.0  # px of height for the contract
NARROW_BADGE: Final = 170.0  # … and the width below which the arrow stands under it
BADGE_WIDE: Final = 250.0  # … beside piles that have the field to themselves, its width
AIM: Final = 1.2  # rem below the seats: what wins is said, while nothing lies there
SIGN: Final = 50.0  # px of the sign which way play goes round
LETTER: Final = 0.47  # rem: about as wide as a letter of them is
CAPTION: Final = 1.1  # rem of height for the words above the contract, …
TOLD: Final = 0.75  # … if that is no smaller for them than this
NEARLY: Final = 0.8  # of the width of a card in a hand that may be smaller, so that no card covers another
LINES_APART: Final = 1.3  # times the area of a card that is seen: what it is worth that no line covers the words of another …
ALL_APART: Final = 1.3  # … that no card covers another, where there is little width
TOUCHES: Final = 0.95  # of its width: what is seen at least of a card of a hand that has little width
FREE: Final = 0.97  # of its area, from which a card counts as seen whole
HAND_SHARE: Final = 0.36  # of a phone's height: a hand, at most, while the field has room
FEW_LARGER: Final = 1.083  # times as high as its cards would be: the line of a few cards below a full field
WIDE_SHARE: Final = 1 / 6.4  # of the height: a card of a hand …
BARE_SHARE: Final = 1 / 5  # … above which nothing lies on a wide field
NAMED_CARD: Final = 78.0  # px: a card of a hand in two lines on which the name of a tooth is read with ease …
LARGE_NAMED: Final = (104.0, 91.0, NAMED_CARD)  # … and larger ones, as far as piles and field have room
IN_A_LINE: Final = 74.0  # px: a card of a hand at a desk that lies in one line all the same
ASKED: Final = 1.5  # rem by which a question is higher than the buttons it stands over on a phone
BETWEEN_LINES: Final = 6.0  # px between those of a hand that has the room
MINE_ROOM: Final = 56.0  # … and for the place before the hand
PLACE_HIGH: Final = 48.0  # px of height of that place …
LEAST_PLACE: Final = 9.0  # … and rem of width for its words
WELL_EDGES: Final = 44.0  # px of height around and between piles and contract beside the field
WELL_SEATS: Final = ((1, PLATE_HEIGHT), (1, SMALL_PLATE), (2, 4.0), (2, 3.6), (2, PLATE_HEIGHT), (2, SMALL_PLATE))  # above them:
# how many plates lie side by side, and how many rem each is high; the first that leaves piles and contract their room
SEATS_SHARE: Final = 0.22  # of the stage's height that seats may take before they become smaller


def board(game: str) -> Board:
    """The board of Teeth Time; ``game`` is its only one."""
    return TeethTimeBoard()


class TeethTimeBoard(Board):
    """Draws Teeth Time."""

    counts = frozenset(("teeth_time.log.scored",))
    results = counts | {"teeth_time.log.accepted", "teeth_time.log.whammy"}

    def flourish(self, events: Sequence[Event]) -> tuple[Card, ...]:
        """A card that is pulled shines, and all that a Dentist or a Tooth Fairy sweeps away."""
        return tuple(card for event in events if event.key in SHINING for card in event.cards)

    def steps(self, sight: Sight, events: Sequence[Event]) -> Sequence[ActStep]:
        """A penalty that is carried out is seen card by card."""
        return steps_of(sight, events)

    def reason(self, sight: Sight, draft: Draft) -> Reason | None:
        """What is said of the card that a hint shows first where that is to be discarded."""
        assert isinstance(draft, TeethTimeDraft)
        if draft.advice is None or draft.advice[0] != "discard":
            return None
        return Reason("", nudge=Actions(sight, draft).say("hint.discard", card=Actions(sight, draft).short(draft.advice[1])))

    def leaves(self, sight: Sight) -> tuple[Leaf, ...]:
        return leaves(sight, lambda seat: seat_notes(sight, seat))

    def draft(self, sight: Sight) -> TeethTimeDraft:
        return TeethTimeDraft(sight, hand_order(sight))

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, TeethTimeDraft)
        return _TeethTimeDrawing(sight, draft).scene()


def hand_order(sight: Sight) -> Order:
    """The reader's own hand in order."""
    state: TeethTimeState = sight.view.state
    rules = sight.view.rules
    assert isinstance(rules, TeethTime) and sight.seat is not None
    faces, public = sight.view.faces, state.public
    groups = tuple(state.groups.items())
    open_cards = tuple((card, public[card]) for _, group in groups for card in group.cards_held)
    terms = Terms(state.contract, state.has_melded(sight.seat), rules.one_colour, rules.skill != BEGINNER, groups,
                  open_cards, state.next_group)
    return in_order(tuple((card, faces[card]) for card in state.hands[sight.seat]), terms)


def seat_notes(sight: Sight, seat: int) -> list[str]:
    """Under a seat's name: stars, whether it is down, what waits for it, its call."""
    return [said for _, said in _weighed_notes(sight, seat)]


def _weighed_notes(sight: Sight, seat: int) -> list[tuple[int, str]]:
    """The same, each with a number that is the higher the sooner it gives way where a plate is narrow."""
    def say(key: str, **params: object) -> str:
        return sight.say(f"teeth_time.board.seat.{key}", **params)

    state: TeethTimeState = sight.view.state
    stars = star_count(state, seat)
    said = [(3, STAR * stars if stars < 4 else f"{STAR}{stars}")] if stars else []
    if seat in state.absentees:
        said.append((2, sight.say("table.left")))
    elif seat not in state.playing:
        said.append((2, say("out")))
    elif state.has_melded(seat):
        said.append((2, say("down")))
    for penalty in state.live_penalties(seat):
        face = state.public[penalty.card]
        said.append((1, f"+{PENALTY_DRAWS[face]}" if face in PENALTY_DRAWS else say("skip" if face == TOOTHACHE else "fill")))
    if state.caller == seat and state.phase == WINDOW:
        said.append((0, say("calls")))
    return said


def _paid(state: TeethTimeState, seat: int) -> list[Card]:
    """The penalties that ``seat`` has carried out, which a Dentist may still collect (TT-13)."""
    return [penalty.card for penalty in state.penalties if penalty.seat == seat and not penalty.live]


class _TeethTimeDrawing:
    """One scene in the making."""

    def __init__(self, sight: Sight, draft: TeethTimeDraft | None) -> None:
        self.sight = sight
        self.draft = draft
        self.state: TeethTimeState = sight.view.state
        self.words = Actions(sight, draft)
        self.language = sight.words.catalogue.language
        held = sight.seat is not None and sight.view.faces.knows(self.state.hands[sight.seat])
        self.order = draft.order if draft else hand_order(sight) if held else None
        layout = sight.layout
        self.over = self.state.phase in (SCORED, OVER) and not sight.laying  # no hand to hold: all lies on the field
        self.wide = layout.low or layout.width > 46 * layout.rem
        laid = sum(len(group.cards_held) for group in self.state.groups.values())
        may_grow = laid <= FEW and not layout.low and layout.width < TABLET * layout.rem
        on_a_phone = () if self.wide else PHONE_HANDS[sum(self._counts()) > MANY:]
        for share in on_a_phone:  # the hand keeps its room, whatever it holds; it has less where the field is full
            self._place(share)
            if self.over or self._is_bare() or self.melds.plan.form is WHOLE:
                return
        if not self.wide:
            if self._alone() >= NEARLY * self.card or self._lies_in_a_line():  # that leaves the field the room of the second line
                self._place(HANDS[-1], 1)
            return
        for share in HANDS if may_grow else HANDS[-1:]:  # as large as leaves the field cards that are no smaller
            self._place(share)
            if not self.over and (self._fits_in_a_line() or self._lies_in_a_line()):
                self._place(share, lines=1)
            if self.over or self._is_bare() or self._has_large_field():
                break
        if not layout.low and not self.over and (self._covers_words() or not self._has_well_room()):
            for named in LARGE_NAMED if layout.width > TABLET * layout.rem else LARGE_NAMED[-1:]:
                self._place(share, 2, named=named)
                if self._lies_in_a_line():
                    self._place(share, 1, named=named)
                has_field = self._has_large_field() if named > NAMED_CARD else self.melds.plan.form is WHOLE
                if (self._is_bare() or has_field) and self._has_well_room():
                    return
            self._place(HANDS[-1], 1)

    def _has_large_field(self) -> bool:
        """Whether cards on the field are as large as those of the hand, or large enough."""
        plan = self.melds.plan
        return plan.form is WHOLE and plan.zoom * CARD >= min(self.card, LARGE)

    def _fits_in_a_line(self) -> bool:
        """Whether enough is seen of every card of the hand if all lie in one line."""
        counts = self._counts()
        room = self._room_across(counts) - self.card
        return 0 < sum(counts) <= 1 + room / (SHOWN * self.card)

    def _lies_in_a_line(self) -> bool:
        """Whether the hand lies in one line although there is room for two, as one shows more of every card."""
        counts = self._counts()
        return len({lie.y for group in self._lies(counts, self._held_width()) for lie in group}) == 1

    def _counts(self) -> list[int]:
        """How many cards each group of the hand has."""
        return [len(group) for group in self.order.groups()] if self.order is not None else []

    def _room_across(self, counts: list[int]) -> float:
        """The width that a line has for cards alone."""
        return self.sight.layout.width - 2 * HAND_EDGE - GROUP_GAP * max(0, len(counts) - 1)

    def _has_well_room(self) -> bool:
        """Whether piles and contract have room below the seats, where they stand there."""
        well = self.well_rect
        return well is None or self._is_bare() or well.height >= self.pile_width * RATIO + BADGE_ROOM + WELL_EDGES

    def _covers_words(self) -> bool:
        """Whether cards of the hand lie over the words of others."""
        width = self._held_width()
        flat = [lie for lies in self._lies(self._counts(), width) for lie in lies]
        return min([width, *gaps(flat)]) < board_pieces.WHOLLY_SEEN * width

    def _place(self, share: float, lines: int = 2, *, named: float = 0.0) -> None:
        """Everything in its place, with a hand of which a card takes ``share`` of a phone's width, in so many lines there.
        ``named``: px of width of its cards, so that no line covers another and their names are read; 0 for as it comes."""
        sight, layout = self.sight, self.sight.layout
        self.card, tall = self._hand_size(share, lines, is_bare=self._is_bare())
        named_tall = 2 * NAMED_CARD * RATIO + BETWEEN_LINES + AROUND_HAND
        if named:
            self.card = min(self.card, named) if lines == 1 else named
            tall = 2 * named * RATIO + BETWEEN_LINES + AROUND_HAND if lines > 1 else self.card * RATIO + AROUND_HAND
        self.lift = ASKED * layout.rem if not self.wide and self.words.prompt() is not None else 0.0
        tall += self.lift
        hand, above = layout.rect.foot(tall)
        self.questions = hand
        has_width = self.wide and not layout.low and layout.width > TABLET * layout.rem
        pile = WIDE_PILE if has_width else PILE
        is_flat = self.wide and not layout.low  # seats stand as beside a hand in one line, and stay when it has two
        laid_card, laid_tall = self._hand_size(HANDS[-1], 1, is_bare=False) if is_flat else \
            self._hand_size(share, lines, is_bare=False)
        self.pile_width = min(self.card, laid_card) * pile if is_flat and not self._is_bare() else self.card * pile
        one, two = (layout.height - tall - card * pile * RATIO
                    for card, tall in ((laid_card, laid_tall), (NAMED_CARD, named_tall)))
        self.seats, rest, self.well_rect = self._seats_and_rest(above, laid_card * pile, min(one, two))
        if is_flat and self.well_rect is None:
            self.seats, rest, self.well_rect = self._seats_and_rest(above, laid_card * pile, one)
        self.tray = hand
        if self.over:
            self.tray, rest = rest._replace(height=layout.height - rest.y).foot(0)
        self.field = rest
        if not (self._is_bare() and self._place_piles_alone(rest)):
            self._place_piles(rest)
        self.melds = Melds(sight, self.draft, self.words, self.window, self.card)

    def _seats_and_rest(self, above: Rect, pile_width: float, height: float) -> tuple[list[Rect], Rect, Rect | None]:
        """Where the seats stand, what is left of ``above``, and where the piles stand if that is below the seats, all of them
        beside the field; None where they have no room there. ``pile_width`` and ``height``, of which the piles are taken already,
        as something lies on the field, in one line of the hand or two, so that no seat moves when cards are laid or drawn."""
        layout, count = self.sight.layout, self.sight.view.rules.seats
        column, field = above.left(_well_width(pile_width))
        if self.wide and not layout.low and above.height <= above.width:  # an upright tablet has more height than it needs
            for per_row, plate_height in WELL_SEATS:
                tall = plate_height * layout.rem
                seats, well = column.top(GAP + -(-count // per_row) * (tall + GAP / 2))
                if height - well.y >= BADGE_ROOM + WELL_EDGES:
                    width = (seats.width - 2 * GAP - (per_row - 1) * GAP / 2) / per_row
                    rects = [Rect(seats.x + GAP + at % per_row * (width + GAP / 2),
                                  seats.y + GAP + at // per_row * (tall + GAP / 2), width, tall) for at in range(count)]
                    return rects, field, well
        return *_seating(self.sight, above), None

    def _hand_size(self, share: float, lines: int, *, is_bare: bool) -> tuple[float, float]:
        """How wide a card of the hand is, and the height for its ``lines``. ``share``: of a phone's width; a tablet has two lines
        for more than the least. ``is_bare``: nothing lies on the field."""
        layout = self.sight.layout
        if layout.low:
            card, lines = max(46.0, min(layout.width / 9.8, layout.height / 5.4)), 1
        elif self.wide:
            lines = min(lines, 2 if share > HANDS[-1] and layout.width < TABLET * layout.rem else 1)
            high = layout.height * (BARE_SHARE if is_bare and lines == 1 else WIDE_SHARE)
            is_upright = lines > 1 and layout.height > layout.width  # it has the height for lines that lie apart
            card = max(46.0, min(MOST_HELD, layout.width / (6.6 if is_upright else 7.2 if lines > 1 else 9.5), high))
            if is_upright:
                return card, 2 * card * RATIO + BETWEEN_LINES + AROUND_HAND
        else:
            card = max(46.0, min(MOST_HELD, layout.width * share, layout.height * WIDE_SHARE))
            if share > HANDS[-1]:  # no line lies over another
                card = max(46.0, min(card, (layout.height * HAND_SHARE - BETWEEN_LINES - AROUND_HAND) / (2 * RATIO)))
                return card, 2 * card * RATIO + BETWEEN_LINES + AROUND_HAND
            if lines == 1:
                return card, card * RATIO * FEW_LARGER + AROUND_HAND
        return card, card * RATIO * (1 + 0.6 * (lines - 1)) + AROUND_HAND

    def _is_bare(self) -> bool:
        """Whether nothing lies on the field."""
        state = self.state
        waits = any(penalty.live for penalty in state.penalties)  # one that was carried out lies there no more
        return not (self.over or waits or any((state.groups, *state.preventions, *state.dentists, *state.fairies)))

    def _place_piles_alone(self, rest: Rect) -> bool:
        """Piles have the field to themselves, with the contract beside or below them, above the place before the hand. False:
        there is too little room below the seats, as where text is very large."""
        room = rest._replace(height=rest.height - MINE_ROOM)
        is_beside = self.sight.layout.low
        below = 0.0 if is_beside else BADGE_ROOM + 22
        width = min(self.card * ALONE, rest.width * 0.3, (room.height - below - 14) / RATIO)
        if width < self.pile_width * 0.8 and not self.wide:
            return False
        self.window, self.badge_foot = rest, room.bottom
        self.pile_width = max(width, self.pile_width * 0.8)
        apart = max(18.0, min(self.pile_width * 0.7, room.width - 2 * self.pile_width - 24))
        both = 2 * self.pile_width + apart  # whoever lets go of a card in the middle of the field does not throw it away
        x, y = room.centre[0] - both / 2, room.centre[1] - below / 2
        badge = min(BADGE_WIDE, x - 28)
        high = max(BADGE_ROOM, width * RATIO)  # the sign below the contract, which has all the width
        self.pile_at = x + self.pile_width / 2, y
        self.discards_at = x + both - self.pile_width / 2, y
        if is_beside:
            self.badge_room = Rect(x + both + 22, y - high / 2, badge, high)
        else:
            wide = min(room.width - 24, max(both + 44, BADGE_WIDE))
            self.badge_room = Rect(room.centre[0] - wide / 2, y + self.pile_width * RATIO / 2 + 22, wide, BADGE_ROOM)
        return True

    def _place_piles(self, rest: Rect) -> None:
        """Piles and contract stand beside the field where there is room, else between field and hand."""
        width = self.pile_width
        if self.wide:
            well, self.window = rest.left(_well_width(width)) if self.well_rect is None else (self.well_rect, rest)
            left = well.x + 24 + width / 2
            y = max(well.y + width * RATIO / 2 + 10, well.centre[1] - 46)
            if self.sight.layout.low:
                y = well.y + width * RATIO / 2 + 10
            self.badge_room = Rect(well.x + 18, y + width * RATIO / 2 + 22, well.width - 22, BADGE_ROOM)
        else:
            well, self.window = rest.foot(width * RATIO + 24)
            left, y = well.x + 14 + width / 2, well.centre[1]
            beside = left + width * 1.5 + 28
            self.badge_room = Rect(beside, well.y + 4, well.right - beside - 8, well.height - 8)
        self.badge_foot = well.bottom
        self.pile_at = left, y
        self.discards_at = left + width + 14, y

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth_time.board.{key}", **params)

    def scene(self) -> Scene:
        """The whole table."""
        state, draft = self.state, self.draft
        if is_counted(state) and not (self.sight.answered or self.sight.laying):
            return self._counted()
        field: FieldPlan = self.melds.plan
        field_pieces, labels, field_spots = self.melds.draw()
        badge, caption = self._badge()
        spots = (*field_spots, *self._spots())
        over = [Rect(spot.x - spot.width / 2, spot.y - spot.height / 2, spot.width, spot.height) for spot in spots
                if spot.key == MINE]
        caption = [label for label in caption if not any(rect.holds((label.x + 1, label.y)) for rect in over)]
        note, warning = self.words.note()
        if self._has_room_for_aim([*badge, *self._piles()], caption):
            at = self.field.centre[0], self.field.y + AIM * self.sight.layout.rem
            labels = [*labels, Label("aim", *at, self.sight.say("result.low_wins"))]
        return Scene(
            pieces=(*self._piles(), *badge, *field_pieces, *self._hand()),
            spots=spots,
            plates=self._plates(),
            zones=(Zone("tray", self.tray, "tray"),
                   Zone("pile-place", _card_rect(self.pile_at, self.pile_width), "slot",
                        self.say("pile", n=len(state.pile))),
                   Zone("discards-place", _card_rect(self.discards_at, self.pile_width), "slot",
                        self.say("discards", n=len(state.discards)))),
            labels=(*labels, *caption, Label("pile-count", self.pile_at[0], self.pile_at[1] + self.pile_width * 0.66,
                                   str(len(state.pile)), "count")),
            controls=self.words.controls(),
            resting=self._resting(),
            window=self.window,
            bounds=Rect(0, 0, field.width, max(field.height, self.window.height / field.zoom)),
            unit=CARD * 0.4,
            closest=field.zoom,
            ask=self.words.ask(),
            status=self.words.status(),
            note=note,
            warning=warning,
            prompt=self.words.prompt(),
            focus=self._focus(spots) if draft else "",
            hand=self.questions,
        )

    def _has_room_for_aim(self, pieces: Sequence[Piece], caption: Sequence[Label]) -> bool:
        """Whether what wins has a line of its own below the seats, above all that lies on a field where nothing was laid."""
        if not self._is_bare() or self.sight.layout.low:
            return False
        rem = self.sight.layout.rem
        tops = [*(piece.y - piece.width * piece.drawing.height / piece.drawing.width / 2 for piece in pieces),
                *(label.y - CAPTION * rem / 2 for label in caption)]
        return self.field.y + (AIM + CAPTION / 2) * rem <= min(tops)

    def _counted(self) -> Scene:
        """A counted hand. What lies in the piles and what was laid is put away without a journey across the rows."""
        state = self.state
        rows = counted_rows(self.sight, self.field, self.words)
        note, warning = self.words.note()
        if any(label.key.startswith("counts") for label in rows.labels):
            note = self.words.star_note()  # the rows tell the rest
        shown = frozenset(piece.key for piece in rows.pieces)
        back = board_pieces.card(None, self.language)
        away: list[list[Card]] = [[] for _ in state.hands]
        for group in state.groups.values():
            away[group.owner] += group.cards_held
        for penalty in state.penalties:
            away[penalty.seat].append(penalty.card)
        piles = frozenset(map(card_key, (*state.pile[PILE_SHOWN:], *state.discards[:-DISCARDS_SHOWN], *state.dead))) - shown
        rests = [Heap(count_point(self.seats[seat]), self.card * 0.4, frozenset(map(card_key, cards)))
                 for seat, cards in enumerate(away)]
        return Scene(pieces=rows.pieces, plates=self._plates(counted=True), zones=rows.zones, labels=rows.labels,
                     controls=self.words.controls(), status=self.words.status(), note=note, warning=warning,
                     prompt=self.words.prompt(), hand=self.questions, won_at=rows.won_at, won_after=rows.won_after,
                     count_seconds=rows.seconds, in_view=rows.in_view,
                     resting=(Heap(self.field.centre, self.pile_width, piles, back), *rests))

    # ---- piles ----

    def _drawing(self, card: Card, width: float, seen: float | None = None) -> Drawing:
        """``card`` with as many words as can be read, ``width`` px wide, of which ``seen`` px are seen, or all."""
        words = board_pieces.words_on(width, width if seen is None else seen)
        return board_pieces.card(self.sight.face(card), self.language, words=words)

    def _piles(self) -> list[Piece]:
        state, draft = self.state, self.draft
        drawing = draft is not None and draft.drawing
        advised = draft.advice if draft else None
        pieces = []
        shown = state.pile[:PILE_SHOWN]
        for card, lie in zip(reversed(shown), heap(len(shown), self.pile_at), strict=True):
            top = card == shown[0]
            flags = () if not (top and drawing) else ("marked",) if advised == ("leave",) else ("legal",)
            pieces.append(Piece(card_key(card), self._drawing(card, self.pile_width), lie.x, lie.y, self.pile_width,
                                self.say("pile_top") if top and drawing else "", z=lie.z, flags=flags,
                                tap=top and drawing, drag=top and drawing, row="pile"))
        open_cards = state.discards[-DISCARDS_SHOWN:]
        for card, lie in zip(open_cards, heap(len(open_cards), self.discards_at), strict=True):
            top = card == open_cards[-1]
            flags = ("new",) if top and card in self.sight.fresh else ()
            if top and state.phase == WINDOW and state.left:
                flags = ("new",)
            if top and draft is not None and (drawing or draft.pulling):
                flags = ("marked",) if advised in (("take",), ("call",)) else ("legal",) if drawing else ("new",)
            label = self.say("discard_top" if top else "discarded", card=self._named(card))
            pieces.append(Piece(card_key(card), self._drawing(card, self.pile_width), lie.x, lie.y, self.pile_width, label,
                                z=lie.z, flags=flags, tap=top and drawing, drag=top and drawing, row="pile"))
        return pieces

    def _named(self, card: Card) -> str:
        return self.sight.words.card(card, self.sight.view.faces)

    def _badge(self) -> tuple[list[Piece], list[Label]]:
        """The contract, filled by what comes together, beside or above the sign which way play goes round; what it is, and who
        comes next."""
        state, room, rem = self.state, self.badge_room, self.sight.layout.rem
        size = min(SIGN, room.height)
        below = room.width < NARROW_BADGE and room.height >= 2 * size - 6  # the contract has the whole width
        if not state.contract:
            return self._sign(*room.centre, size)
        if self._is_down():
            return self._settled(size)
        drawing, label = self._contract()
        if below:
            wide = min(room.width, (room.height - size - 6) * drawing.width / drawing.height, drawing.width * 0.92)
            pieces, labels = self._sign(room.centre[0], room.bottom - size / 2, size)
            y = room.y + (room.height - size - 6) / 2
            return [Piece("contract", drawing, room.centre[0], y, wide, label), *pieces], labels
        above, caption = CAPTION * rem, self.say("badge.one_colour" if self._needs_one_colour() else "badge.caption")
        beside = size + 12 if len(state.playing) > 2 else 0.0  # the sign has its place also while it is not shown
        across = min(room.width - beside, drawing.width * 0.92)
        wide, smaller = (min(across, (room.height - taken) * drawing.width / drawing.height) for taken in (6, 4 + above))
        is_told = smaller >= TOLD * wide and len(caption) * LETTER * rem <= room.width
        wide = smaller if is_told else wide
        high = wide * drawing.height / drawing.width
        left = room.centre[0] - (wide + beside) / 2
        over = high if len(caption) * LETTER * rem <= wide + 8 else max(high, size)  # long words stand over the sign, too
        y = room.centre[1]
        if len(state.playing) == 2 and is_told:  # nothing below the contract
            y += above / 2
        pieces, labels = self._sign(left + wide + 12 + size / 2, y, size)
        if is_told:
            labels.append(Label("contract-caption", left + 4, y - (over + above) / 2, caption, anchor="start"))
        return [Piece("contract", drawing, left + wide / 2, y, wide, label), *pieces], labels

    def _needs_one_colour(self) -> bool:
        """Whether a run of the contract has one colour, as the level has it."""
        rules = self.sight.view.rules
        assert isinstance(rules, TeethTime)
        return rules.one_colour and any(kind == RUN for kind, _ in self.state.contract)

    def _sign(self, x: float, y: float, size: float) -> tuple[list[Piece], list[Label]]:
        """Which way play goes round, and below it who comes next where that has room; two take turns anyway."""
        if not self._has_sign():
            return [], []
        way = self.say("clockwise" if self.state.direction == 1 else "counterclockwise")
        sign = Piece("direction", board_pieces.direction(self.state.direction), x, y, size, way)
        state, told = self.state, self.sight.shown_mover
        is_done = told not in (None, state.turn) and state.next_seat(told) == state.turn  # its plate is marked while it is told
        after = state.turn if is_done else state.seat_after_turn()
        text, room = self.say("badge.next", seat=self.sight.words.seat(after)), self.badge_room
        wide, foot = len(text) * LETTER * self.sight.layout.rem, y + (size + CAPTION * self.sight.layout.rem) / 2
        if foot + CAPTION * self.sight.layout.rem / 2 > self.badge_foot or wide > room.width:
            return [sign], []
        return [sign], [Label("next", min(max(x, room.x + wide / 2), room.right - wide / 2), foot, text)]

    def _has_sign(self) -> bool:
        """Whether it is shown which way play goes: two take turns anyway, and whoever is asked for a card that somebody else may
        take thinks of who comes before them and not of who comes next."""
        asked = self.state.phase == WINDOW and self._is_asked() and self.sight.seat != self.state.turn
        return len(self.state.playing) > 2 and not asked

    def _is_asked(self) -> bool:
        """Whether something is asked of the reader, more than a button offers for a moment."""
        return self.sight.may_act and not self.sight.idle

    def _settled(self, size: float) -> tuple[list[Piece], list[Label]]:
        """What the reader who is down may do, in a line or two, beside or above the sign which way play goes."""
        room, rem = self.badge_room, self.sight.layout.rem
        sign = size + 12 if self._has_sign() else 0.0
        lines = in_lines(self.say("badge.down"), (room.width - sign) / (LETTER * rem))
        high = len(lines) * CAPTION * rem
        is_beside = max(map(len, lines)) * LETTER * rem <= room.width - sign
        if is_beside:
            pieces, labels = self._sign(room.right - size / 2, room.centre[1], size)
            top = room.centre[1] - high / 2
        else:
            lines = in_lines(self.say("badge.down"), room.width / (LETTER * rem))
            high = len(lines) * CAPTION * rem
            pieces, labels = self._sign(room.centre[0], room.y + high + 6 + size / 2, size)
            top = room.y
        return pieces, [*labels, *(Label(f"contract-line{at}", room.x, top + (at + 0.5) * CAPTION * rem, line, anchor="start",
                                         speech="" if at else self.say("badge.is_down")) for at, line in enumerate(lines))]

    def _is_down(self) -> bool:
        """Whether the reader has laid down what the hand asks for."""
        return self.sight.seat is not None and self.state.has_melded(self.sight.seat)

    def _contract(self) -> tuple[Drawing, str]:
        state, order = self.state, self.order
        parts = order.parts if order is not None and len(order.parts) == len(state.contract) else ()
        made, spoken = [], []
        for at, (kind, least) in enumerate(state.contract):
            cells: list[tuple[str, str]] = []
            if parts:
                for card, rank in zip(parts[at].slots, parts[at].ranks, strict=True):
                    face = self.sight.face(card) if card is not None else None
                    cells.append((rank, "" if face is None else "wild" if face in WILDS else "tooth"))
                if not parts[at].cards:
                    cells = [("", "")] * least
            count = sum(bool(filled) for _, filled in cells)
            made.append((self.say(f"badge.{kind}"), least, tuple(cells)))
            spoken.append(self.say(f"badge.spoken_{kind}", least=least, n=count))
        return board_pieces.badge(tuple(made)), self.say("badge.label", groups="; ".join(spoken))

    # ---- seats ----

    def _plates(self, *, counted: bool = False) -> tuple[Plate, ...]:
        """``counted``: beside rows that tell of the hands, so that names and totals alone stand here, as large as can be."""
        state = self.state
        if counted:
            nobody = replace(self.sight, stepping=True)  # whoever deals next has not won for that
            made = plates(nobody, self.seats, scores=[figure(total) for total in state.totals],
                          counts=[len(hand) for hand in state.hands])  # so that names and totals stay as they were
            stars = [STAR * star_count(state, seat) * self.words.is_won_by_stars for seat in range(len(state.hands))]
            return tuple(replace(plate, readable=True, note=stars[plate.seat], count=None) for plate in made)
        notes = [_weighed_notes(self.sight, seat) for seat in range(len(state.hands))]
        made = plates(self.sight, self.seats, scores=[figure(total) for total in state.totals],
                      counts=[len(hand) for hand in state.hands], notes=[", ".join(note for _, note in said) for said in notes],
                      mover=self.sight.seat if self._is_asked() else state.turn)
        paying = state.turn if self.sight.stepping else NOBODY
        return tuple(replace(plate, note=self._note_that_fits(plate, said) or plate.note, readable=True,
                             active=plate.active or plate.seat == paying)
                     for plate, said in zip(made, notes, strict=True))

    def _note_that_fits(self, plate: Plate, said: list[tuple[int, str]]) -> str:
        """As many of the weighed notes as have room on ``plate``; of those without room what matters least gives way."""
        wide, kept = plate.rect.width / self.sight.layout.rem, list(said)
        if "slim" in plate.flags:
            room = wide - SLIM_EDGES
        else:
            room = wide * NOTE_SHARE if wide >= WIDE_SEAT else wide - NOTE_EDGES - len(plate.score) * NOTE_DIGIT
        while len(kept) > 1 and len(" · ".join(note for _, note in kept)) * NOTE_LETTER > room:
            kept.remove(max(kept))
        return " · ".join(note for _, note in kept)

    def _resting(self) -> tuple[Heap, ...]:
        sight, state = self.sight, self.state
        back = board_pieces.card(None, self.language)
        below = frozenset(card_key(card) for card in (*state.discards[:-DISCARDS_SHOWN], *state.dead))
        rests = [resting(state.pile[PILE_SHOWN:], self.pile_at, self.pile_width, back),
                 Heap(self.discards_at, self.pile_width, below)]
        opened = state.phase in (SCORED, OVER) and not sight.laying
        for seat, hand in enumerate(state.hands):
            is_hidden = (seat != sight.seat or self.order is None) and not opened
            width = min(self.card * 0.4, self.seats[seat].width * 0.2)  # beside its name
            rests.append(resting((*_paid(state, seat), *(hand if is_hidden else ())), count_point(self.seats[seat]), width, back))
        return tuple(rests)

    # ---- the hand ----

    def _hand(self) -> list[Piece]:
        order, sight = self.order, self.sight
        if order is None or sight.seat is None or self.over:
            return []
        groups = order.groups()
        pieces: list[Piece] = []
        count, number, counts = sum(map(len, groups)), 0, [len(group) for group in groups]
        width = self._held_width()
        rows = self._lies(counts, width)
        flat = [lie for lies in rows for lie in lies]
        lines = ((after.y - before.y) / RATIO for before, after in pairwise(flat) if after.y > before.y)  # words lie at the foot
        seen = min([width, *gaps(flat), *lines])
        for group, lies in zip(groups, rows, strict=True):
            for card, lie in zip(group, lies, strict=True):
                number += 1
                pieces.append(self._in_hand(card, lie, number, count, width, seen))
        return pieces

    def _room(self) -> Rect:
        """Where the hand lies."""
        return Rect(self.tray.x + HAND_EDGE, self.tray.y + RAISED, self.tray.width - 2 * HAND_EDGE,
                    self.tray.height - AROUND_HAND + 10 - self.lift)

    def _lies(self, counts: list[int], width: float) -> list[list[Placement]]:
        has_lines = self.wide and not self.sight.layout.low
        return in_hand(counts, self._room(), width, width * RATIO, enough=ALL_SEEN if has_lines else SHOWN)

    def _held_width(self) -> float:
        """How wide a card of the hand lies: larger where so few are left that one line holds them all, a little smaller where
        they lie in one line without covering each other then, or in two of which none covers the other."""
        room, counts = self._room(), self._counts()
        alone = min(self._alone(), room.height / RATIO)
        enough = (NEARLY if self.wide or self.tray.height < 2 * self.card * RATIO else FREE) * self.card
        layout = self.sight.layout
        is_upright = layout.height > layout.width and self.tray.height >= 2 * self.card * RATIO  # two lines have their room
        if alone >= (min(enough, IN_A_LINE) if self.wide and not layout.low and not is_upright else enough):
            return alone
        apart = min(self.card, (room.height - BETWEEN_LINES) / (2 * RATIO))
        widths = [self.card, apart]
        for width in (self.card, apart) if not self.wide else ():
            widths.append(min(width, self._beside(counts, width)))
        return max((width for width in widths if width >= NEARLY * self.card), key=lambda width: self._worth(counts, width))

    def _beside(self, counts: list[int], width: float) -> float:
        """How wide cards may be so that none covers more than the edge of another, if they lie in the lines in which cards of
        ``width`` do."""
        lines: dict[float, list[int]] = {}
        for lies in self._lies(counts, width):
            for y in dict.fromkeys(lie.y for lie in lies):
                lines.setdefault(y, []).append(sum(lie.y == y for lie in lies))
        room = self._room().width
        return min(((room - NARROW_GAP * (len(groups) - 1)) / (1 + TOUCHES * (sum(groups) - 1)) for groups in lines.values()),
                   default=width)

    def _worth(self, counts: list[int], width: float) -> float:
        """What cards of a hand are worth that are ``width`` wide: the area seen of each, and more where they lie apart."""
        seen = self._seen_area(counts, width)
        if self.wide:
            return seen * (LINES_APART if width < self.card else 1.0)
        return seen * (ALL_APART if seen >= board_pieces.WHOLLY_SEEN * width * width * RATIO else 1.0)

    def _seen_area(self, counts: list[int], width: float) -> float:
        """Px² at least that are seen of every card of a hand whose cards are ``width`` wide."""
        flat = [lie for lies in self._lies(counts, width) for lie in lies]
        lines = (after.y - before.y for before, after in pairwise(flat) if after.y > before.y)
        return min([width, *gaps(flat)]) * min([width * RATIO, *lines])

    def _alone(self) -> float:
        """How wide a card of the hand may be if all lie side by side in one line."""
        counts = self._counts()
        return min(self._room_across(counts) / max(1, sum(counts)) - 4, MOST_HELD)

    def _in_hand(self, card: Card, lie: Placement, number: int, count: int, width: float, seen: float) -> Piece:
        draft = self.draft
        label, drawing = self.say("held", card=self._named(card), n=number, of=count), self._drawing(card, width, seen)
        if draft is None or not draft.playing:
            flags: tuple[str, ...] = ("new",) if card in self.sight.fresh else ()
            up = 0.0
            if draft is not None and card in self._asked_about(draft):
                flags, up = (*flags, "legal"), RAISED
            return Piece(card_key(card), drawing, lie.x, lie.y - up, width, label, z=20 + lie.z, flags=flags, row="hand")
        chosen = card in draft.selection
        way = draft.way if chosen else None
        if chosen:
            flags = ("chosen", "tentative") if way is not None else ("chosen",)
        else:
            flags = ("legal",) if draft.usable(card) and not draft.selection else ()
        return Piece(card_key(card), drawing, lie.x, lie.y - (RAISED if chosen else 0), width, label, z=20 + lie.z, flags=flags,
                     tap=True, drag=True, pressed=chosen, row="hand")

    def _asked_about(self, draft: TeethTimeDraft) -> Sequence[Card]:
        """The cards of the hand that a question is about: what a penalty may be answered with, what a discard goes with."""
        if self.state.phase in (REPLY, COUNTER):
            return draft.preventions
        use = draft.use_of_discard if self.state.phase == WINDOW else None
        return use.cards if use is not None else ()

    # ---- places beside the field ----

    def _spots(self) -> list[Spot]:
        draft = self.draft
        if draft is None:
            return []
        found: list[Spot] = []
        width = self.pile_width
        if draft.drawing and draft.carried_card is not None:
            found.append(Spot(HAND, *self.tray.centre, self.tray.width - 16, self.tray.height - 12, self.say("to_hand"),
                              flags=("over",)))
        if not draft.playing:
            return found
        card = draft.single
        if card is not None:
            face = draft.face(card)
            name = self._named(card)
            found.append(Spot(DISCARDS, *self.discards_at, width * 1.1, width * RATIO * 1.08,
                              self.say("to_discards", card=name), flags=("pile",), strict=True))
            if face in PENALTIES:
                found += [self._target(name, seat) for seat in draft.targets]
            if face in OWN_PLAYS:
                found.append(self._mine(self.say("play_here", card=name)))
        way = draft.way
        if way is not None:
            off = self.words.change(-sum(IN_HAND[draft.face(card)] for card in draft.selection))
            found.append(self._mine(f"{self.words.way(way)}, {off}", off))  # what it is stands below the hand
        return found

    def _target(self, name: str, seat: int) -> Spot:
        rect = self.seats[seat]
        return Spot(f"at{seat}", *rect.centre, rect.width, max(44.0, rect.height),
                    self.say("to_seat", card=name, seat=self.sight.words.seat(seat)), flags=("over", "seat"))

    def _mine(self, text: str, brief: str = "") -> Spot:
        """A place for what is laid or played before oneself: at the foot of the field, or over the contract where cards lie
        there; ``brief``: what is read in it, where that is not all."""
        width = min(self.window.width - 24, 26 * self.sight.layout.rem)
        at = Rect(self.window.centre[0] - width / 2, self.window.bottom - 6 - PLACE_HIGH, width, PLACE_HIGH)
        if self.melds.foot > at.y and self.badge_room.width >= LEAST_PLACE * self.sight.layout.rem:
            foot = min((label.y - CAPTION * self.sight.layout.rem / 2 for label in self._badge()[1] if label.key == "next"),
                       default=self.badge_room.bottom)  # who comes next stays in view
            at = self.badge_room._replace(height=min(self.badge_room.bottom, foot) - self.badge_room.y)
        return Spot(MINE, *at.centre, at.width, at.height, self.say("lay_here", what=text), flags=("over", "mine"),
                    text=self.say("lay_here", what=brief or text))

    def _focus(self, spots: tuple[Spot, ...]) -> Key:
        """With a card picked its likeliest place, else the next useful card of the hand."""
        draft = self.draft
        assert draft is not None
        if not draft.playing:
            top = self.state.discards[-1:] if draft.drawing else ()
            return card_key(top[0]) if top else ""
        card = draft.single
        if card is not None:
            places = draft.places(card)
            if places:
                return place_key(places[0])
            return next((spot.key for spot in spots if spot.key != DISCARDS), DISCARDS)
        order = draft.order
        held = [c for group in order.groups() for c in group if c not in draft.selection]
        useful = [c for c in held if draft.usable(c)] or list(reversed(order.teeth)) or held
        return card_key(useful[0]) if useful else ""


def _seating(sight: Sight, room: Rect) -> Seating:
    """Seats in ``room``; smaller ones where they would take too much of the screen, or one line of them is enough then."""
    count, layout = sight.view.rules.seats, sight.layout
    seats = seating(count, room, layout)
    gap, tall = 4.0, max(44.0, min(2.75 * layout.rem, 64.0))
    per_row = max(1, min(count, int((layout.width - gap) / (LEAST_SEAT * layout.rem + gap))))
    has_lines = seats.seats[0].y < seats.seats[-1].y
    is_one_enough = layout.narrow and has_lines and count * (LINE_SEAT * layout.rem + gap) + gap <= layout.width
    if layout.low or (seats.rest.y < layout.height * SEATS_SHARE and not is_one_enough):
        return seats
    lines = -(-count // per_row)
    per_row = -(-count // lines)
    if lines == 1:
        tall = max(tall, LINE_HIGH * layout.rem)
    width = (layout.width - gap * (per_row + 1)) / per_row
    rects = [Rect(gap + at % per_row * (width + gap), gap + at // per_row * (tall + gap), width, tall)
             for at in range(count)]
    return Seating(rects, room.top(gap + lines * (tall + gap))[1])


def in_lines(text: str, letters: float) -> list[str]:
    """``text`` broken between words into lines of at most so many letters, where no word is longer."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _well_width(pile_width: float) -> float:
    """How wide piles and contract are beside a field."""
    return 2 * pile_width + 62


def _card_rect(at: tuple[float, float], width: float) -> Rect:
    return Rect(at[0] - width * 0.54, at[1] - width * 0.54 * RATIO, width * 1.08, width * 1.08 * RATIO)
