"""Somebody goes politely in the middle of a hand, and the others play it on: three browsers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.rooms import at_a_table, expect_hand
from e2e.support.tables import do_as_hinted
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages

NewDevice = Callable[..., Page]


def moves(*pages: Page) -> Page:
    """Whoever's turn it is does what the hint says; whose it was. ``pages`` by seat."""
    active = pages[0].locator(".plate.active")
    expect(active).to_have_count(1)
    page = pages[int(str(active.get_attribute("data-key")).removeprefix("seat"))]
    expect(page.locator(".table-screen.my-turn")).to_be_visible()
    do_as_hinted(page)
    expect(page.locator(".table-screen.my-turn")).to_have_count(0)
    return page


def test_the_others_play_the_hand_on_when_somebody_leaves(new_device: NewDevice) -> None:
    ada, bo, cleo = at_a_table(new_device, ONE_DEAL, "Ada", "Bo", "Cleo")
    moves(ada, bo, cleo)
    cleo.locator("#leave-match").click()
    expect(cleo.locator("#peer-bar .notice")).to_contain_text("the others finish without you")
    cleo.locator("#really-leave").click()
    expect(cleo.locator(".table-screen")).to_have_count(0)
    for page in (ada, bo):
        expect(page.locator(".plate.is-left")).to_contain_text("Cleo")
        expect(page.locator(".plate.is-left")).to_contain_text("has left")
        expect(page.locator(".peer")).to_have_count(1)
        expect(page.locator(".spoken")).to_contain_text("Cleo has left; the others play on")
    cleo.close()
    turns = [moves(ada, bo) for _ in range(4)]
    assert turns in ([ada, bo, ada, bo], [bo, ada, bo, ada])
    for page in (ada, bo):
        expect_hand(page)
        expect(page.locator("#peer-bar .notice")).to_have_count(0)
