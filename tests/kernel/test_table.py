"""One device driving a match: each act gives back all that happened, its own entry first."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Json
from tabletin.kernel.match import Happening
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import State
from tabletin.kernel.table import AUTHOR, Table
from tests.support.highcard import HighCard


def setup(kinds: str) -> Setup:
    return Setup("highcard", 1, {"turns": 3}, tuple(Seat("person" if kind == "p" else "bot", AUTHOR) for kind in kinds))


def begun(kinds: str = "pp", seed: int = 1) -> Table:
    return Table.begin(HighCard, setup(kinds), OpenDealer(Random(seed)))


def kinds_of(table: Table, happenings: list[Happening]) -> list[str]:
    """What was said; it is what the match has grown by, in order."""
    entries = [happening.entry for happening in happenings]
    assert entries == table.match.entries[-len(entries):]
    return [entry.statement.kind for entry in entries]


class Slow(OpenDealer):
    """A dealer that has to wait after so many answers."""

    def __init__(self, answers: int) -> None:
        super().__init__(Random(1))
        self.answers = answers

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Json], Faces] | None:  # type: ignore[override]
        self.answers -= 1
        return super().deal(state, knowledge) if self.answers >= 0 else None


def test_a_match_is_undealt_until_somebody_deals() -> None:
    table = Table.undealt(HighCard, setup("pp"), OpenDealer(Random(1)))
    genesis, = table.match.entries
    assert (genesis.index, genesis.previous, genesis.statement.author) == (0, NOTHING, AUTHOR)
    assert table.match.state.requests and table.author == AUTHOR
    happenings = table.settle()
    assert kinds_of(table, happenings) == ["deal"] * 5 and table.match.state.requests == ()
    assert happenings[0].faces == table.match.knowledge and len(happenings[0].faces) == 12
    assert [happening.faces for happening in happenings[1:]] == [Faces()] * 4
    assert all(type(happening.faces) is Faces for happening in happenings)
    assert table.settle() == []


def test_a_match_that_is_begun_is_dealt() -> None:
    table = begun()
    assert table.match.state.requests == () and table.match.acting


@pytest.mark.parametrize("answers", [0, 2])
def test_a_dealer_may_have_to_wait(answers: int) -> None:
    table = Table.undealt(HighCard, setup("pp"), Slow(answers))
    assert len(table.settle()) == answers == len(table.match.entries) - 1
    assert table.match.state.requests


def test_a_move_opens_its_cards_and_the_dealer_answers() -> None:
    table = begun()
    seat = table.match.state.turn
    card = table.match.state.hands[seat][0]
    happenings = table.move(seat, ("lay", card))
    assert kinds_of(table, happenings) == ["move"]
    face = table.match.knowledge[card]
    assert happenings[0].entry.statement.body == {"seat": seat, "do": ("lay", card), "open": [[card, face]]}
    assert [event.key for event in happenings[0].events] == ["highcard.laid"] and happenings[0].answers is None
    assert happenings[0].faces == Faces(), "nothing was told to this device alone"
    table = begun()
    assert kinds_of(table, table.time_out(table.match.state.turn)) == ["timeout", "deal"], "a claim puts a card back"


def test_a_move_that_may_not_be_made_changes_nothing() -> None:
    table = begun()
    head = table.match.head
    with pytest.raises(Refused):
        table.move(1 - table.match.state.turn, ("lay", 0))
    assert table.match.head == head


def test_a_turn_is_taken_back_with_consent_or_in_practice() -> None:
    table = begun()
    seat, target = table.match.state.turn, len(table.match.entries) - 1
    table.move(seat, ("lay", table.match.state.hands[seat][0]))
    assert kinds_of(table, table.consent(1 - seat, target)) == ["consent"]
    undone = table.undo(seat, target)
    assert kinds_of(table, undone) == ["undo"] and undone[0].entry.statement.body == {"seat": seat, "to": target}
    table = begun("pb")
    while table.match.state.turn != 0:
        table.move(1, ("lay", table.match.state.hands[1][0]))
    target = len(table.match.entries) - 1
    table.move(0, ("lay", table.match.state.hands[0][0]))
    undone = table.undo(0, target, practice=True)
    assert kinds_of(table, undone) == ["undo", "deal"], "the pile is mixed anew"
    assert undone[0].entry.statement.body == {"seat": 0, "to": target, "practice": True}


def test_a_match_is_given_up_and_a_seat_is_taken_over() -> None:
    table = begun()
    pip = Seat("bot", AUTHOR, "Pip", "easy")
    replaced = table.replace(1, pip)
    assert kinds_of(table, replaced) == ["seat"] and table.match.setup.seats[1] == pip
    assert replaced[0].events[0].params == {"name": "Pip", "kind": "bot"}
    assert kinds_of(table, table.resign(0)) == ["resign"] and table.match.outcome is not None


def test_what_a_device_says_may_bring_faces() -> None:
    table = begun()
    card = table.match.state.hands[0][0]
    known = table.match.knowledge.copy()
    table.match.knowledge.clear()
    happening = table.say("timeout", {"seat": table.match.state.turn}, Faces({card: known[card]}))
    assert happening.faces == table.match.knowledge == {card: known[card]}
