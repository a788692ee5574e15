"""Forms of moves: what has the form is read, all else is refused with one exception."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.faces import HIDDEN
from tabletin.kernel.schema import (
    CARD,
    CARDS,
    Int,
    Malformed,
    Maybe,
    OneOf,
    Seq,
    Shape,
    Tree,
    Tup,
    Verbs,
    read_move,
    sample_move,
)

VERBS: Verbs = {
    "lay": (CARD, Int(-3, 3)), "say": (OneOf(("yes", "no")), Maybe(OneOf(("now", "later")))),
    "many": (Seq(Tup((CARD, CARD)), 3, 1),),
    "tree": (Tree((CARD, OneOf(("a", "b"))), 4, 6),), "cards": (CARDS,), "none": (),
}


@given(st.integers(0, 10**6))
def test_samples_have_the_form(seed: int) -> None:
    move = sample_move(VERBS, Random(seed))
    assert read_move(VERBS, move) == move


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4), lambda v: st.lists(v, max_size=4)))
def test_anything_is_read_or_refused(value: Any) -> None:
    try:
        move = read_move(VERBS, value)
    except Malformed:
        return
    assert move[0] in VERBS


@pytest.mark.parametrize("move", [
    [], "lay", ["lay"], ["lay", 1], ["lay", -1, 0], ["lay", 1, 4], ["lay", True, 0], ["lay", 1.0, 0], ["shout"],
    ["say", "maybe", None], ["say", "yes", 1], ["many", []], ["many", [[1, 2]] * 4], ["many", [[1]]], ["none", 1],
    ["tree", [1, "a"]], ["tree", [1, "c", []]], ["tree", [1, "a", [[]]]], [["lay"], 1, 0]])
def test_refused(move: Any) -> None:
    with pytest.raises(Malformed):
        read_move(VERBS, move)


def test_a_tree_too_deep_is_refused() -> None:
    tree: list[Any] = [1, "a", []]
    for _ in range(8):
        tree = [1, "a", [tree]]
    with pytest.raises(Malformed):
        read_move(VERBS, ["tree", tree])


# ---- just at the limit and just beyond ----

def tree(levels: int) -> list[Any]:
    node: list[Any] = [1, "a", []]
    for _ in range(levels - 1):
        node = [1, "a", [node]]
    return node


@pytest.mark.parametrize(("shape", "just", "beyond"), [
    (CARD, 0, -1), (CARD, 2**31 - 1, 2**31), (Int(-3, 3), -3, -4), (Int(-3, 3), 3, 4),
    (CARDS, [], None), (CARDS, [1] * 512, [1] * 513),
    (Seq(CARD, 3, 1), [1], []), (Seq(CARD, 3, 1), [1] * 3, [1] * 4), (Seq(CARD, 3), [], [1] * 4),
    (Tup((CARD, CARD)), [1, 2], [1, 2, 3]), (Tup((CARD, CARD)), [1, 2], [1]), (Tup((CARD, CARD)), [1, 2], {1: 2, 2: 3}),
    (Seq(CARD, 3, 1), [1], {1: 2}), (OneOf(("a", "b")), "a", "c"), (OneOf(("a", "b")), "b", ("a",)), (Maybe(CARD), 1, -1),
    (Tree((CARD, OneOf(("a", "b"))), 2, 3), tree(4), tree(5)), (Tree((CARD, OneOf(("a", "b"))), 2), tree(201), tree(202)),
    (Tree((CARD,), 2), [1, [[2, []], [3, []]]], [1, [[2, []], [3, []], [4, []]]]), (Tree((CARD,), 2), [1, []], [1, {}]),
    (Tree((CARD,), 2), [1, []], [1]), (Tree((CARD,), 2), [1, []], [1, 2, []]), (Tree((), 2), [[]], {0: []})])
def test_a_shape_reaches_just_so_far(shape: Shape, just: Any, beyond: Any) -> None:
    read = shape.read(just)
    assert json.dumps(read) == json.dumps(just) == json.dumps(shape.read(read))
    assert type(read) is (tuple if isinstance(just, list) else type(just))
    with pytest.raises(Malformed):
        shape.read(beyond)


def test_a_face_that_is_not_known_is_no_word() -> None:
    with pytest.raises(Malformed):
        OneOf(("a", "b")).read(HIDDEN)


def test_nothing_may_stand_where_a_shape_allows_it() -> None:
    assert Maybe(CARD).read(None) is None and Maybe(CARD).read(0) == 0


@pytest.mark.parametrize(("value", "said"), [
    (["tree", [1, "a"]], "a node of 3 parts"), (["lay", 1], "lay takes 2 arguments"), (["shout"], "one of lay, say"),
    ([], "begins with a word"), ({0: "lay"}, "begins with a word"), ([["lay"], "lay"], "begins with a word")])
def test_what_was_expected_is_said(value: Any, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        read_move(VERBS, value)


# ---- samples for the fuzzers ----

def samples(shape: Shape, count: int = 4000) -> list[Any]:
    rng = Random(1)
    return [shape.sample(rng) for _ in range(count)]


def test_samples_of_numbers_are_often_small() -> None:
    """Small ones name real cards and places; the ends are where mistakes are."""
    low, high = -(2**31), 2**31 - 1
    found = samples(Int(low, high))
    small = {number for number in found if abs(number) < 1000}
    assert (min(small), max(small)) == (-9, 99)
    assert found.count(low) > 500 < found.count(high)
    assert set(samples(Int(-3, 3), 200)) == set(range(-3, 4))


def test_samples_of_lists_are_short() -> None:
    assert {len(found) for found in samples(Seq(CARD, 100, 2), 200)} == {2, 3, 4, 5, 6}
    assert {len(found) for found in samples(Seq(CARD, 3, 2), 200)} == {2, 3}


def test_samples_of_what_may_be_missing_are_so_at_times() -> None:
    missing = samples(Maybe(CARD)).count(None)
    assert 1000 < missing < 1500


def test_samples_of_trees_are_small() -> None:
    def levels(node: Any) -> int:
        return 1 + max(map(levels, node[-1]), default=0)

    def widths(node: Any) -> set[int]:
        return {len(node[-1])}.union(*map(widths, node[-1]))

    found = samples(Tree((CARD,), 9), 100)
    assert {levels(node) for node in found} == {1, 2, 3, 4}
    assert set().union(*map(widths, found)) == {0, 1, 2, 3}
    assert set().union(*map(widths, samples(Tree((CARD,), 2), 50))) == {0, 1, 2}
