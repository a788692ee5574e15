"""What the workshop says while it works, and the one error it raises: what failed, and what to do about it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

TAIL: int = 25


class Trouble(Exception):
    """Something a person can act on. ``str()`` is the sentence; ``detail`` the last lines of what a program said."""

    def __init__(self, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.detail = detail


def say(line: str) -> None:
    """One line of progress."""
    print(f"· {line}", flush=True)


def tell(trouble: Trouble) -> None:
    """The trouble, to standard error: what the failing program said last, then the sentence."""
    if trouble.detail:
        print("\n".join(f"    {line}" for line in trouble.detail.splitlines()[-TAIL:]), file=sys.stderr)
    print(f"Stopped: {trouble}", file=sys.stderr, flush=True)


def run(
    command: Sequence[str | Path], sentence: str, *, cwd: Path | None = None, env: Mapping[str, str] | None = None,
    stdin: str | None = None,
) -> str:
    """Runs ``command`` quietly and returns its standard output; raises ``Trouble(sentence)`` where it fails."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, cwd=cwd, env={**os.environ, **(env or {})}, input=stdin, text=True, capture_output=True, check=False,
        )
    except OSError as error:
        raise Trouble(sentence, f"{words[0]}: {error.strerror}") from error
    if done.returncode:
        raise Trouble(sentence, (done.stdout + "\n" + done.stderr).strip())
    return done.stdout
