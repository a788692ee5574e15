"""The match as a fold of its log, on a toy game: judging, looking back, views, undo, seats, truncated and altered files."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.kernel import logfile as openform
from tabletin.kernel.dealing import OpenDealer, OpenDealing
from tabletin.kernel.faces import HIDDEN, Faces
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tests.support.highcard import HighCard, random_table


def find(_: str) -> type[HighCard]:
    return HighCard


def begin(seed: int = 1, kinds: str = "pp", **options: Any) -> Table:
    seats = tuple(Seat("person" if kind == "p" else "bot", AUTHOR) for kind in kinds)
    return Table.begin(HighCard, Setup("highcard", 1, options, seats), OpenDealer(Random(seed)))


def lay(table: Table) -> int:
    """The seat to act lays its first card; that seat."""
    state = table.match.state
    seat: int = state.turn
    table.move(seat, ("lay", state.hands[seat][0]))
    return seat


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 6))
def test_invariant_1_state_is_a_function_of_log_and_knowledge(seed: int, seats: int, turns: int) -> None:
    match = random_table(seed, seats, turns=turns).match
    again = openform.load(openform.export(match), find)
    assert again.state == match.state
    for entry, state, events in match.story():
        assert match.snapshot_at(entry.index).state == state == again.snapshot_at(entry.index).state
        assert match.events(entry.index) == events


def test_invariant_2_a_reader_without_knowledge_folds_the_same() -> None:
    match = random_table(4).match
    blind = openform.refold(match.entries, find)
    assert not blind.knowledge and blind.state == match.state and blind.outcome == match.outcome


def test_invariant_3_a_view_shows_its_own_seat_and_what_is_public() -> None:
    match = begin(kinds="ppp").match
    state = match.state
    for seat in range(3):
        faces = match.view((seat,)).faces
        for other, hand in enumerate(state.hands):
            assert all((faces[card] is HIDDEN) != (other == seat) for card in hand)
        assert all(faces[card] is HIDDEN for card in state.pile if card not in state.public)
    assert match.view().faces == state.public
    assert set(match.view((0, 2)).faces) == set(match.view((0,)).faces) | set(match.view((2,)).faces)
    assert len(match.view(None).faces) == 12


def test_invariant_5_a_refused_statement_changes_nothing() -> None:
    table = begin()
    match = table.match
    state, head = match.state.copy(), match.head
    turn = match.state.turn
    for seat, move in ((1 - turn, ("lay", match.state.hands[1 - turn][0])), (turn, ("lay", 999)), (turn, ("dance",)),
                       (turn, ("lay", match.state.hands[1 - turn][0])), (7, ("lay", 0)), (turn, ("lay", "x"))):
        with pytest.raises(Refused):
            table.move(seat, move)
        assert (match.state, match.head) == (state, head)


@pytest.mark.parametrize("change", [
    {"match": "0" * 64}, {"by": "stranger"}, {"n": 0}, {"head": "f" * 64}, {"kind": "genesis"},
    {"body": {}}, {"body": {"seat": 0}}, {"body": {"seat": "0", "do": [], "open": []}},
    {"body": {"seat": 0, "do": ["lay", 0], "open": 3}},
    {"kind": "deal", "body": {}}, {"kind": "timeout", "body": {}}, {"kind": "seat", "body": {"seat": 0, "to": 1}},
    {"kind": "undo", "body": {"seat": 0, "to": "x"}}, {"kind": "resign", "body": {"seat": 5}}])
def test_invariant_5_malformed_statements_are_refused_whole(change: dict[str, Any]) -> None:
    table = begin()
    match = table.match
    good = match.propose(AUTHOR, "move", {"seat": 0, "do": ["lay", 0], "open": []}).to_json()
    entry = Entry.from_json({"i": len(match.entries), "prev": match.head, "say": {**good, **change}})
    state, head = match.state.copy(), match.head
    with pytest.raises(Refused):
        match.append(entry)
    assert (match.state, match.head) == (state, head)


def test_an_opening_must_be_the_one_the_move_needs() -> None:
    table = begin()
    match = table.match
    seat = match.state.turn
    card = match.state.hands[seat][0]
    for openings in ([], [[card, "3"], [card + 1, "4"]], [[card, "3"], [card, "3"]], [[card + 1, "3"]], [[card]]):
        with pytest.raises(Refused):
            table.say("move", {"seat": seat, "do": ("lay", card), "open": openings})


def test_a_dealer_cannot_change_a_public_face_or_answer_unasked() -> None:
    table = begin()
    with pytest.raises(Refused, match="nothing_asked"):
        table.say("deal", {})


def test_entries_out_of_place_are_refused() -> None:
    match = begin().match
    statement = match.propose(AUTHOR, "resign", {"seat": 0})
    for entry in (Entry.create(len(match.entries) + 1, match.head, statement),
                  Entry.create(len(match.entries), "a" * 64, statement)):
        with pytest.raises(Refused):
            match.append(entry)


def test_a_statement_over_a_head_that_the_log_never_had_is_refused() -> None:
    """Its author saw another log; the rest of the statement is in order, and an older head of this log is, too."""
    match = begin().match
    seat = match.state.turn
    card = match.state.hands[seat][0]
    body = {"seat": seat, "do": ["lay", card], "open": [[card, match.knowledge[card]]]}
    statement = match.propose(AUTHOR, "move", body)
    for head, refused in (("a" * 64, True), (match.entries[1].hash, False)):
        said = replace(statement, head=head)
        if refused:
            with pytest.raises(Refused, match="unknown_head"):
                match.append(Entry.create(len(match.entries), match.head, said))
        else:
            match.append(Entry.create(len(match.entries), match.head, said))
        assert (card in match.state.laid) is not refused


def test_looking_back_costs_the_same_however_long_the_log() -> None:
    """At most a stride of entries is folded again, wherever one looks."""
    match = random_table(3, 4, turns=6).match
    folded: list[int] = []
    fold = match._fold

    def counted(*arguments: Any, **named: Any) -> None:
        folded.append(1)
        fold(*arguments, **named)

    match._fold = counted  # type: ignore[method-assign]
    for index in range(len(match.entries)):
        folded.clear()
        match.snapshot_at(index)
        assert len(folded) < 16


def test_invariant_6_undo_never_crosses_chance_or_a_private_disclosure() -> None:
    table = begin(kinds="pb", turns=3)
    for target in range(len(table.match.entries) - 1):
        with pytest.raises(Refused, match="undo"):
            table.undo(table.match.state.turn, target)


def test_invariant_6_undo_of_ones_own_opening_alone_with_bots() -> None:
    table = begin(kinds="pb", turns=3)
    match = table.match
    while match.state.turn != 0:
        lay(table)
    before, index = match.state.copy(), len(match.entries) - 1
    card = match.state.hands[0][0]
    table.move(0, ("lay", card))
    table.undo(0, index)
    assert match.state.hands == before.hands and match.state.points == before.points
    assert match.state.public[card] == match.knowledge[card], "what was known stays known"
    assert openform.load(openform.export(match), find).state == match.state


def test_invariant_6_undo_among_people_needs_everybodys_consent() -> None:
    table = begin(kinds="ppp", turns=3)
    match = table.match
    index = len(match.entries) - 1
    seat = lay(table)
    with pytest.raises(Refused, match="consent"):
        table.undo(seat, index)
    others = [other for other in range(3) if other != seat]
    table.consent(others[0], index)
    with pytest.raises(Refused, match="consent"):
        table.undo(seat, index)
    table.consent(others[1], index)
    table.undo(seat, index)
    assert match.state.turn == seat and len(match.state.hands[seat]) == 2


def test_invariant_6_a_consent_is_spent_by_the_next_move() -> None:
    table = begin(kinds="pp", turns=3)
    index = len(table.match.entries) - 1
    seat = lay(table)
    table.consent(1 - seat, index)
    lay(table)
    with pytest.raises(Refused, match="consent"):
        table.undo(seat, index)


def test_invariant_6_taking_a_turn_back_behind_a_draw_is_practice() -> None:
    table = begin(2, kinds="pb", turns=3)
    match = table.match
    start = len(match.entries) - 1
    pile = match.state.pile
    lay(table)
    lay(table)
    with pytest.raises(Refused, match="practice"):
        table.undo(1, start, practice=True)  # a bot does not practise
    table.undo(0, start, practice=True)
    assert match.state.practice
    assert len(match.state.pile) == len(pile) and not set(match.state.pile) & set(pile), "the pile is mixed anew"
    assert openform.load(openform.export(match), find).state == match.state
    assert openform.audit(match) == []


def test_resigning_ends_the_match_for_the_others() -> None:
    table = begin(kinds="ppp")
    lay(table)
    table.resign(1)
    outcome = table.match.outcome
    assert outcome is not None and outcome.unfinished and 1 not in outcome.winners
    with pytest.raises(Refused, match="over"):
        lay(table)


def test_a_bot_plays_on_for_somebody_who_left() -> None:
    table = begin()
    table.replace(1, Seat("bot", AUTHOR, name="Pip", level="easy"))
    assert table.match.setup.seats[1].is_bot and not table.match.snapshot_at(0).setup.seats[1].is_bot


def test_a_timeout_makes_the_default_move() -> None:
    table = begin()
    seat = table.match.state.turn
    with pytest.raises(Refused):
        table.time_out(1 - seat)
    claims = len(table.match.state.claims)
    table.time_out(seat)
    assert len(table.match.state.claims) == claims + 1


def test_a_false_claim_is_refused_at_home_and_found_by_the_audit() -> None:
    for seed in range(20):
        table = begin(seed)
        match = table.match
        seat = match.state.turn
        if any(int(match.knowledge[card]) > 6 for card in match.state.hands[seat]):
            move = ("low", match.state.hands[seat][0])
            with pytest.raises(Refused, match="not_low"):
                table.move(seat, move)
            table.say("move", {"seat": seat, "do": move, "open": []})  # a changed page says it anyway
            assert [(finding.seat, finding.entry) for finding in openform.audit(match)] == [(seat, len(match.entries) - 1)]
            return
    raise AssertionError("no seat could lie")


def test_who_lied_again_in_the_same_words_is_told_once_and_where_that_began() -> None:
    tables = (begin(seed, turns=6) for seed in range(100))
    table = next(table for table in tables
                 if all(int(table.match.knowledge[card]) > 6 for card in table.match.state.hands[table.match.state.turn]))
    match, liar, first = table.match, table.match.state.turn, len(table.match.entries)
    for _ in range(3):
        seat = match.state.turn
        table.say("move", {"seat": seat, "do": ("low", match.state.hands[seat][0]), "open": []})
        table.settle()
    assert [seat for seat, _ in match.state.claims].count(liar) == 2
    assert [finding.entry for finding in openform.audit(match) if finding.seat == liar] == [first]


LOG = openform.export(random_table(9).match)


def test_a_seats_own_form_holds_what_that_seat_was_shown() -> None:
    match = random_table(9).match
    own = openform.load(openform.export(match, 0), find)
    assert own.state == match.state
    assert 0 < len(own.knowledge) < len(match.knowledge)
    assert all(own.knowledge[card] == match.knowledge[card] for card in own.knowledge)
    assert openform.audit(own) == []


@pytest.mark.parametrize("lines", range(len(LOG.splitlines())))
def test_a_truncated_file_is_refused(lines: int) -> None:
    with pytest.raises((Malformed, Refused)):
        openform.load("\n".join(LOG.splitlines()[:lines]), find)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LOG) - 1), st.characters(min_codepoint=32, max_codepoint=126))
def test_a_file_altered_anywhere_is_refused_or_found_by_the_audit(where: int, char: str) -> None:
    altered = LOG[:where] + char + LOG[where + 1:]
    if altered == LOG:
        return
    try:
        match = openform.load(altered, find)
    except (Malformed, Refused):
        return
    same = [json.loads(line) for line in altered.splitlines()] == [json.loads(line) for line in LOG.splitlines()]
    another_seats = json.loads(altered.splitlines()[0])["seat"] != json.loads(LOG.splitlines()[0])["seat"]
    assert same or another_seats or openform.audit(match)


def test_a_face_that_is_none_of_the_deck_is_refused() -> None:
    lines = LOG.splitlines()
    faces = json.loads(lines[-2])
    for card in faces["faces"]:
        altered = json.dumps({"faces": {**faces["faces"], card: "nothing"}})
        with pytest.raises((Malformed, Refused)):
            openform.load("\n".join([*lines[:-2], altered, lines[-1]]), find)


def test_knowledge_that_contradicts_itself_is_refused() -> None:
    match = begin().match
    card, face = next(iter(match.knowledge.items()))
    with pytest.raises(Refused):
        match.learn(Faces({card: face + "0"}))


def test_a_log_of_another_rules_version_is_refused_with_a_sentence() -> None:
    setup = Setup("highcard", 7, {}, (Seat("person", AUTHOR),) * 2)
    with pytest.raises(Refused, match="rules_version"):
        Match(HighCard, Entry.create(0, "0" * 64, setup.statement(AUTHOR)), OpenDealing())


@pytest.mark.parametrize(("seats", "options"), [(1, {}), (5, {}), (2, {"turns": 0}), (2, {"turns": "2"}), (2, {"turns": True}),
                                                (2, {"nonsense": 1})])
def test_options_and_seats_are_checked(seats: int, options: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        HighCard(seats, options)


def test_a_branch_is_another_match_that_grows_by_itself() -> None:
    match = random_table(9).match
    whole, length = list(match.entries), len(match.entries) - 3
    twin = match.branch(length)
    assert twin.entries == whole[:length] and twin.state == match.snapshot_at(length - 1).state
    twin.append(whole[length])
    assert twin.state == match.snapshot_at(length).state and match.entries == whole


def test_among_peers_the_end_refuses_an_undo_and_nothing_before_does() -> None:
    seats = (Seat("person", AUTHOR), Seat("person", AUTHOR))
    table = Table.begin(HighCard, Setup("highcard", 1, {"turns": 2}, seats, extra={"protocol": 3}), OpenDealer(Random(1)))
    while table.match.outcome is None:
        seat, back = lay(table), len(table.match.entries) - 2
        refusal = table.match.undo_refusal(seat, back)
        assert (refusal is not None and refusal.key == "kernel.over") == (table.match.outcome is not None)
    assert back > 2
