"""The one room that a page may be in: opens the links, invites and answers, remembers the room, and begins its match.

It outlives screens, which draw it and hand it what was tapped. WebRTC, the worker and the clipboard are given to it, so it
runs under CPython too. What goes wrong is an exception with a catalogue ``key``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from tabletin.app.room.memory import RoomMemory
from tabletin.app.routes import address
from tabletin.kernel.log import Entry, Hash, Json
from tabletin.kernel.options import Failure, Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.peers.net.code import BadCode, Code
from tabletin.peers.net.invite_link import join_link, read, reply_link
from tabletin.peers.net.transport import Answering, Invitation, Transport
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import Chair, RoomState
from tabletin.peers.text import NAME, clean
from tabletin.registry import GAMES

if TYPE_CHECKING:
    from tabletin.app.session.handoff import SessionHandoff
    from tabletin.app.session.peers.session import PeerSession
    from tabletin.app.session.session import MatchSession
    from tabletin.app.settings import Settings
    from tabletin.app.storage.texts import TextStore

NAME_KEPT: Final = "tabletin.name"
PLAY, WATCH, MOVE = "play", "watch", "move"
"""What an invite is for: a chair, to look on, to go on with one's own seat on another device."""


class Peering(Protocol):
    """This device among others: ``page/peering.py``."""

    @property
    def author(self) -> str: ...

    async def call(self, **asked: Any) -> dict[str, Any]: ...


class Notices(Protocol):
    """Sentences above whatever screen is shown."""

    def trouble(self, key: str) -> None: ...


class PageServices(Protocol):
    """What the room needs of the page (``main.app.App``)."""

    settings: Settings

    @property
    def texts(self) -> TextStore: ...

    @property
    def handoff(self) -> SessionHandoff: ...

    async def device(self) -> Any: ...

    def later(self, work: Awaitable[None]) -> None: ...

    def go(self, address: str, *, replace: bool = False) -> None: ...

    @property
    def notices(self) -> Notices: ...


class LinkedNet(Transport, Protocol):
    """A net that knows the room it belongs to (hexadecimal)."""

    @property
    def room(self) -> str | None: ...

    async def gather(self, name: str = "") -> None:
        """Look for others under ``name``, through relays that are switched on."""
        ...


Opener = Callable[[Any, Any, str | None], Awaitable[LinkedNet]]
Beginner = Callable[[Json, Any, Transport], Awaitable["MatchSession"]]


@dataclass(frozen=True, slots=True)
class OpenInvite:
    """An invite that is out: its link, and what it is for."""

    invitation: Invitation
    link: str
    kind: str


