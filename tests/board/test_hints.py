"""Hints in steps: what the turn is about is lit before it is laid out, and only what its reader knows is said."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tabletin.board.board import Reason
from tabletin.board.hints import MARKED, HintStep, Nudge, nudges, view_of
from tabletin.board.scene import Drawing, Label, Layout, Piece, Scene, Spot, Zone, card_key
from tabletin.board.scene import Rect as Area
from tabletin.board.spelling import cards_in
from tests.support.board_tables import DESK, PHONE, board_of, moments, seat_counts, sight, with_boards
from tests.support.scene_checks import check_form

CARD = Drawing("", 60, 90)


def hand(*cards: int, y: float = 300) -> tuple[Piece, ...]:
    return tuple(Piece(card_key(card), CARD, 50 + 70 * at, y, 60, tap=True, row="hand") for at, card in enumerate(cards))


def lit(scene: Scene) -> set[str]:
    things: tuple[Piece | Zone, ...] = (*scene.pieces, *scene.zones)
    return {thing.key for thing in things if MARKED in thing.flags}


def test_a_card_then_its_place() -> None:
    scene = Scene(pieces=hand(1, 2, 3))
    composed = Scene(pieces=(*hand(1, 3), Piece(card_key(2), CARD, 5, 7, 60, plane=True)))
    look, place = nudges(scene, composed, [2])
    assert (look.step, look.cards, look.places) == (HintStep.LOOK, (2,), ())
    assert lit(look.light(scene)) == {card_key(2)}
    assert place.step is HintStep.PLACE
    zone, = place.places
    assert zone.rect == Area(5 - 30, 7 - 45, 60, 90)
    assert zone.plane
    assert lit(place.light(scene)) == {card_key(2), zone.key}


def test_the_view_is_the_same_at_every_step() -> None:
    scene = Scene(pieces=hand(1, 2, 3), bounds=Area(0, 0, 99, 99), window=Area(0, 0, 300, 300), unit=100)
    laid = Piece(card_key(2), CARD, 5, 7, 60, plane=True)
    composed = replace(scene, pieces=(*hand(1, 3), laid), bounds=Area(50, 50, 80, 40))
    seen = [step.light(scene).bounds for step in nudges(scene, composed, [2])]
    assert len(seen) == 2 and set(seen) == {view_of(scene, composed)}
    assert seen[0].bottom == 99, "nothing of the table leaves it"
    assert seen[0].right == 130, "nor what is said on it of the turn laid out"
    assert seen[0].x < 5 - 30 and seen[0].y < 7 - 45, "and what will be laid is in it"
    assert view_of(replace(scene, window=None), composed) is None


def test_words_that_an_outlined_place_would_cut_are_not_shown() -> None:
    empty, far = Label("empty", 200, 140, "Lay here"), Label("far", 9, 9, "far")
    verdict = Label("one", 200, 100, "one TooT", "title")
    scene = Scene(pieces=hand(1, 2), labels=(empty, verdict, far))
    composed = Scene(pieces=(*hand(1), Piece(card_key(2), CARD, 200, 90, 60)))
    look, place = nudges(scene, composed, [2])
    assert look.light(scene).labels == scene.labels
    assert place.light(scene).labels == (verdict, far)


def test_the_place_is_shown_with_its_reason() -> None:
    scene = Scene(pieces=(*hand(1, 2, 3), Piece(card_key(9), CARD, 5, 97, 60, plane=True)))
    composed = replace(scene, pieces=(*hand(1, 3), Piece(card_key(2), CARD, 5, 7, 60, plane=True), scene.pieces[-1]))
    look, place = nudges(scene, composed, [2], Reason("They have the same colour.", (9,)))
    assert (look.why, place.why) == ("", "They have the same colour.")
    assert place.cards == (2,), "only the card that is to be laid is named"
    zone, = place.places
    assert lit(place.light(scene)) == {card_key(2), card_key(9), zone.key}


def test_the_place_is_told_in_words_to_who_does_not_see_it() -> None:
    scene = Scene(pieces=hand(1, 2, 3))
    laid = Piece(card_key(2), CARD, 5, 7, 60, plane=True, place="2 beside the 1")
    assert [step.wheres for step in nudges(scene, Scene(pieces=(*hand(1, 3), laid)), [2])] == [(), ("2 beside the 1",)]
    spot = Spot("at3", 10, 20, 60, 90, "2 to the end", flags=("target",))
    assert nudges(scene, replace(scene, spots=(spot,)), [2])[-1].wheres == ("2 to the end",)


def test_the_board_may_name_the_first_card_what_is_said_of_it_and_the_place() -> None:
    """Then the place is framed as it lies on the table now, with the words in it."""
    rect = Area(60, 40, 80, 120)
    words = Label("empty", 100, 100, "Lay here")
    scene = Scene(pieces=hand(1, 2), zones=(Zone("place", rect, "slot"), Zone("tray", Area(0, 250, 300, 100), "tray")),
                  labels=(words,))
    composed = Scene(pieces=(Piece(card_key(1), CARD, 200, 90, 60), Piece(card_key(2), CARD, 200, 60, 60)))
    look, place = nudges(scene, composed, [], Reason("2 is on top.", turn=(2, 1), nudge="What goes under it?", places=("place",)))
    assert (look.cards, look.why) == ((2,), "What goes under it?")
    zone, = place.places
    assert (zone.rect, place.why, place.cards) == (rect, "2 is on top.", (2, 1))
    assert place.light(scene).labels == (words,)
    without = replace(scene, zones=())
    assert not nudges(without, composed, [1, 2], Reason("2 is on top.", places=("place",)))[-1].places, "no place is made up"


def test_where_every_card_belongs_to_it_the_first_alone_is_lit() -> None:
    """All lit would be none; a card that lies elsewhere, as on a pile, can be tapped and is not asked for."""
    pile = Piece("c9", CARD, 20, 20, 60, tap=True, row="pile")
    scene = Scene(pieces=(*hand(1, 2), pile), zones=(Zone("place", Area(60, 40, 80, 120), "slot"),))
    composed = Scene(pieces=(Piece(card_key(1), CARD, 200, 90, 60), Piece(card_key(2), CARD, 200, 60, 60), pile))
    place = nudges(scene, composed, [], Reason("2 is on top.", turn=(2, 1), places=("place",)))[-1]
    assert lit(place.light(scene)) == {card_key(2), "hint-place"} and place.cards == (2, 1)
    more = replace(scene, pieces=(*hand(1, 2, 3), pile))
    place = nudges(more, composed, [], Reason("2 is on top.", turn=(2, 1), places=("place",)))[-1]
    assert lit(place.light(more)) == {card_key(1), card_key(2), "hint-place"}


def test_a_piece_that_lies_across_has_its_place_across() -> None:
    composed = Scene(pieces=(*hand(1), Piece(card_key(2), CARD, 0, 0, 60, plane=True, turn=-90)))
    zone, = nudges(Scene(pieces=hand(1, 2)), composed, [2])[-1].places
    assert zone.rect == Area(-45, -30, 90, 60)


def test_several_cards_without_a_place_are_shown_together() -> None:
    """What is put together in the hand stays there: a trade."""
    scene = Scene(pieces=hand(1, 2, 3))
    look, both = nudges(scene, Scene(pieces=hand(1, 2, 3, y=290)), [3, 1])
    assert look.cards == (3,)
    assert (both.cards, both.places) == ((3, 1), ())


def test_the_only_card_is_no_nudge() -> None:
    scene, spot = Scene(pieces=hand(1)), Spot("at3", 10, 20, 60, 90, "here", flags=("target",))
    step, = nudges(scene, Scene(pieces=hand(1), spots=(spot, Spot("at4", 90, 20, 60, 90, "there"))), [1])
    assert step.step is HintStep.PLACE
    assert [zone.rect for zone in step.places] == [Area(-20, -25, 60, 90)]


def test_a_move_without_cards_lights_the_area_of_its_place() -> None:
    zones = (Zone("table", Area(0, 0, 500, 500), label="Table"), Zone("column2", Area(100, 0, 90, 400), label="Column 2"))
    composed = Scene(zones=zones, spots=(Spot("call2", 145, 40, 60, 30, "call", flags=(MARKED,)),
                                        Spot("low2", 145, 90, 60, 30, "low", flags=(MARKED,))))
    step, = nudges(Scene(zones=zones), composed, [])
    assert (step.keys, step.label) == (frozenset({"column2"}), "Column 2")


def test_cards_that_the_move_does_not_name_are_those_it_lays_out() -> None:
    """"I am done" shows what could be laid."""
    composed = Scene(pieces=(*hand(1), Piece(card_key(2), CARD, 200, 90, 60, tap=True), Piece(card_key(3), CARD, 200, 60, 60)))
    look, place = nudges(Scene(pieces=hand(1, 2, 3)), composed, [])
    assert look.cards == (2,)
    assert place.cards == (2, 3)
    zone, = place.places
    assert zone.rect == Area(170, 15, 60, 120), "a stack is one place"


@pytest.mark.parametrize("moved", [True, False])
def test_cards_that_join_what_makes_room_for_them_are_led_to_where_it_lies_now(moved: bool) -> None:
    """Where the table stays as it is, the cards' own place is one of it."""
    laid = Piece(card_key(9), CARD, 100, 100, 60)
    scene = Scene(pieces=(laid, *hand(1, 2)), zones=(Zone("stack", Area(60, 40, 80, 120), "mat"),))
    x = 240 if moved else 100
    composed = Scene(pieces=(Piece(card_key(9), CARD, x, 100, 60), Piece(card_key(1), CARD, x, 130, 60), *hand(1, 2)[1:]),
                     zones=(Zone("stack1", Area(x - 40, 40, 80, 160), "mat"),))
    place = nudges(scene, composed, [1])[-1]
    (zone,) = place.places
    assert zone.rect == (Area(60, 40, 80, 120) if moved else Area(70, 85, 60, 90))


