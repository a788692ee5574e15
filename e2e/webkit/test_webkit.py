"""A smoke test in WebKitGTK, in this order and in one browser: home, a hand of every family, resuming, the cover, no WebRTC,
German, offline, a quiet console.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from e2e.support.pictures import MOST_BYTES
from e2e.support.player import Hands, Keyboard, Player, Pointer
from e2e.support.site import Served, serving
from e2e.support.tables import QUICK
from tabletin.registry import GAMES
from tests.support.examples import ONE_DEAL, by_hand, hand_of

if TYPE_CHECKING:
    from e2e.support.webkit import WebKitPage

pytestmark = pytest.mark.webkit
HAND = """() => {
    const mine = [...document.querySelectorAll('.over > .piece [aria-label*="in your hand"]')];
    return mine.length === 4 && mine.map((card) => card.getAttribute("aria-label")).sort().join();
}"""


@pytest.fixture(scope="module")
def own_server(built: Path) -> Iterator[Served]:
    """A server that all these tests share, until the last stops it."""
    yield from serving(built, "/")


@pytest.fixture
def page(webkit: WebKitPage, own_server: Served) -> WebKitPage:
    """The home page, once Python is there."""
    webkit.goto(own_server.address)
    webkit.ready()
    return webkit


def begin(page: WebKitPage, game: str, **asked: Any) -> None:
    page.evaluate("(settings) => localStorage.setItem('tabletin.settings', settings)", QUICK)
    page.reload()
    page.ready()
    page.to(f"#/{game}/new?" + "&".join(f"{name}={value}" for name, value in asked.items()))
    page.locator("form.newmatch button[type=submit]").click()
    page.wait_for_function("document.querySelector('.table-screen .stage')")


def test_home(page: WebKitPage) -> None:
    assert page.locator("#home .tin").count() == len(GAMES)
    assert page.evaluate("getComputedStyle(document.getElementById('too-old')).display") == "none"


@pytest.mark.parametrize(("game", "hands"), [
    (game, Keyboard if number % 2 else Pointer) for number, game in enumerate(sorted(by_hand()))])
def test_a_whole_hand(page: WebKitPage, game: str, hands: Callable[[], Hands]) -> None:
    begin(page, game, seed=5, **hand_of(game))
    page.evaluate("() => { window.inside ??= { at: () => document.querySelector('.spoken').innerText.length }; }")
    player = Player(cast(Any, page), hands())
    player.play()
    assert len(player.steps) >= 2
    if not page.locator("article.result").count():
        page.locator(".actions [data-key=result]").click()
    page.wait_for_function("document.querySelector('article.result .verdict')")


def test_a_match_is_resumed(page: WebKitPage) -> None:
    begin(page, ONE_DEAL, first_seat=1)
    page.wait_for_function("document.querySelector('.table-screen.my-turn')")
    hand = page.wait_for_function(HAND).json_value()
    page.reload()
    page.ready()
    page.wait_for_function("document.querySelector('.table-screen.my-turn')")
    assert page.wait_for_function(HAND).json_value() == hand
    page.to("#/")
    page.wait_for_function("document.querySelector('#unfinished a')")


def test_a_shared_device_covers_each_hand(page: WebKitPage) -> None:
    begin(page, ONE_DEAL, seats="me,person", first_seat=1)
    page.locator(".prompt.cover .primary").click()
    page.wait_for_function("document.querySelectorAll('.over > .piece [aria-label*=\"in your hand\"]').length === 4")


def test_friends_far_away_need_another_browser(page: WebKitPage) -> None:
    assert page.evaluate("typeof RTCPeerConnection") == "undefined"
    page.to(f"#/{ONE_DEAL}/room")
    page.wait_for_function("document.querySelector('[role=alert]')?.innerText.includes('can’t reach other devices')")


def test_in_german(page: WebKitPage) -> None:
    page.to("#/settings")
    page.wait_for_function("document.querySelector('[name=language]')")
    page.evaluate("""() => { const field = document.querySelector('[name=language]');
        field.value = 'de'; field.dispatchEvent(new Event('change', { bubbles: true })); }""")
    page.wait_for_function("document.documentElement.lang === 'de'")
    page.reload()
    page.ready()
    page.to("#/")
    page.wait_for_function("""document.querySelector("#home a.far:not(.daily) .name")?.innerText.trim()
        === 'Mit Freunden online spielen'""")
    assert page.evaluate("document.documentElement.lang") == "de"
    page.evaluate("() => localStorage.setItem('tabletin.settings', '{}')")


def test_offline_after_one_visit(page: WebKitPage, own_server: Served) -> None:
    page.wait_for_function("navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')")
    own_server.stop()
    page.reload()
    page.ready()
    assert page.locator("#home .tin").count() == len(GAMES)


@pytest.mark.pictures
def test_home_and_a_table_as_pictures(page: WebKitPage, pictures: Path) -> None:
    page.picture(pictures / "home-webkit.jpg")
    begin(page, ONE_DEAL, seed=5, first_seat=1)
    page.wait_for_function("document.querySelector('.table-screen.my-turn')")
    page.wait_for_function(HAND)
    page.picture(pictures / "table-webkit.jpg")
    for name in ("home", "table"):
        assert 5_000 < (pictures / f"{name}-webkit.jpg").stat().st_size < MOST_BYTES


def test_nothing_was_said_in_the_console(console: Path) -> None:
    assert [line for line in console.read_text("utf-8", "replace").splitlines() if "CONSOLE" in line] == []
