"""The public part of a match: what a shuffle, a disclosure and a roll leave in it, and that a copy is independent."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.faces import Faces
from tabletin.kernel.requests import ALL, Open, Request, Result, Roll, Show, Shuffle, TakeBack, discloses_publicly
from tabletin.kernel.state import Batch, Event, State, well_formed


class Table(State):
    __slots__ = ("turn", "pile", "points", "names")

    def __init__(self) -> None:
        super().__init__()
        self.turn = 0
        self.pile: tuple[int, ...] = ()
        self.points: dict[int, int] = {}
        self.names: list[str] = []


def settled(state: State, request: Request, result: Result = None) -> tuple[int, ...]:
    """The cards that ``request``, the only one, concerned once it was answered."""
    assert state.requests == ()
    state.ask(request)
    taken, cards = state.settle(result)
    assert taken is request and state.requests == ()
    return cards


def test_nothing_has_happened_at_the_start() -> None:
    state = Table()
    assert (state.public, state.viewers, state.requests, state.next_card, state.batches) == ({}, {}, (), 0, {})
    assert (state.resigner, state.broken_off, state.absentees) == (None, False, frozenset())
    assert (state.practice, state.events) == (False, None)


def test_a_copy_is_equal_and_independent() -> None:
    state = Table()
    state.turn, state.pile, state.points, state.names, state.events = 1, (3, 4), {0: 5}, ["a"], []
    state.public[3] = "x"
    state.viewers[4] = 2
    twin = state.copy()
    assert twin == state and type(twin) is Table and isinstance(twin.public, Faces)
    assert twin.events is None and state.events == [], "nobody listens to a copy"
    twin.points[0] = 6
    twin.names.append("b")
    twin.public[5] = "y"
    twin.viewers[4] = 3
    assert (state.points, state.names, state.public, state.viewers) == ({0: 5}, ["a"], {3: "x"}, {4: 2})


@pytest.mark.parametrize(("name", "value"), [("turn", 1), ("pile", (1,)), ("points", {1: 1}), ("public", Faces({1: "a"})),
                                             ("next_card", 1), ("practice", True), ("requests", (Roll(6),))])
def test_states_are_equal_in_all_that_they_hold(name: str, value: Any) -> None:
    state, other = Table(), Table()
    assert (state == other) is True
    setattr(other, name, value)
    assert (state == other) is False


def test_what_is_said_is_no_part_of_a_state() -> None:
    class Quiet(State):
        __slots__ = ()

    for kind in (Table, Quiet):
        state, other = kind(), kind()
        state.events = []
        assert state == other and "events" not in repr(state)


def test_a_state_of_another_game_is_another() -> None:
    class Other(State):
        __slots__ = ()

    assert Table().__eq__(Other()) is NotImplemented and Table() != Other() and Table() != 5


def test_an_event_is_noted_for_who_listens() -> None:
    state = Table()
    state.say("a.b")
    assert state.events is None
    state.events = []
    state.say("a.b", 1, cards=(3,), to=0, points=4)
    state.say("a.c")
    assert state.events == [Event("a.b", 1, {"points": 4}, (3,), 0), Event("a.c", None, {}, (), ALL)]


def test_requests_wait_in_order() -> None:
    state = Table()
    state.ask(Roll(6))
    state.ask(Show((1,), 0))
    state.ask(Show((2,), 0))
    assert list(state.requests) == [Roll(6), Show((1,), 0), Show((2,), 0)]
    assert state.settle(4) == (Roll(6), ())
    assert list(state.requests) == [Show((1,), 0), Show((2,), 0)]


def test_who_was_shown_a_card_is_public_and_its_face_is_not() -> None:
    state = Table()
    assert settled(state, Show((3, 4), 0)) == (3, 4)
    assert settled(state, Show((4,), 2)) == (4,)
    assert settled(state, Show((4,), 2)) == (4,)
    assert (state.viewers, state.public) == ({3: 0b001, 4: 0b101}, {})


@pytest.mark.parametrize("request_", [Show((3, 4), ALL), Open((3, 4))])
def test_what_is_shown_to_all_is_public(request_: Request) -> None:
    state = Table()
    assert settled(state, request_, ("a", "b")) == (3, 4)
    assert (state.public, state.viewers) == ({3: "a", 4: "b"}, {})
    state.ask(request_)
    with pytest.raises(ValueError, match="zip"):
        state.settle(("a",))


def test_a_card_that_is_taken_back_stays_what_it_is() -> None:
    state = Table()
    state.public[3], state.viewers[4] = "a", 1
    assert settled(state, TakeBack((3, 4))) == (3, 4)
    assert (state.public, state.viewers, state.next_card) == ({3: "a"}, {4: 1}, 0)


def test_a_shuffle_gives_fresh_handles_and_the_old_ones_are_gone() -> None:
    state = Table()
    assert settled(state, Shuffle(faces=("b", "a", "c"))) == (0, 1, 2)
    assert state.next_card == 3 and state.batches == {0: Batch(3, ("a", "b", "c"), 0)}
    state.public |= {0: "b", 7: "x"}
    state.viewers |= {0: 1, 1: 1, 7: 2}
    assert settled(state, Shuffle(cards=(0, 1), faces=("d",))) == (3, 4, 5)
    assert state.next_card == 6 and state.public == {7: "x"} and state.viewers == {7: 2}
    assert state.batches == {0: Batch(3, ("a", "b", "c"), 0), 3: Batch(3, ("b", "d"), 1)}, "card 2 is still there"
    assert settled(state, Shuffle(cards=(2, 3, 4))) == (6, 7, 8)
    assert state.batches == {0: Batch(3, ("a", "b", "c"), 0), 3: Batch(3, ("b", "d"), 1), 6: Batch(3, (), 3)}
    assert settled(state, Shuffle(cards=(5, 3, 4))) == (9, 10, 11)
    assert state.batches.keys() == {0, 6, 9}, "a batch is gone with the last of its cards in one shuffle"


def test_a_shuffle_of_nothing_leaves_nothing() -> None:
    state = Table()
    assert settled(state, Shuffle()) == ()
    assert (state.next_card, state.batches) == (0, {})


def test_a_new_deck_sweeps_the_table() -> None:
    state = Table()
    settled(state, Shuffle(faces=("a", "b")))
    state.public[0], state.viewers[1], state.absentees = "a", 1, frozenset({2})
    state.new_deck(["x", "y"], "second")
    assert (state.public, state.viewers, state.batches, state.absentees) == ({}, {}, {}, frozenset())
    assert state.requests == (Shuffle((), ("x", "y"), "second"),) and len(state.requests[0]) == 2
    assert state.next_card == 2, "a handle is never used again"


@pytest.mark.parametrize(("request_", "good", "bad"), [
    (Roll(6), (1, 6), (0, 7, True, "1", None, (1,), 1.0)),
    (Open((1, 2)), (("a", "b"),), (("a",), ("a", "b", "c"), ("a", 1), (1, 2), ["a", "b"], "ab", None, 1)),
    (Show((1,), ALL), (("a",),), (("a", "b"), (), None, 1)),
    (Open(()), ((),), (("a",), None)),
    (Show((1,), 0), (None,), (("a",), 1)), (TakeBack((1,)), (None,), (("a",), 1, ())), (Shuffle((1,)), (None,), (("a",), 1))])
def test_an_answer_has_the_form_of_its_request(request_: Request, good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    assert [well_formed(request_, result) for result in good] == [True] * len(good)
    assert [well_formed(request_, result) for result in bad] == [False] * len(bad)


def test_what_everybody_gets_to_see() -> None:
    asked = (Open((1,)), Show((1,), ALL), Show((1,), 0), TakeBack((1,)), Shuffle((1,)), Roll(6))
    assert [discloses_publicly(request) for request in asked] == [True, True, False, False, False, False]
    assert ALL == -1, "as it stands in stored logs"
