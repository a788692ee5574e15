"""Forms of moves: what has the form is read, all else is refused with one exception."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.schema import (
    CARD,
    CARDS,
    Int,
    Malformed,
    Maybe,
    OneOf,
    Seq,
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
