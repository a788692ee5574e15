"""What a room makes of whatever comes in: guests that send what they like, rooms that cannot be, other versions."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.kernel.log import Json
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import COLOURS, PROTOCOL
from tabletin.peers.net.transport import ROOM
from tabletin.peers.replication import sync
from tabletin.peers.room.messages import FORMS, VERSION, spell
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import MOST_CHAIRS, RoomState
from tests.support.room_sim import House, author, inside

JSON = st.recursive(st.none() | st.booleans() | st.integers(-5, 300) | st.text(max_size=12) | st.sampled_from(COLOURS),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
                    max_leaves=8)
FIELDS = st.sampled_from(sorted({name for form in FORMS.values() for name in form}))
NEARLY = st.builds(lambda do, said, extra: json.dumps({"v": VERSION, "do": do, **dict.fromkeys(FORMS[do], said), **extra}),
                   st.sampled_from(sorted(FORMS)), JSON, st.dictionaries(FIELDS, JSON, max_size=1))
RIGHT = st.one_of(
    st.builds(lambda name, on, proof: spell("enter", name=name, watching=on, proof=proof), st.text(max_size=30), st.booleans(),
              st.text(max_size=40)),
    st.builds(lambda name: spell("name", name=name), st.text(max_size=30)),
    st.builds(lambda chair: spell("sit", chair=chair), st.integers(0, 12)),
    st.builds(lambda text, reaction: spell("say", text=text, reaction=reaction), st.text(max_size=30), st.text(max_size=9)),
    st.sampled_from([spell("stand"), spell("again"), spell("no", why="removed"), spell("ready", agreement="a" * 64),
                     spell("ready", agreement="")]))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.text(max_size=60), NEARLY, RIGHT), max_size=12), st.booleans())
def test_a_hostile_guest_is_harmless(said: list[str], member: bool) -> None:
    """Whoever sends what, nobody else's chair, name or readiness changes, nothing begins, and all others see one room."""

    async def story() -> None:
        house = House(4)
        await house.come("b", "Bo")
        if member:
            await house.come("x", "Mallory")
        else:
            await house.come("x", "Mallory", by="b")
        house["b"].set_ready(True)
        house.town.run()
        for text in said:
            house.town.now += 1
            house.net("x").send(None, "room", text)
            house.town.run()
        state = house.state
        assert state.members[:2] == (state.member(author("a")), state.member(author("b")))
        assert [state.member(author(who)).name for who in "ab"] == ["Ada", "Bo"]  # type: ignore[union-attr]
        assert (state.chairs[0].author, state.chairs[1].author) == (author("a"), author("b"))
        assert house["b"].state == state
        assert not house["a"].end_reason
        assert not house["b"].end_reason
        assert house.setups == []
        assert house["a"].rival is None
        assert RoomState.from_json(json.loads(json.dumps(state.to_json()))) == state

    asyncio.run(story())


@pytest.mark.parametrize("name", ["Eve\u200b\u0301", "Ev\ue000e\ue000\u0301", "\u1100\u1160\u1161",
                                  "x" * 15 + "\U0001f469\u200d\U0001f680"])
async def test_a_hostile_name_keeps_nobody_from_reading_the_room(name: str) -> None:
    """What the host's program has cleaned is clean for the others, also with a number behind it."""
    house = House(4)
    await house.come("b", "Bo")
    await house.come("c", "Cleo")
    house["c"].send(house.state.host, "name", name=name)
    house.town.run()
    assert house.state.member(author("c")).name not in ("", "Cleo")  # type: ignore[union-attr]
    await house.come("d", name)
    house["b"].stand()
    house.town.run()
    house["b"].sit(1)
    house.all_ready()
    assert house.is_same()
    assert len({member.name for member in house.state.members}) == 4
    assert all(not room.rejections for room in house.rooms.values())
    assert len(house.setups) == 1


async def test_nobody_is_called_like_somebody_else_but_for_what_nobody_sees() -> None:
    house = House(4)
    await house.come("b", "Bo\u2764")
    await house.come("c", "Bo\u2764\ufe0f\u3164")
    assert [member.name for member in house.state.members] == ["Ada", "Bo\u2764", "Bo\u2764\ufe0f 2"]
    for name in ("Ada\u3164", "Bo\u2764\ufe0f"):
        house["c"].send(house.state.host, "name", name=name)
    house.town.run()
    assert house.state.members[2].name == "Bo\u2764\ufe0f 2"
    house["c"].send(house.state.host, "name", name="Bo\u2764 2")
    house.town.run()
    assert house.state.members[2].name == "Bo\u2764 2", "its own name is nobody else's"


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["host", "game", "rules", "options", "chairs", "members", "nonce", "ready", "removed", "playing",
                        "term", "version", "more"]), JSON)
