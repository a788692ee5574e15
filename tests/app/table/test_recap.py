"""What happened since one's last turn: what is retold, in which order, and to whom."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from tabletin.app.table.last_move import BY_ITSELF, MADE, last_move
from tabletin.app.table.narration import Narration
from tabletin.app.table.recap import entries_since_turn, recap
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tabletin.words.wording import Wording
from tests.support import board_tables

pytestmark = pytest.mark.usefixtures("swap")

SEATS = (Seat("person", AUTHOR, "Ann"), Seat("bot", AUTHOR, "Ben", level="easy"), Seat("bot", AUTHOR, "Cleo", level="easy"))


def dealt(seed: int = 4, seats: tuple[Seat, ...] = SEATS) -> Table:
    """A match of one person and bots, whose turn is the person's."""
    return Table.begin(rules_of("swap"), Setup("swap", rules_of("swap").version, {}, seats), OpenDealer(Random(seed)))


def act(table: Table, *cards: int) -> int:
    """Whoever is to move puts its first ``cards`` cards under the pile, one number a turn; the last entry of all."""
    for count in cards:
        seat = table.match.rules.to_act(table.match.state)[0]
        table.move(seat, ("swap", table.match.state.hands[seat][:count]))
    return len(table.match.entries) - 1


def lay(table: Table) -> str:
    """Whoever is to move lays its first card; what is said of it."""
    match = table.match
    seat = match.rules.to_act(match.state)[0]
    table.move(seat, ("lay", match.state.hands[seat][0]))
    return told(table, (0,))[-1]


def told(table: Table, uncovered: Iterable[int] = ()) -> list[str]:
    """The whole log in words."""
    narration = Narration(table.match)
    wording = Wording(board_tables.WORDS, table.match.setup, 0)
    return [line.text for line in narration.lines(narration.events, wording, uncovered)]


def retold(table: Table, seat: int = 0, uncovered: Iterable[int] = (0,)) -> list[str]:
    wording = Wording(board_tables.WORDS, table.match.setup, 0)
    return [line.text for line in recap(Narration(table.match), seat, wording, uncovered)]


def test_a_line_for_each_of_the_others_in_the_order_in_which_they_acted_and_no_word_of_ones_own_turn() -> None:
    table = dealt()
    assert retold(table) == [], "nobody has acted since the deal"
    act(table, 2)
    assert retold(table) == [], "what the dealer answered is of one's own turn"
    first = lay(table)
    assert retold(table) == [first] and first.startswith("Ben laid")
    act(table, 1)
    assert retold(table) == [first, "Cleo put 1 card under the pile."], "what Cleo drew is Cleo's"
    assert retold(table, uncovered=(0, 2))[1].startswith("Cleo put 1 card under the pile. Cleo drew"), "one line a turn"
    assert " ".join(told(table, (0,))).endswith(" ".join(retold(table))), "the sentences of the log"
    act(table, 0)
    assert retold(table) == [], "one has acted"


def test_before_ones_first_turn_all_is_retold_since_the_deal() -> None:
    table = dealt()
    act(table, 1)
    first = lay(table)
    assert retold(table, 2, (2,)) == told(table, (2,))[-2:] and first in retold(table, 2, (2,))[-1]


def test_the_same_thing_several_times_is_said_once_with_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    table = dealt(seats=SEATS[:2])

    def again(state: object, seat: int, step: int = 1) -> int:
        return 1

    monkeypatch.setattr(table.match.rules, "next_seat", again)
    act(table, 1, 0, 0, 1, 0)
    assert told(table)[-3:].count("Ben put 0 cards under the pile.") == 2
    assert retold(table) == ["Ben put 0 cards under the pile ×2. Ben put 1 card under the pile. Ben put 0 cards under the pile."]


def test_a_line_leads_to_the_first_of_its_entries() -> None:
    table = dealt()
    begin = act(table, 0) + 1
    act(table, 1, 1)
    wording = Wording(board_tables.WORDS, table.match.setup, 0)
    indices = [line.index for line in recap(Narration(table.match), 0, wording, (0, 1, 2))]
    assert indices == [begin, next(index for index in range(begin + 1, len(table.match.entries))
                                   if table.match.entries[index].statement.kind == "move")]


def test_a_move_that_was_made_for_somebody_is_no_turn_of_theirs() -> None:
    table = dealt()
    act(table, 0)
    before = act(table, 0, 0)
    forced = act(table, 0)
    act(table, 0, 0)
    found = entries_since_turn(table.match, 0, lambda index: index == forced)
    assert found == list(range(before - 1, len(table.match.entries))) and forced in found
    assert entries_since_turn(table.match, 0) == list(range(forced + 1, len(table.match.entries)))


def test_a_turn_was_had_once_a_move_was_chosen_that_still_stands() -> None:
    table = dealt()
    assert last_move(table.match, 0, BY_ITSELF) is None
    target = len(table.match.entries) - 1
    own = act(table, 0)
    assert table.match.entries[own].statement.kind == "move"
    assert last_move(table.match, 0, BY_ITSELF) == last_move(table.match, 0, MADE) == own
    assert last_move(table.match, 1, BY_ITSELF) is None
    assert last_move(table.match, 0, BY_ITSELF, lambda index: index <= own) is None, "it was made for this seat"
    table.undo(0, target)
    assert last_move(table.match, 0, BY_ITSELF) is None


def test_after_an_undo_that_is_retold_which_stands() -> None:
    """One's own move was taken back, with what followed: what happened before it is what there is to know again."""
    table = dealt()
    act(table, 0)
    said = [lay(table), lay(table)]
    target = len(table.match.entries) - 1
    act(table, 0, 0, 0)
    assert retold(table) != said
    table.undo(0, target)
    assert table.match.rules.to_act(table.match.state) == (0,)
    assert retold(table) == said


def test_what_somebody_else_took_back_is_told_as_taken_back_and_not_as_done() -> None:
    people = tuple(Seat("person", AUTHOR, name) for name in ("Ann", "Ben", "Cleo"))
    table = dealt(seats=people)
    act(table, 0)
    target = len(table.match.entries) - 1
    gone = lay(table)
    for seat in (0, 2):
        table.consent(seat, target)
    table.undo(1, target)
    back = told(table, (0,))[-1]
    act(table, 0)
    assert retold(table) == [f"{back} Ben put 0 cards under the pile."] and gone not in retold(table)[0]


def test_entries_that_fell_away_are_retold_no_more() -> None:
    """Among peers the last entries may fall away, one's own turn among them, and later others stand there."""
    table = dealt()
    match = table.match
    narration = Narration(match)
    wording = Wording(board_tables.WORDS, match.setup, 0)

    def grown() -> list[str]:
        for entry in match.entries[narration.last + 1:]:
            narration.add(entry.index, match.events(entry.index))
        return [line.text for line in recap(narration, 0, wording, (0,))]

    act(table, 0)
    first, second = lay(table), lay(table)
    assert grown() == [first, second]
    own = act(table, 0)
    assert grown() == []
    match.cut(own)
    assert grown() == [first, second], "one's own turn was never ordered"
    match.cut(own - 1)
    assert grown() == [first]
    act(table, 0)
    assert grown() == [first, "Cleo put 0 cards under the pile."]
