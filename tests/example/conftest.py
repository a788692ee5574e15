"""The worked example stands in the registry while its own tests run, and at no other time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabletin.registry import install, remove
from tabletin.words import load
from tests.support import board_tables, invariants

PACKAGE = "tests.example.doubt"


@pytest.fixture(autouse=True)
def doubt(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install(PACKAGE)
    for shared in (board_tables, invariants):
        monkeypatch.setattr(shared, "WORDS", load())
    yield
    remove(PACKAGE)
