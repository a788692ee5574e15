"""Log sync and sealed matches on a hostile network: whole matches under faults, who orders, leaving, restarting.

``--network-matches N`` sets how many seeded matches are played in all with the stand-in group (20 in CI, 1,000 for a night's
run; ``--slice 3/20`` plays the third of twenty parts, ``--network-seed 431`` one alone, again) and ``--sealed-matches N`` how
many with the real one (2 in CI, 50 for a night's run).
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tabletin.kernel.log import canonical
from tabletin.kernel.logfile import audit, export, load
from tabletin.kernel.match import Match
from tabletin.peers.replication.backfill import BATCH
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.registry import GAMES, rules_of
from tests.support.examples import MANY_HANDS, ONE_DEAL, game_for, one_a_family, unending
from tests.support.peer_matches import alter_client, check_finished, gone_after, is_altered, network, seeds
from tests.support.peer_sim import BAD, Disk, Network

PARTS = 6  # several workers share the matches


@pytest.mark.parametrize("part", range(PARTS))
def test_whole_matches_under_faults(part: int, network_matches: range, capsys: pytest.CaptureFixture[str]) -> None:
    """In one of three somebody goes politely, in another one two; in every tenth a client is altered, in each game in turn."""
    for game, peers, seed in seeds(network_matches[part::PARTS]):
        try:
            net = network(game, peers, seed, replace(BAD, leaves=seed % 3))
            if is_altered(seed):
                alter_client(net, seed)
            assert net.run(net.finished), "it did not come to an end"
            check_finished(net)
        except BaseException:
            with capsys.disabled():
                print(f"\n{game}, {peers} peers: replay with --network-seed {seed}")
            raise


def test_whole_matches_with_real_cryptography(sealed_matches: int) -> None:
    games = [(game, people) for people in (2, 3) for game in one_a_family(people)]
    for seed in range(sealed_matches):
        game, peers = games[seed % len(games)]
        net = network(game, peers, seed, group=SodiumGroup(), real_signatures=True)
        assert net.run(net.finished), f"replay with: {game}, {peers} peers, seed {seed}"
        check_finished(net)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_plays_through_the_sealed_dealer(game: str) -> None:
    net = network(game, 3, 1)
    assert net.run(net.finished)
    check_finished(net)


@pytest.mark.parametrize("game", GAMES)
def test_a_peer_knows_no_more_than_its_seats_were_shown(game: str) -> None:
    """Everything a peer ever learned privately was disclosed to one of its seats, by the log alone."""
    net = network(game, 3, 2)
    assert net.run(net.finished)
    for peer in net.peers:
        own = [seat for seat, player in enumerate(peer.match.setup.seats) if player.author == peer.author]
        mask = sum(1 << seat for seat in own)
        shown: set[int] = set()
        for _, state, _ in peer.match.story():
            shown |= {card for card, seats in state.viewers.items() if seats & mask}
        assert set(peer.match.knowledge) <= shown


def test_a_spectator_follows_with_public_knowledge_only() -> None:
    net = network(ONE_DEAL, 2, 3, spectators=1)
    assert net.run(net.finished)
    spectator = net.nodes[2].peer
    assert spectator is not None and not spectator.takes_part
    assert not spectator.match.knowledge
    assert spectator.match.state == net.nodes[0].peer.match.state  # type: ignore[union-attr]


def test_a_finished_match_exports_and_verifies_with_cards_nobody_opened() -> None:
    net = network(ONE_DEAL, 2, 4)
    assert net.run(net.finished)
    match = net.peers[0].match
    for other in net.peers[1:]:
        match.learn(other.match.knowledge)
    again = load(export(match), rules_of, begin=lambda genesis: Match(rules_of(ONE_DEAL), genesis, match.snapshot_at(0).dealing))
    assert again.state == match.state
    assert audit(again) == []


@pytest.mark.parametrize("seed", range(4))
def test_restart_at_any_entry_says_nothing_before_hearing_the_others(seed: int) -> None:
    net = network(ONE_DEAL, 3, seed)
    rng = Random(seed)
    for _ in range(4):
        goal = len(net.peers[0].match.entries) + rng.randrange(1, 20)
        net.run(lambda goal=goal: len(net.peers[0].match.entries) >= goal or net.finished())  # type: ignore[misc]
        node = rng.choice(net.nodes)
        node.peer = None
        peer = node.start(net.genesis, restarted=True)
        assert not peer.ready and not peer.outbox
        with pytest.raises(RuntimeError):
            peer.say("resign", {"seat": 0})
    assert net.run(net.finished)
    check_finished(net)


def test_a_device_goes_on_from_any_entry_it_has_stored() -> None:
    """Whatever prefix of the log is on the disk: it folds, catches up, and comes to the same end, with the same knowledge."""
    net = network(game_for(2), 2, 9)
    assert net.run(net.finished)
    node = net.nodes[1]
    whole, knowledge, saying = list(node.disk.entries), dict(net.peers[1].match.knowledge), node.disk.count
    for length in (*range(1, 12), *range(12, len(whole), 5), len(whole)):
        node.disk = Disk(whole[:length], None, saying)
        peer = node.start(net.genesis, restarted=True)
        assert len(peer.match.entries) == length and not peer.ready
        batches = range(length, len(whole), BATCH)
        for start in batches:
            peer.receive(net.nodes[0].author, canonical({"t": "put", "e": [e.to_json() for e in whole[start:start + BATCH]]}))
        assert peer.match.state == net.peers[0].match.state and dict(peer.match.knowledge) == knowledge
        net.flush(node)
        assert [entry.hash for entry in node.disk.entries] == [entry.hash for entry in whole]


def test_the_ordering_rotates_with_the_deal() -> None:
    net = Network(MANY_HANDS, 3, 5, options=unending(MANY_HANDS))
    assert net.run(lambda: net.agreed() and net.peers[0].dealing.deals > 3)
    orders = [entry for entry in net.peers[0].match.entries if entry.statement.kind == "order"]
    assert len(orders) >= net.peers[0].dealing.deals - 1


@pytest.mark.parametrize("node", range(3))
@pytest.mark.parametrize("game", one_a_family(3))
def test_a_peer_gone_for_good(game: str, node: int) -> None:
    """The others all agree, the hand is void; a game of hands deals again with a bot, a game of one deal is broken off."""
    net = network(game, 3, 6 + node)
    author = gone_after(net, node, 30)
    del net.nodes[node]
    net.run(lambda: False, seconds=30)
    assert not any(peer.match.former_authors for peer in net.peers), "nobody is declared gone by silence alone"
    for peer in net.peers:
        peer.choices.removals.add(author)
    assert net.run(net.finished)
    match = net.peers[0].match
    assert match.former_authors == {author}
    assert all(seat.author != author for seat in match.setup.seats)
    outcome = match.outcome
    assert outcome is not None and outcome.unfinished == (not rules_of(game).several_hands)


def test_with_two_peers_nobody_can_be_declared_gone() -> None:
    net = network(ONE_DEAL, 2, 7)
    author = gone_after(net, 1, 30)
    peer = net.nodes[0].peer
    assert peer is not None
    peer.choices.removals.add(author)
    length = len(peer.match.entries)
    net.nodes[0].peer.choices.timeouts.add(1)  # type: ignore[union-attr]
    net.run(lambda: False, seconds=60)
    assert not peer.match.former_authors and len(peer.match.entries) <= length + 1


def test_half_of_a_broken_network_does_not_go_on() -> None:
    net = network(ONE_DEAL, 4, 8)
    net.run(lambda: len(net.peers[0].match.entries) >= 30)
    sides = net.nodes[:2], net.nodes[2:]
    for one in sides[0]:
        for two in sides[1]:
            net._cut[frozenset((one.author, two.author))] = net.now + 100
    for side, other in (sides, sides[::-1]):
        for node in side:
            assert node.peer is not None
            node.peer.choices.removals |= {lost.author for lost in other}
    net.run(lambda: False, seconds=90)
    assert not any(peer.match.former_authors for peer in net.peers)
    for peer in net.peers:
        peer.choices.removals.clear()
    assert net.run(net.finished)
    check_finished(net)


def test_a_polite_leave_needs_nobodys_vote() -> None:
    net = network(MANY_HANDS, 3, 9)
    net.run(lambda: len(net.peers[0].match.entries) >= 40)
    node = net.nodes[1]
    assert net.run(lambda: node.peer is not None and node.peer.ready and node.peer.pending is None)
    assert node.peer is not None
    node.peer.leave()
    net.flush(node)
    assert net.run(lambda: all(node.author in peer.match.former_authors for peer in net.peers))
    net.nodes.remove(node)
    assert net.run(net.finished)


def test_a_seat_that_keeps_the_table_waiting_is_timed_out_by_all_others() -> None:
    net = network(ONE_DEAL, 3, 10)
    net.run(lambda: len(net.peers[0].match.entries) >= 30 and net.agreed() and not net.state().requests)
    slow = net.state().turn
    quiet = net.nodes[slow % 3]
    act = net.act
    net.act = lambda node: None if node is quiet else act(node)  # type: ignore[method-assign]
    before = len(net.peers[0].match.entries)
    net.run(lambda: False, seconds=20)
    assert all(entry.statement.kind != "timeout" for entry in net.peers[0].match.entries[before:])
    for node in net.nodes:
        if node is not quiet and node.peer is not None:
            node.peer.choices.timeouts.add(slow)
    assert net.run(lambda: any(e.statement.kind == "timeout" for e in net.peers[0].match.entries[before:]), 60)
    assert net.run(net.agreed)
    assert not any(peer.accusations for peer in net.peers)
