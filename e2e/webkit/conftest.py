"""WebKit is driven by Selenium: nothing of Playwright is started for these tests, and its watcher has nothing to watch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def heard() -> None:
    """In place of Playwright's watcher."""


@pytest.fixture(scope="session")
def console(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of what pages said."""
    return tmp_path_factory.mktemp("webkit") / "console.log"


@pytest.fixture(scope="session")
def webkit(console: Path) -> Iterator[object]:
    """The page of a WebKitGTK that all these tests share: a ``WebKitPage``."""
    from e2e.support.webkit import webkit_page
    with webkit_page(console) as page:
        yield page
