"""The tables of Fluke TooT and TooT Pursuit: one TooT in the middle, the pile, the die, and a turn joined with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from tabletin.board.layout import resting
from tabletin.board.scene import (
    ButtonShape,
    Control,
    Drawing,
    Heap,
    Key,
    Label,
    Piece,
    Rect,
    Scene,
    Sight,
    Spot,
    Zone,
    around_all,
    card_key,
)
from tabletin.board.svg import RADIUS, circle, group, paint, rect
from tabletin.games.toot.board_counted import coin_key, rows_and_rest, rows_of_cards, rows_of_coins
from tabletin.games.toot.board_hand import HAND_SHARE, hand_size
from tabletin.games.toot.board_mat import PILE
from tabletin.games.toot.board_pile import APART, SMALL, STANDS, PileBeside
from tabletin.games.toot.board_stacks import (
    BETWEEN,
    CAPTION,
    LARGEST_SHOWN,
    LEAST_PLACE,
    MIDDLE,
    PAD,
    RATIO,
    STRIP,
    StackLine,
    StackPlacement,
    TootStack,
    arrange_with_place,
    column_signs,
    drawing,
    lines,
    opening,
    width_of,
)
from tabletin.games.toot.cards import NUMBERS, PRIMARIES, SECONDARIES, kinds, word_key
from tabletin.games.toot.draft_games import TableDraft
from tabletin.games.toot.fluke import FlukeState
from tabletin.games.toot.onetable import OneTable, OneTableState, pass_reason
from tabletin.games.toot.turn import ON_TABLE
from tabletin.kernel.faces import Face

SHOWN: Final = 6  # lines of the TooT on the table while nothing is composed
SHOWN_BESIDE: Final = 3  # … on a lower mat, and while something is, one less …
MANY: Final = 5  # … for each so many cards laid out
DIE: Final = 0.94  # of the pile's width
LARGEST_BESIDE: Final = (1.55, 1.45, 1.3, 1.2, 1.1, 1.0)  # of a card of the hand: one on the mat, beside those that lie under
                                                   # what is shown there; the smaller ones where that lets all of these be seen
BENEATH: Final = 0.6  # of a card on the mat: one of these, at most …
LEAST_BENEATH: Final = 44.0  # … and px at least; undermost cards are left out before
BENEATH_SHARE: Final = 0.33  # of the table's width that they take at most
NEXT_TO_IT: Final = 14.0  # px between them and the TooT
LETTER: Final = 0.5  # rem that a letter of a caption is wide, about
COUNTED: Final = 2.0  # seconds in which the last scene comes, turn by turn, at most …
STEP: Final = 0.06  # … and for each piece
TAP: Final = 44.0  # px that a finger hits
LOW_HAND: Final = 0.25  # of a tall phone's height, above which the middle of the table is
FOOT: Final = 40.0  # px under a TooT for its button, of which a finger hits more than is seen
LARGE: Final = 150.0  # px of a card's width, for which fewer lines of the TooT are shown
SPIN: Final = 720.0  # degrees the die turns when it is rolled
COLOURS: Final = (*PRIMARIES, *SECONDARIES)
UNROLLED: Final = 5  # dots, by which a die is known
PIPS: Final = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}  # places a to i, row by row


@cache
def die(shown: int) -> Drawing:
    """The die with ``shown`` up; 0: not rolled yet, all its dots are hollow."""
    body = rect(1, 1, 118, 118, RADIUS + 6, f'fill="{paint("ivory")}" stroke="{paint("piece-line")}" stroke-width="2"')
    places = {place: (32 + 28 * (index % 3), 32 + 28 * (index // 3)) for index, place in enumerate("abcdefghi")}
    dots = "".join(circle(*places[place], 10) for place in PIPS[shown or UNROLLED])
    ink = f'fill="{paint("ink")}"' if shown else f'fill="none" stroke="{paint("piece-line")}" stroke-width="4"'
    return Drawing(body + group(dots, ink), 120, 120, corner="die")


class TableScenery(PileBeside[OneTableState]):
    """One scene of Fluke or Pursuit."""

    rules: OneTable[Any]
    draft: TableDraft | None
    beside_hand = SHOWN_BESIDE
    most_laid = 5  # at once, nearly always; a TooT on which more is laid gives way

    def __init__(self, sight: Sight, draft: TableDraft | None) -> None:
        super().__init__(sight, draft)
        self.is_over = bool(self.state.end_reason) and not sight.laying  # what ended it is still seen as it lay
        self.is_bare = self.state.table is None and not self.is_over
        self.is_untouched = self.is_bare and (draft is None or not (draft.begun or draft.selection is not None))
        self._beneath_stacks: list[TootStack] = []
        self._has_beneath, self._least_beside, self._largest_beside = False, 0.0, LARGEST_BESIDE[0]
        self._usual_lines = self._lines_to_read()
        if self.is_over:
            self.hand_order, self.hand_cards = [], []  # what is left of it lies in a row
            return
        layout = self.sight.layout
        if layout.narrow:  # nothing moves as the hand takes a second line
            self.half_way = max(self.mat.y, (self.mat.y + layout.height * (1 - (LOW_HAND if self.is_tall else HAND_SHARE))) / 2)
        if self.is_bare:
            self._leave_room_for_the_first()
        else:
            self._leave_room_beneath()
            if self.caption and self._can_look_inside and not layout.low:
                self.caption = max(self.caption, FOOT)
            self.stand_beside()
            self._lay_out_beneath()

    @property
    def has_pile(self) -> bool:
        """An empty pile leaves its room to the TooT; the die shows what was rolled as long as that counts."""
        return bool(self.state.pile) or (self.fluke and not self.state.closing)

    @property
    def pile_card(self) -> float:
        """On a phone the pile is as large in the whole match."""
        layout = self.sight.layout
        if self.is_tall:
            return SMALL / PILE * layout.width
        return hand_size((), layout, self.beside_hand)[0] if layout.narrow else super().pile_card

    @property
    def fluke(self) -> bool:
        return self.rules.id == "toot-fluke"

    @property
    def _shown_lines(self) -> int:
        """How many lines of the TooT on the table are shown while nothing is composed; all of what ended the match."""
        usual = SHOWN_BESIDE if self._beneath_stacks else self._usual_lines
        if self._beneath_stacks or not (self.sight.laying and self.state.table is not None):
            return usual
        last = set(self.state.table_cards[-self.state.layings[-1][1]:])
        laid = [bool(last & {card for card, _ in line.pieces}) for line in lines(self.state.table)]
        return max(usual, len(laid) - laid.index(True))

    def _lines_to_read(self) -> int:
        """How many lines of the TooT on the table have room in large cards, beside the place for another one."""
        found, wide = self.table_lines(SHOWN), self.mat.width - LEAST_PLACE - BETWEEN - 4 * PAD
        while len(found) > SHOWN_BESIDE:
            needed = TootStack(tuple(found)).size(LARGE, STRIP)
            if needed[0] <= wide and needed[1] <= self.mat.height - self.caption - 2 * PAD:
                break
            found = found[1:]
        return max(SHOWN_BESIDE, len(found))

    @property
    def _can_look_inside(self) -> bool:
        """Whether the TooT on the table has more than what is shown of it."""
        seen = self._shown_lines + sum(len(stack.lines) for stack in self._beneath_stacks)
        return self.state.table is not None and len(lines(self.state.table)) > seen

    @property
    def _looks_from_stack(self) -> bool:
        """Whether the TooT on the table bears the button that opens it: where words have room under it, and nothing is tried
        out."""
        draft = self.draft
        is_free = draft is None or not (draft.begun or draft.looking or draft.selection is not None)
        return self._can_look_inside and is_free and self.caption >= FOOT and not self.sight.opened \
            and self.sight.seat is not None and not self.state.end_reason

    def _look_spot(self, zones: Sequence[Zone]) -> Spot | None:
        """That button, at the foot of the TooT."""
        at = next((zone.rect for zone in zones if zone.key == f"stack{ON_TABLE}"), None)
        if at is None or not self._looks_from_stack:
            return None
        cards, width = len(self.state.table_cards), at.width - 2 * PAD
        text = self.say("stack.table", n=cards)
        if LETTER * self.sight.layout.rem * (len(text) + 3) > width:
            text = str(cards)
        return Spot("look", at.centre[0], at.bottom - self.caption / 2, width, TAP, self.say("look_inside", n=cards),
                    flags=("button",), text=f"{text} ›")

    def _leave_room_for_the_first(self) -> None:
        """Beside the pile, which stands where it does in the whole match, the place of the first TooT has the table to itself."""
        self.mat = self.stand_pile()
        self.align = 0.0 if self.is_wide else MIDDLE
        self._first = self.mat.left(self.mat.width - (self.edge if self.is_wide else 0.0))[0].grow(-4)
        if self.draft is not None:
            self.draft.room = self.mat

    @property
    def height_beneath(self) -> float:
        """The height that the die takes under the pile."""
        return DIE + 0.2 if self.fluke else 0.0

    def usual_width(self, room: float) -> float:
        """The TooT on the table and the place for another one."""
        stack = TootStack(tuple(self.table_lines(self._shown_lines)))
        how = arrange_with_place([stack], self.around_mat()._replace(width=room), self.mat_most, self.caption)
        return around_all(how.rects).width

    def needed_width(self) -> float:
        """Who looks inside needs all."""
        return self.mat.width if self._is_opened else super().needed_width()

    def lines_beside(self) -> list[StackLine]:
        return self.table_lines(SHOWN_BESIDE if self.draft is not None and self.draft.begun else self._shown_lines)

    def place_stacks(self, stacks: Sequence[TootStack], room: Rect, most: float, *, has_place: bool) -> StackPlacement:
        """On a tall phone a TooT alone lies in the middle of the table in every turn, if it can, as large as there is
        room. The place for another one is right beside it: no wider than what is free there, as long as a finger hits it."""
        if not (self.is_tall and has_place and len(stacks) == 1) or self.is_bare:
            return super().place_stacks(stacks, room, most, has_place=has_place)
        least = LEAST_PLACE + 2 * PAD
        how = super().place_stacks(stacks, room._replace(width=room.width - BETWEEN - least), most, has_place=False)
        toot = how.rects[0]
        usual = TootStack((), is_small=True).size(how.width, how.strip)[0] + 2 * PAD
        wide = max(least, min(usual, room.right - toot.right - BETWEEN))
        high = (wide - 2 * PAD) * RATIO + 2 * PAD + self.caption
        return how._replace(rects=(toot, Rect(toot.right + BETWEEN, toot.bottom - high, wide, high)))

    # ---- what lies under the TooT on the table ----

    def _leave_room_beneath(self) -> None:
        """On a wide table all of the TooT is seen: what lies under its topmost lines stands left of them, in columns of smaller
        cards, between them and the pile. How large all is follows from the table alone and leaves room for one card beside it,
        so that laying that changes nothing. Only where a turn would make cards smaller than in the hand these give way."""
        table, layout = self.state.table, self.sight.layout
        beneath = [] if table is None or layout.low or not self.is_wide or self._is_opened else lines(table)[:-SHOWN_BESIDE]
        self._has_beneath = bool(beneath)
        if any(self._fits_beneath(beneath, largest) for largest in LARGEST_BESIDE if beneath):
            return
        while beneath:
            if self._fits_beneath(beneath, LARGEST_BESIDE[0]):
                return
            beneath = beneath[1 + len(beneath) // 8:]
        self._has_beneath, self._least_beside = False, 0.0

    def _fits_beneath(self, beneath: list[StackLine], largest: float) -> bool:
        """Whether there is room for ``beneath`` where a card on the mat is at most ``largest`` of one of the hand. Then it stands
        there, unless a turn would make cards smaller than in the hand."""
        self._largest_beside = largest
        top = TootStack(tuple(self.table_lines(SHOWN_BESIDE)))
        self._least_beside = width_of([top, TootStack(()), TootStack((), is_small=True)], self.mat_most)
        room = self.around_mat()
        pile = STANDS * self.card + APART if self.has_pile else 0.0
        beside = room.width - self.least_edge - pile - NEXT_TO_IT
        wide = max(1.0, min(beside - self._least_beside, BENEATH_SHARE * room.width))
        stacks, how = opening(beneath, Rect(0, 0, wide, room.height - self.caption), BENEATH * self.mat_most)
        if how.width < LEAST_BENEATH or how.strip != STRIP:
            return False
        between = max(around_all(how.rects).width, LETTER * self.sight.layout.rem * len(self._words_beneath(stacks)) + 2 * PAD)
        if beside - between >= self.width_with(self.card):
            self._beneath_stacks, self._beneath_how, self.beside_gap = stacks, how, between + NEXT_TO_IT
        return True

    def _words_beneath(self, stacks: list[TootStack]) -> str:
        """How many cards lie under what is shown on the mat."""
        return self.say("beneath", n=sum(len(line.pieces) for stack in stacks for line in stack.lines))

    @property
    def mat_most(self) -> float:
        """As wide as a phone held upright has room for; less wide where more lies beside it."""
        if not self.is_wide:
            return LARGEST_SHOWN
        return min(super().mat_most, self._largest_beside * self.card) if self._has_beneath else super().mat_most

    def _lay_out_beneath(self) -> None:
        """Their places, as soon as it is known where the mat is."""
        if not self._beneath_stacks:
            return
        how, room = self._beneath_how, self.gap_room
        around = around_all(how.rects)
        x, y = room.centre[0] - NEXT_TO_IT / 2 - around.centre[0], room.centre[1] - self.caption / 2 - around.centre[1]
        self._beneath_how = how._replace(rects=tuple(rect._replace(x=rect.x + x, y=rect.y + y) for rect in how.rects))
        self.seen_beneath = frozenset(card_key(card) for stack in self._beneath_stacks for line in stack.lines
                                      for card, _ in line.pieces)
        self.under_mat = len(self.seen_beneath) + len(how.rects)  # and the signs between columns

    def _beneath_scenery(self) -> tuple[list[Piece], list[Zone], list[Label]]:
        """What lies under the topmost lines, and how many cards that are."""
        if not self._beneath_stacks:
            return [], [], []
        how, pieces = self._beneath_how, column_signs(self._beneath_how.rects)
        for stack, at in zip(self._beneath_stacks, how.rects, strict=True):
            pieces += [replace(piece, label=self.lies_as("on_table", piece, stack)) for piece in
                       self.stack_pieces(stack, at, how, len(pieces) + 1, faces=self.sight.view.faces)]
        around, room = around_all(how.rects), self.gap_room
        caption = min(self.caption, CAPTION * self.sight.layout.rem)
        around = Rect(room.x, around.y, room.width - NEXT_TO_IT, around.height + caption)
        said = self._words_beneath(self._beneath_stacks)
        label = Label("beneath", around.centre[0], around.bottom - caption / 2 - 1, said)
        return pieces, [Zone("beneath-place", around, "mat", said)], [label] if self.caption else []

    @property
    def _is_opened(self) -> bool:
        """Whether all of the TooT on the table is looked at."""
        return self.sight.opened if self.draft is None else self.draft.looking

    @property
    def lays_now(self) -> bool:
        """Nothing is laid before something was drawn."""
        return self.state.drawn

    def _words_for_hand(self) -> list[Label]:
        """Where the own hand will lie, as long as there is none; a hand that is all laid out on trial is one."""
        if self.hand_order or self.sight.seat is None or self.state.end_reason:
            return []
        return [Label("hand-empty", *self.tray.centre, self.say("hand_here"))]

    def scene(self) -> Scene:
        state, sight, draft = self.state, self.sight, self.draft
        if self.is_over:
            return self._counted()
        drawing_now = draft is not None and not state.drawn
        verb = self.rules.draw_verb
        pieces, zones, labels, spots, rests = self.pile(self.say(f"do.{verb}"), live=drawing_now and not self.fluke)
        if not state.pile:
            zones, labels = [], []  # not even its frame
        most = self.mat_most
        beside = max(1, SHOWN_BESIDE - len(draft.turn.mat_cards) // MANY) if draft is not None and draft.begun else \
            self._shown_lines
        is_pile_hidden = self._is_crowded(beside)
        if is_pile_hidden:  # it is not needed now, and its room is
            self.mat = self.around_table()
            if draft is not None:
                draft.room = self.mat
            pieces, zones, labels, spots = [], [], [], []
            rests = [resting(state.pile, self.pile_at(), self.pile_width, drawing(None))]
            most = self.mat_most
        if draft is None:
            look_inside = sight.opened and state.table is not None
            found = self.table_scenery(self.mat, most) if look_inside else self.static_table(self.mat, most, beside)
            pieces, zones, labels, rests = ([*pieces, *found[0]], [*zones, *found[1]], [*labels, *found[2]],
                                            [*rests, *found[-1]])
        else:
            self.take_the_empty_tray()
            mat = self.mat_scenery(self.mat, most, beside)
            pieces, zones, labels, spots, rests = (
                [*pieces, *mat[0]], [*zones, *mat[1]], [*labels, *mat[2]], [*spots, *mat[3]], [*rests, *mat[4]])
        if self.is_untouched:
            shown, place, words = self.first_place("first", self.place_examples(self._first), self.say("first"),
                                                    self.say("no_table"))
            pieces, zones, labels = [*pieces, *shown], [*zones, place], [*labels, *words]
        beneath = self._beneath_scenery()
        pieces, zones, labels = [*pieces, *beneath[0]], [*beneath[1], *zones], [*labels, *beneath[2]]
        labels = [*labels, *self._words_for_hand()]
        look = self._look_spot(zones)
        if look is not None:  # it says how many cards there are, too
            spots, labels = [*spots, look], [label for label in labels if label.key != f"verdict{ON_TABLE}"]
        if self.fluke and not is_pile_hidden:
            pieces += self._die(live=drawing_now)
        note, warning = self._note()
        rests = [*rests, *self._coins_to_come()]
        scores = [str(score) for score in self.rules.standings(state)]
        notes = [self.say("call.pass") if seat in state.passed_seats else "" for seat in range(self.rules.seats)]
        return self.compose(pieces=pieces, spots=spots, zones=zones, labels=labels, rests=rests, scores=scores,
                            counted=not self.fluke, notes=notes, ask=self._ask(), status=self._status(),
                            controls=self._controls(), note=note, warning=warning,
                            focus=self._begin() if drawing_now else "")

    # ---- the end ----

    def _counted(self) -> Scene:
        """The match is over: the whole TooT, and below it what each seat is counted by. Both come turn by turn."""
        state, sight = self.state, self.sight
        room = self.around_mat()
        room = room._replace(height=self.tray.bottom - room.y - 4)
        rows_at, rest = rows_and_rest(self.rules.seats, room, sight.layout)
        title, self.mat = rest.foot(1.6 * sight.layout.rem)
        scores, outcome = self.rules.standings(state), self.rules.outcome(state)
        counted = rows_of_cards if self.fluke else rows_of_coins
        rows = counted(sight, rows_at, scores, () if outcome is None else outcome.winners)
        pieces: list[Piece] = []
        zones: list[Zone] = []
        labels = [Label("whole", *title.centre, self.say("table", n=len(state.table_cards)), "title"), *rows.labels]
        if state.table is not None:
            pieces, zones = self.table_scenery(self.mat, self.mat_most)[:2]
        coins = {piece.key: piece for row in rows.pieces for piece in row}
        pieces = [*self._by_turns(pieces, coins), *(piece for piece in coins.values() if self.fluke)]
        self.mat = room
        scene = self.compose(pieces=pieces, zones=(*zones, *rows.zones), labels=labels,
                             scores=list(map(str, scores)), counted=not self.fluke, note=self._note()[0])
        return replace(scene, won_at=rows.won_at, count_seconds=min(COUNTED, STEP * len(scene.pieces)))

    def _by_turns(self, pieces: Sequence[Piece], coins: Mapping[Key, Piece]) -> list[Piece]:
        """``pieces`` of the TooT in the order in which they were laid, after those of each turn its coin, if there is one."""
        found = {piece.key: piece for piece in pieces}
        made, first = [], 0
        for turn, (_, count) in enumerate(self.state.layings):
            made += [found.pop(card_key(card)) for card in self.state.table_cards[first:first + count]]
            made += [coins[coin_key(turn)]] if coin_key(turn) in coins else []
            first += count
        return [*made, *found.values()]

    def _coins_to_come(self) -> list[Heap]:
        """What ended the match is seen as it lay: where the points of each turn will come from, once all is laid out."""
        if self.fluke or not self.state.end_reason:
            return []
        over = type(self)(replace(self.sight, laying=False), None)
        lies = {piece.key: piece for piece in over.scene().pieces}
        heaps, first = [], 0
        for turn, (_, count) in enumerate(self.state.layings):
            laid = [lies[card_key(card)] for card in self.state.table_cards[first:first + count]]
            top = max(laid, key=lambda piece: piece.z)
            heaps.append(Heap((top.x, top.y), top.width * 0.5, frozenset((coin_key(turn),))))
            first += count
        return heaps

    def _is_crowded(self, table_lines: int) -> bool:
        """Whether what is composed on a phone held upright needs the room of the pile: on one that is not tall for several
        stacks, else where cards would be smaller than in the hand."""
        draft, layout = self.draft, self.sight.layout
        if draft is None or not draft.begun or not self.state.drawn or self.is_bare or not layout.narrow or layout.low:
            return False
        if not self.is_tall and len(draft.turn.groups) > 1:
            return True
        return self.placement(self.mat, self.mat_most, table_lines).width < self.card

    def _begin(self) -> Key:
        """Before drawing the keyboard stands where cards come from."""
        return "die" if self.fluke else next(map(card_key, self.state.pile), "")

    def _die(self, *, live: bool) -> list[Piece]:
        """The die lies under the pile. After a roll it has turned twice and lies a little askew."""
        state = self.state
        assert isinstance(state, FlukeState)
        if state.closing:
            return []
        side = self.pile_width * DIE
        x, y = self.pile_at()
        turn = -8.0 if not state.roll else SPIN + 5.0 * state.roll - 14
        label = self.say("die", n=state.roll) if state.roll else self.say("do.roll") if live else ""
        y += self.pile_width * RATIO / 2 + side * 0.72 + 10
        return [Piece("die", die(state.roll), x, y, side, label, turn=turn, z=12, flags=("legal",) if live else (), tap=live)]

    def _ask(self) -> str:
        draft = self.draft
        if draft is None:
            return ""
        if not self.state.drawn:
            return self.say(f"ask.{self.rules.draw_verb}")
        return self.say("ask.pass" if draft.stuck else "ask.lay")

    def _status(self) -> str:
        state, sight = self.state, self.sight
        if not state.closing or state.end_reason:
            is_stuck = self.draft is not None and state.drawn and self.draft.stuck and not self.draft.begun
            return self.say("must_pass") if is_stuck and len(sight.people) == 1 else ""
        return self.say("last_turn") if sight.may_act and len(sight.people) == 1 else \
            self.say("last_turn_of", seat=sight.words.seat(state.turn))

    def _note(self) -> tuple[str, bool]:
        draft, state = self.draft, self.state
        if state.end_reason:
            return self.say("note.over_fluke" if self.fluke else "note.over_pursuit"), False
        if draft is None:
            return "", False
        said = self.mat_note()
        if said[0]:
            return said
        if not state.drawn:
            hoped = () if self.fluke else draft.would_fit()
            if hoped:
                return self.say("note.draw_hope", cards=self._any_of(hoped)), False
            is_first = self.fluke and self.is_bare  # what wins is said once
            return self.say(f"note.{self.rules.draw_verb}{'_first' if is_first else ''}"), False
        if draft.stuck:
            return self.sight.say(pass_reason(kinds(draft.faces[card] for card in draft.hand), state.top_face)), False
        return self.say("note.begin" if state.table is not None else "note.start"), False

    def _any_of(self, faces: Sequence[Face]) -> str:
        """``faces`` in words: all of them numbers by themselves, and colours by themselves as long as not any of them will do."""
        named = [self.say("one_number", n=face) for face in faces if face in NUMBERS]
        colours = [self.sight.say(word_key(face)) for face in faces if face not in NUMBERS]
        if len(colours) == len(COLOURS):
            colours = [self.say("any_colour")]
        *first, last = named + colours
        return self.say("or", first=", ".join(first), last=last) if first else last

    def _controls(self) -> list[Control]:
        draft, state = self.draft, self.state
        if draft is None:
            shows = self.sight.opened or (self._can_look_inside and not self._looks_from_stack)
            if not shows or self.sight.seat is None or state.end_reason:
                return []
            return [Control("look", self.say("do.close" if self.sight.opened else "do.look"), shortcut="i")]
        if draft.looking:
            return [Control("look", self.say("do.close"), primary=True, shortcut="c")]
        look = [Control("look", self.say("do.look"), shortcut="i")] if \
            self._can_look_inside and not self._looks_from_stack and draft.selection is None and not draft.begun else []
        if not state.drawn:
            verb = self.rules.draw_verb
            return [*look, *self.mat_controls(), Control(verb, self.say(f"do.{verb}"), primary=True, shortcut="c")]
        is_best = draft.stuck or draft.passes
        passing = Control("pass", self.say("do.pass"), primary=is_best, shortcut="c" if is_best else "p",
                          shape=ButtonShape.SHARED)
        if not draft.begun:
            not_yet = Control("play", self.say("do.lay"), why=self.sight.say("toot.refuse.nothing_laid"),
                              shortcut="" if is_best else "c")
            return [*look, passing, not_yet]
        fault = draft.turn.flaw()
        key = "do.not_yet" if fault is not None else "do.play" if self.fluke else "do.play_point"
        play = Control("play", self.say(key, n=len(draft.turn.mat_cards)), primary=fault is None, shortcut="c",
                       why="" if fault is None else self.reason(fault))
        return [*self.mat_controls(), play]  # passing is offered once nothing lies there
