"""What the result page tells of a match: a hand that a dealer counts is a gain; its total stands on the score sheet alone."""

from __future__ import annotations

from tabletin.board.highlights import gains, highlights, lasting_moments
from tests.support.random_matches import between_bots

SCORED = "teeth_time.log.scored"


def test_hands_that_a_dealer_counts_are_gains_and_their_totals_no_best_turns() -> None:
    match = between_bots("teeth-time")
    moments = lasting_moments(match)
    assert any(event.key == SCORED for moment in moments for event in moment.events)
    assert match.rules.low_wins and gains(moments, lambda _: 0, low=True)[0].event.key == SCORED
    told = highlights(match)
    assert told and all(one.badge and one.event.key != SCORED for one in told)
