"""Plays a round at the table of dominoes as a person does: looks what is asked, and lays, draws or answers."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page

from e2e.support.tables import press

BAR = ".table-foot > .actions"
FITS = ".over > .piece.can-tap.is-legal:has(.name[aria-pressed])"
PLACE = ".spot.on-plane"
LAYING = {"tile": FITS, "place": PLACE}
MOST_STEPS = 500
QUICK_MATCH = {"set": 6, "target": 1}


def control(page: Page, key: str) -> Locator:
    return page.locator(f"{BAR} [data-key={key}]")


def waiting(page: Page) -> str:
    """Wait until something is asked of the person: the key of the button to press, "tile" and "place" to lay one, "result"
    at the end."""
    handle = page.wait_for_function("""([fits, place]) => {
        const keys = [...document.querySelectorAll(".table-foot > .actions .button")].map((each) => each.dataset.key);
        const found = ["result", "ready", "lead", "none", "pass"].find((key) => keys.includes(key));
        if (found) return found;
        if (!document.querySelector(".my-turn")) return "";
        if (document.querySelector(place)) return "place";
        if (document.querySelector(fits)) return "tile";
        return keys.includes("draw") ? "draw" : "";
    }""", arg=[FITS, PLACE])
    return str(handle.json_value())


def by_click(page: Page, what: str) -> None:
    """Press it, or lay the first domino that fits on the first of its places. Another seat may answer under
    the pointer: then there is nothing to press any more."""
    press(page.locator(LAYING[what]) if what in LAYING else control(page, what))


def play(page: Page, act: Callable[[Page, str], None], check: Callable[[], object]) -> str:
    """Play to the end of a round; "ready" or "result". Nothing that is done is counted on: what is asked is looked at anew."""
    for _ in range(MOST_STEPS):
        what = waiting(page)
        check()
        if what in ("ready", "result"):
            return what
        act(page, what)
    raise AssertionError("the round does not end")
