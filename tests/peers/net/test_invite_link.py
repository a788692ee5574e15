"""Links that carry codes: made here, read back from whatever people paste."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.percent import encode
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.net.invite_link import LinkContent, join_link, read_link, reply_link
from tests.support.examples import game_for

GAME = game_for(2)
SITE = "https://tin.example/games/"
CODE = "IOrfWntJL3XeByH_AQD2ewZBrfuRt0rmBhfRVDDmmBmNwCQPfcm6FqSTww_DoHXW-I51"


@given(st.text(max_size=NAME).map(lambda text: clean(text, NAME)), st.booleans())
def test_an_invite_is_read_as_it_was_written(name: str, watch: bool) -> None:
    link = join_link(SITE, CODE, game=GAME, by=name, watch=watch)
    assert read_link(link) == LinkContent("join", CODE, GAME, name, watch)
    assert read_link(f"{name} invites you to a game: {link}\n") == LinkContent("join", CODE, GAME, name, watch)


@pytest.mark.parametrize("text", [reply_link(SITE, CODE), f"My reply: {reply_link(SITE, CODE)}", f"#reply={CODE}"])
def test_a_reply_is_read_out_of_what_was_pasted(text: str) -> None:
    assert read_link(text) == LinkContent("reply", CODE)


@pytest.mark.parametrize("text", [CODE, f"  {CODE}\n", f"{CODE[:30]}\n{CODE[30:]}", f"the code is {CODE}"])
def test_a_bare_code_is_read(text: str) -> None:
    assert read_link(text) == LinkContent("", CODE)


@given(st.text(max_size=300))
def test_whatever_is_pasted_can_be_read(text: str) -> None:
    carried = read_link(text)
    assert len(carried.inviter) <= NAME
    assert not set(encode(text)) & set(" <>\"'&#")


def test_a_name_that_would_deceive_is_shown_clean() -> None:
    assert read_link(f"{SITE}#join={CODE}&game={GAME}&by=Ada%E2%80%AE%0A%3Cb%3E").inviter == "Ada <b>"
