"""Who is in a room: knocking, being removed, leaving, watching, going on without a host."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.peers.net.transport import Presence
from tabletin.peers.room.host import RoomHost
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import MOST_COUNT, MOST_MEMBERS, OPEN, PERSON, Chair, RoomState
from tests.support.examples import ONE_DEAL, short
from tests.support.room_sim import House, author, hosting, inside


def knocking(house: House) -> dict[str, str]:
    """Who knocks at the host: author → name."""
    return {author: guest.name for author, guest in house["a"].as_host().knocking.items()}


async def test_a_stranger_knocks_and_is_let_in_or_turned_away() -> None:
    house = House(4)
    await house.come("b")
    await house.come("c", "Cleo", by="b")
    await house.come("d", "Dan", by="b")
    assert knocking(house) == {author("c"): "Cleo", author("d"): "Dan"}
    assert not inside(house["c"])
    assert not house["c"].say("hello?")
    house["a"].as_host().let_in(author("c"))
    house["a"].as_host().turn_away(author("d"))
    house.town.run()
    assert inside(house["c"])
    assert house["d"].end_reason == "refused"
    assert house.is_same()


async def test_a_removed_guest_is_out_everywhere_until_invited_again() -> None:
    house = House(4)
    await house.come("b")
    await house.come("c")
    house["a"].as_host().remove(author("c"))
    house.town.run()
    assert house["c"].end_reason == "removed"
    assert author("c") in house.net("b").refused
    assert house.state.chairs[2].kind == OPEN
    await house.come("c")
    assert inside(house["c"])
    assert house.is_same()
    assert author("c") not in house.net("b").refused


@pytest.mark.parametrize("heard", [True, False], ids=["it left before the invite", "it leaves after the invite"])
@pytest.mark.parametrize("host_again", [True, False], ids=["host reloaded", "same host"])
async def test_a_removed_guest_may_enter_before_its_reply_is_known_to_be_taken(heard: bool, host_again: bool) -> None:
    house = House(3)
    await house.come("b")
    house["a"].as_host().remove(author("b"))
    if heard:
        house.town.run()
    if host_again:
        house["a"].host_side = RoomHost(house["a"])  # a page that is loaded again knows no guests
    house["a"].as_host().open_door()
    house.town.run()
    await house.town.introduce(house.net("a"), house.net("b"))
    again = house.add("b", Room.join(house.net("b"), "Bo", author("a"), now=house.now))
    house.town.run()
    assert not inside(again) and again.end_reason == "" and house["a"].as_host().knocking == {}
    house["a"].as_host().expect(author("b"))
    house.town.run()
    assert inside(again) and house.is_same()
    house["a"].as_host().remove(author("b"))
    house.town.run()
    assert again.end_reason == "removed"


async def test_who_was_invited_by_a_guest_knocks_at_the_host() -> None:
    house = House(3)
    await house.come("b")
    net = house.town.net(author("c"))
    await house.town.introduce(house.net("b"), net)
    late = house.add("c", Room.join(net, "Cleo", author("b"), now=house.now))
    house.town.run()
    assert knocking(house) == {author("c"): "Cleo"}
    house["a"].as_host().let_in(author("c"))
    house.town.run()
    assert inside(late)


async def test_when_the_host_is_gone_during_a_match_another_may_invite() -> None:
    house = House(3)
    for who in "bc":
        await house.come(who)
    house.all_ready()
    genesis = house.found()
    house.town.crash(house.net("a"))
    house.town.leave(house.net("c"))
    house.town.wait(20)
    del house.rooms["a"]
    house["b"].take_over()
    assert house["b"].state is not None
    assert author("a") in house["b"].state.seated_authors
    del house.rooms["c"]
    await house.come("c", by="b")
    assert house.geneses["c"] == [genesis]
    assert inside(house["c"])


async def test_leaving_politely_empties_the_chair() -> None:
    house = House()
    await house.come("b")
    house["b"].leave()
    house.town.run()
    assert [member.author for member in house.state.members] == [author("a")]
    assert house.state.chairs[1].kind == OPEN
    assert house["b"].end_reason == "left"


async def test_when_the_host_says_good_bye_the_next_one_goes_on() -> None:
    house = House(3)
    for who in "bc":
        await house.come(who)
    house["a"].leave()
    house.town.run()
    house.town.leave(house.net("a"))
    house.town.run()
    del house.rooms["a"]
    assert hosting(house["b"])
    assert house.is_same()
    assert [member.author for member in house.state.members] == [author("b"), author("c")]
    await house.come("d", by="b")
    house.all_ready()
    house.found("b")
    assert len(house.geneses["c"]) == len(house.geneses["d"]) == 1


@pytest.mark.parametrize("count", ["term", "version"])
async def test_a_host_that_counts_to_the_end_leaves_no_room_that_nobody_can_host(count: str) -> None:
    house = House(3)
    for who in "bc":
        await house.come(who)
    last = replace(house.state, version=house.state.version + 1)
    house["a"].as_host().set_state(replace(last, term=MOST_COUNT) if count == "term" else replace(last, version=MOST_COUNT))
    house.town.run()
    house.town.leave(house.net("a"))
    house.town.run()
    del house.rooms["a"]
    house["b"].take_over()
    house.town.run()
    assert hosting(house["b"])
    assert house.is_same()


async def test_when_the_host_is_gone_the_others_go_on_and_it_may_follow() -> None:
    house = House(3)
    for who in "bc":
        await house.come(who)
    with pytest.raises(Refused):
        house["b"].take_over()
    for who in "bc":
        house.town.cut(author("a"), author(who))
    house.town.wait(20)
    assert house["b"].host_gone
    house["b"].take_over()
    house["c"].take_over()  # at once: they find together
    house.town.run()
    first = min(("b", "c"), key=author)
    assert house["b"].state == house["c"].state
    assert hosting(house[first])
    for who in "bc":
        house.town.heal(author("a"), author(who))
    house.town.run()
    house[first].send_room(author("a"))
    house.town.run()
    house[first].as_host().expect(author("a"))
    assert hosting(house["a"])
    house[first].send(author("a"), "room", room=house[first].state.to_json())  # type: ignore[union-attr]
    house.town.run()
    rival = house["a"].rival
    assert rival is not None
    assert rival.host == author(first)
    house["a"].yield_to_rival()
    house.town.run()
    assert not hosting(house["a"])
    assert inside(house["a"])
    assert house.is_same()


async def test_nobody_takes_a_room_from_a_host_who_is_there() -> None:
    house = House(3)
    for who in "bc":
        await house.come(who)
    usurped = house.state.with_host(author("b"))
    for who in "ac":
        house["b"].send(author(who), "room", room=usurped.to_json())
    house.town.run()
    assert house["a"].rival is None
    assert house.state.host == author("a")
    assert house["c"].state == house.state
    assert house["a"].rejections["impostor"] == house["c"].rejections["impostor"] == 1


async def playing(*guests: str, more: str = "") -> House:
    """A house in which ``a``, and perhaps somebody called ``more`` at the same device, play with ``guests``."""
    house = House(1 + len(guests) + bool(more))
    for who in guests:
        await house.come(who)
    if more:
        house["a"].as_host().set_chair(1 + len(guests), PERSON, name=more)
    house.all_ready()
    house.found()
    return house


def seats_of(house: House, **moved: str) -> list[Seat]:
    """The seats of the match, some at another device by now (``seat_1="n"``)."""
    seats = list(house.setups[-1].seats)
    for name, who in moved.items():
        index = int(name.removeprefix("seat_"))
        seats[index] = replace(seats[index], author=author(who))
    return seats


def readable(house: House) -> bool:
    """Whether the host's state is one that others believe."""
    return RoomState.from_json(json.loads(json.dumps(house.state.to_json()))) == house.state


