"""In CI a browser test that fails is tried once more, in a browser of its own, and the run says so.

On two busy processors a browser has more ways to stumble than waiting in the right places can cure. Nothing is hidden: the first
failure is printed whole, its test is named and counted as one that needed a second attempt, and one that fails twice has failed.
Where no time is left (``workshop.time_limit``) there is no second attempt.
Elsewhere nothing is repeated unless ``--repeat-failed`` asks for it, so that a race shows itself where it can be mended.
"""

from __future__ import annotations

import os
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

from workshop.stages import FIRST_ATTEMPT
from workshop.time_limit import is_over

SECOND: Final = "needed a second attempt"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--repeat-failed", action="store_true", help="try what fails once more, and say so; on where CI is set")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not (item.config.getoption("--repeat-failed", False) or os.environ.get("CI")):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    failed = [f"{report.when}: {report.longreprtext}" for report in reports if report.failed]
    if failed and not is_over(item.config):
        begun_anew: Any = item
        try:
            item.session._setupstate.teardown_exact(None)  # the browser, too: it may be what failed
        except Exception as error:
            failed.append(f"ending what it stood on: {error!r}")
        item.user_properties.append((FIRST_ATTEMPT, "\n".join(failed)))
        begun_anew._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What failed at first, each with its whole first failure, and whether the second attempt went better."""
    firsts: dict[str, str] = {}
    failed = {report.nodeid for name in ("failed", "error") for report in terminalreporter.stats.get(name, ())}
    for report in [report for reports in terminalreporter.stats.values() for report in reports]:
        for name, text in getattr(report, "user_properties", ()):
            if name == FIRST_ATTEMPT:
                firsts[report.nodeid] = text
    if firsts:
        terminalreporter.section(f"{len(firsts)} {SECOND}")
    for nodeid, text in sorted(firsts.items()):
        terminalreporter.write_line(f"FLAKY {nodeid}: then it {'failed again' if nodeid in failed else 'passed'}. At first:")
        terminalreporter.write_line(text)
