"""What benchmarks run or compare with: npm packages from the lock file in ``bench/npm``, in a folder of their own.

The page never takes anything of it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from workshop import setup
from workshop.console import run
from workshop.paths import ROOT, WORK

LOCKED: Final = ROOT / "bench" / "npm"


def installed() -> Path:
    """The folder where they are installed as the lock file says."""
    folder = WORK / "bench"
    lock = folder / "package-lock.json"
    if not lock.exists() or lock.read_bytes() != (LOCKED / lock.name).read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(LOCKED, folder)
        try:
            run([shutil.which("npm") or "npm", "ci", "--loglevel=error"],
                f"What this benchmark needs could not be installed. {setup.NETWORK}", cwd=folder)
        except BaseException:
            lock.unlink()
            raise
    return folder / "node_modules"
