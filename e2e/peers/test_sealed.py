"""Sealed matches in the browser's worker: the real arithmetic, a whole match, and the page's own end of the worker."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from e2e.support.in_worker import RUN_IN_WORKER, run
from tests.support.examples import MANY_HANDS, ONE_DEAL

pytestmark = pytest.mark.shares_pages

HERE = Path(__file__).parent


OWN_WORKER = """
import json
from js import document
from pyscript import config
from tabletin.app.browser.replica_worker import ReplicaWorker
from tabletin.kernel.setup import Seat
from tabletin.peers.worker import calls
from tabletin.peers.worker.results import DeviceAuthor, Genesis
from tabletin.peers.replication.outbox import Pending
worker = await ReplicaWorker.start(config)
author = (await worker.call(calls.Identify("07" * 32))).result_as(DeviceAuthor).author
seat = Seat("person", author)
genesis = (await worker.call(calls.FoundMatch("THE_GAME", {}, (seat, seat), "n", {}))).result_as(Genesis).entry
joined = (await worker.call(calls.Join((json.dumps(genesis),), Pending(), False))).news
wrong = await worker.call(calls.PlayMove(0, ["win"]))
document.documentElement.dataset.sealed = json.dumps([len(author), len(joined.faces), joined.status.ready, wrong.refusal.key])
worker.end()
""".replace("THE_GAME", ONE_DEAL)


@pytest.mark.parametrize("game", [ONE_DEAL, pytest.param(MANY_HANDS, marks=pytest.mark.wide)])
def test_a_whole_sealed_match_in_a_worker(visit: Callable[[str], Page], game: str) -> None:
    source = (HERE.parent / "support" / "in_page" / "sealed_in_worker.py").read_text("utf-8")
    same, length, *rest = run(visit("#/"), RUN_IN_WORKER.format(source=json.dumps(source), game=game))
    assert same and length > 40
    accused_one, accused_two, shared, known = rest
    assert (accused_one, accused_two, shared) == (0, 0, 0)
    assert known > 8


def test_the_pages_own_worker_deals_a_match(visit: Callable[[str], Page]) -> None:
    assert run(visit("#/"), OWN_WORKER) == [64, 8, True, "kernel.malformed"]
