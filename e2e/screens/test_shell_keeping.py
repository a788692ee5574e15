"""Nothing is lost: choices and matches come back, one tab plays, blocked or full storage is said and play goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Page, expect

from e2e.support.layout import OVERFLOW
from e2e.support.page_python import get_inside
from e2e.support.player import Player, Pointer
from e2e.support.shell import take_in, to
from e2e.support.site import VIEWPORTS, Served, eventually, ready
from tabletin.app.storage.matches import local_id
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.logfile import export
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tests.support.bots_here import played
from tests.support.examples import ONE_DEAL, name_of, query, short
from tests.support.rigged_logs import altered

BEGIN = query({**short(ONE_DEAL), "seats": "me,easy"})  # a short match, in which I begin
KEPT = """async (name) => { const text = await tabletinStore.read(name); return text && JSON.parse(text).rows.length; }"""


def begin(page: Page) -> str:
    """Press Play; the new match's name."""
    page.locator("#play").click()
    expect(page.locator(".table-screen")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def take_turn(page: Page) -> None:
    """Make one move, whatever lies there. The bot may have answered when this is done."""
    expect(page.locator(".my-turn")).to_be_visible()
    get_inside(page)
    Player(page, Pointer()).act()


def let_go(page: Page) -> None:
    """Wait until the match that was left is on disk and nobody's any more."""
    eventually(page, "async () => (await navigator.locks.query()).held.every(({ mode }) => mode === 'shared')")


@pytest.mark.shares_pages
def test_a_link_sets_the_match_up(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{ONE_DEAL}/new?seats=me,hard,person")
    values = [page.get_by_label(f"Who plays seat {n}").input_value() for n in (1, 2, 3)]
    assert values == ["me", "hard", "person"]
    expect(page.get_by_label("Open hands")).to_be_visible()


@pytest.mark.firefox
@pytest.mark.keeps_site
@pytest.mark.parametrize("way", ["reload", "kill"])
def test_a_page_closed_in_mid_match_resumes(visit: Callable[..., Page], context: BrowserContext, served: Served,
                                            way: str) -> None:
    page = visit(f"#/{ONE_DEAL}/new?{BEGIN}")
    name = begin(page)
    take_turn(page)
    expect(page.locator(".my-turn")).to_be_visible()
    eventually(page, "async (name) => JSON.parse(await tabletinStore.read(name)).record.acting[0] === 0", name)
    rows = page.evaluate(KEPT, name)
    hand = sorted(page.locator(".piece[data-key^=c]").evaluate_all("all => all.map(one => one.dataset.key)"))
    if way == "reload":
        page.reload()
    else:
        page.close(run_before_unload=False)
        page = context.new_page()
        page.goto(served.address)
    ready(page)
    if way == "kill":
        page.locator("#unfinished a").click()
    expect(page.locator(".my-turn")).to_be_visible()
    assert sorted(page.locator(".piece[data-key^=c]").evaluate_all("all => all.map(one => one.dataset.key)")) == hand
    assert page.evaluate(KEPT, name) == rows
    take_turn(page)
    expect(page.locator(".my-turn")).to_be_visible()
    eventually(page, "async ([name, rows]) => JSON.parse(await tabletinStore.read(name)).rows.length > rows", [name, rows])


@pytest.mark.firefox
@pytest.mark.keeps_site
def test_an_unfinished_match_waits_on_the_home_page_even_before_python(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{ONE_DEAL}/new")
    name = begin(page)
    page.evaluate("location.hash = '#/'")
    expect(page.locator("#unfinished a")).to_have_attribute("href", f"#/match/{name}")
    page.route("**/*.wasm", lambda route: None)  # never arrives
    page.reload(wait_until="commit")
    expect(page.locator("#unfinished a")).to_have_attribute("href", f"#/match/{name}")
    expect(page.locator("#unfinished a .lid")).to_be_visible()


@pytest.mark.shares_pages
def test_what_was_done_is_said_on_the_next_screen_and_not_for_ever(visit: Callable[..., Page], page: Page) -> None:
    visit("#/settings")
    take_in(page, export(played()[0].match))
    to(page, "#/matches")
    expect(page.locator("#notices .notice")).to_have_count(1)
    to(page, "#/far")
    expect(page.locator("#notices .notice")).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.wide)])
