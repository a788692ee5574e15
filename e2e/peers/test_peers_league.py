"""The family league between browsers: two play a match and sign it; a third that meets one of them later knows it, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.support.peer_tables import Far, to_the_end
from e2e.support.rooms import hosted, meet, playing, ready, to
from tabletin.cli import main
from tabletin.peers.league.file import read_league_file

pytestmark = pytest.mark.shares_pages


def test_two_play_and_a_third_who_meets_one_of_them_later_knows_it_too(
    new_device: Callable[..., Page], axe: Callable[[Page], list[str]], tmp_path: Path,
) -> None:
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    ada.get_by_role("link", name="Other game or options").click()
    ada.get_by_role("radio", name="Quick").check()
    ada.get_by_role("button", name="Back to the room").click()
    for page in (ada, bo):
        ready(page)
    playing(ada, bo)
    to_the_end([Far(page).enter() for page in (ada, bo)])
    for page in (ada, bo):
        page.get_by_role("button", name="See the result").press("Enter")  # a click so soon after it came is not taken
        expect(page.locator("#league")).to_contain_text("Should your matches count in a family league?")
    assert axe(ada) == []
    ada.locator("#league-yes").click()
    expect(ada.locator("#league")).to_contain_text("Not signed yet by Bo.")
    bo.locator("#league-yes").click()
    for page in (ada, bo):
        expect(page.locator("#league")).to_contain_text("Signed by everybody who played.")
        page.locator("#to-league").click()
        expect(page.locator(".league tbody tr")).to_have_count(2)
        expect(page.locator(".signed-results li")).to_have_count(1)
    assert axe(ada) == []
    shown = [" ".join(row.split()) for row in ada.locator(".league tbody tr").all_inner_texts()]
    with ada.expect_download() as saved:
        ada.locator("#save-league").click()
    saved.value.save_as(tmp_path / "league.json")
    (one,) = read_league_file((tmp_path / "league.json").read_text("utf-8")).results
    assert one.is_complete
    assert main(["judge", str(tmp_path / "league.json")]) == 0

    bo.close()
    to(ada, "#/room")
    ada.get_by_role("button", name="Leave the room").click()
    ada.get_by_role("button", name="Leave", exact=True).click()
    cleo = new_device()
    to(cleo, "#/")
    cleo.get_by_role("link", name="Family league").click()
    cleo.locator("#join-league").click()
    expect(cleo.locator(".league")).to_contain_text("No match yet.")
    hosted(ada)
    meet(ada, cleo, "Cleo")
    to(cleo, "#/league")
    expect(cleo.locator(".league tbody tr")).to_have_count(2)
    told = [" ".join(row.replace("never met here", "").split()) for row in cleo.locator(".league tbody tr").all_inner_texts()]
    assert told == shown
    expect(cleo.locator(".stranger")).to_have_text(["never met here"] * 2)  # in the table, and in the list of people
    cleo.set_viewport_size({"width": 390, "height": 844})
    assert axe(cleo) == []
    cleo.reload()
    expect(cleo.locator(".league tbody tr")).to_have_count(2)
