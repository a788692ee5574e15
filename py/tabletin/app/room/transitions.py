"""How a page goes on in a match whose people or devices have changed: on another device, or anew without somebody.

It brings together what the match's log says, the room, and the links; each of them is changed where it lives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tabletin.app.session.peers.device_transfer import DeviceTakeover
from tabletin.kernel.log import Entry
from tabletin.kernel.setup import Setup
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import RoomState

if TYPE_CHECKING:
    from tabletin.app.room.controller import RoomController
    from tabletin.app.session.peers.session import PeerSession


async def take_over_seat(meeting: RoomController, connected: Callable[[], None] = lambda: None) -> None:
    """Go on with the seat of this person's other device, which has taken the reply; ends at the table. ``connected`` is told
    when the two have met. Raises ``Blocked``, ``Malformed``, ``Refused``."""
    old, net = await meeting.met()
    connected()
    arriving = DeviceTakeover(net, old)
    told = await arriving.told()
    session: Any = await meeting.begin(told.genesis, net)
    try:
        await arriving.take_over(session, told)
    except BaseException:
        session.close()
        raise
    if not meeting.name:
        meeting.call_me(session.match.setup.seats[session.people[0]].name)
    if told.room is not None:
        meeting.enter(Room.resumed(net, meeting.name, RoomState.from_json(told.room), told.genesis))
    meeting.show(session, net)


def sync_room_with_match(room: Room | None, session: PeerSession) -> None:
    """What the match's log says of who sits at which device holds for the room, too."""
    if room is None or room.state is None or room.end_reason:
        return
    if room.host_gone and session.people and came_from(session, room.state.host):
        room.take_over()  # the room goes where its host went
    if room.host_side is not None:
        room.host_side.follow_seats(session.match.id, session.match.setup.seats)


def came_from(session: PeerSession, author: str) -> bool:
    """Whether the person here went on from the device of ``author``."""
    return any(entry.statement.kind == "device" and entry.statement.author == author
               and entry.statement.body["to"] == session.author for entry in session.match.entries)


def room_for(meeting: RoomController, session: PeerSession) -> Room | None:
    """The room where those who are missing in the match of ``session`` can be invited again: the one that is open, or one
    made from the match's log where there is none any more. None before there are links."""
    if meeting.room is not None and not meeting.room.end_reason:
        return meeting.room
    net, match = session.net, session.match
    if net is None:
        return None
    if not meeting.name and session.people:
        meeting.call_me(match.setup.seats[session.people[0]].name)
    state = RoomState.of_match(match.id, match.setup, session.author)
    room = meeting.enter(Room.resumed(net, meeting.name, state, match.entries[0].to_json()))
    room.page_says_over = lambda: session.over
    return room


async def start_successor_match(meeting: RoomController, session: PeerSession) -> None:
    """On to the match that those who are left of ``session`` go on with."""
    genesis, room, net = session.continuation.genesis, meeting.room, meeting.net or session.net
    assert genesis is not None
    statement = Entry.from_json(genesis).statement
    if room is not None and room.inside:
        if room.host_gone and statement.author == room.author:
            room.take_over()
        if room.host_side is not None:
            room.host_side.begin_successor(statement.hash, genesis, {seat.by for seat in Setup.from_statement(statement).seats})
    await meeting.sit_down(genesis, net)
