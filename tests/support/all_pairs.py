"""Whatever honest devices signed and sent, held against every other such word by all that judges misdeeds.

Each identity of an honest device notes what it signs. What of that ever left the device counts as its word. At the end every log
that any device held is gone through: nobody who was honest is convicted by any of these words, alone or in pairs, behind whatever
prefix they belong to, nor by a shuffle of theirs that somebody else puts where it does not belong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from tabletin.kernel.log import Entry, Hash, Json, Statement, canonical, parse, place
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.peers.identity import Identity
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.authority import SignedAuthority, named_epoch, signer_of
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.evidence import Accusation, peer_match
from tabletin.peers.replication.outbox import Outbox
from tabletin.peers.replication.state import ReplicaState
from tests.support.peer_sim import Network, Node
from tests.support.standin import StandIn, stand_in_signature

FURTHER_ON = 12  # entries behind the one that a message of the dealing names, behind each of which it is tried


class NotingIdentity:
    """An identity that notes what it signs."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self.signed: dict[str, bytes] = {}  # by signature

    @property
    def author(self) -> str:
        return self._identity.author

    def sign(self, message: bytes) -> str:
        signature = self._identity.sign(message)
        self.signed[signature] = message
        return signature


class Words:
    """What the honest ``nodes`` of ``net`` sign and send from now on, and the logs that anybody holds."""

    def __init__(self, net: Network, honest: list[Node]) -> None:
        self.net = net
        self.honest = honest
        self.identities = {node.author: NotingIdentity(node.identity) for node in honest}
        self.sent: dict[str, set[str]] = {node.author: set() for node in honest}  # signatures
        self.entries: dict[Hash, Entry] = {net.genesis.hash: net.genesis}
        self.ends: set[Hash] = set()  # of all logs that any device held
        for node in honest:
            node.identity = self.identities[node.author]
            if node.peer is not None:
                node.start(net.genesis)
        self._flush, net.flush = net.flush, self._noted_flush  # type: ignore[method-assign]

    def _noted_flush(self, node: Node) -> None:
        if node.peer is not None:
            for _, data in node.peer.outbox:
                for author, identity in self.identities.items():
                    self.sent[author] |= identity.signed.keys() & set(texts_in(parse(data, len(data))))
            self.note_log(node.peer.match)
        self._flush(node)

    def note_log(self, match: Match) -> None:
        for entry in reversed(match.entries):
            if entry.hash in self.entries:
                break
            self.entries[entry.hash] = entry
        self.ends.add(match.head)

    # ---- what was said ----

    def said(self, author: str) -> list[tuple[dict[str, Json], str]]:
        """What ``author`` signed and sent, with each signature."""
        signed = self.identities[author].signed
        return [(parse(signed[signature]), signature) for signature in sorted(self.sent[author])]

    def statements(self, author: str) -> list[Statement]:
        return [Statement.from_json({**one, "sig": signature}) for one, signature in self.said(author) if "kind" in one]

    def votes(self, author: str) -> list[EpochVote]:
        return [EpochVote(author, one["epoch"], one["what"], tuple(one["seen"]), signature)
                for one, signature in self.said(author) if one.get("vote") == "epoch"]

    def heads(self, author: str) -> list[Json]:
        return [[one["i"], one["h"], signature] for one, signature in self.said(author) if "seen" in one and "h" in one]

    def places(self, author: str) -> list[Entry]:
        known = {(entry.index, entry.previous, entry.statement.hash): entry for entry in self.entries.values()}
        found = [(known.get((one["i"], one["prev"], one["say"])), signature) for one, signature in self.said(author)
                 if one.keys() == {"i", "prev", "say"}]
        return [replace(entry, signature=signature) for entry, signature in found if entry is not None]

    # ---- judging ----

    def logs(self) -> Iterator[Match]:
        """Every log that no other one contains, folded anew."""
        inner = {entry.previous for entry in self.entries.values()}
        net = self.net
        for end in self.entries.keys() - inner:
            chain: list[Entry] = []
            while end in self.entries:
                chain.append(self.entries[end])
                end = self.entries[end].previous
            match = peer_match(chain[-1], net.rules, net.verifier, net.checker)
            for entry in reversed(chain[:-1]):
                match.append(entry)
            yield match

    def convictions(self) -> list[tuple[str, str, Any]]:
        """Who that was honest is convicted of what, by which words."""
        found: list[tuple[str, str, Any]] = []
        for match in self.logs():
            for author in self.identities:
                for why, exhibits in self._charges(match, author):
                    accusation = self._proven(match, why, exhibits)
                    if accusation is not None and accusation.culprit == author:
                        found.append((author, why, exhibits))
                found += [(author, "shuffle", one) for one in self._false_shuffles(match, author)]
        return found

    def _proven(self, match: Match, why: str, exhibits: list[Json]) -> Accusation | None:
        """What a device that holds ``match``, or anybody who gets it in a file, would find proven."""
        net = self.net
        authority = SignedAuthority(net.setup, net.verifier)
        judge_here = StandIn(b"judge")
        state = ReplicaState(judge_here, authority, match, net.nodes[0].dealer)
        return Accusations(state, Outbox(judge_here.author))._from_exhibits(why, exhibits)

    def _charges(self, match: Match, author: str) -> Iterator[tuple[str, list[Json]]]:
        statements = self.statements(author)
        for one in statements:
            yield "statement", [one.to_json()]
        for pair in pairs_of(statements, lambda one: one.count):
            yield "counter", [one.to_json() for one in pair]
        for pair in pairs_of([one for one in statements if one.kind == "deal"], lambda one: one.head):
            yield "twice", [one.to_json() for one in pair]
        for pair in pairs_of([one for one in statements if named_epoch(one)], named_epoch):
            yield "epoch", [one.to_json() for one in pair]
        places = self.places(author)
        for entry in places:
            yield "place", [entry.to_json()]
            yield "place", [replace(entry, statement=replace(entry.statement, signature="0" * 128)).to_json()]
        for placed in pairs_of(places, lambda entry: (entry.index, entry.previous)):
            yield "fork", [entry.to_json() for entry in placed]
        votes = self.votes(author)
        for two in combinations(votes, 2):
            yield "vote", [vote.to_json() for vote in two]
        words = [*self.heads(author), *(one.to_json() for one in statements), *({"i": entry.index} for entry in places)]
        for vote in votes:
            for word in words:
                yield "vote", [vote.to_json(), word]

    def _false_shuffles(self, match: Match, author: str) -> Iterator[Statement]:
        """Messages of ``author`` to the dealing that are taken for a false shuffle where they do not belong: behind other
        entries than those behind which it said them, or before the end of the log."""
        for said in self.statements(author):
            seen = match.index_of(said.head)
            if seen is None or said.kind != "deal":
                continue
            for index in range(seen, min(len(match.entries), seen + FURTHER_ON)):
                signer = signer_of(match.snapshot_at(index), said)
                message = canonical(place(index + 1, match.entries[index].hash, said.hash))
                entry = Entry.create(index + 1, match.entries[index].hash, said, stand_in_signature(signer, message))
                branch = match.branch(index + 1)
                try:
                    branch.append(entry)
                except Refused as error:
                    if error.key == "sealed.bad_shuffle":
                        yield said
                    continue
                if getattr(branch.dealing, "guilty", None) == author:
                    yield said


def texts_in(data: Json) -> Iterator[str]:
    """Every text in ``data``."""
    if isinstance(data, dict):
        for one in data.values():
            yield from texts_in(one)
    elif isinstance(data, list):
        for one in data:
            yield from texts_in(one)
    elif isinstance(data, str):
        yield data


def pairs_of(things: list[Any], key: Any) -> Iterator[tuple[Any, Any]]:
    """All pairs of ``things`` that have one ``key``."""
    groups: dict[Any, list[Any]] = defaultdict(list)
    for one in things:
        groups[key(one)].append(one)
    for group in groups.values():
        yield from combinations(group, 2)
