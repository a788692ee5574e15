"""The figures of the rulebook: dominoes as they lie at a table."""

from __future__ import annotations

import pytest

from tabletin.games.dominoes.figures import figure_pieces


def test_dominoes_of_a_figure_touch_and_do_not_overlap() -> None:
    """Two halves meet in every figure of a table, as they do on the board."""
    pieces = figure_pieces("6-6 6-5@0 5-5@4 5-2@8", "dominoes")
    assert [piece.face for piece in pieces] == ["6-6", "6-5", "5-5", "5-2"]
    assert len({(piece.x, piece.y) for piece in pieces}) == 4
    with pytest.raises(StopIteration):
        figure_pieces("6-6 5-4@0", "dominoes")
    assert [piece.face for piece in figure_pieces("9-9 1-0@0", "matador")] == ["9-9", "1-0"]
