"""The table of one match: opens its session, hands it to the table's screen, and goes on to the result when it is over.

Where a match cannot be opened – there is none, it is damaged, another tab has it – it says so and offers a way out. It draws no
table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tabletin.app.routes import address
from tabletin.app.session.local import LocalSession, NotLocal
from tabletin.app.session.session import MatchSession
from tabletin.app.storage.matches import StorageFailed
from tabletin.app.ui.html import bar, button, esc, game_name, link, trouble
from tabletin.app.ui.screen import Screen, Shell
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Happening
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.registry import GAMES

if TYPE_CHECKING:
    from tabletin.app.screens.match.chat import TableChat
    from tabletin.app.screens.match.peers import PeerBar


async def resume(name: str, shell: Shell) -> MatchSession:
    """The stored match ``name``; one among peers looks for them by itself. Raises as ``LocalSession.resume`` does."""
    try:
        return await LocalSession.resume(name, shell.context)
    except NotLocal:
        from tabletin.app.session.peers.session import PeerSession
        session = await PeerSession.resume(name, shell.context)
        session.come_back(shell)
        return session


def _is_chosen_here(session: MatchSession, entry: Entry) -> bool:
    """Whether ``entry`` is a move that a person at this device chose; where people only look on, any move is."""
    statement = entry.statement
    if statement.kind != "move":
        return False
    seat = int(statement.body["seat"])
    return not session.people or (seat in session.people and not session.forced_moves.was_made(seat, entry.index))


class MatchScreen(Screen):
    """``#/match/<id>``."""

    session: MatchSession | None = None
    table: Any = None
    chat: TableChat | None = None
    _elsewhere = ""  # what the page says of other tabs
    peer_bar: PeerBar | None = None  # above the table of a match among peers
    _is_over = False  # whether it was over when that was looked at last
    _asks_sound = False

    async def open(self) -> None:
        session = self.shell.handoff.take(self.route.subject)
        if session is None:
            try:
                session = await resume(self.route.subject, self.shell)
            except KeyError:
                self.refuse(self.text("playing.none"))
                return
            except StorageFailed as failure:
                self.refuse(self.text(failure.key))
                return
            except (Refused, Malformed) as error:
                unreadable = self.text("playing.unreadable")
                self.report_damage(self.sentence(error.refusal) if isinstance(error, Refused) else unreadable)
                return
        self.session = session
        match = session.match
        if not session.among_peers and match.outcome is None and any(seat.is_bot for seat in match.setup.seats):
            self.shell.prepare(match.setup.game, bots=True)  # their worker starts while the table is laid
        await self.show_table(session)

    async def show_table(self, session: MatchSession) -> None:
        """Draw the table part by part, so that a tap or a message in between does not wait long."""
        title = self.title(game_name(self.words, session.match.setup.game))
        self._elsewhere = self.elsewhere_notice()
        self.shell.document.paint(f'<div class="above">{self.header_strip()}<div id="elsewhere">{self._elsewhere}</div>'
                         f'<div id="ask-sound">{self.sound_question()}</div>'
                         '<div id="peer-bar"></div><div id="chat"></div><div id="door" role="status"></div></div>'
                         f'<div id="table"></div>', title)
        session.on_change(self.match_changed)
        for _ in GAMES[session.match.setup.game].load_table():
            await asyncio.sleep(0)
            if self.session is not session:
                return
        steps: list[Callable[[], None]] = [lambda: self.build_table(session),
                                           lambda: self.table.lay(self.moment(session)), self.shell.document.focus_title]
        if session.among_peers:  # above the table, which gets the space that is left
            steps.insert(0, lambda: self.show_peers(session))
        for step in steps:
            await asyncio.sleep(0)
            if self.session is not session:
                return
            step()

    def sound_question(self) -> str:
        """Asks whether there are to be sounds: at the first match, and at the next one where it was not answered."""
        settings, session = self.shell.settings, self.session
        if settings.sound or settings.sound_asked or self.moment_is_past or session is None:
            return ""
        if any(_is_chosen_here(session, entry) for entry in session.match.entries):
            return ""
        self._asks_sound = True
        self.shell.adopt(settings.with_value("sound_asked" if settings.sound_offered else "sound_offered", True))
        yes = button(self.text("playing.sound.yes"), "sound_on", look="primary")
        no = button(self.text("playing.sound.no"), "sound_off", look="quiet")
        return f'<p class="notice" role="status"><span>{esc(self.text("playing.sound.ask"))}</span> {yes} {no}</p>'

    def build_table(self, session: MatchSession) -> None:
        from tabletin.app.table.screen import TableScreen
        self.table = TableScreen(self.shell.document.element("table"), session, self.words, self.shell.signals,
                                 (self.shell.settings.hurry_tips, self.keep_hurry_tips))

    def keep_hurry_tips(self, left: int) -> None:
        """That a tap hurries is said so many times more."""
        self.shell.adopt(self.shell.settings.with_value("hurry_tips", left))

    def show_peers(self, session: MatchSession) -> None:
        """Show who plays at the other devices, and keep this one awake while there is something to play."""
        from tabletin.app.screens.match.peers import PeerBar
        from tabletin.app.session.peers.session import PeerSession
        assert isinstance(session, PeerSession)
        self.peer_bar = PeerBar(self.shell, session)
        self._is_over = session.match.outcome is not None
        self.shell.stay_awake(not self._is_over)
        self.show_chat()

    def show_chat(self) -> None:
        """Messages beside the table, once this page is in the room again."""
        room = None if self.shell.rooms_if_any is None else self.shell.rooms_if_any.room
        session = self.session
        if self.chat is None and self.peer_bar is not None and session is not None and room is not None and room.inside:
            from tabletin.app.screens.match.chat import TableChat
            self.chat = TableChat(self.shell, room, session.id)

    moment_is_past = False  # whether this screen looks back

    def moment(self, session: MatchSession) -> int | None:
        """The entry to look at first; None for now."""
        return None

    def title(self, game: str) -> str:
        """What the window is called."""
        return game

    def header_strip(self) -> str:
        """What stands above the table."""
        return ""

    def elsewhere_notice(self) -> str:
        """Says why nobody here can play this match: another tab does, or too little of it is here."""
        if self.session is None or self.session.owner or self.session.match.outcome is not None:
            return ""
        fragment = isinstance(self.session, LocalSession) and self.session.is_fragment
        why = self.text("playing.fragment" if fragment else "shell.other_tab.open")
        return (f'<p class="notice" role="status">{esc(why)} '
                f'{link(self.text("shell.home"), "#/", look="quiet")}</p>')

    def _end_sound_question(self) -> None:
        self._asks_sound = False
        self.shell.document.repaint("ask-sound", "")

    def match_changed(self, happenings: Sequence[Happening]) -> None:
        if self._asks_sound and self.session is not None and any(_is_chosen_here(self.session, one.entry) for one in happenings):
            self._end_sound_question()  # who plays on without an answer wants the space for the table
        self.show_chat()
        elsewhere = self.elsewhere_notice()
        if elsewhere != self._elsewhere:
            self._elsewhere = elsewhere
            self.shell.document.repaint("elsewhere", elsewhere)
        if self.peer_bar is None or self.session is None:
            return
        was_over, self._is_over = self._is_over, self.session.match.outcome is not None
        if was_over or self._is_over:  # its end may fall away
            self.shell.stay_awake(not self._is_over)
            if self.shell.rooms_if_any is not None:
                self.shell.rooms_if_any.end_match(self.session.match.id, is_over=self._is_over)

    def refuse(self, sentence: str) -> None:
        way_out = link(self.text("shell.home"), "#/", look="primary")
        self.shell.document.paint(bar(self.words, self.text("playing.trouble")) + trouble(self.words, sentence, way_out),
                         self.text("playing.trouble"))

    def report_damage(self, why: str) -> None:
        """A stored match that these rules do not accept: it stays where it is, and can be handed out or deleted."""
        ways = (link(self.text("shell.home"), "#/", look="primary")
                + button(self.text("playing.hand_out"), "hand_out", look="quiet", picture="download")
                + button(self.text("playing.delete"), "delete", look="quiet danger", picture="trash-2"))
        title = self.text("playing.trouble")
        sentence = self.text("playing.damaged", why=why)
        self.shell.document.paint(bar(self.words, title) + trouble(self.words, sentence, ways), title)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        if self.peer_bar is not None and await self.peer_bar.act(do, data):
            return
        if self.chat is not None and await self.chat.act(do, data):
            if self.chat.open and self.table is not None:
                self.table.panel.put_sheet_away()
            return
        if do in ("sound_on", "sound_off"):
            self.shell.adopt(self.shell.settings.with_value("sound", do == "sound_on").with_value("sound_asked", True))
            self._end_sound_question()
            self.shell.signals.play("turn")
            self.shell.document.focus_title()
        elif do == "hand_out":
            _, rows = await self.shell.matches.read(self.route.subject)
            self.shell.document.hand_out(f"tabletin-{self.route.subject}.jsonl", "".join(f"{line}\n" for line, _ in rows))
        elif do == "delete":
            await self.shell.matches.remove(self.route.subject)
            self.shell.go(address())

    async def on_change(self, name: str, value: str) -> None:
        await self.on_input(name, value)

    async def on_input(self, name: str, value: str) -> None:
        if self.chat is not None:
            self.chat.on_input(name, value)

    def close(self) -> None:
        if self.chat is not None:
            self.chat.close()
        if self.peer_bar is not None:
            self.peer_bar.close()
            self.shell.stay_awake(False)
        if self.table is not None:
            self.table.close()
        session, self.session = self.session, None
        self.chat = self.peer_bar = self.table = None
        if session is not None:
            self.shell.handoff.leave(session)
