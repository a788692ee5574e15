"""A file's parts one by one: the first line, the entries, the faces and the last line; each is refused for what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from tabletin.kernel.dealing import OpenDealer, OpenDealing
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, Json, canonical, digest
from tabletin.kernel.logfile import (
    MOST_BYTES,
    MOST_LINES,
    BadLog,
    audit,
    audit_steps,
    dealing_of,
    export,
    knowledge_of,
    load,
    load_steps,
    missing_faces,
    read_faces,
    refold,
    refold_steps,
    refuse_findings,
    too_long,
)
from tabletin.kernel.match import Match
from tabletin.kernel.rules import Finding
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.words import load as load_words
from tests.support.highcard import HighCard, random_table

Lines = list[dict[str, Any]]


def find(_: str) -> type[HighCard]:
    return HighCard


@cache
def whole() -> str:
    return export(random_table(9).match)


def undealt(dealing: str = "open", seats: int = 2) -> Table:
    return Table.undealt(HighCard, Setup("highcard", 1, {}, (Seat("person", AUTHOR),) * seats, dealing), OpenDealer(Random(1)))


def rewritten(change: Callable[[Lines], object], text: str = "") -> str:
    """The file with other lines, the hash of its faces made anew."""
    lines: Lines = [json.loads(line) for line in (text or whole()).splitlines()]
    change(lines)
    if "faces" in lines[-1]:
        lines[-1]["faces"] = digest(lines[-2])
    return "".join(canonical(line).decode() + "\n" for line in lines)


def key_of(text: str, **how: Any) -> str:
    """Why ``text`` is refused; "" if it is not."""
    try:
        load(text, find, **how)
    except BadLog as error:
        return error.key.removeprefix("kernel.")
    return ""


def test_every_entry_is_told_once_it_stands() -> None:
    told: list[tuple[int, int]] = []
    match = load(whole(), find, on_entry=lambda match, entry: told.append((entry.index, len(match.entries))))
    assert told == [(index, index + 1) for index in range(len(match.entries))]


def test_a_file_may_be_read_into_a_match_of_the_callers() -> None:
    made: list[Match] = []

    def begin(genesis: Entry) -> Match:
        made.append(Match(HighCard, genesis, OpenDealing()))
        return made[0]

    def nowhere(game: str) -> type[HighCard]:
        raise AssertionError(game)

    assert load(whole(), nowhere, begin=begin) is made[0]


@pytest.mark.parametrize(("change", "key"), [
    ({"form": "other"}, "not_ours"), ({"version": True}, "version"), ({"version": 3}, "version"), ({"version": 0}, "version"),
    ({"version": "2"}, "version"), ({"version": None}, "version"), ({"more": 1}, "first_line"), ({"seat": True}, "first_line"),
    ({"seat": "0"}, "first_line"), ({"seat": 3}, "seat"), ({"seat": -1}, "first_line"), ({"seat": 2}, "unseen")])
def test_a_first_line_is_refused_for_what_is_wrong(change: dict[str, Json], key: str) -> None:
    assert key_of(rewritten(lambda lines: lines[0].update(change))) == (f"file.{key}" if key else "")


def test_a_first_line_lacks_nothing() -> None:
    assert key_of(rewritten(lambda lines: lines[0].pop("seat"))) == "file.first_line"
    assert key_of(rewritten(lambda lines: lines[0].pop("version"))) == "file.version"
    for text in ("", "[]\n", "{\n", "5\n", "\n\n"):
        assert key_of(text) == "file.not_ours"


def test_a_file_that_ends_too_soon_is_cut_short() -> None:
    lines = whole().splitlines()
    for cut in (lines[:1], lines[:3], lines[:-1], lines[:-2], [lines[0], lines[-1]], [lines[0], lines[1], lines[-1]]):
        assert key_of("\n".join(cut)) == "file.cut_short"


def test_a_match_in_which_nothing_happened_is_a_file() -> None:
    match = undealt().match
    text = export(match)
    assert len(text.splitlines()) == 4
    assert load(text, find).head == load(text + "\n \n", find).head == match.head


def test_a_statement_of_another_form_is_damage() -> None:
    """The interpreter's own words are for nobody."""
    table = undealt()
    statement = table.match.propose(AUTHOR, "resign", {"seat": 0, "more": 1})
    text = rewritten(lambda lines: lines.insert(2, Entry.create(1, table.match.head, statement).to_json()), export(table.match))
    with pytest.raises(BadLog) as caught:
        load(text, find)
    assert (caught.value.key, caught.value.entry, caught.value.refusal.params) == ("kernel.file.entry", 1, {"entry": 1})


