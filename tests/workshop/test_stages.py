"""The stages of testing: which run side by side, and that nothing they say or count is lost."""

from __future__ import annotations

import sys
from threading import Barrier, BrokenBarrierError

import pytest

from workshop import stages
from workshop.console import StepFailed
from workshop.stages import Tally


def test_stages_that_leave_a_processor_idle_run_side_by_side(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:
    both = Barrier(2, timeout=60)

    def speaking(name: str, tally: Tally) -> Tally:
        """Waits for the other."""
        both.wait()
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
    places = [said.index(part) for part in ("this is types", "types: 1 passed, 0 failed", "this is pyodide",
                                            "pyodide: 5 passed, 2 failed", "unit: 0 passed, 1 failed")]
    assert places == sorted(places), said
