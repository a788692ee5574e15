"""A second attempt of a failing browser test (e2e/support/second_attempt.py): made where it is asked for, and told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workshop.paths import ROOT
from workshop.stages import Tally, read_report

CONFTEST = """
import pytest
from e2e.support import second_attempt
from e2e.support.second_attempt import pytest_runtest_protocol, pytest_terminal_summary

def pytest_addoption(parser):
    second_attempt.pytest_addoption(parser)

@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    return tmp_path_factory.mktemp("browser")
"""
TESTS = """
import pathlib
import pytest

@pytest.fixture
def quiet():
    yield
    once("quiet", "said something at the end")

def once(name, why):
    here = pathlib.Path(name)
    if not here.exists():
        here.touch()
        raise AssertionError(why)

def test_good(browser):
    pass

def test_a_race(browser):
    once("race", f"nothing came of it in {browser.name}")
    assert browser.name == "browser1", "the second attempt has a browser of its own"

def test_a_race_seen_at_the_end(quiet):
    pass

def test_bad():
    assert "this" == "that"
"""


def run(folder: Path, *asked: str, ci: str = "") -> tuple[str, Tally]:
    """What pytest said, and what its report is read as."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_some.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--rootdir", ".", "-p", "no:cacheprovider", "-p", "no:playwright",
         "--junitxml=report.xml", *asked],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "CI": ci}, capture_output=True, text=True, check=False)
    return done.stdout, read_report(folder / "report.xml", done.returncode)


@pytest.mark.parametrize(("asked", "ci"), [(["--repeat-failed"], ""), (["-n", "2"], "true")])
def test_what_fails_is_tried_once_more_and_named(tmp_path: Path, asked: list[str], ci: str) -> None:
    said, tally = run(tmp_path, *asked, ci=ci)
    assert tally == Tally(3, 1, 2), said
    assert str(tally) == "3 passed, 1 failed, 2 needed a second attempt"
    assert "3 needed a second attempt" in said, "and one of those in vain"
    assert "test_bad: then it failed again" in said
    assert "test_a_race: then it passed" in said and "nothing came of it in browser0" in said
    assert "test_a_race_seen_at_the_end: then it passed" in said and "said something at the end" in said
    assert "test_good" not in said


def test_elsewhere_a_race_fails(tmp_path: Path) -> None:
    said, tally = run(tmp_path)
    assert tally.failed == 3 and tally.repeated == 0 and "second attempt" not in said
