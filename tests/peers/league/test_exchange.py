"""What two devices that meet tell each other: each learns what it lacks, in bounded messages, and nothing else is read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.kernel.log import canonical, digest, parse
from tabletin.kernel.schema import Malformed
from tabletin.peers.league.collection import ResultCollection
from tabletin.peers.league.exchange import (
    LONGEST,
    MOST_IN_PARCEL,
    MOST_NAMED,
    SHOWN,
    Inventory,
    Parcel,
    inventory,
    parcel,
    read_message,
)
from tabletin.peers.league.file import LeagueFile, is_league_file, league_file, read_league_file
from tabletin.peers.room.messages import MOST_TEXT, spell
from tests.support.league import DAY, author, result, signed

MANY = [signed(result("Ada", "Bo", "Cleo", match=str(number)), day=f"2026-11-{1 + number % 28:02}") for number in range(60)]


def tell(told: Inventory | Parcel) -> Inventory | Parcel:
    """``told`` as it is read at the other end."""
    text = spell("league", league=told.to_json())
    assert len(text) <= MOST_TEXT
    return read_message(parse(text)["league"])


def meet(here: ResultCollection, there: ResultCollection) -> ResultCollection:
    """What ``here`` knows once it has asked ``there`` until nothing more comes."""
    while True:
        asked = tell(inventory(here, {}))
        assert isinstance(asked, Inventory)
        answer = parcel(there, asked)
        if answer is None:
            return here
        brought = tell(answer)
        assert isinstance(brought, Parcel)
        assert brought == answer
        after = here.merge(brought.results)
        assert after != here
        here = after


def test_two_who_meet_know_the_same_afterwards() -> None:
    here, there = ResultCollection.from_results(MANY[:35]), ResultCollection.from_results(MANY[20:])
    assert meet(here, there) == here.merge(there)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_signatures_that_are_spread_over_devices_come_together(data: st.DataObject) -> None:
    of = [result("Ada", "Bo", "Cleo", match=str(number)) for number in range(4)]
    names = st.lists(st.sampled_from(["Ada", "Bo", "Cleo"]), min_size=1, unique=True)
    here, there = (ResultCollection.from_results([signed(one, *data.draw(names)) for one in of if data.draw(st.booleans())])
                   for _ in range(2))
    assert meet(here, there) == here.merge(there)


def test_one_message_is_bounded_and_the_newest_come_first() -> None:
    told = parcel(MANY, Inventory({}))
    assert told is not None
    assert told.more
    assert len(told.results) <= MOST_IN_PARCEL
    assert sum(len(canonical(one.to_json())) for one in told.results) <= LONGEST
    assert [one.day for one in told.results] == sorted((one.day for one in MANY), reverse=True)[:len(told.results)]


def test_what_was_not_wanted_is_not_brought_again() -> None:
    rejected = {one.result.hash[:SHOWN]: one.marks for one in MANY[:59]}
    asked = inventory([], rejected)
    told = parcel(MANY, asked)
    assert told is not None
    assert told.results == (MANY[59],)
    assert not told.more


def test_an_inventory_names_so_many_at_most() -> None:
    rejected = {f"{number:024x}": 1 for number in range(MOST_NAMED + 50)}
    assert len(inventory(MANY, rejected).marks) == MOST_NAMED
    assert isinstance(tell(inventory(MANY, rejected)), Inventory)


GOOD = Parcel((MANY[0],)).to_json()


HAVE = Inventory({}).to_json()


@pytest.mark.parametrize("said", [
    None, [], {}, {**HAVE, "have": []}, {**HAVE, "have": {"ab": 1}}, {**HAVE, "have": {"A" * SHOWN: 1}},
    {**HAVE, "have": {"a" * SHOWN: -1}}, {**HAVE, "have": {"a" * SHOWN: True}}, {**HAVE, "have": {"a" * SHOWN: 1 << 40}},
    {**HAVE, "have": {f"{n:024x}": 1 for n in range(MOST_NAMED + 1)}}, {"have": {}}, {**HAVE, "greets": 1}, {**HAVE, "and": 1},
    {**GOOD, **HAVE}, {**GOOD, "more": 1}, {**GOOD, "results": []}, {**GOOD, "results": {}},
    {**GOOD, "results": GOOD["results"] * (MOST_IN_PARCEL + 1)}, {**GOOD, "and": 1}])
def test_what_is_no_message_is_refused(said: Any) -> None:
    with pytest.raises(Malformed):
        read_message(said)


BAD = {**MANY[2].to_json(), "result": {**MANY[2].result.to_json(), "winners": [7]}}


def test_what_cannot_be_read_is_left_out_alone_and_named() -> None:
    rest = [MANY[0].to_json(), BAD, MANY[1].to_json(), None]
    assert read_message({"results": rest, "more": True}) == Parcel(tuple(MANY[:2]), True, (digest(BAD["result"]), digest(None)))
    assert read_message({"results": [BAD], "more": False}) == Parcel((), False, (digest(BAD["result"]),))


# ---- as a file ----


def test_a_file_is_read_as_it_was_written() -> None:
    text = league_file(MANY)
    assert is_league_file(text)
    assert read_league_file(text) == LeagueFile(tuple(MANY))


@pytest.mark.parametrize("bad", [BAD, None, {}, [], MANY[3].to_json()["result"]])
def test_one_that_cannot_be_read_is_left_out_of_a_file_alone(bad: Any) -> None:
    text = league_file(MANY[:2])
    data = parse(text)
    data["results"].insert(1, bad)
    assert read_league_file(canonical(data).decode()) == LeagueFile(tuple(MANY[:2]), 1)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"form":"tabletin-league","results":[],"version":2}',
                                  '{"form":"tabletin-league","results":[],"version":true}',
                                  '{"form":"tabletin-league","results":{},"version":1}',
                                  '{"form":"tabletin-league","results":[{}],"version":1}', league_file(MANY)[:-100]])
def test_what_is_no_league_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        read_league_file(text)


def test_who_has_signed_is_a_number() -> None:
    one = result("Ada", "Bo", "Cleo")
    assert one.signers == (author("Ada"), author("Bo"), author("Cleo"))
    assert [signed(one, *names, day=DAY).marks for names in (["Ada"], ["Bo"], ["Ada", "Cleo"], [])] == [1, 2, 5, 7]
