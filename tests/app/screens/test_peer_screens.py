"""What people read of a match among peers: the strip above the table, the padlock's account, a judged file."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape
from pathlib import Path
from random import Random

import pytest

from tabletin.app.connection_servers import Servers
from tabletin.app.routes import parse
from tabletin.app.screens.judge import JudgeScreen
from tabletin.app.screens.match.peers import peer_bar, progress_words, waiting_words
from tabletin.app.screens.match.verification import VerificationScreen
from tabletin.app.screens.room.server_list import consent_words
from tabletin.app.session.peers.session import PeerSession
from tabletin.app.session.peers.side_channel import UndoRequest
from tabletin.app.storage.archive import Unreadable, unpack
from tabletin.app.storage.matches import MemoryMatches
from tabletin.app.storage.persistence import match_steps
from tabletin.cli import main
from tabletin.kernel import stepwise
from tabletin.kernel.log import canonical
from tabletin.kernel.logfile import export
from tabletin.peers.dealing.trail import dealing_trail
from tabletin.peers.identity import Ed25519
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.calls import DeviceCall
from tabletin.peers.worker.status import Culprit, DealProgress
from tests.support.bots_here import WORDS
from tests.support.examples import MANY_HANDS, ONE_DEAL, short
from tests.support.peer_screens import Painted
from tests.support.peer_tables import Tables, tables

SHORT = short(ONE_DEAL)


async def finished(match: Tables) -> None:
    await match.play(400, Random(1))
    await match.until(match.agreed)
    for session in match.sessions:
        await session.flush()


def test_servers_are_said_to_carry_the_game_only_where_one_may() -> None:
    for who in ("host", "guest"):
        assert "the game itself never goes through them" in consent_words(WORDS, who, Servers("stun:one", relays=("wss://two",)))
        passing = consent_words(WORDS, who, Servers("stun:one", "turn:three", "ada", "tin", ("wss://two",)))
        assert "never" not in passing
        assert "the TURN server passes the game on, sealed" in passing


async def test_the_strip_says_who_is_here_in_words_and_for_whom_the_table_waits() -> None:
    async with tables(ONE_DEAL, [1, 2, 3], options=SHORT) as match:
        await match.until(match.dealt)
        one = match.sessions[0]
        shown = peer_bar(WORDS, one)
        assert shown.count("#icon-circle-check") == 2
        assert ">here<" in shown
        away = match.devices[2].author
        match.town.cut(match.devices[0].author, away)
        match.town.cut(match.devices[1].author, away)
        match.town.wait(20)
        one.status.on_tick(0.0)
        shown = peer_bar(WORDS, one)
        assert "#icon-circle-off" in shown
        assert ">away<" in shown
        assert "Without P2" not in shown  # it may be for a moment
        one.status.on_tick(10.0)
        assert "Without P2" in peer_bar(WORDS, one)  # two of three may
        match.town.heal(match.devices[0].author, away)
        match.town.heal(match.devices[1].author, away)


async def test_the_strip_tells_what_is_asked_what_is_dealt_and_who_cheated() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        one, two = match.sessions
        one.status.progress = DealProgress("shuffle", 1, 2)
        assert progress_words(WORDS, one) == "Shuffling: 2 of 2"
        one.status.progress, one.status.checking_of = DealProgress(checking=3), 12
        assert progress_words(WORDS, one) == "Checking: 10 of 12"
        one.status.waiting_for = (two.author,)
        assert waiting_words(WORDS, one) == "Waiting for P1’s device"
        one.status.waiting_for = ()
        two.side_channel.ask(1, 2)  # nothing to take back there
        one.send_aside(None, "?[]")
        one.status.culprits = (Culprit(two.author, "fork"),)
        shown = peer_bar(WORDS, one)
        assert "P1’s device broke the rules" in shown
        assert "agree-back" not in shown
        assert "another version" not in shown
        one.status.other_versions = (two.author,)
        assert "P1 plays with another version of Tabletin. Reload the page on both devices." in peer_bar(WORDS, one)


async def test_the_strip_says_how_far_back_somebody_would_like_to_go() -> None:
    """Who agrees to take the last move back agrees to nothing else."""
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.until(match.dealt)
        await match.play(3, Random(1))
        seat, to = await match.lay(Random(1))
        asker, other = (next(one for one in match.sessions if (seat in one.people) == mine) for mine in (True, False))
        entries = asker.match.entries
        moves = [entry.index for entry in entries if entry.statement.kind in ("move", "timeout")]
        asker.side_channel.ask(seat, to)
        await match.until(lambda: other.side_channel.request is not None)
        assert "would like to take the last move back" in peer_bar(WORDS, other)
        for back in (2, 3):
            other.side_channel.request = UndoRequest(seat, moves[-back] - 1)
            assert f"would like to go back {back} moves" in peer_bar(WORDS, other)
        other.side_channel.request = UndoRequest(1 - seat, to)
        assert "would like to go back one move" in peer_bar(WORDS, other), "that move is not its own"


async def test_the_padlock_accounts_for_every_message_of_the_deal() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await finished(match)
        device, session = match.devices[0], match.sessions[0]
        shell = Painted(device)
        screen = VerificationScreen(shell, parse(f"#/match/{session.id}/sealed"))  # type: ignore[arg-type]
        await screen.open()
        lines = dealing_trail(session.match)
        assert {line.author for line in lines if line.what == "shuffle"} == {one.author for one in match.devices}
        assert {line.what for line in lines} <= {"key", "shuffle", "share", "play", "remask", "roll"}
        assert sum(line.what == "key" for line in lines) == 2
        assert all(session.match.entries[line.index].hash == line.hash for line in lines)
        assert shell.html.count("<tr><td>") == len(lines)
        assert lines[-1].hash[:12] in shell.html
        await screen.act("save", {})
        assert shell.files == [export(session.match)]


async def test_a_saved_log_is_judged_with_its_proofs_and_a_damaged_one_is_not_believed(tmp_path: Path) -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await finished(match)
        device, session = match.devices[0], match.sessions[0]
        shell = Painted(device)
        screen = JudgeScreen(shell, parse("#/judge"))  # type: ignore[arg-type]
        text = export(session.match)
        await screen.on_file("judged", text)
        assert "Everything in this log holds." in shell.html
        assert session.match.head[:12] in shell.html
        lines = text.splitlines()
        number = next(n for n, line in enumerate(lines) if '"kind":"move"' in line)
        line = json.loads(lines[number])
        line["say"]["body"]["seat"] = 1 - line["say"]["body"]["seat"]
        lines[number] = canonical(line).decode()
        await screen.on_file("judged", "\n".join(lines))
        assert "breaks its own rules" in shell.html
        log = tmp_path / "log.jsonl"
        log.write_text(text, "utf-8")
        assert main(["judge", str(log)]) == 0
        log.write_text("\n".join(lines) + "\n", "utf-8")
        assert main(["judge", str(log)]) != 0
        await screen.on_file("judged", "nonsense")
        assert "could not be read" in shell.html


async def test_a_stored_match_folds_again_without_a_worker() -> None:
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.play(12, Random(3))
        await match.until(match.dealt)
        for device, session in zip(match.devices, match.sessions, strict=True):
            await session.flush()
            _, rows = await device.shelf.read(session.id)
            again = stepwise.result_of(match_steps(rows))
            assert again.state == session.match.state
            assert again.knowledge == session.match.knowledge
            assert again.head == session.match.head
            assert [again.snapshot_at(index).state for index in range(0, len(rows), 7)] == [
                session.match.snapshot_at(index).state for index in range(0, len(rows), 7)]


async def test_whoever_cheats_is_named_at_every_table_and_the_evidence_convicts() -> None:
    async with tables(ONE_DEAL, [1, 2, 3], options=SHORT) as match:
        await match.until(match.dealt)
        anna, _, carl = match.sessions
        cheat = match.devices[1]
        said = anna.match.propose(cheat.author, "move", {"seat": 1, "do": ["pass", [], []], "open": []})
        signature = Ed25519(bytes([2]) * 32).sign(canonical(said.signed_fields()))
        text = canonical({"t": "say", "s": {**said.to_json(), "sig": signature}}).decode()
        for device in match.devices:
            if device.author == anna.match.orderer and device is not cheat:
                cheat.link.send(device.author, "match", text)
        def names_the_cheat(session: PeerSession) -> bool:
            return [(accused.author, accused.why) for accused in session.status.culprits] == [(cheat.author, "statement")]

        await match.until(lambda: names_the_cheat(anna) and names_the_cheat(carl))
        await match.until(lambda: bool(anna.side_channel.evidence and carl.side_channel.evidence))
        for device in (match.devices[0], match.devices[2]):
            shown = peer_bar(WORDS, device.session)
            assert "P1’s device broke the rules" in shown
            (accused,) = device.session.status.culprits
            assert accused.refusal is not None
            assert device.session.wording.refusal(accused.refusal) in unescape(shown)
            assert device.session.over  # the room may begin another match
            shell = Painted(device)
            screen = JudgeScreen(shell, parse("#/judge"))  # type: ignore[arg-type]
            await screen.on_file("judged", device.session.side_channel.evidence[cheat.author, "statement"])
            assert "Proven: P1’s device broke the rules." in shell.html


@pytest.mark.parametrize("taken", ["P0", "P0 and P2"])
async def test_a_cheat_is_called_what_it_was_called_when_it_sat_down(taken: str) -> None:
    """Whatever name it takes afterwards: the sentence would name somebody innocent."""
    async with tables(ONE_DEAL, [1, 2, 3], options=SHORT) as match:
        await match.until(match.dealt)
        anna, cheat, carl = match.sessions
        await cheat.replace(1, replace(cheat.match.setup.seats[1], name=taken))
        await match.until(match.agreed)
        for session in (anna, carl):
            assert session.match.setup.seats[1].name == taken
            session.status.culprits = (Culprit(cheat.author, "fork"),)
            assert "P1’s device broke the rules" in peer_bar(WORDS, session)


async def test_false_proof_from_another_table_accuses_nobody() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        one, two = match.sessions
        false = Accusation.of_log(one.match, two.author, "shuffle").to_text()
        calls = match.devices[0].replica.calls
        for text in (false, "nonsense", *["{}"] * 9):
            two.send_aside(None, "?" + canonical({"proof": text}).decode())
        await match.until(lambda: calls.count("HearProof") >= 2)
        two.side_channel.malformed_count = 0
        await match.play(2, Random(1))
        assert one.status.culprits == ()
        assert calls.count("HearProof") <= 4  # each costs time: no device may have more than a few judged


async def test_a_saved_log_becomes_a_match_of_another_device_to_be_watched() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await finished(match)
        session, other = match.sessions[0], MemoryMatches()
        text = export(session.match)

        async def ask(call: DeviceCall) -> WorkerAnswer:
            return (await match.devices[1].replica.call(call)).require()

        assert await unpack(other, text, ask) == (1, 0)
        assert await unpack(other, text, ask) == (0, 1)
        record, rows = await other.read(session.id)
        again = stepwise.result_of(match_steps(rows))
        assert again.state == session.match.state
        assert again.knowledge == session.match.knowledge
        assert record.outcome == session.match.outcome
        assert record.me is None and "me" not in record.extra, "it was somebody else's match"
        lines = text.splitlines()
        wrong = {"\n".join(lines[:-1]): "cut_short", text.replace('"version":2', '"version":9', 1): "version",
                 text.replace(lines[5], lines[6]): "", "hello": "not_ours", text[:300]: "cut_short"}
        for damaged, why in wrong.items():
            with pytest.raises(Unreadable) as caught:
                await unpack(MemoryMatches(), damaged, ask)
            assert caught.value.refusal.key.endswith(why)
            assert caught.value.refusal.key in WORDS
        forged = text.replace(session.match.entries[4].signature, "0" * 128)
        with pytest.raises(Unreadable, match="place_unsigned"):
            await unpack(MemoryMatches(), forged, ask)


async def test_what_cannot_be_judged_is_said_in_words() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        shell = Painted(match.devices[0])
        screen = JudgeScreen(shell, parse("#/judge"))  # type: ignore[arg-type]
        text = export(match.sessions[0].match, 0)
        for damaged, said in {"": "not a Tabletin file", "{": "not a Tabletin file", text[:-30]: "damaged",
                              text.rpartition('{"end"')[0]: "Its end is missing",
                              '{"form":"tabletin-accusation","version":1}': "damaged"}.items():
            await screen.on_file("judged", damaged)
            assert said in shell.html, shell.html
            assert "expected" not in shell.html
