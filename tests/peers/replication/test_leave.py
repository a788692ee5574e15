"""A polite leave: the others play the hand on without the leaver's cards, in every game, at any moment, among any peers.

What it is worth as mathematics is tried in ``sealed/test_ceremony.py``; who forges one, in ``test_forged_leaves.py``.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tabletin.kernel.log import Statement, canonical
from tabletin.kernel.match import Match, asks_new_deck
from tabletin.kernel.membership import LATER, PLAYS_ON, leaving, live
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.replication.backfill import BATCH
from tabletin.peers.replication.membership import Membership
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.replication.state import DeadStatement, ReplicaState
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.worker import calls
from tabletin.peers.worker.service import ReplicaService
from tabletin.registry import GAMES, rules_of
from tests.support.ballots import end_of, first_entry, subject_gone, vote_of
from tests.support.device_moves import calm, move_device, peer_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, WIDEST, lasting
from tests.support.forging import put, signed
from tests.support.peer_matches import check_finished, network
from tests.support.peer_sim import BAD, Disk, Faults, Network, Node
from tests.support.random_matches import bare_move
from tests.support.resting_table import RestingTable
from tests.support.standin_group import StandInGroup

MANY = [game for game in GAMES if rules_of(game).seat_counts.stop - 1 >= 3]  # where two can be left


def wants_to_go(net: Network, node: Node, entries: int) -> None:
    """Let the people at ``node`` want to go once ``entries`` stand, whatever is being done just then."""
    assert net.run(lambda: len(peer_of(node).match.entries) >= entries or peer_of(node).match.outcome is not None)
    if peer_of(node).match.outcome is None:
        peer_of(node).leave()
        net.flush(node)


def gone(net: Network, node: Node) -> bool:
    """Whether everybody knows that ``node`` has left, or the match was over first."""
    return all(node.author in peer.match.former_authors or peer.match.outcome is not None for peer in net.peers)


def leave_of(match: Match) -> int | None:
    """The index of the first leave in ``match``."""
    return next((entry.index for entry in match.entries if entry.statement.kind == "leave"), None)


def dealing_at(match: Match, index: int) -> SealedDealing:
    dealing = match.snapshot_at(index).dealing
    assert isinstance(dealing, SealedDealing)
    return dealing


def check_leave(match: Match, index: int) -> bool:
    """What must hold of the leave at ``index``; whether the hand was played on."""
    entry, before, after = match.entries[index], match.snapshot_at(index - 1), match.snapshot_at(index)
    author = entry.statement.author
    seats = set(before.seats_of(author))
    assert all(after.setup.seats[seat].is_bot and after.setup.seats[seat].author != author for seat in seats)
    assert author in after.former_authors and author not in after.live and after.orderer in after.live
    if leaving(match.rules, before, author) != PLAYS_ON:
        assert entry.statement.body["sealed"] is None
        return False
    assert before.state.requests == ()
    assert seats <= after.state.absentees or asks_new_deck(after.state), "where it ended the hand, the next one begins"
    in_play = live(match.rules, after.state)
    deal, old = dealing_at(match, index).deal, dealing_at(match, index - 1).deal
    assert deal is not None and old is not None
    number = dealing_at(match, index).authors.index(author)
    assert number in old.peers and number not in deal.peers and number not in deal.keys
    assert in_play <= deal.cards.keys(), "what the rules count on can still be dealt"
    closed = {card for card in live(match.rules, before.state) - in_play if old.cards[card].face is None}
    assert closed.isdisjoint(deal.cards), "its hand is out of the deal"
    assert all(number not in card.shares for card in deal.cards.values() if card.face is None)
    for later, state, _ in match.story():
        if later.index > index:
            if not seats <= state.absentees:
                break
            assert not set(match.rules.to_act(state)) & seats
            assert closed.isdisjoint(state.public), "nobody ever saw it"
    return True


@pytest.mark.parametrize("game", MANY)
def test_the_others_play_the_hand_on(game: str) -> None:
    """Any peer at any time: also the one that orders, or is to act, or speaks for several seats."""
    played_on = 0
    for seed in (0, 2, 5, 6):
        rng = Random(f"{game} {seed}")
        net = network(game, 3 + seed % 3, 300 + seed, seats=4 if seed == 6 and 4 in rules_of(game).seat_counts else None)
        leaver = rng.choice(net.nodes)
        wants_to_go(net, leaver, rng.randrange(5, 60))
        assert net.run(lambda net=net, leaver=leaver: gone(net, leaver))  # type: ignore[misc]
        assert net.run(net.finished), seed
        check_finished(net)
        match = net.peers[0].match
        index = leave_of(match)
        if index is not None and check_leave(match, index):
            played_on += 1
            outcome = match.outcome
            assert outcome is not None and not outcome.unfinished
            assert not set(outcome.winners) & match.state.absentees
    assert played_on >= 2 or not rules_of(game).plays_on


def test_in_the_real_group_with_real_signatures() -> None:
    net = network(ONE_DEAL, 3, 310, group=SodiumGroup(), real_signatures=True)
    wants_to_go(net, net.nodes[1], 40)
    assert net.run(net.finished)
    check_finished(net)
    index = leave_of(net.peers[0].match)
    assert index is not None and check_leave(net.peers[0].match, index)


@pytest.mark.parametrize("game", MANY)
def test_leaves_among_faults(game: str) -> None:
    """Two go, on a network that loses and doubles messages, is cut in two and crashes devices."""
    net = network(game, 4, 320, replace(BAD, leaves=3))
    assert net.run(net.finished)
    check_finished(net)


# ---- when ----

def test_a_leave_waits_until_nothing_is_asked_for() -> None:
    """A peer that wants to leave gives the shares it owes, and leaves once the cards are there."""
    net = network(MANY_HANDS, 3, 330)
    node = net.nodes[1]
    assert net.run(lambda: bool(net.state().requests) and net.agreed() and peer_of(node).pending is None)
    match = peer_of(node).match
    assert leaving(match.rules, match.snapshot, node.author) == LATER
    wants_to_go(net, node, 0)
    assert leave_of(match) is None
    assert (peer_of(node).membership.is_leaving, peer_of(node).membership.leave_is_signed) == (True, False)
    asked = len(match.entries)
    assert net.run(lambda: gone(net, node))
    index = leave_of(match)
    assert index is not None and match.snapshot_at(index - 1).state.requests == ()
    assert any(entry.statement.author == node.author for entry in match.entries[asked:index]), "it gave what it owed"
    assert net.run(net.finished)
    check_finished(net)


def test_who_is_about_to_go_makes_no_move_and_may_stay_after_all() -> None:
    net = network(MANY_HANDS, 3, 331)
    node = net.nodes[1]
    assert net.run(lambda: bool(net.state().requests) and net.agreed())
    wants_to_go(net, node, 0)
    peer = peer_of(node)
    with pytest.raises(Refused, match=r"peers\.leaving"):
        peer.move(1, bare_move(peer.match.rules))
    peer.membership.stay()
    assert net.run(net.finished)
    check_finished(net)
    assert leave_of(peer.match) is None


def lose_what_is_said(net: Network, node: Node) -> None:
    """Nothing that ``node`` says reaches anybody."""
    net.meddle = lambda sender, to, data: None if sender == node.author and b'"t":"say"' in data else data


def test_a_leave_that_was_signed_is_not_taken_back_not_even_by_a_restart() -> None:
    """It may have reached another peer, with shares of every card that is still sealed."""
    net = network(ONE_DEAL, 3, 332)
    node = net.nodes[1]
    assert calm(net, node)
    lose_what_is_said(net, node)
    wants_to_go(net, node, 0)
    peer = peer_of(node)
    assert peer.pending is not None and peer.pending.kind == "leave"
    with pytest.raises(Refused, match=r"peers\.leaving"):
        peer.membership.stay()
    net.run(lambda: False, 3)
    peer._give_up("too late")
    net.run(lambda: False, 1)
    assert peer.pending is None or peer.pending.kind != "leave"
    node.peer = None
    again = node.start(net.genesis, restarted=True)
    assert (again.membership.is_leaving, again.membership.leave_is_signed) == (True, True)
    net.meddle = lambda sender, to, data: data
    assert net.run(net.finished)
    check_finished(net)
    assert leave_of(again.match) is not None


def test_a_leave_that_came_too_late_is_said_again() -> None:
    """A card was asked for while it was on its way: it names the wrong cards, and is nobody's misdeed."""
    late = 0
    for seed in (5, 10, 14):
        net = network(WIDEST, 3, 340 + seed, Faults(latency=0.8, jitter=0.4))
        node = net.nodes[seed % 3]
        wants_to_go(net, node, 20 + seed)
        assert net.run(lambda net=net, node=node: gone(net, node))  # type: ignore[misc]
        assert net.run(net.finished)
        check_finished(net)
        late += sum(statement.kind == "leave" for statement, _ in peer_of(node).rejections)
    assert late, "the tale this test tells has to happen"


