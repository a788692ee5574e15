"""Whose shuffle fails in a log that was believed: found by checking all of it again, and proven by its file alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical, place
from tabletin.kernel.match import STRIDE, Match
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.dealing.trail import dealing_trail
from tabletin.peers.replication import sync
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.backfill import BATCH
from tabletin.peers.replication.evidence import Accusation, false_shuffles, judge, peer_match
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed import pending
from tabletin.peers.sealed.pending import Checker, Mixing
from tabletin.peers.sealed.requests import Duty
from tabletin.peers.worker import calls, service
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.results import Proofs
from tabletin.peers.worker.service import ReplicaService
from tabletin.registry import rules_of
from tests.support.ballots import end_of, first_entry, node_of, subject_gone, vote_of
from tests.support.device_moves import peer_of
from tests.support.examples import MANY_HANDS, unending
from tests.support.false_shuffles import FalseAhead, FalseDealer, Gullible, let_cheat
from tests.support.forging import put, signed, tell
from tests.support.peer_matches import network
from tests.support.peer_sim import Disk, Network, Node
from tests.support.resting_table import RestingTable
from tests.support.standin_group import StandInGroup


def believed(number: int) -> Network:
    """The first deal of a match, in which peer ``number`` shuffled falsely."""
    net = network(MANY_HANDS, 3, 771)
    let_cheat(net, number)
    assert net.run(lambda: len(net.peers[0].match.entries) > 9)
    return net


def placed_by(orderer: Node, match: Match, statement: Statement) -> Entry:
    """``statement`` at the next place of ``match``, which ``orderer`` gives it."""
    index, head = len(match.entries), match.head
    return Entry.create(index, head, statement, orderer.identity.sign(canonical(place(index, head, statement.hash))))


def with_names(orderer: Node, match: Match, count: int) -> Match:
    """``match`` and so many entries more that say nothing of weight, placed by ``orderer``."""
    longer, seat = match.branch(len(match.entries)), match.snapshot.seats_of(orderer.author)[0]
    for number in range(count):
        statement = Statement(match.id, orderer.author, longer.count(orderer.author), longer.head, "seat",
                              {"seat": seat, "to": match.setup.seats[seat].to_json() | {"name": f"K{number}"}})
        statement = replace(statement, signature=orderer.identity.sign(statement.canonical_bytes))
        longer.append(placed_by(orderer, longer, statement))
    return longer


def shuffle_of(match: Match, node: Node) -> int:
    """The entry with the first shuffle of ``node``."""
    return next(line.index for line in dealing_trail(match) if line.author == node.author and line.what == "shuffle")


def is_proven(net: Network, accusation: Accusation) -> bool:
    return judge(accusation, rules_of, net.verifier, Checker(StandInGroup())) is not None


@pytest.mark.parametrize("number", range(3))
def test_who_made_a_false_shuffle_is_found_and_nobody_else(number: int) -> None:
    """First, in the middle of the chain or last; whatever stands behind it in the log."""
    net = believed(number)
    match = net.peers[0].match
    authority = SignedAuthority(net.setup, net.verifier)
    (found,) = false_shuffles(match, authority, StandInGroup())
    assert (found.culprit, found.why) == (net.nodes[number].author, "shuffle") and is_proven(net, found)
    assert not is_proven(net, replace(found, prefix=found.prefix[:-1])) or number < 2, "it rests on no more than it takes"
    for node in net.nodes:
        accusation = Accusation.of_log(match, node.author, "shuffle")
        assert is_proven(net, accusation) == (node is net.nodes[number])
        begun = replace(accusation, prefix=accusation.prefix[:5])  # one shuffle of three
        assert is_proven(net, begun) == (number == 0 and node is net.nodes[0])


def test_a_log_without_a_false_shuffle_finds_nobody_guilty() -> None:
    table = RestingTable(772)
    authority = SignedAuthority(table.net.setup, table.net.verifier)
    assert not list(false_shuffles(table.match, authority, StandInGroup()))


def test_another_wrong_entry_is_no_false_shuffle() -> None:
    table = RestingTable(773)
    wrong = put(table.orderer, signed(table.third, "order", {"to": table.third.author}))
    for node in table.net.nodes:
        assert not is_proven(table.net, Accusation(node.author, "shuffle", (*table.match.entries, wrong), ()))


def test_a_false_shuffle_that_was_put_off_stops_a_device_whatever_falls_away_behind_it() -> None:
    """It comes with so much else that it is put off. Both others then begin an epoch soon behind it."""
    net = believed(2)
    orderer, victim, cheat = net.nodes
    match = peer_of(orderer).match
    assert match.orderer == orderer.author
    at = next(index for index, entry in enumerate(match.entries)
              if entry.statement.author == cheat.author and is_proven(net, Accusation(cheat.author, "shuffle",
                                                                                      tuple(match.entries[:index + 1]), ())))
    base = (at // STRIDE + 1) * STRIDE  # what a device keeps a snapshot of
    longer = with_names(orderer, match.branch(at + 1), 16)
    net.checker, victim.disk.entries = DeferredChecker(StandInGroup()), list(match.entries[:at])
    victim.disk.pending, victim.disk.dead = None, []
    peer = victim.start(net.genesis, restarted=True)
    tell(net, orderer, {"t": "put", "e": [entry.to_json() for entry in longer.entries[at:]]}, victim)
    assert peer.match.head == match.entries[at - 1].hash and peer.state.is_stopped
    subject = {"kind": "pass", "against": victim.author, "order": orderer.author}
    votes = [vote_of(node, 1, subject, end_of(longer.branch(base + 1))) for node in (orderer, cheat)]
    peer_of(orderer).match = longer
    begins = first_entry(orderer, subject, 1, votes, base + 1)
    tell(net, orderer, {"t": "put", "e": [entry.to_json() for entry in (*longer.entries[at:base + 1], begins)]}, victim)
    for seconds in range(5):
        peer.tick(net.now + 2 * seconds)
    assert peer.match.head == match.entries[at - 1].hash and not peer.ready
    assert {(one.culprit, one.why) for one in peer.accusations} == {(cheat.author, "statement"), (orderer.author, "place")}
    assert all(is_proven(net, one) for one in peer.accusations)


@pytest.mark.parametrize("is_late", [False, True])
def test_a_false_shuffle_stops_a_device_again_where_the_entry_by_which_its_author_went_falls_away(*, is_late: bool) -> None:
    """All whose votes that took begin a newer epoch with who made it, and hide what they had voted for."""
    table = RestingTable(775)
    victim, voter, cheat = table.orderer, table.waiting, table.third
    peer, end, index = peer_of(victim), end_of(table.match), len(table.match.entries)
    found = Accusation.of_log(peer.match, cheat.author, "shuffle")
    if not is_late:
        peer.accuse(found)
    gone = subject_gone(cheat.author, victim.author)
    peer.state.append(first_entry(victim, gone, 1, [vote_of(node, 1, gone, end) for node in (victim, voter)], index))
    peer.tick(table.net.now + 2)
    if is_late:
        peer.accuse(found)
    assert not peer.accusations and not peer.state.is_stopped, "who made it plays no more"
    assert not peer.state.settled_behind(index)
    subject = {"kind": "pass", "against": victim.author, "order": voter.author}
    votes = [vote_of(node, 2, subject, end) for node in (voter, cheat)]
    tell(table.net, voter, {"t": "put", "e": [first_entry(voter, subject, 2, votes, index).to_json()]}, victim)
    assert peer.match.snapshot.epoch == 2 and cheat.author in peer.live
    assert [(one.culprit, one.why) for one in peer.accusations] == [(cheat.author, "shuffle")] and not peer.ready


def test_what_was_found_false_is_not_taken_for_good_where_much_comes_at_once() -> None:
    """All others begin an epoch behind a false shuffle and before the entry up to which it was found, and finish the chain there
    in a message with so much else that shuffles are put off."""
    net = network(MANY_HANDS, 4, 777)
    let_cheat(net, 1)
    assert net.run(lambda: len(net.peers[0].match.entries) > 12)
    orderer, cheat, victim, last = net.nodes
    match = peer_of(orderer).match
    assert match.orderer == orderer.author
    base = shuffle_of(match, victim)
    assert shuffle_of(match, cheat) < base < shuffle_of(match, last)
    net.checker, victim.disk.entries = DeferredChecker(StandInGroup()), list(match.entries[:base + 1])
    victim.disk.pending, victim.disk.dead = None, []
    peer = victim.start(net.genesis, restarted=True)
    longer = with_names(orderer, match.branch(base + 1), 1)
    tell(net, orderer, {"t": "put", "e": [longer.entries[-1].to_json()]}, victim)
    for seconds in range(1, 4):
        peer.tick(net.now + 2 * seconds)
    assert [(one.culprit, one.why) for one in peer.accusations] == [(cheat.author, "shuffle")]
    subject = {"kind": "pass", "against": victim.author, "order": orderer.author}
    votes = [vote_of(node, 1, subject, end_of(match.branch(base + 1))) for node in (orderer, cheat, last)]
    longer = match.branch(base + 1)
    longer.append(first_entry(orderer, subject, 1, votes, base + 1))
    tell(net, orderer, {"t": "put", "e": [longer.entries[-1].to_json()]}, victim)
    assert peer.match.snapshot.epoch == 1
    longer = with_names(orderer, longer, 9)
    longer.append(placed_by(orderer, longer, match.entries[shuffle_of(match, last)].statement))
    tell(net, orderer, {"t": "put", "e": [entry.to_json() for entry in longer.entries[base + 2:]]}, victim)
    assert len(peer.match.entries) == base + 12
    for seconds in range(4, 9):
        peer.tick(net.now + 2 * seconds)
    assert [(one.culprit, one.why) for one in peer.accusations] == [(cheat.author, "shuffle")] and not peer.ready


def test_a_false_shuffle_in_a_branch_that_is_taken_stops_a_device_at_once() -> None:
    """What finishes the chain stands in the branch; nothing has come behind it yet."""
    net = network(MANY_HANDS, 4, 777)
    let_cheat(net, 1)
    assert net.run(lambda: len(net.peers[0].match.entries) > 12)
    orderer, cheat, victim, last = net.nodes
    match = peer_of(orderer).match
    base = shuffle_of(match, victim)
    assert shuffle_of(match, cheat) < base < shuffle_of(match, last)
    net.checker, victim.disk.entries = Checker(StandInGroup()), list(match.entries[:base + 1])
    victim.disk.pending, victim.disk.dead = None, []
    peer = victim.start(net.genesis, restarted=True)
    subject = {"kind": "pass", "against": victim.author, "order": orderer.author}

    def begin(log: Match, epoch: int) -> Entry:
        peer_of(orderer).match = log
        peer_of(orderer).state.count += 1
        votes = [vote_of(node, epoch, subject, end_of(log)) for node in (orderer, cheat, last)]
        return first_entry(orderer, subject, epoch, votes, len(log.entries))

    tell(net, orderer, {"t": "put", "e": [begin(match.branch(base + 1), 2).to_json()]}, victim)
    branch = match.branch(base + 1)
    branch.append(begin(branch, 1))
    branch.append(placed_by(orderer, branch, match.entries[shuffle_of(match, last)].statement))
    branch.append(begin(branch, 3))
    tell(net, orderer, {"t": "put", "e": [entry.to_json() for entry in branch.entries[base + 1:]]}, victim)
    assert peer.match.head == branch.head
    assert [(one.culprit, one.why) for one in peer.accusations] == [(cheat.author, "shuffle")] and peer.state.is_stopped


def test_a_false_shuffle_is_proven_and_found_behind_one_of_somebody_who_left() -> None:
    """Who made the first one left before its deck was played."""
    net = Network(MANY_HANDS, 4, 776, options=unending(MANY_HANDS))
    first, second, *honest = net.nodes
    later = FalseAhead(second.author, bytes([2]) * 32)
    later.is_honest = True
    first.dealer, second.dealer = FalseAhead(first.author, bytes([1]) * 32), later
    for node in net.nodes:
        node.disk = Disk()
        node.start(net.genesis)
    assert net.run(lambda: all(peer.accusations for peer in net.peers if peer.author != first.author), 600)
    assert {one.culprit for peer in net.peers for one in peer.accusations} == {first.author}
    match = peer_of(first).match
    assert match.orderer == first.author
    peer_of(first).accusations.clear()
    peer_of(first).leave()
    net.flush(first)
    assert net.run(lambda: all(first.author in peer.match.former_authors for peer in net.peers), 60)
    later.is_honest = False
    assert net.run(lambda: all(peer_of(node).state.is_stopped for node in honest), 600)
    for node in honest:
        assert [(one.culprit, one.why) for one in peer_of(node).accusations] == [(second.author, "shuffle")]
        assert is_proven(net, peer_of(node).accusations[0])
        assert not is_proven(net, replace(peer_of(node).accusations[0], culprit=node.author))
    authority = SignedAuthority(net.setup, net.verifier)
    found = list(false_shuffles(peer_of(honest[0]).match, authority, StandInGroup()))
    assert [one.culprit for one in found] == [first.author, second.author] and all(is_proven(net, one) for one in found)


def is_back(net: Network, node: Node) -> bool:
    return all(node.author in peer.live for peer in net.peers)


def take_back(net: Network, node: Node, seat: int) -> None:
    """Let ``node`` have ``seat`` again with the next hand."""
    assert net.run(lambda: net.agreed() and all(peer.pending is None and peer.ready for peer in net.peers if peer.takes_part))
    holder = node_of(net, net.peers[0].match.setup.seats[seat].author)
    player = Seat("person", node.author, "back")
    peer_of(holder).promise(seat, player, peer_of(node).membership.agree_to(seat, player))
    net.flush(holder)
    assert net.run(lambda: is_back(net, node), 900)


def leave_politely(net: Network, node: Node) -> None:
    peer_of(node).leave()
    net.flush(node)


def load_anew(net: Network, node: Node) -> Replica:
    """``node`` reads what it has stored and puts the shuffles in it off, as a page does."""
    net.checker = checker = DeferredChecker(StandInGroup())
    checker.catching_up = True
    peer = node.start(net.genesis, restarted=True)
    checker.catching_up = False
    return peer


def go_elsewhere_and_leave(net: Network, node: Node) -> None:
    new = net.nodes[-1]
    peer_of(node).move_to(peer_of(new).membership.offer(node.author))
    net.flush(node)
    assert net.run(lambda: all(new.author in peer.live for peer in net.peers), 60)
    peer_of(new).accusations.clear()
    leave_politely(net, new)
    assert net.run(lambda: all(new.author not in peer.live for peer in net.peers), 60)


@pytest.mark.parametrize("is_stored", [False, True])
@pytest.mark.parametrize("go", [leave_politely, go_elsewhere_and_leave])
def test_who_went_after_a_false_shuffle_and_is_back_stops_nobody(go: Callable[[Network, Node], None], *, is_stored: bool) -> None:
    """It was of a deck that nobody played. Whoever checks the log again, whenever that is, plays on like all others."""
    net = Network(MANY_HANDS, 3, 781, options=unending(MANY_HANDS), spectators=1)
    cheat, victim, other = net.nodes[:3]
    dealer = FalseAhead(cheat.author, bytes([1]) * 32)
    cheat.dealer = dealer
    for node in net.nodes:
        node.disk, net.checker = Disk(), Checker(StandInGroup())
        node.start(net.genesis)
    assert net.run(lambda: all(peer_of(node).state.is_stopped for node in (victim, other)), 600)
    peer_of(cheat).accusations.clear()
    dealer.is_honest = True
    seat = peer_of(cheat).match.snapshot.seats_of(cheat.author)[0]
    go(net, cheat)
    assert net.run(lambda: all(cheat.author not in peer.live for peer in net.peers), 900)
    take_back(net, cheat, seat)
    assert net.run(lambda: net.agreed() and not net.state().requests, 60)
    length = len(victim.disk.entries)
    if not is_stored:
        victim.disk.entries = [net.genesis]
    peer = load_anew(net, victim)
    assert net.run(lambda: len(peer.match.entries) > length + 20 and not peer.unchecked_count, 200)
    deferred = peer.deferred_checker
    assert deferred is not None and deferred._false, "it has found it"
    assert not peer.state.is_stopped and net.run(lambda: not peer.accusations, 10)


def test_who_left_when_its_false_shuffle_was_found_and_is_back_stops_nobody() -> None:
    """It stops all as long as it plays, and nobody when it has its seat back; whoever is loaded anew then plays on, too."""
    net = Network(MANY_HANDS, 4, 782, options=unending(MANY_HANDS))
    cheat, *honest = net.nodes
    dealer = FalseAhead(cheat.author, bytes([1]) * 32)
    cheat.dealer = dealer
    for node in net.nodes:
        node.disk = Disk()
        node.start(net.genesis)
    assert net.run(lambda: all(peer_of(node).state.is_stopped for node in honest), 600)
    peer_of(cheat).accusations.clear()
    dealer.is_honest = True
    leave_politely(net, cheat)
    assert net.run(lambda: all(cheat.author in peer.match.former_authors for peer in net.peers), 60)
    take_back(net, cheat, 0)
    length = len(net.peers[0].match.entries)
    assert net.run(lambda: all(len(peer.match.entries) > length + 20 for peer in net.peers), 200)
    assert not any(peer.state.is_stopped for peer in net.peers)
    assert net.run(lambda: not any(peer.accusations for peer in net.peers), 10)
    victim = honest[0]
    peer, length = load_anew(net, victim), len(net.peers[1].match.entries)
    assert net.run(lambda: len(peer.match.entries) > length + 20 and not peer.unchecked_count, 200)
    assert not peer.state.is_stopped
    dealer.is_honest = False
    assert net.run(lambda: all(peer_of(node).state.is_stopped for node in honest), 900), "what it does now counts"
    assert all(is_proven(net, one) for node in honest for one in peer_of(node).accusations)


def caught_up(net: Network, victim: Node, entries: Sequence[Entry]) -> Replica:
    """``victim`` has forgotten all and gets ``entries`` from the first node, many at once, so that shuffles are put off."""
    net.checker, victim.disk.entries, victim.disk.pending = DeferredChecker(StandInGroup()), [entries[0]], None
    peer = victim.start(net.genesis, restarted=True)
    before = 0
    while before < len(peer.match.entries) < len(entries):
        before = len(peer.match.entries)
        tell(net, net.nodes[0], {"t": "put", "e": [entry.to_json() for entry in entries[before:before + BATCH]]}, victim)
    for seconds in range(1, 9):
        peer.tick(net.now + 2 * seconds)
    assert not peer.unchecked_count
    return peer


def test_a_false_last_shuffle_falls_away_and_convicts_who_placed_it() -> None:
    """Whoever checks at once refuses it in its place. So does who put that off, once it has: else no two would have one log, and
    what stands behind could not be judged."""
    net = believed(2)
    orderer, victim, cheat = net.nodes
    match = peer_of(orderer).match
    at = shuffle_of(match, cheat)
    longer = with_names(orderer, match.branch(at + 1), 12)
    peer = caught_up(net, victim, longer.entries)
    assert peer.match.head == match.entries[at - 1].hash and peer.state.is_stopped
    assert [entry.hash for entry in victim.disk.entries] == [entry.hash for entry in peer.match.entries]
    held = {(one.culprit, one.why): one for one in peer.accusations}
    assert held.keys() == {(cheat.author, "statement"), (orderer.author, "place")}
    assert all(is_proven(net, one) for one in held.values())
    folded_again(net, peer.match)


class FalseLastAhead(FalseAhead):
    """Holds its shuffle of the next hand back as long as it ``is_honest``."""

    def prepare(self, dealing: SealedDealing) -> dict[str, Any] | None:
        deck = dealing.next_deck
        is_begun = deck is not None and deck.deal.key is not None
        return None if is_begun and self.is_honest else super().prepare(dealing)


@pytest.mark.parametrize("told", [1, 2])
def test_nobody_parts_from_the_others_by_a_move_behind_a_false_last_shuffle_of_a_prepared_deck(told: int) -> None:
    """Who orders gives it out with so much else that it is put off, to one of the others or to both. Who moves before it has
    checked that would keep the entry, and others refuse it."""
    net = Network(MANY_HANDS, 3, 900, options=unending(MANY_HANDS))
    *honest, cheat = net.nodes
    dealer = FalseLastAhead(cheat.author, bytes([3]) * 32)
    cheat.dealer, dealer.is_honest = dealer, True
    for node in net.nodes:
        net.checker, node.disk = Gullible(StandInGroup()) if node is cheat else DeferredChecker(StandInGroup()), Disk()
        node.start(net.genesis)

    def is_its_turn() -> bool:
        deck = peer_of(cheat).dealing.next_deck
        mixing = None if deck is None or not deck.deal.requests else deck.deal.requests[0]
        return peer_of(cheat).orders and isinstance(mixing, Mixing) and len(mixing.claims) == 2 and net.agreed()

    assert net.run(lambda: is_its_turn() and not net.state().requests, 900)
    dealer.is_honest = False
    body = dealer.prepare(peer_of(cheat).dealing)
    assert body is not None
    log = peer_of(cheat).match
    longer = log.branch(len(log.entries))
    longer.append(placed_by(cheat, longer, signed(cheat, "deal", body)))
    at, longer = len(log.entries), with_names(cheat, longer, 9)
    cheat.peer = None
    for node in honest[:told]:
        tell(net, cheat, {"t": "put", "e": [entry.to_json() for entry in longer.entries[at:]]}, node)
        assert len(peer_of(node).match.entries) == at, "it says nothing before it has checked that"
    for node in honest:
        net.act(node)
        net.flush(node)
    wrong = {(cheat.author, "statement"), (cheat.author, "place")}
    assert net.run(lambda: all({(one.culprit, one.why) for one in peer_of(node).accusations} == wrong for node in honest), 20)
    for node in honest:
        assert [entry.hash for entry in peer_of(node).match.entries] == [entry.hash for entry in longer.entries[:at]]
        assert all(is_proven(net, one) for one in peer_of(node).accusations)


def left_behind_a_false_shuffle(number: int, hands: int) -> tuple[Network, list[Entry]]:
    """A network in which device ``number``, which shuffled falsely, has left, at the beginning of hand ``hands``, and its log."""
    net = believed(number)
    cheat, other = net.nodes[number], net.nodes[number - 1]
    peer_of(cheat).leave()
    net.flush(cheat)
    assert net.run(lambda: all(cheat.author in peer.match.former_authors for peer in net.peers))
    assert net.run(lambda: peer_of(other).dealing.deals == hands and not peer_of(other).match.state.requests)
    return net, list(peer_of(other).match.entries)


@pytest.mark.parametrize("hands", [1, 2])
@pytest.mark.parametrize("number", range(3))
def test_a_log_in_which_others_dealt_from_a_false_deck_is_followed_up_to_there(number: int, hands: int) -> None:
    """All others are in league. Whoever finds that shuffle goes no further, and holds nothing against anybody but what anybody
    would find who checks at once."""
    net, entries = left_behind_a_false_shuffle(number, hands)
    victim, cheat = net.nodes[number - 2], net.nodes[number]
    peer = caught_up(net, victim, entries)
    assert len(peer.match.entries) < len(entries) and cheat.author in peer.live and peer.state.is_stopped
    folded_again(net, peer.match)
    for entry in entries[1:]:
        tell(net, cheat, {"t": "blame", "why": "statement", "x": [entry.statement.to_json()]}, victim)
        peer.tick(peer.state.time + 2)
    assert all(is_proven(net, one) for one in peer.accusations)
    assert cheat.author in {one.culprit for one in peer.accusations}


def test_who_went_on_from_another_device_is_not_accused_of_what_the_old_one_shuffled() -> None:
    """In the middle of a chain. The old one is, and stops all as long as its person plays."""
    net = Network(MANY_HANDS, 3, 795, options=unending(MANY_HANDS), spectators=1)
    old, *others, new = net.nodes
    dealer = FalseDealer(old.author, bytes([1]) * 32)
    old.dealer = dealer
    for node in net.nodes:
        node.disk = Disk()
        node.start(net.genesis)
    speak = {node.author for node in others}
    net.meddle = lambda sender, to, data: None if sender in speak and dealer.has_cheated else data
    assert net.run(lambda: dealer.has_cheated and peer_of(old).pending is None, 5)
    peer_of(old).move_to(peer_of(new).membership.offer(old.author))
    net.flush(old)
    net.meddle = lambda sender, to, data: data
    assert net.run(lambda: all(peer.accusations for peer in net.peers), 20)
    for peer in net.peers:
        assert [(one.culprit, one.why) for one in peer.accusations] == [(old.author, "shuffle")] and peer.state.is_stopped
        (held,) = peer.accusations
        assert is_proven(net, held) and not is_proven(net, replace(held, culprit=new.author))
    authority = SignedAuthority(net.setup, net.verifier)
    (found,) = false_shuffles(peer_of(old).match, authority, StandInGroup())
    assert found.culprit == old.author
    unfinished = replace(held, prefix=held.prefix[:-1])
    assert is_proven(net, unfinished) and not is_proven(net, replace(unfinished, culprit=new.author))


def deck_left_at_once(checker: Checker) -> tuple[Network, Node, list[Entry]]:
    """Of two, the one that orders shuffles falsely and leaves at once, so that the hand is dealt anew. The other one, which has
    ``checker``; and what that one has not heard yet, with so much else that shuffles are put off."""
    net = network(MANY_HANDS, 2, 778, spectators=1)
    cheat, victim, _ = net.nodes
    let_cheat(net, 0)
    for node, own in ((cheat, Checker(StandInGroup())), (victim, checker)):
        net.checker, node.disk = own, Disk()
        node.start(net.genesis)
    net.meddle = lambda sender, to, data: None if peer_of(cheat).dealing.guilty else data
    assert net.run(lambda: peer_of(cheat).dealing.guilty == cheat.author, 60)
    longer = with_names(cheat, peer_of(cheat).match, 9)
    leave = Statement(longer.id, cheat.author, longer.count(cheat.author), longer.head, "leave",
                      {"order": victim.author, "heir": victim.author, "sealed": None})
    longer.append(placed_by(cheat, longer, replace(leave, signature=cheat.identity.sign(leave.canonical_bytes))))
    cheat.peer, net.meddle = None, lambda sender, to, data: data
    return net, victim, longer.entries[len(peer_of(victim).match.entries):]


def folded_again(net: Network, match: Match) -> Match:
    """``match`` as anybody who checks everything has it. Raises ``Refused`` where its log is wrong."""
    again = peer_match(match.entries[0], net.rules, net.verifier, Checker(StandInGroup()))
    for entry in match.entries[1:]:
        again.append(entry)
    return again


def test_who_puts_off_the_check_of_a_deck_that_was_left_at_once_says_nothing_wrong() -> None:
    """Its author has left, and whoever checks the log at once knows that this deck was never dealt."""
    net, victim, rest = deck_left_at_once(DeferredChecker(StandInGroup()))
    peer = peer_of(victim)
    tell(net, net.nodes[0], {"t": "put", "e": [entry.to_json() for entry in rest]}, victim)
    assert peer.match.entries[rest[-1].index].hash == rest[-1].hash
    assert net.run(lambda: len(peer.match.entries) > rest[-1].index + 20, 120)
    assert folded_again(net, peer.match).state == peer.match.state
    assert [entry.line for entry in peer.match.entries] == [entry.line for entry in victim.disk.entries]
    assert not peer.state.is_stopped and net.run(lambda: not peer.accusations, 10)


@pytest.mark.parametrize("more", [0, 20])
def test_a_match_with_a_deck_that_was_left_at_once_opens_again(more: int) -> None:
    net, victim, rest = deck_left_at_once(Checker(StandInGroup()))
    tell(net, net.nodes[0], {"t": "put", "e": [entry.to_json() for entry in rest]}, victim)
    assert net.run(lambda: len(peer_of(victim).match.entries) > rest[-1].index + more, 120)
    match = peer_of(victim).match
    device = ReplicaService(StandInGroup(), net.verifier, lambda seed: victim.identity)
    device.call(calls.encode(calls.Identify("02" * 32)))
    joined = calls.Join(tuple(entry.line for entry in victim.disk.entries), Pending(), True)
    answer = WorkerAnswer.decode(device.call(calls.encode(joined)))
    assert answer.refusal is None
    for seconds in range(1, 9):
        device.call(calls.encode(calls.Tick(2.0 * seconds)))
    replica = device._replica
    assert replica is not None and not replica.accusations
    assert folded_again(net, replica.match).state == replica.match.state
    assert [entry.hash for entry in replica.match.entries[:len(match.entries)]] == [entry.hash for entry in match.entries]


def joined(net: Network, node: Node) -> tuple[ReplicaService, WorkerAnswer]:
    """``node``'s page, loaded anew with what it has stored."""
    device = ReplicaService(StandInGroup(), net.verifier, lambda seed: node.identity)
    device.call(calls.encode(calls.Identify(bytes([net.nodes.index(node) + 1]).hex() * 32)))
    lines = tuple(entry.line for entry in node.disk.entries)
    return device, WorkerAnswer.decode(device.call(calls.encode(calls.Join(lines, Pending(), True))))


