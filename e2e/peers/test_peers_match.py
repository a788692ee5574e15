"""Sealed matches between browsers, at the table: dealt among them, moves of one appear on the others."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.support.peer_tables import HALF, Far, agree, by_fresh_code, connect, deal, to_the_end, two
from e2e.support.rooms import expect_hand
from e2e.support.site import PATIENCE, Process
from e2e.support.tables import QUICK, do_as_hinted, settings
from tabletin.registry import GAMES, rules_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, WIDEST, one_a_family

pytestmark = pytest.mark.shares_pages

STORED = """async () => {
    const opened = await new Promise((resolve) => {
        const asked = indexedDB.open("tabletin");
        asked.onsuccess = () => resolve(asked.result);
    });
    const all = (store) => new Promise((resolve) => {
        const asked = opened.transaction(store).objectStore(store).getAll();
        asked.onsuccess = () => resolve(asked.result);
    });
    const kept = [];
    for (const store of opened.objectStoreNames) kept.push(await all(store));
    opened.close();
    return JSON.stringify(kept) + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage });
}"""
CACHED = """async () => {
    const texts = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) texts.push(request.url, await (await cache.match(request)).text());
    }
    return texts.join("\\n");
}"""
COUNTS = {game: rules_of(game).seat_counts for game in GAMES}
HANDS = [(game, 2, 90 if game == WIDEST else 2000) for game in one_a_family(2)]
MANY = [(game, peers, 2000 if peers < 6 or game != WIDEST else 60) for game, counts in COUNTS.items()
        for peers in dict.fromkeys((max(2, counts[0]), max(2, (counts[0] + counts[-1]) // 2), counts[-1]))]
SOURCE = (Path(__file__).parents[1] / "support" / "in_page" / "peer_page.py").read_text("utf-8")
LOOKS = f"""
import gc
import json

{next(str(ast.get_source_segment(SOURCE, part)) for part in ast.parse(SOURCE).body
      if isinstance(part, ast.FunctionDef) and part.name == "memory_holds")}

honest = call

async def looked(text):
    asked = json.loads(text.partition("\\n")[0])
    if asked["do"] == "memory_holds":
        return memory_holds(asked["cards"])
    return await honest(text)

