"""The one room that a page may be in: opens its links, invites and answers, remembers the room, and begins its match.

It outlives screens, which draw the room and pass on what the player does. WebRTC, the worker and the clipboard are given to
it, so it runs under CPython too. What goes wrong is a ``Failure`` with words from the catalogue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from tabletin.app.connection_servers import Servers, with_all
from tabletin.app.room.invites import MOVE, PLAY, WATCH, Invites, OpenInvite
from tabletin.app.room.memory import RoomMemory
from tabletin.app.routes import address
from tabletin.kernel.log import Entry, Hash, Json
from tabletin.kernel.options import Failure, Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.net.code import BadCode, Code
from tabletin.peers.net.diagnosis import Findings, reason, reason_of_pairs
from tabletin.peers.net.invite_link import meet_link, read_link, reply_link
from tabletin.peers.net.rendezvous import HOST_DIGITS, Rendezvous
from tabletin.peers.net.transport import InviteReply, Transport, Unreachable
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import Chair, RoomState
from tabletin.peers.worker.calls import FoundMatch
from tabletin.peers.worker.results import Genesis

if TYPE_CHECKING:
    from tabletin.app.session.handoff import SessionHandoff
    from tabletin.app.session.peers.ports import PeerDevice
    from tabletin.app.session.peers.session import PeerSession
    from tabletin.app.session.room_link import SharedMatch
    from tabletin.app.session.session import MatchSession
    from tabletin.app.settings import Settings
    from tabletin.app.storage.matches import TabLocks
    from tabletin.app.storage.texts import TextStore

NAME_KEY: Final = "tabletin.name"


class FailureNotices(Protocol):
    """Sentences above whatever screen is shown."""

    def trouble(self, key: str) -> None: ...


class PageServices(Protocol):
    """What the room needs of the page (``main.app.App``)."""

    settings: Settings

    @property
    def texts(self) -> TextStore: ...

    @property
    def handoff(self) -> SessionHandoff: ...

    @property
    def locks(self) -> TabLocks: ...

    def device(self) -> Awaitable[PeerDevice]: ...

    def adopt(self, settings: Settings) -> None: ...

    def start_task(self, work: Awaitable[None]) -> None: ...

    def go(self, address: str, *, replace: bool = False) -> None: ...

    @property
    def notices(self) -> FailureNotices: ...


class RoomTransport(Transport, Protocol):
    """Links between the devices of one room."""

    @property
    def room(self) -> str | None:
        """The room's id, in hexadecimal; None until there is one."""
        ...

    def use_servers(self, servers: Servers) -> None:
        """Connections that are made from now on use these STUN and TURN servers."""
        ...

    def findings(self, author: str = "") -> Findings:
        """What was found while this device looks for others, or for the one whose author begins so."""
        ...

    async def meet(self, rendezvous: Rendezvous, relays: Sequence[str], *, seeks: bool) -> None:
        """Be found through relays by all who hold the link of ``rendezvous``; ``seeks``: look for anybody.

        Raises ``Unreachable``.
        """
        ...


OpenTransport = Callable[[Any, Servers, str | None], Awaitable[RoomTransport]]  # of a device, servers, a room's id or None
BeginSession = Callable[[Json, Any, Transport, bool], Awaitable["MatchSession"]]
"""Of a genesis, a device, links, and whether this device may have played that match before."""


