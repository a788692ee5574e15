"""A result as a value: one spelling, strict reading, and what is no result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.log import canonical, parse
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat
from tabletin.peers.league.result import MOST_RESULT, LeagueResult, result_of
from tests.support.ballots import end_of, first_entry, vote_of
from tests.support.device_moves import peer_of
from tests.support.examples import MANY_HANDS, ONE_DEAL
from tests.support.league import author, result
from tests.support.peer_matches import network

GOOD = result("Ada", "Bo", bots=1).to_json()


def test_a_result_is_read_as_it_was_written_and_has_one_hash() -> None:
    one = result("Ada", "Bo", "Cleo", winners=(0, 2), bots=2)
    again = LeagueResult.from_json(parse(canonical(one.to_json())))
    assert again == one
    assert again.hash == one.hash
    assert one.signers == (author("Ada"), author("Bo"), author("Cleo"))


def test_a_name_may_have_signs_of_a_newer_unicode_than_this_pythons() -> None:
    """The page's is newer than that of most who judge a file. (Nobody has this sign yet.)"""
    one = result("Ada", "Bo")
    newer = replace(one, seats=(one.seats[0], replace(one.seats[1], name="Bo \u0378")))
    again = LeagueResult.from_json(parse(canonical(newer.to_json())))
    assert again == newer and again.hash == newer.hash != one.hash
    for name in ("\u0378 Bo\u200b", "Bo \ue000", "\u0378e" + 3 * "\u0301", "Bo  \u0378"):
        with pytest.raises(Malformed):
            LeagueResult.from_json({**GOOD, "seats": [GOOD["seats"][0], seat(name=name), GOOD["seats"][2]]})


def test_people_at_one_device_sign_once() -> None:
    one = result("Ada", "Bo")
    shared = replace(one, seats=(*one.seats, replace(one.seats[0], name="Ann")), scores=(1, 2, 3))
    assert shared.signers == (author("Ada"), author("Bo"))


@pytest.mark.parametrize("changes", [
    {"match": "ab" * 32}, {"head": "ab" * 32}, {"game": MANY_HANDS}, {"rules": 2}, {"options": {"x": 1}}, {"scores": (1, 2)},
    {"winners": (1,)}, {"winners": (0, 1)}, {"seats": tuple(reversed(result().seats))}])
def test_whatever_is_changed_changes_the_hash(changes: dict[str, Any]) -> None:
    assert replace(result(), **changes).hash != result().hash


def seat(**changes: Any) -> dict[str, Any]:
    return {**GOOD["seats"][1], **changes}


@pytest.mark.parametrize("changes", [
    {"game": "no-such-game"}, {"game": 7}, {"match": "ab"}, {"head": "AB" * 32}, {"rules": -1}, {"rules": True}, {"options": []},
    {"options": {"x": "x" * MOST_RESULT}},
    {"scores": [1, 2]}, {"scores": [1, 2, True]}, {"scores": [1, 2, 10**9]}, {"scores": {}}, {"scores": [1, 2, 3, 4]},
    {"winners": [3]}, {"winners": [-1]}, {"winners": [1, 0]}, {"winners": [0, 0]}, {"winners": ["0"]}, {"winners": None},
    {"seats": []}, {"seats": GOOD["seats"][:1]}, {"seats": [GOOD["seats"][0], GOOD["seats"][2], GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0], seat(by="x" * 64), GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0], seat(by=author("Bo").upper()), GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0], seat(name="Bo\u202eb"), GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0], seat(name="B\no"), GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0], seat(name="B" * 21), GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0], seat(name="B" + "\u0301" * 9), GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0], seat(level="hard"), GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0], seat(colour="<b>"), GOOD["seats"][2]]},
    {"seats": [GOOD["seats"][0]] * 21}, {"more": 1}])
def test_what_could_be_no_result_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        LeagueResult.from_json({**GOOD, **changes})


@pytest.mark.parametrize("name", sorted(GOOD))
def test_a_result_without_one_of_its_fields_is_refused(name: str) -> None:
    with pytest.raises(Malformed):
        LeagueResult.from_json({key: value for key, value in GOOD.items() if key != name})


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
                    max_leaves=8)


@pytest.mark.parametrize("name", ["Eve\u200b\u0301", "Ev\ue000e\ue000\u0301", "Anna\u3164", "\u2764\ufe0f\u200d"])
def test_whatever_a_seat_was_called_its_result_is_read_as_it_was_written(name: str) -> None:
    """A seat is cleaned where it comes into a match, and again where its result is read."""
    seat = Seat.from_json({**GOOD["seats"][0], "name": name})
    data = {**GOOD, "seats": [seat.to_json(), *GOOD["seats"][1:]]}
    assert LeagueResult.from_json(data).to_json() == data


@given(st.sampled_from(sorted(GOOD)), JSON)
def test_anything_in_a_field_is_read_or_refused(name: str, value: Any) -> None:
    try:
        read = LeagueResult.from_json({**GOOD, name: value})
    except Malformed:
        return
    assert read.to_json() == {**GOOD, name: value}


def test_a_result_names_the_entry_that_ended_the_match_whatever_stands_behind_it() -> None:
    """A ballot may begin an epoch behind the end. Else those who signed before it and after it would sign two results."""
    net = network(ONE_DEAL, 2, 33)
    assert net.run(net.finished)
    first = net.nodes[0]
    match = peer_of(first).match
    before, end = result_of(match), end_of(match)
    assert before is not None
    assert before.head == match.head
    subject = {"kind": "pass", "against": None, "order": match.orderer}
    author_of = next(node for node in net.nodes if node.author == match.orderer)
    votes = [vote_of(node, 1, subject, end) for node in net.nodes]
    peer_of(first).state.append(first_entry(author_of, subject, 1, votes, end[1] + 1))
    assert match.entries[-1].statement.kind == "pass"
    assert result_of(match) == before
