"""What every scene must keep to, and random walks through a match that look at each scene."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from tabletin.board.board import Board, Draft
from tabletin.board.layout import LEAST_SHOWN, NAME_LETTER
from tabletin.board.scene import Layout, Scene, Sight, card_key, card_of
from tabletin.kernel.faces import Faces
from tabletin.kernel.options import Refusal


def drawn(board: Board, seen: Sight) -> Scene:
    return board.scene(seen, board.draft(seen) if seen.may_act else None)


def check_faces(scene: Scene, seen: Sight, everything: Faces) -> None:
    """Invariant 3: drawings and words of a scene tell no more than the reader knows."""
    known = seen.view.faces
    names = {seen.words.face(face) for face in known.values()}
    for piece in scene.pieces:
        card = card_of(piece.key)
        if card is None:
            continue
        assert piece.drawing.shows is None or piece.drawing.shows == known.get(card), piece.key
        if card not in known and card in everything:
            hidden = seen.words.face(everything[card])
            assert hidden in names or hidden not in piece.label, piece.label


def check_form(scene: Scene, seen: Sight) -> None:
    keys = [*(piece.key for piece in scene.pieces), *(spot.key for spot in scene.spots),
            *(plate.key for plate in scene.plates), *(zone.key for zone in scene.zones),
            *(label.key for label in scene.labels)]
    assert len(keys) == len(set(keys)), sorted(key for key in keys if keys.count(key) > 1)
    controls = [control.key for control in scene.controls]
    assert len(controls) == len(set(controls))
    assert sum(control.primary for control in scene.controls) <= 1
    assert all(control.label or control.why for control in scene.controls)
    assert all(piece.label for piece in scene.pieces if piece.tap), "what can be tapped has a name"
    assert all(spot.label for spot in scene.spots)
    assert not scene.focus or scene.focus in keys
    live = {card_key(card) for cards in seen.view.rules.zones(seen.view.state).values() for card in cards}
    assert {piece.key for piece in scene.pieces if card_of(piece.key) is not None} <= live
    for rest in scene.resting:
        assert {key for key in rest.keys if card_of(key) is not None} <= live


def check_reach(scene: Scene, seen: Sight) -> None:
    """Hands and seats lie on the stage, and every card of a hand shows enough of itself."""
    layout = seen.layout
    for plate in scene.plates:
        assert plate.rect.x >= -0.5 and plate.rect.right <= layout.width + 0.5
    hand = sorted((piece for piece in scene.pieces if piece.row == "hand"), key=lambda piece: (round(piece.y / 20), piece.x))
    for piece in hand:
        assert 0 <= piece.x <= layout.width and 0 <= piece.y <= layout.height, (piece.key, piece.x, piece.y)
    for left, right in pairwise(hand):
        if round(left.y / 20) == round(right.y / 20):
            assert right.x - left.x >= LEAST_SHOWN - 0.5, "a card in a hand shows at least 24 px"


def walk(draft: Draft, board: Board, seen: Sight, rng: Random, taps: int) -> None:
    """Tap at random; whatever move the draft answers with is legal, and every scene on the way is sound."""
    rules, state = seen.view.rules, seen.view.state
    assert seen.seat is not None
    for _ in range(taps):
        scene = board.scene(seen, draft)
        check_form(scene, seen)
        answers = scene.prompt.answers if scene.prompt else ()
        keys = [piece.key for piece in scene.pieces if piece.tap] + [spot.key for spot in scene.spots] \
            + [control.key for control in (*scene.controls, *answers) if not control.why and control.move is None]
        if not keys:
            return
        reply = draft.tap(rng.choice(keys))
        if isinstance(reply, tuple):
            opened = rules.openings(state, seen.seat, reply, seen.view.faces)
            trial = state.copy()
            trial.public.update(opened)
            refusal = rules.judge(trial, seen.seat, reply)
            assert refusal is None, (reply, refusal)
            return
        if isinstance(reply, Refusal):
            assert seen.words.refusal(reply)
        elif rng.random() < 0.2:
            draft.step_back()


def check_flights(scene: Scene, layout: Layout) -> None:
    """Cards that others draw fly beside their name and not onto it."""
    for plate in scene.plates[1:]:
        rests = [heap for heap in scene.resting if not heap.plane and plate.rect.x < heap.point[0] < plate.rect.right
                 and plate.rect.y < heap.point[1] < plate.rect.bottom]
        assert len(rests) == 1, plate.name
        name_end = plate.rect.x + 6 + layout.rem * (1 + NAME_LETTER * 5)  # a bot's face and five letters
        assert name_end < rests[0].point[0] - rests[0].width / 2, plate.name
