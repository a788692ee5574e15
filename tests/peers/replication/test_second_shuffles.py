"""Two shuffles of one deck by one author, told apart by their beginnings, and false ones found in a log: without any cards."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.kernel.log import Statement
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.setup import Seat, Setup
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.replication import evidence
from tabletin.peers.replication.evidence import Accusation, false_shuffles
from tabletin.peers.sealed.pending import Checker
from tests.support.standin_group import StandInGroup

HEADS = ("h0", "h1", "h2")


def turn(text: int, *, author: str = "ada", step: int = 1, head: str = "h1", name: str = "sealed", **changes: Any) -> Statement:
    """A shuffle whose beginning alone is one, and which goes on with ``text``; ``name``: of the deck under way or the next."""
    data = bytes([2, step]) + bytes([7]) * 10 + bytes([text] * 3)
    statement = Statement("m", author, text, head, "deal", {name: b64encode(data).decode()})
    return replace(statement, **changes)


def log(*said: Statement, refused: tuple[Statement, ...] = ()) -> Any:
    """A log in which ``said`` stand behind a genesis."""
    entries = [SimpleNamespace(index=index, hash=f"h{index}", statement=statement)
               for index, statement in enumerate((turn(99, author="host", head=""), *said))]
    places = {entry.hash: entry.index for entry in entries}
    return SimpleNamespace(entries=entries, index_of=places.get,
                           refusal_at=lambda index, statement: Refusal("sealed.not_due") if statement in refused else None)


def shown(match: Any, statement: Statement) -> tuple[int, Any] | None:
    """How many entries the accusation rests on, and the first of its exhibits; None where nobody is accused."""
    found = Accusation.of_second_shuffle(match, statement)
    if found is None:
        return None
    assert (found.culprit, found.why, found.exhibits[1]) == (statement.author, "twice", statement.to_json())
    return len(found.prefix), found.exhibits[0]


# ---- the other one in the log ----

BEFORE, FIRST, SECOND = turn(1, kind="seat"), turn(2), turn(3)


@pytest.mark.parametrize("between", [
    (), (turn(4, author="bo"),), (turn(4, step=2),), (turn(4, name="ahead"),), (turn(4, kind="move"),),
    (turn(4, body={"sealed": 5}),), (turn(4, body={}),), (turn(4, body={"sealed": "?"}),),
    (turn(4, body={"sealed": b64encode(b"\x03" + bytes(20)).decode()}),),
])
def test_the_first_one_of_that_number_is_looked_at_behind_the_entry_that_is_named(between: tuple[Statement, ...]) -> None:
    assert shown(log(turn(5), *between, FIRST, turn(6)), SECOND) == (2, FIRST.to_json())
    assert shown(log(turn(5), *between), SECOND) is None


def test_where_nothing_is_shuffled_or_the_entry_is_unknown_nobody_is_accused() -> None:
    match = log(BEFORE, FIRST)
    assert shown(match, SECOND) == (2, FIRST.to_json())
    for other in (replace(SECOND, head="?"), replace(SECOND, kind="move"), replace(SECOND, body={"sealed": 5}),
                  replace(SECOND, body={}), replace(SECOND, head="h2"), FIRST):
        assert shown(match, other) is None


def test_no_more_than_the_beginning_is_read() -> None:
    """The rest takes long, and whoever shuffled may have written anything there."""
    one, other = (turn(9, body={"sealed": FIRST.body["sealed"][:16] + rest}) for rest in ("?", "??"))
    assert shown(log(BEFORE, one), other) == (2, one.to_json())


# ---- the two of them ----

@pytest.mark.parametrize(("one", "other", "is_shown"), [
    (FIRST, SECOND, True), (turn(2, name="ahead"), turn(3, name="ahead"), True),
    (FIRST, turn(3, author="bo"), False), (FIRST, turn(3, head="h0"), False), (turn(2, head="h0"), SECOND, False),
    (turn(2, head="h0"), turn(3, head="h0"), False),
    (FIRST, turn(3, name="ahead"), False), (FIRST, turn(2, count=8), False), (FIRST, turn(3, step=2), False),
    (turn(2, kind="move"), turn(3, kind="move"), False), (FIRST, turn(3, kind="move"), False),
    (turn(2, kind="move"), SECOND, False),
])
def test_two_shuffles_of_one_deck_have_one_author_place_and_number(one: Statement, other: Statement, *, is_shown: bool) -> None:
    assert evidence._two_shuffles(log(BEFORE, FIRST), 1, one, other) == is_shown
    assert not evidence._two_shuffles(log(BEFORE, FIRST, refused=(one,)), 1, one, other)
    assert not evidence._two_shuffles(log(BEFORE, FIRST, refused=(other,)), 1, one, other)


# ---- false ones ----

def found_in(monkeypatch: pytest.MonkeyPatch, *shown: tuple[str | None, int] | str) -> list[tuple[str, int]]:
    """Whom ``false_shuffles`` finds, and on how many entries that rests, where each entry leaves the dealing with who is guilty
    and how many decks were spoiled, or is refused."""
    setup = Setup("x", 1, {}, (Seat("person", "ada"), Seat("person", "bo")), "sealed")
    dealing = SealedDealing(setup, b"m" * 32, Checker(StandInGroup()))
    match = log(*[turn(index, author=f"author {index}") for index in range(1, len(shown) + 1)])

    def append(entry: Any) -> None:
        now = shown[entry.index - 1]
        if isinstance(now, str):
            raise Refused(Refusal(now))
        dealing.guilty, dealing.spoiled_decks = now

    monkeypatch.setattr(evidence, "peer_match", lambda *given: SimpleNamespace(append=append, dealing=dealing))
    match.rules = None
    authority: Any = SimpleNamespace(verifier=None)
    found = list(false_shuffles(match, authority, StandInGroup()))
    assert all((one.why, one.exhibits) == ("shuffle", ()) for one in found)
    return [(one.culprit, len(one.prefix)) for one in found]


def test_everybody_is_found_whose_shuffle_spoiled_a_deck_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_in(monkeypatch, (None, 0), ("ada", 1), ("ada", 1), (None, 1), ("bo", 2), (None, 3)) == [("ada", 3), ("bo", 6)]
    assert found_in(monkeypatch, ("ada", 1), ("bo", 2)) == [("ada", 2), ("bo", 3)]
    assert found_in(monkeypatch, (None, 0)) == []


def test_behind_an_entry_that_is_refused_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who made a false last shuffle is found by that."""
    assert found_in(monkeypatch, (None, 0), "sealed.bad_shuffle", ("ada", 1)) == [("author 2", 3)]
    assert found_in(monkeypatch, ("ada", 1), "kernel.over", ("bo", 2)) == [("ada", 2)]
