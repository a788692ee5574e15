"""Explores the model of the log among peers (``tests/model/log.pml``) with spin; ``docs/model.md`` says what it holds.

A *case* is the model within bounds: nothing may fail. A *fault* is the model with one rule taken out: something has to fail,
or the model would prove nothing.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from workshop import system
from workshop.console import StepFailed, run, say
from workshop.paths import ROOT

MODEL: Final = ROOT / "tests" / "model" / "log.pml"
TOOLS: Final = {"spin": "spin", "gcc": "gcc", "cpp": "cpp"}  # a program, and the Debian package that has it
MEGABYTES: Final = 12_000
DEEP_MINUTES: Final = 20
VERBS: Final = "signs|places|gets|takes|goes|votes|has|knows|forgets|loses|meets"


class Case(NamedTuple):
    """The model within bounds: who is hostile (3: nobody), who orders first, entries, ballots, the author's statements;
    ``faults``: rules that are taken out, or ``ONLY_…``, by which less is tried; ``moves``: whether a person may go on from
    another device; ``leaves``: whether a peer may leave the table; ``progress``: whether it is asked from every state how it goes
    on; ``loses``: whether who crashes loses what it had told nobody of."""

    name: str
    hostile: int
    first: int
    longest: int
    ballots: int
    statements: int
    turns: int = 0
    faults: tuple[str, ...] = ()
    moves: bool = False
    leaves: bool = False
    progress: bool = False
    loses: bool = False

    def flags(self) -> list[str]:
        """The bounds as the model's definitions."""
        bounds = {"HOSTILE": self.hostile, "FIRST": self.first, "LONGEST": self.longest, "BALLOTS": self.ballots,
                  "STATEMENTS": self.statements, "TURNS": self.turns}
        choices = {"MOVES": self.moves, "LEAVES": self.leaves, "PROGRESS": self.progress, "LOSES": self.loses}
        names = (*self.faults, *(name for name, is_chosen in choices.items() if is_chosen))
        return [*(f"-D{name}={value}" for name, value in bounds.items()), *(f"-D{name}" for name in names)]


class Finding(NamedTuple):
    """What an exploration found: the property that failed and the steps to it, or "", and how much was looked at."""

    violated: str
    story: str
    states: int
    depth: int
    seconds: float
    whole: bool


