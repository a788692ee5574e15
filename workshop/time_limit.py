"""A pytest plugin: after a moment, no further test begins. ``--begin-until`` names it, in seconds since 1970.

Nothing is hidden: a test that was not begun is skipped with a sentence, and the run counts it as left out. The first tests of all
files come before the second ones, so that what is left out at the end is the rest of many files and not the whole of some. Each
process runs one test at least.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

import pytest

LEFT_OUT: Final = "left out: the time was over"
HAS_BEGUN: Final = pytest.StashKey[bool]()


def arguments(until: float | None) -> list[str]:
    """The words that give pytest this limit, in seconds since 1970; none without one."""
    return [] if until is None else ["-p", __name__, f"--begin-until={until:.0f}"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--begin-until", type=float, metavar="SECONDS", help="begin no test after this moment (seconds since 1970)")


def is_over(config: pytest.Config) -> bool:
    """Whether no further test may begin; never without the option."""
    until: float | None = config.getoption("--begin-until", None)
    return until is not None and time.time() >= until


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--begin-until") is None:
        return
    met: Counter[str] = Counter()
    places = {}
    for item in items:
        places[item] = met[item.location[0]]
        met[item.location[0]] += 1
    items.sort(key=places.__getitem__)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.config.stash.get(HAS_BEGUN, False) and is_over(item.config):
        pytest.skip(LEFT_OUT)
    item.config.stash[HAS_BEGUN] = True
