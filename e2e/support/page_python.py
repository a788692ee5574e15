"""Python of a test's own inside the page: playing a table on, and the witness that walks it at every step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from e2e.support.site import eventually

HERE = Path(__file__).parents[1]
CODE = "\n".join(path.read_text("utf-8").replace("from __future__ import annotations\n", "")
                 for path in (HERE / "support" / "in_page" / "inside_page.py", *sorted(HERE.glob("games/*/in_page.py"))))


def get_inside(page: Page) -> None:
    """Run ``inside_page.py`` and what families add to it in the Python of ``page``, which must be ready."""
    page.evaluate("""(code) => {
        const script = document.createElement("script");
        script.type = "py";
        script.textContent = code;
        document.body.append(script);
    }""", "from __future__ import annotations\n" + CODE)
    page.wait_for_function("globalThis.inside !== undefined", polling=50)


def kept(page: Page) -> None:
    """Wait until everything that happened at the table is on disk: what is shown may be a moment ahead of it."""
    get_inside(page)
    eventually(page, "async () => JSON.parse(await tabletinStore.read(inside.name()))?.rows.length === inside.at()")


def play_on(page: Page, moves: int, *, seed: int = 1, seat: int = 0, asked: str = "", each: bool = False) -> str:
    """Let all seats play at random, ``moves`` moves and on until ``seat`` may act; "ready" or "over"."""
    return str(page.evaluate("([moves, seed, seat, asked, each]) => inside.play_on(moves, seed, seat, asked, each)",
                             [moves, seed, seat, asked, each]))


def watch(page: Page) -> None:
    """Look at the page after every drawing from now on."""
    page.evaluate("inside.watch()")


def seen(page: Page) -> dict[str, Any]:
    """What the witness saw: ``looks``, ``open``, ``wrong``, ``entries``, ``over``."""
    found: dict[str, Any] = json.loads(page.evaluate("inside.report()"))
    return found
