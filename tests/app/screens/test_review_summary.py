"""What a look back comes to, in a sentence."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.match.review import ReviewScreen
from tabletin.app.screens.previews import NoShell
from tabletin.app.session.review import Review
from tabletin.bots.comparison import Comparison
from tabletin.words import load


@pytest.mark.parametrize(("verdicts", "told"), [
    (["same", "better"], '<p role="status">Hard found nothing better for 1 of your 2 turns.</p>'),
    (["yours", "better"], '<p role="status">Hard found nothing better for 1 of your 2 turns. One was better than Hard’s!</p>'),
    (["better", "maybe"], ""),
    (["same", "even"], ""),  # told with a star instead
])
def test_that_hard_was_always_better_is_not_counted_up(verdicts: list[str], told: str) -> None:
    screen = ReviewScreen(cast(Any, NoShell(load())), Route("review", "one"))
    looks = {at: cast(Any, SimpleNamespace(verdict=verdict)) for at, verdict in enumerate(verdicts)}
    screen.review = Review(cast(Any, None), 0, looks, is_complete=True)
    assert screen.summary() == told


@pytest.mark.parametrize(("comparisons", "is_told"), [
    ([], False), ([None, Comparison(9, 9.0, 9.0, 9, 0)], False), ([Comparison(9, 3.0, 9.0, 6, 3)], True),
])
def test_luck_is_spoken_of_where_something_hidden_decided_a_turn(comparisons: list[Comparison | None], is_told: bool) -> None:
    screen = ReviewScreen(cast(Any, NoShell(load())), Route("review", "one"))
    screen.match = cast(Any, SimpleNamespace(rules=SimpleNamespace(random_delay=0.0)))
    looks = {at: cast(Any, SimpleNamespace(comparison=one)) for at, one in enumerate(comparisons)}
    screen.review = Review(cast(Any, None), 0, looks)
    assert ("And luck?" in screen.luck()) == is_told
    screen.match = cast(Any, SimpleNamespace(rules=SimpleNamespace(random_delay=9.0)))
    assert "And the time?" in screen.luck()
