"""The meld finder against brute force over subsets of cards, and that what it proposes is legal, ordered and complete."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.games.teeth_time.cards import RANK, RANKS, SUITES, WILDS, deck
from tabletin.games.teeth_time.contracts import EIGHT
from tabletin.games.teeth_time.groups import (
    RUN,
    SET,
    Contract,
    Group,
    NamedGroup,
    hit_refusal,
    laid_refusal,
    meets,
    swap_refusal,
)
from tabletin.games.teeth_time.melds import extra_groups, hits, lay_out, sorted_hand, swaps, ways
from tabletin.kernel.faces import Faces

CONTRACTS = [*EIGHT[:6], ((SET, 3), (SET, 4)), ((RUN, 3), (RUN, 3)), ((RUN, 3), (RUN, 4))]
Key = tuple[tuple[str, str, tuple[str, ...]], ...]


def key_of(groups: tuple[NamedGroup, ...], faces: Faces, one_colour: bool) -> Key:
    """What distinguishes two ways for the rules: which kinds of card go where."""
    def kind(card: int) -> str:
        face = faces[card]
        return "" if face in WILDS else face if one_colour else RANK[face]

    named = []
    for group_kind, base, cards in groups:
        kinds = [kind(card) for card in cards]
        named.append((group_kind, base, tuple(sorted(kinds) if group_kind == SET else kinds)))
    return tuple(sorted(named))


def groups_of(hand: list[int], faces: Faces, kind: str, length: int, one_colour: bool) -> Iterator[NamedGroup]:
    """Every legal group of ``length`` cards out of ``hand``, by trying all subsets and all places."""
    for cards in combinations(hand, length):
        teeth = [card for card in cards if faces[card] in RANK]
        wilds = [card for card in cards if faces[card] not in RANK]
        for base in RANKS:
            if kind == SET:
                tried: list[int] | None = list(cards)
            else:
                tried = placed(teeth, wilds, base, length, faces)
            if tried is not None and laid_refusal((kind, base, tuple(tried)), faces, one_colour=one_colour) is None:
                yield kind, base, tuple(tried)


def placed(teeth: list[int], wilds: list[int], base: str, length: int, faces: Faces) -> list[int] | None:
    """The cards in the order of a run from ``base``, wilds where teeth are missing."""
    suite = next(suite for suite in SUITES if base in suite)
    ranks = suite[suite.index(base):][:length]
    by_rank = {RANK[faces[card]]: card for card in teeth}
    if len(ranks) < length or len(by_rank) != len(teeth) or not by_rank.keys() <= set(ranks):
        return None
    spare = list(wilds)
    return [by_rank[rank] if rank in by_rank else spare.pop() for rank in ranks]


def brute_force(hand: list[int], faces: Faces, contract: Contract, one_colour: bool) -> set[Key]:
    found: set[Key] = set()

    def lay(left: list[int], at: int, done: tuple[NamedGroup, ...]) -> None:
        if at == len(contract):
            found.add(key_of(done, faces, one_colour))
            return
        for group in groups_of(left, faces, *contract[at], one_colour):
            lay([card for card in left if card not in group[2]], at + 1, (*done, group))

    lay(hand, 0, ())
    return found


def dealt(rng: Random, size: int, wilds: int) -> Faces:
    """A hand that has something to meld: few ranks, a few wilds, now and then another face card."""
    ranks = [*rng.sample(RANKS, 2), *"234"[:rng.randint(1, 3)]]
    faces = [rng.choice("rbyg") + rng.choice(ranks) for _ in range(size - wilds)]
    faces += [rng.choice(("implant", "bridge")) for _ in range(wilds)]
    if rng.random() < 0.3:
        faces[0] = "cavity"
    return Faces(enumerate(faces))


@pytest.mark.parametrize("one_colour", [False, True])
@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_every_way_and_no_other(contract: Contract, one_colour: bool) -> None:
    """TT-6, TT-7: the finder equals brute force on random hands."""
    rng = Random(str(contract))
    met = 0
    for _ in range(20):
        faces = dealt(rng, 9 if len(contract) == 1 else 8, rng.choice((0, 1, 2, 3)))
        hand = list(faces)
        found = [lay_out(sorted_hand(hand, faces, one_colour=one_colour), way)
                 for way in ways(sorted_hand(hand, faces, one_colour=one_colour), contract)]
        keys = [key_of(groups, faces, one_colour) for groups in found]
        assert len(keys) == len(set(keys)), "a way proposed twice"
        assert set(keys) == brute_force(hand, faces, contract, one_colour)
        met += bool(keys)
    assert met


hand_faces = st.lists(st.sampled_from(deck(1)), min_size=1, max_size=24)


@settings(max_examples=80, deadline=None)
@given(hand_faces, st.sampled_from(EIGHT), st.booleans())
def test_what_is_proposed_is_legal_and_best_first(shown: list[str], contract: Contract, one_colour: bool) -> None:
    faces = Faces(enumerate(shown))
    holding = sorted_hand(list(faces), faces, one_colour=one_colour)
    ranked = []
    for way in islice(ways(holding, contract), 200):
        groups = lay_out(holding, way)
        cards = [card for group in groups for card in group[2]]
        assert len(cards) == len(set(cards))
        assert meets(contract, groups)
        assert all(laid_refusal(group, faces, one_colour=one_colour) is None for group in groups)
        ranked.append((sum(faces[card] in WILDS for card in cards), -sum(piece.points for piece in way)))
    assert ranked == sorted(ranked)


@settings(max_examples=80, deadline=None)
@given(hand_faces, st.booleans())
def test_hits_swaps_and_further_groups_are_all_that_is_legal(shown: list[str], one_colour: bool) -> None:
    """TT-7, TT-9, TT-13: compared with asking the rules about every card, group and rank."""
    faces = Faces(enumerate([*shown, "r4", "b5", "implant", "gC", "yC", "bridge", "rB", "bridge"]))
    hand, field = list(range(len(shown))), range(len(shown), len(faces))
    a, b, c, d, e, f, g, h = field
    colour = "r" if one_colour else ""
    groups = {3: Group(RUN, "", SUITES[1], colour, (None, None, None, a, b, c, None, None), 0),
              5: Group(SET, "C", SUITES[0], "", (d, e, f), 1),
              8: Group(RUN, "", SUITES[0], colour, (None, g, None, None, h), 1)}
    every = [(number, rank, card) for number in groups for rank in RANKS for card in hand]
    assert sorted(hits(hand, faces, groups)) == sorted(
        hit for hit in every if hit_refusal(groups[hit[0]], hit[1], faces[hit[2]]) is None)
    assert sorted(swaps(hand, faces, groups)) == sorted(
        swap for swap in every if swap_refusal(groups[swap[0]], swap[1], faces[swap[2]], faces) is None)
    for group in islice(extra_groups(sorted_hand(hand, faces, one_colour=one_colour)), 60):
        assert laid_refusal(group, faces, one_colour=one_colour) is None


@pytest.mark.parametrize("one_colour", [False, True])
def test_a_rich_hand_has_its_first_way_at_once(one_colour: bool) -> None:
    """Eight wilds and twenty teeth: lazily, the first way uses as few wilds as can be."""
    faces = Faces(enumerate(["implant", "bridge"] * 4 + [colour + rank for colour in "rb" for rank in "ABC1234567"[:10]]))
    holding = sorted_hand(list(faces), faces, one_colour=one_colour)
    first = next(ways(holding, EIGHT[7]))
    assert sum(piece.wilds for piece in first) == 2  # two teeth of a rank for the set of 4, the run natural
    assert sum(1 for _ in ways(holding, EIGHT[7])) > 500
