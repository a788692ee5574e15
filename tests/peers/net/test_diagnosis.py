"""One reason for what was tried: each row of what people meet between two networks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.peers.net.code import Candidate, Description
from tabletin.peers.net.diagnosis import Findings, kinds_of, reason, reason_of_pairs

TRIED = Findings(30.0, 2, 2, True, 1, 0, frozenset({"host", "srflx"}), frozenset({"host", "srflx"}), True)


@pytest.mark.parametrize(("changed", "named"), [
    ({}, "turn_needed"),
    ({"relays_open": 0}, "relays"),
    ({"relays_open": 0, "waiting_time": 3.0}, ""),
    ({"is_heard": False}, "nobody"),
    ({"is_heard": False, "waiting_time": 3.0}, ""),
    ({"calls": 0}, ""),
    ({"calls": 0, "replies": 1}, ""),
    ({"calls": 0, "replies": 2}, "turn_needed"),
    ({"own": frozenset()}, "own_network"),
    ({"theirs": frozenset()}, ""),
    ({"own": frozenset({"host"})}, "own_network"),
    ({"own": frozenset({"host"}), "has_stun": False}, "no_helper"),
    ({"theirs": frozenset({"host"})}, "their_network"),
    ({"has_turn": True}, "turn_failed"),
    ({"has_turn": True, "own": frozenset({"host", "srflx", "relay"})}, "turn_needed"),
    ({"relays": 0, "relays_open": 0, "is_heard": False}, "turn_needed"),
])
def test_a_reason_for_what_was_found(changed: dict[str, object], named: str) -> None:
    assert reason(replace(TRIED, **changed)) == named  # type: ignore[arg-type]


def test_codes_that_lead_nowhere_are_judged_at_once() -> None:
    near = frozenset({"host"})
    assert reason_of_pairs(Findings(0.0, own=near, theirs=near)) == "no_helper"


def test_the_kinds_of_a_description() -> None:
    made = Description("abcd", "a" * 24, bytes(32), (Candidate("192.0.2.1", 5), Candidate("192.0.2.2", 6, "srflx")))
    assert kinds_of(made.to_text()) == {"host", "srflx"}
    assert kinds_of("not one") == frozenset()
