"""The branching table: which places a domino opens, and what may go there (DO-2)."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tabletin.bots.determinize import deal_on
from tabletin.games.dominoes.matador import MATADORS, Matador
from tabletin.games.dominoes.state import PLAYING, DominoState
from tabletin.games.dominoes.table import BACK, LEAD, LEFT, ONWARD, RIGHT, LaidTile, line_order, place_of, tile_and_side
from tabletin.games.dominoes.tiles import HALVES
from tabletin.kernel.faces import Faces
from tabletin.kernel.schema import Move
from tabletin.registry import rules_of
from tests.games.dominoes.positions import Round

TWO = ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"]


def test_do_2_the_lead_double_has_four_open_places() -> None:
    game = Round("dominoes", TWO, set=6).led()
    assert game.state.open == {place_of(0, side): 6 for side in (ONWARD, BACK, LEFT, RIGHT)}
    assert game.state.tiles[0].place == LEAD


def laid(*places: int) -> list[LaidTile]:
    return [LaidTile(card, place, 0, 0) for card, place in enumerate(places)]


def test_dominoes_are_read_along_their_line() -> None:
    in_line = laid(LEAD, place_of(0, BACK), place_of(0, ONWARD), place_of(1, ONWARD), place_of(2, ONWARD))
    assert line_order(in_line) == [3, 1, 0, 2, 4]
    assert line_order(in_line[:1]) == [0] and line_order([]) == []


def test_where_arms_branch_dominoes_are_read_arm_by_arm() -> None:
    branching = laid(LEAD, place_of(0, ONWARD), place_of(0, LEFT), place_of(1, ONWARD), place_of(1, RIGHT), place_of(2, ONWARD),
                     place_of(4, ONWARD), place_of(0, BACK))
    assert line_order(branching) == [0, 7, 2, 5, 1, 4, 6, 3]


def test_do_2_any_other_domino_opens_one_and_a_later_double_three() -> None:
    game = Round("dominoes", TWO, set=6).led()
    game.do(1, "lay", "6-4", place_of(0, LEFT))
    assert game.state.open == {place_of(0, ONWARD): 6, place_of(0, BACK): 6, place_of(0, RIGHT): 6, place_of(1, ONWARD): 4}
    game.do(0, "lay", "6-5", place_of(0, ONWARD))
    game.do(1, "lay", "4-4", place_of(1, ONWARD))
    assert {place: number for place, number in game.state.open.items() if tile_and_side(place)[0] == 3} == {
        place_of(3, ONWARD): 4, place_of(3, LEFT): 4, place_of(3, RIGHT): 4}
    assert place_of(1, ONWARD) not in game.state.open


def test_do_2_every_laid_domino_names_the_place_it_is_attached_to() -> None:
    game = Round("dominoes", TWO, set=6).led()
    game.do(1, "lay", "6-4", place_of(0, LEFT)).do(0, "lay", "4-1", place_of(1, ONWARD))
    lead, first, second = game.state.tiles
    assert (lead.inner, lead.outer) == (6, 6)
    assert (first.place, first.inner, first.outer) == (place_of(0, LEFT), 6, 4)
    assert (second.place, second.inner, second.outer) == (place_of(1, ONWARD), 4, 1)


@pytest.mark.parametrize(("face", "place", "key"), [
    ("6-3", place_of(0, ONWARD), None),
    ("3-0", place_of(0, ONWARD), "dominoes.refuse.no_match"),
    ("6-3", place_of(1, ONWARD), "dominoes.refuse.not_open"),
    ("6-5", place_of(0, ONWARD), "kernel.not_yours"),
])
def test_do_2_a_half_must_match(face: str, place: int, key: str | None) -> None:
    refusal = Round("dominoes", TWO, set=6).led().refusal(1, "lay", face, place)
    assert (refusal and refusal.key) == key


def test_blanks_match_blanks() -> None:
    game = Round("dominoes", ["0-0 6-5 5-4 5-1 4-1", "6-4 6-3 6-2 3-0 2-1"], set=6).led()
    assert game.honest(1) == {("lay", game.card("3-0"), place_of(0, side)) for side in (ONWARD, BACK, LEFT, RIGHT)}


def geometry(state: DominoState, *, branching: bool) -> dict[int, int]:
    """Open places worked out anew from what lies on the table: sides by the drawing in the rulebook, less those covered."""
    places: dict[int, int] = {}
    for index, laid in enumerate(state.tiles):
        high, low = HALVES[state.public[laid.card]]
        double, lead = high == low, laid.place == LEAD
        sides: tuple[int, ...]
        if not branching:
            sides = (ONWARD, BACK) if lead else (ONWARD,)
        elif double:
            sides = (ONWARD, BACK, LEFT, RIGHT) if lead else (ONWARD, LEFT, RIGHT)
        else:
            sides = (ONWARD,)
        for side in sides:
            places[4 * index + side] = laid.inner if side == BACK else laid.outer
    covered = [laid.place for laid in state.tiles if laid.place != LEAD]
    assert len(set(covered)) == len(covered)
    return {place: number for place, number in places.items() if place not in covered}


@pytest.mark.parametrize(("game", "seats", "options"), [
    ("dominoes", 3, {"set": 6}), ("dominoes", 2, {}), ("matador", 3, {}), ("matador", 4, {"set": 12, "total": 13}),
    ("matador", 3, {"set": 12}), ("tiddle-a-wink", 6, {})])
def test_legality_equals_brute_force(game: str, seats: int, options: dict[str, int]) -> None:
    """Every domino of the hand on every place either way round, judged from the table alone (DO-2, DO-6)."""
    rules, rng = rules_of(game)(seats, options), Random(4)
    state, faces = rules.start(), Faces()
    tried = 0
    enough = 12 if game == "matador" else 40  # every half on every place: slow
    while tried < enough:
        deal_on(rules, state, faces, rng)
        acting = rules.to_act(state)
        if not acting:
            break
        seat = acting[0]
        if state.phase == PLAYING:
            tried += 1
            places = geometry(state, branching=game != "matador")
            assert state.open == places
            expected: set[Move] = set()
            for card, (place, number) in product(state.hands[seat], places.items()):
                face = faces[card]
                for inner in set(HALVES[face]):
                    if isinstance(rules, Matador):
                        total = options.get("total", 10)
                        if face in MATADORS[total] or (number != 0 and inner + number == total):
                            expected.add(("lay", card, place, inner))
                    elif inner == number:
                        expected.add(("lay", card, place))
            trials = [("lay", card, place, *inner) for card in state.hands[seat] for place in range(-1, 4 * len(state.tiles) + 4)
                      for inner in ([(half,) for half in range(13)] if game == "matador" else [()])]
            accepted = {move for move in trials if rules.make(state.copy(), seat, move, faces) is None}
            assert accepted == expected
            assert {move for move in rules.moves(state, seat, faces) if move[0] == "lay"} == expected
        move = rules.random_move(state, seat, faces, rng)
        assert rules.make(state, seat, move, faces) is None
    assert tried >= 12
