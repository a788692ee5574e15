"""What people do on their devices in tests of networks: a link or a code to the first cards, and back again.

Each step says how long it took. The clock runs from the moment at which the page is there, Python included.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from e2e.support.far import come, link_of
from e2e.support.rooms import expect_hand, hand_cards, hosted, invitation, playing, ready, reply
from e2e.support.site import READY, until
from e2e.support.site import ready as page_ready
from e2e.support.tables import do_as_hinted
from tests.networks.programs import Servers

Browse = Callable[..., Page]
MY_TURN = ".table-screen.my-turn"
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Fay")
ALL_HERE = """() => {
    const peers = [...document.querySelectorAll("#peer-bar .peer")];
    return peers.length > 0 && peers.every((peer) => peer.classList.contains("here"));
}"""
WATCH = """() => {
    globalThis.wasAway = false;
    globalThis.awayWatch?.disconnect();
    globalThis.awayWatch = new MutationObserver(() => {
        globalThis.wasAway ||= document.querySelector("#peer-bar .peer:not(.here)") !== null;
    });
    globalThis.awayWatch.observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


@contextmanager
def clock(what: str, servers: Servers) -> Iterator[None]:
    """Say how long ``what`` took, and when a relay heard something meanwhile."""
    begin = time.monotonic()
    yield
    whole = time.monotonic() - begin
    heard = " ".join(f"{at:.1f}" for at in servers.said_since(begin))
    print(f"\n  {what}: {whole:.1f} s (a relay heard something after {heard or 'nothing'})", end="", flush=True)


def invite(ada: Page) -> str:
    """A room of Ada's, and its link: she says where her friend is, and agrees."""
    hosted(ada, name="Adelheid")
    ada.get_by_role("button", name="Another house").click()
    ada.get_by_role("button", name="Agree and send the link").click()
    return link_of(ada)


def deal(ada: Page, bo: Page, link: str, servers: Servers) -> None:
    """Bo opens the link and is dealt to."""
    with clock("link to first cards", servers):
        with clock("link to room", servers):
            come(bo, link, "Bonifaz")
            for page in (ada, bo):
                expect(page.locator("#chairs")).to_contain_text("Bonifaz")
        for page in (ada, bo):
            ready(page)
        playing(ada, bo)
        for page in (ada, bo):
            expect_hand(page)


def all_here(*pages: Page) -> None:
    for page in pages:
        page.wait_for_function(ALL_HERE)


def expect_away(change: Callable[[], object], *pages: Page) -> None:
    """Make a change of the network, and wait until each page has missed somebody."""
    for page in pages:
        page.evaluate(WATCH)
    change()
    for page in pages:
        page.wait_for_function("globalThis.wasAway")


def go_on(*pages: Page) -> None:
    """Whoever is to play plays, and the turn comes to the next: what one page does reaches the other."""
    until(pages[0], lambda: any(page.locator(MY_TURN).count() for page in pages))  # it may still be dealt
    mover = next(page for page in pages if page.locator(MY_TURN).count())
    do_as_hinted(mover)
    expect(mover.locator(MY_TURN)).to_have_count(0)
    expect(pages[(pages.index(mover) + 1) % len(pages)].locator(MY_TURN)).to_be_visible()


def reload(*pages: Page) -> None:
    """Load them anew, all at once."""
    for page in pages:
        page.reload(wait_until="commit")
    for page in pages:
        page.wait_for_function(READY)


def start(*pages: Page) -> None:
    """Wait until each page is there."""
    for page in pages:
        page_ready(page)


def deal_by_codes(ada: Page, bo: Page, lies: float) -> float:
    """Bo answers an invite of Ada's, the reply lies for ``lies`` seconds, and both are dealt to; seconds from paste to link."""
    hosted(ada, name="Adelheid")
    answer = reply(bo, invitation(ada), "Bonifaz")
    bo.wait_for_timeout(lies * 1000)
    begin = time.monotonic()
    ada.get_by_label("Paste the reply").fill(answer)
    for page in (ada, bo):
        expect(page.locator(".room")).to_contain_text("Bonifaz")
    linked = time.monotonic() - begin
    for page in (ada, bo):
        ready(page)
    playing(ada, bo)
    for page in (ada, bo):
        expect_hand(page)
    return linked


def gather(game: str, pages: list[Page], servers: Servers) -> tuple[str, float]:
    """All of them come to a room of the first one's by one link, and are dealt to; the link, and the seconds to deal."""
    ada, *guests = pages
    hosted(ada, game)
    for _ in guests[1:]:
        ada.get_by_role("button", name="One more chair").click()
    ada.get_by_role("button", name="Another house").click()
    ada.get_by_role("button", name="Agree and send the link").click()
    link = link_of(ada)
    with clock(f"{len(pages)} devices: link to first cards", servers):
        for guest, name in zip(guests, NAMES[1:], strict=False):
            come(guest, link, name)
        for page in pages:
            for name in NAMES[1:len(pages)]:
                expect(page.locator("#chairs")).to_contain_text(name)
        for page in pages:
            ready(page)
        begin = time.monotonic()
        playing(*pages)
        for page in pages:
            expect(hand_cards(page, game).first).to_be_visible()
        dealt = time.monotonic() - begin
    print(f"\n  of these from the last *ready* to the first cards: {dealt:.1f} s", end="", flush=True)
    return link, dealt
