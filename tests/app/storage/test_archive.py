"""What comes in as a file is judged as a whole before anything is stored: the audit refuses what the rules alone let pass."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from tabletin.app.routes import parse
from tabletin.app.screens.judge import JudgeScreen
from tabletin.app.storage.archive import Unreadable, unpack
from tabletin.app.storage.matches import MemoryMatches
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.logfile import audit, export, load
from tabletin.kernel.match import Match
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


def rigged() -> Match:
    return played(ONE_DEAL, Rigged(of_one_face), SHORT, moves=12)


def other_face(match: Match) -> str:
    """The file of ``match``, in which a card that was opened was dealt as another."""
    card = next(card for _, snapshot, _ in match.steps() for card in snapshot.openings if card in match.knowledge)
    face = next(face for face in match.rules.deck() if face != match.knowledge[card])
    return altered(export(match), faces=lambda faces: faces.update({str(card): face}))


@pytest.mark.parametrize("forge", [lambda: export(rigged()), lambda: other_face(played(ONE_DEAL, OpenDealer(Random(4)), SHORT))],
                         ids=["of one face", "opened as another"])
async def test_a_log_in_which_the_audit_finds_something_is_not_taken_in(forge: Callable[[], str]) -> None:
    text = forge()
    finding = audit(load(text, rules_of))[0]
    assert finding.entry is not None
    shelf = MemoryMatches()
    with pytest.raises(Unreadable) as caught:
        await unpack(shelf, text)
    assert (caught.value.refusal.key, caught.value.refusal.params["entry"]) == (finding.key, finding.entry)
    assert WORDS.reason(caught.value.refusal) == f"Entry {finding.entry}: {WORDS.text(finding.key)}"
    assert await shelf.records() == []


async def finished(match: Tables) -> None:
    await match.play(400, Random(1))
    await match.until(match.agreed)
    assert match.sessions[0].match.outcome is not None


async def test_neither_is_one_among_peers_and_its_judge_does_not_offer_it() -> None:
    async with tables(ONE_DEAL, [1, 2], options=SHORT, secure=False) as match:
        await finished(match)
        device = match.devices[0]
        false = other_face(device.session.match)
        shelf, shell = MemoryMatches(), Painted(device)
        with pytest.raises(Unreadable) as caught:
            await unpack(shelf, false, device.replica.call)
        assert caught.value.refusal.key == "kernel.audit.opened"
        assert caught.value.refusal.params["entry"] > 0
        assert await shelf.records() == []
        screen = JudgeScreen(shell, parse("#/judge"))  # type: ignore[arg-type]
        await screen.on_file("judged", false)
        assert "contradicts" in shell.html and "keep-log" not in shell.html
        await screen.on_file("judged", export(device.session.match))
        assert "keep-log" in shell.html
