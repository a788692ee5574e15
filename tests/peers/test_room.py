"""The room before the deal, among devices in one process: taking in, agreeing, beginning, going on without a host; and guests
that send whatever they like."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletin.kernel.log import NOTHING, Entry, Json, canonical, place
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Setup
from tabletin.kernel.shapes import Malformed
from tabletin.page.plan import COLOURS as TABLE_COLOURS
from tabletin.peers.identity import StandIn
from tabletin.peers.net import Presence
from tabletin.peers.room import Room
from tabletin.peers.roommessages import FORMS, spell
from tabletin.peers.roomstate import BOT, COLOURS, MOST_CHAIRS, OPEN, PERSON, Chair, RoomState, clean
from tabletin.peers.talk import BURST, KEPT, LONGEST
from tests.peers.fakenet import FakeNet, FakeTown


class House:
    """A town with rooms in it; ``a`` hosts Iota for two."""

    def __init__(self, chairs: int = 2, game: str = "iota") -> None:
        self.town = FakeTown()
        self.rooms: dict[str, Room] = {}
        self.begun: dict[str, list[Json]] = {}
        self.agreed: list[Setup] = []
        net = self.town.net(author("a"))
        seats = (Chair(PERSON, net.author), *(Chair() for _ in range(chairs - 1)))
        self.add("a", Room.hosted(net, "Ada", game, {}, seats, now=self.now))

    def now(self) -> float:
        return self.town.now

    def add(self, who: str, room: Room) -> Room:
        self.rooms[who] = room
        self.begun[who] = []
        room.on_genesis = self.begun[who].append
        room.on_agreed = self.agreed.append
        return room

    def __getitem__(self, who: str) -> Room:
        return self.rooms[who]

    def net(self, who: str) -> FakeNet:
        return self.town.nets[author(who)]

    async def come(self, who: str, name: str = "", *, by: str = "a", watching: bool = False) -> Room:
        """Somebody is invited, answers and enters."""
        net = self.town.net(author(who))
        if self[by].hosting:
            self[by].open_door()
        await self.town.introduce(self.net(by), net)
        if self[by].hosting:
            self[by].expect(net.author, watching=watching)
        room = self.add(who, Room.joined(net, name or who.upper(), self.state.host, now=self.now))
        self.town.run()
        return room

    @property
    def state(self) -> RoomState:
        """The host's."""
        state = next(room.state for room in self.rooms.values() if room.hosting)
        assert state is not None
        return state

    def same(self) -> bool:
        """Whether everybody who is in it sees one room."""
        return len({json.dumps(room.state.to_json(), sort_keys=True) for room in self.rooms.values()
                    if room.state is not None and room.inside}) == 1

    def all_ready(self) -> None:
        self.town.run()
        for room in self.rooms.values():
            room.set_ready(True)
        self.town.run()

    def found(self, who: str = "a") -> Json:
        """What the host's worker does."""
        genesis = entry_of(self.agreed[-1], self[who].me)
        self[who].founded(genesis)
        self.town.run()
        return genesis


def author(name: str) -> str:
    return StandIn(name.encode()).author


def entry_of(setup: Setup, by: str) -> Json:
    """A genesis; who signs it is the match's affair."""
    statement = setup.statement(by)
    return Entry.at(0, NOTHING, statement, canonical(place(0, NOTHING, statement.hash)).hex()[:8]).to_json()


def ready(room: Room) -> bool:
    return room.ready


def inside(room: Room) -> bool:
    return room.inside


def hosting(room: Room) -> bool:
    return room.hosting


def run(work: Any) -> Any:
    return asyncio.run(work)


def test_colours_of_the_room_are_those_of_the_table() -> None:
    assert COLOURS == TABLE_COLOURS


def test_an_invited_guest_is_taken_in_and_seated() -> None:
    async def story() -> None:
        house = House()
        await house.come("b", "Bo")
        assert [member.name for member in house.state.members] == ["Ada", "Bo"]
        assert house.state.chairs[1] == Chair(PERSON, author("b"))
        assert house.same()
        assert inside(house["b"])

    run(story())


def test_the_match_begins_when_everybody_agrees_to_the_same() -> None:
    async def story() -> None:
        house = House()
        await house.come("b", "Bo")
        house["a"].set_ready(True)
        house.town.run()
        assert house.agreed == []
        house["b"].set_ready(True)
        house.town.run()
        setup = house.agreed[0]
        assert [(seat.kind, seat.by, seat.name) for seat in setup.seats] == [
            ("person", author("a"), "Ada"), ("person", author("b"), "Bo")]
        assert setup.dealing == "sealed"
        assert len({seat.colour for seat in setup.seats}) == 2
        genesis = house.found()
        assert house.begun == {"a": [genesis], "b": [genesis]}
        assert house.state.playing == Entry.from_json(genesis).statement.hash
        assert house.same()

    run(story())


