"""Runs in a page that one test leaves to the next: ends what went on in it, forgets what was kept, and shows the home page.

What takes long to start stays: Python, the workers, and the key of this device, which its worker knows. ``globalThis.anew`` is
asked by ``e2e.support.shared_pages``.
"""

from __future__ import annotations

import asyncio
from typing import Any

import js
from pyodide.ffi import create_proxy

from tabletin.app.main import app as running
from tabletin.app.session.handoff import SessionHandoff
from tabletin.app.settings import KEPT_AS, Settings

OF_TESTS = ("wire", "far", "inside", "altered")  # what other code of tests leaves in the page; it can be ended
MARKS_OF_TESTS = ("wire", "far", "returns", "sealed")
PATIENCE = 60.0  # seconds; what runs in a page is waited for without end
LONGEST = 500  # hundredths of a second until the work of a match is broken off
PUT_SEED = """(seed) => new Promise((resolve, reject) => {
    const asked = indexedDB.open("tabletin");
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => {
        const writing = asked.result.transaction("device", "readwrite");
        writing.objectStore("device").put(seed, "seed");
        writing.oncomplete = () => { asked.result.close(); resolve(); };
        writing.onerror = () => reject(writing.error);
    };
})"""


async def end_matches(site: Any) -> None:
    """Close the screen, and the matches that are open; what of them is not on disk yet gets there first."""
    screen, site.screen = site.screen, None
    sessions = [session for session in (getattr(screen, "session", None), site.handoff._session) if session is not None]
    if screen is not None:
        screen.close()
    site.handoff = SessionHandoff()
    for session in sessions:
        if not session._closed:
            session.close()
        for _ in range(LONGEST):
            if not session._background:
                break
            await asyncio.sleep(0.01)
        for task in session._background:
            task.cancel()


def leave_room(site: Any) -> None:
    """The room is left, and its links are closed."""
    rooms, site.rooms_if_any = site.rooms_if_any, None
    if rooms is not None:
        rooms._close_transport()
        rooms.exchange.stop_camera()
        if rooms.exchange._channel is not None:
            rooms.exchange._channel.close()


def leave_nothing_of_tests() -> None:
    for name in OF_TESTS:
        if js.Object.hasOwn(js.globalThis, name):  # an element with this id is found there, too
            getattr(js.globalThis, name).end()
        js.Reflect.deleteProperty(js.globalThis, name)
    js.Reflect.deleteProperty(js.globalThis, "pressed")  # what e2e.support.player pressed last
    for name in MARKS_OF_TESTS:
        js.Reflect.deleteProperty(js.document.documentElement.dataset, name)


async def forget(site: Any) -> None:
    """Nothing is kept on this device but its key."""
    seed = str(await js.tabletinStore.secret()) if site._device is not None else ""
    await site.matches.clear()
    if seed:
        await js.eval(PUT_SEED)(seed)
    js.localStorage.clear()
    js.sessionStorage.clear()


async def begin() -> None:
    """The page is as it was when it was opened at the home page. Raises ``TimeoutError`` where that takes too long."""
    await asyncio.wait_for(begin_with(running.app), PATIENCE)


async def begin_with(site: Any) -> None:
    leave_nothing_of_tests()
    await end_matches(site)
    leave_room(site)
    for task in [task for task in site._work if task is not asyncio.current_task()]:
        task.cancel()
    await forget(site)
    site._context = site._league = None
    site.came_from = site._here = ""
    if site._bots is not None:
        site._bots._synced.clear()
    site.adopt(Settings(), keep=False)
    await site.translate()
    js.document.getElementById("notices").replaceChildren()
    js.document.getElementById("announcer").textContent = ""
    js.history.replaceState(None, "", "#/")
    site.follow()
    while site.screen is None or site._opening is not None:
        await asyncio.sleep(0.01)
    js.document.activeElement.blur()
    js.scrollTo(0, 0)


def settings(text: str) -> None:
    """Those of ``text`` hold, as if the page had been opened with them."""
    site: Any = running.app
    js.localStorage.setItem(KEPT_AS, text)
    site.adopt(Settings.from_json(text), keep=False)


js.globalThis.anew = js.Object.new()
for act in (begin, settings):
    setattr(js.globalThis.anew, act.__name__, create_proxy(act))
