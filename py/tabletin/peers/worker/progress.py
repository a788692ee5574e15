"""How far a deal is, for the page to show: keys, shuffles, shares, and whose device is waited for. Reads, never acts."""

from __future__ import annotations

from tabletin.kernel.log import Json
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.pending import Mixing
from tabletin.peers.sealed.requests import ShareDuty


def progress_of(peer: Replica) -> dict[str, Json]:
    """``what``: "keys", "shuffle", "seen" (an entry goes round before anything is shared because of it) or "shares" with
    ``done`` and ``of``, "" while nothing is dealt; ``waiting``: the authors who owe that now; ``cards``: how many cards they
    owe a share of, ``seats``: theirs; ``checking``: shuffles still to be checked in the background."""
    state, match = peer.match.state, peer.match
    found: dict[str, Json] = {"what": "", "done": 0, "of": 0, "waiting": [], "cards": 0}
    if state.requests and match.outcome is None:
        dealing = peer.current_dealing
        deal = dealing.deal
        if deal is not None and deal.void is None:
            found |= _stage(deal)
            owing = [number for number in range(len(dealing.authors)) if deal.duties(number)]
            found["waiting"] = [dealing.authors[number] for number in owing]
            if found["what"] == "shares":
                unseen = {author for number in owing for duty in deal.duties(number)
                          for author in peer.state.unacknowledged(peer.state.acknowledgements.wanted_since(duty))}
                if unseen:
                    others = len(peer.others)
                    found |= {"what": "seen", "done": others - len(unseen), "of": others,
                              "waiting": [author for author in dealing.authors if author in unseen]}
    seats = [index for index, seat in enumerate(match.setup.seats) if seat.by in found["waiting"]]
    return {**found, "seats": seats, "checking": peer.unchecked}


def _stage(deal: DealState) -> dict[str, Json]:
    """What the ceremony is at."""
    mixing = next((one for one in deal.current() if isinstance(one, Mixing)), None)
    if deal.key is None:
        return {"what": "keys", "done": len(deal.keys), "of": len(deal.peers)}
    if mixing is not None:
        return {"what": "shuffle", "done": len(mixing.claims), "of": len(mixing.authors)}
    duties = {number: deal.duties(number) for number in deal.peers}
    owing = [duty for number in deal.peers for duty in duties[number]]
    done = sum(not owed for owed in duties.values())
    cards = {handle for duty in owing if isinstance(duty, ShareDuty) for handle in duty.handles}
    return {"what": "shares", "done": done, "of": len(deal.peers), "cards": len(cards)}
