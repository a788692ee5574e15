"""Elements of the page and what listens to them: the few calls of the browser that the table needs, named once.

A Python function handed to the browser lives until it is released. ``Listeners`` holds those of one screen and releases them
together.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import js
from pyodide.ffi import JsException, create_proxy

Node = Any  # an element of the page; the browser's types are not ours
NO_FRAME: Final = 500  # ms after which a frame that did not come is not waited for


def node(tag: str, kind: str = "", text: str = "", **attributes: str) -> Node:
    """A new element of class ``kind``; ``aria_label="…"`` becomes the attribute ``aria-label``."""
    element = js.document.createElement(tag)
    if kind:
        element.className = kind
    if text:
        element.textContent = text
    for name, value in attributes.items():
        element.setAttribute(name.rstrip("_").replace("_", "-"), value)
    return element


def button(kind: str, text: str, **attributes: str) -> Node:
    """A push button that reads ``text``."""
    return node("button", kind, text, type="button", **attributes)


def write(element: Node, words: str) -> None:
    """Have ``element`` read ``words``."""
    if element.textContent != words:
        element.textContent = words


def closest_key(target: Node) -> str:
    """The key of the thing on the table that ``target`` is part of, or ""."""
    found = target.closest("[data-key]") if getattr(target, "closest", None) else None
    return str(found.getAttribute("data-key")) if found else ""


def focus(element: Node) -> None:
    """Give ``element`` the focus; nothing is scrolled."""
    element.focus(js.Object.fromEntries(js.Array.of(js.Array.of("preventScroll", True))))


def calm() -> bool:
    """Whether nothing may move by itself, as the player's settings or the system ask for."""
    motion = js.document.documentElement.getAttribute("data-motion") or "auto"
    return motion == "reduced" or bool(motion == "auto" and js.window.matchMedia("(prefers-reduced-motion: reduce)").matches)


def unseen() -> bool:
    """Whether this page is hidden now: then it draws no frames."""
    return bool(js.document.hidden)


def running_since(name: str) -> float:
    """Seconds since this tab first asked for the clock ``name`` of the address it shows; a reload does not set it back."""
    known = begun_since(name)
    if known is None:
        with suppress(JsException):  # blocked: then it begins anew
            js.sessionStorage.setItem(_clock(name), str(js.Date.now()))
    return known or 0.0


def begun_since(name: str) -> float | None:
    """The same for a clock that has begun in this tab; None where it has not, or where nothing is kept."""
    try:
        begun = js.sessionStorage.getItem(_clock(name))
    except JsException:
        return None
    return max(0.0, (float(js.Date.now()) - float(begun)) / 1000) if begun else None


def stop_clock(name: str) -> None:
    """Keep for how long the clock ``name`` ran, for as long as this tab is open."""
    ran = begun_since(name)
    if ran is not None:
        with suppress(JsException):
            js.sessionStorage.setItem(f"{_clock(name)} ran", str(ran))


def seconds_run(address: str, name: str) -> float | None:
    """For how long the clock ``name`` of ``address`` ran until it was stopped; None where this tab does not know."""
    try:
        ran = js.sessionStorage.getItem(f"{_clock(name, address)} ran")
    except JsException:  # blocked
        return None
    return float(ran) if ran else None


def _clock(name: str, address: str = "") -> str:
    return f"tabletin.clock {address or js.location.hash} {name}"


class Listeners:
    """Listeners and timers of one screen."""

    def __init__(self) -> None:
        self._listeners: list[tuple[Node, str, Any, Any]] = []
        self._timers: dict[int, Any] = {}
        self._frames: dict[int, tuple[Any, int]] = {}  # by number, the function and the timer of one that does not come

    def listen(self, target: Node, kind: str, handler: Callable[[Any], Any], *, passive: bool = True,
               capture: bool = False) -> None:
        """Call ``handler`` with each event ``kind`` of ``target``. ``capture``: before whatever lies in it hears of it."""
        proxy = create_proxy(handler)
        options = js.Object.fromEntries(js.Array.of(js.Array.of("passive", passive), js.Array.of("capture", capture)))
        target.addEventListener(kind, proxy, options)
        self._listeners.append((target, kind, proxy, options))

    def observe_size(self, target: Node, handler: Callable[[], None]) -> None:
        """Call ``handler`` whenever ``target`` changes its size."""
        proxy = create_proxy(lambda *_entries: handler())
        observer = js.ResizeObserver.new(proxy)
        observer.observe(target)
        self._listeners.append((observer, "", proxy, None))

    def delay(self, milliseconds: float, handler: Callable[[], Any]) -> int:
        """Call ``handler`` once, in a while. Returns a number for ``forget``."""
        timer = 0

        def ring() -> None:
            proxy = self._timers.pop(timer, None)
            handler()
            if proxy is not None:
                proxy.destroy()

        proxy = create_proxy(ring)
        timer = int(js.setTimeout(proxy, milliseconds))
        self._timers[timer] = proxy
        return timer

    def forget(self, timer: int) -> None:
        """Do not call what ``timer`` was for."""
        proxy = self._timers.pop(timer, None)
        if proxy is not None:
            js.clearTimeout(timer)
            proxy.destroy()

    def frame(self, handler: Callable[[], Any]) -> int:
        """Call ``handler`` once, right before the next frame is laid out, or in a while where none comes: a page that is hidden
        meanwhile has none until it is seen. Returns a number for ``forget_frame``."""
        frame = 0

        def due(_time: float = 0) -> None:
            proxy, late = self._frames.pop(frame, (None, 0))
            if proxy is not None:
                self.forget(late)
                js.cancelAnimationFrame(frame)
                handler()
                proxy.destroy()

        proxy = create_proxy(due)
        frame = int(js.requestAnimationFrame(proxy))
        self._frames[frame] = proxy, self.delay(NO_FRAME, due)
        return frame

    def forget_frame(self, frame: int) -> None:
        """Do not call what ``frame`` was for."""
        proxy, late = self._frames.pop(frame, (None, 0))
        if proxy is not None:
            self.forget(late)
            js.cancelAnimationFrame(frame)
            proxy.destroy()

    def cut(self) -> None:
        """Let everything go."""
        for target, kind, proxy, options in self._listeners:
            if kind:
                target.removeEventListener(kind, proxy, options)
            else:
                target.disconnect()
            proxy.destroy()
        self._listeners.clear()
        for timer in list(self._timers):
            self.forget(timer)
        for frame in list(self._frames):
            self.forget_frame(frame)
