"""One device in a ballot: what it wishes, when it votes, what it takes of others' votes, and when it says what was decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Json, Statement, canonical, place
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed
from tabletin.kernel.snapshot import Snapshot
from tabletin.peers.replication import ballots
from tabletin.peers.replication.authority import required_voters
from tabletin.peers.replication.ballot_numbers import LEAP, STEP
from tabletin.peers.replication.ballots import (
    BALLOT,
    FRESH,
    MOST_BALLOTS,
    MOST_WISHES,
    PATIENCE,
    STUCK,
    Ballots,
)
from tabletin.peers.replication.epoch_vote import MOST_SUBJECT, EpochVote
from tabletin.peers.replication.evidence import Accusation
from tests.support.ballot_booth import Booth
from tests.support.ballots import end_of, first_body, subject_gone, vote_of
from tests.support.forging import put, signed
from tests.support.peer_sim import Node
from tests.support.resting_table import RestingTable


@pytest.fixture(scope="module")
def table() -> RestingTable:
    return RestingTable(821)


@pytest.fixture
def booth(table: RestingTable) -> Booth:
    """That of ``waiting``, whose people would go on without ``third``."""
    return Booth(table, table.waiting)


def gone(table: RestingTable) -> dict[str, Json]:
    return subject_gone(table.third.author, table.orderer.author)


def renames(table: RestingTable, node: Node, **changes: Any) -> Statement:
    seat = table.seat(node)
    return signed(node, "seat", {"seat": seat, "to": table.match.setup.seats[seat].to_json()}, **changes)


# ---- wishing ----

def test_nobody_wishes_what_its_people_do_not(booth: Booth) -> None:
    assert booth.at(100).ballots.subjects() == []
    booth.choices.removals |= {booth.node.author, "0" * 64}
    assert booth.ballots.subjects() == []
    booth.ballots.tick()
    assert booth.told() == []


def test_who_is_silent_is_wished_gone_and_who_is_there_is_not(booth: Booth, table: RestingTable) -> None:
    booth.choices.removals.add(table.third.author)
    assert booth.at(100).ballots.subjects() == [gone(table)]
    booth.choices.ending_removals.add(table.third.author)
    assert booth.ballots.subjects() == [{**gone(table), "then": "without"}]
    booth.state.note_presence(table.third.author, len(booth.match.entries) - 1, booth.match.head)
    assert booth.ballots.subjects() == []
    booth.choices.removals.add(table.orderer.author)
    (subject,) = booth.ballots.subjects()
    assert subject["peer"] == table.orderer.author and subject["order"] == subject["heir"] != table.orderer.author


def test_who_has_no_vote_or_accuses_wishes_nothing(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    booth.choices.removals.add(table.third.author)
    booth.at(100)
    snapshot = booth.match.snapshot
    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "voters", snapshot.voters - {booth.node.author})
        assert booth.ballots.subjects() == []
    for name, value in (("takes_part", False), ("has_given_vote_away", True)):
        with monkeypatch.context() as patch:
            patch.setattr(type(booth.state), name, value)
            assert booth.ballots.subjects() == []
    with monkeypatch.context() as patch:
        patch.setattr(Match, "outcome", object())
        assert booth.ballots.subjects() == []
    assert booth.ballots.subjects()
    booth.state.accusations.append(Accusation.of_log(booth.match, table.third.author, "fork"))
    assert booth.ballots.subjects() == []


def test_a_withheld_statement_is_reason_to_pass_over_who_orders(booth: Booth, table: RestingTable) -> None:
    statement = renames(table, table.third)
    assert booth.at(100).ballots.hear_plea(statement)
    for seconds, count in ((100 + PATIENCE - 1, 0), (100 + PATIENCE, 1)):
        assert len(booth.at(seconds).ballots.subjects()) == count
    (subject,) = booth.ballots.subjects()
    live = booth.state.live
    following = live[(live.index(table.orderer.author) + 1) % 3]
    assert subject == {"kind": "pass", "against": table.orderer.author, "order": following}
    own = Booth(table, table.orderer).at(100)
    assert not own.ballots.hear_plea(statement), "who orders places it"
    assert own.at(200).ballots.subjects() == []


def test_a_plea_counts_from_when_it_was_said_first(booth: Booth, table: RestingTable) -> None:
    statement, other = renames(table, table.third), signed(table.third, "resign", {"seat": table.seat(table.third)})
    booth.at(100).ballots.hear_plea(statement)
    assert booth.at(105).ballots.hear_plea(statement)
    assert booth.at(110).ballots.subjects()
    assert booth.ballots.hear_plea(other)
    assert booth.ballots.subjects(), "another one, which anybody may say on, does not begin the wait anew"
    assert not booth.ballots.hear_plea(replace(statement, author="0" * 64)), "a stranger's"


def test_a_plea_for_what_the_log_refuses_moves_nobody(booth: Booth, table: RestingTable) -> None:
    booth.at(100).ballots.hear_plea(signed(table.third, "order", {"to": table.third.author}))
    assert booth.at(120).ballots.subjects() == [] and not booth.ballots._pleas
    booth.ballots.hear_plea(renames(table, table.third))
    booth.ballots.tick()
    assert booth.ballots._pleas.keys() == {table.third.author}


def test_a_plea_is_over_once_its_statement_has_its_place(booth: Booth, table: RestingTable,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one of the same author is kept then, and its wait begins."""
    one, other = renames(table, table.third), signed(table.third, "resign", {"seat": table.seat(table.third)})
    refused = [one]
    booth.at(100).ballots.hear_plea(one)
    assert booth.at(100 + PATIENCE).ballots.subjects()
    monkeypatch.setattr(Match, "refusal", lambda match, statement: object() if statement in refused else None)
    monkeypatch.setattr(booth.match, "entries", [*booth.match.entries, put(table.orderer, one)])
    assert booth.ballots.subjects() == []
    booth.ballots.hear_plea(other)
    assert booth.at(100 + 2 * PATIENCE - 1).ballots.subjects() == []
    assert booth.at(100 + 2 * PATIENCE).ballots.subjects()


def test_the_own_statement_is_pleaded_for_and_then_who_orders_is_passed_over(booth: Booth, table: RestingTable) -> None:
    statement = renames(table, booth.node)
    booth.state.set_pending(statement)
    booth.at(100).ballots.tick()
    assert booth.told() == []
    booth.at(100 + PATIENCE - 1).ballots.tick()
    assert booth.told() == []
    booth.at(100 + PATIENCE).ballots.tick()
    assert booth.told() == [(None, {"t": "plea", "s": statement.to_json()})]
    assert booth.at(100 + 2 * PATIENCE - 1).ballots.subjects() == []
    assert [one["kind"] for one in booth.at(100 + 2 * PATIENCE).ballots.subjects()] == ["pass"]
    booth.state.set_pending(renames(table, booth.node, count=statement.count + 1))
    assert booth.ballots.subjects() == [], "it is another one, said just now"
    booth.state.set_pending(signed(booth.node, "order", {"to": booth.node.author}))
    booth.ballots.tick()
    assert booth.at(200).ballots.subjects() == [], "its own log refuses it"
    booth.state.set_pending(None)
    assert booth.ballots.subjects() == []