class RoomController:
    """``room``: the room this page is in, or None. ``transport``: its links. ``invites``: those that are out.

    ``rendezvous``: what the room's link stands for; None for a room without one. ``servers``: the servers in use.
    ``shared_name``: the name under which the room is found, or looked for; "" for none. ``on_guest`` is called with a guest
    whose reply came through another tab. ``on_room`` is called with each room that the page comes into.
    """

    def __init__(self, page: PageServices, exchange: Any, open_transport: OpenTransport, begin_session: BeginSession,
                 on_room: Callable[[Room], None] = lambda room: None) -> None:
        self.exchange = exchange
        self.transport: RoomTransport | None = None
        self.room: Room | None = None
        self.rendezvous: Rendezvous | None = None
        self.servers = Servers.from_settings(page.settings)
        self.shared_name = ""
        self.inviter = ""  # who sent the link that this device came by, as the link says
        self.on_guest: Callable[[str], None] = lambda author: None
        self.invites = Invites(exchange, lambda reply: page.start_task(self._accept_from_tab(reply)))
        self._has_link_servers = False
        self._page = page
        self._open_transport = open_transport
        self._begin_session = begin_session
        self._on_room = on_room
        self._answering: InviteReply | None = None
        self._current_match: Hash = ""  # the match that a table of this page plays, or takes up again
        self._claimed_room = ""  # whose links this tab has claimed
        self._memory = RoomMemory(page.texts, page.start_task)
        self._entering = asyncio.Lock()  # who asks for a room that this page is on its way into gets that very one
        self._opening = asyncio.Lock()  # one after the other: else this tab would take itself for another one

    # ---- the name of this device's person ----

    @property
    def name(self) -> str:
        """The name that other devices show; "" before one was given."""
        return clean(self._page.texts.recall(NAME_KEY) or "", NAME)

    def set_name(self, name: str) -> None:
        name = clean(name, NAME)
        self._page.texts.keep(NAME_KEY, name or None)
        if self.room is not None and name:
            self.room.rename(name)
            self._remember_room()

    # ---- opening and closing ----

    def start_device(self) -> None:
        """Start this device's worker, which every room needs, while the person here still reads or types."""
        async def start() -> None:
            await self._page.device()

        self._page.start_task(start())

    async def open_transport(self, room: str | None = None, rendezvous: Rendezvous | None = None,
                             servers: Servers | None = None, *, seeks: bool = True) -> RoomTransport:
        """Open links of this device; links that were open before are closed. Raises ``Unreachable``.

        ``room``: where it was before. ``rendezvous``: where others find it; ``servers``: those of a link that the person here
        agreed to, None for those of the settings; ``seeks``: whether it looks for anybody there.
        """
        async with self._opening:
            self._close_transport()
            if room is not None and rendezvous is None:
                rendezvous, servers = await self._memory.rendezvous_of(room)
            await self._memory.read_matches()
            device = await self._page.device()
            self.rendezvous, self.servers = rendezvous, servers or Servers.from_settings(self._page.settings)
            self._has_link_servers = servers is not None
            room = rendezvous.room if rendezvous is not None else room
            if room is not None:
                await self._claim_room(room)
            self.transport = transport = await self._open_transport(device, self.servers, room)
            if rendezvous is not None:
                await self._memory.keep_rendezvous(rendezvous, servers)
                if self.servers.relays:
                    await transport.meet(rendezvous, self.servers.relays, seeks=seeks)
            return transport

    async def _claim_room(self, room: str) -> None:
        """The links of ``room`` are this tab's: another tab of this device would take what others say away from it, and the match
        would stand still. Raises ``Unreachable`` where another tab has them."""
        self._claimed_room = room  # from now on: nobody may wait for it any more when it comes
        if not await self._page.locks.claim_room(room):
            self._claimed_room = ""
            raise Unreachable("other_tab")

    def _close_transport(self) -> None:
        if self._answering is not None:
            self._answering.cancel()
            self._answering = None
        if self.transport is not None:
            if self._page.handoff.clear():  # a match that waits there has no links any more: opened again, it gets others
                self._current_match = ""
            self.transport.close()
        if self._claimed_room:
            self._page.locks.release_room(self._claimed_room)
        self.shared_name = self._claimed_room = ""
        self.transport = self.room = self.rendezvous = None
        self.invites.clear()

    def enter(self, room: Room) -> Room:
        """Make ``room`` this page's room."""
        self.room = room
        room.on_agreed = lambda setup: self._page.start_task(self._found_match(setup))
        room.on_genesis = lambda genesis: self._page.start_task(self._play_in_room(genesis))
        room.on_unasked = lambda: self._page.go(address("room"))  # where the person here is asked
        transport = self.transport
        assert transport is not None
        room.has_begun = lambda match: self._memory.has_match(match, transport.room or "")
        room.on_change(self._room_changed)
        self.apply_chat_settings()
        self._on_room(room)
        self._remember_room()
        return room

    @property
    def may_change(self) -> bool:
        """Whether this device hosts the room, and it could play another game."""
        room = self.room
        return room is not None and room.hosting and room.state is not None and not room.state.playing

    async def host(self, game: str, options: Mapping[str, Any], chairs: Callable[[str], tuple[Chair, ...]]) -> Room:
        """Open a room for ``game``; ``chairs``: from this device's author. Raises ``Unreachable``."""
        rendezvous = Rendezvous.new()
        transport = await self.open_transport(rendezvous=rendezvous, seeks=False)
        return self.enter(Room.open(transport, self.name, game, options, chairs(transport.author), rendezvous=rendezvous))

    def leave(self) -> None:
        """Leave the room, if there is one."""
        if self.room is not None:
            self.room.leave()
        self._forget_room()
        self._close_transport()

    def drop_room(self) -> None:
        """The host says that this device is out of the room, or the room is none for it. A match that is played over the links
        goes on: in that the host has no say."""
        if self.room is None or not self.room.is_playing:
            self.leave()
            return
        self._forget_room()
        self.invites.withdraw()
        self.room = None

    def apply_chat_settings(self) -> None:
        """Show as much of the chat as the settings say."""
        if self.room is not None:
            talk = self._page.settings.talk
            self.room.chat.is_quiet = talk == "off"
            self.room.chat.shows_words = talk == "words"

    # ---- inviting ----

    async def invite(self, watch: bool = False) -> OpenInvite:
        """The invite for the next guest: the same one until it is used. Raises ``Unreachable``."""
        self.renew_servers()
        room, transport = self.room, self.transport
        assert room is not None and transport is not None and room.state is not None
        purpose = WATCH if watch else PLAY
        present = self.invites.find(purpose)
        if present is not None:
            return present
        if room.state.playing and room.host_gone:
            room.take_over()
        if room.host_side is not None:
            room.host_side.open_door()
        made = await self.invites.make(purpose, transport, game=room.state.game, by=room.name)
        self._remember_room()
        return made

    def search_cause(self, author: str = "") -> str:
        """Why nobody was found by the link yet, or not the device whose author begins so; "" where it is too early to tell."""
        return reason(self.transport.findings(author)) if self.transport is not None and self.rendezvous is not None else ""

    def device_link(self, session: PeerSession, transfer: str) -> str:
        """The link for this person's other device, which carries the secret ``transfer``; "" where there is none for the room."""
        rendezvous = self.rendezvous
        if rendezvous is None or rendezvous.is_named or not self.servers.relays or session.net is not self.transport:
            return ""
        fields = {"move": transfer, "of": session.author[:HOST_DIGITS], **self.servers.to_link()}
        return meet_link(self.exchange.site, rendezvous.token(watch=True), game=session.match.setup.game, by=self.name,
                         fields=fields)

    async def invite_device(self, session: PeerSession) -> OpenInvite:
        """The invite for this person's other device, to go on in the match of ``session``. Raises ``Unreachable``."""
        assert session.net is not None
        return self.invites.find(MOVE) or await self.invites.make(
            MOVE, session.net, game=session.match.setup.game, by=self.name)

    def renew_servers(self) -> None:
        """Use the servers that are switched on now; invites that are out were made without them, and no longer count.

        Those of a link stay in use, with a TURN server of one's own.
        """
        settings = self._page.settings
        servers = self.servers.with_turn_of(settings) if self._has_link_servers else Servers.from_settings(settings)
        if self.transport is None or servers == self.servers:
            return
        self.servers = servers
        self.invites.withdraw()
        self.transport.use_servers(servers)
        if self.rendezvous is not None and servers.relays:
            searching = self.room is not None and self.room.state is None
            self._page.start_task(self.transport.meet(self.rendezvous, servers.relays, seeks=searching))

    def agree(self) -> None:
        """The person here agrees to servers: those of the settings, and where there are none, the usual ones."""
        self._page.adopt(with_all(self._page.settings))
        self.renew_servers()

    def link(self, *, watch: bool = False) -> str:
        """The link that leads anybody here, as often as it is opened; "" where the servers for one are switched off."""
        room, rendezvous = self.room, self.rendezvous
        can_invite = rendezvous is not None and not rendezvous.is_named and (watch or rendezvous.play_secret)
        if room is None or room.state is None or rendezvous is None or not can_invite or not self.servers.relays:
            return ""
        return meet_link(self.exchange.site, rendezvous.token(watch=watch), game=room.state.game, by=room.name, watch=watch,
                         fields={"of": room.state.host[:HOST_DIGITS], **self.servers.to_link()})

    async def accept(self, text: str) -> str:
        """Take a guest's reply; the guest's author once it is connected. Raises ``BadCode``, ``Unreachable``."""
        author, purpose = await self.invites.accept(text)
        if purpose != MOVE:
            if self.room is not None and self.room.host_side is not None:
                self.room.host_side.expect(author, watching=purpose == WATCH)
            self._remember_room()
        return author

    async def _accept_from_tab(self, reply: str) -> None:
        try:
            self.on_guest(await self.accept(reply))
        except Failure as error:
            self._page.notices.trouble(error.key)

    # ---- by a name, where relays are switched on ----

    @property
    def can_share_name(self) -> bool:
        """Whether the room may still be found by a name: relays are on, and nobody was invited otherwise."""
        room = self.room
        return (self.may_change and self._page.settings.relay and not self.shared_name and not self.invites
                and room is not None and room.state is not None and len(room.state.members) == 1)

    async def share_name(self, name: str) -> None:
        """Let others find the room by ``name``; the host lets each of them in. Raises ``Unreachable``."""
        assert self.room is not None and self.room.state is not None
        state = self.room.state
        transport = await self.open_transport(rendezvous=Rendezvous.from_name(clean(name, NAME)), seeks=False)
        self.enter(Room.resume(transport, self.name, state))
        self.shared_name = clean(name, NAME)

    async def find_by_name(self, name: str) -> Room:
        """Look for a room that shares ``name``. Raises ``Unreachable``."""
        transport = await self.open_transport(rendezvous=Rendezvous.from_name(clean(name, NAME)))
        self.shared_name = clean(name, NAME)
        return self.enter(Room.join(transport, self.name, ""))

    # ---- by a link ----

    async def join_by_link(self, rendezvous: Rendezvous, servers: Servers, *, watch: bool = False) -> Room:
        """Go into the room that a link leads to, or back into it; the room, which may still be looked for.

        Raises ``Unreachable``.
        """
        async with self._entering:
            known = self.rendezvous
            if self.room is not None and not self.room.end_reason and known is not None and known.room == rendezvous.room:
                return self.room
            own = self._link_servers(servers)
            remembered = await self._memory.room()
            if remembered is not None and remembered.link == rendezvous.room:
                await self._memory.keep_rendezvous(rendezvous, own)
                return await self._resume()
            return await self._look_for(rendezvous, own, watch=watch)

    async def _look_for(self, rendezvous: Rendezvous, servers: Servers | None, *, watch: bool) -> Room:
        transport = await self.open_transport(rendezvous=rendezvous, servers=servers)
        return self.enter(Room.join(transport, self.name, "", watching=watch, rendezvous=provable_rendezvous(rendezvous)))

    # ---- answering ----

    async def answer(self, text: str) -> str:
        """Answer an invite; the link of the reply. Raises ``BadCode``, ``Unreachable``."""
        code = read_link(text).code
        if self.room is not None and self.room.inside and self.invites.includes(code):
            raise BadCode("own")
        transport = await self.open_transport()
        self._answering = await transport.answer(code)
        if transport.room is not None:
            await self._claim_room(transport.room)
        return reply_link(self.exchange.site, self._answering.reply)

    def cause_of_reply(self, invite: str, reply: str) -> str:
        """Why the link that ``reply`` answers ``invite`` for would fail, if it failed: a reason of ``peers.net.diagnosis``."""
        own, theirs = (frozenset(one.kind for one in Code.from_text(read_link(text).code).description.candidates)
                       for text in (reply, invite))
        return reason_of_pairs(Findings(0.0, own=own, theirs=theirs, has_stun=bool(self.servers.stun),
                                        has_turn=bool(self.servers.turn)))

    async def join(self, *, watch: bool = False) -> Room:
        """Wait until the inviting device has taken the reply; then the room. Raises ``Unreachable``."""
        host, transport = await self.wait_for_inviter()
        return self.enter(Room.join(transport, self.name, host, watching=watch))

    async def wait_for_inviter(self) -> tuple[str, RoomTransport]:
        """Wait until the inviting device has taken the reply: its author, and the links. Raises ``Unreachable``."""
        answering, transport = self._answering, self.transport
        assert answering is not None and transport is not None
        author = await answering.wait_connected()
        self._answering = None
        return author, transport

    def _link_servers(self, servers: Servers) -> Servers | None:
        """What is used of a link that names ``servers``, with a TURN server of one's own; None: what the settings say."""
        used = servers.with_turn_of(self._page.settings)
        return None if used == Servers.from_settings(self._page.settings) else used

    async def find_device(self, rendezvous: Rendezvous, servers: Servers, author: str) -> tuple[str, RoomTransport]:
        """Wait until the device whose author begins with ``author`` is found by a link: its author, and the links.

        Raises ``Unreachable``.
        """
        own = self._link_servers(servers)
        transport = self.transport
        if transport is None or transport.room != rendezvous.room:
            transport = await self.open_transport(rendezvous=rendezvous, servers=own)
        found: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def look(changed: str) -> None:
            here = [one for one in transport.connected_authors() if one.startswith(author)]
            if here and not found.done():
                found.set_result(here[0])

        transport.on_presence(look)
        look("")
        return await found, transport

    async def note_host(self, host: str) -> None:
        """``host`` hosts the room that the rendezvous leads to: the link named the device from which the person here went on."""
        if self.rendezvous is not None:
            self.rendezvous = self.rendezvous.led_to(host[:HOST_DIGITS])
            await self._memory.keep_rendezvous(self.rendezvous, self.servers if self._has_link_servers else None)

    # ---- after the page was closed ----

    async def remembered_room(self) -> RoomState | None:
        """The room this device was in when the page was closed, unless that is long ago."""
        remembered = await self._memory.room()
        return None if remembered is None else remembered.state

    async def resume(self, link: str = "") -> Room:
        """Go back into the remembered room, or look again for the one of ``link``, the id of its links.

        Raises ``Unreachable``, ``KeyError`` where there is none.
        """
        async with self._entering:
            room, transport = self.room, self.transport
            if room is not None and transport is not None and not room.end_reason and link in ("", transport.room):
                return room
            return await self._resume(link)

    async def _resume(self, link: str = "") -> Room:
        remembered = await self._memory.room()
        if link and (remembered is None or remembered.link != link):
            rendezvous, servers = await self._memory.rendezvous_of(link)
            if rendezvous is not None:
                return await self._look_for(rendezvous, servers, watch=not rendezvous.play_secret)
        if remembered is None:
            raise KeyError("no room")
        transport = await self.open_transport(remembered.link)
        room = Room.resume(transport, self.name, remembered.state, remembered.genesis, agreement=remembered.agreement,
                           rendezvous=provable_rendezvous(self.rendezvous))
        room.watching = remembered.watching
        return self.enter(room)

    def _remember_room(self) -> None:
        room, transport = self.room, self.transport
        if room is not None and transport is not None and room.state is not None and transport.room and not room.end_reason:
            self._memory.keep(room, transport.room)

    def _forget_room(self) -> None:
        if self.room is None or self.room.state is not None:  # where none was found yet, the remembered room is another one
            self._memory.forget()

    def _room_changed(self, what: str) -> None:
        if what != "room" or self.room is None:
            return
        if self.room.end_reason:
            self._forget_room()
            return
        self._remember_room()

    # ---- the match ----

    async def _found_match(self, setup: Setup) -> None:
        """All agree: this device's worker writes the genesis."""
        room = self.room
        if room is None:
            return
        device = await self._page.device()
        answer = await device.call(FoundMatch.from_setup(setup))
        try:
            room.as_host().begin_match(answer.result_as(Genesis).entry)
        except (Malformed, Refused):
            if room.host_side is not None and room.state is not None and not room.state.playing:
                room.host_side.cancel_match()
            self._page.notices.trouble("room.not_begun")

    async def _play_in_room(self, genesis: Json) -> None:
        if self.room is not None and self.transport is not None:
            await self.play(genesis, self.transport)

    async def play(self, genesis: Json, transport: Any) -> None:
        """Take part in the match that ``genesis`` founds, over ``transport``, or watch it."""
        if Entry.from_json(genesis).statement.hash != self._current_match:
            self.show_table(await self.begin_session(genesis, transport))

    async def begin_session(self, genesis: Json, transport: Any) -> MatchSession:
        """The session of the match that ``genesis`` founds. The way back to it is stored before anything is sent."""
        self._current_match = match = Entry.from_json(genesis).statement.hash
        was_here = await self.was_here(match)
        await self.remember_match(match, transport.room or "")
        return await self._begin_session(genesis, await self._page.device(), transport, was_here)

    async def was_here(self, match: Hash) -> bool:
        """Whether this device took part in ``match`` before, or watched it."""
        return await self._memory.link_of(match) is not None

    async def is_elsewhere(self, match: Hash, transport: RoomTransport) -> bool:
        """Whether this device took part in ``match``, or watched it, over the links of another room."""
        return await self._memory.link_of(match) not in (None, transport.room or "")

    def show_table(self, session: MatchSession) -> None:
        """Go to the table of ``session``."""
        if self.room is not None:
            follow(self.room, session)
        self._page.handoff.put(session)
        self._page.go(address("match", session.id))

    async def remember_match(self, match: Hash, room: str) -> None:
        """``match`` is played over the links of ``room`` (hexadecimal)."""
        await self._memory.keep_match(match, room)

    async def transport_for(self, match: Hash) -> Transport:
        """The links for a match that is taken up again: those of its room, opened if they are not. Raises ``Unreachable``."""
        self._current_match = match
        async with self._entering:
            link = await self._memory.link_of(match)
            if self.transport is not None and (link is None or self.transport.room == link):
                return self.transport
            remembered = await self._memory.room()
            if remembered is not None and link is not None and remembered.link == link:
                await self._resume()
            else:
                await self.open_transport(link)
            assert self.transport is not None
            return self.transport

    def end_match(self, match: Hash, *, is_over: bool = True) -> None:
        """``match`` has ended, or goes on after all, which may be the one that this room plays."""
        if self.room is not None:
            self.room.end_match(match, is_over=is_over)

    def play_again(self) -> None:
        """Another match with the same people: back to the room, if it is still open."""
        if self.room is not None and self.room.is_match_over and not self.room.end_reason:
            if self.room.host_gone:
                self.room.take_over()
            self.room.play_again()
        self._page.go(address("room"))


def follow(room: Room, session: MatchSession | SharedMatch) -> None:
    """``room`` knows from ``session``, of this page, who plays and until when."""
    room.follow_table(session.match.id, lambda: session.over, lambda: session.match.setup.authors)


def provable_rendezvous(rendezvous: Rendezvous | None) -> Rendezvous | None:
    """The rendezvous whose proofs a room believes: that of a link, and not of a name, which can be guessed."""
    return rendezvous if rendezvous is not None and not rendezvous.is_named else None
