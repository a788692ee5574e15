"""Going on without somebody, as a new match: what everybody who is left comes to by reading the log that ended.

The same setup on every device, so nothing needs to be agreed on again: seats of peers that are gone are left out, options
stay, and the genesis names the log it goes on from and how its players stood there. It begins anew at nought.
"""

from __future__ import annotations

from dataclasses import replace

from tabletin.kernel.match import Match
from tabletin.kernel.setup import Setup


def successor_setup(match: Match) -> Setup | None:
    """The match that those who are left go on with; None where ``match`` did not end because somebody went, or too few are
    left for its game."""
    outcome, setup = match.outcome, match.setup
    if outcome is None or not match.state.broken_off or not match.gone:
        return None
    left = [index for index, seat in enumerate(setup.seats) if seat.by not in match.gone]
    if len(left) not in match.rules.seat_counts or len({setup.seats[index].by for index in left}) < 2:
        return None
    stood = [outcome.scores[index] for index in left]
    return replace(setup, seats=tuple(setup.seats[index] for index in left), nonce=match.head,
                   extra={"after": match.head, "stood": stood})
