"""The audit of decks: what came out of a shuffle went in, as far as the reader knows; over rules that only shuffle."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabletin.kernel.dealing import OpenDealing
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.log import NOTHING, Entry
from tabletin.kernel.logfile import audit
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal
from tabletin.kernel.requests import Request, Result, Shuffle
from tabletin.kernel.rules import Finding, Outcome, Rules, Zone
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import State
from tabletin.kernel.trusted_match import follow, trusted_match


class Table(State):
    __slots__ = ("cards",)

    def __init__(self) -> None:
        super().__init__()
        self.cards: tuple[Card, ...] = ()


class Shuffling(Rules[Table]):
    """Asks for the shuffles it was made with, one after the other; all cards lie on the table."""

    id = "shuffling"
    seat_counts = range(1, 2)
    verbs = {}
    asked: tuple[Request, ...]
    faces: tuple[Face, ...]

    def start(self) -> Table:
        state = Table()
        state.requests = self.asked
        return state

    def take_answer(self, state: Table, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        assert isinstance(request, Shuffle)
        state.cards = (*(card for card in state.cards if card not in request.cards), *cards)

    def deck(self) -> tuple[Face, ...]:
        return self.faces

    def zones(self, state: Table) -> dict[Zone, tuple[Card, ...]]:
        return {"table": state.cards}

    def actors(self, state: Table) -> tuple[int, ...]:
        return (0,)

    def verdict(self, state: Table, seat: int, move: Move) -> Refusal | None:
        return None

    def apply(self, state: Table, seat: int, move: Move) -> None:
        pass

    def outcome(self, state: Table) -> Outcome | None:
        return None

    def standings(self, state: Table) -> tuple[int, ...]:
        return (0,)

    def moves(self, state: Table, seat: int, faces: Faces) -> Iterator[Move]:
        yield from ()


def rules_that_ask(deck: str, *shuffles: Shuffle) -> type[Shuffling]:
    return type("Asking", (Shuffling,), {"asked": shuffles, "faces": tuple(deck)})


def wrong_entries(deck: str, known: dict[Card, Face], *shuffles: Shuffle, in_one: bool = False) -> list[int | None]:
    """The entries that the audit finds for a reader who knows these faces. ``in_one``: one entry answers all shuffles."""
    rules = rules_that_ask(deck, *shuffles)
    setup = Setup("shuffling", 1, {}, (Seat("person", "ada"),))
    genesis = Entry.create(0, NOTHING, setup.statement("ada"))
    match = trusted_match(rules, genesis) if in_one else Match(rules, genesis, OpenDealing())
    while match.state.requests:
        entry = Entry.create(len(match.entries), match.head, match.propose("ada", "deal", {}))
        if in_one:
            follow(match, entry, (None,) * len(shuffles))
        else:
            match.append(entry)
    match.learn(Faces(known))
    findings = audit(match)
    assert all(finding == Finding(None, "kernel.audit.deck", entry=finding.entry) for finding in findings)
    return [finding.entry for finding in findings]


AB, AGAIN = Shuffle(faces=("a", "b")), Shuffle(cards=(0, 1))


@pytest.mark.parametrize(("known", "wrong"), [
    ({}, []), ({0: "a"}, []), ({0: "a", 1: "b"}, []), ({1: "a", 0: "b"}, []),
    ({0: "c"}, [1]), ({0: "a", 1: "c"}, [1]), ({0: "a", 1: "a"}, [1])])
def test_of_new_faces_nothing_else_comes_out(known: dict[Card, Face], wrong: list[int]) -> None:
    assert wrong_entries("abcd", known, AB) == wrong


@pytest.mark.parametrize(("known", "wrong"), [
    ({0: "a", 1: "b", 2: "a", 3: "b"}, []), ({0: "a", 1: "b", 2: "b"}, []), ({0: "a", 2: "a", 3: "b"}, []), ({2: "c"}, []),
    ({0: "a", 2: "c"}, []), ({0: "a", 2: "c", 3: "d"}, [2]), ({0: "a", 1: "b", 2: "c"}, [2]),
    ({0: "a", 1: "b", 2: "a", 3: "a"}, [2])])
def test_of_cards_that_were_dealt_as_many_others_as_the_reader_did_not_know(known: dict[Card, Face], wrong: list[int]) -> None:
    assert wrong_entries("abcd", known, AB, AGAIN) == wrong


def test_new_faces_among_cards_that_were_dealt() -> None:
    more = Shuffle(cards=(0,), faces=("c",))
    assert wrong_entries("abcd", {0: "a", 1: "b", 2: "c", 3: "a"}, AB, more) == []
    assert wrong_entries("abcd", {0: "a", 1: "b", 2: "c", 3: "d"}, AB, more) == [2]
    assert wrong_entries("abcd", {2: "c", 3: "d"}, AB, more) == [], "card 0 may have been it, for all that is known"


def test_no_face_is_in_play_more_often_than_in_the_deck() -> None:
    """Also where each shuffle alone could be honest."""
    part = Shuffle(cards=(0,))
    assert wrong_entries("ab", {1: "b", 2: "b"}, AB, part) == [2]
    assert wrong_entries("ab", {1: "b", 2: "a"}, AB, part) == []
    assert wrong_entries("abb", {1: "b", 2: "b"}, AB, part) == []


def test_where_nothing_was_shuffled_nothing_is_wrong() -> None:
    assert wrong_entries("ab", {}) == [] == wrong_entries("", {}, Shuffle())


def test_only_the_first_wrong_shuffle_is_found() -> None:
    assert wrong_entries("abcd", {0: "c", 1: "c", 2: "d", 3: "d"}, AB, AGAIN) == [1]


def test_an_entry_that_answers_two_shuffles_is_not_held_against_the_first() -> None:
    first, second = Shuffle(faces=("a",)), Shuffle(faces=("b",))
    for in_one in (False, True):
        assert wrong_entries("ab", {0: "a", 1: "b"}, first, second, in_one=in_one) == []
