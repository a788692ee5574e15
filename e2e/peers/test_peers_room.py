"""The way to a match with friends far away, as people go it: invite, reply, room, deal; and what can go wrong on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import time

import pytest
from playwright.sync_api import FilePayload, Page, expect

from e2e.support import site
from e2e.support.layout import OVERFLOW, TOO_SMALL
from e2e.support.nostr_relay import Relay
from e2e.support.rooms import (
    RETURNS,
    expect_hand,
    hosted,
    invitation,
    meet,
    playing,
    python,
    ready,
    reply,
    shown_link,
    to,
)
from e2e.support.tables import tab_to
from tabletin.peers.net.code import Code
from tabletin.peers.net.invite_link import read_link
from tests.support.examples import ONE_DEAL, WIDEST, name_of

pytestmark = pytest.mark.shares_pages

NewDevice = Callable[..., Page]


# ---- together ----

def test_invite_and_reply_by_pasted_text_to_a_match_that_runs(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    expect(bo.locator("#chairs")).to_contain_text("Ada")
    ready(ada)
    expect(ada.locator("#start")).to_contain_text("Waiting until Bo presses")
    ready(bo)
    playing(ada, bo)
    bo.get_by_role("button", name="Messages").click()
    bo.get_by_role("button", name="Good luck!").click()
    expect(ada.locator("#fresh")).to_contain_text("Bo: Good luck!")
    ada.get_by_role("button", name="1 new message").click()
    expect(ada.locator("#drawer")).to_be_visible()
    ada.get_by_role("button", name="Mute everybody").click()
    expect(ada.locator("#drawer")).to_contain_text("Messages are muted")


def test_three_people_a_bot_a_spectator_and_somebody_late(new_device: NewDevice) -> None:
    ada, bo, cleo, sam = hosted(new_device(), WIDEST), new_device(), new_device(), new_device()
    for _ in range(2):
        ada.get_by_role("button", name="One more chair").click()
    ada.get_by_label("Who plays chair 4").select_option(label="Bot, hard")
    meet(ada, bo, "Bo")
    expect(bo.locator("#start")).to_contain_text("Ada is still choosing who plays.")
    expect(bo.locator("#openness")).to_contain_text("The device of Ada plays the bot")
    meet(ada, cleo, "Cleo")
    meet(ada, sam, "Sam", "#/room/invite?watch=1")
    expect(bo.locator("#watchers")).to_contain_text("Sam")
    expect(sam.locator("#start")).to_contain_text("You watch.")
    for page in (bo, cleo, ada):
        ready(page)
    playing(ada, bo, cleo, sam)
    expect(sam.locator(".piece[data-row='hand']")).to_have_count(0)
    to(ada, "#/room")
    expect(ada.get_by_role("link", name="To the table")).to_be_visible()
    lou = new_device()
    answer = reply(lou, invitation(ada, "#/room/invite?watch=1"), "Lou")
    ada.get_by_label("Paste the reply").fill(answer)
    playing(lou)


def test_once_more_with_the_same_people(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    ready(ada)
    ready(bo)
    playing(ada, bo)
    first = ada.url
    expect(ada.locator(".piece").first).to_be_visible()
    ada.get_by_role("button", name="More", exact=True).click()
    ada.get_by_role("button", name="Give up").click()
    ada.locator(".prompt").get_by_role("button", name="Give up").click()
    for page in (bo, ada):
        page.get_by_role("button", name="See the result").press("Enter")  # a click so soon after it came is not taken
        page.get_by_role("button", name="Once more").click()
        expect(page.get_by_role("button", name="I am ready")).to_be_visible()
    expect(ada.locator("#chairs li").first).to_contain_text("Bo")  # everybody one chair further
    ready(ada)
    ready(bo)
    playing(ada, bo)
    assert ada.url == bo.url != first
    for page in (ada, bo):
        expect_hand(page)


@pytest.mark.wide
def test_a_room_is_found_by_its_name_through_a_relay(new_device: NewDevice, axe: Callable[[Page], list[str]]) -> None:
    relay = Relay().start()
    pages = [new_device(), new_device(), new_device()]
    for page in pages:
        settings = f'{{"relay": true, "relay_url": "{relay.address}"}}'
        page.evaluate("(settings) => localStorage.setItem('tabletin.settings', settings)", settings)
        page.reload()
        site.ready(page)
    ada, bo, late = pages
    hosted(ada)
    ada.get_by_text("Or meet by a name").click()
    ada.get_by_label("Name of the room").fill("kitchen seven")
    ada.get_by_role("button", name="Open under this name").click()
    expect(ada.locator("#named")).to_contain_text("can be found")
    to(bo, "#/room")
    bo.get_by_label("Name of the room").fill("kitchen seven")
    bo.get_by_role("button", name="Look for it").click()
    ada.get_by_role("button", name="Let in").click()
    expect(bo.get_by_role("button", name="I am ready")).to_be_visible()
    ready(ada)
    ready(bo)
    playing(ada, bo)
    to(late, "#/room")
    late.get_by_label("Name of the room").fill("kitchen seven")
    late.get_by_role("button", name="Look for it").click()
    expect(ada.locator("#door .notice")).to_contain_text("would like to come in.")
    assert axe(ada) == []
    ada.locator("#door").get_by_role("button", name="Let in").click()
    playing(late)
    expect(ada.locator("#door .notice")).to_have_count(0)
    relay.stop()


@pytest.mark.wide
def test_options_that_change_are_agreed_to_anew(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    ready(bo)
    expect(bo.locator("#start")).to_contain_text("Waiting until Ada presses")
    ada.get_by_role("link", name="Other game or options").click()
    ada.get_by_role("radio", name="Quick").check()
    ada.get_by_role("button", name="Back to the room").click()
    expect(bo.locator("#agreed")).to_contain_text("Half deck")
    expect(bo.get_by_role("button", name="I am ready")).to_be_visible()
    expect(ada.locator("#chairs")).to_contain_text("not ready yet")


def test_a_guest_is_removed_and_may_be_invited_again(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    ada.get_by_role("button", name="Remove Bo").click()
    ada.get_by_role("button", name="Remove", exact=True).click()
    expect(bo.get_by_role("alert")).to_contain_text("Ada took you out of the room.")
    expect(ada.get_by_role("link", name="Same Wi-Fi")).to_be_visible()
    meet(ada, bo, "Bo")


@pytest.mark.wide
def test_a_polite_guest_leaves_and_a_host_may_too(new_device: NewDevice) -> None:
    ada, bo, cleo = hosted(new_device(), WIDEST), new_device(), new_device()
    ada.get_by_role("button", name="One more chair").click()
    meet(ada, bo, "Bo")
    meet(ada, cleo, "Cleo")
    expect(cleo.get_by_role("button", name="I am ready")).to_be_visible()
    ada.get_by_role("button", name="Leave the room").click()
    ada.get_by_role("button", name="Leave", exact=True).click()
    expect(ada.locator("#home")).to_be_visible()
    expect(bo.get_by_role("link", name="Same Wi-Fi")).to_be_visible()
    expect(cleo.locator("#start")).to_contain_text("Bo is still choosing")
    cleo.get_by_role("button", name="Leave the room").click()
    cleo.get_by_role("button", name="Leave", exact=True).click()
    expect(bo.get_by_role("link", name="Same Wi-Fi")).to_be_visible()


def test_a_room_outlives_a_reload(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    python(bo, RETURNS)
    bo.wait_for_function("document.documentElement.dataset.returns === 'yes'")
    ready(bo)
    expect(bo.locator("#start")).to_contain_text("Waiting until Ada presses")
    bo.reload()
    expect(bo.locator("#start")).to_contain_text("Waiting until Ada presses")
    ready(ada)
    playing(ada, bo)


UNASKED = """
from js import document
from tabletin.app.main import app
app.app.rooms.room.own_agreement = ""
document.documentElement.dataset.forgot = "yes"
"""


def test_who_never_agreed_to_a_match_with_a_seat_of_theirs_is_asked(new_device: NewDevice,
                                                                    axe: Callable[[Page], list[str]]) -> None:
    """A host says that all agreed; this page knows that its own person did not."""
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    ready(bo)
    expect(bo.locator("#start")).to_contain_text("Waiting until Ada presses")
    python(bo, UNASKED)
    bo.wait_for_function("document.documentElement.dataset.forgot === 'yes'")
    to(bo, "#/")
    ready(ada)
    playing(ada)
    expect(bo.locator("#start")).to_contain_text("Ada’s match is under way, and one of its seats is yours.")
    assert axe(bo) == []
    bo.get_by_role("button", name="Join in").click()
    playing(bo)
    for page in (ada, bo):
        expect_hand(page)


# ---- codes from hand to hand ----

def test_a_qr_code_made_here_is_read_back_here(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    link = invitation(ada)
    picture = ada.locator("svg.qr").screenshot()
    to(bo, "#/room")
    bo.set_input_files("#picture", FilePayload(name="code.png", mimeType="image/png", buffer=picture))
    expect(bo.locator(".big")).to_have_text(f"Ada invites you to {name_of(ONE_DEAL)}")
    bo.get_by_role("button", name="I’m in!").click()
    assert read_link(shown_link(bo)).kind == "reply"
    assert read_link(link).code in bo.url
    answer = bo.locator("svg.qr").screenshot()
    ada.set_input_files("#picture", FilePayload(name="code.png", mimeType="image/png", buffer=answer))
    expect(bo.locator("#chairs")).to_contain_text("Ada")


@pytest.mark.wide
def test_a_picture_without_a_code_and_a_camera_that_sees_none(new_device: NewDevice) -> None:
    page = new_device("#/room")
    expect(page.get_by_role("button", name="Scan")).to_be_visible()
    blank = page.locator("h1:visible").screenshot()
    page.set_input_files("#picture", FilePayload(name="blank.png", mimeType="image/png", buffer=blank))
    expect(page.get_by_role("alert")).to_contain_text("There is no QR code to see")
    page.get_by_role("button", name="Scan").click()
    expect(page.locator("#seen")).to_be_visible()
    page.get_by_role("button", name="Stop the camera").click()
    expect(page.locator("#seen")).to_have_count(0)
    expect(page.get_by_role("button", name="Scan")).to_be_focused()


@pytest.mark.wide
def test_a_reply_opened_as_a_link_reaches_the_tab_that_waits(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    answer = reply(bo, invitation(ada), "Bo")
    other = new_device("#" + answer.partition("#")[2], context=ada.context)
    expect(other.locator(".lead")).to_contain_text("Done.")
    expect(ada.locator("#chairs")).to_contain_text("Bo")
    stray = new_device("#" + answer.partition("#")[2])
    expect(stray.locator(".lead")).to_contain_text("No page on this device waits")


def aged(code: str) -> str:
    """The same code, long expired."""
    return replace(Code.from_text(code), expires=int(time()) // 60 * 60 - 7200).to_text()


def of_another_room(code: str) -> str:
    return replace(Code.from_text(code), room=bytes(6)).to_text()


@pytest.mark.wide
def test_every_wrong_reply_has_its_sentence(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    link = invitation(ada)
    answer = read_link(reply(bo, link, "Bo")).code
    wrong = {
        "": "There is no code in that yet.",
        "hello there": "That is not a Tabletin code.",
        answer[:-9]: "A part of the code is missing",
        answer[:30] + "AB"[answer[30] == "A"] + answer[31:]: "A part of the code is missing",
        link: "That is an invitation, and here the reply is needed.",
        of_another_room(answer): "That reply belongs to another invitation.",
    }
    for text, sentence in wrong.items():
        ada.get_by_label("Paste the reply").fill(text)
        ada.get_by_role("button", name="Connect").click()
        expect(ada.locator("#code-trouble")).to_contain_text(sentence)
    ada.get_by_label("Paste the reply").fill(answer)
    expect(ada.locator("#chairs")).to_contain_text("Bo")
    invitation(ada)
    ada.get_by_label("Paste the reply").fill(answer)
    expect(ada.locator("#code-trouble")).to_contain_text("has been used already")


@pytest.mark.wide
def test_every_wrong_invitation_has_its_sentence(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    code = read_link(invitation(ada)).code
    answer = read_link(reply(bo, f"#join={code}&game={ONE_DEAL}&by=Ada", "Bo")).code
    for address, sentence in {
        f"#join={code[:-7]}&by=Ada": "A part of the invitation is missing. Ask Ada to send it once more",
        f"#join={answer}": "This is a reply, not an invitation.",
    }.items():
        to(bo, address)
        expect(bo.get_by_role("alert")).to_contain_text(sentence)
    to(bo, f"#join={aged(code)}&game={ONE_DEAL}&by=Ada")
    bo.get_by_role("button", name="I’m in!").click()
    expect(bo.get_by_role("alert")).to_contain_text("This invitation has run out")
    to(ada, f"#join={code}&game={ONE_DEAL}&by=Ada")
    ada.get_by_role("button", name="I’m in!").click()
    expect(ada.get_by_role("alert")).to_contain_text("This is your own invitation.")


# ---- whatever a guest sends ----

GARBAGE = """
import json
from tabletin.app.main import app
from tabletin.peers.room.messages import VERSION
net = app.app.rooms.transport
host = app.app.rooms.room.state
forged = host.with_host(net.author).to_json()
said = ["", "{", "[" * 5000, "null", json.dumps({"v": VERSION, "do": "room", "room": forged}), json.dumps({"v": 9, "do": "say"}),
        json.dumps({"v": VERSION, "do": "sit", "chair": 0}), json.dumps({"v": VERSION, "do": "no", "why": "removed"}),
        json.dumps({"v": VERSION, "do": "say", "text": "<img src=x onerror=alert(1)>\\u202e" + "x" * 900, "reaction": ""}),
        json.dumps({"v": VERSION, "do": "name", "name": "<b>Ada</b>"}), "x" * 200_000]
