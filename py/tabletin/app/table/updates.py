"""When the table takes what happened in its match: the picture first, then the voice and the log.

The page is drawn once for all that an act brought about, and speaks right after, in a task of its own. Who acts at this table
draws by itself (``take``); for everybody else's acts the browser's loop is asked for a drawing, which waits while a result is
looked at (``hold``). When other people look at the device, what was said to those before is taken off the page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from tabletin.app.table.event_merging import merged_lines
from tabletin.app.table.narration import Narration, Reader
from tabletin.board.scene import Scene
from tabletin.kernel.match import Happening, Match
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

    def on_change(self, listener: Callable[[Sequence[Happening]], None]) -> Callable[[], None]: ...


class UpdatesHost(Protocol):
    """What updates have the table's screen do."""

    @property
    def session(self) -> WatchedSession: ...

    @property
    def narration(self) -> Narration: ...

    scene: Scene

    def show_news(self) -> None:
        """Draw the table with what ``take`` gives, and then have ``follow`` say it."""
        ...

    def ask(self, *, anew: bool = False) -> None:
        """All that happened is said: say what is asked now; ``anew``: the readers and others have acted since, or others read."""
        ...


class Voice(Protocol):
    """What says sentences to screen readers."""

    def tell(self, sentences: Iterable[str]) -> None:
        """Say ``sentences``, each once, in order."""
        ...

    def forget(self) -> None:
        """Take everything said off the page."""
        ...


class WordLog(Protocol):
    """The log in words."""

    def write_log(self, *, anew: bool = False) -> None:
        """Write on the log, if it stands on the page; ``anew``: from its beginning."""
        ...


class TableUpdates:
    """Listens to the session of ``host`` until ``stop``. What is drawn is then said by ``voice`` and written on ``log``."""

    def __init__(self, host: UpdatesHost, voice: Voice, log: WordLog) -> None:
        self._host = host
        self._voice = voice
        self._log = log
        session = host.session
        self._picture = session.match.state, len(session.match.knowledge)  # what the table was last drawn from
        self._readers = session.readers
        self._drawing: asyncio.Handle | None = None
        self._hold: asyncio.TimerHandle | None = None  # until then nothing is drawn by itself
        self._is_late = False  # something is to be drawn then
        self._acted: set[bool] = set()  # who has acted since all was asked anew: the readers (True), others (False)
        self._speaking: asyncio.Handle | None = None
        self._drops = host.narration.drops  # how often entries had fallen away when the log was written last
        self._unsubscribe = session.on_change(self._on_change)

    def stop(self) -> None:
        self._unsubscribe()
        for handle in (self._drawing, self._speaking, self._hold):
            if handle is not None:
                handle.cancel()

    def _on_change(self, happenings: Sequence[Happening]) -> None:
        narration, match = self._host.narration, self._host.session.match
        if narration.match is not match:  # read anew from disk, when a tab that had it was closed
            narration.reread(match)
        else:
            for one in happenings:
                narration.add(one.entry.index, one.events)
            if happenings and self._looks_the_same(happenings):
                return
        self._ask_for_drawing()

    def _ask_for_drawing(self) -> None:
        if self._hold is not None:
            self._is_late = True
        elif self._drawing is None:
            self._drawing = asyncio.get_event_loop().call_soon(self._host.show_news)

    def hold(self, seconds: float) -> None:
        """What is drawn now stays for so long, unless somebody acts here; what happens meanwhile is drawn then."""
        self._let_go()
        self._hold = asyncio.get_event_loop().call_later(seconds, self.release)

    def release(self) -> None:
        """What was held has been seen."""
        is_late = self._is_late
        self._let_go()
        if is_late:
            self._ask_for_drawing()

    def _let_go(self) -> None:
        if self._hold is not None:
            self._hold.cancel()
        self._hold, self._is_late = None, False

    def _looks_the_same(self, happenings: Sequence[Happening]) -> bool:
        """Whether ``happenings`` changed nothing that is drawn, as keys and shuffles of a deal do not."""
        match = self._host.session.match
        state, known = self._picture
        is_silent = all(one.entry.statement.kind == "deal" and not one.events for one in happenings)
        return is_silent and len(match.knowledge) == known and (match.state is state or match.state == state)

    @property
    def is_due(self) -> bool:
        """Whether the table is to be drawn."""
        return self._drawing is not None or self._is_late

    @property
    def is_speaking(self) -> bool:
        """Whether something that happened is still to be said now."""
        return bool(self._host.narration.pending(Reader.VOICE, self._host.scene.log_until))

    def take(self) -> list[Event]:
        """What the picture has not shown yet. To be drawn at once; then ``follow``."""
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None
        self._let_go()
        match = self._host.session.match
        self._picture = match.state, len(match.knowledge)
        return [one.event for one in self._host.narration.take(Reader.PICTURE)]

    def follow(self) -> None:
        """The picture is drawn: the voice and the log follow."""
        session, narration = self._host.session, self._host.narration
        if self._readers != session.readers:
            self._readers = session.readers
            self._voice.forget()
            self._speak(anew=True)
        elif self._speaking is None and (self.is_speaking or narration.drops != self._drops):
            self._speaking = asyncio.get_event_loop().call_soon(self._speak)

    def _speak(self, *, anew: bool = False) -> None:
        """Say and log what was drawn; ``anew``: the log for other readers."""
        if self._speaking is not None:
            self._speaking.cancel()
            self._speaking = None
        if self._drawing is not None and not anew:
            return  # more is about to be drawn: then all of it is said
        session, narration = self._host.session, self._host.narration
        news, self._drops = narration.take(Reader.VOICE, self._host.scene.log_until), narration.drops
        lines = merged_lines(narration, news, session.wording, session.readers)
        self._voice.tell([line.text for line in lines])
        for line in lines:
            if line.seat is not None:
                self._acted.add(line.seat in session.readers)
        is_new_turn = anew or len(self._acted) > 1
        if is_new_turn:
            self._acted.clear()
        self._host.ask(anew=is_new_turn)
        if anew or not self._host.scene.is_checking:  # what it came to is written on when it has been seen
            self._log.write_log(anew=anew)
