"""The people of a device in the browser: somebody new gets a face and a name, sits down under it, and can be deleted again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.shell import to
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages


def test_somebody_gets_a_face_plays_under_its_name_and_goes(visit: Callable[..., Page], page: Page,
                                                             axe: Callable[[Page], list[str]]) -> None:
    visit("#/players")
    page.locator("#new-player").press("Enter")
    name = page.locator("#name")
    expect(name).to_be_focused()
    name.fill("Ada")
    page.get_by_role("radio", name="Fox").check()
    page.get_by_role("radio", name="Purple").check()
    assert axe(page) == []
    page.locator("#player-done").click()
    face = page.locator(".face")
    expect(face).to_have_text("Adaplays now")
    expect(page.locator(".badges li")).to_have_count(8)
    expect(page.locator(".badges .earned")).to_have_count(0)
    assert axe(page) == []
    to(page, f"#/{ONE_DEAL}/new")
    expect(page.locator("#name-0")).to_have_value("Ada")
    to(page, "#/players")
    page.locator("#edit-player").click()
    page.locator("#remove-player").click()
    expect(page.locator("#keep-player")).to_be_focused()
    page.locator("#really-remove").click()
    expect(face).to_have_count(0)
    expect(page.locator("#new-player")).to_be_focused()


def test_somebody_else_is_picked_by_a_face_and_not_by_writing(visit: Callable[..., Page], page: Page,
                                                              axe: Callable[[Page], list[str]]) -> None:
    visit("#/players")
    for _ in range(2):
        page.locator("#new-player").click()
        page.locator("#player-done").click()
    to(page, f"#/{ONE_DEAL}/new?seats=me,person")
    first, second = page.locator("#name-0"), page.locator("#name-1")
    expect(first).to_have_value("Cat")
    page.locator("[data-seat='1'] .sitters").get_by_role("button", name="Bear").press("Enter")
    expect(second).to_have_value("Bear")
    expect(page.locator("[data-seat='1'] .sitters button:focus")).to_have_attribute("aria-pressed", "true")
    assert axe(page) == []
    page.locator("[data-seat='0'] .sitters").get_by_role("button", name="Bear").click()
    expect(first).to_have_value("Bear")
    expect(second).to_have_value("Cat")
