"""Where an end that was walled in goes on elsewhere: what joins the two, for eyes and for screen readers."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from tabletin.board.scene import Layout, card_key
from tabletin.games.dominoes.board import LOOKS, DominoBoard
from tabletin.games.dominoes.board_pieces import band
from tabletin.games.dominoes.layout_branching import BranchingLayout
from tabletin.games.dominoes.state import LEADING, PLAYING
from tabletin.kernel.table import Table
from tests.support.board_tables import seated, sight


def of_some_dominoes(game: str, seed: int = 7) -> Table:
    """A table on which three dominoes lie at least."""
    table, rng = seated(game, 3, seed), Random(seed)
    while len(table.match.state.tiles) < 3:
        match = table.match
        seat = match.rules.to_act(match.state)[0]
        table.move(seat, match.rules.random_move(match.state, seat, match.knowledge, rng))
    return table


@pytest.mark.parametrize("game", ["dominoes", "matador"])
def test_a_domino_that_lies_apart_is_joined_to_its_end_by_a_band_that_is_told(game: str) -> None:
    table, board = of_some_dominoes(game), DominoBoard()
    seen = sight(table, 0)
    pieces = {piece.key: piece for piece in board.scene(seen, None).pieces}
    layout, laid = board.layout(seen), table.match.state.tiles[2]
    assert not any(key.startswith("band") for key in pieces) and "band" not in pieces[card_key(laid.card)].label
    slot = layout.slots[laid.place]
    layout.slots[laid.place] = slot._replace(start=(slot.joint[0] - 3, slot.joint[1]), apart=True)
    pieces = {piece.key: piece for piece in board.scene(seen, None).pieces}
    numbers = re.findall(r">(\d+)<", pieces[f"band{laid.place}"].drawing.markup)
    assert numbers == ([str(laid.inner)] if game == "matador" else [str(laid.inner)] * 2)
    assert "a band joins it to the" in pieces[card_key(laid.card)].label


@pytest.mark.parametrize("layout", [Layout(900, 700), Layout(260, 360, touch=True)])
def test_where_the_chosen_domino_would_lie_apart_a_band_leads_there_and_is_explained(layout: Layout) -> None:
    """On a table so small, too, that the domino itself is not tried out on its places."""
    table, board, rng = of_some_dominoes("dominoes"), DominoBoard(), Random(1)
    while True:
        match = table.match
        seat = match.rules.to_act(match.state)[0]
        draft = board.draft(seen := sight(table, seat, layout))
        card = next((card for card, ways in draft.ways.items() if ways), None)
        if card is not None and len(match.state.tiles) > 8:
            break
        table.move(seat, match.rules.random_move(match.state, seat, match.knowledge, rng))
    draft.selection = card
    assert "band" not in board.scene(seen, draft).note
    place, shown = draft.places(card)[0], board.layout(seen)
    slot = shown.slots[place]
    shown.slots[place] = shown.open[place] = slot._replace(start=(slot.joint[0] - 3, slot.joint[1]), apart=True)
    scene = board.scene(seen, draft)
    pieces = {piece.key for piece in scene.pieces}
    assert f"band{place}" in pieces and (f"trial{place}" in pieces) == (layout.width > 400)
    assert scene.note.startswith("No room at the ") and f"at{place}" in {spot.key for spot in scene.spots}


@pytest.mark.parametrize("turn", [0, 37, 90, -135])
@pytest.mark.parametrize("number", range(13))
def test_a_band_is_solid_and_its_numbers_stand_upright(turn: int, number: int) -> None:
    markup = band(3, turn, number, number).markup
    assert "dash" not in markup
    said = re.findall(r">(\d+)<", markup)
    assert markup.count(f"rotate({-turn} ") == 2 and said == ([str(number)] * 2 if number else []), "a blank shows nothing"
    assert ('stroke="var(--ivory,' in markup) == (number == 7), "arrows are seen on the darkest of them too"


def test_a_walled_in_end_gets_its_room_from_what_lies_around_and_no_band_is_needed() -> None:
    table, board = of_some_dominoes("dominoes"), DominoBoard()
    seen = sight(table, 0)
    board.scene(seen, None)
    place, screen = table.match.state.tiles[2].place, board._screen_layout(seen)
    screen.search.slots[place] = screen.search.slots[place]._replace(apart=True)
    screen.search._search = screen.search._look()  # type: ignore[attr-defined]
    screen.settle()
    assert board.layout(seen).slots[place].apart
    for _ in range(2):
        board.scene(seen, None)
    screen.settle()
    assert not board.layout(seen).slots[place].apart
    assert not any(piece.key.startswith("band") for piece in board.scene(seen, None).pieces)


def test_nothing_moves_under_the_hands_of_a_person_whose_turn_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    table, board = of_some_dominoes("dominoes"), DominoBoard()
    improved: list[BranchingLayout] = []

    def improve(layout: BranchingLayout) -> bool:
        improved.append(layout)
        return False

    monkeypatch.setattr(BranchingLayout, "improve", improve)
    seen = sight(table, table.match.rules.to_act(table.match.state)[0])
    draft = board.draft(seen)
    assert len(improved) == LOOKS, "before it is theirs"
    shown = board.layout(seen)
    board.scene(seen, draft)
    assert len(improved) == LOOKS
    board.scene(seen, None)
    assert len(improved) == LOOKS + 1 and board.layout(seen) is shown, "what is found is shown after the next domino"



def test_who_plays_again_with_nothing_that_fits_is_told_the_one_before_the_other() -> None:
    told = 0
    for seed in range(12):
        table, rng, board = seated("tiddle-a-wink", 6, seed), Random(seed), DominoBoard()
        while table.match.state.phase in (LEADING, PLAYING):
            match = table.match
            seat = match.rules.to_act(match.state)[0]
            events = [event for happening in table.move(seat, match.rules.random_move(match.state, seat, match.knowledge, rng))
                      for event in happening.events]
            seen = sight(table, seat)
            if match.state.phase != PLAYING or not (pictures := board.steps(seen, events)):
                continue
            words = board.scene(replace(seen, view=pictures[0].view, stepping=True), None).status
            is_stuck = match.state.turn == seat and board.draft(seen).stuck
            assert (words == "You play again") == is_stuck
            told += is_stuck
    assert told


def test_the_domino_that_was_laid_comes_first_and_what_moves_for_it_after_that_slowly() -> None:
    """Each in a picture of its own, in which nobody acts; where nothing moves there are no such pictures."""
    moved = 0
    for seed in range(4):
        table, rng = seated("dominoes", 3, seed), Random(seed)
        board, before = DominoBoard(), dict[str, tuple[float, float, float]]()
        while not moved and len(table.match.state.tiles) < 40 and table.match.state.phase in (LEADING, PLAYING):
            match = table.match
            seat = match.rules.to_act(match.state)[0]
            move = match.rules.random_move(match.state, seat, match.knowledge, rng)
            events = [event for happening in table.move(seat, move) for event in happening.events]
            seen = sight(table, None)
            pictures = board.steps(seen, events)
            scenes = [board.scene(replace(seen, view=one.view, stepping=True), None) for one in pictures]
            lies = [{piece.key: (piece.x, piece.y, piece.turn) for piece in scene.pieces if piece.plane and piece.label}
                    for scene in (*scenes, board.scene(seen, None))]
            assert len(scenes) in (0, 2) and before.items() <= lies[0].items(), "it comes to what lies as it lay"
            if scenes:
                moved += 1
                assert lies[0] != lies[1] == lies[2] and [scene.glides for scene in scenes] == [False, True]
                assert move[0] == "lay" and not board.scene(seen, None).glides and card_key(move[1]) in lies[0]
                assert (pictures[0].words, pictures[1].words) == ("", "The dominoes make room"), "as they begin to move"
            before = lies[-1]
    assert moved
