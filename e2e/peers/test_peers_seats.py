"""Seats that change hands among browsers: to another device of the same person, back from a bot, a new match without somebody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.support.rooms import (
    RETURNS,
    at_a_table,
    expect_hand,
    hand_cards,
    invitation,
    playing,
    python,
    reply,
    shown_link,
    to,
)
from e2e.support.tables import do_as_hinted
from tests.support.examples import MANY_HANDS, ONE_DEAL

pytestmark = pytest.mark.shares_pages

NewDevice = Callable[..., Page]


def handed_over(old: Page, new: Page) -> None:
    """The person of ``old`` goes on at ``new``."""
    old.locator("#leave-match").click()
    old.locator("#move").click()
    to(new, shown_link(old).partition("#")[2])
    new.get_by_role("button", name="Go on here").click()
    old.get_by_label("Paste the reply").fill(shown_link(new))
    playing(new)
    expect(old.locator(".moving")).to_contain_text("Done: you are playing on your other device.")


def test_a_person_goes_on_on_another_device_and_the_old_one_watches(new_device: NewDevice) -> None:
    ada, bo = at_a_table(new_device, ONE_DEAL, "Ada", "Bo")
    phone = new_device()
    handed_over(bo, phone)
    expect_hand(phone)
    bo.locator("#watch").click()
    expect(bo.locator("#peer-bar")).to_contain_text("this one only watches")
    expect(hand_cards(bo)).to_have_count(0)
    mover, other = (ada, phone) if ada.locator(".table-screen.my-turn").count() else (phone, ada)
    expect(mover.locator(".table-screen.my-turn")).to_be_visible()
    do_as_hinted(mover)
    expect(other.locator(".table-screen.my-turn")).to_be_visible()
    bo.close()
    to(ada, "#/room")
    expect(ada.locator("#chairs li").nth(1)).to_contain_text("Bo")
    expect(ada.locator("#watchers")).to_contain_text("has closed the page")


def test_a_bot_plays_for_whoever_is_gone_until_they_take_their_seat_back(new_device: NewDevice) -> None:
    ada, bo, cleo = at_a_table(new_device, MANY_HANDS, "Ada", "Bo", "Cleo")
    context, address = cleo.context, cleo.url.partition("#")[2]
    cleo.close()
    for page in (ada, bo):
        expect(page.locator("#peer-bar .notice")).to_contain_text("Cleo has left the page.")
    ada.get_by_role("button", name="A bot for Cleo").click()
    expect(bo.locator("#peer-bar .notice")).to_contain_text("Ada would like a bot to play for Cleo")
    bo.get_by_role("button", name="A bot for Cleo").click()
    for page in (ada, bo):
        expect(page.locator(".spoken")).to_contain_text("Cleo is gone; a bot plays on.")
    back = new_device(f"#{address}", context=context)
    back.get_by_role("button", name="Take my seat back").click()
    for page, sentence in ((back, "With the next hand you play yourself again."), (ada, "Cleo is back"), (bo, "Cleo is back")):
        expect(page.locator("#peer-bar")).to_contain_text(sentence)


@pytest.mark.wide
def test_axe_finds_nothing_where_seats_change_hands(new_device: NewDevice, axe: Callable[[Page], list[str]]) -> None:
    ada, bo, cleo = at_a_table(new_device, MANY_HANDS, "Ada", "Bo", "Cleo")
    phone, found = new_device(), {}
    ada.locator("#leave-match").click()
    expect(ada.locator("#really-leave")).to_be_visible()
    found["whether to leave"] = axe(ada)
    ada.locator("#move").click()
    link = shown_link(ada)
    found["to another device"] = axe(ada)
    to(phone, link.partition("#")[2])
    expect(phone.get_by_role("button", name="Go on here")).to_be_visible()
    found["the other device"] = axe(phone)
    phone.get_by_role("button", name="Go on here").click()
    answer = shown_link(phone)
    found["its reply"] = axe(phone)
    ada.get_by_label("Paste the reply").fill(answer)
    playing(phone)
    expect(ada.locator(".moving")).to_contain_text("Done: you are playing on your other device.")
    found["moved"] = axe(ada)
    ada.locator("#watch").click()
    expect(ada.locator("#peer-bar")).to_contain_text("this one only watches")
    found["only watching"] = axe(ada)
    context, address = cleo.context, cleo.url.partition("#")[2]
    cleo.close()
    for page in (phone, bo):
        expect(page.locator("#peer-bar .notice")).to_contain_text("Cleo has left the page.")
    found["somebody left"] = axe(bo)
    phone.get_by_role("button", name="A bot for Cleo").click()
    expect(bo.locator("#peer-bar .notice")).to_contain_text("Ada would like a bot to play for Cleo")
    found["a wish"], found["another's wish"] = axe(phone), axe(bo)
    bo.get_by_role("button", name="A bot for Cleo").click()
    for page in (phone, bo):
        expect(page.locator(".spoken")).to_contain_text("Cleo is gone; a bot plays on.")
    back = new_device(f"#{address}", context=context)
    expect(back.get_by_role("button", name="Take my seat back")).to_be_visible()
    found["a seat to take back"] = axe(back)
    assert found == {name: [] for name in found}


@pytest.mark.wide
def test_those_who_are_left_go_on_in_a_new_match_and_their_host_may_be_gone(new_device: NewDevice) -> None:
    ada, bo, cleo = at_a_table(new_device, MANY_HANDS, "Ada", "Bo", "Cleo")
    before = bo.url
    ada.close()
    for page in (bo, cleo):
        page.get_by_role("button", name="Without Ada").click()
    for page in (bo, cleo):
        page.wait_for_url(lambda url: url != before)
        expect(hand_cards(page, MANY_HANDS).first).to_be_visible()
        expect(page.locator("#notices")).to_contain_text("A new match for everybody who is left")
    assert bo.url == cleo.url
    to(cleo, "#/room")
    expect(cleo.locator("#chairs li")).to_have_count(2)
    expect(cleo.locator("#start")).to_contain_text("The match is on.")
    host = bo if "invites" in cleo.locator("#chairs li").filter(has_not_text="(you)").inner_text() else cleo
    answer = reply(new_device(), invitation(host, "#/room/invite?watch=1"), "Lou")  # whoever keeps the room now can invite
    host.get_by_label("Paste the reply").fill(answer)
    expect(host.locator("#watchers")).to_contain_text("Lou")


@pytest.mark.wide
def test_a_result_that_did_not_arrive_does_later_is_signed_by_all_and_its_log_is_watched_elsewhere(
    new_device: NewDevice, tmp_path: Path,
) -> None:
    ada, bo = at_a_table(new_device, ONE_DEAL, "Ada", "Bo")
    context, address = bo.context, bo.url.partition("#")[2]
    python(bo, RETURNS)
    bo.wait_for_function("document.documentElement.dataset.returns === 'yes'")
    bo.close()
    ada.get_by_role("button", name="More", exact=True).click()
    ada.get_by_role("button", name="Give up").click()
    ada.locator(".prompt").get_by_role("button", name="Give up").click()
    ada.get_by_role("button", name="See the result").press("Enter")  # a click so soon after it came is not taken
    expect(ada.locator("#signed")).to_contain_text("Bo’s device has not signed this result yet.")
    back = new_device(f"#{address}", context=context)
    back.get_by_role("button", name="See the result").press("Enter")
    for page in (ada, back):
        expect(page.locator("#signed")).to_contain_text("Signed by every device at the table.")
    back.locator("#to-padlock").click()
    with back.expect_download() as saved:
        back.locator("#save-log").click()
    saved.value.save_as(tmp_path / "log.jsonl")
    other = new_device("#/settings")
    other.set_input_files("#archive", tmp_path / "log.jsonl")
    expect(other.locator("#notices")).to_contain_text("1 match was loaded")
    to(other, f"{address}/replay")
    expect(other.locator(".table-screen")).to_be_visible()


@pytest.mark.wide
def test_what_a_device_saved_comes_in_elsewhere_with_its_match_among_peers(new_device: NewDevice, tmp_path: Path) -> None:
    ada, _ = at_a_table(new_device, ONE_DEAL, "Ada", "Bo")
    address = ada.url.partition("#")[2]
    to(ada, "#/settings")
    with ada.expect_download() as saved:
        ada.get_by_role("button", name="Save everything").click()
    text = Path(saved.value.path()).read_text("utf-8")
    for name, file, said in (("forged", text.replace('\\"sig\\":\\"', '\\"sig\\":\\"00'), "could not be loaded"),
                             ("saved", text, "1 match was loaded")):
        (tmp_path / name).write_text(file, "utf-8")
        other = new_device("#/settings")
        other.set_input_files("#archive", tmp_path / name)
        expect(other.locator("#notices")).to_contain_text(said)
    to(other, f"{address}/replay")
    expect(other.locator(".table-screen")).to_be_visible()


@pytest.mark.wide
def test_everybody_was_gone_and_the_match_waits_on_each_device(new_device: NewDevice) -> None:
    pages = at_a_table(new_device, ONE_DEAL, "Ada", "Bo")
    contexts = [page.context for page in pages]
    for page in pages:
        for name in ("rooms", "room"):  # as long after: nothing leads back by itself
            page.evaluate("name => tabletinStore.keep(`tabletin.${name}`, null)", name)
        page.close()
    ada, bo = [new_device(context=context) for context in contexts]
    ada.locator(".waiting-matches a").first.click()
    expect_hand(ada)
    ada.get_by_role("link", name="Invite Bo again").click()
    answer = reply(bo, shown_link(ada), "Bo")
    ada.get_by_label("Paste the reply").fill(answer)
    playing(ada, bo)
    expect_hand(bo)
    for page in (ada, bo):
        expect(page.locator(".peer.here")).to_have_count(1)
        expect(page.locator("#peer-bar")).not_to_contain_text("Waiting for")
