"""What the result page tells of a match: the turns that scored most."""

from __future__ import annotations

from tabletin.board.highlights import highlights
from tests.support.bots_here import played


def test_the_turns_that_scored_most_come_first() -> None:
    match = played(game="iota")[0].match
    found = [one.n for one in highlights(match) if not one.badge]
    assert found == sorted(found, reverse=True)
    laid = [event.params["n"] for _, _, events in match.story() for event in events if event.key == "iota.log.played"]
    assert found[0] == max(laid)
