"""Epochs: who votes, what a vote promises, where a new epoch begins, what falls away, and who is passed over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.log import Entry, Statement, canonical, parse
from tabletin.kernel.setup import Seat
from tabletin.peers.replication.epoch_vote import EpochVote, votes_of
from tabletin.peers.replication.evidence import Accusation, judge
from tabletin.registry import rules_of
from tests.support.ballots import end_of, first_entry, node_of, refusal_of, subject_gone, vote_of
from tests.support.device_moves import calm, move_device, peer_of
from tests.support.examples import MANY_HANDS, lasting
from tests.support.forging import put, signed
from tests.support.peer_matches import check_finished, network
from tests.support.peer_sim import Faults, Network, Node


def proves(net: Network, accusation: Accusation) -> bool:
    again = Accusation.from_text(accusation.to_text())
    return judge(again, rules_of, net.verifier, net.checker) is not None


# ---- voters ----

def test_a_host_and_its_second_key_do_not_put_a_third_player_out() -> None:
    """The host's bot seat goes to a second key of its own. Keys of bots and new keys have no vote."""
    net = Network(MANY_HANDS, 3, 501, options=lasting(MANY_HANDS))
    host, second, victim = net.nodes
    seats = (net.setup.seats[0], replace(net.setup.seats[1], kind="bot", level="easy"), net.setup.seats[2])
    match = peer_of(host).match
    assert calm(net, host)
    snapshot = match.snapshot
    snapshot.voters = replace(net.setup, seats=seats).people
    assert snapshot.voters == {host.author, victim.author}
    subject = subject_gone(victim.author, snapshot.orderer if snapshot.orderer != victim.author else host.author)
    author = node_of(net, subject["order"])
    votes = [vote_of(node, 1, subject, end_of(match)) for node in (host, second)]
    entry = first_entry(author, subject, 1, votes, len(match.entries))
    assert refusal_of(match, entry) == "peers.no_majority"


def test_the_vote_goes_along_to_another_device_and_a_seat_handed_over_brings_none() -> None:
    net = Network(MANY_HANDS, 3, 502, options=lasting(MANY_HANDS), spectators=2)
    old, new, stranger = net.nodes[1], net.nodes[3], net.nodes[4]
    assert calm(net, old)
    move_device(net, old, new)
    match = peer_of(net.nodes[0]).match
    assert match.snapshot.voters == {net.nodes[0].author, new.author, net.nodes[2].author}
    assert calm(net, net.nodes[0], 0)
    player = Seat("person", stranger.author, "new")
    peer_of(net.nodes[0]).promise(0, player, peer_of(stranger).membership.agree_to(0, player))
    net.flush(net.nodes[0])
    assert net.run(lambda: all(stranger.author in peer.live for peer in net.peers) or net.finished())
    assert stranger.author in match.snapshot.live and stranger.author not in match.snapshot.voters


def test_nobody_is_voted_gone_who_is_there() -> None:
    net = network(MANY_HANDS, 3, 503)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    for node in net.nodes[:2]:
        peer_of(node).choices.removals.add(net.nodes[2].author)
    net.run(lambda: False, 30)
    assert not any(peer.match.former_authors or peer.state.promise for peer in net.peers)
    net.nodes[2].peer = None
    assert net.run(lambda: all(peer.match.former_authors for peer in net.peers), 60)


# ---- where an epoch begins ----

def split(seed: int) -> tuple[Network, Node, Node, Node, int]:
    """A match in which only the one that orders holds the last entry: the others are cut off from it."""
    net = network(MANY_HANDS, 3, seed, Faults(latency=0.05, jitter=0.02))
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    orderer = node_of(net, net.peers[0].match.orderer)
    one, other = (node for node in net.nodes if node is not orderer)
    for node in (one, other):
        net._cut[frozenset((orderer.author, node.author))] = net.now + 10_000
    seat = net.nodes.index(orderer)
    peer_of(orderer).say("seat", {"seat": seat, "to": peer_of(orderer).match.setup.seats[seat].to_json()})
    net.flush(orderer)
    return net, orderer, one, other, len(peer_of(orderer).match.entries) - 1


def heal(net: Network) -> None:
    net._cut.clear()


