"""Large pages for the tests' Python: asked for only where that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from workshop.large_pages import ASKING, wanted


def switch(folder: Path, text: str) -> Path:
    path = folder / "enabled"
    path.write_text(text, "ascii")
    return path


def test_they_are_asked_for_where_linux_gives_them_on_request(tmp_path: Path) -> None:
    assert wanted(switch(tmp_path, "always [madvise] never\n"), "glibc") == ASKING


@pytest.mark.parametrize("text", ["[always] madvise never\n", "always madvise [never]\n"])
def test_nothing_is_asked_where_linux_does_not_listen(tmp_path: Path, text: str) -> None:
    assert wanted(switch(tmp_path, text), "glibc") == {}


def test_nothing_is_asked_of_another_library_or_system(tmp_path: Path) -> None:
    assert wanted(switch(tmp_path, "always [madvise] never\n"), "") == {}
    assert wanted(tmp_path / "missing", "glibc") == {}
