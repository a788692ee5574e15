"""What a page asks of its worker: every call travels and comes back, and what is not of its form is refused with a reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tabletin.kernel.envelope import pack
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.peers.identity import Ed25519, Ed25519Verifier
from tabletin.peers.replication.offer import Offer
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tabletin.peers.worker import calls
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.results import (
    AccusationProof,
    DeviceAuthor,
    Genesis,
    LogReport,
    Proofs,
    Result,
    ResultsCheck,
    Signature,
    SignatureCheck,
    SpeechResult,
)
from tabletin.peers.worker.service import ReplicaService
from tests.support.examples import ONE_DEAL, short
from tests.support.league import result, signed

SEATS = Seat("person", "a", "Ada", "", "red"), Seat("bot", "b", "Bo", "easy")
EACH: list[calls.Call] = [
    calls.Identify("07" * 32), calls.SignGreeting("hello"), calls.CheckGreeting("a", "hello", "00"),
    calls.FoundMatch(ONE_DEAL, short(ONE_DEAL), SEATS, "n", {"me": 0}), calls.JudgeAccusation('{"a":\n1}'),
    calls.VerifyLog("log\n"), calls.CheckResults("league\n"), calls.SignLog("log\n", "2026-11-23"),
    calls.CheckGenesis("line"),
    calls.SignResult("2026-11-23"),
    calls.Join(("one", "two"), Pending({"kind": "move"}, 7), True), calls.Join(("one",), Pending(), False), calls.Release(),
    calls.Receive(("a", "b"), ("one", "")), calls.Receive((), ()), calls.Tick(2.5), calls.PlayMove(1, ["pass", [], []]),
    calls.Say("undo", {"seat": 0, "to": 3}), calls.SetChoices(("a",), (1,), ()), calls.LeaveMatch(), calls.StayInMatch(),
    calls.MakeOffer("a"), calls.AcceptOffer(Offer("b", "AAAA", "00")), calls.AgreeToSeat(2, Seat("person", "b")),
    calls.PromiseSeat(1, SEATS[0], "00"), calls.ListAccusations(), calls.HearProof("file")]


def test_every_call_is_tried_here() -> None:
    assert {type(call).__name__ for call in EACH} == set(calls.CALLS)


@pytest.mark.parametrize("call", EACH, ids=lambda call: type(call).__name__)
@pytest.mark.parametrize("match", [None, "ab" * 32])
def test_a_call_arrives_as_it_was_sent(call: calls.Call, match: str | None) -> None:
    assert calls.decode(calls.encode(call, match)) == (call, match)


def test_founding_says_all_that_a_setup_says() -> None:
    setup = Setup(ONE_DEAL, 1, short(ONE_DEAL), SEATS, "sealed", "n", {"me": 0})
    assert calls.FoundMatch.from_setup(setup) == EACH[3]


TICK = {"do": "Tick", "time": 1}
PROMISE = {"do": "PromiseSeat", "seat": 1, "player": SEATS[0].to_json(), "consent": "00"}
CHOICES: dict[str, Any] = {"do": "SetChoices", "removals": [], "timeouts": [], "ending_removals": []}
WRONG: list[tuple[Any, Sequence[str]]] = [
    ([], ()), ({}, ()), ({"do": "tick", "time": 1}, ()), ({"do": [], "time": 1}, ()), ({"do": "Tick"}, ()),
    ({**TICK, "then": 1}, ()), ({**TICK, "time": "1"}, ()), ({**TICK, "time": True}, ()), (TICK, ["text"]),
    ({"do": "HearProof"}, ()), ({"do": "HearProof"}, ["one", "two"]),
    ({**PROMISE, "seat": "1"}, ()), ({**PROMISE, "player": {}}, ()), ({**PROMISE, "consent": None}, ()),
    ({**CHOICES, "removals": "a"}, ()), ({**CHOICES, "removals": [1]}, ()), ({**CHOICES, "timeouts": ["1"]}, ()),
    ({"do": "AcceptOffer", "offer": {"to": "b"}}, ()), ({"do": "Join", "pending": [None], "restarted": False}, ["line"]),
    ({"do": "Identify", "seed": "no number"}, ()), ({"do": "Identify", "seed": "00"}, ())]


@pytest.mark.parametrize(("head", "texts"), WRONG)
def test_a_malformed_call_is_refused_with_a_reason(head: Any, texts: Sequence[str]) -> None:
    service = ReplicaService(SodiumGroup(), Ed25519Verifier(), Ed25519)
    answer = WorkerAnswer.decode(service.call(pack(head, texts) if texts else json.dumps(head)))
    assert answer.refusal is not None and answer.refusal.key == "kernel.malformed"
    assert answer.refusal.params["what"]


@pytest.mark.parametrize("text", ["", "tick", "null", "7", '{"do":"Tick","time":1,"lengths":3}'])
def test_what_is_no_call_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        calls.decode(text)


RESULTS_SEEN = [DeviceAuthor("ab"), Signature("cd"), SignatureCheck(True), Genesis({"i": 0}), SpeechResult(None),
                SpeechResult("0" * 64), ResultsCheck((("ab",), ())), signed(result("Ada", "Bo")),
                Proofs((AccusationProof("ab", "fork", "a file"),)), Offer("ab", "point", "consent")]


@pytest.mark.parametrize("told", RESULTS_SEEN)
def test_a_result_arrives_as_it_was_and_is_read_as_what_it_is(told: Result) -> None:
    answer = WorkerAnswer.decode(WorkerAnswer(told).encode())
    assert answer.result_as(type(told)) == told
    with pytest.raises(AssertionError):
        answer.result_as(LogReport)


def test_a_refused_call_has_no_result() -> None:
    answer = WorkerAnswer.decode(WorkerAnswer(refusal=Refusal("kernel.over")).encode())
    with pytest.raises(Refused):
        answer.result_as(Genesis)
