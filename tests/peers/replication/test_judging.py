"""Whatever anybody signs is taken or refused: judging raises nothing else, for it runs by the clock of every device."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.log import KINDS, canonical
from tabletin.kernel.options import Refusal
from tests.support.device_moves import peer_of
from tests.support.forging import signed
from tests.support.resting_table import RestingTable

NAMES = ("seat", "to", "by", "kind", "name", "level", "colour", "agreed", "votes")
FIELDS = ("seat", "to", "do", "open", "agreed", "sealed", "ahead", "order", "heir", "peer", "then", "votes", "epoch", "against",
          "offer", "deal", "key", "practice", "more")
JUNK = st.recursive(st.none() | st.booleans() | st.integers(-3, 9) | st.text(max_size=3),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
                    max_leaves=6)


def test_a_plea_for_what_is_malformed_stops_nobodys_clock() -> None:
    """A statement that is said to be withheld is judged once a second."""
    table = RestingTable(700)
    cheat = table.third
    seat = table.seat(cheat)
    to = {**table.match.setup.seats[seat].to_json(), "more": 1}
    statement = signed(cheat, "seat", {"seat": seat, "to": to})
    assert table.match.refusal(statement) == Refusal("kernel.malformed", {"what": "expected a seat"})
    peer = peer_of(next(node for node in table.net.nodes if node not in (table.orderer, cheat)))
    peer.tick(table.net.now + 1)
    peer.receive(cheat.author, canonical({"t": "plea", "s": statement.to_json()}))
    for second in range(2, 15):
        peer.tick(table.net.now + second)
    assert not peer.accusations
    orderer = peer_of(table.orderer)
    orderer.tick(table.net.now + 1)
    orderer.receive(cheat.author, canonical({"t": "say", "s": statement.to_json()}))
    (accusation,) = orderer.accusations
    assert (accusation.culprit, accusation.why) == (cheat.author, "statement")


@cache
def resting_table() -> RestingTable:
    return RestingTable(701)


@given(st.sampled_from(KINDS), st.data())
def test_whatever_is_signed_is_taken_or_refused(kind: str, data: st.DataObject) -> None:
    table = resting_table()
    node, other = table.third, table.orderer
    seat = table.match.setup.seats[table.seat(node)].to_json()
    known = st.sampled_from((table.seat(node), node.author, other.author, len(table.match.entries) - 1, "bot"))
    altered = st.builds(lambda name, value: {**seat, name: value}, st.sampled_from(sorted(seat)), JUNK)
    body = data.draw(st.dictionaries(st.sampled_from(FIELDS), JUNK | known | st.just(seat) | altered, max_size=5))
    if data.draw(st.booleans()):
        body["seat"] = table.seat(node)
    statement = signed(data.draw(st.sampled_from((node, other))), kind, body)
    refusal = table.match.refusal(statement)
    assert refusal is None or refusal.key
    assert (table.match.refusal_at(len(table.match.entries) - 1, statement) is None) == (refusal is None)
