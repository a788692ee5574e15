"""A checker that puts shuffles off: only while it catches up, the hand under way first, and nothing is forgotten."""

from __future__ import annotations

import pytest

from tabletin.kernel.requests import Shuffle
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.dealing.next_deck import PreparedDeck
from tabletin.peers.sealed import pending
from tabletin.peers.sealed.deck import context, open_cards
from tabletin.peers.sealed.group import Stream
from tabletin.peers.sealed.shuffle import ShuffleClaim, shuffle
from tests.support.dealing_devices import FACES, Devices
from tests.support.standin_group import StandInGroup

GROUP = StandInGroup()
DECK = Shuffle(faces=FACES)
KEY = GROUP.multiples(GROUP.base, [7])[0]


def claim(number: int, *, good: bool = True) -> ShuffleClaim:
    before = open_cards(GROUP, KEY, FACES)
    ctx = context(b"m", number, 0, 0, "shuffle")
    after, proof = shuffle(GROUP, ctx, KEY, before, Stream(b"x"))
    return ShuffleClaim(ctx, KEY, tuple(before), tuple(after if good else before), proof)


def test_only_while_catching_up_shuffles_are_taken_for_good() -> None:
    checker = DeferredChecker(GROUP)
    bad = claim(1, good=False)
    assert not checker.catching_up and checker.remaining == checker.urgent == 0 and not vars(checker)["failed"]
    assert checker.shuffles([bad, claim(2)]) == [False, True] and checker.remaining == 0
    checker.catching_up = True
    assert checker.catching_up and checker.shuffles([bad, claim(3), claim(4, good=False)]) == [False, True, True]
    assert checker.remaining == 2, "what was checked already is not checked again"
    checker.catching_up = False
    checker.work(1)
    assert checker.remaining == 1
    checker.work(5)
    assert (checker.remaining, vars(checker)["failed"]) == (0, True)
    assert checker.shuffles([claim(3), claim(4, good=False)]) == [True, False] and checker.remaining == 0


def test_what_is_folded_again_is_put_off_once() -> None:
    """Each undo and each late statement folds some entries of the log again, and a log may be full of them."""
    checker = DeferredChecker(GROUP)
    checker.catching_up = True
    for _ in range(3):
        checker.shuffles([claim(1), claim(2, good=False)])
    assert (checker.remaining, checker.urgent) == (2, 2)
    checker.hand += 1
    checker.shuffles([claim(2, good=False), claim(3)])
    assert (checker.remaining, checker.urgent) == (3, 1), "it belongs to the hand that it came in"
    checker.work(checker.urgent)
    assert checker.knows(claim(3)) and not checker.failed
    checker.work(2)
    assert (checker.remaining, vars(checker)["failed"]) == (0, True)


def test_what_holds_is_remembered_and_fails_nothing() -> None:
    checker = DeferredChecker(GROUP)
    checker.catching_up = True
    checker.shuffles([claim(1), claim(2)])
    checker.work(2)
    assert not checker.failed and checker.knows(claim(1)) and checker.knows(claim(2))
    checker.work(0)
    assert checker.remaining == 0


def test_the_own_proofs_are_taken_for_good_only_while_catching_up() -> None:
    checker = DeferredChecker(GROUP)
    assert checker.author == checker.own == ""
    checker.author = "me"
    checker.catching_up = True
    on = checker.own
    checker.catching_up = False
    assert (on, checker.own) == ("me", "")


