"""The field of Teeth Time drawn: what lies before each seat – penalties, piles, sets and runs – and where cards may be added.

Each seat that has anything there has a block: a heading and strips of cards.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tabletin.board.layout import turned_order
from tabletin.board.scene import Label, Piece, Rect, Sight, Spot, card_key
from tabletin.games.teeth_time import board_pieces
from tabletin.games.teeth_time.board_actions import Actions, place_key
from tabletin.games.teeth_time.board_field import CARD, CUT, SIDE, Block, FieldPlan, Strip, plan
from tabletin.games.teeth_time.cards import IN_HAND, PLACE, WILDS
from tabletin.games.teeth_time.draft import TeethTimeDraft
from tabletin.games.teeth_time.groups import RUN, Group
from tabletin.games.teeth_time.state import TeethTimeState
from tabletin.kernel.faces import Card, Face

INSET: Final = 6.0  # px kept free at both sides of the field and below it
HEAD: Final = 1.35  # rem: what a heading takes
INSIDE: Final = 28.0  # units of a place that lie over the card beside it
NEAR: Final = 4.0  # … between a place and the card beside it
LEAST_PLACE: Final = 0.62  # of a card: a place at the end of a run, for which its cards move closer together
CROWD: Final = 5  # seats on a phone, from which what each has laid keeps its place for the hand
MANY: Final = 10_000  # more groups than there are
LARGEST: Final = 1.15  # of a card of the hand: a card on the field, where there is room for it


class StripDrawing(NamedTuple):
    """A strip to draw: its kind ("group", "front", "pile"), its number, cards or gaps, first run place."""

    kind: str
    number: int
    cards: tuple[Card | None, ...]
    start: int
    label: str


class Melds:
    """The field of one scene."""

    def __init__(self, sight: Sight, draft: TeethTimeDraft | None, words: Actions, window: Rect, card: float) -> None:
        self.sight = sight
        self.draft = draft
        self.words = words
        self.window = window
        self.state: TeethTimeState = sight.view.state
        seats = sight.view.rules.seats
        is_crowded = sight.layout.narrow and seats >= CROWD
        order = self._by_arrival() if is_crowded else turned_order(seats, sight.seat)
        self.blocks = [(seat, shown) for seat in order if (shown := self._shown(seat))]
        shapes = tuple(tuple(len(strip.cards) * (-1 if strip.label == RUN else 1) for strip in shown)
                       for _, shown in self.blocks)
        most, head = card * LARGEST / CARD, HEAD * sight.layout.rem
        self.plan: FieldPlan = plan(shapes, window.width - 2 * INSET, window.height - INSET, most, head,
                                    min(2, len(self.blocks)) if is_crowded else 0)
        steps = [strip.step for block in self.plan.blocks for strip, count in zip(block.strips, block.counts, strict=True)
                 if count > 1]
        self.free_width = min([self.plan.form.width, *steps]) * self.plan.zoom  # px of a card that others leave free

    @property
    def foot(self) -> float:
        """Where in the window, in px of the stage, the lowest of the cards end."""
        plan = self.plan
        return self.window.y + max((block.y + block.height for block in plan.blocks), default=0.0) * plan.zoom

    def say(self, key: str, **params: object) -> str:
        return self.sight.say(f"teeth_time.board.{key}", **params)

    # ---- what lies there ----

    def _by_arrival(self) -> list[int]:
        """The seats in the order in which they laid first, the others after them: nothing lies elsewhere when more comes."""
        first = {group.owner: number for number, group in reversed(self.state.groups.items())}
        seats = turned_order(self.sight.view.rules.seats, self.sight.seat)
        return sorted(seats, key=lambda seat: first.get(seat, MANY))

    def _shown(self, seat: int) -> list[StripDrawing]:
        """The strips before ``seat``, in order."""
        state = self.state
        found = []
        penalties = tuple(penalty.card for penalty in state.live_penalties(seat))
        if penalties:
            found.append(StripDrawing("front", -1, penalties, 0, "penalty"))
        if state.preventions[seat]:
            found.append(StripDrawing("pile", -1, state.preventions[seat], 0, "prevention"))
        if state.dentists[seat]:
            found.append(StripDrawing("pile", -1, state.dentists[seat], 0, "dentist"))
        if state.fairies[seat]:
            found.append(StripDrawing("pile", -1, state.fairies[seat], 0, "fairy"))
        for number, group in state.groups.items():
            if group.owner == seat:
                start, cards = _laid_out(group)
                found.append(StripDrawing("group", number, cards, start, group.kind))
        return found

    def _face(self, card: Card) -> Face:
        return self.sight.face(card) or ""

    # ---- drawing ----

    def draw(self) -> tuple[list[Piece], list[Label], list[Spot]]:
        """Pieces, headings and lit places."""
        pieces: list[Piece] = []
        labels: list[Label] = []
        spots: list[Spot] = []
        for (seat, shown), block in zip(self.blocks, self.plan.blocks, strict=True):
            for at, strip in enumerate(shown):
                lie, place = self._opened(strip, block, at)
                pieces += self._strip(seat, strip, lie)
                spots += self._places(strip, lie, place)
            name = self.sight.words.seat(seat)
            labels.append(Label(f"title{seat}", *block.title, name, "title", plane=True, anchor="start"))
        return pieces, labels, spots

    def _strip(self, seat: int, strip: StripDrawing, lie: Strip) -> list[Piece]:
        return [self._piece(seat, strip, place, card, *lie.point_at(place)) for place, card in enumerate(strip.cards)
                if card is not None]

    def _piece(self, seat: int, strip: StripDrawing, place: int, card: Card, x: float, y: float) -> Piece:
        face = self._face(card)
        group = self.state.groups.get(strip.number) if strip.kind == "group" else None
        name = self.sight.words.card(card, self.sight.view.faces)
        flags = ["new"] if card in self.sight.fresh else []
        rank = ""
        if group is not None:
            if group.kind == RUN and face in WILDS:
                rank = group.suite[strip.start + place]
            owner = self.words.on_group(strip.number)
            label = self.say("lies_as" if rank else "lies", card=name, group=owner, rank=rank)
        elif strip.kind == "front":
            label = self.say("live", card=name, seat=seat)
            if card == self.state.reply[0]:
                flags = ["marked"]
        else:
            label = self.say(f"pile_{strip.label}", card=name)
        language, wide = self.sight.words.catalogue.language, self.plan.form.width
        if self.plan.form is CUT:
            drawing = board_pieces.cut(face, language, rank)
        else:
            drawing = board_pieces.card(face, language, rank, board_pieces.words_on(wide * self.plan.zoom, self.free_width))
        return Piece(card_key(card), drawing, x, y, wide, label, plane=True, z=place, flags=tuple(flags), owner=seat)

    # ---- where a card may go ----

    def _opened(self, strip: StripDrawing, block: Block, at: int) -> tuple[Strip, float]:
        """Where strip ``at`` of ``block`` lies: while its run has a place for the picked card at an end, its cards make room for
        that, closer together if need be; and how wide the place is."""
        lie, wide = block.strips[at], self.plan.form.width
        before, behind = self._open_ends(strip)
        if not (before or behind):
            return lie, wide
        left, right = self._limits(block, at)
        last, ends = len(strip.cards) - 1, before + behind
        place = min(wide, max(LEAST_PLACE * wide, (right - left - wide - lie.step * last) / ends - NEAR))
        room = right - left - ends * (place + NEAR)
        step = min(lie.step, (room - wide) / last) if last else lie.step
        least = left + wide / 2 + (place + NEAR if before else 0.0)
        most = right - wide / 2 - step * last - (place + NEAR if behind else 0.0)
        return Strip(max(least, min(lie.x, most)), lie.y, step), place

    def _open_ends(self, strip: StripDrawing) -> tuple[bool, bool]:
        """Whether the picked card has a place before the first card of a run, and behind the last."""
        draft = self.draft
        if draft is None or strip.kind != "group" or strip.label != RUN or draft.single is None:
            return False, False
        places = [PLACE[move[2]] - strip.start for move in draft.places(draft.single) if move[1] == strip.number]
        return any(place < 0 for place in places), any(place >= len(strip.cards) for place in places)

    def _limits(self, block: Block, at: int) -> tuple[float, float]:
        """Between which edges strip ``at`` of ``block`` has room: up to what lies beside it."""
        lie, form = block.strips[at], self.plan.form
        left, right = 0.0, self.plan.width
        for other in self.plan.blocks:
            for strip, count in zip(other.strips, other.counts, strict=True):
                if abs(strip.y - lie.y) < form.height and strip is not lie:
                    if strip.x < lie.x:
                        left = max(left, strip.x + strip.step * (count - 1) + form.width / 2 + 2 * NEAR)
                    else:
                        right = min(right, strip.x - form.width / 2 - 2 * NEAR)
        return left, right

    def _places(self, strip: StripDrawing, lie: Strip, place: float) -> list[Spot]:
        """``place``: how wide one at the end of a run is."""
        draft = self.draft
        if draft is None or strip.kind != "group" or draft.single is None:
            return []
        group = self.state.groups[strip.number]
        name = self.sight.words.card(draft.single, self.sight.view.faces)
        found = []
        for move in draft.places(draft.single):
            if move[1] != strip.number:
                continue
            verb, _, rank, _ = move
            rect = self._where(strip, lie, group, verb, rank, place)
            flags = ["over"] + (["swap"] if verb == "swap" else []) + (["marked"] if move == draft.advice else [])
            label = self.say(f"{verb}_here", card=name, group=self.words.on_group(strip.number), rank=rank)
            change = self.words.change(self._points(draft.single, group, verb, rank))
            found.append(Spot(place_key(move), *rect.centre, rect.width, rect.height, f"{label}: {change}",
                              plane=True, flags=tuple(flags), points=change))
        return found

    def _points(self, card: Card, group: Group, verb: str, rank: str) -> int:
        """What the hand counts less for ``card``, and more for a wild that comes in its place (TT-15)."""
        taken = group.cards[PLACE[rank]] if verb == "swap" else None
        return (IN_HAND[self._face(taken)] if taken is not None else 0) - IN_HAND[self._face(card)]

    def _where(self, strip: StripDrawing, lie: Strip, group: Group, verb: str, rank: str, place: float) -> Rect:
        """The place of ``rank`` on a strip, large enough to be hit; one at the end of a run is ``place`` wide."""
        wide, height = self.plan.form.width, self.plan.form.height
        top, spot = lie.y - height / 2, SIDE + INSIDE
        last = len(strip.cards) - 1
        whole = Rect(lie.x - wide / 2, top, wide + lie.step * last, height)
        if group.kind != RUN:
            return whole
        at = PLACE[rank] - strip.start
        if at < 0:
            return Rect(whole.x - NEAR - place, top, place, height)
        if at > last:
            return Rect(whole.right + NEAR, top, place, height)
        left = whole.x + lie.step * at
        if lie.step >= wide:  # all of a card is seen
            return Rect(left, top, wide, height)
        return Rect(left - (spot - lie.step) / 2, top, wide if at == last and verb == "swap" else spot, height)


def _laid_out(group: Group) -> tuple[int, tuple[Card | None, ...]]:
    """The cards of a group as they lie, gaps of a run included, and the place of the first."""
    if group.kind != RUN:
        return 0, group.cards_held
    places = [place for place, card in enumerate(group.cards) if card is not None]
    return places[0], group.cards[places[0]:places[-1] + 1]
