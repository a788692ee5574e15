"""Somebody who changed the program: every cheat is refused, proven, and named on every screen, the cheat's own too.

The cheat's page is the site's own; its worker runs the site's Python with a few lines put behind it, as anybody can who owns
the device. Its own checks are off: it says what it likes. Where what it says proves nothing and does no harm, the match goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.support.peer_tables import HALF, Far, agree, connect, deal, to_the_end
from e2e.support.site import PATIENCE
from tabletin.cli import main
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages

NewDevice = Callable[..., Page]
AlteredDevice = Callable[[str], Page]
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

MISBEHAVES = (Path(__file__).parents[1] / "support" / "in_page" / "altered_worker.py").read_text("utf-8").replace(
    "from __future__ import annotations\n", "")  # it stands behind other lines
MISPLACED = "an entry was put where it cannot stand. It was proven, and the match ends here. "
DEEP = 10_000
GARBAGE = [
    "[" * DEEP, "[" * DEEP + "]" * DEEP, '{"t":' * DEEP + "1" + "}" * DEEP, '{"t":"say","s":' + "[" * DEEP + "]" * DEEP + "}",
    '{"t":"put","e":' + '[{"say":' * DEEP, '"\\ud800"', '{"t":"\\ud800"}', '{"t":"say","s":"\\udfff\\ud800"}', "\ufeff{}",
    '{"t":"head","i":1}'.encode("utf-16").decode("latin-1"), '{"t":"want","i":0}'.encode("utf-16-be").decode("utf-8"),
    "\U0001f600" * 50_000, '{"t":"want","i":1e999}', '{"t":"want","i":' + "9" * 5_000 + "}", "[" + "0," * 100_000 + "0]", "NaN",
    "", "\0" * 500, '?{"proof":' + "[" * DEEP, "?" + "[" * DEEP, '?{"proof":"\\ud800"}', "?\ufffe"]


@pytest.mark.parametrize(("lines", "why", "moves"), [
    (A_CARD_TWICE, "a shuffle was not honest", 0),
    pytest.param(A_WRONG_SHARE, "something was signed that cannot be true", 0, marks=pytest.mark.wide),
    pytest.param(A_FALSE_FACE, "something was signed that cannot be true", 1, marks=pytest.mark.wide),
], ids=["card twice", "wrong share", "false face"])
def test_a_cheat_is_named_on_every_screen(new_device: NewDevice, altered_device: AlteredDevice,
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


def misbehave(far: Far, what: str) -> None:
    """The altered device does ``what`` at once; wait until it has."""
    far.do("misbehave", what)
    while json.loads(far.do("misbehave", ""))["more"]:
        far.page.wait_for_timeout(100)


def dealt(altered: int, fars: Sequence[Far], options: dict[str, str] | None = None) -> tuple[Far, list[Far]]:
    """Everybody sits at a table where all is dealt; the altered device and the honest ones."""
    connect(*fars)
    deal(fars, ONE_DEAL, {**HALF, **(options or {})})
    for far in fars:
        far.until("state.requests === 0 && state.entries > 3 && state.ready")
    return fars[altered], [far for far in fars if far is not fars[altered]]


def expect_named(far: Far, cheat: str, why: str) -> None:
    """The page says whose device it was and what was proven, and says it of nobody else."""
    notice = far.page.locator("#peer-bar .notice", has_text="broke the rules")
    expect(notice.first).to_contain_text(f"{cheat}’s device broke the rules of this match: {why}", timeout=PATIENCE)
    for told in notice.all_text_contents():
        assert told.startswith(f"{cheat}’s device broke"), told


def expect_judged(far: Far, cheat: Far, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file that the page hands out proves it to anybody."""
    with far.page.expect_download() as saved:
        far.page.locator(f'[id^="evidence-{cheat.author[:8]}"]').first.click()
    path = folder / "evidence.json"
    saved.value.save_as(path)
    assert main(["judge", str(path)]) == 0
    assert f"Proven: {cheat.author} broke the rules" in capsys.readouterr().out


@pytest.mark.parametrize(("number", "misdeed", "why"), [
    (1, "fork", "two entries were signed for one place"),
    pytest.param(1, "two_votes", "somebody who had voted for one thing signed another", marks=pytest.mark.wide),
    pytest.param(2, "two_statements", "two statements were signed with one number", marks=pytest.mark.wide),
    pytest.param(1, "declare_gone", f"{MISPLACED}Not everybody has agreed.", marks=pytest.mark.wide),
    pytest.param(1, "time_out", f"{MISPLACED}A vote was not signed.", marks=pytest.mark.wide),
    pytest.param(1, "undo", MISPLACED, marks=pytest.mark.wide)])
