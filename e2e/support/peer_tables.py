"""Several browsers at one sealed match: bringing them there, playing on whichever has the turn, looking at what they hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from e2e.support.site import PATIENCE, ready
from tests.support.examples import ONE_DEAL, short

HALF = short(ONE_DEAL)  # a short match
SOURCE = (Path(__file__).parent / "in_page" / "peer_page.py").read_text("utf-8")


@dataclass
class Far:
    """A page that plays among peers."""

    page: Page
    author: str = ""

    def enter(self) -> Far:
        """Run the test's own Python in the page; after a reload, again."""
        self.page.evaluate("""code => {
            const script = document.createElement('script');
            script.type = 'py';
            script.textContent = code;
            document.body.append(script);
        }""", SOURCE)
        self.page.wait_for_function("document.documentElement.dataset.far")
        return self

    def open(self) -> Far:
        self.author = self.enter().do("open_links")
        assert len(self.author) == 64, self.author
        return self

    def reload(self) -> None:
        """The page is loaded anew at the table; whoever sits there waits until it may act again."""
        self.page.reload()
        ready(self.page)
        self.enter()
        self.table()
        self.until("state.ready")

    def do(self, name: str, *arguments: Any) -> Any:
        return self.page.evaluate("([name, ...rest]) => far[name](...rest)", [name, *arguments])

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.do("state"))
        return found

    def until(self, condition: str, given: Any = None, *, patience: int = PATIENCE) -> None:
        """Wait until ``condition`` (JavaScript, of ``state`` and ``given``) holds."""
        self.page.wait_for_function(f"given => {{ const state = JSON.parse(far.state()); return {condition}; }}",
                                    arg=given, timeout=patience, polling=50)

    def table(self) -> None:
        """Wait until the table stands."""
        expect(self.page.locator(".table-screen .stage")).to_be_visible()


def reload_at_once(fars: Sequence[Far]) -> None:
    """All pages are loaded anew at the table, before any of them is there again."""
    for far in fars:
        far.page.evaluate("location.reload()")
    for far in fars:
        ready(far.page)
        far.enter()
        far.table()


def connect(host: Far, *guests: Far) -> None:
    """By invite and reply; then everybody is linked with everybody."""
    for guest in guests:
        reply = guest.do("answer", host.do("invite"))
        assert host.do("accept", reply) == guest.author
        assert guest.do("connected") == host.author
    for far in (host, *guests):
        far.page.wait_for_function("count => far.linked() === count", arg=len(guests), timeout=PATIENCE, polling=50)


def by_fresh_code(host: Far, guest: Far) -> None:
    """Where the links do not come back by themselves: one fresh code brings them back; nothing where they did."""
    guest.page.wait_for_function("far.adopt_links()", timeout=PATIENCE, polling=100)
    try:
        guest.page.wait_for_function("far.linked() > 0", timeout=6_000, polling=100)
    except PlaywrightTimeout:
        reply = guest.do("answer", host.do("invite"))
        assert host.do("accept", reply) == guest.do("own_author")


def deal(fars: Sequence[Far], game: str, options: dict[str, Any] | None = None, nonce: str = "",
         chairs: Sequence[tuple[int, str, str, str]] | None = None) -> str:
    """Everybody sits down; the id of the match. ``chairs``: (whose device, name, kind, level), one person a device if None."""
    seats = chairs or [(number, f"Player {number + 1}", "person", "") for number in range(len(fars))]
    asked = {"game": game, "options": options or {}, "nonce": nonce or uuid4().hex,
             "chairs": [[fars[number].author, name, kind, level] for number, name, kind, level in seats]}
    genesis = fars[0].do("found", json.dumps(asked))
    names = {far.do("sit", genesis) for far in fars}
    assert len(names) == 1
    for far in fars:
        far.table()
    return str(names.pop())


def agree(fars: Sequence[Far]) -> None:
    """Wait until everybody holds the same log and nothing is being dealt."""
    for far in fars:
        far.until("state.requests === 0 && !state.playing")
    longest = max(far.state["entries"] for far in fars)
    for far in fars:
        far.until("state.entries >= given", longest)
    assert len({far.state["head"] for far in fars}) == 1


def to_the_end(fars: Sequence[Far]) -> None:
    """Everybody plays by chance until the match is over; all hold the same log, and nobody is accused."""
    for number, far in enumerate(fars):
        far.do("play", number, 100)
    for far in fars:
        far.until("state.over", patience=3 * PATIENCE)
    agree(fars)
    assert all(far.state["accused"] == [] for far in fars)


def two(new_device: Callable[..., Page], game: str = ONE_DEAL, options: dict[str, object] | None = None) -> list[Far]:
    """Two browsers at one table, dealt."""
    fars = [Far(new_device()).open(), Far(new_device()).open()]
    connect(*fars)
    deal(fars, game, HALF if game == ONE_DEAL and options is None else options)
    for far in fars:
        far.until("state.requests === 0 && state.entries > 3")
    return fars
