"""Lessons. Learn the teeth: every tooth can be reached, says its names, leads to its partner and back."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, cast

import pytest

from tabletin.app.routes import Route, parse
from tabletin.app.screens.lesson import LessonScreen
from tabletin.app.ui.screen import Shell
from tabletin.games.teeth_time.anatomy import TEETH
from tabletin.words import load


class Paper:
    """A shell that only remembers what was painted."""

    words = load()

    def __init__(self) -> None:
        self.document = self
        self.parts: dict[str, str] = {}

    def paint(self, html: str, title: str) -> None:
        self.parts = {"whole": html}

    def repaint(self, part: str, html: str) -> None:
        self.parts[part] = html


def finish(work: Coroutine[Any, Any, None]) -> None:
    """Run what never waits to its end: Pyodide in Node, where this file runs too, has no loop to be blocked by."""
    with pytest.raises(StopIteration):
        work.send(None)


def opened(address: str) -> tuple[LessonScreen, Paper]:
    paper = Paper()
    route = parse(address)
    assert route.screen == "lesson"
    screen = LessonScreen(cast(Shell, paper), route)
    finish(screen.open())
    return screen, paper


def test_the_address_leads_here_and_only_for_this_game() -> None:
    assert parse("#/teeth-time/teeth?at=y6") == Route("lesson", "teeth-time/teeth", {"at": "y6"})
    assert parse("#/iota/teeth").screen == "not_found"


@pytest.mark.parametrize("face", list(TEETH))
def test_a_tapped_tooth_is_told_and_leads_to_its_partner_and_back(face: str) -> None:
    screen, paper = opened("#/teeth-time/teeth")
    assert paper.parts["whole"].count('data-do="item"') >= len(TEETH)
    finish(screen.act("item", {"item": face}))
    tooth = TEETH[face]
    told = paper.parts["topic"]
    assert screen.text(tooth.name_key) in told and screen.text(tooth.quadrant_key) in told and str(tooth.fdi) in told
    assert paper.parts["lesson"].count('class="picked"') == 1
    if tooth.partner is None:
        assert 'id="related"' not in told
        return
    assert f'data-item="{tooth.partner}"' in told
    finish(screen.act("item", {"item": tooth.partner}))
    assert f'data-item="{face}"' in paper.parts["topic"]


def test_walking_visits_every_tooth_once() -> None:
    screen, _ = opened("#/teeth-time/teeth?at=nonsense")
    seen = []
    for _ in TEETH:
        seen.append(screen.item)
        finish(screen.act("after", {}))
    assert sorted(seen) == sorted(TEETH) and screen.item == seen[0]
    finish(screen.act("before", {}))
    assert screen.item == seen[-1]
    silent: dict[str, Any] = {"item": "z9"}
    finish(screen.act("item", silent))
    assert screen.item == seen[-1]
