"""A later start goes on from what an earlier one kept (workshop/inside/memory.mjs), and is as good where that is damaged."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page

from e2e.support.page_python import get_inside
from e2e.support.player import Player, Pointer
from e2e.support.site import Served, eventually, kept_offline, ready
from tests.support.examples import ONE_DEAL, query, short

pytestmark = [pytest.mark.keeps_site, pytest.mark.firefox]

LONG = 61_000  # ms, after which the page keeps the memory
IS_KEPT = "async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys())" \
    ".some(({ url }) => url.endsWith('?memory'))))).includes(true)"
WENT_ON = "document.documentElement.dataset.memory === 'kept'"
PLACES = """() => new Promise((told) => {
  globalThis.tellPlaces = told;
  const script = document.createElement("script");
  script.type = "py";
  script.textContent = "import js, json, pyscript, sys; js.tellPlaces(json.dumps([pyscript.__file__, *sys.path]))";
  document.body.append(script);
})"""
DAMAGE = """async (damage) => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (!request.url.endsWith("?memory")) continue;
      const bytes = new Uint8Array(await (await cache.match(request)).arrayBuffer());
      const changed = damage === "half of it" ? bytes.slice(0, bytes.length / 2) : bytes.fill(7, bytes.length / 10);
      await cache.put(request, new Response(changed));
    }
  }
}"""


@pytest.fixture
def device(context: BrowserContext, served: Served) -> Page:
    """A page whose device keeps the memory of a start."""
    page = context.new_page()
    page.clock.install()
    page.goto(served.address)
    ready(page)
    kept_offline(page)
    page.clock.fast_forward(LONG)
    eventually(page, IS_KEPT)
    page.clock.resume()
    return page


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


def test_a_later_start_goes_on_from_an_earlier_one(device: Page, served: Served) -> None:
    device.reload()
    ready(device)
    assert device.evaluate(WENT_ON)
    first = hand(device, served)
    device.reload()
    ready(device)
    assert hand(device, served) != first  # chance does not begin anew where the memory does
    served.stop()
    device.goto(served.address)
    ready(device)
    assert device.evaluate(WENT_ON)
    served.start()


def test_modules_come_from_the_same_places_as_at_the_first_start(device: Page) -> None:
    """From compiled ones: PyScript's lie as sources in a folder, too."""
    places = device.evaluate(PLACES)
    assert "/tabletin.zip/" in places
    device.reload()
    ready(device)
    assert device.evaluate(WENT_ON)
    assert device.evaluate(PLACES) == places


@pytest.mark.parametrize("damage", ["half of it", pytest.param("other bytes", marks=pytest.mark.wide)])
def test_a_memory_that_is_damaged_is_forgotten(device: Page, damage: str) -> None:
    device.evaluate(DAMAGE, damage)
    device.reload()
    ready(device)
    assert not device.evaluate(WENT_ON)
    eventually(device, f"async () => !(await ({IS_KEPT})())")