# ---- who ----

@pytest.mark.parametrize("game", [MANY_HANDS, ONE_DEAL])
def test_who_orders_hands_the_order_on_with_the_leave_itself(game: str) -> None:
    net = network(game, 3, 350)
    net.run(lambda: len(net.peers[0].match.entries) >= 30 and net.agreed())
    node = next(node for node in net.nodes if peer_of(node).orders)
    wants_to_go(net, node, 0)
    assert net.run(lambda: gone(net, node))
    match = net.peers[0].match
    index = leave_of(match)
    assert index is not None and check_leave(match, index)
    assert match.snapshot_at(index - 1).orderer == node.author != match.snapshot_at(index).orderer
    net.nodes.remove(node)  # it need not be there any more
    assert net.run(net.finished)
    check_finished(net)


def test_several_go_at_once() -> None:
    net = network(MANY_HANDS, 5, 351)
    assert calm(net, net.nodes[1])
    for node in net.nodes[1:4]:
        wants_to_go(net, node, 0)
    assert net.run(net.finished)
    check_finished(net)
    leaves = [entry for entry in net.peers[0].match.entries if entry.statement.kind == "leave"]
    assert [entry.statement.author for entry in leaves].count(net.nodes[1].author) == 1 and len(leaves) == 3
    assert sum(check_leave(net.peers[0].match, entry.index) for entry in leaves) >= 2


