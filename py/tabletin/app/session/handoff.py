"""An open session on its way from one screen to the next. Pure: holds at most one, and closes what nobody takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabletin.app.session.session import MatchSession


class SessionHandoff:
    """A screen that opens a match, or closes while others count on it, puts the session here; the next screen takes it."""

    def __init__(self) -> None:
        self._session: MatchSession | None = None

    def put(self, session: MatchSession) -> None:
        """``session`` is for the next screen; another one that waits here is closed."""
        if self._session is not None and self._session is not session:
            self._session.close()
        self._session = session

    def put_back(self, session: MatchSession) -> None:
        """A screen that closes has ``session`` left: it waits here, unless another one is for the next screen already."""
        if self._session is None:
            self._session = session
        elif self._session is not session:
            session.close()

    def take(self, name: str) -> MatchSession | None:
        """The session that waits, if it is that of match ``name``; any other one is closed."""
        session, self._session = self._session, None
        if session is not None and session.id != name:
            session.close()
            return None
        return session
