"""The mesh by itself: everybody finds everybody, silence is noticed, links come back, and nothing hostile does harm."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.peers.net.framing import (
    BULK_PIECE,
    CHANNELS,
    CONTROL,
    LANE_COUNT,
    LANES,
    LAST,
    MOST,
    PACKED,
    PIECE,
    BadPiece,
    BrokenStream,
    Incoming,
    Outgoing,
    channels_of,
    lane_of,
)
from tabletin.peers.net.link import Link, LinkStage
from tabletin.peers.net.mesh_state import MOST_LINKS, MOST_NEIGHBOURS, MeshState, Message
from tabletin.peers.net.transport import MATCH, ROOM, Presence
from tests.support.mesh_sim import Air, Device

messages = st.lists(st.tuples(st.sampled_from(CHANNELS), st.text() | st.integers(0, 40_000).map(lambda n: "ü" * n)), max_size=12)


def linked(devices: list[Device]) -> None:
    """Everybody is linked with everybody, hears them, and by one link."""
    for device in devices:
        others = {other.author for other in devices if other is not device}
        assert set(device.mesh.connected_authors()) == others
        assert {device.mesh.presence(other) for other in others} <= {Presence.HERE}
        assert sum(link.stage is LinkStage.UP for link in device.mesh.state.links.values()) == len(others)


# ---- framing ----

@given(messages, st.booleans())
def test_pieces_join_to_what_was_said(said: list[tuple[str, str]], packs: bool) -> None:
    said = [(channel, text) for channel, text in said if len(text.encode()) <= MOST[channel]]
    for lane in range(LANE_COUNT):
        mine = [(channel, text) for channel, text in said if lane_of(channel, text) == lane]
        out, into = Outgoing(lane), Incoming(lane)
        out.packs = packs
        for channel, text in mine:
            assert out.put(channel, text)
        heard = []
        while (piece := out.take()) is not None:
            assert len(piece) <= PIECE
            joined = into.take(piece)
            if joined is not None:
                heard.append(joined)
        assert out.waiting == 0
        for channel in CHANNELS:
            assert [text for name, text in heard if name == channel] == [text for name, text in mine if name == channel]


def test_a_sign_of_life_does_not_wait_for_a_long_text() -> None:
    out = Outgoing(LANES[ROOM])
    out.put(ROOM, "x" * 100_000)
    assert out.take() is not None
    out.put(CONTROL, "ping")
    assert out.take() == bytes([CHANNELS.index(CONTROL) | LAST]) + b"ping"


def test_a_move_overtakes_a_shuffle() -> None:
    """They go by lanes of their own, and a shuffle in short pieces."""
    shuffle = "x" * 30_000
    assert len({lane_of(CONTROL, "ping"), lane_of(MATCH, "a move"), lane_of(MATCH, shuffle)}) == 3
    out = Outgoing(lane_of(MATCH, shuffle))
    out.put(MATCH, shuffle)
    pieces = one_message(out)
    assert max(map(len, pieces)) == BULK_PIECE < PIECE
    into = Incoming(lane_of(MATCH, shuffle))
    assert [into.take(piece) for piece in pieces][-1] == (MATCH, shuffle)


@given(st.lists(st.binary(max_size=60), max_size=30), st.integers(0, LANE_COUNT - 1))
def test_any_pieces_are_joined_or_refused(pieces: list[bytes], lane: int) -> None:
    into = Incoming(lane)
    for piece in pieces:
        try:
            joined = into.take(piece)
        except BadPiece as error:
            assert str(error) in ("empty", "piece", "channel", "size", "text", "stream")
        else:
            assert joined is None or joined[0] in channels_of(lane)


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_text_without_end_takes_no_more_room_than_allowed(channel: str) -> None:
    into = Incoming(LANES[channel])
    head = CHANNELS.index(channel)
    refused = 0
    for _ in range(2 * MOST[channel] // PIECE + 2):
        try:
            assert into.take(bytes([head]) + bytes(PIECE - 1)) is None
        except BadPiece:
            refused += 1
        assert len(into._parts[channel]) <= MOST[channel]
    assert refused == 1
    assert into.take(bytes([head | LAST]) + b"end") is None  # the rest of it is passed over
    assert into.take(bytes([head | LAST]) + b"next") == (channel, "next")


def one_message(out: Outgoing) -> list[bytes]:
    """All pieces that wait."""
    return list(iter(out.take, None))


def test_what_was_said_before_takes_next_to_nothing_when_it_is_said_again() -> None:
    text = sha256(b"a").hexdigest() * 3
    out, into = Outgoing(LANES[MATCH]), Incoming(LANES[MATCH])
    out.packs = True
    sizes = []
    for _ in range(3):
        out.put(MATCH, text)
        piece, = one_message(out)
        sizes.append(len(piece))
        assert into.take(piece) == (MATCH, text)
    assert sizes[0] < len(text) / 2
    assert sizes[1] == sizes[2] < 12
    out.packs = False
    out.put(MATCH, text)
    assert len(one_message(out)[0]) == 1 + len(text)


def test_a_stream_that_swells_or_is_broken_ends_there() -> None:
    out, into = Outgoing(LANES[ROOM]), Incoming(LANES[ROOM])
    swelling = zlib.compressobj(wbits=-15)
    data = swelling.compress(bytes(MOST[ROOM] + 1)) + swelling.flush(zlib.Z_SYNC_FLUSH)
    head = CHANNELS.index(ROOM) | PACKED | LAST
    with pytest.raises(BrokenStream):
        into.take(bytes([head]) + data)
    with pytest.raises(BrokenStream):
        Incoming(LANES[ROOM]).take(bytes([head]) + b"\xff\xff")
    with pytest.raises(BrokenStream):  # a stream that says that it is over
        Incoming(LANES[ROOM]).take(bytes([head]) + zlib.compress(b"x", wbits=-15))
    with pytest.raises(BadPiece, match="channel"):
        Incoming(LANES[CONTROL]).take(bytes([CHANNELS.index(CONTROL) | PACKED | LAST]) + data[:10])
    out.packs = True
    out.put(CONTROL, "ping")
    assert one_message(out) == [bytes([CHANNELS.index(CONTROL) | LAST]) + b"ping"]


def test_what_nobody_would_take_is_not_sent() -> None:
    assert not Outgoing(LANES[ROOM]).put(ROOM, "x" * (MOST[ROOM] + 1))


# ---- finding each other ----

@pytest.mark.parametrize("count", [2, 3, 6, 10])
def test_everybody_is_introduced(count: int) -> None:
    devices = Air(count).mesh(count)
    linked(devices)
    devices[0].send(None, MATCH, "to all")
    devices[-1].send(devices[0].author, ROOM, "to one")
    devices[0].air.run(1)
    for device in devices[1:]:
        assert device.texts == [(devices[0].author, MATCH, "to all")]
    assert devices[0].texts == [(devices[-1].author, ROOM, "to one")]
    assert not any(device.mesh.state.troubles for device in devices)


def test_everybody_at_once_by_one_host() -> None:
    air = Air(5)
    host, *guests = air.devices(8)
    for guest in guests:
        air.introduce(host, guest)
    air.run(20)
    linked([host, *guests])


def test_two_meshes_grow_together() -> None:
    air = Air(6)
    one, two = air.mesh(3), [Device(air, f"other {number}") for number in range(3)]
    air.introduce(two[0], two[1])
    air.introduce(two[1], two[2])
    air.run(10)
    linked(two)
    air.introduce(one[2], two[0])
    air.run(20)
    linked([*one, *two])


def test_long_texts_arrive_whole_and_in_order() -> None:
    air = Air(7)
    anna, ben = air.mesh(2)
    texts = ["a" * 500_000, "b", "c" * 100_000]
    for text in texts:
        anna.send(ben.author, MATCH, text)
    air.run(1)
    assert [text for _, _, text in ben.texts] == texts


# ---- silence ----

def test_silence_is_unstable_then_away_then_here_again() -> None:
    air = Air(8, can_redeem=False)
    anna, ben = air.mesh(2)
    air.cut(anna, ben)
    air.run(7.5)
    assert anna.mesh.presence(ben.author) is Presence.UNSTABLE
    anna.send(ben.author, MATCH, "are you there")
    air.run(10)
    assert anna.mesh.presence(ben.author) is Presence.AWAY and ben.mesh.presence(anna.author) is Presence.AWAY
    assert ben.author in anna.mesh.connected_authors()  # never evicted
    air.heal(anna, ben)
    air.run(3)
    linked([anna, ben])
    assert ben.texts == [(anna.author, MATCH, "are you there")]


def test_goodbye_is_heard_at_once() -> None:
    air = Air(9)
    anna, ben, cleo = air.mesh(3)
    air.leave(ben)
    air.run(0.5)
    assert anna.mesh.presence(ben.author) is cleo.mesh.presence(ben.author) is Presence.LEFT
    air.run(60)
    linked([anna, cleo])
    assert anna.mesh.lost_authors() == (ben.author,)


def test_sleep_of_ones_own_is_not_the_others_silence() -> None:
    air = Air(10)
    anna, ben = air.mesh(2)
    shown = []
    anna.mesh.tick(air.now + 100)
    shown.append(anna.mesh.presence(ben.author))
    assert shown == [Presence.HERE]


# ---- ways back ----

def test_a_cut_of_half_a_minute_is_mended_through_another() -> None:
    air = Air(11, can_redeem=False)
    anna, ben, cleo = air.mesh(3)
    before = dict(anna.mesh.state.links)
    air.cut(anna, ben)
    air.run(5)
    anna.send(ben.author, MATCH, "queued")
    air.run(25)
    air.heal(anna, ben)
    air.run(30)
    linked([anna, ben, cleo])
    if set(before) == set(anna.mesh.state.links):  # the same link went on: nothing was lost
        assert ben.texts == [(anna.author, MATCH, "queued")]


def test_a_short_cut_mends_with_nothing_lost() -> None:
    air = Air(12, can_redeem=False)
    anna, ben, cleo = air.mesh(3)
    links = set(anna.mesh.state.links)
    air.cut(anna, ben)
    anna.send(ben.author, MATCH, "queued")
    air.run(12)
    air.heal(anna, ben)
    air.run(10)
    assert set(anna.mesh.state.links) == links
    linked([anna, ben, cleo])
    assert ben.texts == [(anna.author, MATCH, "queued")]


def test_a_closed_link_is_made_anew_through_another() -> None:
    air = Air(13, can_redeem=False)
    anna, ben, cleo = air.mesh(3)
    air.drop(anna, ben)
    assert anna.mesh.presence(ben.author) is Presence.UNSTABLE
    air.run(8)
    linked([anna, ben, cleo])


@pytest.mark.parametrize("word", [True, False])
@pytest.mark.parametrize(("seed", "count"), [(14, 2), (14, 3), (10, 6), (12, 6), (13, 6), (14, 6)])
def test_a_reloaded_page_comes_back_by_its_tickets(seed: int, count: int, word: bool) -> None:
    air = Air(seed)
    devices = air.mesh(count)
    air.run(60)
    assert all(device.stored[other.author] for device in devices for other in devices if other is not device)
    for again in (devices[0], devices[-1], devices[0]):
        (air.leave if word else air.crash)(again)
        again.begin()
        assert not any(again.mesh.can_return(device.author) for device in devices)
        air.run(4)
        assert set(again.mesh.connected_authors()) == {device.author for device in devices if device is not again}
        air.run(40)
        linked(devices)
        assert all(device.mesh.can_return(other.author) for device in devices for other in devices if other is not device)


def test_two_may_reload_in_quick_turn() -> None:
    air = Air(24)
    anna, ben = air.mesh(2)
    for again in (anna, ben, anna, ben):
        air.leave(again)
        again.begin()
        air.run(1.5)
    linked([anna, ben])


def test_a_device_that_comes_back_to_one_is_introduced_to_all() -> None:
    air = Air(15)
    anna, ben, cleo, dora = air.mesh(4)
    air.run(60)
    air.crash(dora)
    dora.stored = {author: tickets if author == anna.author else () for author, tickets in dora.stored.items()}
    dora.begin()
    air.run(10)
    assert set(dora.mesh.connected_authors()) == {anna.author, ben.author, cleo.author}


def test_two_that_reload_at_once_need_a_code_and_say_so() -> None:
    air = Air(16)
    anna, ben = air.mesh(2)
    air.run(30)
    for device in (anna, ben):
        air.crash(device)
    for device in (anna, ben):
        device.begin()
    air.run(60)
    assert anna.mesh.lost_authors() == (ben.author,) and ben.mesh.lost_authors() == (anna.author,)
    air.introduce(ben, anna)
    air.run(5)
    linked([anna, ben])
    assert anna.mesh.lost_authors() == ben.mesh.lost_authors() == ()


def test_without_tickets_a_reload_needs_a_code_at_once() -> None:
    air = Air(17, can_redeem=False)
    anna, ben = air.mesh(2)
    air.crash(ben)
    ben.begin()
    air.run(1)
    assert ben.mesh.lost_authors() == (anna.author,)
    assert not any(link.stage is LinkStage.WAITING for link in anna.mesh.state.links.values())


def lose_waiting(device: Device) -> int:
    """The browser of ``device`` gives its connections up that wait: how many."""
    waiting = [link.id for link in device.mesh.state.links.values() if link.stage is LinkStage.WAITING]
    for link in waiting:
        device.mesh.link_ended(link)
    device.perform()
    return len(waiting)


def test_a_page_that_was_held_up_for_long_makes_new_tickets() -> None:
    """Its browser gave the connections up that waited, all in one moment, and that happens now and then."""
    air = Air(19)
    anna, ben = air.mesh(2)
    for _ in range(4):
        air.run(20)
        before = ben.stored[anna.author]
        assert lose_waiting(anna) == len(before) == 2
        air.run(1)
        assert not ben.stored[anna.author] and not anna.mesh.can_return(ben.author), "ben holds what leads nowhere any more"
        air.run(100)
        assert len(ben.stored[anna.author]) == 2 and not set(ben.stored[anna.author]) & set(before)
        assert anna.mesh.can_return(ben.author)
    air.crash(ben)
    ben.begin()
    air.run(40)
    linked([anna, ben])


def test_a_browser_that_keeps_no_connection_waiting_makes_ever_fewer() -> None:
    air = Air(20)
    anna, ben = air.mesh(2)
    lost = []
    for _ in range(240):  # an hour
        air.run(15)
        lost.append(lose_waiting(anna))
    assert 10 <= sum(lost) <= 40 and sum(lost[-20:]) <= 2
    assert not ben.mesh.can_return(anna.author)
    linked([anna, ben])


def test_the_network_changed_new_tickets_are_handed_out() -> None:
    air = Air(18)
    anna, ben = air.mesh(2)
    air.run(20)
    before = ben.stored[anna.author]
    anna.mesh.network_changed()
    assert not anna.mesh.can_return(ben.author), "ben holds what leads nowhere any more"
    anna.perform()
    air.run(10)
    assert len(ben.stored[anna.author]) == len(before) == 2
    assert not set(ben.stored[anna.author]) & set(before)


@pytest.mark.parametrize("seed", range(12))
def test_after_any_faults_all_who_are_here_are_linked(seed: int) -> None:
    air = Air(seed)
    devices = air.mesh(5)
    air.run(40)
    random = Random(seed)
    for _ in range(12):
        one, two = random.sample(devices, 2)
        what = random.choice(["cut", "drop", "reload", "leave", "heal"])
        if what == "cut":
            air.cut(one, two)
        elif what == "heal":
            air.heal(one, two)
        elif what == "drop":
            air.drop(one, two)
        else:
            (air.leave if what == "leave" else air.crash)(one)
            one.begin()
        air.run(random.choice([0.1, 3, 12, 30]))
    for one in devices:
        for two in devices:
            if one is not two:
                air.heal(one, two)
    air.run(150)
    linked(devices)


# ---- whom one does not want, and what one does not believe ----

def test_a_refused_device_stays_out() -> None:
    air = Air(19)
    anna, ben, cleo = air.mesh(3)
    for device in (anna, cleo):
        device.mesh.refuse(ben.author)
        device.perform()
    air.run(60)
    linked([anna, cleo])
    assert ben.mesh.connected_authors() == ()
    anna.mesh.admit(ben.author)
    air.introduce(anna, ben)
    air.run(10)
    assert ben.mesh.connected_authors() == (anna.author,)


def test_nobody_is_believed_to_be_another() -> None:
    air = Air(20)
    anna, ben, mallory = air.devices(3)
    mallory.mesh.state.author = ben.author  # claims to be ben, and signs with his own key
    air.introduce(anna, mallory)
    air.run(5)
    assert anna.mesh.connected_authors() == ()
    assert anna.mesh.state.troubles["hello"] == 1


class Altered:
    """Two devices, of which ``ben`` says ``changes`` in every control message of one kind."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kind: str, changes: dict[str, object]) -> None:
        self.air = Air(22)
        self.anna, self.ben = self.air.devices(2)
        altered, control = self.ben.mesh.state, MeshState.control

        def say(state: MeshState, link: Link, message: Message) -> None:
            is_meant = state is altered and message["t"] == kind
            control(state, link, {**message, **changes} if is_meant else message)

        monkeypatch.setattr(MeshState, "control", say)
        self.air.introduce(self.anna, self.ben)
        self.air.run(5)

    @property
    def troubles(self) -> Counter[str]:
        return self.anna.mesh.state.troubles


