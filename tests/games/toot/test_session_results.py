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


def test_of_a_row_of_turns_all_cards_are_drawn_and_no_single_turn_is_told() -> None:
    table = seated("toot-pursuit", 2, 3)
    match = table.match
    while not match.state.end_reason:
        (seat,) = match.rules.to_act(match.state)
        table.move(seat, max(match.rules.moves(match.state, seat, match.view((seat,)).faces), key=len))
    screen = ResultScreen.__new__(ResultScreen)
    words = load()
    screen.shell, screen.match, screen.moments = cast(Any, SimpleNamespace(words=words)), match, lasting_moments(match)
    wording = Wording(words, match.setup)
    row = next(one for one in highlights(match) if one.badge == "result.in_a_row")
    assert len(row.cards) > len(row.event.cards) > 0
    found = screen.best(cast(MatchRecord, SimpleNamespace(id="m", game="toot-pursuit")), wording, ())
    assert f'{words.text("result.feat.row")}</span> {wording.seat(row.seat)}.<' in found
