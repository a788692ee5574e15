"""The file of a match among peers, whose line of faces nobody signs: whoever saved it accuses nobody with it."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tabletin.kernel.logfile import BadLog, export
from tabletin.kernel.match import Match
from tabletin.peers.identity import Ed25519Verifier
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.worker.results import LogReport
from tabletin.peers.worker.verify import verify_log
from tests.support.peer_tables import tables
from tests.support.rigged_logs import altered


@pytest.fixture(scope="module")
def match() -> Match:
    """As seat 0 saves it after some moves: seat 1 has said that it lacks the double asked for, and a tile lies there."""
    async def played() -> Match:
        async with tables("dominoes", [1, 2]) as match:
            await match.play(10, Random(1))
            await match.until(match.agreed)
            return match.sessions[0].match

    return asyncio.run(played())


def verified(text: str) -> LogReport:
    return verify_log(text, Ed25519Verifier(), SodiumGroup())


def test_no_true_claim_is_called_false_by_a_face_that_nobody_proved(match: Match) -> None:
    claim = next(claim for claim in match.state.claims if claim.seat == 1)
    card = next(card for card in claim.hand if card not in match.knowledge and card not in match.state.public)
    face = next(face for face in match.rules.deck() if match.rules.contradicts(claim, face))  # type: ignore[attr-defined]
    forged = {str(card): face}
    with pytest.raises(BadLog, match=r"kernel\.file\.unseen\(n=1\)"):
        verified(altered(export(match), faces=lambda faces: faces.update(forged)))

    def alone(faces: dict[str, str]) -> None:
        """As if the device of seat 1 had saved it."""
        faces.clear()
        faces.update(forged)

    assert verified(altered(export(match), faces=alone)).findings == verified(export(match)).findings == ()


def test_a_face_that_contradicts_a_proof_is_the_fault_of_the_file(match: Match) -> None:
    card, face = next(iter(match.state.public.items()))
    other = next(one for one in match.rules.deck() if one != face)
    with pytest.raises(BadLog, match=r"kernel\.file\.faces"):
        verified(altered(export(match), faces=lambda faces: faces.update({str(card): other})))
