"""The table's cloth is chosen in the settings, holds at once, and stays."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from e2e.screens.test_shell_screens import to
from tests.support.examples import ONE_DEAL


def test_another_cloth_lies_on_the_table_and_the_backs_go_with_it(visit: Callable[..., Page], page: Page,
                                                                  axe: Callable[[Page], list[str]]) -> None:
    visit("#/settings")
    page.get_by_role("radio", name="Checked").check()
    expect(page.locator("html")).to_have_attribute("data-cloth", "gingham")
    to(page, f"#/{ONE_DEAL}/new")
    page.locator("#play").click()
    stage = page.locator(".table-screen .stage")
    expect(stage).to_be_visible()
    assert "gradient" in stage.evaluate("(one) => getComputedStyle(one).backgroundImage")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--back').trim()") == "#84200a"
    assert axe(page) == []
