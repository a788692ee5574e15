"""A seat on another device: a person goes on elsewhere in the middle of a hand, somebody who was gone comes back, and going
on without somebody."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat
from tabletin.peers.replication.authority import device_agreement
from tabletin.peers.replication.replica import Replica
from tabletin.peers.replication.successor import successor_setup
from tabletin.peers.sealed import wire
from tabletin.peers.sealed.group import Stream
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.handover import WrappedKey, offer, offer_secret, unwrap, wrap
from tabletin.peers.worker.progress import progress_of
from tests.support.ballots import end_of, first_entry, node_of, subject_gone, vote_of
from tests.support.device_moves import calm, move_device, peer_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, lasting, one_a_family, unending
from tests.support.peer_matches import check_finished, network
from tests.support.peer_sim import BAD, Faults, Network, Node
from tests.support.resting_table import RestingTable


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("game", one_a_family(3))
def test_a_person_goes_on_from_another_device_in_the_middle_of_a_hand(game: str, number: int) -> None:
    net = network(game, 3, 86, spectators=1)
    old, new = net.nodes[number], net.nodes[3]
    assert calm(net, old)
    seats = [seat for seat, player in enumerate(peer_of(old).match.setup.seats) if player.author == old.author]
    held = peer_of(old).match.view(seats).faces
    move_device(net, old, new)
    match = peer_of(new).match
    assert held and held.items() <= match.view(seats).faces.items(), "it reads the cards that were shown to the other"
    assert all(seat.author != old.author for seat in match.setup.seats)
    with pytest.raises(RuntimeError):
        peer_of(old).say("resign", {"seat": seats[0]})
    assert net.run(net.finished)
    check_finished(net)
    assert any(entry.statement.author == new.author for entry in match.entries)
    last = next(entry.index for entry in match.entries if entry.statement.kind == "device")
    assert all(entry.statement.author != old.author for entry in match.entries[last + 1:])


def test_under_faults_and_there_and_back_again() -> None:
    net = Network(MANY_HANDS, 3, 82, options=lasting(MANY_HANDS), faults=replace(BAD, crashes=0), spectators=1)
    old, new = net.nodes[1], net.nodes[3]
    assert calm(net, old)
    move_device(net, old, new)
    assert calm(net, new)
    move_device(net, new, old)
    assert net.run(net.finished)
    check_finished(net)


def test_nobody_goes_on_elsewhere_while_a_seat_is_promised_here() -> None:
    """The old device would have that seat with the next deck, though its person plays on the new one."""
    net = Network(MANY_HANDS, 3, 512, seats=4, spectators=1, options=unending(MANY_HANDS))
    giver, old, new = net.nodes[0], net.nodes[1], net.nodes[3]
    assert calm(net, giver)
    seat = peer_of(giver).match.snapshot.seats_of(giver.author)[-1]
    player = Seat("person", old.author, "K")
    peer_of(giver).promise(seat, player, peer_of(old).membership.agree_to(seat, player))
    net.flush(giver)
    assert net.run(lambda: seat in peer_of(old).match.promises)
    with pytest.raises(Refused, match=r"peers\.device_promised"):
        peer_of(old).move_to(peer_of(new).membership.offer(old.author))
    assert net.run(lambda: net.agreed() and not net.peers[0].match.promises) and calm(net, old)
    move_device(net, old, new)
    assert net.peers[0].match.snapshot.seats_of(new.author) == (1, 3)


def test_the_new_device_restarts_from_what_it_has_stored() -> None:
    net = network(ONE_DEAL, 3, 83, spectators=1)
    old, new = net.nodes[0], net.nodes[3]
    assert calm(net, old)
    move_device(net, old, new)
    known = dict(peer_of(new).match.knowledge)
    new.peer = None
    new.start(net.genesis, restarted=True)
    assert known.items() <= peer_of(new).match.knowledge.items() and known
    assert net.run(net.finished)
    check_finished(net)


def test_nobody_else_reads_what_was_handed_over() -> None:
    """The key in the log is for the device that made the offer; everybody else's guess is another number."""
    net = network(ONE_DEAL, 3, 84, spectators=1)
    old, new = net.nodes[1], net.nodes[3]
    assert calm(net, old)
    move_device(net, old, new)
    dealing = peer_of(new).dealing
    peer = dealing.authors.index(new.author)
    deal = dealing.deal
    assert deal is not None
    base = deal.group.base
    assert deal.group.sum([(new.dealer._received_secret(dealing, peer) or 0, base)]) == deal.keys[peer]
    for other in net.nodes[:3]:
        guess = other.dealer._received_secret(dealing, peer)
        assert guess is not None and deal.group.sum([(guess, base)]) != deal.keys[peer]
        other.dealer._unwrapped = None
    secret = peer_of(old).dealer._party(replace_author(dealing, peer, old.author))._secret(deal)
    assert all(secret.to_bytes(32, "little") not in data and secret.to_bytes(32, "little").hex().encode() not in data
               for _, _, data in net.sent)


