"""How a page goes on with a match whose people or devices change: on another device, or in a successor match.

It connects the match's log, the room and the links; each of them is changed by its own module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tabletin.app.room.controller import follow, provable_rendezvous
from tabletin.app.session.peers.device_transfer import DeviceTakeover
from tabletin.app.session.room_link import SharedMatch
from tabletin.kernel.log import Entry, Json
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Setup
from tabletin.peers.net.rendezvous import Rendezvous, transfer_proof
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import RoomState

if TYPE_CHECKING:
    from tabletin.app.connection_servers import Servers
    from tabletin.app.room.controller import RoomController, RoomTransport
    from tabletin.app.session.peers.session import PeerSession


async def take_over_seat(rooms: RoomController, on_connected: Callable[[], None] = lambda: None) -> None:
    """Go on with the seat of this person's other device, once that has taken the reply; ends at the table.

    ``on_connected`` is called when the two devices are connected. Raises ``Unreachable``, ``Malformed``, ``Refused``.
    """
    old_device, transport = await rooms.wait_for_inviter()
    on_connected()
    await _take_over(rooms, DeviceTakeover(transport, old_device), transport)


async def take_over_seat_by_link(rooms: RoomController, rendezvous: Rendezvous, servers: Servers, transfer: str, of: str,
                                 on_connected: Callable[[], None]) -> None:
    """The same by a link: ``of`` is how the old device's author begins, ``transfer`` the secret that it gave this person."""
    old_device, transport = await rooms.find_device(rendezvous, servers, of)
    on_connected()
    await _take_over(rooms, DeviceTakeover(transport, old_device, transfer_proof(transfer, transport.author)), transport)


async def _take_over(rooms: RoomController, takeover: DeviceTakeover, transport: RoomTransport) -> None:
    offer = await takeover.offer()
    statement = Entry.from_json(offer.genesis).statement
    if transport.author in Setup.from_statement(statement).authors and not await rooms.was_here(statement.hash):
        raise Malformed("a match of this device that its person never agreed to")
    if await rooms.is_elsewhere(statement.hash, transport):
        raise Malformed("a match that this device has over other links")  # the way back to it would be forgotten
    session: Any = await rooms.begin_session(offer.genesis, transport)
    try:
        await takeover.take_over(session, session.side_channel, offer)
    except BaseException:
        session.close()
        raise
    if not rooms.name:
        rooms.set_name(session.match.setup.seats[session.people[0]].name)
    if offer.room is not None:
        state = RoomState.from_json(offer.room)
        await rooms.note_host(state.host)
        rooms.enter(Room.resume(transport, rooms.name, state, offer.genesis, rendezvous=provable_rendezvous(rooms.rendezvous)))
    rooms.show_table(session)


def sync_room_with_match(room: Room | None, session: SharedMatch) -> None:
    """Give the room the seats and devices that the match's log names."""
    if room is None or room.state is None or room.end_reason:
        return
    if session.net is room.transport and (room.table == session.match.id or not room.is_playing):
        follow(room, session)
    if room.host_gone and session.people and came_from(session, room.state.host):
        room.take_over()  # the host's person is here now
    if room.host_side is not None:
        room.host_side.follow_seats(session.match.id, session.match.setup.seats)


def came_from(session: SharedMatch, author: str) -> bool:
    """Whether the person here went on from the device of ``author``."""
    return any(entry.statement.kind == "device" and entry.statement.author == author
               and entry.statement.body["to"] == session.author for entry in session.match.entries)


def room_for(rooms: RoomController, session: PeerSession) -> Room | None:
    """The room to invite missing players of ``session`` to: the open one, or one made from the match's log.

    None before there are links.
    """
    if rooms.room is not None and not rooms.room.end_reason:
        return rooms.room
    transport, match = session.net, session.match
    if transport is None:
        return None
    if not rooms.name and session.people:
        rooms.set_name(match.setup.seats[session.people[0]].name)
    state = RoomState.of_match(match.id, match.setup, session.author)
    room = rooms.enter(Room.resume(transport, rooms.name, state, match.entries[0].to_json(),
                                   rendezvous=provable_rendezvous(rooms.rendezvous)))
    follow(room, session)
    return room


async def start_successor_match(rooms: RoomController, session: SharedMatch, genesis: Json) -> None:
    """Go on to the match of ``genesis``, which follows ``session`` with those who are left of it."""
    room, transport = rooms.room, rooms.transport or session.net
    statement = Entry.from_json(genesis).statement
    if room is not None and room.inside:
        if room.host_gone and statement.author == room.author:
            room.take_over()
        if room.host_side is not None:
            authors = {seat.author for seat in Setup.from_statement(statement).seats}
            room.host_side.begin_successor(statement.hash, genesis, authors)
    await rooms.play(genesis, transport)