def test_unfinished_matches_are_one_row_however_many(visit: Callable[..., Page], page: Page, size: str) -> None:
    width, height = VIEWPORTS[size]
    page.set_viewport_size({"width": width, "height": height})
    page.route("**/*.wasm", lambda route: None)  # never arrives: the page shows what it remembers
    waiting = [{"to": f"#/match/{n}", "game": ONE_DEAL, "title": "A game", "line": "with Ada and Bruno · your turn",
                "label": "Play on"} for n in range(9)]
    page.add_init_script(f"localStorage.setItem('tabletin.waiting', {json.dumps(json.dumps(waiting))})")
    visit(wait=False)
    matches = page.locator("#unfinished a")
    expect(matches).to_have_count(len(waiting))
    assert len({box["y"] for one in matches.all() if (box := one.bounding_box())}) == 1
    assert page.evaluate(OVERFLOW) == 0
    tin = page.locator("#tins-title").bounding_box()
    assert tin is not None
    assert tin["y"] < height
    matches.last.focus()
    expect(matches.last).to_be_in_viewport(ratio=0.9)


@pytest.mark.firefox
@pytest.mark.keeps_site
def test_a_second_tab_looks_on_and_plays_when_the_first_is_closed(visit: Callable[..., Page], context: BrowserContext,
                                                                  served: Served) -> None:
    first = visit(f"#/{ONE_DEAL}/new?{BEGIN}")
    name = begin(first)
    second = context.new_page()
    second.goto(f"{served.address}#/match/{name}")
    ready(second)
    expect(second.locator("#elsewhere")).to_contain_text("open in another tab")
    take_turn(first)
    expect(first.locator(".my-turn")).to_be_visible()
    first.close()
    expect(second.locator("#elsewhere")).to_be_empty()
    expect(second.locator(".my-turn")).to_be_visible()
    before = second.evaluate(KEPT, name)
    take_turn(second)
    expect(second.locator(".my-turn")).to_be_visible()
    eventually(second, "async ([name, before]) => JSON.parse(await tabletinStore.read(name)).rows.length > before",
               [name, before])


@pytest.mark.firefox
def test_without_storage_it_says_so_and_plays_on(visit: Callable[..., Page], context: BrowserContext) -> None:
    context.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); }")
    page = visit(f"#/{ONE_DEAL}/new?{BEGIN}")
    begin(page)
    expect(page.locator("#notices")).to_contain_text("saves nothing")
    page.get_by_role("button", name="Put away").click()
    take_turn(page)
    expect(page.locator(".my-turn")).to_be_visible()
    expect(page.locator("#notices")).to_be_empty()  # said once


def test_without_room_it_says_so_once_and_keeps_everything_when_there_is(visit: Callable[..., Page],
                                                                         context: BrowserContext) -> None:
    page = visit(f"#/{ONE_DEAL}/new?{BEGIN}")
    page.evaluate("""() => { const { add } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.add = function (...given) {
            if (window.room) return add.apply(this, given);
            throw new DOMException('full', 'QuotaExceededError');
        } }""")
    name = begin(page)
    expect(page.locator("#notices")).to_contain_text("This device is full")
    assert page.evaluate(KEPT, name) is None
    page.evaluate("window.room = true")
    take_turn(page)
    expect(page.locator(".my-turn")).to_be_visible()
    eventually(page, "async (name) => await tabletinStore.read(name) !== null", name)


@pytest.mark.shares_pages
def test_everything_is_saved_deleted_and_taken_in_again(visit: Callable[..., Page]) -> None:
    page = visit("#/settings")
    match = played()[0].match
    file = FilePayload(name="match.jsonl", mimeType="application/json", buffer=export(match).encode())
    page.set_input_files("#archive", file)
    expect(page.locator("#notices")).to_contain_text("1 match was loaded")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save everything").click()
    saved = download.value.path()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.locator("#notices")).to_contain_text("Everything is deleted")
    expect(page.locator("#played")).to_be_hidden()
    page.evaluate("location.hash = '#/settings'")
    page.set_input_files("#archive", saved)
    expect(page.locator("#notices .notice").last).to_contain_text("1 match was loaded")
    page.evaluate("location.hash = '#/'")
    expect(page.locator("#played a")).to_have_attribute("href", f"#/match/{local_id(match.id)}/result")


@pytest.mark.shares_pages
def test_a_wrong_file_is_refused_with_a_sentence(visit: Callable[..., Page]) -> None:
    page = visit("#/settings")
    page.set_input_files("#archive", FilePayload(name="x.json", mimeType="application/json", buffer=b"{}"))
    expect(page.locator("#notices")).to_contain_text("could not be loaded")
    forged = altered(export(played()[0].match), header={"seat": 0}, faces=lambda faces: faces.clear())
    page.set_input_files("#archive", FilePayload(name="x.jsonl", mimeType="application/json", buffer=forged.encode()))
    expect(page.locator("#notices .notice").last).to_contain_text("that were dealt are missing: the file was changed.")


