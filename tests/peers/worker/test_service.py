"""A replica behind text: two of them play a sealed match through nothing but calls and answers, with real cryptography."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, Statement, canonical, parse, place
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal
from tabletin.kernel.setup import PROTOCOL, SEALED, Seat, Setup
from tabletin.peers.identity import Ed25519, Ed25519Verifier
from tabletin.peers.replication.evidence import Accusation, judge, peer_match
from tabletin.peers.replication.offer import Offer
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.worker import calls
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.results import DeviceAuthor, Genesis, Proofs
from tabletin.peers.worker.service import ReplicaService
from tabletin.peers.worker.status import WorkerStatus
from tabletin.registry import rules_of
from tests.support.ballots import end_of, first_entry, vote_of
from tests.support.device_moves import peer_of
from tests.support.examples import DEALT
from tests.support.forging import put, signed
from tests.support.random_matches import bare_move
from tests.support.resting_table import RestingTable

GROUP = SodiumGroup()


class Device:
    """What a page keeps: the worker's answers stored, and a match folded from public entries and its own faces."""

    def __init__(self, number: int) -> None:
        self.service = ReplicaService(GROUP, Ed25519Verifier(), Ed25519)
        self.out: list[tuple[str | None, str]] = []
        self.status: WorkerStatus
        self.lines: list[str] = []
        self.pending = Pending()
        self.faces = Faces()
        self.author = self.ask(calls.Identify(bytes([number]).hex() * 32)).result_as(DeviceAuthor).author

    def ask(self, call: calls.Call) -> WorkerAnswer:
        answer = WorkerAnswer.decode(self.service.call(calls.encode(call)))
        news = answer.news
        self.lines += [new.entry.line for new in news.entries]
        self.pending = news.pending or self.pending
        self.faces.update(news.faces)
        self.out += news.messages
        self.status = news.status or getattr(self, "status", None)  # type: ignore[assignment]  # none before the first
        return answer

    def join(self, genesis: Any, restarted: bool = False) -> None:
        lines = canonical(genesis).decode(), *self.lines
        self.ask(calls.Join(lines, self.pending, restarted))

    def refusal(self, call: calls.Call) -> str:
        """The key of why it is refused, "" where it is not."""
        refusal = self.ask(call).refusal
        return "" if refusal is None else refusal.key

    def match(self, genesis: Any) -> Match:
        first = Entry.from_json(genesis)
        match = peer_match(first, rules_of(DEALT), Ed25519Verifier(), Checker(GROUP))
        for line in self.lines:
            match.append(Entry.from_json(parse(line)))
        match.learn(self.faces)
        return match


def deliver(devices: list[Device]) -> None:
    while any(device.out for device in devices):
        for device in devices:
            out, device.out = device.out, []
            for to, data in out:
                for other in devices:
                    if other is not device and to in (None, other.author):
                        other.ask(calls.Receive((device.author,), (data,)))


def test_two_devices_play_a_few_turns_and_one_restarts() -> None:
    devices = [Device(1), Device(2)]
    seats = tuple(Seat("person", device.author) for device in devices)
    genesis = devices[0].ask(calls.FoundMatch(DEALT, {}, seats, "n", {})).result_as(Genesis).entry
    for device in devices:
        device.join(genesis)
    now, rng = 0.0, Random(1)
    for turn in range(8):
        deliver(devices)
        match = devices[0].match(genesis)
        seat = match.rules.to_act(match.state)[0]
        own = devices[seat].match(genesis)
        assert own.state == match.state
        move = own.rules.random_move(own.state, seat, own.view((seat,)).faces, rng)
        assert not devices[seat].refusal(calls.PlayMove(seat, move))
        wrong = devices[1 - seat].refusal(calls.PlayMove(1 - seat, list(bare_move(own.rules))))
        assert wrong and wrong != "kernel.malformed", "it is not that seat's turn"
        if turn == 4:
            deliver(devices)
            old, fresh = devices[1], Device(2)
            fresh.lines, fresh.pending, fresh.faces = list(old.lines), old.pending, old.faces
            fresh.join(genesis, restarted=True)
            assert fresh.lines == old.lines
            assert fresh.status.ready is False
            devices[1] = fresh
        now += 2.0
        for device in devices:
            device.ask(calls.Tick(now))
    deliver(devices)
    assert devices[0].status.head == devices[1].status.head
    assert not devices[0].status.culprits and not devices[1].status.culprits
    assert not set(devices[0].faces) & set(devices[1].faces)
    assert devices[0].refusal(calls.PlayMove(0, [1])) == "kernel.malformed"


