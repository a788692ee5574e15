"""Whose seats stand out: whoever is to act, and whoever has won; never everybody because everybody is asked to go on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.board.scene import Plate
from tabletin.kernel.table import Table
from tabletin.registry import GAMES
from tests.support.board_tables import board_of, seat_counts, seated, sight


def plates(game: str, table: Table, *, landing: bool = False) -> tuple[Plate, ...]:
    return board_of(game).scene(replace(sight(table, 0), landing=landing), None).plates


def marked(shown: tuple[Plate, ...]) -> tuple[list[int], list[int]]:
    """The seats that are to act, and those that won, as the plates have them."""
    return ([plate.seat for plate in shown if plate.active], [plate.seat for plate in shown if "won" in plate.flags])


def test_the_seat_stands_out_whose_act_is_told_until_it_is_ones_own_turn() -> None:
    for game in GAMES:
        if 4 not in seat_counts(game):
            continue
        table = seated(game, 4, 1)
        acting = table.match.rules.to_act(table.match.state)
        mover = (acting[0] + 3) % 4
        for seat in range(4):
            found, _ = marked(board_of(game).scene(replace(sight(table, seat), mover=mover), None).plates)
            assert (seat in found) if seat in acting else found == [mover], game


@pytest.mark.parametrize("game", GAMES)
def test_at_the_end_the_winners_stand_out_once_all_has_landed(game: str) -> None:
    table = seated(game, next(seats for seats in seat_counts(game) if seats > 1), 1)
    table.resign(0)
    outcome = table.match.outcome
    assert outcome is not None and 0 not in outcome.winners
    assert marked(plates(game, table)) == ([], list(outcome.winners))
    assert marked(plates(game, table, landing=True)) == ([], [])
    for plate in plates(game, table):
        assert plate.label.endswith("won") == ("won" in plate.flags), "colour and a star are not all that says it"
