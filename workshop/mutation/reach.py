"""Which tests reach which lines, and how long each takes: measured once with coverage.py, kept by the test file's hash.

Lines are counted from their function's first, so a change elsewhere in the file leaves them right. They stand beside a hash of
the function's text: where that has changed since, the measured lines say nothing, and whatever reached the function counts.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import coverage

from workshop.mutation.ledger import STATE, scopes
from workshop.paths import PACKAGE, ROOT

MEASURED: Final = STATE / "reach"
TOO_LONG: Final = 12.0  # seconds of processor time; a longer test is not used
WATCHED: Final = (PACKAGE / "kernel", PACKAGE / "peers")
Lines = Mapping[str, Mapping[str, tuple[str, Sequence[int]]]]  # by path, by scope: the hash of its text, and the lines


class Reach(NamedTuple):
    """A test: seconds of processor time, and the lines it runs."""

    test: str
    seconds: float
    lines: Lines

    def hits(self, path: str, scope: str, first: int, last: int) -> bool:
        """Whether it runs a line from ``first`` to ``last`` of that function, counted from its own first line, or may."""
        _, lines = self.lines.get(path, {}).get(scope, ("", ()))
        return any(first <= line <= last for line in lines) if self.knows(path, scope) else bool(lines)

    def knows(self, path: str, scope: str) -> bool:
        """Whether it was measured in the text that the function has now."""
        digest, _ = self.lines.get(path, {}).get(scope, ("", ()))
        return digest == text_digest(ROOT / path, scope)


def kept(test_file: Path) -> Path:
    """Where the measurements of the tests in ``test_file`` are kept, as it is now."""
    digest = hashlib.sha256(test_file.read_bytes()).hexdigest()[:16]
    return MEASURED / f"{test_file.stem}-{digest}.json"


@cache
def starts(path: Path) -> list[tuple[str, int, int]]:
    """The scopes of a file, the innermost last."""
    return sorted(scopes(ast.parse(path.read_text("utf-8"))), key=lambda scope: scope[2] - scope[1], reverse=True)


@cache
def text_digest(path: Path, scope: str) -> str:
    """The hash of a function's text as it is now; of the module, that of the whole file."""
    lines = path.read_text("utf-8").splitlines()
    own = (line for name, first, last in starts(path) if name == scope for line in lines[first - 1:last])
    return hashlib.sha256("\n".join(own).encode()).hexdigest()[:16]


def folded(data: coverage.CoverageData) -> dict[str, dict[str, tuple[str, list[int]]]]:
    """What was run, by file and function."""
    found: dict[str, dict[str, tuple[str, list[int]]]] = {}
    for name in data.measured_files():
        known = starts(Path(name))
        lines: defaultdict[str, list[int]] = defaultdict(list)
        for line in sorted(data.lines(name) or ()):
            scope, first = next((scope, first) for scope, first, last in reversed(known) if first <= line <= last)
            lines[scope].append(line - first)
        if lines:
            found[Path(name).relative_to(ROOT).as_posix()] = {
                scope: (text_digest(Path(name), scope), reached) for scope, reached in lines.items()}
    return found


def prepare() -> None:
    """Reads all watched files, so that no fork has to."""
    for package in WATCHED:
        for path in package.rglob("*.py"):
            starts(path)


def recorder() -> coverage.Coverage:
    """What notes the lines of the packages that judge."""
    return coverage.Coverage(data_file=None, config_file=False, include=[str(package / "*") for package in WATCHED])


def save(test_file: Path, reaches: Sequence[Reach]) -> None:
    """Keeps the measurements of one test file."""
    MEASURED.mkdir(parents=True, exist_ok=True)
    path = kept(test_file)
    part = path.with_suffix(f".part{os.getpid()}")
    part.write_text(json.dumps(reaches), "utf-8")
    part.rename(path)


def load(test_file: Path) -> list[Reach] | None:
    """The measurements of one test file, or None where there are none of it as it is now."""
    path = kept(test_file)
    return [Reach(*entry) for entry in json.loads(path.read_text("utf-8"))] if path.exists() else None
