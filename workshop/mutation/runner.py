"""Tries mutants: a process that has collected the tests forks for each, changes a function there, and runs tests that reach it.

Nothing is imported or collected anew: the changed function's code takes the place of the old one in the fork. What runs when a
module is imported (a constant, a default) is tried in a process of its own. A test that takes many times its processor time
counts as failed, so a loop without end kills its mutant. Knows no test by name.

``python -m workshop.mutation.runner [PATH…]``; ``check.py --mutants`` installs what it needs and calls it. With ``--since
COMMIT`` the functions that read then as they do now are left alone.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final

import pytest

from workshop.console import OUTPUT, say
from workshop.mutation import ledger, reach
from workshop.mutation.ledger import Harmless, Outcome
from workshop.mutation.operators import Mutant, mutants
from workshop.mutation.reach import Reach
from workshop.paths import PACKAGE, ROOT

TESTS: Final = {  # which tests hold a package; every other one only costs time
    "kernel": ("tests/kernel",),
    "peers/replication": ("tests/peers/replication", "tests/peers/dealing/test_forged_shuffles.py"),
    "peers/dealing": ("tests/peers/dealing", "tests/peers/replication"),
    "peers/sealed": ("tests/peers/sealed", "tests/peers/dealing"),
}
SMALL: Final = ("--network-matches=2", "--sealed-matches=1", "--fuzz=300", "--hypothesis-seed=0")
QUIET: Final = ("-q", "-s", "--tb=no")  # to tell where a test failed takes longer than most tests; nobody reads it
SECONDS: Final = 20.0  # of tests, at most, for a mutant
FACTOR: Final = 10  # how many times its processor time a test may take
GRACE: Final = 5
PATIENCE: Final = 6  # how many times that, on the clock
MEMORY: Final = 6 << 30
KILLED, SURVIVED, UNREACHED = "killed", "survived", "unreached"


class Collection:
    """A pytest plugin that hands over the collected tests in place of running them."""

    def __init__(self, work: Callable[[list[pytest.Item]], None]) -> None:
        self._work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """A failing example is enough; nobody reads it, so it need not become smaller."""
        from hypothesis import Phase, settings

        settings.register_profile("mutants", parent=settings.get_profile("house"), database=None, print_blob=False,
                                  phases=(Phase.explicit, Phase.generate), report_multiple_bugs=False)
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._work(session.items)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(1)


def used() -> float:
    """Seconds of processor time of this process and its children."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def bound(seconds: float) -> None:
    """Ends this process if it works much longer than ``seconds`` from now."""
    allowed = int(seconds * FACTOR) + GRACE
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(used()) + allowed, hard))
    signal.alarm(allowed * PATIENCE)


def forked(work: Callable[[int], None]) -> tuple[bool, bytes]:
    """Runs ``work`` in a fork, with a pipe to write to: whether it came to its end, and what it wrote."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            work(writing)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(writing)
    parts = []
    while part := os.read(reading, 1 << 16):
        parts.append(part)
    os.close(reading)
    return os.waitpid(child, 0)[1] == 0, b"".join(parts)


def run_item(item: pytest.Item, following: pytest.Item | None = None) -> None:
    """Runs one test; the process ends if it fails. What it shares with ``following`` is kept for that."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def measure(item: pytest.Item) -> Reach | None:
    """What a test reaches; None if it fails as the code is."""
    def work(pipe: int) -> None:
        record = reach.recorder()
        before = used()
        record.start()
        run_item(item)
        record.stop()
        seconds = used() - before
        os.write(pipe, json.dumps((item.nodeid, seconds, reach.folded(record.get_data()))).encode())

    passed, written = forked(work)
    return Reach(*json.loads(written)) if passed and written else None


def package_of(path: Path) -> str:
    """The package a file is in, as ``TESTS`` names it."""
    return path.parent.relative_to(PACKAGE).as_posix()


def module_of(path: Path) -> str:
    """The module a file is."""
    return path.with_suffix("").relative_to(PACKAGE).as_posix()


