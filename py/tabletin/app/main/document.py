"""What is shown: the home page that stands in index.html, or one screen in its place. Painting, the focus, files handed out.

It touches the browser's document and knows no screen, no address and no match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import js
from pyodide.ffi import create_once_callable, to_js

from tabletin.words import Catalogue

document = js.document
window = js.window

FETCHED: Final = 60_000  # ms until a file handed out is surely fetched: Safari begins only once it has asked


class BrowserDocument:
    """The browser's document as the shell writes on it, titled in the language that ``words`` gives at the moment.

    ``stop_if_overtaken`` raises where the work under way belongs to a screen that somebody has left meanwhile.
    """

    def __init__(self, words: Callable[[], Catalogue], stop_if_overtaken: Callable[[], None]) -> None:
        self._words = words
        self._stop_if_overtaken = stop_if_overtaken
        self._home = document.getElementById("home")
        self._root = document.getElementById("screen")
        self._screen = "home"  # the id of the screen that paints
        self._fresh = True  # that screen is about to paint for the first time

    def turn_over(self, screen: str) -> None:
        """The screen with the id ``screen`` comes: it is seen from its top."""
        self._screen = screen
        self._fresh = True

    @property
    def language(self) -> str:
        """The language the page says it is in."""
        return str(document.documentElement.lang)

    def write_home(self, html: str, language: str) -> None:
        """``html``, in ``language``, is the home page from now on."""
        document.documentElement.lang = language
        js.tabletin.renew(self._home, html)

    def write_played(self, items: str) -> None:
        """``items`` are the matches that the home page lists as played; "" hides the list."""
        section = document.getElementById("played")
        section.hidden = not items
        section.querySelector("ul").innerHTML = items

    def write_puzzle(self, line: str) -> None:
        """``line``, as HTML, is what the home page says of today's puzzle."""
        place = document.getElementById("puzzle-line")
        if place and line:
            place.innerHTML = line

    def show_home(self) -> None:
        """Show the home page and drop the screen that stood in its place."""
        was_elsewhere = self._home.hidden
        document.documentElement.dataset.screen = "home"
        self._home.hidden = False
        self._root.hidden = True
        self._root.replaceChildren()
        self._root.removeAttribute("data-preview")
        self._hold("")
        document.title = self._words().text("shell.name")
        js.tabletin.uncover()
        if was_elsewhere:
            self.focus_title()

    def paint(self, html: str, title: str) -> None:
        self._stop_if_overtaken()
        document.documentElement.dataset.screen = self._screen
        if self._fresh and self._root.getAttribute("data-preview") == window.location.hash:
            self._fresh = False
            self._adopt(html, title)
            return
        if self._fresh:
            window.scrollTo(0, 0)  # while the page is still laid out as it was
            self._fresh = False
        self._home.hidden = True
        self._root.hidden = False
        self._root.removeAttribute("data-preview")
        self._root.innerHTML = html
        self._entitle(title)
        js.tabletin.uncover()
        self.focus_title()

    def _adopt(self, html: str, title: str) -> None:
        """``html`` becomes what the page's own script has shown of it already (web/page/previews.js)."""
        self._root.removeAttribute("data-preview")
        js.tabletin.adopt(self._root, html)
        self._entitle(title)
        if document.activeElement == document.body:
            self.focus_title()

    def uncover(self) -> None:
        """Show the screen, which was covered while somebody waited for it."""
        js.tabletin.uncover()

    def _entitle(self, title: str) -> None:
        """Say everywhere what the screen is."""
        self._hold(" ".join(f"{child.id} {child.className}" for child in self._root.children))
        words = self._words()
        document.title = words.text("shell.window", title=title, name=words.text("shell.name"))

    def _hold(self, names: str) -> None:
        """Write what the screen holds, ids and classes, where styles find it: not every browser knows ``:has()``."""
        self._root.dataset.holds = document.body.dataset.holds = names

    def repaint(self, part: str, html: str) -> None:
        element = document.getElementById(part)
        if not element:
            return
        active = document.activeElement
        again = ""
        if active and element.contains(active):
            radio = getattr(active, "type", "") == "radio"
            again = f'[name="{active.name}"][value="{active.value}"]' if radio else f"#{active.id}" if active.id else "h1"
        js.tabletin.renew(element, html)
        if again and not element.contains(document.activeElement):
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

    def seconds_run(self, page: str, clock: str) -> float | None:
        from tabletin.app.table.dom import seconds_run
        return seconds_run(page, clock)

    async def share_picture(self, svg: str, name: str, words: str) -> str:
        return str(await js.tabletin.sharePicture(svg, name, words))

    async def share_words(self, words: str) -> str:
        return str(await js.tabletin.shareWords(words))

    def hand_out(self, name: str, text: str) -> None:
        blob = js.Blob.new(to_js([text]), to_js({"type": "application/json"}, dict_converter=js.Object.fromEntries))
        place = document.createElement("a")
        place.href = window.URL.createObjectURL(blob)
        place.download = name
        place.click()
        window.setTimeout(create_once_callable(lambda: window.URL.revokeObjectURL(place.href)), FETCHED)

