"""Programs of the system that tests use: whether one starts, and getting one from the system's packages where we may."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from workshop.console import report

LOCKED: Final = 300  # seconds to wait for another installation: a new machine may be busy with its own updates


def starts(path: Path) -> bool:
    """Whether the program runs at all; a snap's stand-in without its snap does not."""
    return subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0


def first_that_starts(names: Iterable[str]) -> Path | None:
    """The first of these programs that this machine has and that runs."""
    for name in names:
        found = shutil.which(name)
        if found and starts(Path(found)):
            return Path(found)
    return None


def installed(*packages: str) -> bool:
    """Whether the system's package manager installed these packages of Debian, where we may use it."""
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid"):
        return False
    command = [apt] if os.geteuid() == 0 else ["sudo", "-n", apt]
    report(f"Asking the system's package manager for {', '.join(packages)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    wait = ["-o", f"DPkg::Lock::Timeout={LOCKED}"]
    update, install = ["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]
    try:
        # A list that somebody else renews at this moment is as good, so only the second answer counts.
        subprocess.run([*command, *wait, *update], env=quiet, capture_output=True, check=False)
        return not subprocess.run([*command, *wait, *install], env=quiet, capture_output=True, check=False).returncode
    except OSError:
        return False
