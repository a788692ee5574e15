"""How a match was dealt, told from its log: each message once, with who said it, in which hand, and about how many cards."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter

import pytest

from tabletin.peers.dealing.trail import _messages, dealing_trail, outline
from tests.support.device_moves import peer_of
from tests.support.examples import MANY_HANDS, lasting
from tests.support.peer_sim import Network
from tests.support.resting_table import RestingTable


def test_the_trail_of_a_hand_is_the_messages_of_its_log() -> None:
    match = RestingTable(820).match
    lines = dealing_trail(match)
    said = [entry for entry in match.entries if entry.statement.body.keys() & {"sealed", "ahead"}
            or any(len(opening) == 3 for opening in entry.statement.body.get("open", ()))]
    assert [(line.index, line.hash, line.author) for line in lines] == [(e.index, e.hash, e.statement.author) for e in said]
    deck = len(match.rules.deck())
    assert [(line.what, line.cards, line.hand) for line in lines[:6]] == [("key", 0, 0)] * 3 + [("shuffle", deck, 0)] * 3
    assert all(line.proofs == 1 for line in lines)
    kinds = {line.index: line.what for line in lines}
    for entry in said:
        kind = kinds[entry.index]
        if "ahead" in entry.statement.body:
            assert kind in ("key", "shuffle")
        elif entry.statement.kind == "move":
            assert kind == "play"
    early = [line for line in lines if "ahead" in match.entries[line.index].statement.body]
    assert len(early) == 6 and all(line.hand == 1 for line in early), "the next hand's, while the first is played"
    plays = [line for line in lines if line.what == "play"]
    assert plays and all(line.hand == 0 for line in plays)
    assert all(line.cards == len(match.entries[line.index].statement.body["open"]) for line in plays)


def test_hands_are_counted_by_the_decks_that_were_asked_for() -> None:
    net = Network(MANY_HANDS, 3, 812, options=lasting(MANY_HANDS))
    assert net.run(lambda: net.agreed() and net.peers[0].dealing.deals == 2 and not net.state().requests)
    match = net.peers[0].match
    lines = dealing_trail(match)
    assert {line.hand for line in lines} >= {0, 1}
    assert [line.hand for line in lines if line.what == "share"] == sorted(line.hand for line in lines if line.what == "share")
    for hand, count in Counter(line.hand for line in lines if line.what == "key").items():
        assert count == 3 or hand == 2


def test_a_leave_is_in_the_trail() -> None:
    table = RestingTable(813)
    peer = peer_of(table.third)
    peer.leave()
    table.net.flush(table.third)
    assert table.net.run(lambda: any(entry.statement.kind == "leave" for entry in table.match.entries))
    (line,) = [line for line in dealing_trail(table.match) if line.what == "leave"]
    assert line.author == table.third.author and line.cards > 0 and table.match.entries[line.index].statement.kind == "leave"


@pytest.mark.parametrize(("data", "told"), [
    (b"", ("unknown", 0)), (b"\x00", ("unknown", 0)), (b"\x08\x01\x02", ("unknown", 0)), (b"\x01", ("key", 0)),
    (b"\x06\x05", ("roll", 0)), (b"\x02\x03\x0a", ("shuffle", 10)), (b"\x02\x03\x81\x04", ("unknown", 0)),
    (b"\x02\x80\x80\x80\x80\x10\x0a", ("shuffle", 10)), (b"\x02\x81\x80\x80\x80\x10\x0a", ("unknown", 0)),
    (b"\x02\x03\x80\x04", ("shuffle", 512)), (b"\x02", ("unknown", 0)), (b"\x03\x02\x00\x04", ("share", 2)),
    (b"\x04\x01\x07", ("play", 1)), (b"\x05\x03\x00\x00\x00", ("remask", 3)), (b"\x07\x00", ("leave", 0)),
    (b"\x03\x02\x00", ("unknown", 0)),
])
def test_a_message_is_told_by_its_first_bytes(data: bytes, told: tuple[str, int]) -> None:
    assert outline(data) == told


def test_what_no_replica_would_take_is_passed_over() -> None:
    good = b64encode(b"\x01").decode()
    assert _messages("deal", {"sealed": good}) == [(False, b"\x01")]
    assert _messages("deal", {"ahead": good}) == [(True, b"\x01")]
    assert _messages("deal", {"sealed": [good, 5, "?", good]}) == [(False, b"\x01")] * 2
    assert _messages("deal", {}) == _messages("leave", {"sealed": None}) == _messages("seat", {"sealed": good}) == []
    assert _messages("leave", {"sealed": good, "ahead": good}) == [(False, b"\x01")]
    assert _messages("move", {"open": [[1, "A", good], [2, "B"], [3, "C", "?"]], "sealed": good}) == [(False, b"\x01")]
    assert _messages("move", {}) == _messages("seat", {"open": [[1, "A", good]]}) == []