def test_a_person_goes_on_from_another_device() -> None:
    devices = [Device(1), Device(2), Device(3)]
    seats = tuple(Seat("person", device.author) for device in devices[:2])
    genesis = devices[0].ask(calls.FoundMatch(DEALT, {}, seats, "n", {})).result_as(Genesis).entry
    for device in devices:
        device.join(genesis)
    for now in (2.0, 4.0, 6.0):
        deliver(devices)
        for device in devices:
            device.ask(calls.Tick(now))
    deliver(devices)
    phone, laptop = devices[1:]
    held = dict(phone.faces)
    assert held and not laptop.faces
    offer = laptop.ask(calls.MakeOffer(phone.author)).result_as(Offer)
    assert phone.refusal(calls.AcceptOffer(replace(offer, consent="0" * 128))) == "peers.seat_not_agreed"
    assert not phone.refusal(calls.AcceptOffer(offer))
    deliver(devices)
    assert laptop.faces == held
    assert [seat.author for seat in laptop.match(genesis).setup.seats] == [devices[0].author, laptop.author]
    match = laptop.match(genesis)
    seat = match.rules.to_act(match.state)[0]
    mover = devices[0] if seat == 0 else laptop
    own = mover.match(genesis)
    move = own.rules.random_move(own.state, seat, own.view((seat,)).faces, Random(1))
    assert not mover.refusal(calls.PlayMove(seat, move))
    deliver(devices)
    assert len({device.status.head for device in devices}) == 1


@pytest.mark.parametrize(("seat", "reason"), [
    ({"level": "godlike", "kind": "bot"}, "kernel.seat_level"), ({"colour": "url(x)"}, "kernel.seat_colour"),
    ({"name": "A\u202eda"}, "kernel.seat_name"), ({"name": "x" * 21}, "kernel.seat_name")])
def test_a_match_that_begins_with_a_seat_that_cannot_be_is_refused(seat: dict[str, Any], reason: str) -> None:
    """The room refuses it, too; a page that was altered may ask the worker all the same. A stored one still opens."""
    one, two = Device(1), Device(2)
    seats = tuple(Seat("person", device.author, "Ada") for device in (one, two))
    setup = Setup(DEALT, rules_of(DEALT).version, {}, seats, SEALED, extra={"protocol": PROTOCOL})
    said = parse(setup.statement(one.author).canonical_bytes)
    said["body"]["seats"][1] |= seat
    unsigned = Statement.from_json({**said, "sig": ""})
    secret = Ed25519(bytes([1]) * 32)
    statement = replace(unsigned, signature=secret.sign(unsigned.canonical_bytes))
    line = canonical(Entry.create(0, NOTHING, statement, secret.sign(canonical(place(0, NOTHING, statement.hash)))).to_json())
    assert two.refusal(calls.Join((line.decode(),), Pending(), restarted=False)) == reason
    assert two.refusal(calls.Join((line.decode(),), Pending(), restarted=True)) == ""


def test_nobody_has_a_device_judge_a_log_that_it_does_not_hold() -> None:
    """Who founded a match can write a log of its own behind its beginning: four proofs of 170 kilobytes kept a worker busy for
    half a minute and more. What rests on such entries stops nobody."""
    secret, two = Ed25519(bytes([1]) * 32), Device(2)
    seats = tuple(Seat("person", author, "Ada") for author in (secret.author, two.author))
    setup = Setup(DEALT, rules_of(DEALT).version, {}, seats, SEALED, extra={"protocol": PROTOCOL})

    def placed(index: int, previous: str, said: Statement) -> Entry:
        statement = replace(said, signature=secret.sign(said.canonical_bytes))
        return Entry.create(index, previous, statement, secret.sign(canonical(place(index, previous, statement.hash))))

    entries = [placed(0, NOTHING, setup.statement(secret.author))]
    match, body = entries[0].statement.hash, {"seat": 0, "to": seats[0].to_json()}
    for index in range(1, 4):
        entries.append(placed(index, entries[-1].hash, Statement(match, secret.author, index, entries[-1].hash, "seat", body)))
    two.join(entries[0].to_json())
    twin = replace(entries[2].statement, body={"seat": 1, "to": seats[0].to_json()})
    twin = replace(twin, signature=secret.sign(twin.canonical_bytes))
    proof = Accusation(secret.author, "counter", tuple(entries), (entries[2].statement.to_json(), twin.to_json()))
    assert two.refusal(calls.HearProof(proof.to_text())) == "kernel.log.unknown_head" and not two.status.culprits
    put = {"t": "put", "e": [entry.to_json() for entry in entries[1:]]}
    two.ask(calls.Receive((secret.author,), (canonical(put).decode(),)))
    assert two.status.length == len(entries)
    other = replace(proof, prefix=(*entries[:-1], placed(3, "1" * 64, entries[3].statement)))
    assert two.refusal(calls.HearProof(other.to_text())) == "kernel.log.unknown_head" and not two.status.culprits
    assert not two.refusal(calls.HearProof(proof.to_text()))
    assert [(one.author, one.why) for one in two.status.culprits] == [(secret.author, "counter")]


