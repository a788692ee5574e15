"""The browser's own sums (`web/crypto`) against libsodium's, run in Node where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
NODE = shutil.which("node", path=str(ROOT / ".venv" / "bin")) or shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None or not (ROOT / "node_modules" / "libsodium-sumo").is_dir(), reason="needs node and its packages"
)


def counts(script: str) -> list[int]:
    """What a script of this folder prints at its end; it throws at the first thing that is wrong."""
    assert NODE is not None
    done = subprocess.run([NODE, str(HERE / script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return [int(count) for count in done.stdout.split()]


def test_public_sums_in_the_browser_are_libsodiums() -> None:
    """Every sum in `multi_scalar.mjs` agrees."""
    (agreed,) = counts("multi_scalar.mjs")
    assert agreed > 150


def test_secret_sums_are_libsodiums_and_always_go_the_same_way() -> None:
    """`constant_time.mjs`: every sum agrees, no instruction leads from values to branches or addresses, one trace of calls."""
    agreed, instructions, calls = counts("constant_time.mjs")
    assert agreed > 1400
    assert instructions > 4000
    assert calls > 10000
