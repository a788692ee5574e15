"""The browser's own sums (`web/msm.js`, `web/curve.js`) against libsodium's, run in Node where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("sums.mjs")
ROOT = SCRIPT.parents[3]
NODE = shutil.which("node", path=str(ROOT / ".venv" / "bin")) or shutil.which("node")


@pytest.mark.skipif(
    NODE is None or not (ROOT / "node_modules" / "libsodium-sumo").is_dir(), reason="needs node and its packages"
)
def test_sums_in_the_browser_are_libsodiums() -> None:
    """Every sum in `sums.mjs` agrees; the script throws at the first that does not."""
    assert NODE is not None
    done = subprocess.run([NODE, str(SCRIPT)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 150
