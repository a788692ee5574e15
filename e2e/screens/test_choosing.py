"""The language: the browser's own is taken, before Python is there; words of another one are fetched when it is chosen."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from e2e.support.site import Heard, ready


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


def test_words_are_fetched_when_they_are_read(visit: Callable[..., Page], page: Page) -> None:
    """English is there. Another language is one file, asked for once somebody chooses it."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    visit("#/settings")
    assert [name for name in asked if name.startswith("words-")] == []
    page.locator("#language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#screen h1")).to_have_text("Einstellungen")
    assert [name.partition(".")[0] for name in asked if name.startswith("words-")] == ["words-de"]
    page.locator("#language").select_option("en")
    expect(page.locator("#screen h1")).to_have_text("Settings")


def test_a_language_that_cannot_be_fetched_is_said_and_changes_nothing(
    visit: Callable[..., Page], page: Page, heard: Heard,
) -> None:
    visit("#/settings")
    page.route("**/words-de.*", lambda route: route.fulfill(status=503))
    page.locator("#language").select_option("de")
    expect(page.locator("#notices")).to_contain_text("did not arrive")
    expect(page.locator("#screen h1")).to_have_text("Settings")
    assert ["503" in message for message in heard.messages] == [True], "the browser itself says which request failed"
    heard.messages.clear()
