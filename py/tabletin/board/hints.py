"""A hint in steps: what to look at, where it goes, then the whole turn. Pure.

It compares the table as it is with the table as it would be with the hinted move laid out. It knows no game, and it never
decides a move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from tabletin.board.board import Reason
from tabletin.board.scene import Key, Label, Piece, Rect, Scene, Spot, Zone, around_all, card_key, card_of
from tabletin.kernel.faces import Card

MARKED: Final = "marked"
MEANT: Final = frozenset((MARKED, "target"))  # flags by which a board shows what a hint is about
LINE: Final = 10.0  # px around a place in which words would be cut by its outline
EDGE: Final = 0.17  # of what is to be hit on the plane, what is seen around it at least
NEAR: Final = 0.25  # of its width: a piece that lies no farther from where it was has not moved


class HintStep(Enum):
    """How much a hint gives away."""

    LOOK = "look"
    PLACE = "place"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Nudge:
    """A step before the whole turn: ``keys`` of what is lit, of them ``cards``; ``places``: where it goes.

    ``wheres``: these in words, as far as there are any. ``label``: what the lit area is called, where no card is lit.
    ``bounds``: what of the plane is to be seen, or None. ``why``: a sentence of the board's own for this step, or "".
    """

    step: HintStep
    keys: frozenset[Key] = frozenset()
    cards: tuple[Card, ...] = ()
    places: tuple[Zone, ...] = ()
    wheres: tuple[str, ...] = ()
    label: str = ""
    bounds: Rect | None = None
    why: str = ""

    def light(self, scene: Scene) -> Scene:
        """``scene`` with what this step is about lit."""
        def lit(thing: Piece) -> Piece:
            return replace(thing, flags=(*thing.flags, MARKED)) if thing.key in self.keys else thing

        zones = tuple(replace(zone, flags=(*zone.flags, MARKED)) if zone.key in self.keys else zone for zone in scene.zones)
        framed = {zone.rect for zone in scene.zones}  # words stand clear of these already
        over = [zone.rect.grow(LINE) for zone in self.places if not zone.plane and zone.rect not in framed]
        return replace(scene, pieces=tuple(map(lit, scene.pieces)), zones=(*zones, *self.places),
                       labels=tuple(label for label in scene.labels if not _lies_over(over, label)),
                       bounds=scene.bounds if self.bounds is None else self.bounds)


def nudges(scene: Scene, composed: Scene, cards: Sequence[Card], reason: Reason | None = None) -> list[Nudge]:
    """The steps before the whole turn. ``composed``: the table with the hinted move laid out, which names ``cards``, for
    ``reason`` if the board tells one.

    None where there is nothing to choose among, so that a step would be the answer at once.
    """
    can_tap, told = {piece.key for piece in scene.pieces if piece.tap}, Reason("") if reason is None else reason
    own = [card for card in told.turn or cards or _laid_out(scene, composed) if card_key(card) in can_tap]
    if not own:
        return _around(composed, told)
    found, bounds = [], view_of(scene, composed)
    if len(can_tap) > 1:
        found.append(Nudge(HintStep.LOOK, frozenset({card_key(own[0])}), (own[0],), bounds=bounds, why=told.nudge))
    places = tuple(_named(scene, told.places) if told.places else _places(scene, composed, own))
    if not (places or told.places):
        told = Reason("")
    wheres = tuple(_in_words(composed, own, places))
    if told.parts:
        found += [Nudge(HintStep.PLACE, frozenset(map(card_key, part)), part, places, bounds=bounds, why=why)
                  for why, part in told.parts]
    elif places or told.places or len(own) > 1:
        hand = {piece.key for piece in scene.pieces if piece.tap and piece.row == "hand"}
        lit = own[:1] if told.turn and hand <= set(map(card_key, own)) else own  # if all were lit, none would stand out
        found.append(Nudge(HintStep.PLACE, frozenset(map(card_key, (*lit, *told.cards))), tuple(own), places, wheres,
                           bounds=bounds, why=told.sentence))
    return found


def view_of(scene: Scene, composed: Scene) -> Rect | None:
    """What of the plane is in view at every step, the turn itself included, so that the table stands still: as it is, and what
    will lie on it. None where there is no plane."""
    if scene.window is None:
        return None
    margin = EDGE * scene.unit
    rects = [scene.bounds, composed.bounds, *(_outline(piece).grow(margin) for piece in composed.pieces if piece.plane)]
    return around_all(rects)


def _laid_out(scene: Scene, composed: Scene) -> list[Card]:
    """The cards that a move lays out without naming them: it only says that one has finished."""
    before = {piece.key: piece for piece in scene.pieces}
    return [card for piece in composed.pieces if piece.key in before and _moved(before[piece.key], piece)
            and (card := card_of(piece.key)) is not None]


def _places(scene: Scene, composed: Scene, cards: Iterable[Card]) -> Iterable[Zone]:
    """Where ``cards`` go: where they lie in ``composed``, else the places that it points at."""
    before = {piece.key: piece for piece in scene.pieces}
    after = {piece.key: piece for piece in composed.pieces}
    moved = [after[key] for key in map(card_key, cards) if key in after and _moved(before[key], after[key])]
    if moved:
        for plane in (True, False):
            outlines = [_company(scene, composed, piece) or _outline(piece) for piece in moved if piece.plane == plane]
            for at, rect in enumerate(_merged(outlines)):
                yield Zone(f"hint-{plane:d}-{at}", rect, "slot", plane=plane, flags=(MARKED,))
        return
    for spot in composed.spots:
        if MEANT & set(spot.flags):
            yield Zone(f"hint-{spot.key}", _spot_rect(spot), "slot", spot.label, plane=spot.plane, flags=(MARKED,))


def _in_words(composed: Scene, cards: Iterable[Card], places: Iterable[Zone]) -> Iterable[str]:
    """Where ``cards`` go, as ``composed`` says it of each, and what ``places`` are called."""
    keys = [card_key(card) for card in cards]
    said = {piece.key: piece.place for piece in composed.pieces if piece.place}
    yield from (said[key] for key in keys if key in said)
    yield from (place.label for place in places if place.label)


def _named(scene: Scene, keys: Collection[Key]) -> Iterable[Zone]:
    """The areas of the table as it is that the board itself names as places."""
    for zone in scene.zones:
        if zone.key in keys:
            yield Zone(f"hint-{zone.key}", zone.rect, "slot", plane=zone.plane, flags=(MARKED,))


def _lies_over(outlined: Iterable[Rect], label: Label) -> bool:
    """Whether an outlined place lies over ``label``, which says no more than that something may lie there."""
    return label.kind == "plain" and not label.plane and any(rect.holds((label.x, label.y)) for rect in outlined)


def _company(scene: Scene, composed: Scene, piece: Piece) -> Rect | None:
    """Where on the table as it is those lie that ``piece`` comes to lie with, or the empty place that is there for it; None where
    there is none, or they stay where they are: then its own place is one of the table as it is."""
    area = _area(composed, piece)
    if area is None:
        return None
    before = {other.key: other for other in scene.pieces if other.row != "hand"}
    others = [(before[other.key], other) for other in composed.pieces if other.key in before and area.holds((other.x, other.y))]
    if not others:
        empty = [zone.rect for zone in scene.zones if zone.kind == "slot" and not zone.plane and _overlap(zone.rect, area)]
        return max(empty, key=lambda rect: rect.width * rect.height, default=None)
    joined = [old for old, new in others if _shifted(old, new)]
    return _area(scene, joined[-1]) if joined else None


def _area(scene: Scene, piece: Piece) -> Rect | None:
    """The smallest area of ``scene`` that ``piece`` lies in."""
    around = [zone.rect for zone in scene.zones
              if zone.kind == "mat" and zone.plane == piece.plane and zone.rect.holds((piece.x, piece.y))]
    return min(around, key=lambda rect: rect.width * rect.height, default=None)


def _merged(rects: Iterable[Rect]) -> list[Rect]:
    """``rects`` with those that overlap made one: cards of a stack have one place."""
    found: list[Rect] = []
    for rect in rects:
        while over := [other for other in found if _overlap(rect, other)]:
            found = [other for other in found if other not in over]
            rect = around_all([rect, *over])
        found.append(rect)
    return found


def _overlap(one: Rect, other: Rect) -> bool:
    """Whether they share room; a common edge, or a hair, is none."""
    return (min(one.right, other.right) - max(one.x, other.x) > 1
            and min(one.bottom, other.bottom) - max(one.y, other.y) > 1)


def _moved(before: Piece, after: Piece) -> bool:
    """Whether a piece of the hand has left it."""
    return after.row != before.row and (after.plane != before.plane or _shifted(before, after))


def _shifted(before: Piece, after: Piece) -> bool:
    """Whether it lies elsewhere now."""
    return max(abs(after.x - before.x), abs(after.y - before.y)) > NEAR * after.width


def _outline(piece: Piece) -> Rect:
    """The room a piece takes as it lies."""
    width, height = piece.width, piece.width * piece.drawing.height / piece.drawing.width
    if round(piece.turn / 90) % 2:
        width, height = height, width
    return Rect(piece.x - width / 2, piece.y - height / 2, width, height)


def _spot_rect(spot: Spot) -> Rect:
    return Rect(spot.x - spot.width / 2, spot.y - spot.height / 2, spot.width, spot.height)


def _around(composed: Scene, told: Reason) -> list[Nudge]:
    """Where a move names no card: the smallest area with a name around the first place that ``composed`` points at; then what the
    board says of it. Where it points at none, the areas that the board names."""
    for spot in composed.spots:
        if MARKED in spot.flags:
            around = [zone for zone in composed.zones if zone.kind == "mat" and zone.label and zone.plane == spot.plane
                      and zone.rect.holds((spot.x, spot.y))]
            if around:
                zone = min(around, key=lambda one: one.rect.width * one.rect.height)
                return [Nudge(HintStep.LOOK, frozenset({zone.key}), label=zone.label, why=why)
                        for why in dict.fromkeys((told.nudge, told.sentence))]
    return [Nudge(HintStep.LOOK, frozenset(told.places), why=told.nudge)] if told.places else []
