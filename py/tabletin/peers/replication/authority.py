"""Who may say what in a match among peers, and who may put it in order. It judges by signatures and the log alone.

Peers are the authors that the seats of the genesis name, in the order of their first seats. A timeout needs every other live
peer. Declaring a peer gone needs every live peer and more than half of all, so that two halves of a broken network never both
go on. Only the peer that orders passes the ordering on.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from tabletin.kernel.log import Entry, Hash, Json, Statement, canonical, spelled_place
from tabletin.kernel.options import refused
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.setup import Setup, check_names, check_seats
from tabletin.kernel.snapshot import Snapshot
from tabletin.peers.identity import Verifier
from tabletin.peers.replication.statement_quota import exceeds_quota

FOR_A_SEAT: Final = ("move", "undo", "consent", "resign", "seat")


BEGINS_EPOCH: Final = ("gone", "pass")
HASH_DIGITS: Final = 64
LogEnd: TypeAlias = tuple[int, int, Hash]  # of a device's newest entry: its epoch, index and hash


def timeout_vote(match: str, head: Hash, seat: int) -> bytes:
    """What a peer signs to agree that ``seat`` kept the table waiting since the entry ``head``."""
    return canonical({"vote": "timeout", "match": match, "head": head, "seat": seat})


def gone_vote(match: str, head: Hash, peer: str, order: str, heir: str, then: str) -> bytes:
    """What a peer signs to agree that ``peer`` is gone for good after the entry ``head``, and what then."""
    return canonical({"vote": "gone", "match": match, "head": head, "peer": peer, "order": order, "heir": heir, "then": then})


def ballot_vote(match: str, epoch: int, subject: dict[str, Json], seen: list[Json]) -> bytes:
    """What a voter signs for ``subject`` in the ballot that would begin ``epoch``; ``seen``: its newest entry's epoch, index and
    hash. It is a promise: nothing of an older epoch is signed after it."""
    return canonical({"vote": "epoch", "match": match, "epoch": epoch, "what": subject, "seen": seen})


def is_end(data: Json) -> bool:
    """Whether ``data`` has the form of a ``LogEnd``."""
    if type(data) is not list or [type(part) for part in data] != [int, int, str]:
        return False
    epoch, index, head = data
    return epoch >= 0 and index >= 0 and len(head) == HASH_DIGITS


def subject_of(statement: Statement) -> dict[str, Json]:
    """What was voted for that ``statement``, a gone or a pass, says."""
    left_out = ("votes", "epoch")
    return {"kind": statement.kind, **{name: value for name, value in statement.body.items() if name not in left_out}}


def without_whom(subject: dict[str, Json]) -> Json:
    """Whose vote ``subject`` does not need: the peer that it is against; None where everybody has to agree."""
    return subject.get("peer" if subject.get("kind") == "gone" else "against")


def required_voters(snapshot: Snapshot, subject: dict[str, Json]) -> tuple[str, ...]:
    """Who has to vote for ``subject``; nobody where those are too few to decide it."""
    against = without_whom(subject)
    required = tuple(voter for voter in snapshot.live_voters if voter != against)
    return required if 2 * len(required) > len(snapshot.voters) else ()


def timeout_voters(snapshot: Snapshot, seat: int) -> tuple[str, ...]:
    """Who has to agree that ``seat`` kept the table waiting."""
    owner = snapshot.setup.seats[seat].author
    return tuple(voter for voter in (snapshot.live_voters if snapshot.setup.protocol > 1 else snapshot.live) if voter != owner)


def signer_of(snapshot: Snapshot, statement: Statement) -> str:
    """Who signs the place of ``statement`` right behind ``snapshot``: who begins an epoch places its first entry."""
    if statement.kind in BEGINS_EPOCH and statement.body.get("order") == statement.author:
        return statement.author
    return snapshot.orderer


def named_epoch(statement: Statement) -> int:
    """The epoch that ``statement`` begins; 0 where it begins none."""
    named = statement.body.get("epoch") if statement.kind in BEGINS_EPOCH else None
    return named if type(named) is int else 0


def epoch_of(snapshot: Snapshot, statement: Statement) -> int:
    """The epoch to which ``statement`` belongs right behind ``snapshot``."""
    return named_epoch(statement) or snapshot.epoch


def seat_agreement(snapshot: Snapshot, match: str, seat: int, author: str, to: dict[str, Json]) -> bytes:
    """What a peer signs to agree that it plays ``seat``, which is ``author``'s, from the next hand on as the player ``to``. It is
    good until that peer loses a seat again. In an older log it names the peer alone."""
    said: dict[str, Json] = {"agreed": "seat", "match": match, "seat": seat, "from": author}
    if snapshot.setup.protocol < 3:
        return canonical({**said, "to": to["by"]})
    return canonical({**said, "to": to, "after": snapshot.departures.get(str(to["by"]), "")})


def device_agreement(match: str, author: str, to: str, offer: str) -> bytes:
    """What a device signs to agree that it goes on for ``author``, another device of the same person."""
    return canonical({"agreed": "device", "match": match, "from": author, "to": to, "offer": offer})


def acknowledgement(match: str, index: int, head: Hash) -> bytes:
    """What a peer signs to acknowledge that the entry ``index`` of its log has the hash ``head``."""
    return canonical({"seen": match, "i": index, "h": head})


class SignedAuthority:
    """The authority of a match among peers (``kernel.match.Authority``)."""

    def __init__(self, setup: Setup, verifier: Verifier) -> None:
        self.verifier = verifier
        self._verified: Statement | None = None  # the last that was found signed: one that is late is judged behind many entries

    def statement_signed(self, statement: Statement) -> bool:
        if statement is not self._verified:
            if not self.verifier.verify(statement.author, statement.canonical_bytes, statement.signature):
                return False
            self._verified = statement
        return True

    def place_signed(self, entry: Entry, author: str) -> bool:
        message = spelled_place(entry.index, entry.previous, entry.statement.hash)
        return self.verifier.verify(author, message, entry.signature)

    def place(self, prefix: Prefix, entry: Entry) -> None:
        """The peer that orders signs every place; who takes over from one that is gone signs that very entry."""
        if not self.place_signed(entry, signer_of(prefix.snapshot, entry.statement)):
            raise refused("peers.place_unsigned")

    def check(self, prefix: Prefix, statement: Statement) -> None:
        snapshot = prefix.snapshot
        if statement.author not in snapshot.live:
            raise refused("kernel.stranger")
        if not self.statement_signed(statement):
            raise refused("peers.unsigned")
        body = statement.body
        self._check_turn(snapshot, statement)
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
            if statement.author != snapshot.orderer or body.keys() != {"to"} or body["to"] not in snapshot.may_order():
                raise refused("peers.not_ordering")
        elif statement.kind == "gone":
            self._check_gone(prefix, statement)
        elif statement.kind == "pass":
            self._check_pass(prefix, statement)
        elif statement.kind == "leave":
            self._check_leave(statement, snapshot)
        elif statement.kind == "device":
            self._check_device(prefix, statement)

    def _check_turn(self, snapshot: Snapshot, statement: Statement) -> None:
        """With each deal another peer orders. Until it does, nothing is said but what gives it the order, takes the deal's answer
        in, or changes who is at the table."""
        if snapshot.must_order and snapshot.setup.protocol > 1:
            gives_order = statement.kind == "order" and statement.body.get("to") == snapshot.must_order
            answers = statement.kind == "deal" and not statement.body
            if not (gives_order or answers or statement.kind in ("gone", "pass", "leave", "device")):
                raise refused("peers.order_due")

    def _check_seat(self, prefix: Prefix, statement: Statement) -> None:
        """A seat stays with its peer, where a bot may play on, unless a person elsewhere agreed to play it from the next hand on.
        So somebody who was gone takes the seat back from the bot."""
        snapshot, body = prefix.snapshot, statement.body
        to = body.get("to")
        if type(to) is not dict or type(to.get("by")) is not str:
            raise refused("peers.seat_stays")
        check_seats(statement)
        check_names(statement)
        if "agreed" not in body:
            if to["by"] != statement.author:
                raise refused("peers.seat_stays")
            return
        agreement = seat_agreement(snapshot, prefix.match, body["seat"], statement.author, to)
        is_person = to["kind"] == "person" or snapshot.setup.protocol < 3
        if not is_person or not self._signed(to["by"], agreement, body["agreed"]):
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
        if snapshot.setup.protocol > 5 and exceeds_quota(prefix.newest_first(), statement):
            raise refused("peers.quota")  # a ballot is against a device: it would never catch up with the next one

    def _signed(self, author: str, message: bytes, signature: Json) -> bool:
        return type(signature) is str and self.verifier.verify(author, message, signature)

    def _check_timeout(self, prefix: Prefix, statement: Statement) -> None:
        """With two peers nobody times out: one waits."""
        snapshot = prefix.snapshot
        seat = statement.body.get("seat")
        if type(seat) is not int or not 0 <= seat < len(snapshot.setup.seats):
            raise refused("kernel.no_seat", seat=str(seat))
        others = list(timeout_voters(snapshot, seat))
        if len(others) < 2:
            raise refused("peers.two_wait")
        self._check_votes(statement.body.get("agreed"), others, timeout_vote(prefix.match, prefix.head, seat))

    def _check_gone(self, prefix: Prefix, statement: Statement) -> None:
        snapshot = prefix.snapshot
        body = statement.body
        is_old = snapshot.setup.protocol == 1 and "epoch" not in body
        names = {"peer", "order", "heir", "then", "votes"} | (set() if is_old else {"epoch"})
        if body.keys() != names or body["then"] not in ("bot", "without"):
            raise refused("peers.gone_form")
        live = snapshot.live
        gone, order, heir, then = body["peer"], body["order"], body["heir"], body["then"]
        left = [peer for peer in live if peer != gone]
        if gone not in live or order not in snapshot.may_order((gone,)) or heir not in left:
            raise refused("peers.gone_form")
        if snapshot.orderer != gone and order != snapshot.orderer:
            raise refused("peers.not_ordering")
        if statement.author != order:
            raise refused("peers.not_ordering")
        if not is_old:
            self._check_ballot(prefix, statement)
            return
        if 2 * len(left) <= len(prefix.snapshot_at(0).setup.authors):
            raise refused("peers.no_majority")
        self._check_votes(body["votes"], left, gone_vote(prefix.match, prefix.head, gone, order, heir, then))

    def _check_pass(self, prefix: Prefix, statement: Statement) -> None:
        """Another peer orders, because the one that did places nothing; or it orders again, so that nobody is bound to an older
        ballot any more. ``against``: the one voter whose vote that does not need, or None."""
        snapshot, body = prefix.snapshot, statement.body
        if body.keys() != {"against", "order", "epoch", "votes"}:
            raise refused("peers.pass_form")
        against, order = body["against"], body["order"]
        if order not in snapshot.may_order((against,)) or (against is not None and against not in snapshot.live):
            raise refused("peers.pass_form")
        if statement.author != order or (against != snapshot.orderer and order != snapshot.orderer):
            raise refused("peers.not_ordering")
        self._check_ballot(prefix, statement)

    def _check_ballot(self, prefix: Prefix, statement: Statement) -> None:
        """Everybody needed voted for it in one ballot, and the newest entry that any of them held is the last of ``prefix``."""
        snapshot, body = prefix.snapshot, statement.body
        epoch, votes = body["epoch"], body["votes"]
        if type(epoch) is not int or epoch <= snapshot.epoch:
            raise refused("peers.epoch_over")
        subject = subject_of(statement)
        required = required_voters(snapshot, subject)
        if not required:
            raise refused("peers.no_majority")
        if type(votes) is not dict or votes.keys() != set(required):
            raise refused("peers.votes_missing")
        ends: list[tuple[int, int, str]] = []
        for voter, vote in votes.items():
            match vote:
                case [[seen_epoch, index, head] as seen, str(signature)] if is_end(seen):
                    if not self.verifier.verify(voter, ballot_vote(prefix.match, epoch, subject, seen), signature):
                        raise refused("peers.vote_unsigned")
                    ends.append((seen_epoch, index, head))
                case _:
                    raise refused("peers.vote_unsigned")
        newest = max(ends)
        inside = all(prefix.hash_at(index) == head for seen_epoch, index, head in ends if seen_epoch == newest[0])
        if newest != (snapshot.epoch, prefix.index, prefix.head) or not inside:
            raise refused("peers.votes_behind")

    def _check_leave(self, statement: Statement, snapshot: Snapshot) -> None:
        """A peer that leaves needs nobody's vote, and says who orders and who runs bots on its seats from now on."""
        body = statement.body
        if body.keys() != {"order", "heir", "sealed"} or type(body["sealed"]) not in (str, type(None)):
            raise refused("kernel.leave_form")
        left = [peer for peer in snapshot.live if peer != statement.author]
        if body["order"] not in snapshot.may_order((statement.author,)) or body["heir"] not in left:
            raise refused("kernel.leave_form")
        if snapshot.orderer not in (statement.author, body["order"]):
            raise refused("peers.not_ordering")

    def _check_votes(self, votes: Json, needed: list[str], message: bytes) -> None:
        if type(votes) is not dict or votes.keys() != set(needed):
            raise refused("peers.votes_missing")
        for peer, signature in votes.items():
            if type(signature) is not str or not self.verifier.verify(peer, message, signature):
                raise refused("peers.vote_unsigned")
