"""What a log's prefix amounts to: who is here, who votes, and whose turn it is to order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.kernel.dealing import OpenDealing
from tabletin.kernel.log import NOTHING, Entry, Statement
from tabletin.kernel.match import Match
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.snapshot import DEALT, OPENED, Snapshot
from tests.support.highcard import HighCard

SEATS = (Seat("person", "ada"), Seat("bot", "ada"), Seat("person", "bo"), Seat("person", "cy"))
SETUP = Setup("highcard", 1, {}, SEATS)


def snapshot(orderer: str = "ada") -> Snapshot:
    """That of a match of Ada, with a bot, Bo and Cy, before anything happened."""
    return Snapshot(HighCard(4).start(), OpenDealing(), SETUP, orderer, voters=SETUP.people)


def test_a_match_begins_with_its_first_deck() -> None:
    match = Match(HighCard, Entry.create(0, NOTHING, SETUP.statement("bo")), OpenDealing())
    now = match.snapshot
    assert (now.epoch, now.deals, now.orderer, now.former_authors, set(now.consents)) == (0, 1, "bo", frozenset(), set())
    assert now.voters == {"ada", "bo", "cy"} and not (now.promises or now.passed_over or now.openings)
    assert now.must_order == "ada", "the first deck is ordered by the first seat"


def test_a_copy_is_equal_and_independent() -> None:
    one = snapshot()
    one.epoch, one.deals, one.must_order, one.former_authors = 2, 3, "bo", frozenset({"cy"})
    twin = one.copy()
    assert twin == one
    twin.state.next_card = 3
    assert one.state != twin.state


def test_who_speaks_for_which_seat() -> None:
    assert [snapshot().seats_of(author) for author in ("ada", "bo", "cy", "eve")] == [(0, 1), (2,), (3,), ()]


def test_who_is_here_and_who_votes() -> None:
    now = snapshot()
    now.voters = frozenset({"bo", "ada", "eve"})
    assert (now.live, now.live_voters) == (("ada", "bo", "cy"), ("ada", "bo"))
    now.former_authors = frozenset({"ada"})
    assert (now.live, now.live_voters) == (("bo", "cy"), ("bo",))


@pytest.mark.parametrize(("deals", "passed_over", "due"), [
    (0, "", "ada"), (1, "", "ada"), (2, "", "bo"), (3, "", "cy"), (4, "", "ada"), (5, "", "bo"),
    (1, "ada", "bo"), (2, "ada", "cy"), (3, "ada", "bo"), (2, "ada bo cy", "bo"), (2, "eve", "bo")])
def test_ordering_goes_round_with_the_decks(deals: int, passed_over: str, due: str) -> None:
    now = snapshot()
    now.deals, now.passed_over = deals, frozenset(passed_over.split())
    assert now.due_orderer == due


def of_protocol(protocol: int, orderer: str = "ada") -> Snapshot:
    """Bo brings no vote; the seat was given to Bo's key."""
    now = snapshot(orderer)
    now.setup, now.voters = replace(SETUP, extra={"protocol": protocol}), frozenset({"ada", "cy", "eve"})
    return now


def test_nobody_but_voters_orders_while_any_is_here() -> None:
    """In logs of protocol 5 on."""
    old, now = of_protocol(4), of_protocol(5)
    assert (old.may_order(), now.may_order()) == (("ada", "bo", "cy"), ("ada", "cy"))
    assert [one.next_to_order("ada") for one in (old, now)] == ["bo", "cy"]
    assert [now.next_to_order(author) for author in ("bo", "cy")] == ["cy", "ada"]
    old.deals = now.deals = 2
    assert (old.due_orderer, now.due_orderer) == ("bo", "cy")
    now.passed_over = frozenset({"ada", "cy"})
    assert now.due_orderer == "cy", "not Bo, though all voters were passed over"
    assert now.may_order(("ada",)) == ("cy",) and now.may_order(("ada", "cy")) == ("bo",)
    now.former_authors = frozenset({"cy"})
    assert (now.next_to_order("ada"), now.next_to_order("bo")) == ("bo", "ada")
    now.former_authors = frozenset({"ada", "cy"})
    assert (now.may_order(), now.next_to_order("bo")) == (("bo",), "bo")


