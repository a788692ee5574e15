"""What must always hold, tried on random matches of every game: invariants 1–5 and 9 of docs/architecture.md.

``--matches N`` sets how many matches a game plays, over all its option sets (hundreds in CI, 10,000 for a night's run,
on all cores with ``-n auto --dist worksteal``); ``--slice 3/20`` plays the third of twenty parts of them.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest

from tabletin.kernel import logfile as openform
from tabletin.kernel.dealing import OpenDealer, ReplayDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Shuffle
from tabletin.kernel.schema import sample_move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.cases import CASES, Case

WORDS = load()
MOST_MOVES = 20_000
CHUNK = 25  # matches in one test

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{json.dumps(case[2])}")


def begin(case: Case, seed: int) -> Table:
    game, seats, options = case
    rules = rules_of(game)
    return Table.begin(rules, Setup(game, rules.version, options, (Seat("person", AUTHOR),) * seats), OpenDealer(Random(seed)))


def step(table: Table, rng: Random) -> bool:
    """One random move by a random seat that may act, from that seat's view; False when the match is over."""
    match = table.match
    acting = match.rules.to_act(match.state)
    if not acting:
        return False
    seat = rng.choice(acting)
    view = match.view((seat,))
    table.move(seat, match.rules.random_move(match.state, seat, view.faces, rng))
    return True


def play(case: Case, seed: int) -> Match:
    table, rng = begin(case, seed), Random(seed + 1)
    for _ in range(MOST_MOVES):
        if not step(table, rng):
            assert table.match.outcome is not None
            return table.match
    raise AssertionError(f"no end after {MOST_MOVES} moves: {case} {seed}")


@cache
def _played(key: str) -> Match:
    game, seats, options = json.loads(key)
    return play((game, seats, options), 11)


def played(case: Case) -> Match:
    """A finished random match of ``case``, made once and only read."""
    return _played(json.dumps(case))


def chunks(matches: int, part: str) -> list[tuple[Case, range]]:
    """The matches of a slice as (case, seeds), each a few seconds' work; the seeds of a game go round its cases.

    >>> [len(seeds) for case, seeds in chunks(10, "2/2") if case[0] == "iota"]
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
        match = play(case, seed)
        again = openform.load(openform.export(match), rules_of)
        assert again.state == match.state
        assert again.outcome == match.outcome
        assert openform.audit(again) == []


@each_case
def test_invariant_1_state_is_a_function_of_the_log(case: Case) -> None:
    match = played(case)
    last = None
    for entry, state, events in match.story():
        assert match.at(entry.index).state == state
        if entry.index % 23 == 0:
            assert match.events(entry.index) == events
        last = state
    assert last == match.state


@each_case
def test_invariant_2_the_public_part_needs_no_knowledge(case: Case) -> None:
    """A spectator, who knows no private face at all, folds the log to the equal state at every prefix."""
    match = played(case)
    blind = Match(rules_of(case[0]), match.entries[0], match.at(0).dealing)
    assert not blind.knowledge
    for entry, state, _ in match.story():
        if entry.index:
            blind.append(entry)
        assert blind.state == state
    assert blind.outcome == match.outcome


@each_case
def test_invariant_3_a_view_holds_only_what_was_shown(case: Case) -> None:
    match = played(case)
    for index in range(0, len(match.entries), max(1, len(match.entries) // 40)):
        state = match.at(index).state
        for seat in range(case[1]):
            faces = match.view((seat,), index).faces
            for card, face in faces.items():
                assert card in state.public or state.seen[card] >> seat & 1
                assert match.knowledge.get(card, face) == face
        assert match.view((), index).faces == state.public


@each_case
def test_invariant_3_events_name_no_face_their_reader_lacks(case: Case) -> None:
    match = played(case)
    wording = Wording(WORDS, match.setup)
    for _, state, events in match.story():
        for event in events:
            assert event.key in WORDS, event.key
            assert wording.event(event, state.public)  # words for a spectator, unknown cards unnamed
            faces_named = {value for value in event.params.values() if isinstance(value, str)} & set(match.rules.deck())
            assert not faces_named, f"{event.key} names a face outside its cards"


@each_case
def test_invariant_4_every_card_in_one_zone_and_the_deck_complete(case: Case) -> None:
    match = played(case)
    deck = Counter(match.rules.deck())
    for entry, state, _ in match.story():
        if any(isinstance(request, Shuffle) for request in state.requests):
            continue
        cards = [card for zone in match.rules.zones(state).values() for card in zone]
        assert len(cards) == len(set(cards)), f"a card in two zones after entry {entry.index}"
        assert Counter(match.knowledge[card] for card in cards) == deck, f"after entry {entry.index}"


@each_case
def test_invariant_5_an_illegal_move_changes_nothing_and_says_why(case: Case) -> None:
    table, rng = begin(case, 5), Random(6)
    match, rules = table.match, table.match.rules
    refused = 0
    for _ in range(120):
        before, head, index = match.state.copy(), match.head, len(match.entries)
        for _ in range(6):
            seat, move = rng.randrange(-1, case[1] + 1), sample_move(rules.verbs, rng)
            try:
                table.move(seat, move)
            except Refused as error:
                assert error.refusal.key in WORDS, error.refusal.key
                assert Wording(WORDS, match.setup).refusal(error.refusal)
                assert (match.head, len(match.entries)) == (head, index)
                assert match.state == before
                refused += 1
            else:
                before, head, index = match.state.copy(), match.head, len(match.entries)
        if not step(table, rng):
            break
    assert refused > 20


@each_case
def test_proposed_moves_are_legal(case: Case) -> None:
    """What ``moves`` yields to a seat that knows only its own view is accepted; so is the default."""
    table, rng = begin(case, 8), Random(9)
    match, rules = table.match, table.match.rules
    for _ in range(25):
        for seat in rules.to_act(match.state):
            view = match.view((seat,))
            for count, move in enumerate(view.moves(seat)):
                if count >= 25:
                    break
                trial = match.state.copy()
                assert rules.make(trial, seat, move, view.faces) is None, move
                assert rules.own_refusal(match.state, seat, move, view.faces) is None, move
            default = rules.default(match.state, seat)
            if default is not None:
                assert rules.judge(match.state, seat, default) is None
                assert not rules.opens(match.state, seat, default)
        if not step(table, rng):
            break


@each_case
def test_invariant_9_resuming_at_any_entry_goes_on_the_same(case: Case) -> None:
    match = played(case)
    rng = Random(3)
    for cut in sorted(rng.sample(range(1, len(match.entries)), 3)):
        resumed = openform.refold(match.entries[:cut], rules_of)
        resumed.learn(Faces((card, match.knowledge[card]) for card in range(resumed.state.next_card)))
        assert resumed.state == match.at(cut - 1).state
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
    again = Table(Match(rules_of(case[0]), genesis, match.at(0).dealing), ReplayDealer(rest, match.knowledge))
    again.settle()
    for entry in rest:
        body: dict[str, Any] = entry.statement.body
        if entry.statement.kind == "move":
            again.move(body["seat"], body["do"])
    assert again.match.head == match.head
    assert [Entry.from_json(entry.to_json()).hash for entry in again.match.entries] == [e.hash for e in match.entries]