def test_a_proof_is_kept_with_the_log_that_was_checked() -> None:
    """No signature of an entry is in its hash: whoever is convicted could have others keep a file that proves nothing."""
    secret, two = Ed25519(bytes([1]) * 32), Device(2)
    seats = tuple(Seat("person", author, "Ada") for author in (secret.author, two.author))
    begun = Setup(DEALT, rules_of(DEALT).version, {}, seats, SEALED, extra={"protocol": PROTOCOL}).statement(secret.author)
    statement = replace(begun, signature=secret.sign(begun.canonical_bytes))
    genesis = Entry.create(0, NOTHING, statement, secret.sign(canonical(place(0, NOTHING, statement.hash))))
    two.join(genesis.to_json())
    said = []
    for name in ("Bo", "Cy"):
        body = {"seat": 0, "to": {**seats[0].to_json(), "name": name}}
        one = Statement(statement.hash, secret.author, 7, genesis.hash, "seat", body)
        said.append(replace(one, signature=secret.sign(one.canonical_bytes)).to_json())
    spoiled = replace(genesis, signature="0" * 128)
    assert spoiled.hash == genesis.hash
    assert not two.refusal(calls.HearProof(Accusation(secret.author, "counter", (spoiled,), tuple(said)).to_text()))
    (proof,) = two.ask(calls.ListAccusations()).result_as(Proofs).proofs
    assert judge(Accusation.from_text(proof.file), rules_of, Ed25519Verifier(), Checker(GROUP)) is not None


def test_what_convicts_somebody_and_falls_away_at_once_ends_no_worker() -> None:
    """Whoever orders can have both come in one call."""
    table = RestingTable(875)
    peer, match, orderer = peer_of(table.waiting), peer_of(table.waiting).match, table.orderer
    service, length = ReplicaService(GROUP, Ed25519Verifier(), Ed25519), len(match.entries)
    service._replica = peer
    peer.state.acknowledgements._up_to.clear()
    wrong = put(orderer, signed(orderer, "order", {"to": "0" * 64}, head=match.entries[-5].hash))
    subject = {"kind": "pass", "against": orderer.author, "order": table.third.author}
    votes = [vote_of(node, 1, subject, end_of(match, 3)) for node in (table.waiting, table.third)]
    newer = first_entry(table.third, subject, 1, votes, length - 3)
    told = [canonical({"t": "put", "e": [entry.to_json()]}).decode() for entry in (wrong, newer)]
    answer = WorkerAnswer.decode(service.call(calls.encode(calls.Receive((orderer.author,) * 2, tuple(told)))))
    assert answer.news.length == length - 3 and match.head == newer.hash
    assert answer.news.status is not None and not answer.news.status.culprits


def test_why_the_log_refuses_what_was_signed_is_looked_for_once_for_each_misdeed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is held against somebody may fall away with its entries; another misdeed like it is refused for another reason."""
    service = ReplicaService(GROUP, Ed25519Verifier(), Ed25519)
    looked: list[str] = []

    def wrong(accusation: Accusation, match: Match) -> Refusal:
        looked.append(accusation.prefix[-1].hash)
        return Refusal(looked[-1])

    monkeypatch.setattr("tabletin.peers.worker.service.what_was_wrong", wrong)
    peer: Any = SimpleNamespace(match=None)
    one, other = (Accusation("c", "place", (cast(Any, SimpleNamespace(hash=head)),), ()) for head in ("one", "other"))
    assert [service._refusal_of(peer, each) for each in (one, one, other)] == [Refusal("one"), Refusal("one"), Refusal("other")]
    assert looked == ["one", "other"]