@pytest.mark.parametrize("version", [True, 1.0, "1", 2, None])
def test_a_hello_of_another_version_is_none(monkeypatch: pytest.MonkeyPatch, version: object) -> None:
    altered = Altered(monkeypatch, "hello", {"v": version})
    assert altered.anna.mesh.connected_authors() == () and altered.troubles["hello"] + altered.troubles["control"]


@pytest.mark.parametrize(("said", "packs"), [(1, True), (True, False), (None, False), (2, False)])
def test_what_is_sent_is_packed_for_whoever_reads_that(monkeypatch: pytest.MonkeyPatch, said: object, packs: bool) -> None:
    altered = Altered(monkeypatch, "hello", {"z": said})
    lanes = [lane for link in altered.anna.mesh.state.links.values() if link.stage is LinkStage.UP for lane in link.outgoing]
    assert lanes and all(lane.packs == packs for lane in lanes)


@pytest.mark.parametrize("number", [True, -1, "2", None])
def test_how_many_tickets_are_kept_is_a_number(number: object) -> None:
    air = Air(23)
    anna, ben = air.devices(2)
    air.introduce(anna, ben)
    air.run(5)
    (link,) = (link for link in ben.mesh.state.links.values() if link.stage is LinkStage.UP)
    for said, kept in ((3, 3), (number, 3)):
        ben.mesh.state.control(link, {"t": "kept", "n": said})
        air.run(1)
        assert anna.mesh.state.neighbours[ben.author].stored_there == kept
    assert anna.mesh.state.troubles["control"] == 1


