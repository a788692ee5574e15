"""Who is in a room: knocking, being removed, leaving, watching, going on without a host."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tabletin.kernel.options import Refused
from tabletin.peers.net.transport import Presence
from tabletin.peers.room.host import RoomHost
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import MOST_COUNT, OPEN, PERSON, Chair, RoomState
from tests.support.examples import ONE_DEAL, short
from tests.support.room_sim import House, author, hosting, inside


async def test_a_stranger_knocks_and_is_let_in_or_turned_away() -> None:
    house = House(4)
    await house.come("b")
    await house.come("c", "Cleo", by="b")
    await house.come("d", "Dan", by="b")
    assert house["a"].as_host().knocking == {author("c"): "Cleo", author("d"): "Dan"}
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
    assert house["a"].as_host().knocking == {author("c"): "Cleo"}
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
