"""The time limit of a run (workshop/time_limit.py): what is not begun is counted, and nothing that failed is hidden by it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workshop import stages, time_limit
from workshop.paths import ROOT
from workshop.stages import Tally, read_report

CONFTEST = """
from e2e.support.second_attempt import pytest_runtest_protocol, pytest_terminal_summary
"""
GOOD = """
def test_first():
    print("first of", __name__)

def test_second():
    print("second of", __name__)
"""
BAD = """
import time

def test_fails_when_the_time_is_over(pytestconfig):
    time.sleep(max(0, pytestconfig.getoption("--begin-until") - time.time()))
    assert False
"""


def run(folder: Path, until: float, *asked: str, ci: str = "", **files: str) -> tuple[str, Tally]:
    """What pytest said of ``files``, and what its report is read as."""
    (folder / "conftest.py").write_text(CONFTEST)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "--rootdir", ".", "-p", "no:cacheprovider", "-p", "no:playwright",
         *time_limit.arguments(until), "--junitxml=report.xml", *asked],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "CI": ci}, capture_output=True, text=True, check=False)
    return done.stdout, read_report(folder / "report.xml", done.returncode)


def test_before_it_everything_runs_the_first_tests_of_all_files_first(tmp_path: Path) -> None:
    said, tally = run(tmp_path, time.time() + 3600, test_a=GOOD, test_b=GOOD)
    assert tally == Tally(4, 0), said
    places = [said.index(part) for part in ("first of test_a", "first of test_b", "second of test_a", "second of test_b")]
    assert places == sorted(places), said


@pytest.mark.parametrize(("workers", "passed"), [("0", 1), ("2", 2)])
def test_after_it_each_process_runs_one_test_and_the_rest_is_counted(tmp_path: Path, workers: str, passed: int) -> None:
    said, tally = run(tmp_path, time.time() - 1, "-n", workers, test_a=GOOD, test_b=GOOD)
    assert tally == Tally(passed, 0, 0, 4 - passed), said
    assert str(tally) == f"{passed} passed, 0 failed, {4 - passed} left out because the time was over"


def test_what_fails_as_the_time_runs_out_has_failed(tmp_path: Path) -> None:
    """A second attempt, which would not be begun any more, does not stand for the first."""
    said, tally = run(tmp_path, time.time() + 1, "-n", "0", ci="true", test_a=BAD)
    assert tally == Tally(0, 1), said


def test_a_stage_leaves_time_to_those_that_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, float | None] = {}

    def stage(name: str) -> Tally:
        seen[name] = stages.UNTIL.get()
        return Tally(1, 0)

    names = ("pyodide", "types", "unit", "networks", "e2e", "firefox")
    monkeypatch.setattr(stages, "STAGES", {name: lambda name=name: stage(name) for name in names})
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    list(stages.run_stages(names, 1100))
    assert seen == {"pyodide": 1030, "types": 1100, "unit": 1075, "networks": 1040, "e2e": 1075, "firefox": 1100}
    list(stages.run_stages(names))
    assert set(seen.values()) == {None}
