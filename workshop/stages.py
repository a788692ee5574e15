"""The stages of testing: functions that each run one tool and return how many checks passed and failed.

A stage prints the output of its tool. A tool that fails without naming a failed check counts as one failure.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple
from xml.etree import ElementTree

from workshop import chromium, firefox, model, namespaces, site, time_limit, webkit
from workshop.console import OUTPUT, StepFailed, report, report_failure, run, say
from workshop.paths import NODE_MODULES, PACKAGE, ROOT, VENV_BIN, VENV_PYTHON, WORK
from workshop.removal import copy_without
from workshop.runtime import INSIDE
from workshop.setup import node
from workshop.setup import packages as python_packages
from workshop.time_limit import LEFT_OUT

SCRIPTS: Final = ("web", "workshop", "tests", "e2e")
TYPESCRIPT_PROJECTS: Final = ("web", "web/offline", "workshop/inside")  # what runs in a page, a service worker, Node
CHECKED: Final = ("serve.py", "check.py", "workshop", "py", "tests", "e2e", "bench")
INSIDE_PYODIDE: Final = ("tests/kernel", "tests/games", "tests/puzzles", "tests/peers/inside")
WHEEL: Final = "tests/package"
NETWORKS: Final = "tests/networks"
IN_A_BROWSER: Final = ("py/tabletin/app/browser", "py/tabletin/app/main", "py/tabletin/app/table")
DOCTESTS: Final = ("--doctest-modules", "py/tabletin", *(f"--ignore={path}" for path in IN_A_BROWSER), "--ignore-glob=*_js.py")
WORKERS: Final = "3"  # on two processors, because many tests wait
SIDE_BY_SIDE: Final = ("pyodide", "build", "protocol", "types", "collection", "package", "javascript", "contracts", "lint")
"""What keeps one processor busy, or waits: the longest first."""
GROUPS: Final = (SIDE_BY_SIDE, ("unit", "networks"))
"""Stages that run side by side. Matches between homes mostly wait: for a network to be lost, and found again."""
AT_ONCE: Final = 3  # on two processors, because some wait for files and packages
SHARES: Final[Mapping[str, float]] = MappingProxyType({"pyodide": 0.3, "unit": 0.75, "networks": 0.4, "e2e": 0.75})
"""Of the time that is left when a stage begins: how much of it may pass until it begins no further test. Others may use all."""
UNTIL: Final[ContextVar[float | None]] = ContextVar("UNTIL", default=None)
"""When the stage that runs begins no further test, in seconds since 1970; None: it runs all."""
FIRST_ATTEMPT: Final = "first attempt"  # what a JUnit report calls how a test failed that was tried again


class Tally(NamedTuple):
    """How many checks passed, and how many failed; how many of those that passed needed a second attempt; how many were not
    begun, because the time was over.
    """

    passed: int
    failed: int
    repeated: int = 0
    left_out: int = 0

    def plus(self, other: Tally) -> Tally:
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def __str__(self) -> str:
        again = f", {self.repeated} needed a second attempt" if self.repeated else ""
        left_out = f", {self.left_out} left out because the time was over" if self.left_out else ""
        return f"{self.passed} passed, {self.failed} failed{again}{left_out}"


def program(command: Sequence[str | Path], *, stdin: str | None = None, env: Mapping[str, str] | None = None,
            cwd: Path = ROOT) -> int:
    """Runs a tool in the root, or in ``cwd``, and returns its exit code.

    Its output goes to ours, or to the file of a stage beside another.
    """
    words = [str(word) for word in command]
    captured = OUTPUT.get()
    return subprocess.run(words, cwd=cwd, input=stdin, text=True, env={**os.environ, **(env or {})}, check=False,
                          stdout=captured, stderr=None if captured is None else subprocess.STDOUT).returncode


def single_check(code: int) -> Tally:
    """The tally of a tool that is a single check."""
    return Tally(int(code == 0), int(code != 0))


def present(names: Sequence[str]) -> list[str]:
    """Those of these folders and files that exist."""
    return [name for name in names if (ROOT / name).exists()]


def lint() -> Tally:
    """ruff over everything."""
    return single_check(program([VENV_BIN / "ruff", "check", "--quiet", "."]))


def types() -> Tally:
    """mypy --strict over everything."""
    return single_check(program([VENV_BIN / "mypy", *present(CHECKED)]))


def javascript() -> Tally:
    """oxlint and the TypeScript compiler, as strict as it can be, over all scripts."""
    linted = program([node(), NODE_MODULES / "oxlint" / "bin" / "oxlint", "--quiet", *present(SCRIPTS)])
    tally = single_check(linted)
    for project in TYPESCRIPT_PROJECTS:
        tally = tally.plus(single_check(program([node(), NODE_MODULES / "typescript" / "bin" / "tsc", "-p", project])))
    return tally


def contracts() -> Tally:
    """import-linter: which part may import which."""
    done = subprocess.run([VENV_BIN / "lint-imports", "--no-cache"], cwd=ROOT, text=True, capture_output=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)})
    found = re.search(r"Contracts: (\d+) kept, (\d+) broken", done.stdout)
    if found is None or done.returncode:
        say(done.stdout + done.stderr)
    return Tally(int(found[1]), int(found[2])) if found else Tally(0, 1)


def read_report(report: Path, code: int) -> Tally:
    """The tally in the JUnit report of a run that ended with ``code``; one failure where the run wrote none."""
    passed = failed = repeated = left_out = 0
    if report.exists():
        for suite in ElementTree.parse(report).getroot().iter("testsuite"):
            tests, bad, skipped = (
                sum(int(suite.get(name, "0")) for name in names)
                for names in (("tests",), ("failures", "errors"), ("skipped",))
            )
            passed += max(0, tests - bad - skipped)
            failed += bad
            repeated += sum(case.find(f"properties/property[@name='{FIRST_ATTEMPT}']") is not None
                            and case.find("failure") is None and case.find("error") is None for case in suite.iter("testcase"))
            left_out += sum(found.get("message") == LEFT_OUT for found in suite.iter("skipped"))
    return Tally(passed, max(failed, int(code != 0)), repeated, left_out)


def pytest(name: str, arguments: Sequence[str], *, workers: str = WORKERS, world: Sequence[str] = ()) -> Tally:
    """pytest under our Python; ``world``: the words of a command that runs it in a world of its own."""
    report = WORK / f"{name}.xml"
    report.unlink(missing_ok=True)
    until = UNTIL.get()
    limit = time_limit.arguments(until)
    if until is not None and until <= time.time():
        workers = "1"  # each runs one test
    code = program([*world, VENV_PYTHON, "-m", "pytest", "-q", "--tb=short", f"--junitxml={report}", "-n", workers,
                    "--dist", "worksteal", *limit, *arguments])
    return read_report(report, code)


def collection() -> Tally:
    """Every test can be collected; what pytest makes of its assertions is kept. Each worker of a stage would make it anew."""
    return single_check(program([VENV_PYTHON, "-m", "pytest", "-q", "-q", "--collect-only", "tests", "e2e"]))


def unit() -> Tally:
    """Unit and property tests under CPython, and the examples in docstrings."""
    examples = pytest("examples", [*DOCTESTS, "-n", "0"])
    return examples.plus(pytest("unit", ["tests", f"--ignore={WHEEL}", f"--ignore={NETWORKS}"]))


def package() -> Tally:
    """The wheel in an empty environment: each command, with and without the extra for judging."""
    return pytest("package", [WHEEL, "-n", "0"])


def protocol() -> Tally:
    """The model of the log among peers: nothing fails within small bounds, and each fault put into it is found."""
    model.prepare()
    return Tally(*model.check_cases(model.SMALL, quick=True)).plus(Tally(*model.check_faults()))


def pyodide() -> Tally:
    """The tests of kernel, games and puzzles once more, inside Pyodide, but for what is drawn and said; and the worker's."""
    report = WORK / "pyodide.xml"
    report.unlink(missing_ok=True)
    where = "import pytest, pathlib; print(pathlib.Path(pytest.__file__).parent.parent)"
    packages = run([VENV_PYTHON, "-c", where], "pytest is missing. Delete .venv and run this again.").strip()
    order = {
        "root": str(ROOT), "pyodide": str(NODE_MODULES / "pyodide"), "packages": packages,
        "folders": present(INSIDE_PYODIDE), "report": f"/repo/{report.relative_to(ROOT).as_posix()}",
        "limit": time_limit.arguments(UNTIL.get()),
    }
    return read_report(report, program([node(), INSIDE / "tests.mjs"], stdin=json.dumps(order)))


