"""Which devices have signed how a match among peers ended: a line on its result, kept up to date while a signature is missing.

A device signs the last entry by acknowledging it. One that was cut off before the end gets what it lacks from any other that
has the match open. So the result is opened like a table: the links come back with it.
"""

from __future__ import annotations

from tabletin.app.routes import address
from tabletin.app.screens.match.match import resume
from tabletin.app.screens.match.notices import device_name
from tabletin.app.session.peers.session import PeerSession
from tabletin.app.ui.html import esc, icon, link, tag
from tabletin.app.ui.screen import Shell

PLACE = "signed"


class SignatureLine:
    """The line about ``session`` in the element "signed", until ``close``."""

    def __init__(self, shell: Shell, session: PeerSession) -> None:
        self._shell = shell
        self.session = session
        self._html = ""
        self._end = session.on_status_change(self._draw)
        self._draw()

    def _draw(self) -> None:
        html = self.line()
        if html != self._html:
            self._html = html
            self._shell.document.repaint(PLACE, html)

    def line(self) -> str:
        """Who has signed, or whose signature is missing."""
        words, session = self._shell.words, self.session
        missing = session.status.missing_signers
        names = [device_name(words, session, author) for author in missing]
        told = words.text("signed.waiting", n=len(names), names=words.join_names(names)) if names else words.text("signed.all")
        again = ""
        if missing and session.net is not None and session.status.absent(missing[0]):
            again = link(words.text("peer_match.invite_again", name=names[0]), address("room", "invite", match=session.id),
                         look="quiet", picture="user-plus", id="invite-again")
        look = link(words.text("padlock.title"), address("match", session.id, "sealed"), look="quiet", picture="lock",
                    id="to-padlock")
        picture = icon("circle-dashed" if names else "circle-check")
        return tag("p", f"{picture}<span>{esc(told)}</span>", role="status") + again + look

    def close(self) -> None:
        self._end()
        self._shell.handoff.leave(self.session)


async def signature_line(shell: Shell, name: str) -> SignatureLine | None:
    """The line about the match ``name``; None where it was played on one device."""
    session = shell.handoff.take(name) or await resume(name, shell)
    return SignatureLine(shell, session) if isinstance(session, PeerSession) else None
