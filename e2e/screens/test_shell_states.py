"""What may happen to a page while it is open: a worker dies, the network goes, installing is offered, a version comes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.support.site import Heard, eventually, ready, until
from tests.support.examples import ONE_DEAL

KEEP_WORKERS = """
window.workers = [];
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => { if (data === "polyscript:done") window.workers.push(this); });
  }
};
"""


def test_a_dead_worker_is_replaced_and_asked_again(page: Page, visit: Callable[..., Page]) -> None:
    page.add_init_script(KEEP_WORKERS)
    visit(f"#/{ONE_DEAL}/new?first_seat=2")
    page.wait_for_function("window.workers.length === 1")
    page.evaluate("window.workers[0].terminate()")
    page.locator("#play").click()
    page.wait_for_function("window.workers.length === 2")
    expect(page.locator(".my-turn")).to_be_visible()


def test_bots_that_cannot_think_are_named_and_can_be_asked_again(page: Page, visit: Callable[..., Page],
                                                                 heard: Heard) -> None:
    heard.provoked = True
    page.add_init_script("""window.NativeWorker = Worker;
        window.Worker = class { constructor() { throw new Error("no workers here"); } };""")
    visit(f"#/{ONE_DEAL}/new?first_seat=2")
    page.locator("#play").click()
    expect(page.locator("#notices")).to_contain_text("did not answer")
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()
    until(page, lambda: any("no workers here" in message for message in heard.expected))


@pytest.mark.shares_pages
def test_the_page_says_that_the_network_is_gone(visit: Callable[..., Page], context: BrowserContext) -> None:
    page = visit("#/")
    state = page.locator("#offline-state")
    expect(state).to_be_hidden()
    context.set_offline(True)
    expect(state).to_be_visible()
    context.set_offline(False)
    expect(state).to_be_hidden()


def test_installing_is_offered_where_the_browser_offers_it(visit: Callable[..., Page]) -> None:
    page = visit()
    expect(page.locator("#install")).to_be_hidden()
    page.evaluate("""() => {
        const offer = new Event("beforeinstallprompt", { cancelable: true });
        offer.prompt = () => { window.prompted = offer.defaultPrevented; };
        offer.userChoice = Promise.resolve({ outcome: "accepted" });
        dispatchEvent(offer);
    }""")
    page.get_by_role("button", name="Install as an app").click()
    expect(page.locator("#install")).to_be_hidden()
    assert page.evaluate("window.prompted") is True


IPHONE = "Object.defineProperty(navigator, 'standalone', { value: false, configurable: true });"


def test_where_there_is_no_button_one_picture_shows_how_to_install(page: Page, visit: Callable[..., Page]) -> None:
    page.add_init_script(IPHONE)
    visit()
    how = page.locator(".by-hand")
    expect(how.locator(".picture")).to_have_count(3)
    expect(how.locator(".picture:visible")).to_have_count(0)  # nobody is bothered
    how.locator("summary").click()
    expect(how.locator(".picture:visible")).to_have_count(1)
    expect(how).to_contain_text("Add to Home Screen", use_inner_text=True)
    how.get_by_role("button", name="Don’t show this again").click()
    expect(how).to_be_hidden()
    page.reload()
    ready(page)
    expect(how).to_be_hidden()


@pytest.mark.wide
def test_an_installed_page_does_not_say_how(page: Page, visit: Callable[..., Page]) -> None:
    page.add_init_script(IPHONE.replace("false", "true"))
    expect(visit().locator(".by-hand")).to_be_hidden()


@pytest.mark.parametrize(("address", "lacking"), [
    ("#/room", "window.RTCPeerConnection"),
    pytest.param(f"#/{ONE_DEAL}/room", "window.RTCPeerConnection", marks=pytest.mark.wide),
    (f"#join=anything&game={ONE_DEAL}", "window.RTCPeerConnection"), ("#/room", "Navigator.prototype.locks")])
def test_a_browser_that_cannot_play_with_others_says_so_before_any_code(page: Page, visit: Callable[..., Page], address: str,
                                                                        lacking: str) -> None:
    """Without locks between tabs, two of them would sign with one key."""
    page.add_init_script(f"delete {lacking}")
    visit(address)
    expect(page.get_by_role("alert")).to_contain_text("This browser can’t reach other devices.")
    page.get_by_role("link", name="To the tin").click()
    expect(page.locator("#home h1")).to_be_visible()


@pytest.mark.wide
def test_storage_is_asked_to_stay_when_the_first_match_is_kept(page: Page, visit: Callable[..., Page]) -> None:
    page.add_init_script("window.asked = 0; StorageManager.prototype.persist = async () => { window.asked += 1; return false; };"
                         "StorageManager.prototype.persisted = async () => false;")
    visit(f"#/{ONE_DEAL}/new?first_seat=1")
    assert page.evaluate("window.asked") == 0
    for asked in (1, 1):
        page.evaluate(f"location.hash = '#/{ONE_DEAL}/new?first_seat=1'")
        page.locator("#play").click()
        expect(page.locator(".my-turn")).to_be_visible()
        page.wait_for_function("(asked) => window.asked === asked", arg=asked)
    page.reload()
    expect(page.locator(".my-turn")).to_be_visible()
    page.evaluate(f"location.hash = '#/{ONE_DEAL}/new?first_seat=1'")
    page.locator("#play").click()
    expect(page.locator(".my-turn")).to_be_visible()
    assert page.evaluate("window.asked") == 0, "only for the first"


@pytest.mark.wide
def test_a_file_handed_out_keeps_its_address_while_it_is_fetched(visit: Callable[..., Page]) -> None:
    page = visit("#/settings")
    page.evaluate("""() => { window.revoked = 0;
        const revoke = URL.revokeObjectURL;
        URL.revokeObjectURL = (address) => { window.revoked += 1; revoke.call(URL, address); }; }""")
    with page.expect_download():
        page.get_by_role("button", name="Save everything").click()
    assert page.evaluate("window.revoked") == 0


def test_a_new_version_is_offered_and_waits_for_open_matches(visit: Callable[..., Page]) -> None:
    page = visit()
    page.evaluate("""() => {
        tabletin.update = { waiting: true, apply: async () => { window.applied = true; return window.free === true; } };
        dispatchEvent(new CustomEvent("tabletin:update"));
    }""")
    expect(page.locator("#notices")).to_contain_text("new version")
    page.get_by_role("button", name="Use it now").click()
    expect(page.locator("#notices")).to_contain_text("waits until it is closed")
    assert page.evaluate("window.applied") is True


def test_sound_is_off_until_it_is_wanted(page: Page, visit: Callable[..., Page]) -> None:
    page.add_init_script("window.AudioContext = class { constructor() { window.heard = true; throw new Error('quiet'); } };")
    visit(f"#/{ONE_DEAL}/new")
    page.locator("#play").click()
    expect(page.locator(".my-turn")).to_be_visible()
    assert page.evaluate("window.heard") is None


@pytest.mark.shares_pages
def test_a_screen_that_breaks_leaves_a_way_out(visit: Callable[..., Page], heard: Heard) -> None:
    page = visit("#/")
    heard.provoked = True
    page.evaluate("""() => {
        const { records } = tabletinStore;
        tabletinStore.records = async () => "[{}]";  // not what a record looks like
        window.mend = () => { tabletinStore.records = records; };
    }""")
    page.evaluate("location.hash = '#/matches'")
    expect(page.get_by_role("alert")).to_contain_text("Something went wrong")
    until(page, lambda: any("KeyError" in message for message in heard.expected))  # it is not swallowed
    page.evaluate("mend()")
    page.get_by_role("link", name="To the tin").click()
    expect(page.locator("#home h1")).to_be_focused()


SLOW = """() => {
    const { read } = tabletinStore;
    tabletinStore.read = async (name) => {
        window.waits = true;
        await new Promise((resolve) => { window.goOn = resolve; });
        tabletinStore.read = read;
        return read(name);
    };
}"""


@pytest.mark.shares_pages
def test_a_screen_that_is_left_while_it_opens_shows_nothing_any_more(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{ONE_DEAL}/new")
    page.locator("#play").click()
    expect(page.locator(".table-screen")).to_be_visible()
    match = page.url.partition("#")[2]
    visit("#/")
    expect(page.locator("#unfinished a")).to_be_visible()
    page.evaluate(SLOW)
    page.locator("#unfinished a").click()
    page.wait_for_function("window.waits")
    assert page.url.endswith(match)
    page.evaluate("location.hash = '#/settings'")
    expect(page.locator(".settings")).to_be_visible()
    page.evaluate("window.goOn()")
    eventually(page, "async () => (await navigator.locks.query()).held.every(({ mode }) => mode === 'shared')")
    expect(page.locator(".settings")).to_be_visible()
    expect(page.locator("#table")).to_have_count(0)
