"""What happened since one's last turn: offered at the status, opened by a tap or a key, gone with one's own act."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.tables import begin, do_as_hinted, my_turn, news, told
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages
COVERED = """() => {  // what of the hand lies under the sheet
    const sheet = document.querySelector(".recap").getBoundingClientRect();
    return [...document.querySelectorAll(".over > .piece.can-tap")].filter((piece) =>
        piece.getBoundingClientRect().top < sheet.bottom).length;
}"""
BELOW_SEATS = """() => {
    const top = document.querySelector(".recap").getBoundingClientRect().top;
    return [...document.querySelectorAll(".plate")].every((plate) => plate.getBoundingClientRect().bottom <= top);
}"""
STAGE = """() => {
    const box = document.querySelector(".stage").getBoundingClientRect();
    return [box.width, box.height].join();
}"""


@pytest.mark.parametrize("size", [(390, 844), pytest.param((1280, 800), marks=pytest.mark.wide)])
def test_what_the_others_did_is_retold_until_one_acts(visit: Callable[..., Page], page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begin(visit, page, ONE_DEAL, seats="me,easy,easy", seed=5)
    opener, sheet = page.locator(".recap-button"), page.locator(".recap")
    assert my_turn(page)
    before, said = page.evaluate(STAGE), told(page)
    do_as_hinted(page)
    news(page, said)
    assert my_turn(page)
    if size[0] > 1024:  # the log beside the table marks the place
        after = page.locator(".log-mark ~ .log-line")
        expect(after.first).to_be_visible()
        assert not any(line.startswith("You ") for line in after.all_inner_texts()[:1])
    else:
        expect(opener).to_be_visible()
        expect(sheet).to_be_hidden()
        opener.click()
        expect(sheet).to_be_visible()
        assert page.evaluate(STAGE) == before, "the pieces lose no space"
        assert page.evaluate(COVERED) == 0
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
    said = told(page)
    page.locator(".stage").focus()
    page.keyboard.press("w")
    if size[0] > 1024:  # what stands beside the table already is gone to, and said nowhere else
        expect(page.locator(".log-mark + .log-line > button")).to_be_focused()
        expect(sheet).to_be_hidden()
        page.keyboard.press("l")
        page.keyboard.press("w")
    expect(sheet).to_be_focused()
    assert page.evaluate(BELOW_SEATS), "names and scores can be read"
    lines = sheet.locator("li").all_inner_texts()
    assert 1 <= len(lines) <= 4 and not any(line.startswith("You ") for line in lines)
    assert told(page) == said and sheet.evaluate("one => !one.closest('[aria-live], [role=log], [role=status]')")
    if size[0] > 1024:
        page.keyboard.press("l")
        expect(sheet).to_be_hidden()
    do_as_hinted(page)
    expect(sheet).to_be_hidden()
