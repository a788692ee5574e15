"""The stages of testing: which run side by side, and that nothing they say or count is lost."""

from __future__ import annotations

import re
import sys
from fnmatch import fnmatch
from functools import partial
from threading import Barrier, BrokenBarrierError

import pytest

from workshop import stages
from workshop.console import StepFailed, say
from workshop.inside import run_tests
from workshop.paths import ROOT
from workshop.stages import Tally


def test_no_more_stages_run_at_a_time_than_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ones meet, and another one begins when one of them is done."""
    running: set[str] = set()
    most, first = [0], Barrier(stages.AT_ONCE, timeout=60)

    def stage(name: str) -> Tally:
        running.add(name)
        most[0] = max(most[0], len(running))
        if name in stages.SIDE_BY_SIDE[:stages.AT_ONCE]:
            first.wait()
        running.remove(name)
        return Tally(1, 0)

    names = stages.SIDE_BY_SIDE[:stages.AT_ONCE + 1]
    monkeypatch.setattr(stages, "STAGES", {name: partial(stage, name) for name in names})
    assert len(list(stages.run_stages(names[::-1]))) == len(names)
    assert most == [stages.AT_ONCE] and not running


def test_stages_that_leave_a_processor_idle_run_side_by_side(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:
    both = Barrier(2, timeout=60)

    def speaking(name: str, tally: Tally) -> Tally:
        """Waits for the other."""
        both.wait()
        say(f"{name} says so")
        stages.program([sys.executable, "-c", f"print('this is {name}')"])
        return tally

    def types() -> Tally:
        return speaking("types", Tally(1, 0))

    def pyodide() -> Tally:
        return speaking("pyodide", Tally(5, 2))

    def unit() -> Tally:
        with pytest.raises(BrokenBarrierError):
            both.wait(timeout=0)
        raise StepFailed("no")

    monkeypatch.setattr(stages, "STAGES", {"types": types, "unit": unit, "pyodide": pyodide})
    whole = Tally(0, 0)
    for tally in stages.run_stages(["types", "unit", "pyodide"]):
        whole = whole.plus(tally)
    assert whole == Tally(6, 3)
    said = capfd.readouterr().out
    assert said.count("this is types") == said.count("this is pyodide") == 1
    assert said.count("types says so") == said.count("pyodide says so") == 1
    places = [said.index(part) for part in ("pyodide says so", "this is pyodide", "pyodide: 5 passed, 2 failed", "types says so",
                                            "this is types", "types: 1 passed, 0 failed", "unit: 0 passed, 1 failed")]
    assert places == sorted(places), said


def test_no_test_that_also_runs_inside_pyodide_needs_an_event_loop() -> None:
    """None can be run there; tests that need one have names that are left out."""
    files = {path for folder in stages.INSIDE_PYODIDE for path in (ROOT / folder).rglob("test_*.py")}
    inside = {path for path in files if not any(fnmatch(path.name, left_out) for left_out in run_tests.NO_RULES)}
    waiting = {path for path in files if re.search(r"^async def test_|\basyncio\.run\(", path.read_text("utf-8"), re.MULTILINE)}
    assert waiting and not waiting & inside
