"""In which order a screen reader meets what lies on a table: the own hand, places that are lit, seats with what lies before
them, the table, piles.

Pure. Elements lie on the page in the order in which they came; this order is told to the browser besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from tabletin.board.scene import Key, Scene

HAND: Final = "hand"
PILE: Final = "pile"
SLOT: Final = "slot"
NEW: Final = "new"


def reading_order(scene: Scene) -> tuple[Key, ...]:
    """The keys of all in ``scene`` that has a name, each once."""
    named = [piece for piece in scene.pieces if piece.label]
    hand = [piece.key for piece in named if piece.row == HAND]
    table = [piece for piece in named if piece.row not in (HAND, PILE)]
    piles = [*(zone.key for zone in scene.zones if zone.label and zone.kind == SLOT),
             *(piece.key for piece in named if piece.row == PILE)]
    seats: list[Key] = []
    for plate in scene.plates:
        seats += [plate.key, *(piece.key for piece in table if piece.owner == plate.seat)]
    return (*hand, *(spot.key for spot in scene.spots), *seats, *_shared(scene),
            *(piece.key for piece in table if piece.owner is None), *piles)


def _shared(scene: Scene) -> Iterable[Key]:
    """What stands on the table and is no piece: words, and areas that have a name."""
    yield from (label.key for label in scene.labels if label.speech)
    yield from (zone.key for zone in scene.zones if zone.label and zone.kind != SLOT and not zone.quiet)


def with_news(scene: Scene, name: Callable[[str], str]) -> Scene:
    """``scene`` with what has just come to the table called so, as it is seen: ``name`` gives what a new piece is called by what
    it is called otherwise."""
    if not any(NEW in piece.flags for piece in scene.pieces):
        return scene
    return replace(scene, pieces=tuple(replace(piece, label=name(piece.label)) if NEW in piece.flags and piece.label else piece
                                       for piece in scene.pieces))
