"""What the tables of all four TooT games share: seats, the hand, and the mat on which stacks are composed.

It builds a scene from what one reader sees and from that reader's draft. Faces come from the reader's own knowledge and nowhere
else. Each game adds its own part (``board_table``, ``board_progressive``, ``board_speed``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Generic

from tabletin.board.layout import LEAST_SHOWN, count_point, heap, plates, resting, seating
from tabletin.board.scene import (
    ButtonShape,
    Control,
    Heap,
    Key,
    Label,
    Piece,
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
from tabletin.games.toot.arrangement import Node, cards_of, nodes, pieces_of
from tabletin.games.toot.base import S, TootRules
from tabletin.games.toot.board_examples import ExamplePlacement, examples, makeable, place_examples
from tabletin.games.toot.board_hand import (
    ABOVE,
    BELOW,
    FEWEST,
    closed_up,
    depth,
    hand_places,
    hand_size,
    in_lines,
    spread,
)
from tabletin.games.toot.board_stacks import (
    BETWEEN,
    CAPTION,
    MIDDLE,
    PAD,
    RATIO,
    StackLine,
    StackPlacement,
    TootStack,
    arrange,
    arrange_with_place,
    centre_at,
    column_signs,
    drawing,
    lines,
    opening,
    sorted_hand,
)
from tabletin.games.toot.cards import STATED, WILD, word_key
from tabletin.games.toot.draft import AS, HAND, MAT, ONTO, TootDraft
from tabletin.games.toot.turn import ON_TABLE
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refusal
from tabletin.words import figure

PILE: Final = 0.82  # of a card's width, a card of the pile
EMPTY: Final = 3.0  # rem of height for the tray without a hand
LABEL_HALF: Final = 12.0  # px, half of what the largest label is high
MAT_LARGER: Final = 1.75  # of a card of the hand: one on the mat, at most …
MAT_LEAST: Final = 1.25  # … and to begin with, however many there are
PAIR_AND_SLOT: Final = 2.1  # cards side by side that a mat has room for
LETTER: Final = 0.3  # rem that a letter of a plain label is wide, at most
CAPTION_LETTER: Final = 0.34  # … and one of words under a stack
LABEL_LETTER: Final = 0.42  # rem that a letter of a plain label takes where many stand together
MOST_LETTER: Final = 0.027  # of the table's width, how wide such a letter is at most, and …
WORD_LINE: Final = 1.1  # rem of height for a word of several below each other
LABEL_LINE: Final = 0.07  # … how high a line: very large text is as large as fits (enlarged.css)
LOW: Final = 9.0  # rem of a mat that has no room for words under its stacks
WRONG: Final = frozenset({"touch", "touch_one", "touch_all", "count_one", "no_pair", "only_number", "not_wild", "table_twice"})
"""Faults that more cards do not mend."""

COUNT: Final = frozenset({"count", "count_one"})


class Scenery(Generic[S]):
    """One scene in the making. ``mat``: the room between seats and hand; ``side``: left of it, for pile and die."""

    rules: TootRules[Any]
    align = MIDDLE  # of what stacks in a row leave free, how much is at their left
    middle: float | None = None  # where the middle of all stacks is if it can be, px; None: as ``align`` has it
    half_way: float | None = None  # … and how far down, px; None: half-way down the mat
    lent_height = 0.0  # px of the mat's height that the first hand will take
    is_untouched = False  # whether something else lies where the first cards will
    beside_hand = 0  # lines of the TooT on the table that are to be seen while the hand is laid onto it
    under_mat = 0  # pieces that lie lower than every stack on the mat
    most_laid = 99  # cards of a hand, as many as there are
    closes_up = True  # whether cards that are left in the hand close up where others were laid; its tray stays as high
    seen_beneath: frozenset[Key] = frozenset()  # cards of the TooT on the table that are drawn beside what is shown of it

    def __init__(self, sight: Sight, draft: TootDraft[S] | None) -> None:
        self.sight = sight
        self.draft = draft
        self.state: S = sight.view.state
        assert isinstance(sight.view.rules, TootRules)
        self.rules = sight.view.rules
        self.language = sight.words.catalogue.language
        layout = sight.layout
        held = self._held()
        self.card, lines = hand_size([self.hand_face(card) for card in held], layout, self.beside_hand, self.least_held)
        self.caption = CAPTION * layout.rem
        self.hand_order = held
        self.hand_cards = [card for card in held if draft is None or card in draft.turn.hand_left]
        fits = max(1, int((layout.width - 12 - self.card) / LEAST_SHOWN) + 1)
        lines = max(lines, -(-len(held) // fits))
        full = self.card * RATIO * (1 + spread(self.card, lines, layout) * (lines - 1)) + ABOVE + BELOW
        self.tray, above = layout.rect.foot(full)
        self.hand_lines = lines
        self.seats, self.mat = seating(sight.view.rules.seats, above, layout)
        self.mat = self.mat.grow(-4)
        if sight.seat is not None and not held:
            self._lower_the_tray()
        if self.mat.height < LOW * layout.rem:
            self.caption = 0.0  # the line beside the hand says it
        self.pile_width = self.pile_card * PILE if self.has_pile else 0.0
        self.side, self.mat = self.mat.left(self.pile_width + 14 if self.has_pile else 0.0)
        if draft is not None:
            draft.room = self.mat

    @property
    def has_pile(self) -> bool:
        """Whether there is a pile to draw from, or something else in its column."""
        return True

    @property
    def pile_card(self) -> float:
        """How wide a card is that those of the pile are somewhat smaller than, px."""
        return self.card

    def _lower_the_tray(self) -> None:
        """Without a hand the tray is a line of words, and the mat has its room; seats stay where they are."""
        bottom, before = self.mat.bottom - self.tray.y, self.tray.y
        self.tray = self.sight.layout.rect.foot(min(self.tray.height, EMPTY * self.sight.layout.rem))[0]
        self.mat = self.mat._replace(height=self.tray.y + bottom - self.mat.y)
        self.lent_height = self.tray.y - before

    @property
    def least_held(self) -> int:
        """How many cards of a hand there is room for from the beginning."""
        return FEWEST

    @property
    def mat_most(self) -> float:
        """How wide a card on the mat may be, px: so that one TooT of the hand, or of as many of its cards as are usually laid,
        has room as large as it began."""
        held = () if self.sight.seat is None else self.state.hands[self.sight.seat]
        count = max(4, min(self.most_laid, len(held)))
        deep = depth(count)
        upright = (self.mat.height - self.caption - 2 * PAD) / (RATIO * deep)
        across = (self.mat.width - 4 * PAD - BETWEEN) / PAIR_AND_SLOT
        return max(MAT_LEAST * self.card, min(MAT_LARGER * self.card, upright, across))

    def take_the_empty_tray(self) -> None:
        """With every card on it, and none about to be taken back, the mat is as large as can be."""
        draft = self.draft
        if draft is None or not draft.begun:
            return
        if not draft.turn.hand_left and draft.selection is None and draft.asking is None:
            self.mat = Rect(self.mat.x, self.mat.y, self.mat.width, self.tray.bottom - self.mat.y - 4)
            draft.room = self.mat

    # ---- words ----

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"toot.board.{key}", **params)

    def say_of(self, key: str, seat: int, **params: object) -> str:
        """The words of ``key`` about ``seat``, or to the only person here."""
        return self.say(key, seat=seat, **params)

    def card_name(self, card: Card) -> str:
        return self.sight.words.card(card, self.sight.view.faces)

    def stated_name(self, name: str, stated: Face | None) -> str:
        """``name`` of a card that lies, with what it stands for if it is an X."""
        return name if stated is None else self.say("stands_for", card=name, face=word_key(stated))

    def lies_as(self, key: str, piece: Piece, stack: TootStack) -> str:
        """The words of ``key`` about ``piece`` of ``stack``."""
        card = int(piece.key[1:])
        return self.say(key, card=self.stated_name(self.card_name(card), stack.stated_face(card)))

    def reason(self, refusal: Refusal) -> str:
        return self.sight.words.refusal(refusal)

    # ---- the whole ----

    def scene(self) -> Scene:
        """The table."""
        raise NotImplementedError

    def compose(self, *, pieces: Sequence[Piece], spots: Sequence[Spot] = (), zones: Sequence[Zone] = (),
                labels: Sequence[Label] = (), controls: Sequence[Control] = (), rests: Sequence[Heap] = (),
                scores: Sequence[str] = (), counted: bool = True, notes: Sequence[str] = (), ask: str = "",
                status: str = "", note: str = "", warning: bool = False, focus: Key = "", is_checking: bool = False,
                counts: Sequence[int] | None = None, won: Collection[int] | None = None) -> Scene:
        """The scene with seats, tray, hand and the question there may be; ``counted``: cards are shown beside scores,
        ``counts`` where these are not those held now; ``won``: as ``plates`` takes it."""
        sight = self.sight
        hand = self._hand()
        tray = (Zone("tray", self.tray, "tray"),) if self.mat.bottom <= self.tray.y + 1 else ()  # results take its place
        own = [resting(cards, count_point(self.seats[seat]), self.card * 0.4, drawing(None))
               for seat, cards in enumerate(self.state.hands) if seat != sight.seat]
        return Scene(
            pieces=(*pieces, *hand), spots=tuple(spots), zones=(*tray, *zones),
            labels=tuple(labels), controls=tuple(controls), resting=(*own, *rests),
            plates=plates(sight, self.seats, scores=scores, notes=notes, is_checking=is_checking,
                          counts=(counts or [len(cards) for cards in self.state.hands]) if counted else (), won=won),
            ask=ask, status=status, is_checking=is_checking, note=note, warning=warning, prompt=self._prompt(),
            focus=focus or self._focus(spots, hand), hand=self.tray)

    def _focus(self, spots: Sequence[Spot], hand: Sequence[Piece]) -> Key:
        if self.draft is None:
            return ""
        if self.draft.selection is not None and spots:
            return next((spot.key for spot in spots if spot.key.startswith(ONTO)), spots[0].key)
        return next((piece.key for piece in hand if piece.tap), "")

    def coming(self, seat: int, keys: Iterable[Key], at: Point | None = None) -> Heap:
        """From where ``keys``, which ``seat`` is about to show, will come: ``at``, else the reader's mat or the plate."""
        if at is None:
            at = self.mat.centre if seat == self.sight.seat else self.seats[seat].centre
        return Heap(at, self.card * 0.6, frozenset(keys))

    # ---- the hand ----

    @property
    def lays_now(self) -> bool:
        """Whether a place for another TooT is of use."""
        return True

    def _held(self) -> list[Card]:
        sight = self.sight
        if sight.seat is None:
            return []
        cards = self.state.hands[sight.seat]
        return sorted_hand(cards, {card: self.hand_face(card) for card in cards})

    def hand_face(self, card: Card) -> Face | None:
        """What a card of the own hand shows."""
        return self.sight.face(card)

    @property
    def playable(self) -> bool:
        """Whether cards may be tried out now."""
        return self.draft is not None

    def _hand(self) -> list[Piece]:
        draft, found = self.draft, []
        fresh = self.sight.fresh.intersection(self.hand_order)
        news = fresh if len(fresh) < len(self.hand_order) else frozenset[Card]()  # where all are new, none of them stands out
        room = Rect(self.tray.x + 6, self.tray.y + ABOVE, self.tray.width - 12, self.tray.height - ABOVE - BELOW)
        whole = in_lines(self.hand_order, self.hand_lines, self.least_held)
        in_hand = closed_up(whole, self.hand_cards) if self.closes_up else whole
        lies = dict(zip((card for line in in_hand for card in line),
                        hand_places([[self.hand_face(card) for card in line] for line in in_hand], room, self.card),
                        strict=True))
        for index, card in enumerate(self.hand_cards):
            lie, face = lies[card], self.hand_face(card)
            chosen = draft is not None and draft.selection == card
            label = "" if face is None else self.say("held", card=self.card_name(card), n=index + 1, of=len(self.hand_cards))
            live = self.playable and face is not None
            flags = ("chosen",) if chosen else ("new",) if card in news else ()
            found.append(Piece(card_key(card), drawing(face, None, self.language), lie.x, lie.y - (10 if chosen else 0),
                               self.card, label, z=20 + lie.z, flags=flags, tap=live, drag=live,
                               pressed=chosen if live else None, row="hand"))
        return found

    # ---- the pile ----

    def pile_at(self) -> Point:
        return self.side.x + self.side.width / 2, self.side.y + self.pile_width * RATIO / 2 + 6

    def pile(self, label: str, *, live: bool) -> tuple[list[Piece], list[Zone], list[Label], list[Spot], list[Heap]]:
        """The draw pile; ``live``: it can be drawn from now, by a tap on its top card or by carrying that to the hand."""
        at, width, cards = self.pile_at(), self.pile_width, self.state.pile
        shown = cards[:3]
        pieces = [Piece(card_key(card), drawing(None), lie.x, lie.y, width, label if live and card == shown[0] else "", z=lie.z,
                        flags=("legal",) if live and card == shown[0] else (), tap=live and card == shown[0],
                        drag=live and card == shown[0], row="pile")
                  for card, lie in zip(reversed(shown), heap(len(shown), at), strict=True)]
        place = Rect(at[0] - width * 0.53, at[1] - width * RATIO * 0.52, width * 1.06, width * RATIO * 1.04)
        zones = [Zone("pile-place", place, "slot", self.say("pile", n=len(cards)))]
        labels = [Label("pile-count", at[0], at[1] + width * RATIO / 2 - 4, str(len(cards)), "count")]
        carried = self.draft is not None and self.draft.carries_pile
        spots = [Spot(HAND, *self.tray.centre, self.tray.width, self.tray.height, label)] if live and carried else []
        return pieces, zones, labels, spots, [resting(cards[3:], at, width, drawing(None))]

    # ---- stacks ----

    def table_lines(self, most: int) -> list[StackLine]:
        """The TooT on the table, no more than its topmost ``most`` lines."""
        table = self.state.table
        return [] if table is None else lines(table)[-most:]

    def stack_pieces(self, stack: TootStack, at: Rect, how: StackPlacement, z: int, *, faces: Mapping[Card, Face | None],
                     prefix: str = "c", **same: Any) -> list[Piece]:
        """The cards of ``stack``, which stands in ``at``."""
        inner = Rect(at.x + PAD, at.y + PAD, at.width - 2 * PAD, at.height - 2 * PAD)
        return [Piece(f"{prefix}{lie.card}", drawing(faces.get(lie.card), lie.stated_face, self.language), lie.x, lie.y,
                      how.width, z=lie.z, **same) for lie in stack.lies(inner, how.width, how.strip, z)]

    @property
    def _has_slot(self) -> bool:
        """Whether there is a place for another TooT."""
        assert self.draft is not None
        return bool(self.draft.turn.hand_left) or self.draft.nested

    def placement(self, room: Rect, most: float, table_lines: int) -> StackPlacement:
        """Where the stacks on the mat lie in ``room``, and last a place for another one; of the TooT on the table so many
        lines."""
        assert self.draft is not None
        table = self.table_lines(table_lines)
        stacks = [TootStack(tuple(lines(node, table))) for node in self.draft.groups()]
        return self.place_stacks(stacks, room, most, has_place=self._has_slot)

    def place_stacks(self, stacks: Sequence[TootStack], room: Rect, most: float, *, has_place: bool) -> StackPlacement:
        """``stacks`` and, last, the place for another one, if there is one."""
        how = (arrange_with_place if has_place else arrange)(stacks, room, most, self.caption, align=self.align)
        return centre_at(how, room, self.middle, self.half_way)

    def mat_scenery(self, room: Rect, most: float, table_lines: int) -> tuple[list[Piece], list[Zone], list[Label],
                                                                           list[Spot], list[Heap]]:
        """The mat: a stack for each group, with its verdict; places where what is chosen may go."""
        draft = self.draft
        assert draft is not None
        if draft.looking and self.state.table is not None:
            return self.table_scenery(self.mat, most)
        groups, names = draft.groups(), draft.names()
        how = self.placement(room, most, table_lines)
        pieces: list[Piece] = []
        zones: list[Zone] = []
        labels: list[Label] = []
        spots: list[Spot] = []
        joins = draft.joins()
        moving = draft.selection is not None
        for node, stack, name, at in zip(groups, how.stacks, names, how.rects, strict=False):
            fault = draft.fault(node)
            pieces += self._live(stack, self.stack_pieces(stack, at, how, self.under_mat + len(pieces) + 1,
                                                          faces=self.sight.view.faces))
            joined = moving and name in joins
            points = draft.points_at(name) if joined else None
            zones.append(Zone(f"stack{name}", at, "mat", self._spoken(node, fault), flags=() if fault else ("legal",)))
            words, is_whole = self._forecast(name) if joined else (self._caption(node, fault), fault is None)
            if self.caption and points is None and (len(groups) < 2 or self._has_room(words, at)):
                labels.append(Label(f"verdict{name}", at.centre[0], at.bottom - self.caption / 2 - 1,
                                    words, "title" if is_whole else "plain"))
            if joined:
                spots.append(self._spot(f"{ONTO}{name}", at, points,
                                        self.say("onto", card=self._chosen_name(), stack=self._contents(node)), "over"))
        if self._has_slot:
            at = how.rects[-1]
            inner = Rect(at.x + PAD, at.y + PAD, at.width - 2 * PAD, at.height - 2 * PAD - self.caption)
            if not self.is_untouched and (moving or self.lays_now or draft.newcomer is not None):
                zones.append(Zone("place", inner, "slot", flags=("waiting",)))
            if not draft.turn.groups and not moving and not self.is_untouched:
                below = inner.bottom + max(self.caption / 2, LABEL_HALF) + 3
                words = self.say("lay_here")
                half = LETTER * self.sight.layout.rem * len(words) / 2
                labels.append(Label("empty", max(inner.centre[0], room.x + half), below, words))  # clear of the pile
            elif not self.is_untouched and self.lays_now and (draft.turn.groups or not moving):
                labels += self._words_for_another(inner)
            if moving and (draft.nested or draft.selection in draft.turn.hand_left):
                points = draft.points_at(None)
                spots.append(self._spot(MAT, inner, points, self.say("by_itself", card=self._chosen_name())))
                words, is_whole = self._forecast(None)
                if self.caption and points is None and self._has_room(words, at) and draft.turn.groups:
                    labels.append(Label("forecast", at.centre[0], at.bottom - self.caption / 2 - 1, words,
                                        "title" if is_whole else "plain"))
            elif draft.newcomer is not None:  # one tap laid it where it makes sense; another takes it here
                spots.append(self._spot(MAT, inner, None, self.say("by_itself", card=self.card_name(draft.newcomer)), "quiet"))
        if moving and draft.selection in draft.turn.mat_cards:
            spots.append(Spot(HAND, *self.tray.centre, self.tray.width, self.tray.height,
                              self.say("to_hand", card=self._chosen_name())))
        return pieces, zones, labels, spots, self._beneath(pieces, how)

    def _forecast(self, onto: Card | None) -> tuple[str, bool]:
        """A few words about what the card that is chosen would make there, and whether that is a TooT."""
        draft = self.draft
        assert draft is not None
        node = draft.made_at(onto)
        fault = draft.fault(node)
        return self._caption(node, fault), fault is None

    def _has_room(self, words: str, at: Rect) -> bool:
        """Whether ``words`` under the stack at ``at`` leave those of its neighbour alone."""
        layout = self.sight.layout
        return min(CAPTION_LETTER * layout.rem, MOST_LETTER * layout.width) * len(words) <= at.width + BETWEEN

    def _words_for_another(self, place: Rect) -> list[Label]:
        """That ``place`` is for one more, beside what lies: a plus, and where there is room for them words below it."""
        rem, (x, y), words = self.sight.layout.rem, place.centre, self.say("another").split()
        widest = LABEL_LETTER * rem * max(map(len, words))
        if widest > place.width or WORD_LINE * rem * (len(words) + 1.5) > place.height:
            return [Label("another", x, y, "+", "big")]
        first = y - WORD_LINE * rem * (len(words) - 1) / 2  # the middle of all lines is that of the place
        return [Label("another", x, first - WORD_LINE * rem * 0.5, "+", "big"),
                *(Label(f"another{index}", x, first + WORD_LINE * rem * (index + 0.7), word) for index, word in enumerate(words))]

    def building_scenery(self, room: Rect) -> tuple[list[Piece], list[Zone], list[Label], list[Spot], list[Heap]]:
        """The mat in ``room`` where nobody's TooT lies; before the first card is chosen it shows what a TooT is, if it can."""
        draft = self.draft
        assert draft is not None
        shown = None if draft.begun or draft.selection is not None else self.place_examples(room.grow(-4))
        self.is_untouched = shown is not None and self.can_read(shown)
        pieces, zones, labels, spots, rests = self.mat_scenery(room, self.mat_most, 0)
        if shown is not None and self.is_untouched:
            cards, place, words = self.first_place("place", shown, self.say("example.title"), self.say("lay_here"))
            pieces, zones, labels = [*pieces, *cards], [*zones, place], [*labels, *words]
        return pieces, zones, labels, spots, rests

    def _spot(self, key: Key, at: Rect, points: int | None, label: str, *flags: str) -> Spot:
        """A place at ``at`` and what it would score: points, or where few win the cards that would be in one TooT."""
        said = self.sight.with_points(label, points) if points is None or points > 0 else \
            self.say("place_one", place=label, n=-points)
        return Spot(key, *at.centre, at.width, at.height, said, flags=flags,
                    points="" if points is None else figure(points, plus=True))

    def _beneath(self, pieces: Sequence[Piece], how: StackPlacement) -> list[Heap]:
        """The cards of the TooT on the table that are not seen lie under it."""
        shown = {piece.key for piece in pieces} | self.seen_beneath
        laid = self.state.table_cards
        hidden = [card for card in laid if card_key(card) not in shown]
        on_table = [piece for piece in pieces if piece.key in {card_key(card) for card in laid}]
        if not hidden or not on_table:
            return []
        return [Heap((on_table[0].x, on_table[0].y), how.width, frozenset(map(card_key, hidden)))]

    def _live(self, stack: TootStack, pieces: list[Piece]) -> list[Piece]:
        """``pieces`` of ``stack``, to be tapped."""
        draft = self.draft
        assert draft is not None
        laid = set(self.state.table_cards)
        made = []
        for piece in pieces:
            card = int(piece.key[1:])
            mine = card not in laid
            chosen = draft.selection == card or (not mine and draft.selection == ON_TABLE)
            key = "lies" if mine else "on_table"
            new = not mine and card in self.sight.fresh
            flags = ("chosen",) if chosen else ("tentative",) if mine and laid else ("new",) if new else ()
            made.append(Piece(piece.key, piece.drawing, piece.x, piece.y, piece.width,
                              self.lies_as(key, piece, stack), z=piece.z, flags=flags, tap=True, drag=mine,
                              pressed=chosen))
        return made

    def table_scenery(self, room: Rect, most: float) -> tuple[list[Piece], list[Zone], list[Label], list[Spot],
                                                        list[Heap]]:
        """The TooT on the table with all its cards, in columns, the undermost first."""
        stacks, how = opening(self.table_lines(10_000), room, most)
        pieces = column_signs(how.rects)
        for stack, at in zip(stacks, how.rects, strict=True):
            found = self.stack_pieces(stack, at, how, len(pieces) + 1, faces=self.sight.view.faces)
            pieces += self._live(stack, found) if self.draft is not None else \
                [replace(piece, label=self.lies_as("on_table", piece, stack)) for piece in found]
        zone = Zone("stack-1", around_all(how.rects), "mat", self.say("table", n=len(self.state.table_cards)))
        return pieces, [zone], [], [], []

    # ---- what a stack is called ----

    def _chosen_name(self) -> str:
        draft = self.draft
        assert draft is not None and draft.selection is not None
        return self.say("the_table") if draft.selection == ON_TABLE else self.card_name(draft.selection)

    def _caption(self, node: Node, fault: Refusal | None) -> str:
        """A few words under a stack."""
        if fault is None:
            alone = not cards_of((node,))
            return self.say("stack.table", n=len(self.state.table_cards)) if alone else self.say("stack.one")
        key = fault.key.rpartition(".")[2]
        if key == "lone_primary":
            return self.say("stack.half")
        if key == "lone_number":
            return self.say("stack.needs", n=fault.params["number"])
        if _lacking(fault) > 0:
            return self.say("stack.needs_more", n=_lacking(fault))
        return self.say("stack.touch") if key.startswith("touch") else self.say("stack.none")

    def _spoken(self, node: Node, fault: Refusal | None) -> str:
        """A stack in words: what lies in it, and what is written under it."""
        if not cards_of((node,)):
            return self.say("table", n=len(self.state.table_cards))
        return self.say("stack.spoken", cards=self._contents(node), verdict=self._caption(node, fault))

    def _contents(self, node: Node) -> str:
        """What lies in a stack, from the top."""
        laid = pieces_of((node,))[::-1]
        names = [self.stated_name(self.sight.words.cards((card,), self.sight.view.faces), stated) for card, stated in laid]
        if any(not part[0] for part in nodes((node,))):
            names.append(self.say("table_there"))
        return self.sight.catalogue.join_names(names)

    def mat_note(self) -> tuple[str, bool]:
        """What is to be said about the mat, and whether it is a complaint."""
        draft = self.draft
        if draft is None:
            return "", False
        if draft.best_score is not None:
            return self._told(draft), False
        if draft.selection is not None:
            return self._chosen_note(draft), False
        if not draft.begun:
            return "", False
        fault = draft.turn.flaw()
        if fault is None:
            return self.say("note.one", n=len(draft.turn.mat_cards)), False
        lacks = _lacking(fault)
        if lacks > 0:
            return self.say("note.needs", number=fault.params["number"], n=lacks), False
        return self.reason(fault), fault.key.rpartition(".")[2] in WRONG

    def _told(self, draft: TootDraft[S]) -> str:
        n, of = draft.best_score or 0, len(draft.hand)
        return self.say("note.all_fit", n=of) if n == of else self.say("note.fit" if n else "note.none_fit", n=n, of=of)

    def _chosen_note(self, draft: TootDraft[S]) -> str:
        return self.say("note.where" if draft.selection in draft.turn.hand_left else "note.where_to",
                        card=self._chosen_name())

    def mat_controls(self) -> list[Control]:
        """Clearing the mat; in its place stating an X, while one is chosen."""
        draft = self.draft
        if draft is None:
            return []
        chosen = draft.selection
        if chosen is not None and chosen in draft.turn.mat_cards and self.sight.face(chosen) == WILD:
            return [Control("state", self.say("do.state"), shortcut="x", shape=ButtonShape.SHARED)]
        return [Control("clear", self.say("do.clear"), shape=ButtonShape.SHARED)] if draft.begun else []

    def place_for_clearing(self) -> Control:
        """The place of that button, so that no other moves when it comes."""
        return Control("clear", "", why=self.sight.say("toot.refuse.not_now"), shape=ButtonShape.SHARED)

    def helper(self) -> list[Control]:
        """How many cards fit. It stays where it is: a second tap says the same again."""
        draft = self.draft
        if draft is None or not draft.hand or any(self.sight.face(card) is None for card in draft.hand):
            return []
        return [Control("best", self.say("do.best"), shortcut="f", shape=ButtonShape.SHARED)]

    def solution(self) -> list[Control]:
        """Once it was said how many fit: how."""
        said = self.draft is not None and self.draft.best_score and self.draft.has_choice
        return [Control("best_show", self.say("do.best_show"), shortcut="a", shape=ButtonShape.SHARED)] if said else []

    def _prompt(self) -> Prompt | None:
        """What an X stands for."""
        draft = self.draft
        if draft is None or draft.asking is None:
            return None
        if draft.twins:
            answers = (Control(f"{AS}:pair", self.say("x.pair"), primary=True), Control(f"{AS}:over", self.say("x.over")))
            return Prompt("twins", self.say("x.twins"), answers)
        by_place = draft.turn.states(draft.asking)
        place = self.say("x.place_as", face=word_key(by_place)) if by_place else self.say("x.place")
        faces = (Control(f"{AS}:{face}", self.sight.say(word_key(face))) for face in STATED)
        return Prompt("x", self.say("x.title"), (Control(f"{AS}:", place, primary=True), *faces))

    def place_examples(self, room: Rect) -> ExamplePlacement:
        """Where examples of a TooT lie in ``room``."""
        layout = self.sight.layout
        line = min(1.35 * layout.rem, LABEL_LINE * layout.width)
        letter = min(LABEL_LETTER * layout.rem, MOST_LETTER * layout.width)
        return place_examples(room, self.card, line, letter, self.say)

    def can_read(self, shown: ExamplePlacement) -> bool:
        """Whether examples are large enough; on a phone held sideways those without words say nothing."""
        return shown.has_room and (shown.most_lines > 0 or not self.sight.layout.low)

    def first_place(self, key: Key, at: ExamplePlacement, heading: str, spoken: str) -> tuple[list[Piece], Zone, list[Label]]:
        """Where the first cards will lie, and what a TooT is: bright where the own hand can make one like it."""
        own = [face for card in self.hand_cards if (face := self.hand_face(card)) is not None]
        lit = makeable(own) if self.draft is not None else frozenset[str]()
        pieces, labels = examples(at, self.language, self.say, lit)
        words = Label("what", *at.heading, heading, "title")
        return pieces, Zone(key, at.frame, "slot", spoken, flags=("waiting",)), [words, *labels]

    def static_table(self, room: Rect, most: float, table_lines: int) -> tuple[list[Piece], list[Zone], list[Label],
                                                                               list[Heap]]:
        """The TooT on the table while nothing can be composed: where it will lie in one's own turn, beside the empty place."""
        if self.state.table is None:
            return [], [], [], []
        stack = TootStack(tuple(self.table_lines(table_lines)))
        how = self.place_stacks([stack], room, most, has_place=True)
        at = how.rects[0]
        pieces = [Piece(piece.key, piece.drawing, piece.x, piece.y, piece.width,
                        self.lies_as("on_table", piece, stack), z=piece.z,
                        flags=("new",) if int(piece.key[1:]) in self.sight.fresh else ())
                  for piece in self.stack_pieces(how.stacks[0], at, how, self.under_mat + 1, faces=self.sight.view.faces)]
        zone = Zone("stack-1", at, "mat", self.say("table", n=len(self.state.table_cards)))
        label = Label("verdict-1", at.centre[0], at.bottom - self.caption / 2 - 1,
                      self.say("stack.table", n=len(self.state.table_cards)), "title")
        return pieces, [zone], [label] if self.caption else [], self._beneath(pieces, how)


def _lacking(fault: Refusal) -> int:
    """How many more TooTs a number needs under it, where that is what is wrong."""
    if fault.key.rpartition(".")[2] not in COUNT:
        return 0
    return int(str(fault.params.get("number", 1))) - int(str(fault.params["n"]))