def test_cards_that_begin_something_are_led_to_the_empty_place_for_it() -> None:
    """However large that becomes."""
    empty = Zone("place", Area(60, 40, 80, 120), "slot")
    scene = Scene(pieces=hand(1, 2), zones=(empty, Zone("pile", Area(900, 40, 80, 120), "slot")))
    laid = Piece(card_key(2), CARD, 100, 200, 90)
    composed = Scene(pieces=(*hand(1), laid), zones=(Zone("stack", Area(40, 20, 160, 400), "mat"),))
    place, = nudges(scene, composed, [2])[-1].places
    assert place.rect == empty.rect


def test_nothing_to_choose_is_told_at_once() -> None:
    assert nudges(Scene(), Scene(), []) == []
    assert nudges(Scene(pieces=hand(1)), Scene(pieces=hand(1)), [1]) == []


@pytest.mark.parametrize("game", with_boards())
def test_what_was_chosen_is_put_away(game: str) -> None:
    """Nothing of it stays lit, not even the places where it could have gone."""
    board = board_of(game)
    for table in moments(game, seat_counts(game)[0], seed=8, most=25):
        for seat in table.match.rules.to_act(table.match.state):
            seen = sight(table, seat, PHONE)
            draft, fresh = board.draft(seen), board.draft(seen)
            before = board.scene(seen, fresh)
            for key in [piece.key for piece in before.pieces if piece.tap and piece.row == "hand"][:2]:
                draft.pick(key)
            draft.put_away()
            after = board.scene(seen, draft)
            assert (after.pieces, after.spots, after.controls) == (before.pieces, before.spots, before.controls)


@pytest.mark.parametrize("layout", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("game", with_boards())
def test_invariant_3_every_step_of_any_hint_can_be_drawn(game: str, layout: Layout) -> None:
    """The table keeps its form with a step lit, and what is named is known to whom it is said to."""
    board, rng, given = board_of(game), Random(4), list[Nudge]()
    for table in moments(game, seat_counts(game)[0], seed=8, most=25):
        for seat in table.match.rules.to_act(table.match.state):
            seen = sight(table, seat, layout)
            move = table.match.rules.random_move(table.match.state, seat, seen.view.faces, rng)
            draft, trial = board.draft(seen), board.draft(seen)
            scene = board.scene(seen, draft)
            trial.compose(move)
            for step in nudges(scene, board.scene(seen, trial), cards_in(table.match.rules.verbs, move)):
                assert all(card in seen.view.faces for card in step.cards)
                lighted = step.light(scene)
                assert lit(lighted) - lit(scene)
                check_form(lighted, seen)
                given.append(step)
    assert given