def test_another_room_is_not_entered() -> None:
    air = Air(21)
    anna, ben = air.devices(2)
    ben.mesh.state.room = "ffffffffffff"
    air.introduce(anna, ben)
    air.run(5)
    assert anna.mesh.connected_authors() == ben.mesh.connected_authors() == ()


def hostile(random: Random, devices: list[Device]) -> str:
    """A control message that is nearly right."""
    authors: list[object] = [*(device.author for device in devices), "0" * 64, "x", "", 7, None, [], {}]
    pick = random.choice
    texts = ["", "wire-1", "x" * 3000, 7, None, [], {"a": []}, True, 1e308]
    message = {"t": pick(["hello", "hears", "bye?", "relay", "relayed", "tickets", "ping", 7, None, []]),
               "a": pick(authors), "n": pick(texts), "s": pick(texts), "v": 1, "r": "0123456789ab", "x": 1,
               "p": pick([authors, [], "x", 7, ["0" * 64] * 99, [f"{n:064x}" for n in range(30)], [[1, 2, 3]], [[1]], {}]),
               "to": pick(authors), "from": pick(authors), "k": pick(["offer", "answer", "mend", "mended", "stale", "", 7]),
               "c": pick(texts), "d": pick(texts)}
    for name in random.sample(sorted(message), random.randint(0, 3)):
        del message[name]
    return pick([json.dumps(message), "{", "[" * 9000, "null", "7", "", '{"t":{}}'])


