"""How much of one sender is read in a second."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest

from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.outbox import Outbox, Pending
from tabletin.peers.replication.rate_limit import BYTES_A_UNIT, DEALT_A_UNIT, MOST, UNITS, VALUES_A_UNIT, RateLimit
from tabletin.peers.sealed.wire import MOST_CARDS


def test_each_sender_has_so_many_units_a_second() -> None:
    limit = RateLimit()
    assert all(limit.takes("a", 10) for _ in range(MOST)) and not limit.takes("a", 10)
    assert limit.takes("b", 10)
    limit.renew(0.99)
    assert not limit.takes("a", 10)
    limit.renew(1.0)
    assert limit.takes("a", 10)
    limit.renew(1.5)
    assert sum(limit.takes("a", 10) for _ in range(MOST)) == MOST - 1
    limit.renew(2.0)
    assert limit.takes("a", 10)


def test_bytes_and_work_cost_more() -> None:
    for size, units in ((0, 1), (BYTES_A_UNIT - 1, 1), (BYTES_A_UNIT, 2), (10 * BYTES_A_UNIT, 11)):
        limit = RateLimit()
        assert sum(limit.takes("a", size) for _ in range(MOST + 1)) == MOST // units
    for kind, units in UNITS.items():
        limit = RateLimit()
        assert sum(limit.works("a", kind) for _ in range(MOST)) == MOST // units
    limit = RateLimit()
    assert sum(limit.parses("a", VALUES_A_UNIT) for _ in range(2 * MOST)) == MOST
    assert all(limit.parses("c", VALUES_A_UNIT - 1) for _ in range(2 * MOST)), "as many as go into any short message"
    assert all(limit.works("b", "have") for _ in range(2 * MOST)), "its bytes are counted"


def test_what_is_dealt_costs_as_much_as_there_is_to_check() -> None:
    """The longest shuffle of an honest program is read all the same."""
    limit = RateLimit()
    assert limit.deals("a", DEALT_A_UNIT * MOST) and limit.deals("a", DEALT_A_UNIT - 1) and not limit.deals("a", DEALT_A_UNIT)
    longest = len(b64encode(bytes(192 * MOST_CARDS + 300)))
    assert limit.works("b", "say") and limit.takes("b", longest) and limit.deals("b", longest)


def test_nothing_is_sent_to_oneself() -> None:
    outbox = Outbox("me")
    for to in ("you", "me", None):
        outbox.send(to, {"t": "x"})
    assert outbox.messages == [("you", b'{"t":"x"}'), (None, b'{"t":"x"}')]


def test_what_a_device_must_not_forget_has_five_forms() -> None:
    pending = Pending({"x": 1}, 5, ({"y": 2},), {"z": 3}, [0, 1, "x"], (7,), 4)
    assert Pending.from_json(pending.to_json()) == pending
    assert Pending.from_json(pending.to_json()[:6]) == replace(pending, begun_epoch=0)
    assert Pending.from_json(pending.to_json()[:5]) == replace(pending, dead_lengths=(), begun_epoch=0)
    assert Pending.from_json(pending.to_json()[:4]) == Pending({"x": 1}, 5, ({"y": 2},), {"z": 3})
    assert Pending.from_json([None, 3]) == Pending(None, 3)
    assert Pending.from_json(Pending(None, 3).to_json()) == Pending(None, 3)
    assert Pending.from_json([None, 0, [], None]) == Pending(), "nothing was said yet"
    assert Pending.from_json([None, 3, [], None]) == Pending(count=3) != Pending()
    wrong_ones: list[Any] = [[], None, [None, "3"], [None, 3, []], [None, 3, {}, None], [None, 3, [], None, None, None],
                             [None, True], [None, True, [], None], [None, False, [], None, None],
                             {"count": 3}, "xy", [None, 3, [], None, None, [1, "2"]], [None, 3, [], None, None, [True]],
                             [None, 3, [], None, None, [], None], [None, 3, [], None, None, [], 1, 2],
                             [None, 3, [], None, None, 7]]
    for wrong in wrong_ones:
        with pytest.raises(Malformed):
            Pending.from_json(wrong)
