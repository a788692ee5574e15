"""Hostile and damaged messages: refused for a reason, counted and harmless; and what a peer never signs."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical, place
from tabletin.kernel.match import MOST_BEHIND, Match
from tabletin.kernel.options import Refused
from tabletin.peers.replication.backfill import BATCH
from tabletin.peers.replication.replica import MOST_MESSAGE, Replica
from tabletin.peers.replication.sync import MOST_LATENESS, VERSION
from tests.support.examples import MANY_HANDS, ONE_DEAL, game_for, game_of_many, lasting, unending
from tests.support.forging import put, signed
from tests.support.peer_matches import check_finished, network
from tests.support.peer_sim import Faults, Network
from tests.support.random_matches import wrong_move


def test_hostile_messages_are_refused_counted_and_harmless() -> None:
    net = network(ONE_DEAL, 3, 11)
    net.run(lambda: len(net.peers[0].match.entries) >= 40 and net.agreed())
    victim, sender = net.peers[0], net.peers[1].author
    head = victim.match.head
    other = network(ONE_DEAL, 3, 99)
    other.run(lambda: len(other.peers[0].match.entries) >= 10)
    entry = victim.match.entries[-1].to_json()
    stray = other.peers[0].match.entries[3]
    junk: list[Any] = [
        None, 1, "x", [], {}, {"t": "x"}, {"t": "put"}, {"t": "put", "e": 3}, {"t": "put", "e": [1]}, {"t": "say"},
        {"t": "say", "s": {}}, {"t": "head"}, {"t": "head", "i": -5, "h": head, "m": victim.match.id, "v": VERSION},
        {"t": "head", "i": 1, "h": head, "m": victim.match.id, "v": 99},
        {"t": "head", "i": 1, "h": head, "m": "0" * 64, "v": VERSION},
        {"t": "want"}, {"t": "want", "i": "1"}, {"t": "want", "i": -1}, {"t": "vote"}, {"t": "no"},
        {"t": "put", "e": [stray.to_json()]}, {"t": "say", "s": stray.statement.to_json()},
        {"t": "put", "e": [{**entry, "i": 10**6}]}, {"t": "put", "e": [{**entry, "i": entry["i"] + 1}]},
        {"t": "put", "e": [entry] * 65},
    ]
    for message in junk:
        victim.receive(sender, canonical(message))
    for data in (b"", b"\xff", b"{", b"[" * 100000, b"1" * (MOST_MESSAGE + 1), b'{"t":1.5}'):
        victim.receive(sender, data)
    assert victim.match.head == head and not victim.accusations
    assert sum(victim.refusal_counts.values()) >= 25
    victim.outbox.clear()
    assert net.run(net.finished)


WRONG: dict[str, tuple[str, Any]] = {  # what is sent, given an honest entry as JSON → the reason it is counted under
    "garbage": ("malformed", lambda entry: b"\xff\x00{"),
    "no object": ("malformed", lambda entry: b"[]"),
    "oversize": ("malformed", lambda entry: b"1" * (MOST_MESSAGE + 1)),
    "unknown": ("malformed", lambda entry: {"t": "hello"}),
    "another match": ("malformed", lambda entry: {"t": "put", "e": [{**entry, "say": {**entry["say"], "match": "0" * 64}}]}),
    "another version": ("malformed", lambda entry: {"t": "head", "i": 1, "h": "0" * 64, "m": entry["say"]["match"], "v": 99}),
    "a duplicate": ("peers.again", lambda entry: {"t": "put", "e": [entry]}),
    "a place by a stranger": ("peers.place_unsigned", lambda entry: {"t": "put", "e": [
        {**entry, "say": {**entry["say"], "n": 9999}}]}),
    "another history by a stranger": ("peers.other_history", lambda entry: {"t": "put", "e": [{**entry, "prev": "1" * 64}]}),
    "much too early": ("peers.too_far_ahead", lambda entry: {"t": "put", "e": [{**entry, "i": entry["i"] + 600}]}),
    "not the next": ("kernel.log.previous", lambda entry: {"t": "put", "e": [{**entry, "i": entry["i"] + 1}]}),
    "unsigned": ("peers.unsigned", lambda entry: {"t": "say", "s": {**entry["say"], "sig": "0" * 128}}),
    "more than a batch": ("malformed", lambda entry: {"t": "put", "e": [entry] * (BATCH + 1)}),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_refused_for_a_reason_and_counted(what: str) -> None:
    net = network(ONE_DEAL, 3, 11)
    net.run(lambda: len(net.peers[0].match.entries) >= 30 and net.agreed())
    victim, sender = net.peers[0], net.peers[1].author
    before, counted = victim.match.head, victim.refusal_counts.copy()
    reason, made = WRONG[what]
    message = made(victim.match.entries[-1].to_json())
    victim.receive(sender, message if isinstance(message, bytes) else canonical(message))
    assert victim.match.head == before and not victim.accusations
    assert victim.refusal_counts - counted == {reason: 1}


def test_a_peer_of_another_version_is_named_until_it_speaks_ours() -> None:
    net = network(ONE_DEAL, 3, 11)
    victim, sender = net.peers[0], net.peers[1]
    victim.receive(sender.author, canonical({"t": "head", "i": 1, "h": "0" * 64, "m": victim.match.id, "v": 99}))
    victim.receive("e" * 64, canonical({"t": "head", "i": 1, "h": "0" * 64, "m": victim.match.id, "v": 99}))
    assert victim.state.other_versions == {sender.author}, "nobody asks what a stranger speaks"
    assert net.run(net.finished)
    assert not victim.state.other_versions


def test_a_flood_is_cut_off_and_costs_the_others_nothing() -> None:
    net = network(ONE_DEAL, 3, 11)
    net.run(lambda: len(net.peers[0].match.entries) >= 30 and net.agreed())
    victim, flooder = net.peers[0], net.peers[1].author
    victim.outbox.clear()
    for _ in range(20000):
        victim.receive(flooder, canonical({"t": "want", "i": 0}))
    assert victim.refusal_counts["peers.flood"] > 19000
    assert sum(len(data) for _, data in victim.outbox) < 64 * 200_000
    victim.outbox.clear()
    victim.receive(net.peers[2].author, canonical({"t": "want", "i": 0}))
    assert victim.outbox, "another's question is still answered"
    victim.outbox.clear()
    assert net.run(net.finished)
    assert not any(peer.accusations for peer in net.peers)


@pytest.mark.parametrize("kind", ["say", "plea", "no", "place", "statement"])
def test_nobody_keeps_a_device_judging(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever one sender has a device judge – statements signed anew, a "no" to what is pending, accusations: in a second it
    judges little of it, so that it has time for its own people."""
    net = network(ONE_DEAL, 3, 11)
    net.run(lambda: len(net.peers[0].match.entries) >= 60 and net.agreed()
            and all(peer.state.pending is None for peer in net.peers))
    orderer = next(peer for peer in net.peers if peer.orders)
    other = next(node for node in net.nodes if node.peer is not orderer)
    assert other.peer is not None
    victim, sender = (other.peer, orderer.author) if kind == "no" else (orderer, other.author)
    own = [entry for entry in victim.match.entries if entry.statement.author == sender]
    late = next(entry.statement for entry in reversed(own) if entry.statement.kind == "move")

    def message(number: int) -> dict[str, Any]:
        if kind == "no":
            return {"t": "no", "h": pending, "k": "kernel.turn"}
        if kind in ("place", "statement"):
            entry = own[number % len(own)]
            return {"t": "blame", "why": kind, "x": [entry.to_json() if kind == "place" else entry.statement.to_json()]}
        unsigned = replace(late, count=1000 + number, signature="")
        return {"t": kind, "s": replace(unsigned, signature=other.identity.sign(unsigned.canonical_bytes)).to_json()}

    seat = victim.match.snapshot.seats_of(victim.author)[0]
    pending = victim.say("resign", {"seat": seat}) if kind == "no" else ""
    judged: list[int] = []
    judge = Match._judge_behind

    def counted(*given: Any) -> Any:
        judged.append(1)
        return judge(*given)

    monkeypatch.setattr(Match, "_judge_behind", counted)
    before = victim.refusal_counts.copy()
    for number in range(600):
        victim.receive(sender, canonical(message(number)))
    assert bool(judged) == (kind != "no"), "some of it was looked at; where one says \"no\", it was judged when it was signed"
    assert len(judged) <= 128
    assert (victim.refusal_counts - before)["peers.flood"] >= 400
    assert not victim.accusations


