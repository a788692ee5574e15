"""The beginning of a page: what a worker may import of it, which has no page."""

from __future__ import annotations

import subprocess
import sys

from workshop.paths import ROOT


def test_what_a_device_keeps_of_a_start_knows_no_page() -> None:
    """Here there is no module ``js`` and none named ``pyodide``: importing what needs them fails."""
    code = "from tabletin.app.main.beginning import import_plain; import_plain()"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "py", check=True)
