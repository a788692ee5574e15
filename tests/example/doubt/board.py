"""The table of Doubt: the heap in the middle with the rank that is due, the hand below. It never looks at a closed card."""

from __future__ import annotations

from functools import cache
from typing import Final

from tabletin.board import deck52
from tabletin.board.board import Board, Draft, Reply
from tabletin.board.layout import fan, heap, plates, resting, seat_rects
from tabletin.board.scene import Control, Drawing, Key, Label, Piece, Scene, Sight, Zone, card_key, card_of
from tabletin.kernel.deck52 import RANKS
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.schema import Move
from tests.example.doubt.rules import Doubt, DoubtState

TALL: Final = deck52.VIEWBOX[1] / deck52.VIEWBOX[0]
SHOWN: Final = 3  # cards of the heap that are drawn


@cache
def drawing(face: Face | None) -> Drawing:
    """The drawing of ``face``, or of the back."""
    return Drawing(deck52.back() if face is None else deck52.front(face), *deck52.VIEWBOX, shows=face)


def board(game: str) -> Board:
    return DoubtBoard()


class DoubtDraft(Draft):
    """``chosen``: the card picked to be laid, or None."""

    def __init__(self, sight: Sight) -> None:
        self.state: DoubtState = sight.view.state
        self.chosen: Card | None = None

    def tap(self, key: Key) -> Reply:
        card = card_of(key)
        if card is not None:
            self.chosen = None if self.chosen == card else card
        elif key == "doubt" and self.state.heap:
            return ("doubt",)
        elif key == "lay" and self.chosen is not None:
            return ("lay", self.chosen)
        return None

    def step_back(self) -> bool:
        had, self.chosen = self.chosen is not None, None
        return had

    def compose(self, move: Move) -> None:
        """A hint picks its card up; whether to doubt is said in words."""
        self.chosen = move[1] if move[0] == "lay" else None


class DoubtBoard(Board):
    """Draws Doubt."""

    def draft(self, sight: Sight) -> DoubtDraft:
        return DoubtDraft(sight)

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, DoubtDraft)
        state, rules, layout = sight.view.state, sight.view.rules, sight.layout
        assert isinstance(rules, Doubt)
        seats, top = seat_rects(rules.seats, layout.width, layout.rem)
        tray, middle = layout.rect.top(top)[1].foot(layout.height * 0.4)
        width = min(110.0, (middle.height - 3 * layout.rem) / TALL, 0.55 * tray.height / TALL)
        at = middle.centre
        pieces = [self._piece(sight, card, lie.x, lie.y, width, z=lie.z)
                  for card, lie in zip(state.heap[-SHOWN:], heap(len(state.heap[-SHOWN:]), at), strict=True)]
        hand = self._sorted(sight, state.hands[sight.seat]) if sight.seat is not None else []
        lies = fan(len(hand), tray.grow(-8), width, width * TALL)
        chosen = None if draft is None else draft.chosen
        pieces += [self._piece(sight, card, lie.x, lie.y, width, z=20 + lie.z, row="hand", tap=draft is not None,
                               chosen=card == chosen) for card, lie in zip(hand, lies, strict=True)]
        rank = f"deck52.rank.{rules.ranks[state.due]}"
        closed = [resting(cards, rect.centre, width * 0.4, drawing(None))
                  for seat, (cards, rect) in enumerate(zip(state.hands, seats, strict=True)) if seat != sight.seat]
        return Scene(
            pieces=tuple(pieces),
            plates=plates(sight, seats, counts=[len(cards) for cards in state.hands]),
            zones=(Zone("heap", middle.grow(-4), "mat", sight.say("doubt.board.heap", n=len(state.heap))),
                   Zone("tray", tray, "tray")),
            labels=(Label("due", at[0], middle.y + layout.rem * 1.1, sight.say("doubt.board.due", rank=rank), "title"),),
            controls=() if draft is None else (
                Control("lay", sight.say("doubt.board.lay", rank=rank), primary=True, shortcut="c",
                        why="" if chosen is not None else sight.say("doubt.board.choose")),
                Control("doubt", sight.say("doubt.board.doubt"), shortcut="d",
                        why="" if state.heap else sight.say("doubt.refuse.nothing_laid"))),
            resting=(resting(state.heap[:-SHOWN], at, width, drawing(None)), *closed),
            focus=card_key(hand[0]) if hand else "", hand=tray)

    def _piece(self, sight: Sight, card: Card, x: float, y: float, width: float, *, z: int, row: str = "", tap: bool = False,
               chosen: bool = False) -> Piece:
        return Piece(card_key(card), drawing(sight.face(card)), x, y, width, sight.words.card(card, sight.view.faces), z=z,
                     flags=("chosen",) if chosen else (), tap=tap, pressed=chosen if tap else None, row=row)

    def _sorted(self, sight: Sight, cards: tuple[Card, ...]) -> list[Card]:
        """A hand in order of rank; its own seat knows every card of it."""
        faces = sight.view.faces
        return sorted(cards, key=lambda card: (RANKS.index(faces[card][:-1]), card))