SMALL: Final = (
    Case("commitments", 2, 0, 3, 0, 2),
    Case("commitments", 2, 2, 3, 0, 2),
    Case("votes and commitments", 2, 1, 1, 1, 2),
    *(Case("votes", 2, first, 2, 1, 0) for first in (0, 1, 2)),
    Case("two ballots", 2, 0, 1, 2, 0),
    Case("another device", 2, 0, 1, 1, 0, moves=True),
    Case("somebody leaves", 2, 0, 2, 1, 0, leaves=True),
    Case("progress", 3, 0, 1, 1, 0, progress=True),
    Case("progress though somebody leaves", 3, 1, 1, 1, 0, leaves=True, progress=True),
    *(Case("progress beside a hostile peer", 2, first, 2, 1, 0, progress=True) for first in (0, 1, 2)),
    Case("progress beside a hostile peer", 2, 0, 1, 2, 0, progress=True),
    Case("progress beside a hostile peer though somebody leaves", 2, 1, 1, 1, 0, leaves=True, progress=True),
    Case("progress beside a hostile peer, and a crash loses", 2, 2, 1, 1, 0, progress=True, loses=True),
    Case("two halves and a hostile peer", 2, 0, 3, 3, 0, 2, faults=("ONLY_HALVES",), progress=True),
)
DEEP: Final = (
    *(Case("commitments", 2, first, 4, 0, 2) for first in (0, 1, 2)),
    *(Case("commitments", 2, first, 5, 0, 2) for first in (0, 1, 2)),
    *(Case("votes and commitments", 2, first, 2, 1, 2) for first in (0, 1, 2)),
    Case("progress", 3, 0, 2, 1, 0, progress=True),
    *(Case("votes", 2, first, 3, 1, 0, turns) for first in (0, 1, 2) for turns in (0, 2)),
    *(Case("votes and commitments", 2, first, 3, 1, 1) for first in (0, 1, 2)),
    *(Case("another device", 2, first, 2, 1, 0, turns, moves=True) for first in (0, 1, 2) for turns in (0, 2)),
    *(Case("somebody leaves", 2, first, 2, 1, 1, turns, leaves=True) for first in (0, 1, 2) for turns in (0, 2)),
    *(Case("progress though somebody leaves", 3, first, 2, 1, 0, leaves=True, progress=True) for first in (0, 1, 2)),
    *(Case("progress beside a hostile peer", 2, first, 1, 2, 0, progress=True) for first in (0, 1, 2)),
    *(Case("progress beside a hostile peer, and commitments", 2, first, 2, 1, 1, progress=True) for first in (0, 1, 2)),
    *(Case("progress beside a hostile peer though somebody leaves", 2, first, 2, 1, 0, leaves=True, progress=True)
      for first in (0, 1, 2)),
    *(Case("progress beside a hostile peer, and a crash loses", 2, first, 2, 1, 0, progress=True, loses=True)
      for first in (0, 1, 2)),
    *(Case("two halves and a hostile peer", 2, first, 3, 3, 0, turns, faults=("ONLY_HALVES",), progress=True)
      for first in (0, 1) for turns in (2, 4, 6)),
    Case("progress beside a hostile peer", 2, 0, 3, 1, 0, progress=True),
    *(Case("two ballots", 2, first, 2, 2, 0) for first in (0, 1, 2)),
    Case("progress beside a hostile peer", 2, 0, 2, 2, 0, progress=True),
    Case("progress", 3, 0, 3, 1, 0, progress=True),
    Case("progress", 3, 0, 2, 2, 0, progress=True),
)
FAULTS: Final = (
    ("P1", Case("a vote promises nothing", 2, 0, 2, 1, 0, faults=("NO_PROMISE",))),
    ("P1", Case("a crash makes forget the promise", 2, 0, 2, 1, 0, faults=("FORGETS",))),
    ("P1", Case("who promised acknowledges", 2, 0, 2, 1, 0, faults=("ACKS_UNDER_PROMISE",))),
    ("P1", Case("who promised places", 2, 0, 2, 1, 0, faults=("PLACES_UNDER_PROMISE",))),
    ("P1", Case("a fork is judged across epochs", 2, 0, 3, 1, 0, faults=("FORK_ACROSS_EPOCHS",))),
    ("P1", Case("a vote is judged by the index alone", 2, 0, 2, 2, 0, faults=("VOTE_JUDGED_BY_INDEX", "ONLY_PASS"))),
    ("P2", Case("the new epoch begins anywhere", 2, 0, 2, 1, 0, faults=("ANY_BASE",))),
    ("P2", Case("placing is no acknowledgement", 2, 0, 1, 2, 0, faults=("PLACES_ACKNOWLEDGE_NOTHING",))),
    ("P3", Case("what was refused may stand later", 2, 0, 3, 0, 2, faults=("LATE_LIVES",))),
    ("P3", Case("the author believes a no", 2, 0, 2, 0, 2, faults=("NO_IS_BELIEVED",))),
    ("P4", Case("shares are given before all acknowledge", 2, 0, 2, 1, 0, faults=("SHARES_EARLY",))),
    ("P5", Case("a promise that nothing lifts", 3, 0, 1, 1, 0, faults=("NO_LIFT",), progress=True)),
    ("P5", Case("every vote has to lie in the new epoch's base", 3, 0, 1, 3, 0, 2,
                faults=("SEEN_IN_BASE", "TAKES_NOTHING", "ONLY_PASS"), progress=True)),
    ("P5", Case("who left the table orders", 3, 1, 1, 1, 0, faults=("KEEPS_THE_ORDER",), leaves=True, progress=True)),
    ("P5", Case("a promise to a hostile peer that nothing lifts", 2, 0, 1, 1, 0, faults=("NO_LIFT",), progress=True)),
    ("P5", Case("a hostile peer that says it is there has to vote", 2, 0, 1, 1, 0, faults=("PASS_NEEDS_ALL",), progress=True)),
    ("P5", Case("a fork convicts nobody", 2, 2, 1, 1, 0, faults=("FORKS_PASS",), progress=True)),
    ("P5", Case("one epoch may begin twice", 2, 0, 3, 3, 0, 2, faults=("BEGINS_TWICE", "ONLY_HALVES"), progress=True)),
    ("P2", Case("placing is no acknowledgement, found where logs meet", 2, 0, 1, 2, 0, faults=("PLACES_ACKNOWLEDGE_NOTHING",),
                progress=True)),
    ("P2", Case("what one alone acknowledged is settled", 3, 0, 2, 2, 0, faults=("ALONE_SETTLES", "HEIR=0"), leaves=True)),
    ("P7", Case("who gave the vote away votes", 2, 0, 2, 1, 0, faults=("BOTH_VOTE",), moves=True)),
    ("P2", Case("two keys of one person in two majorities", 2, 0, 2, 1, 0, faults=("BOTH_VOTE", "ONLY_LOGS"), moves=True)),
    ("P2", Case("who promised gives the vote away", 2, 0, 2, 1, 0, faults=("GIVES_UNDER_PROMISE", "ONLY_LOGS"), moves=True)),
    ("P6", Case("the majority is counted over live peers", 2, 0, 2, 2, 0, faults=("MAJORITY_OF_LIVE",))),
)


