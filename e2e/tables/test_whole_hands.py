"""A whole hand of every game by pointer and by keyboard, on a phone and on a desk, walked by a witness at every drawing.

By itself a run takes each family once by pointer on a phone and once by keyboard on a desk, in Chromium or in Firefox;
``--wide`` takes every game all ways.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.support.firefox import FIREFOX
from e2e.support.page_python import get_inside, play_on, seen, watch
from e2e.support.player import WATCHED, Hands, Keyboard, Player, Pointer
from e2e.support.tables import begin
from tabletin.registry import GAMES
from tests.support.examples import ONE_DEAL, WIDEST, by_hand, example_of, hand_of

pytestmark = pytest.mark.shares_pages
SEED = 5
HANDS: dict[str, dict[str, Any]] = {game: dict(hand_of(game)) for game in GAMES}  # as short as the options allow
PHONE = {"has_touch": True, "viewport": {"width": 360, "height": 740}}
DESK = {"viewport": {"width": 1280, "height": 800}}
TOUCH = Pointer(touch=True)
WAYS: dict[str, tuple[dict[str, Any], Callable[[], Hands]]] = {
    "touch-phone": (PHONE, lambda: TOUCH), "keyboard-desk": (DESK, Keyboard),
    "mouse-desk": (DESK, Pointer), "keyboard-phone": (PHONE, Keyboard),
}

# The last press may have met the button that leads to the result, which comes at any moment then.
TOLD = """() => document.querySelector(".table-screen") && {
    status: document.querySelector(".table-bar .status").innerText, note: document.querySelector(".note").innerText,
}"""
LEADS_ON = "() => document.activeElement.dataset.key === 'result' || document.querySelector('article.result')"


def cases() -> list[Any]:
    found, always = [], by_hand()
    for at, game in enumerate(HANDS):
        for number, (way, (screen, hands)) in enumerate(WAYS.items()):
            marks = [pytest.mark.browser_context_args(**screen)]
            in_firefox = number == at % 2  # each game one way
            if in_firefox:
                marks.append(pytest.mark.firefox)
            if game not in always or number > 1:
                marks.append(pytest.mark.wide)
            elif in_firefox and number == 1:
                marks.append(pytest.mark.wide("chromium"))
            found.append(pytest.param(game, hands, id=f"{game}-{way}", marks=marks))
    return found


def test_every_game_is_here() -> None:
    assert set(HANDS) == set(GAMES)
    assert {GAMES[game].family for game in by_hand()} == {entry.family for entry in GAMES.values()}


@pytest.mark.parametrize(("game", "hands"), cases())
def test_a_whole_hand(visit: Callable[..., Page], page: Page, browser_name: str, game: str, hands: Callable[[], Hands]) -> None:
    begin(visit, page, game, seed=SEED, **HANDS[game])
    get_inside(page)
    watch(page)
    player = Player(page, Pointer() if browser_name == FIREFOX and hands() == TOUCH else hands())  # its driver cannot tap
    player.play()
    found = seen(page)
    assert found["over"] and found["wrong"] == []
    assert found["looks"] >= len(player.steps) / 3 and found["open"] > 0, "the witness was awake"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing hangs over the edge"
    told = page.evaluate(TOLD)
    if told is not None:
        for winner in found["won"]:
            assert winner in told["status"], "who won is told"
        assert told["note"], "and why the match is over"
        if isinstance(player.hands, Keyboard):
            page.wait_for_function(LEADS_ON)
        player.hands.press(page, "result", "")
    expect(page.locator("article.result .verdict")).to_be_visible()
    if len(found["scores"]) == 1:
        expect(page.locator(".ranking")).to_have_count(0)  # who plays alone is told the time and no rank
        return
    expect(page.locator(".ranking .score")).to_have_count(len(found["scores"]))
    shown = [text.replace("−", "-") for text in page.locator(".ranking .score").all_inner_texts()]
    order = sorted(found["scores"], reverse=not found["low_wins"])
    assert shown == [str(score) for score in order], "the result ranks them by what they scored"


@pytest.mark.browser_context_args(**PHONE)
def test_the_player_puts_away_what_a_stray_tap_opened(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, WIDEST, seed=SEED, **HANDS[WIDEST])
    get_inside(page)
    page.get_by_role("button", name="Scores", exact=True).tap()
    expect(page.locator(".panel .leaf").first).to_be_visible()
    player = Player(page, Pointer(touch=True))
    player.play()
    assert len(player.steps) > 3
    expect(page.locator(".panel")).to_be_hidden()


REFUSED = """() => {  // a tap of which the browser tells late: what it meets has come since
    document.addEventListener("click", (event) => {
        Object.defineProperty(event, "timeStamp", { value: -1 });
    }, { capture: true, once: true });
    const result = document.querySelector(".actions [data-key=result]");
    result.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    result.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
}"""
LAPSED = """() => {  // a question as it is left when its time has passed
    const answer = Object.assign(document.createElement("button"), { className: "button", textContent: "Yes" });
    answer.dataset.key = "lapsed";
    document.querySelector(".prompt").append(answer);
}"""


def test_the_player_goes_on_after_a_tap_that_the_table_refused(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, WIDEST, seed=SEED, **HANDS[WIDEST])
    get_inside(page)
    assert play_on(page, 500, seed=SEED) == "over"
    player = Player(page, Pointer())
    page.evaluate(WATCHED)
    page.evaluate(REFUSED)
    expect(page.locator(".table-screen")).to_be_visible()
    player.play()


def test_what_was_played_on_is_kept_as_what_people_play(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, ONE_DEAL, seats="me,easy", seed=SEED)
    get_inside(page)
    assert play_on(page, 6, seed=SEED) == "ready"
    rows = "async () => JSON.parse(await tabletinStore.read(inside.name())).rows.length"
    assert page.evaluate(rows) == page.evaluate("inside.at()")
    assert play_on(page, 500, seed=SEED) == "over"
    assert page.evaluate(rows) == page.evaluate("inside.at()")
    name = page.evaluate("inside.name()")
    page.evaluate("name => { location.hash = `#/result/${name}`; }", name)
    expect(page.locator("article.result .ranking")).to_be_visible()


def test_the_player_does_not_look_for_an_answer_that_is_hidden(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, WIDEST, seed=SEED, **HANDS[WIDEST])
    page.evaluate(LAPSED)
    expect(page.locator(".prompt")).to_be_hidden()
    assert not Keyboard().press(page, "lapsed", "")
    assert not Pointer().press(page, "lapsed", "")


@pytest.mark.parametrize("game", [pytest.param(game, marks=[] if game in by_hand() else [pytest.mark.wide]) for game in HANDS])
def test_invariant_3_no_face_in_the_page_that_its_reader_may_not_know(
    visit: Callable[..., Page], page: Page, game: str,
) -> None:
    """Everybody plays at random before one person's eyes; the page is walked at every step."""
    begin(visit, page, game, **{**HANDS[game], **example_of(game).longer, "seed": SEED + 1})
    get_inside(page)
    watch(page)
    play_on(page, 40, each=True)
    found = seen(page)
    assert found["wrong"] == []
    assert found["looks"] >= 15 and found["open"] >= 20
    page.get_by_role("button", name="Log", exact=True).click()
    page.get_by_role("button", name="Scores", exact=True).click()
    assert seen(page)["wrong"] == []


def test_invariant_3_the_witness_sees_what_is_wrong(visit: Callable[..., Page], page: Page) -> None:
    """A face put where it must not be, as a drawing and as a word, does not go unseen."""
    begin(visit, page, WIDEST, seed=SEED, seats="me,easy")
    get_inside(page)
    watch(page)
    page.evaluate("inside.tamper()")
    wrong = " ".join(seen(page)["wrong"])
    assert "is drawn as" in wrong and "nobody here knows it" in wrong
