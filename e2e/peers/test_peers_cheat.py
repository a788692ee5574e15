"""Somebody who changed the program: every cheat is refused, proven, and named on every screen, the cheat's own too.

The cheat's page is the site's own; its worker runs the site's Python with a few lines put behind it, as anybody can who owns
the device. Its own checks are off: it says what it likes.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.support.peer_tables import Far, connect, deal
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages

UNCHECKED = """
from dataclasses import replace
from tabletin.kernel.match import Match
from tabletin.peers.sealed.messages import Play, Share, ShuffleTurn, decode, encode
from tabletin.peers.sealed.party import Party

Match.judge = lambda match, statement: None

def altered(name, alter):
    honest = getattr(Party, name)
    setattr(Party, name, lambda party, deal, asked: encode(alter(deal, decode(deal.group, honest(party, deal, asked)))))
"""
A_CARD_TWICE = """
def twice(deal, message):
    return replace(message, output=(message.output[1], *message.output[1:])) if isinstance(message, ShuffleTurn) else message
altered("fulfil", twice)
"""
A_WRONG_SHARE = """
def wrong(deal, message):
    return replace(message, shares=(deal.group.base,) * len(message.shares)) if isinstance(message, Share) else message
altered("fulfil", wrong)
"""
A_FALSE_FACE = """
def false(deal, message):
    other = next(face for face in deal.faces.values() if face not in ("wild", *message.faces))
    return replace(message, faces=(other, *message.faces[1:]))
altered("play", false)
"""


@pytest.mark.parametrize(("lines", "why", "moves"), [
    (A_CARD_TWICE, "a shuffle was not honest", 0),
    pytest.param(A_WRONG_SHARE, "something was signed that cannot be true", 0, marks=pytest.mark.wide),
    pytest.param(A_FALSE_FACE, "something was signed that cannot be true", 1, marks=pytest.mark.wide),
], ids=["card twice", "wrong share", "false face"])
def test_a_cheat_is_named_on_every_screen(new_device: Callable[..., Page], altered_device: Callable[[str], Page],
                                          lines: str, why: str, moves: int) -> None:
    anna, ben, cleo = (Far(page).open() for page in (new_device(), altered_device(UNCHECKED + lines), new_device()))
    connect(anna, ben, cleo)
    deal([anna, ben, cleo], ONE_DEAL, {"first_seat": "1"})
    if moves:
        anna.do("play", 1, moves)
        anna.until("!state.playing")
        ben.until("state.acting.includes(1)")
        ben.do("play", 2, moves)
    for far in (anna, cleo):
        far.until("state.accused.length > 0")
        notice = far.page.locator("#peer-bar .notice", has_text="broke the rules")
        expect(notice).to_contain_text("Player 2’s device broke the rules of this match")
        expect(notice).to_contain_text(why)
    own = ben.page.locator("#peer-bar .notice", has_text="This device broke the rules of this match")
    expect(own).to_contain_text(why)
    assert {against for against, _ in anna.state["accused"] + cleo.state["accused"]} == {ben.author}