def test_who_was_voted_gone_at_an_older_head_lets_its_entry_fall_away() -> None:
    """B.6: two vote the third gone while its newest entry is on its way. It follows as a spectator; nobody is accused."""
    net, orderer, one, other, index = split(511)
    for node in (one, other):
        peer_of(node).choices.removals.add(orderer.author)
    assert net.run(lambda: all(peer_of(node).match.former_authors for node in (one, other)), 60)
    assert not peer_of(orderer).match.former_authors
    alone = peer_of(orderer).match.entries[index].hash
    heal(net)
    assert net.run(net.agreed, 60)
    peer = peer_of(orderer)
    assert peer.match.former_authors == {orderer.author} and not peer.takes_part
    assert all(entry.hash != alone for entry in peer.match.entries)
    assert [entry.hash for entry in orderer.disk.entries] == [entry.hash for entry in peer.match.entries]
    assert not any(peer.accusations for peer in net.peers)


def test_the_split_that_one_of_the_voters_held_ends_as_well() -> None:
    """The orderer's entry reached one voter before it went: the new epoch begins behind it."""
    net, orderer, one, other, index = split(512)
    entry = peer_of(orderer).match.entries[index]
    peer_of(one).receive(orderer.author, canonical({"t": "put", "e": [entry.to_json()]}))
    for node in (one, other):
        peer_of(node).choices.removals.add(orderer.author)
    assert net.run(lambda: all(peer_of(node).match.former_authors for node in (one, other)), 60)
    heal(net)
    assert net.run(net.agreed, 60)
    assert peer_of(other).match.entries[index].hash == entry.hash
    assert not any(peer.accusations for peer in net.peers)


def test_a_certificate_is_good_right_behind_the_newest_entry_that_a_voter_held() -> None:
    net = network(MANY_HANDS, 3, 513)
    assert calm(net, net.nodes[0])
    match = net.peers[0].match
    orderer = node_of(net, match.orderer)
    lost = next(node for node in net.nodes if node is not orderer)
    third = next(node for node in net.nodes if node not in (orderer, lost))
    subject, last = subject_gone(lost.author, orderer.author), len(match.entries)

    def refusal(votes: list[EpochVote], index: int = last, epoch: int = 1, what: dict[str, Any] = subject) -> str:
        return refusal_of(match, first_entry(orderer, what, epoch, votes, index))

    both = [vote_of(node, 1, subject, end_of(match)) for node in (orderer, third)]
    assert refusal(both) == ""
    behind = [both[0], vote_of(third, 1, subject, end_of(match, 3))]
    assert refusal(behind) == "", "who held less agrees to what the other held"
    older = [vote_of(node, 1, subject, end_of(match, 1)) for node in (orderer, third)]
    assert refusal(older) == "peers.votes_behind"
    assert refusal(older, last - 1) == ""
    elsewhere = [both[0], vote_of(third, 1, subject, (0, last - 2, "0" * 64))]
    assert refusal(elsewhere) == "peers.votes_behind"
    assert refusal(both[:1]) == "peers.votes_missing"
    assert refusal([*both, vote_of(lost, 1, subject, end_of(match))]) == "peers.votes_missing"
    assert refusal([both[0], replace(both[1], signature=both[0].signature)]) == "peers.vote_unsigned"
    assert refusal(both, epoch=2) == "peers.vote_unsigned"
    assert refusal([vote_of(node, 0, subject, end_of(match)) for node in (orderer, third)], epoch=0) == "peers.epoch_over"
    assert refusal(both, what={**subject, "then": "without"}) == "peers.vote_unsigned"


def test_a_new_epoch_with_a_used_counter_makes_nothing_fall_away() -> None:
    net, orderer, one, other, index = split(515)
    match = peer_of(orderer).match
    subject = subject_gone(orderer.author, one.author)
    votes = [vote_of(node, 1, subject, end_of(peer_of(node).match)) for node in (one, other)]
    entry = first_entry(one, subject, 1, votes, index)
    statement = replace(entry.statement, count=0)
    again = put(one, replace(statement, signature=one.identity.sign(statement.canonical_bytes)), index)
    assert match.refusal_at(index - 1, again.statement) is None, "but for its counter it is right"
    before = match.head
    peer_of(orderer).receive(one.author, canonical({"t": "put", "e": [again.to_json()]}))
    assert match.head == before and [found.culprit for found in peer_of(orderer).accusations] == [one.author]
    assert proves(net, peer_of(orderer).accusations[0])


