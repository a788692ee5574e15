"""Judging by a prefix: whatever comes later, the verdict over a statement right behind an entry stays what it was."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.log import Statement
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tests.support.highcard import HighCard


def candidates(match: Match, rng: Random) -> list[Statement]:
    """What somebody might say now, right or wrong: moves, undos and consents to anywhere, timeouts, resignations."""
    entries, seats = len(match.entries), match.rules.seats
    bodies: list[tuple[str, dict[str, Any]]] = [(kind, {"seat": rng.randrange(seats), "to": rng.randrange(entries + 2)})
                                                for kind in ("undo", "undo", "consent")]
    bodies += [("timeout", {"seat": rng.randrange(seats)}), ("resign", {"seat": rng.randrange(seats)})]
    for seat, hand in enumerate(match.state.hands):
        for card in hand[:1]:
            bodies.append(("move", {"seat": seat, "do": ["lay", card], "open": [[card, match.knowledge[card]]]}))
            bodies.append(("move", {"seat": seat, "do": ["low", card], "open": []}))
    return [match.propose(AUTHOR, kind, body) for kind, body in bodies]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_a_verdict_later_is_the_verdict_then(seed: int) -> None:
    rng = Random(seed)
    kinds = rng.choice(["ppp", "ppb", "pp"])
    seats = tuple(Seat("person" if kind == "p" else "bot", AUTHOR) for kind in kinds)
    table = Table.begin(HighCard, Setup("highcard", 1, {"turns": 4}, seats), OpenDealer(Random(seed)))
    match = table.match
    verdicts: list[tuple[int, Statement, Refusal | None]] = []
    for _ in range(14):
        said = candidates(match, rng)
        here = len(match.entries) - 1
        verdicts += [(here, statement, match.refusal_at(here, statement)) for statement in said]
        for statement in rng.sample(said, len(said)):
            try:
                table.say(statement.kind, statement.body)
            except Refused as error:
                assert verdicts and (len(match.entries) - 1, statement, error.refusal) in verdicts
                continue
            table.settle()
            break
    assert any(verdict is None for _, _, verdict in verdicts) and any(verdict is not None for _, _, verdict in verdicts)
    for index, statement, verdict in verdicts:
        assert match.refusal_at(index, statement) == verdict


def test_an_agreed_undo_stays_right_where_it_was_said_though_a_move_came_first() -> None:
    """The consents of its own prefix count, not those that are left today."""
    seats = (Seat("person", AUTHOR),) * 2
    table = Table.begin(HighCard, Setup("highcard", 1, {"turns": 4}, seats), OpenDealer(Random(3)))
    match = table.match
    target, seat = len(match.entries) - 1, match.state.turn
    table.move(seat, ("lay", match.state.hands[seat][0]))
    table.consent(1 - seat, target)
    undo = match.propose(AUTHOR, "undo", {"seat": seat, "to": target})
    said_at = len(match.entries) - 1
    table.move(1 - seat, ("lay", match.state.hands[1 - seat][0]))
    with pytest.raises(Refused, match="consent"):
        match.judge(match.propose(AUTHOR, "undo", undo.body))
    assert match.refusal_at(said_at, undo) is None


def test_nothing_behind_a_prefix_can_be_reached_through_it() -> None:
    table = Table.begin(HighCard, Setup("highcard", 1, {}, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(3)))
    prefix = table.match.prefix()
    head, entries = prefix.head, prefix.entries_since(0)
    seat = table.match.state.turn
    table.move(seat, ("lay", table.match.state.hands[seat][0]))
    assert (prefix.head, prefix.entries_since(0)) == (head, entries)
    with pytest.raises(IndexError):
        prefix.snapshot_at(prefix.index + 1)
    with pytest.raises(IndexError):
        prefix.snapshot_at(-1)


def test_a_prefix_knows_its_own_entries_and_no_others() -> None:
    match = Table.begin(HighCard, Setup("highcard", 1, {}, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(3))).match
    hashes = [entry.hash for entry in match.entries]
    last = len(hashes) - 1
    for index in range(last + 1):
        prefix = match.prefix(index)
        assert (prefix.match, prefix.head, prefix.index) == (match.id, hashes[index], index)
        assert [prefix.hash_at(one) for one in range(-1, last + 2)] == ["", *hashes[:index + 1], *[""] * (last + 1 - index)]
        assert prefix.snapshot_at(index) is prefix.snapshot
        assert [prefix.snapshot_at(one).state for one in range(index)] == [match.snapshot_at(one).state for one in range(index)]
        assert all(prefix.entries_since(one) == match.entries[one + 1:index + 1] for one in range(index + 1))
        for beyond in (-1, index + 1):
            with pytest.raises(IndexError):
                prefix.snapshot_at(beyond)
    made_up = Prefix(2, match.snapshot_at(2).copy(), match)
    assert list(made_up.newest_first()) == match.entries[2::-1] and len(match.entries) > 3
    assert made_up.snapshot_at(2) is made_up.snapshot
    assert match.prefix().index == last and match.prefix().snapshot is match.snapshot and match.prefix().head == match.head


def test_a_head_that_a_prefix_does_not_hold_is_unknown_there() -> None:
    table = Table.begin(HighCard, Setup("highcard", 1, {}, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(3)))
    match = table.match
    statement = match.propose(AUTHOR, "resign", {"seat": 0})
    assert match.refusal_at(len(match.entries) - 1, statement) is None
    refusal = match.refusal_at(len(match.entries) - 2, statement)
    assert refusal is not None and refusal.key == "kernel.log.unknown_head"
