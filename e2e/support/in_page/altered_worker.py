"""Stands behind the site's own Python in the worker of an altered device: what it does once a test asks for it by name.

It knows whatever the program knows and has the device's key, so it signs and sends what it likes. It never forges a signature of
another device so that it would hold: nobody can.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pyscript import sync

from tabletin.kernel.log import Entry, Statement, canonical, place
from tabletin.peers.replication.authority import ballot_vote, timeout_vote
from tabletin.peers.replication.ballots import Ballots
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.sequencer import Sequencer

asked: list[str] = []  # misdeeds that wait for the next tick
lasting: set[str] = set()  # those that are done again at every tick
wanted: list[EpochVote] = []  # its vote that somebody is gone
exhibits: list[tuple[str, list[Any]]] = []  # with which it accuses an innocent device
withheld: list[str] = []  # the hashes of the moves of others that got no place here


# ---- what it signs ----

def signed(peer: Replica, kind: str, body: dict[str, Any], **changes: Any) -> Statement:
    """A statement, unjudged. ``changes``: whatever else is to be otherwise; the signature is this device's all the same."""
    made = Statement(peer.match.id, peer.author, peer.state.count + 50, peer.match.head, kind, body)
    made = replace(made, **changes)
    return replace(made, signature=peer.identity.sign(made.canonical_bytes))


def put(peer: Replica, statement: Statement) -> dict[str, Any]:
    """The message that gives ``statement`` the next place."""
    index, previous = len(peer.match.entries), peer.match.head
    signature = peer.identity.sign(canonical(place(index, previous, statement.hash)))
    return {"t": "put", "e": [Entry.create(index, previous, statement, signature).to_json()]}


def renamed(peer: Replica, number: int) -> Statement:
    """A statement that is right, and another one for each ``number``: it takes the name of another player."""
    seats = peer.match.setup.seats
    seat = seat_of(peer, peer.author)
    name = seats[(seat + 1 + number) % len(seats)].name
    return signed(peer, "seat", {"seat": seat, "to": {**seats[seat].to_json(), "name": name}})


def gone(peer: Replica, lost: str) -> dict[str, Any]:
    return {"kind": "gone", "peer": lost, "order": peer.author, "heir": peer.author, "then": "bot"}


def vote(peer: Replica, epoch: int, subject: dict[str, Any]) -> EpochVote:
    end = peer.match.snapshot.epoch, len(peer.match.entries) - 1, peer.match.head
    return EpochVote(peer.author, epoch, subject, end, peer.identity.sign(ballot_vote(peer.match.id, epoch, subject, list(end))))


def victim(peer: Replica) -> str:
    """Whom it is against: the second person at the table, or the first where that is this one."""
    people = [seat.author for seat in peer.match.setup.seats if not seat.is_bot]
    return people[1] if people[1] != peer.author else people[0]


def seat_of(peer: Replica, author: str) -> int:
    return peer.match.snapshot.seats_of(author)[0]


def tell(peer: Replica, message: dict[str, Any], *receivers: str) -> None:
    """``receivers`` get ``message``; everybody if there are none."""
    for to in receivers or (None,):
        peer._outbox.send(to, message)


# ---- misdeeds ----

def fork(peer: Replica) -> None:
    """Two entries for one place, each to somebody else."""
    for number, to in enumerate(peer.other_authors):
        tell(peer, put(peer, renamed(peer, number)), to)


def two_statements(peer: Replica) -> None:
    """Two statements with one number, each to somebody else and then to everybody."""
    said = [{"t": "say", "s": renamed(peer, number).to_json()} for number in range(2)]
    for to, one in zip(peer.other_authors, said, strict=False):
        tell(peer, one, to)
    for one in said:
        tell(peer, one)


def two_votes(peer: Replica) -> None:
    """It tells each other that it wants another one gone, and votes for both in one ballot."""
    votes = [vote(peer, peer.match.snapshot.epoch + 1, gone(peer, lost)) for lost in peer.other_authors]
    for to, one in (*zip(peer.other_authors, votes, strict=True), *zip(peer.other_authors, reversed(votes), strict=True)):
        tell(peer, {"t": "wish", "what": [one.subject]}, to)
        tell(peer, {"t": "ballot", **one.to_json()}, to)


def want_gone(peer: Replica) -> None:
    """At every tick it wants the victim gone, who is there, and says its one vote again. Once all others have voted so, too, it
    begins an epoch without the victim."""
    if not wanted:
        wanted.append(vote(peer, peer.match.snapshot.epoch + 1, gone(peer, victim(peer))))
    tell(peer, {"t": "wish", "what": [wanted[0].subject]})
    tell(peer, {"t": "ballot", **wanted[0].to_json()})
    votes, voters = peer._ballots._votes.get(wanted[0].epoch, {}), peer.match.snapshot.live_voters
    if len(voters) > 2 and all(voter in votes for voter in voters if voter not in (peer.author, victim(peer))):
        declare_gone(peer)


