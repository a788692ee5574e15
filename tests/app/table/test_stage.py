"""How the stage aims its camera at a table that grows, and how what is counted comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tabletin.app.table.camera import Camera
from tabletin.board.scene import Drawing, Heap, Label, Piece, Rect, Scene, Spot
from tests.support.fake_browser import Element, in_fake_browser

WINDOW = Rect(0, 0, 400, 400)


@pytest.fixture
def stage() -> Iterator[Any]:
    with in_fake_browser():
        from tabletin.app.table.dom import Listeners
        from tabletin.app.table.stage import Stage

        yield Stage(Element(), Listeners())


def aimed(stage: Any, left: float, width: float) -> Any:
    """The camera once a table of this extent is shown."""
    stage.show(Scene(window=WINDOW, bounds=Rect(left, left, width, width)))
    return stage.camera


def test_the_view_stands_still_as_long_as_all_that_lies_is_seen_and_large_enough(stage: Any) -> None:
    first = aimed(stage, 0, 500)
    assert [aimed(stage, 50, 400) for _ in range(3)] == [first] * 3, "a little less needs no other view, however often drawn"
    assert aimed(stage, 0, 500) == first
    larger = aimed(stage, 0, 550)
    assert larger.zoom < first.zoom and aimed(stage, 0, 550) == larger
    assert aimed(stage, 100, 350).zoom > 1.3 * larger.zoom


def test_the_view_glides_where_it_is_not_the_player_who_moves_it(stage: Any) -> None:
    aimed(stage, 0, 500)
    assert stage._plane.classList.contains("gliding"), "also while a finger still lies on the table"
    stage.move_camera(stage.camera.pan(30, 0))
    assert not stage._plane.classList.contains("gliding"), "the table follows a finger at once"
    stage.fit()
    assert stage._plane.classList.contains("gliding")


def test_places_that_are_lit_where_the_player_does_not_look_are_out_of_view_until_they_were_shown(stage: Any) -> None:
    """Whoever looks at a corner and chooses a piece sees all of its places, and may then look at the corner again."""
    spots = tuple(Spot(f"at{x}", x, 50, 40, 40, "here", plane=True) for x in (50, 750))
    bare = Scene(window=WINDOW, bounds=Rect(0, 0, 800, 800))
    stage.show(bare)
    stage.move_camera(Camera(0, 0, 1))
    stage.show(replace(bare, spots=spots[:1]))
    assert not stage.places_out_of_view(), "all of it is seen from here"
    stage.show(replace(bare, spots=spots))
    assert stage.places_out_of_view()
    stage.fit()
    assert not stage.places_out_of_view()
    stage.move_camera(Camera(0, 0, 1))
    stage.show(replace(bare, spots=spots))
    assert not stage.places_out_of_view(), "they are lit no more than they were"
    stage.move_camera(Camera(-40, 0, 1))
    stage.show(bare)
    stage.show(replace(bare, spots=spots[:1]))
    assert stage.places_out_of_view(), "a part of it alone is seen"


def counted(at: float) -> Scene:
    """Two pieces that are counted, 90 px further down with each: turned up in a second, and their sum is seen then."""
    pieces = tuple(Piece(f"c{card}", Drawing("", 1, 2), 90.0 * card, at, 20) for card in range(2))
    return Scene(pieces=pieces, resting=(Heap((0.0, 0.0), 20, frozenset(("c0", "c1"))),), count_seconds=1.0,
                 labels=(Label("name", 0, at, "Ann"), Label("sum", 9, at, "5 dots", delay=0.75)))


def test_words_about_a_piece_on_its_way_are_seen_once_it_has_landed_and_the_old_ones_until_then(stage: Any) -> None:
    """A redrawing on the way changes nothing. Words that only make room do so at once."""
    stage.on_landed(lambda: None)

    def ends(**found: tuple[str, float]) -> tuple[Label, ...]:
        return tuple(Label(key, x, 50, text, plane=True) for key, (text, x) in found.items())

    def seen() -> list[tuple[str, str]]:
        return [(one.textContent, one.attributes.get("data-coming", "there")) for one in stage._plane.children if one.textContent]

    lies, ghost = (Piece(key, Drawing("", 1, 2), 50, 50, 20, plane=True) for key in ("c1", "trial"))
    bare = Scene(window=WINDOW, bounds=Rect(0, 0, 400, 400), resting=(Heap((0.0, 0.0), 20, frozenset(("c1",))),))
    stage.show(replace(bare, labels=ends(left=("four", 10), right=("six", 90), up=("ten", 5))))
    assert seen() == [("four", "there"), ("six", "there"), ("ten", "there")], "nothing comes"
    now = replace(bare, resting=(), pieces=(lies, ghost), labels=ends(left=("five", 10), right=("six", 120), down=("nine", 10)))
    for note in ("", "anything"):
        stage.show(replace(now, note=note))
        waiting = [("four", "there"), ("six", "there"), ("ten", "there"), ("five", ""), ("nine", "")]
        assert seen() == waiting
        assert stage._surface.pieces["trial"].element.attributes["data-coming"] == ""
        stage.set_off()
    stage._motion.land()
    assert seen() == [("six", "there"), ("five", "seen"), ("nine", "seen")]
    assert stage._surface.pieces["trial"].element.attributes["data-coming"] == "seen"
    stage.show(replace(now, labels=ends(left=("one", 140))))
    assert [text for text, _ in seen()] == ["one"], "no piece comes: at once"


def test_what_is_counted_piece_by_piece_takes_the_time_its_scene_says_and_its_sum_is_seen_then(stage: Any) -> None:
    begun = counted(0)
    stage.show(replace(begun, pieces=(), labels=()))
    stage.show(begun, one_by_one=True)
    words = {key: stage._places.element(key) for key in ("name", "sum")}
    assert words["sum"].classList.contains("late") and words["sum"].style.set["--delay"] == "0.75s"
    assert not words["name"].classList.contains("late")
    stage.set_off()
    stage._motion.depart_now()
    assert [stage._surface.pieces[f"c{card}"].style.transitionDelay for card in range(2)] == ["0ms", "500ms"]
    stage.show(counted(90), still=True)
    assert not words["sum"].classList.contains("late"), "where it is drawn anew all of it is there"


def test_what_lay_in_view_goes_to_where_it_is_counted_at_once_and_from_where_it_was_seen(stage: Any) -> None:
    """It set out from above the table where the counted scene has no plane, and waited there for its turn."""
    lay = Piece("c7", Drawing("", 1, 2), 50, 60, 20, plane=True)
    hands = counted(0)
    stage.show(replace(hands, pieces=(lay,), labels=(), window=Rect(10, 100, 300, 300), bounds=Rect(0, 0, 300, 300)))
    seen = stage.centre(lay)
    assert seen[1] >= 160
    comes = replace(lay, plane=False, x=200)
    stage.show(replace(hands, pieces=(*hands.pieces, comes), in_view=frozenset(("c7",))), one_by_one=True)
    own = stage._surface.pieces["c7"]
    assert own.transform == own.transform_at(*seen, 20 * stage.camera.zoom, 0)
    stage.set_off()
    stage._motion.depart_now()
    assert own.transform == own.transform_at(200, 60, 20, 0) and not hasattr(own.style, "transitionDelay")
    assert [stage._surface.pieces[f"c{card}"].style.transitionDelay for card in range(2)] == ["0ms", "500ms"]


def test_nothing_is_said_of_cards_that_are_being_dealt_until_they_lie_there(stage: Any) -> None:
    """Sums stood in empty columns."""
    landed = []
    stage.on_landed(lambda: landed.append("dealing" in stage.root.className))
    begun = counted(0)
    for deal_from in (begun.resting[0], None):  # at the beginning, and from the pile in a later round
        stage.show(replace(begun, pieces=(), labels=()))
        stage.show(begun, deal_from=deal_from)
        assert stage.root.classList.contains("dealing")
        stage.set_off()
        stage._motion.land()
    assert landed == [False, False]
    stage.show(replace(begun, pieces=begun.pieces[:1]))
    stage.show(begun)
    assert not stage.root.classList.contains("dealing"), "one card is no deal"


def test_what_is_no_card_is_not_dealt(stage: Any) -> None:
    """Examples beside an empty place flew out of the pile."""
    begun = counted(0)
    beside = replace(begun.pieces[0], key="alone0", x=300)
    stage.show(Scene())
    stage.show(replace(begun, pieces=(*begun.pieces, beside)), deal_from=begun.resting[0])
    placed = {key: own.transform == own.transform_at(own.piece.x, own.piece.y, own.piece.width, 0)
              for key, own in stage._surface.pieces.items()}
    assert (placed["alone0"], placed["c1"]) == (True, False)


def test_a_closed_card_among_words_is_drawn_as_a_small_back(stage: Any) -> None:
    place = Spot("place", 0, 0, 40, 60, "here", points="14 − ▯\n▯ + 3")
    stage.show(Scene(labels=(Label("sum", 0, 0, "now 14 − ▯"), Label("other", 0, 0, "14")), spots=(place,)))
    words, other, spot = map(stage._places.element, ("sum", "other", "place"))
    assert words.textContent == "now 14 − " and [part.className for part in words.children] == ["small-back", ""]
    assert other.textContent == "14" and not other.children
    [points] = spot.children
    assert points.getAttribute("data-words") == "14 − "
    assert [(part.className, part.getAttribute("data-words")) for part in points.children] == [
        ("small-back", None), ("", "\n"), ("small-back", None), ("", " + 3")]
