"""The people of a device: kept, chosen, renamed, deleted, merged with those of a file, and whose matches are whose."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin.app.routes import Route
from tabletin.app.screens.player_statistics import FinishedMatch, badges, new_badges, statistics
from tabletin.app.screens.players import PlayersScreen
from tabletin.app.settings import Settings
from tabletin.app.storage.archive import MOST_KEYS, pack, unpack, unpack_texts
from tabletin.app.storage.hint_counts import KEPT_AS as HINTS
from tabletin.app.storage.hint_counts import HintCounts
from tabletin.app.storage.matches import MatchRecord, MemoryMatches, record_of
from tabletin.app.storage.profiles import KEPT_AS, MOST, Profile, Profiles
from tabletin.app.storage.puzzle_progress import KEPT_AS as PUZZLES
from tabletin.app.storage.puzzle_progress import MOST_DAYS, Progress
from tabletin.app.storage.turn_bests import KEPT_AS as TURNS
from tabletin.app.storage.turn_bests import MOST as MOST_TURNS
from tabletin.app.storage.turn_bests import TurnBest, TurnBests
from tabletin.kernel.rules import Outcome
from tabletin.kernel.setup import Seat
from tabletin.words import load
from tests.support.bots_here import played

ADA, BO = Profile("a", "Ada", "fox", 2), Profile("b", "Bo", "cat", 0)
BOTH = Profiles((ADA, BO), "b")


class Texts:
    """Small texts in memory."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts

    def keep(self, key: str, text: str | None) -> None:
        self.texts = {name: one for name, one in {**self.texts, key: text}.items() if one is not None}

    def recall(self, key: str) -> str | None:
        return self.texts.get(key)

    async def keep_at_once(self, key: str, text: str | None) -> None:
        self.keep(key, text)

    async def swap_at_once(self, key: str, before: str | None, text: str | None) -> bool:
        raise NotImplementedError

    async def recall_at_once(self, key: str) -> str | None:
        return self.recall(key)


class Silent:
    """A document that shows nothing, and notices that nobody hears."""

    def __init__(self) -> None:
        self.files: list[str] = []

    def paint(self, html: str, title: str) -> None:
        pass

    def repaint(self, part: str, html: str) -> None:
        pass

    def focus(self, name: str) -> None:
        pass

    def announce(self, sentence: str) -> None:
        pass

    def hand_out(self, name: str, text: str) -> None:
        self.files.append(text)


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    """A finished match of Ada against a bot, which Ada won."""
    found = record_of(played()[0].match, 0.0)
    seats = (Seat("person", "table", "Ada"), Seat("bot", "table", "Ida", "hard"))
    outcome = Outcome((9, 4), (0,), "kernel.won")
    return replace(found, seats=seats, extra={"me": 0}, outcome=outcome, update_time=86_400.0 * 3)


def test_profiles_are_kept_and_read_again() -> None:
    assert Profiles.from_json(BOTH.to_json()) == BOTH
    assert Profiles.from_json(None) == Profiles()


@pytest.mark.parametrize("text", [
    "", "{", "[]", "3", '{"people": 3}', '{"people": [3, {}, {"id": "a"}, {"id": "", "name": "x"}]}',
    '{"people": [{"id": "a", "name": "  "}]}'])
def test_what_cannot_be_read_is_nobody(text: str) -> None:
    assert Profiles.from_json(text) == Profiles()


