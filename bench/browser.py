"""The built site on a free port and a browser to measure it in, as every benchmark of the page needs them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from e2e.support.in_worker import RUN_IN_WORKER, run
from workshop import server, site
from workshop.chromium import FLAGS, chromium

READY = "document.documentElement.dataset.python === 'ready'"
PATIENCE = 60_000  # ms until Python is there, on a busy machine
ACTIVE = """
() => navigator.serviceWorker.ready.then(({ active }) => active.state === "activated"
  || new Promise((done) => active.addEventListener("statechange", done)))
"""


@contextmanager
def site_and_browser() -> Iterator[tuple[str, Browser]]:
    """The site's address and a browser; both are gone afterwards."""
    running = server.server(site.built(), port=0)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
            yield f"http://localhost:{running.server_port}/", browser
            browser.close()
    finally:
        running.shutdown()


def until(holds: Callable[[], Any], pause: float = 0.3) -> None:
    """Look every ``pause`` seconds until it holds, however long that takes."""
    while not holds():
        time.sleep(pause)


def until_ready(page: Page) -> None:
    """Wait until Python is there, which a touch hurries (web/page/delivery.js)."""
    page.evaluate("dispatchEvent(new Event('wheel'))")
    page.wait_for_function(READY, timeout=PATIENCE)


def settled(page: Page) -> None:
    """Wait until the site is kept on the page's device."""
    page.evaluate(ACTIVE)


def in_worker(address: str, browser: Browser, source: str, asked: str) -> Any:
    """What ``play(asked)`` of the Python ``source`` returns, run in a worker of a fresh page."""
    page = browser.new_page()
    page.set_default_timeout(5 * PATIENCE)  # what is measured is measured more than once
    page.goto(f"{address}#/")
    until_ready(page)
    try:
        return run(page, RUN_IN_WORKER.format(source=json.dumps(source), game=asked))
    finally:
        page.close()