def test_who_orders_pleads_with_nobody(table: RestingTable) -> None:
    own = Booth(table, table.orderer)
    own.state.set_pending(renames(table, own.node))
    own.at(100).ballots.tick()
    own.at(200).ballots.tick()
    assert own.told() == [] and own.ballots.subjects() == []


def test_what_is_wished_is_said_every_second(booth: Booth, table: RestingTable) -> None:
    booth.choices.removals.add(table.third.author)
    booth.at(100).ballots.tick()
    assert booth.told() == [(None, {"t": "wish", "what": [gone(table)]})]
    booth.ballots.tick()
    assert booth.told() == [(None, {"t": "wish", "what": [gone(table)]})]


@pytest.mark.parametrize("message", [
    {}, {"what": {}}, {"what": [1] * (MOST_WISHES + 1)}, {"e": []}, {"what": ["x" * (MOST_WISHES * MOST_SUBJECT)]},
])
def test_a_wish_of_another_form_is_none(booth: Booth, table: RestingTable, message: dict[str, Json]) -> None:
    with pytest.raises(Malformed):
        booth.ballots.hear_wish(table.orderer.author, message)
    booth.ballots.hear_wish(table.orderer.author, {"what": [1] * MOST_WISHES})
    booth.ballots.hear_wish(table.orderer.author, {"what": ["x" * (MOST_WISHES * MOST_SUBJECT - 2)]})


def test_what_those_wish_who_have_no_vote_is_not_held(booth: Booth, table: RestingTable) -> None:
    """One person may come with many keys."""
    booth.wish(table.orderer)
    for number in range(20):
        booth.ballots.hear_wish(f"{number:064x}", {"what": ["x" * 1000]})
    assert set(booth.ballots._wishes) == {table.orderer.author}


# ---- voting ----

def test_a_vote_is_signed_once_all_whose_votes_it_needs_wish_the_same(booth: Booth, table: RestingTable) -> None:
    subject = gone(table)
    booth.at(100).wish(table.orderer, subject)
    assert booth.votes() == [], "its own people do not"
    booth.choices.removals.add(table.third.author)
    booth.at(100 + FRESH + 1).ballots.tick()
    assert booth.votes() == [], "that was long ago"
    booth.wish(table.orderer, {**subject, "then": "without"})
    assert booth.votes() == [], "they wish another end"
    booth.wish(table.third, subject)
    assert booth.votes() == [], "its wish is not needed"
    booth.wish(table.orderer, {"kind": "x"}, subject)
    assert booth.votes() == [(1, subject)]
    promise = booth.state.promise
    assert promise is not None and booth.state.has_signed and booth.state.to_keep.promise == promise.to_json()
    assert (promise.voter, promise.epoch, promise.subject, promise.end) == (booth.node.author, 1, subject, end_of(booth.match))
    booth.ballots.tick()
    assert (None, {"t": "wish", "what": [subject]}) in booth.told()
    lift = {"kind": "pass", "against": None, "order": table.orderer.author}
    assert lift in booth.at(100 + FRESH + 1 + BALLOT).ballots.subjects(), "it is bound since then"
    assert booth.ballots.is_signed(promise)
    assert not booth.ballots.is_signed(replace(promise, signature="0" * 128))