@pytest.mark.parametrize("seed", range(6))
def test_garbage_from_a_device_that_was_let_in_does_no_harm(seed: int) -> None:
    air = Air(seed)
    devices = air.mesh(4)
    anna, mallory = devices[0], devices[-1]
    random = Random(seed)
    for _ in range(400):
        links = anna.mesh.state.neighbours[mallory.author].links
        if mallory.mesh.state.neighbours[anna.author].links:
            lane = random.randrange(LANE_COUNT)
            piece = random.choice([random.randbytes(random.randint(0, 40)), bytes([LAST]) + hostile(random, devices).encode()])
            anna.mesh.piece_received(links[-1] if links else 0, lane, piece)
            anna.perform()
        air.run(0.05)
    assert anna.mesh.state.troubles.total() > 100
    assert len(anna.mesh.state.neighbours) <= MOST_NEIGHBOURS and len(anna.mesh.state.links) <= MOST_LINKS
    assert set(anna.mesh.connected_authors()) >= {device.author for device in devices[1:-1]}
    assert {device.author for device in devices} >= set(anna.mesh.connected_authors())
    devices[1].send(anna.author, MATCH, "still here")
    air.run(1)
    assert anna.texts[-1] == (devices[1].author, MATCH, "still here")


def test_a_flood_ends_the_link_and_no_other() -> None:
    air = Air(22)
    anna, ben, mallory = air.mesh(3)
    for _ in range(11_000):
        anna.mesh.piece_received(next(iter(anna.mesh.state.neighbours[mallory.author].links), 0), 1, b"\x81x")
        anna.perform()
    assert anna.mesh.state.troubles["flood"] == 1
    assert mallory.author not in anna.mesh.connected_authors() and ben.author in anna.mesh.connected_authors()


