"""Iota's guide: nothing leads away from the card that is to be laid."""

from __future__ import annotations

import asyncio

from tabletin.app.session.guided_session import GuidedSession
from tabletin.kernel.options import Refusal
from tests.support.guided_pupil import PHONE, WORDS, Pupil, guide_of


def test_no_button_leads_away_from_what_is_shown() -> None:
    """While a card is to be laid, none is chosen to be traded; the guide says where to tap, and still points there."""
    async def play() -> None:
        session = await GuidedSession.begin_guide(guide_of("iota"), WORDS)
        pupil = Pupil(session, PHONE)
        for go_on in (False, True):  # while words are read, and after
            if go_on:
                session.go_on()
            assert "trade" not in [control.key for control in pupil.look().controls]
            assert pupil.draft is not None
            reply = pupil.draft.tap("trade")
            assert isinstance(reply, Refusal) and reply.key == "guide.instead"
            assert "do_trade" not in [control.key for control in pupil.look().controls], "nothing has begun"
        await pupil.tap()
        pupil.look()
        assert pupil.draft is not None
        reply = pupil.draft.tap("pile")  # nor on the pile
        assert isinstance(reply, Refusal) and reply.key == "guide.instead"
        pupil.look()
        assert pupil.board.key == "at1,0", "and the guide goes on where it was"
        session.close()

    asyncio.run(play())
