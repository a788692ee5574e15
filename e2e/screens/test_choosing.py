"""The language: the browser's own is taken, before Python is there."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from e2e.support.site import ready


def test_the_browsers_own_language_is_taken(visit: Callable[..., Page], page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'languages', { get: () => ['de-AT', 'en'] })")
    visit("")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#tins-title")).to_have_text("Die Dose")
    page.add_init_script("""addEventListener("DOMContentLoaded", () => {
        globalThis.early = document.querySelector("#tins-title").textContent;
    })""")
    page.reload()
    assert page.evaluate("globalThis.early") == "Die Dose", "said at once, before Python is there"
    ready(page)
    expect(page.locator("#tins-title")).to_have_text("Die Dose")
