"""Runs inside Pyodide: pytest over some of our test folders, as they are, with the plugins that can run here."""

from __future__ import annotations

import json
import os
import sys

NO_RULES = (  # what is drawn and said takes long to test, and pages show it in real browsers
    "test_art.py", "test_board.py", "test_broken_families.py", "test_completeness.py", "test_fallbacks.py", "test_figures.py",
    "test_highlights.py", "test_layout.py", "test_lesson.py", "test_marked_seats.py", "test_peers_*.py", "test_session_*.py",
    "test_speed_board.py", "test_words.py",
)


def run(arguments: str, report: str) -> int:
    """Runs the tests that ``arguments`` name (JSON list) and writes ``report``; returns pytest's exit code."""
    os.chdir("/repo")
    sys.path.insert(0, "/repo")  # plugins of ours are imported before pytest reads where else to look
    sys.path.append("/packages")
    import pytest

    return int(pytest.main([
        *json.loads(arguments), "-q", "-p", "_hypothesis_pytestplugin", "-p", "no:faulthandler", "-p", "no:benchmark",
        "--capture=sys", "--assert=plain",  # to rewrite each test takes longer here than to run it; outside, failures say more
        "--matches=2", "--hypothesis-profile=inside", f"--junitxml={report}", "--tb=short",
        *(f"--ignore-glob=*/{name}" for name in NO_RULES),
    ]))
