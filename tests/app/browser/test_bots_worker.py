"""The bots' worker on a slow device: it is given time to start, and what is asked a second time is given longer."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tabletin.app.session.bot_driver import BotFailed
from tests.support.examples import ONE_DEAL
from tests.support.jumping_loop import run

MATCH: Any = SimpleNamespace(id="match", setup=SimpleNamespace(game=ONE_DEAL))


class Workers:
    """Workers that take as many seconds as is said here. ``said``: what they were asked."""

    def __init__(self) -> None:
        self.starting = self.preparing = self.thinking = 0.0
        self.started = self.ended = 0
        self.said: list[str] = []
        self.sync = self

    async def start(self, source: str, site: object) -> Workers:
        self.started += 1
        await asyncio.sleep(self.starting)
        return self

    async def prepare(self, game: str) -> None:
        await asyncio.sleep(self.preparing)
        self.said.append(f"prepare {game}")

    async def think(self, request: str) -> str:
        self.said.append("think")
        await asyncio.sleep(self.thinking)
        return "decision"

    def terminate(self) -> None:
        self.ended += 1


@pytest.fixture
def workers() -> Workers:
    return Workers()


@pytest.fixture
def bots(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The page's end, with these workers for those of a browser."""
    name = "tabletin.app.browser.bots_worker"
    stand_ins: dict[str, dict[str, Any]] = {
        "pyodide": {},
        "pyodide.ffi": {"JsException": type("JsException", (Exception,), {})},
        "tabletin.app.browser.workers": {"start_worker": workers.start},
    }
    for module, parts in stand_ins.items():
        made = ModuleType(module)
        made.__dict__.update(parts)
        monkeypatch.setitem(sys.modules, module, made)
    monkeypatch.delitem(sys.modules, name, raising=False)
    page = importlib.import_module(name)
    for part, stand_in in (("encode_request", lambda *given: ""), ("decode", str), ("decode_reply", lambda match, reply: reply)):
        monkeypatch.setattr(page, part, stand_in, raising=False)
    yield page.WorkerBots({"tabletin": {"workers": {"bots": "bots.py"}}})
    del sys.modules[name]


def test_a_decision_that_takes_long_twice_is_waited_for_the_second_time(bots: Any, workers: Workers) -> None:
    async def ask() -> None:
        assert await bots.think_back(MATCH, 0, 0, "hard", 1.0) == "decision"

    workers.starting, workers.thinking = 20.0, 25.0
    run(ask())
    assert workers.started == 2 and workers.ended == 1


def test_a_worker_that_is_slow_to_start_is_waited_for_and_gets_no_other_beside_it(bots: Any, workers: Workers) -> None:
    async def ask() -> None:
        assert await bots.think_back(MATCH, 0, 0, "hard", 1.0) == "decision"

    workers.starting = 90.0
    run(ask())
    assert workers.started == 1 and not workers.ended


def test_each_worker_has_what_the_game_needs_before_it_is_asked(bots: Any, workers: Workers) -> None:
    async def ask() -> None:
        bots.warm(ONE_DEAL)
        with pytest.raises(BotFailed):
            await bots.think_back(MATCH, 0, 0, "hard", 1.0)

    workers.preparing, workers.thinking = 12.0, 1000.0
    run(ask())
    assert workers.said == 2 * [f"prepare {ONE_DEAL}", "think"]