async def test_one_of_two_people_at_a_device_may_sit_at_another_one() -> None:
    """So says a log; the room follows it, and comes to an end."""
    house = await playing("b", more="Zoe")
    house["a"].as_host().follow_seats(house.state.playing, seats_of(house, seat_0="n"))
    assert [chair.author for chair in house.state.chairs] == [author(who) for who in "nba"]
    assert [house.state.name_of(chair) for chair in house.state.chairs] == ["Ada 2", "B", "Zoe"]
    assert readable(house)
    house["a"].as_host().follow_seats(house.state.playing, seats_of(house, seat_0="n", seat_2="b"))
    assert [chair.author for chair in house.state.chairs] == [author(who) for who in "nbb"]
    assert [house.state.name_of(chair) for chair in house.state.chairs] == ["Ada 2", "B", "Zoe"]
    assert readable(house)


async def test_all_people_at_a_device_go_on_together() -> None:
    house = await playing("b", more="Zoe")
    house["a"].as_host().follow_seats(house.state.playing, seats_of(house, seat_0="n", seat_2="n"))
    assert [chair.author for chair in house.state.chairs] == [author(who) for who in "nbn"]
    assert [house.state.name_of(chair) for chair in house.state.chairs] == ["Ada", "B", "Zoe"]
    assert readable(house)


