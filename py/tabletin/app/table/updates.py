"""What the table hears of its match: collects what one act brought about, and has it drawn, logged and
announced at once.

An act is several entries (a move, then what the dealer answered); the page is drawn once for all of them, and written on
right after, in a task of its own. When other eyes look at the device, what was told to the ones before is taken off the page.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tabletin.app.table.narration import Narration
from tabletin.kernel.requests import ALL
from tabletin.kernel.state import Event


class TableUpdates:
    """Listens to the session of ``screen`` (a TableScreen) until ``stop``. ``chronicle``: all that happened."""

    def __init__(self, screen: Any) -> None:
        self._screen = screen
        session = screen.session
        self.chronicle = Narration(session.match)
        self._heard: int = session.match.entries[-1].index
        self._news: list[Event] = []
        self._unwritten = 0  # events that are drawn, and not said yet
        self.logged = 0  # events that stand in the log already
        self._drawn = session.match.state, len(session.match.knowledge)
        self._readers: tuple[int, ...] = session.readers
        self._due: asyncio.Handle | None = None
        self._writing: asyncio.Handle | None = None
        self._unsubscribe = session.on_change(self._changed)

    def stop(self) -> None:
        self._unsubscribe()
        for due in (self._due, self._writing):
            if due is not None:
                due.cancel()

    def _changed(self, events: list[Event], index: int) -> None:
        if self.chronicle.match is not self._screen.session.match:  # read anew from disk, when a tab that had it was closed
            self.chronicle = Narration(self._screen.session.match)
        if index > self._heard:
            self._heard = index
            self.chronicle.add(index, events)
            self._news += events
            if not events and self._looks_the_same(index):
                return
        elif index >= 0:  # the log was read anew
            self.chronicle = Narration(self._screen.session.match)
        if self._due is None:
            self._due = asyncio.get_event_loop().call_soon(self.tell)

    def _looks_the_same(self, index: int) -> bool:
        """Whether entry ``index`` changed nothing that is drawn, as keys and shuffles of a deal do not."""
        match = self._screen.session.match
        state, known = self._drawn
        dealing = match.entries[index].statement.kind == "deal"
        return dealing and len(match.knowledge) == known and (match.state is state or match.state == state)

    def tell(self) -> None:
        """Bring the page up to date with what was heard."""
        self._due = None
        screen, session = self._screen, self._screen.session
        news, self._news = self._news, []
        public = [event for event in news if event.to == ALL]
        if public:
            screen.say_nothing()
            screen.looking.fresh = frozenset(card for event in public for card in event.cards) or screen.looking.fresh
        self._drawn = session.match.state, len(session.match.knowledge)
        if screen.looking.at is None:
            screen.draw()
            screen.stage.shine(screen.board.flourish(news))
        self._unwritten += len(news)
        if self._readers != session.readers:
            self._readers = session.readers
            screen.announcer.forget()
            self._write(anew=True)
        elif self._unwritten and self._writing is None:
            self._writing = asyncio.get_event_loop().call_soon(self._write)

    def _write(self, *, anew: bool = False) -> None:
        """Say and log what was drawn; ``anew``: the log for other eyes."""
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None
        if self._due is not None and not anew:
            return  # there is more to be drawn: all of it then
        screen, session = self._screen, self._screen.session
        unwritten, self._unwritten = self._unwritten, 0
        since = len(self.chronicle) - unwritten
        screen.announcer.tell([line.text for line in self.chronicle.lines(session.wording, session.readers, start=since)])
        if screen.beside.open == "log":
            screen.beside.fill(since=0 if anew else max(since, self.logged))
