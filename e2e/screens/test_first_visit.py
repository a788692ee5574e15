"""A first visit before Python is there: what is seen, what can be chosen, and that nothing of it is lost when Python comes."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.support.layout import OVERFLOW, TOO_SMALL
from e2e.support.site import Heard, Served, ready, until
from tabletin.app.ui.html import game_name
from tabletin.registry import GAMES
from tabletin.words import load
from tests.support.examples import ONE_DEAL, WIDEST, name_of
from workshop import server

SLOW_LINE: Final = {"offline": False, "latency": 40, "downloadThroughput": 2_500_000, "uploadThroughput": 500_000}
SLOWER: Final = 4  # times, as on a slow phone
# Notes whether the cloth is there when the tap on Play has been heard by all – in the same task, so with the next frame – and
# every amount that its bar showed.
WATCH: Final = """
addEventListener("submit", () => { window.answered ??= document.documentElement.dataset.laying; });
window.amounts = [];
new MutationObserver(() => {
    const bar = document.querySelector("#laying progress");
    if (bar?.value && bar.value !== window.amounts.at(-1)) window.amounts.push(bar.value);
}).observe(document, { attributes: true, subtree: true });
"""
# All that a person sees and hears of the form, and all it would send; what a script adds in between aside.
PARTS: Final = "li, input, select, textarea, button, legend, .help, summary"
NO_STREAMS: Final = """
for (const name of ["compileStreaming", "instantiateStreaming"]) {
    const native = WebAssembly[name];
    WebAssembly[name] = async (source, ...more) => {
        if (!(await source).url && streamed.has(await source)) throw new TypeError("not implemented");
        return native(source, ...more);
    };
}
const streamed = new WeakSet();
globalThis.Response = class extends Response {
    constructor(body, ...more) {
        super(body, ...more);
        if (body instanceof ReadableStream) streamed.add(this);
    }
};
"""
DOWNLOADS: Final = "**/downloads.*.js"  # the worker's script
TEN_TIMES_AS_FAST: Final = "const timer = setTimeout; globalThis.setTimeout = (act, ms) => timer(act, ms / 10);"
# How a page comes to have no worker, by what is wrong: what runs in the page before everything else.
NO_WORKER: Final = {
    "cannot be made": "window.Worker = class { constructor() { throw new DOMException('no', 'SecurityError'); } };",
    "does not load": """window.Worker = class extends Worker {
        constructor(address, ...more) { super(String(address).includes("downloads") ? "gone.js" : address, ...more); } };""",
    "says nothing": """window.Worker = class extends Worker {
        postMessage(said, ...more) { if (!said?.parts) super.postMessage(said, ...more); } };
        const timer = setTimeout;
        window.setTimeout = (act, ms, ...more) => timer(act, ms / 10, ...more);""",
}
# Notes what the page's own thread fetches.
WATCH_FETCH: Final = """window.fetched = [];
const native = fetch;
window.fetch = (asked, ...more) => {
    window.fetched.push(String(asked.url ?? asked));
    return native(asked, ...more);
};"""
FORM: Final = f"""() => [...document.querySelectorAll("#screen .newmatch :is({PARTS})")].map((one) => [
    one.localName, one.id, one.name, one.value, one.checked, one.placeholder, one.ariaLabel, one.dataset.do,
    ["LI", "SELECT"].includes(one.tagName) ? "" : one.innerText])"""

SEATS: Final = "[...document.querySelectorAll('#seats :is(input, select)')].map((one) => one.value)"


@contextmanager
def python_held(page: Page) -> Iterator[Callable[[], None]]:
    """Python does not come until what is given is called."""
    held: list[Route] = []
    let_through: list[bool] = []
    page.route("**/library.*.zip", lambda route: route.continue_() if let_through else held.append(route))

    def release() -> None:
        until(page, lambda: held)
        let_through.append(True)
        for route in held:
            route.continue_()

    yield release


def test_a_slow_phone_is_answered_at_once_and_deals_by_itself(page: Page, served: Served) -> None:
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW_LINE)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(WATCH)
    with python_held(page) as release:
        page.goto(served.address, wait_until="commit")
        page.locator(f"[data-tin={ONE_DEAL}] .open").click()
        page.locator("#add-seat").click()
        page.locator("#who-1").select_option("hard")
        page.locator("#name-2").fill("Grandma")
        page.locator("#play").click()
        expect(page.locator("#laying .table")).to_be_visible()
        release()
    assert page.evaluate("window.answered") == "table"
    expect(page.locator(".table-screen")).to_be_visible()
    expect(page.locator("#laying")).to_be_hidden()
    expect(page.locator(".plate")).to_have_count(3)
    expect(page.locator(".plate", has_text="Grandma")).to_be_visible()
    amounts = page.evaluate("window.amounts")
    assert len(amounts) > 2 and amounts == sorted(amounts), "progress moves, and never back"


def test_python_waits_for_the_frame_that_answers_a_tap(page: Page, served: Served) -> None:
    page.goto(served.address)
    ready(page)
    order = """async (touch) => {
        const order = [];
        if (touch) dispatchEvent(new PointerEvent("pointerdown"));
        const frame = new Promise((resolve) => requestAnimationFrame(() => { order.push("frame"); resolve(); }));
        await Promise.all([frame, tabletin.answered().then(() => order.push("goes on"))]);
        return order;
    }"""
    assert page.evaluate(order, False) == ["goes on", "frame"]
    assert page.evaluate(order, True) == ["frame", "goes on"]


@pytest.mark.wide
def test_a_browser_that_compiles_no_stream_of_a_script_starts_too(page: Page, served: Served) -> None:
    begins_with(page, NO_STREAMS)
    page.goto(served.address)
    ready(page)


def begins_with(page: Page, script: str) -> None:
    """The worker that downloads runs ``script`` first."""
    def prepared(route: Route) -> None:
        found = route.fetch()
        route.fulfill(response=found, body=script + found.text())

    page.route(DOWNLOADS, prepared)


def parts_fetched(page: Page) -> list[str]:
    """The parts of Python that the page's own thread fetched."""
    found: list[str] = page.evaluate("window.fetched")
    assert found, "something is always fetched"
    return [kind for kind in ("pyodide.asm.wasm", ".memory", "/library.", "/tabletin.") if any(kind in one for one in found)]


