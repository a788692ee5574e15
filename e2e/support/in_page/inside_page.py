"""Runs inside the page of a test, in the app's own Python: plays a table on, and watches that no face is drawn or named there
which its reader may not know.

``e2e.support.page_python`` puts it into the page; the site knows nothing of it. What is known comes from the session's views,
what is drawn and said from the page itself, both at one moment.
"""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import js
import pyodide_js
from pyscript import ffi, window

from tabletin.app.main import app as running
from tabletin.app.session.bot_driver import BotDriver
from tabletin.app.table.screen import TableScreen
from tabletin.bots.determinize import deal_on
from tabletin.registry import GAMES

DRAWINGS: dict[str, Callable[[], list[tuple[str, str]]]] = {}
"""By family: in what other ways its table draws faces, each with its markup. ``e2e/games/<family>/in_page.py`` adds to it."""
ASKED: dict[str, Callable[[Any], Iterable[str]]] = {}
"""By family: of a match, the faces that its table asks for by name, whoever holds them."""
EXAMPLES: dict[str, Callable[[str], bool]] = {}
"""By family: whether the piece with this key is a picture by way of example, and no card of the match."""
PLAIN_NAMES: set[str] = set()
"""Families whose faces are called by words that much else is called by, so that a page may hold them."""

DRAWN = """() => {
    const screen = document.querySelector(".table-screen");
    const cards = [...screen.querySelectorAll(".piece")];
    const general = screen.querySelector(".leaf:last-of-type")?.outerHTML ?? "";  // what counts, not who holds it
    return JSON.stringify([
        cards.map((piece) => [piece.dataset.key ?? "", piece.querySelector("svg").innerHTML, piece.querySelector(".name") ?
            [...piece.querySelector(".name").attributes].filter(({ name }) => name !== "tabindex")
                .map(({ value }) => value).join(" ") : ""]),
        screen.outerHTML.replace(general, "")
            .replaceAll(/<svg[^]*?<[/]svg>/g, "").replaceAll(/data-colour="[^"]*"/g, ""), document.title]);
}"""
NORMAL = """(markup) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.innerHTML = markup;
    return svg.innerHTML;
}"""
MOST = 600  # moves after which a wanted moment is given up
LONG_NAME = 5  # letters of a face's name that can be looked for among other words


DRIVE = BotDriver.drive
opened: list[Any] = []
WATCHED_ACTS = ("draw", "show_news")
plain: dict[str, Any] = {}  # what they were before they were watched


def session() -> Any:
    """The match that is open, or was last."""
    here = getattr(running.app.screen, "session", None)  # type: ignore[union-attr]
    if here is not None:
        opened[:] = [here]
    return opened[0]


def hold() -> None:
    """Bots think no more."""
    here = session()
    here._bots.stop()
    here._bots.drive = lambda: None


async def play_on(moves: int, seed: int, seat: int, asked: str, each: bool) -> str:
    """Let everybody play at random, ``moves`` moves and on until ``seat`` may act (-1: whoever) and ``asked`` holds of the state
    ("phase=play"); bots think no more. All of it is on disk on return, and none of it is told. ``each``: the page is drawn after
    each move. Returns "over" or "ready".
    """
    here = session()
    hold()
    rng = Random(seed)
    table = here.table
    attribute, _, value = asked.partition("=")
    found = "over"
    for count in range(moves + MOST):
        match = table.match
        acting = match.rules.to_act(match.state)
        if not acting:
            break
        fits = not attribute or str(getattr(match.state, attribute)) == value
        if count >= moves and (seat in acting or seat < 0) and fits:
            found = "ready"
            break
        one = rng.choice(acting)
        here.persistence.add(table.move(one, match.rules.random_move(match.state, one, match.view((one,)).faces, rng)))
        if each:
            here.publish()
            await asyncio.sleep(0.002)
    here.publish()
    await here._save()  # else what is made later would lie behind a gap
    await asyncio.sleep(0.002)
    return found


def still(is_still: bool) -> None:  # called from JavaScript
    """Whether the bots of matches that are opened from now on do not think: what happens is up to ``play_aloud`` alone."""
    BotDriver.drive = (lambda _driver: None) if is_still else DRIVE  # type: ignore[method-assign, assignment]


