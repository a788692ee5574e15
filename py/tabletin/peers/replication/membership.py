"""What one peer says when its seats change hands: going politely, going on from another device, giving a seat back.

A leave waits until nothing is asked of the dealing. Once it is signed it cannot be taken back, for it carries shares of every
card that is still sealed: until it stands in the log this peer says nothing else, not even after a restart.
"""

from __future__ import annotations

from tabletin.kernel.membership import LATER, PLAYS_ON, leaving, live_without
from tabletin.kernel.options import refused
from tabletin.kernel.setup import Seat
from tabletin.peers.replication.authority import device_agreement, seat_agreement
from tabletin.peers.replication.ports import Message, ReplicaPort


class Membership:
    """The seats of one peer. ``leaving``: whether its people want to go; ``left_for_good``: whether that is signed."""

    def __init__(self, peer: ReplicaPort) -> None:
        self._peer = peer
        self.left_for_good = peer.saying is not None and peer.saying.kind == "leave"
        self.leaving = self.left_for_good
        self._refused_at = ""  # the head at which the peer that orders refused a leave: no use to say it there again

    # ---- going ----

    def leave(self) -> None:
        """Go politely, as soon as nothing is asked for: the others play the hand on. Raises ``Refused``."""
        peer = self._peer
        if peer.match.outcome is not None or not peer.takes_part:
            raise refused("kernel.over" if peer.takes_part else "kernel.stranger")
        self.leaving = True
        peer.work()

    def stay(self) -> None:
        """Not leave after all. Raises ``Refused`` once it is signed."""
        if self.left_for_good:
            raise refused("peers.leaving")
        self.leaving = False

    def last_word(self) -> Message | None:
        """The body of this peer's leave; None while it has to wait."""
        peer, match = self._peer, self._peer.match
        now = match.now
        what = leaving(match.rules, now, peer.author)
        if what == LATER or not peer.others or self._refused_at == match.head:
            return None
        order = peer.successor
        if what != PLAYS_ON:
            return {"order": order, "heir": order, "sealed": None}
        sealed = peer.dealer.leave(peer.dealt, live_without(match.rules, now, peer.author))
        return None if sealed is None else {"order": order, "heir": order, "sealed": sealed}

    def refused(self) -> None:
        """Somebody was first, so that the leave is wrong now: it is said anew when the log has gone on, or in a second."""
        self._refused_at = self._peer.match.head

    def look_again(self) -> None:
        self._refused_at = ""

    # ---- another device ----

    def offer(self, author: str) -> Message:
        """What this device, which follows the match, gives to ``author``, the same person's other device, to go on for it."""
        peer = self._peer
        offered = peer.dealer.offer(peer.dealing, author)
        message = device_agreement(peer.match.id, author, peer.author, offered)
        return {"to": peer.author, "offer": offered, "agreed": peer.identity.sign(message)}

    def move_to(self, offer: Message) -> None:
        """Let the device that made ``offer`` go on, with all seats of this one and what they hold. Raises ``Refused``."""
        if offer.keys() != {"to", "offer", "agreed"}:
            raise refused("peers.device_form")
        self.stay()
        deal, key = self._peer.dealer.hand_over(self._peer.dealt, offer["offer"])
        self._peer.say("device", {**offer, "deal": deal, "key": key})

    def agree_to(self, seat: int) -> str:
        """This device's signature that it will play ``seat`` from the next hand on, for whoever speaks for it now."""
        peer = self._peer
        author = peer.match.setup.seats[seat].by
        return peer.identity.sign(seat_agreement(peer.match.id, seat, author, peer.author))

    def promise(self, seat: int, to: Seat, agreed: str) -> None:
        """Let ``to``, whose device has agreed, play ``seat`` from the next hand on. Raises ``Refused``."""
        self._peer.say("seat", {"seat": seat, "to": to.to_json(), "agreed": agreed})
