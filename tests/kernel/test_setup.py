"""Seats as logs name them: what no page could have written is refused at the door, and what is stored is shown cleaned."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.kernel import membership
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.log import Statement
from tabletin.kernel.logfile import BadLog, export, load, refold
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat, Setup, check_names, check_seats
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


def test_a_statement_without_seats_says_nothing_of_seats() -> None:
    check_seats(Statement("0" * 64, AUTHOR, 0, "0" * 64, "move", {"to": {"name": "\u202e"}}))
