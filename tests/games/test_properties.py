"""What must always hold, tried on random matches of every game: invariants 1–5 and 9 of docs/architecture.md.

``--matches N`` sets how many matches a game plays, over all its option sets (40 in CI, 10,000 for a night's run,
on all cores with ``-n auto --dist worksteal``); ``--slice 3/20`` plays the third of twenty parts of them.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tabletin.kernel import logfile
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.kernel.table import Table
from tabletin.registry import GAMES, rules_of
from tests.support import invariants
from tests.support.cases import CASES, Case
from tests.support.random_matches import each_case, played, step
from tests.support.replay_dealer import ReplayDealer

CHUNK = 25  # matches in one test


def chunks(matches: int, part: str) -> list[tuple[Case, range]]:
    """The matches of a slice as (case, seeds), each a few seconds' work; the seeds of a game go round its cases.

    >>> [len(seeds) for case, seeds in chunks(10, "2/2") if case[0] == CASES[0][0]]
    [2, 2, 1]
    """
    number, parts = map(int, part.split("/"))
    if not 1 <= number <= parts:
        raise ValueError(f"no such slice: {part}")
    found = []
    for game in GAMES:
        cases = [case for case in CASES if case[0] == game]
        for offset, case in enumerate(cases):
            begin, end = matches * (number - 1) // parts, matches * number // parts
            seeds = range(begin + (offset - begin) % len(cases), end, len(cases))
            found += [(case, seeds[at:at + CHUNK]) for at in range(0, len(seeds), CHUNK)]
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chunk" in metafunc.fixturenames:
        asked = chunks(metafunc.config.getoption("--matches"), metafunc.config.getoption("--slice"))
        ids = [f"{game}-{seats}-{json.dumps(options)}-{seeds[0]}" for (game, seats, options), seeds in asked]
        metafunc.parametrize("chunk", asked, ids=ids)


def test_slices_are_the_whole() -> None:
    whole = [(case[0], seed) for case, seeds in chunks(1000, "1/1") for seed in seeds]
    parts = [(case[0], seed) for part in range(1, 8) for case, seeds in chunks(1000, f"{part}/7") for seed in seeds]
    assert sorted(whole) == sorted(parts) == sorted((game, seed) for game in GAMES for seed in range(1000))


def test_matches_end_and_audit(chunk: tuple[Case, range]) -> None:
    case, seeds = chunk
    for seed in seeds:
        invariants.ends_and_audits(case, seed)


@each_case
def test_invariant_1_state_is_a_function_of_the_log(case: Case) -> None:
    invariants.state_is_a_function_of_the_log(case)


@each_case
def test_invariant_2_the_public_part_needs_no_knowledge(case: Case) -> None:
    invariants.public_part_needs_no_knowledge(case)


@each_case
def test_invariant_3_a_view_holds_only_what_was_shown(case: Case) -> None:
    match = played(case)
    for index in range(0, len(match.entries), max(1, len(match.entries) // 40)):
        state = match.snapshot_at(index).state
        for seat in range(case[1]):
            faces = match.view((seat,), index).faces
            for card, face in faces.items():
                assert card in state.public or state.viewers[card] >> seat & 1
                assert match.knowledge.get(card, face) == face
        assert match.view((), index).faces == state.public


@each_case
def test_invariant_3_events_name_no_face_their_reader_lacks(case: Case) -> None:
    invariants.events_name_no_unknown_face(case)


@each_case
def test_invariant_4_every_card_in_one_zone_and_the_deck_complete(case: Case) -> None:
    invariants.every_card_is_in_one_zone(case)


@each_case
def test_invariant_5_an_illegal_move_changes_nothing_and_says_why(case: Case) -> None:
    invariants.illegal_moves_change_nothing(case)


@each_case
def test_proposed_moves_are_legal(case: Case) -> None:
    invariants.proposed_moves_are_legal(case)


@each_case
def test_invariant_9_resuming_at_any_entry_goes_on_the_same(case: Case) -> None:
    match = played(case)
    rng = Random(3)
    for cut in sorted(rng.sample(range(1, len(match.entries)), 3)):
        resumed = logfile.refold(match.entries[:cut], rules_of)
        resumed.learn(Faces((card, match.knowledge[card]) for card in range(resumed.state.next_card)))
        assert resumed.state == match.snapshot_at(cut - 1).state
        table = Table(resumed, OpenDealer(Random(cut)))
        table.settle()
        moves = Random(cut + 1)
        for _ in range(5):
            step(table, moves)
        assert resumed.entries[:cut] == match.entries[:cut]


@each_case
def test_dealers_are_interchangeable(case: Case) -> None:
    """The replay dealer, given the finished log, leads the same moves to the same log."""
    match = played(case)
    genesis, *rest = match.entries
    again = Table(Match(rules_of(case[0]), genesis, match.snapshot_at(0).dealing), ReplayDealer(rest, match.knowledge))
    again.settle()
    for entry in rest:
        body: dict[str, Any] = entry.statement.body
        if entry.statement.kind == "move":
            again.move(body["seat"], body["do"])
    assert again.match.head == match.head
    assert [Entry.from_json(entry.to_json()).hash for entry in again.match.entries] == [e.hash for e in match.entries]
