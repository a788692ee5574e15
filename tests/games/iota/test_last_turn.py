"""The turn that ends a match is counted on the table: line by line on the grid, then what doubles it, then what it scored."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from tabletin.app.table.camera import fit
from tabletin.board.scene import Label, Layout, Scene, Sight
from tabletin.games.iota.board import IotaBoard
from tabletin.games.iota.plane import CARD
from tabletin.kernel.match import View
from tabletin.kernel.setup import Seat, Setup
from tabletin.words import languages, load
from tabletin.words.wording import Wording
from tests.games.iota.positions import Position
from tests.support.board_tables import DESK, PHONE, WORDS

BOARD = IotaBoard()
ROW = (("rc2", 0, 1), ("gs2", 1, 1), ("bt2", 2, 1), ("yx2", 3, 1))
SETUP = Setup("iota", 1, {}, (Seat("person", "a" * 64, "Ann"), Seat("person", "a" * 64, "Ben")))
FAR = "/".join(("rc1", *[". . gs4", "."] * 12))  # makes the cards of the grid small


def ended(picture: str = "rc1", layout: Layout = PHONE, hand: str = "rc2 gs2 bt2 yx2", language: str = "en") -> Sight:
    """A match that the seat looking has ended with its last card, as it is counted."""
    position = Position(picture, hand, 0)
    position.play(*(lay for lay in ROW if lay[0] in hand.split()))
    assert position.state.end_reason == "iota.ended.out"
    return Sight(View(position.rules, position.state, (0,), position.faces), Wording(load(language), SETUP), layout, 0, (0, 1),
                 landing=True)


def labels(scene: Scene, start: str) -> list[Label]:
    return [label for label in scene.labels if label.key.startswith(start)]


def test_lines_are_counted_one_after_another_then_what_doubles_them_and_it_flies_from_the_sum() -> None:
    seen = ended()
    scene = BOARD.scene(seen, None)
    lines, sums = labels(scene, "line"), labels(scene, "sum")
    assert [line.text for line in lines] == ["+8", "+3"]
    assert [number.text for number in sums] == ["11", "× 2", "× 2", "× 2", "= 88"]
    assert [why.text for why in labels(scene, "why")] == ["8 + 3", "full line", "all four cards", "last card"]
    delays = [label.delay for label in (*lines, *sums)]
    assert delays == sorted(delays) and lines[-1].delay == sums[0].delay, "it is added up as the last line is seen"
    assert len(set(delays)) == len(delays) - 1 and delays[0] > 0
    assert delays[-1] < scene.count_seconds <= 2.5
    assert scene.won_at == {0: (sums[-1].x, sums[-1].y)}
    assert [zone.label for zone in scene.zones if zone.key == "sum"] == [
        "(8 + 3) × 2 (full line) × 2 (all four cards) × 2 (last card) = 88 points."]
    while_laid = BOARD.scene(replace(seen, laying=True), None)
    assert not (labels(while_laid, "line") or labels(while_laid, "sum") or while_laid.won_at)


@pytest.mark.parametrize("width", range(200, 420, 20))
def test_what_a_turn_comes_to_does_not_stand_alone_in_a_row(width: int) -> None:
    sums = labels(BOARD.scene(ended(layout=replace(PHONE, width=width)), None), "sum")
    assert sum(label.y == sums[-1].y for label in sums) > 1


def test_the_points_of_a_line_lie_beyond_its_end_and_not_on_a_card() -> None:
    scene = BOARD.scene(ended(), None)
    across, down = labels(scene, "line")
    cards = [piece for piece in scene.pieces if piece.plane]
    assert across.y == 100 and across.x > 300 + CARD / 2, "right of the row"
    assert down.x == 0 and down.y > 100 + CARD / 2, "below the column"
    assert all(max(abs(card.x - label.x), abs(card.y - label.y)) > CARD / 2 for card in cards for label in (across, down))


@pytest.mark.parametrize("layout", [PHONE, Layout(844, 300, 16, touch=True), DESK])
def test_no_edge_cuts_the_points_of_a_line(layout: Layout) -> None:
    beside = "/".join(("rc1", *[". gs4"] * 12))  # two lines count there
    for picture in ("rc1", FAR, beside):
        for landing in (True, False):
            scene = BOARD.scene(replace(ended(picture, layout, "rc2"), landing=landing), None)
            assert scene.window is not None
            zoom = fit(scene.bounds, scene.window, scene.closest).zoom
            for label in labels(scene, "line"):
                half = 0.45 * layout.rem * len(label.text) / zoom, 0.7 * layout.rem / zoom
                assert scene.bounds.x <= label.x - half[0] and label.x + half[0] <= scene.bounds.right
                assert scene.bounds.y <= label.y - half[1] and label.y + half[1] <= scene.bounds.bottom


@pytest.mark.parametrize("layout", [PHONE, Layout(844, 300, 16, touch=True), DESK])
def test_small_cards_are_looked_at_from_near_while_they_are_counted_and_all_of_them_after(layout: Layout) -> None:
    seen = ended(FAR, layout, "rc2")
    near, whole = BOARD.scene(seen, None), BOARD.scene(replace(seen, landing=False), None)
    assert near.window == whole.window, "the sum stays"
    assert near.window is not None and whole.window is not None
    zooms = [CARD * fit(scene.bounds, scene.window or near.window, scene.closest).zoom for scene in (near, whole)]
    assert zooms[0] > 2 * zooms[1]
    assert [label.text for label in labels(whole, "sum")] == [label.text for label in labels(near, "sum")]
    assert not any(label.delay for label in whole.labels), "whoever comes back sees it at once"
    assert all(whole.bounds.holds((piece.x, piece.y)) for piece in whole.pieces if piece.plane)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("layout", [PHONE, Layout(360, 430, 32, touch=True), Layout(360, 480, 16, touch=True), DESK,
                                    Layout(844, 300, 16, touch=True)])
def test_the_sum_has_room_beside_the_grid(layout: Layout, language: str) -> None:
    scene = BOARD.scene(ended(layout=layout, language=language), None)
    (area,) = (zone.rect for zone in scene.zones if zone.key == "sum")
    assert scene.window is not None and scene.window.bottom == pytest.approx(area.y)
    assert scene.window.height > (0.35 if layout.rem == 16 else 0.2) * layout.height
    numbers = [*labels(scene, "sum"), *labels(scene, "why")]
    letter = 0.5 * min(0.8125 * layout.rem, layout.width * 0.054)  # px, of the small ones
    for label in numbers:
        half = len(label.text) * letter / 2
        assert area.x <= label.x - half and label.x + half <= area.right and area.holds((label.x, label.y)), label
    for one, other in pairwise(numbers):
        if one.y == other.y:
            assert other.x - one.x > (len(one.text) + len(other.text)) * letter / 2, (one, other)


def test_nothing_is_counted_where_nobody_is_out_or_no_points_are_given() -> None:
    children = Position("rc1", "rc2", 0, young_children=True)
    children.play(("rc2", 0, 1))
    stuck = Position("rc1", "gs2", 0)
    for _ in range(2):
        stuck.state.turn = 0
        stuck.pass_()
    assert stuck.state.end_reason == "iota.ended.passed"
    for position in (children, stuck):
        sight = Sight(View(position.rules, position.state, (0,), position.faces), Wording(WORDS, SETUP), PHONE, 0, (0, 1))
        scene = BOARD.scene(sight, None)
        assert not labels(scene, "line") and not labels(scene, "sum") and not scene.won_at and not scene.count_seconds
