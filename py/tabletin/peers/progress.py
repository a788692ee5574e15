"""How far a deal is, for the page to show: keys, shuffles, shares, and whose device is waited for. Reads, never acts."""

from __future__ import annotations

from tabletin.kernel.log import Json

from .peer import Peer
from .sealed.pending import Mixing


def progress_of(peer: Peer) -> dict[str, Json]:
    """``what``: "keys", "shuffle" or "shares" with ``done`` and ``of``, "" while nothing is dealt; ``waiting``: the authors
    who owe something to the deal now; ``checking``: shuffles still to be checked in the background."""
    state, found = peer.match.state, {"what": "", "done": 0, "of": 0}
    waiting: list[str] = []
    if state.requests and peer.match.outcome is None:
        dealing = peer.dealing.caught_up(state)
        deal = dealing.ceremony
        if deal is not None and deal.spoiled is None:
            waiting = [author for number, author in enumerate(dealing.authors) if deal.duties(number)]
            mixing = next((one for one in deal.current() if isinstance(one, Mixing)), None)
            if deal.key is None:
                found = {"what": "keys", "done": len(deal.keys), "of": len(deal.peers)}
            elif mixing is not None:
                found = {"what": "shuffle", "done": len(mixing.claims), "of": len(mixing.authors)}
            else:
                found = {"what": "shares", "done": len(dealing.authors) - len(waiting), "of": len(dealing.authors)}
    return {**found, "waiting": waiting, "checking": peer.checking}
