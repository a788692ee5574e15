"""The figures of the rulebook: TooTs, spelled as trees."""

from __future__ import annotations

from tabletin.games.toot.figures import figure_pieces


def test_toots_of_a_figure_are_spelled_as_trees() -> None:
    assert [piece.face for piece in figure_pieces("2(purple X=red+red) green", "toot-speed")] == \
        ["purple", "red", "X", "2", "green"]


def test_cards_of_a_figure_speak_the_language_of_the_rulebook() -> None:
    for language, word in (("en", "purple"), ("de", "Lila"), ("es", "morado")):
        (piece,) = figure_pieces("purple", "toot-speed", language)
        assert f">{word}<" in piece.markup