def prepare() -> None:
    """Installs what is missing. Raises ``StepFailed`` where it cannot."""
    missing = [package for program, package in TOOLS.items() if shutil.which(program) is None]
    if not missing:
        return
    if not system.installed(*missing, *(["libc6-dev"] if "gcc" in missing else [])):
        names = " ".join(missing)
        raise StepFailed(f"The model needs {names}. On Debian: sudo apt install {names}; then run this again.")


def replay(folder: Path, case: Case) -> tuple[str, str]:
    """The property whose assertion the trail in ``folder`` ends in, and the steps that lead there, line by line."""
    said = subprocess.run(["spin", "-k", "case.trail", "-t", *case.flags(), "model.pml"], cwd=folder, capture_output=True,
                          text=True, check=False).stdout
    place = re.search(r"model\.pml:(\d+), Error: assertion violated", said)
    line = (folder / "model.pml").read_text("utf-8").splitlines()[int(place[1]) - 1] if place else ""
    name = re.search(r"/\* (P\d(?:, P\d)*)", line)
    steps = [step.strip() for step in said.splitlines() if re.match(rf"\s*\d ({VERBS}) ", step)]
    return name[1] if name else line.strip() or "unknown", "\n".join(f"    {step}" for step in steps)


def explore_in(folder: Path, case: Case, *, quick: bool) -> Finding:
    """Explores ``case`` in an empty folder: everything, or until the first failure."""
    shutil.copy(MODEL, folder / "model.pml")
    broken = "The model cannot be compiled."
    run(["spin", "-a", *case.flags(), "model.pml"], broken, cwd=folder)
    run(["gcc", "-O0" if quick else "-O1", "-w", "-DSAFETY", "-DNOREDUCE", f"-DMEMLIM={MEGABYTES}", "-o", "pan", "pan.c"],
        broken, cwd=folder)
    start = time.monotonic()
    words = ["./pan", "-E", "-w20" if quick else "-w25", "-m100000", f"-Q{DEEP_MINUTES}"]
    said = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False).stdout
    seconds = time.monotonic() - start
    found = re.search(r"depth reached (\d+), errors: (\d+)\s+(\d+) states, stored", said)
    if found is None:
        raise StepFailed(f"The model of “{case.name}” could not be explored.", said)
    violated = steps = ""
    for trail in folder.glob("*.trail"):
        violated, steps = replay(trail.rename(folder / "case.trail").parent, case)
    whole = "Search not completed" not in said and "max search depth too small" not in said
    return Finding(violated, steps, int(found[3]), int(found[1]), seconds, whole)


def explore(case: Case, *, quick: bool = False) -> Finding:
    """Explores ``case`` in a folder of its own, which it leaves nothing in."""
    with tempfile.TemporaryDirectory() as folder:
        return explore_in(Path(folder), case, quick=quick)


def check_cases(cases: Sequence[Case], *, quick: bool = False) -> tuple[int, int]:
    """Explores them and prints what was found: how many hold, and how many fail or were not finished."""
    failed = 0
    for case in cases:
        found = explore(case, quick=quick)
        bad = bool(found.violated) or not found.whole
        failed += bad
        what = f"VIOLATES {found.violated}" if found.violated else "holds" if found.whole else "NOT FINISHED"
        size = f"{found.states:,} states, depth {found.depth}, {found.seconds:.1f} s"
        say(f"{case.name}: {what}, {size} ({' '.join(case.flags())})")
        if found.violated:
            say(found.story)
    return len(cases) - failed, failed


def check_faults() -> tuple[int, int]:
    """Explores the model with each fault: how many were found by the property that they break, and how many were not."""
    missed = 0
    for wanted, case in FAULTS:
        finding = explore(case, quick=True)
        if wanted not in finding.violated:
            missed += 1
            found_by = finding.violated or "nothing"
            say(f"{case.name}: NOT FOUND by {wanted} but by {found_by} ({' '.join(case.flags())})")
    return len(FAULTS) - missed, missed
