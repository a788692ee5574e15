"""An entry that arrives at a device: how often it is spelled and parsed on its way to disk and screen, and how it is stored."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tabletin.app.storage.persistence import match_steps
from tabletin.kernel.log import canonical, parse
from tabletin.kernel.stepwise import result_of
from tabletin.kernel.trusted_match import answers_json, deal_answers
from tabletin.peers.replication.outbox import Pending
from tests.support.examples import MANY_HANDS, ONE_DEAL, short
from tests.support.peer_tables import tables

SHORT = short(ONE_DEAL)


class Counted:
    """How often JSON that holds a mark is written and read in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, mark: str) -> None:
        self.mark = mark
        self.written: list[str] = []
        self.read: list[str] = []
        encode, decode = json.JSONEncoder.encode, json.JSONDecoder.decode

        def counted_encode(encoder: json.JSONEncoder, value: Any) -> str:
            text = encode(encoder, value)
            self._count(self.written, text)
            return text

        def counted_decode(decoder: json.JSONDecoder, text: str, *more: Any) -> Any:
            self._count(self.read, text)
            return decode(decoder, text, *more)

        monkeypatch.setattr(json.JSONEncoder, "encode", counted_encode)
        monkeypatch.setattr(json.JSONDecoder, "decode", counted_decode)

    def _count(self, found: list[str], text: str) -> None:
        if self.mark in text.replace(" ", "").replace("\\", ""):
            found.append(text)


async def test_an_entry_that_arrives_is_spelled_once_and_parsed_once_by_worker_and_page(monkeypatch: pytest.MonkeyPatch) -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT) as match:
        rng = Random(1)
        await match.play(2, rng)
        await match.until(match.dealt)
        while (mover := match.sessions[match.sessions[0].acting[0]]).author != mover.match.orderer:
            await match.play(1, rng)
            await match.until(match.dealt)
        (seat,) = mover.acting
        device = next(one for one in match.devices if one.session is not mover)
        session = device.session
        match.town.cut(mover.author, session.author)
        view = mover.match.view((seat,))
        await mover.move(seat, view.rules.random_move(view.state, seat, view.faces, rng))
        entry = next(one for one in reversed(mover.match.entries) if one.statement.kind == "move")

        def on_its_way() -> list[str]:
            return [text for _, _, channel, text in match.town.sending
                    if channel == "match" and f'"head":"{entry.statement.head}","kind":"move"' in text]

        await match.until(lambda: bool(on_its_way()))
        arriving = on_its_way()[0]
        statement = entry.statement
        mark = f'"head":"{statement.head}","kind":"move","match":"{statement.match}","n":{statement.count}'
        mover._beating.cancel()  # type: ignore[union-attr]  # it says nothing more while this is counted
        match.town.sending.clear()
        counted = Counted(monkeypatch, mark)
        device.link.hear(mover.author, "match", arriving)
        await match.until(lambda: len(session.match.entries) > entry.index)
        await session.flush()
        assert session.match.entries[entry.index].hash == entry.hash
        _, rows = await device.shelf.read(session.id)
        assert rows[entry.index][0] == entry.line
        assert [len(counted.written), len(counted.read)] == [1, 2], "spelled for its hash; parsed by the worker, and by the page"


async def test_a_stored_row_is_byte_for_byte_what_earlier_versions_wrote() -> None:
    async with tables(MANY_HANDS, [1, 2], secure=False) as match:
        await match.play(8, Random(3))
        await match.until(match.dealt)
        for device, session in zip(match.devices, match.sessions, strict=True):
            await session.flush()
            record, rows = await device.shelf.read(session.id)
            answers = iter(deal_answers(session.match))
            faces: dict[str, str] = {}
            for entry, (line, beside) in zip(session.match.entries, rows, strict=True):
                assert line == canonical(entry.to_json()).decode()
                stored = parse(beside) if beside else {}
                assert beside in ("", canonical(stored).decode())
                told = answers_json(next(answers)) if entry.statement.kind == "deal" else None
                assert stored.get("told") == told
                faces |= stored.get("faces", {})
            assert {int(card): face for card, face in faces.items()} == dict(session.match.knowledge)
            pending = Pending.from_json(record.saying or [])
            statement, count = pending.statement, pending.count
            assert statement is None or statement["match"] == session.match.id
            assert count >= session.match.count(session.author)
            again, here = result_of(match_steps(rows)), session.match
            assert (again.head, again.state, again.knowledge) == (here.head, here.state, here.knowledge)
