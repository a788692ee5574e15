"""Links from browser to browser in real Chromium, with nothing between them but loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random

import pytest
from playwright.sync_api import Page

from e2e.support.devices import Device, company, connect
from e2e.support.nostr_relay import Relay
from e2e.support.site import Process, ready, until
from e2e.support.turn_server import BEHIND_A_WALL, PASSWORD, USER, TurnServer
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages

NAMES = ("anna", "ben", "cleo", "dora", "emil", "fritz", "gerda", "hans", "ida", "jakob")
NO_SERVERS: dict[str, object] = {"stun": "", "turn": "", "turn_user": "", "turn_password": "", "relay": False, "relay_url": ""}
FINDS_ITSELF_LATE = """() => {
    const Own = RTCPeerConnection, later = 6000;
    globalThis.RTCPeerConnection = class extends Own {
        #isEarly = true;
        async setLocalDescription(description) {
            await super.setLocalDescription(description);
            setTimeout(() => { this.#isEarly = false; this.dispatchEvent(new Event('icegatheringstatechange')); }, later);
        }
        get iceGatheringState() { return this.#isEarly ? 'gathering' : super.iceGatheringState; }
        get localDescription() {
            const { type, sdp } = super.localDescription;
            return { type, sdp: this.#isEarly ? sdp.replace(/a=candidate.*\\r\\n/g, '') : sdp };
        }
    };
}"""
"""JavaScript that makes a page find its addresses only after some seconds, as on a slow device."""
NewDevice = Callable[..., Page]
NewProcess = Callable[..., Process]


def devices(new_device: NewDevice, count: int) -> list[Device]:
    return [Device(new_device(), name).open() for name in NAMES[:count]]


def no_troubles(*those: Device) -> None:
    """Nothing that came in was wrong; an answer may come when it is not waited for any more."""
    assert {trouble for device in those for trouble in device.state["troubles"]} <= {"relayed"}


# ---- meeting ----

def test_two_devices_meet_by_text(new_device: NewDevice) -> None:
    anna, ben = devices(new_device, 2)
    connect(anna, ben)
    anna.says(ben, "your turn")
    ben.do("send", "", "room", "hello")
    ben.hears(anna, "your turn")
    anna.hears(ben, "hello", "room")
    no_troubles(anna, ben)


@pytest.mark.parametrize("count", [3, pytest.param(6, marks=pytest.mark.wide)])
def test_everybody_is_introduced(new_device: NewDevice, count: int) -> None:
    everybody = devices(new_device, count)
    company(*everybody)
    everybody[-1].do("send", "", "match", "x" * 300_000)
    for device in everybody[:-1]:
        device.until("state.texts.some(([channel, who, text]) => text.length === 300000)")
    no_troubles(*everybody)


@pytest.mark.wide
def test_ten_are_introduced(new_device: NewDevice) -> None:
    everybody = devices(new_device, 10)
    company(*everybody)
    no_troubles(*everybody)


@pytest.mark.wide
def test_much_at_once_arrives_in_order_and_holds_nobody_up(new_device: NewDevice) -> None:
    anna, ben = devices(new_device, 2)
    connect(anna, ben)
    anna.page.evaluate("""who => {
        const noise = () => String.fromCharCode(...crypto.getRandomValues(new Uint8Array(1000)).map((byte) => 33 + byte % 94));
        const long = Array.from({ length: 1000 }, noise).join("");  // what repeats nothing is not packed smaller
        for (let n = 0; n < 16; n++) wire.send(who, 'match', `${n} ${long}`);
        wire.send(who, 'room', 'overtaken');
    }""", ben.author)
    assert anna.do("buffered", ben.author) < 1_100_000
    ben.until("state.texts.length === 17")
    heard = [text.split()[0] for _, _, text in ben.state["texts"]]
    assert [text for text in heard if text != "overtaken"] == [str(number) for number in range(16)]
    assert heard.index("overtaken") < 16
    no_troubles(anna, ben)


# ---- codes ----

@pytest.mark.wide
def test_codes_that_cannot_be_used_say_why(new_device: NewDevice) -> None:
    anna, ben = devices(new_device, 2)
    cleo = Device(new_device("#/"), "cleo").open()
    invite = anna.do("invite")
    assert anna.do("answer", invite) == "!peers.code.own"
    assert ben.do("answer", invite[:-3] + "AAA") == "!peers.code.damaged"
    assert ben.do("answer", "") == "!peers.code.empty"
    reply = ben.do("answer", f"http://localhost/#join={invite}&game={ONE_DEAL}&by=Anna")
    assert ben.do("answer", invite) == "!peers.code.used"
    assert ben.do("answer", reply) == "!peers.code.kind"
    assert anna.do("accept", invite) == "!peers.code.kind"
    assert cleo.do("invite") and cleo.do("accept", reply) == "!peers.code.of_another"
    anna.do("invite")
    assert anna.do("accept", reply) == ben.author  # the reply to the first, pasted where the second was asked for
    assert anna.do("accept", reply) == "!peers.code.used"
    assert ben.do("answer", cleo.do("invite")) == "!peers.code.of_another"
    late = anna.do("invite")
    anna.do("cancel")
    assert anna.do("accept", cleo_reply(new_device, late)) == "!peers.code.expired"


def cleo_reply(new_device: NewDevice, invite: str) -> str:
    return str(Device(new_device(), "dora").open().do("answer", invite))


@pytest.mark.wide
@pytest.mark.new_pages  # Python takes the wall for the browser's own, for good
def test_a_network_that_lets_nothing_through_is_named(new_device: NewDevice) -> None:
    anna, page = devices(new_device, 1)[0], new_device()
    page.evaluate(BEHIND_A_WALL)
    ben = Device(page, "ben").open()
    assert ben.do("invite") == "!peers.wire.no_candidate"
    assert ben.do("answer", anna.do("invite")) in ("!peers.wire.no_candidate", "!peers.code.of_another")


@pytest.mark.new_pages  # Python takes the slow device for the browser's own, for good
def test_a_device_that_finds_its_address_late_makes_a_code_with_it(new_device: NewDevice) -> None:
    anna, page = devices(new_device, 1)[0], new_device()
    page.evaluate(FINDS_ITSELF_LATE)
    connect(Device(page, "ben").open(), anna)


@pytest.mark.wide
def test_no_way_between_two_is_named(new_device: NewDevice) -> None:
    anna, ben = devices(new_device, 2)
    reply = ben.do("answer", anna.do("invite"))
    ben.page.close()
    assert anna.do("accept", reply) == "!peers.wire.no_path"


@pytest.mark.wide
def test_a_reply_may_take_its_time(new_device: NewDevice) -> None:
    anna, ben = devices(new_device, 2)
    reply = ben.do("answer", anna.do("invite"))
    ben.page.wait_for_timeout(60_000)  # people hand codes over slowly: browsers give up looking long before
    assert anna.do("accept", reply) == ben.author
    assert ben.do("connected") == anna.author


# ---- staying connected ----

@pytest.mark.wide
def test_goodbye_is_heard(new_device: NewDevice) -> None:
    anna, ben, cleo = devices(new_device, 3)
    company(anna, ben, cleo)
    ben.page.close(run_before_unload=False)
    for device in (anna, cleo):
        device.sees(ben, "left")
    anna.knows([cleo])
    no_troubles(anna, cleo)
    cleo.do("call", "close")
    anna.sees(cleo, "left")


def test_a_reloaded_page_comes_back_with_no_code(new_device: NewDevice) -> None:
    anna, ben = devices(new_device, 2)
    company(anna, ben)
    for again, other in ((ben, anna), (anna, ben)):
        again.can_return_to([other])
        again.reload()
        for device in (anna, ben):
            device.knows((anna, ben))
        other.says(again, "where were we")
        again.hears(other, "where were we")
    no_troubles(anna, ben)


@pytest.mark.wide
def test_two_of_three_reload_at_once(new_device: NewDevice) -> None:
    anna, ben, cleo = everybody = devices(new_device, 3)
    company(*everybody)
    for device in (anna, ben):
        device.can_return_to([cleo])
    room = anna.state["room"]
    for device in (anna, ben):
        device.page.evaluate("location.reload()")
    for device in (anna, ben):
        ready(device.page)
        device.open(room)
    for device in everybody:
        device.knows(everybody)


@pytest.mark.wide
def test_all_reload_and_say_that_a_code_is_needed(new_device: NewDevice) -> None:
    anna, ben = devices(new_device, 2)
    company(anna, ben)
    room = anna.state["room"]
    for device in (anna, ben):
        device.page.reload()
        ready(device.page)
    for device in (anna, ben):
        device.open(room)
    anna.until("state.lost.includes(given[0])", ben.author)
    ben.until("state.lost.includes(given[0])", anna.author)
    connect(anna, ben)
    anna.until("state.lost.length === 0")


@pytest.mark.wide
def test_a_connection_given_up_by_the_browser_is_made_anew(new_device: NewDevice) -> None:
    everybody = devices(new_device, 3)
    company(*everybody)
    anna, ben, _ = everybody
    anna.do("break_off", ben.author)
    ben.until("!state.connected.includes(given[0]) || state.changes.length > 3", anna.author)
    for device in everybody:
        device.knows(everybody)
    ben.says(anna, "there you are")
    anna.hears(ben, "there you are")


def test_a_link_is_mended_through_another_and_goes_on(new_device: NewDevice) -> None:
    everybody = devices(new_device, 3)
    company(*everybody)
    anna, ben, cleo = everybody
    state, connection, *users = json.loads(anna.do("path", ben.author))
    assert (state, connection) == ("stable", "connected")
    anna.do("mend", ben.author, cleo.author)
    anna.page.wait_for_function("""([who, before]) => {
        const [state, connection, mine, theirs] = JSON.parse(wire.path(who));
        return state === 'stable' && connection === 'connected' && mine !== before[0] && theirs !== before[1];
    }""", arg=[ben.author, users], timeout=60_000)
    ben.says(anna, "as before")
    anna.hears(ben, "as before")
    no_troubles(*everybody)


@pytest.mark.wide
def test_addresses_that_are_found_late_mend_a_link_too(new_device: NewDevice) -> None:
    everybody = devices(new_device, 3)
    company(*everybody)
    anna, ben, cleo = everybody
    for device in everybody:
        device.do("hurry")  # descriptions go without any address
    before = anna.do("users_in_use", ben.author)
    anna.do("mend", ben.author, cleo.author)
    until(anna.page, lambda: not set(anna.do("users_in_use", ben.author)) & set(before))
    ben.says(anna, "as before")
    anna.hears(ben, "as before")
    no_troubles(*everybody)


def test_a_browser_that_is_stopped_is_away_and_goes_on_when_woken(new_device: NewDevice, process: NewProcess) -> None:
    other = process()
    anna, ben = devices(new_device, 1)[0], Device(other.page, "ben").open()
    company(anna, ben)
    other.stop()
    anna.sees(ben, "unstable")
    anna.says(ben, "still there?")
    anna.sees(ben, "away")
    assert ben.author in anna.state["connected"]
    other.wake()
    for device in (anna, ben):
        device.knows((anna, ben))
    anna.says(ben, "good")
    ben.hears(anna, "good")


@pytest.mark.wide
def test_a_browser_that_was_killed_comes_back_when_started_again(new_device: NewDevice, process: NewProcess) -> None:
    other = process(profile="ben")
    anna, ben = devices(new_device, 1)[0], Device(other.page, "ben").open()
    company(anna, ben)
    ben.can_return_to([anna])
    anna.can_return_to([ben])  # it says so once ben has it on disk
    room = anna.state["room"]
    other.kill()
    anna.sees(ben, "unstable")
    ben = Device(process(profile="ben").page, "ben").open(room)
    for device in (anna, ben):
        device.knows((anna, ben))


# ---- through a server of somebody else ----

@pytest.mark.wide  # a match goes through one in test_peers_people.py, and between homes in tests/networks
@pytest.mark.new_pages  # Python takes the wall for the browser's own, for good
def test_a_turn_server_passes_on_what_a_wall_holds_back(new_device: NewDevice, turn: TurnServer) -> None:
    servers = {**NO_SERVERS, "turn": turn.address, "turn_user": USER, "turn_password": PASSWORD}
    pages = [new_device() for _ in range(3)]
    for page in pages:
        page.evaluate(BEHIND_A_WALL)
    anna, ben, cleo = everybody = [Device(page, name).open(servers=servers) for page, name in zip(pages, NAMES, strict=False)]
    company(*everybody)
    # "prflx": the relayed address of the other, which sent something before it was told
    assert {tuple(device.do("kinds", other.author)) for device in everybody for other in everybody if other is not device} \
        <= {("relay", "relay"), ("relay", "prflx")}
    assert turn.requests["allocate"] > 0 and turn.requests["channel_bind"] > 0
    anna.says(ben, "x" * 300_000)
    ben.until("state.texts.some(([channel, who, text]) => text.length === 300000)")
    for device in everybody:
        device.do("hurry")
    anna.do("break_off", cleo.author)
    anna.knows(everybody)
    cleo.says(anna, "there again")
    anna.hears(cleo, "there again")
    no_troubles(*everybody)


@pytest.mark.wide
@pytest.mark.new_pages  # Python takes the wall for the browser's own, for good
def test_an_account_that_the_turn_server_does_not_know_is_no_way(new_device: NewDevice, turn: TurnServer) -> None:
    page = new_device()
    page.evaluate(BEHIND_A_WALL)
    servers = {**NO_SERVERS, "turn": turn.address, "turn_user": USER, "turn_password": "guessed"}
    assert Device(page, "anna").open(servers=servers).do("invite") == "!peers.wire.no_candidate"
    assert turn.requests["allocate"] == 0


@pytest.mark.wide
@pytest.mark.parametrize("useless", [
    {"turn": "turn:example.org"}, {"turn": "turn:::", "turn_user": "a", "turn_password": "b"}, {"stun": "stun:example.org:99999"},
], ids=["no account", "no host", "no port"])
def test_a_helper_that_cannot_be_used_is_in_nobodys_way(new_device: NewDevice, useless: dict[str, object]) -> None:
    anna, ben = (Device(new_device(), name).open(servers={**NO_SERVERS, **useless}) for name in NAMES[:2])
    connect(anna, ben)


@pytest.mark.wide
def test_a_stun_server_is_asked_where_it_is_switched_on(new_device: NewDevice, turn: TurnServer) -> None:
    anna, ben = devices(new_device, 2)
    connect(anna, ben)
    assert turn.requests["binding"] == 0
    servers = {**NO_SERVERS, "stun": turn.stun}
    anna, ben = (Device(new_device(), name).open(servers=servers) for name in NAMES[:2])
    connect(anna, ben)
    until(anna.page, lambda: turn.requests["binding"] >= 2)
    assert turn.requests["allocate"] == 0


# ---- by name ----

@pytest.fixture
def relay() -> Iterator[Relay]:
    made = Relay().start()
    yield made
    made.stop()


def test_a_name_brings_people_together_through_a_relay(relay: Relay, new_device: NewDevice) -> None:
    anna, ben = (Device(new_device(), name).open() for name in NAMES[:2])
    for device in (anna, ben):
        device.do("meet", "the kitchen table", relay.address)
    for device in (anna, ben):
        device.knows((anna, ben))
    anna.says(ben, "found you")
    ben.hears(anna, "found you")
    room = anna.state["room"]
    for device in (anna, ben):  # both at once: nothing else could bring them back
        device.page.reload()
        ready(device.page)
    for device in (anna, ben):
        device.open(room)
        device.do("meet", "the kitchen table", relay.address)
    for device in (anna, ben):
        device.knows((anna, ben))


def test_no_relay_is_asked_unless_it_is_switched_on(new_device: NewDevice, relay: Relay) -> None:
    servers = {**NO_SERVERS, "relay_url": relay.address}
    anna = Device(new_device(), "anna").open(servers=servers)
    assert anna.do("invite") and not relay.stored and not relay.sessions


# ---- who means no good ----

def test_garbage_does_no_harm(new_device: NewDevice) -> None:
    everybody = devices(new_device, 3)
    company(*everybody)
    anna, ben, mallory = everybody
    random = Random(6)
    pieces: list[list[object]] = [[0, "text"], [1, ""], [0, []], [0, list(b"\x80{}")], [0, list(b"\x80" + b"[" * 9000)],
                                  [1, list(b"\x81" + bytes(200_000))], [0, list(b'\x80{"t":"hears","p":[7]}')],
                                  [0, list(b'\x80{"t":"relay","to":"x","k":"offer","c":"","d":"","n":""}')]]
    pieces += [[random.randrange(2), list(random.randbytes(random.randrange(60)))] for _ in range(300)]
    mallory.do("garbage", anna.author, json.dumps(pieces))
    anna.until("Object.values(state.troubles).reduce((sum, n) => sum + n, 0) > 150")
    anna.knows(everybody)
    ben.says(anna, "carry on")
    anna.hears(ben, "carry on")
    assert {author for _, author, _ in anna.state["texts"]} <= {ben.author, mallory.author}


def test_whoever_cannot_sign_is_not_let_in(new_device: NewDevice) -> None:
    anna, mallory = devices(new_device, 2)
    mallory.page.evaluate("() => wire.pose('b'.repeat(64))")
    reply = mallory.do("answer", anna.do("invite"))
    assert anna.do("accept", reply) == "!peers.wire.closed"
    assert anna.state["connected"] == [] and anna.state["troubles"] == {"hello": 1}


def test_whoever_is_refused_stays_out(new_device: NewDevice) -> None:
    everybody = devices(new_device, 3)
    company(*everybody)
    anna, ben, cleo = everybody
    for device in (anna, cleo):
        device.do("call", "refuse", ben.author)
    ben.until("state.connected.length === 0")
    anna.knows([cleo])
    reply = ben.do("answer", anna.do("invite"))
    assert anna.do("accept", reply) == "!peers.wire.closed"
