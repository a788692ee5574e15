"""Rooms as people use them: invites, replies, everybody ready, the table."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.support.examples import ONE_DEAL

RETURNS = """
import asyncio
from js import document
from tabletin.app.main import app
net = app.app.rooms.transport
while not (net.connected_authors() and all(net.returns(author) for author in net.connected_authors())):
    await asyncio.sleep(0.1)
document.documentElement.dataset.returns = "yes"
"""


def to(page: Page, address: str) -> None:
    page.evaluate("(address) => { location.hash = address; }", address)


def write(field: Locator, text: str) -> None:
    """Fill in ``field`` and leave it: in Firefox no change follows from what its driver writes."""
    field.fill(text)
    field.evaluate("(field) => field.dispatchEvent(new Event('change', { bubbles: true }))")


def hosted(page: Page, game: str = ONE_DEAL, name: str = "Ada") -> Page:
    """A room of one's own."""
    to(page, f"#/{game}/room")
    expect(page.locator("#chairs")).to_be_visible()
    write(page.get_by_label("Your name"), name)
    page.keyboard.press("Tab")
    expect(page.locator("#chairs")).to_contain_text(f"{name} (you)")
    return page


def shown_link(page: Page) -> str:
    """The link that is to be handed over."""
    area = page.locator("#as-text")
    expect(area).to_have_count(1)
    return area.input_value().split(": ", 1)[1]


def invitation(host: Page, address: str = "#/room/invite") -> str:
    """The link of a new invite, from the screen that shows it."""
    to(host, address)
    return shown_link(host)


def reply(guest: Page, link: str, name: str) -> str:
    """Open an invite's link and give a name; the reply's link."""
    to(guest, link.partition("#")[2])
    write(guest.get_by_label("Your name"), name)
    guest.get_by_role("button", name="I’m in!").click()
    return shown_link(guest)


def meet(host: Page, guest: Page, name: str, address: str = "#/room/invite") -> None:
    """Invite ``guest`` and take its reply."""
    answer = reply(guest, invitation(host, address), name)
    host.get_by_label("Paste the reply").fill(answer)
    for page in (host, guest):
        expect(page.locator(".room")).to_contain_text(name)


def ready(page: Page) -> None:
    page.get_by_role("button", name="I am ready").click()


def playing(*pages: Page) -> None:
    """Wait until all of them sit at the table."""
    for page in pages:
        expect(page.locator(".table-screen")).to_be_visible()


def python(page: Page, code: str) -> None:
    """Run Python in the page, as somebody who has changed the program would."""
    page.evaluate("""code => {
        const script = document.createElement('script');
        script.type = 'py';
        script.textContent = code;
        document.body.append(script);
    }""", code)


def at_a_table(new_device: Callable[..., Page], game: str, *names: str) -> list[Page]:
    """A room of so many devices, dealt; the first is the host."""
    host, *guests = [new_device() for _ in names]
    hosted(host, game, names[0])
    for _ in names[2:]:
        host.get_by_role("button", name="One more chair").click()
    for guest, name in zip(guests, names[1:], strict=True):
        meet(host, guest, name)
    for page in (host, *guests):
        ready(page)
    playing(host, *guests)
    for page in (host, *guests):
        expect(page.locator("[aria-label$='in your hand']").first).to_be_visible()
    return [host, *guests]
