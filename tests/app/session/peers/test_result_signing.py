"""A match among peers is signed for the league by every device once all hold its end, and by none before or otherwise.

The replicas, the group and the signatures are the real ones. An altered client says what it likes: nobody signs it, and nobody
takes it for signed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from random import Random

import pytest

from tabletin.app.storage.league import League, LeagueBook
from tabletin.kernel.logfile import export
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat
from tabletin.peers.league.result import result_of
from tabletin.peers.league.signed_result import ResultSignature, SignedResult, signed_bytes
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.worker.calls import CheckResults, SignLog, SignResult, Tick
from tabletin.peers.worker.results import ResultsCheck
from tests.support.ballots import end_of
from tests.support.examples import ONE_DEAL, short
from tests.support.league import DAY, KEYS, VERIFIER, TextsHere
from tests.support.peer_tables import Tables, tables
from tests.support.worker_here import ReplicaHere

SHORT = short(ONE_DEAL)
TODAY = date(2026, 11, 23)


def keep_leagues(match: Tables, *, is_on: bool | None = True) -> list[LeagueBook]:
    """Give every session a league of its own."""
    books = []
    for session in match.sessions:
        book = LeagueBook(TextsHere({"tabletin.league": League(is_on).to_json()}))
        session.context = replace(session.context, league=lambda book=book: book)  # type: ignore[misc]
        books.append(book)
    return books


async def finished(match: Tables) -> None:
    await match.play(400, Random(1))
    await match.until(lambda: all(session.match.outcome is not None and not session.status.missing_signers
                                  for session in match.sessions))


async def signed_by_each(match: Tables, books: list[LeagueBook]) -> list[SignedResult]:
    """What each device has signed."""
    await match.until(lambda: all(session.result_signing.is_done for session in match.sessions))
    return [one for book in books for one in (await book.current()).results]


async def test_an_honest_match_is_signed_by_all_and_all_sign_the_same() -> None:
    async with tables(ONE_DEAL, [1, 2, Seat("bot", "1", "Ida", "easy")], options=SHORT) as match:
        books = keep_leagues(match)
        await finished(match)
        ones = await signed_by_each(match, books)
        outcome = match.sessions[0].match.outcome
        assert outcome is not None
        assert len(ones) == 2
        assert ones[0].result == ones[1].result
        assert [list(one.signatures) for one in ones] == [[device.author] for device in match.devices]
        both = ones[0].merge(ones[1])
        assert both.is_complete
        assert both.false_signers(VERIFIER) == ()
        assert (both.result.scores, both.result.winners) == (tuple(outcome.scores), tuple(outcome.winners))
        assert (both.result.match, both.result.head) == (match.sessions[0].match.id, match.sessions[0].match.head)
        assert both == SignedResult.from_json(both.to_json())
        assert [(await book.current()).own for book in books] == [device.author for device in match.devices]


async def test_nothing_is_signed_where_nobody_keeps_a_league_until_they_do() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        books = keep_leagues(match, is_on=None)
        await finished(match)
        session, book = match.sessions[0], books[0]
        await session.ask_worker(Tick(1e6))
        assert "SignResult" not in match.devices[0].replica.calls
        await book.change(lambda league: league.switch(is_on=True))
        await session.result_signing.sign()
        assert session.result_signing.is_done
        assert len((await book.current()).results) == 1
        assert "SignResult" not in match.devices[1].replica.calls


async def test_a_match_that_was_closed_before_it_was_signed_is_signed_from_its_log() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await finished(match)
        device = match.devices[0]
        await device.restart()
        (book, _) = keep_leagues(match)
        session = device.session
        assert session.device is None
        await session.result_signing.sign()
        assert len((await book.current()).results) == 0
        await session.result_signing.sign(device.replica)
        (one,) = (await book.current()).results
        assert one.missing_signers == (match.devices[1].author,)
        assert one.false_signers(VERIFIER) == ()
        assert device.replica.calls[-1] == "SignLog"
        whole = export(session.match)
        lines = whole.splitlines(keepends=True)
        for text in ("".join(lines[:-3]), "".join([*lines[:5], *lines[6:]]), ""):
            assert device.replica.ask(SignLog(text, DAY)).refusal is not None
        assert match.devices[1].replica.ask(SignLog(whole, DAY)).result_as(SignedResult).result == one.result
        stranger = ReplicaHere(9).ask(SignLog(whole, DAY)).refusal
        assert stranger is not None
        assert stranger.key == "league.not_signed"


async def test_a_worker_signs_no_match_that_goes_on_and_no_day_that_is_none() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        with pytest.raises(Refused, match="not_signed"):
            (await match.sessions[0].ask_worker(SignResult(DAY))).require()
        await finished(match)
        with pytest.raises(Refused, match="malformed"):
            (await match.sessions[0].ask_worker(SignResult("2026-02-30"))).require()
        (await match.sessions[0].ask_worker(SignResult(DAY))).require()


async def test_nothing_is_signed_before_everybody_holds_the_end() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        books = keep_leagues(match)
        one, two = match.devices
        await match.until(match.dealt)
        await finished_but_for(match)
        late = next(session for session in match.sessions if session.status.missing_signers)
        with pytest.raises(Refused, match="not_signed"):
            (await late.ask_worker(SignResult(DAY))).require()
        assert not late.result_signing.is_done
        match.town.heal(one.author, two.author)
        assert len(await signed_by_each(match, books)) == 2


async def test_a_device_that_voted_for_an_epoch_without_the_end_does_not_sign_that_end() -> None:
    """All others hold it, but it may fall away: this device has not acknowledged it itself."""
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await finished(match)
        device = match.devices[0]
        peer = device.replica._service._replica
        assert peer is not None
        subject = {"kind": "pass", "against": match.devices[1].author, "order": device.author}
        peer.state.set_promise(EpochVote(device.author, 1, subject, end_of(peer.match, 1), "00" * 64))
        with pytest.raises(Refused, match="not_signed"):
            (await device.session.ask_worker(SignResult(DAY))).require()


async def finished_but_for(match: Tables) -> None:
    """Play to the end; nothing gets through any more from the moment on when one device has come to it."""
    rng = Random(1)
    one, two = match.devices

    def cut_at_the_end() -> bool:
        if any(session.match.outcome is not None for session in match.sessions):
            match.town.cut(one.author, two.author)
            return True
        return match.dealt()

    while not any(session.match.outcome is not None for session in match.sessions):
        await match.until(cut_at_the_end)
        acting = [session for session in match.sessions if session.match.outcome is None and session.acting]
        if any(session.match.outcome is not None for session in match.sessions):
            break
        seat = acting[0].acting[0]
        session = next(one for one in match.sessions if seat in one.seats_here)
        view = session.match.view((seat,))
        session.start_task(session.move(seat, view.rules.random_move(view.state, seat, view.faces, rng)))
        head = session.match.head
        await match.until(lambda s=session, h=head: s.match.head != h and cut_at_the_end())  # type: ignore[misc]


async def test_who_only_watches_signs_nothing() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await finished(match)
        watcher = KEYS["Dan"]
        found = result_of(match.sessions[0].match)
        assert found is not None
        assert watcher.author not in found.signers
        with pytest.raises(Malformed):
            SignedResult.from_json(SignedResult(found, {watcher.author: ResultSignature(DAY, "00" * 64)}).to_json())


async def test_an_altered_client_gets_no_false_result_signed_or_taken_for_signed() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        books = keep_leagues(match)
        await finished(match)
        ones = await signed_by_each(match, books)
        honest, cheat = match.devices
        true = ones[0].result
        false = replace(true, scores=tuple(reversed(true.scores)), winners=(1 - true.winners[0],))
        key = KEYS["Bo"]
        assert key.author == cheat.author
        own = ResultSignature(DAY, key.sign(signed_bytes(false.hash, DAY)))
        copied = ones[0].signatures[honest.author]
        league = (await books[0].current()).meet(honest.author, [cheat.author])
        alone = SignedResult(false, {cheat.author: own})
        assert not alone.is_complete
        assert not league.wants(alone, TODAY)
        forged = SignedResult(false, {honest.author: copied, cheat.author: own})
        check = honest.replica.ask(CheckResults('{"form":"tabletin-league","results":[],"version":1}')).result_as(ResultsCheck)
        assert check.false_signers == ()
        assert forged.false_signers(VERIFIER) == (honest.author,)
        again = (await match.sessions[0].ask_worker(SignResult(DAY))).result_as(SignedResult)
        assert again.result == true


async def test_a_match_in_which_somebody_was_proven_to_cheat_counts_in_no_league() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        books = keep_leagues(match, is_on=None)
        await finished(match)
        service = match.devices[0].replica._service
        assert service._replica is not None
        service._replica.accusations.append(Accusation.of_log(service._replica.match, match.devices[1].author, "shuffle"))
        with pytest.raises(Refused, match="not_signed"):
            service._sign_result(service._replica, DAY)
        service._replica.accusations.clear()
        service._sign_result(service._replica, DAY)
        assert len((await books[0].current()).results) == 0
