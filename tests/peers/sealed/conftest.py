"""The groups that the tests of sealed dealing run in."""

from __future__ import annotations

import pytest

from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.group_sodium import SodiumGroup
from tests.support.standin_group import StandInGroup

SODIUM = SodiumGroup()
STAND_IN = StandInGroup()


@pytest.fixture(params=["sodium", "stand-in"])
def group(request: pytest.FixtureRequest) -> PrimeGroup:
    """Both groups; the real one first."""
    return SODIUM if request.param == "sodium" else STAND_IN


@pytest.fixture
def standin() -> PrimeGroup:
    return STAND_IN


@pytest.fixture
def sodium() -> PrimeGroup:
    return SODIUM
