"""What the page of a result tells of Pursuit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from tabletin.app.screens.match.result import ResultScreen
from tabletin.app.storage.matches import MatchRecord
from tabletin.board.highlights import highlights, lasting_moments
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.board_tables import seated


def _played(seed: int) -> ResultScreen:
    """The result of a match in which everybody lays the most."""
    table = seated("toot-pursuit", 2, seed)
    match = table.match
    while not match.state.end_reason:
        (seat,) = match.rules.to_act(match.state)
        table.move(seat, max(match.rules.moves(match.state, seat, match.view((seat,)).faces), key=len))
    screen = ResultScreen.__new__(ResultScreen)
    screen.shell, screen.match, screen.moments = cast(Any, SimpleNamespace(words=load())), match, lasting_moments(match)
    return screen


def _best(screen: ResultScreen) -> str:
    return screen.best(cast(MatchRecord, SimpleNamespace(id="m", game="toot-pursuit")), Wording(load(), screen.match.setup), ())


def test_of_a_row_of_turns_all_cards_are_drawn_and_no_single_turn_is_told() -> None:
    screen = _played(3)
    row = next(one for one in highlights(screen.match) if one.badge == "result.in_a_row")
    assert len(row.cards) > len(row.event.cards) > 0
    seat = Wording(load(), screen.match.setup).seat(row.seat)
    assert f">{seat} laid {row.n} turns in a row.<" in _best(screen)


def test_of_an_x_in_a_best_turn_it_is_told_what_it_stood_for() -> None:
    """TO-2. A turn without one is told by itself."""
    told = [_best(_played(seed)) for seed in range(6)]
    assert any(" and X; now " in found or ", X" in found for found in told)
    for found in told:
        sentence = found[found.index("at once"):]
        assert ("X" in sentence.split("; now")[0]) == ("The X stands for" in sentence)


def test_who_shares_a_place_is_told_together() -> None:
    screen = _played(3)
    screen.people = cast(Any, SimpleNamespace(people=()))
    wording = Wording(load(), screen.match.setup)
    assert screen.sharers(2, {0: 2, 1: 2}, wording) == f"Side by side in place 2: {wording.seat(0)} and {wording.seat(1)}."
