"""The match that follows one that ended because a peer went: every device reads the same setup from the log that ended.

So nothing needs to be agreed on again. Seats of peers that are gone are left out and options stay. The genesis names the end of
the log that came before and how its players stood there; the scores begin at zero. A ballot behind that end changes nothing: some
may have heard of the new match before it.
"""

from __future__ import annotations

from dataclasses import replace

from tabletin.kernel.match import Match
from tabletin.kernel.setup import PROTOCOL, Setup


def successor_setup(match: Match) -> Setup | None:
    """The setup that those who are left go on with; None if ``match`` did not end because a peer went, or too few are left
    for its game."""
    outcome, setup, end = match.outcome, match.setup, match.end
    if outcome is None or end is None or not match.state.broken_off or not match.former_authors:
        return None
    left = [index for index, seat in enumerate(setup.seats) if seat.author not in match.former_authors]
    if len(left) not in match.rules.seat_counts or len({setup.seats[index].author for index in left}) < 2:
        return None
    stood = [outcome.scores[index] for index in left]
    return replace(setup, seats=tuple(setup.seats[index] for index in left), nonce=end.hash,
                   extra={"after": end.hash, "stood": stood, "protocol": PROTOCOL})
