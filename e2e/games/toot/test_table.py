"""TooT in the browser: all four tables by mouse, by touch and by keyboard; no face that may not be known; nothing for axe."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.support.page_python import get_inside, kept, play_on
from e2e.support.tables import (
    QUICK,
    as_drawn,
    begin,
    begin_with,
    carry,
    dealt,
    focus_is_kept,
    middle,
    my_turn,
    news,
    press,
    resting,
    settings,
    told,
)
from tabletin.games.toot.board_stacks import drawing
from tabletin.games.toot.cards import STATED
from tabletin.kernel.faces import Faces

pytestmark = pytest.mark.shares_pages

WON = re.compile("won|share the win")
SEED = 5
HAND = ".over > .piece.can-drag:not(.is-tentative)"
MOST = 60

SCORE_WATCHED = """() => {  // each score and gain that comes, and whether steps of a check were still to be gone through then
    window.scored = [];
    const words = (chosen) => document.querySelector(chosen)?.textContent ?? "";
    const last = { ".plate-score": words(".plate-score"), ".gain": "" };
    new MutationObserver(() => requestAnimationFrame(() => {
        for (const [chosen, before] of Object.entries(last)) {
            const now = words(chosen);
            last[chosen] = now;
            if (now && now !== before) scored.push([now, document.querySelector(".actions [data-key=hurry]") !== null]);
        }
    })).observe(document.querySelector(".stage"), { childList: true, characterData: true, subtree: true });
}"""

Tap = Callable[[Locator], None]


def control(page: Page, key: str) -> Locator:
    return page.locator(f".table-foot > .actions [data-key={key}]")


def shown(page: Page) -> None:
    """Wait until what was built is shown, which it is by itself; say so where it is nothing."""
    for _ in range(MOST):
        page.wait_for_selector(".prompt.cover:not([hidden]) .button, [data-key=none], [data-key=show], .zone[data-key^=result]")
        cover = page.locator(".prompt.cover .button:visible")
        if page.locator(".zone[data-key^=result]").count() and not cover.count():
            return
        for wanted in (cover.first, control(page, "none")):
            if wanted.count():
                press(wanted)
        page.wait_for_timeout(50)
    raise AssertionError("nothing is shown")


def primary(page: Page) -> Locator:
    return page.locator(".table-foot > .actions .primary")


def click(target: Locator) -> None:
    target.click()


def touch(target: Locator) -> None:
    target.tap()


class FaceWatch:
    """Watches that a card's piece shows its own face or its back, and its own face only where ``known`` is told so."""

    def __init__(self, page: Page, faces: Faces) -> None:
        self.page = page
        ways = {face: [drawing(face), *(drawing(face, stated) for stated in STATED if face == "X")] for face in faces.values()}
        drawn = as_drawn(page, list(dict.fromkeys(way.markup for found in ways.values() for way in found)))
        self.own = {card: {drawn[way.markup] for way in ways[face]} for card, face in faces.items()}
        self.every = set(drawn.values())

    def look(self) -> set[int]:
        """The cards that lie open in the page; each shows its own face."""
        pieces = self.page.evaluate("""() => [...document.querySelectorAll(".piece[data-key]")]
            .filter((piece) => /^c\\d+$/.test(piece.dataset.key))
            .map((piece) => [Number(piece.dataset.key.slice(1)), piece.querySelector("svg").innerHTML])""")
        showing = {card for card, markup in pieces if markup in self.own.get(card, ())}
        for card, markup in pieces:
            assert card in showing or markup not in self.every, f"card {card} shows a face that is not its own"
        return showing


def lay_something(page: Page, tap: Tap) -> bool:
    """Try each card of the hand on the TooT on the table, or by itself, until what lies there is one TooT."""
    for index in range(min(8, page.locator(HAND).count())):
        tap(page.locator(HAND).nth(index))
        place = page.locator(".spot[data-key='on-1'], .spot[data-key=mat]:not(.is-quiet)")
        if place.count():  # else it lies where it makes sense
            tap(place.first)
        if control(page, "play").count() and "primary" in (control(page, "play").get_attribute("class") or ""):
            return True
        tap(control(page, "clear"))
    return False


def table_turn(page: Page, tap: Tap) -> None:
    """Draw or roll, then lay one card if any can be laid alone, else pass."""
    before = told(page)
    for verb in ("draw", "roll"):
        if control(page, verb).count():
            tap(control(page, verb))
            news(page, before)
            page.wait_for_selector(".actions [data-key=pass]")
    before = told(page)
    if lay_something(page, tap):
        tap(primary(page))
    else:
        control(page, "pass").press("Enter")  # a finger that has cleared the mat just now has to wait
    news(page, before)


