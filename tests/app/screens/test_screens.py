"""What the shell's screens say: rulebooks as HTML, records as lines, statistics, the archive."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.app.routes import Route, parse
from tabletin.app.screens.far_away import COMMANDS, PLACES, FarAwayScreen
from tabletin.app.screens.history import MOST_FINISHED, MOST_UNFINISHED, HistoryScreen, counts, tallies
from tabletin.app.screens.home import MOST_WAITING, outcome_line, static_page, waiting_line, waiting_list
from tabletin.app.screens.players import PlayersScreen
from tabletin.app.screens.settings import SettingsScreen
from tabletin.app.settings import Settings
from tabletin.app.storage.archive import Unreadable, pack, unpack
from tabletin.app.storage.matches import MatchRecord, MemoryMatches, Row, SingleTab, record_of
from tabletin.app.storage.profiles import Profile, Profiles
from tabletin.app.ui.html import ICONS, esc
from tabletin.app.ui.rulebook import page_of, rulebook_of
from tabletin.app.ui.rulebook_markdown import compile_markdown, inline
from tabletin.kernel.logfile import export
from tabletin.kernel.rules import Outcome
from tabletin.kernel.table import Table
from tabletin.registry import GAMES
from tabletin.words import load
from tests.support.bots_here import played

WORDS = load()


@pytest.fixture(scope="module")
def over() -> tuple[Table, list[Row]]:
    return played()


# ---- home ----


def test_on_the_still_home_the_puzzle_of_the_day_stands_above_the_games_and_friends_below() -> None:
    html = static_page(WORDS)
    places = {link: html.index(link) for link in ('class="far daily"', *(f'data-tin="{game}"' for game in GAMES), 'class="far"')}
    assert sorted(places, key=places.__getitem__) == list(places)


def test_the_still_home_has_a_tin_for_every_game_and_only_icons_that_the_build_takes() -> None:
    html = static_page(WORDS)
    assert 'href="#/league"' in html
    assert 'href="#/players"' in html and WORDS.text("players.link") in html, "who plays here was two taps away"
    assert re.findall(r'data-tin="([\w-]+)"', html) == list(GAMES)
    assert set(re.findall(r"#icon-([\w-]+)", html)) <= set(ICONS)
    for game in GAMES:
        assert f'href="#/{game}/new"' in html


def test_lines_about_matches(over: tuple[Table, list[Row]]) -> None:
    record = record_of(over[0].match, 0.0)
    assert "Easy" in outcome_line(WORDS, record)
    waiting, _ = played(turns=0)
    open_record = record_of(waiting.match, 0.0)
    assert waiting_line(WORDS, open_record) == "with Easy · your turn"
    assert [one["to"] for one in waiting_list(WORDS, [record, open_record])] == [f"#/match/{open_record.id}"]
    many = [replace(open_record, id=str(number)) for number in range(10_000)]  # a file may hold as many
    assert [one["to"] for one in waiting_list(WORDS, [record, *many])] == [f"#/match/{number}" for number in range(MOST_WAITING)]


def test_a_line_names_who_won_and_not_everybody_who_was_there(over: tuple[Table, list[Row]]) -> None:
    record = record_of(over[0].match, 0.0)
    me, bot = record.seats
    three = replace(record, seats=(me, replace(bot, name="Ada"), replace(bot, name="Bruno")))

    def line(*winners: int) -> str:
        return outcome_line(WORDS, replace(three, outcome=Outcome((1, 2, 3), winners, "over")))

    assert line(2) == "You lost to Bruno"
    assert line(1, 2) == "You lost to Ada and Bruno"
    assert line(0, 2) == "You shared the win with Bruno"
    assert line(0) == "You won against Ada and Bruno"


# ---- statistics ----


def test_only_my_own_finished_matches_count(over: tuple[Table, list[Row]]) -> None:
    record = record_of(over[0].match, 0.0)
    assert not counts(record)  # its deal was chosen
    record = replace(record, extra={"me": 0})
    assert counts(record)
    assert record.outcome is not None
    better = -900 if record.outcome.low_wins else 900
    tally = tallies([record, replace(record, outcome=replace(record.outcome, winners=(0,), scores=(better, 1)))])[record.game]
    assert (tally.matches, tally.best) == (2, better)
    for changed in (replace(record, practice=True), replace(record, extra={}), replace(record, outcome=None)):
        assert not counts(changed)


# ---- the list of matches ----


@pytest.mark.parametrize(("most", "is_over"), [(MOST_FINISHED, True), (MOST_UNFINISHED, False)])
def test_older_matches_are_folded_away_until_one_of_them_is_touched(
    over: tuple[Table, list[Row]], most: int, is_over: bool,
) -> None:
    shown = HistoryScreen.__new__(HistoryScreen)
    shown.shell = SimpleNamespace(words=WORDS, describe_time=str)
    first = record_of(over[0].match, 0.0)
    first = first if is_over else replace(first, outcome=None)
    for many in (most, most + 2):
        shown.records = [replace(first, id=f"match{number}") for number in range(many)]
        newest, _, older = shown.lists().partition("<details")
        assert newest.count("<li") == most and older.count("<li") == many - most
    assert older.startswith("><summary>2 older matches</summary>")
    shown.removing = shown.last_removal = f"match{most}"
    assert "<details open>" in shown.lists() and 'id="really-remove"' in shown.lists()
    shown.removing = ""
    assert "<details open>" in shown.lists(), "it was kept, and is still in sight"


def test_every_listed_match_shows_the_lid_of_its_tin_which_stands_once_in_the_page(over: tuple[Table, list[Row]]) -> None:
    shown = HistoryScreen.__new__(HistoryScreen)
    shown.shell = SimpleNamespace(words=WORDS, describe_time=str)
    record = record_of(over[0].match, 0.0)
    shown.records = [replace(record, id=f"match{number}") for number in range(3)]
    html = shown.lists()
    assert html.count(f'<use href="#lid-{record.game}"/>') == 3
    assert html.count(f'<symbol id="lid-{record.game}"') == 1


def test_screens_without_anything_to_show_yet_say_what_to_do() -> None:
    matches, players = HistoryScreen.__new__(HistoryScreen), PlayersScreen.__new__(PlayersScreen)
    matches.shell = players.shell = SimpleNamespace(words=WORDS)
    matches.records, players.profiles = [], Profiles()
    for shown, way in ((matches.lists(), 'href="#/"'), (players.faces(), 'data-do="new"')):
        assert 'class="welcome"' in shown and way in shown
    players.profiles = Profiles((Profile("1", "Ada"),))
    assert 'class="welcome"' not in players.faces() and 'data-do="new"' in players.faces()


# ---- the archive ----


def shelf_with(rows: list[Row], record: MatchRecord) -> MemoryMatches:
    shelf = MemoryMatches()
    asyncio.run(shelf.append(record.id, 0, rows, record))
    return shelf


def test_everything_goes_out_and_comes_in_again(over: tuple[Table, list[Row]]) -> None:
    table, rows = over
    record = record_of(table.match, 5.0)
    text = asyncio.run(pack(shelf_with(rows, record), Settings()))
    empty = MemoryMatches()
    assert asyncio.run(unpack(empty, text)) == (1, 0)
    assert asyncio.run(unpack(empty, text)) == (0, 1)
    found, there = asyncio.run(empty.read(record.id))
    assert [tuple(row) for row in there] == rows
    assert replace(found, update_time=0) == replace(record, update_time=0)


def test_an_open_log_comes_in_as_a_match(over: tuple[Table, list[Row]]) -> None:
    shelf = MemoryMatches()
    assert asyncio.run(unpack(shelf, export(over[0].match))) == (1, 0)
    (record,) = asyncio.run(shelf.records())
    assert record.outcome == over[0].match.outcome


def test_a_wrong_file_changes_nothing(over: tuple[Table, list[Row]]) -> None:
    table, rows = over
    good = json.loads(asyncio.run(pack(shelf_with(rows, record_of(table.match, 5.0)), Settings())))
    def spoiled(change: Any) -> str:
        data = json.loads(json.dumps(good))
        change(data)
        return json.dumps(data)
    wrong = [
        "", "{}", "nonsense", "[]", json.dumps({"form": "tabletin-archive", "version": 99, "matches": []}),
        spoiled(lambda data: data["matches"][0]["rows"].pop(3)),
        spoiled(lambda data: data["matches"][0]["rows"].reverse()),
        spoiled(lambda data: data["matches"][0].pop("created")),
        spoiled(lambda data: data["matches"].append(3)),
        export(table.match)[:-80],
    ]
    for text in wrong:
        shelf = MemoryMatches()
        with pytest.raises(Unreadable):
            asyncio.run(unpack(shelf, text))
        assert asyncio.run(shelf.records()) == []


def test_nothing_is_deleted_while_a_tab_plays_a_match(over: tuple[Table, list[Row]]) -> None:
    """What that tab writes next would stand alone, and could never be opened."""
    table, rows = over
    record = record_of(table.match, 5.0)
    shelf, locks, said = shelf_with(rows, record), SingleTab(), list[str]()

    def nothing(*_: Any) -> None:
        pass

    async def translate() -> None:
        pass

    shell: Any = SimpleNamespace(
        matches=shelf, words=WORDS, context=SimpleNamespace(locks=locks), document=SimpleNamespace(repaint=nothing),
        notices=SimpleNamespace(say=said.append), forget_everything=nothing, translate=translate, go=nothing)

    async def delete() -> int:
        await SettingsScreen(shell, Route("settings")).act("delete", {})
        return len(await shelf.records())

    async def twice() -> None:
        assert await locks.claim(record.id)
        assert await delete() == 1
        locks.release(record.id)
        assert await delete() == 0
        assert await locks.claim(record.id), "it is free again"

    asyncio.run(twice())
    assert said == [WORDS.text("settings.data.in_use"), WORDS.text("settings.data.deleted")]


# ---- rulebooks ----


RULEBOOK = """# Toy