def test_a_gone_in_the_old_form_is_no_way_around_the_voters() -> None:
    net = network(MANY_HANDS, 3, 514)
    assert calm(net, net.nodes[0])
    match = net.peers[0].match
    orderer = node_of(net, match.orderer)
    lost = next(node for node in net.nodes if node is not orderer)
    body = {"peer": lost.author, "order": orderer.author, "heir": orderer.author, "then": "bot", "votes": {}}
    refusal = match.refusal(signed(orderer, "gone", body))
    assert refusal is not None and refusal.key == "peers.gone_form"


# ---- promises ----

def test_a_promise_is_on_the_disk_before_it_is_sent_and_binds_after_a_restart() -> None:
    net, orderer, one, other, _ = split(521)

    def lose(sender: str, to: str, data: bytes) -> bytes | None:
        """One of the two votes and is not heard; the other hears no wish, and does not vote."""
        return None if b'"t":"ballot"' in data or (to == other.author and b'"t":"wish"' in data) else data

    net.meddle = lose
    for node in (one, other):
        peer_of(node).choices.removals.add(orderer.author)
    assert net.run(lambda: peer_of(one).state.promise is not None, 60)
    promise = peer_of(one).state.promise
    assert one.disk.promise == promise and promise is not None
    one.peer = None
    peer = one.start(net.genesis, restarted=True)
    assert peer.state.is_bound and not peer.ready
    heal(net)
    peer_of(other).choices.removals.clear()
    net.meddle = lambda sender, to, data: data
    assert net.run(lambda: net.agreed() and not any(peer.state.is_bound for peer in net.peers), 90)
    assert not net.peers[0].match.former_authors, "the one they missed is back, and nobody wants it gone any more"
    assert [entry.statement.kind for entry in net.peers[0].match.entries].count("pass") >= 1
    assert not any(peer.accusations for peer in net.peers)


def test_a_bound_voter_signs_nothing_of_an_older_epoch() -> None:
    net = network(MANY_HANDS, 3, 522)
    assert calm(net, net.nodes[0])
    node = next(node for node in net.nodes if not peer_of(node).orders)
    peer = peer_of(node)
    seen = end_of(peer.match)
    peer.state.set_promise(vote_of(node, 1, subject_gone("x", "y"), seen))
    said: list[dict[str, Any]] = []

    def listen(sender: str, to: str, data: bytes) -> bytes:
        if sender == node.author:
            said.append(parse(data))
        return data

    net.meddle = listen
    net.run(lambda: False, 4)
    assert said and not any(message["t"] in ("say", "put") for message in said)
    assert all(message["h"] == seen[2] for message in said if message["t"] == "head" and "sig" in message)


# ---- accusations ----

def test_two_votes_in_one_ballot_convict() -> None:
    net = network(MANY_HANDS, 3, 531)
    assert calm(net, net.nodes[0])
    cheat, *others = net.nodes
    match = peer_of(cheat).match
    one, other = (vote_of(cheat, 7, subject_gone(node.author, cheat.author), end_of(match)) for node in others)
    for vote in (one, other):
        peer_of(others[0]).receive(cheat.author, canonical({"t": "ballot", **vote.to_json()}))
    (accusation,) = peer_of(others[0]).accusations
    assert (accusation.why, accusation.culprit) == ("vote", cheat.author) and proves(net, accusation)
    net.flush(others[0])
    assert net.run(lambda: all(peer_of(node).accusations for node in others), 10)


@pytest.mark.parametrize("form", ["head", "statement", "place"])
def test_a_vote_that_hides_what_its_voter_held_convicts(form: str) -> None:
    """It acknowledged an entry, and voted as if it had never seen it: what all held would fall away."""
    net = network(MANY_HANDS, 3, 532)
    assert calm(net, net.nodes[0])
    net.act = lambda node: None  # type: ignore[method-assign]
    net.run(lambda: False, 3)
    match = net.peers[0].match
    cheat = node_of(net, match.orderer) if form == "place" else next(n for n in net.nodes if n.author != match.orderer)
    third, lost = (node for node in net.nodes if node is not cheat)
    order = match.orderer if match.orderer != lost.author else cheat.author
    subject = subject_gone(lost.author, order)
    back = 12
    votes = [vote_of(node, 1, subject, end_of(match, back)) for node in (cheat, third)]
    index = len(match.entries) - back
    entry = first_entry(node_of(net, order), subject, 1, votes, index)
    before = match.head
    peer_of(lost).receive(order, canonical({"t": "put", "e": [entry.to_json()]}))
    assert peer_of(lost).match.head == before, "what is settled does not fall away"
    accused = {accusation.culprit for accusation in peer_of(lost).accusations}
    assert cheat.author in accused
    assert all(accusation.why == "vote" and proves(net, accusation) for accusation in peer_of(lost).accusations)