def play_table(page: Page, tap: Tap, check: Callable[[], object]) -> int:
    for count in range(MOST):
        if not my_turn(page):
            return count
        check()
        table_turn(page, tap)
    raise AssertionError("the match does not end")


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_whole_match_of_pursuit_by_mouse_and_no_hidden_face(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "toot-pursuit", seats="me,easy,easy,easy,easy,easy", seed=SEED, first_seat=1)
    watch = FaceWatch(page, dealt("toot-pursuit", 6, SEED, {"first_seat": "1"}))
    seen: set[int] = set()

    def check() -> None:
        seen.update(watch.look())

    assert play_table(page, click, check) >= 5
    check()
    assert len(seen) >= 10
    expect(page.locator(".status")).to_contain_text(WON)
    control(page, "result").click()
    expect(page.locator(".table-screen")).to_have_count(0)


@pytest.mark.wide
@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 360, "height": 740})
def test_a_whole_match_of_fluke_by_touch_with_six_seats(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "toot-fluke", seats="me,easy,easy,easy,easy,easy", seed=SEED, first_seat=1)

    def check() -> None:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    assert play_table(page, touch, check) >= 2
    expect(page.locator(".status")).to_contain_text(WON)


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
@pytest.mark.parametrize("game", ["toot-fluke", "toot-pursuit"])
def test_laying_keeps_its_place_and_a_second_tap_does_not_pass(visit: Callable[..., Page], page: Page, game: str) -> None:
    begin(visit, page, game, seats="me,easy", seed=SEED, first_seat=1)
    while True:  # until something can be laid
        assert my_turn(page)
        before = told(page)
        touch(primary(page))
        news(page, before)
        page.wait_for_selector(".actions [data-key=pass]")
        if "primary" not in (control(page, "pass").get_attribute("class") or ""):
            break
        before = told(page)
        touch(control(page, "pass"))
        news(page, before)
    for wide, high in ((390, 844), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_function("(wide) => document.querySelector('.stage').getBoundingClientRect().right <= wide", arg=wide)
        lies = resting(control(page, "play"))
        page.evaluate("document.querySelector('.over > .piece.can-drag:not(.is-tentative) .name').focus()")
        page.keyboard.press("Enter")
        for _ in range(2):  # a second one where it asks for a place
            if control(page, "clear").count():
                break
            page.keyboard.press("Enter")
        boxes = [resting(button) for button in page.locator(".table-foot > .actions .button").all()]
        lefts, tops = [box["x"] for box in boxes], [box["y"] for box in boxes]
        assert sorted(lefts) == lefts or sorted(tops) == tops, "a key goes from one to the next as they are seen"
        assert resting(control(page, "play")) == lies
        before = told(page)
        x, y = middle(control(page, "clear"))
        page.touchscreen.tap(x, y)
        box = resting(control(page, "pass"))
        assert box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"]
        page.touchscreen.tap(x, y)
        expect(page.locator(".my-turn")).to_have_count(1)
        assert told(page) == before and resting(control(page, "play")) == lies
    control(page, "pass").press("Enter")  # a key presses what was read
    news(page, before)


def test_progressive_by_mouse_shows_the_results_side_by_side(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "toot-progressive", seats="me,easy,hard", seed=SEED, last_round=5)
    my_turn(page)
    for n in (4, 5):
        expect(page.locator(HAND)).to_have_count(n)
        control(page, "best").click()
        expect(page.locator(".note")).to_contain_text("fit")
        if control(page, "best_show").count():
            control(page, "best_show").click()
            expect(page.locator(".zone.mat.is-legal")).to_have_count(1)
        control(page, "done").click()
        shown(page)
        if n == 4:
            page.wait_for_selector(".actions [data-key=next]")
            expect(page.locator(".zone[data-key^=result]")).to_have_count(3)
            control(page, "next").click()
    page.wait_for_selector(".actions [data-key=result]")
    expect(page.locator(".zone[data-key^=result]")).to_have_count(3)
    page.get_by_role("button", name="Scores", exact=True).click()
    expect(page.locator(".sheet tbody tr")).to_have_count(3)


def test_a_double_click_is_one_click(visit: Callable[..., Page], page: Page) -> None:
    """It lays a card, and does not pick up what it has laid."""
    begin(visit, page, "toot-progressive", seats="me,easy", seed=SEED, last_round=4)
    my_turn(page)
    first = page.locator(HAND).first
    key = first.get_attribute("data-key")
    page.mouse.dblclick(*middle(first))
    laid = page.locator(f".piece[data-key={key}]")
    expect(laid.locator(".name")).to_have_attribute("aria-label", re.compile("on the mat"))
    expect(laid).not_to_have_class(re.compile("is-chosen"))
    page.mouse.dblclick(*middle(laid))
    expect(laid).to_have_class(re.compile("is-chosen"))


def test_progressive_on_one_device_keeps_what_each_has_built(visit: Callable[..., Page], page: Page) -> None:
    """TO-5: all work at once; seat after seat on one device, hands covered in between."""
    begin(visit, page, "toot-progressive", seats="me,person", seed=SEED, last_round=4)
    cover = page.locator(".prompt.cover")
    watch = FaceWatch(page, dealt("toot-progressive", 2, SEED, {"last_round": 4}))
    expect(cover).to_be_visible()
    assert watch.look() == set(), "no hand lies open while it is covered"
    hands = []
    for _ in range(2):
        cover.locator(".button").first.click()
        expect(page.locator(HAND)).to_have_count(4)
        hands.append(watch.look())
        control(page, "best").click()
        expect(page.locator(".note")).to_contain_text("fit")
        if control(page, "best_show").count():
            control(page, "best_show").click()
        before = told(page)
        control(page, "done").click()
        news(page, before)
    assert len(hands[0]) == len(hands[1]) == 4 and not hands[0] & hands[1]
    shown(page)
    page.wait_for_selector(".actions [data-key=result]")
    expect(page.locator(".zone[data-key^=result]")).to_have_count(2)


COUNTING = """() => {
    globalThis.counted = [];
    new MutationObserver(() => {
        const now = document.querySelector(".label.huge")?.textContent;
        if (now && /[0-9]/.test(now) && now !== counted.at(-1)) counted.push(now);
    }).observe(document.querySelector(".stage"), { childList: true, subtree: true, characterData: true });
}"""


def draw_until_all_fit(page: Page) -> None:
    for _ in range(20):
        control(page, "best").click()
        if "All" in page.locator(".note").inner_text():
            return
        before = told(page)
        control(page, "draw").click()
        news(page, before)
    raise AssertionError("the cards never make one TooT")


def test_speed_counts_down_runs_a_clock_and_verifies_a_claim(visit: Callable[..., Page], page: Page) -> None:
    """TO-8: alone, drawing until all cards make one TooT; then the claim is gone through."""
    begin(visit, page, "toot-speed", seats="me", seed=SEED, target=2)
    my_turn(page)
    watch = FaceWatch(page, dealt("toot-speed", 1, SEED, {"target": 2}))
    assert watch.look() == set(), "hands are closed until GO"
    page.evaluate(COUNTING)
    control(page, "ready").click()
    expect(page.locator(".label.clock")).to_be_visible()
    assert page.evaluate("counted") == ["3", "2", "1"]
    assert len(watch.look()) == 7
    draw_until_all_fit(page)
    control(page, "best_show").click()
    expect(control(page, "claim")).to_contain_text("TooT! All")
    page.evaluate(SCORE_WATCHED)
    control(page, "claim").click()
    expect(page.locator(".piece.is-marked").first).to_be_visible()
    expect(page.locator(".hand-actions .button")).to_have_count(0)
    expect(control(page, "ready")).to_be_visible()
    expect(page.locator(".plate-score")).to_have_text("1")
    assert page.evaluate("scored") == [["1", False], ["+1", False]], "only after the check"
    expect(page.locator(".note")).to_contain_text("Well done!")
    expect(page.locator(".label.time")).to_have_text(re.compile(r"All \d+ cards in \d+\.\d s"))


def test_a_race_alone_is_told_by_its_time(visit: Callable[..., Page], page: Page) -> None:
    """TO-8: that a round was won says nothing where nobody else could win it."""
    begin(visit, page, "toot-speed", seats="me", seed=SEED, target=1)
    my_turn(page)
    control(page, "ready").click()
    expect(page.locator(".label.clock")).to_be_visible()
    draw_until_all_fit(page)
    control(page, "best_show").click()
    control(page, "claim").click()
    control(page, "result").click()
    expect(page.locator(".verdict .big")).to_have_text(re.compile(r"All \d+ cards in \d+\.\d s"))
    expect(page.locator(".best .gain").first).to_have_text(re.compile(r"\d+\.\d s"))
    expect(page.locator(".ranking, .ledger")).to_have_count(0)  # who was alone came first of nobody


def test_a_race_of_several_is_told_with_the_time_that_this_table_took(visit: Callable[..., Page], page: Page) -> None:
    """TO-8: the log knows who was first, and nothing of the clock."""
    begin(visit, page, "toot-speed", seats="me,easy", seed=SEED, target=1)
    my_turn(page)
    control(page, "ready").click()
    expect(page.locator(".label.clock")).to_be_visible()
    while not control(page, "result").count():
        any(press(page.locator(f".actions [data-key={key}]:not(.off)")) for key in ("claim", "hint", "draw", "hurry"))
        page.wait_for_timeout(50)
    control(page, "result").click()
    expect(page.locator(".ledger")).to_contain_text(re.compile(r"Round 1.*\d+\.\d s · \d+ cards"))
    expect(page.locator(".best .feat").first).to_have_text("Fastest of all")
    assert page.locator(".best li").first.locator("svg").count() == \
        int(re.search(r"(\d+) cards", page.locator(".ledger").inner_text())[1])  # type: ignore[index]


CAPTION: Final = """() => {  // how much is seen of the words under the first picture as they come
    window.seen = null;
    new MutationObserver((_, watch) => {
        const caption = document.querySelector(".stage:has(.piece.is-example) .label.plain");
        if (!caption) return;
        window.seen = getComputedStyle(caption).opacity;
        watch.disconnect();
    }).observe(document.body, { childList: true, attributes: true, subtree: true });
}"""


def test_what_a_toot_is_stands_there_with_its_words_while_cards_are_dealt(visit: Callable[..., Page], page: Page) -> None:
    settings(page, QUICK)
    visit(f"#/toot-speed/new?seats=me&seed={SEED}")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(CAPTION)
    page.locator("form.newmatch button[type=submit]").click()
    my_turn(page)
    assert page.evaluate("seen") == "1"


STRUCK: Final = """async () => {  // how far a number of the countdown is from its place as it begins, in px
    const number = document.querySelector(".label.huge"), [strike] = number.getAnimations();
    const middle = () => {
        const box = number.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };
    strike.pause();
    strike.currentTime = 0;
    const [x, y] = middle();
    strike.finish();
    const [left, top] = middle();
    return Math.hypot(x - left, y - top);
}"""


@pytest.mark.wide
def test_the_numbers_of_the_countdown_strike_in_their_place(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "toot-speed", seats="me", seed=SEED, target=2)
    my_turn(page)
    page.emulate_media(reduced_motion="no-preference")
    control(page, "ready").click()
    page.wait_for_function("document.querySelector('.label.huge')?.getAnimations().length > 0")
    assert page.evaluate(STRUCK) < 4


@pytest.mark.wide
def test_the_longest_go_fits_the_smallest_phone_in_large_text(visit: Callable[..., Page], page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    large_french = json.dumps({**json.loads(QUICK), "text": "200", "language": "fr"})
    begin_with(large_french, visit, page, "toot-speed", seats="me", seed=SEED)
    my_turn(page)
    control(page, "ready").click()
    expect(page.locator(".label.clock")).to_be_visible()
    left, right = page.locator(".label.go").evaluate(
        "(go) => { const box = go.getBoundingClientRect(); return [box.left, innerWidth - box.right]; }")
    assert left >= 0 and right >= 0


@pytest.mark.parametrize("wide", [False, pytest.param(True, marks=pytest.mark.wide)])
def test_dragging_builds_a_stack_and_takes_it_apart(visit: Callable[..., Page], page: Page, wide: bool) -> None:
    page.set_viewport_size({"width": 1280, "height": 800} if wide else {"width": 390, "height": 844})
    begin(visit, page, "toot-progressive", seats="me", seed=11)
    my_turn(page)
    names = [page.locator(HAND).nth(index).locator(".name").get_attribute("aria-label") or "" for index in range(4)]
    red = next(index for index, name in enumerate(names) if name.startswith("red"))
    yellow = next(index for index, name in enumerate(names) if name.startswith("yellow"))
    keys = [page.locator(HAND).nth(index).get_attribute("data-key") for index in (red, yellow)]

    def drag(key: str | None, x: float, y: float) -> None:
        carry(page, page.locator(f"[data-key={key}]"), lambda: (x, y))

    stage = resting(page.locator(".stage"))
    drag(keys[0], stage["x"] + 60, stage["y"] + 220)
    expect(page.locator(".zone[data-key^=stack]")).to_have_count(1)
    drag(keys[1], *middle(page.locator(".zone[data-key^=stack]")))
    expect(page.locator(".zone.is-legal")).to_have_count(1)
    expect(page.locator(".label.title")).to_have_text("one TooT")
    drag(keys[0], stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] - 50)
    expect(page.locator(".zone.is-legal")).to_have_count(0)
    expect(page.locator(".zone[data-key^=stack]")).to_have_count(1)


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_whole_match_by_keyboard(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "toot-pursuit", seats="me,easy,easy,easy,easy,easy", seed=SEED + 2, first_seat=1)
    keyboard = page.keyboard

    def in_stage() -> None:
        for _ in range(30):
            if page.evaluate("document.querySelector('.stage').contains(document.activeElement)"):
                return
            keyboard.press("Tab")
        raise AssertionError("Tab does not reach the table")

    for _ in range(MOST):
        if not my_turn(page):
            break
        if control(page, "draw").count():
            before = told(page)
            in_stage()
            keyboard.press("c")
            news(page, before)
            page.wait_for_selector(".actions [data-key=pass]")
        before = told(page)
        in_stage()
        focus_is_kept(page)
        for _ in range(12):
            if page.evaluate("document.activeElement.closest('.piece')?.classList.contains('can-drag') ?? false"):
                break
            keyboard.press("PageDown")
        keyboard.press("Enter")
        focus_is_kept(page)
        if page.locator(".piece.is-chosen").count():  # else it lies where it makes sense
            keyboard.press("Enter")  # the likeliest place has the focus
            focus_is_kept(page)
        if control(page, "play").count() and "primary" in (control(page, "play").get_attribute("class") or ""):
            in_stage()
            keyboard.press("c")
        else:
            in_stage()
            keyboard.press("Backspace")
            keyboard.press("p" if not primary(page).count() else "c")
        news(page, before)
    else:
        raise AssertionError("the match does not end")
    expect(page.locator(".status")).to_contain_text(WON)


@pytest.mark.wide
def test_nothing_for_axe_to_find(
    visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]],
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin(visit, page, "toot-fluke", seats="me,easy", seed=SEED, first_seat=1)
    my_turn(page)
    assert axe(page) == []
    control(page, "roll").click()
    page.wait_for_selector(".actions [data-key=pass]")
    page.locator(HAND).first.click()
    assert axe(page) == []
    page.locator(".piece.can-drag").first.click()
    expect(page.locator(".spot").first).to_be_visible()
    assert axe(page) == []


