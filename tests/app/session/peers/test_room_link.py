"""The session of a match among peers moves its room on: it follows the log, and starts the match of those who are session."""

from __future__ import annotations

from dataclasses import replace

from tabletin.app.session.room_link import SharedMatch
from tabletin.kernel.log import Json
from tabletin.peers.worker.calls import Tick
from tests.support.examples import MANY_HANDS
from tests.support.peer_tables import tables, without


class RoomHere:
    """A ``RoomLink`` that remembers. ``followed``: the length of the log each time; ``started``: the new matches."""

    def __init__(self) -> None:
        self.followed: list[int] = []
        self.started: list[Json] = []

    def follow(self, session: SharedMatch) -> None:
        self.followed.append(len(session.match.entries))

    async def start_successor(self, session: SharedMatch, genesis: Json) -> None:
        self.started.append(genesis)


async def test_the_room_follows_the_log_and_moves_on_once_while_the_table_is_on_the_screen() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        rooms = [RoomHere() for _ in match.sessions]
        for session, room in zip(match.sessions, rooms, strict=True):
            session.context = replace(session.context, room=room)
        one, two = match.sessions[:2]
        one.continuation.show()
        await without(match, match.devices[2], "without")
        await match.until(lambda: one.continuation.genesis is not None and two.continuation.genesis is not None)
        await match.until(lambda: bool(rooms[0].started))
        assert rooms[0].started == [one.continuation.genesis]
        assert rooms[0].followed[-1] == len(one.match.entries)
        assert rooms[1].started == [], "nobody looks at that table"
        two.continuation.show()
        await match.until(lambda: bool(rooms[1].started))
        assert rooms[1].started == [two.continuation.genesis]
        await one.ask_worker(Tick(1e9))
        assert len(rooms[0].started) == 1, "once is enough"
        two.continuation.hide()
        one.continuation.show()
        await match.until(lambda: len(rooms[0].started) == 2)  # whoever comes back to that table is led on again


async def test_the_room_knows_who_plays_before_anything_is_heard_over_new_links() -> None:
    """A host could lead a page that was loaded again to another table at once."""
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        device, room = match.devices[1], RoomHere()
        device.session.context = replace(device.session.context, room=room)
        device.session.join(device.replica, device.link)
        assert room.followed == [len(device.session.match.entries)]


async def test_a_session_that_is_asked_to_look_on_goes_to_the_new_match_once_there_is_one() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        session = match.sessions[1]
        room = RoomHere()
        session.context = replace(session.context, room=room)
        await session.continuation.watch_successor()
        assert room.started == [], "there is none yet"
        await without(match, match.devices[2], "without")
        await match.until(lambda: session.continuation.genesis is not None)
        assert room.started == [], "that table is not on the screen"
        await session.continuation.watch_successor()
        assert room.started == [session.continuation.genesis]
