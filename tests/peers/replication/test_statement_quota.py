"""What is said beside the play is counted for a person, not for a key."""

from __future__ import annotations

from tabletin.kernel.log import Entry, Json, Statement
from tabletin.kernel.match import MOST_BEHIND
from tabletin.peers.replication.statement_quota import QUOTA, exceeds_quota, was_quota_exceeded
from tabletin.registry import GAMES, rules_of

MATCH = "0" * 64


def said(author: str, kind: str, **body: Json) -> Statement:
    return Statement(MATCH, author, 1, MATCH, kind, body)


def log(*statements: Statement) -> list[Entry]:
    """Those as entries, the newest first."""
    return [Entry.create(index, MATCH, one) for index, one in enumerate(statements)][::-1]


def chain(length: int) -> list[Statement]:
    """A person goes on from one new device after another."""
    return [said(f"k{number}", "device", to=f"k{number + 1}") for number in range(length)]


def test_whoever_goes_on_from_one_device_after_another_begins_no_count_anew() -> None:
    full = log(*chain(QUOTA))
    assert exceeds_quota(full, said(f"k{QUOTA}", "device", to="another"))
    assert not exceeds_quota(full, said("b", "seat", seat=1)), "another person's count is its own"
    assert not was_quota_exceeded(full) and was_quota_exceeded(log(*chain(QUOTA + 1)))
    assert not was_quota_exceeded(log(*chain(QUOTA), said("b", "move"), *chain(QUOTA))), "a play ends the count"


def test_what_was_said_at_the_device_before_counts_for_the_one_that_goes_on() -> None:
    before = [said("old", "consent", seat=0, to=1)] * (QUOTA - 1)
    moved = log(*before, said("old", "device", to="new"))
    assert exceeds_quota(moved, said("new", "consent", seat=0, to=1))
    assert not exceeds_quota(log(*before), said("new", "consent", seat=0, to=1))


def test_a_move_that_is_taken_back_begins_no_count_anew() -> None:
    """Else whoever orders says twelve things, makes a move, takes it back, and so on, until what it withholds is dead."""
    seats = [said("a", "seat", seat=0)] * (QUOTA - 2)
    begun = [said("b", "move", seat=1), *seats, said("a", "move", seat=0)]
    undo = said("a", "undo", seat=0, to=len(seats))
    assert not exceeds_quota(log(*begun), said("a", "seat", seat=0)) and not exceeds_quota(log(*begun), undo)
    taken_back = log(*begun, undo)
    assert not was_quota_exceeded(taken_back)
    again = [*begun, undo, said("a", "move", seat=0)]
    assert not exceeds_quota(log(*again), said("a", "seat", seat=0)), "that move stands"
    assert not exceeds_quota(log(*again, said("a", "seat", seat=0)), said("b", "seat", seat=1))
    assert not exceeds_quota(taken_back, said("a", "seat", seat=0)), "the twelfth"
    twelfth = [*begun, undo, said("a", "seat", seat=0)]
    assert not was_quota_exceeded(log(*twelfth)) and exceeds_quota(log(*twelfth), said("a", "seat", seat=0))
    assert was_quota_exceeded(log(*twelfth, said("a", "move", seat=0), said("a", "undo", seat=0, to=len(twelfth) - 1)))


def test_an_undo_that_would_make_it_too_much_for_somebody_gets_no_place() -> None:
    """It is asked beforehand: who places it would be passed over."""
    for author in ("a", "b"):
        seats = [said(author, "seat", seat=0)] * (QUOTA - 2)
        begun = [said("b", "move", seat=1), *seats, said("a", "move", seat=0), *seats]
        undo = said("a", "undo", seat=0, to=len(seats))
        assert not was_quota_exceeded(log(*begun))
        assert exceeds_quota(log(*begun), undo) and was_quota_exceeded(log(*begun, undo))
    full = [*begun, undo]
    assert not exceeds_quota(log(*full), said("a", "undo", seat=0, to=0)), "it was too much before"
    assert not exceeds_quota(log(said("b", "deal"), *seats), said("a", "undo", seat=0, to=0))
    for stands in ("deal", "leave", "timeout", "resign"):
        assert not was_quota_exceeded(log(*begun, said("c", stands, seat=2)))


def test_all_who_play_cannot_fill_a_log_so_that_a_move_dies() -> None:
    assert max(max(rules_of(game).seat_counts) for game in GAMES) * QUOTA < MOST_BEHIND


def test_what_is_no_play_and_not_counted_ends_no_count() -> None:
    """Who gives the order away cannot do so again; what prepares the next hand is no part of this one."""
    given = said("a", "order", to="b")
    assert not was_quota_exceeded(log(*[given] * (QUOTA + 1)))
    assert was_quota_exceeded(log(*[said("a", "order", to="a")] * (QUOTA + 1)))
    full = [said("a", "seat", seat=0)] * QUOTA
    for between in (given, said("b", "deal", ahead={})):
        assert exceeds_quota(log(*full, between), said("a", "seat", seat=0))
        assert not exceeds_quota(log(*full, between), given) and not exceeds_quota(log(*full), said("a", "move", seat=0))


def test_an_undo_counts_itself_and_ends_at_the_move_that_it_goes_back_to() -> None:
    for later, is_much in ((QUOTA // 2 - 1, False), (QUOTA // 2, True)):
        half = [said("a", "seat", seat=0)] * (QUOTA // 2)
        begun = [said("b", "move", seat=1), *half, said("a", "move", seat=0), *half[:later]]
        assert exceeds_quota(iter(log(*begun)), said("a", "undo", seat=0, to=len(half))) is is_much
        assert not exceeds_quota(log(*begun), said("a", "undo", seat=0, to=len(half) + 1)), "that move stands"


def test_an_undo_that_was_taken_back_takes_nothing_back() -> None:
    seats = [said("a", "seat", seat=0)] * (QUOTA - 1)
    begun = [said("b", "move", seat=1), *seats, said("a", "move", seat=0)]
    back = [*begun, said("a", "undo", seat=0, to=len(seats)), said("a", "undo", seat=0, to=len(seats) + 1)]
    assert not was_quota_exceeded(log(*back)) and was_quota_exceeded(log(*back[:-1], said("a", "seat", seat=0)))


def test_what_no_undo_takes_back_ends_the_count_though_it_is_crossed() -> None:
    seats = [said("a", "seat", seat=0)] * (QUOTA - 1)
    begun = [said("b", "move", seat=1), *seats, said("c", "leave"), said("a", "seat", seat=0), said("a", "move", seat=0)]
    assert not was_quota_exceeded(log(*begun, said("a", "undo", seat=0, to=0)))
