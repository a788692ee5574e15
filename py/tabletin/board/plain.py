"""The table of a family that has no ``board`` module yet: its zones in rows, and every legal move as a button.

It plays any game by its rules alone. It knows no game; what it shows it takes from the rules' ``zones``, ``standings`` and
``moves``, and faces from the reader's own knowledge. Words it lacks are the rules' own names.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any, Final

from tabletin.board.board import Board, Draft, Reply
from tabletin.board.layout import fan, heap, plates, resting, row, seat_rects
from tabletin.board.scene import (
    Control,
    Drawing,
    Heap,
    Key,
    Label,
    Piece,
    Rect,
    Scene,
    Sight,
    Zone,
    card_key,
    card_of,
)
from tabletin.board.spelling import cards_in, spell
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.rules import Zone as ZoneName
from tabletin.kernel.schema import Move
from tabletin.registry import GAMES

MOST_MOVES: Final = 400  # looked at; a game with more of them needs a board of its own
MOST_BUTTONS: Final = 12
HEAP: Final = 3  # closed cards that are drawn of a zone
TALLEST: Final = 150.0  # px of a card


def board(game: str) -> Board:
    return PlainBoard(game)


class PlainBoard(Board):
    """Draws any game."""

    def __init__(self, game: str) -> None:
        self._art = GAMES[game].module("art")
        self.drawing = cache(self._drawing)
        self.tall: float = self._art.VIEWBOX[1] / self._art.VIEWBOX[0]

    def _drawing(self, face: Face | None) -> Drawing:
        width, height = self._art.VIEWBOX
        return Drawing(self._art.back() if face is None else self._art.front(face), width, height, shows=face)

    def draft(self, sight: Sight) -> PlainDraft:
        return PlainDraft(sight)

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, PlainDraft)
        return _PlainDrawing(self, sight, draft).scene()


class PlainDraft(Draft):
    """``selection``: the cards picked up, which narrow down the moves. ``offers``: the moves that name all of them."""

    def __init__(self, sight: Sight) -> None:
        assert sight.seat is not None
        verbs = sight.view.rules.verbs
        self._moves = [(move, frozenset(cards_in(verbs, move))) for move in islice(sight.view.moves(sight.seat), MOST_MOVES)]
        self.movable = frozenset(card for _, cards in self._moves for card in cards)
        self.selection: tuple[Card, ...] = ()

    @property
    def offers(self) -> list[Move]:
        return [move for move, cards in self._moves if cards.issuperset(self.selection)]

    def tap(self, key: Key) -> Reply:
        card = card_of(key)
        if card is not None:
            self.selection = (tuple(other for other in self.selection if other != card) if card in self.selection
                           else (*self.selection, card))
            if not self.offers:  # nothing is done with all of these: begin anew with the last
                self.selection = (card,)
            return None
        offered = self.offers
        return offered[int(key[4:])] if key.startswith("move") and int(key[4:]) < len(offered) else None

    def step_back(self) -> bool:
        had, self.selection = self.selection, self.selection[:-1]
        return bool(had)

    def compose(self, move: Move) -> None:
        for listed, cards in self._moves:
            if listed == move:
                self.selection = tuple(sorted(cards))


class _PlainDrawing:
    """One scene in the making."""

    def __init__(self, board: PlainBoard, sight: Sight, draft: PlainDraft | None) -> None:
        self.board, self.sight, self.draft = board, sight, draft
        zones = sight.view.rules.zones(sight.view.state)
        hands = {("hand", str(seat)): seat for seat in range(sight.view.rules.seats)}
        self.hands = {hands[name]: cards for name, cards in zones.items() if name in hands}
        self.zones = [(name, cards) for name, cards in zones.items() if name not in hands]

    def scene(self) -> Scene:
        sight = self.sight
        layout, rules, state = sight.layout, sight.view.rules, sight.view.state
        seats, top = seat_rects(rules.seats, layout.width, layout.rem)
        _, rest = layout.rect.top(top)
        tray, field = rest.foot(min(180.0, rest.height * 0.4)) if sight.seat is not None else (rest.foot(0)[0], rest)
        pieces, labels, rests = self._table(field)
        for seat, cards in self.hands.items():
            if seat != sight.seat:
                rests.append(resting(cards, seats[seat].centre, 20, self.board.drawing(None)))
        hand = self._hand(tray)
        controls = self._controls()
        return Scene(
            pieces=(*pieces, *hand),
            plates=plates(sight, seats, scores=[str(score) for score in rules.standings(state)],
                          counts=[len(self.hands.get(seat, ())) for seat in range(rules.seats)]),
            zones=(Zone("tray", tray, "tray"),) if sight.seat is not None else (),
            labels=tuple(labels), controls=controls, resting=tuple(rests), note=self._note(),
            focus=hand[0].key if hand else "", hand=tray if sight.seat is not None else None)

    # ---- what lies there ----

    def _piece(self, card: Card, x: float, y: float, width: float, z: int, *, hand: bool = False) -> Piece:
        sight, draft = self.sight, self.draft
        tap = draft is not None and card in draft.movable
        chosen = draft is not None and card in draft.selection
        flags = (*(("chosen",) if chosen else ()), *(("new",) if card in sight.fresh else ()))
        return Piece(card_key(card), self.board.drawing(sight.face(card)), x, y, width, sight.words.card(card, sight.view.faces),
                     z=z, flags=flags, tap=tap, pressed=chosen if tap else None, row="hand" if hand else "")

    def _hand(self, tray: Rect) -> list[Piece]:
        cards = self.hands.get(self.sight.seat, ()) if self.sight.seat is not None else ()
        height = min(TALLEST, tray.height - 12)
        width = height / self.board.tall
        lies = fan(len(cards), tray.grow(-6), width, height)
        return [self._piece(card, lie.x, lie.y, width, 20 + lie.z, hand=True) for card, lie in zip(cards, lies, strict=True)]

    def _table(self, field: Rect) -> tuple[list[Piece], list[Label], list[Heap]]:
        """Every zone that is no hand in a cell of its own: its name, and its cards below."""
        pieces: list[Piece] = []
        labels: list[Label] = []
        rests: list[Heap] = []
        count = max(1, len(self.zones))
        columns = min(count, max(1, int(field.width // (8 * self.sight.layout.rem))))
        lines = -(-count // columns)
        step = Rect(0, 0, field.width / columns, field.height / lines)
        line = 1.4 * self.sight.layout.rem
        height = max(24.0, min(TALLEST, step.height - line - 8))
        width = height / self.board.tall
        for place, (name, cards) in enumerate(self.zones):
            cell = Rect(field.x + place % columns * step.width, field.y + place // columns * step.height, step.width, step.height)
            title, rest = cell.top(line)
            labels.append(Label(f"zone{place}", *title.centre, self._zone_name(name, len(cards))))
            movable = self.draft.movable if self.draft is not None else frozenset()
            shown = [card for card in cards if self.sight.face(card) is not None or card in movable]
            closed = [card for card in cards if card not in set(shown)]
            stack = closed[:HEAP]
            lies = row(len(shown) + bool(stack), rest.grow(-4), width)
            if stack:
                lie = lies.pop()
                pieces += [self._piece(card, spot.x, spot.y, width, spot.z)
                           for card, spot in zip(reversed(stack), heap(len(stack), (lie.x, lie.y)), strict=True)]
                rests.append(resting(closed[HEAP:], (lie.x, lie.y), width, self.board.drawing(None)))
            pieces += [self._piece(card, lie.x, lie.y, width, lie.z) for card, lie in zip(shown, lies, strict=True)]
        return pieces, labels, rests

    # ---- words ----

    def _zone_name(self, zone: ZoneName, count: int) -> str:
        """"laid – Ann: 3 cards"."""
        sight = self.sight
        parts = [zone] if isinstance(zone, str) else [zone[0], *(self._whose(part) for part in zone[1:])]
        return f'{" – ".join(parts)}: {sight.say("table.cards", n=count)}'

    def _whose(self, part: str) -> str:
        return self.sight.words.seat(int(part)) if part.isdigit() and int(part) < self.sight.view.rules.seats else part

    def _move_name(self, move: Move) -> str:
        """"lay red 4": the verb, then what it names, cards by their names."""
        sight = self.sight
        named = spell(sight.view.rules.verbs, move, lambda card: sight.words.card(card, sight.view.faces))
        return " ".join([str(named[0]).replace("_", " "), *(flat(part) for part in named[1:])]).strip()

    def _controls(self) -> tuple[Control, ...]:
        if self.draft is None:
            return ()
        return tuple(Control(f"move{number}", self._move_name(move))
                     for number, move in enumerate(self.draft.offers[:MOST_BUTTONS]))

    def _note(self) -> str:
        more = 0 if self.draft is None else len(self.draft.offers) - MOST_BUTTONS
        return self.sight.say("plain.more", n=more) if more > 0 else ""


def flat(part: Any) -> str:
    """An argument of a move in a few words."""
    if part is None:
        return "–"
    return ", ".join(flat(inner) for inner in part) if isinstance(part, tuple) else str(part)