@pytest.mark.parametrize(("change", "key"), [({"colour": "puce"}, "seat_colour"), ({"level": "brilliant"}, "seat_level")])
def test_a_level_or_colour_that_there_is_not_is_refused(change: dict[str, str], key: str) -> None:
    setup = Setup("highcard", 1, {}, (replace(Seat("person", AUTHOR), **change), Seat("person", AUTHOR)))
    assert key_of(export(Table.undealt(HighCard, setup, OpenDealer(Random(1))).match)) == key


def test_a_file_is_read_and_checked_one_entry_at_a_time() -> None:
    """Whoever waits for it decides what happens in between. A seat's file is gone through once more for what it was shown."""
    match = load(whole(), find)
    count = len(match.entries)
    assert len(list(load_steps(whole(), find))) == count
    assert len(list(load_steps(export(match, 0), find))) == 2 * count
    assert len(list(refold_steps(match.entries, find))) == count - 1
    assert len(list(audit_steps(match))) == 2 * count


@pytest.mark.parametrize("options", [{"more": 1}, {"turns": 99}, {"turns": "2"}])
def test_options_that_the_game_has_not_are_not_called_as_in_the_program(options: dict[str, Json]) -> None:
    assert key_of(rewritten(lambda lines: lines[1]["say"]["body"].update(options=options))) == "file.options"


def test_an_entry_that_the_rules_refuse_says_why() -> None:
    table = undealt()
    statement = table.match.propose(AUTHOR, "timeout", {"seat": 0})
    text = rewritten(lambda lines: lines.insert(2, Entry.create(1, table.match.head, statement).to_json()), export(table.match))
    with pytest.raises(BadLog) as caught:
        load(text, find)
    assert (caught.value.key, caught.value.entry) == ("kernel.no_timeout", 1)


@pytest.mark.parametrize(("kind", "body", "said"), [
    ("move", {"seat": 1, "do": ["low", 5], "open": []}, "Entry 1, Seat 2: One moment – dealing the cards."),
    ("undo", {"seat": 0, "to": 9}, "Entry 1, Seat 1: You can’t go back to there."),
    ("timeout", {"seat": 0}, "Entry 1: Nobody can be timed out now."),
    ("move", {"seat": 1, "do": ["dance"], "open": []}, "Entry 1: It is damaged."),
    ("move", {"seat": 2, "do": ["lay", 5], "open": []}, "Entry 1: There is no such seat."),
    ("move", {"seat": True, "do": ["lay", 5], "open": []}, "Entry 1: There is no such seat.")])
def test_an_act_that_is_refused_says_whose_it_is(kind: str, body: dict[str, Json], said: str) -> None:
    table = undealt()
    entry = Entry.create(1, table.match.head, table.match.propose(AUTHOR, kind, body))
    with pytest.raises(BadLog) as caught:
        load(rewritten(lambda lines: lines.insert(2, entry.to_json()), export(table.match)), find)
    assert load_words().reason(caught.value.refusal) == said
    assert type(caught.value.refusal.params.get("at_seat", 0)) is int, "true is no number of a seat"


def test_an_act_before_the_genesis_is_nobodys() -> None:
    stranger = replace(undealt().match.propose(AUTHOR, "resign", {"seat": 0}), author="eve")
    first = Entry.create(0, NOTHING, stranger)
    with pytest.raises(BadLog) as caught:
        load(rewritten(lambda lines: lines.insert(1, first.to_json()), export(undealt().match)), find)
    assert (caught.value.key, caught.value.refusal.params) == ("kernel.one_device", {"entry": 0})


def test_what_anybody_may_have_written_is_no_seats_act() -> None:
    table = undealt()
    statement = replace(table.match.propose(AUTHOR, "resign", {"seat": 0}), head="a" * 64)
    for one, key in ((statement, "log.unknown_head"), (replace(statement, author="eve"), "one_device")):
        with pytest.raises(BadLog) as caught:
            load(rewritten(lambda lines, one=one: lines.insert(2, Entry.create(1, table.match.head, one).to_json()),  # type: ignore[misc]
                           export(table.match)), find)
        assert (caught.value.key, caught.value.refusal.params) == (f"kernel.{key}", {"entry": 1})


def test_a_whole_file_of_an_open_match_lacks_no_face() -> None:
    def lose(lines: Lines) -> None:
        lines[-2]["faces"].popitem()

    with pytest.raises(BadLog, match=r"missing\(n=1\)"):
        load(rewritten(lose), find)
    table = undealt("sealed")
    table.settle()
    assert missing_faces(table.match, None) == missing_faces(table.match, 0) == 0, "of a sealed one nobody knows them all"
    assert key_of(rewritten(lose, export(table.match))) == ""
    assert key_of(rewritten(lose, export(table.match, 0))) == ""


@pytest.mark.parametrize("card", ["12", "13", "900000000"])
def test_a_card_that_was_never_dealt_has_no_face(card: str) -> None:
    assert key_of(rewritten(lambda lines: lines[-2]["faces"].update({card: "3"}))) == "file.never_dealt"


