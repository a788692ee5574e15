"""Plates cut neither names nor scores: long names and three digits at every table, on phone and desk, in large text too. And no
words at any table are cut, in any language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from e2e.support.layout import OVERFLOW
from e2e.support.page_python import get_inside, play_on
from e2e.support.shell import to
from e2e.support.tables import QUICK, THINKING, WHOLE, begin, begin_with, do_as_hinted, my_turn, settings
from tabletin.app.session.plan import kept_as
from tabletin.app.table.letter_size import letter_size
from tabletin.registry import GAMES, rules_of
from tabletin.words import languages
from tests.support.examples import ONE_DEAL, by_hand, moments_of
from workshop.paths import PACKAGE

pytestmark = pytest.mark.shares_pages

SIZES: Final = ((390, 844), (844, 390), (1280, 800))
TEXTS: Final = (100, 200)
LONGEST: Final = "de"  # of our languages, in most words
NAMES: Final = ("Maximilian", "Bruno", "Anna-Sophie", "Großmutter", "Jean-Baptiste", "Schneewittchen")
SCORED: Final = """() => {  // as if they had so many points
    for (const score of document.querySelectorAll(".plate-score")) {
        score.textContent = "−88";
        score.closest(".plate").style.setProperty("--digits", 3);
    }
}"""
CALLED: Final = """() => {  // as if each of them had called what one has called, and had won much
    const call = document.querySelector(".plate-note");
    if (call === null) return;
    for (const plate of document.querySelectorAll(".plate")) {
        plate.querySelector(".plate-note")?.remove();
        plate.querySelector(".plate-score").after(call.cloneNode(true));
        plate.querySelector(".plate-score").textContent = "288";
        plate.style.setProperty("--digits", 3);
        plate.style.setProperty("--note", call.textContent.length);
        plate.classList.add("noted");
    }
}"""
WITHIN: Final = "(wide) => document.querySelector('.plate')?.getBoundingClientRect().right <= wide"
CUT: Final = """() => [...document.querySelectorAll(".plate-name, .plate-score, .plate-count")].filter((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const words = range.getBoundingClientRect(), plate = each.closest(".plate").getBoundingClientRect();
    if (words.left < plate.left - 1 || words.right > plate.right + 1) return true;
    if (words.top < plate.top - 1 || words.bottom > plate.bottom + 1) return true;
    const lines = words.height / parseFloat(getComputedStyle(each).fontSize);
    if (each.textContent.length < 7 && lines > 1.7) return true;  // a short name is not broken
    return each.matches(".plate-name") && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2);
}).map((each) => `${each.className}: ${each.textContent}`)"""

COVERING: Final = """(sentences) => sentences.filter((sentence) => {  // what reaches up over the hand
    inside.say(sentence);
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".note"));
    return range.getBoundingClientRect().top < document.querySelector(".table-foot").getBoundingClientRect().top - 2;
})"""
LAID_OUT: Final = "(wide) => document.querySelector('.stage').getBoundingClientRect().right <= wide"
CUT_WORDS: Final = """() => {  // what is drawn beyond the edge of its button or plate, of what hides the rest, or of the window
    const found = [], apart = "svg, .unseen, .spoken, .gain, [hidden]";  // a gain flies
    const walker = document.createTreeWalker(document.querySelector(".table-screen"), NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const words = range.getBoundingClientRect(), around = node.parentElement;
        if (!node.data.trim() || !words.width || around.closest(apart)) continue;
        if (!around.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        for (let box = around; box !== null; box = box.parentElement) {
            const { overflowX, overflowY, clipPath } = getComputedStyle(box), edge = box.getBoundingClientRect();
            if (clipPath !== "none" || /auto|scroll/.test(overflowX + overflowY)) break;  // for readers; or comes by scrolling
            const framed = box.matches(".button, .plate") || box === document.documentElement;
            const wide = framed || overflowX !== "visible", high = framed || overflowY !== "visible";
            if (!(wide && (words.left < edge.left - 1.5 || words.right > edge.right + 1.5))
                && !(high && (words.top < edge.top - 3 || words.bottom > edge.bottom + 3))) continue;
            found.push(`${around.className || box.className}: ${node.data}`);
            break;
        }
    }
    return found;
}"""


@pytest.mark.parametrize("game", [pytest.param(game, marks=[] if game in by_hand() else [pytest.mark.wide]) for game in GAMES])
def test_plates_hold_long_names_and_large_scores(visit: Callable[..., Page], page: Page, game: str) -> None:
    seats = [["me" if not number else "easy", NAMES[number % len(NAMES)]] for number in range(rules_of(game).seat_counts[-1])]
    visit()
    page.evaluate("([key, plan]) => localStorage.setItem(key, plan)", [kept_as(game), json.dumps({"seats": seats})])
    begin(visit, page, game, seed=5)
    found = {}
    for text in TEXTS:
        page.evaluate("(settings) => tabletin.dress(settings)", json.dumps({**json.loads(QUICK), "text": text}))
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.wait_for_function(WITHIN, arg=size[0])
            page.wait_for_timeout(200)
            page.evaluate(SCORED)
            found[text, size] = page.evaluate(CUT)
    assert {where: cut for where, cut in found.items() if cut} == {}


MOMENTS: Final = """() => {  // sizes of names and scores, and whether a count is seen, as things happen on plates
    const sizes = (css) => [...document.querySelectorAll(css)].map((one) => parseFloat(getComputedStyle(one).fontSize));
    const each = (act) => document.querySelectorAll(".plate").forEach(act);
    const found = [];
    const look = () => found.push({ names: sizes(".plate-name"), scores: sizes(".plate-score"),
        counts: [...document.querySelectorAll(".plate-count")].map((one) => getComputedStyle(one).visibility) });
    look();
    each((plate) => {
        plate.querySelector(".plate-note")?.remove();
        plate.insertAdjacentHTML("beforeend", '<span class="plate-note">Passed</span>');
        plate.style.setProperty("--note", 6);
        plate.classList.add("noted", "active", "thinking");
    });
    look();
    each((plate) => plate.setAttribute("data-gain", ""));
    look();
    each((plate) => plate.querySelectorAll(".plate-count").forEach((count) => { count.textContent = "14"; }));
    look();
    return found;
}"""


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390), (1280, 800)])
@pytest.mark.parametrize("text", TEXTS)
def test_names_keep_one_size_at_every_moment_and_scores_are_no_smaller_and_counts_stay(visit: Callable[..., Page], page: Page,
                                                                                      text: int, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begin_with(json.dumps({**json.loads(QUICK), "text": text}), visit, page, ONE_DEAL, seed=5, seats="me,easy,easy,easy")
    page.wait_for_function(WITHIN, arg=size[0])
    moments = page.evaluate(MOMENTS)
    names = {round(found, 1) for moment in moments for found in moment["names"]}
    assert len(names) == 1
    assert all(min(moment["scores"]) >= max(moment["names"]) for moment in moments)
    assert all(len(moment["counts"]) == 4 and set(moment["counts"]) == {"visible"} for moment in moments)


@pytest.mark.browser_context_args(viewport={"width": 844, "height": 390})
def test_a_phone_held_sideways_shows_form_and_hand_in_text_as_large_as_can_be_set(visit: Callable[..., Page], page: Page) -> None:
    settings(page, json.dumps({**json.loads(QUICK), "text": "200"}))
    visit(f"#/{ONE_DEAL}/new?seats=me,easy&seed=7")
    assert page.evaluate(OVERFLOW) <= 0
    page.locator("form.newmatch button[type=submit]").click()
    page.wait_for_selector(".table-screen.my-turn")
    page.wait_for_function("() => [...document.querySelectorAll('.over > .piece')].every((card) => "
                           "card.getBoundingClientRect().bottom <= innerHeight)")

NAMED_ELSEWHERE: Final = re.compile(r"\{(\w+):[^}]*\}")  # a sign for a word that stands elsewhere in the catalogue


def sentences(language: str) -> list[str]:
    """What the line beside the hand says in any game; names and numbers are about as long as the signs for them."""
    found = []

    def walk(words: Any, path: str) -> None:
        if isinstance(words, str):
            if any(f".{part}." in path for part in ("note", "why", "refuse", "ended")):
                found.append(NAMED_ELSEWHERE.sub(r"{\1}", words))
        else:
            for key, part in words.items():
                walk(part, f"{path}{key}.")

    for file in sorted((PACKAGE / "games").glob(f"*/words.{language}.json")):
        walk(json.loads(file.read_text("utf-8")), ".")
    return found


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_what_is_said_beside_the_hand_covers_none_of_it(visit: Callable[..., Page], page: Page) -> None:
    begin(visit, page, ONE_DEAL, seats="me,easy", seed=7)
    get_inside(page)
    assert my_turn(page)
    do_as_hinted(page)
    assert my_turn(page)
    expect(page.locator("[data-key=undo]")).to_be_visible()
    hint = page.locator("[data-key=hint]")
    for _ in range(2):  # until its button has the longest words
        hint.dispatch_event("click")
        page.wait_for_function("(thinking) => document.querySelector('.note').innerText !== thinking", arg=THINKING)
    expect(hint).to_have_text(WHOLE)
    said = [sentence for language in languages() for sentence in sentences(language)]
    assert len(said) > 800 and max(map(len, said)) > 100
    assert page.evaluate(COVERING, said) == []


@pytest.mark.parametrize("language", [
    pytest.param(language, marks=[] if language == LONGEST else [pytest.mark.wide]) for language in languages()])
def test_no_words_are_cut(visit: Callable[..., Page], page: Page, language: str) -> None:
    visit()
    to(page, "#/settings")
    page.locator("#language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    get_inside(page)
    stored = json.dumps({**json.loads(QUICK), "language": language})
    found = {}
    for game in GAMES:
        moments = moments_of(game)
        moment = moments.asked[-1]
        begin_with(stored, visit, page, game, seed=7, **moments.begin)
        play_on(page, 12, seed=7, seat=-1 if "counted" in moment else 0, asked=moment)
        for wide, high in (SIZES[0], SIZES[-1]):
            page.set_viewport_size({"width": wide, "height": high})
            page.wait_for_function(LAID_OUT, arg=wide)
            page.wait_for_timeout(100)
            page.evaluate(CALLED)
            found[game, moment, wide] = page.evaluate(CUT_WORDS)
    assert {where: cut for where, cut in found.items() if cut} == {}


LONG_NOTE: Final = """([words, size]) => {  // as if the line beside the hand said so
    const note = document.querySelector(".note");
    note.firstChild.textContent = words;
    note.className = `note ${size}`;
    const high = (css) => document.querySelector(css).getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(note);
    const said = range.getBoundingClientRect();
    return [high(".stage").height, said.bottom <= high(".table-foot > .actions").top + 1, said.height];
}"""
BUTTONS: Final = """() => [...document.querySelectorAll(".table-foot .button")].map((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return [each.dataset.key, left, top, right, bottom];
})"""


def test_the_table_stands_still_whatever_is_said_beside_the_hand(visit: Callable[..., Page], page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    begin(visit, page, ONE_DEAL, seed=5, seats="me,easy", first_seat=1)
    expect(page.locator(".hand-actions [data-key=hint]")).to_be_visible()
    sentence = "Same number; different colour and shape. It counts in one more line. "
    short, two, three, four = (page.evaluate(LONG_NOTE, [words, letter_size(len(words), 390 / 16)])
                               for words in ("Pick a card.", sentence[:45], sentence, sentence + sentence[:45]))
    assert short[0] == two[0] == three[0] == four[0], "the stage is as high"
    assert all(one[1] for one in (short, two, three, four)), "no words lie over the buttons"
    assert three[2] <= page.locator(".note").bounding_box()["height"], "two lines have room"  # type: ignore[index]
    for wide, high in SIZES:
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_function(LAID_OUT, arg=wide)
        foot = page.locator(".table-foot").bounding_box()
        buttons = page.evaluate(BUTTONS)
        assert foot is not None and {"hint", "trade"} <= {key for key, *_ in buttons}
        if wide < high:
            assert foot["height"] <= 90
            assert len({(top + bottom) / 2 for _, _, top, _, bottom in buttons}) == 1, "one row of buttons"
        elif high > 480:
            assert foot["height"] <= 60, "and at a desk the words stand in it"