@pytest.mark.parametrize("kind", ["hears", "relay", "tickets"])
def test_a_flood_of_what_the_mesh_must_read_ends_the_link_long_before_one_of_pieces_would(kind: str) -> None:
    """Each is read, and may be stored, carried on, or answered by a connection: the page would do nothing else."""
    air = Air(22)
    anna, ben, mallory = air.mesh(3)
    said = {"hears": {"t": "hears", "p": [f"{number:064x}" for number in range(MOST_NEIGHBOURS)]},
            "relay": {"t": "relay", "to": ben.author, "k": "offer", "c": "x", "n": "", "d": "x" * 800},
            "tickets": {"t": "tickets", "p": [["x" * 800, "user", "password"]] * 4}}[kind]
    piece = bytes([LAST]) + json.dumps(said).encode()
    (link,) = anna.mesh.state.neighbours[mallory.author].links
    count = 0
    while link in anna.mesh.state.links:
        anna.mesh.piece_received(link, LANES[CONTROL], piece)
        anna.perform()
        count += 1
    assert 300 < count < 2000 and anna.mesh.state.troubles["flood"] == 1
    assert ben.author in anna.mesh.connected_authors()


def test_a_flood_of_calls_in_invented_names_keeps_nobody_out() -> None:
    """Whoever is let in, or waits at the door, could have every connection made in vain that this device makes."""
    air = Air(22)
    anna, ben, mallory = air.mesh(3)
    newcomer = Device(air, "newcomer")

    def flood() -> None:
        for link in anna.mesh.state.neighbours[mallory.author].links[-1:]:
            call = {"t": "relayed", "from": f"{air.random.getrandbits(256):064x}", "k": "offer", "c": "x", "d": "wire-1", "n": ""}
            anna.mesh.piece_received(link, LANES[CONTROL], bytes([LAST]) + json.dumps(call).encode())
            anna.perform()
    for _ in range(MOST_LINKS):
        flood()
    assert len(anna.mesh.state.links) == MOST_LINKS
    air.introduce(ben, newcomer)
    for _ in range(100):
        air.run(0.1)
        flood()
    assert newcomer.author in anna.mesh.connected_authors() and mallory.author in anna.mesh.connected_authors()
    assert len(anna.mesh.state.links) <= MOST_LINKS


