"""A sealed match as pages play it: several devices in this process, real cryptography, a network without faults or with."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletin.app.session.peers.session import PeerSession
from tabletin.app.session.peers.side_channel import A_SECOND, BURST, EACH_COSTS, MOST_ASKED, MOST_PROOFS
from tabletin.app.settings import Settings
from tabletin.app.storage.archive import pack, unpack
from tabletin.app.storage.matches import SingleTab, StorageFailed
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, Statement, canonical, place
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import PROTOCOL, SEALED, Seat, Setup
from tabletin.kernel.trusted_match import VerifiedEntry, deal_answers
from tabletin.peers.identity import Ed25519
from tabletin.peers.worker import calls
from tabletin.peers.worker.answer import News, WorkerAnswer
from tabletin.registry import rules_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, short
from tests.support.memory_net import FakeTown
from tests.support.peer_tables import DeviceHere, GatewayHere, tables
from tests.support.random_matches import bare_move

SHORT = short(ONE_DEAL)


async def test_a_whole_match_of_two_devices_is_the_same_on_both_and_on_disk() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.play(400, Random(1))
        one, two = match.sessions
        await match.until(match.agreed)
        assert one.match.outcome is not None
        assert one.match.outcome == two.match.outcome
        assert one.match.state == two.match.state
        for device, session in zip(match.devices, match.sessions, strict=True):
            await session.flush()
            record, rows = await device.shelf.read(session.id)
            assert len(rows) == len(session.match.entries) == record.entries
            assert record.me == session.people[0]


async def test_a_page_knows_no_face_that_its_seats_may_not() -> None:
    async with tables(ONE_DEAL, [1, 2, 1], options=SHORT) as match:
        await match.play(6, Random(2))
        await match.until(match.dealt)
        for session in match.sessions:
            state = session.match.state
            own = sum(1 << seat for seat in session.seats_here)
            shown = {card for _, past, _ in session.match.story() for card, mask in past.viewers.items() if mask & own}
            assert set(session.match.knowledge) <= shown
            assert {card for card, mask in state.viewers.items() if mask & own} <= set(session.match.knowledge)


async def test_bots_of_a_device_play_from_what_it_knows() -> None:
    bot = Seat("bot", "2", "Bo", "easy")
    async with tables(ONE_DEAL, [1, bot, 2], options=SHORT) as match:
        await match.play(9, Random(3))
        one, two = match.sessions
        assert not match.devices[0].bots.requests
        assert match.devices[1].bots.requests
        assert one.people == (0,)
        assert two.people == (2,)


async def test_a_wrong_move_is_refused_at_once_and_changes_nothing() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        one, two = match.sessions
        before = one.match.head
        with pytest.raises(Refused, match=r"not_your_turn"):
            await two.move(1, bare_move(two.match.rules))
        with pytest.raises(Refused, match=r"not_your_seat"):
            await one.move(1, bare_move(one.match.rules))
        assert one.match.head == before


async def test_a_reloaded_page_goes_on_where_it_was() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.play(3, Random(4))
        await match.until(match.dealt)
        knew, head = dict(match.sessions[1].match.knowledge), match.sessions[1].match.head
        await match.sessions[1].flush()
        await match.devices[1].restart()
        assert match.sessions[1].match.head == head
        assert dict(match.sessions[1].match.knowledge) == knew
        assert match.sessions[1].people == (1,)
        await match.until(lambda: match.sessions[1].status.ready)
        await match.play(4, Random(5))
        await match.devices[0].restart()
        await match.until(lambda: match.sessions[0].status.ready)
        await match.play(4, Random(6))
        await match.until(match.agreed)
        assert not match.sessions[0].status.culprits
        assert not match.sessions[1].status.culprits


async def test_a_table_that_was_left_before_its_worker_was_there_takes_no_part_beside_the_one_opened_next() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.play(2, Random(4))
        await match.until(match.dealt)
        device = match.devices[1]
        await device.restart()
        left = device.session
        assert not left.put_away()
        device.session = await PeerSession.resume(left.id, device.context)
        device.session.come_back(GatewayHere(device))
        await match.until(lambda: device.session.owner and device.session.status.ready)
        await match.play(4, Random(6))
        await match.until(match.dealt)
        assert left.device is None and device.troubles == []


async def test_a_move_made_before_a_reloaded_page_has_its_worker_is_made_then() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.play(3, Random(4))
        await match.until(match.dealt)
        seat = match.sessions[0].acting[0]
        device = next(one for one in match.devices if seat in one.session.people)
        await device.restart()
        session, length = device.session, len(device.session.match.entries)
        assert session.device is None
        view = session.match.view((seat,))
        await session.move(seat, view.rules.random_move(view.state, seat, view.faces, Random(5)))
        assert session.match.entries[length].statement.kind == "move"
        await match.until(match.dealt)


async def test_a_match_taken_in_from_an_archive_never_signs_at_a_counter_again() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.play(3, Random(4))
        await match.until(match.dealt)
        device = match.devices[1]
        text = await pack(device.shelf, Settings())
        await match.play(4, Random(5))
        await device.session.flush()
        used = max(entry.statement.count for entry in device.session.match.entries
                   if entry.statement.author == device.author)
        await device.shelf.remove(device.session.id)
        await unpack(device.shelf, text, device.replica.call)
        length = len(device.session.match.entries)
        await device.restart(flush=False)
        assert len(device.session.match.entries) < length
        await match.until(lambda: device.session.status.ready)
        await match.play(6, Random(6))
        later = [entry.statement.count for entry in device.session.match.entries[length:]
                 if entry.statement.author == device.author]
        assert later and min(later) > used + 1000
        assert not match.sessions[0].status.culprits


async def test_a_device_that_deleted_a_match_and_comes_back_never_signs_at_a_counter_again() -> None:
    """It waits until it has heard the others, and plays on behind all that it ever said; also the second time."""
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.play(4, Random(4))
        device = match.devices[1]
        for _ in range(2):
            await match.until(match.dealt)
            length = len(device.session.match.entries)
            used = max(entry.statement.count for entry in device.session.match.entries
                       if entry.statement.author == device.author)
            await device.delete_and_return()
            assert not device.session.status.ready and len(device.session.match.entries) == 1
            await match.until(lambda: device.session.status.ready and match.agreed())
            await match.play(6, Random(5))
            later = [entry.statement.count for entry in device.session.match.entries[length:]
                     if entry.statement.author == device.author]
            assert later and min(later) > used
        assert not any(session.status.culprits for session in match.sessions)


async def test_what_was_said_in_vain_before_a_match_was_deleted_a_second_time_keeps_its_counter() -> None:
    """The others never showed it, and may hold it still."""
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.play(4, Random(4))
        await match.until(match.dealt)
        device = next(one for one in match.devices if one.author != one.session.match.orderer)
        await device.delete_and_return()
        await match.until(lambda: device.session.status.ready and match.agreed() and match.dealt())
        seat = device.session.people[0]
        match.town.crash(device.link)
        body = {"seat": seat, "to": device.session.match.setup.seats[seat].to_json()}
        await device.session.ask_worker(calls.Say("seat", body))
        said = Statement.from_json(device.session._pending.statement)
        await device.delete_and_return()
        assert device.session._pending.count > said.count


@pytest.mark.parametrize(("name", "protocol"), [("Ada", 1), ("Ada", PROTOCOL - 1), ("A\u202eda", PROTOCOL)])
async def test_a_match_that_cannot_begin_here_does_not_begin_at_the_second_try_either(name: str, protocol: int) -> None:
    """The page remembers that it was asked to play it, and looks as if it had been there."""
    town = FakeTown()
    host, guest = DeviceHere(town, 1, secure=False), DeviceHere(town, 2, secure=False)
    seats = Seat("person", host.author, name), Seat("person", guest.author, "Bo")
    said = Setup(MANY_HANDS, rules_of(MANY_HANDS).version, {}, seats, SEALED, extra={"protocol": protocol}).statement(host.author)
    key = Ed25519(bytes([1]) * 32)
    statement = replace(said, signature=key.sign(said.canonical_bytes))
    genesis = Entry.create(0, NOTHING, statement, key.sign(canonical(place(0, NOTHING, statement.hash)))).to_json()
    for was_here in (False, True):
        with pytest.raises(Refused):
            await guest.begin(genesis, was_here=was_here)


async def test_undo_asks_the_other_device_and_waits_for_its_consent() -> None:
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        seat, to = await match.lay(Random(1))
        mine = next(one for one in match.sessions if seat in one.people)
        other = next(one for one in match.sessions if one is not mine)
        before = mine.match.snapshot_at(to).state
        with pytest.raises(Refused, match=r"undo\.consent"):
            await mine.undo(seat, to)
        mine.side_channel.ask(seat, to)
        await match.until(lambda: other.side_channel.request is not None)
        await other.side_channel.answer(agree=True)
        await match.until(lambda: all(any(entry.statement.kind == "undo" for entry in one.match.entries)
                                      for one in match.sessions))
        await match.until(match.agreed)
        assert mine.acting == mine.match.rules.to_act(before)
        assert mine.side_channel.own_request is None


async def test_a_declined_undo_leaves_everything_as_it_is() -> None:
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        seat, to = await match.lay(Random(1))
        mine = next(one for one in match.sessions if seat in one.people)
        other = next(one for one in match.sessions if one is not mine)
        before = mine.match.state.copy()
        mine.side_channel.ask(seat, to)
        await match.until(lambda: other.side_channel.request is not None)
        await other.side_channel.answer(agree=False)
        await match.until(lambda: mine.side_channel.decliner is not None)
        assert (mine.match.state, mine.side_channel.own_request, mine.side_channel.decliner) == (before, None, other.people[0])
        other.send_aside(None, "?nonsense")
        other.send_aside(None, '?{"back":{"seat":0,"to":1}}' if mine.people == (0,) else '?{"back":{"seat":1,"to":1}}')
        await match.until(lambda: mine.side_channel.malformed_count == 2)
        assert mine.side_channel.request is None


async def test_nobody_has_the_page_look_into_undos_over_and_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each folds the log, in the page; a link may bring more than a thousand of them in a second."""
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        mine, other = match.sessions
        looked: list[int] = []
        monkeypatch.setattr(Match, "undo_refusal", lambda match, seat, to: looked.append(to))
        for to in range(100):
            mine.side_channel.hear(other.author, f'?{{"back":{{"seat":{other.people[0]},"to":{to}}}}}')
        assert len(looked) == MOST_ASKED
        mine.side_channel.on_entry(mine.match.entries[-1])
        mine.side_channel.hear(other.author, f'?{{"back":{{"seat":{other.people[0]},"to":1}}}}')
        assert len(looked) == MOST_ASKED + 1, "the match went on"


