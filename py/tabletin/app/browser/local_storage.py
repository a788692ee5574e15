"""The browser's ``TextStore``: small texts in localStorage, or in IndexedDB where they must reach the disk at once.

Browsers write localStorage to the disk seconds later; a text kept ``at_once`` is there even if the browser is ended right
after. Where the browser blocks its storage, nothing is kept. Matches are ``indexed_db``'s.
"""

from __future__ import annotations

from typing import Final

import js
from pyodide.ffi import JsException

OURS: Final = "tabletin."


class LocalStorage:
    """Small texts by their keys, all of which begin with "tabletin."."""

    def keep(self, key: str, text: str | None) -> None:
        """Keep ``text`` under ``key``; None takes it away."""
        try:
            if text is None:
                js.window.localStorage.removeItem(key)
            else:
                js.window.localStorage.setItem(key, text)
        except JsException as error:  # blocked or full
            js.console.info(f"Not kept: {key} ({error.name})")

    def recall(self, key: str) -> str | None:
        """The text under ``key``, if there is one."""
        try:
            text = js.window.localStorage.getItem(key)
        except JsException:  # blocked: nothing was kept
            return None
        return str(text) if text else None

    async def keep_at_once(self, key: str, text: str | None) -> None:
        """Keep ``text`` under ``key``; it is on the disk on return. None takes it away."""
        try:
            await js.tabletinStore.keep(key, text or "")
        except JsException:  # no database: localStorage is the best there is
            self.keep(key, text)
        else:
            if self.recall(key) is not None:  # an older copy
                self.keep(key, None)

    async def swap_at_once(self, key: str, before: str | None, text: str | None) -> bool:
        """Keep ``text`` as ``keep_at_once`` does, if ``before`` is what is kept; whether it was."""
        try:
            done = bool(await js.tabletinStore.swap(key, before or "", text or ""))
        except JsException:  # no database, and in localStorage nothing else runs in between
            done = self.recall(key) == before
            if done:
                self.keep(key, text)
        else:
            if done and self.recall(key) is not None:  # an older copy
                self.keep(key, None)
        return done

    async def recall_at_once(self, key: str) -> str | None:
        """The text under ``key``, in either place."""
        try:
            text = await js.tabletinStore.kept(key)
        except JsException:
            return self.recall(key)
        return self.recall(key) if text is None else str(text) or None

    def forget(self) -> None:
        """Take away every text of ours."""
        try:
            keys = [str(key) for key in js.Object.keys(js.window.localStorage).to_py()]
        except JsException:  # blocked: there is nothing
            return
        for key in keys:
            if key.startswith(OURS):
                self.keep(key, None)
