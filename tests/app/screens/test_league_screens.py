"""What people read of the league: the table, the results and who signed them, the question on a result, a judged file."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabletin.app.routes import parse
from tabletin.app.screens.judge import JudgeScreen
from tabletin.app.screens.league import MOST_AT_ONCE, LeagueScreen
from tabletin.app.screens.match.league_line import LeagueLine
from tabletin.app.screens.settings import SettingsScreen
from tabletin.app.settings import Settings
from tabletin.app.storage.archive import Unreadable, no_worker, pack, unpack
from tabletin.app.storage.league import KEPT_AS, League, LeagueBook
from tabletin.app.storage.matches import MemoryMatches, record_of
from tabletin.app.storage.persistence import row_of
from tabletin.app.storage.profiles import KEPT_AS as PROFILES
from tabletin.app.storage.profiles import Profile, Profiles
from tabletin.cli import main
from tabletin.kernel.faces import Faces
from tabletin.peers.league.file import league_file
from tabletin.peers.league.season import Player
from tabletin.peers.league.signed_result import ResultSignature, SignedResult
from tests.support.examples import ONE_DEAL, short
from tests.support.league import TextsHere, author, result, signed, with_result
from tests.support.peer_screens import Painted
from tests.support.peer_tables import tables
from tests.support.random_matches import between_bots
from tests.support.worker_here import ReplicaHere

OURS = signed(result("Ada", "Bo"))
LATER = signed(result("Bo", "Cleo", match="later"), day="2027-02-01")
OTHER_END = signed(replace(OURS.result, head="ab" * 32, scores=(5, 30), winners=(1,)), day="2026-11-24")
SECOND = "The same people signed another end of this match earlier: only that one counts."
ADA = League(True).meet(author("Ada"), [author("Bo")])


class Page(Painted):
    """A shell with a league. ``announced``: what only screen readers hear; ``focused``: where the focus is."""

    def __init__(self, league: League) -> None:
        super().__init__(_Device())
        self.texts = TextsHere({KEPT_AS: league.to_json(), PROFILES: Profiles((Profile("a", "Ada", "fox", 1),)).to_json()})
        self.league = LeagueBook(self.texts)
        self.parts: dict[str, str] = {}
        self.announced = self.focused = self.said = ""

    def repaint(self, part: str, html: str) -> None:
        self.parts[part] = html
        self.html = html

    def say(self, sentence: str) -> None:
        self.said = sentence

    def announce(self, sentence: str) -> None:
        self.announced = sentence

    def focus(self, part: str) -> None:
        self.focused = part

    def describe_day(self, day: str) -> str:
        return day

    @property
    def words_shown(self) -> str:
        return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.html)))


class _Device:
    """A device without matches."""

    def __init__(self) -> None:
        self.shelf, self.replica = MemoryMatches(), ReplicaHere(1)


async def opened(league: League, address: str = "#/league") -> tuple[Page, LeagueScreen]:
    page = Page(league)
    screen = LeagueScreen(page, parse(address))  # type: ignore[arg-type]
    await screen.open()
    return page, screen


async def test_a_file_whose_league_cannot_be_checked_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says that it changed nothing; so no match of it is taken in either."""
    page = Page(League())
    match = between_bots(ONE_DEAL)
    shelf, record = MemoryMatches(), record_of(match, 5.0)
    await shelf.append(record.id, 0, [row_of(entry, match.knowledge if entry.index == 0 else Faces()) for entry in match.entries],
                       record)
    archive = await pack(shelf, Settings(), TextsHere({KEPT_AS: ADA.add([OURS]).to_json()}))
    screen = SettingsScreen(page, parse("#/settings"))  # type: ignore[arg-type]
    filled: list[int] = []
    monkeypatch.setattr(page, "fill_home", lambda records: filled.append(len(records)), raising=False)
    with monkeypatch.context() as broken:
        broken.setattr(screen, "ask_worker", no_worker)
        await screen.on_file("archive", archive)
    assert await page.matches.records() == [] and filled == []
    assert "Nothing was changed." in page.said
    await screen.on_file("archive", archive)
    assert filled == [1] and len((await page.league.current()).results) == 1


async def test_before_anything_it_says_what_a_league_is_and_asks_to_join() -> None:
    page, screen = await opened(League())
    assert "the league remembers who played" in page.words_shown
    await screen.act("join", {})
    assert (await page.league.current()).is_on
    assert "No match yet." in page.words_shown
    assert "join-league" not in page.html
    screen.close()
    await page.league.change(lambda league: league.add([OURS]))
    assert "No match yet." in page.words_shown, "a screen that is closed draws no more"


