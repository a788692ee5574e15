"""How far a deal is, for the page to show: keys, shuffles, shares, and whose device is waited for. Reads, never acts."""

from __future__ import annotations

from dataclasses import replace

from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.pending import Mixing
from tabletin.peers.sealed.requests import ShareDuty
from tabletin.peers.worker.status import DealProgress


def progress_of(peer: Replica) -> DealProgress:
    """How far the deal is that ``peer`` takes part in."""
    found = _deal_of(peer)
    seats = tuple(index for index, seat in enumerate(peer.match.setup.seats) if seat.author in found.waiting)
    return replace(found, seats=seats, checking=peer.unchecked_count)


def _deal_of(peer: Replica) -> DealProgress:
    """What is due in the deal, and by whom."""
    if not peer.match.state.requests or peer.match.outcome is not None:
        return DealProgress()
    dealing = peer.current_dealing
    deal = dealing.deal
    if deal is None or deal.void is not None:
        return DealProgress()
    owing = [number for number in range(len(dealing.authors)) if deal.duties(number)]
    found = replace(_stage(deal), waiting=tuple(dealing.authors[number] for number in owing))
    if found.what == "shares":
        unseen = {author for number in owing for duty in deal.duties(number)
                  for author in peer.state.missing_acknowledgers(peer.state.acknowledgements.wanted_since(duty))}
        if unseen:
            others = len(peer.other_authors)
            waiting = tuple(author for author in dealing.authors if author in unseen)
            return replace(found, what="seen", done_count=others - len(unseen), total=others, waiting=waiting)
    return found


def _stage(deal: DealState) -> DealProgress:
    """What the ceremony does now."""
    mixing = next((one for one in deal.current() if isinstance(one, Mixing)), None)
    if deal.key is None:
        return DealProgress("keys", len(deal.keys), len(deal.peers))
    if mixing is not None:
        return DealProgress("shuffle", len(mixing.claims), len(mixing.authors))
    duties = {number: deal.duties(number) for number in deal.peers}
    owing = [duty for number in deal.peers for duty in duties[number]]
    done = sum(not owed for owed in duties.values())
    cards = {handle for duty in owing if isinstance(duty, ShareDuty) for handle in duty.handles}
    return DealProgress("shares", done, len(deal.peers), cards=len(cards))
