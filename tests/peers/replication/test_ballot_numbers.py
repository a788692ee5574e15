"""Which numbers of ballots are believed: one voter leads nobody away from the others."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tabletin.peers.replication.ballot_numbers import LEAP, STEP, BallotNumbers
from tabletin.peers.replication.epoch_vote import EpochVote

VOTERS = ("a", "b", "c")


def vote(voter: str, epoch: int) -> EpochVote:
    return EpochVote(voter, epoch, {"kind": "pass"}, (0, 1, "f" * 64), "signed")


def test_a_number_within_a_step_is_believed_at_once() -> None:
    numbers = BallotNumbers()
    assert numbers.highest("a") == 0
    assert not numbers.hear(vote("a", 1_000_001), VOTERS, 0) and numbers.highest("a") == 1_000_000
    assert numbers.hear(vote("b", 9 + STEP), VOTERS, 9) and not numbers.hear(vote("b", 10 + STEP), VOTERS, 9)


def test_a_voter_that_was_heard_may_have_reached_nothing() -> None:
    numbers = BallotNumbers()
    assert numbers.hear(vote("a", 0), VOTERS, 9) and numbers.highest("a") == 0


def test_one_voter_raises_what_is_believed_of_it_by_a_step_each_second() -> None:
    numbers, far = BallotNumbers(), vote("a", 10 * STEP)
    for second in range(1, 10):
        assert not numbers.hear(far, VOTERS, 0) and numbers.highest("a") == second * STEP
        numbers.tick(VOTERS, 0)
    assert numbers.hear(far, VOTERS, 0) and numbers.highest("a") == 10 * STEP


def test_a_number_that_two_have_signed_is_believed_at_once() -> None:
    numbers = BallotNumbers()
    assert not numbers.hear(vote("a", LEAP), VOTERS, 0)
    assert numbers.hear(vote("b", LEAP - 1), VOTERS, 0), "the lower one of both"
    assert not numbers.hear(vote("a", LEAP), VOTERS, 0), "it alone is there"
    assert numbers.hear(vote("b", LEAP), VOTERS, 0) and numbers.hear(vote("a", LEAP), VOTERS, 0)


def test_two_in_league_raise_numbers_by_a_leap_each_second() -> None:
    numbers = BallotNumbers()
    assert LEAP == 1000 * STEP
    for second in range(1, 4):
        numbers.hear(vote("a", 5 * LEAP), VOTERS, 0)
        assert not numbers.hear(vote("b", 5 * LEAP), VOTERS, 0) and numbers.highest("b") == second * LEAP
        numbers.tick(VOTERS, 0)


def test_only_the_newest_vote_of_a_voter_is_held_and_of_nobody_else() -> None:
    numbers = BallotNumbers()
    for epoch in (3, 5, 4):
        numbers.hear(vote("a", epoch), VOTERS, 0)
    numbers.hear(replace(vote("a", 5), signature="another one of that number"), VOTERS, 0)
    numbers.hear(vote("z", 8), (*VOTERS, "z"), 0)
    assert numbers.holds(vote("a", 5)) and not numbers.holds(vote("a", 4)) and not numbers.holds(vote("b", 5))
    assert list(numbers.newest_votes()) == [vote("a", 5), vote("z", 8)]
    numbers.tick(VOTERS, 0)
    assert list(numbers.newest_votes()) == [vote("a", 5)] and numbers.highest("z") == 0


def test_two_devices_of_one_voter_are_not_two() -> None:
    numbers = BallotNumbers()
    numbers.hear(vote("a", LEAP), VOTERS, 0)
    assert not numbers.hear(vote("b", LEAP), ("b", "c"), 0) and numbers.highest("b") == STEP


@given(st.lists(st.tuples(st.integers(0, 20 * STEP), st.booleans()), max_size=40))
def test_whoever_is_led_on_is_followed_at_once(leads: list[tuple[int, bool]]) -> None:
    """``a`` is led by ``c`` alone. ``b`` hears of it in the end: of the vote of ``a``, and of the one that led it."""
    one, other, own = BallotNumbers(), BallotNumbers(), 0
    leader = vote("c", 0)
    for ahead, passes in leads:
        leader = vote("c", own + ahead)
        if one.hear(leader, VOTERS, own):
            own = max(own, leader.epoch)
        if passes:
            one.tick(VOTERS, own)
            other.tick(VOTERS, 0)
    for shown in one.newest_votes():
        other.hear(shown, VOTERS, 0)
    assert other.hear(vote("a", own), VOTERS, 0) and own <= STEP * (len(leads) + 1)
