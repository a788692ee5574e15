"""What comes in as a file is judged as a whole before anything is stored: the audit refuses what the rules alone let pass."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tabletin import cli
from tabletin.app import time_slices
from tabletin.app.routes import parse
from tabletin.app.screens.judge import JudgeScreen
from tabletin.app.settings import Settings
from tabletin.app.storage import archive
from tabletin.app.storage.archive import MOST_KEYS, Unreadable, no_worker, pack, unpack
from tabletin.app.storage.league import Ask
from tabletin.app.storage.matches import MatchRecord, MemoryMatches, record_of
from tabletin.app.storage.persistence import match_steps, row_of
from tabletin.kernel import stepwise
from tabletin.kernel.dealing import OpenDealer, OpenDealing
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, canonical
from tabletin.kernel.logfile import audit, export, load
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal
from tabletin.kernel.rules import Finding
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.peers.worker import verify
from tabletin.peers.worker.results import LogReport
from tabletin.registry import rules_of
from tests.support.bots_here import WORDS
from tests.support.examples import ONE_DEAL, short
from tests.support.peer_screens import Painted
from tests.support.peer_tables import Tables, tables
from tests.support.rigged_logs import Rigged, altered, played

SHORT = short(ONE_DEAL)


def of_one_face(faces: list[str]) -> list[str]:
    """As many copies of one card as there are cards."""
    return faces[:1] * len(faces)


def rigged_match() -> Match:
    return played(ONE_DEAL, Rigged(of_one_face), SHORT, moves=12)


def opened_as_another(match: Match) -> str:
    """The file of ``match``, in which a card that was opened was dealt as another."""
    card = next(card for _, snapshot, _ in match.steps() for card in snapshot.openings if card in match.knowledge)
    face = next(face for face in match.rules.deck() if face != match.knowledge[card])
    return altered(export(match), faces=lambda faces: faces.update({str(card): face}))


FORGERIES = {"of one face": lambda: export(rigged_match()),
             "opened as another": lambda: opened_as_another(played(ONE_DEAL, OpenDealer(Random(4)), SHORT))}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=list(FORGERIES))
async def test_a_log_in_which_the_audit_finds_something_is_not_taken_in(forge: Callable[[], str]) -> None:
    text = forge()
    finding = audit(load(text, rules_of))[0]
    assert finding.entry is not None
    refusal = await refusal_of(text)
    assert (refusal.key, refusal.params["entry"]) == (finding.key, finding.entry)
    assert WORDS.reason(refusal) == f"Entry {finding.entry}: {WORDS.text(finding.key)}"


async def archive_of(match: Match) -> str:
    """An archive that holds ``match``, dealt by one device."""
    shelf, record = MemoryMatches(), record_of(match, 5.0)
    rows = [row_of(entry, match.knowledge if entry.index == 0 else Faces()) for entry in match.entries]
    await shelf.append(record.id, 0, rows, record)
    return await pack(shelf, Settings())


async def refusal_of(text: str, ask: Ask = no_worker) -> Refusal:
    """Why ``text`` is not taken in; nothing is stored then."""
    shelf = MemoryMatches()
    with pytest.raises(Unreadable) as caught:
        await unpack(shelf, text, ask)
    assert await shelf.records() == []
    return caught.value.refusal


async def test_nor_is_such_a_match_of_an_archive() -> None:
    assert (await refusal_of(await archive_of(rigged_match()))).key == "kernel.audit.deck"
    assert await unpack(MemoryMatches(), await archive_of(played(ONE_DEAL, OpenDealer(Random(4)), SHORT, moves=12))) == (1, 0)


async def test_a_match_of_an_archive_lacks_no_face() -> None:
    """But for one that came as a seat's own file: it goes out and comes in as it is."""
    match = played(ONE_DEAL, OpenDealer(Random(4)), SHORT, moves=12)
    own = load(export(match, 1), rules_of)
    assert 0 < len(own.knowledge) < len(match.knowledge)
    assert await unpack(MemoryMatches(), await archive_of(own)) == (1, 0)
    more = load(export(match, 1), rules_of)
    more.learn(Faces([next((card, face) for card, face in match.knowledge.items() if card not in own.knowledge)]))
    assert (await refusal_of(await archive_of(more))).key == "kernel.file.missing", "nor has it more"
    own.knowledge.popitem()
    refusal = await refusal_of(await archive_of(own))
    assert refusal.key == "kernel.file.missing"
    assert refusal.params["n"] == len(match.knowledge) - len(own.knowledge)


