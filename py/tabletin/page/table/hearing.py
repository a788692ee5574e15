"""What the table hears of its match: collects what one act brought about, and has it drawn, logged and
announced at once.

An act is several entries (a move, then what the dealer answered); the page is drawn once for all of them. When other
eyes look at the device, what was told to the ones before is taken off the page.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tabletin.kernel.requests import ALL
from tabletin.kernel.state import Event

from .telling import Chronicle


class Hearing:
    """Listens to the session of ``screen`` (a TableScreen) until ``stop``. ``chronicle``: all that happened."""

    def __init__(self, screen: Any) -> None:
        self._screen = screen
        session = screen.session
        self.chronicle = Chronicle(session.match)
        self._heard: int = session.match.entries[-1].index
        self._news: list[Event] = []
        self._readers: tuple[int, ...] = session.readers
        self._due: asyncio.Handle | None = None
        self._unsubscribe = session.on_change(self._changed)

    def stop(self) -> None:
        self._unsubscribe()
        if self._due is not None:
            self._due.cancel()

    def _changed(self, events: list[Event], index: int) -> None:
        if self.chronicle.match is not self._screen.session.match:  # read anew from disk, when a tab that had it was closed
            self.chronicle = Chronicle(self._screen.session.match)
        if index > self._heard:
            self._heard = index
            self.chronicle.add(index, events)
            self._news += events
        elif index >= 0:  # the log was read anew
            self.chronicle = Chronicle(self._screen.session.match)
        if self._due is None:
            self._due = asyncio.get_event_loop().call_soon(self.tell)

    def tell(self) -> None:
        """Bring the page up to date with what was heard."""
        self._due = None
        screen, session = self._screen, self._screen.session
        news, self._news = self._news, []
        public = [event for event in news if event.to == ALL]
        if public:
            screen.say_nothing()
            screen.looking.fresh = frozenset(card for event in public for card in event.cards) or screen.looking.fresh
        if screen.looking.at is None:
            screen.draw()
            screen.stage.shine(screen.board.flourish(news))
        other_eyes = self._readers != session.readers
        if other_eyes:
            self._readers = session.readers
            screen.announcer.forget()
        since = len(self.chronicle) - len(news)
        screen.announcer.tell([line.text for line in self.chronicle.lines(session.wording, session.readers, start=since)])
        screen.log_on(since=0 if other_eyes else since)
