"""After a round the seat that won it stands out, and not everybody who is asked to go on."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.games.dominoes.state import COUNTED, PLAYING
from tests.support.board_tables import board_of, seated, sight


@pytest.mark.parametrize(("game", "seats"), [("dominoes", 3), ("matador", 3), ("tiddle-a-wink", 6)])
def test_after_a_round_its_winner_stands_out_alone(game: str, seats: int) -> None:
    table, rng = seated(game, seats, 7, {"target": 500}), Random(7)
    while table.match.state.phase != COUNTED:
        match = table.match
        seat = match.rules.to_act(match.state)[0]
        table.move(seat, match.rules.random_move(match.state, seat, match.knowledge, rng))
        if match.state.phase == PLAYING:
            shown = board_of(game).scene(sight(table, 0), None).plates
            assert [plate.seat for plate in shown if plate.active] == [match.state.turn]
            assert not any("won" in plate.flags for plate in shown)
    state = table.match.state
    assert len(table.match.rules.to_act(state)) == seats  # everybody is asked to go on
    shown = board_of(game).scene(sight(table, 0), None).plates
    winners = [] if state.last_count.winner is None else [state.last_count.winner]
    assert not any(plate.active for plate in shown)
    assert [plate.seat for plate in shown if "won" in plate.flags] == winners
