"""Teeth Time in the browser: a hand from deal to going out by mouse, by touch and by keyboard; pulling, dragging, sharing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.support.page_python import get_inside, play_on
from e2e.support.tables import WORDS, Eyes, begin, begin_with, carry, dealt, focus_is_kept, middle

pytestmark = pytest.mark.shares_pages

HAND = ".over > .piece.can-tap:has([aria-label*='in your hand'])"
TOP = ".over > .piece.can-tap:has([aria-label*='on top of the discard pile'])"
BAR = ".table-foot > .actions"
ONE_SET = {"contracts": "one", "one": 1, "hands": 1}
MOST_STEPS = 260


def button(page: Page, key: str) -> Locator:
    return page.locator(f"{BAR} [data-key={key}]")


def waiting(page: Page) -> str:
    """Wait until something is asked of the person: the key of what to press, "card" to pick one, "over" at the end."""
    handle = page.wait_for_function("""() => {
        const asking = document.querySelector(".prompt:not([hidden])");
        if (asking) return asking.querySelector("[data-key=accept]") ? "accept" : "";
        const keys = [...document.querySelectorAll(".table-foot > .actions .button")].map((each) => each.dataset.key);
        if (keys.includes("result")) return "over";
        const found = ["propose", "next", "lay", "leave", "decline", "deal"].find((key) => keys.includes(key));
        if (found) return found;
        return keys.includes("discard") ? "card" : "";
    }""")
    return str(handle.json_value())


def step(page: Page, press: Callable[[Locator], None]) -> bool:
    """Do the one thing that is asked for; False once the match is over."""
    what = waiting(page)
    if what == "over":
        return False
    if what == "accept":
        press(page.locator(".prompt [data-key=accept]"))
    elif what == "card":
        if not page.locator(".over > .piece.is-chosen").count():
            press(page.locator(HAND).last)
        if button(page, "discard").count():
            press(button(page, "discard"))
    else:
        press(button(page, what))
    return True


def play(page: Page, press: Callable[[Locator], None], check: Callable[[], object]) -> None:
    for _ in range(MOST_STEPS):
        if not step(page, press):
            return
        check()
    raise AssertionError("the hand does not end")


def by_click(target: Locator) -> None:
    """What has just been pressed, or was closed by a bot under the pointer, is there no more: then there is nothing to press."""
    for found in target.element_handles()[:1]:
        found.evaluate("(element) => element.isConnected && element.click()")


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_whole_hand_by_mouse_and_no_hidden_face_in_the_page(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "teeth-time", seats="me,easy", seed=5, **ONE_SET)
    eyes = Eyes(page, "teeth-time", dealt("teeth-time", 2, 5, ONE_SET))
    waiting(page)
    assert eyes.look() >= 11, "a hand and a discard lie open"
    play(page, by_click, eyes.look)
    expect(page.locator(".status")).to_contain_text("won")


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 360, "height": 740})
def test_a_whole_hand_by_touch_at_a_full_table(visit: Callable[..., Page], page: Page) -> None:
    seats = "me," + ",".join(["medium"] * 9)
    begin(visit, page, "teeth-time", seats=seats, seed=3, **ONE_SET)
    assert page.locator(".plate").count() == 10
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360, "nothing hangs over the edge"
    play(page, by_click, lambda: None)
    expect(page.locator(".status")).to_contain_text("won")


@pytest.mark.wide  # every family is played this way in test_whole_hands.py
def test_a_whole_hand_by_keyboard(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "teeth-time", seats="me,easy", seed=5, **ONE_SET)
    def press(target: Locator) -> None:
        """Arrows and Enter for cards, letters for buttons."""
        found = target.element_handles()[:1]
        if not found:  # what has just been pressed is there no more
            return
        key, letter = found[0].evaluate("(each) => [each.dataset.key ?? '', each.getAttribute('aria-keyshortcuts') ?? '']")
        if key.startswith("c") and key[1:].isdigit():
            found[0].evaluate("(card) => card.querySelector('.name').focus()")
            page.keyboard.press("Enter")
        elif key == "accept":
            if found[0].evaluate("(answer) => { answer.focus(); return document.activeElement === answer; }"):
                page.keyboard.press("Enter")
        else:
            assert letter, key
            page.keyboard.press(letter.lower())
        focus_is_kept(page)

    waiting(page)
    page.locator(f"{TOP} .name").focus()
    play(page, press, lambda: None)
    expect(page.locator(".status")).to_contain_text("won")


@pytest.mark.parametrize("wide", [False, pytest.param(True, marks=pytest.mark.wide)])
def test_a_turn_by_dragging(visit: Callable[..., Page], page: Page, wide: bool) -> None:
    """Take the discard into the hand, be told why nothing can be laid yet, discard onto the pile."""
    page.set_viewport_size({"width": 1280, "height": 800} if wide else {"width": 390, "height": 844})
    begin(visit, page, "teeth-time", seats="easy,me", seed=8, contracts="one", one=8, hands=1)
    for _ in range(MOST_STEPS):  # until it is our draw
        if waiting(page) in ("leave", "over"):
            break
        step(page, by_click)
    top = page.locator(TOP)
    key = top.get_attribute("data-key")
    carry(page, top, partial(middle, page.locator(".zone.tray")))
    expect(page.locator(f".over > .can-tap[data-key={key}] [aria-label*='in your hand']")).to_have_count(1)
    carry(page, page.locator(f"[data-key={key}]"), partial(middle, page.locator(".window")))  # between the piles: it is bare
    expect(page.locator(".note.wrong")).to_contain_text("go down first")
    pile = page.locator(".zone.slot").nth(1)
    carry(page, page.locator(f"[data-key={key}]"), partial(middle, pile))
    expect(page.locator(f".over > [data-key={key}] [aria-label*='on top of the discard pile']")).to_have_count(1)


def test_a_shared_device_keeps_hands_covered_and_gives_everybody_a_pull_button(
    visit: Callable[..., Page], page: Page,
) -> None:
    begin(visit, page, "teeth-time", seats="me,person,person", seed=6, **ONE_SET)
    cover = page.locator(".prompt.cover")
    cover.locator("[data-key^=uncover]").click()
    button(page, "leave").click()
    page.locator(HAND).last.dispatch_event("click")
    button(page, "discard").click()
    expect(cover.locator("[data-key^=call]")).to_have_count(1)
    assert not page.locator("[aria-label*='in your hand']").count(), "no hand is shown on the public table"
    drawer = page.locator(".status").inner_text().removesuffix(" to play")
    cover.locator("[data-key^=uncover]", has_text=drawer).click()
    button(page, "leave").click()
    cover.locator("[data-key=nobody]").click()
    expect(cover.locator("[data-key^=call]")).to_have_count(0)


NOTED = """() => {  // what stood beside the hand, also for a moment, and whether there was something to answer then
    globalThis.noted = [];
    new MutationObserver(() => noted.push([document.querySelector(".note")?.textContent ?? "",
        document.querySelectorAll(".prompt:not([hidden]), .actions .button:not([data-key=undo])").length])).observe(
        document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""


@pytest.mark.parametrize("own_taps", [False, pytest.param(True, marks=pytest.mark.wide)])
def test_whoever_has_no_prevention_is_not_asked_alone_with_bots(visit: Callable[..., Page], page: Page, own_taps: bool) -> None:
    """What the penalty means stands beside the hand, which nothing covers; then it is taken. Or there is the question."""
    stored = json.dumps({"pace": "calm", "own_taps": own_taps, "sound_asked": True})
    visit()
    get_inside(page)
    page.evaluate("inside.still(true)")
    begin_with(stored, visit, page, "teeth-time", seats="me,easy,easy", seed=3, **ONE_SET)
    page.evaluate(NOTED)
    assert play_on(page, 60, asked="phase=reply", seed=3) == "ready"
    if own_taps:
        page.locator(".prompt [data-key=accept]").click()
    expect(page.locator(".spoken")).to_contain_text("You take it")
    if not own_taps:  # a busy machine may look for it when it has passed
        noted = [asked for text, asked in page.evaluate("noted") if re.search("before your next turn|miss your next turn", text)]
        assert noted and noted[-1] == 0
    page.evaluate("inside.still(false)")


@pytest.mark.wide
@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_nothing_for_axe_to_find(
    visit: Callable[..., Page], page: Page, size: tuple[int, int], axe: Callable[[Page], list[str]],
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begin(visit, page, "teeth-time", seats="me,easy,easy", seed=5, **ONE_SET)
    waiting(page)
    assert axe(page) == []


def test_learning_the_teeth(visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]]) -> None:
    visit("#/teeth-time/teeth?at=y6")
    told = page.locator("#topic")
    expect(told).to_contain_text("first molar")
    page.locator("[data-item=rC]").first.dispatch_event("click")
    expect(told).to_contain_text("16 to 22 months")
    page.locator("#related").click()
    expect(told).to_contain_text("11 to 12 years")
    page.locator("#after").press("Enter")
    expect(told).to_contain_text("first premolar")
    assert axe(page) == []


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 360, "height": 740})
def test_everybodys_melds_are_read_by_a_tap_on_a_seat(
    visit: Callable[..., Page], page: Page, axe: Callable[[Page], list[str]],
) -> None:
    begin(visit, page, "teeth-time", seats="me," + ",".join(["easy"] * 9), seed=7, contracts="one", one=1)
    get_inside(page)
    play_on(page, 300, seed=7, asked="phase=play")
    page.locator(".plate").nth(4).tap()
    leaf = page.locator(".leaf").nth(4)
    expect(leaf).to_be_in_viewport()
    assert leaf.locator("h3").inner_text().startswith(page.locator(".plate-name").nth(4).inner_text()[:3])
    groups = page.locator(".leaf li", has_text="set of")
    assert groups.count() >= 3
    wide = groups.first.locator("svg").first.bounding_box()
    assert wide and wide["width"] >= 50, "a card is large enough to be read"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 360, "height": 740})
