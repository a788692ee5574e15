"""Browsers that lack something: told first thing and in view where Python cannot run, and the whole look where it can.

Features are switched off in a current Chromium: JavaScript's before the page runs, those of styles in the sheet as it is served.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.support.site import Heard, Served, ready, until
from e2e.support.tables import begin, my_turn
from tests.support.examples import ONE_DEAL, WIDEST, by_hand

WITHOUT: Final = {
    "WebAssembly": "delete window.WebAssembly",
    "exceptions": "WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('unknown section') } }",
    "BigInt": "WebAssembly.Instance = class { constructor() { this.exports = { f: () => 42 } } }",
    "modules in workers": "window.Worker = class extends Worker { constructor(address) { super(address) } }",
}
TOO_OLD: Final = "#too-old"
LONG: Final = 21_000  # ms: longer than the page is patient


@pytest.mark.parametrize("missing", [
    missing if at < 2 else pytest.param(missing, marks=pytest.mark.wide) for at, missing in enumerate(WITHOUT)])
def test_a_browser_that_cannot_run_python_is_told_so_first_thing(page: Page, served: Served, heard: Heard, missing: str) -> None:
    heard.provoked = True  # PyScript says what it misses, too
    page.add_init_script(WITHOUT[missing])
    page.clock.install()
    page.route("**/*.wasm", lambda route: None)  # never arrives: what is told is told before Python is tried
    page.goto(served.address, wait_until="domcontentloaded")
    expect(page.locator(TOO_OLD)).to_be_in_viewport(ratio=1)
    expect(page.locator(TOO_OLD)).to_have_text(re.compile("^This browser is too old"), use_inner_text=True)
    page.clock.fast_forward(LONG)
    assert page.locator(".notice:visible").count() == 1, "one notice, and not two"
    page.locator(".tins .open").first.evaluate("link => link.click()")
    assert page.url == served.address and page.locator("[aria-busy]").count() == 0, "no link pretends to open"


@pytest.mark.browser_context_args(locale="de-AT")
def test_it_is_told_in_the_language_of_the_browser(page: Page, served: Served, heard: Heard) -> None:
    heard.provoked = True
    page.add_init_script(WITHOUT["WebAssembly"])
    page.goto(f"{served.address}#/{ONE_DEAL}/new", wait_until="domcontentloaded")
    expect(page.locator(TOO_OLD)).to_be_in_viewport(ratio=1)
    expect(page.locator(TOO_OLD)).to_have_text(re.compile("^Dieser Browser ist zu alt"), use_inner_text=True)


def test_that_it_takes_long_is_told_until_python_is_there(page: Page, served: Served) -> None:
    held: list[Route] = []
    page.route("**/*.wasm", lambda route: held.append(route))
    page.clock.install()
    page.goto(served.address, wait_until="domcontentloaded")
    expect(page.locator("#slow")).to_be_hidden()
    until(page, lambda: held)
    page.clock.fast_forward(LONG)
    expect(page.locator("#slow")).to_be_in_viewport(ratio=1)
    expect(page.locator(TOO_OLD)).to_be_hidden()
    page.clock.resume()
    while held:
        held.pop().continue_()
    page.unroute("**/*.wasm")
    ready(page)
    expect(page.locator("#slow")).to_be_hidden()


# What Chrome 96, Firefox 114 and Safari 16.4 do not all know, with a name that no browser knows.
NEWER: Final = {
    "light-dark(": "light-dusk(", ":has(": ":hus(", "color-mix(": "color-mux(", "@container": "@containor",
    "container-type": "containor-type", "container:": "containor:", "dvh": "dvx", "svh": "svx", "cqi": "cqx", "cqb": "cqy",
    "round(": "raund(", "mod(": "mud(", "@media not (": "@media nut (", "translate:": "trunslate:", "rotate:": "rotute:",
    "scale:": "scule:",
    "@starting-style": "@sturting-style", "subgrid": "subgrad", "text-wrap": "text-wrup", "@scope": "@scape", "&": "%",
    "field-sizing": "field-suzing", "interpolate-size": "interpolate-suze", "@layer": "@loyer", " >= ": " >> ",
}
LOOKS: Final = """() => [...document.querySelectorAll("body, body *")].filter((each) => each.checkVisibility()).map((each) => {
    const style = getComputedStyle(each), box = each.getBoundingClientRect();
    const names = ["color", "backgroundColor", "borderTopColor", "fill", "stroke", "boxShadow", "fontSize", "display", "opacity"];
    return [each.tagName + "." + (each.getAttribute("class") ?? ""), ...names.map((name) => style[name]),
        ...[box.x, box.y, box.width, box.height].map(Math.round)].join(" ");
})"""
CHANGE: Final = """async (sheet) => {
    const link = document.querySelector("link[rel=stylesheet]");
    link.disabled = sheet !== null;
    const older = new CSSStyleSheet();
    if (sheet !== null) older.replaceSync(sheet.replaceAll('url("./', `url("${new URL(".", link.href)}`));
    document.adoptedStyleSheets = [older];
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame); // until it asks for its fonts
    await document.fonts.ready;
    dispatchEvent(new Event("resize"));
    await new Promise(requestAnimationFrame);
}"""
AT_REST: Final = """() => document.fonts.status === "loaded" && document.getAnimations().every(({ playState, effect }) =>
    playState !== "running" || effect.getComputedTiming().endTime > 5000)"""


def older(built: Path) -> str:
    """The style sheet as a browser reads it that knows nothing of ``NEWER``."""
    (path,) = (built / "files").glob("main.*.css")
    known = sheet = path.read_text("utf-8")
    for name, unknown in NEWER.items():
        sheet = sheet.replace(name, unknown)
    assert sheet != known, "something was switched off"
    return sheet


def looks(page: Page, sheet: str | None) -> list[str]:
    """What everything in sight looks like under ``sheet``, and where it is, once nothing moves any more; None: the site's."""
    page.evaluate(CHANGE, sheet)
    page.wait_for_function(AT_REST)
    found: list[str] = page.evaluate(LOOKS)
    assert len(found) > 20
    return found


