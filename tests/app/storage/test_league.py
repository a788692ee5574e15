"""The league of a device: what it lets in, keeps, hides and forgets, and how it goes out as a file and comes in again."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import date
from itertools import combinations

import pytest

from tabletin.app.settings import Settings
from tabletin.app.storage.archive import archived_league, pack
from tabletin.app.storage.league import KEPT_AS, MOST_PLAYERS, MOST_RESULTS, League, LeagueBook, sound_results
from tabletin.app.storage.matches import MemoryMatches
from tabletin.peers.identity import Ed25519
from tabletin.peers.league.collection import ResultCollection
from tabletin.peers.league.file import league_file, read_league_file
from tabletin.peers.league.season import Player
from tabletin.peers.league.signed_result import ResultSignature, SignedResult, signed_bytes
from tests.support.league import TextsHere, author, result, signed, with_result
from tests.support.worker_here import ReplicaHere

TODAY = date(2026, 11, 23)
OURS = signed(result("Ada", "Bo"))
THEIRS = signed(result("Bo", "Cleo", match="theirs"))
STRANGE = signed(result("Cleo", "Dan", match="strange"))
ADA = League(True).meet(author("Ada"), [author("Bo")])


# ---- what may come in ----


def test_a_result_comes_in_if_everybody_signed_it_and_somebody_in_it_was_met() -> None:
    assert ADA.wants(OURS, TODAY)
    assert ADA.wants(THEIRS, TODAY)
    assert not ADA.wants(STRANGE, TODAY)
    assert League(True, own=author("Dan")).wants(STRANGE, TODAY)


def test_signatures_of_some_come_in_only_for_what_is_here_already() -> None:
    half = signed(OURS.result, "Bo")
    assert not ADA.wants(half, TODAY)
    here = ADA.add([signed(OURS.result, "Ada")])
    assert here.wants(half, TODAY)
    assert here.add([half]).results.find(OURS.result.hash) == OURS


def test_a_day_that_is_yet_to_come_stays_out() -> None:
    assert ADA.wants(signed(OURS.result, day="2026-11-24"), TODAY)
    assert not ADA.wants(signed(OURS.result, day="2026-11-25"), TODAY)


def test_results_of_hidden_players_stay_out_and_are_not_shown() -> None:
    both = ADA.add([OURS, THEIRS])
    hidden = both.hide(Player("Cleo", author("Cleo")))
    assert hidden.shown_results == (OURS,)
    assert not hidden.wants(THEIRS, TODAY)
    assert hidden.unhide(Player("Cleo", author("Cleo"))).shown_results == both.shown_results
    assert both.hide(Player("Cleo", author("Dan"))).shown_results == both.shown_results, "another device of that name"


def test_there_is_room_for_so_many_and_own_ones_go_last() -> None:
    strangers = [signed(result("Bo", "Cleo", match=f"flood {number}"), day="2026-12-31") for number in range(MOST_RESULTS)]
    full = ADA.add([OURS]).add(strangers)
    assert len(full.results) == MOST_RESULTS
    assert full.results.find(OURS.result.hash) == OURS
    assert len(League().meet("a", [f"{number:064x}" for number in range(100)]).met_authors) == MOST_PLAYERS


def test_many_results_of_two_push_no_results_of_others_out() -> None:
    """They may be of two keys of one person, who was in a room with this device once."""
    here = ADA.meet(author("Ada"), [author("Cleo"), author("Dan")]).add([OURS, THEIRS])
    flood = [signed(result("Cleo", "Dan", match=f"flood {number}"), day="2026-11-24") for number in range(MOST_RESULTS + 50)]
    full = here.add(flood)
    assert len(full.results) == MOST_RESULTS
    assert full.results.find(OURS.result.hash) == OURS and full.results.find(THEIRS.result.hash) == THEIRS


def test_results_among_those_one_has_played_with_stay_longer_than_those_among_any_who_were_met() -> None:
    """However many keys somebody brings, so that all their results are of different players."""
    keys = [Ed25519(bytes([number, 1] * 16)) for number in range(100, 130)]
    here = ADA.meet(author("Ada"), [key.author for key in keys])
    here = here.add([OURS, signed(result("Ada", "Cleo", match="with Cleo")), THEIRS])
    flood = [signed_by(one, two, f"{one.author} {two.author}") for one, two in combinations(keys, 2)]
    assert len(flood) > MOST_RESULTS
    full = here.add(flood)
    assert len(full.results) == MOST_RESULTS and names(here) <= names(full)


def test_whichever_keys_sign_together_a_few_push_out_few_results_of_others() -> None:
    keys = [Ed25519(bytes([number, 1] * 16)) for number in range(100, 130)]
    flood = [signed_by(one, two, f"{one.author} {two.author}") for one, two in combinations(keys, 2)]
    fair = [signed(result("Cleo", "Dan", match=f"fair {number}"), day="2026-11-24") for number in range(60)]
    kept = ResultCollection.from_results([*fair, *flood]).newest(MOST_RESULTS, lambda one: 0)
    assert len(flood) > len(kept) == MOST_RESULTS
    assert sum(kept.find(one.result.hash) is not None for one in fair) >= 20


def test_who_signs_with_keys_that_nobody_met_pushes_few_results_of_others_out() -> None:
    """Each of these keys is another signer, and there are as many as one likes."""
    here = ADA.meet(author("Ada"), [author("Bo"), author("Cleo")])
    fair = [signed(result("Bo", "Dan", match=f"fair {number}")) for number in range(30)]
    cleo = Ed25519(bytes([3]) * 32)
    flood = [signed_by(cleo, Ed25519(number.to_bytes(32)), f"flood {number}") for number in range(1000, 1000 + MOST_RESULTS)]
    assert all(here.wants(one, TODAY) for one in (*fair, *flood))
    full = here.add(fair).add(flood)
    assert len(full.results) == MOST_RESULTS
    assert all(full.results.find(one.result.hash) is not None for one in fair)


def test_who_has_played_with_this_device_counts_as_met_however_many_came_since() -> None:
    played = League(True, own=author("Ada")).add([OURS])
    crowded = played.meet(author("Ada"), [author("Bo"), *(f"{number:064x}" for number in range(MOST_PLAYERS))])
    assert author("Bo") not in crowded.met_authors and crowded.has_met(author("Bo"))
    assert crowded.wants(THEIRS, TODAY) and not crowded.wants(STRANGE, TODAY)
    half = League(True, own=author("Ada")).add([signed(OURS.result, "Bo")])
    assert not half.has_met(author("Bo")), "this device has not signed that"


def names(league: League) -> set[str]:
    """The hashes of its results."""
    return {one.result.hash for one in league.results}


def signed_by(one: Ed25519, two: Ed25519, match: str) -> SignedResult:
    """A match of the devices ``one`` and ``two``."""
    made = result("Bo", "Cleo", match=match)
    seats = tuple(replace(seat, author=key.author) for seat, key in zip(made.seats, (one, two), strict=True))
    made = replace(made, seats=seats)
    return SignedResult(made, {key.author: ResultSignature("2026-11-24", key.sign(signed_bytes(made.hash, "2026-11-24")))
                               for key in (one, two)})


# ---- kept ----


def test_a_league_is_kept_and_read_again() -> None:
    league = ADA.add([OURS, THEIRS]).hide(Player("Cleo", author("Cleo")))
    assert League.from_json(league.to_json()) == league


@pytest.mark.parametrize("text", [None, "", "{", "[]", "7", '{"on":1,"own":2,"met":3,"hidden":4,"results":5}',
                                  '{"met":[1,"ab"],"hidden":[1,["a"],["a",2]],"results":[null,{}]}'])
def test_what_cannot_be_read_is_as_if_it_had_never_been(text: str | None) -> None:
    assert League.from_json(text) == League()


def test_changes_of_two_tabs_lose_nothing() -> None:
    async def change() -> League:
        texts = TextsHere()
        one, two = LeagueBook(texts), LeagueBook(texts)
        heard: list[League] = []
        end = one.on_change(heard.append)
        await one.change(lambda league: league.add([OURS]))
        await two.change(lambda league: league.add([THEIRS]))
        after = await one.change(lambda league: league.switch(is_on=True))
        assert await two.current() == after == heard[-1]
        assert len(heard) == 2
        end()
        await one.change(lambda league: League())
        assert (len(heard), texts.texts) == (2, {})
        return after

    assert len(asyncio.run(change()).results) == 2


def test_changes_that_two_tabs_make_at_once_lose_nothing() -> None:
    class SlowTexts(TextsHere):
        """The other tab comes in between reading and writing."""

        async def recall_at_once(self, key: str) -> str | None:
            found = self.recall(key)
            await asyncio.sleep(0)
            return found

    async def change() -> League:
        texts = SlowTexts()
        one, two = LeagueBook(texts), LeagueBook(texts)
        await asyncio.gather(one.change(lambda league: league.add([OURS])), two.change(lambda league: league.add([THEIRS])))
        return await one.current()

    assert len(asyncio.run(change()).results) == 2


# ---- as a file ----


async def ask(call: object) -> object:
    return ReplicaHere(1).ask(call)  # type: ignore[arg-type]


async def take_in(book: LeagueBook, archive: str) -> None:
    league = await archived_league(archive, ask, TODAY)  # type: ignore[arg-type]
    await book.change(lambda here: here.merge(league))


def test_the_archive_brings_the_league_back_and_leaves_out_what_does_not_hold() -> None:
    async def round_trip() -> None:
        kept = ADA.add([OURS, THEIRS]).hide(Player("Dan", author("Dan")))
        text = await pack(MemoryMatches(), Settings(), TextsHere({KEPT_AS: kept.to_json()}))
        empty = LeagueBook(TextsHere())
        await take_in(empty, text)
        found = await empty.current()
        assert found.results == kept.results
        assert found.is_on is None, "a file says yes for nobody"
        assert (found.hidden_players, found.met_authors) == (kept.hidden_players, kept.met_authors)
        forged = json.loads(text)
        league = League(results=ResultCollection.from_results([with_result(THEIRS, scores=(1, 1000))]))
        forged["texts"][KEPT_AS] = league.to_json()
        await take_in(empty, json.dumps(forged))
        assert await empty.current() == found
        for other in ("", "[]", "{}", '{"texts":7}', '{"texts":{"tabletin.league":7}}'):
            await take_in(empty, other)
        assert await empty.current() == found

    asyncio.run(round_trip())


def test_a_file_takes_nobody_from_those_who_were_met_or_hidden_here_and_names_nobody_unfit_to_show() -> None:
    many = [f"{number:064x}" for number in range(MOST_PLAYERS)]
    file = {"on": True, "met": many, "hidden": [*(["Eve", one] for one in many), ["E\u202eve", many[0]], ["x" * 1000, many[0]]]}
    here = ADA.hide(Player("Dan", author("Dan")))

    async def taken_in() -> League:
        book = LeagueBook(TextsHere({KEPT_AS: here.to_json()}))
        await take_in(book, json.dumps({"texts": {KEPT_AS: json.dumps(file)}}))
        return await book.current()

    found = asyncio.run(taken_in())
    assert author("Bo") in found.met_authors and Player("Dan", author("Dan")) in found.hidden_players
    assert (len(found.met_authors), len(found.hidden_players)) == (MOST_PLAYERS, MOST_PLAYERS)
    assert {one.name for one in found.hidden_players} == {"Dan", "Eve"}


def test_a_result_of_a_day_yet_to_come_stays_out_of_an_archive_too() -> None:
    late = signed(OURS.result, day="2026-11-25")
    kept = League(True, results=ResultCollection.from_results([late, THEIRS]))

    async def taken_in() -> League:
        book = LeagueBook(TextsHere())
        await take_in(book, json.dumps({"texts": {KEPT_AS: kept.to_json()}}))
        return await book.current()

    assert list(asyncio.run(taken_in()).results) == [THEIRS]


def test_a_league_of_very_many_players_comes_back() -> None:
    """Each signer is a key of the text, and of those a message has few."""
    made = result("Bo", "Cleo", *("Cleo" for _ in range(18)))
    full = []
    for number in range(60):
        seats = tuple(replace(seat, author=f"{number * 20 + place:064x}") for place, seat in enumerate(made.seats))
        one = replace(made, seats=seats)
        full.append(SignedResult(one, {author: ResultSignature("2026-11-23", "00" * 64) for author in one.signers}))
    kept = replace(ADA.add([OURS, THEIRS]), results=ResultCollection.from_results([OURS, THEIRS, *full]))
    assert len({author for one in kept.results for author in one.signatures}) > 1_000
    assert len(read_league_file(league_file(kept.results)).results) == 62

    async def round_trip() -> League:
        book = LeagueBook(TextsHere())
        await take_in(book, await pack(MemoryMatches(), Settings(), TextsHere({KEPT_AS: kept.to_json()})))
        return await book.current()

    assert names(asyncio.run(round_trip())) == {OURS.result.hash, THEIRS.result.hash}


def test_only_sound_results_are_kept_of_many() -> None:
    bad = SignedResult(OURS.result, {**OURS.signatures, author("Bo"): ResultSignature("2026-11-23", "00" * 64)})
    ones = [THEIRS, bad, OURS, with_result(STRANGE, winners=(1,))]
    assert asyncio.run(sound_results(ones, ask)) == [THEIRS, OURS]  # type: ignore[arg-type]
    assert asyncio.run(sound_results([], ask)) == []  # type: ignore[arg-type]