def declare_gone(peer: Replica) -> None:
    """It begins an epoch without the victim, by whatever votes it heard, and its own."""
    epoch, subject = peer.match.snapshot.epoch + 1, gone(peer, victim(peer))
    own = wanted[0] if wanted else vote(peer, epoch, subject)
    votes = {**peer._ballots._votes.get(epoch, {}), peer.author: own}
    body = {name: value for name, value in subject.items() if name != "kind"}
    tell(peer, put(peer, signed(peer, "gone", {
        **body, "epoch": epoch,
        "votes": {voter: [list(one.end), one.signature] for voter, one in votes.items() if one.subject == subject}})))


def time_out(peer: Replica) -> None:
    """The victim is timed out, and everybody is said to have agreed."""
    seat = seat_of(peer, victim(peer))
    own = peer.identity.sign(timeout_vote(peer.match.id, peer.match.head, seat))
    agreed = {author: own for author in peer.live if author != victim(peer)}
    tell(peer, put(peer, signed(peer, "timeout", {"seat": seat, "agreed": agreed})))


def undo(peer: Replica) -> None:
    """It goes back behind the deal, without asking anybody."""
    tell(peer, put(peer, signed(peer, "undo", {"seat": seat_of(peer, peer.author), "to": 1})))


def frame(peer: Replica) -> None:
    """What this device says in the victim's name gets a place, and is held against it, and so is what it has said itself: one
    thing at each tick, for more is not looked at."""
    match, lost = peer.match, victim(peer)
    entries = [entry for entry in match.entries[1:] if entry.statement.author == lost]
    said = [entry.statement.to_json() for entry in entries]
    forged = [signed(peer, "resign", {"seat": seat_of(peer, lost)}, author=lost, count=count).to_json() for count in (90, 90, 91)]
    consent = signed(peer, "consent", {"seat": seat_of(peer, lost), "to": len(match.entries) - 2}, author=lost, count=90)
    tell(peer, put(peer, consent))
    false_vote = replace(vote(peer, match.snapshot.epoch + 1, gone(peer, peer.author)), voter=lost).to_json()
    exhibits.extend([
        ("counter", [forged[0], forged[2]]), ("statement", forged[:1]), ("counter", [said[-1], forged[0]]),
        ("counter", said[-2:]), ("statement", said[-1:]), ("place", [entries[-1].to_json()]),
        ("fork", [entry.to_json() for entry in entries[-2:]]), ("vote", [false_vote, said[-1]]),
        ("twice", said[-2:]), ("counter", said[-1:] * 2), ("shuffle", [])])


def withhold(peer: Replica) -> None:
    """From now on the moves of others get no place and a false "no"."""
    def hear(sequencer: Sequencer, sender: str, message: dict[str, Any]) -> None:
        statement = Statement.from_json(message["s"])
        if statement.kind != "move" or statement.author == peer.author:
            honest_hear(sequencer, sender, message)
            return
        withheld.append(statement.hash)
        tell(peer, {"t": "no", "h": statement.hash, "k": "kernel.turn"}, statement.author)

    honest_hear = Sequencer.hear_statement
    Sequencer.hear_statement = hear  # type: ignore[method-assign, assignment]
    Ballots.hear_plea = lambda ballots, statement: False  # type: ignore[method-assign, assignment]


MISDEEDS: dict[str, Callable[[Replica], None]] = {
    one.__name__: one for one in (fork, two_statements, two_votes, want_gone, declare_gone, time_out, undo, frame,
                                  withhold)}


# ---- when it does it ----

def ticking(peer: Replica, now: float) -> None:
    honest_tick(peer, now)
    for name in (*asked, *lasting):
        MISDEEDS[name](peer)
    lasting.update({"want_gone"} & set(asked))
    asked.clear()
    if exhibits:
        why, shown = exhibits.pop(0)
        tell(peer, {"t": "blame", "why": why, "x": shown})


async def answer(text: str) -> str:
    """A test's call names a misdeed, or none; what was withheld so far, and how much is still to
    come. Every other call is the page's."""
    if not text.startswith('{"misdeed":'):
        return str(await honest_call(text))
    name = json.loads(text)["misdeed"]
    asked.extend([name] if name else [])
    return json.dumps({"withheld": withheld, "more": len(exhibits) + len(asked)})


honest_tick, honest_call = Replica.tick, globals()["call"]  # which stands above, in the site's own part
Replica.tick = ticking  # type: ignore[method-assign, assignment]
sync.call = answer
