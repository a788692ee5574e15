"""Commands that are given the wrong thing: one sentence says so, before any work is done."""

from __future__ import annotations

import asyncio
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random

import pytest

from tabletin import cli
from tabletin.bots import arena
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.logfile import export
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tabletin.words import load
from tests.support.examples import ONE_DEAL, game_for, short
from tests.support.peer_tables import tables


@pytest.fixture(scope="module")
def sealed_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a match among peers in which some moves are made."""
    async def played() -> str:
        async with tables(ONE_DEAL, [1, 2], options=short(ONE_DEAL)) as match:
            await match.play(6, Random(1))
            await match.until(match.agreed)
            return export(match.sessions[0].match)

    path = tmp_path_factory.mktemp("sealed") / "sealed.jsonl"
    path.write_text(asyncio.run(played()), "utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence on standard error."""
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("tabletin: ") and err.count("\n") == 1
    return err


def test_an_open_log_is_not_judged_but_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "open.jsonl"
    assert cli.main(["play", ONE_DEAL, "--seats", "random,random", "--log", str(log)]) == 0
    capsys.readouterr()
    assert cli.main(["judge", str(log)]) == 1
    assert "dealt by one device: check it with verify" in said(capsys)


def test_a_sealed_log_is_not_verified_but_judged_and_told(sealed_log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", str(sealed_log)]) == 1
    assert "among peers: check it with judge" in said(capsys)
    assert cli.main(["show", str(sealed_log)]) == 0
    told = capsys.readouterr()
    assert "P0" in told.out and not told.err


def test_a_missing_file_is_named_before_a_missing_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    assert cli.main(["judge", str(tmp_path / "nowhere.json")]) == 1
    assert "nowhere.json: No such file" in said(capsys)


@pytest.mark.parametrize("command", ["verify", "show", "judge"])
def test_a_file_of_gigabytes_is_refused_with_a_sentence(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It would not fit into memory, and is not read to its end."""
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as file:
        file.truncate(1 << 42)
    for path in (huge, Path("/dev/zero")):
        assert cli.main([command, str(path)]) == 1
        assert "The file is too large: at most 64 megabytes" in said(capsys)


@pytest.mark.parametrize("line", ["[" * 100_000, "9" * 100_000, '{"a":' * 50_000, '"' + "x" * 5_000_000 + '"', "9" * 4_000],
                         ids=["deep list", "long number", "deep object", "long line", "number"])
@pytest.mark.parametrize("command", ["verify", "judge"])
def test_a_file_made_to_hurt_is_refused_with_a_sentence(
    command: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path / "log.jsonl"
    assert cli.main(["play", ONE_DEAL, "--seats", "random,random", "--log", str(log)]) == 0
    lines = log.read_text("utf-8").split("\n")
    for place in (0, 1, 5, -3, -2):
        capsys.readouterr()
        hurt = tmp_path / "hurt.jsonl"
        hurt.write_text("\n".join([*lines[:place], line, *lines[place + 1:]]), "utf-8")
        assert cli.main([command, str(hurt)]) == 1
        assert len(said(capsys)) < 400


def test_where_nothing_can_be_written_nothing_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(arena, "play", None)
    monkeypatch.setattr(arena, "run", None)
    for place, why in ((tmp_path / "no" / "x", "there is no folder"), (tmp_path, "a folder, and no file")):
        assert cli.main(["play", ONE_DEAL, "--log", str(place)]) == 1
        assert why in said(capsys)
        assert cli.main(["arena", game_for(2), "--output", str(place)]) == 1
        assert why in said(capsys)
    page = tmp_path / "page.md"
    page.write_text("no markers", "utf-8")
    assert cli.main(["arena", game_for(2), "--output", str(page)]) == 1
    assert "has no <!-- arena -->" in said(capsys)


def test_a_record_that_is_no_text_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "record"
    record.write_bytes(b"\xff\xfe\x00")
    assert cli.main(["arena", game_for(2), "--deals", "1", "--record", str(record)]) == 1
    assert "record: not a text file" in said(capsys)


@pytest.mark.parametrize("number", ["x", "0", "-1", "1.5"])
def test_a_number_of_deals_is_explained(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["arena", f"--deals={number}"])
    assert f"--deals: expected a whole number, one at least, and not '{number}'" in said(capsys)


def test_a_closed_output_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    status = cli.main(["games"])
    monkeypatch.undo()
    assert status == 1 and "standard output is closed" in said(capsys)


def test_a_terminal_that_has_not_all_letters_gets_the_others_spelled_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = rules_of(ONE_DEAL)
    setup = Setup(ONE_DEAL, rules.version, {}, (Seat("person", AUTHOR, "\u0416enya"), Seat("person", AUTHOR, "Ada")))
    table = Table.begin(rules, setup, OpenDealer(Random(1)))
    table.resign(0)
    log = tmp_path / "log.jsonl"
    log.write_text(export(table.match), "utf-8")
    written = BytesIO()
    terminal = TextIOWrapper(written, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    status = cli.main(["show", str(log)])
    monkeypatch.undo()
    assert status == 0 and b"\\u0416enya" in written.getvalue() and not terminal.closed


def test_a_new_game_names_the_python_that_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "create", lambda name, root: [])
    monkeypatch.setattr(sys, "executable", "/somewhere/python9")
    assert cli.main(["new", "old_maid"]) == 0
    assert "It plays: python9 -m tabletin play old-maid" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "{", "[1.5]", '{"a":1,"a":2}', '{"form":"tabletin-league","version":1,"results":"x"}',
                                  '{"form":"tabletin-league","version":"\x1b[2J","results":[1]}',
                                  '{"form":"tabletin-accusation","version":1,"exhibits":[]}', '{"form":{}}', '{"form":[1]}'])
def test_what_cannot_be_judged_is_refused_in_the_words_of_the_page(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """Not in those of a decoder."""
    path = tmp_path / "file.json"
    path.write_text(text, "utf-8")
    assert cli.main(["judge", str(path)]) == 1
    reason = said(capsys).removeprefix("tabletin: ").strip()
    assert reason in {load().text(f"settings.data.why.{why}") for why in ("not_ours", "damaged", "version")}