def test_a_question_that_does_not_wait_is_not_hidden_by_what_is_read_meanwhile(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, "teeth-time", seats="me,easy,easy", seed=5, **ONE_SET)
    get_inside(page)
    page.get_by_role("button", name="Log", exact=True).tap()
    expect(page.locator(".panel")).to_be_visible()
    assert play_on(page, 5, seed=5, asked="phase=reply") == "ready"
    expect(page.locator(".panel")).to_be_hidden()
    page.locator(".prompt [data-key=accept]").tap()
    expect(page.locator(".prompt")).to_be_hidden()


BEGUN = """() => {  // how far each gain hangs over the table's edge as it sets out, in px
    window.hanging = [];
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((gain) => {
        if (!gain.classList?.contains("flying")) return;
        const [flight] = gain.getAnimations(), { delay, duration } = flight.effect.getTiming();
        flight.pause();
        flight.currentTime = delay + 0.1 * duration;
        const box = gain.getBoundingClientRect(), table = gain.parentElement.getBoundingClientRect();
        window.hanging.push(Math.max(table.left - box.left, box.right - table.right));
        flight.play();
    }))).observe(document.querySelector(".stage"), { childList: true });
}"""


def test_a_gain_sets_out_within_the_table(page: Page, visit: Callable[..., Page]) -> None:
    """Where a hand is counted its points stand at the edge of a phone."""
    page.emulate_media(reduced_motion="no-preference")
    page.set_viewport_size({"width": 390, "height": 844})
    begin(visit, page, "teeth-time", seats="me,easy", seed=5, contracts="one", one=1)
    get_inside(page)
    page.evaluate(BEGUN)
    play_on(page, 40, seed=5, seat=-1, asked="phase=scored")
    page.wait_for_function("window.hanging.length > 0")
    assert max(page.evaluate("window.hanging")) <= 0


