"""What a result says of the family league: the question once, whether this match shall count, then who has signed it."""

from __future__ import annotations

from tabletin.app.routes import address
from tabletin.app.session.peers.session import PeerSession
from tabletin.app.storage.league import League
from tabletin.app.ui.html import button, esc, icon, link, tag
from tabletin.app.ui.screen import Shell
from tabletin.peers.league.verdict import signing

PLACE = "league"


class LeagueLine:
    """The line about ``session`` in the element "league", until ``close``. ``begin`` draws it."""

    def __init__(self, shell: Shell, session: PeerSession) -> None:
        self._shell = shell
        self._session = session
        self._end = shell.league.on_change(self._draw)

    async def begin(self) -> None:
        """Draw it; and sign what was not signed before the page was closed."""
        league = await self._shell.league.current()
        self._draw(league)
        if league.is_on:
            await self._sign(league)

    async def _sign(self, league: League) -> None:
        session = self._session
        own = next((one for one in league.results if one.result.match == session.match.id), None)
        if own is None or session.author not in own.signatures:
            await session.result_signing.sign(None if session.device is not None else await self._shell.device())

    def _draw(self, league: League) -> None:
        self._shell.document.repaint(PLACE, self.line(league))

    def line(self, league: League) -> str:
        """The question, or who has signed; "" where there is nothing to say."""
        words, session = self._shell.words, self._session
        if not session.people or session.match.outcome is None or session.match.outcome.unfinished:
            return ""
        if league.is_on is None:
            ways = (button(words.text("league.yes"), "league_yes", look="primary", picture="trophy", id="league-yes")
                    + button(words.text("league.no"), "league_no", look="quiet", id="league-no"))
            return (f'<div class="notice league-question"><p class="big">{esc(words.text("league.question"))}</p>'
                    f'<p>{esc(words.text("league.about.how"))}</p><div class="row">{ways}</div></div>')
        found = next((one for one in league.results if one.result.match == session.match.id), None)
        look = link(words.text("league.title"), address("league"), look="quiet", picture="trophy", id="to-league")
        if not league.is_on:
            return look
        if found is None:
            return ""
        told = words.text("league.line", signed=signing(words, found))
        picture = icon("circle-check" if found.is_complete else "circle-dashed")
        return tag("p", f"{picture}<span>{esc(told)}</span>", role="status") + look

    async def answer(self, *, joins: bool) -> None:
        """What the people here say to the question."""
        league = await self._shell.league.change(lambda league: league.switch(is_on=joins))
        if joins:
            await self._sign(league)

    def close(self) -> None:
        self._end()
