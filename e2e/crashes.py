"""What a test run does when Chromium's own renderer process dies under a test: repeat that test once, and say so.

Seen once in a whole run, in a test that links three browsers on a busy machine; the cause is not known. Nothing else is ever
repeated. The last lines of a run name what was; one that dies twice has failed.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

DIED: Final = "Target crashed"
REPEATED: Final = "repeated"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed and DIED in report.longreprtext for report in reports):
        item.user_properties.append((REPEATED, DIED))
        begun_anew: Any = item
        begun_anew._initrequest()  # its fixtures are made anew
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: Any) -> None:
    names = {report.nodeid for reports in terminalreporter.stats.values() for report in reports
             if (REPEATED, DIED) in map(tuple, getattr(report, "user_properties", ()))}
    for name in sorted(names):
        terminalreporter.write_line(f"repeated, because Chromium's renderer died: {name}")
