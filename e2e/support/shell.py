"""The shell's screens in a browser: a match taken in from a file, going from one address to another."""

from __future__ import annotations

from playwright.sync_api import FilePayload, Page, expect


def take_in(page: Page, log: str) -> None:
    """Bring a match in through the settings."""
    page.set_input_files("#archive", FilePayload(name="match.jsonl", mimeType="application/json", buffer=log.encode()))
    expect(page.locator("#notices")).to_contain_text("1 match was loaded")


def to(page: Page, address: str) -> None:
    """Go to an address within the page, and wait for its screen."""
    page.evaluate("""(address) => {
        for (const title of document.querySelectorAll("h1")) title.toggleAttribute("data-before", title.checkVisibility());
        location.hash = address;
    }""", address)
    expect(page.locator("h1:visible:not([data-before])")).to_be_focused()
