"""The shell in the browser: finds the screen of an address, opens it, passes on what is tapped and typed.

Screens are pure: the shell touches the browser for them, here and in ``paper``, ``notices`` and ``keeping``. It knows no
game and no rule.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import js
from pyodide.ffi import create_proxy, to_js
from pyscript import config as site

from tabletin.app.browser import local_storage as keeping
from tabletin.app.browser.indexed_db import IndexedDbMatches, WebLocks
from tabletin.app.main.document import Document
from tabletin.app.main.notices import Notices
from tabletin.app.routes import SCREENS, Route, parse
from tabletin.app.screens.home import played_list, still, waiting_list
from tabletin.app.settings import KEPT_AS, Settings
from tabletin.app.storage.matches import Record
from tabletin.app.ui.html import bar, link, trouble
from tabletin.app.ui.screen import Screen
from tabletin.registry import GAMES
from tabletin.words import SOURCE, languages, load

if TYPE_CHECKING:
    from tabletin.app.browser.bots_worker import WorkerBots
    from tabletin.app.browser.replica_worker import ReplicaWorker
    from tabletin.app.room.controller import RoomController
    from tabletin.app.session.session import MatchSession, SessionContext
    from tabletin.kernel.log import Hash
    from tabletin.kernel.setup import Setup
    from tabletin.peers.net.transport import Transport

WAITING: Final = "tabletin.waiting"
HOME: Final = "tabletin.home"

document: Final = js.document
window: Final = js.window


class App(Document):
    """The running page: a ``screen.Shell``."""

    def __init__(self) -> None:
        self.route = Route("home")
        self.screen: Screen | None = None
        self.version = str(site.get("tabletin", {}).get("version", ""))
        self.settings = Settings.from_json(self.recall(KEPT_AS))
        super().__init__(load(self.language()))
        self.notices = Notices(lambda: self.words)
        self.shelf = IndexedDbMatches()
        self.claims = WebLocks()
        self._context: SessionContext | None = None
        self._bots: WorkerBots | None = None
        self._peering: asyncio.Future[ReplicaWorker] | None = None
        self._session: MatchSession | None = None
        self._leaving = False  # while a screen is closed
        self.met: RoomController | None = None
        self._turn = 0
        self.came_from = ""
        self._here = ""
        self._work: set[asyncio.Task[Any]] = set()

    @property
    def bots(self) -> WorkerBots:
        """The bots' worker; it starts when it is first asked."""
        from tabletin.app.browser.bots_worker import WorkerBots
        self._bots = self._bots or WorkerBots(site)
        return self._bots

    def stay_awake(self, wanted: bool) -> None:
        js.tabletinStore.awake(wanted)

    async def peering(self) -> ReplicaWorker:
        """This device among others: its worker starts when it is first asked for, once a page."""
        from tabletin.app.browser.replica_worker import ReplicaWorker
        if self._peering is None:
            self._peering = asyncio.ensure_future(ReplicaWorker.begun(site))
        return await asyncio.shield(self._peering)

    @property
    def meeting(self) -> RoomController:
        """The room with friends far away that this page is in, if it is."""
        from tabletin.app.main.wiring import meeting_of
        self.met = self.met or meeting_of(self)
        return self.met

    @property
    def context(self) -> SessionContext:
        """What sessions stand on: made on first need, because a start that waits for it is a slow one."""
        from tabletin.app.session.session import SessionContext
        self._context = self._context or SessionContext(self.shelf, self.claims, self.bots, self.words,
                                                    lambda: self.settings.seconds, self.trouble)
        return self._context

    def unusable(self, server: str) -> str:
        from tabletin.app.browser.ice_servers import wrong
        return wrong(self.settings, server)

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
        window.addEventListener("tabletin:update", create_proxy(lambda _event: self.notices.offer_update()))

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
            self._leave(self.screen)
            self.screen = None
        self.came_from, self._here = self._here, str(window.location.hash)
        self.route = route
        module, name = SCREENS[route.screen]
        screen: Screen = getattr(import_module(f"tabletin.app.screens.{module}"), name)(self, route)
        self.screen = screen
        if route.screen == "home":
            self.show_home()
        self.turn_over()
        try:
            await screen.open()
        except Exception:
            self._broken()
            raise
        if turn != self._turn:  # somebody went on while this screen was opening
            self._leave(screen)

    def _leave(self, screen: Screen) -> None:
        self._leaving = True
        screen.close()
        self._leaving = False

    def _broken(self) -> None:
        """A screen that could not be opened leaves a way out."""
        title = self.words.text("shell.broken_title")
        way_out = link(self.words.text("shell.home"), "#/", look="primary")
        self.paint(bar(self.words, title) + trouble(self.words, self.words.text("shell.broken"), way_out), title)

    def paint(self, html: str, title: str) -> None:
        document.documentElement.dataset.screen = self.route.screen
        super().paint(html, title)

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
        far = ("session.peers.session", "screens.match.peers") if self.met is not None else ()
        for name in ("screens.new_match", "session.local", "screens.match.match", "table.screen", *far):
            await asyncio.sleep(0.05)  # taps come first
            import_module(f"tabletin.app.{name}")
        if bots:
            self.bots.warm()
        if game:
            await asyncio.sleep(0.05)
            GAMES[game].module("board")

    async def net_for(self, setup: Setup, match: Hash) -> Transport:
        return await self.meeting.net_for(setup, match)

    def take_along(self, session: MatchSession) -> None:
        if self._session is not None and self._session is not session:
            if self._leaving:  # the screen that goes hands over its own: what is taken along to the next one comes first
                session.close()
                return
            self._session.close()
        self._session = session

    def taken_along(self, name: str) -> MatchSession | None:
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
            self.later(self.notices.update())
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
        self.notices.say(sentence)

    def announce(self, sentence: str) -> None:
        self.notices.announce(sentence)

    def trouble(self, key: str) -> None:
        self.notices.trouble(key)

    # ---- what stays on this device ----

    def keep(self, key: str, text: str | None) -> None:
        keeping.keep(key, text)

    def recall(self, key: str) -> str | None:
        return keeping.recall(key)

    async def keep_at_once(self, key: str, text: str | None) -> None:
        await keeping.keep_at_once(key, text)

    async def recall_at_once(self, key: str) -> str | None:
        return await keeping.recall_at_once(key)

    def forget_everything(self) -> None:
        keeping.forget()
        self.adopt(Settings(), keep=False)

    def adopt(self, settings: Settings, *, keep: bool = True) -> None:
        language = self.language()
        self.settings = settings
        if keep:
            self.keep(KEPT_AS, settings.to_json())
        js.tabletin.dress(settings.to_json())
        if self.language() != language:
            self.words = load(self.language())
            self._context = None
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

    def fill_home(self, records: list[Record]) -> None:
        waiting = json.dumps(waiting_list(self.words, records))
        self.keep(WAITING, waiting)
        js.tabletin.fill(waiting)
        played = played_list(self.words, records)
        section = document.getElementById("played")
        section.hidden = not played
        section.querySelector("ul").innerHTML = played


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
        app.notices.offer_update()

