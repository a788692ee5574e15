"""Who may say what in a match among peers, and who may put it in order. It judges by signatures and the log alone.

Peers are the authors that the seats of the genesis name, in the order of their first seats. A timeout needs every other live
peer. Declaring a peer gone needs every live peer and more than half of all, so that two halves of a broken network never both
go on. Only the peer that orders passes the ordering on.
"""

from __future__ import annotations

from typing import Final

from tabletin.kernel.log import Entry, Hash, Json, Statement, canonical, spelled_place
from tabletin.kernel.options import refused
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.setup import Setup, check_names, check_seats
from tabletin.kernel.snapshot import Snapshot
from tabletin.peers.identity import Verifier

FOR_A_SEAT: Final = ("move", "undo", "consent", "resign", "seat")


def next_peer(live: tuple[str, ...], orderer: str) -> str:
    """Who orders after ``orderer``, which is one of ``live``."""
    return live[(live.index(orderer) + 1) % len(live)]


def timeout_vote(match: str, head: Hash, seat: int) -> bytes:
    """What a peer signs to agree that ``seat`` kept the table waiting since the entry ``head``."""
    return canonical({"vote": "timeout", "match": match, "head": head, "seat": seat})


def gone_vote(match: str, head: Hash, peer: str, order: str, heir: str, then: str) -> bytes:
    """What a peer signs to agree that ``peer`` is gone for good after the entry ``head``, and what then."""
    return canonical({"vote": "gone", "match": match, "head": head, "peer": peer, "order": order, "heir": heir, "then": then})


def seat_agreement(match: str, seat: int, author: str, to: str) -> bytes:
    """What a peer signs to agree that it plays ``seat``, which is ``author``'s, from the next hand on."""
    return canonical({"agreed": "seat", "match": match, "seat": seat, "from": author, "to": to})


def device_agreement(match: str, author: str, to: str, offer: str) -> bytes:
    """What a device signs to agree that it goes on for ``author``, another device of the same person."""
    return canonical({"agreed": "device", "match": match, "from": author, "to": to, "offer": offer})


def acknowledgement(match: str, index: int, head: Hash) -> bytes:
    """What a peer signs to acknowledge that the entry ``index`` of its log has the hash ``head``."""
    return canonical({"seen": match, "i": index, "h": head})


