"""Results of build steps, cached by the hash of their inputs: a step whose inputs did not change is not done again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from workshop.paths import WORK

CACHE: Final = WORK / "cache"
KEPT: Final = 6
A_DAY: Final = 86_400.0  # seconds
PART: Final = ".part"


def files_under(path: Path) -> list[Path]:
    """All files under ``path`` (or itself), sorted, without caches and hidden files."""
    if path.is_file():
        return [path]
    return sorted(
        found for found in path.rglob("*")
        if found.is_file() and "__pycache__" not in found.parts and not found.name.startswith(".")
    )


def folder_digest(paths: Iterable[Path], extra: str = "") -> str:
    """The hash of the names and contents of all files under ``paths``, and of ``extra``."""
    found = hashlib.sha256(extra.encode())
    for path in paths:
        for file in files_under(path):
            name = file.relative_to(path).as_posix() if file != path else file.name
            found.update(f"{name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:16]


def is_cached(step: str, key: str) -> bool:
    """Whether ``cached`` would find what it is asked for."""
    return (CACHE / step / key).is_dir()


def cached(step: str, key: str, make: Callable[[Path], None]) -> Path:
    """The folder that ``make`` filled for ``key``; made where it is missing. Only the newest few keys stay cached.

    Several runs may build at once: each works in a folder of its own, and the result of the first to finish is used.
    """
    folder = CACHE / step / key
    if is_cached(step, key):
        os.utime(folder)
        return folder
    (CACHE / step).mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"{key}{PART}", dir=CACHE / step))  # by a process's number, two worlds would share one
    work.chmod(0o755)
    try:
        make(work)
        with contextlib.suppress(OSError):  # another run was first
            work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    forget_old(CACHE / step)
    return folder


def forget_old(step: Path) -> None:
    """Deletes all but the newest few results of a step, and what interrupted runs left behind."""
    entries = sorted(step.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)
    done = [entry for entry in entries if PART not in entry.name]
    broken = [entry for entry in entries if PART in entry.name and entry.stat().st_mtime < time.time() - A_DAY]
    for stale in [*done[KEPT:], *broken]:
        shutil.rmtree(stale, ignore_errors=True)
