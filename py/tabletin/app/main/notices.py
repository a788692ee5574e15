"""Sentences for everybody, above the screen that is shown: said, announced, put away; a new version, a worker that died.

Touches the two places of index.html that are kept for them, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import js

from tabletin.words import Catalogue


class PageNotices:
    """The notices of the page, in the language that ``words`` gives at the moment."""

    def __init__(self, words: Callable[[], Catalogue]) -> None:
        self._words = words

    def say(self, sentence: str) -> None:
        """A sentence that stands until it is put away, or until the page has turned twice; the newest of two alike."""
        self._put(sentence).dataset.told = "now"

    def turn_page(self) -> None:
        """Another screen is shown: what was said two screens ago goes. What says what is wrong, or offers something, stays."""
        for notice in list(js.document.querySelectorAll("#notices > [data-told]")):
            if notice.dataset.told == "before":
                notice.remove()
            else:
                notice.dataset.told = "before"

    def announce(self, sentence: str) -> None:
        """A sentence for screen readers alone."""
        js.document.getElementById("announcer").textContent = sentence

    def trouble(self, key: str) -> None:
        """What a session could not do, once, with a way out where there is one (``data-do="wake"``)."""
        if key == "shell.bots.failed":
            self._put(self._words().text(key), "wake", "shell.bots.again")
        else:
            self._put(self._words().text(key))

    def offer_update(self) -> None:
        """A new version waits (``data-do="update"``)."""
        self._put(self._words().text("shell.update.ready"), "update", "shell.update.now")

    async def update(self) -> None:
        """Go over to the version that waits, or say why not now."""
        if not await js.tabletin.update.apply():
            self.say(self._words().text("shell.update.later"))

    def _put(self, sentence: str, act: str = "", label: str = "") -> Any:
        notices = js.document.getElementById("notices")
        notice = js.document.createElement("div")
        notice.className = "notice"
        words = js.document.createElement("p")
        words.textContent = sentence
        notice.append(words)
        if act:
            notice.append(_button(self._words().text(label), act))
        notice.append(_button(self._words().text("shell.put_away"), "put_away", "quiet"))
        for old in list(notices.children):
            if old.firstElementChild.textContent == sentence:
                old.remove()
        notices.append(notice)
        return notice


def _button(label: str, act: str, look: str = "") -> Any:
    button = js.document.createElement("button")
    button.type = "button"
    button.className = f"button {look}"
    button.textContent = label
    button.dataset.do = act
    return button