def build() -> Tally:
    """The site, built as it is shipped, before the browsers want it."""
    site.built()
    return Tally(1, 0)


def e2e() -> Tally:
    """The built site in a real Chromium: everything once."""
    return in_chromium("e2e")


def e2e_wide() -> Tally:
    """The same with every game every way, every language, and every variant of what one test shows."""
    return in_chromium("e2e-wide", "--wide")


def in_chromium(name: str, *more: str) -> Tally:
    """The browser tests in Chromium; ``more``: further words for pytest."""
    found = chromium.chromium()
    report(f"Testing in {found}")
    site.built()
    os.environ["TABLETIN_CHROMIUM"] = str(found)
    return pytest(name, ["e2e", *more])


def in_firefox() -> Tally:
    """The built site in a stock Firefox, and matches between Firefox and Chromium."""
    found = firefox.firefox()
    report(f"Testing in {found}")
    site.built()
    os.environ["TABLETIN_FIREFOX"] = str(found)
    os.environ["TABLETIN_CHROMIUM"] = str(chromium.chromium())
    return pytest("firefox", ["e2e", "--browser", "firefox"])


def without(family: str) -> Tally:
    """The unit tests in a copy without ``family``; the browser's tests are only collected there."""
    there = copy_without(family)
    report = WORK / f"without-{family}.xml"
    report.unlink(missing_ok=True)
    command: list[str | Path] = [VENV_PYTHON, "-m", "pytest", "-q", "--tb=short"]
    unit_tests = ["-n", WORKERS, "--dist", "worksteal", "tests", f"--ignore={WHEEL}", f"--ignore={NETWORKS}"]
    code = program([*command, f"--junitxml={report}", *unit_tests], cwd=there)
    tally = read_report(report, code)
    return tally.plus(single_check(program([*command, "--collect-only", "-q", "e2e"], cwd=there)))