@pytest.mark.parametrize("author", [AUTHOR, "eve", ""])
async def test_a_match_that_one_device_deals_is_said_by_that_one_alone(author: str) -> None:
    """The page speaks as that one: with another match it could not go on, whenever it is opened."""
    rules = rules_of(ONE_DEAL)
    genesis = Setup(ONE_DEAL, rules.version, SHORT, (Seat("person", author),) * 2).statement(author)
    whole = Match(rules, Entry.create(0, NOTHING, genesis), OpenDealing())
    table = Table.begin(rules, Setup(ONE_DEAL, rules.version, SHORT, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(1)))
    table.replace(0, Seat("bot", author, "Robo", "easy"))
    for match, entry in ((whole, 0), (table.match, len(table.match.entries) - 1)):
        texts = export(match), await archive_of(match)
        if author == AUTHOR:
            assert [await unpack(MemoryMatches(), text) for text in texts] == [(1, 0)] * 2
        else:
            assert (await refusal_of(texts[0])).params == {"entry": entry}, "of nobody at the table"
            assert [(await refusal_of(text)).key for text in texts] == ["kernel.one_device"] * 2


async def test_options_that_the_game_has_not_are_not_called_as_in_the_program() -> None:
    data = json.loads(await archive_of(played(ONE_DEAL, OpenDealer(Random(4)), SHORT, moves=2)))
    genesis = data["matches"][0]["rows"][0]
    line = json.loads(genesis[0])
    line["say"]["body"]["options"] = {"more": 1}
    genesis[0] = canonical(line).decode()
    assert (await refusal_of(json.dumps(data))).key == "kernel.file.options"


async def test_a_match_that_is_taken_in_twice_at_once_is_there_once() -> None:
    """Two files were chosen, one after the other, or the same one in two tabs."""
    class SlowMatches(MemoryMatches):
        async def records(self) -> list[MatchRecord]:
            found = await super().records()
            await asyncio.sleep(0)
            return found

    shelf, text = SlowMatches(), await archive_of(played(ONE_DEAL, OpenDealer(Random(4)), SHORT, moves=12))
    assert sorted(await asyncio.gather(unpack(shelf, text), unpack(shelf, text))) == [(0, 1), (1, 0)]
    assert len(await shelf.records()) == 1


@pytest.mark.parametrize("name", ["created", "updated"])
@pytest.mark.parametrize("time", [float("inf"), float("-inf"), float("nan"), -1, 1e300, 10**400, 253_402_300_800, "5", None, True,
                                  [], {}])
async def test_a_time_that_no_page_can_show_refuses_an_archive(name: str, time: Any) -> None:
    data = json.loads(await archive_of(played(ONE_DEAL, OpenDealer(Random(4)), SHORT, moves=2)))
    data["matches"][0][name] = time
    assert (await refusal_of(json.dumps(data))).key == "settings.data.why.damaged"


async def test_the_page_lives_on_while_an_archive_is_judged() -> None:
    """Ten thousand matches take minutes."""
    one = json.loads(await archive_of(played(ONE_DEAL, OpenDealer(Random(4)), SHORT)))["matches"]
    turns = 0

    async def live() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    living = asyncio.ensure_future(live())
    text = json.dumps({"form": "tabletin-archive", "version": 1, "matches": one * 30})
    assert await unpack(MemoryMatches(), text) == (1, 29)
    living.cancel()
    assert turns >= 30


@pytest.mark.parametrize("version", [True, 1.0, "1", None, 0, 2])
async def test_an_archive_of_another_version_is_refused(version: Any) -> None:
    data = json.loads(await archive_of(played(ONE_DEAL, OpenDealer(Random(4)), SHORT, moves=2)))
    assert data["version"] == 1
    data["version"] = version
    assert (await refusal_of(json.dumps(data))).key == "settings.data.why.version"


