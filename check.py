"""Tests: sets everything up, then lints, checks types and import contracts, and runs the tests, the real browser included.

The last line says how many checks passed and failed; the exit code is 0 only when none failed. ``--help`` tells the rest.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from workshop import large_pages, setup
from workshop.console import StepFailed, report_failure

ALWAYS = ("lint", "javascript", "types", "contracts", "collection", "package", "protocol", "pyodide", "build", "unit", "networks",
          "e2e", "firefox")
EXTRA = ("webkit", "networks-wide", "e2e-wide")
NAMES = (*ALWAYS, *EXTRA)
BEGUN = "TABLETIN_BEGUN"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Test Tabletin: set up and run every check.")
    parser.add_argument("--only", choices=NAMES, action="append", help="run only this stage (may be given several times)")
    parser.add_argument("--also", choices=EXTRA, action="append", default=[], help="add this stage (may be given several times)")
    parser.add_argument("--within", type=float, metavar="MINUTES",
                        help="begin no further unit or browser test after so many minutes, and count what was left out")
    parser.add_argument("--quick", action="store_true", help="leave out Pyodide and the browser; refused where CI is set")
    parser.add_argument("--screenshots", nargs="*", metavar="SCENE",
                        help="take pictures of every table (or those whose scene begins so) into screenshots/, test nothing")
    parser.add_argument("--deep", action="store_true", help="explore the model of the log for many minutes, test nothing")
    parser.add_argument("--mutants", nargs="*", metavar="PATH",
                        help="try small changes of the packages that judge, or of these files, and name those that no test "
                             "notices; goes on where the last run stopped")
    parser.add_argument("--report", action="store_true", help="with --mutants: try nothing, tell what is known")
    parser.add_argument("--since", metavar="COMMIT", help="with --mutants: leave functions alone that read then as they do now")
    parser.add_argument("--without", metavar="FAMILY",
                        help="run the unit tests in a copy without this family of games, as if it had been deleted")
    return parser.parse_args()


def main() -> int:
    wanted = arguments()
    begun = float(os.environ.setdefault(BEGUN, f"{time.time():.0f}"))  # set-up counts, and goes on in another process
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each of many processes would compile every test anew
    os.environ.update(large_pages.wanted())
    if wanted.quick and os.environ.get("CI"):
        print("--quick leaves out the browser, which CI never does.", file=sys.stderr)
        return 2
    try:
        setup.for_testing()
    except StepFailed as failure:
        report_failure(failure)
        print("0 passed, 1 failed")
        return 1
    setup.go_inside(Path(__file__), sys.argv[1:])
    from workshop import model, stages

    if wanted.screenshots is not None:
        return stages.screenshots(wanted.screenshots)
    if wanted.deep:
        model.prepare()
        return int(model.check_cases(model.DEEP)[1] > 0)
    if wanted.mutants is not None:
        since = ["--since", wanted.since] if wanted.since else []
        return stages.mutants([*wanted.mutants, *(["--report"] if wanted.report else []), *since])
    if wanted.without:
        try:
            done = stages.without(wanted.without)
        except StepFailed as failure:
            report_failure(failure)
            return 1
        print(done)
        return int(done.failed > 0)
    whole = stages.Tally(0, 0)
    until = None if wanted.within is None else begun + 60 * wanted.within
    for tally in stages.run_stages(wanted.only or (*(stages.QUICK if wanted.quick else ALWAYS), *wanted.also), until):
        whole = whole.plus(tally)
    print(whole)
    return int(whole.failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
