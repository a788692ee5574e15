"""A start goes on from the memory that the build made (workshop/inside/memory.mjs), and is as good where that is damaged."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from e2e.support.page_python import get_inside
from e2e.support.player import Player, Pointer
from e2e.support.site import Heard, Served, eventually, kept_offline, ready
from tests.support.examples import ONE_DEAL, query, short

pytestmark = [pytest.mark.keeps_site, pytest.mark.firefox]

WENT_ON = "document.documentElement.dataset.memory === 'used'"
PLACES = """() => new Promise((told) => {
  globalThis.tellPlaces = told;
  const script = document.createElement("script");
  script.type = "py";
  script.textContent = "import js, json, pyscript, sys; js.tellPlaces(json.dumps([pyscript.__file__, *sys.path]))";
  document.body.append(script);
})"""
DAMAGE = """async () => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (!request.url.endsWith(".memory")) continue;
      const bytes = new Uint8Array(await (await cache.match(request)).arrayBuffer());
      await cache.put(request, new Response(bytes.fill(7, bytes.length / 2, bytes.length / 2 + 1)));
    }
  }
}"""
KEPT = """async () => {
  const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  return caught.flat().map(({ url }) => url);
}"""
SPARE_IS_KEPT = f"async () => (await ({KEPT})()).some((url) => url.endsWith('/library.zip'))"


def damage_memory(context: BrowserContext) -> None:
    """Lets every memory arrive with other bytes."""
    def change(route: Route) -> None:
        body = bytearray(route.fetch().body())
        body[len(body) // 2] ^= 1
        route.fulfill(status=200, body=bytes(body))

    context.route("**/*.memory", change)


def hand(page: Page, served: Served) -> list[str]:
    """The hand of a new match against a bot, in which a move was made and answered."""
    seats = query({**short(ONE_DEAL), "seats": "me,easy"})
    page.goto(f"{served.address}#/{ONE_DEAL}/new?{seats}")
    ready(page)
    page.locator("#play").click()
    page.locator(".my-turn").wait_for()
    get_inside(page)
    faces: list[str] = page.locator(".piece[data-key^=c] [aria-label]").evaluate_all("all => all.map(one => one.ariaLabel)")
    Player(page, Pointer()).act()
    page.locator(".my-turn").wait_for()
    return faces


def test_every_start_goes_on_from_the_memory(page: Page, served: Served) -> None:
    page.goto(served.address)
    ready(page)
    assert page.evaluate(WENT_ON)
    kept_offline(page)
    assert not [url for url in page.evaluate(KEPT) if url.endswith("/library.zip")], "what a start anew needs is not kept"
    first = hand(page, served)
    page.reload()
    ready(page)
    assert page.evaluate(WENT_ON)
    assert hand(page, served) != first  # chance does not begin anew where the memory does
    served.stop()
    page.goto(served.address)
    ready(page)
    assert page.evaluate(WENT_ON)
    served.start()


@pytest.mark.wide("chromium")
def test_modules_come_from_the_same_places_as_at_a_start_anew(page: Page, served: Served, heard: Heard) -> None:
    """From compiled ones: PyScript's lie as sources in a folder, too."""
    heard.provoked = True  # it says that it starts anew
    page.goto(served.address)
    ready(page)
    places = page.evaluate(PLACES)
    assert "/tabletin.zip/" in places
    kept_offline(page)
    page.evaluate(DAMAGE)
    page.reload()
    ready(page)
    assert not page.evaluate(WENT_ON)
    assert page.evaluate(PLACES) == places


@pytest.mark.wide("chromium")
def test_where_the_memory_is_damaged_python_starts_anew(context: BrowserContext, served: Served, heard: Heard) -> None:
    heard.provoked = True
    damage_memory(context)
    page = context.new_page()
    page.goto(served.address)
    ready(page)
    assert not page.evaluate(WENT_ON)
    assert not page.locator("#slow").is_visible()
    assert hand(page, served)
    kept_offline(page)
    eventually(page, SPARE_IS_KEPT)


def test_where_a_kept_memory_is_damaged_python_starts_anew_from_then_on(page: Page, served: Served, heard: Heard) -> None:
    """Without a network, too."""
    heard.provoked = True
    page.goto(served.address)
    ready(page)
    kept_offline(page)
    page.evaluate(DAMAGE)
    page.reload()
    ready(page)
    assert not page.evaluate(WENT_ON)
    eventually(page, SPARE_IS_KEPT)
    served.stop()
    page.reload()
    ready(page)
    assert not page.evaluate(WENT_ON)
    assert [url for url in page.evaluate(KEPT) if url.endswith("?anew")], "it does not try again"
    served.start()