def test_ready_means_ready_for_just_this() -> None:
    async def story() -> None:
        house = House()
        await house.come("b")
        house["b"].set_ready(True)
        house.town.run()
        assert ready(house["b"])
        house["a"].choose("iota", {"half_deck": True})
        house.town.run()
        assert not ready(house["b"])
        assert dict(house.state.ready) == {}
        house["a"].choose("iota", {"half_deck": False})
        house["b"].set_ready(True)  # it has not heard yet: that is agreement to something else
        house.town.run()
        assert dict(house.state.ready) == {}
        assert house.agreed == []

    run(story())


def test_a_guest_plays_nothing_it_did_not_agree_to() -> None:
    async def story() -> None:
        house = House()
        guest = await house.come("b")
        state = house.state
        for setup in (state.setup(), state.changed(options={"half_deck": True}).setup()):
            house["a"].send(guest.me, "found", genesis=entry_of(setup, house["a"].me))
            house.town.run()
        assert house.begun["b"] == []
        assert guest.rejected == {"not_agreed": 1, "another_match": 1}
        forged = state.changed(ready={guest.me: state.agreement}, options={"half_deck": True})
        forged = replace(forged, ready={guest.me: forged.agreement})
        playing = Entry.from_json(entry_of(forged.setup(), house["a"].me)).statement.hash
        house["a"].send(guest.me, "room", room=replace(forged, playing=playing, version=99).to_json())
        house["a"].send(guest.me, "found", genesis=entry_of(forged.setup(), house["a"].me))
        house.town.run()
        assert house.begun["b"] == []
        assert guest.rejected["not_agreed"] == 2

    run(story())


def test_nothing_begins_with_an_empty_chair_or_alone() -> None:
    async def story() -> None:
        house = House(3)
        await house.come("b")
        refusal = house.state.refusal()
        assert refusal is not None
        assert refusal.key == "room.refuse.open"
        house.all_ready()
        assert house.agreed == []
        house["a"].put(2, BOT, level="easy", name="Bruno")
        house.all_ready()
        assert [seat.kind for seat in house.agreed[0].seats] == ["person", "person", "bot"]
        assert house.agreed[0].seats[2].by == author("a")

        alone = House(2)
        alone["a"].put(1, BOT, level="easy", name="Bruno")
        alone["a"].set_ready(True)
        refusal = alone.state.refusal()
        assert refusal is not None
        assert refusal.key == "room.refuse.alone"
        assert alone.agreed == []

    run(story())


def test_nothing_begins_while_somebody_is_away() -> None:
    async def story() -> None:
        house = House()
        await house.come("b")
        house["b"].set_ready(True)
        house.town.run()
        house.town.cut(author("a"), author("b"))
        house.town.wait(20)
        house["a"].set_ready(True)
        assert house["a"].missing == (author("b"),)
        assert house.agreed == []
        house.town.heal(author("a"), author("b"))
        house.town.run()
        assert len(house.agreed) == 1

    run(story())


@pytest.mark.parametrize("people", range(2, 11))
def test_two_to_ten_people(people: int) -> None:
    async def story() -> None:
        house = House(max(2, people), "teeth-time")
        for number in range(1, people):
            await house.come(f"guest {number}")
        house.all_ready()
        house.found()
        assert all(len(begun) == 1 for begun in house.begun.values())
        assert len(house.begun) == people
        assert len({seat.colour for seat in house.agreed[0].seats}) == people

    run(story())


def test_a_stranger_knocks_and_is_let_in_or_turned_away() -> None:
    async def story() -> None:
        house = House(4)
        await house.come("b")
        await house.come("c", "Cleo", by="b")
        await house.come("d", "Dan", by="b")
        assert house["a"].knocking == {author("c"): "Cleo", author("d"): "Dan"}
        assert not inside(house["c"])
        assert not house["c"].say("hello?")
        house["a"].let_in(author("c"))
        house["a"].turn_away(author("d"))
        house.town.run()
        assert inside(house["c"])
        assert house["d"].ended == "refused"
        assert house.same()

    run(story())


def test_a_removed_guest_is_out_everywhere_until_invited_again() -> None:
    async def story() -> None:
        house = House(4)
        await house.come("b")
        await house.come("c")
        house["a"].remove(author("c"))
        house.town.run()
        assert house["c"].ended == "removed"
        assert author("c") in house.net("b").refused
        assert house.state.chairs[2].kind == OPEN
        await house.come("c")
        assert inside(house["c"])
        assert house.same()
        assert author("c") not in house.net("b").refused

    run(story())


