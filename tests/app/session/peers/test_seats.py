"""Seats that change hands, as pages do it: to another device, back from a bot, and a new match without somebody."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

import pytest

from tabletin.app.screens.match.notices import own_seat
from tabletin.app.screens.match.peers import peer_bar
from tabletin.app.session.peers.device_transfer import DeviceTakeover, TransferOffer
from tabletin.app.session.peers.session import PeerSession
from tabletin.app.session.peers.side_channel import SIDE_CHANNEL_MARK
from tabletin.app.storage.persistence import row_of
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.peers.net.transport import MATCH
from tabletin.peers.replication.offer import Offer
from tabletin.peers.replication.successor import successor_setup
from tabletin.peers.room.state import BOT, PERSON, RoomState
from tabletin.peers.worker.calls import AgreeToSeat, MakeOffer
from tabletin.peers.worker.results import Signature
from tests.support.bots_here import WORDS
from tests.support.examples import MANY_HANDS, ONE_DEAL, lasting, short, unending
from tests.support.peer_tables import DeviceHere, GatewayHere, Tables, tables, without


async def another(match: Tables, number: int, known: DeviceHere) -> DeviceHere:
    """One more device, that meets the others through ``known``."""
    device = DeviceHere(match.town, number)
    await match.town.introduce(known.link, device.link)
    return device


async def moved(old: DeviceHere, new: DeviceHere) -> PeerSession:
    """``new`` goes on with the seats of ``old``; its session."""
    old.session.device_transfer.expect(new.author, None)
    takeover = DeviceTakeover(new.link, old.author)
    offer = await takeover.offer()
    await new.begin(offer.genesis)
    await takeover.take_over(new.session, new.session.side_channel, offer)
    return new.session


async def test_a_seat_goes_to_another_device_of_the_same_person_in_the_middle_of_a_hand() -> None:
    async with tables(ONE_DEAL, [1, 2, 3], options=short(ONE_DEAL)) as match:
        await match.play(4, Random(1))
        await match.until(match.dealt)
        old = match.devices[1]
        new = await another(match, 4, old)
        held = old.session.match.view((1,)).faces
        session = await moved(old, new)
        await match.until(lambda: old.session.device_transfer.stage == "done")
        assert (session.people, old.session.people) == ((1,), ())
        assert held.items() <= session.match.view((1,)).faces.items()
        assert "playing on your other device" in peer_bar(WORDS, old.session)
        match.devices[1] = new
        old.session.close()
        await match.play(300, Random(2))
        await match.until(match.agreed)
        assert session.match.outcome is not None
        assert not session.status.culprits


async def test_nobody_takes_a_seat_over_who_was_not_asked_to() -> None:
    async with tables(ONE_DEAL, [1, 2]) as match:
        await match.until(match.dealt)
        one, two = match.devices
        stranger = await another(match, 4, one)
        arriving = asyncio.ensure_future(DeviceTakeover(stranger.link, one.author).offer())
        await asyncio.sleep(0.05)
        assert not arriving.done()  # it is not told which match it is
        arriving.cancel()
        offer = (await two.session.ask_worker(MakeOffer(one.author))).result_as(Offer).to_json()
        two.session.side_channel.say(one.author, {"offer": offer})
        two.session.side_channel.say(one.author, {"offer": {"to": two.author}})
        await asyncio.sleep(0.05)
        assert one.session.people == (0,)
        assert one.session.side_channel.malformed_count == 1


async def test_a_hand_over_that_is_refused_says_why_on_both_devices() -> None:
    async with tables(ONE_DEAL, [1, 2]) as match:
        await match.until(match.dealt)
        old = match.devices[0]
        new = await another(match, 4, old)
        old.session.device_transfer.expect(new.author, None)
        takeover = DeviceTakeover(new.link, old.author)
        offer = await takeover.offer()
        await new.begin(offer.genesis)
        await match.until(lambda: len(new.session.match.entries) == len(old.session.match.entries))
        await old.session.resign(0)
        with pytest.raises(Refused, match=r"over"):
            await takeover.take_over(new.session, new.session.side_channel, offer)
        new.session.close()


async def test_whoever_was_gone_has_the_seat_back_with_the_next_hand() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], options=unending(MANY_HANDS), secure=False) as match:
        await match.play(2, Random(1))
        await match.until(match.dealt)
        gone = match.devices[2]
        await without(match, gone, "bot")
        await match.until(match.dealt)  # into the hand that is dealt for the bot
        match.devices.append(gone)
        gone.link.gone = False
        await gone.restart(flush=False)
        await match.until(lambda: gone.author in gone.session.match.former_authors)
        assert "take-seat" in own_seat(WORDS, gone.session)
        gone.session.rejoin.ask()
        await match.until(lambda: all(session.rejoin.promised_seats(gone.author) for session in match.sessions))
        assert "With the next hand" in own_seat(WORDS, gone.session)
        assert "P2 is back" in own_seat(WORDS, match.sessions[0])
        rng = Random(3)
        for _ in range(200):
            if gone.session.people:
                break
            await match.play(1, rng)
        await match.until(lambda: all(not session.match.former_authors for session in match.sessions))
        assert gone.session.people == (2,)
        await match.play(6, rng)
        assert not any(session.status.removals for session in match.sessions), "nobody wants it gone any more"


async def test_a_seat_is_given_back_to_nobody_else() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        await without(match, match.devices[2], "bot")
        keeper = next(one for one in match.sessions if 2 in one.seats_here)
        other = next(one for one in match.sessions if one is not keeper)
        agreed = (await other.ask_worker(AgreeToSeat(2, Seat("person", other.author)))).result_as(Signature).signature
        other.side_channel.say(keeper.author, {"seat": {"seat": 2, "agreed": agreed}})
        await match.until(lambda: keeper.side_channel.malformed_count == 1)
        assert not keeper.match.promises


async def test_those_who_are_left_find_themselves_in_one_new_match() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        one, two = match.sessions[:2]
        assert one.continuation.deals_anew(match.devices[2].author)
        gone = match.devices[2]
        await without(match, gone, "without")
        assert one.continuation.choices == {gone.author: {two.author: "without"}}
        await match.until(lambda: one.continuation.genesis is not None and two.continuation.genesis is not None)
        assert one.continuation.genesis == two.continuation.genesis
        for device in match.devices:  # as a page does it: the old one is put away once the new one is there
            before = device.session
            await device.begin(before.continuation.genesis)
            before.close()
        await match.until(match.dealt)
        await match.play(3, Random(1))
        assert [seat.name for seat in match.sessions[0].match.setup.seats] == ["P0", "P1"]


async def test_no_new_match_follows_an_end_that_fell_away() -> None:
    """Whoever looks at the old match again stays there, and goes to the one that its next end leads to."""
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        await without(match, match.devices[2], "without")
        session = next(one for one in match.sessions if one.match.orderer == one.author)
        await match.until(lambda: session.continuation.genesis is not None)
        genesis, end = session.continuation.genesis, session.match.end
        assert end is not None
        session._cut(end.index)
        session.continuation.on_entry(session.match.entries[-1])
        assert session.continuation.genesis is None
        session.continuation._take(genesis)
        assert session.continuation.genesis is None, "nor one that was founded meanwhile"


async def test_a_new_match_told_before_the_old_one_has_ended_here_is_taken_once_it_has() -> None:
    """Its founder is at the new table by then, and says it no more."""
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        gone = match.devices[2]
        orderer = match.sessions[0].match.orderer
        founder, other = match.sessions[:2] if orderer != match.devices[1].author else match.sessions[1::-1]
        entries: list[tuple[str, str]] = []
        asides: list[str] = []

        def hear(sender: str, text: str) -> None:
            if text.startswith(SIDE_CHANNEL_MARK):
                asides.append(text)
                other._hear(sender, text)
            elif '"t":"put"' in text:
                entries.append((sender, text))
            else:
                other._hear(sender, text)

        founder.side_channel.add_handler("which", lambda sender, data: None)
        other.net.on_text(MATCH, hear)  # type: ignore[union-attr]
        match.devices.remove(gone)
        gone.session.close()
        match.town.crash(gone.link)
        match.town.wait(20)
        for session in (founder, other):
            await session.continuation.choose(gone.author, "without")
        await match.until(lambda: any('"anew"' in text for text in asides))
        assert other.match.outcome is None and other.continuation.genesis is None
        other.net.on_text(MATCH, other._hear)  # type: ignore[union-attr]
        for sender, text in entries:
            other._hear(sender, text)
        await match.until(lambda: other.continuation.genesis is not None)
        assert other.continuation.genesis == founder.continuation.genesis


@pytest.mark.parametrize("who", ["one of those who go on", "the one who is gone"])
async def test_a_new_match_that_its_founder_has_not_signed_keeps_nobody_out_of_the_true_one(who: str) -> None:
    async with tables(MANY_HANDS, [1, 2, 3, 4], options=lasting(MANY_HANDS), secure=False) as match:
        await match.until(match.dealt)
        gone = match.devices[3]
        await without(match, gone, "without")
        founder = next(one for one in match.devices if one.session.match.orderer == one.author)
        cheat, honest = (one for one in match.devices if one is not founder)
        assert all(one.session.continuation.genesis is None for one in match.devices), "the founder has not said it yet"
        setup = successor_setup(cheat.session.match)
        assert setup is not None
        forged = Entry.create(0, NOTHING, replace(setup.statement(founder.author), signature="00" * 64), "00" * 64).to_json()
        sender = cheat.author if who == "one of those who go on" else gone.author
        for device in (founder, honest):
            device.session.side_channel.take("anew", sender, forged)
        await match.until(lambda: all(one.session.continuation.genesis is not None for one in match.devices))
        assert founder.session.continuation.genesis == honest.session.continuation.genesis != forged
        assert founder.session.side_channel.malformed_count == honest.session.side_channel.malformed_count == 1
        for device in match.devices:
            before = device.session
            await device.begin(before.continuation.genesis)
            before.close()
        await match.until(match.dealt)


async def test_a_match_that_began_with_a_forged_signature_is_not_kept_and_makes_room_for_the_true_one() -> None:
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        true = match.sessions[0].match.entries[0]
        forged = replace(true, statement=replace(true.statement, signature="00" * 64), signature="00" * 64)
        late = DeviceHere(match.town, 5, secure=False)
        with pytest.raises(Refused):
            await late.begin(forged.to_json())
        assert await late.shelf.records() == []
        record = match.sessions[0].record()
        await late.shelf.append(record.id, 0, [row_of(forged, Faces())], record)  # as a page of an earlier version kept it
        await late.begin(true.to_json())
        assert late.session.match.entries[0] == true
        await late.session.flush()
        assert (await late.shelf.read(record.id))[1][0] == row_of(true, Faces())


async def test_a_new_match_of_somebody_elses_making_is_not_taken() -> None:
    async with tables(MANY_HANDS, [1, 2, 3], secure=False) as match:
        await match.until(match.dealt)
        first = match.sessions[0].match.entries[0].to_json()
        await without(match, match.devices[2], "without")
        founder = next(one for one in match.sessions if one.match.orderer == one.author)
        other = next(one for one in match.sessions if one is not founder)
        founder.side_channel.say(other.author, {"anew": first})
        await match.until(lambda: other.side_channel.malformed_count == 1)


def over(device: DeviceHere) -> bool:
    return device.session.match.outcome is not None


def lacking(device: DeviceHere) -> list[str]:
    """Whose signature under the end is waited for there."""
    return list(device.session.status.missing_signers)


async def test_a_device_cut_off_before_the_end_gets_it_later_and_all_have_signed_the_result() -> None:
    async with tables(ONE_DEAL, [1, 2], options=short(ONE_DEAL)) as match:
        await match.play(3, Random(1))
        await match.until(match.dealt)
        one, two = match.devices
        match.town.cut(one.author, two.author)
        quitter, other = (one, two) if one.session.match.orderer == one.author else (two, one)
        await quitter.session.resign(quitter.session.people[0])
        assert over(quitter)
        assert lacking(quitter) == [other.author]
        match.town.sending.clear()  # lost, and both pages are closed
        match.town.heal(one.author, two.author)
        await quitter.restart()
        assert lacking(quitter) == [other.author], "it is known from the shelf, too"
        await other.restart()
        assert not over(other)
        await match.until(lambda: over(other))
        for session in match.sessions:
            await match.until(lambda one=session: one.status.missing_signers == ())  # type: ignore[misc]
            await session.flush()
        await quitter.restart()
        far = GatewayHere(quitter)
        quitter.session.come_back(far)
        again = quitter.session.status
        assert again.missing_signers == ()
    assert far.asked == 0, "there is nothing to come back for"


async def test_a_room_is_made_anew_from_a_match_when_nobody_has_it_any_more() -> None:
    bot = Seat("bot", "2", "Bot", "easy")
    async with tables(ONE_DEAL, [1, 2, bot, 2], options=short(ONE_DEAL)) as match:
        session = match.sessions[0]
        state = RoomState.of_match(session.match.id, session.match.setup, session.author)
        assert RoomState.from_json(state.to_json()) == state
        assert [(chair.kind, chair.author, chair.name) for chair in state.chairs] == [
            (PERSON, match.devices[0].author, ""), (PERSON, match.devices[1].author, ""),
            (BOT, match.devices[1].author, "Bot"), (PERSON, match.devices[1].author, "P3")]
        assert [member.name for member in state.members] == ["P0", "P1"]
        assert state.playing == session.match.id


async def test_all_seats_of_a_device_go_together_and_may_come_back() -> None:
    async with tables(ONE_DEAL, [1, 2, 1], options=short(ONE_DEAL)) as match:
        await match.until(match.dealt)
        old = match.devices[0]
        new = await another(match, 4, old)
        await moved(old, new)
        await match.until(lambda: old.session.device_transfer.stage == "done")
        assert (new.session.people, old.session.people) == ((0, 2), ())
        new.session.device_transfer.begin()
        new.session.device_transfer.expect(old.author, None)
        offer = TransferOffer(None, 0, None)
        await DeviceTakeover(old.link, new.author).take_over(old.session, old.session.side_channel, offer)
        await match.until(lambda: new.session.device_transfer.stage == "done")
        assert (new.session.people, old.session.people) == ((), (0, 2))
        new.session.close()
        await match.play(4, Random(3))
        assert not old.session.status.culprits