async def test_no_text_beside_the_match_keeps_the_page_reading() -> None:
    """A link packs: a few kilobytes on it spell a million empty lists. Only proofs are long, and only so many of them."""
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        channel = match.sessions[0].side_channel
        read: list[str] = []
        channel.add_handler("back", lambda sender, said: read.append(sender))
        channel.add_handler("proof", lambda sender, said: read.append(sender))
        channel.hear("stranger", '?{"back":[' + "[]," * 20_000 + "0]}")
        channel.hear("stranger", '?{"back":"' + "a" * 300_000 + '"}')
        channel.hear("stranger", '?{"proof":[' + "[]," * 100_000 + "0]}")
        assert (read, channel.malformed_count) == ([], 3)
        channel.hear("stranger", '?{"proof":"' + "a" * 5_000_000 + '"}')
        assert read == ["stranger"]


async def test_texts_beside_the_match_that_come_and_come_are_not_read() -> None:
    """However short a link packs them: the page would do nothing else."""
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        mine, other = match.sessions
        channel = mine.side_channel
        read: list[str] = []
        channel.add_handler("which", lambda sender, said: read.append(sender))
        long = '?{"which":"' + "a" * 100_000 + '"}'
        for number in range(100):
            channel.hear(f"{number:064x}", long)
        assert len(read) == BURST // (len(long) + EACH_COSTS) and channel.dropped_count == 100 - len(read)
        channel.hear(other.author, long)
        assert read[-1] == other.author, "who plays has an allowance of its own"
        channel.on_tick(1e6)
        for _ in range(10):
            channel.hear("stranger", long)
        before = len(read)
        for second in range(1, 61):
            channel.on_tick(1e6 + second)
            channel.hear("stranger", long)
        assert before < len(read) <= before + 60 * A_SECOND // len(long) + 1


