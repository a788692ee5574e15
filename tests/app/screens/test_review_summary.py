"""What a look back comes to, in a sentence."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.match.review import ReviewScreen
from tabletin.app.screens.previews import NoShell
from tabletin.app.session.review import Review
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