def test_nobody_votes_before_it_has_checked_what_its_vote_names(booth: Booth, table: RestingTable,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """A false shuffle that is taken for good falls away once it was checked, with what stands behind it."""
    booth.choices.removals.add(table.third.author)
    with monkeypatch.context() as patch:
        patch.setattr(type(booth.state), "is_checked", False)
        booth.at(100).wish(table.orderer, gone(table))
        assert booth.votes() == [] and booth.state.promise is None
    booth.ballots.tick()
    assert booth.votes() == [(1, gone(table))]


def test_a_wish_holds_for_three_seconds(booth: Booth, table: RestingTable) -> None:
    booth.choices.removals.add(table.third.author)
    booth.at(100).wish(table.orderer, gone(table))
    booth.votes()
    late = Booth(table, table.waiting)
    late.at(100).wish(table.orderer, gone(table))
    late.choices.removals.add(table.third.author)
    late.at(103.1).ballots.tick()
    assert late.votes() == []
    late.at(103).ballots.tick()
    assert late.votes() == [(1, gone(table))]


def test_nobody_votes_on_what_too_few_would_decide_or_its_own_going(table: RestingTable) -> None:
    two = RestingTable(822, peers=2)
    booth = Booth(two, two.waiting)
    booth.choices.removals.add(two.orderer.author)
    booth.at(100).ballots.tick()
    assert booth.votes() == [] and booth.state.promise is None
    against = Booth(table, table.third)
    for node in (table.orderer, table.waiting):
        against.at(100).wish(node, gone(table))
    against.ballots._vote([gone(table)])
    assert against.votes() == []


def test_a_ballot_that_another_began_is_joined_and_a_bound_voter_waits(booth: Booth, table: RestingTable) -> None:
    subject = gone(table)
    booth.choices.removals.add(table.third.author)
    assert booth.at(100).hear(vote_of(table.orderer, 4, subject, end_of(booth.match))) is None
    assert booth.votes() == []
    booth.wish(table.orderer, subject)
    assert booth.votes() == [(4, subject)]
    booth.ballots.tick()
    assert [message["t"] for _, message in booth.told()] == ["ballot", "wish"], "its vote is said again, and no other"
    for seconds, count in ((100 + BALLOT - 1, 0), (100 + BALLOT, 1)):
        booth.at(seconds).wish(table.orderer, subject)
        votes = booth.votes()
        assert len(votes) == count and all(epoch == 5 for epoch, _ in votes)


def passing(table: RestingTable) -> dict[str, Json]:
    """That who orders is passed over; ``waiting`` or ``third`` would order, whoever is next."""
    live = table.match.snapshot.live
    return {"kind": "pass", "against": table.orderer.author,
            "order": live[(live.index(table.orderer.author) + 1) % len(live)]}


def vote_in_vain(booth: Booth, table: RestingTable, patiences: tuple[float, ...]) -> float:
    """``booth`` votes for the same at 100 and each time after so many seconds, and not a second sooner; when it did last."""
    subject, at = gone(table), 100.0
    booth.choices.removals.add(table.third.author)
    booth.at(at).wish(table.orderer, subject)
    assert booth.votes() == [(1, subject)]
    for epoch, patience in enumerate(patiences, 2):
        booth.at(at + patience - 1).wish(table.orderer, subject)
        assert booth.votes() == []
        at += patience
        booth.at(at).wish(table.orderer, subject)
        assert booth.votes() == [(epoch, subject)]
    return at


def test_each_ballot_in_vain_gives_the_next_one_for_the_same_twice_as_long(booth: Booth, table: RestingTable,
                                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    """Votes may travel for longer than five seconds: of ballots that all last as long, none would come to an end."""
    at = vote_in_vain(booth, table, (BALLOT, 10, 20, 40, 40))
    monkeypatch.setattr(booth.match.snapshot, "epoch", 6)  # the last one did
    for seconds, votes in ((1.0, 1), (BALLOT, 0), (BALLOT + 1, 1)):
        booth.at(at + seconds).wish(table.orderer, gone(table))
        assert len(booth.votes()) == votes


def test_another_subject_has_to_wait_no_longer_for_that(booth: Booth, table: RestingTable) -> None:
    at = vote_in_vain(booth, table, (BALLOT, 10, 20))
    booth.choices.removals.clear()
    for seconds, votes in ((BALLOT - 1, []), (BALLOT, [(5, passing(table))])):
        booth.at(at + seconds).wish(table.third, passing(table))
        booth.ballots._vote([passing(table)])
        assert booth.votes() == votes


def test_whoever_begins_ballots_one_after_the_other_has_nobody_wait_longer(booth: Booth, table: RestingTable) -> None:
    """Such a ballot was not given the time that it had. And nobody goes from one to the next before it had it."""
    vote_in_vain(booth, table, ())
    for seconds in range(101, 105):
        booth.at(seconds).hear(vote_of(table.orderer, 2 * seconds, gone(table), end_of(booth.match)))
        booth.wish(table.orderer, gone(table))
    assert booth.votes() == [(202, gone(table))]
    for time, votes in ((101 + BALLOT - 1, []), (101 + BALLOT, [(208, gone(table))])):
        booth.at(time).wish(table.orderer, gone(table))
        assert booth.votes() == votes


def test_another_wish_is_voted_on_where_the_first_finds_nobody(booth: Booth, table: RestingTable) -> None:
    booth.choices.removals.add(table.third.author)
    booth.at(100).ballots.hear_plea(renames(table, table.third))
    assert booth.at(100 + PATIENCE).ballots.subjects() == [gone(table), passing(table)]
    booth.wish(table.third, passing(table))
    assert booth.votes() == [(1, passing(table))]


def test_a_voter_is_bound_since_its_vote(booth: Booth, table: RestingTable) -> None:
    booth.choices.removals.add(table.third.author)
    booth.at(100).wish(table.orderer, gone(table))
    assert booth.votes() == [(1, gone(table))]
    lift = {"kind": "pass", "against": None, "order": table.orderer.author}
    assert booth.at(100 + BALLOT).ballots.subjects() == [gone(table), lift]


def test_who_is_bound_joins_a_newer_ballot_at_once(booth: Booth, table: RestingTable) -> None:
    subject = gone(table)
    booth.choices.removals.add(table.third.author)
    booth.at(100).wish(table.orderer, subject)
    assert booth.votes() == [(1, subject)]
    booth.at(101).hear(vote_of(table.orderer, 4, subject, end_of(booth.match)))
    assert booth.votes() == [(4, subject)]


def test_of_all_ballots_that_were_begun_the_newest_is_joined(booth: Booth, table: RestingTable) -> None:
    subject = gone(table)
    booth.choices.removals.add(table.third.author)
    for epoch in (4, 6):
        booth.at(100).hear(vote_of(table.orderer, epoch, subject, end_of(booth.match)))
    booth.hear(vote_of(table.third, 9, subject, end_of(booth.match)))
    booth.wish(table.orderer, subject)
    assert booth.votes() == [(6, subject)], "nobody needs the vote of the one that is against it"
    other = Booth(table, table.waiting).at(100)
    other.choices.removals.add(table.third.author)
    other.hear(vote_of(table.third, 9, subject, end_of(booth.match)))
    other.wish(table.orderer, subject)
    assert other.votes() == [(1, subject)], "nor a number above that one's"


def test_what_was_in_vain_gives_more_time_to_a_ballot_for_the_same_alone(booth: Booth, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(booth.state), "is_bound", True)
    booth.ballots._granted, booth.ballots._voted_at = (b"one", 10.0), 50.0
    for now, subject, seconds in ((55.0, b"other", BALLOT), (55.0, b"other", 10.0), (54.9, b"other", 10.0),
                                  (60.0, b"one", BALLOT)):
        booth.state.time = now
        booth.ballots._grant(subject)
        assert booth.ballots._granted == (subject, seconds)


def test_a_ballot_that_one_of_several_began_is_joined() -> None:
    four = RestingTable(823, peers=4)
    booth = Booth(four, four.waiting)
    against = four.third
    others = [node for node in four.net.nodes if node not in (four.waiting, against)]
    subject = subject_gone(against.author, four.orderer.author)
    booth.choices.removals.add(against.author)
    booth.at(100).hear(vote_of(others[0], 4, subject, end_of(booth.match)))
    booth.hear(vote_of(others[1], 4, {**subject, "then": "without"}, end_of(booth.match)))
    for node in others:
        booth.wish(node, subject)
    assert booth.votes() == [(4, subject)]


def test_whoever_is_bound_no_more_votes_again_at_once(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = gone(table)
    booth.choices.removals.add(table.third.author)
    booth.at(100).wish(table.orderer, subject)
    assert booth.votes() == [(1, subject)]
    monkeypatch.setattr(booth.match.snapshot, "epoch", 1)
    booth.at(100.5).ballots.tick()
    assert booth.votes() == [(2, subject)], "the first epoch began, and that vote is not said again"


def test_a_new_ballot_has_a_number_that_none_whose_vote_it_needs_has_used(booth: Booth, table: RestingTable) -> None:
    booth.choices.removals.add(table.third.author)
    other = {**gone(table), "then": "without"}
    booth.at(100).hear(vote_of(table.orderer, 9, other, end_of(booth.match)))
    booth.hear(vote_of(table.third, 40, other, end_of(booth.match)))
    booth.wish(table.orderer, gone(table))
    assert booth.votes() == [(10, gone(table))]


def test_what_one_voter_signed_is_followed_in_steps(booth: Booth, table: RestingTable) -> None:
    booth.choices.removals.add(table.third.author)
    far = vote_of(table.orderer, 2 * STEP, gone(table), end_of(booth.match))
    booth.at(100).wish(table.orderer, gone(table))
    booth.told()
    assert booth.hear(far) is None and booth.votes() == []
    booth.at(101).ballots.tick()
    assert booth.hear(far) is None
    assert booth.votes()[-1] == (2 * STEP, gone(table)), "it was said a second ago"


def test_what_two_voters_signed_is_followed_at_once(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever was led on hands on the vote that led it, also where who led it is gone: its vote counts for nothing else."""
    booth.choices.removals.add(table.third.author)
    end, other = end_of(booth.match), {**gone(table), "then": "without"}
    assert booth.at(100).hear(vote_of(table.orderer, LEAP, gone(table), end)) is None
    with monkeypatch.context() as gone_meanwhile:
        gone_meanwhile.setattr(booth.match.snapshot, "former_authors", frozenset({table.third.author}))
        assert table.third.author not in booth.match.snapshot.live_voters
        assert booth.hear(vote_of(table.third, LEAP, other, end)) is None
    assert not booth.ballots._votes
    assert booth.hear(vote_of(table.orderer, LEAP, gone(table), end)) is None
    booth.wish(table.orderer, gone(table))
    assert booth.votes() == [(LEAP, gone(table))]


def test_whoever_is_bound_shows_who_led_it_on(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    end = end_of(booth.match)
    led, far = vote_of(table.orderer, 7, gone(table), end), vote_of(table.orderer, 2 * STEP, gone(table), end)
    booth.choices.removals.add(table.third.author)
    booth.at(100).hear(led)
    booth.wish(table.orderer, gone(table))
    booth.hear(far)
    assert booth.votes() == [(7, gone(table))]
    booth.hear(vote_of(table.third, 2, gone(table), end))
    with monkeypatch.context() as begun:
        begun.setattr(booth.match.snapshot, "epoch", 2)
        booth.at(100 + FRESH).ballots.tick()
    assert {(7, table.waiting.author), (2 * STEP, table.orderer.author)} == {
        (message["e"], message["by"]) for _, message in booth.told() if message["t"] == "ballot"}, "none of an epoch that began"
    with monkeypatch.context() as known:
        known.setattr(Ballots, "is_signed", lambda self, vote: pytest.fail("it was checked when it came first"))
        assert booth.hear(far) is None


def test_nobody_votes_over_and_over(booth: Booth, table: RestingTable) -> None:
    """Who is led on by ever newer ballots would send so many votes that the others read no more of it."""
    booth.choices.removals.add(table.third.author)
    booth.at(100).wish(table.orderer, gone(table))
    for epoch in range(2, 20):
        booth.hear(vote_of(table.orderer, epoch, gone(table), end_of(booth.match)))
    assert booth.votes() == [(1, gone(table))]
    booth.at(101).wish(table.orderer, gone(table))
    assert booth.votes() == [(19, gone(table))]


def test_a_newer_ballot_is_joined_after_the_pause_and_not_before(booth: Booth, table: RestingTable,
                                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ballots, "JOIN_PAUSE", 0.5)
    booth.choices.removals.add(table.third.author)
    booth.at(100).wish(table.orderer, gone(table))
    booth.votes()
    booth.at(100.25).hear(vote_of(table.orderer, 2, gone(table), end_of(booth.match)))
    assert booth.votes() == []
    booth.at(100.5).hear(vote_of(table.orderer, 3, gone(table), end_of(booth.match)))
    assert booth.votes() == [(3, gone(table))]


def test_behind_the_first_entry_nobody_is_waited_for() -> None:
    table = RestingTable(824, entries=3)
    booth = Booth(table, table.waiting).at(100)
    booth.match.cut(1)
    booth.ballots.tick()
    assert booth.told() == [] and booth.ballots.subjects() == []


def test_each_second_it_looks_at_all_that_others_may_owe(booth: Booth, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, calls = ("_forget_votes", "_note_stuck", "_note_due", "_note_idle", "_note_unfair_places", "_plead"), list[str]()
    for step in steps:
        monkeypatch.setattr(booth.ballots, step, lambda name=step: calls.append(name))
    booth.at(100).ballots.tick()
    assert calls == [*steps]


def test_where_an_epoch_begins_only_its_own_vote_is_remembered(booth: Booth, table: RestingTable,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is still bound says its vote again. Others' votes for far epochs would have this device begin ever new ones."""
    booth.choices.removals.add(table.third.author)
    booth.at(100).hear(vote_of(table.third, 5, gone(table), end_of(booth.match)))
    booth.hear(vote_of(table.orderer, 4, gone(table), end_of(booth.match)))
    booth.wish(table.orderer, gone(table))
    booth.ballots.tick()
    assert set(booth.ballots._votes) == {4, 5} and len(booth.ballots._votes[4]) == 2
    monkeypatch.setattr(booth.match.snapshot, "epoch", 3)
    booth.choices.removals.clear()
    booth.at(101).ballots.tick()
    assert {epoch: set(votes) for epoch, votes in booth.ballots._votes.items()} == {4: {booth.state.author}}
    booth.hear(vote_of(table.third, 6, gone(table), end_of(booth.match)))
    booth.at(102).ballots.tick()
    assert set(booth.ballots._votes) == {4, 6}, "what is said in the new epoch stays"


# ---- others' votes ----

def test_of_two_votes_in_one_ballot_the_first_is_told(booth: Booth, table: RestingTable) -> None:
    end = end_of(booth.match)
    one, two = (vote_of(table.orderer, 2, {"kind": "pass", "order": name}, end) for name in "xy")
    assert booth.at(100).hear(one) is None and booth.hear(one) is None
    assert booth.hear(two) == one and booth.hear(vote_of(table.orderer, 3, two.subject, end)) is None
    with pytest.raises(Malformed):
        booth.hear(replace(two, signature="0" * 128))
    with pytest.raises(Malformed):
        booth.hear(replace(vote_of(table.third, 2, one.subject, end), signature="0" * 128))


def test_votes_of_strangers_and_of_epochs_that_began_are_dropped(booth: Booth, table: RestingTable) -> None:
    end = end_of(booth.match)
    vote = vote_of(table.orderer, 2, {"kind": "pass"}, end)
    assert booth.at(100).hear(replace(vote, voter="0" * 64)) is None
    assert booth.hear(vote_of(table.orderer, 0, {"kind": "pass"}, end)) is None
    assert booth.ballots._votes == {}
    with pytest.raises(Malformed):
        booth.ballots.hear_vote(table.orderer.author, {"t": "ballot"})


@pytest.mark.parametrize("kind", [{}, {"kind": "move"}, {"kind": None}, {"kind": []}, {"kind": "leave"}])
def test_a_vote_for_what_begins_no_epoch_is_none(booth: Booth, table: RestingTable, kind: dict[str, Json]) -> None:
    """All others together can vote for anything; who would have to say it goes on all the same."""
    subject = {"against": booth.node.author, "order": booth.node.author, **kind}
    for node in (table.orderer, table.third):
        with pytest.raises(Malformed):
            booth.at(100).hear(vote_of(node, 2, subject, end_of(booth.match)))
    assert booth.ballots.certificate() is None


def test_no_more_than_so_many_ballots_are_remembered(booth: Booth, table: RestingTable) -> None:
    end = end_of(booth.match)
    for epoch in range(1, MOST_BALLOTS + 3):
        booth.at(100).hear(vote_of(table.orderer, epoch, {"kind": "pass"}, end))
    assert list(booth.ballots._votes) == list(range(3, MOST_BALLOTS + 3))


def test_nobody_has_others_forget_its_vote_in_their_ballots(booth: Booth, table: RestingTable) -> None:
    """By newer ones it could lead each device on: the ballot in which that is would seem to have fewer votes."""
    lift, end = to_order_again(table), end_of(booth.match)
    booth.at(100).ballots._sign(2, lift)
    for epoch in range(1, 3):
        booth.hear(vote_of(table.orderer, epoch, lift, end))
    for epoch in range(3, MOST_BALLOTS + 3):
        booth.hear(vote_of(table.orderer, epoch, {"kind": "pass"}, end))
    given = [epoch for epoch, votes in booth.ballots._votes.items() if table.orderer.author in votes]
    assert given == [2, *range(4, MOST_BALLOTS + 3)]
    for node in (table.third, table.waiting):
        for epoch in range(4, MOST_BALLOTS + 3):
            booth.ballots._votes[epoch][node.author] = vote_of(node, epoch, {"kind": "pass"}, end)
    booth.hear(vote_of(table.orderer, MOST_BALLOTS + 3, lift, end))
    assert table.orderer.author in booth.ballots._votes[MOST_BALLOTS + 3], "the newest one stays, though it is alone there"
    assert table.orderer.author not in booth.ballots._votes[2]


def test_the_devices_from_which_somebody_went_on_are_no_others_that_have_voted(booth: Booth, table: RestingTable) -> None:
    lift, end = to_order_again(table), end_of(booth.match)
    booth.at(100).ballots._sign(2, lift)
    booth.hear(vote_of(table.orderer, 2, lift, end))
    for epoch in range(3, MOST_BALLOTS + 3):
        booth.ballots._votes[epoch] = {one * 64: vote_of(table.third, epoch, {"kind": "pass"}, end) for one in "123"}
    for epoch in range(3, MOST_BALLOTS + 3):
        booth.hear(vote_of(table.orderer, epoch, {"kind": "pass"}, end))
    assert table.orderer.author in booth.ballots._votes[2]


def test_who_went_on_from_another_device_raises_numbers_as_one(booth: Booth, table: RestingTable,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """The two devices of one voter would count as two that have signed."""
    end, voters = end_of(booth.match), booth.match.snapshot.voters
    assert booth.at(100).hear(vote_of(table.third, LEAP, gone(table), end)) is None
    monkeypatch.setattr(booth.match.snapshot, "voters", voters - {table.third.author})
    assert booth.hear(vote_of(table.orderer, LEAP, gone(table), end)) is None
    assert not booth.ballots._votes and booth.ballots._numbers.highest(table.orderer.author) == STEP


def test_votes_of_epochs_that_began_are_forgotten(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    end = end_of(booth.match)
    for epoch in (1, 2, 3):
        booth.at(100).hear(vote_of(table.orderer, epoch, {"kind": "pass"}, end))
        booth.ballots._sign(epoch, {"kind": "pass"})
    monkeypatch.setattr(booth.match.snapshot, "epoch", 2)
    booth.ballots.tick()
    assert list(booth.ballots._votes) == list(booth.ballots._joined) == [3]


def test_votes_that_were_heard_are_compared_once_to_those_by_which_the_log_went_on(booth: Booth, table: RestingTable) -> None:
    """To those of each epoch that began. One that stands in the log contradicts nothing, nor does one in another ballot."""
    match, length = booth.match, len(booth.match.entries)
    told = {"kind": "pass", "against": None, "order": table.orderer.author}
    end, cast = end_of(match), list[tuple[EpochVote, EpochVote]]()
    heard = [vote_of(table.third, epoch, {**told, "against": table.waiting.author}, end) for epoch in (1, 2, 3)]
    assert booth.ballots.contradictions() == []
    for vote in (*heard, vote_of(table.orderer, 1, told, end)):
        booth.at(100).hear(vote)
    try:
        for epoch in (1, 2):
            votes = [vote_of(node, epoch, told, end_of(match)) for node in table.net.nodes]
            begins = signed(table.orderer, "pass", first_body(told, epoch, votes), count=900 + epoch, head=match.head)
            place_signature = table.orderer.identity.sign(canonical(place(length + epoch - 1, match.head, begins.hash)))
            booth.state.append(Entry.create(length + epoch - 1, match.head, begins, place_signature))
            cast += [(heard[epoch - 1], vote) for vote in votes if vote.voter == table.third.author]
        assert len(match.entries) == length + 2 and booth.ballots.contradictions() == cast
        assert booth.ballots.contradictions() == [], "they were told"
    finally:
        match.cut(length)


# ---- a ballot that leads to nothing ----

def test_nobody_stays_bound_by_a_ballot_that_leads_to_nothing(booth: Booth, table: RestingTable) -> None:
    """After five seconds a pass to who orders is wished; after fifteen without the one who does not wish that along."""
    lift = {"kind": "pass", "against": None, "order": table.orderer.author}
    booth.at(100).hear(vote_of(table.orderer, 2, {"kind": "pass"}, end_of(booth.match)))
    assert booth.at(100 + BALLOT - 1).ballots.subjects() == []
    assert booth.at(100 + BALLOT).ballots.subjects() == [lift]
    booth.ballots.tick()
    assert booth.votes() == [], "nobody began a ballot for it, or wishes it along"
    assert booth.at(100 + STUCK).ballots.subjects() == [lift], "two do not"
    booth.wish(table.orderer, lift)
    assert booth.at(100 + STUCK - 1).ballots.subjects() == [lift]
    without = {"kind": "pass", "against": table.third.author, "order": table.orderer.author}
    assert booth.at(115).ballots.subjects() == [without, lift]
    booth.wish(table.third, without)
    assert booth.ballots.subjects() == [without, lift], "that is something else"
    booth.wish(table.third, lift)
    assert booth.ballots.subjects() == [lift], "all do"
    booth.at(100 + STUCK + BALLOT - 1).wish(table.orderer, lift)
    assert booth.at(100 + STUCK + BALLOT).ballots.subjects() == [lift]
    booth.at(100 + STUCK).wish(table.orderer, lift)
    assert booth.at(100 + STUCK + BALLOT + 1).ballots.subjects() == [lift], "nobody does"
    booth.wish(table.third, lift)
    (other, _) = booth.ballots.subjects()
    assert other["against"] == table.orderer.author and other["order"] != table.orderer.author


def left_out(booth: Booth, table: RestingTable, seconds: float) -> list[Json]:
    """Without whom ``booth`` would go on then, where all wish that all go on."""
    booth.at(seconds)
    for node in (table.orderer, table.third):
        booth.wish(node, to_order_again(table))
    return [subject["against"] for subject in booth.ballots.subjects()]


def to_order_again(table: RestingTable) -> dict[str, Json]:
    return {"kind": "pass", "against": None, "order": table.orderer.author}


def test_who_does_not_vote_along_hinders(booth: Booth, table: RestingTable) -> None:
    subject, end = to_order_again(table), end_of(booth.match)
    booth.at(100).ballots._sign(2, subject)
    booth.hear(vote_of(table.orderer, 2, subject, end))
    assert left_out(booth, table, 100 + STUCK) == [table.third.author, None]
    booth.hear(vote_of(table.third, 2, {**subject, "order": table.third.author}, end))
    assert left_out(booth, table, 100 + STUCK) == [table.third.author, None], "it voted for something else"


def test_the_newest_ballot_counts_in_which_a_single_one_hinders(booth: Booth, table: RestingTable) -> None:
    """Into a newer one not all may have come yet, and in one that this device is to begin nobody hinders."""
    subject, end = to_order_again(table), end_of(booth.match)
    own = {"kind": "pass", "against": table.third.author, "order": booth.node.author}
    booth.at(100).ballots._sign(2, subject)
    booth.hear(vote_of(table.orderer, 2, subject, end))
    booth.at(110).ballots._sign(3, subject)
    assert left_out(booth, table, 100 + STUCK) == [table.third.author, None]
    booth.at(111).ballots._sign(4, own)
    booth.hear(vote_of(table.orderer, 4, own, end))
    assert left_out(booth, table, 100 + STUCK) == [table.third.author, None]


def test_a_ballot_in_which_the_own_vote_was_forgotten_shows_nobody(booth: Booth, table: RestingTable) -> None:
    """Others hand on what this device voted before it was restarted: so many votes may be one too many."""
    subject, end = to_order_again(table), end_of(booth.match)
    booth.at(100).hear(vote_of(table.orderer, 2, subject, end))
    for epoch in range(3, MOST_BALLOTS + 3):
        booth.ballots._sign(epoch, subject)
    booth.hear(vote_of(booth.node, 2, subject, end))
    assert 3 in booth.ballots._joined and 3 not in booth.ballots._votes
    assert left_out(booth, table, 100 + STUCK) == [None]


def test_what_whoever_hinders_would_have_to_vote_for_comes_last(booth: Booth, table: RestingTable,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """It may wish that for ever. What does not need its vote comes first."""
    monkeypatch.setattr(booth.ballots, "_is_withheld", lambda: True)
    orderer = table.orderer.author
    withheld = {"kind": "pass", "against": orderer, "order": booth.match.snapshot.next_to_order(orderer)}
    booth.at(100).hear(vote_of(table.third, 2, {"kind": "pass"}, end_of(booth.match)))
    assert left_out(booth, table, 100 + BALLOT) == [orderer, None]
    for hindering, expected in ((table.third, [table.third.author, orderer, None]), (table.orderer, [orderer, orderer, None])):
        left_out(booth, table, 100 + STUCK)
        booth.wish(hindering, withheld)
        subjects = booth.ballots.subjects()
        assert [subject["against"] for subject in subjects] == expected and withheld in subjects
    left_out(booth, table, 100 + STUCK)
    booth.wish(table.third, withheld)
    for subject, expected in ((withheld, [table.third.author, None, orderer]),
                              (to_order_again(table), [table.third.author, orderer, None])):
        monkeypatch.setattr(booth.ballots, "_granted", (canonical(subject), BALLOT))
        assert [one["against"] for one in booth.ballots.subjects()] == expected, "what it voted for last comes last"


def test_nobody_waits_for_all_to_wish_what_somebody_votes_for_that_leaves_nobody_out(booth: Booth, table: RestingTable) -> None:
    """Where somebody has voted that all go on, one votes along, whatever others wish: they may wish it to somebody else alone.
    What is against somebody needs the wishes of all."""
    lift, end = to_order_again(table), end_of(booth.match)
    booth.at(100).hear(vote_of(table.orderer, 2, lift, end))
    assert booth.votes() == []
    other = {**lift, "against": table.third.author}
    booth.at(100 + BALLOT).hear(vote_of(table.orderer, 3, other, end))
    votes = [message for _, message in booth.told() if message["t"] == "ballot"]
    assert [(vote["by"], vote["e"], vote["what"]) for vote in votes] \
        == [(booth.state.author, 2, lift), (table.orderer.author, 2, lift), (table.orderer.author, 3, other)], "told to one alone"


@pytest.mark.parametrize(("own", "new", "is_same", "goes"), [
    (("orderer",), ("orderer", "third"), True, True),
    (("orderer",), ("orderer",), True, False),  # one voter alone leads nobody from ballot to ballot
    (("orderer",), ("third",), True, False),
    ((), ("third",), True, True),
    ((), ("third",), False, False),
    ((), ("orderer", "third"), False, True),
    (("orderer", "third"), ("orderer",), True, False),
    (("orderer", "third"), ("orderer", "third"), True, True),
    (("orderer", "third"), ("orderer", "third"), False, True),
])
def test_who_is_bound_goes_over_to_a_ballot_that_is_nearer_to_its_end_or_after_some_time(
        booth: Booth, table: RestingTable, own: tuple[str, ...], new: tuple[str, ...], is_same: bool, goes: bool) -> None:
    """``own``, ``new``: who has voted in its ballot, and in a newer one, beside the one that is asked. All three have to."""
    lift, end = to_order_again(table), end_of(booth.match)
    kept = lift if is_same else {**lift, "against": table.third.author}
    booth.at(100).ballots._sign(2, kept)
    for epoch, subject, voters in ((2, kept, own), (3, lift, new)):
        for voter in voters:
            booth.hear(vote_of(getattr(table, voter), epoch, subject, end))
    booth.votes()
    booth.at(101).ballots._vote([lift])
    assert [epoch for epoch, _ in booth.votes()][:1] == [3] * goes
    booth.at(100 + BALLOT).ballots._vote([lift])
    assert [epoch for epoch, _ in booth.votes()][:1] == [3] * (not goes)


def test_it_stays_ten_seconds_at_most(booth: Booth, table: RestingTable) -> None:
    lift, end = to_order_again(table), end_of(booth.match)
    booth.ballots._granted = canonical(lift), 20.0
    booth.at(100).ballots._sign(1, {"kind": "pass"})
    booth.at(101).ballots._sign(2, lift)
    booth.ballots._granted = canonical(lift), 20.0
    for epoch in (2, 3):
        booth.hear(vote_of(table.orderer, epoch, lift, end))
    booth.votes()
    for seconds, votes in ((9.9, []), (10.0, [3])):
        booth.at(101 + seconds).ballots._vote([lift])
        assert [epoch for epoch, _ in booth.votes()][:1] == votes


def test_whoever_is_bound_no_more_goes_over_at_once(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    lift, end = to_order_again(table), end_of(booth.match)
    booth.at(100).ballots._sign(1, lift)
    booth.hear(vote_of(table.third, 1, lift, end))
    monkeypatch.setattr(booth.match.snapshot, "epoch", 1)
    booth.votes()
    booth.at(100.1).hear(vote_of(table.orderer, 3, lift, end))
    booth.ballots._vote([lift])
    assert [epoch for epoch, _ in booth.votes()][:1] == [3]


def test_which_ballots_are_nearer_to_their_end_where_five_vote(booth: Booth, table: RestingTable) -> None:
    """``rank``: how many have voted in a newer one, and its number; ``own``: how many in that of this device."""
    lift, end = to_order_again(table), end_of(booth.match)
    five = tuple(map(str, range(5)))
    booth.at(100).ballots._sign(3, lift)
    for voters, subject, rank, is_ahead in ((2, lift, (2, 9), True), (2, lift, (1, 9), False), (3, lift, (2, 9), False),
                                            (3, lift, (4, 9), True), (1, "other", (2, 9), True), (1, "other", (1, 9), False),
                                            (2, "other", (2, 9), False), (2, "other", (3, 9), True)):
        booth.ballots._votes[3] = {node.author: vote_of(node, 3, lift, end)
                                   for node in (table.waiting, table.orderer, table.third)[:voters]}
        wanted = lift if subject == lift else {**lift, "against": table.third.author}
        assert booth.ballots._is_ahead(rank, wanted, five) == is_ahead, (voters, subject, rank)


def test_where_an_epoch_has_begun_the_wait_for_the_next_one_begins_anew(booth: Booth, table: RestingTable,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one voter who goes on voting would have the others hold a ballot every second."""
    lift, end = to_order_again(table), end_of(booth.match)
    for epoch in (2, 9):
        booth.at(100).hear(vote_of(table.orderer, epoch, lift, end))
    assert booth.at(100 + BALLOT).ballots.subjects() == [lift]
    monkeypatch.setattr(booth.match.snapshot, "epoch", 2)
    assert booth.ballots.subjects() == []
    booth.ballots.tick()
    booth.hear(vote_of(table.orderer, 9, lift, end))
    for seconds, subjects in ((BALLOT - 0.1, []), (BALLOT, [lift])):
        assert booth.at(100 + BALLOT + seconds).ballots.subjects() == subjects


def test_votes_are_handed_on_where_a_ballot_takes_long(booth: Booth, table: RestingTable) -> None:
    """Their voters may have told them to one alone."""
    lift, end = to_order_again(table), end_of(booth.match)
    booth.at(100).ballots._sign(2, lift)
    vote = vote_of(table.third, 2, lift, end)
    booth.hear(vote)
    booth.hear(vote_of(table.third, 3, {"kind": "pass"}, end))
    booth.votes()
    own, others = (2, table.waiting.author), [(2, table.third.author), (3, table.third.author)]
    for seconds, told in ((FRESH - 0.1, [own]), (FRESH, [own, *others])):
        booth.at(100 + seconds).ballots.tick()
        votes = [message for _, message in booth.told() if message["t"] == "ballot"]
        assert [(message["e"], message["by"]) for message in votes] == told


def test_in_the_newest_ballot_that_had_three_seconds(booth: Booth, table: RestingTable) -> None:
    subject, end = to_order_again(table), end_of(booth.match)
    for seconds, epoch, voter in ((100, 2, table.orderer), (100 + STUCK, 4, table.third)):
        booth.at(seconds).ballots._sign(epoch, subject)
        booth.hear(vote_of(voter, epoch, subject, end))
    assert left_out(booth, table, 100 + STUCK + FRESH - 0.1) == [table.third.author, None]
    assert left_out(booth, table, 100 + STUCK + FRESH)[0] == table.orderer.author


def test_nobody_hinders_in_a_ballot_that_is_forgotten(booth: Booth, table: RestingTable) -> None:
    booth.at(100).ballots._sign(2, to_order_again(table))
    for epoch in range(3, 3 + MOST_BALLOTS):
        booth.hear(vote_of(table.orderer, epoch, {"kind": "pass"}, end_of(booth.match)))
    assert left_out(booth, table, 100 + STUCK) == [None]


def test_where_all_voted_who_names_an_end_that_nobody_has_hinders_and_else_who_was_to_begin(booth: Booth,
                                                                                            table: RestingTable) -> None:
    subject, end = to_order_again(table), end_of(booth.match)
    nowhere, newer = (0, end[1] + 1, "f" * 64), (1, end[1] + 1, "e" * 64)
    for epoch, ends, hindering in ((2, (end, end), table.orderer), (3, (end, nowhere), table.third),
                                   (4, (end, (0, end[1], "f" * 64)), table.third), (5, (nowhere, newer), table.third)):
        booth.at(100 * epoch).ballots._sign(epoch, subject)
        for node, named in zip((table.orderer, table.third), ends, strict=True):
            booth.hear(vote_of(node, epoch, subject, named))
        assert left_out(booth, table, 100 * epoch + STUCK)[0] == hindering.author, epoch


def test_also_after_the_end_of_a_match(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    booth.at(100).hear(vote_of(table.orderer, 2, {"kind": "pass"}, end_of(booth.match)))
    booth.choices.removals.add(table.third.author)
    monkeypatch.setattr(Match, "outcome", object())
    assert [one["kind"] for one in booth.at(100 + BALLOT).ballots.subjects()] == ["pass"]


def test_a_ballot_is_stuck_from_its_first_vote_until_its_epoch(booth: Booth, table: RestingTable,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds, epoch in ((100, 2), (104, 3)):
        booth.at(seconds).hear(vote_of(table.orderer, epoch, {"kind": "pass"}, end_of(booth.match)))
    assert len(booth.at(105).ballots.subjects()) == 1
    with monkeypatch.context() as patch:
        patch.setattr(booth.match.snapshot, "epoch", 3)
        booth.ballots.tick()
        assert booth.at(120).ballots.subjects() == []
    restarted = Booth(table, table.waiting)
    promise = vote_of(table.waiting, 6, gone(table), end_of(booth.match))
    restarted.state.promise = promise
    restarted.ballots = Ballots(restarted.state, restarted.outbox, restarted.choices)
    restarted.choices.removals.add(table.third.author)
    restarted.at(200).ballots.tick()
    said = restarted.told()
    assert said == [(None, {"t": "ballot", **promise.to_json()}), (None, {"t": "wish", "what": [gone(table)]})]
    restarted.choices.removals.clear()
    assert restarted.at(205).ballots.subjects(), "its own promise binds it since then"
    restarted.choices.removals.add(table.third.author)
    restarted.wish(table.orderer, gone(table))
    assert restarted.votes() == [(7, gone(table))]


def test_who_starts_with_a_promise_may_vote_anew_after_five_seconds(table: RestingTable) -> None:
    for seconds, votes in ((BALLOT - 0.1, []), (BALLOT, [(7, gone(table))])):
        booth = Booth(table, table.waiting)
        booth.state.promise = vote_of(table.waiting, 6, gone(table), end_of(booth.match))
        booth.ballots = Ballots(booth.state, booth.outbox, booth.choices)
        booth.choices.removals.add(table.third.author)
        booth.at(seconds).wish(table.orderer, gone(table))
        assert booth.votes() == votes


def test_who_starts_with_a_promise_says_it_and_counts_its_own_vote(table: RestingTable) -> None:
    """Were the promise forgotten by a restart, its voter would begin a ballot that it has voted in before."""
    subject = passing(table)
    own, other = sorted((table.waiting, table.third), key=lambda node: node.author != subject["order"])
    booth = Booth(table, own)
    booth.state.promise = vote_of(own, 6, subject, end_of(booth.match))
    booth.ballots = Ballots(booth.state, booth.outbox, booth.choices)
    booth.choices.removals.add(other.author)
    booth.at(100).ballots.tick()
    assert booth.votes() == [(6, subject)]
    booth.hear(vote_of(other, 6, subject, end_of(booth.match)))
    found = booth.ballots.certificate()
    assert found is not None and found.body["votes"].keys() == {own.author, other.author}


def test_nobody_passes_over_who_plays_no_more(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    booth.at(100).ballots.hear_plea(renames(table, table.third))
    booth.hear(vote_of(table.orderer, 2, {"kind": "pass"}, end_of(booth.match)))
    assert len(booth.at(100 + PATIENCE).ballots.subjects()) == 2
    monkeypatch.setattr(booth.match.snapshot, "orderer", "0" * 64)
    assert booth.ballots.subjects() == []


# ---- what was decided ----

def decided(booth: Booth, table: RestingTable, epoch: int = 3, **ends: Any) -> dict[str, Json]:
    """Both voters voted in ``epoch`` that ``waiting`` orders instead of ``orderer``; ``third`` is the other."""
    subject: dict[str, Json] = {"kind": "pass", "against": table.orderer.author, "order": table.waiting.author}
    for node in (table.waiting, table.third):
        end = ends.get("waiting" if node is table.waiting else "third", end_of(booth.match))
        booth.hear(vote_of(node, epoch, subject, end))
    return subject


def test_who_would_order_says_what_was_decided(booth: Booth, table: RestingTable) -> None:
    assert booth.at(100).ballots.certificate() is None
    subject = decided(booth, table, third=end_of(booth.match, 2))
    found = booth.ballots.certificate()
    assert found is not None and (found.kind, found.index) == ("pass", len(booth.match.entries) - 1)
    votes = found.body.pop("votes")
    assert found.body == {"against": table.orderer.author, "order": table.waiting.author, "epoch": 3}
    assert votes.keys() == {table.waiting.author, table.third.author}
    end, signature = votes[table.third.author]
    assert end == list(end_of(booth.match, 2))
    assert signature == vote_of(table.third, 3, subject, end_of(booth.match, 2)).signature
    other = Booth(table, table.third).at(100)
    decided(other, table)
    assert other.ballots.certificate() is None, "another one would order"


def test_votes_are_looked_through_once(booth: Booth, table: RestingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked with every message, also with one that says nothing; and one voter may fill many ballots with wordy votes."""
    looked: list[dict[str, Json]] = []

    def look(now: Snapshot, subject: dict[str, Json]) -> tuple[str, ...]:
        looked.append(subject)
        return required_voters(now, subject)

    monkeypatch.setattr(ballots, "required_voters", look)
    for epoch in range(1, 5):
        booth.at(100).hear(vote_of(table.orderer, epoch, {"kind": "pass", "order": table.waiting.author}, end_of(booth.match)))
    looked.clear()
    for _ in range(10):
        assert booth.ballots.certificate() is None
    assert len(looked) == 4
    decided(booth, table, epoch=9)
    assert booth.ballots.certificate() is not None and booth.ballots.certificate() is None, "it was told"
    monkeypatch.setattr(Match, "head", "0" * 64)
    assert booth.ballots.certificate() is not None, "the log went on"


def test_what_was_decided_stands_behind_the_newest_entry_that_was_held(booth: Booth, table: RestingTable) -> None:
    decided(booth.at(100), table, waiting=end_of(booth.match, 3), third=end_of(booth.match, 1))
    found = booth.ballots.certificate()
    assert found is not None and found.index == len(booth.match.entries) - 2
    for end in ((0, len(booth.match.entries), "1" * 64), (0, len(booth.match.entries) - 1, "f" * 64), (1, 3, "1" * 64)):
        lacking = Booth(table, table.waiting).at(100)
        decided(lacking, table, third=end)
        assert lacking.ballots.certificate() is None, "it does not hold that entry"


def test_nothing_is_decided_by_too_few_or_of_another_mind(booth: Booth, table: RestingTable) -> None:
    subject: dict[str, Json] = {"kind": "pass", "against": table.orderer.author, "order": table.waiting.author}
    end = end_of(booth.match)
    booth.at(100).hear(vote_of(table.waiting, 3, subject, end))
    assert booth.ballots.certificate() is None
    booth.hear(vote_of(table.orderer, 3, subject, end))
    assert booth.ballots.certificate() is None, "that vote is not needed"
    booth.hear(vote_of(table.third, 3, {**subject, "order": table.third.author}, end))
    assert booth.ballots.certificate() is None
    booth.hear(vote_of(table.third, 4, subject, end))
    assert booth.ballots.certificate() is None, "in another ballot"
    two = RestingTable(822, peers=2)
    lone = Booth(two, two.waiting).at(100)
    lone.hear(vote_of(two.waiting, 3, subject_gone(two.orderer.author, two.waiting.author), end_of(lone.match)))
    assert lone.ballots.certificate() is None, "nobody decides against the other of two"


def test_of_two_ballots_that_are_complete_the_newer_one_decides(booth: Booth, table: RestingTable) -> None:
    for epoch in (3, 5):
        decided(booth.at(100), table, epoch)
    found = booth.ballots.certificate()
    assert found is not None and found.body["epoch"] == 5


def test_the_own_vote_counts_among_those_that_decide(table: RestingTable) -> None:
    subject = passing(table)
    own, other = sorted((table.waiting, table.third), key=lambda node: node.author != subject["order"])
    booth = Booth(table, own)
    booth.at(100).ballots.hear_plea(renames(table, other))
    booth.at(100 + PATIENCE).wish(other, subject)
    assert booth.votes() == [(1, subject)] and booth.ballots.certificate() is None
    booth.hear(vote_of(other, 1, subject, end_of(booth.match)))
    found = booth.ballots.certificate()
    assert found is not None and found.body["votes"].keys() == {own.author, other.author}


def test_an_older_ballot_than_the_own_promise_or_the_log_decides_nothing(booth: Booth, table: RestingTable,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    decided(booth.at(100), table)
    booth.hear(vote_of(table.third, 5, {"kind": "pass"}, end_of(booth.match)))
    assert booth.ballots.certificate() is not None, "the newer one is not complete"
    for epoch, is_good in ((3, True), (4, False)):
        booth.state.promise = vote_of(table.waiting, epoch, {"kind": "pass"}, end_of(booth.match))
        assert (booth.ballots.certificate() is not None) == is_good
    booth.state.promise = None
    for epoch, is_good in ((2, True), (3, False)):
        with monkeypatch.context() as patch:
            patch.setattr(booth.match.snapshot, "epoch", epoch)
            booth.ballots._looked_at = None
            assert (booth.ballots.certificate() is not None) == is_good
        booth.state.begun_epoch, booth.ballots._looked_at = epoch, None
        assert (booth.ballots.certificate() is not None) == is_good, "it began that one, and may not do so twice"
    booth.state.begun_epoch = 0
    with monkeypatch.context() as patch:
        patch.setattr(type(booth.state), "takes_part", False)
        booth.ballots._looked_at = None
        assert booth.ballots.certificate() is None
    booth.state.accusations.append(Accusation.of_log(booth.match, table.third.author, "fork"))
    booth.ballots._looked_at = None
    assert booth.ballots.certificate() is None
