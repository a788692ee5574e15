"""Who is in a room and by which way they came: a seat like any other, several people at one device, who is heard and who is not,
codes by camera and by the share sheet, and the words for codes and networks that do not work."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256

import pytest
from playwright.sync_api import Page, expect

from e2e.support.rooms import expect_hand, hand_cards, hosted, invitation, meet, playing, ready, reply, shown_link, to
from e2e.support.site import Heard
from e2e.support.tables import do_as_hinted
from e2e.support.turn_server import BEHIND_A_WALL, PASSWORD, USER, TurnServer
from tabletin.peers.net.code import CHECK_BYTES, VERSION
from tabletin.peers.net.invite_link import read_link
from tests.support.examples import ONE_DEAL, WIDEST, name_of

pytestmark = pytest.mark.shares_pages

NewDevice = Callable[..., Page]
SHARED = """() => {
    navigator.share = async (data) => { document.documentElement.dataset.shared = JSON.stringify(data); };
    globalThis.altered = { end() { delete navigator.share; delete document.documentElement.dataset.shared; } };
}"""
AWAKE = """() => {
    const told = document.documentElement.dataset;
    navigator.wakeLock.request = async (kind) => { told.awake = kind; return { release() { told.awake = "no more"; } }; };
    navigator.storage.persist = async () => { told.persists = "asked"; return true; };
}"""
SCANNED = """async (picture) => {
    const image = new Image();
    image.src = picture;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [640, 480];
    const paint = canvas.getContext("2d");
    setInterval(() => {
        paint.fillStyle = "#fff";
        paint.fillRect(0, 0, 640, 480);
        paint.drawImage(image, 120, 40, 400, 400);
    }, 50);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream();
}"""
NO_ADDRESS = """() => {
    const Own = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Own {
        constructor(settings) { super({ ...settings, iceTransportPolicy: 'relay' }); }
        static generateCertificate(...rest) { return Own.generateCertificate(...rest); }
    };
}"""
ASKED = """() => {
    const Own = RTCPeerConnection;
    globalThis.askedServers = [];
    globalThis.RTCPeerConnection = class extends Own {
        constructor(settings) { super(settings); askedServers.push(...(settings?.iceServers ?? []).map(({ urls }) => urls)); }
        static generateCertificate(...rest) { return Own.generateCertificate(...rest); }
    };
}"""


# ---- who sits there ----

@pytest.mark.wide
def test_somebody_far_away_is_a_seat_like_any_other(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{WIDEST}/new")
    page.get_by_label("Who plays seat 2").select_option(label="Someone far away")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_label("Who plays seat 3").select_option(label="Bot, easy")
    page.get_by_role("button", name="Invite friends").click()
    chairs = page.locator("#chairs li")
    expect(chairs).to_have_count(3)
    expect(chairs.nth(1)).to_contain_text("Empty chair")
    expect(chairs.nth(2).get_by_role("combobox")).to_have_value("easy")
    expect(page.get_by_role("link", name="Same Wi-Fi")).to_be_visible()


@pytest.mark.new_pages  # what it puts into a page stays there
def test_two_people_at_one_device_and_a_friend_far_away(new_device: NewDevice) -> None:
    """On whose screens it stays light while they play."""
    ada, bo = hosted(new_device()), new_device()
    bo.evaluate(AWAKE)
    ada.get_by_role("button", name="One more chair").click()
    ada.get_by_label("Who plays chair 3").select_option(label="Someone here")
    expect(ada.locator("#openness")).to_contain_text("share a device, and whoever holds it could see both hands.")
    meet(ada, bo, "Bo")
    expect(bo.locator("#openness")).to_contain_text("share a device, and whoever holds it could see both hands.")
    for page in (ada, bo):
        ready(page)
    playing(ada, bo)
    bo.wait_for_function("document.documentElement.dataset.awake === 'screen' && document.documentElement.dataset.persists")
    expect_hand(bo)
    expect(bo.locator(".table-bar .status")).to_have_text(re.compile("Your turn|to play"))
    expect(hand_cards(ada)).to_have_count(0)  # covered, until one of the two says who looks
    if bo.locator(".table-screen.my-turn").count():
        do_as_hinted(bo)
    ada.locator(".prompt .button").first.click()
    expect_hand(ada)
    to(bo, "#/")
    bo.wait_for_function("document.documentElement.dataset.awake === 'no more'")


# ---- who is heard ----

def says(page: Page, line: str) -> None:
    page.get_by_label("Write something").fill(line)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#said")).to_contain_text(line)


@pytest.mark.wide
def test_whoever_is_muted_is_not_heard_and_the_others_are(new_device: NewDevice) -> None:
    ada, bo, cleo = hosted(new_device(), WIDEST), new_device(), new_device()
    ada.get_by_role("button", name="One more chair").click()
    meet(ada, bo, "Bo")
    meet(ada, cleo, "Cleo")
    expect(bo.locator("#chairs")).to_contain_text("Cleo")
    ada.get_by_text("Who is here").click()
    ada.get_by_role("button", name="Mute Bo").click()
    says(bo, "one from Bo")
    expect(cleo.locator("#said")).to_contain_text("one from Bo")  # said to everybody
    says(cleo, "one from Cleo")
    expect(ada.locator("#said")).to_contain_text("one from Cleo")
    ada.get_by_role("button", name="Hear Bo again").click()
    says(bo, "two from Bo")
    expect(ada.locator("#said")).to_contain_text("two from Bo")
    expect(ada.locator("#said")).not_to_contain_text("one from Bo")


# ---- by which way ----

@pytest.mark.wide
def test_an_invitation_goes_by_the_devices_own_way_of_sharing(visit: Callable[..., Page]) -> None:
    page = visit("#/")
    page.evaluate(SHARED)
    link = invitation(hosted(page))
    page.get_by_role("button", name="Send the invitation").click()
    expect(page.locator("#ways").get_by_role("status")).to_contain_text("Sent.")
    shared = page.evaluate("JSON.parse(document.documentElement.dataset.shared)")
    assert shared["url"] == link and f"Ada invites you to {name_of(ONE_DEAL)}" in shared["text"] and link not in shared["text"]


@pytest.mark.new_pages  # what it puts into a page stays there
@pytest.mark.wide
def test_the_camera_reads_the_reply_from_the_other_screen(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    reply(bo, invitation(ada), "Bo")
    code = bo.locator("svg.qr").evaluate("""(code) => {
        const copy = code.cloneNode(true);
        copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
        copy.setAttribute("width", 400);
        copy.setAttribute("height", 400);
        return "data:image/svg+xml," + encodeURIComponent(copy.outerHTML);
    }""")
    ada.evaluate(SCANNED, code)
    ada.get_by_role("button", name="Scan").click()
    expect(ada.locator("#chairs")).to_contain_text("Bo")
    expect(ada.locator("#seen")).to_have_count(0)


# ---- what does not work, and its words ----

@pytest.mark.new_pages  # one that has not drawn a code yet
def test_an_invite_goes_without_its_picture_where_what_draws_it_cannot_be_fetched(new_device: NewDevice, heard: Heard) -> None:
    page = hosted(new_device())
    heard.provoked = True
    page.route("**/*.whl", lambda route: route.abort())
    assert read_link(invitation(page)).kind == "join"
    expect(page.locator("#copy")).to_be_visible()
    expect(page.locator("svg.qr")).to_have_count(0)
    page.unroute("**/*.whl")
    to(page, "#/room")
    invitation(page)
    expect(page.locator("svg.qr")).to_be_visible()
    assert heard.expected and all("ERR_FAILED" in message for message in heard.expected)


def of_another_version(code: str) -> str:
    """The same code as a program of the next version would write it."""
    body = urlsafe_b64decode(code + "=" * (-len(code) % 4))[:-CHECK_BYTES]
    newer = bytes([(VERSION + 1) << 4 | body[0] & 15]) + body[1:]
    return urlsafe_b64encode(newer + sha256(newer).digest()[:CHECK_BYTES]).decode().rstrip("=")


@pytest.mark.wide
def test_codes_of_another_version_say_so_on_both_sides(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    link = invitation(ada)
    to(bo, f"#join={of_another_version(read_link(link).code)}&game={ONE_DEAL}&by=Ada")
    expect(bo.get_by_role("alert")).to_contain_text("another version of Tabletin")
    answer = read_link(reply(bo, link, "Bo")).code
    ada.get_by_label("Paste the reply").fill(of_another_version(answer))
    ada.get_by_role("button", name="Connect").click()
    expect(ada.locator("#code-trouble")).to_contain_text("another version of Tabletin")
    ada.get_by_label("Paste the reply").fill(answer)  # the invite still stands
    expect(ada.locator("#chairs")).to_contain_text("Bo")


@pytest.mark.new_pages  # what it puts into a page stays there
@pytest.mark.wide
def test_a_network_that_gives_no_address_is_told_to_host_and_guest_with_what_helps(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    link = invitation(ada)
    bo.evaluate(NO_ADDRESS)
    to(bo, link.partition("#")[2])
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="I’m in!").click()
    expect(bo.get_by_role("alert")).to_contain_text("This browser gives no address at which another could reach it.")
    expect(bo.locator("#screen")).to_contain_text("A phone’s hotspot for both devices works.")
    hosted(bo, name="Bo")
    to(bo, "#/room/invite")
    expect(bo.get_by_role("alert")).to_contain_text("This browser gives no address at which another could reach it.")


@pytest.mark.wide
def test_no_way_between_the_two_is_told_with_what_helps(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    answer = reply(bo, invitation(ada), "Bo")
    bo.close()
    ada.get_by_label("Paste the reply").fill(answer)
    expect(ada.locator("#code-trouble")).to_contain_text("No direct way between the two devices was found.")
    expect(ada.locator("#advice")).to_contain_text("In two houses, use a link.")
    expect(ada.locator("#ways")).to_contain_text("Here is a new invitation")
    assert reply(new_device(), shown_link(ada), "Bo") != answer
    ada.get_by_role("link", name="Use a link").click()
    expect(ada.get_by_role("button", name="Agree and send the link")).to_be_visible()


@pytest.mark.wide
def test_an_invitation_to_another_room_leaves_the_one_that_is_open_alone(new_device: NewDevice) -> None:
    ada, bo, cleo = hosted(new_device()), hosted(new_device(), name="Bo"), new_device()
    link = invitation(bo)
    meet(ada, cleo, "Cleo")
    reply(cleo, link, "Cleo")  # changes its mind: the room it was in sees it go
    expect(ada.locator("#chairs")).to_contain_text(re.compile("has closed the page|needs a new invitation"))
    bo.get_by_label("Paste the reply").fill(shown_link(cleo))
    expect(bo.locator("#chairs")).to_contain_text("Cleo")


@pytest.mark.new_pages  # what it puts into a page stays there
def test_helpers_are_off_until_they_are_switched_on(new_device: NewDevice) -> None:
    page = new_device("#/settings?at=far")
    page.evaluate(ASKED)
    for server in ("stun", "turn", "relay"):
        expect(page.locator(f"[name=use_{server}]")).not_to_be_checked()
    invitation(hosted(page))
    assert page.evaluate("askedServers") == []
    to(page, "#/settings?at=far")
    page.locator("[name=use_stun]").check()
    named = page.locator("#stun")
    named.fill("stun:localhost:1")
    named.press("Tab")
    invitation(page)
    page.wait_for_function("askedServers.includes('stun:localhost:1')")


@pytest.mark.wide
@pytest.mark.new_pages  # what it puts into a page stays there
def test_a_turn_server_from_the_settings_carries_a_match(new_device: NewDevice, turn: TurnServer) -> None:
    def type_in(page: Page, field: str, text: str) -> None:
        page.locator(field).fill(text)
        page.locator(field).press("Tab")

    pages = ada, bo = new_device("#/settings?at=far"), new_device("#/settings?at=far")
    for page in pages:
        page.evaluate(BEHIND_A_WALL)
        page.locator("[name=use_turn]").check()
        type_in(page, "#turn", f"127.0.0.1:{turn.port}/")
        expect(page.locator("#helpers .notice")).to_have_text("It is not used until a user name and a password are given.")
        type_in(page, "#turn_user", USER)
        type_in(page, "#turn_password", PASSWORD)
        expect(page.locator("#helpers .notice")).to_have_text("This browser cannot use this address, so it is left out.")
        type_in(page, "#turn", f"127.0.0.1:{turn.port}")  # "turn:" is put in front
        expect(page.locator("#helpers .notice")).to_have_count(0)
        expect(page.locator("#turn")).to_have_value(turn.address)
    hosted(ada)
    meet(ada, bo, "Bo")
    for page in pages:
        ready(page)
    playing(ada, bo)
    for page in pages:
        expect_hand(page)
    assert turn.requests["channel_bind"] > 0
