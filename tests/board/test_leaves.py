"""What can be read beside a table: told from the reader's own knowledge."""

from __future__ import annotations

import pytest

from tests.support.board_tables import board_of, moments, seat_counts, sight, with_boards


@pytest.mark.parametrize("game", with_boards())
def test_invariant_3_leaves_show_what_their_reader_knows(game: str) -> None:
    board = board_of(game)
    for table in moments(game, seat_counts(game)[-1], seed=3, most=40):
        for seat in (None, 0):
            seen = sight(table, seat)
            known = set(seen.view.faces.values())
            for leaf in board.leaves(seen):
                assert leaf.title and leaf.rows
                for row in leaf.rows:
                    assert row.text
                    assert all(drawing.shows is None or drawing.shows in known for drawing in row.drawings)