@pytest.mark.parametrize("count", [1, 5])
def test_nobody_ends_a_link_of_others_by_how_much_it_has_carried_there(count: int) -> None:
    air = Air(22)
    anna, ben, *others = air.mesh(2 + count)
    (before,) = anna.mesh.state.neighbours[ben.author].links
    said = {"t": "relay", "to": ben.author, "k": "answer", "c": "x", "n": "", "d": "x" * 800}
    for _ in range(200):
        for other in others:
            anna.mesh.piece_received(anna.mesh.state.neighbours[other.author].links[-1], LANES[CONTROL],
                                     bytes([LAST]) + json.dumps(said).encode())
        anna.perform()
        air.run(0.5)
    assert anna.mesh.state.neighbours[ben.author].links == [before]
    assert anna.author in ben.mesh.connected_authors() and "flood" not in ben.mesh.state.troubles
    assert anna.mesh.state.troubles["carried"] > 0 or count == 1


@pytest.mark.parametrize("letter", ["x", "ü", "\u20ac"])
def test_nobody_ends_a_link_of_others_by_what_it_has_carried_there(letter: str) -> None:
    """What is carried grows: by the sender's name, and where letters are written out."""
    air = Air(22)
    anna, ben, mallory = air.mesh(3)
    (before,) = anna.mesh.state.neighbours[ben.author].links
    head, end = f'{{"t":"relay","to":"{ben.author}","k":"offer","c":"x","n":"","d":"', '"}'
    room = MOST[CONTROL] - len(head) - len(end)
    said = f"{head}{letter * (room // len(letter.encode()))}{end}".encode()
    for start in range(0, len(said), PIECE - 1):
        part = said[start:start + PIECE - 1]
        flag = LAST if start + len(part) == len(said) else 0
        anna.mesh.piece_received(anna.mesh.state.neighbours[mallory.author].links[-1], LANES[CONTROL], bytes([flag]) + part)
    anna.perform()
    assert anna.mesh.state.neighbours[ben.author].links == [before]
    assert anna.mesh.state.troubles == {"control": 1}


