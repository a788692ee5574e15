"""Every table at several moments of its match: nothing for axe to find by day and by lamplight, nothing over the edge, and what a
person holds stays in sight while others play.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.page_python import get_inside, play_on, seen, watch
from e2e.support.tables import begin
from tabletin.registry import GAMES
from tests.support.examples import moments_of


@pytest.mark.parametrize("game", GAMES)
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
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found[moment, scheme] = axe(page)
        found[moment, "edge"] = page.evaluate("document.documentElement.scrollWidth - innerWidth > 0 ? ['over'] : []")
    assert len(found) >= 3
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


def test_a_hand_stays_open_while_bots_play_and_is_covered_for_the_next_person(
    visit: Callable[..., Page], page: Page,
) -> None:
    """On a shared device; the bot is held, so that its turn lasts as long as it is looked at."""
    page.set_viewport_size({"width": 1280, "height": 800})  # the log lies open beside the table
    begin(visit, page, "iota", seats="me,easy,person", seed=5, first_seat=1)
    get_inside(page)
    watch(page)
    cover, hand = page.locator(".prompt.cover"), page.locator(".over > .piece:has([aria-label*='in your hand'])")
    drew = page.locator(".log-button", has_text="drew")
    cover.locator(".primary").click()
    expect(hand).to_have_count(4)
    expect(drew).to_have_count(1)  # what was dealt
    page.evaluate("inside.hold()")
    page.locator(".actions [data-key=trade]").click()
    hand.first.dispatch_event("click")
    page.locator(".actions [data-key=do_trade]").click()
    expect(drew).to_have_count(2)
    expect(hand).to_have_count(4)
    expect(cover).to_be_hidden()
    play_on(page, 1, seat=-1)  # the bot, and then it is for the other person
    expect(cover).to_be_visible()
    expect(hand).to_have_count(0)
    expect(drew).to_have_count(0)
    assert seen(page)["wrong"] == []
