"""The shell in the browser: finds the screen of an address, opens it, passes on what is tapped and typed.

Screens are pure. The shell touches the browser for them, by its parts: ``document``, ``notices``, ``home``, and the stores of
``app/browser``. It knows no game and no rule.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import js
from pyodide.ffi import JsException, create_proxy, to_js
from pyscript import config as site

from tabletin.app.browser.abilities import can_connect
from tabletin.app.browser.indexed_db import IndexedDbMatches, WebLocks
from tabletin.app.browser.languages import add_fetched, fetch_words
from tabletin.app.browser.local_storage import LocalStorage
from tabletin.app.browser.signals import BrowserSignals
from tabletin.app.main.document import BrowserDocument
from tabletin.app.main.home import HomePage
from tabletin.app.main.notices import PageNotices
from tabletin.app.main.parts import (
    OF_A_FORM,
    OF_A_SCREEN,
    OF_A_SESSION,
    OF_A_SESSION_AMONG_PEERS,
    OF_A_TABLE,
    import_in_parts,
)
from tabletin.app.routes import AMONG_DEVICES, LINKS, SCREENS, Route, parse
from tabletin.app.session.handoff import SessionHandoff
from tabletin.app.settings import KEPT_AS, NEWEST_KEPT_AS, Settings
from tabletin.app.ui.html import bar, link, trouble
from tabletin.app.ui.screen import Screen
from tabletin.kernel.logfile import too_long
from tabletin.registry import GAMES
from tabletin.words import SOURCE, is_here, languages, load

if TYPE_CHECKING:
    from tabletin.app.browser.bots_worker import WorkerBots
    from tabletin.app.browser.replica_worker import BrowserDevice
    from tabletin.app.room.controller import RoomController
    from tabletin.app.session.session import SessionContext
    from tabletin.app.storage.league import LeagueBook
    from tabletin.app.storage.matches import MatchRecord
    from tabletin.kernel.log import Hash
    from tabletin.kernel.setup import Setup
    from tabletin.peers.net.transport import Transport

document: Final = js.document
window: Final = js.window
BETWEEN_PARTS: Final = 0.015  # seconds between two imports that nobody waits for: taps come first
STORE_ANSWERS: Final = 1.0  # seconds that a page's start waits for the browser's store


# What was done on the prepared screens, by address: kind, name, and data or a value (``Act`` in web/page/previews.js).
EarlyActs = dict[str, Sequence[tuple[str, str, Any]]]


class App:
    """The running page: a ``ui.screen.Shell``. ``screen``: the one that is shown."""

    def __init__(self) -> None:
        self.route = Route("home")
        self.screen: Screen | None = None
        self.version = str(site.get("tabletin", {}).get("version", ""))
        self.texts = LocalStorage()
        self.settings = Settings.from_json(self.texts.recall(KEPT_AS))
        add_fetched(self.language())
        self.words = load(self.language() if is_here(self.language()) else SOURCE)
        self.document = BrowserDocument(lambda: self.words, self._stop_if_overtaken)
        self.notices = PageNotices(lambda: self.words)
        self.signals = BrowserSignals(lambda: self.settings, lambda: self.words.language)
        self.home = HomePage(self.document, self.texts, self.version)
        self.matches = IndexedDbMatches()
        self.locks = WebLocks()
        self.handoff = SessionHandoff()
        self.rooms_if_any: RoomController | None = None
        self.came_from = ""
        self._here = ""  # the address that is shown
        self._opening: asyncio.Task[Any] | None = None  # in which the newest screen opens
        self._overtaken: set[asyncio.Task[Any] | None] = set()  # in which screens still open that somebody has left
        self._is_alone = False  # whether the page's own script has ended what it does in Python's place
        self._early: EarlyActs = {}  # what was done meanwhile and must still be done here
        self._context: SessionContext | None = None
        self._league: LeagueBook | None = None
        self._bots: WorkerBots | None = None
        self._device: asyncio.Future[BrowserDevice] | None = None
        self._work: set[asyncio.Task[Any]] = set()

    # ---- what starts on first need ----

    @property
    def bots(self) -> WorkerBots:
        """The bots' worker; it starts when it is first asked."""
        from tabletin.app.browser.bots_worker import WorkerBots
        self._bots = self._bots or WorkerBots(site)
        return self._bots

    @property
    def reviewer(self) -> WorkerBots:
        return self.bots

    def device(self) -> Awaitable[BrowserDevice]:
        """This device among others: its worker starts when it is first asked for, at once, and once a page."""
        if self._device is None:
            from tabletin.app.browser.workers import start_replica
            starting = start_replica(site)
            from tabletin.app.browser.replica_worker import BrowserDevice  # while the worker starts, which takes longer
            self._device = asyncio.ensure_future(BrowserDevice.begin(starting))
        return asyncio.shield(self._device)

    @property
    def league(self) -> LeagueBook:
        """The family league of this device."""
        from tabletin.app.storage.league import LeagueBook
        self._league = self._league or LeagueBook(self.texts)
        return self._league

    @property
    def rooms(self) -> RoomController:
        """The controller of the room with friends far away."""
        from tabletin.app.main.room_factory import room_controller
        self.rooms_if_any = self.rooms_if_any or room_controller(self)
        return self.rooms_if_any

    async def net_for(self, setup: Setup, match: Hash) -> Transport:
        return await self.rooms.transport_for(match)

    @property
    def context(self) -> SessionContext:
        """What sessions stand on: made on first need, because a start that waits for it is a slow one."""
        from tabletin.app.main.room_link import PageRoom
        from tabletin.app.session.session import SessionContext
        self._context = self._context or SessionContext(self.matches, self.locks, self.bots, self.words,
                                                        lambda: self.settings.seconds, self.notices.trouble, PageRoom(self),
                                                        lambda: not self.settings.own_taps, lambda: self.league,
                                                        self.note_hint)
        return self._context

    def note_hint(self, name: str) -> None:
        """A hint laid out a turn in the match ``name``."""
        from tabletin.app.storage.hint_counts import KEPT_AS, HintCounts
        self.texts.keep(KEPT_AS, HintCounts.from_json(self.texts.recall(KEPT_AS)).add_turn(name).to_json())

    # ---- the language, and what the browser tells ----

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
        window.addEventListener("storage", create_proxy(self._changed_elsewhere))

    # ---- where we are ----

    def follow(self) -> None:
        """Show what the address says. An address that is none (a place within a page) changes nothing."""
        text = str(window.location.hash)
        if text and not text.startswith(("#/", *LINKS)):
            return
        self.start_task(self._show(parse(text)))

    async def _show(self, route: Route) -> None:
        if self.screen is not None:
            if self.screen.stays_for(route):
                self.route = route
                return
            self.screen.close()
            self.screen = None
            self.notices.turn_page()
        if self._opening is not None:  # from now on: it may go on before this one shows anything
            self._overtaken.add(self._opening)
        self.came_from, self._here = self._here, str(window.location.hash)
        self.route = route
        alone = route.screen in AMONG_DEVICES and not can_connect()
        module, name = SCREENS["no_webrtc" if alone else route.screen]
        await import_in_parts(OF_A_SCREEN.get(route.screen, ()))
        kind = getattr(import_module(f"tabletin.app.screens.{module}"), name)
        if not self._is_alone:  # the page's own script hears taps meanwhile
            await asyncio.sleep(0)
        if self.route is not route:
            return
        screen: Screen = kind(self, route)
        self.screen = screen
        if route.screen == "home":
            self.document.show_home()
        self.document.turn_over(route.screen)
        opening = self._opening = asyncio.current_task()
        try:
            await screen.open()
        except Exception:
            if opening not in self._overtaken:
                self._broken()
                self._take_over()
            raise
        finally:
            if self._opening is opening:
                self._opening = None
            if opening in self._overtaken:
                self._overtaken -= {opening}
                screen.close()  # once more: it may have taken something since
        if self.screen is screen:
            if not self._is_alone:
                self._take_over()
            await self._catch_up(screen)

    def _stop_if_overtaken(self) -> None:
        """Ends the work of a screen that was still opening when somebody went on: it shows nothing any more."""
        if asyncio.current_task() in self._overtaken:
            raise asyncio.CancelledError

    def _take_over(self) -> None:
        """From now on Python does all."""
        self._is_alone = True
        self._early = json.loads(str(js.tabletin.takeOver()))

    async def _catch_up(self, screen: Screen) -> None:
        """Do on ``screen`` what was done on it before Python had it, as soon as somebody comes back to it."""
        for kind, name, more in self._early.pop(self._here, ()):
            if kind == "do":
                await screen.act(name, more)
            elif kind == "change":
                await screen.on_change(name, more)
            else:
                await screen.on_input(name, more)
        if str(window.location.hash) == self._here:
            self.document.uncover()

    def _broken(self) -> None:
        """A screen that could not be opened leaves a way out."""
        title = self.words.text("shell.broken_title")
        way_out = link(self.words.text("shell.home"), "#/", look="primary")
        self.document.paint(bar(self.words, title) + trouble(self.words, self.words.text("shell.broken"), way_out), title)

    def go(self, address: str, *, replace: bool = False) -> None:
        self._stop_if_overtaken()
        if replace:
            window.location.replace(address)
        else:
            window.location.hash = address

    def prepare(self, game: str = "", *, bots: bool = False) -> None:
        self.start_task(self._prepare(game, bots))

    async def _prepare(self, game: str, bots: bool) -> None:
        if bots:
            self.bots.warm(game)  # first: it starts beside this page's own work
        far = OF_A_SESSION_AMONG_PEERS if self.rooms_if_any is not None else ()
        await import_in_parts((*OF_A_FORM, *OF_A_SESSION, *OF_A_TABLE, *far), BETWEEN_PARTS)
        for _ in GAMES[game].load_table() if game else ():
            await asyncio.sleep(BETWEEN_PARTS)

    # ---- what people do ----

    def _is_early(self, event: Any) -> bool:
        """Whether the page's own script notes ``event``, because Python does not have that screen yet."""
        return not self._is_alone and bool(event.target.closest("#screen[data-preview]"))

    def _clicked(self, event: Any) -> None:
        target = event.target.closest("[data-do]")
        if not target or self._is_early(event) or str(target.tagName) == "FORM":
            return
        self._do(str(target.dataset.do), target)

    def _submitted(self, event: Any) -> None:
        form = event.target
        if form.dataset.do and not self._is_early(event):
            event.preventDefault()
            self._do(str(form.dataset.do), form)

    def _do(self, do: str, target: Any) -> None:
        if do == "put_away":
            target.closest(".notice").remove()
            self.document.focus_title()
        elif do == "update":
            self.start_task(self.notices.update())
        elif do == "wake":
            target.closest(".notice").remove()
            session = getattr(self.screen, "session", None)
            if session is not None:
                session.wake()
        elif self.screen is not None:
            data = json.loads(str(js.JSON.stringify(target.dataset)))
            self.start_task(self.screen.act(do, data))

    def _changed(self, event: Any) -> None:
        control = event.target
        if self.screen is None or not control.name or control.closest("#table") or self._is_early(event):
            return
        if control.type == "file":
            if control.files.length:
                self.start_task(self._read(str(control.name), control.files.item(0), self.screen))
        elif control.type == "checkbox":
            self.start_task(self.screen.on_change(str(control.name), "1" if control.checked else "0"))
        else:
            self.start_task(self.screen.on_change(str(control.name), str(control.value)))

    def _typed(self, event: Any) -> None:
        if self.screen is None or self._is_early(event):
            return
        if event.target.type == "search" or event.target.hasAttribute("data-typed"):
            self.start_task(self.screen.on_input(str(event.target.name), str(event.target.value)))

    async def _read(self, name: str, file: Any, screen: Screen) -> None:
        """Hand a chosen file to the screen that asked for it, although somebody may have gone on meanwhile."""
        if int(file.size) > screen.largest_file:  # before a byte of it is read
            self.notices.say(self.words.reason(too_long(screen.largest_file).refusal))
            return
        picture = str(file.type).startswith("image/")
        text = await self.rooms.exchange.picture(file) if picture else str(await file.text())
        await screen.on_file(name, text)

    def start_task(self, work: Awaitable[None]) -> None:
        """Run ``work``; what goes wrong in it is said, and stands in the console."""
        task = asyncio.ensure_future(work)
        self._work.add(task)
        task.add_done_callback(self._done)

    def _changed_elsewhere(self, event: Any) -> None:
        """Another tab has kept something. What it set holds here, too: the next change must not take it back."""
        if str(event.key) == KEPT_AS:
            self.settings = Settings.from_json(self.texts.recall(KEPT_AS))
            js.tabletin.dress(self.settings.to_json())
            if self.rooms_if_any is not None:
                self.rooms_if_any.apply_chat_settings()

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._work.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.notices.say(self.words.text("shell.broken"))
            raise task.exception()  # type: ignore[misc]  # checked just above

    # ---- what the browser does for a screen ----

    def stay_awake(self, wanted: bool) -> None:
        js.tabletinStore.awake(wanted)

    def describe_time(self, seconds: float) -> str:
        then, now = js.Date.new(seconds * 1000), js.Date.new()
        style = {"day": "numeric", "month": "short", "hour": "numeric", "minute": "2-digit"}
        if then.getFullYear() != now.getFullYear():
            style["year"] = "numeric"
        return str(js.Intl.DateTimeFormat.new(self._locale(), to_js(style, dict_converter=js.Object.fromEntries)).format(then))

    def describe_day(self, day: str) -> str:
        year, month, number = map(int, day.split("-"))
        style = to_js({"day": "numeric", "month": "short"}, dict_converter=js.Object.fromEntries)
        return str(js.Intl.DateTimeFormat.new(self._locale(), style).format(js.Date.new(year, month - 1, number)))

    def _locale(self) -> str:
        """The browser's own kind of the language that is shown, "en-GB" for example: dates are written by it."""
        language = self.words.language
        return next((str(tag) for tag in window.navigator.languages if str(tag).split("-")[0] == language), language)

    def unusable(self, server: str) -> str:
        from tabletin.app.browser.ice_servers import wrong
        return wrong(self.settings, server)

    # ---- settings, and what the home page shows ----

    def adopt(self, settings: Settings, *, keep: bool = True) -> None:
        self.settings = settings.changed_from(self.settings) if keep else settings
        text = self.settings.to_json()
        if keep:
            self.texts.keep(KEPT_AS, text)
            self.start_task(self.texts.keep_at_once(NEWEST_KEPT_AS, text))
        js.tabletin.dress(text)

    async def recall_settings(self) -> None:
        """Take up what was set just before this browser was ended, such as an agreement to servers; nobody waits long for it.
        What a slow device answers later holds from then on."""
        recalling = asyncio.ensure_future(self._recall_newest())
        done, _ = await asyncio.wait({recalling}, timeout=STORE_ANSWERS)
        if done:
            await recalling
        else:
            self.start_task(self._translate_after(recalling))

    async def _recall_newest(self) -> None:
        before = self.settings
        text = await self.texts.recall_at_once(NEWEST_KEPT_AS)
        if self.settings is before:  # nothing was set meanwhile
            self._take_up(Settings.from_json(text))

    async def _translate_after(self, recalling: Awaitable[None]) -> None:
        await recalling
        await self.translate()

    def _take_up(self, newest: Settings) -> None:
        if newest.is_newer_than(self.texts.recall(KEPT_AS)):
            self.settings = newest
            self.texts.keep(KEPT_AS, newest.to_json())
            js.tabletin.dress(newest.to_json())
            if self.rooms_if_any is not None:
                self.rooms_if_any.apply_chat_settings()

    async def translate(self) -> None:
        """Say everything in the language that is set, once its words are here; without them, in the one before."""
        language = self.language()
        if not is_here(language):
            try:
                await fetch_words(language)
            except (JsException, OSError):
                self.notices.say(self.words.text("settings.language.unreachable"))
                return
        if language == self.language() != self.words.language:  # another may have been chosen meanwhile
            self.words = load(language)
            self._context = None
            self.home.translate(self.words)

    def forget_everything(self) -> None:
        self.texts.forget()
        self.adopt(Settings(), keep=False)

    def fill_home(self, records: list[MatchRecord]) -> None:
        self.home.fill(self.words, records)

    def fill_puzzle(self) -> None:
        self.home.fill_puzzle(self.words)


app: App | None = None


def go(address: str) -> None:
    """Go to another page of the site."""
    window.location.hash = address


async def start() -> None:
    """Bring the page to life: what was tapped before Python was there happens now. In steps, between which taps are heard."""
    global app
    load(SOURCE)  # which stands behind every language, and is read once
    await asyncio.sleep(0)
    app = App()
    await asyncio.sleep(0)
    await app.recall_settings()
    app.listen()
    if not app.home.is_translated(app.words):
        app.home.translate(app.words)
    app.follow()
    if getattr(js.tabletin, "update", None) and js.tabletin.update.waiting:
        app.notices.offer_update()

