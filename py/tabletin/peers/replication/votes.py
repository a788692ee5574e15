"""Votes: a seat that keeps the table waiting, a peer that is gone for good.

Every peer whose people agree signs so at one head; whoever will order gathers the signatures and says what they amount to.
Nothing here decides that somebody is silent: people do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tabletin.kernel.log import Json
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.authority import gone_vote, next_peer, timeout_vote
from tabletin.peers.replication.ports import Message, ReplicaPort

Question = tuple[Any, ...]  # ("timeout", seat) or ("gone", author, what then)


@dataclass(slots=True)
class Ballot:
    """Signatures gathered for one question at one head."""

    message: bytes
    signatures: dict[str, str] = field(default_factory=dict)


class Votes:
    """The votes of one peer, its own and those it gathers."""

    def __init__(self, peer: ReplicaPort) -> None:
        self._peer = peer
        self._votes: dict[Question, Ballot] = {}
        self.wants_gone: set[str] = set()
        self.wants_without: set[str] = set()  # of these, whose seats shall not be played on
        self.wants_timeout: set[int] = set()

    def _questions(self) -> Iterable[tuple[Question, bytes, str]]:
        """What this peer agrees to just now: the question, what is signed, who gathers the votes."""
        peer, match = self._peer, self._peer.match
        for seat in sorted(self.wants_timeout):
            if seat in match.rules.to_act(match.state):
                yield ("timeout", seat), timeout_vote(match.id, match.head, seat), match.orderer
        for gone in sorted(self.wants_gone & set(peer.live)):
            order, then = self.successor(gone), "without" if gone in self.wants_without else "bot"
            yield ("gone", gone, then), gone_vote(match.id, match.head, gone, order, order, then), order

    def successor(self, gone: str) -> str:
        """Who orders once ``gone`` is gone: whoever does now, or the next live peer."""
        orderer = self._peer.match.orderer
        return next_peer(self._peer.live, gone) if orderer == gone else orderer

    def vote(self) -> None:
        """Sign what this peer's people agree to, and give it to whoever gathers."""
        peer = self._peer
        for question, message, gatherer in self._questions():
            signature = peer.identity.sign(message)
            if gatherer == peer.author:
                self._count(question, message, peer.author, signature)
            else:
                peer.send(gatherer, {"t": "vote", "q": list(question), "h": peer.match.head, "sig": signature})

    def hear(self, sender: str, message: Message) -> None:
        """Take in another's vote, if this peer's people ask the same. Raises ``Malformed``."""
        peer = self._peer
        for question, signed, gatherer in self._questions():
            if list(question) == message.get("q") and gatherer == peer.author and message.get("h") == peer.match.head:
                signature = message.get("sig")
                if type(signature) is not str or not peer.authority.verifier.verify(sender, signed, signature):
                    raise Malformed("a vote that is not signed")
                self._count(question, signed, sender, signature)
                return

    def _count(self, question: Question, message: bytes, voter: str, signature: str) -> None:
        peer = self._peer
        votes = self._votes.setdefault(question, Ballot(message))
        if votes.message != message:  # the log went on: votes at an older head are void
            votes = self._votes[question] = Ballot(message)
        votes.signatures[voter] = signature
        what, whom, *then = question
        if not peer.ready or (peer.saying is not None and what != "gone"):
            return
        owner = whom if what == "gone" else peer.match.setup.seats[whom].by
        left = [other for other in peer.live if other != owner]
        if not set(left) <= votes.signatures.keys():
            return
        signatures: dict[str, Json] = {other: votes.signatures[other] for other in left}
        del self._votes[question]
        if what == "gone" and 2 * len(left) > len(peer.authority.roster):
            peer.forget_saying()  # it went to the peer that is gone, and can only have been lost with it
            peer.say("gone", {"peer": whom, "order": peer.author, "heir": peer.author, "then": then[0],
                              "votes": signatures})
        elif what == "timeout" and len(left) > 1:
            peer.say("timeout", {"seat": whom, "agreed": signatures})