def test_nobody_is_there_twice_and_there_are_not_too_many() -> None:
    people = [{"id": str(number // 2), "name": f"P{number}", "colour": 99} for number in range(60)]
    found = Profiles.from_json(json.dumps({"people": people, "chosen": "0"}))
    assert len(found.people) == MOST and len({one.id for one in found.people}) == MOST
    assert all(0 <= one.colour < 6 for one in found.people)
    assert found.with_profile(Profile("new", "New")).find("new") is None


def test_choosing_renaming_and_deleting() -> None:
    assert BOTH.current == BO
    assert BOTH.choose("nobody").current is None
    renamed = ADA.rename("  Adela ")
    assert (renamed.name, renamed.names) == ("Adela", ("Ada",))
    assert renamed.rename("Ada").names == ("Adela",)
    assert ADA.rename("   ") == ADA
    changed = BOTH.with_profile(renamed)
    assert [one.name for one in changed.people] == ["Adela", "Bo"]
    assert changed.is_name_of_somebody("Ada") and not changed.is_name_of_somebody("Cy")
    assert BOTH.remove("b") == Profiles((ADA,)) and BOTH.remove("a").current == BO


def test_a_match_belongs_to_whoever_sat_there_under_that_name(record: MatchRecord) -> None:
    assert ADA.seat_in(record) == 0 and BO.seat_in(record) is None
    assert ADA.rename("Adela").seat_in(record) == 0, "a new name keeps the old matches"
    assert Profile("i", "Ida").seat_in(record) is None, "a bot is nobody's"
    elsewhere = replace(record, author="here", seats=(replace(record.seats[0], author="there"), record.seats[1]))
    assert ADA.seat_in(elsewhere) is None, "an Ada at another device is another one"


def test_matches_of_guests_are_nobodys(record: MatchRecord) -> None:
    """A guest is called by the page, and so was somebody new once: neither name says who it was."""
    guest = replace(record, seats=(replace(record.seats[0], name="Player 2"), record.seats[1]))
    ben = Profile("c", "Player 2").rename("Ben")
    assert (ben.names, ben.seat_in(guest)) == ((), None)
    kept = json.dumps({"people": [{"id": "c", "name": "Ben", "names": ["Player 2", "Benno"]}]})
    assert Profiles.from_json(kept).people == (Profile("c", "Ben", names=("Benno",)),)


def test_a_name_is_remembered_only_where_somebody_played_under_it(record: MatchRecord) -> None:
    async def names(*records: MatchRecord) -> list[tuple[str, ...]]:
        texts, matches = Texts(), MemoryMatches()
        for one in records:
            await matches.append(one.id, 0, [("{}", "")], one)
        shell: Any = SimpleNamespace(texts=texts, words=load(), matches=matches, document=Silent(), notices=Silent())
        page = PlayersScreen(shell, Route("players"))
        await page.open()
        found = []
        for _ in range(2):
            await page.act("new", {})
            (born,) = (one for one in page.profiles.people if one.id == page.shown_player)
            assert not born.name.startswith("Player"), "as a guest is called"
            for name in ("Ada", "Adela"):
                await page.on_change("name", name)
            found.append(next(one.names for one in page.profiles.people if one.id == born.id))
            await page.on_change("name", f"Somebody {len(found)}th")
        assert len({one.animal for one in page.profiles.people}) == 2
        return found

    assert asyncio.run(names()) == [(), ()]
    assert asyncio.run(names(record)) == [("Ada",), ("Ada",)]


def test_somebody_new_is_called_as_nobody_is_or_was() -> None:
    async def names() -> list[str]:
        shell: Any = SimpleNamespace(texts=Texts(), words=load(), matches=MemoryMatches(), document=Silent(), notices=Silent())
        page = PlayersScreen(shell, Route("players"))
        await page.open()
        for _ in range(MOST):
            await page.act("new", {})
        first = page.profiles.people[0]
        page.shown_player = first.id
        await page.on_change("animal", "fox")
        assert page.profiles.find(first.id) == replace(first, animal="fox"), "there is a fox already"
        page.keep(page.profiles.remove(page.profiles.people[3].id))
        await page.on_change("animal", "fox")
        return [one.name for one in page.profiles.people]

    found = asyncio.run(names())
    assert len(set(found)) == MOST - 1 and "Cat B" in found


def test_statistics_count_what_counts(record: MatchRecord) -> None:
    lost = replace(record, outcome=Outcome((30, 40), (1,), "kernel.won"), update_time=1.0)
    others = [replace(record, practice=True), replace(record, outcome=None), replace(record, extra={"seed": 3}),
              replace(record, outcome=replace(record.outcome, unfinished=True) if record.outcome else None)]
    found = statistics(ADA, [record, lost, *others])
    assert (found.matches, found.wins) == (2, 1)
    assert found.games[record.game].best == 30
    assert statistics(BO, [record]).matches == 0


def test_who_was_shown_a_turn_by_a_hint_did_not_beat_hard_alone(record: MatchRecord) -> None:
    def has_badge(*hinted: str) -> bool:
        return next(badge.is_earned for badge in statistics(ADA, [record], hinted).badges if badge.key == "hard")
    assert has_badge() and has_badge("another match") and not has_badge(record.id)
    assert statistics(ADA, [record], [record.id]).wins == 1, "the match counts all the same"


def test_turns_that_hints_laid_out_are_kept_with_care() -> None:
    taken = HintCounts().add_turn("a").add_turn("b").add_turn("a")
    assert taken.turns == {"b": 1, "a": 2} and HintCounts.from_json(taken.to_json()) == taken
    for text in (None, "", "no", "[3]", '{"a": 0, "b": true, "c": "1", "d": 10000000}'):
        assert not HintCounts.from_json(text).turns
    for number in range(400):
        taken = taken.add_turn(str(number))
    there = HintCounts({"a": 2, "b": 1})
    assert HintCounts({"a": 1, "c": 3}).merge(there).turns == {"a": 2, "b": 1, "c": 3}
    assert there.of_matches(["b", "z"]).turns == {"b": 1}
    texts = Texts(**{HINTS: HintCounts({"a": 1}).to_json()})
    unpack_texts(texts, asyncio.run(pack(MemoryMatches(), Settings(), Texts(**{HINTS: there.to_json()}))), date(2026, 1, 7))
    assert HintCounts.from_json(texts.recall(HINTS)) == there
    assert len(taken.turns) == 300 and "399" in taken.turns and "a" not in taken.turns


def test_every_badge_can_be_earned_and_none_comes_by_itself(record: MatchRecord) -> None:
    assert not any(badge.is_earned for badge in badges([]))
    assert record.outcome is not None
    won = FinishedMatch(record, record.outcome, 0)
    lost = FinishedMatch(record, replace(record.outcome, winners=(1,)), 0)
    def earned(matches: list[FinishedMatch]) -> set[str]:
        return {badge.key for badge in badges(matches) if badge.is_earned}
    assert earned([won]) == {"first", "win", "hard"}
    assert earned([won, won, lost, won]) == {"first", "win", "hard"}
    assert earned([won, won, won]) == {"first", "win", "hard", "row"}
    assert earned([lost] * 5) == {"first", "brave"}
    days = [FinishedMatch(replace(record, update_time=86_400.0 * day), lost.outcome, 0) for day in range(7)]
    assert "days" in earned(days) and "days" not in earned(days[1:])
    crowd = FinishedMatch(replace(record, seats=record.seats[:1] * 4), lost.outcome, 0)
    assert "crowd" in earned([crowd])
    assert next(badge for badge in badges([won]) if badge.key == "tin").have == 1


def test_a_badge_is_new_with_the_match_that_earned_it_and_stays_so(record: MatchRecord) -> None:
    first, second, third = (replace(record, id=str(number), update_time=float(number)) for number in (1, 2, 3))
    def keys(one: MatchRecord, *others: MatchRecord) -> list[str]:
        return [badge.key for badge in new_badges(ADA, one, [one, *others])]
    assert keys(first) == ["first", "win", "hard"]
    assert [badge.key for badge in new_badges(ADA, first, [first], {first.id})] == ["first", "win"], "a hint laid out a turn"
    assert keys(first, second, third) == ["first", "win", "hard"], "opened again later"
    assert (keys(second, first), keys(third, second, first)) == ([], ["row"])
    assert keys(replace(second, practice=True), first) == [] and not new_badges(BO, first, [first])


@pytest.mark.parametrize(("place", "days"), [("UTC", 2), ("PST8", 1), ("JST-9", 1)])
def test_a_day_is_one_of_the_place_where_one_plays(
        record: MatchRecord, monkeypatch: pytest.MonkeyPatch, place: str, days: int) -> None:
    """Two matches around midnight in Greenwich: one evening in America, one morning in Japan."""
    monkeypatch.setenv("TZ", place)
    time.tzset()
    try:
        assert record.outcome is not None
        midnight = 20_000 * 86_400.0
        matches = [FinishedMatch(replace(record, update_time=midnight + wait), record.outcome, 0) for wait in (-600.0, 600.0)]
        assert next(badge for badge in badges(matches) if badge.key == "days").have == days
    finally:
        monkeypatch.undo()
        time.tzset()


def test_an_archive_brings_people_puzzles_and_best_turns_along_and_loses_nobody() -> None:
    today = date(2026, 1, 7)
    there = Progress().after_solving(today - timedelta(days=1), today - timedelta(days=1)).after_solving(today, today)
    here = Progress().after_miss(today).after_miss(today).after_solving(today, today)
    far, near = (TurnBests({("a", "g", kind): TurnBest(n, "", False, "m", False) for kind, n in found.items()})
                 for found in ({"run": 7, "out": 2}, {"run": 5, "out": 4, "cards": 3}))
    text = asyncio.run(pack(MemoryMatches(), Settings(), Texts(
        **{KEPT_AS: BOTH.to_json(), PUZZLES: there.to_json(), TURNS: far.to_json()})))
    texts = Texts(**{KEPT_AS: Profiles((ADA.rename("Adela"),), "a").to_json(), PUZZLES: here.to_json(), TURNS: near.to_json()})
    unpack_texts(texts, text, today)
    people = Profiles.from_json(texts.recall(KEPT_AS))
    assert [one.name for one in people.people] == ["Adela", "Bo"] and people.chosen_id == "a"
    solved = Progress.from_json(texts.recall(PUZZLES))
    assert solved.tries(today) == 1 and solved.is_solved(today - timedelta(days=1))
    assert (solved.row_on(today), solved.longest) == (2, 2)
    assert [best.n for best in TurnBests.from_json(texts.recall(TURNS)).turns_of("a", "g").values()] == [7, 4, 3]
    for other in ("", "[]", "{}", '{"texts": 3}', '{"texts": {"tabletin.profiles": 3}}', '{"form":"tabletin-log"}'):
        unpack_texts(texts, other, today)
    assert Profiles.from_json(texts.recall(KEPT_AS)) == people


def test_one_person_goes_out_alone_and_comes_in_on_another_device() -> None:
    async def move() -> None:
        store, page = MemoryMatches(), Silent()
        table, rows = played()
        own = record_of(table.match, 0.0)
        own = replace(own, seats=(replace(own.seats[0], name=ADA.name), *own.seats[1:]))
        other, more = played(turns=1)
        names = (Seat("person", "table", "Somebody else"), *other.match.setup.seats[1:])
        await store.append(own.id, 0, rows, own)
        await store.append(other.match.id, 0, more, replace(record_of(other.match, 0.0), seats=names))
        turns = TurnBests({(whose, "g", "run"): TurnBest(7, "", False, "m", False) for whose in ("a", "b")})
        hints = HintCounts({own.id: 2, other.match.id: 3})
        texts = Texts(**{KEPT_AS: BOTH.to_json(), TURNS: turns.to_json(), PUZZLES: "{}", HINTS: hints.to_json()})
        shell: Any = SimpleNamespace(texts=texts, words=load(), matches=store, document=page, notices=page)
        screen = PlayersScreen(shell, Route("players"))
        await screen.open()
        await screen.act("show", {"player": "a"})
        await screen.act("hand_out", {})
        (text,) = page.files
        assert set(json.loads(text)["texts"]) == {KEPT_AS, TURNS, HINTS} and '"Bo"' not in text and "Somebody else" not in text
        there, kept = MemoryMatches(), Texts()
        assert await unpack(there, text) == (1, 0)
        unpack_texts(kept, text, date(2026, 1, 7))
        assert [record.id for record in await there.records()] == [own.id]
        assert Profiles.from_json(kept.recall(KEPT_AS)).people == (ADA,)
        assert set(TurnBests.from_json(kept.recall(TURNS)).turns) == {("a", "g", "run")}
        assert HintCounts.from_json(kept.recall(HINTS)).turns == {own.id: 2}, "nothing of a match that stays here"

    asyncio.run(move())


def test_a_file_changes_nothing_of_who_is_here_and_claims_no_nameless_matches() -> None:
    long = "x" * 32
    people = [{"id": f"{long}1", "name": "Twin"}, {"id": f"{long}2", "name": "Twin"}, {"id": 'a"<b', "name": "Sign"},
              {"id": "\ud800", "name": "Half"}, {"id": "b", "name": "Bo", "names": ["", "\u200b", "Bob"]}]
    assert Profiles.from_json(json.dumps({"people": people})).people == (Profile("b", "Bo", names=("Bob",)),)


def test_days_yet_to_come_in_a_file_push_out_no_day_that_was_solved() -> None:
    today = date(2026, 11, 23)
    here = Progress()
    for day in (today - timedelta(days=1), today):
        here = here.after_solving(day, day)
    no_days = [f"zzzzzzzz{number:02d}" for number in range(MOST_DAYS)]
    late_days = [f"2099-{number // 28 + 1:02d}-{number % 28 + 1:02d}" for number in range(MOST_DAYS)]
    for days in (no_days, late_days):
        there = {"solutions": dict.fromkeys(days, 1), "misses": dict.fromkeys(days, 10**4000), "last": days[-1], "row": 9}
        texts = Texts(**{PUZZLES: here.to_json()})
        unpack_texts(texts, json.dumps({"texts": {PUZZLES: json.dumps(there)}}), today)
        found = Progress.from_json(texts.recall(PUZZLES))
        assert (found.is_solved(today), found.row_on(today)) == (True, 2)
        assert set(found.solutions) == set(here.solutions) and not found.misses


def test_a_small_text_of_a_file_with_very_many_keys_is_as_if_it_were_not_there() -> None:
    """Keys can be chosen so that each is compared with all others."""
    today = date(2026, 11, 23)
    solved = Progress().after_solving(today, today)
    there = json.loads(solved.to_json())
    for more, expected in ((0, True), (MOST_KEYS, False)):
        texts = Texts()
        there["misses"] = dict.fromkeys((f"day {number}" for number in range(more)), 0)
        unpack_texts(texts, json.dumps({"texts": {PUZZLES: json.dumps(there)}}), today)
        assert Progress.from_json(texts.recall(PUZZLES)).is_solved(today) is expected


def test_best_turns_of_a_file_that_are_too_many_push_out_none_that_is_here() -> None:
    best = TurnBest(1, "", False, "m", True)
    here = TurnBests({("a", "g", "run"): best, ("a", "g", "out"): best})
    there = TurnBests({("b", "g", str(n)): best for n in range(MOST_TURNS)} | {("a", "g", "run"): best})
    merged = here.merge(there)
    assert len(merged.turns) == MOST_TURNS and here.turns.keys() <= merged.turns.keys()
    one_more = merged.add_marks("c", "g", "m", ())
    assert here.turns.keys() <= one_more.turns.keys()


def test_two_tabs_lose_nothing_of_each_other() -> None:
    async def write() -> Profiles:
        texts = Texts()
        shell: Any = SimpleNamespace(texts=texts, words=load(), matches=MemoryMatches(), document=Silent(), notices=Silent())
        one, two = (PlayersScreen(shell, Route("players")) for _ in range(2))
        for tab in (one, two):
            await tab.open()
        await one.act("new", {})
        await two.act("new", {})
        await one.on_change("name", "Ada")
        await two.on_change("name", "Bo")
        return Profiles.from_json(texts.recall(KEPT_AS))

    assert [one.name for one in asyncio.run(write()).people] == ["Ada", "Bo"]


def test_a_page_draws_what_was_played(record: MatchRecord) -> None:
    async def draw() -> str:
        texts, matches = Texts(**{KEPT_AS: Profiles((ADA,)).to_json()}), MemoryMatches()
        await matches.append(record.id, 0, [("{}", "")], record)
        shell: Any = SimpleNamespace(texts=texts, words=load(), matches=matches, document=Silent(), notices=Silent())
        page = PlayersScreen(shell, Route("players"))
        await page.open()
        return page.page()

    drawn = asyncio.run(draw())
    assert 'class="lid"' in drawn and 'class="tally"' in drawn and 'class="earned"' in drawn


def test_where_nothing_can_be_kept_people_stay_while_the_page_is_open() -> None:
    async def write() -> Profiles:
        texts = SimpleNamespace(recall=lambda key: None, keep=lambda key, text: None)
        shell: Any = SimpleNamespace(texts=texts, words=load(), matches=MemoryMatches(), document=Silent(), notices=Silent())
        page = PlayersScreen(shell, Route("players"))
        await page.open()
        await page.act("new", {})
        await page.on_change("name", "Ada")
        return page.profiles

    assert [one.name for one in asyncio.run(write()).people] == ["Ada"]


def test_an_archive_without_texts_has_none() -> None:
    assert "texts" not in json.loads(asyncio.run(pack(MemoryMatches(), Settings())))
