"""Forgeries and misdeeds: every honest peer rejects them, and the log alone proves who did it. Silence proves nothing."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletin.cli import main
from tabletin.kernel.log import Statement, canonical, value_count
from tabletin.kernel.schema import Malformed
from tabletin.peers.identity import Ed25519Verifier
from tabletin.peers.replication.evidence import (
    MOST_SAID_BYTES,
    MOST_SAID_VALUES,
    Accusation,
    check_size,
    judge,
)
from tabletin.peers.sealed.group import L
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.sealed.pending import Checker
from tabletin.registry import rules_of
from tests.support.examples import ONE_DEAL
from tests.support.forging import put, signed
from tests.support.peer_sim import Network, Node

GROUP = SodiumGroup()
CHECKER = Checker(GROUP)


def real(entries: int, game: str = ONE_DEAL, seed: int = 1, peers: int = 3) -> Network:
    """A match with real signatures and the real group, ``entries`` entries in and all in step."""
    net = Network(game, peers, seed, group=GROUP, real_signatures=True)
    assert net.run(lambda: len(net.peers[0].match.entries) >= entries and net.agreed())
    return net


def proven(accusation: Accusation) -> str:
    """The key of what is proven, "" for nothing."""
    again = Accusation.from_text(accusation.to_text())
    assert again.to_text() == accusation.to_text()
    refusal = judge(again, rules_of, Ed25519Verifier(), CHECKER)
    return "" if refusal is None else refusal.key


def orderer(net: Network) -> Node:
    return next(node for node in net.nodes if node.author == net.peers[0].match.orderer)


def test_two_places_at_one_index_are_a_fork() -> None:
    net = real(20)
    cheat = orderer(net)
    for victim in (node for node in net.nodes if node is not cheat):
        peer = victim.peer
        assert peer is not None
        other = put(cheat, signed(cheat, "resign", {"seat": net.nodes.index(cheat)}), len(peer.match.entries) - 1)
        peer.receive(cheat.author, canonical({"t": "put", "e": [other.to_json()]}))
        (accusation,) = peer.accusations
        assert (accusation.why, accusation.culprit) == ("fork", cheat.author)
        assert proven(accusation) == "peers.why.fork"
        assert not peer.ready, "an honest peer signs nothing more in a forked match"


def test_two_statements_at_one_counter_convict_their_author() -> None:
    net = real(20)
    judge_node = orderer(net)
    cheat = next(node for node in net.nodes if node is not judge_node)
    peer = judge_node.peer
    assert peer is not None
    placed = next(e.statement for e in peer.match.entries if e.statement.author == cheat.author)
    other = signed(cheat, "resign", {"seat": net.nodes.index(cheat)}, count=placed.count)
    peer.receive(cheat.author, canonical({"t": "say", "s": other.to_json()}))
    (accusation,) = peer.accusations
    assert (accusation.why, accusation.culprit) == ("counter", cheat.author)
    assert proven(accusation) == "peers.why.counter"


def wrong_statements(net: Network, cheat: Node) -> dict[str, Statement]:
    """What a changed program might sign: out of turn, another's seat, not its cards, a claim nobody asked for."""
    assert cheat.peer is not None
    match = cheat.peer.match
    mine = net.nodes.index(cheat)
    other = (mine + 1) % 3
    card = match.state.hands[mine][0]
    return {
        "a move out of turn": signed(cheat, "move", {"seat": mine, "do": ["pass", [], []], "open": []}),
        "another's seat": signed(cheat, "move", {"seat": other, "do": ["pass", [], []], "open": []}),
        "no such move": signed(cheat, "move", {"seat": mine, "do": ["win"], "open": []}),
        "an opening without proof": signed(cheat, "move", {"seat": mine, "do": ["play", [], [[card, 1, 0]]],
                                                           "open": [[card, "rc1"]]}),
        "a deal nobody asked for": signed(cheat, "deal", {}),
        "a share nobody asked for": signed(cheat, "deal", {"sealed": b64encode(b"\x03junk").decode()}),
        "taking the ordering": signed(cheat, "order", {"to": cheat.author}),
        "declaring somebody gone alone": signed(cheat, "gone", {"peer": net.nodes[other].author, "order": cheat.author,
                                                               "heir": cheat.author, "then": "bot", "votes": {}}),
        "a timeout alone": signed(cheat, "timeout", {"seat": other, "agreed": {}}),
        "giving its seat away": signed(cheat, "seat", {"seat": mine, "to": {"kind": "bot", "by": net.nodes[other].author,
                                                                          "name": "", "level": "easy", "colour": ""}}),
    }


@pytest.mark.parametrize("what", ["a move out of turn", "another's seat", "no such move", "an opening without proof",
                                  "a deal nobody asked for", "a share nobody asked for", "taking the ordering",
                                  "declaring somebody gone alone", "a timeout alone", "giving its seat away"])
