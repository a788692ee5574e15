"""What must hold in every Teeth Time match, whatever its options: tried with hypothesis over seats, options and seeds."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.bots.determinize import deal_on
from tabletin.games.teeth_time.groups import Group
from tabletin.games.teeth_time.rules import PLAY_VERBS, TeethTime
from tabletin.games.teeth_time.state import PLAY, TeethTimeState
from tabletin.kernel.faces import Faces
from tabletin.kernel.requests import Shuffle
from tabletin.kernel.schema import Move, read_move, sample_move
from tabletin.words import load
from tests.games.teeth_time.scene import stands_for

WORDS = load()
OPTIONS = st.fixed_dictionaries({
    "level": st.sampled_from(("beginner", "intermediate", "advanced")),
    "contracts": st.sampled_from(("eight", "one", "custom")),
    "one": st.integers(1, 8),
    "custom": st.lists(st.sampled_from(("set 3", "run 8", "run 3 + run 3", "set 3 + set 3 + run 3 + run 4", "set 9")),
                       min_size=1, max_size=3),
    "hands": st.one_of(st.none(), st.integers(1, 3)),
    "limit": st.one_of(st.none(), st.just(50)),
    "decks": st.sampled_from(("auto", 2)),
})
TABLES = st.tuples(st.integers(2, 10), OPTIONS, st.integers(0, 10**6))
STEPS = 150  # of a match that is tried; whole matches are played in the shared properties


def play(seats: int, options: dict[str, Any], seed: int, steps: int = STEPS) -> Any:
    """The match as it unfolds: (rules, state, world, rng) before each random move."""
    rules, rng, world = TeethTime(seats, options), Random(seed), Faces()
    state = rules.start()
    deal_on(rules, state, world, rng)
    for _ in range(steps):
        acting = rules.to_act(state)
        if not acting:
            return
        yield rules, state, world, rng
        seat = rng.choice(acting)
        refusal = rules.make(state, seat, rules.random_move(state, seat, world, rng), world)
        assert refusal is None, str(refusal)
        deal_on(rules, state, world, rng)


@settings(max_examples=25, deadline=None)
@given(TABLES)
def test_zones_hold_every_card_once_and_the_whole_deck(table: tuple[int, dict[str, Any], int]) -> None:
    for rules, state, world, _ in play(*table):
        assert not any(isinstance(request, Shuffle) for request in state.requests)
        cards = [card for zone in rules.zones(state).values() for card in zone]
        assert len(cards) == len(set(cards))
        assert Counter(world[card] for card in cards) == Counter(rules.deck())
        assert set(state.public) <= set(range(state.next_card))


@settings(max_examples=25, deadline=None)
@given(TABLES)
def test_random_forms_and_near_misses_change_nothing_and_say_why(table: tuple[int, dict[str, Any], int]) -> None:
    for number, (rules, state, world, rng) in enumerate(play(*table)):
        if number % 5:
            continue
        for move in [sample_move(rules.verbs, rng), near_miss(rules, state, world, rng)]:
            before, seat = state.copy(), rng.randrange(-1, rules.seats + 1)
            if rng.random() < 0.7:
                seat = rng.choice(rules.to_act(state))
            trial = state.copy()
            refusal = rules.make(trial, seat, read_move(rules.verbs, move), world)
            if refusal is not None:
                assert trial == before
                assert refusal.key in WORDS, refusal.key
                assert WORDS.text(refusal.key, **refusal.params)


def near_miss(rules: TeethTime, state: TeethTimeState, world: Faces, rng: Random) -> Move:
    """A move of the right form about real cards and groups: hardly ever legal, never nonsense."""
    verb = rng.choice(PLAY_VERBS if state.phase == PLAY else tuple(rules.verbs))
    hand = state.hands[max(state.turn, 0)] or (0,)
    card = rng.choice(hand if rng.random() < 0.8 else range(state.next_card + 2))
    rank = rng.choice("ABCDE12345678")
    some = tuple(rng.choice(hand) for _ in range(rng.randint(3, 5)))
    group = (rng.choice(("set", "run")), rank, some)
    number = rng.choice([*state.groups, 0])
    return {"down": ("down", (group,) * rng.randint(1, 2)), "group": ("group", *group), "hit": ("hit", number, rank, card),
            "swap": ("swap", number, rank, card), "play": ("play", card), "discard": ("discard", card),
            "penalty": ("penalty", card, rng.randrange(rules.seats)), "whammy": ("whammy", card)}.get(verb, (verb,))


@settings(max_examples=12, deadline=None)
@given(TABLES)
def test_what_moves_gives_is_accepted_and_random_moves_are_of_them(table: tuple[int, dict[str, Any], int]) -> None:
    for number, (rules, state, world, rng) in enumerate(play(*table, steps=60)):
        if number % 6:
            continue
        for seat in rules.to_act(state):
            moves = []
            for move in rules.moves(state, seat, world):
                moves.append(move)
                if len(moves) > 60:
                    break
            assert len(moves) == len(set(moves))
            assert moves, "a seat that may act can"
            for move in rng.sample(moves, min(len(moves), 8)):
                trial = state.copy()
                assert rules.make(trial, seat, move, world) is None, move
            default = rules.default(state, seat)
            assert default is None or default in moves
            assert (default is None) == (state.phase == PLAY)


@settings(max_examples=12, deadline=None)
@given(TABLES)
def test_groups_stay_legal_whatever_was_taken(table: tuple[int, dict[str, Any], int]) -> None:
    """TT-7, TT-13: ranks, places and colours on the field are right at every moment."""
    for rules, state, world, _ in play(*table, steps=400):
        for group in state.groups.values():
            assert group.cards_held
            legal(rules, group, world)


def legal(rules: TeethTime, group: Group, world: Faces) -> None:
    for place, card in enumerate(group.cards):
        if card is not None and world[card] not in ("implant", "bridge"):
            assert world[card][1] == stands_for(group, place)
            assert not group.colour or world[card][0] == group.colour
    assert bool(group.colour) == (group.kind == "run" and rules.one_colour)
    assert len(group.open_ranks()) > 0 or None not in group.cards


def test_a_state_does_not_grow_with_the_match() -> None:
    """What is copied at every move is bounded by the deck; of earlier hands one line each is kept."""
    rules = TeethTime(3, {"hands": 40, "contracts": "one", "one": 1})
    rng, world, sizes = Random(4), Faces(), []
    state = rules.start()
    deal_on(rules, state, world, rng)
    while rules.to_act(state):
        seat = rng.choice(rules.to_act(state))
        assert rules.make(state, seat, rules.random_move(state, seat, world, rng), world) is None
        deal_on(rules, state, world, rng)
        sizes.append(len(state.public) + len(state.viewers) + len(state.groups) + len(state.batches))
    assert len(state.scores) == 40
    assert max(sizes) <= 2 * 123 + 60
    assert state.next_card > 30 * 123


def test_a_copy_goes_its_own_way() -> None:
    """Equal at first, and what happens to it does not happen to the original."""
    *_, (rules, state, world, rng) = play(4, {}, 3, steps=40)
    twin = state.copy()
    assert twin == state
    seat = rules.to_act(twin)[0]
    assert rules.make(twin, seat, rules.random_move(twin, seat, world, rng), world) is None
    assert twin != state
