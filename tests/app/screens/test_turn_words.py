"""A turn that was looked back at, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from tabletin.app.screens.match.turn_words import TurnWords
from tabletin.app.session.review import TurnReview
from tabletin.registry import GAMES
from tabletin.words import load
from tests.support.random_matches import between_bots


@pytest.mark.parametrize("game", list(GAMES))
def test_drawing_is_told_although_the_cards_come_with_a_later_entry(game: str) -> None:
    match = between_bots(game)
    drawn = [entry for entry in match.entries if entry.statement.kind == "move" and entry.statement.body["do"][0] == "draw"]
    for entry in drawn[:20]:
        seat = entry.statement.body["seat"]
        look = cast("TurnReview", SimpleNamespace(index=entry.index))
        assert TurnWords(load(), match, seat, seat).played_move(look), entry