def differences(page: Page, sheet: str) -> list[str]:
    """What looks otherwise under ``sheet`` than under the site's own, which stays: lines of a comparison."""
    unknown: list[str] = []
    before: list[str] = []
    while (known := looks(page, None)) != before:  # what came to the table meanwhile is no difference
        unknown, before = looks(page, sheet), known
    page.evaluate(CHANGE, None)
    return list(unified_diff(known, unknown, n=0, lineterm=""))[2:]


PHONE: Final = pytest.mark.browser_context_args(color_scheme="light", viewport={"width": 360, "height": 740})
DESK: Final = pytest.mark.browser_context_args(color_scheme="dark", viewport={"width": 1280, "height": 800})
WAYS: Final = [pytest.param(id="phone-light", marks=PHONE), pytest.param(id="desk-dark", marks=[DESK, pytest.mark.wide])]


@pytest.mark.shares_pages
@pytest.mark.parametrize((), WAYS)
def test_every_browser_that_runs_python_gets_the_look_of_screens(visit: Callable[..., Page], built: Path) -> None:
    page, sheet = visit("#/"), older(built)
    for at in ("#/", f"#/{ONE_DEAL}/new", "#/settings", "#/room", f"#/{WIDEST}/rules"):
        before = page.locator("h1:visible").inner_text()
        page.evaluate("(at) => { location.hash = at; }", at)
        if at != "#/":
            expect(page.locator("h1:visible")).not_to_have_text(before)
        assert differences(page, sheet)[:4] == [], at


@pytest.mark.shares_pages
@pytest.mark.parametrize((), WAYS)
def test_every_browser_that_runs_python_gets_the_look_of_tables(visit: Callable[..., Page], page: Page, built: Path) -> None:
    for game in sorted(by_hand()):
        begin(visit, page, game, seed=5)
        assert my_turn(page)
        assert differences(page, older(built))[:4] == [], game


@pytest.mark.shares_pages
def test_what_has_no_fallback_is_found(visit: Callable[..., Page], built: Path) -> None:
    page = visit("#/")
    sheet = older(built) + ":root { --text: light-dusk(black, white); } body:hus(main) { color: red; }"
    assert len(differences(page, sheet)) > 20


CLOCK: Final = """() => {
    const clock = document.createElement("span");
    clock.className = "label clock";
    clock.style.setProperty("--since", "-65s");
    document.getElementById("home").prepend(clock);
}"""


@pytest.mark.parametrize("counts", [pytest.param(True, marks=pytest.mark.wide), False], ids=["by the style", "by the script"])
def test_a_clock_shows_the_time_where_styles_cannot_count(page: Page, served: Served, counts: bool) -> None:
    if not counts:
        page.add_init_script("delete CSS.registerProperty")
    page.route("**/*.wasm", lambda route: None)  # it needs no Python
    page.goto(served.address, wait_until="domcontentloaded")
    page.evaluate(CLOCK)
    clock = page.locator(".label.clock")
    painted = "(clock) => getComputedStyle(clock, '::before').content"
    if counts:
        page.wait_for_function("document.querySelector('.clock').getAnimations({ subtree: true })[0].currentTime > 600")
        assert "counter(" in clock.evaluate(painted) and clock.get_attribute("data-time") is None
        return
    expect(clock).to_have_attribute("data-time", re.compile(r"^[1-9]:[0-5]\d$"))
    first = clock.evaluate(painted)
    assert re.fullmatch(r'"[1-9]:[0-5]\d"', first), "what is painted is what the script wrote"
    page.wait_for_function("(first) => getComputedStyle(document.querySelector('.clock'), '::before').content !== first",
                           arg=first)
    minutes, seconds = clock.evaluate(painted).strip('"').split(":")
    assert 60 * int(minutes) + int(seconds) > 65, "it goes on"
