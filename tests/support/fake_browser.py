"""A browser without a screen, for the parts of the table that touch the page: elements that keep what is set, a clock that is
turned by hand, and frames that do not come while the page is hidden.

It lays nothing out, and finds nothing by a selector. Proxies are the functions themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

FRAME = 16.0  # ms


class Style:
    """Whatever is set stays."""

    def __init__(self) -> None:
        self.set: dict[str, str] = {}

    def setProperty(self, name: str, value: str) -> None:
        self.set[name] = value

    def removeProperty(self, name: str) -> None:
        self.set.pop(name, None)


class ClassList:
    """The classes of one element."""

    def __init__(self, element: Element) -> None:
        self._element = element

    def add(self, name: str) -> None:
        self._element.className = " ".join(dict.fromkeys([*self._element.className.split(), name]))

    def remove(self, name: str) -> None:
        self._element.className = " ".join(one for one in self._element.className.split() if one != name)

    def toggle(self, name: str, on: bool) -> None:
        (self.add if on else self.remove)(name)

    def contains(self, name: str) -> bool:
        return name in self._element.className.split()


class Element:
    """An element: its attributes, its children, its listeners."""

    offsetWidth = clientWidth = 390.0
    clientHeight = 600.0

    def __init__(self, tag: str = "div") -> None:
        self.tag = tag
        self.className = self.id = self.textContent = ""
        self.style = Style()
        self.classList = ClassList(self)
        self.attributes: dict[str, str] = {}
        self.children: list[Element] = []
        self.parent: Element | None = None
        self.listeners: dict[str, list[Callable[[Any], Any]]] = {}

    @property
    def innerHTML(self) -> str:
        return ""

    @innerHTML.setter
    def innerHTML(self, markup: str) -> None:
        self.replaceChildren(Element("svg"))

    @property
    def firstElementChild(self) -> Element | None:
        return self.children[0] if self.children else None

    def cloneNode(self, _deep: bool) -> Element:
        return Element(self.tag)

    def append(self, *children: Element) -> None:
        for child in children:
            child.remove()
            child.parent = self
            self.children.append(child)

    def remove(self) -> None:
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent = None

    def replaceChildren(self, *children: Element) -> None:
        for child in list(self.children):
            child.remove()
        self.append(*children)

    def contains(self, other: Element | None) -> bool:
        return other is self or any(child.contains(other) for child in self.children)

    def setAttribute(self, name: str, value: str) -> None:
        self.attributes[name] = value

    def getAttribute(self, name: str) -> str | None:
        return self.attributes.get(name)

    def hasAttribute(self, name: str) -> bool:
        return name in self.attributes

    def removeAttribute(self, name: str) -> None:
        self.attributes.pop(name, None)

    def addEventListener(self, kind: str, handler: Callable[[Any], Any], _options: object) -> None:
        self.listeners.setdefault(kind, []).append(handler)

    def removeEventListener(self, kind: str, handler: Callable[[Any], Any], _options: object) -> None:
        self.listeners[kind].remove(handler)


class Proxy:
    """A function handed to the browser."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.is_destroyed = False

    def __call__(self, *given: Any) -> Any:
        assert not self.is_destroyed, "the browser calls what was released"
        return self._function(*given)

    def destroy(self) -> None:
        self.is_destroyed = True


class FakeBrowser:
    """``js`` and ``pyodide.ffi`` as the page's modules see them. ``hidden``: the page is not seen, so no frame comes."""

    def __init__(self) -> None:
        self.now = 0.0  # ms
        self.document = SimpleNamespace(createElement=Element, documentElement=Element("html"), body=Element("body"),
                                        activeElement=None, hidden=False)
        self._next = 0
        self._timers: dict[int, tuple[float, Callable[[], Any]]] = {}
        self._frames: dict[int, Callable[[float], Any]] = {}

    # ---- what a test does ----

    @property
    def hidden(self) -> bool:
        return bool(self.document.hidden)

    @hidden.setter
    def hidden(self, hidden: bool) -> None:
        self.document.hidden = hidden

    @property
    def waiting(self) -> int:
        """How many timers and frames are still to come."""
        return len(self._timers) + len(self._frames)

    def frame(self) -> None:
        """The next frame comes, unless the page is hidden."""
        self.pass_time(FRAME)
        if not self.hidden:
            due, self._frames = self._frames, {}
            for call in due.values():
                call(self.now)

    def pass_time(self, ms: float) -> None:
        """Timers ring in their order. No frame comes."""
        end = self.now + ms
        while self._timers:
            timer, (at, call) = min(self._timers.items(), key=lambda item: item[1][0])
            if at > end:
                break
            del self._timers[timer]
            self.now = max(self.now, at)
            call()
        self.now = end

    # ---- what the page's modules call ----

    def set_timeout(self, call: Callable[[], Any], ms: float) -> int:
        self._next += 1
        self._timers[self._next] = self.now + ms, call
        return self._next

    def clear_timeout(self, timer: int) -> None:
        self._timers.pop(timer, None)

    def request_frame(self, call: Callable[[float], Any]) -> int:
        self._next += 1
        self._frames[self._next] = call
        return self._next

    def cancel_frame(self, frame: int) -> None:
        self._frames.pop(frame, None)

    def modules(self) -> dict[str, dict[str, Any]]:
        """The stand-ins of modules that only a browser has."""
        unmoved = SimpleNamespace(matches=False)
        page = {
            "document": self.document, "window": SimpleNamespace(matchMedia=lambda _query: unmoved),
            "setTimeout": self.set_timeout, "clearTimeout": self.clear_timeout,
            "requestAnimationFrame": self.request_frame, "cancelAnimationFrame": self.cancel_frame,
            "Object": SimpleNamespace(fromEntries=dict), "Array": SimpleNamespace(of=lambda *given: given),
        }
        bridge = {"create_proxy": Proxy, "JsException": type("JsException", (Exception,), {})}
        return {"js": page, "pyodide": {}, "pyodide.ffi": bridge}


@contextmanager
def in_fake_browser() -> Iterator[FakeBrowser]:
    """Modules that need a browser can be imported within. Those that were imported here are forgotten afterwards."""
    browser = FakeBrowser()
    stand_ins = browser.modules()
    before = {name: sys.modules.get(name) for name in stand_ins}
    known = set(sys.modules)
    for name, parts in stand_ins.items():
        made = ModuleType(name)
        made.__dict__.update(parts)
        sys.modules[name] = made
    try:
        yield browser
    finally:
        for name in {name for name in sys.modules if name.startswith("tabletin.app.")} - known:
            del sys.modules[name]
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