def test_a_room_that_cannot_be_is_refused(name: str, value: Json) -> None:
    state = House().state
    data = {**state.to_json(), name: value}
    try:
        read = RoomState.from_json(data)
    except Malformed:
        return
    assert read.to_json() == data


def test_what_a_room_may_not_be() -> None:
    state = House().state
    good = state.to_json()
    member, chair = good["members"][0], good["chairs"][0]
    stranger = {**chair, "by": author("x")}
    wrongs: tuple[dict[str, Any], ...] = (
                  {"members": []}, {"members": [member, member]}, {"members": [{**member, "name": "a\u202eb"}]},
                  {"members": [{**member, "colour": "url(x)"}]}, {"host": author("x")}, {"chairs": [stranger]},
                  {"chairs": [chair] * (MOST_CHAIRS + 1)}, {"chairs": []}, {"ready": {author("x"): "a" * 64}},
                  {"ready": {member["author"]: "yes"}}, {"chairs": [{**chair, "kind": "bot", "level": "godlike"}]},
                  {"chairs": [{**chair, "kind": "open"}]}, {"removed": [member["author"]]}, {"playing": 3}, {"nonce": "x"})
    for wrong in wrongs:
        with pytest.raises(Malformed):
            RoomState.from_json({**good, **wrong})


async def test_a_host_of_another_version_is_named() -> None:
    house = House()
    await house.come("b")
    late = house.add("c", Room.join(house.town.net(author("c")), "Cleo", author("a"), now=house.now))
    late.receive(author("a"), '{"v":99,"do":"room"}')
    assert late.end_reason == "version"
    by_link = house.add("d", Room.join(house.town.net(author("d")), "Dan", "", now=house.now))
    by_link.receive(author("a"), '{"v":99,"do":"room"}')
    assert by_link.other_versions == {author("a")} and not by_link.end_reason, "it may be anybody"

    other = house.state.with_fields(rules=99)
    house["a"].send(author("b"), "room", room=other.to_json())
    house.town.run()
    assert house["b"].state is not None
    assert not house["b"].state.known


@pytest.mark.parametrize("said", ['{"v":99,"do":"room"}', spell("host", author="c" * 64), spell("no", why="removed"),
                                  spell("no", why="version")])
async def test_nobody_who_has_the_link_keeps_others_out(said: str) -> None:
    """Who comes by it does not know who the host is, nor who else is there."""
    house = House()
    late = house.add("c", Room.join(house.town.net(author("c")), "Cleo", "", now=house.now))
    for _ in range(3):
        late.receive(author("x"), said)
    house.town.link(house.net("a"), house.net("c"))
    house.town.run()
    house["a"].as_host().let_in(author("c"))
    house.town.run()
    assert inside(late)


async def test_a_guest_of_another_version_is_told_so_and_the_host_too() -> None:
    """What the host answers is of its own version, so that the guest's program says what is wrong, whatever it can read."""
    house = House()
    net, heard = house.town.net(author("b")), list[str]()
    await house.town.introduce(house.net("a"), net)
    net.on_text(ROOM, lambda sender, text: heard.append(text))
    for _ in range(3):
        net.send(author("a"), ROOM, '{"v":99,"do":"enter"}')
    house.town.run()
    assert heard == [spell("no", why="version")], "once"
    assert house["a"].other_versions == {author("b")}
    guest = house.add("b", Room.join(net, "Bo", author("a"), now=house.now))
    house.town.run()
    assert not house["a"].other_versions, "it was reloaded"
    guest.receive(author("a"), heard[0])
    assert guest.end_reason == "version"


async def test_a_member_that_was_reloaded_into_another_version_is_named_and_stays() -> None:
    house = House()
    await house.come("b")
    house["a"].receive(author("b"), '{"v":99,"do":"enter"}')
    house["b"].receive(author("a"), '{"v":99,"do":"room"}')
    house.town.run()
    for one, other in ("ab", "ba"):
        assert house[one].other_versions == {author(other)}
        assert not house[one].end_reason


def test_the_version_of_a_room_is_raised_with_those_of_its_matches() -> None:
    """Else two devices could sit down together that can never agree to begin."""
    assert (VERSION, PROTOCOL, sync.VERSION) == (8, 6, 5)
