"""Python run in the page, and in a worker that the page starts."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

DONE = "document.documentElement.dataset.sealed"
RUN_IN_WORKER = """
import json
from js import Blob, URL, document
from pyodide.ffi import to_js
from pyscript import config
from tabletin.app.browser.workers import absolute, start_worker
source = json.loads({source!r})
address = URL.createObjectURL(Blob.new(to_js([source])))
worker = await start_worker(address, config, sodium=absolute(config["tabletin"]["modules"]["sodium"]))
result = await worker.sync.play({game!r})
document.documentElement.dataset.sealed = json.dumps(list(result))
worker.terminate()
"""


def begin(page: Page, code: str) -> None:
    """Let the page run Python."""
    page.evaluate("""code => {
        const script = document.createElement('script');
        script.type = 'py';
        script.textContent = code;
        document.body.append(script);
    }""", code)


def run(page: Page, code: str) -> Any:
    """Run Python in the page; what it left as its result."""
    begin(page, code)
    page.wait_for_function(DONE, polling=50)
    return json.loads(page.evaluate(DONE))