def test_an_honest_ballot_convicts_nobody() -> None:
    """Votes and all that their authors signed before and after, held against each other."""
    net, orderer, one, other, _ = split(533)
    for node in (one, other):
        peer_of(node).choices.removals.add(orderer.author)
    assert net.run(lambda: all(peer_of(node).match.former_authors for node in (one, other)), 60)
    heal(net)
    assert net.run(net.agreed, 60)
    match = peer_of(one).match
    votes = [vote for entry in match.entries for vote in votes_of(entry)]
    assert votes
    for peer in net.peers:
        assert not peer._accusations.suspect_votes(votes)
        for vote in votes:
            for word in ([*end_of(match)[1:], "0" * 64], {"i": vote.end[1]}, match.entries[vote.end[1]].statement.to_json()):
                peer.receive(orderer.author, canonical({"t": "blame", "why": "vote", "x": [vote.to_json(), word]}))
        assert not peer.accusations


def test_who_begins_an_epoch_behind_more_than_it_held_as_it_voted_convicts_itself_of_nothing() -> None:
    """The one that ordered gave its last entries to one voter alone. The other one, which is to order, takes them in after it has
    voted; the statement with which it begins the epoch names the last of them."""
    net = network(MANY_HANDS, 3, 512)
    assert calm(net, net.nodes[0])
    silent = node_of(net, net.peers[0].match.orderer)
    first = node_of(net, peer_of(net.nodes[0]).state.orderer_without(silent.author))
    other = next(node for node in net.nodes if node not in (silent, first))
    votes: list[EpochVote] = []

    def meddle(sender: str, to: str, data: bytes) -> bytes | None:
        message = parse(data)
        if message["t"] == "ballot" and sender == first.author:
            votes.append(EpochVote.from_json({name: value for name, value in message.items() if name != "t"}))
        is_kept = to == first.author and message["t"] == "put" and not votes
        return None if is_kept else data

    net.meddle = meddle
    held = len(peer_of(first).match.entries)
    assert net.run(lambda: len(peer_of(other).match.entries) >= held + 2, 30)
    net.act = lambda node: None  # type: ignore[method-assign]
    silent.peer = None
    for node in (first, other):
        peer_of(node).choices.removals.add(silent.author)
    assert net.run(lambda: all(peer_of(node).match.former_authors for node in (first, other)), 60)
    match = peer_of(other).match
    begins = next(entry for entry in match.entries if entry.statement.kind == "gone")
    assert begins.statement.author == first.author and begins.index > votes[0].end[1] + 1
    for peer in (peer_of(first), peer_of(other)):
        assert not peer._accusations.suspect_votes(votes)
        exhibits = [votes[0].to_json(), begins.statement.to_json()]
        peer.receive(silent.author, canonical({"t": "blame", "why": "vote", "x": exhibits}))
        assert not peer.accusations
    framed = Accusation(first.author, "vote", tuple(match.entries[:begins.index]),
                        (votes[0].to_json(), begins.statement.to_json()))
    assert not proves(net, framed)


def test_places_of_two_epochs_at_one_index_are_no_fork() -> None:
    net, orderer, one, other, index = split(534)
    late = peer_of(orderer).match.entries[index]
    for node in (one, other):
        peer_of(node).choices.removals.add(orderer.author)
    assert net.run(lambda: all(peer_of(node).match.former_authors for node in (one, other)), 60)
    peer = peer_of(one)
    ours = peer.match.entries[index]
    peer.receive(orderer.author, canonical({"t": "put", "e": [late.to_json()]}))
    peer.receive(orderer.author, canonical({"t": "blame", "why": "fork", "x": [ours.to_json(), late.to_json()]}))
    assert not peer.accusations and peer.match.entries[index].hash == ours.hash
    framed = Accusation(orderer.author, "fork", tuple(peer.match.entries[:index]), (ours.to_json(), late.to_json()))
    assert not proves(net, framed)