def test_who_was_invited_by_a_guest_knocks_at_the_host() -> None:
    async def story() -> None:
        house = House(3)
        await house.come("b")
        net = house.town.net(author("c"))
        await house.town.introduce(house.net("b"), net)
        late = house.add("c", Room.joined(net, "Cleo", author("b"), now=house.now))
        house.town.run()
        assert house["a"].knocking == {author("c"): "Cleo"}
        house["a"].let_in(author("c"))
        house.town.run()
        assert inside(late)

    run(story())


def test_when_the_host_is_gone_during_a_match_another_may_invite() -> None:
    async def story() -> None:
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
        assert author("a") in house["b"].state.seated
        del house.rooms["c"]
        await house.come("c", by="b")
        assert house.begun["c"] == [genesis]
        assert inside(house["c"])

    run(story())


def test_leaving_politely_empties_the_chair() -> None:
    async def story() -> None:
        house = House()
        await house.come("b")
        house["b"].leave()
        house.town.run()
        assert [member.author for member in house.state.members] == [author("a")]
        assert house.state.chairs[1].kind == OPEN
        assert house["b"].ended == "left"

    run(story())


def test_when_the_host_says_good_bye_the_next_one_goes_on() -> None:
    async def story() -> None:
        house = House(3)
        for who in "bc":
            await house.come(who)
        house["a"].leave()
        house.town.run()
        house.town.leave(house.net("a"))
        house.town.run()
        del house.rooms["a"]
        assert hosting(house["b"])
        assert house.same()
        assert [member.author for member in house.state.members] == [author("b"), author("c")]
        await house.come("d", by="b")
        house.all_ready()
        house.found("b")
        assert len(house.begun["c"]) == len(house.begun["d"]) == 1

    run(story())


def test_when_the_host_is_gone_the_others_go_on_and_it_may_follow() -> None:
    async def story() -> None:
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
        house[first].expect(author("a"))
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
        assert house.same()

    run(story())


def test_nobody_takes_a_room_from_a_host_who_is_there() -> None:
    async def story() -> None:
        house = House(3)
        for who in "bc":
            await house.come(who)
        usurped = house.state.under(author("b"))
        for who in "ac":
            house["b"].send(author(who), "room", room=usurped.to_json())
        house.town.run()
        assert house["a"].rival is None
        assert house.state.host == author("a")
        assert house["c"].state == house.state
        assert house["a"].rejected["impostor"] == house["c"].rejected["impostor"] == 1

    run(story())


def test_spectators_watch_and_come_late() -> None:
    async def story() -> None:
        house = House()
        await house.come("b")
        await house.come("s", "Sam", watching=True)
        assert house.state.chair_of(author("s")) is None
        house["b"].set_ready(True)
        house["a"].set_ready(True)
        house.town.run()
        genesis = house.found()
        assert house.begun["s"] == [genesis]
        late = await house.come("l", "Lou")
        assert house.begun["l"] == [genesis]
        assert inside(late)
        assert house.same()
        house["s"].leave()
        house.town.run()
        assert author("s") not in {member.author for member in house.state.members}
        house["a"].over = True
        late.again()
        house.town.run()
        assert house.state.playing == ""
        house["a"].add_chair()
        late.sit(2)
        house.town.run()
        assert house.state.chairs[2] == Chair(PERSON, author("l"))

    run(story())


def test_a_rematch_turns_the_seats_and_is_another_match() -> None:
    async def story() -> None:
        house = House()
        await house.come("b")
        house.all_ready()
        first = house.found()
        house["b"].again()
        house.town.run()
        assert house.state.playing  # it is not over yet
        house["a"].over = True
        house["b"].again()
        house.town.run()
        assert [chair.by for chair in house.state.chairs] == [author("b"), author("a")]
        house["a"].send(author("b"), "found", genesis=first)
        house.town.run()
        house.all_ready()
        second = house.found()
        assert first != second
        assert house.begun["b"] == [first, second]

    run(story())


def test_a_page_that_was_closed_goes_on_with_the_room() -> None:
    async def story() -> None:
        house = House()
        await house.come("b")
        state = house["b"].state
        assert state is not None
        house.town.leave(house.net("b"))
        net = house.town.net(author("b"))
        again = house.add("b", Room.resumed(net, "Bo", RoomState.from_json(json.loads(json.dumps(state.to_json()))),
                                            now=house.now))
        house["a"].choose("iota", {"half_deck": True})
        house.town.link(house.net("a"), net)
        house.town.run()
        assert again.state == house.state
        assert again.state is not None
        assert again.state.options == {"half_deck": True}

    run(story())