async def play_aloud(moves: int, seed: int) -> str:
    """Let everybody play at random, ``moves`` moves and on until seat 0 may act; each move is told before the next is made.
    -1: to the end, of which all is told at once. Returns "over" or "ready"."""
    here, updates = session(), running.app.screen.table.updates  # type: ignore[union-attr]
    rng = Random(seed)
    for count in range(moves + MOST):
        match = here.table.match
        acting = match.rules.to_act(match.state)
        is_ready = count >= moves >= 0 and 0 in acting
        if not acting or is_ready or (moves >= 0 and count):
            here.publish()
            while updates.is_due or updates.is_speaking:
                await asyncio.sleep(0.002)
        if not acting or is_ready:
            break
        one = rng.choice(acting)
        here._grow(here.table.move(one, match.rules.random_move(match.state, one, match.view((one,)).faces, rng)))
    return "ready" if acting else "over"


async def play_to_last(seed: int) -> Callable[[], None]:
    """Let everybody play at random until the next move would be the last of the match; none of it is told. Returns what makes
    that move, which is told."""
    hold()
    here, rng = session(), Random(seed)
    while True:
        match = here.table.match
        one = rng.choice(match.rules.to_act(match.state))
        move = match.rules.random_move(match.state, one, match.view((one,)).faces, rng)
        after = match.state.copy()
        match.rules.make(after, one, move, known := match.knowledge.copy())
        deal_on(match.rules, after, known, rng)
        if not match.rules.to_act(after):
            break
        here.persistence.add(here.table.move(one, move))
    here.publish()
    await here._save()
    await asyncio.sleep(0.002)

    def make() -> None:
        here._grow(here.table.move(one, move))
        here.publish()

    return make


