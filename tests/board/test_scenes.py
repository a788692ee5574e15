"""What must hold of every board: no face its reader may not know, one key a thing, one primary act, nothing out of reach."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from tabletin.board.board import Board, Draft
from tabletin.board.layout import LEAST_SHOWN
from tabletin.board.scene import Scene, Sight, card_key, card_of
from tabletin.kernel.faces import Faces
from tabletin.kernel.options import Refusal
from tests.support.board_tables import LAYOUTS, PHONE, board_of, moments, seat_counts, sight, with_boards

CASES = [(game, seats) for game in with_boards() for seats in seat_counts(game)]
MOVES = 25


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
    assert all(control.label for control in scene.controls)
    assert all(piece.label for piece in scene.pieces if piece.tap), "what can be tapped has a name"
    assert all(spot.label for spot in scene.spots)
    assert not scene.focus or scene.focus in keys
    live = {card_key(card) for cards in seen.view.rules.zones(seen.view.state).values() for card in cards}
    assert {piece.key for piece in scene.pieces if card_of(piece.key) is not None} <= live
    for rest in scene.resting:
        assert rest.keys <= live


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


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_invariant_3_scenes_show_what_their_reader_knows(game: str, seats: int) -> None:
    board = board_of(game)
    for step, table in enumerate(moments(game, seats, seed=seats, most=MOVES)):
        for seat in (None, *range(seats)):
            seen = sight(table, seat, LAYOUTS[step % len(LAYOUTS)])
            scene = drawn(board, seen)
            check_faces(scene, seen, table.match.knowledge)
            check_form(scene, seen)
            check_reach(scene, seen)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_invariant_3_a_scene_does_not_depend_on_what_its_reader_cannot_know(game: str, seats: int) -> None:
    board = board_of(game)
    rng = Random(5)
    for table in moments(game, seats, seed=11, most=6):
        match = table.match
        for seat in (None, 0):
            seen = sight(table, seat)
            before = drawn(board, seen)
            honest = match.knowledge
            unknown = [card for card in honest if card not in seen.view.faces]
            shuffled = [honest[card] for card in unknown]
            rng.shuffle(shuffled)
            match.knowledge = Faces({**honest, **dict(zip(unknown, shuffled, strict=True))})
            try:
                assert drawn(board, sight(table, seat)) == before
            finally:
                match.knowledge = honest


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
            draft.back()


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_random_taps_lead_to_legal_moves_only(game: str, seats: int) -> None:
    board = board_of(game)
    rng = Random(3)
    for table in moments(game, seats, seed=3, most=MOVES):
        for seat in table.match.rules.to_act(table.match.state):
            seen = sight(table, seat)
            for _ in range(3):
                walk(board.draft(seen), board, seen, rng, 40)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_a_hint_can_be_laid_out(game: str, seats: int) -> None:
    board = board_of(game)
    rng = Random(8)
    for table in moments(game, seats, seed=8, most=MOVES):
        for seat in table.match.rules.to_act(table.match.state):
            seen = sight(table, seat, PHONE)
            draft = board.draft(seen)
            draft.compose(table.match.rules.random_move(table.match.state, seat, seen.view.faces, rng))
            check_form(board.scene(seen, draft), seen)