async def test_who_goes_on_elsewhere_sits_there_however_many_watch() -> None:
    house = await playing("b")
    for number in range(MOST_MEMBERS - 2):
        await house.come(f"watcher {number}", f"W{number}", watching=True)
    house["a"].as_host().follow_seats(house.state.playing, seats_of(house, seat_1="n"))
    assert house.state.chairs[1].author == author("n")
    assert house.state.member(author("n")) is not None and house.state.member(author("b")) is None
    assert len(house.state.members) == MOST_MEMBERS and readable(house)


async def test_the_person_whose_device_keeps_the_room_may_come_to_sit_at_it() -> None:
    house = await playing("b")
    await house.come("n", "Nobody", watching=True)
    house.town.crash(house.net("a"))
    house.town.wait(20)
    del house.rooms["a"]
    house["n"].take_over()
    house["n"].as_host().follow_seats(house.state.playing, seats_of(house, seat_0="n"))
    assert house.state.host == house.state.members[0].author == author("n")
    assert house.state.chairs[0].author == author("n") and readable(house)


async def test_nobody_is_cut_off_from_who_plays_with_them() -> None:
    """A host could take one for removed, and have the others vote somebody gone who is there."""
    house = await playing("b", "c")
    house.town.net(author("x"))
    players = [author(who) for who in "abc"]
    over = False
    house["b"].follow_table(house.state.playing, lambda: over, lambda: players)
    state = house.state
    for playing_now in (state.playing, ""):
        members = tuple(one for one in state.members if one.author != author("c"))
        chairs = tuple(Chair() if chair.author == author("c") else chair for chair in state.chairs)
        state = replace(state, playing=playing_now, members=members, chairs=chairs, ready={}, version=state.version + 1,
                        removed_authors=(author("c"), author("x")))
        house["a"].state = state
        house["a"].send_room(author("b"))
        house.town.run()
        assert house["b"].state == state
        assert house.net("b").refused == {author("x")}
    over = True
    house["a"].state = replace(state, version=state.version + 1)
    house["a"].send_room(author("b"))
    house.town.run()
    assert house.net("b").refused == {author("c"), author("x")}
    house["b"].follow_table(house.state.playing, lambda: False, lambda: players)
    assert house.net("b").refused == {author("x")}


async def test_spectators_watch_and_come_late() -> None:
    house = House()
    await house.come("b")
    await house.come("s", "Sam", watching=True)
    assert house.state.chair_of(author("s")) is None
    house["b"].set_ready(True)
    house["a"].set_ready(True)
    house.town.run()
    genesis = house.found()
    assert house.geneses["s"] == [genesis]
    late = await house.come("l", "Lou")
    assert house.geneses["l"] == [genesis]
    assert inside(late)
    assert house.is_same()
    house["s"].leave()
    house.town.run()
    assert author("s") not in {member.author for member in house.state.members}
    house["a"].match_over = True
    late.play_again()
    house.town.run()
    assert house.state.playing == ""
    house["a"].as_host().add_chair()
    late.sit(2)
    house.town.run()
    assert house.state.chairs[2] == Chair(PERSON, author("l"))


async def test_a_page_that_was_closed_goes_on_with_the_room() -> None:
    house = House()
    await house.come("b")
    state = house["b"].state
    assert state is not None
    house.town.leave(house.net("b"))
    net = house.town.net(author("b"))
    again = house.add("b", Room.resume(net, "Bo", RoomState.from_json(json.loads(json.dumps(state.to_json()))),
                                        now=house.now))
    house["a"].as_host().choose(ONE_DEAL, short(ONE_DEAL))
    house.town.link(house.net("a"), net)
    house.town.run()
    assert again.state == house.state
    assert again.state is not None
    assert again.state.options == short(ONE_DEAL)


async def test_presence_is_told() -> None:
    house = House()
    await house.come("b")
    told: list[str] = []
    house["a"].on_change(told.append)
    house.town.cut(author("a"), author("b"))
    house.town.wait(6)
    assert house["a"].presence(author("b")) is Presence.UNSTABLE
    assert told == ["presence"]