def measured(items: Sequence[pytest.Item]) -> list[Reach]:
    """What each test reaches; test files are measured once, and again when they change."""
    by_file: defaultdict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        by_file[item.path].append(item)
    found: list[Reach] = []
    reach.prepare()
    for path, own in by_file.items():
        known = reach.load(path)
        if known is None:
            tried = [(item, measure(item)) for item in own]
            for item, result in tried:
                if result is None:
                    say(f"  {item.nodeid} fails as the code is; it is not used.")
            known = [result for _, result in tried if result is not None]
            reach.save(path, known)
            say(f"  measured {path.relative_to(ROOT)}: {len(known)} tests, {sum(one.seconds for one in known):.1f} s")
        found += known
    names = {item.nodeid for item in items}
    return [one for one in found if one.test in names and one.seconds <= reach.TOO_LONG]


def timed(items: Sequence[pytest.Item]) -> list[Reach]:
    """How long each test takes where they follow each other and share what they begin with; not what they reach. None of them
    if any fails as the code is."""
    def work(pipe: int) -> None:
        seconds = []
        for item, following in zip(items, (*items[1:], None), strict=True):
            before = used()
            run_item(item, following)
            seconds.append(used() - before)
        os.write(pipe, json.dumps(seconds).encode())

    passed, written = forked(work)
    if not passed:
        say("  a test fails as the code is")
        return []
    found = [Reach(item.nodeid, seconds, {}) for item, seconds in zip(items, json.loads(written), strict=True)]
    say(f"  {len(found)} tests, {sum(one.seconds for one in found):.1f} s")
    return found


