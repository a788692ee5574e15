"""A busy match in which one client cheats in earnest: a world for each seed.

What the cheat does wrong, when, and whether it leaves, is voted gone, gives its seat to a second key, goes on from its second
device or comes back, before it is found or after, is drawn from the seed. At four seats there is a second cheat now and then,
which knows nothing of the first. Honest devices are as their pages: each has its own checker, which puts shuffles off where much
comes at once, and is read anew from its stored log after a restart; one loses its disk now and then. The files of accusations
are handed to other pages, and false ones against honest devices, too.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeAlias

from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.log import Entry, Hash, Json, Statement, canonical
from tabletin.kernel.logfile import export
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.evidence import Accusation, false_shuffles, judge, peer_match
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.deck import Cipher
from tabletin.peers.sealed.group import L
from tabletin.peers.sealed.messages import ShuffleTurn, decode, encode
from tabletin.peers.sealed.party import Party
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.sealed.requests import Duty, ShuffleDuty
from tabletin.peers.worker.service import ReplicaService
from tabletin.peers.worker.verify import verify_log
from tabletin.registry import rules_of
from tests.support import busy_match
from tests.support.ballots import end_of, node_of, vote_of
from tests.support.busy_match import BusyMatch, is_free
from tests.support.false_shuffles import Gullible
from tests.support.forging import put, signed
from tests.support.peer_sim import Node
from tests.support.standin_group import StandInGroup

Shown: TypeAlias = tuple[int, int, Cipher]  # the number of the deal, the handle, and what was masked
ReadCard: TypeAlias = tuple[int, int, Cipher, frozenset[str]]  # … and who dealt
Misdeed: TypeAlias = Callable[["CheatWorld", Node, Replica], None]


class FickleDealer(SealedDealer):
    """Spoils the proofs of its shuffles now and then, and notes which cards it could ever read.

    ``spoils``: whether it does now, of a deck under way ("sealed") or a prepared one ("ahead"); ``waits``: whether it shuffles no
    prepared one just now; ``note``: called when it has."""

    def __init__(self, author: str, seed: bytes, note: Callable[[], None]) -> None:
        super().__init__(author, seed)
        self.spoils: Callable[[str], bool] = lambda name: False
        self.waits: Callable[[], bool] = lambda: False
        self.read_cards: set[ReadCard] = set()
        self._note = note

    def fulfil(self, state: Any, dealing: SealedDealing, duty: Duty) -> dict[str, Json]:
        return self._spoiled(super().fulfil(state, dealing, duty), "sealed", dealing)

    def prepare(self, dealing: SealedDealing) -> dict[str, Json] | None:
        body = super().prepare(dealing)
        is_begun = dealing.next_deck is not None and dealing.next_deck.deal.key is not None
        return None if body is None or (is_begun and self.waits()) else self._spoiled(body, "ahead", dealing)

    def _spoiled(self, body: dict[str, Json], name: str, dealing: SealedDealing) -> dict[str, Json]:
        message = decode(dealing.checker.group, b64decode(body[name]))
        if not isinstance(message, ShuffleTurn) or not self.spoils(name):
            return body
        self._note()
        proof = replace(message.proof, s1=(message.proof.s1 + 1) % L)
        return {name: b64encode(encode(replace(message, proof=proof))).decode()}

    def read(self, dealing: SealedDealing, known: Faces) -> Faces:
        found = super().read(dealing, known)
        if found:
            assert dealing.deal is not None
            others = frozenset(dealing.authors[peer] for peer in dealing.deal.peers)
            self.read_cards |= {(dealing.deal.number, card, dealing.deal.cards[card].cipher, others) for card in found}
        return found


class Page(Node):
    """A device that is started as a page starts it: the shuffles of its stored log are put off."""

    cheats = False

    def start(self, genesis: Entry, *, restarted: bool = False) -> Replica:
        network, disk = self.network, self.disk
        if self.cheats:
            network.checker = Gullible(StandInGroup())
            return super().start(genesis, restarted=restarted)
        if not disk.entries:
            disk.entries.append(genesis)
        service = ReplicaService(StandInGroup(), network.verifier, lambda seed: self.identity)
        match = service._folded(disk.entries[0], disk.entries[1:], DeferredChecker(StandInGroup()), self.dealer)
        self.peer = Replica(self.identity, SignedAuthority(network.setup, network.verifier), match, self.dealer,
                            pending=disk.pending, count=disk.count, dead=disk.dead, promise=disk.promise,
                            bound_end=disk.bound_end, dead_lengths=disk.dead_lengths, begun_epoch=disk.begun_epoch,
                            restarted=restarted)
        return self.peer


@dataclass(frozen=True, slots=True)
class Plan:
    """What the cheat does. ``misdeed``: the name of one of ``MISDEEDS``; it begins at ``begins`` (seconds). ``fate``: the
    first, which comes at some time, or soon after a misdeed; where it comes back it meets another one."""

    misdeed: str
    fate: str
    begins: float


class CheatWorld(BusyMatch):
    """One match with a cheat."""

    node_type = Page

    def __init__(self, game: str, seed: int, options: dict[str, Any]) -> None:
        super().__init__(game, seed, options, is_altered=True, peers=(2, 3, 3, 4)[seed % 4])
        self.seed = seed
        rng, net = self.rng, self.net
        misdeed = list(MISDEEDS)[seed % len(MISDEEDS)]
        if misdeed.startswith("false last"):
            self.cheat[0] = net.nodes[len(net.setup.authors) - 1]
            self.honest = [node for node in net.nodes if node not in self.cheat]
        begins = rng.choice((0.0, rng.uniform(0, 40)))
        fate_at = rng.choice((None, rng.uniform(0.3, 1.6) * begins + rng.uniform(0, 30)))
        if misdeed.startswith(("false", "all")) and rng.random() < 0.7:
            fate_at = None
        self.plan = Plan(misdeed, FATES[seed // len(MISDEEDS) % len(FATES)], begins)
        self.partner: Node | None = None  # the second cheat
        self.partners_misdeed = rng.choice(list(MISDEEDS))
        if len(net.setup.authors) == 4 and rng.random() < 0.6:
            self.partner = rng.choice([node for node in self.honest if node in net.nodes[:4]])
            self.cheat.append(self.partner)
            self.honest.remove(self.partner)
        self._fate_at = fate_at
        self._first_misdeed: float | None = None
        self.done: Counter[str] = Counter()
        for node in self.cheat:
            assert isinstance(node, Page)
            seed_bytes = bytes([net.nodes.index(node) + 1]) * 32
            node.cheats, node.dealer = True, FickleDealer(node.author, seed_bytes, self._note_false_shuffle)
        for node in net.nodes:
            node.disk.entries.clear()
            node.start(net.genesis)
        self.seat = net.setup.seats.index(next(seat for seat in net.setup.seats if seat.author == self.cheat[0].author))
        self.plays = rng.choice((0.1, 0.2, 0.5))  # how often a device moves when it may
        self.happens = rng.choice((0.1, 0.2, 0.45))  # how often something else happens, where it could
        self.settled: dict[int, Hash] = {}
        self._proven: set[tuple[str, str, Hash, str]] = set()
        if begins == 0.0:
            self._misbehave(self.cheat[0])
        if rng.random() < 0.3:  # one comes late
            late = rng.choice(self.honest)
            late.peer = None
            net.later(rng.uniform(5, 60), lambda: self._open(late))

    def _open(self, node: Node) -> None:
        if node.peer is None:
            node.start(self.net.genesis, restarted=True)

    def _act_seldom(self, node: Node) -> None:
        if node in self.cheat and node.peer is not None:
            node.peer.state.accusations.clear()  # its own program stops for nothing
        if self.rng.random() < self.plays:
            self._play(node)

    # ---- what happens ----

    def live_through(self, seconds: float) -> Iterator[None]:
        """Let so much time pass, as one thing after another happens; something may be checked after each."""
        net, rng, plan = self.net, self.rng, self.plan
        end, fate = net.now + seconds, plan.fate
        back_at: float | None = None
        while net.now < end:
            net.run(lambda: False, rng.uniform(0.3, 4))
            if rng.random() < self.happens:
                self._do(rng.choice(self.honest), rng.choice(HONEST_ACTS))
            cheat = next((node for node in self.cheat if node.peer is not None and node.peer.takes_part), self.cheat[0])
            if net.now >= plan.begins and rng.random() < 0.6:
                self._misbehave(cheat)
            if rng.random() < self.happens / 2:
                self._do(cheat, rng.choice(TRICKS))
            if self.partner is not None and rng.random() < self.happens / 2:
                self._misbehave(self.partner, self.partners_misdeed)
            if rng.random() < 0.3:
                self._hand_files_on()
            if any(peer.state.is_stopped for peer in self.players) and rng.random() < 0.4:
                self._load_anew()
            if back_at is None and self._is_fate_due:
                FATE_ACTS[fate](self, cheat)
                if fate == "is voted gone" or cheat.peer is None or not cheat.peer.takes_part:
                    back_at = net.now + rng.uniform(1, 50)
            elif back_at is not None and net.now >= back_at and self.take_back(cheat):  # … and once more
                back_at, fate = None, rng.choice(FATES)
                self._first_misdeed, self._fate_at = None, rng.choice((None, net.now + rng.uniform(2, 30)))
            yield

    def _load_anew(self) -> None:
        """Some honest pages are loaded anew at once, by which they forget what they held against anybody."""
        for node in self.some():
            if node.peer is not None:
                node.start(self.net.genesis, restarted=True)
                self.net.flush(node)

    def _misbehave(self, cheat: Node, misdeed: str = "") -> None:
        if cheat.peer is not None and cheat.peer.match.outcome is None:
            with suppress(Refused):  # its own program does not say it just now
                MISDEEDS[misdeed or self.plan.misdeed](self, cheat, cheat.peer)
            self.net.flush(cheat)

    def _hand_files_on(self) -> None:
        """The file of what somebody holds, and one that the cheat made up against somebody honest, to some honest pages."""
        holders = [node.peer for node in self.net.nodes if node.peer is not None]
        if not holders:
            return  # all are away
        held = [one for peer in holders for one in (*peer.state.accusations, *peer.state.idle_accusations)]
        files = [self.rng.choice(held)] if held else []
        why = self.rng.choice(("statement", "place", "counter", "fork", "shuffle", "twice", "epoch"))
        match = self.rng.choice(holders).match
        honest = {node.author for node in self.honest}
        said = [entry for entry in match.entries[1:] if entry.statement.author in honest]
        if said:
            entries = [self.rng.choice(said) for _ in range(1 + (why in ("counter", "fork", "twice", "epoch")))]
            exhibits = tuple(one.to_json() if why in ("place", "fork") else one.statement.to_json() for one in entries)
            prefix = tuple(match.entries[:self.rng.choice((entries[0].index, entries[0].index + 1, len(match.entries)))])
            author = self.rng.choice((entries[0].statement.author, match.snapshot_at(len(prefix) - 1).orderer))
            files.append(Accusation(author, why, prefix, () if why == "shuffle" else exhibits))
        for accusation in files:
            for node in self.some():
                if node.peer is not None:
                    hear_file(node.peer, accusation)
                    self.net.flush(node)

    @property
    def _is_fate_due(self) -> bool:
        if self._fate_at is not None:
            return self.net.now >= self._fate_at
        return self._first_misdeed is not None or self.net.now > 50

    def note(self, what: str) -> None:
        """The cheat did ``what``."""
        self.done[what] += 1
        if self._first_misdeed is None:
            self._first_misdeed = self.net.now

    def _note_false_shuffle(self) -> None:
        """It often holds what it orders back for a while, and puts more behind: then all comes at once, and is put off."""
        self.note("false shuffle")
        if self.rng.random() < 0.5:
            self.withhold_for(self.rng.uniform(0.5, 6))
            self.net.later(self.rng.uniform(0.05, 0.5), self.put_more_behind)

    def put_more_behind(self) -> None:
        """The cheat, where it orders, places what says nothing of weight."""
        for node in self.cheat:
            for number in range(self.rng.choice((0, 2, 9, 11))):
                peer = node.peer
                if peer is not None and peer.orders and is_free(peer) and peer.match.outcome is None:
                    seat = self.own_seat(node, peer)
                    with suppress(Refused):  # its own program keeps to the quota
                        peer.say("seat", {"seat": seat, "to": peer.match.setup.seats[seat].to_json() | {"name": f"K{number}"}})
            self.net.flush(node)

    def take_back(self, cheat: Node) -> bool:
        """Let the cheat have its seat again with the next hand; whether it was said."""
        if cheat.peer is None:
            self._open(cheat)
        peer = cheat.peer
        assert peer is not None
        holder = node_of(self.net, peer.match.setup.seats[self.seat].author)
        if peer.takes_part or holder.peer is None or not is_free(holder.peer) or holder is cheat:
            return False
        player = Seat("person", cheat.author, "back")
        try:
            holder.peer.promise(self.seat, player, peer.membership.agree_to(self.seat, player))
        except Refused:
            return False  # not just now
        self.done["took its seat back"] += 1
        self.net.flush(holder)
        return True

    def stop_misdeeds(self) -> None:
        for node in self.cheat:
            assert isinstance(node.dealer, FickleDealer)
            node.dealer.spoils, node.dealer.waits = lambda name: False, lambda: False
        self.quieten()
        self.net.act = lambda node: None  # type: ignore[method-assign]
        self.net.run(lambda: False, 45)  # in which whatever was wished is forgotten
        self.net.act = self._act_at_once  # type: ignore[method-assign]

    def _act_at_once(self, node: Node) -> None:
        if node in self.cheat and node.peer is not None:
            node.peer.state.accusations.clear()
        self._play(node)

    def put_out(self) -> None:
        """The cheat goes for good, if the others can go on without it."""
        for node in self.cheat:
            node.peer = None
        for node in self.honest:
            assert node.peer is not None
            node.peer.choices.removals |= {one.author for one in self.cheat}

    @property
    def can_put_out(self) -> bool:
        """Whether the honest ones are enough to go on without the cheat, and none of them is about to go."""
        players = self.players
        if not players or any(peer.state.is_stopped or peer.membership.is_leaving for peer in players):
            return False
        match = max((peer.match for peer in players), key=lambda match: len(match.entries))
        cheats = {node.author for node in self.cheat}
        left = [voter for voter in match.snapshot.live_voters if voter not in cheats]
        return not match.promises and len(left) * 2 > len(match.snapshot.voters)

    # ---- what must hold ----

    @property
    def players(self) -> list[Replica]:
        return [node.peer for node in self.honest if node.peer is not None and node.peer.takes_part]

    def check(self) -> None:
        """What must hold at any moment."""
        cheats = {node.author for node in self.cheat}
        for node in self.honest:
            if node.peer is None:
                continue
            state, entries = node.peer.state, node.peer.match.entries
            for accusation in (*state.accusations, *state.idle_accusations):
                assert accusation.culprit in cheats, f"somebody innocent is accused: {accusation.why}"
                if not node.peer.unchecked_count:  # else its log may be one that others refuse
                    self._check_proven(accusation)
            assert node.peer.match.orderer in node.peer.match.snapshot.may_order()
            last = bisect(range(1, len(entries)), False, key=lambda index: not state.settled_behind(index))
            for index in range(max(0, last - 10), last + 1):
                assert self.settled.setdefault(index, entries[index].hash) == entries[index].hash, f"settled apart at {index}"

    def _check_proven(self, accusation: Accusation) -> None:
        """Its file alone proves it, to anybody."""
        name = accusation.culprit, accusation.why, accusation.prefix[-1].hash, str(accusation.exhibits)
        if name not in self._proven:
            again = Accusation.from_text(accusation.to_text())
            assert judge(again, rules_of, self.net.verifier, Checker(StandInGroup())) is not None, f"not proven: {accusation.why}"
            self._proven.add(name)

    def check_files(self) -> None:
        """Nobody honest is proven guilty by the log that any honest device has stored, and each of these opens again."""
        cheats, heads = {node.author for node in self.cheat}, set()
        for node in self.honest:
            assert node.peer is not None and isinstance(node, Page)
            match = node.peer.match
            assert [entry.hash for entry in node.disk.entries] == [entry.hash for entry in match.entries]
            twin = Page(self.net, self.net.nodes.index(node), node.identity)
            twin.disk = replace(node.disk, entries=list(node.disk.entries))
            assert twin.start(self.net.genesis, restarted=True).match.head == match.head
            if match.head not in heads:
                heads.add(match.head)
                found = false_shuffles(match, node.peer.state.authority, StandInGroup())
                assert {one.culprit for one in found} <= cheats
                if match.outcome is not None:
                    assert verify_log(export(match), self.net.verifier, StandInGroup()).head == match.head
                assert folded_again(self.net.rules, match, self.net.verifier).state == match.state

    def check_faces(self) -> None:
        """Nobody has learnt a face that the log does not show to one of its seats; the cheat neither, from whatever it got."""
        shown: set[Shown] = set()
        cheats = {node.author for node in self.cheat}
        for node in self.honest:
            assert node.peer is not None
            match = node.peer.match
            seen: set[Card] = set()
            for _, snapshot, _ in match.steps():
                assert isinstance(snapshot.dealing, SealedDealing)
                dealing = snapshot.dealing.with_requests(snapshot.state)
                seen |= snapshot.state.public.keys()
                if dealing.deal is not None:
                    cards, authors = dealing.deal.cards.items(), dealing.authors
                    seen |= {handle for handle, card in cards if card.reader is not None and authors[card.reader] == node.author}
                    shown |= {(dealing.deal.number, handle, card.cipher) for handle, card in cards
                              if card.reader is not None and authors[card.reader] in cheats}
            assert set(match.knowledge) <= seen
        for node in self.cheat:
            assert isinstance(node.dealer, FickleDealer)
            for *card, dealers in node.dealer.read_cards:
                assert tuple(card) in shown or dealers <= cheats, f"the cheat read card {card[1]} of deal {card[0]}"

    @property
    def puts_off(self) -> bool:
        """Whether an honest device has still shuffles to check."""
        return any(node.peer is None or node.peer.unchecked_count for node in self.honest)

    def has_come_to_rest(self, length: int) -> bool:
        """Whether all honest players are stopped, or have come to one end of the match, or to one log of ``length`` entries. They
        cannot where a promise binds one of them and too few voters are left for a ballot: see what is not promised."""
        players = self.players
        if all(peer.state.is_stopped for peer in players) or any(map(is_bound_for_good, players)):
            return True
        shortest = min(players, key=lambda peer: len(peer.match.entries)).match
        is_one = all(peer.match.entries[len(shortest.entries) - 1].hash == shortest.head for peer in players)
        return is_one and (shortest.outcome is not None or len(shortest.entries) >= length)

    def describe(self) -> str:
        rows = [f"{self.seed}: {len(self.net.setup.authors)} devices, {self.plan}, {dict(self.done)}"]
        for node in self.net.nodes:
            peer = node.peer
            role = "cheat" if node in self.cheat else "honest"
            if peer is not None:
                why = [(one.why, len(one.prefix)) for one in peer.accusations]
                rows.append(f"  {node.author[:4]} {role} {len(peer.match.entries)} {peer.match.head[:6]} plays={peer.takes_part} "
                            f"stopped={peer.state.is_stopped} ready={peer.ready} over={peer.match.outcome is not None} "
                            f"orders={peer.orders} bound={peer.state.is_bound} "
                            f"pending={peer.pending.kind if peer.pending else None} {why}")
            else:
                rows.append(f"  {node.author[:4]} {role} is away")
        return "\n".join(rows)


def is_bound_for_good(peer: Replica) -> bool:
    """Whether a promise binds it that no ballot can lift."""
    snapshot = peer.match.snapshot
    return peer.state.is_bound and 2 * len(snapshot.live_voters) <= len(snapshot.voters)


def folded_again(rules: Any, match: Match, verifier: Any) -> Match:
    """``match`` as anybody who checks everything has it. Raises ``Refused`` where its log is wrong."""
    again = peer_match(match.entries[0], rules, verifier, Checker(StandInGroup()))
    for entry in match.entries[1:]:
        again.append(entry)
    return again


def hear_file(peer: Replica, accusation: Accusation) -> None:
    """What a page does with a file from another one, and with what is told along with it."""
    service = ReplicaService(StandInGroup(), peer.state.authority.verifier, lambda seed: peer.identity)
    with suppress(Refused, Malformed):  # as it would answer
        service._hear_proof(peer, accusation.to_text())
    peer.receive("", canonical({"t": "blame", "why": accusation.why, "x": list(accusation.exhibits)}))


# ---- what honest people do ----

def agree_to_undo(world: BusyMatch, node: Node, peer: Replica) -> None:
    """All agree to go back, and then it is said."""
    if not is_free(peer):
        return
    to = max(0, len(peer.match.entries) - 1 - world.rng.randrange(1, 5))
    for other in world.honest:
        if other is not node and other.peer is not None and other.peer.takes_part and is_free(other.peer):
            with suppress(Refused):  # as its page would say
                other.peer.say("consent", {"seat": world.own_seat(other, other.peer), "to": to})
            world.net.flush(other)

    def undo() -> None:
        if node.peer is not None and node.peer.takes_part and is_free(node.peer):
            with suppress(Refused):
                node.peer.say("undo", {"seat": world.own_seat(node, node.peer), "to": to})
            world.net.flush(node)

    world.net.later(world.rng.uniform(0.2, 1), undo)


def leave_seldom(world: BusyMatch, node: Node, peer: Replica) -> None:
    if world.rng.random() < 0.3:
        busy_match.leave(world, node, peer)


def restart(world: BusyMatch, node: Node, peer: Replica) -> None:
    """The page is loaded anew, or closed and opened later."""
    busy_match.stop(world, node, peer, seconds=(0.3, 2, 5, 20))


def restart_all(world: BusyMatch, node: Node, peer: Replica) -> None:
    for other in world.some():
        if other.peer is not None:
            restart(world, other, other.peer)


def lose_disk(world: BusyMatch, node: Node, peer: Replica) -> None:
    """All that was stored is lost but the key, where somebody honest who plays holds all of it. Else that might convict a device,
    as it might while a promise binds it: see what is not promised."""
    others = [one.peer for one in world.honest if one is not node and one.peer is not None and one.peer.takes_part]
    is_held = any(other.match.index_of(peer.match.head) is not None for other in others)
    if not is_held or peer.state.is_bound or peer.state.dead or peer.pending is not None or peer.membership.is_leaving:
        return
    disk = node.disk
    disk.entries, disk.pending, disk.dead, disk.dead_lengths = disk.entries[:1], None, [], ()
    disk.promise = disk.bound_end = None
    disk.begun_epoch = 0
    disk.count = 10**6 + int(1000 * world.net.now)
    node.start(world.net.genesis, restarted=True)


def hand_order_on(world: BusyMatch, node: Node, peer: Replica) -> None:
    if peer.orders and is_free(peer):
        peer.say("order", {"to": world.rng.choice(peer.live)})


HONEST_ACTS: Final = (busy_match.want_gone, busy_match.want_timeout, agree_to_undo, agree_to_undo, busy_match.consent,
                      busy_match.go_on_elsewhere, leave_seldom, busy_match.say_who_plays, busy_match.give_seat,
                      restart, restart, restart, restart_all, busy_match.cut, hand_order_on, lose_disk)


# ---- what the cheat does wrong ----

def spoil(world: CheatWorld, node: Node, *, sealed: float = 0.0, ahead: float = 0.0) -> None:
    """From now on it shuffles falsely as often."""
    assert isinstance(node.dealer, FickleDealer)
    chances = {"sealed": sealed, "ahead": ahead}
    node.dealer.spoils = lambda name: world.rng.random() < chances[name]


def spoil_decks(world: CheatWorld, node: Node, peer: Replica) -> None:
    spoil(world, node, sealed=world.rng.choice((0.4, 1.0)))


def spoil_prepared_decks(world: CheatWorld, node: Node, peer: Replica) -> None:
    spoil(world, node, ahead=world.rng.choice((0.3, 1.0)))


def spoil_all_decks(world: CheatWorld, node: Node, peer: Replica) -> None:
    spoil(world, node, sealed=0.5, ahead=world.rng.choice((0.1, 0.4)))


def spoil_the_last_shuffle(world: CheatWorld, node: Node, peer: Replica) -> None:
    """Where it orders and is the last to shuffle."""
    assert isinstance(node.dealer, FickleDealer)
    node.dealer.spoils = lambda name: peer.orders and peer.live[-1] == node.author


def spoil_the_last_prepared_shuffle(world: CheatWorld, node: Node, peer: Replica) -> None:
    """It waits with it until it orders, if it is the last to shuffle."""
    dealer = node.dealer
    assert isinstance(dealer, FickleDealer)
    dealer.waits = lambda: node.peer is not None and not node.peer.orders
    dealer.spoils = lambda name: (name == "ahead" and node.peer is not None and node.peer.orders
                                  and node.peer.live[-1] == node.author)


def say_what_is_wrong(world: CheatWorld, node: Node, peer: Replica) -> None:
    """A key or a share whose proof is false, or a move out of turn, for a place or at one."""
    if not (peer.takes_part and peer.ready):
        return
    dealer, dealing = node.dealer, peer.current_dealing
    duties = [duty for duty in dealer.duties(peer.match.state, dealing) if not isinstance(duty, ShuffleDuty)]
    if duties and dealing.deal is not None:
        message: Any = decode(dealing.checker.group, dealer._party(dealing).fulfil(dealing.deal, duties[0]))
        false = replace(message, proof=message.proof._replace(response=(message.proof.response + 1) % L))
        world.note(type(duties[0]).__name__)
        said = signed(node, "deal", {"sealed": b64encode(encode(false)).decode()})
    elif world.rng.random() < 0.7:
        return
    else:
        world.note("false word")
        said = signed(node, "seat", {"seat": (world.own_seat(node, peer) + 1) % peer.match.rules.seats, "to": {}})
    give_out(world, node, peer, said)


def give_out(world: CheatWorld, node: Node, peer: Replica, said: Statement) -> None:
    """``said`` for a place, or at one, to some of the honest ones."""
    entries: list[Json] = [put(node, said).to_json()]
    message: dict[str, Json] = {"t": "put", "e": entries} if peer.orders else {"t": "say", "s": said.to_json()}
    for other in world.some():
        world.send(node, other, message)


def place_wrongly(world: CheatWorld, node: Node, peer: Replica) -> None:
    """Give a place to what somebody said long ago, or to nonsense of its own."""
    if not (peer.orders and peer.takes_part) or world.rng.random() < 0.7:
        return
    old = [entry.statement for entry in peer.match.entries[-30:] if entry.index]
    said = world.rng.choice(old) if old and world.rng.random() < 0.6 else signed(node, "move", {"seat": 99, "do": {}, "open": []})
    world.note("false place")
    for other in world.some():
        world.send(node, other, {"t": "put", "e": [put(node, said).to_json()]})


def place_twice(world: CheatWorld, node: Node, peer: Replica) -> None:
    if peer.orders and peer.takes_part:
        busy_match.fork(world, node, peer)
        world.note("perhaps a fork")


def vote_twice(world: CheatWorld, node: Node, peer: Replica) -> None:
    """Two votes in one ballot, or one that it breaks at once, to some of the honest ones."""
    if not peer.takes_part or len(peer.match.entries) < 5 or world.rng.random() < 0.7:
        return
    world.note("vote")
    subjects, rng = busy_match.subjects(node, peer), world.rng
    epoch = peer.match.snapshot.epoch + rng.randrange(1, 3)
    backs = [rng.choice((0, 0, 1, 3)) for _ in range(rng.choice((1, 2)))]
    for vote in [vote_of(node, epoch, rng.choice(subjects), end_of(peer.match, back)) for back in backs]:
        for other in world.some():
            world.send(node, other, {"t": "ballot", **vote.to_json()})


def count_twice(world: CheatWorld, node: Node, peer: Replica) -> None:
    """Two statements with one counter, one to each of two."""
    if not (peer.takes_part and peer.ready) or world.rng.random() < 0.8:
        return
    seat = world.own_seat(node, peer)
    world.note("counter")
    for number, other in enumerate(world.some()[:2]):
        to = {**peer.match.setup.seats[seat].to_json(), "name": f"two {number}"}
        said = signed(node, "seat", {"seat": seat, "to": to})
        world.send(node, other, {"t": world.rng.choice(("say", "plea")), "s": said.to_json()})


def shuffle_twice(world: CheatWorld, node: Node, peer: Replica) -> None:
    """Another shuffle than its own program makes, with good proofs, to some of the honest ones."""
    dealing = peer.current_dealing
    duties = [duty for duty in node.dealer.duties(peer.match.state, dealing) if isinstance(duty, ShuffleDuty)]
    if not peer.takes_part or not duties or dealing.deal is None:
        return
    world.note("second shuffle")
    other = Party(dealing.authors.index(node.author), bytes([77]) * 32)
    said = signed(node, "deal", {"sealed": b64encode(other.fulfil(dealing.deal, duties[0])).decode()})
    give_out(world, node, peer, said)


def only_annoy(world: CheatWorld, node: Node, peer: Replica) -> None:
    """Nothing but what convicts nobody."""


MISDEEDS: Final[dict[str, Misdeed]] = {
    "false shuffles": spoil_decks,
    "false prepared decks": spoil_prepared_decks,
    "all false": spoil_all_decks,
    "false last shuffle": spoil_the_last_shuffle,
    "false last prepared shuffle": spoil_the_last_prepared_shuffle,
    "false words": say_what_is_wrong,
    "false places": place_wrongly,
    "forks": place_twice,
    "two votes": vote_twice,
    "one counter twice": count_twice,
    "two shuffles": shuffle_twice,
    "annoys": only_annoy,
}

TRICKS: Final[tuple[busy_match.Act, ...]] = (busy_match.withhold, busy_match.repeat, busy_match.wish, busy_match.hand_order_on,
                                             busy_match.consent, restart)


# ---- how the cheat fares ----

def stay(world: CheatWorld, cheat: Node) -> None:
    """It plays on."""


def leave(world: CheatWorld, cheat: Node) -> None:
    peer = cheat.peer
    if peer is not None and peer.takes_part and peer.match.outcome is None:
        if world.rng.random() < 0.4:
            world.withhold_for(world.rng.uniform(0.5, 3))
            world.put_more_behind()
        peer.leave()
        world.net.flush(cheat)
        world.done["left"] += 1


def be_voted_gone(world: CheatWorld, cheat: Node) -> None:
    """It is away for a while, and all others want it gone."""
    for node in world.cheat:
        node.peer = None
        world.net.later(world.rng.uniform(25, 45), partial(world._open, node))
    for node in world.honest:
        if node.peer is not None:
            node.peer.choices.removals |= {one.author for one in world.cheat}
            world.net.later(40, node.peer.choices.removals.clear)
    world.done["was away"] += 1


def give_seat_on(world: CheatWorld, cheat: Node) -> None:
    """To its other key."""
    other = next(node for node in world.cheat if node is not cheat)
    if cheat.peer is not None and cheat.peer.takes_part and is_free(cheat.peer) and other.peer is not None:
        seat, player = world.own_seat(cheat, cheat.peer), Seat("person", other.author, "K")
        with suppress(Refused):  # not just now
            cheat.peer.promise(seat, player, other.peer.membership.agree_to(seat, player))
            world.done["gave its seat on"] += 1
        world.net.flush(cheat)


def change_device(world: CheatWorld, cheat: Node) -> None:
    other = next(node for node in world.cheat if node is not cheat)
    if cheat.peer is not None and cheat.peer.takes_part and is_free(cheat.peer) and other.peer is not None:
        with suppress(Refused):  # not just now
            cheat.peer.move_to(other.peer.membership.offer(cheat.author))
            world.done["changed its device"] += 1
        world.net.flush(cheat)


FATE_ACTS: Final[dict[str, Callable[[CheatWorld, Node], None]]] = {
    "leaves": leave, "is voted gone": be_voted_gone, "stays": stay, "gives its seat on": give_seat_on,
    "changes its device": change_device}
FATES: Final = ("leaves", "is voted gone", "leaves", "gives its seat on", "stays", "is voted gone", "changes its device")
