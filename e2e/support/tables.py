"""Sitting down at a table in the browser: starting a match, waiting for one's turn, what lies in the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from e2e.support.shared_pages import is_shared, set_up
from tabletin.app.session.seeded_dealer import dealer_for
from tabletin.kernel.faces import Faces
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tabletin.words.wording import Wording

WORDS = load()
THINKING, WHOLE = (WORDS.text(f"table.{key}") for key in ("hint.thinking", "offer.hint_turn"))
QUICK = json.dumps({"pace": "instant", "own_taps": True, "sound_asked": True})
RESTING = """(one) => new Promise((resolve) => {
    let last = "", same = 0;
    const look = () => {
        const box = one.getBoundingClientRect();
        const now = [box.x, box.y, box.width, box.height].join();
        same = now === last ? same + 1 : 0;
        last = now;
        if (same < 3) requestAnimationFrame(look);
        else resolve({ x: box.x, y: box.y, width: box.width, height: box.height });
    };
    document.fonts.ready.then(look);
})"""


def settings(page: Page, stored: str) -> None:
    """``page`` opens with these settings from now on. (A page about:blank has no storage.)"""
    if is_shared(page):
        set_up(page, stored)
        return
    page.add_init_script(f"try {{ localStorage.setItem('tabletin.settings', {json.dumps(stored)}) }} catch {{}}")


def begin(visit: Callable[..., Page], page: Page, game: str, **asked: object) -> Page:
    """A new match of ``game`` with bots that do not wait, begun as a link asks for it."""
    return begin_with(QUICK, visit, page, game, **asked)


def begin_with(stored: str, visit: Callable[..., Page], page: Page, game: str, **asked: object) -> Page:
    """A new match of ``game`` with the settings ``stored``."""
    settings(page, stored)
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    visit(f"#/{game}/new?{query}")
    page.locator("form.newmatch button[type=submit]").click()
    expect(page.locator(".table-screen .stage")).to_be_visible()
    return page


def begin_guide(page: Page, visit: Callable[..., Page], game: str, stored: str = QUICK) -> None:
    """From the new-match page, by its offer, with the settings ``stored``."""
    settings(page, stored)
    visit(f"#/{game}/new")
    page.locator("#first-time a").click()
    expect(page.locator(".table-screen .stage")).to_be_visible()


def my_turn(page: Page) -> bool:
    """Wait until the person may act (True) or the match is over (False)."""
    page.wait_for_selector(".table-screen.my-turn, .actions [data-key=result]")
    return page.locator(".actions [data-key=result]").count() == 0


def told(page: Page) -> str:
    """All that was announced: what is asked for before an act, to wait for what comes of it."""
    return page.locator(".spoken").inner_text()


def news(page: Page, before: str) -> None:
    """Wait until more was announced than ``before``; bots need not have had their say."""
    page.wait_for_function("before => document.querySelector('.spoken').innerText !== before", arg=before, polling=50)


def press(target: Locator) -> bool:
    """Click the first of them at once, if there is one: a bot may take a button away under the pointer."""
    return bool(target.evaluate_all("""(found) => {
        found[0]?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
        return found.length > 0;
    }"""))


def ask_for_all(page: Page) -> None:
    """Ask for a hint, and for more, until the whole turn is laid out."""
    hint, note = page.locator("[data-key=hint]"), page.locator(".note")
    for _ in range(12):
        before = note.inner_text()
        hint.dispatch_event("click")
        page.wait_for_function("""([before, thinking]) => {
            const now = document.querySelector(".note").innerText;
            return now !== before && now !== thinking;
        }""", arg=[before, THINKING], polling=50)
        if hint.count() == 0:  # all of it is shown
            return
        if hint.inner_text() == WHOLE:
            break
    hint.dispatch_event("click")


def do_as_hinted(page: Page) -> None:
    """Ask for a hint and do what it lays out. Where no card fits, "Trade cards" is a primary button before it has come.

    Pressed as by a screen reader: when news comes, buttons take no tap for a moment, and keys go where the focus moves.
    """
    ask_for_all(page)
    page.locator(".actions .primary:is([data-key=play], [data-key=do_trade])").dispatch_event("click")


def resting(target: Locator) -> dict[str, float]:
    """Where it lies – x, y, width, height – once it lies still: letters that arrive late move a table."""
    found: dict[str, float] = target.evaluate(RESTING)
    return found


def middle(target: Locator) -> tuple[float, float]:
    """The middle of where it comes to rest."""
    box = resting(target)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(page: Page, piece: Locator, place: Callable[[], tuple[float, float]]) -> None:
    """Drag ``piece`` to ``place``, a point of the page that is looked for once the piece is in the air."""
    held = resting(piece)
    page.mouse.move(held["x"] + 14, held["y"] + 12)
    page.mouse.down()
    page.mouse.move(held["x"] + 14, held["y"] - 20, steps=3)
    page.mouse.move(*place(), steps=6)
    page.mouse.up()


def dealt(game: str, seats: int, seed: int, options: dict[str, Any] | None = None) -> Faces:
    """Every face of a match begun with ``seed``, as long as nothing is shuffled again."""
    setup = Setup(game, rules_of(game).version, options or {},
                  tuple(Seat("person", AUTHOR, f"{seat}") for seat in range(seats)), extra={"seed": seed})
    return Table.begin(rules_of(game), setup, dealer_for(setup)).match.knowledge


def as_drawn(page: Page, markups: list[str]) -> dict[str, str]:
    """Each of ``markups``, the inside of a picture, as the browser spells it."""
    spelled: list[str] = page.evaluate("""(markups) => markups.map((markup) => {
        const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        svg.innerHTML = markup;
        return svg.innerHTML;
    })""", markups)
    return dict(zip(markups, spelled, strict=True))


class Eyes:
    """Watches that no face gets into the page that the person may not know. ``look`` after each act."""

    def __init__(self, page: Page, game: str, faces: Faces) -> None:
        self.page = page
        art = GAMES[game].module("art")
        wording = Wording(WORDS, Setup(game, 1, {}, ()))
        self.names = {card: wording.face(face) for card, face in faces.items()}
        drawn = as_drawn(page, list(dict.fromkeys(art.front(face) for face in faces.values())))
        self.drawings = {card: drawn[art.front(face)] for card, face in faces.items()}
        self.seen: set[int] = set()

    def look(self) -> int:
        """Check the page as it is; how many cards lie open in it."""
        pieces, public, page = self.page.evaluate("""() => {
            const cards = [...document.querySelectorAll(".piece[data-key]")].filter((piece) => /^c\\d+$/.test(piece.dataset.key));
            const screen = document.querySelector(".table-screen");
            return [cards.map((piece) => [Number(piece.dataset.key.slice(1)),
                    piece.querySelector(".name").getAttribute("aria-label") ?? "", piece.querySelector("svg").innerHTML]),
                screen.querySelector(".spoken").innerText, screen.outerHTML];
        }""")  # all at one moment: bots go on playing
        showing = set()
        for card, label, drawing in pieces:
            if drawing == self.drawings[card]:
                assert self.names[card] in label, f"{label} is drawn as {self.names[card]}"
                showing.add(card)
            else:
                assert drawing not in self.drawings.values(), f"card {card} shows a face that is not its own"
        self.seen |= showing
        known = {self.names[card] for card in self.seen}
        for card, name in self.names.items():
            if name not in known and name not in public:
                assert name not in page, f"{name} (card {card}) is hidden and in the page"
        return len(showing)


def focus_is_kept(page: Page) -> None:
    """The keyboard is somewhere, or comes there by itself: it is not lost in the body of the page."""
    page.wait_for_function("document.activeElement !== document.body")


def tab_to(page: Page, selector: str) -> None:
    """Walk by Tab to what ``selector`` finds, once it is there."""
    page.wait_for_selector(f"{selector}:visible")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")