sync.call = looked
"""


def test_two_browsers_play_a_sealed_match_and_have_it_judged(
    new_device: Callable[..., Page], axe: Callable[[Page], list[str]], tmp_path: Path,
) -> None:
    anna, ben = Far(new_device()).open(), Far(new_device()).open()
    connect(anna, ben)
    deal([anna, ben], ONE_DEAL, HALF)
    expect(anna.page.locator(".table-screen.my-turn")).to_be_visible()
    for far in (anna, ben):
        expect_hand(far.page)
    do_as_hinted(anna.page)
    expect(ben.page.locator(".table-screen.my-turn")).to_be_visible()
    expect(ben.page.locator(".log-button", has_text="Player 1").first).to_be_visible()
    for number, far in enumerate((anna, ben)):
        far.do("play", number, 100)
    for far in (anna, ben):
        far.until("state.over", patience=3 * PATIENCE)
        expect(far.page.locator(".actions [data-key=result]")).to_be_visible()
    agree([anna, ben])
    both = set(anna.state["knows"]) & set(ben.state["knows"])  # traded by one, drawn by the other (IO-7)
    assert all(anna.state["shown"][str(card)] == 0b11 for card in both)
    assert anna.state["accused"] == ben.state["accused"] == []
    assert axe(anna.page) == []
    anna.page.locator(".peer-bar [href$=sealed]").click()
    expect(anna.page.locator(".padlock .steps")).to_be_visible()
    assert axe(anna.page) == []
    with anna.page.expect_download() as saved:
        anna.page.locator("#save-log").click()
    saved.value.save_as(tmp_path / "log.jsonl")
    ben.page.locator(".actions [data-key=result]").click()
    expect(ben.page.locator(".ranking")).to_be_visible()
    ben.page.evaluate("location.hash = '#/judge'")
    ben.page.set_input_files("#judged", tmp_path / "log.jsonl")
    expect(ben.page.locator("#verdict")).to_contain_text("Everything in this log holds.")
    assert axe(ben.page) == []


@pytest.mark.parametrize(("game", "peers", "length"), [
    *(pytest.param(*hand, marks=[] if hand[0] == ONE_DEAL else [pytest.mark.wide]) for hand in HANDS),
    *(pytest.param(*many, marks=pytest.mark.wide) for many in MANY)])
def test_a_hand_of_each_family_and_of_every_game(new_device: Callable[..., Page], game: str, peers: int, length: int) -> None:
    """Whole hands; of the game for the most players, whose hands are long where nobody thinks, the first turns but once."""
    fars = [Far(new_device()).open() for _ in range(peers)]
    connect(*fars)
    deal(fars, game)
    for far in fars:
        far.until("state.requests === 0 && state.entries > 3")
    for number, far in enumerate(fars):
        far.do("play", number, 1000, length)
    for far in fars:
        far.until("!state.playing", patience=3 * PATIENCE)
    agree(fars)
    for far in fars:
        state = far.state
        assert state["accused"] == []
        assert state["entries"] > 15


@pytest.mark.keeps_site
def test_a_page_that_is_reloaded_comes_back_by_itself_guest_and_host(new_device: Callable[..., Page]) -> None:
    fars = two(new_device)
    for number, far in enumerate(fars):
        far.do("play", number, 2)
    agree(fars)
    for far in reversed(fars):
        for one in fars:
            one.until("state.returns")
        before = far.state
        far.reload()
        assert far.state["entries"] >= before["entries"]
        assert far.state["knows"] == before["knows"]
        for number, one in enumerate(fars):
            one.do("play", number, 1)
        agree(fars)
    to_the_end(fars)


@pytest.mark.wide
def test_a_killed_browser_goes_on_from_the_home_page(
    new_device: Callable[..., Page], process: Callable[..., Process],
) -> None:
    anna, first = Far(new_device()).open(), process(profile="ben")
    ben = Far(first.page).open()
    connect(anna, ben)
    deal([anna, ben], ONE_DEAL, HALF)
    for number, far in enumerate((anna, ben)):
        far.until("state.requests === 0 && state.entries > 3")
        far.do("play", number, 2)
    agree([anna, ben])
    head, knows = ben.state["head"], ben.state["knows"]
    first.kill()
    expect(anna.page.locator(".peer.away")).to_be_visible()
    again = process(profile="ben")
    again.page.locator(".waiting-matches a").first.click()
    ben = Far(again.page).enter()
    ben.table()
    expect(ben.page.locator("#peer-bar")).to_contain_text("Waiting for Player 1")
    by_fresh_code(anna, ben)
    ben.until("state.ready")
    assert (ben.state["head"], ben.state["knows"]) == (head, knows)
    expect(anna.page.locator(".peer.here")).to_be_visible()
    for number, far in enumerate((anna, ben)):
        far.do("play", number, 100)
    for far in (anna, ben):
        far.until("state.over", patience=3 * PATIENCE)
    agree([anna, ben])


@pytest.mark.wide  # tests/networks kills them in midst of a match
def test_a_browser_killed_as_it_sits_down_comes_back_by_itself(
    new_device: Callable[..., Page], process: Callable[..., Process],
) -> None:
    anna, first = Far(new_device()).open(), process(profile="ben")
    ben = Far(first.page).open()
    connect(anna, ben)
    for far in (anna, ben):
        far.page.wait_for_function("far.can_return()", timeout=PATIENCE, polling=50)
    deal([anna, ben], ONE_DEAL, HALF)
    place = str(first.page.evaluate("location.hash"))
    first.kill()
    again = process(place, profile="ben")
    ben = Far(again.page).enter()
    ben.table()
    for far in (anna, ben):
        far.until("state.ready && state.requests === 0 && state.entries > 3")
    for number, far in enumerate((anna, ben)):
        far.do("play", number, 1)
    agree([anna, ben])
    assert anna.state["accused"] == ben.state["accused"] == []


@pytest.mark.keeps_site
def test_a_device_holds_no_face_that_its_seat_may_not_know(altered_device: Callable[[str], Page]) -> None:
    """Not its page, nor its Python's memory, nor its worker's, nor anything it stores."""
    fars = two(lambda: altered_device(LOOKS), ONE_DEAL, {})
    for number, far in enumerate(fars):
        far.do("play", number, 3)
    agree(fars)
    for far, other in (fars, fars[::-1]):
        hidden = json.loads(other.do("hidden_from", far.author))
        assert len(hidden) >= 4  # the hand, and what was traded under the pile
        text = json.dumps(hidden)
        assert json.loads(other.do("memory_holds", text)) == [card for card, _, _ in sorted(hidden)]  # the search finds
        assert json.loads(far.do("memory_holds", text)) == []
        assert json.loads(other.do("worker_holds", text)) == [card for card, _, _ in sorted(hidden)]
        assert json.loads(far.do("worker_holds", text)) == []
        page = far.page.evaluate("document.documentElement.outerHTML")
        kept = far.page.evaluate(STORED)
        assert far.state["id"] not in far.page.evaluate(CACHED)  # the site's own files, nothing of a match
        for _card, face, name in hidden:
            if face != "wild":  # there are two, and one may lie open
                assert name not in page
                assert f'"{face}"' not in kept
                assert f'\\"{face}\\"' not in kept
        mine = json.loads(far.do("hidden_from", other.author))
        assert all(face in kept for _, face, _ in mine)  # its own are there, so what was searched is what is kept


def test_taking_back_asks_the_other_and_goes_back_when_they_agree(new_device: Callable[..., Page]) -> None:
    fars = two(new_device, MANY_HANDS, {})
    for far in fars:
        settings(far.page, QUICK)  # nothing is drawn by itself: what followed could not be taken back
    lay_one(fars)
    undo = next(far for far in fars if far.page.locator(".hand-actions [data-key=undo]").count())
    other = next(far for far in fars if far is not undo)
    before = undo.state["entries"]
    undo.page.locator(".hand-actions [data-key=undo]").press("Enter")  # a click so soon after it came is not taken
    other.page.locator("#refuse-back").click()
    expect(undo.page.locator("#peer-bar .notice")).to_contain_text("rather go on")
    undo.page.locator(".hand-actions [data-key=undo]").press("Enter")
    other.page.locator("#agree-back").click()
    for far in fars:
        far.until("state.entries >= given", before + 2)
        expect(far.page.locator(".spoken")).to_contain_text("took a move back")
    agree(fars)


def lay_one(fars: list[Far]) -> None:
    """Play on until somebody's last act opened a piece and can be taken back."""
    told = []
    for turn in range(60):  # asking for doubles, from the highest down, may take both a while
        states = [far.state for far in fars]
        ways = [far.page.locator(".hand-actions [data-key=undo]").count() for far in fars]
        told.append([(state["entries"], state["opened"], state["acting"], way) for state, way in zip(states, ways, strict=True)])
        if states[0]["opened"] and any(ways):
            return
        mover = next(far for far, state in zip(fars, states, strict=True) if set(state["acting"]) & set(state["people"]))
        mover.do("play", turn, 1)
        mover.until("!state.playing")
        agree(fars)
    raise AssertionError(f"nobody could take anything back: {told}")
