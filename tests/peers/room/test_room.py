"""The room before the deal, among devices in one process: taking in, agreeing, beginning, another match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.kernel.log import Entry, Json
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import COLOURS
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import BOT, PERSON, Chair
from tabletin.registry import GAMES, rules_of
from tests.support.examples import ONE_DEAL, game_for, short
from tests.support.room_sim import House, author, entry_of, hash_of, hosting, inside, ready


async def test_seats_get_the_colours_of_the_table() -> None:
    house = House()
    await house.come("b", "Bo")
    for name in "ab":
        house[name].set_ready(True)
    house.town.run()
    assert [seat.colour for seat in house.setups[0].seats] == list(COLOURS[:2])


async def test_an_invited_guest_is_taken_in_and_seated() -> None:
    house = House()
    await house.come("b", "Bo")
    assert [member.name for member in house.state.members] == ["Ada", "Bo"]
    assert house.state.chairs[1] == Chair(PERSON, author("b"))
    assert house.is_same()
    assert inside(house["b"])


async def test_the_match_begins_when_everybody_agrees_to_the_same() -> None:
    house = House()
    await house.come("b", "Bo")
    house["a"].set_ready(True)
    house.town.run()
    assert house.setups == []
    house["b"].set_ready(True)
    house.town.run()
    setup = house.setups[0]
    assert [(seat.kind, seat.author, seat.name) for seat in setup.seats] == [
        ("person", author("a"), "Ada"), ("person", author("b"), "Bo")]
    assert setup.dealing == "sealed"
    assert len({seat.colour for seat in setup.seats}) == 2
    genesis = house.found()
    assert house.geneses == {"a": [genesis], "b": [genesis]}
    assert house.state.playing == Entry.from_json(genesis).statement.hash
    assert house.is_same()


async def test_ready_means_ready_for_just_this() -> None:
    house = House()
    await house.come("b")
    house["b"].set_ready(True)
    house.town.run()
    assert ready(house["b"])
    house["a"].as_host().choose(ONE_DEAL, short(ONE_DEAL))
    house.town.run()
    assert not ready(house["b"])
    assert dict(house.state.ready) == {}
    house["a"].as_host().choose(ONE_DEAL, {})
    house["b"].set_ready(True)  # it has not heard yet: that is agreement to something else
    house.town.run()
    assert dict(house.state.ready) == {}
    assert house.setups == []


async def test_a_guest_plays_nothing_it_did_not_agree_to() -> None:
    house = House()
    guest = await house.come("b")
    state = house.state
    for setup in (state.setup(), state.with_fields(options=short(ONE_DEAL)).setup()):
        house["a"].send(guest.author, "found", genesis=entry_of(setup, house["a"].author))
        house.town.run()
    assert house.geneses["b"] == []
    assert guest.rejections == {"another_match": 1}
    forged = state.with_fields(ready={guest.author: state.agreement}, options=short(ONE_DEAL))
    forged = replace(forged, ready={guest.author: forged.agreement})
    playing = Entry.from_json(entry_of(forged.setup(), house["a"].author)).statement.hash
    house["a"].send(guest.author, "room", room=replace(forged, playing=playing, version=99).to_json())
    house["a"].send(guest.author, "found", genesis=entry_of(forged.setup(), house["a"].author))
    house.town.run()
    assert house.geneses["b"] == []
    assert guest.genesis is None


async def test_a_match_that_is_said_to_be_under_way_waits_until_the_person_agrees() -> None:
    house = House()
    await house.come("b")
    host, state = house["a"], house.state
    genesis = entry_of(state.setup(), host.author)
    host.genesis, host.state = genesis, replace(state, playing=hash_of(genesis), version=state.version + 1)
    del house.rooms["b"]
    guest = await house.come("b")
    assert guest.state is not None and guest.state.playing == hash_of(genesis)
    assert house.geneses["b"] == [] and guest.genesis is None
    assert guest.unasked_match == genesis
    house["b"].enter()
    house.town.run()
    assert house.geneses["b"] == []
    guest.join_match()
    guest.join_match()
    assert house.geneses["b"] == [genesis] and guest.unasked_match is None
    del house.rooms["b"]
    guest = await house.come("b")
    assert house.geneses["b"] == [genesis], "it came back to a match that it began"


async def test_who_only_watches_a_match_is_not_asked() -> None:
    house = House()
    await house.come("b")
    house.all_ready()
    genesis = house.found()
    await house.come("c", watching=True)
    assert house.geneses["c"] == [genesis]


async def test_nobody_has_to_watch_one_match_after_another() -> None:
    """Each is stored by the page, which remembers the way back to so many: it would forget those that its person plays."""
    house = House()
    await house.come("b")
    guest = await house.come("c", watching=True)
    host, state = house["a"], house.state

    def say(number: int) -> None:
        genesis = entry_of(replace(state.setup(), nonce=f"{number:032x}"[:len(state.nonce)]), author(f"x{number}"))
        said = replace(state, playing=hash_of(genesis), version=state.version + number)
        host.send(guest.author, "room", room=said.to_json())
        host.send(guest.author, "found", genesis=genesis)
        house.town.run()

    asked: list[Json] = []
    guest.on_unasked = lambda: asked.append(guest.unasked_match)
    for number in range(1, 30):
        say(number)
        house.town.now += 1
    assert len(house.geneses["c"]) == 4 and asked == []
    house.town.now += 600
    say(40)
    assert len(house.geneses["c"]) == 5
    for number in range(41, 45):
        say(number)
    assert len(house.geneses["c"]) == 6 and asked == [] and guest.unasked_match is not None
    guest.join_match()
    assert len(house.geneses["c"]) == 7, "who wants to watch it may"


async def test_nobody_is_led_back_and_forth_between_matches_that_are_over() -> None:
    """Each is read and folded anew: four a second would keep a page busy for good."""
    house = House()
    guest = await house.come("b")
    house.all_ready()
    house.found()
    host, state = house["a"], house.state
    led: list[Json] = []

    def open_table(genesis: Json) -> None:
        led.append(genesis)
        guest.follow_table(hash_of(genesis), lambda: True, lambda: (guest.author,))
    guest.on_genesis = open_table
    guest.follow_table(state.playing, lambda: True, lambda: (guest.author,))
    over = [entry_of(state.setup(), author(f"x{number}")) for number in range(2)]
    house.begun["b"].update(map(hash_of, over))
    for number in range(1, 40):
        genesis = over[number % 2]
        host.send(guest.author, "room", room=replace(state, playing=hash_of(genesis), version=state.version + number).to_json())
        host.send(guest.author, "found", genesis=genesis)
        house.town.run()
        house.town.now += 1
    assert len(led) == 4


@pytest.mark.parametrize("hears", [False, True])
async def test_who_stands_up_agrees_to_no_match_any_more_whether_or_not_the_host_hears_it(
        hears: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    guest = await house.come("b")
    agreed = house.state.setup()
    guest.set_ready(True)
    house.town.run()
    if not hears:
        monkeypatch.setattr(guest.transport, "send", lambda *said: None)
    guest.stand()
    house.town.run()
    assert not guest.ready
    genesis = entry_of(agreed, house["a"].author)
    state = guest.state
    assert state is not None
    told = replace(state, playing=hash_of(genesis), version=state.version + 1)
    house["a"].send(guest.author, "room", room=told.to_json())
    house["a"].send(guest.author, "found", genesis=genesis)
    house.town.run()
    assert house.geneses["b"] == [] and guest.unasked_match == genesis


async def test_nobody_is_asked_about_one_match_after_another() -> None:
    """The page leads to the question: nobody could look at anything else."""
    house = House()
    guest = await house.come("b")
    host, state = house["a"], house.state
    asked: list[Json] = []
    guest.on_unasked = lambda: asked.append(guest.unasked_match)
    for number in range(1, 30):
        genesis = entry_of(state.setup(), author(f"x{number}"))
        host.send(guest.author, "room", room=replace(state, playing=hash_of(genesis), version=state.version + number).to_json())
        host.send(guest.author, "found", genesis=genesis)
        house.town.run()
        assert guest.unasked_match == genesis
        house.town.now += 1
    assert len(asked) == 4 and house.geneses["b"] == []


@pytest.mark.parametrize("kind", ["to watch", "begun before", "with a seat"])
async def test_nobody_who_plays_is_led_to_another_table(kind: str) -> None:
    """The page would take no part any more in the match that goes on: the others would wait, and vote its person gone."""
    house = House()
    guest = await house.come("b")
    house.all_ready()
    first, host, state = house.found(), house["a"], house.state
    asked: list[Json] = []
    guest.on_unasked = lambda: asked.append(guest.unasked_match)
    if kind == "to watch":
        strangers = tuple(replace(seat, author=author(f"x{number}")) for number, seat in enumerate(state.setup().seats))
        second = entry_of(replace(state.setup(), seats=strangers), host.author)
    else:
        second = entry_of(state.setup(), author("x"))
    if kind == "begun before":
        house.begun["b"].add(hash_of(second))

    def say(genesis: Json) -> None:
        nonlocal state
        state = replace(state, playing=hash_of(genesis), version=state.version + 1)
        host.send(guest.author, "room", room=state.to_json())
        host.send(guest.author, "found", genesis=genesis)
        house.town.run()

    for _ in range(6):
        say(second)
        say(first)
    assert guest.is_playing and guest.table == hash_of(first)
    assert {hash_of(one) for one in house.geneses["b"]} == {hash_of(first)} and asked == []
    assert house.net("b").retained == {author("a"), author("b")}
    say(second)
    guest.follow_table(hash_of(first), lambda: True, lambda: (author("a"), author("b")))
    say(first)
    say(second)
    assert (house.geneses["b"][-1] == second) is (kind != "with a seat")
    assert (asked == [second]) is (kind == "with a seat")


async def test_a_match_that_begins_is_played_from_then_on() -> None:
    """Until its table is there, the page still knows that of the match before, which is over."""
    house = House(3)
    for who in "bc":
        await house.come(who)
    house.all_ready()
    before, players = house.found(), [author(who) for who in "abc"]
    for who in "abc":
        house[who].follow_table(hash_of(before), lambda: True, lambda: players)
    house["b"].play_again()
    house.town.run()
    assert house.state.playing == ""
    house.all_ready()
    genesis = house.found()
    assert all(house[who].is_playing and not house[who].is_match_over for who in "abc")
    house["c"].send(author("a"), "again")
    house.town.run()
    assert house.state.playing == hash_of(genesis)
    host, state = house["a"], house.state
    members = tuple(one for one in state.members if one.author != author("c"))
    chairs = tuple(Chair() if chair.author == author("c") else chair for chair in state.chairs)
    said = replace(state, members=members, chairs=chairs, ready={}, removed_authors=(author("c"),), version=state.version + 1)
    host.send(author("b"), "room", room=said.to_json())
    house.town.run()
    assert house["b"].state == said and house.net("b").refused == set()


async def test_a_match_ends_with_its_own_table() -> None:
    house = House()
    await house.come("b")
    house.all_ready()
    genesis, host = house.found(), house["a"]
    host.follow_table("0" * 64, lambda: True, lambda: ())
    over = []
    for match, is_over in (("0" * 64, True), (hash_of(genesis), True), (hash_of(genesis), False)):  # its end fell away
        host.end_match(match, is_over=is_over)
        over.append(host.is_match_over)
    assert over == [False, True, False]


async def test_an_agreement_to_what_is_proposed_no_more_begins_nothing() -> None:
    """The person read another proposal meanwhile, and that nobody was ready."""
    house = House()
    guest = await house.come("b")
    guest.set_ready(True)
    house.town.run()
    before, host = house.state, house["a"]
    host.as_host().choose(before.game, short(before.game))
    house.town.run()
    assert guest.state is not None and not guest.ready and guest.state.agreement != before.agreement
    genesis = entry_of(before.setup(), host.author)
    said = replace(before, playing=hash_of(genesis), version=house.state.version + 1)
    host.send(guest.author, "room", room=said.to_json())
    host.send(guest.author, "found", genesis=genesis)
    house.town.run()
    assert house.geneses["b"] == [] and guest.unasked_match == genesis


async def test_an_agreement_begins_one_match() -> None:
    house = House()
    guest = await house.come("b")
    house.all_ready()
    first = house.found()
    second = entry_of(house.setups[0], author("x"))  # just as agreed, but for its founder
    host, state = house["a"], house.state
    host.send(guest.author, "room", room=replace(state, playing=hash_of(second), version=state.version + 1).to_json())
    host.send(guest.author, "found", genesis=second)
    house.town.run()
    assert house.geneses["b"] == [first]
    assert guest.unasked_match == second


@pytest.mark.parametrize("is_kept", [True, False])
async def test_an_agreement_outlives_the_page(is_kept: bool) -> None:
    house = House()
    guest = await house.come("b")
    house.all_ready()
    state, agreement = guest.state, guest.own_agreement
    assert state is not None and agreement == state.agreement and state.all_ready
    del house.rooms["b"]
    guest = house.add("b", Room.resume(house.net("b"), "B", state, agreement=agreement if is_kept else "", now=house.now))
    genesis = house.found()
    assert (house.geneses["b"] == [genesis]) is is_kept
    assert (guest.unasked_match == genesis) is not is_kept


async def test_an_agreement_that_was_taken_back_begins_nothing() -> None:
    house = House()
    guest = await house.come("b")
    house.all_ready()
    house.town.cut(author("a"), author("b"))
    guest.set_ready(False)
    house.town.heal(author("a"), author("b"))
    genesis = house.found()
    assert house.geneses["b"] == [] and guest.unasked_match == genesis


async def test_nobody_is_asked_about_another_game_than_the_room_shows() -> None:
    house = House()
    guest = await house.come("b")
    host, state = house["a"], house.state
    genesis = entry_of(state.with_fields(options=short(ONE_DEAL)).setup(), host.author)
    host.send(guest.author, "room", room=replace(state, playing=hash_of(genesis), version=state.version + 1).to_json())
    host.send(guest.author, "found", genesis=genesis)
    house.town.run()
    assert guest.unasked_match is None and guest.rejections == {"another_match": 1}


async def test_nothing_begins_with_an_empty_chair_or_alone() -> None:
    house = House(3)
    await house.come("b")
    refusal = house.state.refusal()
    assert refusal is not None
    assert refusal.key == "room.refuse.open"
    house.all_ready()
    assert house.setups == []
    house["a"].as_host().set_chair(2, BOT, level="easy", name="Bruno")
    house.all_ready()
    assert [seat.kind for seat in house.setups[0].seats] == ["person", "person", "bot"]
    assert house.setups[0].seats[2].author == author("a")

    house["a"].as_host().set_chair(2, PERSON, name="B")  # the guest is called so already
    assert [house.state.name_of(chair) for chair in house.state.chairs][1:] == ["B", "B 2"]

    alone = House(2)
    alone["a"].as_host().set_chair(1, BOT, level="easy", name="Bruno")
    alone["a"].set_ready(True)
    refusal = alone.state.refusal()
    assert refusal is not None
    assert refusal.key == "room.refuse.alone"
    assert alone.setups == []


async def test_nothing_begins_while_somebody_is_away() -> None:
    house = House()
    await house.come("b")
    house["b"].set_ready(True)
    house.town.run()
    house.town.cut(author("a"), author("b"))
    house.town.wait(20)
    house["a"].set_ready(True)
    assert house["a"].missing == (author("b"),)
    assert house.setups == []
    house.town.heal(author("a"), author("b"))
    house.town.run()
    assert len(house.setups) == 1


@pytest.mark.parametrize("people", range(2, 11))
async def test_two_to_ten_people(people: int) -> None:
    house = House(max(2, people), game_for(max(2, people)))
    for number in range(1, people):
        await house.come(f"guest {number}")
    house.all_ready()
    house.found()
    assert all(len(begun) == 1 for begun in house.geneses.values())
    assert len(house.geneses) == people
    assert len({seat.colour for seat in house.setups[0].seats}) == people


async def test_a_rematch_turns_the_seats_and_is_another_match() -> None:
    house = House()
    await house.come("b")
    house.all_ready()
    first = house.found()
    house["b"].play_again()
    house.town.run()
    assert house.state.playing  # it is not over yet
    house["a"].match_over = True
    house["b"].play_again()
    house.town.run()
    assert [chair.author for chair in house.state.chairs] == [author("b"), author("a")]
    house["a"].send(author("b"), "found", genesis=first)
    house.town.run()
    house.all_ready()
    second = house.found()
    assert first != second
    assert house.geneses["b"] == [first, second]


async def test_another_game_suits_its_chairs(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = [game for game in GAMES if game != House().state.game][:2]
    monkeypatch.setattr(rules_of(few), "seat_counts", range(2, 3))
    monkeypatch.setattr(rules_of(many), "seat_counts", range(6, 11))
    house = House(4)
    for who in "bc":
        await house.come(who)
    house["a"].as_host().set_chair(3, BOT, level="hard", name="Bruno")
    house["a"].as_host().choose(few, {})
    assert [chair.kind for chair in house.state.chairs] == [PERSON, PERSON]
    assert [member.author for member in house.state.spectators] == [author("c")]
    house["a"].as_host().choose(many, {})
    assert len(house.state.chairs) == 6
    with pytest.raises(Refused):
        house["a"].as_host().drop_chair(0)


async def test_only_the_host_has_the_hosts_side() -> None:
    house = House()
    await house.come("b")
    assert [hosting(house[who]) for who in "ab"] == [True, False]
    assert house["a"].as_host() is house["a"].host_side
    with pytest.raises(Refused):
        house["b"].as_host()
    house["a"].leave()
    house.town.run()
    assert [hosting(house[who]) for who in "ab"] == [False, True]