async def test_a_season_shows_faces_of_this_device_and_keeps_older_results_folded() -> None:
    many = [signed(result("Ada", "Bo", match=f"match {n}"), day=f"2026-01-{n:02d}") for n in range(1, MOST_AT_ONCE + 4)]
    page, _ = await opened(ADA.add(many))
    table, newest, older = re.split('id="results"|<details><summary>3 older results', page.html, maxsplit=2)
    assert table.count('<svg class="avatar seat-1"') == 1 and '<span class="avatar letter" aria-hidden="true">B</span>' in table
    assert newest.count("<li") == MOST_AT_ONCE and older.split("</ul>")[0].count("<li") == 3


async def test_the_table_of_the_latest_season_and_the_way_to_the_one_before() -> None:
    page, _ = await opened(ADA.add([OURS, LATER]))
    assert "Season 2027" in page.words_shown
    spoken = re.sub(r'<span class="avatar letter" aria-hidden="true">.</span>', "", page.html)
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", spoken)[1:]
    told = [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]
    assert told == ["1. Bo 1 1 3", "2. Cleo never met here 1 0 1"]
    assert "#/league?season=2026" in page.html
    page, _ = await opened(ADA.add([OURS, LATER]), "#/league?season=2026")
    assert "Ada 20, Bo 10. Ada won." in page.words_shown
    assert "Signed by everybody" not in page.words_shown, "it stands there once for all: a match counts once signed"
    assert page.html.count("icon-circle-check") == 1
    assert re.search('class="own"><th scope="row"><div class="who"><span class="rank">1.</span><svg.*?<span class="name">Ada',
                     page.html), "where we stand"


async def test_before_the_first_result_the_way_to_friends_is_there() -> None:
    page, _ = await opened(ADA)
    assert "No match yet." in page.words_shown
    assert 'href="#/room"' in page.html


async def test_what_is_not_signed_by_all_is_shown_as_such_and_does_not_count() -> None:
    page, _ = await opened(ADA.add([signed(OURS.result, "Ada")]))
    assert "Not signed yet by Bo." in page.words_shown
    assert "<table" not in page.html


async def test_a_second_end_of_a_match_is_shown_as_such_and_does_not_count() -> None:
    page, _ = await opened(ADA.add([OURS, OTHER_END]))
    assert page.words_shown.count(SECOND) == 1
    assert page.html.index("Bo 30") < page.html.index("another end of this match") < page.html.index("Bo 10")


async def test_a_name_at_two_devices_is_told_apart() -> None:
    other = replace(OURS.result, match="ab" * 32, seats=(OURS.result.seats[0], replace(OURS.result.seats[1], name="Ada")))
    page, _ = await opened(ADA.add([OURS, signed(other)]))
    assert f'Ada <span class="quiet">{author("Ada")[:4]}</span>' in page.html
    assert f'Ada <span class="quiet">{author("Bo")[:4]}</span>' in page.html


def named(name: str, key: str) -> tuple[SignedResult, Player]:
    """A match against Bo of somebody called ``name`` at a device whose key begins with ``key``; and that player."""
    player = Player(name, key.ljust(64, "0"))
    made = result("Cleo", "Bo", match=f"of {name} {key}")
    made = replace(made, seats=(replace(made.seats[0], name=name, author=player.author), made.seats[1]))
    signatures = dict.fromkeys(made.signers, ResultSignature("2026-11-23", "00" * 64))
    return SignedResult(made, signatures), player


async def test_nobody_is_taken_for_another_whose_key_begins_alike() -> None:
    """A key that begins with four given digits is made in no time."""
    (one, ada), (two, false) = named("Ada", "abcd1"), named("Ada", "abcd2")
    page, screen = await opened(ADA.add([one, two]))
    assert (screen.mark(ada), screen.mark(false)) == ("abcd1", "abcd2")
    assert 'Ada <span class="quiet">abcd1</span>' in page.html and 'Ada <span class="quiet">abcd2</span>' in page.html


async def test_nor_for_another_whose_name_looks_the_same() -> None:
    (one, plain), (two, other) = named("Ada \u2b50", "1234"), named("Ada \u2b50\ufe0f", "5678")
    _, screen = await opened(ADA.add([one, two]))
    assert (screen.mark(plain), screen.mark(other)) == ("1234", "5678")
    _, alone = await opened(ADA.add([one]))
    assert alone.mark(plain) == ""