@pytest.mark.shares_pages
def test_a_damaged_match_stays_and_can_be_handed_out(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{ONE_DEAL}/new")
    name = begin(page)
    page.evaluate("location.hash = '#/'")
    expect(page.locator("#unfinished a")).to_be_visible()
    let_go(page)
    page.evaluate("""async (name) => {
        const { record, rows } = JSON.parse(await tabletinStore.read(name));
        await tabletinStore.remove(name);
        rows[2][0] = rows[2][0].replace('"kind":"deal"', '"kind":"undo"');
        await tabletinStore.append(name, 0, rows, JSON.stringify(record));
    }""", name)
    page.evaluate("(name) => { location.hash = `#/match/${name}`; }", name)
    expect(page.get_by_role("alert")).to_contain_text("can’t be opened")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save it as a file").click()
    assert name in download.value.suggested_filename


@pytest.mark.shares_pages
def test_one_match_is_deleted_when_asked_twice(visit: Callable[..., Page]) -> None:
    page = visit(f"#/{ONE_DEAL}/new")
    name = begin(page)
    page.evaluate("location.hash = '#/matches'")
    page.get_by_role("button", name=f"Delete {name_of(ONE_DEAL)}").click()
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name=f"Delete {name_of(ONE_DEAL)}").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.locator("#matches")).to_contain_text("Nothing was played")
    assert page.evaluate(KEPT, name) is None


def dealt(**extra: object) -> Table:
    """A match of mine against a bot, in which nobody has moved; its file names ``extra``."""
    rules = rules_of(ONE_DEAL)
    seats = (Seat("person", AUTHOR, "Ada"), Seat("bot", AUTHOR, "Bo", "easy"))
    return Table.begin(rules, Setup(ONE_DEAL, rules.version, short(ONE_DEAL), seats, extra=extra), OpenDealer(Random(1)))


@pytest.mark.shares_pages
def test_no_file_breaks_the_lists_or_the_people_of_a_device(visit: Callable[..., Page]) -> None:
    """A match that names no seat as mine, a best turn of a kind without words, numbers without end."""
    page = visit("#/settings")
    table = dealt(me=[0])
    table.resign(1)
    take_in(page, export(table.match))
    turn = {"badge": "no.such.kind", "is_least_best": False, "match": "m", "is_first": True}
    texts = {
        "tabletin.profiles": {"people": [{"id": "a", "name": "Ada"}], "chosen": "a"},
        "tabletin.turns": [["a", ONE_DEAL, kind, turn | {"n": n}] for kind, n in (("run", 5), ("out", 10**4000))],
        "tabletin.puzzle": {"solutions": {"2099-01-01": 10**4000}, "last": "2099-01-01", "row": 10**4000},
    }
    archive = {"form": "tabletin-archive", "version": 1, "settings": {}, "matches": [],
               "texts": {key: json.dumps(text) for key, text in texts.items()}}
    file = FilePayload(name="all.json", mimeType="application/json", buffer=json.dumps(archive).encode())
    page.set_input_files("#archive", file)
    expect(page.locator("#notices .notice").last).to_contain_text("0 matches were loaded")
    to(page, "#/matches")
    expect(page.locator("#matches .played-matches a")).to_have_count(1)
    to(page, "#/players")
    expect(page.locator(".face")).to_contain_text("Ada")
    page.evaluate("location.hash = '#/'")
    expect(page.locator("#played a")).to_be_visible()


@pytest.mark.shares_pages
def test_what_one_seat_saw_of_a_match_can_only_be_watched(visit: Callable[..., Page]) -> None:
    page = visit("#/settings")
    table = dealt(me=0)
    take_in(page, export(table.match, 1))
    page.evaluate("(name) => { location.hash = `#/match/${name}`; }", local_id(table.match.id))
    expect(page.locator("#elsewhere")).to_contain_text("Only what one seat saw of this match is here")
    expect(page.locator(".table-screen")).to_be_visible()
    expect(page.locator(".my-turn")).to_have_count(0)


@pytest.mark.shares_pages
def test_tabs_lose_nothing_that_another_one_set(visit: Callable[..., Page], context: BrowserContext, served: Served) -> None:
    """A helper that was switched off stays off, though the other tab knew it as switched on."""
    one = visit("#/settings")
    other = context.new_page()
    other.goto(f"{served.address}#/settings")
    ready(other)
    one.get_by_label("Evening").check()
    eventually(other, "() => document.documentElement.dataset.theme === 'dark'")
    other.get_by_label("Slate").check()
    eventually(one, "() => JSON.parse(localStorage['tabletin.settings']).cloth === 'slate'")
    assert one.evaluate("JSON.parse(localStorage['tabletin.settings']).theme") == "dark"
    for number, page in enumerate((one, other)):
        to(page, "#/players")
        page.locator("#new-player").click()
        page.locator("#name").fill(f"P{number}")
        page.locator("#player-done").click()
    people = "JSON.parse(localStorage['tabletin.profiles']).people.map(({ name }) => name).join()"
    eventually(one, f"() => {people} === 'P0,P1'")