@pytest.mark.parametrize("game", [MANY_HANDS, ONE_DEAL])
def test_with_two_devices_the_one_that_stays_does_not_play_on_alone(game: str) -> None:
    """It would hold all keys. The hand is dealt again with a bot, and a match of one deal ends."""
    net = network(game, 2, 352, seats=4)
    node = net.nodes[1]
    wants_to_go(net, node, 30)
    assert net.run(lambda: gone(net, node))
    assert net.run(net.finished)
    check_finished(net)
    match = net.peers[0].match
    index, outcome = leave_of(match), match.outcome
    assert index is not None and not check_leave(match, index) and outcome is not None
    assert outcome.unfinished == (not match.rules.several_hands)


def test_seats_of_bots_go_with_the_device_that_ran_them_and_the_heir_runs_them_from_the_next_deck() -> None:
    net = Network(MANY_HANDS, 3, 353, options=lasting(MANY_HANDS), seats=5)  # seats 0 and 3, 1 and 4, 2
    node = net.nodes[1]
    assert calm(net, node)
    peer = peer_of(node)
    peer.say("seat", {"seat": 4, "to": Seat("bot", node.author, "Bo", "hard").to_json()})
    net.flush(node)
    assert net.run(lambda: all(one.match.setup.seats[4].is_bot for one in net.peers) and net.agreed())
    assert calm(net, node)
    wants_to_go(net, node, 0)
    assert net.run(lambda: gone(net, node))
    match = net.peers[0].match
    index = leave_of(match)
    assert index is not None and check_leave(match, index) and match.snapshot_at(index).state.absentees == {1, 4}
    heir = match.entries[index].statement.body["heir"]
    assert match.setup.seats[4] == Seat("bot", heir, "Bo", "hard")
    assert net.run(net.finished)
    check_finished(net)
    acted = [entry.statement for entry in match.entries[index:] if entry.statement.kind == "move"]
    assert {statement.author for statement in acted if statement.body["seat"] in (1, 4)} == {heir}


def test_a_device_that_somebody_moved_to_leaves() -> None:
    net = network(ONE_DEAL, 3, 354, spectators=1)
    old, new = net.nodes[1], net.nodes[3]
    assert calm(net, old)
    move_device(net, old, new)
    wants_to_go(net, new, 0)
    assert net.run(lambda: gone(net, new))
    assert net.run(net.finished)
    check_finished(net)
    match = net.peers[0].match
    index = leave_of(match)
    assert index is not None and match.entries[index].statement.author == new.author and check_leave(match, index)