class SignedAuthority:
    """The authority of a match among peers (``kernel.match.Authority``)."""

    def __init__(self, setup: Setup, verifier: Verifier) -> None:
        self.roster = setup.authors
        self.verifier = verifier

    def statement_signed(self, statement: Statement) -> bool:
        return self.verifier.verify(statement.author, statement.canonical_bytes, statement.signature)

    def place_signed(self, entry: Entry, author: str) -> bool:
        message = spelled_place(entry.index, entry.previous, entry.statement.hash)
        return self.verifier.verify(author, message, entry.signature)

    def place(self, prefix: Prefix, entry: Entry) -> None:
        """The peer that orders signs every place; who takes over from one that is gone signs that very entry."""
        orderer = prefix.snapshot.orderer
        if entry.statement.kind == "gone" and entry.statement.body.get("order") == entry.statement.author:
            orderer = entry.statement.author
        if not self.place_signed(entry, orderer):
            raise refused("peers.place_unsigned")

    def check(self, prefix: Prefix, statement: Statement) -> None:
        snapshot = prefix.snapshot
        if statement.author not in snapshot.live:
            raise refused("kernel.stranger")
        if not self.statement_signed(statement):
            raise refused("peers.unsigned")
        body = statement.body
        if statement.kind in FOR_A_SEAT:
            seat = body.get("seat")
            if type(seat) is not int or not 0 <= seat < len(snapshot.setup.seats):
                raise refused("kernel.no_seat", seat=str(seat))
            if snapshot.setup.seats[seat].author != statement.author:
                raise refused("kernel.not_your_seat", seat=seat)
        if statement.kind == "seat":
            self._check_seat(prefix, statement)
        elif statement.kind == "undo" and body.get("practice"):
            raise refused("kernel.undo.practice")
        elif statement.kind == "timeout":
            self._check_timeout(prefix, statement)
        elif statement.kind == "order":
            if statement.author != snapshot.orderer or body.keys() != {"to"} or body["to"] not in snapshot.live:
                raise refused("peers.not_ordering")
        elif statement.kind == "gone":
            self._check_gone(prefix, statement)
        elif statement.kind == "leave":
            self._check_leave(statement, snapshot)
        elif statement.kind == "device":
            self._check_device(prefix, statement)

    def _check_seat(self, prefix: Prefix, statement: Statement) -> None:
        """A seat stays with its peer, where a bot may play on, unless another peer agreed to play it from the next hand on. So a
        person who was gone takes the seat back from the bot."""
        body = statement.body
        to = body.get("to")
        if type(to) is not dict or type(to.get("by")) is not str:
            raise refused("peers.seat_stays")
        check_seats(statement)
        check_names(statement)
        if "agreed" not in body:
            if to["by"] != statement.author:
                raise refused("peers.seat_stays")
        elif not self._signed(to["by"], seat_agreement(prefix.match, body["seat"], statement.author, to["by"]), body["agreed"]):
            raise refused("peers.seat_not_agreed")

    def _check_device(self, prefix: Prefix, statement: Statement) -> None:
        """Both devices have signed, and the new one is not at the table yet."""
        snapshot = prefix.snapshot
        body = statement.body
        formed = body.keys() == {"to", "offer", "agreed", "deal", "key"}
        if not formed or type(body["to"]) is not str or type(body["offer"]) is not str:
            raise refused("peers.device_form")
        to = body["to"]
        if to in snapshot.live or to in snapshot.former_authors:
            raise refused("peers.device_taken")
        if not self._signed(to, device_agreement(prefix.match, statement.author, to, body["offer"]), body["agreed"]):
            raise refused("peers.seat_not_agreed")

    def _signed(self, author: str, message: bytes, signature: Json) -> bool:
        return type(signature) is str and self.verifier.verify(author, message, signature)

    def _check_timeout(self, prefix: Prefix, statement: Statement) -> None:
        """With two peers nobody times out: one waits."""
        snapshot = prefix.snapshot
        seat = statement.body.get("seat")
        if type(seat) is not int or not 0 <= seat < len(snapshot.setup.seats):
            raise refused("kernel.no_seat", seat=str(seat))
        others = [peer for peer in snapshot.live if peer != snapshot.setup.seats[seat].author]
        if len(others) < 2:
            raise refused("peers.two_wait")
        self._check_votes(statement.body.get("agreed"), others, timeout_vote(prefix.match, prefix.head, seat))

    def _check_gone(self, prefix: Prefix, statement: Statement) -> None:
        snapshot = prefix.snapshot
        body = statement.body
        if body.keys() != {"peer", "order", "heir", "then", "votes"} or body["then"] not in ("bot", "without"):
            raise refused("peers.gone_form")
        live = snapshot.live
        gone, order, heir, then = body["peer"], body["order"], body["heir"], body["then"]
        left = [peer for peer in live if peer != gone]
        if gone not in live or order not in left or heir not in left:
            raise refused("peers.gone_form")
        if snapshot.orderer != gone and order != snapshot.orderer:
            raise refused("peers.not_ordering")
        if statement.author != order:
            raise refused("peers.not_ordering")
        if 2 * len(left) <= len(self.roster):
            raise refused("peers.no_majority")
        self._check_votes(body["votes"], left, gone_vote(prefix.match, prefix.head, gone, order, heir, then))

    def _check_leave(self, statement: Statement, snapshot: Snapshot) -> None:
        """A peer that leaves needs nobody's vote, and says who orders and who runs bots on its seats from now on."""
        body = statement.body
        if body.keys() != {"order", "heir", "sealed"} or type(body["sealed"]) not in (str, type(None)):
            raise refused("kernel.leave_form")
        left = [peer for peer in snapshot.live if peer != statement.author]
        if body["order"] not in left or body["heir"] not in left:
            raise refused("kernel.leave_form")
        if snapshot.orderer not in (statement.author, body["order"]):
            raise refused("peers.not_ordering")

    def _check_votes(self, votes: Json, needed: list[str], message: bytes) -> None:
        if type(votes) is not dict or votes.keys() != set(needed):
            raise refused("peers.votes_missing")
        for peer, signature in votes.items():
            if type(signature) is not str or not self.verifier.verify(peer, message, signature):
                raise refused("peers.vote_unsigned")
