"""The open dealer: what it says has the form that was asked for, and its honest answers are those of the cards."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tabletin.kernel.dealing import (
    OpenDealer,
    OpenDealing,
    RequestAnswer,
    SeatAgnosticDealing,
    answer,
    plain_body,
    prepares_next_hand,
    read_openings,
)
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Statement
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import ALL, Open, Request, Result, Roll, Show, Shuffle, TakeBack
from tabletin.kernel.state import State

AUTHOR = "table"
WORLD = Faces({0: "a", 1: "b", 2: "c"})


class Plain(State):
    """A state that holds nothing but what the kernel owns."""

    __slots__ = ()


def asking(*requests: Request) -> Plain:
    state = Plain()
    state.requests = requests
    return state


@pytest.mark.parametrize(("kind", "body", "expected"), [
    ("deal", {"ahead": []}, True), ("deal", {}, False), ("deal", {"ahead": [], "roll": 1}, False), ("deal", {"roll": 1}, False),
    ("move", {"ahead": []}, False), ("consent", {}, False)])
def test_only_a_deal_ahead_prepares_the_next_hand(kind: str, body: dict[str, Any], expected: bool) -> None:
    assert prepares_next_hand(Statement("0" * 64, AUTHOR, 0, "0" * 64, kind, body)) is expected


def test_openings_name_each_card_once() -> None:
    assert read_openings([[0, "a"], [1, "b"]]) == {0: "a", 1: "b"}
    assert read_openings([[0, "a"], [1, "b", "proof"]], parts=(2, 3)) == {0: "a", 1: "b"}
    assert read_openings([]) == {} == OpenDealing().take_openings(asking(), AUTHOR, [])
    assert OpenDealing().take_openings(asking(), AUTHOR, [[7, "a"]]) == {7: "a"}


@pytest.mark.parametrize("openings", [[[]], [[0]], [[0, "a", "proof"]], [["0", "a"]], [[True, "a"]], [[0, 1]], [[0, None]],
                                      [[0, "a"], [0, "a"]], [[0, "a"], [1]]])
def test_openings_of_another_form_are_refused(openings: list[list[Any]]) -> None:
    with pytest.raises(Refused, match=r"kernel\.opening\.form"):
        read_openings(openings)
    with pytest.raises(Refused, match=r"kernel\.opening\.form"):
        OpenDealing().take_openings(asking(), AUTHOR, openings)


@pytest.mark.parametrize(("request_", "body", "result"), [
    (Roll(6), {"roll": 1}, 1), (Roll(6), {"roll": 6}, 6),
    (Open((0, 1)), {"faces": ["a", "b"]}, ("a", "b")), (Open((0, 1)), {"faces": ("a", "b")}, ("a", "b")),
    (Show((0,), ALL), {"faces": ["a"]}, ("a",)), (Show((0,), 1), {}, None), (TakeBack((0,)), {}, None),
    (Shuffle((), ("a",)), {}, None), (Open(()), {"faces": []}, ())])
def test_the_first_request_is_answered_in_its_own_form(request_: Request, body: dict[str, Any], result: Result) -> None:
    state = asking(request_, Roll(3))
    answers = OpenDealing().read(state, AUTHOR, body)
    assert list(answers) == [RequestAnswer(result)]
    assert plain_body(result) == {key: list(value) if isinstance(value, tuple) else value for key, value in body.items()}


@pytest.mark.parametrize(("request_", "body"), [
    (Roll(6), {}), (Roll(6), {"roll": 0}), (Roll(6), {"roll": 7}), (Roll(6), {"roll": "1"}), (Roll(6), {"roll": True}),
    (Roll(6), {"roll": None}), (Roll(6), {"faces": []}), (Roll(6), {"roll": 1, "faces": []}),
    (Open((0, 1)), {}), (Open((0, 1)), {"faces": ["a"]}), (Open((0, 1)), {"faces": ["a", "b", "c"]}),
    (Open((0, 1)), {"faces": "ab"}), (Open((0, 1)), {"faces": ["a", 1]}), (Open((0, 1)), {"faces": None}),
    (Open((0, 1)), {"roll": 1}), (Open((0, 1)), {"faces": ["a", "b"], "more": 1}),
    (Show((0,), ALL), {}), (Show((0,), 0), {"faces": ["a"]}), (TakeBack((0,)), {"faces": ["a"]}),
    (Shuffle((), ("a",)), {"faces": ["a"]}), (Shuffle((), ("a",)), {"more": 1})])
def test_an_answer_of_another_form_is_refused(request_: Request, body: dict[str, Any]) -> None:
    with pytest.raises(Refused, match=r"kernel\.deal\.form"):
        OpenDealing().read(asking(request_), AUTHOR, body)


@pytest.mark.parametrize("request_", [Open((0, 1)), Show((0, 1), ALL)])
def test_a_face_that_everybody_knows_is_not_changed(request_: Request) -> None:
    state = asking(request_)
    state.public[1] = "b"
    assert list(OpenDealing().read(state, AUTHOR, {"faces": ["a", "b"]})) == [RequestAnswer(("a", "b"))]
    with pytest.raises(Refused, match=r"kernel\.deal\.contradicts\(card=1\)"):
        OpenDealing().read(state, AUTHOR, {"faces": ["a", "c"]})


def test_nothing_is_dealt_unasked() -> None:
    with pytest.raises(Refused, match=r"kernel\.deal\.nothing_asked"):
        OpenDealing().read(asking(), AUTHOR, {})


def test_an_honest_answer_tells_faces_to_everybody_or_to_nobody() -> None:
    state, rng = asking(), Random(1)
    assert answer(state, Open((2, 0)), WORLD, rng) == (("c", "a"), {})
    assert answer(state, Show((1,), ALL), WORLD, rng) == (("b",), {})
    assert answer(state, Show((1,), 0), WORLD, rng) == (None, {})
    assert answer(state, TakeBack((1,)), WORLD, rng) == (None, {})
    assert answer(state, Roll(1), WORLD, rng) == (1, {})
    assert {answer(state, Roll(3), WORLD, rng)[0] for _ in range(100)} == {1, 2, 3}


def test_a_shuffle_gives_fresh_handles_to_the_cards_that_went_in() -> None:
    state = asking()
    state.next_card = 7
    orders = set()
    for seed in range(40):
        result, faces = answer(state, Shuffle((0, 2), ("x",)), WORLD, Random(seed))
        assert (result, list(faces), sorted(faces.values())) == (None, [7, 8, 9], ["a", "c", "x"])
        orders.add(tuple(faces.values()))
    assert len(orders) == 6, "every order comes up"


def test_a_dealer_answers_what_was_asked_first_and_proves_in_plain_sight() -> None:
    dealer = OpenDealer(Random(1))
    assert dealer.deal(asking(Open((0,)), Roll(1)), WORLD) == ({"faces": ["a"]}, {})
    assert dealer.deal(asking(Roll(1), Open((0,))), WORLD) == ({"roll": 1}, {})
    assert dealer.deal(asking(Show((0,), 0)), WORLD) == ({}, {})
    assert dealer.prove({0: "a", 2: "c"}) == [[0, "a"], [2, "c"]]


def test_an_open_dealing_has_no_state_of_its_own() -> None:
    dealing = OpenDealing()
    assert dealing.copy() is dealing and isinstance(dealing, SeatAgnosticDealing)
