"""What every test of the running site stands on: the built site on a free port, a real Chromium, and three watchers.

The watchers fail a test for any console message, any uncaught error and any request to another origin; a test asks for
nothing to get them. ``visit`` opens an address of the site and waits until Python is there.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Route

from e2e.support import second_attempt
from e2e.support.firefox import FIREFOX, LACKING_COMMANDS, launch_arguments
from e2e.support.second_attempt import pytest_runtest_protocol as pytest_runtest_protocol
from e2e.support.second_attempt import pytest_terminal_summary as pytest_terminal_summary
from e2e.support.shared_pages import SharedPages
from e2e.support.site import (
    COMPILED_ONCE,
    PATIENCE,
    PEER_FLAGS,
    Heard,
    Process,
    Served,
    device_context,
    ready,
    serving,
)
from e2e.support.turn_server import TurnServer
from workshop import site
from workshop.chromium import FLAGS, chromium
from workshop.paths import NODE_MODULES, WEB

HAS_FAILED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--wide", action="store_true", help="play every game every way, not each family once")
    parser.addoption("--slow", type=float, default=1, help="how many times slower pages run, as on a slow phone")
    parser.addoption("--pictures", metavar="FOLDER", type=Path, help="take the pictures of docs/browsers.md, test nothing else")
    parser.addoption("--write-read-aloud", action="store_true", help="write anew what screen readers meet at every table")
    second_attempt.pytest_addoption(parser)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "wide(*browsers): one of the many that only --wide runs, in these browsers, or in any")
    config.addinivalue_line("markers", "firefox: runs in Firefox, too (--browser firefox)")
    config.addinivalue_line("markers", "firefox_only: runs in Firefox and not in Chromium")
    config.addinivalue_line("markers", "webkit: runs in WebKit alone (--browser webkit)")
    config.addinivalue_line("markers", "keeps_site: its pages keep the site for use offline, which costs a fifth of each start")
    config.addinivalue_line("markers", "shares_pages: takes pages that other tests have used; see e2e/support/shared_pages.py")
    config.addinivalue_line("markers", "new_pages: takes none, although its file shares pages")
    config.addinivalue_line("markers", "pictures: takes a picture for the docs, where --pictures asks for it")
    if FIREFOX in config.getoption("--browser"):
        os.environ["NODE_OPTIONS"] = f"--require={LACKING_COMMANDS}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what another browser runs, and the many unless they are asked for."""
    browsers = config.getoption("--browser")

    def runs(item: pytest.Item) -> bool:
        marks = {mark.name for mark in item.iter_markers()}
        if bool(config.getoption("--pictures")) is not ("pictures" in marks):
            return False
        if "webkit" in browsers or "webkit" in marks:
            return "webkit" in browsers and "webkit" in marks
        if FIREFOX in browsers and not marks & {"firefox", "firefox_only"}:
            return False
        if FIREFOX not in browsers and "firefox_only" in marks:
            return False
        wide = [mark.args for mark in item.iter_markers("wide")]
        return config.getoption("--wide") or not any(args == () or set(args) & set(browsers or ["chromium"]) for args in wide)

    chosen = {item: runs(item) for item in items}
    config.hook.pytest_deselected(items=[item for item in items if not chosen[item]])
    items[:] = [item for item in items if chosen[item]]
    items.sort(key=lambda item: "peers" in item.path.parts)  # a run out of time tries one page, not a match


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Notes whether a test has failed: no other one gets its pages."""
    report = yield
    item.stash[HAS_FAILED] = item.stash.get(HAS_FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the built site."""
    return site.built()


@pytest.fixture(scope="session")
def shared_server(built: Path) -> Iterator[Served]:
    """One server for all tests that do not stop it."""
    yield from serving(built, "/")


@pytest.fixture
def served(shared_server: Served) -> Served:
    """The site at the root of a host."""
    return shared_server


@pytest.fixture
def own_server(built: Path) -> Iterator[Served]:
    """A server of the test's own, to be stopped at will."""
    yield from serving(built, "/")