def in_webkit() -> Tally:
    """A smoke test of the built site in WebKitGTK."""
    webkit.ensure_webkit()
    python_packages("webkit")
    site.built()
    return pytest("webkit", ["e2e/webkit", "--browser", "webkit", "-n", "0"])


def networks() -> Tally:
    """Matches between homes with a router each, every packet of which goes through namespaces of this machine: the main rows."""
    return between_homes("networks", "not wide")


def networks_wide() -> Tally:
    """All rows of the same, with replies that lie for minutes and devices that sleep: half an hour."""
    return between_homes("networks-wide", "wide or not wide")


def between_homes(name: str, rows: str) -> Tally:
    """The tests of networks in a world of their own; ``rows``: which, in pytest's words for marks."""
    world = namespaces.world()
    browsers = {"TABLETIN_CHROMIUM": str(chromium.chromium()), "TABLETIN_FIREFOX": str(firefox.firefox())}
    report(f"Testing in {', '.join(browsers.values())}")
    site.built()
    os.environ.update(browsers)
    return pytest(name, [NETWORKS, "-n", "0", "-s", "-m", rows], world=world)


def mutants(paths: Sequence[str]) -> int:
    """Mutation testing; see workshop/mutation/runner.py. Its exit code."""
    python_packages("mutants")
    return program([VENV_PYTHON, "-m", "workshop.mutation.runner", *paths])


def screenshots(scenes: Sequence[str]) -> int:
    """Pictures of the tables; see e2e/screenshots.py. Its exit code."""
    os.environ["TABLETIN_CHROMIUM"] = str(chromium.chromium())
    return program([VENV_PYTHON, ROOT / "e2e" / "screenshots.py", *scenes])


STAGES: Final[Mapping[str, Callable[[], Tally]]] = MappingProxyType({
    "lint": lint, "javascript": javascript, "types": types, "contracts": contracts, "collection": collection, "unit": unit,
    "package": package, "protocol": protocol, "pyodide": pyodide, "build": build, "e2e": e2e, "e2e-wide": e2e_wide,
    "firefox": in_firefox, "webkit": in_webkit, "networks": networks, "networks-wide": networks_wide,
})
QUICK: Final = ("lint", "javascript", "types", "contracts", "collection", "unit", "package")


def run_stage(name: str) -> Tally:
    """One stage; a ``StepFailed`` in it is printed and counts as one failed check."""
    try:
        return STAGES[name]()
    except StepFailed as failure:
        report_failure(failure)
        return Tally(0, 1)


def run_timed(name: str, until: float | None) -> tuple[Tally, float]:
    """One stage: its tally, and its seconds. ``until``: as in ``run_stages``."""
    UNTIL.set(begins_until(name, until))
    start = time.monotonic()
    tally = run_stage(name)
    return tally, time.monotonic() - start


def run_captured(name: str, until: float | None) -> tuple[Tally, float, str]:
    """The same beside another stage, and what it said."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as kept:
        OUTPUT.set(kept)
        tally, seconds = run_timed(name, until)
        kept.seek(0)
        return tally, seconds, kept.read()


def begins_until(name: str, until: float | None) -> float | None:
    """Until when the stage that begins now may begin tests, if all that follow have to be over at ``until``."""
    now = time.time()
    return None if until is None else now + max(0, until - now) * SHARES.get(name, 1)


def run_stages(names: Sequence[str], until: float | None = None) -> Iterator[Tally]:
    """Runs the stages and says when each begins and ends; those that leave a processor idle run side by side. The first of them
    speaks at once, what the others say follows.

    ``until``: the moment, in seconds since 1970, after which no stage that runs pytest begins a further test.
    """
    left = list(names)
    while left:
        group = next((group for group in GROUPS if left[0] in group), (left[0],))
        first, *others = (name for name in group if name in left)
        left = [name for name in left if name not in group]
        for name in (first, *others):
            report(f"{name}: {(STAGES[name].__doc__ or '').strip()}")
        with ThreadPoolExecutor(AT_ONCE) as threads:
            running = threads.submit(run_timed, first, until)
            captured = threads.map(partial(run_captured, until=until), others)
            yield ended(first, *running.result())
            for name, (tally, seconds, said) in zip(others, captured, strict=True):
                print(said, end="", flush=True)
                yield ended(name, tally, seconds)


def ended(name: str, tally: Tally, seconds: float) -> Tally:
    """The tally of a stage, once it was said."""
    report(f"{name}: {tally}, {seconds:.0f} s")
    return tally