@pytest.mark.parametrize("filler", ["[],", "0,", '"","",', '"\\\\","\\\\",'])
async def test_an_archive_that_would_fill_the_memory_is_not_read(filler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three letters of a file come to a hundred bytes."""
    monkeypatch.setattr(archive, "MOST_VALUES", 1_000)
    full = await archive_of(played(ONE_DEAL, OpenDealer(Random(4)), SHORT))
    assert await unpack(MemoryMatches(), full) == (1, 0)
    data = full.removesuffix("}") + ',"x":[' + filler * 1_000 + "0]}"
    assert json.loads(data)["x"]
    assert (await refusal_of(data)).key == "settings.data.why.damaged"


@pytest.mark.parametrize("where", ["settings", "matches"])
async def test_an_archive_with_very_many_keys_is_not_read(where: str) -> None:
    """Keys can be chosen so that each is compared with all others."""
    data = json.loads(await archive_of(played(ONE_DEAL, OpenDealer(Random(4)), SHORT, moves=2)))
    few = dict.fromkeys((f"key {number}" for number in range(MOST_KEYS // 2)), 0)
    text = json.dumps({**data, "more": few})
    assert await unpack(MemoryMatches(), text) == (1, 0)
    data[where] = dict.fromkeys((f"key {number}" for number in range(MOST_KEYS + 1)), 0)
    assert (await refusal_of(json.dumps(data))).key == "settings.data.why.damaged"


async def finished(match: Tables) -> None:
    await match.play(400, Random(1))
    await match.until(match.agreed)
    assert match.sessions[0].match.outcome is not None


async def test_neither_is_one_among_peers_and_its_judge_does_not_offer_it() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT, secure=False) as match:
        await finished(match)
        device = match.devices[0]
        false = opened_as_another(device.session.match)
        shell = Painted(device)
        refusal = await refusal_of(false, device.replica.call)
        assert refusal.key == "kernel.file.faces", "nobody signed it, so no player is to blame"
        screen = JudgeScreen(shell, parse("#/judge"))  # type: ignore[arg-type]
        await screen.on_file("judged", false)
        assert WORDS.text("kernel.file.faces") in shell.html and "keep-log" not in shell.html
        await screen.on_file("judged", export(device.session.match))
        assert "keep-log" in shell.html


@pytest.mark.parametrize("name", ["exhibits", "tabletin-league", "tabletin-accusation"])
async def test_a_log_is_judged_as_one_whatever_its_players_are_called(name: str) -> None:
    rules = rules_of(ONE_DEAL)
    seats = (Seat("person", AUTHOR, name), Seat("person", AUTHOR, "Ada"))
    table = Table.begin(rules, Setup(ONE_DEAL, rules.version, SHORT, seats), OpenDealer(Random(1)))
    table.resign(0)
    shell = Painted(SimpleNamespace(shelf=MemoryMatches(), replica=None))
    screen = JudgeScreen(shell, parse("#/judge"))  # type: ignore[arg-type]
    await screen.on_file("judged", export(table.match))
    assert name in shell.html and "keep-log" in shell.html
    await screen.on_file("judged", "nothing of ours")
    assert WORDS.text("settings.data.why.not_ours") in shell.html


async def test_whose_claim_was_false_is_told_apart_from_others_of_that_name(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever lied may have named all seats."""
    rules = rules_of(ONE_DEAL)
    table = Table.begin(rules, Setup(ONE_DEAL, rules.version, SHORT, (Seat("person", AUTHOR, "Ada"),) * 2), OpenDealer(Random(1)))
    shell = Painted(SimpleNamespace(shelf=MemoryMatches(), replica=None))
    log, lied = export(table.match), Finding(1, "kernel.over")
    monkeypatch.setattr(rules, "audit", lambda *_: [lied])
    screen = JudgeScreen(shell, parse("#/judge"))  # type: ignore[arg-type]
    await screen.on_file("judged", log)
    assert "Ada (Seat 2): The match is over." in shell.html
    report = LogReport(ONE_DEAL, 1, "", ("Ada", "Ada"), 0, 0, 0, (), None, (lied,))
    monkeypatch.setattr(verify, "verify_log", lambda *_: report)
    path = tmp_path / "sealed.jsonl"
    path.write_text(log.replace('"dealing":"open"', '"dealing":"sealed"'), "utf-8")
    assert cli.main(["judge", str(path)]) == 1
    assert capsys.readouterr().err == "tabletin: Ada (Seat 2): The match is over.\n"


async def test_the_verdict_on_a_long_file_does_not_stand_beside_the_one_that_was_chosen_after_it(
        monkeypatch: pytest.MonkeyPatch) -> None:
    """A log is judged while the page lives on."""
    monkeypatch.setattr(time_slices, "SLICE", 0.0)
    sound = export(played(ONE_DEAL, OpenDealer(Random(1)), SHORT))
    shell = Painted(SimpleNamespace(shelf=MemoryMatches(), replica=None))
    screen = JudgeScreen(shell, parse("#/judge"))  # type: ignore[arg-type]
    judging = asyncio.create_task(screen.on_file("judged", sound))
    await asyncio.sleep(0)
    await screen.on_file("judged", "nothing of ours")
    await judging
    assert WORDS.text("settings.data.why.not_ours") in shell.html and not screen.log
    await screen.on_file("judged", sound)
    keeping = asyncio.create_task(screen.act("keep", {}))
    await asyncio.sleep(0)
    await screen.on_file("judged", "nothing of ours")
    await keeping
    assert WORDS.text("settings.data.why.not_ours") in shell.html
    assert len(await shell.matches.records()) == 1


@pytest.mark.parametrize("turns", [3, 400], ids=["in the middle", "over"])
async def test_an_archive_brings_back_a_match_among_peers_whole(turns: int) -> None:
    async with tables(ONE_DEAL, [1, 2, 1], options=SHORT) as match:
        await match.play(turns, Random(1))
        await match.until(match.dealt)
        for device in match.devices:
            await device.session.flush()
            text, again = await pack(device.shelf, Settings()), MemoryMatches()
            assert await unpack(again, text, device.replica.call) == (1, 0)
            (before, rows), (after, came) = await device.shelf.read(device.session.id), await again.read(device.session.id)
            assert [line for line, _ in came] == [line for line, _ in rows]
            assert [answers_in(beside) for _, beside in came] == [answers_in(beside) for _, beside in rows]
            assert (after.creation_time, after.update_time) == (before.creation_time, before.update_time)
            restored = stepwise.result_of(match_steps(came))
            assert (restored.state, restored.knowledge) == (device.session.match.state, device.session.match.knowledge)
            assert (after.outcome, after.entries, after.scores) == (before.outcome, before.entries, before.scores)


def answers_in(beside: str) -> Any:
    """What a deal answered, as it is kept beside its entry."""
    return json.loads(beside or "{}").get("told")


async def test_an_archives_match_among_peers_is_believed_only_with_its_signatures() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.play(3, Random(1))
        await match.until(match.dealt)
        device = match.devices[0]
        await device.session.flush()
        text = await pack(device.shelf, Settings())
        assert (await refusal_of(text)).key == "settings.data.why.unchecked"
        for at in range(len(device.session.match.entries)):
            data = json.loads(text)
            row = data["matches"][0]["rows"][at]
            row[0] = canonical({**json.loads(row[0]), "sig": "0" * 128}).decode()
            refusal = await refusal_of(json.dumps(data), device.replica.call)
            assert (refusal.key, refusal.params["entry"]) == ("peers.place_unsigned" if at else "kernel.file.entry", at)


async def test_what_an_archive_says_that_a_deal_answered_is_not_believed() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        await match.until(match.dealt)
        device = match.devices[0]
        await device.session.flush()
        data, shelf = json.loads(await pack(device.shelf, Settings())), MemoryMatches()
        rows = data["matches"][0]["rows"]
        row = next(row for row in rows if any(answers_in(row[1]) or ()))
        beside = json.loads(row[1])
        face = next(one for one in beside["told"] if one)
        face[0] = next(one for one in device.session.match.rules.deck() if one != face[0])
        honest, row[1] = answers_in(row[1]), json.dumps(beside)
        assert stepwise.result_of(match_steps(rows)).state != device.session.match.state
        assert await unpack(shelf, json.dumps(data), device.replica.call) == (1, 0)
        _, came = await shelf.read(device.session.id)
        assert stepwise.result_of(match_steps(came)).state == device.session.match.state
        assert answers_in(came[rows.index(row)][1]) == honest
