"""The rulebook beside the table: opened at the point behind a refusal, searched, closed, and the turn still lies there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import begin, my_turn

pytestmark = pytest.mark.shares_pages

SEED = 5


def refused(page: Page) -> None:
    """One card lies on trial, and another was let go where it cannot lie."""
    page.locator(".over > .piece.can-tap.is-legal").first.click()
    page.locator(".spot.on-plane").first.click()
    expect(page.locator(".piece.is-tentative")).to_have_count(1)
    box = page.locator(".over > .piece.can-tap").first.bounding_box()
    window = page.locator(".stage .window").bounding_box()
    assert box is not None and window is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(window["x"] + 60, window["y"] + 60, steps=6)
    page.mouse.up()
    expect(page.locator(".note.wrong .rule")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), pytest.param((1280, 800), marks=pytest.mark.wide)])
def test_a_refusals_rule_opens_beside_the_turn(visit: Callable[..., Page], page: Page, size: tuple[int, int],
                                               axe: Callable[[Page], list[str]]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begin(visit, page, "iota", seats="me,easy", seed=SEED, first_seat=1)
    my_turn(page)
    refused(page)
    said = page.locator(".note").inner_text()
    page.locator(".note .rule").click()
    point = page.locator(".panel .rulebook [id='IO-3']")
    expect(point).to_be_focused()
    expect(point).to_be_in_viewport()
    expect(page.locator(".piece.is-tentative")).to_have_count(1)
    assert axe(page) == []
    search = page.locator("#rules-search")
    search.fill("wild")
    expect(page.locator(".panel .search [role=status]")).to_contain_text("Found")
    search.press("Enter")
    expect(page.locator(".panel mark").first).to_be_in_viewport()
    expect(page.locator(".panel mark").first).to_have_class("current")
    search.press("Enter")
    expect(page.locator(".panel mark").nth(1)).to_have_class("current")
    expect(page.locator(".panel mark").nth(1)).to_be_in_viewport()
    page.locator(".panel-title").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".panel .rulebook")).to_have_count(0)
    if size[0] < 1000:
        expect(page.locator(".panel")).to_be_hidden()
    else:
        expect(page.locator(".panel .log")).to_be_visible()
    expect(page.locator(".note")).to_have_text(said)
    expect(page.locator(".piece.is-tentative")).to_have_count(1)
    page.locator(".actions [data-key=play]").click()
    expect(page.locator(".piece.is-tentative")).to_have_count(0)