async def test_names_are_only_text() -> None:
    seats = (OURS.result.seats[0], replace(OURS.result.seats[1], name="<b onclick=x>"))
    page, _ = await opened(ADA.add([signed(replace(OURS.result, seats=seats))]))
    assert "<b onclick" not in page.html
    assert "&lt;b onclick" in page.html


async def test_somebody_is_hidden_and_shown_again() -> None:
    page, screen = await opened(ADA.add([OURS, LATER]))
    data = {"name": "Cleo", "author": author("Cleo")}
    await screen.act("hide", data)
    assert "Season 2026" in page.words_shown
    assert "Show Cleo" in page.words_shown
    await screen.act("unhide", data)
    assert "Season 2027" in page.words_shown


async def test_it_goes_out_as_a_file_and_comes_in_again_with_what_holds() -> None:
    page, screen = await opened(ADA.add([OURS, LATER]))
    await screen.act("hand_out", {})
    assert page.files == [league_file(ADA.add([OURS, LATER]).shown_results)]
    forged = with_result(signed(result("Ada", "Cleo", match="forged")), winners=(1,))
    other, there = await opened(League(True))
    await there.on_file("league", league_file([OURS, forged, signed(LATER.result, "Bo")]))
    assert "1 result loaded. Not valid: 2." in other.said
    assert [one.result for one in (await other.league.current()).results] == [OURS.result]
    page, there = await opened(League(True))
    await there.on_file("league", league_file([UNREADABLE, OURS, forged, UNREADABLE]))
    assert page.said == "1 result loaded. Not valid: 1. 2 results could not be read."
    await there.on_file("league", "nonsense")
    assert "could not be loaded" in page.said


async def test_it_is_deleted_after_a_question_and_left() -> None:
    page, screen = await opened(ADA.add([OURS]))
    await screen.act("ask_delete", {})
    assert page.focused == "keep-league"
    await screen.act("keep", {})
    assert len((await page.league.current()).results) == 1
    await screen.act("stop", {})
    assert (await page.league.current()).is_on is False
    assert "Ada" in page.words_shown
    await screen.act("ask_delete", {})
    await screen.act("delete", {})
    assert await page.league.current() == League()


async def test_a_result_asks_once_and_then_says_who_has_signed() -> None:
    async with tables(ONE_DEAL, [1, 2], options=short(ONE_DEAL)) as match:
        await match.play(400, Random(1))
        await match.until(lambda: all(session.match.outcome is not None and not session.status.missing_signers
                                      for session in match.sessions))
        session = match.sessions[0]
        page = Page(League())
        session.context = replace(session.context, league=lambda: page.league)
        line = LeagueLine(page, session)  # type: ignore[arg-type]
        await line.begin()
        assert "Should your matches count in a family league?" in page.words_shown
        await line.answer(joins=False)
        assert "#/league" in page.parts["league"], "who thinks better of it finds the way"
        assert "igned" not in page.words_shown
        await line.answer(joins=True)
        assert "Family league: Not signed yet by P1." in page.words_shown
        (own,) = (await page.league.current()).results
        other = match.devices[1].replica
        theirs = await sign_at(match.sessions[1], other)
        await page.league.change(lambda league: league.add([theirs]))
        assert "Family league: Signed by everybody who played." in page.words_shown
        assert own.result == theirs.result
        line.close()
        await page.league.change(lambda league: League())
        assert "Signed by everybody" in page.words_shown


async def sign_at(session: Any, replica: ReplicaHere) -> SignedResult:
    from tabletin.peers.worker.calls import SignResult

    return (await replica.call(SignResult("2026-11-23"), session.match.id)).result_as(SignedResult)


# ---- judging ----

UNREADABLE = with_result(signed(result("Ada", "Bo", match="unreadable")), game="no-such-game")
FORGED = with_result(signed(result("Ada", "Bo", match="forged")), scores=(0, 999), winners=(1,))
FORGED_END = with_result(signed(OURS.result, day="2026-11-01"), head="cd" * 32)
HALF = signed(result("Ada", "Bo", match="half"), "Ada")
NAMESAKES = replace(result("Ada", "Bo", match="namesakes"), seats=tuple(replace(seat, name="Ada") for seat in OURS.result.seats))