def test_who_came_and_went_with_very_many_keys_keeps_nobody_out() -> None:
    air = Air(22)
    anna, ben = air.devices(2)
    for number in range(MOST_NEIGHBOURS):
        stranger = Device(air, f"key {number}")
        air.introduce(anna, stranger)
        air.run(2)
        assert stranger.author in anna.mesh.connected_authors()
        air.crash(stranger)
    air.run(60)
    assert len(anna.mesh.state.neighbours) == MOST_NEIGHBOURS
    air.introduce(anna, ben)
    air.run(5)
    assert ben.author in anna.mesh.connected_authors() and len(anna.mesh.state.neighbours) == MOST_NEIGHBOURS


def test_who_plays_is_not_forgotten_for_others_who_come() -> None:
    air = Air(22)
    anna, ben = air.mesh(2)
    anna.mesh.retain([ben.author])
    air.crash(ben)
    air.run(60)
    for number in range(2 * MOST_NEIGHBOURS):
        stranger = Device(air, f"key {number}")
        air.introduce(anna, stranger)
        air.run(2)
        air.crash(stranger)
        air.run(40)
    assert len(anna.mesh.state.neighbours) == MOST_NEIGHBOURS and ben.author in anna.mesh.state.neighbours
    anna.mesh.retain([])
    air.introduce(anna, Device(air, "one more"))
    air.run(2)
    assert ben.author not in anna.mesh.state.neighbours


def test_a_flood_in_anothers_name_shuts_nobody_out() -> None:
    """Whoever knows where people meet can call in the name of any of them, and be ended before it shows who it is."""
    air = Air(22)
    anna, ben = air.mesh(2)
    call = {"t": "signal", "from": ben.author, "to": anna.author, "k": "offer", "c": "a call", "d": "wire-1", "n": ""}
    anna.relayed(json.dumps(call))
    (link,) = (one for one in anna.mesh.state.links.values() if one.stage is LinkStage.CALLING)
    for _ in range(201):
        anna.mesh.piece_received(link.id, 1, b"\x81x")
    anna.perform()
    assert link.id not in anna.mesh.state.links and anna.mesh.state.troubles["flood"] == 1
    air.drop(anna, ben)
    air.introduce(anna, ben)
    air.run(5)
    assert ben.author in anna.mesh.connected_authors()


def test_who_takes_nothing_in_loses_the_link_before_memory_runs_out() -> None:
    air = Air(23)
    anna, ben = air.mesh(2)
    text = Random(23).randbytes(3_500_000).hex()  # packs to no less than half
    for _ in range(10):  # nothing is taken out of the queue meanwhile
        anna.mesh.send(ben.author, MATCH, text)
    assert anna.mesh.connected_authors() == ()
    assert anna.mesh.state.troubles["full"] == 1
