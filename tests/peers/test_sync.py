"""Log sync and sealed matches on a hostile network: whole matches under faults, leaving, restarting, hostile messages.

``--network-matches N`` sets how many seeded matches are played in all with the stand-in group (30 in CI, 1,000 for a night's
run; ``--slice 3/20`` plays the third of twenty parts, ``--network-seed 431`` one alone, again) and ``--sealed-matches N`` how
many with the real one (3 in CI, 50 for a night's run).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tabletin.games import GAMES, rules_of
from tabletin.kernel.log import Entry, Statement, canonical, parse
from tabletin.kernel.openform import audit, export, load
from tabletin.kernel.options import Refused
from tabletin.peers.following import BATCH
from tabletin.peers.peer import MOST_MESSAGE, Peer
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tests.peers.network import BAD, Disk, Faults, Network

QUICK: dict[str, dict[str, Any]] = {  # matches of a few hands
    "teeth-time": {"hands": 1}, "dominoes": {"target": 20}, "matador": {"target": 20}, "tiddle-a-wink": {"target": 20},
    "toot-speed": {"target": 1},
}
DEFAULT_FAULTS = Faults()
HARMLESS = {"peers.not_ordering", "kernel.log.counter", "peers.too_far_ahead", "peers.again"}  # what faults alone bring about


def seats_of(game: str) -> range:
    return rules_of(game).seat_counts


def network(game: str, peers: int, seed: int, faults: Faults = DEFAULT_FAULTS, **more: Any) -> Network:
    peers = min(peers, seats_of(game).stop - 1)
    return Network(game, peers, seed, options=QUICK.get(game, {}), faults=faults, **more)


def seeds(numbers: range) -> Iterator[tuple[str, int, int]]:
    """The cases with these numbers, over all games and 2–10 peers."""
    games = list(GAMES)
    for seed in numbers:
        game = games[seed % len(games)]
        yield game, 2 + (seed * 7 + seed // len(games)) % 9, seed


def check_finished(net: Network) -> None:
    """All hold the same finished log, which stands on its own; nobody is accused and no honest word is held for wrong."""
    first = net.peers[0].match
    for peer in net.peers:
        assert peer.match.head == first.head
        assert peer.match.state == first.state
        assert peer.match.outcome == first.outcome
        assert not peer.accusations, [(a.why, a.exhibits) for a in peer.accusations]
        assert set(peer.refused) <= HARMLESS, peer.refused
    for node in net.nodes:
        assert [entry.hash for entry in node.disk.entries] == [entry.hash for entry in first.entries], "nothing is lost"


def test_whole_matches_under_faults(network_matches: range, capsys: pytest.CaptureFixture[str]) -> None:
    for game, peers, seed in seeds(network_matches):
        try:
            net = network(game, peers, seed, BAD)
            assert net.run(net.finished), "it did not come to an end"
            check_finished(net)
        except BaseException:
            with capsys.disabled():
                print(f"\n{game}, {peers} peers: replay with --network-seed {seed}")
            raise


def test_whole_matches_with_real_cryptography(sealed_matches: int) -> None:
    small = [("teeth", 2), ("iota", 2), ("toot-pursuit", 2), ("dominoes", 3), ("toot-fluke", 3), ("toot-progressive", 2)]
    for seed in range(sealed_matches):
        game, peers = small[seed % len(small)]
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
        own = [seat for seat, player in enumerate(peer.match.setup.seats) if player.by == peer.author]
        mask = sum(1 << seat for seat in own)
        shown: set[int] = set()
        for _, state, _ in peer.match.story():
            shown |= {card for card, seats in state.seen.items() if seats & mask}
        assert set(peer.match.knowledge) <= shown


def test_a_spectator_follows_with_public_knowledge_only() -> None:
    net = network("iota", 2, 3, spectators=1)
    assert net.run(net.finished)
    spectator = net.nodes[2].peer
    assert spectator is not None and not spectator.takes_part
    assert not spectator.match.knowledge
    assert spectator.match.state == net.nodes[0].peer.match.state  # type: ignore[union-attr]


def test_a_finished_match_exports_and_verifies_with_cards_nobody_opened() -> None:
    net = network("iota", 2, 4)
    assert net.run(net.finished)
    match = net.peers[0].match
    for other in net.peers[1:]:
        match.learn(other.match.knowledge)
    again = load(export(match), rules_of, lambda setup: match.at(0).dealing)
    assert again.state == match.state
    assert audit(again) == []


@pytest.mark.parametrize("seed", range(4))
def test_restart_at_any_entry_says_nothing_before_hearing_the_others(seed: int) -> None:
    net = network("iota", 3, seed)
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
    net = network("teeth", 2, 9)
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
        assert [entry.hash for entry in node.disk.entries] == [entry.hash for entry in whole]


def test_who_comes_first_in_the_log_comes_first() -> None:
    """In a race both seats call; the order of the log decides, the other call is refused, and nobody is accused of it."""
    net = Network("toot-speed", 3, 12, options=QUICK["toot-speed"], faults=Faults(jitter=0.3))
    late = 0
    said: dict[str, Statement] = {}

    def meddle(sender: str, to: str, data: bytes) -> bytes:
        message = parse(data)
        if message.get("t") == "say":
            said.setdefault(Statement.from_json(message["s"]).hash, Statement.from_json(message["s"]))
        return data

    net.meddle = meddle
    assert net.run(net.finished)
    check_finished(net)
    match = net.peers[0].match
    placed = {entry.statement.hash: entry for entry in match.entries}
    for entry in match.entries[1:]:
        head = match.index_of(entry.statement.head)
        assert head is not None
        late += entry.statement.kind == "move" and entry.index > head + 1  # others came between, and it stood all the same
    for statement in (one for one in said.values() if one.hash not in placed):
        head = match.index_of(statement.head)
        assert head is not None and match.refusal_at(head, statement) is None, "right when it was said, too late when it came"
    assert late


def test_a_false_claim_is_found_when_the_hand_is_opened() -> None:
    """A changed program draws although it could play. The table has to believe it until the hands are counted; then every peer
    finds the same liar in the same log, and so does the audit of the exported file."""
    net = Network("dominoes", 3, 20, options={"target": 60})
    cheat = net.nodes[1]
    cheated: list[int] = []
    act = net.act

    def lie(node: Any) -> None:
        peer = node.peer
        if node is cheat and not cheated and peer is not None and peer.ready and peer.saying is None:
            match = peer.match
            able = 1 in match.rules.to_act(match.state) and match.state.pile and any(
                move[0] == "lay" for move in match.rules.moves(match.state, 1, match.view((1,)).faces))
            if able and match.rules.verdict(match.state, 1, ("draw",)) is None:
                peer.say("move", {"seat": 1, "do": ("draw",), "open": []})
                cheated.append(len(match.entries))
                return
        act(node)

    net.act = lie  # type: ignore[method-assign]
    assert net.run(lambda: bool(cheated), 2000)
    caught: dict[str, Any] = {}

    def everybody_knows() -> bool:
        for peer in net.peers:
            state = peer.match.state
            if state.counted is not None and state.counted.liars:
                caught[peer.author] = state.counted.liars, state.counted.points[1] < 0
        return len(caught) == 3

    assert net.run(everybody_knows, 3000)
    assert set(caught.values()) == {((1,), True)}
    assert not any(peer.accusations for peer in net.peers), "a lie costs points; nothing that was signed is wrong"


def test_the_ordering_rotates_with_the_deal() -> None:
    net = Network("dominoes", 3, 5, options={"target": 100})
    assert net.run(net.finished)
    orders = [entry for entry in net.peers[0].match.entries if entry.statement.kind == "order"]
    deals = net.peers[0].dealing.deals
    assert deals > 1 and len(orders) >= deals - 1


def gone_after(net: Network, node: int, entries: int) -> str:
    """Run until ``entries`` entries stand, then switch ``node`` off for good; its author."""
    net.run(lambda: len(net.peers[0].match.entries) >= entries)
    net.nodes[node].peer = None
    return net.nodes[node].author


@pytest.mark.parametrize("node", range(3))
@pytest.mark.parametrize("game", ["iota", "dominoes", "toot-progressive"])
def test_a_peer_gone_for_good(game: str, node: int) -> None:
    """The others all agree, the hand is void; a game of hands deals anew with a bot, a game of one deal is broken off."""
    net = network(game, 3, 6 + node)
    author = gone_after(net, node, 30)
    del net.nodes[node]
    net.run(lambda: False, seconds=30)
    assert not any(peer.match.gone for peer in net.peers), "nobody is declared gone by silence alone"
    for peer in net.peers:
        peer.wants_gone.add(author)
    assert net.run(net.finished)
    match = net.peers[0].match
    assert match.gone == {author}
    assert all(seat.by != author for seat in match.setup.seats)
    outcome = match.outcome
    assert outcome is not None and outcome.unfinished == (game == "iota")


def test_with_two_peers_nobody_can_be_declared_gone() -> None:
    net = network("iota", 2, 7)
    author = gone_after(net, 1, 30)
    peer = net.nodes[0].peer
    assert peer is not None
    peer.wants_gone.add(author)
    length = len(peer.match.entries)
    net.nodes[0].peer.wants_timeout.add(1)  # type: ignore[union-attr]
    net.run(lambda: False, seconds=60)
    assert not peer.match.gone and len(peer.match.entries) <= length + 1


def test_half_of_a_broken_network_does_not_go_on() -> None:
    net = network("iota", 4, 8)
    net.run(lambda: len(net.peers[0].match.entries) >= 30)
    sides = net.nodes[:2], net.nodes[2:]
    for one in sides[0]:
        for two in sides[1]:
            net._cut[frozenset((one.author, two.author))] = net.now + 100
    for side, other in (sides, sides[::-1]):
        for node in side:
            assert node.peer is not None
            node.peer.wants_gone |= {lost.author for lost in other}
    net.run(lambda: False, seconds=90)
    assert not any(peer.match.gone for peer in net.peers)
    for peer in net.peers:
        peer.wants_gone.clear()
    assert net.run(net.finished)
    check_finished(net)


def test_a_polite_leave_needs_nobodys_vote() -> None:
    net = network("dominoes", 3, 9)
    net.run(lambda: len(net.peers[0].match.entries) >= 40)
    node = net.nodes[1]
    assert net.run(lambda: node.peer is not None and node.peer.ready and node.peer.saying is None)
    assert node.peer is not None
    node.peer.leave()
    net.flush(node)
    assert net.run(lambda: all(node.author in peer.match.gone for peer in net.peers))
    net.nodes.remove(node)
    assert net.run(net.finished)


def test_a_seat_that_keeps_the_table_waiting_is_timed_out_by_all_others() -> None:
    net = network("iota", 3, 10)
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
            node.peer.wants_timeout.add(slow)
    assert net.run(lambda: any(e.statement.kind == "timeout" for e in net.peers[0].match.entries[before:]), 60)
    assert net.run(net.agreed)
    assert not any(peer.accusations for peer in net.peers)


# ---- hostile input ----

def test_hostile_messages_are_refused_counted_and_harmless() -> None:
    net = network("iota", 3, 11)
    net.run(lambda: len(net.peers[0].match.entries) >= 40 and net.agreed())
    victim, sender = net.peers[0], net.peers[1].author
    head = victim.match.head
    other = network("iota", 3, 99)
    other.run(lambda: len(other.peers[0].match.entries) >= 10)
    entry = victim.match.entries[-1].to_json()
    stray = other.peers[0].match.entries[3]
    junk: list[Any] = [
        None, 1, "x", [], {}, {"t": "x"}, {"t": "put"}, {"t": "put", "e": 3}, {"t": "put", "e": [1]}, {"t": "say"},
        {"t": "say", "s": {}}, {"t": "head"}, {"t": "head", "i": -5, "h": head, "m": victim.match.id, "v": 1},
        {"t": "head", "i": 1, "h": head, "m": victim.match.id, "v": 99}, {"t": "head", "i": 1, "h": head, "m": "0" * 64, "v": 1},
        {"t": "want"}, {"t": "want", "i": "1"}, {"t": "want", "i": -1}, {"t": "vote"}, {"t": "no"},
        {"t": "put", "e": [stray.to_json()]}, {"t": "say", "s": stray.statement.to_json()},
        {"t": "put", "e": [{**entry, "i": 10**6}]}, {"t": "put", "e": [{**entry, "i": entry["i"] + 1}]},
        {"t": "put", "e": [entry] * 65},
    ]
    for message in junk:
        victim.receive(sender, canonical(message))
    for data in (b"", b"\xff", b"{", b"[" * 100000, b"1" * (MOST_MESSAGE + 1), b'{"t":1.5}'):
        victim.receive(sender, data)
    assert victim.match.head == head and not victim.accusations
    assert sum(victim.refused.values()) >= 25
    victim.outbox.clear()
    assert net.run(net.finished)


WRONG: dict[str, tuple[str, Any]] = {  # what is sent, given an honest entry as JSON → the reason it is counted under
    "garbage": ("malformed", lambda entry: b"\xff\x00{"),
    "no object": ("malformed", lambda entry: b"[]"),
    "oversize": ("malformed", lambda entry: b"1" * (MOST_MESSAGE + 1)),
    "unknown": ("malformed", lambda entry: {"t": "hello"}),
    "another match": ("malformed", lambda entry: {"t": "put", "e": [{**entry, "say": {**entry["say"], "match": "0" * 64}}]}),
    "another version": ("malformed", lambda entry: {"t": "head", "i": 1, "h": "0" * 64, "m": entry["say"]["match"], "v": 99}),
    "a duplicate": ("peers.again", lambda entry: {"t": "put", "e": [entry]}),
    "a fork by a stranger": ("peers.place_unsigned", lambda entry: {"t": "put", "e": [{**entry, "prev": "1" * 64}]}),
    "much too early": ("peers.too_far_ahead", lambda entry: {"t": "put", "e": [{**entry, "i": entry["i"] + 600}]}),
    "not the next": ("kernel.log.previous", lambda entry: {"t": "put", "e": [{**entry, "i": entry["i"] + 1}]}),
    "unsigned": ("peers.unsigned", lambda entry: {"t": "say", "s": {**entry["say"], "sig": "0" * 128}}),
    "more than a batch": ("malformed", lambda entry: {"t": "put", "e": [entry] * (BATCH + 1)}),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_refused_for_a_reason_and_counted(what: str) -> None:
    net = network("iota", 3, 11)
    net.run(lambda: len(net.peers[0].match.entries) >= 30 and net.agreed())
    victim, sender = net.peers[0], net.peers[1].author
    before, counted = victim.match.head, victim.refused.copy()
    reason, made = WRONG[what]
    message = made(victim.match.entries[-1].to_json())
    victim.receive(sender, message if isinstance(message, bytes) else canonical(message))
    assert victim.match.head == before and not victim.accusations
    assert victim.refused - counted == {reason: 1}


def test_a_flood_is_cut_off_and_costs_the_others_nothing() -> None:
    net = network("iota", 3, 11)
    net.run(lambda: len(net.peers[0].match.entries) >= 30 and net.agreed())
    victim, flooder = net.peers[0], net.peers[1].author
    victim.outbox.clear()
    for _ in range(20000):
        victim.receive(flooder, canonical({"t": "want", "i": 0}))
    assert victim.refused["peers.flood"] > 19000
    assert sum(len(data) for _, data in victim.outbox) < 64 * 200_000
    victim.outbox.clear()
    victim.receive(net.peers[2].author, canonical({"t": "want", "i": 0}))
    assert victim.outbox, "another's question is still answered"
    victim.outbox.clear()
    assert net.run(net.finished)
    assert not any(peer.accusations for peer in net.peers)


def test_nobodys_forgery_keeps_a_true_entry_out() -> None:
    """Somebody fills the places to come with entries of its own; the true ones, when they come, are taken all the same."""
    net = network("iota", 3, 19)
    net.run(lambda: len(net.peers[0].match.entries) >= 60 and net.agreed())
    source = net.peers[0].match.entries
    victim = net.nodes[2]
    victim.disk.entries = list(source[:20])
    peer = victim.start(net.genesis, restarted=True)
    for index in range(21, 60):
        forged = {**source[index].to_json(), "sig": "0" * 64, "prev": source[index].previous}
        forged["say"] = {**forged["say"], "n": 9999}
        peer.receive(net.nodes[1].author, canonical({"t": "put", "e": [forged]}))
    for start in (21, 20):  # the true ones, and the missing one last
        batch = [entry.to_json() for entry in (source[start:60] if start == 21 else source[20:21])]
        peer.receive(net.nodes[0].author, canonical({"t": "put", "e": batch}))
    assert len(peer.match.entries) == 60 and not peer.accusations
    assert peer.refused["peers.place_unsigned"] + peer.refused["peers.other_history"] + peer.refused["peers.unsigned"] >= 1


def test_replays_of_everything_ever_sent_change_nothing() -> None:
    net = network("teeth", 2, 12)
    assert net.run(net.finished)
    heads = {peer.match.head for peer in net.peers}
    for sender, to, data in Random(1).sample(net.sent, min(400, len(net.sent))):
        for peer in net.peers:
            if peer.author == to:
                peer.receive(sender, data)
    assert {peer.match.head for peer in net.peers} == heads
    assert not any(peer.accusations for peer in net.peers)


def test_catching_up_on_a_long_log() -> None:
    net = network("tiddle-a-wink", 3, 13)
    assert net.run(net.finished)
    late = net.nodes[0]
    late.peer = None
    late.disk.entries.clear()
    late.start(net.genesis, restarted=True)
    assert net.run(net.finished)
    check_finished(net)


def test_a_long_tail_is_asked_for_batch_after_batch() -> None:
    """Whoever is far behind does not wait for the next head between two batches."""
    net = Network("dominoes", 3, 18, options={"target": 100})
    assert net.run(net.finished)
    length = len(net.peers[0].match.entries)
    assert length > 3 * BATCH
    late = net.nodes[2]
    late.disk.entries.clear()
    peer = late.start(net.genesis, restarted=True)
    assert net.run(lambda: len(peer.match.entries) == length, seconds=1.5)


@pytest.mark.parametrize("field", ["match", "by", "n", "head", "kind", "body", "sig"])
def test_a_statement_with_any_field_changed_is_not_signed(field: str) -> None:
    net = network("iota", 2, 14, real_signatures=True)
    net.run(lambda: len(net.peers[0].match.entries) >= 12)
    peer = net.peers[0]
    good = peer.match.entries[9].statement.to_json()
    changed = {"match": "1" * 64, "by": net.peers[1].author if good["by"] == net.peers[0].author else net.peers[0].author,
               "n": good["n"] + 7, "head": "2" * 64, "kind": "resign", "body": {"seat": 0},
               "sig": good["sig"][:-1] + ("0" if good["sig"][-1] != "0" else "1")}
    assert peer.authority.statement_signed(Statement.from_json(good))
    assert not peer.authority.statement_signed(Statement.from_json({**good, field: changed[field]}))


def test_entries_are_only_taken_from_whoever_orders() -> None:
    net = network("iota", 3, 15)
    net.run(lambda: len(net.peers[0].match.entries) >= 40 and net.agreed())
    match = net.peers[0].match
    outsider = next(node for node in net.nodes if node.author != match.orderer)
    statement = match.propose(outsider.author, "resign", {"seat": 0})
    forged = Entry.at(len(match.entries), match.head, statement, outsider.identity.sign(b"anything"))
    victim: Peer = next(peer for peer in net.peers if peer.author not in (outsider.author,))
    before = victim.match.head
    victim.receive(outsider.author, canonical({"t": "put", "e": [forged.to_json()]}))
    assert victim.match.head == before and victim.refused["peers.place_unsigned"] == 1


def test_saying_two_things_at_once_is_a_defect_of_the_caller() -> None:
    net = network("iota", 2, 16, Faults(loss=1.0))
    peer = next(peer for peer in net.peers if peer.saying is not None)
    with pytest.raises(RuntimeError):
        peer.say("resign", {"seat": 0})


def test_a_wrong_move_is_refused_before_it_is_signed() -> None:
    net = network("iota", 2, 17)
    net.run(lambda: len(net.peers[0].match.entries) >= 20 and net.agreed() and not net.state().requests)
    peer = net.peers[0]
    if peer.saying is None and peer.ready:
        count = peer._count
        with pytest.raises(Refused):
            peer.say("move", {"seat": 0, "do": ["pass", [], [999]], "open": []})
        assert peer._count == count and json.dumps(peer.rejections) == "[]"