class RoomController:
    """``room``: the room this page is in, or None. ``sent``: the invite handed out last, by what it is for."""

    def __init__(self, around: PageServices, exchange: Any, opener: Opener, begin: Beginner) -> None:
        self.around = around
        self.exchange = exchange
        self.net: LinkedNet | None = None
        self.room: Room | None = None
        self.sent: dict[str, OpenInvite] = {}
        self.arrived: Callable[[str], None] = lambda author: None  # told when a reply came in through another tab
        self._opener = opener
        self._begin_session = begin
        self.called = ""  # the name under which the room is looked for
        self._answering: Answering | None = None
        self._helped_by: tuple[Any, ...] = ()  # the helpers that the links were opened with
        self._under_way: Hash = ""  # the match that a table of this page plays, or takes up again
        self._kept = RoomMemory(around.texts, around.later)
        exchange.listen(self._taken)

    # ---- this device's person ----

    @property
    def name(self) -> str:
        """What the person here is called far away; "" before anything was said."""
        return clean(self.around.texts.recall(NAME_KEPT) or "", NAME)

    def call_me(self, name: str) -> None:
        name = clean(name, NAME)
        self.around.texts.keep(NAME_KEPT, name or None)
        if self.room is not None and name:
            self.room.rename(name)
            self._keep()

    # ---- opening and closing ----

    async def device(self) -> Any:
        return await self.around.device()

    async def _opened(self, room: str | None = None) -> LinkedNet:
        """Links of one's own; what was open before is closed."""
        self._close_net()
        peering = await self.device()
        self._helped_by = helpers(self.around.settings)
        self.net = await self._opener(peering, self.around.settings, room)
        return self.net

    def _close_net(self) -> None:
        if self._answering is not None:
            self._answering.cancel()
            self._answering = None
        if self.net is not None:
            self.net.close()
        self.called = ""
        self.net, self.room, self.sent = None, None, {}

    def enter(self, room: Room) -> Room:
        """``room`` is this page's from now on."""
        self.room = room
        room.on_agreed = lambda setup: self.around.later(self._found(setup))
        room.on_genesis = lambda genesis: self.around.later(self._begin(genesis))
        room.on_change(self._changed)
        self.listen_as_set()
        self._keep()
        return room

    @property
    def may_change(self) -> bool:
        """Whether this page's room is its own, and could play something else."""
        room = self.room
        return room is not None and not room.end_reason and room.hosting and room.state is not None and not room.state.playing

    async def host(self, game: str, options: Mapping[str, Any], chairs: Callable[[str], tuple[Chair, ...]]) -> Room:
        """Open a room of one's own for ``game``; ``chairs``: from this device's author. Raises ``Blocked``."""
        net = await self._opened()
        return self.enter(Room.hosted(net, self.name, game, options, chairs(net.author)))

    def leave(self) -> None:
        """Good-bye to the room, if there is one."""
        if self.room is not None:
            self.room.leave()
        self._close_net()
        self._kept.forget()

    def listen_as_set(self) -> None:
        """Hear of the others what the settings say."""
        if self.room is not None:
            talk = self.around.settings.talk
            self.room.chat.is_quiet = talk == "off"
            self.room.chat.shows_words = talk == "words"

    # ---- inviting ----

    async def invite(self, watch: bool = False) -> OpenInvite:
        """The invite for the next guest: the same one until it was used. Raises ``Blocked``."""
        await self._take_new_helpers()
        room, net = self.room, self.net
        assert room is not None and net is not None and room.state is not None
        kind = WATCH if watch else PLAY
        there = self.sent.get(kind)
        if there is None:
            if room.state.playing and room.host_gone:
                room.take_over()
            if room.host_side is not None:
                room.host_side.open_door()
            invitation = await net.invite()
            link = join_link(self.exchange.site, invitation.code, game=room.state.game, by=room.name, watch=watch)
            there = self.sent[kind] = OpenInvite(invitation, link, kind)
            self._keep()
        return there

    async def invite_device(self, session: PeerSession) -> OpenInvite:
        """The invite for this person's other device, which is to go on in the match of ``session``. Raises ``Blocked``."""
        assert session.net is not None
        there = self.sent.get(MOVE)
        if there is None:
            invitation = await session.net.invite()
            link = join_link(self.exchange.site, invitation.code, game=session.match.setup.game, by=self.name, move=True)
            there = self.sent[MOVE] = OpenInvite(invitation, link, MOVE)
        return there

    async def _take_new_helpers(self) -> None:
        """Links are opened with the helpers of that moment: anew, where others are switched on and nobody is here yet."""
        room = self.room
        if (room is None or room.state is None or not room.hosting or len(room.state.members) > 1
                or self._helped_by == helpers(self.around.settings)):
            return
        net = await self._opened()
        self.enter(Room.resumed(net, self.name, room.state))

    async def accept(self, text: str) -> str:
        """A guest's reply; the guest's author once it is there. Raises ``BadCode``, ``Blocked``."""
        code = read(text).code
        sent = self._meant(code)
        self.sent.pop(sent.kind, None)
        try:
            author = await sent.invitation.accept(code)
        except BadCode as error:
            if error.key not in ("peers.code.used", "peers.code.expired"):
                self.sent.setdefault(sent.kind, sent)  # it still stands
            raise
        if sent.kind == MOVE:
            return author
        if self.room is not None and self.room.host_side is not None:
            self.room.host_side.expect(author, watching=sent.kind == WATCH)
        self._keep()
        return author

    def _meant(self, code: str) -> OpenInvite:
        """The invite that ``code`` answers, as far as can be seen."""
        if not self.sent:
            raise BadCode("of_another")
        try:
            number = Code.from_text(code).number
        except BadCode:
            number = -1
        sent = list(self.sent.values())
        return next((one for one in sent if getattr(one.invitation, "number", None) == number), sent[0])

    def _taken(self, reply: str) -> bool:
        """Another tab was opened with a reply."""
        if not self.sent:
            return False
        self.around.later(self._accept_from_tab(reply))
        return True

    async def _accept_from_tab(self, reply: str) -> None:
        try:
            self.arrived(await self.accept(reply))
        except Failure as error:
            self.around.notices.trouble(error.key)

    # ---- by a name, where relays are switched on ----

    @property
    def by_name(self) -> bool:
        """Whether the room may still be opened under a name: relays are on, and nobody was invited otherwise."""
        return self.may_change and self.around.settings.relay and self.net is not None and not self.net.room

    async def open_under(self, name: str) -> None:
        """Be found by whoever looks for ``name``; the host lets each of them in. Raises ``Blocked``."""
        assert self.net is not None
        self.called = clean(name, NAME)
        await self.net.gather(self.called)
        self._keep()

    async def find(self, name: str) -> Room:
        """Look for a room that was opened under ``name``. Raises ``Blocked``."""
        net = await self._opened()
        self.called = clean(name, NAME)
        await net.gather(self.called)
        return self.enter(Room.joined(net, self.name, ""))

    # ---- answering ----

    async def answer(self, text: str) -> str:
        """Answer an invite; the link of the reply. Raises ``BadCode``, ``Blocked``."""
        code = read(text).code
        if self.room is not None and self.room.inside and any(sent.invitation.code == code for sent in self.sent.values()):
            raise BadCode("own")
        net = await self._opened()
        self._answering = await net.answer(code)
        return reply_link(self.exchange.site, self._answering.reply)

    async def joined(self, *, watch: bool = False) -> Room:
        """Wait until the host has taken the reply; then the room. Raises ``Blocked``."""
        host, net = await self.met()
        return self.enter(Room.joined(net, self.name, host, watching=watch))

    async def met(self) -> tuple[str, LinkedNet]:
        """Wait until whoever invited has taken the reply: who that is, over which links. Raises ``Blocked``."""
        answering, net = self._answering, self.net
        assert answering is not None and net is not None
        author = await answering.connected()
        self._answering = None
        return author, net


    # ---- after the page was closed ----

    async def remembered(self) -> RoomState | None:
        """The room this device was in when the page was closed, unless that is long ago."""
        kept = await self._kept.room()
        return None if kept is None else kept.state

    async def back(self) -> Room:
        """Go back into it. Raises ``Blocked``, ``KeyError`` where there is none."""
        kept = await self._kept.room()
        if kept is None:
            raise KeyError("no room")
        net = await self._opened(kept.link)
        room = Room.resumed(net, self.name, kept.state, kept.genesis)
        room.watching = kept.watching
        return self.enter(room)

    def _keep(self) -> None:
        room, net = self.room, self.net
        if room is not None and net is not None and room.state is not None and net.room and not room.end_reason:
            self._kept.keep(room, net.room)

    def _changed(self, what: str) -> None:
        if what != "room" or self.room is None:
            return
        if self.room.end_reason:
            self._kept.forget()
        else:
            self._keep()

    # ---- the match ----

    async def _found(self, setup: Setup) -> None:
        """All agree: this device's worker writes the genesis."""
        room = self.room
        if room is None:
            return
        peering: Peering = await self.device()
        answer = await peering.call(do="found", game=setup.game, options=dict(setup.options),
                                    seats=[seat.to_json() for seat in setup.seats], nonce=setup.nonce, extra=dict(setup.extra))
        try:
            if "refused" in answer:
                raise Malformed(str(answer["refused"]))
            room.as_host().begin_match(answer["genesis"])
        except (Malformed, Refused):
            if room.hosting and room.state is not None and not room.state.playing:
                room.as_host().cancel_match()
            self.around.notices.trouble("room.not_begun")

    async def _begin(self, genesis: Json) -> None:
        """Take part in the match that begins, or watch it."""
        if self.room is not None and self.net is not None:
            await self.sit_down(genesis, self.net)

    async def sit_down(self, genesis: Json, net: Any) -> None:
        """Take part in the match that ``genesis`` founds, over ``net``, or watch it."""
        if Entry.from_json(genesis).statement.hash != self._under_way:
            self.show(await self.begin(genesis, net), net)

    async def begin(self, genesis: Json, net: Any) -> MatchSession:
        """The session of the match that ``genesis`` founds. Before a word is said in it, the way back to it is kept."""
        self._under_way = Entry.from_json(genesis).statement.hash
        await self.remember_match(self._under_way, net.room or "")
        return await self._begin_session(genesis, await self.device(), net)

    def show(self, session: MatchSession, net: Any) -> None:
        """To the table of ``session``."""
        if self.room is not None:
            self.room.page_says_over = lambda: session.over
        self.around.handoff.put(session)
        self.around.go(address("match", session.id))

    async def remember_match(self, match: Hash, room: str) -> None:
        """``match`` is played over the links of ``room`` (hexadecimal)."""
        await self._kept.keep_match(match, room)

    async def net_for(self, setup: Setup, match: Hash) -> Transport:
        """The links for a match that is taken up again: those of the room, opened anew where they are not."""
        self._under_way = match
        link = await self._kept.link_of(match)
        if self.net is not None and (link is None or self.net.room == link):
            return self.net
        kept = await self._kept.room()
        if kept is not None and link is not None and kept.link == link:
            await self.back()
        else:
            await self._opened(link)
        assert self.net is not None
        return self.net

    def match_over(self) -> None:
        """The match that this room plays has been played to its end."""
        if self.room is not None:
            self.room.match_over = True
            self.room.notify("room")

    def again(self) -> None:
        """The same people once more: back to the room, if it is open still."""
        if self.room is not None and not self.room.end_reason:
            self.match_over()
            if self.room.host_gone:
                self.room.take_over()
            self.room.play_again()
        self.around.go(address("room"))


def helpers(settings: Settings) -> tuple[Any, ...]:
    """What of ``settings`` links are opened with."""
    return (settings.stun, settings.turn, settings.turn_user, settings.turn_password, settings.relay, settings.relay_url)


def known_game(name: str) -> str:
    """``name`` if it is a game in the tin, else ""."""
    return name if name in GAMES else ""