# ---- what fell away ----

def test_what_an_author_said_in_a_part_that_fell_away_is_pending_again() -> None:
    _, orderer, _, _, index = split(541)
    peer = peer_of(orderer)
    said = peer.match.entries[index].statement
    peer.state.cut(index)
    assert peer.pending == said and peer.state.take()[0] == index
    assert peer.state.count == said.count + 1, "its counter stays used"


def test_what_died_by_an_entry_that_fell_away_is_pending_again_and_its_successor_dead() -> None:
    net, orderer, one, _, index = split(542)
    peer = peer_of(one)
    seat = net.nodes.index(one)
    body = {"seat": seat, "to": peer.match.setup.seats[seat].to_json()}
    first = replace(signed(one, "seat", body), count=peer.state.count)
    first = replace(first, signature=one.identity.sign(first.canonical_bytes))
    entry = peer_of(orderer).match.entries[index]
    peer.state.set_pending(first)
    peer.state.bury_pending()
    peer.receive(orderer.author, canonical({"t": "put", "e": [entry.to_json()]}))
    later = replace(first, count=first.count + 1, head=peer.match.head)
    later = replace(later, signature=one.identity.sign(later.canonical_bytes))
    peer.state.set_pending(later)
    peer.state.cut(index)
    assert peer.pending == first and [one.statement for one in peer.state.dead] == [later]


# ---- passing over ----

def test_an_orderer_that_withholds_is_passed_over_and_the_hand_goes_on() -> None:
    net = network(MANY_HANDS, 3, 551)
    assert net.run(lambda: net.agreed() and len(net.peers[0].match.entries) > 40)
    match = net.peers[0].match
    liar = match.orderer
    victim = next(node for node in net.nodes if node.author != liar)

    def withhold(sender: str, to: str, data: bytes) -> bytes | None:
        message = parse(data)
        mine = message.get("t") in ("say", "plea") and Statement.from_json(message["s"]).author == victim.author
        return None if to == liar and mine else data

    net.meddle = withhold
    assert net.run(lambda: any(entry.statement.kind == "pass" for entry in match.entries), 200)
    assert match.orderer != liar or match.snapshot.deals > 1
    assert net.run(net.finished)
    check_finished(net)
    assert not match.former_authors, "nobody went for it"


def test_two_devices_decide_nothing_against_each_other() -> None:
    net = network(MANY_HANDS, 2, 552)
    assert net.run(lambda: net.agreed() and len(net.peers[0].match.entries) > 30)
    match = net.peers[0].match
    liar = match.orderer
    net.meddle = lambda sender, to, data: None if to == liar and b'"t":"say"' in data else data
    net.run(lambda: False, 120)
    assert not any(peer.state.promise for peer in net.peers)
    assert all(entry.statement.kind != "pass" for entry in match.entries)


# ---- the order goes round ----

def test_who_keeps_the_order_when_the_deal_is_anothers_is_refused_everywhere() -> None:
    net = Network(MANY_HANDS, 3, 562, options=lasting(MANY_HANDS))
    held: list[Entry] = []

    def is_due() -> bool:
        return any(peer.match.snapshot.must_order and peer.orders for peer in net.peers)

    for node in net.nodes:
        peer = peer_of(node)
        owed = peer._owed
        peer._owed = lambda owed=owed: None if (found := owed()) is not None and found[0] == "order" else found  # type: ignore
    assert net.run(is_due, 2000)
    net.run(lambda: False, 3)
    match = next(peer.match for peer in net.peers if peer.orders)
    assert match.snapshot.must_order == match.snapshot.due_orderer != match.orderer
    orderer = node_of(net, match.orderer)
    seat = net.nodes.index(orderer)
    statement = signed(orderer, "seat", {"seat": seat, "to": match.setup.seats[seat].to_json()})
    refusal = match.refusal(statement)
    assert refusal is not None and refusal.key == "peers.order_due"
    entry = put(orderer, statement)
    witness = next(node for node in net.nodes if node is not orderer)
    peer_of(witness).receive(orderer.author, canonical({"t": "put", "e": [entry.to_json()]}))
    (accusation,) = peer_of(witness).accusations
    assert (accusation.why, accusation.culprit) == ("place", orderer.author) and proves(net, accusation)
    assert not held
