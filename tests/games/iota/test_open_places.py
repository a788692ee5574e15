"""The places beside Iota's grid that are kept up to date, and the random plays drawn from them, against brute force."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.bots.determinize import deal_on
from tabletin.games.iota import open_places as module
from tabletin.games.iota.grid import (
    BITS,
    COLUMN,
    FACES,
    ROW,
    Bits,
    HandCard,
    Play,
    Plays,
    cell_at,
    frontier,
    line_fits,
    line_through,
    wilds_fit,
)
from tabletin.games.iota.open_places import FACE_BIT, OpenPlaces, draw_play, fitting_at, note_card, open_places
from tabletin.games.iota.rules import Iota, IotaState
from tabletin.kernel.faces import Faces
from tests.games.iota.positions import Position


def plain_places(bits: Bits) -> OpenPlaces:
    """The same, by laying each face on each place."""
    found = {}
    for cell in frontier(bits):
        fitting = 0
        for own, bit in FACE_BIT.items():
            trial = bits | {cell: own}
            if all(line_fits(line_through(trial, cell, step)) for step in (ROW, COLUMN)):
                fitting |= bit
        found[cell] = fitting
    return found


def hand_of(state: IotaState, world: Faces) -> tuple[HandCard, ...]:
    return tuple((card, BITS[world[card]]) for card in state.hands[state.turn])


@settings(max_examples=6)
@given(st.integers(0, 2**32), st.booleans())
def test_places_are_those_of_the_whole_grid_after_every_move(seed: int, half: bool) -> None:
    """Of a random match, wilds taken up now and then, and again of a copy of its state."""
    rules, rng, world = Iota(2, {"half_deck": half}), Random(seed), Faces()
    state = rules.start()
    deal_on(rules, state, world, rng)
    while acting := rules.to_act(state):
        moves = [rules.random_move(state, acting[0], world, rng)]
        if state.wilds and rng.random() < 0.5:
            moves = [("pass", swaps, ()) for swaps, *_ in rules.recyclings(state, acting[0], world) if swaps][:1] or moves
        assert rules.make(state, acting[0], moves[0], world) is None
        deal_on(rules, state, world, rng)
        state = state.copy()
        assert state.places == open_places(state.bits) == plain_places(state.bits)


def play_set(play: Play) -> frozenset[tuple[int, int]]:
    return frozenset(play)


@pytest.mark.parametrize(("picture", "hand"), [
    ("rc1", "rc2 rc3 gs4"),
    ("rc1", "wild rc3 gs4"),
    ("rc1 . rc3/gs2 . .", "rc2 bt1 yx4 wild"),
    ("wild rc2 rc3/bs1 . .", "rc4 gc4 bt1"),
    ("rc1 wild . wild bt2", "rc1 gs3 yx4"),
    ("rc1 gs2 bt3 yx4", "rc1 bc2"),
])
def test_every_play_can_be_drawn_and_nothing_else(picture: str, hand: str) -> None:
    position = Position(picture, hand)
    state, rng = position.state, Random(picture)
    cards = hand_of(state, position.faces)
    listed = {play_set(play) for play in Plays(state.bits, state.wilds, cards)}
    before, missing = dict(state.bits), set(listed)
    for _ in range(1000 * len(listed)):
        drawn = play_set(draw_play(state.bits, state.wilds, state.places, cards, rng))
        assert drawn in listed
        missing.discard(drawn)
        if not missing:
            break
    assert not missing
    assert state.bits == before


@pytest.mark.parametrize("draws", [0, module.DRAWS])
def test_where_only_one_place_takes_a_card_it_is_found(draws: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DRAWS", draws)
    bits: Bits = {}
    for x, face in enumerate(("rc1", "gs2", "bt3", "yx4")):
        bits[cell_at(x, 0)] = BITS[face]
    places = dict.fromkeys(open_places(bits), 0)
    only = cell_at(2, 1)
    places[only] = fitting_at(bits, only)
    for seed in range(50):
        assert draw_play(bits, (), places, [(7, BITS["bt4"])], Random(seed)) == ((7, only),)
    assert draw_play(bits, (), dict.fromkeys(places, 0), [(7, BITS["bt4"])], Random(1)) == ()
    assert draw_play(bits, (), places, [], Random(1)) == ()


def test_what_a_wild_must_stand_for_forbids_a_card() -> None:
    """The wild's row wants a red, its column a green one more; a card on the corner's place fits both lines by itself (IO-4)."""
    bits: Bits = {}
    places: OpenPlaces = {}
    for x, y, own in ((0, 0, 0), (1, 0, BITS["rc1"]), (2, 0, BITS["rc2"]), (0, 1, BITS["gc3"])):
        bits[cell_at(x, y)] = own
        note_card(places, bits, cell_at(x, y))
    wild, under = cell_at(0, 0), cell_at(0, 2)
    fitting = [face for face in FACES if places[under] & FACE_BIT[BITS[face]]]
    allowed = [face for face in fitting if wilds_fit(bits | {under: BITS[face]}, (wild,))]
    assert 0 < len(allowed) < len(fitting)
    for face in fitting:
        drawn = draw_play(bits, (wild,), {under: places[under]}, [(7, BITS[face])], Random(1))
        assert drawn == (((7, under),) if face in allowed else ())
