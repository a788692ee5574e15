"""Sounds, the voice and notices of the page's own scripts, as the settings have it."""

from __future__ import annotations

from collections.abc import Callable

import js

from tabletin.app.settings import Settings


class BrowserSignals:
    """``settings`` gives the settings of the moment, ``language`` the language that is shown."""

    def __init__(self, settings: Callable[[], Settings], language: Callable[[], str]) -> None:
        self._settings = settings
        self._language = language

    @property
    def has_voice(self) -> bool:
        return bool(js.Reflect.has(js.globalThis, "speechSynthesis"))

    @property
    def has_notifications(self) -> bool:
        return bool(js.Reflect.has(js.globalThis, "Notification"))

    @property
    def reads_aloud(self) -> bool:
        return self._settings().read_aloud

    async def may_notify(self) -> bool:
        return bool(await js.tabletin.mayNotify())

    def play(self, name: str, *, own: bool = True) -> None:
        if self._settings().sound:
            js.tabletin.play(name, own)

    def read_aloud(self, sentence: str) -> None:
        if self.reads_aloud and sentence:
            js.tabletin.speak(sentence, self._language())

    def hush(self) -> None:
        js.tabletin.hush()

    def notice_turn(self, sentence: str) -> None:
        js.tabletin.noticeTurn(sentence, self._settings().notify)