def replace_author(dealing: Any, peer: int, author: str) -> Any:
    twin = dealing.copy()
    twin.authors = (*dealing.authors[:peer], author, *dealing.authors[peer + 1:])
    twin._wrapped = {}
    return twin


def test_the_device_that_offered_unwraps_in_the_real_group() -> None:
    group = SodiumGroup()
    secret = offer_secret(b"s" * 32, (b"match", b"old"))
    wrapped = wrap(group, b"ctx", 12345, offer(group, secret), Stream(b"seed" * 8, b"ctx"))
    again = WrappedKey.from_bytes(group, wrapped.to_bytes())
    assert unwrap(group, b"ctx", secret, again) == 12345
    assert unwrap(group, b"other", secret, again) != 12345
    assert unwrap(group, b"ctx", secret + 1, again) != 12345
    for data in (b"", wrapped.to_bytes()[:-1], bytes(64), wrapped.to_bytes()[:32] + b"\xff" * 32):
        with pytest.raises(wire.MalformedMessage):
            WrappedKey.from_bytes(group, data)


def refusal(peer: Replica, kind: str, body: dict[str, Any]) -> str:
    with pytest.raises(Refused) as caught:
        peer.say(kind, body)
    return str(caught.value.refusal.key)


def test_a_seat_moves_only_with_both_signatures_and_for_this_deal() -> None:
    net = network(ONE_DEAL, 3, 85, spectators=2)
    old, new, stranger = net.nodes[1], net.nodes[3], net.nodes[4]
    assert calm(net, old)
    peer = peer_of(old)
    good = peer_of(new).membership.offer(old.author)
    deal, key = old.dealer.hand_over(peer.current_dealing, good.point)
    whole = {**good.to_json(), "deal": deal, "key": key}
    assert refusal(peer, "device", {**whole, "agreed": "0" * 128}) == "peers.seat_not_agreed"
    not_its = peer_of(stranger).membership.offer(old.author).consent
    assert refusal(peer, "device", {**whole, "agreed": not_its}) == "peers.seat_not_agreed"
    assert refusal(peer, "device", {**whole, "to": stranger.author}) == "peers.seat_not_agreed"
    other = net.nodes[2]
    agreed = other.identity.sign(device_agreement(peer.match.id, old.author, other.author, good.point))
    assert refusal(peer, "device", {**whole, "to": other.author, "agreed": agreed}) == "peers.device_taken"
    assert refusal(peer, "device", {**whole, "deal": 7}) == "peers.device_late"
    assert refusal(peer, "device", {**whole, "deal": None, "key": None}) == "peers.device_late"
    assert refusal(peer, "device", {**whole, "key": "AAAA"}) == "sealed.malformed"
    assert refusal(peer, "device", good.to_json()) == "peers.device_form"
    assert refusal(peer, "seat", {"seat": 1, "to": Seat("person", new.author).to_json()}) == "peers.seat_stays"
    assert refusal(peer, "seat", {"seat": 1, "to": Seat("person", new.author).to_json(), "agreed": "0" * 128}) \
        == "peers.seat_not_agreed"
    assert not peer.accusations and peer.pending is None


@pytest.mark.parametrize(("to", "key"), [
    (Seat("bot", "", "A\u202eda", "easy"), "kernel.seat_name"), (Seat("person", "", "A\u2028da"), "kernel.seat_name"),
    (Seat("bot", "", "Bo", "godlike"), "kernel.seat_level"), (Seat("person", "", "Bo", "", "url(x)"), "kernel.seat_colour")])
