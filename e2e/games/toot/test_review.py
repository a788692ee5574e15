"""Looking back at a match in the browser: the graph, the bots' look at one's turns, and a turn on its table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.shell import take_in, to
from tabletin.app.storage.matches import local_id
from tabletin.kernel.logfile import export
from tests.support.bots_here import played

pytestmark = pytest.mark.shares_pages
GAME = "toot-progressive"  # a few turns, in which a player by chance seldom finds the best


def test_a_match_is_looked_back_at_and_a_turn_is_seen_again(visit: Callable[..., Page], page: Page,
                                                            axe: Callable[[Page], list[str]]) -> None:
    match = played(game=GAME)[0].match
    visit("#/settings")
    take_in(page, export(match))
    to(page, f"#/match/{local_id(match.id)}/result")
    page.locator("#look-back").click()
    expect(page.locator(".lead-graph .line")).to_have_count(2)
    line = page.locator("#review-worth a.line").first
    expect(line).to_be_visible()
    page.locator("#review-go").click()
    expect(page.locator("#review-go")).to_have_text("Go on looking")
    expect(page.locator("#review-go")).to_be_focused()
    assert axe(page) == []
    line.click()
    expect(page.locator("#turn .turn-words")).to_contain_text("for sure")  # no card that was hidden decides it
    hard, table = page.locator("#turn-hard"), page.locator("#table .piece")
    before = table.evaluate_all("(all) => all.map((one) => one.dataset.key + one.style.transform).join()")
    hard.click()
    expect(hard).to_have_attribute("aria-pressed", "true")
    expect(hard).to_be_focused()
    expect(page.locator("#turn .turn-words")).to_contain_text("Hard ")
    assert table.evaluate_all("(all) => all.map((one) => one.dataset.key + one.style.transform).join()") != before
    expect(page.locator(".actions button")).to_have_count(0)
    expect(page.locator(".replay-bar")).to_be_hidden()  # a slider beside three steps said another moment than they
    assert axe(page) == []
    page.go_back()
    expect(page.locator("#review-worth a.line").first).to_be_visible()
