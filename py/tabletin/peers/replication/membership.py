"""What one peer says when its seats change hands: it leaves, another device goes on for it, a seat is given back.

It words statements; the replica says them. A leave waits until nothing is asked of the dealing. Once it is signed it cannot
be taken back, for it carries shares of every card that is still sealed: until it stands in the log this peer says nothing
else, not even after a restart.
"""

from __future__ import annotations

from tabletin.kernel.log import Statement
from tabletin.kernel.membership import LATER, PLAYS_ON, leaving, live_without
from tabletin.kernel.options import refused
from tabletin.kernel.setup import Seat
from tabletin.peers.replication.authority import device_agreement, seat_agreement
from tabletin.peers.replication.offer import Offer
from tabletin.peers.replication.outbox import Message
from tabletin.peers.replication.state import ReplicaView


class Membership:
    """The seats of one peer."""

    def __init__(self, replica: ReplicaView) -> None:
        self._replica = replica
        self.wants_to_leave = False  # whether its people do
        self._refused_at = ""  # the head at which a leave was refused: there it would be refused again

    # ---- leaving ----

    @property
    def leave_is_signed(self) -> bool:
        """Whether this peer signed a leave and plays all the same: it stands in no log yet, or was too late. One of before it was
        gone counts no more: it is kept only because somebody may still lack the entry by which it was."""
        replica = self._replica
        if not (replica.dead or replica.pending is not None) or not replica.takes_part:  # asked often, and mostly nothing is said
            return False
        leaves = [(one.statement, one.length) for one in replica.dead if one.statement.kind == "leave"]
        if replica.pending is not None and replica.pending.kind == "leave":
            leaves.append((replica.pending, len(replica.match.entries)))
        return any(self._named_entry(leave, length) >= self._gone_at() for leave, length in leaves)

    def _named_entry(self, leave: Statement, length: int) -> int:
        """The entry that ``leave`` names. Where it fell away it was one of those behind the first ``length``, or behind more."""
        index = self._replica.match.index_of(leave.head)
        return length if index is None else index

    def _gone_at(self) -> int:
        """The entry by which this peer left, went on elsewhere, was declared gone or gave a seat away last; 0 for none. A seat
        that it gives away it plays until the next deck is asked for."""
        match, author = self._replica.match, self._replica.author
        for entry in reversed(match.entries):
            said = entry.statement
            if said.kind == "gone" and said.body["peer"] == author:
                return entry.index
            if said.author == author and (said.kind in ("leave", "device") or (
                    said.kind == "seat" and "agreed" in said.body
                    and match.snapshot_at(entry.index).deals < match.snapshot.deals)):
                return entry.index
        return 0

    @property
    def is_leaving(self) -> bool:
        """Whether this peer goes as soon as it can."""
        return self.wants_to_leave or self.leave_is_signed

    def note_departure(self) -> None:
        """This peer went. If it comes back it stays, until its people say otherwise."""
        self.wants_to_leave = False

    def leave(self) -> None:
        """Leave as soon as nothing is asked for; the others play the hand on. Raises ``Refused``."""
        replica = self._replica
        if replica.match.outcome is not None or not replica.takes_part:
            raise refused("kernel.over" if replica.takes_part else "kernel.stranger")
        self.wants_to_leave = True

    def stay(self) -> None:
        """Not leave after all. Raises ``Refused`` once the leave is signed."""
        if self.leave_is_signed:
            raise refused("peers.leaving")
        self.wants_to_leave = False

    def leave_body(self) -> Message | None:
        """The body of this peer's leave; None while it has to wait."""
        replica, match = self._replica, self._replica.match
        now = match.snapshot
        consequence = leaving(match.rules, now, replica.author)
        if consequence == LATER or not replica.other_authors or self._refused_at == match.head:
            return None
        order = replica.orderer_without(replica.author)
        if consequence != PLAYS_ON:
            return {"order": order, "heir": order, "sealed": None}
        sealed = replica.dealer.leave(replica.current_dealing, live_without(match.rules, now, replica.author))
        return None if sealed is None else {"order": order, "heir": order, "sealed": sealed}

    def note_refusal(self) -> None:
        """Another statement was first, so the leave is wrong now. It is made again when the log has gone on, or a tick later."""
        self._refused_at = self._replica.match.head

    def tick(self) -> None:
        self._refused_at = ""

    # ---- another device ----

    def offer(self, author: str) -> Offer:
        """What this device, which follows the match, offers ``author``, the same person's other device: to go on for it."""
        replica = self._replica
        offered = replica.dealer.offer(replica.dealing, author)
        message = device_agreement(replica.match.id, author, replica.author, offered)
        return Offer(replica.author, offered, replica.identity.sign(message))

    def device_body(self, offer: Offer) -> Message:
        """The body with which the device that made ``offer`` gets all seats of this one and what they hold. Raises
        ``Refused``."""
        self.stay()
        deal, key = self._replica.dealer.hand_over(self._replica.current_dealing, offer.point)
        return {**offer.to_json(), "deal": deal, "key": key}

    # ---- a seat given back ----

    def agree_to(self, seat: int, player: Seat) -> str:
        """This device's signature that it will play ``seat`` as ``player`` from the next hand on, for the peer that speaks for it
        now."""
        replica, now = self._replica, self._replica.match.snapshot
        author = now.setup.seats[seat].author
        return replica.identity.sign(seat_agreement(now, replica.match.id, seat, author, player.to_json()))

    def seat_body(self, seat: int, to: Seat, agreed: str) -> Message:
        """The body with which ``to``, whose device has agreed, plays ``seat`` from the next hand on."""
        return {"seat": seat, "to": to.to_json(), "agreed": agreed}