def test_who_left_takes_the_seat_back_with_the_next_hand() -> None:
    net = Network(MANY_HANDS, 3, 355, options=lasting(MANY_HANDS))
    node = net.nodes[1]
    wants_to_go(net, node, 40)
    assert net.run(lambda: gone(net, node))
    match = net.peers[0].match
    heir = next(one for one in net.nodes if one.author == match.setup.seats[1].author)
    assert net.run(lambda: peer_of(heir).ready and peer_of(heir).pending is None and net.agreed())
    player = Seat("person", node.author, "back")
    peer_of(heir).promise(1, player, peer_of(node).membership.agree_to(1, player))
    net.flush(heir)
    assert net.run(lambda: all(node.author in peer.live for peer in net.peers))
    length = len(match.entries)
    assert net.run(net.finished)
    check_finished(net)
    said = [entry.statement.kind for entry in match.entries[length:] if entry.statement.author == node.author]
    assert "move" in said and "leave" not in said, "it does not go again by itself"


def test_a_leave_that_was_on_its_way_when_its_author_was_declared_gone_is_forgotten() -> None:
    net = network(MANY_HANDS, 3, 356)
    peer = peer_of(net.nodes[1])
    assert calm(net, net.nodes[1])
    peer.state.set_pending(signed(net.nodes[1], "leave", {}))
    peer.membership.wants_to_leave = True
    peer.match.snapshot.former_authors = frozenset({peer.author})
    peer.work()
    kept, plays = peer.state.to_keep.statement, peer.takes_part
    assert not plays and kept is None
    peer.match.snapshot.former_authors = frozenset()
    peer.state.dead.clear()  # as soon as everybody holds what made it impossible
    assert [peer.takes_part, peer.membership.is_leaving] == [True, False]


def test_a_leave_of_before_its_author_was_declared_gone_counts_no_more_while_somebody_lacks_that() -> None:
    """Another one is away when it comes back and its seat is its own again: it does not go by itself."""
    table = RestingTable(357)
    node, orderer = table.waiting, table.orderer
    peer, setup = peer_of(node), table.match.setup
    peer.state.set_pending(signed(node, "leave", {}))
    assert peer.membership.leave_is_signed
    subject, end = subject_gone(node.author, orderer.author), end_of(peer.match)
    votes = [vote_of(voter, 1, subject, end) for voter in (orderer, table.third)]
    peer.state.append(first_entry(orderer, subject, 1, votes, len(peer.match.entries)))
    peer.work()
    assert not peer.takes_part and peer.pending is None
    peer.match.snapshot.former_authors, peer.match.snapshot.setup = frozenset(), setup  # the next hand has begun
    peer.tick(table.net.now + 2)
    assert peer.state.dead, "the third has not acknowledged that it was gone"
    assert [peer.takes_part, peer.membership.is_leaving] == [True, False]
    peer.membership.stay()


def test_a_leave_that_fell_away_counts_though_its_author_was_gone_before() -> None:
    """Whoever got it can read what comes to its author in this hand: that one plays no more."""
    table = RestingTable(358)
    node, orderer = table.waiting, table.orderer
    peer, setup = peer_of(node), table.match.setup
    subject, end = subject_gone(node.author, orderer.author), end_of(peer.match)
    votes = [vote_of(voter, 1, subject, end) for voter in (orderer, table.third)]
    peer.state.append(first_entry(orderer, subject, 1, votes, len(peer.match.entries)))
    peer.match.snapshot.former_authors, peer.match.snapshot.setup = frozenset(), setup  # the next hand has begun
    again = {"kind": "pass", "against": None, "order": orderer.author}
    votes = [vote_of(voter, 2, again, end_of(peer.match)) for voter in table.net.nodes]
    peer_of(orderer).match, peer_of(orderer).state.count = peer.match, 200
    peer.state.append(first_entry(orderer, again, 2, votes, len(peer.match.entries)))
    peer.state.set_pending(signed(node, "leave", {}))
    peer.state.cut(len(peer.match.entries) - 1)
    assert peer.takes_part and peer.pending is None and peer.membership.leave_is_signed
    peer.state.dead[:] = [DeadStatement(one.statement, len(peer.match.entries)) for one in peer.state.dead]
    assert peer.membership.leave_is_signed, "nor does a restart change that"