def test_a_file_is_written_of_a_log_that_was_checked() -> None:
    """Somebody is convicted while a device has still shuffles to check: what it told others rested on a false one."""
    net, entries = left_behind_a_false_shuffle(1, 2)
    victim = net.nodes[2]
    victim.disk.entries = list(entries)
    device, answer = joined(net, victim)
    replica = device._replica
    assert answer.refusal is None and replica is not None
    orderer = node_of(net, replica.match.orderer)
    wrong = placed_by(orderer, replica.match, signed(orderer, "move", {"seat": 99, "do": {}, "open": []}))
    replica._accusations.accuse(Accusation.of_place(replica.match, wrong))
    (held,) = replica.accusations
    with pytest.raises(Refused):
        is_proven(net, held)
    assert replica.unchecked_count
    proofs = WorkerAnswer.decode(device.call(calls.encode(calls.ListAccusations()))).result_as(Proofs).proofs
    assert proofs and all(is_proven(net, Accusation.from_text(proof.file)) for proof in proofs)


class EveryDealFalse(FalseDealer):
    """Spoils every shuffle of a deal under way, and prepares none."""

    def fulfil(self, state: Any, dealing: SealedDealing, duty: Duty) -> Any:
        self.has_cheated = False
        return super().fulfil(state, dealing, duty)

    def prepare(self, dealing: SealedDealing) -> None:
        return None


