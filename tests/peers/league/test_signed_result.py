"""Signatures under a result: what holds, what does not, and that merging them does not depend on who met whom when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.log import parse
from tabletin.kernel.schema import Malformed
from tabletin.peers.league.collection import ResultCollection
from tabletin.peers.league.signed_result import ResultSignature, SignedResult, check_day, signed_bytes
from tests.support.examples import MANY_HANDS
from tests.support.league import DAY, KEYS, VERIFIER, author, result, signed, with_result

# ---- what a signature is ----


def test_signatures_of_all_who_played_hold_and_make_it_complete() -> None:
    one = signed(result("Ada", "Bo", "Cleo", bots=1))
    assert one.false_signers(VERIFIER) == ()
    assert one.is_complete
    assert SignedResult.from_json(one.to_json()) == one


def test_a_missing_signature_is_told_and_the_result_is_not_complete() -> None:
    one = signed(result("Ada", "Bo", "Cleo"), "Ada", "Cleo")
    assert one.missing_signers == (author("Bo"),)
    assert not one.is_complete


@pytest.mark.parametrize("changes", [
    {"scores": (20, 10**4)}, {"winners": (1,)}, {"match": "ab" * 32}, {"head": "cd" * 32}, {"game": MANY_HANDS},
    {"options": {"x": 1}},
    {"seats": tuple(replace(seat, name="Eve") for seat in result().seats)}])
def test_signatures_do_not_hold_under_anything_else(changes: dict[str, Any]) -> None:
    assert signed(result()).false_signers(VERIFIER) == ()
    assert with_result(signed(result()), **changes).false_signers(VERIFIER) == (author("Ada"), author("Bo"))


def test_signatures_that_change_places_do_not_hold() -> None:
    one = signed(result())
    ada, bo = one.result.signers
    changed = replace(one, signatures={ada: one.signatures[bo], bo: one.signatures[ada]})
    assert changed.false_signers(VERIFIER) == (ada, bo)


def test_another_day_under_a_signature_does_not_hold() -> None:
    one = signed(result())
    other = ResultSignature("2026-11-22", one.signatures[author("Bo")].signature)
    assert replace(one, signatures={**one.signatures, author("Bo"): other}).false_signers(VERIFIER) == (author("Bo"),)


def test_a_key_of_nobody_at_the_table_signs_nothing() -> None:
    one = signed(result("Ada", "Bo")).to_json()
    foreign = [DAY, KEYS["Dan"].sign(signed_bytes(result().hash, DAY))]
    with pytest.raises(Malformed):
        SignedResult.from_json({**one, "signatures": {**one["signatures"], author("Dan"): foreign}})
    in_bos_place = SignedResult.from_json({**one, "signatures": {**one["signatures"], author("Bo"): foreign}})
    assert in_bos_place.false_signers(VERIFIER) == (author("Bo"),)


def test_a_greeting_or_a_statement_is_no_signature_under_a_result() -> None:
    one, name = result(), result().hash
    for said in (b"tabletin hello\n" + name.encode(), name.encode(), signed_bytes(name, DAY)[1:]):
        forged = SignedResult(one, {author("Ada"): ResultSignature(DAY, KEYS["Ada"].sign(said))})
        assert forged.false_signers(VERIFIER) == (author("Ada"),)
    with pytest.raises(Malformed):  # what is signed in a log is JSON
        parse(signed_bytes(name, DAY))


@pytest.mark.parametrize("signatures", [
    {}, [], {"ab" * 32: [DAY, "00" * 64]}, {author("Ada"): [DAY]}, {author("Ada"): [DAY, "00" * 63]},
    {author("Ada"): [DAY, "zz" * 64]}, {author("Ada"): ["2026-02-30", "00" * 64]}, {author("Ada"): [20261123, "00" * 64]},
    {author("Ada"): ["20261123", "00" * 64]}, {author("Ada"): {"day": DAY}}, {author("Ada"): [DAY, "00" * 64, "00" * 64]}])
def test_what_could_be_no_signature_is_refused(signatures: Any) -> None:
    with pytest.raises(Malformed):
        SignedResult.from_json({"result": result().to_json(), "signatures": signatures})


@pytest.mark.parametrize("day", ["", "2026-11-31", "1999-01-01", "2026-1-1", "2026-11-23 ", "２０２６-11-23", "2026-W47-1"])
def test_what_is_no_day_is_refused(day: str) -> None:
    with pytest.raises(Malformed):
        check_day(day)


def test_nobody_alone_can_date_a_result_back() -> None:
    early, late = signed(result(), "Bo", day="2026-01-02"), signed(result(), "Ada", day="2026-03-01")
    assert early.merge(late).day == "2026-03-01"
    again = early.merge(late).merge(signed(result(), "Bo", day="2025-12-31"))
    assert again.day == "2026-03-01"


def test_of_one_signer_the_first_day_counts() -> None:
    first, later = signed(result(), day=DAY), signed(result(), "Bo", day="2026-12-24")
    assert first.merge(later) == later.merge(first) == first


# ---- merging ----

RESULTS = [result("Ada", "Bo", match="one"), result("Ada", "Bo", "Cleo", match="two"), result("Bo", "Cleo", match="three")]
SIGNATURES = st.builds(ResultSignature, st.sampled_from(["2026-11-22", DAY, "2027-01-01"]),
                       st.sampled_from(["00" * 64, "11" * 64]))


@st.composite
def signed_results(draw: st.DrawFn) -> SignedResult:
    one = draw(st.sampled_from(RESULTS))
    signers = draw(st.lists(st.sampled_from(one.signers), min_size=1, unique=True))
    return SignedResult(one, {author: draw(SIGNATURES) for author in signers})


SETS = st.lists(signed_results(), max_size=6).map(ResultCollection.from_results)


@given(SETS, SETS)
def test_merging_is_commutative(one: ResultCollection, other: ResultCollection) -> None:
    assert one.merge(other) == other.merge(one)


@given(SETS, SETS, SETS)
def test_merging_is_associative(one: ResultCollection, other: ResultCollection, third: ResultCollection) -> None:
    assert one.merge(other).merge(third) == one.merge(other.merge(third))


@given(SETS)
def test_merging_is_idempotent(one: ResultCollection) -> None:
    assert one.merge(one) == one
    assert one.merge(one).news_for(one) == ()


@given(SETS, SETS)
def test_merging_loses_no_result_and_no_signature(one: ResultCollection, other: ResultCollection) -> None:
    merged = one.merge(other)
    for before in (*one, *other):
        after = merged.find(before.result.hash)
        assert after is not None
        assert before.signatures.keys() <= after.signatures.keys()


@given(SETS, SETS)
def test_what_is_news_makes_up_the_difference(one: ResultCollection, other: ResultCollection) -> None:
    merged = one.merge(other)
    assert one.merge(merged.news_for(one)) == merged


@given(SETS, st.integers(0, 3))
def test_a_bounded_set_keeps_the_highest_ranks(one: ResultCollection, most: int) -> None:
    kept = one.newest(most, lambda each: len(each.result.signers))
    assert len(kept) == min(most, len(one))
    left_out = [each for each in one if kept.find(each.result.hash) is None]
    assert all(len(each.result.signers) >= len(other.result.signers) for each in kept for other in left_out)