COVERED = """() => {  // of the height of a card of the hand, at most
    const asking = document.querySelector(".prompt:not([hidden])").getBoundingClientRect();
    const cards = [...document.querySelectorAll(".over > .piece:has([aria-label*='in your hand'])")];
    return Math.max(...cards.map((each) => {
        const card = each.getBoundingClientRect();
        return card.right > asking.left + 1 ? Math.max(0, card.bottom - asking.top) / card.height : 0;
    }));
}"""


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_a_question_leaves_the_hand_in_view_where_fingers_point(visit: Callable[..., Page], page: Page) -> None:
    """It stands over the buttons, on a tablet as high as they are, or, on a phone held sideways, beside table and hand."""
    begin(visit, page, "teeth-time", seats="me,easy,easy", seed=3)
    get_inside(page)
    play_on(page, 60, asked="phase=reply", seed=3)
    for size in ((390, 844), (844, 390), (820, 1180)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_function("(wide) => document.querySelector('.plate')?.getBoundingClientRect().right <= wide", arg=size[0])
        page.wait_for_function(f"() => ({COVERED})() < 0.15")


def test_a_question_covers_no_part_of_the_hand_at_a_desk(visit: Callable[..., Page], page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(visit, page, "teeth-time", seats="me,easy,easy", seed=3)
    get_inside(page)
    play_on(page, 60, asked="phase=reply", seed=3)
    page.wait_for_function(f"() => ({COVERED})() === 0")


LETTERS = """() => [...document.querySelectorAll(".plate :is(.plate-name, .plate-score, .plate-note, .plate-count)")]
    .map((words) => parseFloat(getComputedStyle(words).fontSize))"""


@pytest.mark.parametrize("seats", ["me,easy,easy,easy", "me,easy,easy,easy,easy"])
def test_no_words_on_a_plate_are_tiny_and_no_face_is_missing_where_many_sit_beside_each_other(
        visit: Callable[..., Page], page: Page, seats: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin(visit, page, "teeth-time", seats=seats, seed=3, contracts="one", one=1)
    get_inside(page)
    assert play_on(page, 60, seed=7, asked="phase=play") == "ready"
    expect(page.locator(".plate.noted")).not_to_have_count(0)
    assert min(page.evaluate(LETTERS)) >= 11
    for face in page.locator(".plate-face .avatar").all():
        expect(face).to_be_visible()


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 360, "height": 640})
def test_no_button_lies_on_the_hand_where_text_is_very_large(page: Page, visit: Callable[..., Page]) -> None:
    """However much stands beside the hand, with two rows of buttons or one: none of the table has to be scrolled to."""
    begin_with(json.dumps({"pace": "instant", "own_taps": True, "sound_asked": True, "text": "200"}), visit, page, "teeth-time",
               seats="me,easy,easy", seed=3)
    get_inside(page)
    pull = WORDS.text("teeth_time.board.use.down") + " " + WORDS.text("teeth_time.board.note.pull", seat="Bruno")
    for phase, note in (("window", ""), ("play", pull)):
        assert play_on(page, 2, seed=7, asked=f"phase={phase}") == "ready"
        page.wait_for_function("""(note) => {
            const line = document.querySelector(".note"), table = document.querySelector(".table-main");
            if (note) line.className = "note endless";
            if (note) line.textContent = note;
            return line.textContent && table.scrollHeight === table.clientHeight;
        }""", arg=note)
