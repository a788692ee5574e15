"""When the page counts as stalled (`web/page/stall_timer.js`), run in Node where there is one: a slow device is not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = shutil.which("node", path=str(HERE.parents[1] / ".venv" / "bin")) or shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_only_time_in_which_nothing_goes_on_uses_patience_up() -> None:
    assert NODE is not None
    script = str(HERE / "stall_timer.mjs")
    done = subprocess.run([NODE, script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    still, at_work, files, always_at_work, ended, counted = map(int, done.stdout.split())
    assert still == 20
    assert at_work == 60 + 20, "the time at work does not count"
    assert files == 50 + 20, "each file begins it anew"
    assert (always_at_work, ended) == (-1, -1)
    assert counted == 310, "a browser keeps the entries of 250 files"
