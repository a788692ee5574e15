"""The figures of the rulebook: TooTs, spelled as trees."""

from __future__ import annotations

from tabletin.games.toot.figures import figure_pieces


def test_toots_of_a_figure_are_spelled_as_trees() -> None:
    assert [piece.face for piece in figure_pieces("2(purple X=red+red) green", "toot-speed")] == \
        ["purple", "red", "X", "2", "green"]