First words
go on here. {#T-1}

## A heading {#T-2}
- one
- two,
  longer {#T-3}

1. first

| a | b |
|---|---|
| 1 | *2* |

:: n1 . / n12 n4 :: Two **lines**.

::: game one
Only here.
:::
::: game other
Only there.
:::
"""


def test_an_empty_head_of_a_table_is_no_head(swap: str) -> None:
    table = compile_markdown("# Toy {#toy}\n\n| | Points |\n|---|---|\n| going out | 30 |\n")
    html = page_of(table, GAMES[swap].module("art"), WORDS, "one").html
    assert "<tr><td></td><th scope=\"col\">Points</th></tr>" in html.replace("\n", "")


def test_the_dialect_of_rulebooks(swap: str) -> None:
    page = page_of(compile_markdown(RULEBOOK), GAMES[swap].module("art"), WORDS, "one")
    html = page.html
    assert page.headings == ((1, "toy", "Toy"), (2, "T-2", "A heading"))
    assert '<p id="T-1" tabindex="-1">First words go on here.</p>' in html
    assert '<h2 id="T-2" tabindex="-1">A heading</h2>' in html
    assert '<ul><li>one</li><li id="T-3" tabindex="-1">two, longer</li></ul>' in html
    assert "<ol><li>first</li></ol>" in html
    assert '<th scope="col">a</th>' in html and "<td><em>2</em></td>" in html
    assert 'aria-label="n1, n12, n4"' in html and "Two <strong>lines</strong>." in html
    assert "Only here." in html and "Only there." not in html
    assert "<h1" not in html


def test_markup_in_a_rulebook_is_only_text() -> None:
    assert inline("<b>&</b> `x*y*z`") == "&lt;b&gt;&amp;&lt;/b&gt; <code>x*y*z</code>"
    assert esc('"<&') == "&quot;&lt;&amp;"


@pytest.mark.parametrize("game", GAMES)
def test_every_rulebook_that_is_there_can_be_read(game: str) -> None:
    if GAMES[game].home.text("rulebook.md") is None:
        pytest.skip(f"{GAMES[game].family} has no rulebook yet")
    page = rulebook_of(game, WORDS)
    anchors = re.findall(r' id="([\w-]+)"', page.html)
    assert len(anchors) == len(set(anchors))
    assert page.headings


@pytest.mark.parametrize(("text", "why"), [
    ("", "not_ours"), ("no JSON", "not_ours"), ('{"form": "other"}', "not_ours"),
    ('{"form": "tabletin-archive", "version": 99}', "version"),
    ('{"form": "tabletin-archive", "version": 1, "matches": [{"rows": []}]}', "damaged"),
    ("[" * 100_000, "damaged"),
])
def test_why_a_file_is_not_taken_in_is_a_sentence(text: str, why: str) -> None:
    with pytest.raises(Unreadable) as error:
        asyncio.run(unpack(MemoryMatches(), text))
    assert error.value.refusal.key == f"settings.data.why.{why}"
    assert WORDS.text(error.value.refusal.key).endswith(".")


# ---- playing far away ----


def test_help_with_playing_far_away_names_every_place_and_two_commands() -> None:
    painted: list[str] = []
    shell: Any = SimpleNamespace(words=WORDS, came_from="#/room/invite?by=link",
                                 document=SimpleNamespace(paint=lambda html, title: painted.append(html)))
    asyncio.run(FarAwayScreen(shell, parse("#/far")).open())
    html, = painted
    for place in PLACES:
        assert esc(WORDS.text(f"far_away.places.{place}.text")) in html
    assert html.count("<code>") == len(COMMANDS) == 2
    assert 'href="#/settings?at=far"' in html
    assert 'href="#/room/invite?by=link"' in html, "and back to where it was needed"


@pytest.mark.parametrize(("came_from", "back"), [
    ("", "#/"), ("#/", "#/"), ("#/room", "#/room"), ("#/room?link=x", "#/room?link=x"), ("#/room/in/x", "#/room/in/x"),
    ("#/match/x", "#/match/x"), ("#/rooms", "#/"), (f"#/{next(iter(GAMES))}/new?seats=me", "#/"), ("room", "#/")])
def test_a_screen_leads_back_to_where_it_was_needed_or_home(came_from: str, back: str) -> None:
    shell: Any = SimpleNamespace(came_from=came_from)
    assert SettingsScreen(shell, Route("settings")).way_back("room", "match") == back
