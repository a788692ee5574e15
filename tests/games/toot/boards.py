"""A match of TooT as its table shows it, for tests: faces given out, buttons found by key, taps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabletin.board.scene import Control, Layout, Piece, Scene, Sight, card_key
from tabletin.games.toot.board import board
from tabletin.games.toot.draft import TootDraft
from tabletin.games.toot.draft_games import ProgressiveDraft, SpeedDraft
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.match import EVERYBODY
from tabletin.kernel.table import Table
from tests.support.board_tables import seated, sight

PHONE = Layout(390, 560, 16, touch=True)
SMALL = Layout(360, 520, 16, touch=True)


class Game:
    """One match of people, with the faces that a test wants in a hand. ``sealed``: every seat has a device of its own."""

    def __init__(self, game: str, seats: int = 2, seed: int = 1, *, sealed: bool = False, **options: Any) -> None:
        self.sealed = sealed
        self.board = board(game)
        self.table: Table = seated(game, seats, seed, options)

    @property
    def state(self) -> Any:
        return self.table.match.state

    def deal(self, seat: int, faces: str) -> list[Card]:
        """Make the hand of ``seat`` show ``faces``; as many cards as there are."""
        wanted: list[Face] = faces.split()
        hand = self.state.hands[seat]
        assert len(hand) == len(wanted)
        self.table.match.knowledge.update(dict(zip(hand, wanted, strict=True)))
        return list(hand)

    def sight(self, seat: int | None, layout: Layout = PHONE) -> Sight:
        """As the page of ``seat`` has it, or that of the only device."""
        seen, known = sight(self.table, seat, layout), self.table.match.view(EVERYBODY).faces
        past = [card for card in self.board.past_cards(self.state)
                if not self.sealed or (seat is not None and card in self.state.left_over[seat])]
        return replace(seen, view=replace(seen.view, faces=Faces({**seen.view.faces, **{card: known[card] for card in past}})))

    def draft(self, seat: int) -> Any:
        return self.board.draft(self.sight(seat))

    def scene(self, seat: int | None, draft: TootDraft[Any] | None = None, layout: Layout = PHONE) -> Scene:
        return self.board.scene(self.sight(seat, layout), draft)


def progressive(faces: str, seats: int = 1) -> tuple[Game, ProgressiveDraft, list[Card]]:
    game = Game("toot-progressive", seats)
    cards = game.deal(0, faces)
    return game, game.draft(0), cards


def with_a_large_hand(faces: str) -> tuple[Game, list[Card]]:
    """Pursuit, with a red and a blue on the table."""
    game = Game("toot-pursuit", 2, first_seat="1")
    state, wanted = game.state, faces.split()
    hand, (first, second) = state.pile[:len(wanted)], state.pile[len(wanted):len(wanted) + 2]
    state.hands, state.pile = (hand, state.hands[1]), state.pile[len(wanted) + 2:]
    state.table, state.table_cards, state.top_face = ((first, None), (second, None)), (first, second), "purple"
    state.table = (state.table, ())
    state.drawn = True
    game.table.match.knowledge.update({**dict(zip(hand, wanted, strict=True)), first: "red", second: "blue"})
    state.public.update({first: "red", second: "blue"})
    state.viewers.update(dict.fromkeys(hand, 1))
    return game, list(hand)


def speed(faces: str, seats: int = 1) -> tuple[Game, SpeedDraft, list[Card]]:
    game = Game("toot-speed", seats, gentle=False)
    for seat in range(seats):
        game.table.move(seat, ("ready",))
    cards = game.deal(0, faces)
    return game, game.draft(0), cards


def spots(scene: Scene) -> set[str]:
    return {spot.key for spot in scene.spots}


def control(scene: Scene, key: str) -> Control:
    return next(found for found in scene.controls if found.key == key)


def piece(scene: Scene, card: Card) -> Piece:
    return next(found for found in scene.pieces if found.key == card_key(card))


def tap(draft: TootDraft[Any], *keys: str) -> None:
    for key in keys:
        assert draft.tap(key) is None, key


def verdicts(scene: Scene) -> list[str]:
    return [label.text for label in scene.labels if label.key.startswith("verdict")]