def test_a_leave_that_fell_away_before_its_author_was_gone_counts_no_more_whatever_falls_away_later() -> None:
    table = RestingTable(360)
    node, orderer = table.waiting, table.orderer
    peer, setup, length = peer_of(node), table.match.setup, len(table.match.entries)
    leave = signed(node, "leave", {}, head="1" * 64)
    subject, end = subject_gone(node.author, orderer.author), end_of(peer.match)
    votes = [vote_of(voter, 1, subject, end) for voter in (orderer, table.third)]
    peer.state.append(first_entry(orderer, subject, 1, votes, length))
    peer.match.snapshot.former_authors, peer.match.snapshot.setup = frozenset(), setup  # the next hand has begun
    peer_of(orderer).match, peer_of(orderer).state.count = peer.match, 200
    again = {"kind": "pass", "against": None, "order": orderer.author}
    votes = [vote_of(voter, 2, again, end_of(peer.match)) for voter in table.net.nodes]
    peer.state.append(first_entry(orderer, again, 2, votes, length + 1))
    peer.state.dead[:] = [DeadStatement(leave, length - 1)]
    assert peer.takes_part and not peer.membership.leave_is_signed
    peer.state.cut(length + 1)
    assert peer.takes_part and peer.state.dead and not peer.membership.leave_is_signed


def test_a_leave_that_fell_away_before_its_author_was_gone_counts_no_more_after_a_restart() -> None:
    table = RestingTable(361)
    node, orderer = table.waiting, table.orderer
    peer, setup, length = peer_of(node), table.match.setup, len(table.match.entries)
    subject, end = subject_gone(node.author, orderer.author), end_of(peer.match)
    votes = [vote_of(voter, 1, subject, end) for voter in (orderer, table.third)]
    peer.state.append(first_entry(orderer, subject, 1, votes, length))
    peer.match.snapshot.former_authors, peer.match.snapshot.setup = frozenset(), setup  # the next hand has begun
    peer.state.dead[:] = [DeadStatement(signed(node, "leave", {}, head="1" * 64), length - 1)]
    peer.state.has_signed = True
    _, _, kept = peer.state.take()
    assert kept is not None and peer.takes_part and not peer.membership.leave_is_signed
    dead = [Statement.from_json(one) for one in kept.dead]

    def counts(*lengths: int) -> bool:
        again = ReplicaState(node.identity, peer.state.authority, peer.match, peer.dealer,
                             dead=dead, dead_lengths=lengths)
        assert len(again.dead) == 1 and 0 < again.dead[0].length <= len(peer.match.entries)
        return Membership(again).leave_is_signed

    assert not counts(*kept.dead_lengths)
    assert counts(), "an older program did not store it: it may have been signed since"
    assert counts(10**9) and counts(10**9, 3) and not counts(-5)


@pytest.mark.parametrize("lengths", [(3,), ()])
def test_a_device_that_is_loaded_anew_knows_when_its_statements_died(lengths: tuple[int, ...]) -> None:
    table = RestingTable(362)
    node, match = table.net.nodes[1], table.match
    leave = signed(node, "leave", {}, head="1" * 64)
    device = ReplicaService(StandInGroup(), table.net.verifier, lambda seed: node.identity)
    device.call(calls.encode(calls.Identify("02" * 32)))
    kept = Pending(None, 90, (leave.to_json(),), None, None, lengths)
    device.call(calls.encode(calls.Join(tuple(entry.line for entry in match.entries), kept, True)))
    assert device._replica is not None
    assert device._replica.state.dead == [DeadStatement(leave, *(lengths or (len(match.entries),)))]


def test_a_leave_counts_though_its_author_promises_a_seat_behind_it() -> None:
    """Until the next deck it plays the hand of which the leave gave shares away."""
    table = RestingTable(359)
    node, third = table.waiting, table.third
    peer, seat, player = peer_of(node), table.seat(node), Seat("person", third.author, "next")
    peer.state.dead.append(DeadStatement(signed(node, "leave", {}), len(peer.match.entries)))  # it came too late
    body = peer.membership.seat_body(seat, player, peer_of(third).membership.agree_to(seat, player))
    peer.state.append(put(table.orderer, signed(node, "seat", body)))
    assert peer.match.promises and peer.takes_part and peer.membership.leave_is_signed


