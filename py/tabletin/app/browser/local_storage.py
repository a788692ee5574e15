"""Small texts that stay on this device: settings, what the home page shows before Python is there. Matches are ``store``'s.

Browsers write them to the disk seconds later. What must be there although the browser is ended the moment after is kept in
IndexedDB, ``at_once``. Where the browser blocks its storage nothing is kept, and what was chosen holds until the page is closed.
"""

from __future__ import annotations

from typing import Final

import js
from pyodide.ffi import JsException

OURS: Final = "tabletin."


def keep(key: str, text: str | None) -> None:
    """Keep a small text under ``key``; None takes it away."""
    try:
        if text is None:
            js.window.localStorage.removeItem(key)
        else:
            js.window.localStorage.setItem(key, text)
    except JsException as error:  # blocked or full
        js.console.info(f"Not kept: {key} ({error.name})")


def recall(key: str) -> str | None:
    """What was kept under ``key``, if anything was."""
    try:
        text = js.window.localStorage.getItem(key)
    except JsException:  # blocked: nothing was kept
        return None
    return str(text) if text else None


async def keep_at_once(key: str, text: str | None) -> None:
    """Keep a small text under ``key``; it is on the disk on return. None takes it away."""
    try:
        await js.tabletinStore.keep(key, text or "")
    except JsException:  # no database: as well as it can be
        keep(key, text)
    else:
        if recall(key) is not None:  # from before
            keep(key, None)


async def recall_at_once(key: str) -> str | None:
    """What was kept under ``key``, at once or otherwise."""
    try:
        text = await js.tabletinStore.kept(key)
    except JsException:
        return recall(key)
    return recall(key) if text is None else str(text) or None


def forget() -> None:
    """Take away every text of ours."""
    try:
        keys = [str(key) for key in js.Object.keys(js.window.localStorage).to_py()]
    except JsException:  # blocked: there is nothing
        return
    for key in keys:
        if key.startswith(OURS):
            keep(key, None)
