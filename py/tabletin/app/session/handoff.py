"""An open session on its way from one screen to the next. Holds at most one, and closes what nobody takes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ReferenceType, ref

if TYPE_CHECKING:
    from tabletin.app.session.session import MatchSession


class SessionHandoff:
    """A screen that opens a match, or closes while others count on it, puts the session here; the next screen takes it."""

    def __init__(self) -> None:
        self._session: MatchSession | None = None
        self._left: ReferenceType[MatchSession] | None = None  # the one that a screen left last; it may be gone by now

    def put(self, session: MatchSession) -> None:
        """``session`` is for the next screen; another one that waits here is closed."""
        if self._session is not None and self._session is not session:
            self._session.close()
        self._session = session

    def leave(self, session: MatchSession) -> None:
        """A screen closes that had ``session``. Where other devices count on the match, it waits here, unless another one is for
        the next screen already."""
        self._left = ref(session)
        if not session.put_away():
            return
        if self._session is None:
            self._session = session
        elif self._session is not session:
            session.close()

    def clear(self) -> bool:
        """Close the session that waits, if there is one; whether there was."""
        session, self._session = self._session, None
        if session is not None:
            session.close()
        return session is not None

    async def until_written(self, name: str) -> None:
        """Wait until match ``name`` is on disk as far as it was played, if it is the one that a screen left last."""
        left = self._left() if self._left is not None else None
        if left is not None and left.id == name:
            await left.flush()

    def take(self, name: str) -> MatchSession | None:
        """The session that waits, if it is that of match ``name``; any other one is closed."""
        session, self._session = self._session, None
        if session is not None and session.id != name:
            session.close()
            return None
        return session