def test_the_hand_under_way_comes_first_then_the_newest() -> None:
    checker = DeferredChecker(GROUP)
    checker.catching_up = True
    checker.shuffles([claim(1), claim(2)])
    checker.hand += 1
    checker.shuffles([claim(3)])
    checker.early = True
    checker.shuffles([claim(4), claim(5)])
    checker.early = False
    assert (checker.remaining, checker.urgent) == (5, 3), "a prepared deck counts, too: nobody says anything behind a false one"
    checker.work(checker.urgent)
    assert all(map(checker.knows, (claim(3), claim(4), claim(5)))) and (checker.remaining, checker.urgent) == (2, 0)
    checker.work(1)
    assert checker.knows(claim(2)) and not checker.knows(claim(1))
    checker.shuffles([claim(6)])
    checker.early = True
    checker.shuffles([claim(7)])
    checker.hand += 1
    assert checker.urgent == 1, "what was prepared belongs to the hand that begins"
    checker.work(1)
    assert checker.knows(claim(7)) and checker.remaining == 2
    checker.shuffles([claim(8)])
    checker.hand -= 1
    assert checker.urgent == 2, "the hand was taken back"


def test_what_is_said_early_belongs_to_the_next_hand() -> None:
    checker = DeferredChecker(GROUP)
    devices = Devices("a", "b", checker=checker)
    checker.catching_up = True
    devices.ask(DECK).settle().prepare()
    assert sorted(hand for hand, _ in checker._deferred.values()) == [0, 0, 1, 1] and not checker.early
    prepared = devices.dealing.next_deck
    assert isinstance(prepared, PreparedDeck) and len(prepared.deal.cards) == len(FACES)


@pytest.mark.parametrize("is_catching_up", [False, True])
def test_what_was_found_false_stays_so_however_much_else_is_judged(monkeypatch: pytest.MonkeyPatch, *,
                                                                   is_catching_up: bool) -> None:
    """Only so many verdicts are remembered. It is not checked again."""
    monkeypatch.setattr(pending, "MOST_VERDICTS", 1)
    checker, bad = DeferredChecker(GROUP), claim(1, good=False)
    checker.catching_up = True
    checker.shuffles([bad, claim(2)])
    assert (checker.failed, checker.remaining) == (False, 2)
    assert checker.work(2) and checker.failed
    checker.shuffles([claim(3)])
    assert not checker.work(1)
    checker.catching_up = is_catching_up
    assert checker.shuffles([bad]) == [False]
    assert not checker.knows(bad) and checker.remaining == 0
    assert checker.shuffles([claim(3), bad]) == [True, False]


def test_what_is_put_off_is_taken_for_good_until_it_is_checked() -> None:
    """Whatever asks for an older state of the log folds it again, and that is not catching up."""
    checker, bad = DeferredChecker(GROUP), claim(1, good=False)
    checker.catching_up = True
    checker.shuffles([bad])
    checker.catching_up = False
    assert checker.shuffles([bad, claim(2), claim(3, good=False)]) == [True, True, False]
    assert checker.remaining == 1 and not checker.knows(bad) and checker.knows(claim(2))
    checker.work(1)
    assert checker.shuffles([bad]) == [False]


def test_of_a_log_that_is_read_again_what_was_found_stands() -> None:
    checker, bad = DeferredChecker(GROUP), claim(1, good=False)
    checker.catching_up, checker.hand = True, 3
    checker.shuffles([bad])
    checker.work(1)
    checker.shuffles([claim(2), claim(3)])
    checker.begin()
    assert (checker.hand, checker.remaining) == (0, 0)
    assert checker.shuffles([bad, claim(2)]) == [False, True] and (checker.remaining, checker.urgent) == (1, 1)


def test_what_was_put_off_of_a_deal_that_was_given_up_is_urgent_from_then_on() -> None:
    """What comes next depends on how far that deal was. Older hands wait, and what was prepared does not."""
    checker = DeferredChecker(GROUP)
    devices = Devices("a", "b", checker=checker)
    checker.catching_up = True
    checker.shuffles([claim(1)])
    checker.hand += 1
    checker.shuffles([claim(2)])
    checker.early = True
    checker.shuffles([claim(3)])
    checker.early = False
    devices.dealing.void(devices.setup)
    assert checker.urgent == 2
    checker.hand += 1
    assert checker.urgent == 2
    checker.hand += 1
    assert checker.urgent == 1
    checker.work(checker.urgent)
    assert checker.knows(claim(2)) and checker.remaining == 2
