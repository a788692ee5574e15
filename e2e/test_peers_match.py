"""Sealed matches between browsers, at the table: dealt among them, moves of one appear on the others."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from e2e.peertables import PATIENCE, Far, agree, connect, deal

HALF = {"half_deck": True, "first_seat": "1"}


def test_two_browsers_deal_and_play_a_sealed_match(new_device: Callable[..., Page]) -> None:
    anna, ben = Far(new_device()).open(), Far(new_device()).open()
    connect(anna, ben)
    deal([anna, ben], "iota", HALF)
    expect(anna.page.locator(".table-screen.my-turn")).to_be_visible(timeout=PATIENCE)
    for far in (anna, ben):
        expect(far.page.locator("[aria-label$='of 4 in your hand']")).to_have_count(4, timeout=PATIENCE)
    anna.page.get_by_role("button", name="Hint").click()
    anna.page.locator(".actions .primary").click(timeout=PATIENCE)
    expect(ben.page.locator(".table-screen.my-turn")).to_be_visible(timeout=PATIENCE)
    expect(ben.page.locator(".log-button", has_text="Player 1").first).to_be_visible()
    for number, far in enumerate((anna, ben)):
        far.do("play", number, 100)
    for far in (anna, ben):
        far.until("state.over")
        expect(far.page.locator(".actions [data-key=result]")).to_be_visible()
    agree([anna, ben])
    assert not set(anna.state["knows"]) & set(ben.state["knows"])
    assert anna.state["accused"] == ben.state["accused"] == []
    ben.page.locator(".actions [data-key=result]").click()
    expect(ben.page.locator(".ranking")).to_be_visible(timeout=PATIENCE)