def test_a_face_that_the_match_refuses_says_why() -> None:
    assert key_of(rewritten(lambda lines: lines[-2]["faces"].update({"3": "13"}))) == "no_face"


def test_the_number_of_entries_is_a_number() -> None:
    text = export(undealt().match)
    assert '"end":1,' in text
    load(text, find)
    with pytest.raises(BadLog, match="last_line"):
        load(text.replace('"end":1,', '"end":true,'), find)


@pytest.mark.parametrize("last", [{"end": 3}, {"head": "a" * 64}, {"more": 1}])
def test_a_last_line_agrees_with_what_stands_above(last: dict[str, Json]) -> None:
    assert key_of(rewritten(lambda lines: lines[-1].update(last))) == "file.last_line"


def test_faces_read_as_they_were_written() -> None:
    assert read_faces({"faces": {"3": "a", "900000000": "b" * 40}}) == Faces({3: "a", 900_000_000: "b" * 40})
    assert read_faces({"faces": {}}) == Faces()


@pytest.mark.parametrize("line", [
    None, 5, [], ["faces"], {}, {"faces": {}, "more": 1}, {"face": {}}, {"faces": None}, {"faces": []}, {"faces": "ab"},
    *[{"faces": {card: "a"}} for card in ("", "a", "-1", "1.0", " 1", "\u0663", "\u00b2", "1000000000")],
    *[{"faces": {"3": face}} for face in (None, 3, "b" * 41, ["a"])]])
def test_faces_of_another_form_are_refused(line: Json) -> None:
    with pytest.raises(Malformed):
        read_faces(line)
    if type(line) is dict:
        assert key_of(rewritten(lambda lines: lines.__setitem__(-2, line))) == "file.faces"


def test_a_seats_file_has_what_it_was_shown_and_nothing_else() -> None:
    table = undealt(seats=4)
    table.settle()
    match = table.match
    hands = match.state.hands
    for seat, hand in enumerate(hands):
        assert knowledge_of(match, seat) == {card: match.knowledge[card] for card in hand}
        assert json.loads(export(match, seat).splitlines()[-2]) == {"faces": {str(card): match.knowledge[card] for card in hand}}
    del match.knowledge[hands[1][0]]
    assert knowledge_of(match, 1).keys() == {hands[1][1]}, "of what this device knows"


def test_a_file_is_refused_for_what_an_audit_found_first() -> None:
    refuse_findings([])
    with pytest.raises(BadLog) as caught:
        refuse_findings([Finding(1, "kernel.audit.opened", {"card": 3}, 7), Finding(None, "kernel.audit.deck", {}, 2)])
    assert (caught.value.key, caught.value.entry) == ("kernel.audit.opened", 7)
    assert caught.value.refusal.params == {"card": 3, "entry": 7}


def test_a_claim_that_counts_no_more_is_not_told_and_the_like_after_it_has_its_own_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    match = random_table(9, turns=4).match
    story: list[tuple[Any, Any, Any]] = list(match.story())
    laid = [(entry.index, len(state.laid)) for entry, state, _ in story]
    claims = {1: "highcard.lied", 2: "highcard.early", 3: "highcard.lied"}
    monkeypatch.setattr(match.rules, "audit", lambda state, _: [Finding(0, key) for many, key in claims.items()
                                                                if len(state.laid) == many or len(state.laid) >= many == 3])
    assert match.state.laid and laid[-1][1] > 3
    assert audit(match) == [Finding(0, "highcard.lied", entry=next(index for index, many in laid if many == 3))]


def test_a_log_without_entries_is_none() -> None:
    with pytest.raises(Malformed, match="empty"):
        refold([], find)
    match = random_table(9).match
    assert refold(iter(match.entries), find).state == match.state
    with pytest.raises(BadLog) as caught:
        refold([match.entries[0], match.entries[2]], find)
    assert caught.value.refusal.params["entry"] == 2


@pytest.mark.parametrize("dealing", ["open", "sealed"])
def test_how_a_match_was_dealt_can_be_told_from_the_first_lines(dealing: str) -> None:
    lines = export(undealt(dealing).match).split("\n")
    for text in ("\n".join(lines), "\n".join([*lines[:2], "anything", "and more"]), "\n".join([*lines[:2], ""])):
        assert dealing_of(text) == dealing
    for cut in ("", lines[0], "\n".join(lines[:2]), "\n".join([lines[0], lines[0], "x"]), "\n".join([lines[0], "{", "x"])):
        assert dealing_of(cut) is None


def test_how_long_a_file_may_be() -> None:
    assert (MOST_BYTES, MOST_LINES) == (64_000_000, 200_000)
    for most, said in ((MOST_BYTES, 64), (2_500_000, 2), (1_000_000, 1)):
        params = too_long(most).refusal.params
        assert params == {"most": said} and type(params["most"]) is int
