"""Every screen of the shell as a person meets it: readable to axe in both schemes, large enough to hit, by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.support.layout import OVERFLOW, TOO_SMALL
from e2e.support.shell import take_in, to
from e2e.support.site import VIEWPORTS, until
from e2e.support.tables import tab_to
from tabletin.app.storage.matches import local_id
from tabletin.app.ui.rulebook import rulebook_of
from tabletin.kernel.logfile import export
from tabletin.words import load
from tests.support.bots_here import played
from tests.support.examples import ONE_DEAL, WIDEST, name_of

POINTS = re.findall(r' id="([A-Z]+-\d+)"', rulebook_of(ONE_DEAL, load()).html)[4:6]  # two rulings, with a page above them
SCREENS = ("#/", f"#/{ONE_DEAL}/new", f"#/{ONE_DEAL}/rules", "#/settings", "#/matches", "#/players", "#/far", "#/nowhere",
           "result", f"#/{WIDEST}/new", f"#/{ONE_DEAL}/room")


@pytest.fixture(scope="module")
def finished() -> tuple[str, str]:
    """A finished match: its open log, and its name on a device."""
    match = played()[0].match
    return export(match), local_id(match.id)


@pytest.fixture
def every_screen(visit: Callable[..., Page], finished: tuple[str, str]) -> tuple[Page, list[str]]:
    """A page that has a finished and an unfinished match, and all addresses of the shell."""
    page = visit("#/settings")
    take_in(page, finished[0])
    page.get_by_role("button", name="Put away").click()
    to(page, f"#/{ONE_DEAL}/new")
    page.locator("#play").click()
    expect(page.locator(".table-screen")).to_be_visible()
    return page, [f"#/match/{finished[1]}/result" if screen == "result" else screen for screen in SCREENS]


def sizes(page: Page, name: str) -> tuple[object, object]:
    """What is too small to tap on that screen, and by how much it runs over its width."""
    width, height = VIEWPORTS[name]
    page.set_viewport_size({"width": width, "height": height})
    return page.evaluate(TOO_SMALL), page.evaluate(OVERFLOW)


@pytest.mark.shares_pages
def test_on_a_desk_axe_finds_nothing_controls_are_large_enough_and_nothing_overflows(
    every_screen: tuple[Page, list[str]], axe: Callable[[Page], list[str]],
) -> None:
    page, addresses = every_screen
    found = {}
    for address in addresses:
        to(page, address)
        found[address] = (*sizes(page, "desktop"), axe(page))
    assert found == dict.fromkeys(addresses, ([], 0, []))


@pytest.mark.shares_pages
@pytest.mark.browser_context_args(has_touch=True)
def test_by_touch_controls_are_large_enough_and_text_twice_as_large_still_fits_a_phone(
    every_screen: tuple[Page, list[str]],
) -> None:
    page, addresses = every_screen
    found = {}
    for address in addresses:
        to(page, address)
        found[address] = [sizes(page, name) for name in ("phone", "tablet")]
    assert found == {address: [([], 0)] * 2 for address in addresses}
    sizes(page, "phone")
    to(page, "#/settings")
    page.get_by_role("radio", name="200%").check()
    page.wait_for_function("getComputedStyle(document.documentElement).fontSize === '32px'")
    for language in ("en", "de"):  # German words are long
        page.locator("#language").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))
        over = {}
        for address in addresses:
            to(page, address)
            over[address] = page.evaluate(OVERFLOW)
        assert over == dict.fromkeys(addresses, 0), language
        to(page, "#/settings")


@pytest.mark.shares_pages
def test_from_home_to_playing_by_keyboard(visit: Callable[..., Page]) -> None:
    page = visit("#/")
    tab_to(page, f"[data-tin={ONE_DEAL}] .open")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=name_of(ONE_DEAL))).to_be_focused()
    tab_to(page, "#play")
    page.keyboard.press("Enter")
    expect(page.locator(".table-screen")).to_be_visible()


def test_two_taps_from_a_cold_link_to_playing(visit: Callable[..., Page]) -> None:
    page = visit()
    page.locator(f"[data-tin={ONE_DEAL}] .open").click()
    page.locator("#play").click()
    expect(page.locator(".table-screen")).to_be_visible()


def test_what_is_tapped_before_python_happens_when_it_is_there(page: Page, visit: Callable[..., Page]) -> None:
    held: list[Route] = []
    let_through: list[bool] = []
    page.route("**/library.*.zip", lambda route: route.continue_() if let_through else held.append(route))
    visit(wait=False)
    page.locator(f"[data-tin={ONE_DEAL}] .open").click()
    expect(page.get_by_role("heading", level=1, name=name_of(ONE_DEAL))).to_be_focused()
    page.go_back()
    page.get_by_role("link", name="Settings").click()
    expect(page.locator("#laying")).to_contain_text("the tin is being opened", use_inner_text=True)
    until(page, lambda: held)
    let_through.append(True)
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_focused()
    expect(page.locator("#laying")).to_be_hidden()


@pytest.mark.shares_pages
def test_a_tin_looks_tapped_at_once_and_no_longer_when_somebody_is_back(visit: Callable[..., Page]) -> None:
    """Its screen takes a moment, with Python, too."""
    page = visit("#/")
    tin = page.locator(f"[data-tin={ONE_DEAL}] .open")
    assert tin.evaluate("(link) => { link.click(); return link.getAttribute('aria-busy'); }") == "true"
    expect(page.locator("#play")).to_be_visible()
    page.go_back()
    expect(tin).to_be_visible()
    expect(page.locator("a[aria-busy]")).to_have_count(0)


@pytest.mark.shares_pages
def test_a_press_outlives_a_redraw(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{ONE_DEAL}/new")
    play = page.locator("#play")
    play.hover()
    page.mouse.down()
    expect(play).to_be_focused()
    quick = page.locator("input[name=preset]").first
    about = page.locator("#preset-about").inner_text()
    quick.evaluate("(radio) => { radio.checked = true; radio.dispatchEvent(new Event('change', { bubbles: true })); }")
    expect(page.locator("#preset-about")).not_to_have_text(about)
    expect(play).to_be_focused()
    page.mouse.up()
    expect(page.locator(".table-screen")).to_be_visible()


@pytest.mark.shares_pages
def test_a_redraw_keeps_what_is_there(visit: Callable[..., Page]) -> None:
    """Fields that are written in, what lies open, what has the focus; and what is to change, changes."""
    page = visit("#/nowhere")
    kept = page.evaluate("""() => {
        const box = document.body.appendChild(document.createElement("div"));
        const html = (name, more) => `<p role="status">Waiting for ${name}</p><details><summary>People</summary>${more}</details>
            <ol>${more}<li data-chair="0"><button id="remove" data-author="${name}">Remove ${name}</button></li>
            <li data-chair="1"><select name="who"><option value="me">me<option value="far" ${more && "selected"}>far</select>
            <input type="checkbox" id="box" ${more && "checked"}></li></ol><input type="text" id="line" value="">`;
        tabletin.renew(box, html("Bo", ""));
        const parts = ["p", "details", "#line", "select", "#remove"].map((one) => box.querySelector(one));
        const [told, people, line, who, remove] = parts;
        people.open = true;
        line.focus();
        line.value = "half a wo";
        tabletin.renew(box, html("Bo", "<li>new</li>"));
        const now = parts.map((one) => box.contains(one));
        const writing = document.activeElement === line && line.value === "half a wo";
        tabletin.renew(box, html("Cleo", ""));
        box.remove();
        return { now, writing, open: people.open, told: told.textContent, who: who.value, same: box.contains(told),
                 chairs: box.querySelectorAll("li").length, another: !box.contains(remove),
                 checked: box.querySelector("#box").checked };
    }""")
    assert kept == {"now": [True] * 5, "writing": True, "open": True, "told": "Waiting for Cleo", "who": "me", "chairs": 2,
                    "another": True, "checked": False, "same": True}


@pytest.mark.shares_pages
@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, has_touch=True)
def test_on_a_phone_the_puzzle_of_the_day_and_four_games_are_seen_at_once(visit: Callable[..., Page]) -> None:
    page = visit("#/")
    expect(page.locator("#puzzle-line")).to_contain_text("★")  # written later, and moves nothing away
    for seen in (page.locator("#home a.daily"), *page.locator(".tin .lid").all()[:4]):
        expect(seen).to_be_in_viewport(ratio=1)


@pytest.mark.shares_pages
@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, has_touch=True)
def test_on_a_phone_the_ways_from_home_say_where_they_lead(visit: Callable[..., Page]) -> None:
    page = visit("#/")
    for word in page.locator(".masthead nav span").all():
        box = word.bounding_box()
        assert box is not None and box["width"] > 30, word.inner_text()
    tops = page.evaluate("[...document.querySelectorAll('.masthead nav a')].map((way) => way.getBoundingClientRect().top)")
    assert len(tops) == 4 and len(set(tops)) == 1, "in one line"


@pytest.mark.shares_pages
def test_a_screen_reader_hears_what_a_switch_is_for_once(visit: Callable[..., Page]) -> None:
    page = visit("#/settings")
    sound = page.get_by_role("switch", name="Sound and touch", exact=True)
    expect(sound).to_have_accessible_description(load().text("settings.sound.help"))
    expect(page.get_by_role("group", name="Pace")).to_have_accessible_description(load().text("settings.pace.help"))
    page.locator("#sound-help").click()
    expect(sound).to_be_checked()


@pytest.mark.shares_pages
def test_a_date_has_its_year_only_where_it_is_another_one(visit: Callable[..., Page]) -> None:
    page = visit("#/settings")
    log = export(played()[0].match)
    take_in(page, log)
    to(page, "#/matches")
    about = page.locator("#matches .played-matches .quiet").first
    expect(about).not_to_contain_text(str(date.today().year))
    expect(about).to_contain_text(str(date.today().day))


@pytest.mark.shares_pages
def test_back_leads_back(visit: Callable[..., Page]) -> None:
    page = visit("#/")
    page.locator(f"[data-tin={ONE_DEAL}] .rules").click()
    expect(page.get_by_role("heading", level=1, name=f"Rules of {name_of(ONE_DEAL)}")).to_be_focused()
    page.go_back()
    expect(page.locator("#home h1")).to_be_focused()
    assert page.title() == "Tabletin"


@pytest.mark.shares_pages
def test_the_result_tells_who_won_and_leads_to_its_best_moments(every_screen: tuple[Page, list[str]],
                                                               finished: tuple[str, str]) -> None:
    page, _ = every_screen
    to(page, f"#/match/{finished[1]}/result")
    scores = [int(text) for text in page.locator(".ranking .score").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    page.locator(".best a").first.click()
    expect(page.locator(".table-screen")).to_be_visible()
    assert "/replay?at=" in page.url
    to(page, f"#/match/{finished[1]}/result")
    page.get_by_role("button", name="Once more").click()
    expect(page.locator(".table-screen")).to_be_visible()
    assert finished[1] not in page.url


@pytest.mark.shares_pages
def test_beside_a_replay_the_log_shows_where_it_is(visit: Callable[..., Page], finished: tuple[str, str]) -> None:
    page = visit("#/settings")
    page.set_viewport_size({"width": 1280, "height": 800})
    take_in(page, finished[0])
    to(page, f"#/match/{finished[1]}/replay")
    current = page.locator(".log-button[aria-current=true]")
    page.get_by_role("button", name="Earlier").click()
    expect(current).to_be_in_viewport()
    late = current.inner_text()
    page.get_by_role("slider").press("Home")
    for _ in range(4):
        page.get_by_role("button", name="Later").click()
    expect(current).to_have_count(1)
    expect(current).to_be_in_viewport()
    assert current.inner_text() != late


@pytest.mark.shares_pages
def test_rules_are_searched_and_opened_at_a_point(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{ONE_DEAL}/rules?at={POINTS[1]}")
    expect(page.locator(f"[id='{POINTS[1]}']")).to_be_focused()
    expect(page.locator(f"[id='{POINTS[1]}']")).to_be_in_viewport()
    page.get_by_label("Search the rules").fill("card")
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_be_in_viewport()
    assert page.locator("mark").count() > 3
    page.get_by_label("Search the rules").fill("xyzzy")
    expect(page.locator("mark")).to_have_count(0)
    expect(page.locator("#found")).to_have_text("Found 0 times.")


@pytest.mark.shares_pages
def test_rules_opened_from_a_match_lead_back_to_it(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{ONE_DEAL}/new")
    page.locator("#play").click()
    expect(page.locator(".table-screen")).to_be_visible()
    match = page.url
    for point in POINTS:
        page.evaluate(f"(point) => {{ location.hash = `#/{ONE_DEAL}/rules?at=${{point}}`; }}", point)
        expect(page.locator(f"[id='{point}']")).to_be_focused()
    page.get_by_role("link", name="Back to the match").click()
    expect(page.locator(".table-screen")).to_be_visible()
    assert page.url == match


def test_settings_hold_at_once_and_after_a_reload(visit: Callable[..., Page]) -> None:
    page = visit("#/settings")
    page.get_by_role("radio", name="Evening").check()
    background = "getComputedStyle(document.documentElement).backgroundColor"
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    dark = page.evaluate(background)
    page.get_by_role("radio", name="Day").check()
    page.wait_for_function("document.documentElement.dataset.theme === 'light'")
    assert page.evaluate(background) != dark
    page.get_by_role("radio", name="Evening").check()
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.route("**/*.wasm", lambda route: None)  # never arrives: the page dresses without Python
    page.reload(wait_until="commit")
    expect(page.locator("#laying")).to_be_visible()
    assert page.evaluate(background) == dark


@pytest.mark.shares_pages
def test_an_address_that_leads_nowhere_says_so(visit: Callable[..., Page]) -> None:
    page = visit("#/chess/new")
    expect(page.get_by_role("alert")).to_contain_text("/chess/new")
    page.get_by_role("link", name="To the tin").click()
    expect(page.locator("#home h1")).to_be_focused()


@pytest.mark.shares_pages
def test_a_match_that_is_not_here_says_so(visit: Callable[..., Page]) -> None:
    page = visit("#/match/0123456789abcdef")
    expect(page.get_by_role("alert")).to_contain_text("no such match")
