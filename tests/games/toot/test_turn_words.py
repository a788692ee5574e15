"""A turn of TooT that was looked back at, in words: its cards, what is sure, and points where fewest win."""

from __future__ import annotations

from dataclasses import replace

from tabletin.app.screens.match.turn_words import TurnWords
from tabletin.app.session.review import TurnReview
from tabletin.bots.comparison import Comparison
from tabletin.kernel.match import Match
from tabletin.kernel.schema import read_move
from tabletin.words import load
from tests.support.random_matches import between_bots


def look_at(match: Match, index: int, comparison: Comparison | None, closed: int = 23) -> TurnReview:
    """A turn beside another one, the same as it was made."""
    move = read_move(match.rules.verbs, match.entries[index].statement.body["do"])
    return TurnReview(index, move, move, "", {}, closed, comparison)


def turns(match: Match, verb: str) -> list[tuple[int, int]]:
    """The entries and seats of all moves of that name."""
    return [(entry.index, entry.statement.body["seat"]) for entry in match.entries
            if entry.statement.kind == "move" and entry.statement.body["do"][0] == verb]


def test_cards_that_were_shown_are_named_though_a_new_deck_has_swept_them_away() -> None:
    match = between_bots("toot-progressive")
    for index, seat in turns(match, "show"):
        words, look = TurnWords(load(), match, seat, seat), look_at(match, index, None)
        laid = match.entries[index].statement.body["open"]
        assert words.line(look, "#/").count("<svg viewBox") == len(laid), "and they are drawn, and nothing else is"
        assert not laid or load().text("toot.face." + laid[0][1]) in words.played_move(look)


def test_what_nothing_hidden_decides_is_told_for_sure_and_in_fewer_points() -> None:
    """TO-5: a round of Progressive TooT hangs on one's own cards alone."""
    match = between_bots("toot-progressive")
    index, seat = turns(match, "show")[0]
    words = TurnWords(load(), match, seat, seat)
    sure = Comparison(400, 3600.0, 32400.0, 400, 0)
    assert words.gain(look_at(match, index, sure)) == "9 fewer"
    assert words.certainty(look_at(match, index, sure)) == "9 points fewer with Hard’s turn, for sure."
    unsure = replace(sure, squares=40_000.0, better=390)
    assert "give or take" in words.certainty(look_at(match, index, unsure))
    assert "23 cards were hidden from you" in words.certainty(look_at(match, index, unsure))


def test_where_most_points_win_a_gain_has_a_plus() -> None:
    match = between_bots("toot-pursuit")
    index, seat = turns(match, "draw")[0]
    look = look_at(match, index, Comparison(400, 400.0, 400.0, 400, 0))
    words = TurnWords(load(), match, seat, seat)
    assert words.gain(look) == "+1" and words.certainty(look) == "+1 point with Hard’s turn, for sure."