async def test_the_page_judges_a_league() -> None:
    page = Page(League())
    screen = JudgeScreen(page, parse("#/judge"))  # type: ignore[arg-type]
    await screen.on_file("judged", league_file([OURS, LATER]))
    assert "2 results, each signed by everybody who played." in page.words_shown
    await screen.on_file("judged", league_file([OURS, FORGED, HALF]))
    assert "2 results do not count." in page.words_shown
    assert "Ada 0, Bo 999. Bo won. The signature of Ada and Bo is false. It does not count." in page.words_shown
    await screen.on_file("judged", league_file([OURS, UNREADABLE]))
    assert "1 result does not count." in page.words_shown
    assert "Signed by everybody who played. 1 result could not be read." in page.words_shown
    await screen.on_file("judged", league_file([FORGED_END, OTHER_END, OURS]))
    assert "2 results do not count." in page.words_shown
    assert f"Bo 30. Bo won. Signed by everybody who played. {SECOND}" in page.words_shown
    assert page.words_shown.count(SECOND) == 1
    await screen.on_file("judged", league_file([OURS])[:-9])
    assert "That could not be read." in page.words_shown


@pytest.mark.parametrize(("results", "status", "said"), [
    ([OURS, LATER], 0, ["2026-11-23, {game}: Ada 20, Bo 10. Ada won. Signed by everybody who played.",
                        "2027-02-01, {game}: Bo 20, Cleo 10. Bo won. Signed by everybody who played.",
                        "2 results, each signed by everybody who played."]),
    ([HALF], 1, ["2026-11-23, {game}: Ada 20, Bo 10. Ada won. Not signed yet by Bo. It does not count before that.",
                 "1 result does not count."]),
    ([signed(NAMESAKES, "Ada")], 1, ["2026-11-23, {game}: Ada (Seat 1) 20, Ada (Seat 2) 10. Ada (Seat 1) won. Not signed yet by "
                                     "Ada (Seat 2). It does not count before that.", "1 result does not count."]),
    ([FORGED], 1, ["2026-11-23, {game}: Ada 0, Bo 999. Bo won. The signature of Ada and Bo is false. It does not count.",
                   "1 result does not count."]),
    ([OTHER_END, OURS], 1, [f"2026-11-24, {{game}}: Ada 5, Bo 30. Bo won. Signed by everybody who played. {SECOND}",
                            "2026-11-23, {game}: Ada 20, Bo 10. Ada won. Signed by everybody who played.",
                            "1 result does not count."]),
    ([FORGED_END, OURS], 1, ["2026-11-01, {game}: Ada 20, Bo 10. Ada won. The signature of Ada and Bo is false. It does not "
                             "count.",
                             "2026-11-23, {game}: Ada 20, Bo 10. Ada won. Signed by everybody who played.",
                             "1 result does not count."]),
    ([UNREADABLE, OURS, UNREADABLE], 1, ["2026-11-23, {game}: Ada 20, Bo 10. Ada won. Signed by everybody who played.",
                                         "2 results could not be read.", "2 results do not count."])])
def test_the_command_line_judges_a_league(results: list[SignedResult], status: int, said: list[str], tmp_path: Path,
                                          capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "league.json"
    file.write_text(league_file(results), "utf-8")
    assert main(["judge", str(file)]) == status
    assert capsys.readouterr().out.splitlines() == [line.format(game=ONE_DEAL) for line in said]


@pytest.mark.parametrize("text", [league_file([OURS])[:-20], league_file([OURS]).replace('"version":1', '"version":2'),
                                  league_file([OURS]).replace('"winners":[0]', '"winners":[7]')])
def test_the_command_line_refuses_what_is_no_league(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "league.json"
    file.write_text(text, "utf-8")
    assert main(["judge", str(file)]) == 1
    assert capsys.readouterr().err.startswith("tabletin: ")


async def test_a_file_of_ours_for_another_place_is_not_called_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor none of ours."""
    archive, league = await pack(MemoryMatches(), Settings()), league_file([OURS])
    accusation = '{"against":"' + "a" * 64 + '","exhibits":["' + "x" * 9_000 + '"],"form":"tabletin-accusation","version":1}'
    elsewhere = "It is another kind of Tabletin file."
    page, screen = await opened(League(True))
    for text in (archive, accusation):
        await screen.on_file("league", text)
        assert elsewhere in page.said
        page.said = ""
    judging = Page(League())
    await JudgeScreen(judging, parse("#/judge")).on_file("judged", archive)  # type: ignore[arg-type]
    assert elsewhere in judging.words_shown and "That could not be read." in judging.words_shown
    for text in (league, accusation):
        with pytest.raises(Unreadable, match="elsewhere"):
            await unpack(MemoryMatches(), text)
    file = tmp_path / "file.json"
    for command, text in (("judge", archive), *((command, text) for command in ("verify", "show")
                                                for text in (archive, league, accusation))):
        file.write_text(text, "utf-8")
        assert main([command, str(file)]) == 1
        assert capsys.readouterr().err.startswith(f"tabletin: {elsewhere}")