for text in said * 12:
    net.send(None, "room", text)
"""


def test_a_guest_that_sends_garbage_is_harmless(new_device: NewDevice) -> None:
    ada, bo, mallory = hosted(new_device(), WIDEST), new_device(), new_device()
    ada.get_by_role("button", name="One more chair").click()
    meet(ada, bo, "Bo")
    meet(ada, mallory, "Mallory")
    expect(bo.get_by_role("button", name="I am ready")).to_be_visible()
    python(mallory, GARBAGE)
    for page in (ada, bo):
        expect(page.locator("#said")).to_contain_text("<img src=x onerror=alert(1)>xxx")
        expect(page.locator("#chairs li").first).to_contain_text("Ada")
    ada.get_by_role("button", name="Remove <b>Ada</b>").click()
    ada.get_by_role("button", name="Remove", exact=True).click()
    expect(mallory.get_by_role("alert")).to_contain_text("Ada took you out of the room.")
    ada.get_by_role("button", name="Take away chair 3").click()
    ready(ada)
    ready(bo)
    playing(ada, bo)


# ---- for everybody ----

def test_from_the_home_page_to_an_invitation_by_keyboard(visit: Callable[..., Page]) -> None:
    page = visit()
    tab_to(page, ".far:not(.daily)")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Friends far away")).to_be_focused()
    tab_to(page, ".open")
    page.keyboard.press("Enter")
    expect(page.locator("#chairs")).to_be_visible()
    tab_to(page, "a#invite")
    page.keyboard.press("Enter")
    expect(page.locator("svg.qr")).to_be_visible()
    tab_to(page, "#copy")
    page.keyboard.press("Enter")
    expect(page.locator("#ways").get_by_role("status")).to_be_visible()


@pytest.fixture
def every_screen(new_device: NewDevice) -> Callable[[Callable[[Page], object]], dict[str, object]]:
    """Goes through every screen of a room, host's and guest's, and looks at each."""
    def walk(look: Callable[[Page], object]) -> dict[str, object]:
        ada, bo = new_device("#/room"), new_device()
        found = {"start": look(ada)}
        hosted(ada)
        found["room alone"] = look(ada)
        link = invitation(ada)
        found["invite"] = look(ada)
        ada.get_by_label("Paste the reply").fill("hello")
        ada.get_by_role("button", name="Connect").click()
        expect(ada.locator("#code-trouble .why")).to_be_visible()
        found["wrong reply"] = look(ada)
        to(bo, link.partition("#")[2])
        expect(bo.get_by_label("Your name")).to_be_visible()
        found["invited"] = look(bo)
        answer = reply(bo, link, "Bo")
        found["reply"] = look(bo)
        ada.get_by_label("Paste the reply").fill(answer)
        expect(bo.get_by_role("button", name="I am ready")).to_be_visible()
        bo.get_by_role("button", name="Hello!").click()
        ada.get_by_role("button", name="Remove Bo").click()
        found["room"], found["guest's room"] = look(ada), look(bo)
        ada.get_by_role("button", name="Keep").click()
        ready(ada)
        ready(bo)
        playing(ada, bo)
        bo.get_by_role("button", name="Messages").click()
        found["messages"] = look(bo)
        to(bo, "#/settings?at=far")
        for server in ("stun", "turn", "relay"):
            bo.locator(f"[name=use_{server}]").check()
        found["helpers"] = look(bo)
        return found

    return walk


def test_axe_finds_nothing_and_a_small_phone_shows_all_of_it(
    every_screen: Callable[[Callable[[Page], object]], dict[str, object]], axe: Callable[[Page], list[str]],
) -> None:
    def look(page: Page) -> object:
        page.set_viewport_size({"width": 1280, "height": 720})
        wrong = axe(page)
        page.set_viewport_size({"width": 360, "height": 740})
        return wrong, page.evaluate(OVERFLOW), page.evaluate(TOO_SMALL)

    found = every_screen(look)
    assert found == dict.fromkeys(found, ([], 0, []))
