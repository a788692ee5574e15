"""Runs in a worker of the page: two peers play a whole sealed match with libsodium.js, handing each other bytes."""

from __future__ import annotations

from random import Random
from typing import Any

from pyodide.code import run_js
from pyscript import config, sync

from tabletin.kernel.log import Entry
from tabletin.kernel.setup import Seat
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.identity_js import JsIdentity, JsVerifier
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.evidence import peer_match
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.group_js import JsGroup
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.calls import FoundMatch, Identify, encode
from tabletin.peers.worker.results import Genesis
from tabletin.peers.worker.service import ReplicaService
from tabletin.registry import rules_of


def founded(shim: Any, seeds: list[bytes], game: str) -> Any:
    """The genesis that the first device writes for two."""
    group, verifier = JsGroup(shim), JsVerifier(shim)
    remote = ReplicaService(group, verifier, lambda seed: JsIdentity(shim, seed))
    remote.call(encode(Identify(seeds[0].hex())))
    authors = [JsIdentity(shim, seed).author for seed in seeds]
    seats = tuple(Seat("person", author) for author in authors)
    return WorkerAnswer.decode(remote.call(encode(FoundMatch(game, {}, seats, "n", {})))).result_as(Genesis).entry


async def play(game: str) -> Any:
    """A whole match; what a test wants to know of it."""
    module = await run_js("address => import(address)")(config["sodium"])
    shim = await module.openGroup()
    group, verifier = JsGroup(shim), JsVerifier(shim)
    seeds = [bytes([1]) * 32, bytes([2]) * 32]
    genesis = Entry.from_json(founded(shim, seeds, game))
    peers = []
    for seed in seeds:
        identity = JsIdentity(shim, seed)
        match = peer_match(genesis, rules_of(game), verifier, Checker(group))
        authority, dealer = SignedAuthority(match.setup, verifier), SealedDealer(identity.author, seed)
        peers.append(Replica(identity, authority, match, dealer))
    rng, now = Random(5), 0.0
    while peers[0].match.outcome is None or peers[1].match.outcome is None:
        quiet = True
        for peer in peers:
            for to, data in peer.take().messages:
                for other in peers:
                    if other is not peer and to in (None, other.author):
                        other.receive(peer.author, data)
                        quiet = False
        for seat, peer in enumerate(peers):
            match = peer.match
            if quiet and peer.ready and peer.pending is None and seat in match.rules.to_act(match.state):
                peer.move(seat, match.rules.random_move(match.state, seat, match.view((seat,)).faces, rng))
                quiet = False
        if quiet:
            now += 2.0
            for peer in peers:
                peer.tick(now)
    one, two = (peer.match for peer in peers)
    return [one.head == two.head, len(one.entries), len(peers[0].accusations), len(peers[1].accusations),
            len(set(one.knowledge) & set(two.knowledge)), len(one.knowledge)]


sync.play = play
