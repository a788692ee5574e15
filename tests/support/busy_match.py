"""A match in which much happens beside the play, at random from one seed: people who want others gone or timed out, take moves
back, consent, leave, go on elsewhere, give seats away; devices that stop and come back; and one altered client.

The altered client is of a person with two keys. Most of what it does is no proof of anything: it withholds, repeats what others
said, places what is old, wishes whatever can be wished, hands seats and the order to and fro. Now and then it votes or places
twice, for which it may be convicted, and nobody else.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, TypeAlias

from tabletin.kernel.log import Json, Statement, canonical, parse
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.peers.replication.replica import Replica
from tests.support.ballots import end_of, vote_of
from tests.support.forging import put, signed
from tests.support.peer_sim import Faults, Network, Node

SPARE = 2  # devices that follow: the last is the altered client's second one
PLAYS = 0.08  # how often a device moves when it may


class BusyMatch:
    """``net``: three or four devices that play and two that follow. ``cheat``: who is altered, and its second key."""

    node_type: type[Node] = Node

    def __init__(self, game: str, seed: int, options: dict[str, Any], *, is_altered: bool, peers: int | None = None) -> None:
        """``peers``: how many devices play; by the seed, where it is None."""
        self.rng = rng = Random(seed)
        faults = Faults(0.03, rng.choice((0.05, 0.4)), rng.choice((0.0, 0.05)), rng.choice((0.0, 0.05)), rng.choice((0, 2)))
        self.net = Network(game, peers or 3 + rng.randrange(2), seed, options=options, spectators=SPARE, faults=faults,
                           node_type=self.node_type)
        nodes = self.net.nodes
        self.cheat = [nodes[rng.randrange(len(nodes) - SPARE)], nodes[-1]] if is_altered else []
        self.honest = [node for node in nodes if node not in self.cheat]
        self._heard: list[Json] = []
        self._withheld: tuple[float, tuple[str, ...], set[str]] = 0.0, (), set()  # until when, what, and from whom
        self._play, self.net.act = self.net.act, self._act_seldom  # type: ignore[method-assign]
        self.net.meddle = self._meddle

    def _act_seldom(self, node: Node) -> None:
        if self.rng.random() < PLAYS:
            self._play(node)

    def _meddle(self, sender: str, to: str, data: bytes) -> bytes | None:
        cheats, message = [node.author for node in self.cheat], parse(data)
        until, kinds, whom = self._withheld
        if sender in cheats and self.net.now < until and message["t"] in kinds and to in whom:
            return None
        if to in cheats and "apart" not in message:
            said = [entry["say"] for entry in message["e"]] if message["t"] == "put" else [message.get("s")]
            self._heard += [one for one in said if one is not None and one["by"] not in cheats]
        return data

    def withhold_for(self, seconds: float) -> None:
        """The altered client gives no entries and no heads out for so long."""
        self._withheld = self.net.now + seconds, ("put", "head", "load"), {node.author for node in self.net.nodes}

    def go_on(self, seconds: float) -> None:
        """Let so much time pass, as one thing after another happens."""
        end = self.net.now + seconds
        while self.net.now < end:
            self.net.run(lambda: False, self.rng.uniform(0.5, 5))
            if self.rng.random() < 0.55:
                self._do(self.rng.choice(self.honest), self.rng.choice(ACTS))
            if self.cheat and self.rng.random() < 0.5:
                self._do(self.cheat[0], self.rng.choice(MISDEEDS))

    def _do(self, node: Node, act: Act) -> None:
        if node.peer is not None and node.peer.match.outcome is None:
            with suppress(Refused):  # what cannot be said just now is not said
                act(self, node, node.peer)
            self.net.flush(node)

    def quieten(self) -> None:
        """From now on the network is kind, nobody wants anything, and the altered client behaves."""
        net = self.net
        net.faults, net.meddle = Faults(), lambda sender, to, data: data
        net._cut.clear()
        for node in net.nodes:
            peer = node.peer or node.start(net.genesis, restarted=True)
            peer.choices.removals.clear()
            peer.choices.timeouts.clear()

    @property
    def is_proven(self) -> bool:
        """Whether an honest device holds anything against anybody."""
        return any(node.peer is not None and node.peer.accusations for node in self.honest)

    def has_gone_on(self, length: int) -> bool:
        """Whether all honest devices hold more than ``length`` entries, or the match is over."""
        peers = [node.peer for node in self.honest]
        return all(peer is not None and (peer.match.outcome is not None or len(peer.match.entries) > length) for peer in peers)

    def some(self) -> list[Node]:
        return [node for node in self.honest if self.rng.random() < 0.6]

    def send(self, sender: Node, to: Node, message: dict[str, Json]) -> None:
        data = canonical(message)
        self.net.later(self.rng.uniform(0.05, 0.35), lambda: self.net._deliver(sender.author, to, data))

    def own_seat(self, node: Node, peer: Replica) -> int:
        return self.rng.choice(peer.match.snapshot.seats_of(node.author))


Act: TypeAlias = Callable[[BusyMatch, Node, Replica], None]


def is_free(peer: Replica) -> bool:
    return peer.ready and peer.pending is None


# ---- what people do ----

def want_gone(match: BusyMatch, node: Node, peer: Replica) -> None:
    """All want somebody gone who is away, or the altered client, for a while."""
    net, rng = match.net, match.rng
    away = [one for one in net.nodes if one.peer is None and one.author in peer.live]
    gone = rng.choice(away or match.cheat[:1] or net.nodes)
    for other in match.honest:
        if other.peer is not None and other is not gone and rng.random() < 0.9:
            other.peer.choices.removals.add(gone.author)
            net.later(rng.uniform(10, 40), other.peer.choices.removals.clear)


def want_timeout(match: BusyMatch, node: Node, peer: Replica) -> None:
    wanted = set(peer.match.rules.to_act(peer.match.state))
    for other in match.honest:
        if other.peer is not None:
            other.peer.choices.timeouts |= wanted
            match.net.later(match.rng.uniform(3, 30), other.peer.choices.timeouts.clear)


def take_back(match: BusyMatch, node: Node, peer: Replica) -> None:
    if is_free(peer):
        to = max(0, len(peer.match.entries) - 1 - match.rng.randrange(1, 6))
        peer.say("undo", {"seat": match.own_seat(node, peer), "to": to})


def consent(match: BusyMatch, node: Node, peer: Replica) -> None:
    if is_free(peer):
        to = max(0, len(peer.match.entries) - 1 - match.rng.randrange(4))
        peer.say("consent", {"seat": match.own_seat(node, peer), "to": to})


def go_on_elsewhere(match: BusyMatch, node: Node, peer: Replica) -> None:
    own = match.cheat if node in match.cheat else match.honest
    spare = next((one.peer for one in own if one.peer is not None and not one.peer.takes_part), None)
    if is_free(peer) and spare is not None and match.rng.random() < 0.5:
        peer.move_to(spare.membership.offer(node.author))


def leave(match: BusyMatch, node: Node, peer: Replica) -> None:
    if peer.takes_part and len(match.net.staying) > 2 and match.rng.random() < 0.3:
        peer.leave()


def say_who_plays(match: BusyMatch, node: Node, peer: Replica) -> None:
    if is_free(peer):
        seat = match.own_seat(node, peer)
        peer.say("seat", {"seat": seat, "to": peer.match.setup.seats[seat].to_json()})


def give_seat(match: BusyMatch, node: Node, peer: Replica) -> None:
    taker = match.cheat[1] if node in match.cheat else match.rng.choice([one for one in match.net.nodes if one is not node])
    if is_free(peer) and taker.peer is not None and match.rng.random() < 0.5:
        seat, player = match.own_seat(node, peer), Seat("person", taker.author, "K")
        peer.promise(seat, player, taker.peer.membership.agree_to(seat, player))


def stop(match: BusyMatch, node: Node, peer: Replica, *, seconds: tuple[float, ...] = (2, 5, 25, 40)) -> None:
    """The page is closed, and opened again in one of so many ``seconds``."""
    node.peer = None

    def start() -> None:
        if node.peer is None:
            node.start(match.net.genesis, restarted=True)

    match.net.later(match.rng.choice(seconds), start)


def cut(match: BusyMatch, node: Node, peer: Replica) -> None:
    """The network breaks in two for a while."""
    net, until = match.net, match.net.now + match.rng.uniform(1, 20)
    side = {one.author for one in net.nodes if match.rng.random() < 0.5}
    for one in net.nodes:
        for two in net.nodes:
            if (one.author in side) != (two.author in side):
                net._cut[frozenset((one.author, two.author))] = until


ACTS: tuple[Act, ...] = (want_gone, want_gone, want_timeout, take_back, consent, consent, go_on_elsewhere, leave, say_who_plays,
                         give_seat, stop, cut)


# ---- what the altered client does ----

def withhold(match: BusyMatch, node: Node, peer: Replica) -> None:
    kinds = match.rng.choice((("put",), ("put", "head"), ("say",), ("ballot",), ("wish", "ballot"), ("put", "load"),
                              ("put", "head", "say", "ballot", "wish")))
    whom = {one.author for one in match.net.nodes if match.rng.random() < 0.7}
    match._withheld = match.net.now + match.rng.uniform(5, 50), kinds, whom


def repeat(match: BusyMatch, node: Node, peer: Replica) -> None:
    if match._heard:
        said = match.rng.choice(match._heard[-40:])
        for other in match.some():
            match.send(node, other, {"t": match.rng.choice(("say", "plea")), "s": said})


def place_old(match: BusyMatch, node: Node, peer: Replica) -> None:
    """It places whatever it ever heard, if that would stand."""
    heard = match._heard[-60:]
    for said in match.rng.sample(heard, min(20, len(heard))) if peer.orders else ():
        statement = Statement.from_json(said)
        if peer.match.refusal(statement) is None:
            peer._sequencer.place(statement)
            return


def subjects(node: Node, peer: Replica) -> list[dict[str, Json]]:
    snapshot = peer.match.snapshot
    found: list[dict[str, Json]] = [{"kind": "pass", "against": None, "order": snapshot.orderer}]
    for lost in snapshot.live:
        if lost != node.author:
            order = snapshot.orderer if snapshot.orderer != lost else node.author
            found += [{"kind": "gone", "peer": lost, "order": order, "heir": order, "then": "bot"},
                      {"kind": "pass", "against": lost, "order": order}]
    return found


def wish(match: BusyMatch, node: Node, peer: Replica) -> None:
    wishes = subjects(node, peer)
    for other in match.some():
        match.send(node, other, {"t": "wish", "what": match.rng.sample(wishes, min(3, len(wishes)))})


def vote(match: BusyMatch, node: Node, peer: Replica) -> None:
    """Its votes may name too old an entry, or be two in one ballot."""
    votes, rng = peer._ballots._votes, match.rng
    if rng.random() < 0.7 or len(peer.match.entries) < 5:
        return
    wanted = [one.subject for of in votes.values() for one in of.values()] or subjects(node, peer)
    epoch = max(peer.match.snapshot.epoch, *votes, 0) + rng.randrange(3)
    said = vote_of(node, max(1, epoch), rng.choice(wanted), end_of(peer.match, rng.choice((0, 0, 0, 1, 3))))
    for other in match.some():
        match.send(node, other, {"t": "ballot", **said.to_json()})


def hand_order_on(match: BusyMatch, node: Node, peer: Replica) -> None:
    if peer.orders and is_free(peer):
        peer.say("order", {"to": match.rng.choice(peer.match.snapshot.live)})


def fork(match: BusyMatch, node: Node, peer: Replica) -> None:
    if not (peer.orders and peer.takes_part) or match.rng.random() < 0.9:
        return
    seat = match.own_seat(node, peer)
    for number, other in enumerate(match.some()[:2]):
        to = {**peer.match.setup.seats[seat].to_json(), "name": f"fork {number}"}
        match.send(node, other, {"t": "put", "e": [put(node, signed(node, "seat", {"seat": seat, "to": to})).to_json()]})


MISDEEDS: tuple[Act, ...] = (withhold, withhold, repeat, place_old, wish, vote, go_on_elsewhere, give_seat, hand_order_on,
                             consent, fork, stop)
