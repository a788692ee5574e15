"""A new version waits until no match is open in any tab, and until the page asks for it (docs/offline.md)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from e2e.support.site import Served, eventually, kept_offline, ready, serving

HOLD = """new Promise((held) => navigator.locks.request("tabletin-match", { mode: "shared" }, () => {
  held(true);
  return new Promise((release) => { window.release = release; });
}))"""
LOOK = "navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => true)"
pytestmark = pytest.mark.keeps_site


@pytest.fixture
def changing(built: Path, tmp_path: Path) -> Iterator[Served]:
    """A copy of the site that the test may change while it is served."""
    folder = tmp_path / "site"
    shutil.copytree(built, folder)
    yield from serving(folder, "/")


def release(folder: Path) -> None:
    """Puts a new version in place: another page, and a service worker that says so."""
    page = folder / "index.html"
    page.write_text(page.read_text("utf-8").replace("<html ", '<html data-release="second" '), "utf-8")
    worker = folder / "service-worker.js"
    text = worker.read_text("utf-8")
    kept = json.loads(text.split("const FILES = ")[1].split(";")[0])
    text = text.replace(kept["index.html"], "0" * 16).replace('const VERSION = "', 'const VERSION = "second ')
    worker.write_text(text, "utf-8")


def shown(page: Page) -> object:
    return page.evaluate("document.documentElement.dataset.release ?? 'first'")


def test_new_version_waits_for_the_match(page: Page, changing: Served, context: BrowserContext) -> None:
    page.goto(changing.address)
    ready(page)
    kept_offline(page)
    page.reload()
    ready(page)
    playing = context.new_page()
    playing.goto(changing.address)
    ready(playing)
    assert playing.evaluate(HOLD)

    release(changing.folder)
    assert page.evaluate(LOOK)
    page.wait_for_function("tabletin.update.waiting")
    assert page.evaluate("tabletin.update.apply()") is False
    page.reload()
    ready(page)
    assert shown(page) == "first"

    playing.evaluate("window.release()")
    eventually(playing, "async () => (await navigator.locks.query()).held.length === 0")
    page.wait_for_function("tabletin.update.waiting")
    with page.expect_navigation():  # which may be quicker than an answer would be
        page.evaluate("() => { tabletin.update.apply().then((done) => { sessionStorage.done = done; }); }")
    ready(page)
    assert page.evaluate("sessionStorage.done") == "true"
    assert shown(page) == "second"
