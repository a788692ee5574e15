"""Who may say what at one device: authors speak for their own seats, and nobody leaves a device where all sit together."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.authority import OneDevice
from tabletin.kernel.dealing import OpenDealing
from tabletin.kernel.log import KINDS, NOTHING, Entry
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import Seat, Setup
from tests.support.highcard import HighCard

SEATS = (Seat("person", "ada"), Seat("person", "bo"), Seat("bot", "ada"))
OF_A_SEAT = ("move", "undo", "consent", "resign", "seat")


def key_of(author: str, kind: str, body: dict[str, Any]) -> str:
    """Why ``author`` may not say this at the beginning of a match; "" if it may."""
    genesis = Entry.create(0, NOTHING, Setup("highcard", 1, {}, SEATS).statement("ada"))
    match = Match(HighCard, genesis, OpenDealing())
    try:
        OneDevice().check(match.prefix(), match.propose(author, kind, body))
    except Refused as error:
        return error.key
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_stranger_says_nothing(kind: str) -> None:
    assert key_of("eve", kind, {"seat": 0}) == "kernel.stranger"


@pytest.mark.parametrize("kind", OF_A_SEAT)
def test_a_seat_is_spoken_for_by_its_own_author(kind: str) -> None:
    assert [key_of("ada", kind, {"seat": seat}) for seat in range(3)] == ["", "kernel.not_your_seat", ""]
    assert [key_of("bo", kind, {"seat": seat}) for seat in range(3)] == ["kernel.not_your_seat", "", "kernel.not_your_seat"]


@pytest.mark.parametrize("kind", OF_A_SEAT)
@pytest.mark.parametrize("body", [{"seat": 3}, {"seat": -1}, {"seat": "0"}, {"seat": False}, {"seat": None}, {}])
def test_a_seat_is_one_of_the_table(kind: str, body: dict[str, Any]) -> None:
    assert key_of("ada", kind, body) == "kernel.no_seat"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in OF_A_SEAT])
def test_what_peers_say_of_each_other_is_not_said_here(kind: str) -> None:
    among_peers = kind in ("order", "gone", "leave", "device", "pass")
    assert key_of("ada", kind, {}) == ("kernel.one_device" if among_peers else "")
