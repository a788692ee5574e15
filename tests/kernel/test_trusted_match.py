"""A match that somebody else has verified: the answers beside its deals are the only thing it has that the log has not."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from tabletin.kernel.dealing import OpenDealer, RequestAnswer
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Open, Result, Roll, Show
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import Table
from tabletin.kernel.trusted_match import (
    Answers,
    TrustedDealing,
    answers_json,
    cut,
    deal_answers,
    follow,
    is_trusted,
    read_answers,
    trusted_match,
)
from tests.support.highcard import HighCard, HighCardState

SETUP = Setup("highcard", 1, {"turns": 2}, (Seat("person", "table"),) * 2, "sealed")


@cache
def played() -> tuple[Match, tuple[tuple[Entry, Answers | None], ...]]:
    """A finished match, and its entries with what the deals among them answered."""
    table = Table.begin(HighCard, SETUP, OpenDealer(Random(3)))
    while table.match.acting:
        seat = table.match.acting[0]
        table.move(seat, ("lay", table.match.state.hands[seat][0]))
    match, story = table.match, []
    for entry in match.entries:
        body, kind = entry.statement.body, entry.statement.kind
        result: Result = body.get("roll", tuple(body["faces"]) if "faces" in body else None)
        story.append((entry, (result,) if kind == "deal" else None))
    return match, tuple(story)


def followed(length: int | None = None) -> Match:
    """A trusted match with the first ``length`` entries of ``played``."""
    match = trusted_match(HighCard, played()[1][0][0])
    for entry, answers in played()[1][1:length]:
        follow(match, entry, answers)
    return match


def asking(*requests: Any) -> HighCardState:
    state = HighCard(2).start()
    state.requests = requests
    return state


def test_it_folds_to_the_same_with_the_same_events() -> None:
    whole, story = played()
    match = trusted_match(HighCard, story[0][0])
    for entry, answers in story[1:]:
        assert follow(match, entry, answers) == whole.events(entry.index)
    assert (match.state, match.outcome, match.head) == (whole.state, whole.outcome, whole.head)
    assert deal_answers(match) == [answers for _, answers in story if answers is not None]
    assert any(answers not in (None, (None,)) for _, answers in story) and match.outcome is not None


def test_it_knows_itself() -> None:
    assert is_trusted(followed(3)) is True and is_trusted(played()[0]) is False
    with pytest.raises(Malformed):
        deal_answers(played()[0])
    with pytest.raises(Malformed):
        follow(played()[0], played()[1][1][0], (None,))


def test_answers_stand_beside_deals_and_nothing_else() -> None:
    _, story = played()
    first_move = next(entry.index for entry, answers in story[1:] if answers is None)
    for index, answers in ((1, None), (first_move, ()), (first_move, (None,))):
        match = followed(index)
        with pytest.raises(Malformed):
            follow(match, story[index][0], answers)
        assert len(match.entries) == index
        follow(match, *story[index])
        assert match.head == story[index][0].hash


@pytest.mark.parametrize("answers", [(1,), (None,) * 9, ("a",), (("1",),)])
def test_an_answer_that_does_not_fit_changes_nothing(answers: Answers) -> None:
    _, story = played()
    match = followed(1)
    with pytest.raises(Refused):
        follow(match, story[1][0], answers)
    assert deal_answers(match) == [] and len(match.entries) == 1
    follow(match, *story[1])
    assert deal_answers(match) == [(None,)]


def test_an_entry_out_of_place_changes_nothing() -> None:
    _, story = played()
    match = followed(2)
    with pytest.raises(Refused):
        follow(match, *story[3])
    assert deal_answers(match) == [(None,)] and len(match.entries) == 2


def test_what_is_cut_off_takes_its_answers_along() -> None:
    _, story = played()
    for length in range(1, len(story) + 1):
        match = followed()
        cut(match, length)
        assert len(match.entries) == length and deal_answers(match) == [one for _, one in story[:length] if one is not None]
        for entry, answers in story[length:]:
            follow(match, entry, answers)
        assert match.state == played()[0].state


def test_a_deal_answers_the_requests_that_wait_in_order() -> None:
    dealing = TrustedDealing()
    dealing.answers += [(3, ("a",)), (2,), ()]
    state = asking(Roll(6), Open((0,)), Roll(2))
    assert dealing.read(state, "x", {}) == [RequestAnswer(3), RequestAnswer(("a",))]
    assert dealing.read(state, "x", {}) == [RequestAnswer(2)]
    assert dealing.read(asking(), "x", {}) == []
    assert dealing.read_so_far == 3
    with pytest.raises(Refused, match=r"deal\.form"):
        dealing.read(state, "x", {})


@pytest.mark.parametrize(("answers", "key"), [((7,), "form"), ((1, ("a", "b")), "form"), ((1, ("a",), 1), "nothing_asked")])
def test_answers_have_the_form_of_what_is_asked(answers: Answers, key: str) -> None:
    dealing = TrustedDealing([answers])
    with pytest.raises(Refused, match=key):
        dealing.read(asking(Roll(6), Open((0,))), "x", {})
    assert dealing.read_so_far == 0
    assert TrustedDealing([(1, ("a",))]).read(asking(Roll(6), Open((0,))), "x", {}) == [RequestAnswer(1), RequestAnswer(("a",))]


def test_copies_read_on_by_themselves_from_the_same_answers() -> None:
    dealing = TrustedDealing([(1,), (2,)])
    dealing.read(asking(Roll(6)), "x", {})
    twin = dealing.copy()
    assert twin is not dealing and twin == dealing and twin.answers is dealing.answers and twin.read_so_far == 1
    twin.read(asking(Roll(6)), "x", {})
    assert twin.read_so_far == 2 != dealing.read_so_far
    assert (twin == dealing) is False
    assert TrustedDealing() == TrustedDealing([(1,)]), "nothing is read yet"
    assert TrustedDealing().__eq__(5) is NotImplemented and (TrustedDealing() == 5) is False


def test_openings_may_carry_a_proof_that_was_checked() -> None:
    dealing = TrustedDealing()
    assert dealing.take_openings(asking(), "x", [[0, "a"], [1, "b", "proof"]]) == {0: "a", 1: "b"}
    for openings in ([[0]], [[0, "a", "proof", 1]]):
        with pytest.raises(Refused):
            dealing.take_openings(asking(), "x", openings)


@pytest.mark.parametrize(("answers", "data"), [
    (None, None), ((), []), ((None,), [None]), ((3, None), [3, None]), ((("a", "b"), 1, ()), [["a", "b"], 1, []])])
def test_answers_are_stored_and_read_again(answers: Answers | None, data: Any) -> None:
    assert answers_json(answers) == data
    assert read_answers(data) == answers


@pytest.mark.parametrize("data", [5, {}, "ab", ["a"], [True], [1.5], [["a", 1]], [[1]], [{}], [[["a"]]], ("a",), [("a",)]])
def test_answers_of_another_form_are_refused(data: Any) -> None:
    with pytest.raises(Malformed):
        read_answers(data)


def test_what_was_checked_is_not_checked_again() -> None:
    """Whoever follows has seen the signatures: any author may say anything that the rules allow."""
    match = followed(1)
    statement = match.propose("a stranger", "deal", {})
    follow(match, Entry.create(1, match.head, statement), (None,))
    assert isinstance(match.state.requests[0], Show)