def codes(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """All functions' code inside ``code``, by name and the how-many-th of that name."""
    seen: Counter[str] = Counter()

    def inside(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                seen[constant.co_qualname] += 1
                yield (constant.co_qualname, seen[constant.co_qualname]), constant
                yield from inside(constant)

    yield from inside(code)


class Functions:
    """The functions of this process, by the file and place of their code."""

    def __init__(self) -> None:
        self._found: defaultdict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        for value in gc.get_objects():
            if isinstance(value, FunctionType):
                code = value.__code__
                self._found[code.co_filename, code.co_qualname, code.co_firstlineno].append(value)

    def change(self, path: Path, old: bytes, new: bytes) -> bool:
        """Gives every function of ``path`` the code it has in ``new``; False if none could be given another."""
        before, after = (dict(codes(compile(text, str(path), "exec", dont_inherit=True))) for text in (old, new))
        changed = False
        for key, code in before.items():
            other = after.get(key)
            if other is None or other == code:
                continue
            for function in self._found.get((str(path), code.co_qualname, code.co_firstlineno), ()):
                if other.co_freevars != function.__code__.co_freevars:
                    return False
                function.__code__ = other
                changed = True
        return changed


def offsets(mutant: Mutant, first_lines: dict[str, int]) -> tuple[int, int]:
    """The lines of its statement, counted from its function's first."""
    start = first_lines.get(mutant.scope, 1)
    return mutant.first - start, mutant.last - start


@cache
def first_lines(path: Path) -> dict[str, int]:
    """The first line of each scope."""
    return {scope: first for scope, first, _ in reach.starts(path)}


class Trial:
    """Tries mutants on the collected tests, the likeliest to fail first; ``whole``: on all of them, whatever they reach."""

    def __init__(self, reaches: Sequence[Reach], items: Iterable[pytest.Item], seconds: float, *, whole: bool) -> None:
        self._seconds, self._whole = seconds, whole
        self._reaches = list(reaches) if whole else sorted(reaches, key=lambda one: one.seconds)
        self._items = {item.nodeid: item for item in items}
        self._functions = Functions()
        self._kills: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def credit(self, mutant: Mutant, test: str) -> None:
        """Notes which test killed it: that one is the first to try nearby."""
        self._kills[mutant.path, mutant.scope][test] += 1
        self._kills[mutant.path, ""][test] += 1

    def tests(self, mutant: Mutant) -> list[Reach]:
        """The tests to run on it, in order, and within the limit."""
        near, far = self._kills[mutant.path, mutant.scope], self._kills[mutant.path, ""]
        if self._whole:  # in their order, but for those that are likely to fail: the others share what they begin with
            hits = sorted(self._reaches, key=lambda one: (-near[one.test], -far[one.test]))
        else:
            hits = self._hits(mutant)
            hits.sort(key=lambda one: (-near[one.test], not one.knows(mutant.path, mutant.scope),
                                       one.seconds if one.test not in far else one.seconds / 4))
        chosen: list[Reach] = []
        spent = 0.0
        for one in hits:
            if spent + one.seconds <= self._seconds or not chosen:
                chosen.append(one)
                spent += one.seconds
        return chosen

    def _hits(self, mutant: Mutant) -> list[Reach]:
        """The tests that reach its lines, or at least its function, or (where it is tried in a new process) its file."""
        first, last = offsets(mutant, first_lines(ROOT / mutant.path))
        hits = [one for one in self._reaches if one.hits(mutant.path, mutant.scope, first, last)] if not mutant.cold else []
        hits = hits or [one for one in self._reaches if mutant.scope in one.lines.get(mutant.path, {})]
        return hits or ([one for one in self._reaches if mutant.path in one.lines] if mutant.cold else [])

    def run(self, mutant: Mutant, source: bytes) -> tuple[str, str]:
        """The outcome, and the test that failed."""
        tests = self.tests(mutant)
        if not tests:
            return UNREACHED, ""
        path = ROOT / mutant.path
        changed = mutant.applied(source)
        if mutant.cold:
            return run_cold(path, changed, tests)

        def work(pipe: int) -> None:
            if not self._functions.change(path, source, changed):
                os.write(pipe, b"cold\n")
                return
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            items = [self._items[one.test] for one in tests]
            for one, item, following in zip(tests, items, (*items[1:], None), strict=True):
                os.write(pipe, one.test.encode() + b"\n")
                bound(one.seconds)
                run_item(item, following)

        passed, written = forked(work)
        said = written.decode().splitlines()
        if said == ["cold"]:
            return run_cold(path, changed, tests)
        return (SURVIVED, "") if passed else (KILLED, said[-1] if said else "")


def run_cold(path: Path, changed: bytes, tests: Sequence[Reach]) -> tuple[str, str]:
    """The outcome in a new process, in which ``path`` reads as ``changed`` from the start."""
    order = json.dumps({"path": str(path), "text": changed.decode(), "tests": [one.test for one in tests]})
    allowed = int(sum(one.seconds for one in tests) * FACTOR) + 60

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    done = subprocess.run([sys.executable, "-m", "workshop.mutation.cold"], input=order, text=True, cwd=ROOT, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    return (SURVIVED, "") if done.returncode == 0 else (KILLED, (done.stdout.split() or ["import"])[-1])


def fits(mutant: Mutant, entry: Harmless, lines: Sequence[str]) -> bool:
    """Whether ``entry`` is of such a change."""
    line = lines[mutant.line - 1].strip()
    wanted = (mutant.path, mutant.scope, line, mutant.before.strip(), mutant.after.strip())
    return wanted == (entry.path, entry.scope, entry.line, entry.before.strip(), entry.after.strip())


def harmless_mutants(found: Iterable[Mutant], entries: Iterable[Harmless], lines: Sequence[str],
                     ) -> tuple[frozenset[str], list[tuple[Harmless, int]]]:
    """Of all mutants ``found`` in a file with these lines: the keys of those that its ``entries`` mean; and the entries that fit
    more or fewer of them than they say, with how many."""
    keys: set[str] = set()
    wrong: list[tuple[Harmless, int]] = []
    for entry in entries:
        fitting = sorted((mutant for mutant in found if fits(mutant, entry, lines)), key=lambda mutant: mutant.start)
        if len(fitting) != entry.total:
            wrong.append((entry, len(fitting)))
        keys |= {mutant.key for number, mutant in enumerate(fitting, 1) if number in entry.meant}
    return frozenset(keys), wrong


@cache
def harmless_in(path: Path) -> tuple[frozenset[str], list[tuple[Harmless, int]]]:
    """The same of the file at ``path`` and the list."""
    name = path.relative_to(ROOT).as_posix()
    entries = [entry for entry in ledger.read_harmless() if entry.path == name]
    return harmless_mutants(mutants_of(path), entries, path.read_text("utf-8").splitlines()) if entries else (frozenset(), [])


@cache
def keys_at(path: Path, commit: str) -> frozenset[str]:
    """The keys of the mutants that a file had in ``commit``; none if it was not there."""
    name = path.relative_to(ROOT).as_posix()
    shown = subprocess.run(["git", "show", f"{commit}:{name}"], cwd=ROOT, check=False, capture_output=True)
    if b"does not exist" not in shown.stderr and b"exists on disk" not in shown.stderr:
        shown.check_returncode()  # another name of a commit than one that git knows
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(shown.stdout)
        return frozenset(mutant.key for mutant in mutants_below(Path(folder), copy))


def new_mutants(path: Path, since: str) -> list[Mutant]:
    """The mutants of a file; with a commit, those of functions that read otherwise then."""
    return [mutant for mutant in mutants_of(path) if not since or mutant.key not in keys_at(path, since)]


@cache
def mutants_of(path: Path) -> list[Mutant]:
    """The mutants of a file."""
    return mutants_below(ROOT, path)


def mutants_below(root: Path, path: Path) -> list[Mutant]:
    """The mutants of the file at ``path``, which is below ``root``, kept by its hash and that of the operators."""
    operators = Path(__file__).with_name("operators.py").read_bytes()
    digest = hashlib.sha256(path.read_bytes() + operators + str(path.relative_to(root)).encode()).hexdigest()[:16]
    store = ledger.STATE / "mutants" / f"{path.stem}-{digest}.json"
    if not store.exists():
        store.parent.mkdir(parents=True, exist_ok=True)
        store.write_text(json.dumps(mutants(path, root)), "utf-8")
    return [Mutant(*entry) for entry in json.loads(store.read_text("utf-8"))]


def figures(paths: Sequence[Path], since: str, name: Callable[[Path], str]) -> bool:
    """Prints what is known of the mutants of these files. True if 95 of 100 are accounted for in each group.

    ``name`` says to which group a file belongs.
    """
    outcomes = ledger.read_outcomes()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for path in paths:
        harmless, _ = harmless_in(path)
        package = name(path)
        for mutant in new_mutants(path, since):
            found = outcomes.get(mutant.key)
            state = found.outcome if found else "untried"
            if state in (SURVIVED, UNREACHED) and mutant.key in harmless:
                state = "harmless"
            counts[package][state] += 1
    say(f"{'package':28}{'mutants':>9}{'killed':>9}{'harmless':>10}{'left':>7}{'untried':>9}{'killed of tried':>17}")
    good = True
    for package, count in counts.items():
        left = count[SURVIVED] + count[UNREACHED]
        tried = count[KILLED] + left
        good &= not count["untried"] and count[KILLED] >= 0.95 * tried
        share = f"{100 * count[KILLED] / tried:.1f} %" if tried else "–"
        say(f"{package:28}{count.total():9}{count[KILLED]:9}{count['harmless']:10}{left:7}{count['untried']:9}{share:>17}")
    return good


def survivors(paths: Sequence[Path], since: str) -> None:
    """Prints each mutant that no test noticed and the list does not have."""
    outcomes = ledger.read_outcomes()
    for path in paths:
        harmless, _ = harmless_in(path)
        for mutant in new_mutants(path, since):
            found = outcomes.get(mutant.key)
            if found and found.outcome != KILLED and mutant.key not in harmless:
                say(f"{mutant.path}:{mutant.line} {mutant.scope} {found.outcome}: {mutant.before!r} → {mutant.after!r}")


def try_all(paths: Sequence[Path], items: Sequence[pytest.Item], since: str, seconds: float, *, whole: bool) -> None:
    """Tries every mutant of these files of one package that has not been tried, and again those that survived other tests."""
    reaches = timed(items) if whole else measured(items)
    if not reaches:
        return
    trial = Trial(reaches, items, seconds, whole=whole)
    gc.freeze()
    tests = hashlib.sha256(b"".join(path.read_bytes() for path in sorted({item.path for item in items}))).hexdigest()[:16]
    known = ledger.read_outcomes()
    parent = os.getppid()
    for path in paths:
        source, started = path.read_bytes(), time.monotonic()
        counts: Counter[str] = Counter()
        listed, _ = harmless_in(path)
        # those that take longest come last
        for mutant in sorted(new_mutants(path, since), key=lambda mutant: (mutant.key in listed, mutant.cold)):
            found = known.get(mutant.key)
            if found and (found.outcome == KILLED or found.tests == tests or mutant.key in listed):
                if found.outcome == KILLED:
                    trial.credit(mutant, found.by)
                continue
            if os.getppid() != parent:
                return  # it was stopped
            outcome, by = trial.run(mutant, source)
            if outcome == KILLED:
                trial.credit(mutant, by)
            ledger.write_outcome(Outcome(mutant.key, outcome, by, tests))
            counts[outcome] += 1
        if counts:
            what = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
            say(f"  {path.relative_to(ROOT)}: {what}, {time.monotonic() - started:.0f} s")


def try_package(package: str, paths: Sequence[Path], tests: Sequence[str], since: str, seconds: float, *, whole: bool) -> None:
    """The same in a fork, which alone imports the tests and says nothing of what they print."""
    def work(_: int) -> None:
        log = os.open(ledger.STATE / "pytest.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        collection = Collection(lambda items: try_all(paths, items, since, seconds, whole=whole))
        pytest.main([*(tests or TESTS[package]), *SMALL, *QUIET, "-p", "no:xdist"], plugins=[collection])

    say(f"{package}:")
    forked(work)


def main(arguments: Sequence[str]) -> int:
    ledger.STATE.mkdir(parents=True, exist_ok=True)
    unfit = ledger.unfit(ledger.read_harmless())
    for entry in unfit:
        say(f"harmless.toml: {entry.path} {entry.scope} has no line {entry.line!r} with {entry.before!r}, or more of them than "
            f"{entry.total}")
    if unfit:
        return 1
    parser = argparse.ArgumentParser(description="Mutation testing of the packages that judge.")
    parser.add_argument("paths", nargs="*", help="change these files or folders alone")
    parser.add_argument("--report", action="store_true", help="try nothing, tell what is known")
    parser.add_argument("--tests", nargs="+", default=[], help="run these tests alone")
    parser.add_argument("--whole", action="store_true", help="run all of the tests on each mutant, without measuring what they "
                        "reach: quicker where they are a few files that take seconds")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of tests, at most, for each mutant")
    parser.add_argument("--since", default="", metavar="COMMIT", help="leave functions alone that read then as they do now")
    parser.add_argument("--modules", action="store_true", help="tell the figures of each module")
    wanted = parser.parse_args(arguments)
    paths = ledger.sources(wanted.paths)
    OUTPUT.set(os.fdopen(os.dup(1), "w", buffering=1))
    wrong = [one for path in paths for one in harmless_in(path)[1]]
    for entry, count in wrong:
        say(f"harmless.toml: {entry.path} {entry.scope} {entry.before!r} → {entry.after!r} in {entry.line!r} is {count} changes, "
            f"not {entry.total}")
    if wrong:
        return 1
    if not wanted.report:
        for package in dict.fromkeys(map(package_of, paths)):
            own = [path for path in paths if package_of(path) == package]
            try_package(package, own, wanted.tests, wanted.since, wanted.seconds, whole=wanted.whole)
    survivors(paths, wanted.since)
    return int(not figures(paths, wanted.since, module_of if wanted.modules else package_of))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