def test_a_seat_that_no_page_could_show_is_refused(to: Seat, key: str) -> None:
    net = network(ONE_DEAL, 2, 85)
    assert calm(net, net.nodes[0])
    peer = net.peers[0]
    mine = next(index for index, seat in enumerate(peer.match.setup.seats) if seat.author == peer.author)
    assert refusal(peer, "seat", {"seat": mine, "to": replace(to, author=peer.author).to_json()}) == key


def test_somebody_who_was_gone_takes_the_seat_back_with_the_next_hand() -> None:
    net = Network(MANY_HANDS, 3, 87, options=lasting(MANY_HANDS), faults=Faults(jitter=0.1))
    lost = net.nodes[1]
    net.run(lambda: len(net.peers[0].match.entries) >= 30)
    lost.peer = None
    net.nodes.remove(lost)
    for peer in net.peers:
        peer.choices.removals.add(lost.author)
    assert net.run(lambda: all(peer.match.former_authors for peer in net.peers))
    for peer in net.peers:
        peer.choices.removals.clear()
    net.nodes.append(lost)
    back = lost.start(net.genesis, restarted=True)
    net.later(0.1, net._ticker(lost))
    assert net.run(lambda: net.agreed() and lost.author in back.match.former_authors)
    heir = next(node for node in net.nodes if node.author == back.match.setup.seats[1].author)
    assert calm(net, heir, 0)
    again = Seat("person", lost.author, "back")
    peer_of(heir).promise(1, again, back.membership.agree_to(1, again))
    net.flush(heir)
    assert net.run(lambda: all(peer.match.promises for peer in net.peers))
    assert lost.author not in back.live, "not in this hand"
    assert net.run(lambda: all(lost.author in peer.live for peer in net.peers) or net.finished())
    assert back.takes_part and not back.match.former_authors and back.match.setup.seats[1].kind == "person"
    assert net.run(net.finished)
    check_finished(net)
    assert any(entry.statement.author == lost.author for entry in back.match.entries[60:])


def test_one_agreement_is_good_for_one_absence() -> None:
    """Who left, came back and left again is not drawn in once more by what it signed the first time."""
    net = Network(MANY_HANDS, 3, 355, options=lasting(MANY_HANDS))
    node = net.nodes[1]
    again = Seat("person", node.author, "back")

    def leave() -> Node:
        assert net.run(lambda: peer_of(node).ready and peer_of(node).pending is None and len(peer_of(node).match.entries) > 30)
        peer_of(node).leave()
        net.flush(node)
        assert net.run(lambda: net.agreed() and node.author in net.peers[0].match.former_authors)
        heir = node_of(net, net.peers[0].match.setup.seats[1].author)
        assert net.run(lambda: peer_of(heir).ready and peer_of(heir).pending is None and net.agreed())
        return heir

    heir = leave()
    agreed = peer_of(node).membership.agree_to(1, again)
    for other in (replace(again, kind="bot", level="easy"), replace(again, name="Loser")):
        assert refusal(peer_of(heir), "seat", {"seat": 1, "to": other.to_json(), "agreed": agreed}) == "peers.seat_not_agreed"
    peer_of(heir).promise(1, again, agreed)
    net.flush(heir)
    assert net.run(lambda: all(node.author in peer.live for peer in net.peers))
    heir = leave()
    assert refusal(peer_of(heir), "seat", {"seat": 1, "to": again.to_json(), "agreed": agreed}) == "peers.seat_not_agreed"
    peer_of(heir).promise(1, again, peer_of(node).membership.agree_to(1, again))
    net.flush(heir)
    assert net.run(lambda: all(node.author in peer.live for peer in net.peers))


@pytest.mark.parametrize("game", one_a_family(3))
def test_the_others_may_end_the_match_to_go_on_without_somebody(game: str) -> None:
    net = network(game, 3, 87)
    net.run(lambda: len(net.peers[0].match.entries) >= 30)
    lost = net.nodes.pop(1)
    for number, peer in enumerate(net.peers):
        peer.choices.removals.add(lost.author)
        if number:
            peer.choices.ending_removals.add(lost.author)
    net.run(lambda: False, 20)
    assert not any(peer.match.former_authors for peer in net.peers), "they have to want the same"
    for peer in net.peers:
        peer.choices.ending_removals.add(lost.author)
    assert net.run(net.finished)
    outcome = net.peers[0].match.outcome
    assert outcome is not None and outcome.unfinished
    check_finished(net)


