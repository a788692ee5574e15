"""Runs inside Pyodide: pytest over some of our test folders, as they are, with the plugins that can run here."""

from __future__ import annotations

import json
import os
import sys

DRAWN = ("test_board.py", "test_layout.py")  # what is drawn takes long to test, and pages draw it in real browsers


def run(folders: str, report: str) -> int:
    """Runs the tests of ``folders`` (JSON list) and writes ``results``; returns pytest's exit code."""
    os.chdir("/repo")
    sys.path.append("/packages")
    import pytest

    return int(pytest.main([
        *json.loads(folders), "-q", "-p", "_hypothesis_pytestplugin", "-p", "no:faulthandler", "-p", "no:benchmark",
        "--capture=sys", "--matches=3", f"--junitxml={report}", "--tb=short",
        *(f"--ignore-glob=*/{name}" for name in DRAWN),
    ]))