def test_a_wrong_statement_convicts_its_author(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = real(30, seed=2)
    assert net.run(lambda: net.agreed() and not net.state().requests)
    judge_node = orderer(net)
    turn = net.state().turn
    cheat = next(node for node in net.nodes if node is not judge_node and net.nodes.index(node) != turn)
    statement = wrong_statements(net, cheat)[what]
    peer = judge_node.peer
    assert peer is not None
    head = peer.match.head
    peer.receive(cheat.author, canonical({"t": "say", "s": statement.to_json()}))
    assert peer.match.head == head
    (accusation,) = peer.accusations
    assert (accusation.why, accusation.culprit) == ("statement", cheat.author)
    assert proven(accusation)
    path = tmp_path / "accusation.json"
    path.write_text(accusation.to_text(), "utf-8")
    assert main(["judge", str(path)]) == 0
    assert cheat.author in capsys.readouterr().out


def test_a_peer_that_places_a_wrong_statement_is_convicted_too() -> None:
    net = real(30, seed=3)
    assert net.run(lambda: net.agreed() and not net.state().requests)
    cheat = orderer(net)
    mine = net.nodes.index(cheat)
    entry = put(cheat, signed(cheat, "move", {"seat": mine, "do": ["win"], "open": []}))
    for node in net.nodes:
        if node is not cheat and node.peer is not None:
            node.peer.receive(cheat.author, canonical({"t": "put", "e": [entry.to_json()]}))
            (accusation,) = node.peer.accusations
            assert (accusation.why, accusation.culprit) == ("place", cheat.author)
            assert proven(accusation) == "kernel.malformed"


@pytest.mark.parametrize("how", ["told", "put", "in a file"])
def test_nobody_makes_an_honest_place_look_wrong_by_another_signature_of_its_statement(how: str) -> None:
    """A place is signed over its statement, but not over that one's signature, which a stranger can replace."""
    net = real(30, seed=3)
    accused = orderer(net)
    victim, hidden = (node for node in net.nodes if node is not accused)
    assert victim.peer is not None and hidden.peer is not None
    length = len(victim.peer.match.entries)
    net.meddle = lambda sender, to, data: None if to == victim.author else data
    assert net.run(lambda: hidden.peer is not None and len(hidden.peer.match.entries) > length)
    entry = hidden.peer.match.entries[length]
    altered = replace(entry, statement=replace(entry.statement, signature="0" * 128))
    assert altered.hash == entry.hash
    if how == "in a file":
        assert proven(Accusation.of_place(victim.peer.match, altered)) == ""
    elif how == "told":
        victim.peer.receive("e" * 64, canonical({"t": "blame", "why": "place", "x": [altered.to_json()]}))
        assert victim.peer.refusal_counts["malformed"]
    else:
        victim.peer.receive(hidden.author, canonical({"t": "put", "e": [altered.to_json()]}))
        assert victim.peer.refusal_counts["peers.unsigned"]
    assert not victim.peer.accusations and victim.peer.ready
    net.meddle = lambda sender, to, data: data
    assert net.run(lambda: net.agreed() and len(net.peers[0].match.entries) > length + 5), "and the true one is still taken"
    assert not any(peer.accusations for peer in net.peers)


def mutations(data: bytes) -> dict[str, bytes]:
    """One change in every class of byte of a dealing message: its kind, its lengths, points and scalars, its end."""
    changes: dict[str, bytes] = {"cut": data[:-1], "longer": data + b"\0", "empty": b""}
    step = max(1, len(data) // 24)
    for where in range(0, len(data), step):
        for mask in (1, 0x80):
            changes[f"byte {where} xor {mask}"] = data[:where] + bytes([data[where] ^ mask]) + data[where + 1:]
    tail = data[-32:]
    if int.from_bytes(tail, "little") < L:
        more = int.from_bytes(tail, "little") + L
        if more < 2**256:
            changes["s + L"] = data[:-32] + more.to_bytes(32, "little")
    return changes


@pytest.mark.parametrize("number", range(6))
def test_a_changed_dealing_message_is_refused_and_convicts(number: int) -> None:
    """Key, shuffle and share statements of an honest match, each altered in every byte class and signed again."""
    net = real(40, seed=4, peers=2)
    match = net.peers[0].match
    deals = [e for e in match.entries if e.statement.kind == "deal" and "sealed" in e.statement.body]
    entry = deals[number * (len(deals) - 1) // 5]
    author = next(node for node in net.nodes if node.author == entry.statement.author)
    data = b64decode(entry.statement.body["sealed"])
    for what, changed in mutations(data).items():
        body = {"sealed": b64encode(changed).decode()}
        head = match.entries[entry.index - 1].hash
        forged = signed(author, "deal", body, head=head)
        refusal = match.refusal_at(entry.index - 1, forged)
        if refusal is None:  # a shuffle is judged when its chain is complete, and then the deal is void by its author
            snapshot = match.snapshot_at(entry.index - 1).copy()
            list(snapshot.dealing.read(snapshot.state, author.author, body))
            assert "guilty" in vars(snapshot.dealing), what
            continue
        accusation = Accusation(author.author, "statement", tuple(match.entries[:entry.index]), (forged.to_json(),))
        assert proven(accusation), what


@pytest.mark.parametrize("change", [
    lambda o: [[o[0][0], "rc1" if o[0][1] != "rc1" else "gs2", o[0][2]], *o[1:]],  # a false face
    lambda o: [[o[0][0] + 1, o[0][1], o[0][2]], *o[1:]],  # another card
    lambda o: [[o[0][0], o[0][1]], *o[1:]],  # no proof
    lambda o: [[o[0][0], o[0][1], o[0][2][:-4] + "AAAA"], *o[1:]],
    lambda o: [*o, o[0]],
    lambda o: [],
])
def test_a_false_opening_is_refused(change: Callable[[list[Any]], list[Any]]) -> None:
    net = real(60, seed=5)
    match = net.peers[0].match
    entry = next(e for e in match.entries if e.statement.kind == "move" and e.statement.body["open"])
    body = entry.statement.body
    author = next(node for node in net.nodes if node.author == entry.statement.author)
    forged = signed(author, "move", {**body, "open": change(body["open"])}, head=match.entries[entry.index - 1].hash)
    assert match.refusal_at(entry.index - 1, forged) is not None


def test_honest_play_convicts_nobody() -> None:
    """No statement or place of an honest match can be turned into an accusation."""
    net = real(40, seed=6, peers=2)
    match = net.peers[0].match
    for entry in match.entries[1:]:
        head = match.index_of(entry.statement.head)
        assert head is not None
        innocent = Accusation(entry.statement.author, "statement", tuple(match.entries[:head + 1]), (entry.statement.to_json(),))
        if entry.index % 7 == 0:
            assert judge(innocent, rules_of, Ed25519Verifier(), CHECKER) is None
        assert match.refusal_at(head, entry.statement) is None
    last = match.entries[-1]
    framed = Accusation(match.orderer, "fork", tuple(match.entries[:-1]), (last.to_json(), last.to_json()))
    assert judge(framed, rules_of, Ed25519Verifier(), CHECKER) is None


def test_silence_is_no_evidence() -> None:
    net = real(30, seed=7)
    net.nodes[2].peer = None
    net.run(lambda: False, seconds=120)
    assert not any(peer.accusations for peer in net.peers)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"form":"tabletin-accusation","version":1}',
                                  '{"form":"tabletin-accusation","version":1,"against":"x","why":"fork","prefix":[],"exhibits":[]}'])
