"""Every table at several moments of its match: nothing for axe to find by day and by lamplight, nothing over the edge."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from e2e.support.page_python import get_inside, play_on
from e2e.support.tables import begin
from tabletin.registry import GAMES
from tests.support.examples import by_hand, moments_of

pytestmark = pytest.mark.shares_pages


@pytest.mark.parametrize("game", [pytest.param(game, marks=[] if game in by_hand() else [pytest.mark.wide]) for game in GAMES])
def test_nothing_for_axe_to_find(
    visit: Callable[..., Page], page: Page, game: str, axe: Callable[[Page], list[str]],
) -> None:
    moments = moments_of(game)
    page.set_viewport_size({"width": 360, "height": 740})
    begin(visit, page, game, seed=7, **moments.begin)
    get_inside(page)
    found = {}
    for moment in moments.asked:
        if play_on(page, 6, seed=7, seat=-1 if "counted" in moment else 0, asked=moment) == "over":
            break
        found[moment, "axe"] = axe(page)
        found[moment, "edge"] = page.evaluate("document.documentElement.scrollWidth - innerWidth > 0 ? ['over'] : []")
    assert found, "no moment was looked at"
    assert {where: wrong for where, wrong in found.items() if wrong} == {}