def test_entries_that_take_long_to_judge_are_taken_in_little_by_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them names an entry of long ago, and is judged behind every one since then: two megabytes took a minute."""
    net = network(ONE_DEAL, 3, 11)
    net.run(lambda: len(net.peers[0].match.entries) >= 60 and net.agreed() and not net.state().requests)
    cheat = next(node for node in net.nodes if node.peer is not None and node.peer.orders)
    victim = next(node.peer for node in net.nodes if node is not cheat and node.peer is not None)
    match = victim.match.branch(len(victim.match.entries))
    seat = match.snapshot.seats_of(cheat.author)[0]
    body, length = {"seat": seat, "to": match.setup.seats[seat].to_json()}, len(match.entries)
    for number in range(150):
        head = match.entries[max(length, len(match.entries) - MOST_BEHIND) - 1].hash
        statement = Statement(match.id, cheat.author, 1000 + number, head, "seat", body)
        statement = replace(statement, signature=cheat.identity.sign(statement.canonical_bytes))
        at, head = len(match.entries), match.head
        match.append(Entry.create(at, head, statement, cheat.identity.sign(canonical(place(at, head, statement.hash)))))
    tried: list[int] = []
    judge = Match._try

    def counted(*given: Any) -> Any:
        tried.append(1)
        return judge(*given)

    monkeypatch.setattr(Match, "_try", counted)
    for start in range(length, len(match.entries), 64):
        told = [entry.to_json() for entry in match.entries[start:start + 64]]
        victim.receive(cheat.author, canonical({"t": "put", "e": told}))
    now, most = net.now, MOST_LATENESS + 2 * MOST_BEHIND
    while len(victim.match.entries) < len(match.entries):
        assert len(tried) <= most
        tried.clear()
        now += 1.0
        victim.tick(now)
    assert now - net.now >= 3
    assert victim.match.head == match.head and not victim.accusations


@pytest.mark.parametrize("is_player", [True, False])
def test_what_nobody_judges_keeps_no_entry_waiting(is_player: bool) -> None:
    """Anybody can make up entries that name one of long ago. They are refused at once, and take no allowance of true ones."""
    net = Network(MANY_HANDS, 3, 11, options=unending(MANY_HANDS))
    net.run(lambda: len(net.peers[0].match.entries) >= 150 and net.agreed() and not net.state().requests)
    orderer = next(node for node in net.nodes if node.peer is not None and node.peer.orders)
    victim, third = (node.peer for node in net.nodes if node is not orderer)
    assert victim is not None and third is not None
    length, last = len(victim.match.entries), victim.match.entries[-1].to_json()
    for number in range(2 * MOST_LATENESS // MOST_BEHIND):
        said = {**last["say"], "kind": "consent", "head": victim.match.entries[length - MOST_BEHIND - 1].hash}
        sender = third.author if is_player else f"{number:064x}"
        victim.receive(sender, canonical({"t": "put", "e": [{**last, "i": length, "say": said}]}))
    assert victim.refusal_counts["kernel.log.previous"] == 2 * MOST_LATENESS // MOST_BEHIND
    seat = victim.match.snapshot.seats_of(orderer.author)[0]
    entry = put(orderer, signed(orderer, "seat", {"seat": seat, "to": victim.match.setup.seats[seat].to_json()}))
    victim.receive(orderer.author, canonical({"t": "put", "e": [entry.to_json()]}))
    assert victim.match.entries[length:] == [entry]


def test_nobodys_forgery_keeps_a_true_entry_out() -> None:
    """Somebody fills the places to come with entries of its own; the true ones, when they come, are taken all the same."""
    net = network(ONE_DEAL, 3, 19)
    net.run(lambda: len(net.peers[0].match.entries) >= 60 and net.agreed())
    source = net.peers[0].match.entries
    victim = net.nodes[2]
    victim.disk.entries = list(source[:20])
    peer = victim.start(net.genesis, restarted=True)
    for index in range(21, 60):
        forged = {**source[index].to_json(), "sig": "0" * 64, "prev": source[index].previous}
        forged["say"] = {**forged["say"], "n": 9999}
        peer.receive(net.nodes[1].author, canonical({"t": "put", "e": [forged]}))
    for start in (21, 20):  # the true ones, and the missing one last
        batch = [entry.to_json() for entry in (source[start:60] if start == 21 else source[20:21])]
        peer.receive(net.nodes[0].author, canonical({"t": "put", "e": batch}))
    assert len(peer.match.entries) == 60 and not peer.accusations
    counts = peer.refusal_counts
    assert counts["peers.place_unsigned"] + counts["peers.other_history"] + counts["peers.unsigned"] >= 1


def test_replays_of_everything_ever_sent_change_nothing() -> None:
    net = network(game_for(2), 2, 12)
    assert net.run(net.finished)
    heads = {peer.match.head for peer in net.peers}
    for sender, to, data in Random(1).sample(net.sent, min(400, len(net.sent))):
        for peer in net.peers:
            if peer.author == to:
                peer.receive(sender, data)
    assert {peer.match.head for peer in net.peers} == heads
    assert not any(peer.accusations for peer in net.peers)


def test_catching_up_on_a_long_log() -> None:
    net = network(game_of_many(), 3, 13)
    assert net.run(net.finished)
    late = net.nodes[0]
    late.peer = None
    late.disk.entries.clear()
    late.start(net.genesis, restarted=True)
    assert net.run(net.finished)
    check_finished(net)


def test_a_long_tail_is_asked_for_batch_after_batch() -> None:
    """A peer that is far behind does not wait for the next head between two batches."""
    net = Network(MANY_HANDS, 3, 21, options=lasting(MANY_HANDS))
    assert net.run(net.finished)
    length = len(net.peers[0].match.entries)
    assert length > 3 * BATCH
    late = net.nodes[2]
    late.disk.entries.clear()
    peer = late.start(net.genesis, restarted=True)
    assert net.run(lambda: len(peer.match.entries) == length, seconds=1.5)


@pytest.mark.parametrize("field", ["match", "by", "n", "head", "kind", "body", "sig"])
def test_a_statement_with_any_field_changed_is_not_signed(field: str) -> None:
    net = network(ONE_DEAL, 2, 14, real_signatures=True)
    net.run(lambda: len(net.peers[0].match.entries) >= 12)
    peer = net.peers[0]
    good = peer.match.entries[9].statement.to_json()
    changed = {"match": "1" * 64, "by": net.peers[1].author if good["by"] == net.peers[0].author else net.peers[0].author,
               "n": good["n"] + 7, "head": "2" * 64, "kind": "resign", "body": {"seat": 0},
               "sig": good["sig"][:-1] + ("0" if good["sig"][-1] != "0" else "1")}
    assert peer.state.authority.statement_signed(Statement.from_json(good))
    assert not peer.state.authority.statement_signed(Statement.from_json({**good, field: changed[field]}))


def test_entries_are_only_taken_from_the_peer_that_orders() -> None:
    net = network(ONE_DEAL, 3, 15)
    net.run(lambda: len(net.peers[0].match.entries) >= 40 and net.agreed())
    match = net.peers[0].match
    outsider = next(node for node in net.nodes if node.author != match.orderer)
    statement = match.propose(outsider.author, "resign", {"seat": 0})
    forged = Entry.create(len(match.entries), match.head, statement, outsider.identity.sign(b"anything"))
    victim: Replica = next(peer for peer in net.peers if peer.author not in (outsider.author,))
    before = victim.match.head
    victim.receive(outsider.author, canonical({"t": "put", "e": [forged.to_json()]}))
    assert victim.match.head == before and victim.refusal_counts["peers.place_unsigned"] == 1


def test_saying_two_things_at_once_is_a_defect_of_the_caller() -> None:
    net = network(ONE_DEAL, 2, 16, Faults(loss=1.0))
    peer = next(peer for peer in net.peers if peer.pending is not None)
    with pytest.raises(RuntimeError):
        peer.say("resign", {"seat": 0})


def test_a_wrong_move_is_refused_before_it_is_signed() -> None:
    net = network(ONE_DEAL, 2, 17)
    net.run(lambda: len(net.peers[0].match.entries) >= 20 and net.agreed() and not net.state().requests)
    peer = net.peers[0]
    if peer.pending is None and peer.ready:
        count = peer.state.count
        with pytest.raises(Refused):
            peer.say("move", {"seat": 0, "do": wrong_move(peer.match, 0), "open": []})
        assert peer.state.count == count and json.dumps(peer.rejections) == "[]"
