"""What the result page tells of a match: a hand that a dealer counts is told."""

from __future__ import annotations

from tabletin.board.highlights import highlights, lasting_moments
from tests.support.random_matches import between_bots


def test_hands_that_a_dealer_counts_are_told() -> None:
    match = between_bots("teeth-time")
    assert any(event.key == "teeth_time.log.scored" for moment in lasting_moments(match) for event in moment.events)
    assert match.rules.low_wins and highlights(match)[0].event.key == "teeth_time.log.scored"