def test_what_a_device_signed_convicts_it_and_nobody_else(
    new_device: NewDevice, altered_device: AlteredDevice, number: int, misdeed: str, why: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Most of it is what the device that orders says for others: number 1."""
    pages = [altered_device(MISBEHAVES) if at == number else new_device() for at in (1, 2, 3)]
    cheat, honest = dealt(number - 1, [Far(page).open() for page in pages], {"first_seat": "2"})
    misbehave(cheat, misdeed)
    for far in honest:
        far.until("state.accused.length > 0")
        expect_named(far, f"Player {number}", why)
        assert {author for author, _ in far.state["accused"]} == {cheat.author}
    expect_judged(honest[0], cheat, tmp_path, capsys)


def test_nobody_is_framed(new_device: NewDevice, altered_device: AlteredDevice) -> None:
    """Whatever an innocent device has said, and whatever is said in its name: it proves nothing, and the match goes on."""
    fars = [Far(page).open() for page in (altered_device(MISBEHAVES), new_device(), new_device())]
    cheat, honest = dealt(0, fars)
    for number, far in enumerate(fars):
        far.do("play", number, 1)
    agree(fars)
    misbehave(cheat, "frame")
    to_the_end(fars)
    for far in honest:
        expect(far.page.locator("#peer-bar .notice", has_text="broke the rules")).to_have_count(0)


def test_no_text_stops_a_worker(new_device: NewDevice) -> None:
    """Thousands of levels, half signs, other encodings, numbers without end: each is dropped, and the match goes on."""
    fars = [Far(new_device()).open(), Far(new_device()).open()]
    cheat, _ = dealt(1, fars)
    for text in GARBAGE:
        cheat.do("send_raw", text)
    to_the_end(fars)


@pytest.mark.wide
def test_who_is_there_cannot_be_voted_gone(new_device: NewDevice, altered_device: AlteredDevice) -> None:
    """Not even with the people of another device, who chose so while it was away."""
    fars = [Far(page).open() for page in (new_device(), altered_device(MISBEHAVES), new_device())]
    cheat, honest = dealt(1, fars)
    honest[1].do("choose", honest[0].author, "bot")
    misbehave(cheat, "want_gone")
    cheat.page.wait_for_timeout(8_000)  # the votes of two of three, if there were two, would be enough
    for far in honest:
        expect(far.page.locator("#peer-bar .notice", has_text="broke the rules")).to_have_count(0)
    to_the_end(fars)
    assert [far.state["people"] for far in fars] == [[0], [1], [2]]


@pytest.mark.wide
def test_nobody_is_more_than_half_by_a_second_key(new_device: NewDevice, altered_device: AlteredDevice) -> None:
    """The key of a bot's seat brings no vote: who has two devices is one of two people."""
    fars = [Far(page).open() for page in (altered_device(MISBEHAVES), new_device(), altered_device(MISBEHAVES))]
    cheat, ben, second = fars
    connect(*fars)
    deal(fars, ONE_DEAL, HALF, chairs=[(0, "Player 1", "person", ""), (1, "Player 2", "person", ""), (2, "Robot", "bot", "easy")])
    for far in fars:
        far.until("state.requests === 0 && state.entries > 3")
    for far in (cheat, second):
        misbehave(far, "want_gone")
    misbehave(cheat, "declare_gone")
    expect_named(ben, "Player 1", f"{MISPLACED}More than half of the people who began must be there to go on without somebody.")
    assert {author for author, _ in ben.state["accused"]} == {cheat.author}


@pytest.mark.wide
def test_a_withheld_move_is_signed_once_and_stands_after_a_false_no(new_device: NewDevice, altered_device: AlteredDevice) -> None:
    """The device that orders keeps a move back and says that the rules refuse it. Its author does not sign another one; after a
    while the others pass that device over, and the move stands."""
    fars = [Far(page).open() for page in (altered_device(MISBEHAVES), new_device(), new_device())]
    cheat, (ben, cleo) = dealt(0, fars, {"first_seat": "2"})
    misbehave(cheat, "withhold")
    before = ben.state["entries"]
    ben.until("state.acting.includes(1)")
    ben.do("play", 1, 3)
    expect(ben.page.locator("#peer-bar")).to_contain_text("Waiting for Player 1’s device")
    for far in (ben, cleo):
        far.until("state.entries > given", before, patience=3 * PATIENCE)
        assert far.state["accused"] == [], "to be slow is no offence"
    assert len(set(json.loads(cheat.do("misbehave", ""))["withheld"])) == 1, "he signed one move, and sent it again and again"
    to_the_end(fars)