# ---- what comes after ----

def test_what_was_prepared_with_the_leaver_is_dropped_and_prepared_again_without_it() -> None:
    net = Network(MANY_HANDS, 3, 360, options=lasting(MANY_HANDS))

    def prepared() -> bool:
        ahead = net.peers[0].dealing.next_deck
        return net.agreed() and ahead is not None and not ahead.deal.requests and not net.state().requests

    assert net.run(prepared)
    node = net.nodes[1]
    wants_to_go(net, node, 0)
    assert net.run(lambda: gone(net, node))
    match = net.peers[0].match
    index = leave_of(match)
    assert index is not None and check_leave(match, index)
    before, after = dealing_at(match, index - 1).next_deck, dealing_at(match, index).next_deck
    assert before is not None and node.author in before.authors and after is None
    assert net.run(prepared)
    ahead = net.peers[0].dealing.next_deck
    assert ahead is not None and node.author not in ahead.authors and ahead.deal.number > before.deal.number
    assert net.run(net.finished)
    check_finished(net)


@pytest.mark.parametrize("game", [ONE_DEAL, MANY_HANDS])
def test_a_device_goes_on_from_any_entry_across_a_leave(game: str) -> None:
    """Whatever prefix of the log is on the disk, the leaver's own device and those of the others come to the same end."""
    net = network(game, 3, 361)
    wants_to_go(net, net.nodes[1], 35)
    assert net.run(net.finished)
    whole = list(net.nodes[0].disk.entries)
    index = leave_of(net.peers[0].match)
    assert index is not None and check_leave(net.peers[0].match, index)
    for number in (1, 2):
        node = net.nodes[number]
        known, saying = dict(peer_of(node).match.knowledge), node.disk.count
        for length in (*range(max(1, index - 6), min(index + 8, len(whole))), len(whole)):
            node.disk = Disk(whole[:length], None, saying)
            peer = node.start(net.genesis, restarted=True)
            for start in range(length, len(whole), BATCH):
                batch = [entry.to_json() for entry in whole[start:start + BATCH]]
                peer.receive(net.nodes[0].author, canonical({"t": "put", "e": batch}))
            assert peer.match.snapshot == net.peers[0].match.snapshot and dict(peer.match.knowledge) == known


def test_spectators_follow_across_a_leave_with_public_knowledge_only() -> None:
    net = network(ONE_DEAL, 3, 362, spectators=1)
    wants_to_go(net, net.nodes[0], 30)
    assert net.run(net.finished)
    check_finished(net)
    spectator = peer_of(net.nodes[3])
    assert leave_of(spectator.match) is not None and not spectator.match.knowledge


def test_no_undo_brings_back_who_left() -> None:
    net = network(MANY_HANDS, 3, 363)
    node = net.nodes[1]
    wants_to_go(net, node, 30)
    assert net.run(lambda: gone(net, node))
    match = net.peers[0].match
    index = leave_of(match)
    assert index is not None
    assert net.run(lambda: len(match.entries) > index + 3)
    for seat in range(3):
        refusal = match.undo_refusal(seat, index - 1)
        assert refusal is not None and refusal.key in ("kernel.undo.target", "kernel.undo.chance")


def test_who_left_says_nothing_more() -> None:
    net = network(ONE_DEAL, 3, 364)
    node = net.nodes[1]
    wants_to_go(net, node, 30)
    assert net.run(lambda: gone(net, node))
    peer = peer_of(node)
    assert not peer.ready and not peer.takes_part
    with pytest.raises(RuntimeError):
        peer.say("resign", {"seat": 1})
    with pytest.raises(Refused):
        peer.move(1, bare_move(peer.match.rules))
    with pytest.raises(Refused, match=r"kernel\.stranger"):
        peer.leave()
    length = len(peer.match.entries)
    assert net.run(net.finished)
    authors = [entry.statement.author for entry in peer.match.entries]
    assert node.author in authors[:length] and node.author not in authors[length:]
