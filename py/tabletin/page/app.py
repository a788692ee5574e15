"""The shell in the browser: finds the screen of an address, paints it, passes on what is tapped, keeps small texts.

The only module of the shell that touches the document; screens are pure. It knows no game and no rule.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import js
from pyodide.ffi import JsException, create_proxy, to_js
from pyscript import config as site

from tabletin.games import GAMES
from tabletin.words import SOURCE, languages, load

from .home import played_list, still, waiting_list
from .markup import bar, link, trouble
from .routes import SCREENS, Route, parse
from .screen import Screen
from .settings import KEPT_AS, Settings
from .shelf import Record
from .store import BrowserClaims, BrowserShelf

if TYPE_CHECKING:
    from tabletin.kernel.log import Hash
    from tabletin.kernel.setup import Setup
    from tabletin.peers.net import Net

    from .bots import WorkerBots
    from .meeting import Meeting
    from .opened import Opened, Surroundings
    from .peering import Peering

WAITING: Final = "tabletin.waiting"
HOME: Final = "tabletin.home"
KEPT: Final = "tabletin."

document: Final = js.document
window: Final = js.window


class App:
    """The running page: a ``screen.Shell``."""

    def __init__(self) -> None:
        self.route = Route("home")
        self.screen: Screen | None = None
        self.version = str(site.get("tabletin", {}).get("version", ""))
        self.settings = Settings.from_json(self.recall(KEPT_AS))
        self.words = load(self.language())
        self.shelf = BrowserShelf()
        self.claims = BrowserClaims()
        self._around: Surroundings | None = None
        self._bots: WorkerBots | None = None
        self._peering: asyncio.Future[Peering] | None = None
        self._home = document.getElementById("home")
        self._root = document.getElementById("screen")
        self._session: Opened | None = None
        self.met: Meeting | None = None
        self._turn = 0
        self.came_from = ""
        self._here = ""
        self._fresh = True  # the screen is about to paint for the first time
        self._work: set[asyncio.Task[Any]] = set()

    @property
    def bots(self) -> WorkerBots:
        """The bots' worker; it starts when it is first asked."""
        from .bots import WorkerBots
        self._bots = self._bots or WorkerBots(site)
        return self._bots

    def stay_awake(self, wanted: bool) -> None:
        js.tabletinStore.awake(wanted)

    async def peering(self) -> Peering:
        """This device among others: its worker starts when it is first asked for, once a page."""
        from .peering import Peering
        if self._peering is None:
            self._peering = asyncio.ensure_future(Peering.begun(site))
        return await asyncio.shield(self._peering)

    @property
    def meeting(self) -> Meeting:
        """The room with friends far away that this page is in, if it is."""
        from .meetinghere import meeting_of
        self.met = self.met or meeting_of(self)
        return self.met

    @property
    def around(self) -> Surroundings:
        """What sessions stand on: made on first need, because a start that waits for it is a slow one."""
        from .opened import Surroundings
        self._around = self._around or Surroundings(self.shelf, self.claims, self.bots, self.words,
                                                    lambda: self.settings.seconds, self.trouble)
        return self._around

    def language(self) -> str:
        """The catalogue's language that was chosen, or the first of the browser's that there is."""
        chosen = self.settings.language
        wanted = [chosen] if chosen else [str(tag) for tag in window.navigator.languages]
        here = languages()
        return next((code for tag in wanted for code in (tag, tag.split("-")[0]) if code in here), here[0])

    def listen(self) -> None:
        """Hear the page's taps, changes and addresses from now on."""
        for kind, heard in (("click", self._clicked), ("change", self._changed), ("input", self._typed),
                            ("submit", self._submitted)):
            document.body.addEventListener(kind, create_proxy(heard))
        window.addEventListener("hashchange", create_proxy(lambda _event: self.follow()))
        window.addEventListener("tabletin:update", create_proxy(lambda _event: self.offer_update()))

    # ---- where we are ----

    def follow(self) -> None:
        """Show what the address says. An address that is none (a place within a page) changes nothing."""
        text = str(window.location.hash)
        if text and not text.startswith(("#/", "#join=", "#reply=")):
            return
        self.later(self._show(parse(text)))

    async def _show(self, route: Route) -> None:
        self._turn += 1
        turn = self._turn
        if self.screen is not None:
            if self.screen.asked_again(route):
                self.route = route
                return
            self.screen.close()
            self.screen = None
        self.came_from, self._here = self._here, str(window.location.hash)
        self.route = route
        kind = getattr(import_module(f"tabletin.page.{route.screen}"), SCREENS[route.screen])
        screen: Screen = kind(self, route)
        self.screen = screen
        if route.screen == "home":
            self._show_home()
        self._fresh = True
        try:
            await screen.open()
        except Exception:
            self._broken()
            raise
        if turn != self._turn:  # somebody went on while this screen was opening
            screen.close()

    def _broken(self) -> None:
        """A screen that could not be opened leaves a way out."""
        title = self.words.text("shell.broken_title")
        way_out = link(self.words.text("shell.home"), "#/", look="primary")
        self.paint(bar(self.words, title) + trouble(self.words, self.words.text("shell.broken"), way_out), title)

    def _show_home(self) -> None:
        was_elsewhere = self._home.hidden
        document.documentElement.dataset.screen = "home"
        self._home.hidden = False
        self._root.hidden = True
        self._root.replaceChildren()
        document.title = self.words.text("shell.name")
        if was_elsewhere:
            self.focus_title()

    def paint(self, html: str, title: str) -> None:
        document.documentElement.dataset.screen = self.route.screen
        self._home.hidden = True
        self._root.hidden = False
        self._root.innerHTML = html
        if self._fresh:
            window.scrollTo(0, 0)
            self._fresh = False
        document.title = self.words.text("shell.window", title=title, name=self.words.text("shell.name"))
        self.focus_title()

    def repaint(self, part: str, html: str) -> None:
        element = document.getElementById(part)
        if not element:
            return
        active = document.activeElement
        again = ""
        if active and element.contains(active):
            radio = getattr(active, "type", "") == "radio"
            again = f'[name="{active.name}"][value="{active.value}"]' if radio else f"#{active.id}" if active.id else "h1"
        element.innerHTML = html
        if again:
            control = element.querySelector(again)
            if control:
                control.focus()
            else:
                self.focus_title()

    def element(self, name: str) -> Any:
        return document.getElementById(name)

    def focus(self, name: str) -> None:
        element = document.getElementById(name)
        if element:
            element.focus()

    def focus_title(self) -> None:
        shown = self._home if self._root.hidden else self._root
        title = shown.querySelector("h1")
        if title:
            if not title.hasAttribute("tabindex"):
                title.setAttribute("tabindex", "-1")
            title.focus(to_js({"preventScroll": True}, dict_converter=js.Object.fromEntries))

    def point_at(self, anchor: str) -> None:
        place = document.getElementById(anchor)
        if place:
            place.scrollIntoView()
            place.focus(to_js({"preventScroll": True}, dict_converter=js.Object.fromEntries))

    def mark_words(self, part: str, words: str, *, go: bool) -> int:
        return int(js.tabletin.mark(document.getElementById(part), words, go))

    def go(self, address: str, *, replace: bool = False) -> None:
        if replace:
            window.location.replace(address)
        else:
            window.location.hash = address

    def knock(self) -> None:
        js.tabletin.knock()

    def prepare(self, game: str = "", *, bots: bool = False) -> None:
        self.later(self._prepare(game, bots))

    async def _prepare(self, game: str, bots: bool) -> None:
        for name in ("newmatch", "session", "playing", "table.screen"):
            await asyncio.sleep(0.05)  # taps come first
            import_module(f"tabletin.page.{name}")
        if bots:
            self.bots.warm()
        if game:
            await asyncio.sleep(0.05)
            GAMES[game].module("board")

    async def net_for(self, setup: Setup, match: Hash) -> Net:
        return await self.meeting.net_for(setup, match)

    def take_along(self, session: Opened) -> None:
        if self._session is not None and self._session is not session:
            self._session.close()
        self._session = session

    def taken_along(self, name: str) -> Opened | None:
        session, self._session = self._session, None
        if session is not None and session.id != name:
            session.close()
            return None
        return session

    # ---- what people do ----

    def _clicked(self, event: Any) -> None:
        target = event.target.closest("[data-do]")
        if not target or str(target.tagName) == "FORM":
            return
        self._do(str(target.dataset.do), target)

    def _submitted(self, event: Any) -> None:
        form = event.target
        if form.dataset.do:
            event.preventDefault()
            self._do(str(form.dataset.do), form)

    def _do(self, do: str, target: Any) -> None:
        if do == "put_away":
            target.closest(".notice").remove()
            self.focus_title()
        elif do == "update":
            self.later(self._update())
        elif do == "wake":
            target.closest(".notice").remove()
            session = getattr(self.screen, "session", None)
            if session is not None:
                session.wake()
        elif self.screen is not None:
            data = json.loads(str(js.JSON.stringify(target.dataset)))
            self.later(self.screen.act(do, data))

    def _changed(self, event: Any) -> None:
        control = event.target
        if self.screen is None or not control.name or control.closest("#table"):
            return
        if control.type == "file":
            if control.files.length:
                self.later(self._read(str(control.name), control.files.item(0), self.screen))
        elif control.type == "checkbox":
            self.later(self.screen.changed(str(control.name), "1" if control.checked else "0"))
        else:
            self.later(self.screen.changed(str(control.name), str(control.value)))

    def _typed(self, event: Any) -> None:
        if self.screen is not None and (event.target.type == "search" or event.target.hasAttribute("data-typed")):
            self.later(self.screen.typed(str(event.target.name), str(event.target.value)))

    async def _read(self, name: str, file: Any, screen: Screen) -> None:
        """Hand a chosen file to the screen that asked for it, although somebody may have gone on meanwhile."""
        picture = str(file.type).startswith("image/")
        text = await self.meeting.exchange.picture(file) if picture else str(await file.text())
        await screen.chosen_file(name, text)

    def later(self, work: Awaitable[None]) -> None:
        """Run ``work``; what goes wrong in it is said, and stands in the console."""
        task = asyncio.ensure_future(work)
        self._work.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._work.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.say(self.words.text("shell.broken"))
            raise task.exception()  # type: ignore[misc]  # checked just above

    # ---- sentences ----

    def say(self, sentence: str) -> None:
        self._notice(sentence, "")

    def announce(self, sentence: str) -> None:
        document.getElementById("announcer").textContent = sentence

    def _notice(self, sentence: str, act: str, label: str = "") -> None:
        notices = document.getElementById("notices")
        notice = document.createElement("div")
        notice.className = "notice"
        words = document.createElement("p")
        words.textContent = sentence
        notice.append(words)
        if act:
            notice.append(_button(label, act))
        notice.append(_button(self.words.text("shell.put_away"), "put_away", "quiet"))
        for old in list(notices.children):
            if old.firstElementChild.textContent == sentence:
                old.remove()
        notices.append(notice)

    def trouble(self, key: str) -> None:
        """What a session could not do, once, with a way out."""
        sentence = self.words.text(key)
        if key == "shell.bots.failed":
            self._notice(sentence, "wake", self.words.text("shell.bots.again"))
        else:
            self.say(sentence)

    def offer_update(self) -> None:
        self._notice(self.words.text("shell.update.ready"), "update", self.words.text("shell.update.now"))

    async def _update(self) -> None:
        if not await js.tabletin.update.apply():
            self.say(self.words.text("shell.update.later"))

    # ---- what stays on this device ----

    def keep(self, key: str, text: str | None) -> None:
        try:
            if text is None:
                window.localStorage.removeItem(key)
            else:
                window.localStorage.setItem(key, text)
        except JsException as error:  # blocked or full: what was chosen holds until the page is closed
            js.console.info(f"Not kept: {key} ({error.name})")

    def recall(self, key: str) -> str | None:
        try:
            text = window.localStorage.getItem(key)
        except JsException:  # blocked: nothing was kept
            return None
        return str(text) if text else None

    def forget_everything(self) -> None:
        try:
            keys = [str(key) for key in js.Object.keys(window.localStorage).to_py()]
        except JsException:  # blocked: there is nothing
            return
        for key in keys:
            if key.startswith(KEPT):
                self.keep(key, None)
        self.adopt(Settings(), keep=False)

    def adopt(self, settings: Settings, *, keep: bool = True) -> None:
        language = self.language()
        self.settings = settings
        if keep:
            self.keep(KEPT_AS, settings.to_json())
        js.tabletin.dress(settings.to_json())
        if self.language() != language:
            self.words = load(self.language())
            self._around = None
            self.translate()

    def translate(self) -> None:
        """Say the home page in the language that holds now, and at once when the page is opened again."""
        language = self.language()
        document.documentElement.lang = language
        html = still(self.words)
        self._home.innerHTML = html
        kept = {"version": self.version, "language": language, "html": html}
        self.keep(HOME, json.dumps(kept) if language != SOURCE else None)

    def is_said(self) -> bool:
        """Whether the home page stands there in the language that holds, as this version says it."""
        if self.language() != document.documentElement.lang:
            return False
        return self.language() == SOURCE or f'"version": {json.dumps(self.version)},' in (self.recall(HOME) or "")

    def when(self, seconds: float) -> str:
        style = to_js({"dateStyle": "medium", "timeStyle": "short"}, dict_converter=js.Object.fromEntries)
        return str(js.Intl.DateTimeFormat.new(self.language(), style).format(js.Date.new(seconds * 1000)))

    def hand_out(self, name: str, text: str) -> None:
        blob = js.Blob.new(to_js([text]), to_js({"type": "application/json"}, dict_converter=js.Object.fromEntries))
        place = document.createElement("a")
        place.href = window.URL.createObjectURL(blob)
        place.download = name
        place.click()
        window.URL.revokeObjectURL(place.href)

    def fill_home(self, records: list[Record]) -> None:
        waiting = json.dumps(waiting_list(self.words, records))
        self.keep(WAITING, waiting)
        js.tabletin.fill(waiting)
        played = played_list(self.words, records)
        section = document.getElementById("played")
        section.hidden = not played
        section.querySelector("ul").innerHTML = played


def _button(label: str, act: str, look: str = "") -> Any:
    button = document.createElement("button")
    button.type = "button"
    button.className = f"button {look}"
    button.textContent = label
    button.dataset.do = act
    return button


app: App | None = None


def go(address: str) -> None:
    """Go to another page of the site."""
    window.location.hash = address


async def start() -> None:
    """Bring the page to life: what was tapped before Python was there happens now."""
    global app
    app = App()
    app.listen()
    if not app.is_said():
        app.translate()
    app.follow()
    if getattr(js.tabletin, "update", None) and js.tabletin.update.waiting:
        app.offer_update()