@pytest.mark.parametrize("said", ["[" + "[]," * 100_000 + "0]", '["' + "a" * 300_000 + '"]'])
async def test_what_only_begins_as_a_proof_is_read_as_seldom_as_proofs_are(said: str) -> None:
    """Each may be of eight megabytes, and takes the page as long to read as a proof."""
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        channel = match.sessions[0].side_channel
        for _ in range(MOST_PROOFS):
            channel.hear("stranger", f'?{{"proof":{said}}}')
        assert channel.malformed_count == MOST_PROOFS
        read: list[str] = []
        channel.add_handler("proof", lambda sender, said: read.append(sender))
        channel.hear("stranger", '?{"proof":"' + "a" * 250_000 + '"}')
        assert read == [] and channel.malformed_count == MOST_PROOFS + 1


async def test_who_does_not_play_has_few_proofs_judged_however_many_keys_it_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has the worker fold a log, with all its proofs."""
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        mine, other = match.sessions
        judged: list[str] = []
        ask = mine.ask_worker

        async def asked(call: calls.MatchCall) -> WorkerAnswer:
            if not isinstance(call, calls.HearProof):
                return await ask(call)
            judged.append(call.file)
            return WorkerAnswer()

        monkeypatch.setattr(mine, "ask_worker", asked)
        for stranger in range(100):
            mine.side_channel.hear(f"{stranger:064x}", f'?{{"proof":"of {stranger}"}}')
        mine.side_channel.hear(other.author, '?{"proof":"of a player"}')
        await match.until(lambda: "of a player" in judged)
        assert judged == [*(f"of {stranger}" for stranger in range(MOST_PROOFS)), "of a player"]


async def test_whoever_only_watches_sees_what_is_public_and_no_more() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        watcher = DeviceHere(match.town, 9)
        await match.town.introduce(match.devices[0].link, watcher.link)
        await watcher.begin(match.sessions[0].match.entries[0].to_json())
        await match.play(3, Random(1))
        await match.until(lambda: watcher.session.match.head == match.sessions[0].match.head)
        assert watcher.session.people == ()
        assert watcher.session.match.knowledge == {}
        assert watcher.session.match.state == match.sessions[0].match.state
        watcher.session.close()


async def test_a_second_tab_looks_on_and_never_joins_until_the_first_is_closed() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.play(2, Random(2))
        await match.until(match.dealt)
        first = match.devices[1]
        await first.session.flush()
        far = GatewayHere(first)
        second = await PeerSession.resume(first.session.id, first.context)
        second.come_back(far)
        assert [second.owner, far.asked] == [False, 0]
        with pytest.raises(Refused, match=r"other_tab"):
            await second.move(1, bare_move(second.match.rules))
        head = first.session.match.head
        first.session.close()
        await match.until(lambda: second.owner and second.status.ready)
        assert (second.match.head, far.asked) == (head, 1)
        first.session = second
        await match.play(3, Random(3))
        await match.until(match.agreed)
        assert not match.sessions[0].status.culprits


async def test_a_page_forgets_the_faces_of_a_deck_that_fell_away() -> None:
    """Another one may be dealt under the same numbers: what its worker tells of that is shown, not what was there before."""
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        session = match.sessions[0]
        log, own = session.match, dict(session.match.knowledge)
        dealt = next(entry.index for entry in log.entries if log.snapshot_at(entry.index).state.next_card > max(own))
        told = iter(deal_answers(log))
        verified = [VerifiedEntry(entry, next(told) if entry.statement.kind == "deal" else None) for entry in log.entries]
        faces = list(own.values())
        other = Faces(zip(own, [*faces[1:], faces[0]], strict=True))
        session._take(WorkerAnswer(news=News(tuple(verified[dealt:]), faces=other, length=dealt)))
        assert own and session.match.knowledge == other != own


async def test_a_second_tab_goes_on_with_what_the_first_had_signed() -> None:
    """It had read what was signed before. Whoever forgets a statement uses its counter for another one, and is convicted."""
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        first = next(device for device in match.devices if device.author != match.sessions[0].match.orderer)
        await first.session.flush()
        second = await PeerSession.resume(first.session.id, first.context)
        second.come_back(GatewayHere(first))
        while not set(first.session.acting) & set(first.session.people):
            await match.play(1, Random(2))
            await match.until(match.dealt)
        other, = {device.author for device in match.devices} - {first.author}
        match.town.cut(first.author, other)
        seat, = first.session.people
        view = first.session.match.view((seat,))
        moving = asyncio.ensure_future(first.session.move(seat, view.rules.random_move(view.state, seat, view.faces, Random(3))))

        def pending() -> Any:
            return (first.session.record().saying or [None])[0]
        await match.until(lambda: pending() is not None)
        await first.session.flush()
        said = Statement.from_json(pending())
        moving.cancel()
        first.session.close()
        await match.until(lambda: second.owner)
        match.town.drop(first.author, other)
        match.town.cuts.clear()
        match.town.restore(first.author, other)
        first.session = second
        await match.until(lambda: any(entry.statement == said for entry in second.match.entries), 20)
        assert not any(session.status.culprits for session in match.sessions)


async def test_a_second_tab_tells_the_end_that_came_in_the_first() -> None:
    """Somebody was away then. It had read what was to be told when it was opened."""
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        first = next(device for device in match.devices if device.author == match.sessions[0].match.orderer)
        other, = (device for device in match.devices if device is not first)
        await first.session.flush()
        second = await PeerSession.resume(first.session.id, first.context)
        second.come_back(GatewayHere(first))
        match.town.cut(first.author, other.author)
        await first.session.resign(first.session.people[0])
        await first.session.flush()
        first.session.close()
        await match.until(lambda: second.owner)
        assert second.match.outcome is not None and other.session.match.outcome is None
        match.town.drop(first.author, other.author)
        match.town.cuts.clear()
        match.town.restore(first.author, other.author)
        first.session = second
        await match.until(lambda: other.session.match.outcome is not None, 20)
        await match.until(lambda: second.record().missing_signers == (), 20)


async def test_a_match_that_is_taken_up_again_starts_its_worker_before_anything_is_waited_for() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        first = match.devices[1]
        await first.session.flush()
        first.session.close()
        far = GatewayHere(first)
        first.claims = SingleTab()
        first.session = await PeerSession.resume(first.session.id, first.context)
        assert first.session.owner
        first.session.come_back(far)
        assert far.started == 1
        await match.until(match.agreed)


async def test_nothing_is_sent_before_it_is_kept() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        seat = match.sessions[0].acting[0]
        mover = next(one for one in match.devices if seat in one.session.people)
        other = next(one for one in match.devices if one is not mover)
        append, heard = mover.shelf.append, other.session.match.head

        async def full(*_: Any) -> None:
            raise StorageFailed("shell.storage.full")

        mover.shelf.append = full  # type: ignore[assignment, method-assign]
        view = mover.session.match.view((seat,))
        move = view.rules.random_move(view.state, seat, view.faces, Random(1))
        making = asyncio.ensure_future(mover.session.move(seat, move))
        await match.until(lambda: bool(mover.troubles))
        await asyncio.sleep(0.05)
        assert other.session.match.head == heard
        assert mover.troubles == ["shell.storage.full"]
        mover.shelf.append = append  # type: ignore[method-assign]
        await making
        await match.until(match.agreed)
        assert other.session.match.head != heard


async def test_two_go_on_without_a_third_when_both_want_to() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        gone = match.devices.pop()
        gone.session.close()
        match.town.crash(gone.link)
        match.town.wait(20)
        one, two = match.sessions
        await one.continuation.choose(gone.author, "bot")
        await asyncio.sleep(0.05)
        assert gone.author not in one.match.former_authors  # one alone decides nothing
        await two.continuation.choose(gone.author, "bot")
        await match.until(lambda: all(gone.author in session.match.former_authors for session in (one, two)))
        await match.until(match.dealt)
        assert one.match.setup.seats[2].is_bot
        await match.play(4, Random(1))
        assert one.status.other_authors == (two.author,)


async def test_whoever_leaves_politely_leaves_a_match_that_goes_on() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        leaver = match.devices.pop()
        assert await leaver.session.leave.go()
        leaver.session.close()
        await match.until(lambda: all(leaver.author in session.match.former_authors for session in match.sessions))
        match.town.leave(leaver.link)
        await match.until(match.dealt)
        await match.play(4, Random(2))
        await match.until(match.agreed)


async def test_of_two_neither_goes_on_without_the_other() -> None:
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        one, two = match.sessions
        with pytest.raises(Refused, match=r"no_majority"):
            await one.continuation.choose(two.author, "bot")
        assert one.continuation.choices_about(two.author) == ()
        assert one.status.skippable(two.author) == ()


async def test_only_people_count_where_others_are_to_go_on_without_somebody() -> None:
    """The second device brings no vote: its people are not asked, and are not counted."""
    async with tables(MANY_HANDS, [1, 2, 3, 4], secure=False) as match:
        await match.until(match.dealt)
        one, two, three, lost = match.sessions
        assert two.continuation.choices_about(lost.author)
        for voters, may in (({one.author, three.author, lost.author}, True), ({one.author, lost.author, "f" * 64}, False)):
            for session in match.sessions:
                session.match.snapshot.voters = frozenset(voters)
            assert bool(one.continuation.choices_about(lost.author)) == may
            assert two.continuation.choices_about(lost.author) == ()
        with pytest.raises(Refused, match=r"no_majority"):
            await one.continuation.choose(lost.author, "bot")


async def test_a_flood_that_waits_for_a_busy_worker_is_cut_and_keeps_nobody_else_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        one, two = match.sessions
        given: list[calls.Receive] = []
        ask, busy = one.ask_worker, asyncio.Event()

        async def ask_slowly(call: calls.JoinedCall) -> WorkerAnswer:
            if not isinstance(call, calls.Receive):
                return await ask(call)
            given.append(call)
            await busy.wait()
            return WorkerAnswer()

        monkeypatch.setattr(one, "ask_worker", ask_slowly)
        deliver = one._hear
        deliver(two.author, "first")
        await asyncio.sleep(0)
        for _ in range(40):
            deliver("f" * 64, "x" * 1_000_000)
        for _ in range(20_000):
            deliver("e" * 64, "")
        deliver(two.author, "last")
        busy.set()
        await asyncio.sleep(0.05)
        waited = [pair for call in given[1:] for pair in zip(call.senders, call.messages, strict=True)]
        assert (two.author, "last") in waited
        assert 5 <= sum(sender == "f" * 64 for sender, _ in waited) <= 12
        assert sum(sender == "e" * 64 for sender, _ in waited) < 1000, "who does not play has one allowance together"


async def test_an_act_that_came_too_late_says_so_and_the_match_goes_on() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        seat = match.sessions[0].acting[0]
        mover = next(one for one in match.sessions if seat in one.people)
        other = next(one for one in match.sessions if one is not mover)
        late, orders = (mover, other) if other.author == mover.match.orderer else (other, mover)
        match.town.cut(late.author, orders.author)
        leaving = asyncio.ensure_future(late.resign(late.people[0]))
        await match.until(lambda: bool(late._pending.statement))
        await orders.resign(orders.people[0])
        match.town.heal(late.author, orders.author)
        with pytest.raises(Refused, match=r"overtaken"):
            await leaving
        await match.until(match.agreed)
        assert late.match.outcome == orders.match.outcome
        assert not orders.status.culprits


async def test_who_leaves_the_table_while_the_worker_answers_takes_nothing_of_its_news_away() -> None:
    """What the answer brought was lost once: the page could take in nothing more."""
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        seat = match.sessions[0].acting[0]
        device = next(one for one in match.devices if seat in one.session.people)
        session, answered, asked = device.session, device.replica.call, asyncio.Event()

        async def call_slowly(call: calls.Call, match: str | None = None) -> WorkerAnswer:
            answer = await answered(call, match)
            if isinstance(call, calls.PlayMove):
                asked.set()
                await asyncio.sleep(0.01)
            return answer

        device.replica.call = call_slowly  # type: ignore[method-assign]
        view = session.match.view((seat,))
        moving = asyncio.ensure_future(session.move(seat, view.rules.random_move(view.state, seat, view.faces, Random(1))))
        await asked.wait()
        moving.cancel()
        await match.until(lambda: all("move" in {entry.statement.kind for entry in one.match.entries} for one in match.sessions))
        await match.play(2, Random(2))
        assert not any(device.troubles for device in match.devices)


async def test_what_waits_to_be_said_while_entries_fall_away_is_refused() -> None:
    """It was meant for another log. An undo names an entry by its number, which another one may have now."""
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        session = match.sessions[0]
        seat, = session.people
        for said in (calls.Say("undo", {"seat": seat, "to": 1}), calls.Say("consent", {"seat": seat, "to": 1})):
            length = len(session.match.entries)
            async with session._turn:
                saying = asyncio.ensure_future(session.speak(said))
                await asyncio.sleep(0.01)
                session._cut(length)
            with pytest.raises(Refused, match=r"overtaken"):
                await saying
            assert not any(entry.statement.kind == said.kind for entry in session.match.entries[length:])