@pytest.mark.parametrize("then", ["without", "bot"])
def test_a_leaver_neither_ends_the_match_nor_voids_the_hand(then: str) -> None:
    """Who goes says so by leaving; declaring oneself gone is not for oneself."""
    net = network(MANY_HANDS, 3, 88)
    assert calm(net, net.nodes[1])
    peer = peer_of(net.nodes[1])
    order = peer.match.orderer if peer.match.orderer != peer.author else net.nodes[2].author
    body = {"peer": peer.author, "order": order, "heir": order, "then": then, "epoch": 1, "votes": {}}
    assert refusal(peer, "gone", body) == "peers.not_ordering"


@pytest.mark.parametrize(("game", "peers"), [(MANY_HANDS, 4), (ONE_DEAL, 3), (ONE_DEAL, 2)])
def test_those_who_are_left_come_to_the_same_new_match(game: str, peers: int) -> None:
    net = network(game, peers, 89)
    net.run(lambda: len(net.peers[0].match.entries) >= 30)
    assert successor_setup(net.peers[0].match) is None, "while it is played there is nothing to go on from"
    lost = net.nodes.pop(1)
    for peer in net.peers:
        peer.choices.removals.add(lost.author)
        peer.choices.ending_removals.add(lost.author)
    if peers == 2:
        net.run(lambda: False, 30)
        assert successor_setup(net.peers[0].match) is None
        return
    assert net.run(net.finished)
    setups = [successor_setup(peer.match) for peer in net.peers]
    assert setups[0] is not None and all(setup == setups[0] for setup in setups)
    assert [seat.author for seat in setups[0].seats] == [seat.author for seat in net.setup.seats if seat.author != lost.author]
    assert setups[0].extra["after"] == setups[0].nonce == net.peers[0].match.head
    assert len(setups[0].extra["stood"]) == len(setups[0].seats)
    rules = type(net.peers[0].match.rules)(len(setups[0].seats), setups[0].options)
    assert rules.start().requests


def test_a_ballot_behind_the_end_leads_to_no_other_new_match() -> None:
    """Somebody was bound by a vote of before; some had heard of the new match by then, and others ask for it afterwards."""
    table = RestingTable(89, peers=4)
    orderer, lost = table.orderer, table.third
    match = peer_of(orderer).match
    others = [node for node in table.net.nodes if node is not lost]
    gone = {**subject_gone(lost.author, orderer.author), "then": "without"}
    nobody = {"kind": "pass", "against": None, "order": orderer.author}
    setups = []
    for epoch, subject in ((1, gone), (2, nobody)):
        votes = [vote_of(node, epoch, subject, end_of(match)) for node in others]
        entry = first_entry(orderer, subject, epoch, votes, len(match.entries))
        for node in others:
            peer_of(node).state.append(entry)
        setups.append(successor_setup(match))
    assert match.entries[-1].statement.kind == "pass"
    assert setups[0] is not None and setups[1] == setups[0] and setups[0].nonce == match.entries[-2].hash


def moves_at(game: str, entries: int) -> str:
    """Play a match in which somebody moves to another device as soon as ``entries`` stand and nothing of its own is on the
    way; what was being dealt then."""
    net = network(game, 3, 90 + entries, spectators=1)
    old, new = net.nodes[entries % 3], net.nodes[3]
    act = net.act
    found: list[str] = []

    def go(node: Node) -> None:
        peer = peer_of(node)
        if node is old and not found and len(peer.match.entries) >= entries and peer.ready and peer.pending is None:
            found.append(progress_of(peer).what)
            peer.move_to(peer_of(new).membership.offer(old.author))
        else:
            act(node)

    net.act = go  # type: ignore[method-assign]
    assert net.run(net.finished)
    check_finished(net)
    assert any(entry.statement.kind == "device" for entry in peer_of(new).match.entries) or peer_of(old).rejections
    return found[0]


@pytest.mark.parametrize("game", one_a_family(3))
def test_a_person_goes_on_elsewhere_at_any_moment_of_dealing(game: str) -> None:
    """Before its key is said, between the shuffles, while shares are owed: the deal goes on with the new device."""
    assert {"", "shuffle"} <= {moves_at(game, entries) for entries in (1, 4, 6, 10, 16, 25, 37)}
