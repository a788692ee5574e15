"""Options of the test run; a test that is a coroutine runs in a loop of its own, whose clock jumps."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator
from inspect import iscoroutinefunction, signature

import pytest
from hypothesis import settings

from tabletin.registry import HOMES, install, remove
from tabletin.words import MISSING, load
from tests.support.jumping_loop import run

SWAP = "tests.support.swap_family"

settings.register_profile("house", deadline=None, max_examples=50)  # how long one takes says nothing on a busy machine
settings.register_profile("inside", deadline=None, max_examples=10)  # in Pyodide, where everything was tried outside
settings.register_profile("night", deadline=None, max_examples=1000)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--matches", type=int, default=40, help="random matches a game (10000: a night's run)")
    parser.addoption("--slice", default="1/1", help="which part of the matches to play: 3/20 is the third of twenty")
    parser.addoption("--network-matches", type=int, default=20, help="matches on a simulated network (1000: a night's run)")
    parser.addoption("--network-seed", type=int, help="replay the match on a simulated network that has this number, alone")
    parser.addoption("--sealed-matches", type=int, default=2, help="of these with real cryptography (50: a night's run)")
    parser.addoption("--explore", type=int, default=0, help="worlds of each scene within larger bounds (0: small bounds)")
    parser.addoption("--fuzz", type=int, default=1500, help="inputs for the decoders (1000000: a night's run)")
    parser.addoption("--golden-write", action="store_true", help="write the golden playthroughs anew")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: no search for garbage looks through it, neither as it grows nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    test = pyfuncitem.obj
    if not iscoroutinefunction(test):
        return None
    run(test(**{name: pyfuncitem.funcargs[name] for name in signature(test).parameters}))
    return True


@pytest.fixture(autouse=True)
def no_words_are_missing() -> Iterator[None]:
    """No test meets a key without words of a family of the tin that has words; a family that a test installs may have none."""
    MISSING.clear()
    yield
    families = [family for package, family in HOMES.items()
                if package.startswith("tabletin.") and "words" not in family.lacking()]
    sections = {name for family in families for game in family.games for name in (family.name, game, game.replace("-", "_"))}
    missing = sorted(key for key in MISSING if key.partition(".")[0] in sections)
    assert not missing, f"these keys have no words in words.en.json, or words that do not fit: {', '.join(missing)}"


@pytest.fixture
def swap(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A toy game, in the registry for one test, whose moves tests can spell: see ``tests/support/swap_family``."""
    game, = install(SWAP).games
    for module in ("board_tables", "bots_here"):
        monkeypatch.setattr(f"tests.support.{module}.WORDS", load())
    yield game
    remove(SWAP)


@pytest.fixture
def golden_write(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--golden-write"))


@pytest.fixture
def matches(request: pytest.FixtureRequest) -> int:
    """How many random matches a game plays: 40 by itself, 2 inside Pyodide. Other random trials go by it, too."""
    return int(request.config.getoption("--matches"))


@pytest.fixture
def network_matches(request: pytest.FixtureRequest) -> range:
    """The numbers of the matches on a simulated network that this run plays: all, a slice of them, or one."""
    one = request.config.getoption("--network-seed")
    if one is not None:
        return range(one, one + 1)
    count = int(request.config.getoption("--network-matches"))
    part, parts = map(int, request.config.getoption("--slice").split("/"))
    return range(count * (part - 1) // parts, count * part // parts)


@pytest.fixture
def sealed_matches(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--sealed-matches"))


@pytest.fixture
def fuzz(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--fuzz"))


@pytest.fixture
def explore(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--explore"))
