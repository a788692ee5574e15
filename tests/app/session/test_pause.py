"""A pause: no bot moves and nobody plays until it ends; where other devices would wait there is none."""

from __future__ import annotations

import asyncio

import pytest

from tabletin.app.session.local import LocalSession
from tabletin.kernel.options import Refused
from tests.support.bots_here import ME, bot, context, settle, short_match, until


def test_nothing_happens_in_a_pause_and_everything_after_it() -> None:
    async def play() -> None:
        session = await LocalSession.begin(short_match(bot(), bot(), ME), context())
        session.pause()
        before = len(session.match.entries)
        await settle()
        await asyncio.sleep(0.05)
        await settle()
        assert len(session.match.entries) == before
        acting = session.acting[0]
        move = next(iter(session.match.view((acting,)).moves(acting)))
        with pytest.raises(Refused, match=r"table\.paused"):
            await session.move(acting, move)
        session.go_on()
        await until(session, lambda: len(session.match.entries) > before)
        assert not session.is_paused
        session.close()
        await settle()
    asyncio.run(play())


def test_a_pause_is_for_matches_with_bots_on_this_device(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look() -> None:
        with_bots = await LocalSession.begin(short_match(ME, bot()), context())
        alone = await LocalSession.begin(short_match(ME, ME), context())
        assert (with_bots.may_pause, alone.may_pause) == (True, False)
        monkeypatch.setattr(with_bots, "among_peers", True)
        assert not with_bots.may_pause
        for session in (with_bots, alone):
            session.close()
        await settle()
    asyncio.run(look())
