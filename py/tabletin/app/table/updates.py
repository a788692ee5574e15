"""When the table takes what happened in its match: the picture first, then the voice and the log.

An act is several entries (a move, then what the dealer answered). The page is drawn once for all of them, and speaks right
after, in a task of its own. When other people look at the device, what was said to those before is taken off the page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol

from tabletin.app.table.narration import Narration, Reader
from tabletin.kernel.match import Match
from tabletin.kernel.state import Event
from tabletin.words.wording import Wording


class WatchedSession(Protocol):
    """The match as its updates see it."""

    @property
    def match(self) -> Match: ...

    @property
    def readers(self) -> tuple[int, ...]: ...

    @property
    def wording(self) -> Wording: ...

    def on_change(self, listener: Callable[[list[Event], int], None]) -> Callable[[], None]: ...


class UpdatesHost(Protocol):
    """What updates have the table's screen do."""

    @property
    def session(self) -> WatchedSession: ...

    @property
    def narration(self) -> Narration: ...

    def show_events(self, events: list[Event]) -> None:
        """Draw the table as it is after ``events``."""
        ...

    def announce(self, sentences: Iterable[str]) -> None:
        """Say ``sentences`` to screen readers, each once, in order."""
        ...

    def unsay(self) -> None:
        """Take everything announced off the page."""
        ...

    def write_log(self, *, anew: bool = False) -> None:
        """Write on the log in words, if it stands there; ``anew``: from its beginning."""
        ...


class TableUpdates:
    """Listens to the session of ``host`` until ``stop``."""

    def __init__(self, host: UpdatesHost) -> None:
        self._host = host
        session = host.session
        self._picture = session.match.state, len(session.match.knowledge)  # what the table was last drawn from
        self._readers = session.readers
        self._drawing: asyncio.Handle | None = None
        self._speaking: asyncio.Handle | None = None
        self._unsubscribe = session.on_change(self._on_change)

    def stop(self) -> None:
        self._unsubscribe()
        for handle in (self._drawing, self._speaking):
            if handle is not None:
                handle.cancel()

    def _on_change(self, events: list[Event], index: int) -> None:
        narration, match = self._host.narration, self._host.session.match
        if narration.match is not match:  # read anew from disk, when a tab that had it was closed
            narration.reread(match)
        elif index > narration.last:
            narration.add(index, events)
            if not events and self._looks_the_same(index):
                return
        if self._drawing is None:
            self._drawing = asyncio.get_event_loop().call_soon(self.show)

    def _looks_the_same(self, index: int) -> bool:
        """Whether entry ``index`` changed nothing that is drawn, as keys and shuffles of a deal do not."""
        match = self._host.session.match
        state, known = self._picture
        dealing = match.entries[index].statement.kind == "deal"
        return dealing and len(match.knowledge) == known and (match.state is state or match.state == state)

    def show(self) -> None:
        """Bring the picture up to date; the voice and the log follow."""
        self._drawing = None
        session, narration = self._host.session, self._host.narration
        self._picture = session.match.state, len(session.match.knowledge)
        self._host.show_events([one.event for one in narration.take(Reader.PICTURE)])
        if self._readers != session.readers:
            self._readers = session.readers
            self._host.unsay()
            self._speak(anew=True)
        elif self._speaking is None and narration.pending(Reader.VOICE):
            self._speaking = asyncio.get_event_loop().call_soon(self._speak)

    def _speak(self, *, anew: bool = False) -> None:
        """Say and log what was drawn; ``anew``: the log for other readers."""
        if self._speaking is not None:
            self._speaking.cancel()
            self._speaking = None
        if self._drawing is not None and not anew:
            return  # more is about to be drawn: then all of it is said
        session, narration = self._host.session, self._host.narration
        news = narration.take(Reader.VOICE)
        self._host.announce([line.text for line in narration.lines(news, session.wording, session.readers)])
        self._host.write_log(anew=anew)