def test_nothing_for_axe_in_results_countdown_and_claims(
    visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]],
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin(visit, page, "toot-speed", seats="me", seed=SEED, target=2)
    my_turn(page)
    assert axe(page) == []
    control(page, "ready").click()
    expect(page.locator(".label.clock")).to_be_visible()
    assert axe(page) == []
    draw_until_all_fit(page)
    control(page, "best_show").click()
    control(page, "claim").click()
    expect(control(page, "ready")).to_be_visible()
    assert axe(page) == []
    kept(page)
    page.reload()
    expect(control(page, "hurry")).to_be_visible()
    control(page, "hurry").click()
    expect(control(page, "ready")).to_be_visible()


def test_the_toot_on_the_table_is_looked_into_while_others_play(visit: Callable[..., Page], page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})  # a wide table shows all of it
    begin(visit, page, "toot-pursuit", seats="me,easy", seed=SEED, first_seat=1)
    get_inside(page)
    play_on(page, 50, seat=1, seed=3)  # the bot is held, and it is its turn
    expect(page.locator(".my-turn")).to_have_count(0)
    closed = page.locator(".over > .piece[data-key^=c]").count()
    look = page.locator(".spot[data-key=look]")  # the TooT bears it
    look.click()
    expect(look).to_have_count(0)
    assert page.locator(".over > .piece[data-key^=c]").count() >= closed
    expect(page.locator(".zone[data-key=stack-1]")).to_have_count(1)
    control(page, "look").click()
    expect(look).to_be_visible()
    expect(page.locator(".over > .piece[data-key^=c]")).to_have_count(closed)


def test_the_clock_runs_on_after_a_reload(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "toot-speed", seats="me", seed=SEED, target=2)
    my_turn(page)
    control(page, "ready").click()
    clock = page.locator(".label.clock")
    expect(clock).to_be_visible()
    since = "(clock) => parseFloat(clock.style.getPropertyValue('--since')) || 0"
    before = clock.evaluate(since)
    kept(page)
    page.wait_for_timeout(1600)
    page.reload()
    expect(clock).to_be_visible()
    assert clock.evaluate(since) <= before - 1.6, "it stands where it would without the reload"
