"""A TooT of very many cards: folded into columns, so that the index of every card is seen and large enough to be read."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from tabletin.board.scene import Layout, Piece, Rect, Scene, card_key
from tabletin.games.toot.arrangement import Node, as_faces, cards_of
from tabletin.games.toot.art import VIEWBOX
from tabletin.games.toot.cards import DECK, kinds
from tabletin.games.toot.solver import best_use, build
from tabletin.kernel.faces import Face
from tests.games.toot.boards import Game

PHONE = Layout(390, 640, 16, touch=True)
DESK = Layout(1280, 640)
INDEX = Rect(20, 24, 46, 52)  # of a card's drawing: where its letter or number stands
LETTER = 58 / 250  # of a card's width that a letter is high


@cache
def large(count: int) -> tuple[Node, tuple[Face, ...]]:
    """One TooT of nearly ``count`` cards, and the face of each card from 0 on."""
    faces = tuple(Random(1).sample(DECK, count))
    hand = list(enumerate(faces))
    use = best_use(kinds(faces), None)
    assert use is not None and use.size >= count - 1
    return build(use, hand), faces


def covered_indices(pieces: list[Piece]) -> list[str]:
    """The cards whose index another card lies over."""
    def box(piece: Piece, part: Rect) -> Rect:
        unit = piece.width / VIEWBOX[0]
        left, top = piece.x - piece.width / 2, piece.y - VIEWBOX[1] * unit / 2
        return Rect(left + part.x * unit, top + part.y * unit, part.width * unit, part.height * unit)

    def meet(one: Rect, other: Rect) -> bool:
        return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom

    whole = Rect(0, 0, *VIEWBOX)
    return [low.key for low in pieces
            if any(high.z > low.z and meet(box(low, INDEX), box(high, whole)) for high in pieces)]


def checked(scene: Scene, pieces: list[Piece], layout: Layout) -> None:
    assert not covered_indices(pieces)
    assert min(piece.width for piece in pieces) * LETTER >= (10 if layout is PHONE else 18)
    for piece in pieces:
        assert piece.width / 2 <= piece.x <= layout.width - piece.width / 2 + 1
        assert piece.y + piece.width * 0.7 <= layout.height + 1
    assert len({piece.key for piece in pieces}) == len(pieces)


@pytest.mark.parametrize("layout", [PHONE, DESK])
@pytest.mark.parametrize("count", [24, 53])
def test_every_index_of_a_claim_is_seen(count: int, layout: Layout) -> None:
    """TO-8: a claim can be verified by everybody."""
    node, faces = large(count)
    game = Game("toot-speed", 2)
    game.state.last = (1, (as_faces(node, dict(enumerate(faces))),), False)
    draft = game.draft(0)
    scene = game.scene(0, draft, layout)
    claimed = [piece for piece in scene.pieces if piece.key.startswith("v1-")]
    assert len(claimed) == len(cards_of((node,)))
    checked(scene, claimed, layout)


@pytest.mark.parametrize("layout", [PHONE, DESK])
@pytest.mark.parametrize("count", [24, 53])
def test_every_index_of_the_toot_on_the_table_is_seen_at_the_end(count: int, layout: Layout) -> None:
    """TO-7: the whole TooT that all have built."""
    node, faces = large(count)
    game = Game("toot-pursuit", 2)
    state = game.state
    state.table, state.table_cards, state.top_face = node, cards_of((node,)), "1"
    state.pile, state.hands, state.end_reason = (), ((), ()), "toot.ended.last_turns"
    state.public.update(enumerate(faces))
    scene = game.scene(0, None, layout)
    laid = [piece for piece in scene.pieces if piece.key in {card_key(card) for card in state.table_cards}]
    assert len(laid) == len(state.table_cards)
    checked(scene, laid, layout)