def test_a_malformed_accusation_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(Malformed):
        Accusation.from_text(text)
    path = tmp_path / "x.json"
    path.write_text(text, "utf-8")
    assert main(["judge", str(path)]) == 1


def test_an_accusation_with_too_many_or_too_few_exhibits_or_of_no_kind_is_refused() -> None:
    """It may come in a file from anybody."""
    net = Network(ONE_DEAL, 2, 8, group=GROUP, real_signatures=True)
    match = net.peers[0].match
    said = match.entries[0].statement.to_json()
    for why, exhibits in [("statement", ()), ("statement", (said, said)), ("place", ()), ("fork", (said,)), ("counter", ()),
                          ("twice", (said, said, said)), ("silence", ())]:
        with pytest.raises(Malformed):
            judge(Accusation(match.orderer, why, tuple(match.entries[:1]), exhibits), rules_of, Ed25519Verifier(), CHECKER)


def test_an_accusation_that_rests_on_a_very_long_log_is_read() -> None:
    """The log of a long match of many devices has more than a statement's four million characters."""
    net = Network(ONE_DEAL, 2, 8, group=GROUP, real_signatures=True)
    match = net.peers[0].match
    long = Accusation(match.orderer, "counter", tuple(match.entries[:1]), ({"pad": "x" * 5_000_000},))
    again = Accusation.from_text(long.to_text())
    assert again == long


def test_a_statement_may_be_as_large_as_an_accusation_can_tell() -> None:
    def sized(text: int, values: int) -> Statement:
        return Statement("0" * 64, "a", 1, "0" * 64, "seat", {"text": "x" * text, "values": [0] * values})

    least = sized(0, 0).canonical_bytes
    room, places = MOST_SAID_BYTES - len(least), MOST_SAID_VALUES - value_count(least)
    check_size(sized(room, 0))
    longest = max(count for count in range(places - 2, places + 3)
                  if value_count(sized(0, count).canonical_bytes) <= MOST_SAID_VALUES)
    assert value_count(sized(0, longest).canonical_bytes) == MOST_SAID_VALUES
    check_size(sized(0, longest))
    for much in (sized(room + 1, 0), sized(0, longest + 1)):
        with pytest.raises(Malformed):
            check_size(much)
