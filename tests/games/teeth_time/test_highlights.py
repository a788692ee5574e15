"""What the result page tells of a match: a hand that a dealer counts is a gain; its total stands on the score sheet alone."""

from __future__ import annotations

from tabletin.board.highlights import Moment, feat_of, gains, highlights, lasting_moments
from tabletin.games.teeth_time.feats import FEATS
from tabletin.kernel.state import Event
from tests.support.random_matches import between_bots

SCORED = "teeth_time.log.scored"


def test_hands_that_a_dealer_counts_are_gains_and_their_totals_no_best_turns() -> None:
    match = between_bots("teeth-time")
    moments = lasting_moments(match)
    assert any(event.key == SCORED for moment in moments for event in moment.events)
    assert match.rules.low_wins and gains(moments, lambda _: 0, low=True)[0].event.key == SCORED
    told = highlights(match)
    assert told and all(one.badge and one.event.key != SCORED for one in told)


def test_cards_drawn_as_a_penalty_or_with_a_pulled_one_are_no_turns() -> None:
    """TT-4: a turn begins as its drawer takes the discard or leaves it."""
    (quickest,) = (feat for feat in FEATS["teeth-time"].feats if feat.badge == "result.turns")
    story = ("dealt", "left", "drew", "drew", "pulled", "drew", "took", "out")
    moments = [Moment(index, "move", (0,), (Event(f"teeth_time.log.{key}", None if key == "dealt" else 0),))
               for index, key in enumerate(story)]
    found = feat_of(moments, quickest)
    assert found is not None and found.n == 2
