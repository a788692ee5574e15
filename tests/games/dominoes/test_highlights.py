"""What the result page tells of a match: a hand that a dealer counts is told."""

from __future__ import annotations

from tabletin.board.highlights import highlights, lasting_moments
from tests.support.random_matches import between_bots


def test_hands_that_a_dealer_counts_are_told() -> None:
    match, key = between_bots("dominoes"), "dominoes.log.won"
    points = [event.params["n"] for moment in lasting_moments(match) for event in moment.events if event.key == key]
    best = highlights(match)[0]
    assert best.event.key == key and best.n == max(points)
