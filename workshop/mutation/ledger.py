"""What is known of each mutant, kept in ``.build/mutants`` so that a run goes on where the last one stopped.

A mutant is named by its function's text: a changed function is tried anew, everything else keeps its outcome. ``harmless.toml``
lists mutants that change nothing anybody could see, each with the reason. An entry there that fits no code, or more of it than it
says, is an error.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from workshop.paths import ROOT, WORK

STATE: Final = WORK / "mutants"
OUTCOMES: Final = STATE / "outcomes.jsonl"
HARMLESS: Final = Path(__file__).with_name("harmless.toml")
PACKAGES: Final = ("kernel", "peers/replication", "peers/dealing", "peers/sealed")
WHICH: Final = re.compile(r"[1-9]\d?(, [1-9]\d?)* of [1-9]\d?")
WITH_BROWSER: Final = "_js.py"  # runs inside a browser alone


class Outcome(NamedTuple):
    """What became of a mutant: ``killed`` by a test, or ``survived`` the tests whose digest is ``tests``."""

    key: str
    outcome: str
    by: str
    tests: str


class Harmless(NamedTuple):
    """A change that nobody could see: where it is, the line as it stands (stripped), the change, and why.

    ``which``: the numbers of those that are meant, in the order of the file, and how many there are of that change in such a
    line."""

    path: str
    scope: str
    line: str
    before: str
    after: str
    reason: str
    which: str = "1 of 1"

    @property
    def meant(self) -> list[int]:
        return [int(number) for number in self.which.partition(" of ")[0].split(", ")]

    @property
    def total(self) -> int:
        return int(self.which.partition(" of ")[2])


def sources(paths: Sequence[str]) -> list[Path]:
    """The files to change: those under ``paths``, or all of the packages that judge."""
    roots = [ROOT / path for path in paths] or [ROOT / "py" / "tabletin" / package for package in PACKAGES]
    found = [file for root in roots for file in ([root] if root.is_file() else sorted(root.rglob("*.py")))]
    return [file for file in dict.fromkeys(found) if not file.name.endswith(WITH_BROWSER)]


def read_outcomes() -> dict[str, Outcome]:
    """The newest outcome of each mutant, by its key."""
    if not OUTCOMES.exists():
        return {}
    lines = OUTCOMES.read_text("utf-8").splitlines()
    return {found.key: found for found in (Outcome(*json.loads(line)) for line in lines)}


def write_outcome(outcome: Outcome) -> None:
    """Notes it at once, so that nothing is tried twice."""
    with OUTCOMES.open("a", encoding="utf-8") as file:
        file.write(json.dumps(outcome) + "\n")


def read_harmless(path: Path = HARMLESS) -> list[Harmless]:
    """The list. Raises ``ValueError`` for an entry that lacks a field, has another, or means what cannot be."""
    entries = tomllib.loads(path.read_text("utf-8")).get("harmless", [])
    for entry in entries:
        if {*entry, "which"} != set(Harmless._fields) or not all(isinstance(value, str) for value in entry.values()):
            raise ValueError(f"an entry of {path.name} has the fields {', '.join(Harmless._fields)}: {entry}")
    found = [Harmless(**entry) for entry in entries]
    for one in found:
        if not WHICH.fullmatch(one.which) or one.meant != sorted({*one.meant}) or one.meant[-1] > one.total:
            raise ValueError(f"an entry of {path.name} means “{one.which}”, not such as “1, 3 of 4”: {one}")
    return found


def scopes(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """Each function and class: its name with those around it, its first and last line; the module itself is ""."""
    def inside(node: ast.AST, name: str) -> Iterator[tuple[str, int, int]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                own = f"{name}.{child.name}" if name else child.name
                yield own, child.lineno, child.end_lineno or child.lineno
                yield from inside(child, own)
            else:
                yield from inside(child, name)
    yield "", 1, 1_000_000
    yield from inside(tree, "")


def unfit(entries: Iterable[Harmless], root: Path = ROOT) -> list[Harmless]:
    """Those entries whose function has no such line any more, or more of them than the entry says, or whose line has nothing to
    change."""
    bad = []
    for entry in entries:
        path = root / entry.path
        text = path.read_text("utf-8") if path.exists() else ""
        lines = [line.strip() for line in text.splitlines()]
        fitting = sum(lines[first - 1:last].count(entry.line)
                      for name, first, last in scopes(ast.parse(text)) if name == entry.scope)
        if not 1 <= fitting <= entry.total or entry.before.split("\n")[0].strip() not in entry.line:
            bad.append(entry)
    return bad
