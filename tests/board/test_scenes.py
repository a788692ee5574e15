"""What must hold of every board: no face its reader may not know, one key a thing, one primary act, nothing out of reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from tabletin.board.layout import plates
from tabletin.board.scene import Layout, Rect, card_key
from tabletin.kernel.faces import Faces
from tabletin.registry import rules_of
from tests.support.board_tables import DESK, LAYOUTS, PHONE, board_of, moments, seat_counts, seated, sight, with_boards
from tests.support.scene_checks import check_faces, check_form, check_reach, drawn, walk

CASES = [(game, seats) for game in with_boards() for seats in seat_counts(game)]
MOVES = 25


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


@pytest.mark.parametrize("game", [game for game in with_boards() if board_of(game).counts])
def test_what_ended_a_round_is_seen_to_lie_before_it_is_counted(game: str) -> None:
    board = board_of(game)
    ended = 0
    for seed in range(4):
        table = seated(game, seat_counts(game)[0], seed)
        rng = Random(seed)
        while (acting := table.match.rules.to_act(table.match.state)) and ended <= seed:
            seat = acting[0]
            faces = table.match.view((seat,)).faces
            happenings = table.move(seat, table.match.rules.random_move(table.match.state, seat, faces, rng))
            events = [event for one in happenings for event in one.events]
            if not any(event.key in board.counts for event in events):
                continue
            ended += 1
            for layout in LAYOUTS:
                for reader in (None, 0, 1):
                    counted = sight(table, reader, layout)
                    lying = replace(counted, landing=True, laying=True)
                    scene = drawn(board, lying)
                    check_faces(scene, lying, table.match.knowledge)
                    check_form(scene, lying)
                    assert drawn(board, counted).won_at and not scene.won_at
                    assert not any("won" in plate.flags for plate in scene.plates)
                    laid = {card_key(card) for event in events if event.seat == seat for card in event.cards}
                    assert laid <= {piece.key for piece in scene.pieces}
    assert ended > 2


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_random_taps_lead_to_legal_moves_only(game: str, seats: int) -> None:
    board = board_of(game)
    rng = Random(3)
    for table in moments(game, seats, seed=3, most=MOVES):
        acting = table.match.rules.to_act(table.match.state)
        for seat in acting:
            seen = sight(table, seat)
            for _ in range(3 if len(acting) == 1 else 1):
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


@pytest.mark.parametrize("game", with_boards())
@pytest.mark.parametrize("layout", [PHONE, DESK])
def test_plates_say_where_few_points_win(game: str, layout: Layout) -> None:
    table = seated(game, seat_counts(game)[0], 3)
    plates = board_of(game).scene(sight(table, 0, layout), None).plates
    assert plates
    for number, plate in enumerate(plates):
        is_low = table.match.rules.low_wins and bool(plate.score)
        assert ("the fewest points win" in plate.label) == (is_low and not number), "a reader says it once"
        assert "fewest wins" not in f"{plate.label} {plate.note}", "which sounds like a number of wins"


@pytest.mark.parametrize("game", [game for game in with_boards() if 3 in rules_of(game).seat_counts])
def test_names_beside_each_other_share_a_size_as_long_as_they_are_short(game: str) -> None:
    table = seated(game, 3, 3)
    plates = board_of(game).scene(sight(table, 0, PHONE), None).plates
    longest = max(len(plate.name) for plate in plates)
    assert {plate.letters for plate in plates} == {min(6, longest)}, "a longer one is small by itself"


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("game", [game for game in with_boards() if rules_of(game).low_wins and 4 in rules_of(game).seat_counts])
def test_on_a_phone_ones_own_plate_says_in_words_that_few_points_win(game: str, seats: int) -> None:
    """Also where three sit side by side, or four that have a line for it; else they would be tiny."""
    table = seated(game, seats, 3)
    plates = board_of(game).scene(sight(table, 0, Layout(390, 640, 16, touch=True)), None).plates
    is_said = seats == 3 or "slim" in plates[0].flags
    assert [plate.note for plate in plates] == ["lowest wins" if is_said else "", *[""] * (seats - 1)]
    assert not plates[0].large, "beside a large score it would be tiny"
    assert {"low" in plate.flags for plate in plates} == {not is_said}


def test_a_star_lies_over_no_words() -> None:
    """Whoever wins where few points do has an arrow, as everybody then."""
    game = next(game for game in with_boards() if rules_of(game).low_wins and 2 in rules_of(game).seat_counts)
    table = seated(game, 2, 3)
    for winner in (0, 1):
        won = plates(sight(table, 0), [Rect(0, 0, 180, 56)] * 2, scores=["1", "2"], won=(winner,))
        assert [plate.note for plate in won] == ["" if winner == 0 else "lowest wins", ""]
        assert {"low" in plate.flags for plate in won} == {winner == 0}


def test_on_a_phone_held_sideways_a_score_has_the_better_place_than_the_count_of_cards() -> None:
    game = next(game for game in with_boards() if 5 in rules_of(game).seat_counts)
    seen = [sight(seated(game, 5, 3), 0, Layout(*size, 16, touch=True)) for size in ((668, 338), (390, 640))]

    def is_beside(wide: float) -> list[bool]:
        return ["beside" in plates(one, [Rect(0, 0, wide, 45)] * 5, scores=["0"] * 5, counts=[7] * 5)[0].flags for one in seen]

    assert is_beside(128) == [True, False]
    assert is_beside(84) == [False, False], "names have no room there"


@pytest.mark.parametrize("game", [game for game in with_boards() if rules_of(game).low_wins and 4 in rules_of(game).seat_counts])
def test_where_plates_are_too_narrow_for_words_arrows_say_that_few_points_win(game: str) -> None:
    plates = board_of(game).scene(sight(seated(game, 4, 3), 0, Layout(360, 640, 16, touch=True)), None).plates
    assert [("low" in plate.flags, plate.note == "lowest wins") for plate in plates] == [(True, False)] * 4


def test_four_or_five_plates_side_by_side_on_a_phone_have_three_lines_where_cards_are_counted() -> None:
    """Face and name, score and count, and what is noted: in two lines the face had no room, or a note was 7 px high."""
    game = next(game for game in with_boards() if rules_of(game).low_wins and 5 in rules_of(game).seat_counts)
    seen = sight(seated(game, 5, 3), 0, Layout(390, 640, 16, touch=True))
    rects = [Rect(78.0 * seat, 0, 73, 56) for seat in range(5)]

    def flags(counts: Sequence[int], notes: Sequence[str], high: float = 56) -> list[frozenset[str]]:
        made = plates(seen, [rect._replace(height=high) for rect in rects], scores=["0"] * 5, counts=counts, notes=notes)
        return [frozenset(plate.flags) for plate in made]

    assert flags([10] * 5, [""] * 5) == [{"slim", "low"}] * 5
    assert flags((), [""] * 5) == flags([10] * 5, [""] * 5, 44) == [{"low"}] * 5
    rects = [Rect(98.0 * seat, 0, 92, 56) for seat in range(5)]
    assert flags([10] * 5, [""] * 5) == [{"slim"}] * 5, "one's own says in words that few points win …"
    assert flags([10] * 5, ["down", *[""] * 4]) == [{"slim", "low"}] * 5, "… until there is something else to say"