@pytest.mark.parametrize(("protocol", "expected"), [(3, "bo"), (4, "bo"), (5, "cy")])
def test_who_brings_no_vote_orders_no_further_than_the_next_deck(protocol: int, expected: str) -> None:
    now = of_protocol(protocol, "bo")
    now.deals = 1
    now.note_order(False, True)
    assert now.orderer == expected


def test_a_new_deck_is_counted_once_and_somebody_has_to_order() -> None:
    now = snapshot()
    now.note_order(False, True)
    assert (now.deals, now.must_order) == (1, ""), "it is Ada's turn, and she orders"
    now.note_order(True, True)
    assert (now.deals, now.must_order) == (1, ""), "it is asked for still"
    now.note_order(True, False)
    now.note_order(False, False)
    assert (now.deals, now.must_order) == (1, "")
    now.note_order(False, True)
    assert (now.deals, now.must_order) == (2, "bo")
    now.note_order(True, True)
    assert now.must_order == "bo", "until she has handed it over"
    now.note_order(True, False)
    assert now.must_order == "bo"
    now.orderer = "bo"
    now.note_order(False, False)
    assert (now.deals, now.must_order) == (2, "")
    now.note_order(False, True)
    assert (now.deals, now.must_order) == (3, "cy")


def test_between_two_decks_nobody_has_to_order() -> None:
    """Also where it is somebody else who orders by now."""
    now = snapshot()
    now.note_order(False, True)
    now.orderer = "bo"
    for asked_before, asks in ((True, True), (True, False), (False, False)):
        now.note_order(asked_before, asks)
        assert now.must_order == ""


def test_nobody_who_is_gone_hands_the_order_over() -> None:
    now = snapshot("eve")
    now.note_order(False, True)
    assert now.must_order == ""
    now = snapshot("bo")
    now.former_authors = frozenset({"bo"})
    now.note_order(False, True)
    assert now.must_order == ""


@pytest.mark.parametrize(("protocol", "asks", "orderer", "expected"), [
    (4, True, "eve", "ada"), (5, True, "eve", "ada"), (3, True, "eve", "eve"), (4, False, "eve", "eve"), (4, True, "bo", "bo")])
def test_who_has_no_seat_any_more_orders_no_further_than_the_next_deck(protocol: int, asks: bool, orderer: str,
                                                                       expected: str) -> None:
    """In logs of protocol 4 on. Older ones are judged as they were."""
    now = snapshot(orderer)
    now.setup = replace(SETUP, extra={"protocol": protocol})
    now.note_order(asks, asks)
    assert now.orderer == expected


def test_who_was_passed_over_is_not_until_the_deck_is_dealt() -> None:
    now = snapshot("bo")
    now.passed_over = frozenset({"ada"})
    for asked_before, asks in ((False, False), (False, True), (True, True)):
        now.note_order(asked_before, asks)
        assert now.passed_over == {"ada"}
    now.note_order(True, False)
    assert now.passed_over == frozenset()


def test_an_undo_crosses_again_what_it_took_back() -> None:
    """Whoever goes back behind it goes back to that, too."""
    now = snapshot()
    now.setup = replace(SETUP, extra={"protocol": 6})
    now.length, now.newest = 12, {0: 3, 1: 5, DEALT: 6, 2: 9, OPENED: 11}
    now.note_entry(Statement("m", "ada", 1, "h", "undo", {"seat": 3, "to": 6}))
    assert now.newest == {0: 3, 1: 5, DEALT: 6, 2: 12, OPENED: 12, 3: 12} and now.length == 13
