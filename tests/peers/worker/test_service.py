"""A peer behind text: two of them play a whole sealed match through nothing but JSON, with real cryptography."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.peers.identity import Ed25519, Ed25519Verifier
from tabletin.peers.replication.evidence import peer_match
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.worker.service import ReplicaService
from tabletin.registry import rules_of

GROUP = SodiumGroup()


class Device:
    """What a page keeps: the worker's answers stored, and a match folded from public entries and its own faces."""

    def __init__(self, number: int) -> None:
        self.remote = ReplicaService(GROUP, Ed25519Verifier(), Ed25519)
        self.out: list[tuple[str | None, str]] = []
        self.status: dict[str, Any] = {}
        self.entries: list[Any] = []
        self.saying: list[Any] = [None, 0]
        self.faces = Faces()
        self.author = str(self.ask(do="identify", seed=bytes([number]).hex() * 32)["author"])

    def ask(self, **asked: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.remote.call(json.dumps(asked)))
        self.entries += answer.get("entries", [])
        self.saying = answer.get("saying", self.saying)
        self.faces.update({int(card): face for card, face in answer.get("faces", {}).items()})
        self.out += [(to, data) for to, data in answer.get("out", [])]
        self.status = answer.get("status", self.status)
        return answer

    def match(self, genesis: Any) -> Match:
        first = Entry.from_json(genesis)
        match = peer_match(first, rules_of("iota"), Ed25519Verifier(), Checker(GROUP))
        for entry in self.entries:
            match.append(Entry.from_json(entry))
        match.learn(self.faces)
        return match


def deliver(devices: list[Device]) -> None:
    while any(device.out for device in devices):
        for device in devices:
            out, device.out = device.out, []
            for to, data in out:
                for other in devices:
                    if other is not device and to in (None, other.author):
                        other.ask(do="receive", texts=[[device.author, data]])


def test_two_devices_play_a_few_turns_and_one_restarts() -> None:
    devices = [Device(1), Device(2)]
    seats = [{"kind": "person", "by": device.author, "name": "", "level": "", "colour": ""} for device in devices]
    genesis = devices[0].ask(do="found", game="iota", options={}, seats=seats, nonce="n")["genesis"]
    for device in devices:
        device.ask(do="join", genesis=genesis, entries=[], saying=None, count=0, restarted=False)
    now, rng = 0.0, Random(1)
    for turn in range(8):
        deliver(devices)
        match = devices[0].match(genesis)
        seat = match.rules.to_act(match.state)[0]
        own = devices[seat].match(genesis)
        assert own.state == match.state
        move = own.rules.random_move(own.state, seat, own.view((seat,)).faces, rng)
        assert "refused" not in devices[seat].ask(do="move", seat=seat, move=move)
        wrong = devices[1 - seat].ask(do="move", seat=1 - seat, move=["pass", [], []])
        assert wrong["refused"] in ("kernel.not_your_turn", "kernel.dealing")
        if turn == 4:
            deliver(devices)
            old, fresh = devices[1], Device(2)
            fresh.entries, fresh.saying, fresh.faces = old.entries, old.saying, old.faces
            fresh.ask(do="join", genesis=genesis, entries=old.entries, saying=old.saying[0], count=old.saying[1], restarted=True)
            fresh.entries = list(old.entries)
            assert fresh.status["ready"] is False
            devices[1] = fresh
        now += 2.0
        for device in devices:
            device.ask(do="tick", now=now)
    deliver(devices)
    assert devices[0].status["head"] == devices[1].status["head"]
    assert not devices[0].status["accused"] and not devices[1].status["accused"]
    assert not set(devices[0].faces) & set(devices[1].faces)
    assert devices[0].ask(do="move", seat=0, move=[1])["refused"] == "kernel.malformed"


def test_a_person_goes_on_from_another_device() -> None:
    devices = [Device(1), Device(2), Device(3)]
    seats = [{"kind": "person", "by": device.author, "name": "", "level": "", "colour": ""} for device in devices[:2]]
    genesis = devices[0].ask(do="found", game="iota", options={}, seats=seats, nonce="n")["genesis"]
    for device in devices:
        device.ask(do="join", genesis=genesis, entries=[], saying=None, count=0, restarted=False)
    for now in (2.0, 4.0, 6.0):
        deliver(devices)
        for device in devices:
            device.ask(do="tick", now=now)
    deliver(devices)
    phone, laptop = devices[1:]
    held = dict(phone.faces)
    assert held and not laptop.faces
    offer = laptop.ask(do="offer", author=phone.author)["offer"]
    assert phone.ask(do="move_to", offer={**offer, "agreed": "0" * 128})["refused"] == "peers.seat_not_agreed"
    assert "refused" not in phone.ask(do="move_to", offer=offer)
    deliver(devices)
    assert laptop.faces == held
    assert [seat.by for seat in laptop.match(genesis).setup.seats] == [devices[0].author, laptop.author]
    match = laptop.match(genesis)
    seat = match.rules.to_act(match.state)[0]
    mover = devices[0] if seat == 0 else laptop
    own = mover.match(genesis)
    move = own.rules.random_move(own.state, seat, own.view((seat,)).faces, Random(1))
    assert "refused" not in mover.ask(do="move", seat=seat, move=move)
    deliver(devices)
    assert len({device.status["head"] for device in devices}) == 1