class Witness:
    """Looks at the page each time it has been drawn. ``wrong``: what may not stand there; ``looks``: how often it looked."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.looks = 0
        self.within = 0  # acts under way
        self.open = 0  # cards that lay open, over all looks
        self.told: set[str] = set()  # names that some reader has known here, or everybody at any time
        self.heard = 0  # entries of which it knows what they opened
        self.readers: tuple[int, ...] | None = None
        self.drawn = js.eval(DRAWN)
        self.normal = js.eval(NORMAL)
        self.faces: dict[str, Any] = {}  # markup as the page has it → face
        self.game = ""

    def drawings(self, game: str) -> None:
        """What every face looks like in the page."""
        art = GAMES[game].module("art")
        self.game = game
        self.faces = {}
        for face in {face for faces in (session().match.rules.deck(),) for face in faces}:
            self.faces[str(self.normal(art.front(face)))] = face
        for face, markup in DRAWINGS.get(GAMES[game].family, list)():
            self.faces[str(self.normal(markup))] = face

    def look(self, screen: Any) -> None:
        """Compare the page with what its readers know now."""
        match, game = screen.session.match, screen.session.match.setup.game
        if game != self.game:
            self.drawings(game)
        self.looks += 1
        viewpoint = screen.viewpoint
        known = viewpoint.view().faces
        if screen.session.readers != self.readers:
            self.readers = screen.session.readers
            self.told = {screen.session.wording.face(face) for _, past, _ in match.story() for face in past.public.values()}
            self.heard = 0
        name = screen.session.wording.face
        self.told |= {name(face) for face in match.view(self.readers).faces.values()}
        self.told |= {name(face) for face in match.state.public.values()}
        self.told |= {name(face) for face in known.values()}
        self.told |= {name(face) for face in ASKED.get(GAMES[game].family, lambda _: ())(match)}
        for entry in match.entries[self.heard:]:  # what an act opens may be shuffled again before anybody looks
            self.told |= {name(face) for _, face, *_ in entry.statement.body.get("open", ())}
        self.heard = len(match.entries)
        for markup in js.document.querySelectorAll(".leaf svg"):
            face = self.faces.get(str(markup.innerHTML))
            if face is not None and name(face) not in self.told:
                self.wrong.append(f"{face} is drawn beside the table")
        pieces, html, title = json.loads(str(self.drawn()))
        for key, markup, label in pieces:
            face = self.faces.get(markup)
            card = int(key[1:]) if key[:1] == "c" and key[1:].isdigit() else None
            if face is not None:
                self.open += 1
                is_example = GAMES[game].family in EXAMPLES and EXAMPLES[GAMES[game].family](key)
                if card is None and not is_example and name(face) not in self.told:  # what was shown once may be drawn again
                    self.wrong.append(f"a piece {key!r} shows {face}")
                elif card is not None and known.get(card) != face:
                    self.wrong.append(f"card {card} is drawn as {face}")
            if card is not None and card not in known and card in match.knowledge:
                hidden = name(match.knowledge[card])
                if hidden not in self.told and hidden in label:
                    self.wrong.append(f"card {card} is called {label}")
        for face in set() if GAMES[game].family in PLAIN_NAMES else set(self.faces.values()):
            word = name(face)
            if len(word) >= LONG_NAME and word not in self.told and (word in html or word in title):
                self.wrong.append(f"{word} stands in the page, and nobody here knows it")


witness = Witness()


def watched(act: Callable[..., None], screen_of: Callable[[Any], Any]) -> Callable[..., None]:
    """``act``, and a look when the outermost act is done: what a telling draws is seen when all of it has been told."""
    def acted(self: Any, *given: Any, **named: Any) -> None:
        witness.within += 1
        try:
            act(self, *given, **named)
        finally:
            witness.within -= 1
        screen = screen_of(self)
        if not witness.within and screen.frame.isConnected and getattr(screen, "updates", None) is not None:
            witness.look(screen)

    return acted


def watch() -> None:
    """From now on look at the page after every drawing and every telling."""
    plain.update({name: getattr(TableScreen, name) for name in WATCHED_ACTS if name not in plain})
    TableScreen.draw = watched(TableScreen.draw, lambda screen: screen)  # type: ignore[method-assign]
    TableScreen.show_news = watched(TableScreen.show_news, lambda screen: screen)  # type: ignore[method-assign]


def end() -> None:
    """Look no more."""
    for name, act in plain.items():
        setattr(TableScreen, name, act)


def report() -> str:
    """What was seen, as JSON, and how the match stands."""
    here = session()
    found: dict[str, Any] = {"looks": witness.looks, "open": witness.open, "wrong": witness.wrong[:10],
                             "entries": len(here.match.entries), "over": here.match.outcome is not None}
    if found["over"]:
        outcome = here.match.outcome
        found |= {"won": [here.wording.seat(seat) for seat in outcome.winners], "scores": list(outcome.scores),
                  "low_wins": outcome.low_wins}
    return json.dumps(found)


def at() -> int:
    """How many entries the match has."""
    return len(session().match.entries)


def name() -> str:
    """How the match is called on this device."""
    return str(session().id)


def say(sentence: str) -> None:
    """Have the line beside the hand say ``sentence``."""
    running.app.screen.table.note.say(sentence)  # type: ignore[union-attr]


def collect() -> Any:
    """Living Python objects after a collection, and the bytes of Python's memory."""
    gc.collect()
    return ffi.to_js([len(gc.get_objects()), int(pyodide_js._module.HEAP8.byteLength)])


def tamper() -> None:
    """Put the face of a hidden card where nobody may see it, drawn and in words, and look."""
    screen = running.app.screen.table  # type: ignore[union-attr]
    match = screen.session.match
    known = screen.viewpoint.view().faces
    names = {screen.session.wording.face(face) for face in known.values()}
    witness.drawings(match.setup.game)
    hidden = next(card for card, face in match.knowledge.items()
                  if card not in known and screen.session.wording.face(face) not in names)
    face = match.knowledge[hidden]
    markup = next(markup for markup, one in witness.faces.items() if one == face)
    piece = js.document.querySelector(".piece[data-key]")
    piece.querySelector("svg").innerHTML = markup
    js.document.querySelector(".table-screen").setAttribute("title", screen.session.wording.face(face))
    witness.look(screen)


window.inside = ffi.to_js({act.__name__: act for act in (
    play_on, still, play_aloud, play_to_last, watch, report, at, name, say, tamper, hold, collect, end)})