def test_the_pages_thread_fetches_no_part_itself(page: Page, served: Served) -> None:
    """A worker hands them over whole, the WebAssembly compiled."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(WATCH_FETCH)
    page.goto(served.address)
    ready(page)
    assert [sum(kind in url for url in asked) for kind in (".wasm", ".memory", "/library.")] == [1, 1, 1]
    assert parts_fetched(page) == []


@pytest.mark.parametrize("trouble", [
    trouble if at == 0 else pytest.param(trouble, marks=pytest.mark.wide) for at, trouble in enumerate(NO_WORKER)])
def test_where_no_worker_starts_the_page_downloads_by_itself(page: Page, served: Served, heard: Heard, trouble: str) -> None:
    heard.provoked = True  # the browser says that a script is missing, and Python that no bot can think
    page.add_init_script(NO_WORKER[trouble])
    page.add_init_script(WATCH_FETCH)
    page.goto(f"{served.address}#/{ONE_DEAL}/new")
    page.locator("#add-seat").click()
    page.locator("#play").click()
    expect(page.locator(".plate")).to_have_count(3)
    assert parts_fetched(page) == ["pyodide.asm.wasm", ".memory", "/library.", "/tabletin."]


@pytest.mark.parametrize("game", [WIDEST, pytest.param(ONE_DEAL, marks=pytest.mark.wide)])
def test_the_form_before_python_is_the_form_of_python(page: Page, served: Served, game: str) -> None:
    """Whatever is chosen before Python shows as it will with Python, and is kept when Python takes over."""
    with python_held(page) as release:
        page.goto(f"{served.address}#/{game}/new")
        page.locator("#add-seat").click()
        page.locator("#add-seat").click()
        page.locator("#who-1").select_option("person")
        page.locator("#name-2").fill("Zoe")
        page.locator("#name-2").press("Tab")
        page.locator("#drop-1").click()
        page.locator("#who-2").select_option("me")
        page.locator(".newmatch summary").first.click()
        for steps in page.locator("[data-do=step][id$=more]").all():
            steps.click()
        for choice in page.query_selector_all("#options input[type=radio]:not(:checked):not([name=preset])")[:1]:
            choice.check()
        before = page.evaluate(FORM)
        page.evaluate("document.querySelector('#play').isSame = true")
        page.locator("#name-0").focus()
        assert page.evaluate("document.documentElement.dataset.python") is None
        release()
    ready(page)
    page.wait_for_function("!document.querySelector('#screen').dataset.preview")
    assert page.evaluate(FORM) == before
    assert page.evaluate("document.querySelector('#play').isSame"), "it is not drawn anew"
    expect(page.locator("#name-0")).to_be_focused()


@pytest.mark.parametrize("back", ["before Python", pytest.param("with Python", marks=pytest.mark.wide)])
def test_what_was_chosen_stays_while_the_rules_are_read(page: Page, served: Served, back: str) -> None:
    """Many a player reads them while Python is on its way."""
    with python_held(page) as release:
        page.goto(served.address)
        page.locator(f"[data-tin={ONE_DEAL}] .open").click()
        page.locator("#add-seat").click()
        page.locator("#name-2").fill("Grandma")
        page.locator("#add-seat").click()
        before = page.evaluate(SEATS)
        page.get_by_role("link", name="Rules").click()
        expect(page.locator("#rulebook")).to_be_visible()
        if back == "with Python":
            release()
            ready(page)
        page.go_back()
        expect(page.locator("#name-3")).to_be_visible()
        assert page.evaluate(SEATS) == before
        if back == "before Python":
            page.locator("#play").click()
            page.go_back()  # no match begins from there
            expect(page.locator("#home")).to_be_visible()
            page.go_forward()
            expect(page.locator("#name-2")).to_have_value("Grandma")
            release()
    page.locator("#play").click()
    expect(page.locator(".plate", has_text="Grandma")).to_be_visible()


@pytest.mark.wide
def test_a_guide_that_goes_on_before_python_says_that_it_waits(page: Page, served: Served) -> None:
    with python_held(page) as release:
        page.goto(f"{served.address}#/{ONE_DEAL}/guide")
        first = page.locator("#guide-words").inner_text()
        page.locator("#guide-on").click()
        expect(page.locator("#laying h1.screen")).to_be_focused()
        expect(page.locator("#guide-on")).to_be_hidden()
        release()
    expect(page.locator("#laying")).to_be_hidden()
    expect(page.locator("#guide-words")).not_to_have_text(first)


@pytest.mark.wide
def test_the_bots_of_a_changed_form_are_shown_before_python(page: Page, served: Served) -> None:
    """So that nothing moves when Python takes over."""
    shown = "document.querySelector('#seats').innerText + document.querySelector('#options').getBoundingClientRect().top"
    with python_held(page) as release:
        page.goto(f"{served.address}#/{ONE_DEAL}/new")
        page.locator("#add-seat").click()
        expect(page.locator("#habits li")).to_have_count(2)
        before = page.evaluate(shown)
        release()
    ready(page)
    page.wait_for_function("!document.querySelector('#screen').dataset.preview")
    assert page.evaluate(shown) == before


@pytest.mark.wide
def test_a_preset_before_python_fills_the_options(page: Page, served: Served) -> None:
    with python_held(page) as release:
        page.goto(f"{served.address}#/{ONE_DEAL}/new")
        page.locator(".newmatch summary").first.click()
        page.locator("[name=preset]").first.check()
        before = page.evaluate(FORM)
        release()
    ready(page)
    page.wait_for_function("!document.querySelector('#screen').dataset.preview")
    assert page.evaluate(FORM) == before


@pytest.mark.wide
def test_what_was_played_last_stands_there_before_python(page: Page, visit: Callable[..., Page], served: Served) -> None:
    visit(f"#/{ONE_DEAL}/new")
    page.locator("#add-seat").click()
    page.locator("#play").click()
    expect(page.locator(".table-screen")).to_be_visible()
    page.add_init_script("WebAssembly.instantiateStreaming = () => new Promise(() => {});")  # Python never comes
    page.goto("about:blank")
    page.goto(f"{served.address}#/{ONE_DEAL}/new")
    expect(page.locator("#seats ol > li")).to_have_count(3)
    expect(page.locator("#first-time")).to_have_count(0)


def test_rules_are_read_and_searched_before_python(page: Page, served: Served) -> None:
    with python_held(page) as release:
        page.goto(served.address)
        page.locator(f"[data-tin={ONE_DEAL}] .rules").click()
        expect(page.get_by_role("heading", level=1, name=f"Rules of {name_of(ONE_DEAL)}")).to_be_focused()
        page.get_by_label("Search the rules").fill("card")
        expect(page.locator("mark").first).to_be_attached()
        page.locator(".contents a").last.click()
        expect(page).to_have_url(re.compile(r"rules\?at="))
        marks = page.locator("mark").count()
        release()
    ready(page)
    page.wait_for_function("!document.querySelector('#screen').dataset.preview")
    expect(page.locator("#found")).to_have_text(f"Found {marks} times.")
    expect(page.get_by_label("Search the rules")).to_have_value("card")


@pytest.mark.wide
@pytest.mark.browser_context_args(locale="de-AT")
def test_it_speaks_the_language_of_the_browser_before_python(page: Page, served: Served) -> None:
    page.route("**/*.wasm", lambda route: None)
    page.goto(served.address)
    expect(page.get_by_text(load("de").text("home.motto"))).to_be_visible()
    page.locator(f"[data-tin={ONE_DEAL}] .open").click()
    expect(page.get_by_role("button", name=load("de").text("newmatch.play"), exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"


def test_every_prepared_screen_fits_and_axe_finds_nothing(
    page: Page, served: Served, axe: Callable[[Page], list[str]],
) -> None:
    page.route("**/*.wasm", lambda route: None)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(served.address)
    found = {}
    for address in (f"#/{ONE_DEAL}/new", f"#/{ONE_DEAL}/rules", f"#/{ONE_DEAL}/guide", "#/settings"):
        page.evaluate("(address) => { location.hash = address; }", address)
        expect(page.locator("#laying" if address == "#/settings" else f"#screen[data-preview='{address}']")).to_be_visible()
        found[address] = (axe(page), page.evaluate(TOO_SMALL), page.evaluate(OVERFLOW))
    assert found == dict.fromkeys(found, ([], [], 0))


def test_every_game_has_its_prepared_screens(page: Page, served: Served) -> None:
    page.route("**/*.wasm", lambda route: None)
    page.goto(served.address)
    for game in GAMES:
        for screen in ("new", "rules", "guide"):
            address = f"#/{game}/{screen}"
            page.evaluate("(address) => { location.hash = address; }", address)
            expect(page.locator(f"#screen[data-preview='{address}'] h1")).to_contain_text(game_name(load(), game))


@pytest.mark.wide
def test_a_host_that_gives_out_no_packed_copies_is_enough(page: Page, served: Served, built: Path) -> None:
    """Its archives are others than those in the packed copies, with the same files; its memory is packed in itself."""
    asked: list[str] = []

    def plain(route: Route) -> None:
        name = route.request.url.removeprefix(served.address)
        asked.append(name)
        route.fulfill(path=built / name, content_type="application/octet-stream")

    page.route(re.compile(r"\.(zip|memory)$"), plain)
    page.goto(served.address)
    ready(page)
    assert len(asked) == 3
    assert page.evaluate("document.documentElement.dataset.memory") == "used"


class FaultyFiles:
    """What a host does wrong, by the end of a file's name: how often it still fails, and how."""

    def __init__(self, **faults: tuple[str, int]) -> None:
        self.faults = dict(faults)
        self.never_happened = set(faults)
        self.stalled = threading.Event()

    def of(self, path: str) -> str:
        for name, (fault, times) in self.faults.items():
            if name in path and times:
                self.faults[name] = (fault, times - 1)
                self.never_happened.discard(name)
                return fault
        return ""


