"""What happens at the table is seen: one thing after another, before it is one's own turn; and sounds are asked for once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.page_python import get_inside, play_on
from e2e.support.tables import ask_for_all, begin, begin_with, do_as_hinted
from tabletin.registry import GAMES
from tests.support.examples import MANY_HANDS, ONE_DEAL, hand_of, moments_of

pytestmark = pytest.mark.shares_pages

STATUSES = """() => {
    window.statuses = [];
    const line = document.querySelector(".table-bar .status");
    new MutationObserver(() => window.statuses.push(line.textContent)).observe(line, { childList: true, characterData: true });
    window.gains = [];
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
        if (node.classList?.contains("gain")) window.gains.push(node.textContent);
    }))).observe(document.querySelector(".stage"), { childList: true });
}"""
MINE = "Your turn"
UNDER_WAY = """() => {  // whatever of others was still on its way as it came to be one's own turn, and then what was said
    window.early = [];
    window.order = [];
    const frame = document.querySelector(".table-screen");
    let mine = frame.matches(".my-turn");
    const running = () => document.getAnimations().filter((one) => one.playState === "running" && one.currentTime > 0
        && (one.animationName === "gain"
            || (one.transitionProperty === "transform" && one.effect.target.matches(".over > .piece"))));
    new MutationObserver((changes) => changes.forEach(({ target, addedNodes, attributeName }) => {
        if (attributeName && target === frame && frame.matches(".my-turn") !== mine) {
            mine = !mine;
            if (mine) {
                window.order.push("turn");
                window.early.push(...running().map(({ effect }) => effect.target.outerHTML.slice(0, 80)));
            }
        }
        addedNodes.forEach((node) => {
            if (node.matches?.(".spoken > p")) window.order.push("told");
            if (node.matches?.(".asked > p")) window.order.push(node.textContent.startsWith("Your turn") ? "asked" : "note");
            if (node.matches?.(".gain")) window.order.push("gain");
        });
    })).observe(frame, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
}"""
RESTED = """() => {  // as each gain comes to its plate: what of a name, a score, a count or another plate lies under it
    window.covered = [];
    window.rested = 0;
    const over = (one, other) => one.left < other.right - 2 && one.right > other.left + 2
        && one.top < other.bottom - 3 && one.bottom > other.top + 3;
    const words = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range; };
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((gain) => {
        if (!gain.classList?.contains("gain")) return;
        window.rested += 1;
        const box = gain.getBoundingClientRect();
        const plates = [...document.querySelectorAll(".plate")].filter((plate) => over(box, plate.getBoundingClientRect()));
        if (plates.length !== 1) window.covered.push(`${plates.length} plates`);
        for (const part of plates[0]?.querySelectorAll(".plate-name, .plate-score, .plate-count") ?? [])
            if (getComputedStyle(part).visibility === "visible" && over(box, words(part).getBoundingClientRect()))
                window.covered.push(`${gain.textContent} on ${part.textContent}`);
    }))).observe(document.querySelector(".stage"), { childList: true });
}"""

MOVING = """() => document.getAnimations().filter((one) => one.playState === "running" && one.currentTime > 0
    && one.transitionProperty === "transform" && one.effect.target.matches(".over > .piece"))"""
SCORED = """() => {  // what is counted, won and scored, in order; and what was still on its way, or not there, as it was
    const stage = document.querySelector(".stage"), frame = document.querySelector(".table-screen");
    window.order = [];
    window.early = [];
    const scores = () => [...stage.querySelectorAll(".plate-score")].map((one) => one.textContent);
    const near = (one, other) => one.left < other.right + 9 && one.right > other.left - 9
        && one.top < other.bottom + 9 && one.bottom > other.top - 9;
    const running = MOVING;
    let before = scores();
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
        if (node.matches?.(".label[data-key^=points], .label[data-key^=total]") && window.order.at(-1) !== "counted") {
            window.order.push("counted");
            window.early.push(...running().map(({ effect }) => effect.target.outerHTML.slice(0, 80)));
        }
        if (node.matches?.(".gain")) window.order.push("gain");
        if (node.matches?.(".plate-score") && scores().join() !== before.join()) {
            const gains = [...stage.querySelectorAll(".gain")].map((one) => one.getBoundingClientRect());
            const plates = [...stage.querySelectorAll(".plate:has(.plate-score)")].map((one) => one.getBoundingClientRect());
            const changed = plates.filter((_, at) => scores()[at] !== before[at]);
            if (changed.some((plate) => !gains.some((gain) => near(gain, plate)))) window.early.push(scores());
            before = scores();
            window.order.push("score");
        }
        if (node.matches?.(".actions [data-key=result]")) window.order.push("end");
    }))).observe(frame, { childList: true, subtree: true });
}""".replace("MOVING", MOVING)
COUNTING = [game for game in GAMES if GAMES[game].module("board").board(game).counts]


@pytest.mark.parametrize("game", [
    pytest.param(game, marks=() if game == next(iter(COUNTING)) else pytest.mark.wide) for game in COUNTING])
def test_what_ends_a_hand_lies_before_it_is_counted_and_scores_change_as_gains_arrive(page: Page, visit: Callable[..., Page],
                                                                                    game: str) -> None:
    page.emulate_media(reduced_motion="no-preference")
    visit()
    get_inside(page)
    page.evaluate("inside.still(true)")
    begin_with(json.dumps({"pace": "quick", "sound_asked": True}), visit, page, game, seed=5, **hand_of(game))
    page.evaluate("async () => { globalThis.last = await inside.play_to_last(5); inside.still(false); }")
    page.wait_for_function(f"!document.querySelector('.stage > .gain') && !({MOVING})().length")
    page.evaluate(SCORED)
    page.evaluate("last()")
    page.locator(".actions [data-key=result]").wait_for()
    order = page.evaluate("window.order")
    assert page.evaluate("window.early") == [], order
    assert order[0] == "counted" and "end" in order, order
    if not page.locator(".label[data-key^=total]").count():  # these were on the plates all along
        assert order.index("gain") < order.index("score") < order.index("end"), order


def test_a_bots_act_is_seen_before_ones_own_turn_and_gains_fly(page: Page, visit: Callable[..., Page]) -> None:
    page.emulate_media(reduced_motion="no-preference")
    begin_with(json.dumps({"pace": "quick", "sound_asked": True}), visit, page, ONE_DEAL, seats="me,easy", seed=5)
    expect(page.locator(".my-turn")).to_be_visible()
    page.evaluate(STATUSES)
    do_as_hinted(page)
    page.wait_for_function("mine => window.statuses.at(-1)?.startsWith(mine) && window.statuses.length > 2", arg=MINE)
    seen = page.evaluate("window.statuses")
    turns = [index for index, status in enumerate(seen) if status.startswith(MINE)]
    assert re.search(r" played$|: [+−]\d+$", seen[turns[-1] - 1]), seen
    assert all(re.fullmatch(r"[+−]\d+", gain) for gain in page.evaluate("window.gains")) and page.evaluate("window.gains.length")


@pytest.mark.parametrize("game", [ONE_DEAL, pytest.param(MANY_HANDS, marks=pytest.mark.wide)])
def test_a_bots_piece_and_gain_arrive_before_ones_own_turn_is_said(page: Page, visit: Callable[..., Page], game: str) -> None:
    page.emulate_media(reduced_motion="no-preference")
    begin_with(json.dumps({"pace": "quick", "sound_asked": True}), visit, page, game, seats="me,easy", seed=5)
    get_inside(page)
    play_on(page, 0, seed=5, asked=moments_of(game).asked[-1])  # past whatever is asked before a first turn
    page.reload()
    expect(page.locator(".my-turn")).to_be_visible()
    page.evaluate(UNDER_WAY)
    for turn in range(1, 3):
        ask_for_all(page)
        page.locator(".actions .primary").dispatch_event("click")
        page.wait_for_function("n => window.order.filter((one) => one === 'asked').length >= n", arg=turn)
    order = page.evaluate("window.order")
    assert page.evaluate("window.early") == []
    for at in [index for index, one in enumerate(order) if one == "asked"]:
        assert order[at - 1] == "turn" and "told" in order[:at], order
    assert order.count("asked") == order.count("turn") == 2, order


def test_sounds_are_asked_for_at_the_first_match_and_made_when_wanted(page: Page, visit: Callable[..., Page]) -> None:
    page.evaluate("""() => {
        const own = tabletin.play;
        window.sounds = [];
        tabletin.play = (name, own) => window.sounds.push(`${name} ${own}`);
        globalThis.altered = { end() { tabletin.play = own; } };
    }""")
    begin_with(json.dumps({"pace": "instant"}), visit, page, ONE_DEAL, seats="me,easy", seed=5)
    asked = page.locator("#ask-sound")
    expect(asked).to_contain_text("sounds")
    expect(page.locator(".my-turn")).to_be_visible()
    assert page.evaluate("window.sounds") == []
    asked.get_by_role("button", name="Yes").click()
    expect(asked).to_be_empty()
    do_as_hinted(page)
    page.wait_for_function("window.sounds.some((sound) => ['lay true', 'take true', 'score true'].includes(sound))")
    page.wait_for_function("window.sounds.some((sound) => ['lay false', 'take false', 'score false'].includes(sound))")
    assert json.loads(page.evaluate("localStorage.getItem('tabletin.settings')"))["sound"] is True


@pytest.mark.parametrize("size", [(390, 844), (844, 390), pytest.param((1280, 800), marks=pytest.mark.wide)])
def test_a_gain_comes_to_rest_on_its_plate_and_covers_neither_name_nor_score(page: Page, visit: Callable[..., Page],
                                                                             size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begin(visit, page, ONE_DEAL, seats="me,easy,easy,easy", seed=5)
    get_inside(page)
    page.evaluate(RESTED)
    for moves in range(8, 40, 8):
        play_on(page, moves, seed=5)
        if page.evaluate("window.rested"):
            break
    assert page.evaluate("window.rested") and page.evaluate("window.covered") == []


def test_what_can_be_done_is_seen_once_the_hand_lies_there_and_in_its_place(page: Page, visit: Callable[..., Page]) -> None:
    begin(visit, page, MANY_HANDS, seats="me,easy", seed=5)
    expect(page.locator(".my-turn")).to_be_visible()
    primary = page.locator(".table-foot > .actions .primary")
    expect(primary).to_have_css("opacity", "1")
    before = primary.bounding_box()
    page.locator(".stage").evaluate("(stage) => stage.classList.add('dealing')")
    for part in (primary, page.locator(".note"), page.locator(".status")):
        expect(part).to_have_css("opacity", "0")
    expect(primary).to_have_css("pointer-events", "none")
    assert primary.bounding_box() == before
