"""Options of the test run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--matches", type=int, default=3, help="random matches a game and option set (10000: a night's run)")
    parser.addoption("--golden-write", action="store_true", help="write the golden playthroughs anew")


@pytest.fixture
def matches(request: pytest.FixtureRequest) -> int:
    count: int = request.config.getoption("--matches")
    return count


@pytest.fixture
def golden_write(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--golden-write"))
