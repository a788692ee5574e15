"""The site as such: it starts, needs no network after one visit, lives under any path, and its worker thinks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e.support.rooms import python
from e2e.support.site import Served, kept_offline, ready, serving
from tests.support.examples import ONE_DEAL
from workshop.packing import WAYS, smallest
from workshop.paths import ROOT

MOST_BYTES = 6_000_000


@pytest.mark.firefox
def test_home_is_there_before_python(page: Page, served: Served) -> None:
    page.route("**/*.wasm", lambda route: None)  # never arrives
    page.goto(served.address, wait_until="domcontentloaded")
    expect(page.locator("#home h1")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.python") is None


@pytest.mark.keeps_site
def test_python_starts(visit: Callable[..., Page]) -> None:
    page = visit()
    assert page.evaluate("document.documentElement.dataset.python") == "ready"


def test_python_switches_no_stacks_on_which_a_page_can_crash(visit: Callable[..., Page]) -> None:
    page = visit()
    python(page, "import pyodide_js\nfrom js import document\n"
                 "document.documentElement.dataset.switches = str(pyodide_js._module.jspiSupported)")
    expect(page.locator("html")).to_have_attribute("data-switches", "False")


@pytest.mark.firefox
@pytest.mark.keeps_site
def test_under_a_path(page: Page, under_path: Served) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(under_path.address)
    ready(page)
    kept_offline(page)
    assert asked
    assert [url for url in asked if not url.startswith((under_path.address, "blob:", "data:"))] == []


@pytest.mark.firefox
@pytest.mark.keeps_site
def test_offline_after_one_visit(page: Page, own_server: Served, context: BrowserContext) -> None:
    page.goto(own_server.address)
    ready(page)
    kept_offline(page)
    page.close()
    own_server.stop()
    later = context.new_page()
    later.goto(own_server.address)
    ready(later)
    expect(later.locator("#home h1")).to_be_visible()


def says_what_to_run(browser: Browser, address: str) -> None:
    """Opens ``address`` in a context of its own: a page that was not built has scripts that cannot run."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_text("run python3 serve.py in its folder")).to_be_visible()
    context.close()


def test_opened_from_the_repository_it_says_what_to_run(browser: Browser, page: Page, served: Served) -> None:
    says_what_to_run(browser, (ROOT / "index.html").as_uri())
    for repository in serving(ROOT, "/"):
        says_what_to_run(browser, f"{repository.address}index.html")
    page.goto(served.address)
    assert page.get_by_text("serve.py").count() == 0
    ready(page)


COUNT_WORKERS = """
window.workersReady = 0;
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => { if (data === "polyscript:done") window.workersReady += 1; });
  }
};
"""


@pytest.mark.firefox
def test_worker_starts_without_isolation_and_quietly(page: Page, visit: Callable[..., Page]) -> None:
    page.add_init_script(COUNT_WORKERS)
    visit(f"#/{ONE_DEAL}/new")
    assert page.evaluate("crossOriginIsolated") is False
    page.wait_for_function("window.workersReady === 1")


def test_the_whole_site_is_at_most_six_megabytes(built: Path) -> None:
    """As it goes over the wire on a first visit: everything that the service worker keeps, packed where servers pack."""
    sizes = {}
    worker = (built / "service-worker.js").read_text("utf-8")
    kept = json.loads(worker.partition("const FILES = ")[2].partition(";\n")[0])
    spare = json.loads(worker.partition("const SPARE = ")[2].partition(";\n")[0])
    assert len(spare) == 2, "the whole archives, for a start anew"
    copies = tuple(suffix for suffix, _ in WAYS.values())
    left_out = [path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()
                and path.relative_to(built).as_posix() not in kept and not path.name.endswith(copies)]
    known = ("hashed.json", ".nojekyll", "service-worker.js", *spare)
    assert all(name in known or name.startswith("files/rules-") for name in left_out)
    for path in [*(built / name for name in kept), built / "service-worker.js"]:
        if path.is_file():
            data = path.read_bytes()
            sizes[path.relative_to(built).as_posix()] = len(smallest(path, data))
    assert len(sizes) > 20 and sum(sizes.values()) > 3_000_000, "all of it was weighed"
    assert sum(sizes.values()) <= MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])[:8]