@pytest.fixture
def faulty(built: Path) -> Iterator[Callable[..., str]]:
    """``faulty(library=("drop", 3))`` serves the site, that file badly as often; the address. Faults: drop, half, stall, gone."""
    running: list[server.Server] = []
    made: list[FaultyFiles] = []

    def start(**faults: tuple[str, int]) -> str:
        files = FaultyFiles(**faults)
        found = server.server(built)

        class Handler(found.RequestHandlerClass):  # type: ignore[name-defined, misc]
            def reply(self, status: Any, content: bytes, headers: dict[str, str], *, body: bool = True) -> None:
                fault = files.of(self.path)
                if fault == "gone":
                    status, content = 503, b"gone"
                if fault == "half":
                    content = content[:len(content) // 2]
                if fault not in ("drop", "stall"):
                    super().reply(status, content, headers, body=body)
                    return
                super().reply(status, content, headers, body=False)
                self.wfile.write(content[:len(content) // 2])
                self.wfile.flush()
                if fault == "stall":
                    files.stalled.wait()
                self.close_connection = True

        found.RequestHandlerClass = Handler
        threading.Thread(target=found.serve_forever, daemon=True).start()
        running.append(found)
        made.append(files)
        return f"http://localhost:{found.server_port}/"

    yield start
    for files in made:
        files.stalled.set()
    for one in running:
        one.shutdown()
        one.server_close()
    assert not any(files.never_happened for files in made), "a fault that never happened proves nothing"


def plays_a_match(page: Page) -> None:
    """What was chosen before Python came is played."""
    expect(page.locator(".plate")).to_have_count(3)
    expect(page.locator("#slow")).to_be_hidden()


def choose_and_play(page: Page, address: str) -> None:
    page.goto(f"{address}#/{ONE_DEAL}/new")
    page.locator("#add-seat").click()
    page.locator("#play").click()
    expect(page.locator("#laying")).to_be_visible()


def test_a_host_that_drops_or_halves_files_is_asked_again(page: Page, faulty: Callable[..., str], heard: Heard) -> None:
    heard.provoked = True  # the browser says that a connection was lost
    choose_and_play(page, faulty(library=("drop", 2), wasm=("drop", 1), core=("half", 1), tabletin=("gone", 1)))
    plays_a_match(page)


def test_half_a_file_is_never_taken_for_a_whole_one(page: Page, faulty: Callable[..., str], heard: Heard) -> None:
    """Each served once as if its half were the whole: with the length of the half."""
    heard.provoked = True
    parts = ("library", "wasm", "tabletin", "downloads", "mjs")  # each is looked for in this order
    choose_and_play(page, faulty(**dict.fromkeys(parts, ("half", 1))))
    plays_a_match(page)


@pytest.mark.parametrize("faults", [
    {"page.": ("half", 1), "main.": ("gone", 1)},
    pytest.param({"page.": ("drop", 1), "storage.": ("half", 1)}, marks=pytest.mark.wide),
    pytest.param({"page.": ("gone", 1)}, marks=pytest.mark.wide)])
def test_scripts_and_styles_of_the_page_itself_are_asked_for_again(
    page: Page, faulty: Callable[..., str], heard: Heard, faults: dict[str, tuple[str, int]],
) -> None:
    """Without them nothing on the page can be chosen yet; the address says what was asked for."""
    heard.provoked = True
    page.goto(f"{faulty(**faults)}#/{ONE_DEAL}/new")
    page.wait_for_function("globalThis.tabletinStore && document.querySelector('link[rel=stylesheet]').sheet")
    page.locator("#add-seat").click()
    page.locator("#play").click()
    plays_a_match(page)


@pytest.mark.parametrize("file", ["screens-en", pytest.param(f"rules-{ONE_DEAL}-en", marks=pytest.mark.wide)])
def test_a_screen_that_is_late_is_covered_until_it_is_here(page: Page, served: Served, file: str) -> None:
    held: list[Route] = []
    page.route("**/library.*.zip", lambda route: None)
    page.route(f"**/{file}.*", lambda route: held.append(route))
    page.goto(served.address)
    page.locator(f"[data-tin={ONE_DEAL}] .{'open' if 'screens' in file else 'rules'}").click()
    expect(page.locator("#laying .screen")).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.locator("#screen h1")).to_be_visible()
    expect(page.locator("#laying")).to_be_hidden()


@pytest.mark.parametrize("file", [pytest.param("screens-en", marks=pytest.mark.wide), f"rules-{ONE_DEAL}-en"])
def test_half_a_screen_is_asked_for_again(page: Page, faulty: Callable[..., str], heard: Heard, file: str) -> None:
    heard.provoked = True
    page.route("**/library.*.zip", lambda route: None)
    page.goto(f"{faulty(**{file: ('half', 1)})}#/{ONE_DEAL}/{'new' if 'screens' in file else 'rules'}")
    expect(page.locator("#screen h1")).to_be_visible()


@pytest.mark.parametrize(("fault", "times"), [("half", 4), pytest.param("stall", 1, marks=pytest.mark.wide)])
def test_a_page_whose_own_script_does_not_come_says_so_and_begins_anew_when_asked(
    page: Page, faulty: Callable[..., str], heard: Heard, fault: str, times: int,
) -> None:
    """By itself it begins anew three times where a file is damaged, and never where it is only late."""
    heard.provoked = True
    page.add_init_script(TEN_TIMES_AS_FAST)
    page.goto(f"{faulty(**{'page.': (fault, times)})}#/{ONE_DEAL}/new", wait_until="commit")
    expect(page.locator("#slow")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    page.locator("#add-seat").click()
    page.locator("#play").click()
    plays_a_match(page)


def test_a_host_that_goes_on_dropping_is_named_and_nothing_chosen_is_lost(
    page: Page, faulty: Callable[..., str], heard: Heard,
) -> None:
    heard.provoked = True
    begins_with(page, TEN_TIMES_AS_FAST)
    page.goto(f"{faulty(wasm=('drop', 5), library=('gone', 5))}#/{ONE_DEAL}/new")
    page.locator("#add-seat").click()
    page.locator("#name-2").fill("Grandma")
    expect(page.locator("#slow")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Try again").click()
    page.locator("#play").click()
    plays_a_match(page)
    expect(page.locator(".plate", has_text="Grandma")).to_be_visible()


@pytest.mark.wide
def test_a_host_that_stalls_is_named_and_asked_again(page: Page, faulty: Callable[..., str], heard: Heard) -> None:
    heard.provoked = True
    begins_with(page, TEN_TIMES_AS_FAST)
    choose_and_play(page, faulty(library=("stall", 2)))
    expect(page.locator("#slow")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Try again").click()
    plays_a_match(page)