def test_another_game_suits_its_chairs() -> None:
    async def story() -> None:
        house = House(4)
        for who in "bc":
            await house.come(who)
        house["a"].put(3, BOT, level="hard", name="Bruno")
        house["a"].choose("teeth", {})
        assert [chair.kind for chair in house.state.chairs] == [PERSON, PERSON]
        assert [member.author for member in house.state.spectators] == [author("c")]
        house["a"].choose("tiddle-a-wink", {})
        assert len(house.state.chairs) == 6
        with pytest.raises(Refused):
            house["a"].drop_chair(0)

    run(story())


# ---- chat ----

def test_words_reach_members_and_nobody_else() -> None:
    async def story() -> None:
        house = House(3)
        for who in "bc":
            await house.come(who)
        await house.come("x", "X", by="b")  # knocks only
        house["b"].say("hello")
        house["b"].say(reaction="wow")
        house["x"].send(None, "say", text="let me in", reaction="")
        house.town.run()
        assert [(line.author, line.text, line.reaction) for line in house["c"].talk.lines] == [
            (author("b"), "hello", ""), (author("b"), "", "wow")]
        assert len(house["x"].talk.lines) == 0
        assert house["a"].rejected["stranger"] == 1

    run(story())


def test_muting_is_one_act_and_takes_back_what_was_said() -> None:
    async def story() -> None:
        house = House(3)
        for who in "bc":
            await house.come(who)
        house["b"].say("one")
        house["c"].say("two")
        house.town.run()
        house["a"].mute(author("b"))
        house["b"].say("three")
        house.town.run()
        assert [line.text for line in house["a"].talk.lines] == ["two"]
        house["a"].mute(author("b"), False)
        house["b"].say("four")
        house["a"].talk.quiet = True
        house["c"].say("five")
        house.town.run()
        assert [line.text for line in house["a"].talk.lines] == ["two"]

    run(story())


def test_a_flood_of_words_is_cut_off() -> None:
    async def story() -> None:
        house = House(3)
        await house.come("b")
        for _ in range(3 * KEPT):
            house["b"].send(author("a"), "say", text="x" * 900, reaction="")
        house.town.run()
        assert len(house["a"].talk.lines) == int(BURST)
        assert all(len(line.text) == LONGEST for line in house["a"].talk.lines)
        assert house["a"].rejected["rate"] > 0
        assert not all(house["b"].say("more") for _ in range(10))

    run(story())


@given(st.text(max_size=300))
def test_what_is_shown_is_clean(text: str) -> None:
    shown = clean(text, 40)
    assert len(shown) <= 40
    assert shown == clean(shown, 40)
    assert not set(shown) & {"\u202e", "\u200b", "\n", "\x00", "\u2066"}


# ---- whatever may come in ----

JSON = st.recursive(st.none() | st.booleans() | st.integers(-5, 300) | st.text(max_size=12) | st.sampled_from(COLOURS),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
                    max_leaves=8)
FIELDS = st.sampled_from(sorted({name for form in FORMS.values() for name in form}))
NEARLY = st.builds(lambda do, said, extra: json.dumps({"v": 1, "do": do, **dict.fromkeys(FORMS[do], said), **extra}),
                   st.sampled_from(sorted(FORMS)), JSON, st.dictionaries(FIELDS, JSON, max_size=1))
RIGHT = st.one_of(
    st.builds(lambda name, on: spell("enter", name=name, watching=on), st.text(max_size=30), st.booleans()),
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
        assert (state.chairs[0].by, state.chairs[1].by) == (author("a"), author("b"))
        assert house["b"].state == state
        assert not house["a"].ended
        assert not house["b"].ended
        assert house.agreed == []
        assert house["a"].rival is None
        assert RoomState.from_json(json.loads(json.dumps(state.to_json()))) == state

    run(story())


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


def test_a_host_of_another_version_is_named() -> None:
    async def story() -> None:
        house = House()
        await house.come("b")
        late = house.add("c", Room.joined(house.town.net(author("c")), "Cleo", author("a"), now=house.now))
        late.receive(author("a"), '{"v":2,"do":"room"}')
        assert late.ended == "version"

        other = house.state.changed(rules=99)
        house["a"].send(author("b"), "room", room=other.to_json())
        house.town.run()
        assert house["b"].state is not None
        assert not house["b"].state.known

    run(story())


def test_presence_is_told() -> None:
    async def story() -> None:
        house = House()
        await house.come("b")
        told: list[str] = []
        house["a"].on_change(told.append)
        house.town.cut(author("a"), author("b"))
        house.town.wait(6)
        assert house["a"].presence(author("b")) is Presence.UNSTABLE
        assert told == ["presence"]

    run(story())
