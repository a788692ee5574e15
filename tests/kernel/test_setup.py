"""Seats as logs name them: what no page could have written is refused at the door, and what is stored is shown cleaned."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from tabletin.kernel import membership
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.log import Statement
from tabletin.kernel.logfile import BadLog, export, load, refold
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import ALL_LEVELS, PROTOCOL, Seat, Setup, check_names, check_one_device, check_seats
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tests.support.examples import ONE_DEAL

ADA, BO = Seat("person", AUTHOR, "Ada", "", "red"), Seat("bot", AUTHOR, "Bo", "easy", "blue")
FORGED = {
    "kernel.seat_name": [Seat("person", AUTHOR, name) for name in ("A\u202eda", "A\nda", "A\u2028da", "A\x1b[31mda", "x" * 21)],
    "kernel.seat_level": [Seat("bot", AUTHOR, "Bo", "godlike"), Seat("person", AUTHOR, "Ada", "easy")],
    "kernel.seat_colour": [Seat("person", AUTHOR, "Ada", "", "url(x)"), Seat("bot", AUTHOR, "Bo", "easy", "#f00")],
}
CASES = [(key, seat) for key, seats in FORGED.items() for seat in seats]


def table_of(*seats: Seat) -> Table:
    rules = rules_of(ONE_DEAL)
    return Table.begin(rules, Setup(ONE_DEAL, rules.version, {}, seats), OpenDealer(Random(1)))


def replaced(seat: Seat) -> Table:
    """A match whose seat 1 was given to ``seat`` by an author who writes what they like."""
    table = table_of(ADA, BO)
    table.say("seat", {"seat": 1, "to": seat.to_json()})
    return table


@pytest.mark.parametrize(("key", "seat"), [(key, seat) for key, seat in CASES if key != "kernel.seat_name"])
def test_a_file_with_a_made_up_seat_is_refused(key: str, seat: Seat) -> None:
    for table, entry in ((table_of(ADA, seat), 0), (replaced(seat), -1)):
        text = export(table.match, 0)
        with pytest.raises(BadLog) as caught:
            load(text, rules_of)
        assert (caught.value.key, caught.value.entry) == (key, table.match.entries[entry].index)


@pytest.mark.parametrize(("key", "seat"), CASES)
def test_what_is_stored_loads_and_is_shown_cleaned(key: str, seat: Seat) -> None:
    for table in (table_of(ADA, seat), replaced(seat)):
        match = refold(table.match.entries, rules_of)
        assert match.head == table.match.head
        shown = match.setup.seats[1]
        said = Statement(match.id, AUTHOR, 0, match.head, "seat", {"seat": 1, "to": shown.to_json()})
        check_seats(said)
        check_names(said)
        assert shown.kind == seat.kind


@pytest.mark.parametrize("seat", FORGED["kernel.seat_name"])
def test_a_name_that_cannot_be_shown_is_refused_from_a_peer(seat: Seat) -> None:
    for table, entry in ((table_of(ADA, seat), 0), (replaced(seat), -1)):
        with pytest.raises(Refused) as caught:
            check_names(table.match.entries[entry].statement)
        assert caught.value.key == "kernel.seat_name"


def test_seats_of_honest_pages_pass() -> None:
    text = export(replaced(Seat("bot", AUTHOR, "Zoë", "hard", "pip-10")).match, 0)
    assert load(text, rules_of).setup.seats[1].name == "Zoë"
    for level in ("random", "seer"):
        load(export(table_of(ADA, Seat("bot", AUTHOR, "", level)).match, 0), rules_of)


def test_a_bot_that_takes_over_has_a_level_that_there_is() -> None:
    match = table_of(ADA, BO).match
    snapshot = match.snapshot.copy()
    snapshot.setup = snapshot.setup.with_seat(1, Seat("bot", AUTHOR, "Bo", "godlike"))
    membership.fold_gone(match.rules, snapshot, Statement(match.id, AUTHOR, 9, match.head, "fold_gone", {
        "peer": AUTHOR, "order": "b", "heir": "b", "then": "bot", "votes": {}}), False)
    assert snapshot.setup.seats[1].level == "medium"


PLAIN = {"kind": "person", "by": "ada", "name": "Ada", "level": "", "colour": "red"}
GENESIS = Setup("highcard", 1, {"turns": 2}, (ADA, BO), "open", "n", {"protocol": 2}).statement("ada")


def changed(change: dict[str, Any], **fields: Any) -> Statement:
    """A genesis with other entries in its body, or other fields."""
    return replace(GENESIS, body={**GENESIS.body, **change}, **fields)


def test_a_setup_reads_what_it_says() -> None:
    setup = Setup("highcard", 1, {"turns": 2, "words": ("a", "b")}, (ADA, BO), "sealed", "n", {"protocol": 2})
    body = setup.statement("ada").body
    assert body["options"] == {"turns": 2, "words": ["a", "b"]} and type(body["options"]["words"]) is list
    assert Setup.from_statement(setup.statement("ada")) == replace(setup, options=body["options"])
    assert setup.statement("ada").author == "ada"
    assert Seat.from_json(ADA.to_json()) == ADA and Seat.from_json(PLAIN) == replace(ADA, author="ada")


@pytest.mark.parametrize("statement", [
    changed({}, kind="move"), changed({}, match="a" * 64), changed({}, head="a" * 64), changed({}, count=1), changed({"more": 1}),
    *[replace(GENESIS, body={key: value for key, value in GENESIS.body.items() if key != left}) for left in GENESIS.body],
    *[changed({name: value}) for name, value in (
        ("options", []), ("options", None), ("extra", []), ("extra", None), ("dealing", ["open"]), ("dealing", "shut"),
        ("game", "x" * 41), ("game", 1), ("rules", -1), ("rules", "1"), ("nonce", "x" * 201), ("nonce", None),
        ("seats", []), ("seats", [PLAIN] * 21), ("seats", None), ("seats", 5), ("seats", {"a": PLAIN}), ("seats", "pp"))]])
def test_a_genesis_of_another_form_is_refused(statement: Statement) -> None:
    with pytest.raises(Malformed):
        Setup.from_statement(statement)


def test_a_genesis_reaches_just_so_far() -> None:
    for change in ({"seats": [PLAIN]}, {"seats": (PLAIN,) * 20}, {"game": "x" * 40}, {"nonce": "x" * 200}):
        assert Setup.from_statement(changed(change)).extra == {"protocol": 2}
        check_seats(changed(change))


@pytest.mark.parametrize("seats", [[], [PLAIN] * 21, None, 5, {"a": PLAIN}, "pp", [5], [None], [{}]])
def test_seats_that_are_none_are_malformed_at_every_door(seats: Any) -> None:
    for check in (check_seats, check_names):
        with pytest.raises(Malformed):
            check(changed({"seats": seats}))
    text = export(table_of(ADA, BO).match, 0)
    lines = text.split("\n")
    genesis = json.loads(lines[1])
    genesis["say"]["body"]["seats"] = seats
    with pytest.raises(BadLog) as caught:
        load("\n".join([lines[0], json.dumps(genesis), *lines[2:]]), rules_of)
    assert (caught.value.key, caught.value.entry) == ("kernel.file.entry", 0)


@pytest.mark.parametrize("to", [None, 5, [], {}, "x"])
def test_a_change_of_player_names_a_player(to: Any) -> None:
    for body in ({"seat": 1, "to": to}, {"seat": 1}):
        for check in (check_seats, check_names):
            with pytest.raises(Malformed):
                check(Statement("a" * 64, AUTHOR, 0, "a" * 64, "seat", body))


@pytest.mark.parametrize("change", [
    {"more": 1}, {"kind": "ghost"}, {"kind": None}, {"kind": ["bot"]}, {"by": 1}, {"by": "x" * 201}, {"name": "x" * 41},
    {"name": None}, {"level": "x" * 21}, {"level": 1}, {"colour": "x" * 21}, {"colour": None}])
def test_a_seat_of_another_form_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        Seat.from_json({**PLAIN, **change})
    for left in PLAIN:
        with pytest.raises(Malformed):
            Seat.from_json({key: value for key, value in PLAIN.items() if key != left})


def test_a_seat_that_names_too_much_is_shown_without() -> None:
    long = {**PLAIN, "name": "x" * 40, "level": "x" * 20, "colour": "x" * 20}
    assert Seat.from_json(long) == Seat("person", "ada", "x" * 20, "", "")
    assert Seat.from_json({**long, "kind": "bot"}) == Seat("bot", "ada", "x" * 20, "medium", "")
    for level in ALL_LEVELS:
        assert Seat.from_json({**PLAIN, "kind": "bot", "level": level}).level == level


def test_one_device_speaks_for_itself_and_for_all_seats() -> None:
    other = replace(BO, author="eve")
    said = [table_of(ADA, BO).match.entries[0].statement, Statement("a" * 64, AUTHOR, 0, "a" * 64, "resign", {"seat": 0}),
            Statement("a" * 64, AUTHOR, 0, "a" * 64, "seat", {"seat": 1, "to": BO.to_json()})]
    seats = [seat.to_json() for seat in (ADA, other)]
    wrong = [*(replace(one, author="eve") for one in said), replace(said[0], body={**said[0].body, "seats": seats}),
             replace(said[2], body={"seat": 1, "to": other.to_json()})]
    for one in said:
        check_one_device(one, AUTHOR)
    for one in wrong:
        with pytest.raises(Refused, match="one_device"):
            check_one_device(one, AUTHOR)


@pytest.mark.parametrize(("kind", "level", "colour", "key"), [
    ("person", "", "", ""), ("person", "", "red", ""), ("person", "easy", "red", "kernel.seat_level"), ("bot", "", "red", ""),
    ("bot", "hard", "blue", ""), ("bot", "best", "red", "kernel.seat_level"), ("bot", "easy", "pink", "kernel.seat_colour")])
def test_only_levels_and_colours_that_there_are_pass(kind: str, level: str, colour: str, key: str) -> None:
    seat = {**PLAIN, "kind": kind, "level": level, "colour": colour}
    for statement in (changed({"seats": [PLAIN, seat]}), changed({"seats": [seat, PLAIN]}),
                      Statement("a" * 64, AUTHOR, 0, "a" * 64, "seat", {"seat": 1, "to": seat})):
        if key:
            with pytest.raises(Refused) as caught:
                check_seats(statement)
            assert caught.value.key == key
        else:
            check_seats(statement)


def test_one_name_that_cannot_be_shown_is_enough() -> None:
    bad = {**PLAIN, "name": "A\nda"}
    for seats in ([PLAIN, bad], [bad, PLAIN]):
        with pytest.raises(Refused, match="seat_name"):
            check_names(changed({"seats": seats}))
    check_names(changed({"seats": [PLAIN, PLAIN]}))


def test_what_was_worked_out_of_a_setup_is_no_part_of_it() -> None:
    one, two = (Setup("highcard", 1, {}, (Seat("person", "ada"), Seat("bot", "bo"))) for _ in range(2))
    before = repr(one)
    assert one.authors == ("ada", "bo") and one == two and repr(one) == before
    assert "_authors" not in {field.name for field in fields(Setup) if field.init}


def test_who_speaks_for_seats() -> None:
    seats = (Seat("bot", "bo"), Seat("person", "ada"), Seat("person", "bo"), Seat("bot", "cy"))
    setup = Setup("highcard", 1, {}, seats)
    assert setup.authors == ("bo", "ada", "cy") and setup.authors is setup.authors, "worked out once"
    assert setup.people == {"ada", "bo"}
    for index in range(4):
        others = setup.with_seat(index, BO).seats
        assert others == (*seats[:index], BO, *seats[index + 1:])
    assert setup.seats == seats


@pytest.mark.parametrize(("extra", "protocol"), [({}, 1), ({"protocol": 1}, 1), ({"protocol": 2}, 2), ({"protocol": 7}, 7),
                                                 *[({"protocol": odd}, PROTOCOL + 1) for odd in (0, -1, True, "2", None, 1.0)]])
def test_a_protocol_that_is_no_count_is_none_that_is_known(extra: dict[str, Any], protocol: int) -> None:
    assert Setup("highcard", 1, {}, (ADA,), extra=extra).protocol == protocol


def test_a_statement_without_seats_says_nothing_of_seats() -> None:
    check_seats(Statement("0" * 64, AUTHOR, 0, "0" * 64, "move", {"to": {"name": "\u202e"}}))
