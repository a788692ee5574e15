"""Progress and failures of the build on the terminal, and the programs it runs. Knows nothing of what is built."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Final

TAIL: Final = 25
OUTPUT: Final[ContextVar[IO[str] | None]] = ContextVar("OUTPUT", default=None)
"""The file that keeps what a stage of the tests says while another runs; None: it is said at once."""


class StepFailed(Exception):
    """A step of the build failed. ``str()`` says what failed and what to do; ``detail`` is the last output of a program."""

    def __init__(self, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.detail = detail


def say(line: str) -> None:
    """One line on the terminal, or in the file of a stage beside another."""
    print(line, file=OUTPUT.get(), flush=True)


def report(line: str) -> None:
    """One line of progress."""
    say(f"· {line}")


def report_failure(failure: StepFailed) -> None:
    """Prints a failure to standard error: the last lines of the program that failed, then the sentence."""
    if failure.detail:
        print("\n".join(f"    {line}" for line in failure.detail.splitlines()[-TAIL:]), file=sys.stderr)
    print(f"Stopped: {failure}", file=sys.stderr, flush=True)


def run(
    command: Sequence[str | Path], sentence: str, *, cwd: Path | None = None, env: Mapping[str, str] | None = None,
    stdin: str | None = None,
) -> str:
    """Runs ``command`` quietly and returns its standard output; raises ``StepFailed(sentence)`` where it fails."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, cwd=cwd, env={**os.environ, **(env or {})}, input=stdin, text=True, capture_output=True, check=False,
        )
    except OSError as error:
        raise StepFailed(sentence, f"{words[0]}: {error.strerror}") from error
    if done.returncode:
        raise StepFailed(sentence, (done.stdout + "\n" + done.stderr).strip())
    return done.stdout
