"""A shell without a browser that keeps what screens of a match among peers draw, say and save."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tests.support.bots_here import WORDS


class Painted:
    """As much of a shell as these screens need; what they painted, and what they handed out."""

    words = WORDS

    def __init__(self, device: Any) -> None:
        self.document = self.notices = self
        self.matches = device.shelf
        self.device: Callable[[], Awaitable[Any]] = self._replica
        self._device = device
        self.html = ""
        self.files: list[str] = []

    async def _replica(self) -> Any:
        return self._device.replica

    def paint(self, html: str, title: str) -> None:
        self.html = html

    def repaint(self, part: str, html: str) -> None:
        self.html = html

    def hand_out(self, name: str, text: str) -> None:
        self.files.append(text)

    def say(self, sentence: str) -> None:
        self.html = sentence