@pytest.mark.parametrize("most", [pending.MOST_VERDICTS, 20])
def test_a_match_with_two_decks_that_were_left_at_once_opens_again(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by who ordered, shuffled falsely and left at once; the second time after having the seat back. However many proofs
    the log has: only so many verdicts are remembered."""
    net = Network(MANY_HANDS, 2, 783, options=unending(MANY_HANDS))
    cheat, victim = net.nodes
    cheat.dealer = EveryDealFalse(cheat.author, bytes([1]) * 32)
    victim.dealer.prepare = lambda dealing: None  # type: ignore[method-assign]
    for node in net.nodes:
        node.disk, net.checker = Disk(), Checker(StandInGroup())
        node.start(net.genesis)
    for left in (1, 2):
        assert net.run(lambda: peer_of(cheat).dealing.guilty == cheat.author and peer_of(cheat).orders and net.agreed(), 600)
        peer_of(cheat).accusations.clear()
        peer_of(cheat).leave()
        net.flush(cheat)
        assert net.run(lambda: all(cheat.author in peer.match.former_authors for peer in net.peers), 60)
        if left == 1:
            take_back(net, cheat, 0)
    match = peer_of(victim).match
    length = len(match.entries)
    assert net.run(lambda: len(match.entries) > length + 20, 600)
    authority = SignedAuthority(net.setup, net.verifier)
    assert len(list(false_shuffles(match, authority, StandInGroup()))) == 2
    monkeypatch.setattr(pending, "MOST_VERDICTS", most)
    device, answer = joined(net, victim)
    assert answer.refusal is None
    for seconds in range(1, 9):
        device.call(calls.encode(calls.Tick(2.0 * seconds)))
    replica = device._replica
    assert replica is not None and not replica.state.is_stopped and not replica.unchecked_count
    assert [entry.hash for entry in replica.match.entries[:len(match.entries)]] == [entry.hash for entry in match.entries]
    assert folded_again(net, replica.match).state == replica.match.state


@pytest.mark.parametrize(("leaves", "goes_on"), [(True, False), (False, False), (True, True)])
def test_a_match_that_was_stored_with_a_false_last_shuffle_opens_again(*, leaves: bool, goes_on: bool) -> None:
    """Its device was closed before it had checked that shuffle. What stands from there on falls away, on the disk, too, whether
    who made it left at once or not; and though an older program played on behind it, in a log that nobody finds right."""
    net = Network(MANY_HANDS, 2, 784, options=unending(MANY_HANDS))
    victim, cheat = net.nodes
    dealer = FalseDealer(cheat.author, bytes([2]) * 32)
    cheat.dealer, dealer.has_cheated = dealer, True
    for node, checker in ((victim, Checker(StandInGroup())), (cheat, Gullible(StandInGroup()))):
        node.dealer.prepare = lambda dealing: None  # type: ignore[method-assign]
        net.checker, node.disk = checker, Disk()
        node.start(net.genesis)
    assert net.run(lambda: peer_of(cheat).dealing.deals == 2 and peer_of(cheat).orders, 900)
    dealer.has_cheated = False
    assert net.run(lambda: dealer.has_cheated, 60)
    match = peer_of(cheat).match
    at = next(line.index for line in reversed(dealing_trail(match)) if line.author == cheat.author and line.what == "shuffle")
    longer = with_names(cheat, match.branch(at + 1), 9)
    leave = Statement(longer.id, cheat.author, longer.count(cheat.author), longer.head, "leave",
                      {"order": victim.author, "heir": victim.author, "sealed": None})
    if leaves:
        longer.append(placed_by(cheat, longer, replace(leave, signature=cheat.identity.sign(leave.canonical_bytes))))
    victim.disk.entries = list(longer.entries)
    if goes_on:
        cheat.peer, net.checker = None, Gullible(StandInGroup())
        peer = victim.start(net.genesis, restarted=True)
        assert net.run(lambda: len(peer.match.entries) > len(longer.entries) + 20, 60)
    device, answer = joined(net, victim)
    assert answer.refusal is None and device._replica is not None
    told = [answer.news.length]
    for seconds in range(1, 9):
        told.append(WorkerAnswer.decode(device.call(calls.encode(calls.Tick(2.0 * seconds)))).news.length)
    assert device._replica.match.head == match.entries[at - 1].hash and [length for length in told if length is not None] == [at]
    folded_again(net, device._replica.match)


def wrong_by_what_was_put_off() -> tuple[Network, Node, Statement, list[Entry]]:
    """A match with a deck that was left at once, in which the one who stayed plays on. Something that it said, and the log up to
    there: whoever counts that deck's cards takes it for wrong."""
    net, honest, rest = deck_left_at_once(Checker(StandInGroup()))
    tell(net, net.nodes[0], {"t": "put", "e": [entry.to_json() for entry in rest]}, honest)
    assert net.run(lambda: len(peer_of(honest).match.entries) > rest[-1].index + 20, 120)
    match = peer_of(honest).match
    believing = DeferredChecker(StandInGroup())
    again = peer_match(match.entries[0], net.rules, net.verifier, believing)
    believing.catching_up = True
    for entry in match.entries[1:]:
        if again.refusal(entry.statement) is not None:
            assert entry.statement.author == honest.author
            return net, honest, entry.statement, match.entries[:entry.index]
        again.append(entry)
    raise AssertionError("the tale this test tells has to happen")


def test_nobody_innocent_is_accused_while_shuffles_are_put_off() -> None:
    """A device that catches up is told of what looks wrong as long as it takes a false shuffle for good."""
    net, honest, statement, entries = wrong_by_what_was_put_off()
    net.checker, watcher = DeferredChecker(StandInGroup()), net.nodes[2]
    watcher.disk = Disk()
    peer = watcher.start(net.genesis, restarted=True)
    peer.tick(net.now)
    while len(peer.match.entries) < len(entries):
        tell(net, honest, peer_of(honest)._sync._head(), watcher)  # it holds more
        start = len(peer.match.entries)
        tell(net, honest, {"t": "put", "e": [entry.to_json() for entry in entries[start:start + BATCH]]}, watcher)
    deferred = peer.deferred_checker
    assert deferred is not None and deferred.urgent
    tell(net, honest, {"t": "blame", "why": "statement", "x": [statement.to_json()]}, watcher)
    assert not peer.accusations and not deferred.urgent
    peer.tick(net.now + 2)
    assert peer.match.refusal(statement) is None and not peer.accusations


def test_nobody_innocent_is_proven_guilty_to_a_page_that_was_just_loaded() -> None:
    net, honest, statement, entries = wrong_by_what_was_put_off()
    honest.disk.entries = list(entries)
    device, answer = joined(net, honest)
    assert answer.refusal is None and device._replica is not None and device._replica.unchecked_count
    proof = Accusation(honest.author, "statement", tuple(entries), (statement.to_json(),))
    answer = WorkerAnswer.decode(device.call(calls.encode(calls.HearProof(proof.to_text()))))
    assert not device._replica.accusations and answer.news.status is not None and not answer.news.status.culprits


def test_nobody_says_by_a_prepared_deck_that_was_put_off_what_the_rules_refuse() -> None:
    """The rules ask for a deck as soon as a page is loaded anew that had one prepared. That holds a false shuffle: who orders and
    takes the deck for good would say that it is there, and be convicted."""
    net = Network(MANY_HANDS, 2, 796, options=unending(MANY_HANDS))
    cheat, victim = net.nodes
    dealer = FalseAhead(cheat.author, bytes([1]) * 32)
    cheat.dealer, dealer.is_honest = dealer, True
    net.checker = Gullible(StandInGroup())
    for node in net.nodes:
        node.disk = Disk()
        node.start(net.genesis)
    match = peer_of(victim).match
    assert net.run(lambda: match.snapshot.deals == 2 and not match.state.requests and peer_of(victim).orders, 600)
    dealer.is_honest = False
    net.meddle = lambda sender, to, data: None if match.snapshot.deals > 2 else data
    assert net.run(lambda: match.snapshot.deals == 3, 600)
    asked = next(entry.index for entry in match.entries if match.snapshot_at(entry.index).deals == 3)
    victim.disk.entries = list(match.entries[:asked + 1])
    device = ReplicaService(StandInGroup(), net.verifier, lambda seed: victim.identity)
    device.call(calls.encode(calls.Identify("02" * 32)))
    device.call(calls.encode(calls.Join(tuple(entry.line for entry in victim.disk.entries), Pending(), False)))
    replica = device._replica
    assert replica is not None and replica.orders
    for seconds in range(1, 9):
        device.call(calls.encode(calls.Tick(2.0 * seconds)))
    assert folded_again(net, replica.match).state == replica.match.state
    assert [(one.culprit, one.why) for one in replica.accusations] == [(cheat.author, "shuffle")] and replica.state.is_stopped


def test_a_log_is_folded_again_as_it_was_while_a_false_last_shuffle_is_put_off() -> None:
    """Whatever asks a page that was just loaded how its log was further back."""
    net = believed(2)
    peer = load_anew(net, net.nodes[1])
    assert peer.unchecked_count
    assert not peer.state.settled_behind(len(peer.match.entries) - 1)
    states = [snapshot.state for _, snapshot, _ in peer.match.steps()]
    assert states[-1] == peer.match.state and peer.unchecked_count, "it is still to be checked"
    peer.tick(1.0)
    peer.tick(3.0)
    assert peer.deferred_checker is not None and peer.deferred_checker._false and not peer.unchecked_count


def test_a_stored_log_with_another_fault_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a long one takes a device minutes."""
    table, reads = RestingTable(779), list[bool]()
    *good, last = table.match.entries
    node, wrong = table.net.nodes[1], replace(last, signature="00" * 64)

    def noted(*given: Any) -> Match:
        reads.append(True)
        return peer_match(*given)

    monkeypatch.setattr(service, "peer_match", noted)
    device = ReplicaService(StandInGroup(), table.net.verifier, lambda seed: node.identity)
    device.call(calls.encode(calls.Identify("02" * 32)))
    lines = tuple(entry.line for entry in (*good, wrong))
    answer = WorkerAnswer.decode(device.call(calls.encode(calls.Join(lines, Pending(), True))))
    assert answer.refusal is not None and reads == [True]


def test_a_false_shuffle_that_fell_away_has_the_log_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a long log takes a device minutes, in which the others hear nothing of it."""
    monkeypatch.setattr(sync, "CHECKED_A_TICK", 1)
    net = Network(MANY_HANDS, 3, 774, options=unending(MANY_HANDS))
    assert net.run(lambda: net.peers[0].dealing.deals > 1)
    orderer, victim, entries = net.nodes[0], net.nodes[2], net.peers[0].match.entries
    net.checker, victim.disk.entries, victim.disk.pending = DeferredChecker(StandInGroup()), [entries[0]], None
    peer, checks = victim.start(net.genesis, restarted=True), list[bool]()
    while len(peer.match.entries) < len(entries):
        start = len(peer.match.entries)
        tell(net, orderer, {"t": "put", "e": [entry.to_json() for entry in entries[start:start + BATCH]]}, victim)
    deferred = peer.deferred_checker
    assert deferred is not None and deferred.remaining - deferred.urgent > 1
    deferred.failed = True  # what was checked first stands in the log no more

    def noted(*given: Any) -> Iterator[Accusation]:
        checks.append(True)
        return false_shuffles(*given)

    monkeypatch.setattr(sync, "false_shuffles", noted)
    for seconds in range(1, 4):
        peer.tick(net.now + 2 * seconds)
    assert checks == [True] and not peer.accusations