@pytest.fixture
def under_path(built: Path) -> Iterator[Served]:
    """The site under a path, as on a project's page."""
    yield from serving(built, "/games/tin/")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], browser_name: str) -> dict[str, Any]:
    if browser_name == FIREFOX:
        return {**browser_type_launch_args, **launch_arguments()}
    return {**browser_type_launch_args, "executable_path": str(chromium()), "args": [*FLAGS, *PEER_FLAGS, COMPILED_ONCE]}


@pytest.fixture
def pictures(pytestconfig: pytest.Config) -> Path:
    """The folder that ``--pictures`` names."""
    folder: Path = pytestconfig.getoption("--pictures")
    return folder


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """The context's settings; a test asks for others by the mark of this name."""
    return {**browser_context_args, "locale": "en-GB", "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def shared_pages(browser: Browser) -> Iterator[SharedPages]:
    """Pages that tests leave to each other."""
    made = SharedPages(browser)
    yield made
    made.close()


def shares(request: pytest.FixtureRequest) -> bool:
    """Whether a test takes pages that others have used."""
    marks = {mark.name for mark in request.node.iter_markers()}
    return "shares_pages" in marks and not marks & {"new_pages", "keeps_site"}


@pytest.fixture
def shared_page(
    request: pytest.FixtureRequest, shared_pages: SharedPages, browser_context_args: dict[str, Any], served: Served,
    heard: Heard,
) -> Iterator[Callable[[], Page]]:
    """``shared_page()``: another page at home, on a device of its own, that may have served other tests."""
    asked = next(request.node.iter_markers("browser_context_args"), None)
    arguments = {**browser_context_args, **(asked.kwargs if asked else {})}
    yield lambda: shared_pages.take(arguments, heard, served.address)
    shared_pages.give_back(heard, again=not request.node.stash.get(HAS_FAILED, False))


@pytest.fixture
def context(request: pytest.FixtureRequest) -> BrowserContext:
    """The context of the test's first page."""
    if shares(request):
        page: Page = request.getfixturevalue("page")
        return page.context
    new_context: Callable[[], BrowserContext] = request.getfixturevalue("new_context")
    made = new_context()
    heard: Heard = request.getfixturevalue("heard")
    heard.watch(made)
    return made


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Page:
    """The test's first page: a new one, blank; or one at home that it shares with others."""
    if shares(request):
        take: Callable[[], Page] = request.getfixturevalue("shared_page")
        return take()
    context: BrowserContext = request.getfixturevalue("context")
    return context.new_page()


@pytest.fixture(autouse=True)
def heard(request: pytest.FixtureRequest) -> Iterator[Heard]:
    """Nothing may be said in the console and nothing asked of another origin, in any test."""
    keeps_site = request.node.get_closest_marker("keeps_site") is not None
    found = Heard([], [], request.config.getoption("--slow"), keeps_site)
    yield found
    assert found.messages == []
    assert found.elsewhere == []


@pytest.fixture
def visit(page: Page, served: Served) -> Callable[..., Page]:
    """``visit("#/…")`` opens that address of the site and returns the page once Python is there."""
    def go(path: str = "", *, wait: bool = True) -> Page:
        page.goto(served.address + path)
        if wait:
            ready(page)
        return page

    return go


@pytest.fixture
def new_device(
    request: pytest.FixtureRequest, browser: Browser, browser_context_args: dict[str, Any], heard: Heard, served: Served,
) -> Iterator[Callable[..., Page]]:
    """``new_device("#/…")`` opens that address in a context of its own – another device as far as the site can tell – watched
    like the first, with camera and microphone allowed; the page, once Python is there. ``context=`` opens another page in
    one that is there already."""
    contexts: list[BrowserContext] = []
    take: Callable[[], Page] | None = request.getfixturevalue("shared_page") if shares(request) else None

    def opened(path: str = "#/", *, context: BrowserContext | None = None) -> Page:
        if context is None and take is not None:
            page = take()
            if path != "#/":
                page.goto(served.address + path)
            return page
        if context is None:
            context = device_context(browser, browser_context_args)
            contexts.append(context)
            heard.watch(context)
        page = context.new_page()
        page.goto(served.address + path)
        ready(page)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def altered_device(
    browser: Browser, browser_context_args: dict[str, Any], heard: Heard, new_device: Callable[..., Page],
) -> Iterator[Callable[[str], Page]]:
    """``altered_device(lines)``: a device whose worker among peers runs ``lines`` behind the site's own Python."""
    contexts: list[BrowserContext] = []

    def opened(lines: str) -> Page:
        context = device_context(browser, browser_context_args)
        contexts.append(context)
        heard.watch(context)

        def changed(route: Route) -> None:
            answer = route.fetch()
            assert answer.text() == (WEB / "workers" / "replica.py").read_text("utf-8")
            route.fulfill(response=answer, body=answer.text() + lines)

        context.route("**/files/replica.*.py", changed)  # before a page is there: its service worker asks, too
        return new_device(context=context)

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def chromium_beside(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium beside the browser under test."""
    launched = playwright.chromium.launch(executable_path=str(chromium()), args=[*FLAGS, *PEER_FLAGS, COMPILED_ONCE])
    yield launched
    launched.close()


@pytest.fixture
def turn() -> Iterator[TurnServer]:
    """A TURN server on loopback, which answers STUN, too."""
    made = TurnServer().start()
    yield made
    made.stop()


@pytest.fixture
def process(
    playwright: Playwright, heard: Heard, served: Served, tmp_path: Path,
) -> Iterator[Callable[..., Process]]:
    """``process("#/…")`` starts another Chromium and opens that address in it; ``profile`` names the folder it keeps its
    storage in, so that a browser that was killed may be started again."""
    running: list[Process] = []

    def started(path: str = "#/", *, profile: str = "") -> Process:
        folder = tmp_path / (profile or f"browser{len(running)}")
        port = folder / "DevToolsActivePort"
        port.unlink(missing_ok=True)
        program = subprocess.Popen(
            [str(chromium()), *FLAGS, *PEER_FLAGS, COMPILED_ONCE, "--headless=new", "--remote-debugging-port=0",
             "--no-default-browser-check", f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        until = time.monotonic() + PATIENCE / 1000
        while not (port.exists() and "/" in port.read_text()):
            assert program.poll() is None, "the browser ended at once"
            assert time.monotonic() < until, "the browser never said where it listens"
            time.sleep(0.05)
        number, where = port.read_text().split()
        browser = playwright.chromium.connect_over_cdp(f"ws://127.0.0.1:{number}{where}")
        context = browser.contexts[0]
        heard.watch(context)
        context.grant_permissions(["camera", "microphone"], origin=served.address)
        page = context.pages[0]
        made = Process(program, page)
        running.append(made)
        page.goto(served.address + path)
        ready(page)
        return made

    yield started
    for one in running:
        if one.program.poll() is None:
            one.wake()
        one.kill()


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """``axe(page)`` lists what axe-core finds wrong with the page as it stands: rule, and where. By lamplight, too, where the
    browser can be told: the scheme changes nothing but colours, so then their contrast alone is looked at."""
    source = (NODE_MODULES / "axe-core" / "axe.min.js").read_text("utf-8")

    def look(page: Page, **options: object) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(source)
        found = page.evaluate("(options) => axe.run(document, options)", {"resultTypes": ["violations"], **options})
        return [
            f"{violation['id']}: {', '.join(' '.join(map(str, node['target'])) for node in violation['nodes'])}"
            for violation in found["violations"]
        ]

    def check(page: Page) -> list[str]:
        if page.context.browser is not None and page.context.browser.browser_type.name == FIREFOX:
            return look(page)
        page.emulate_media(color_scheme="dark")
        dark = look(page, runOnly=["color-contrast"])
        page.emulate_media(color_scheme="light")
        return [*look(page), *(f"by lamplight, {wrong}" for wrong in dark)]

    return check
