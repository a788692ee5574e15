"""Where things are. Everything written by the workshop lies in ignored folders under the root."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
VENV: Final = ROOT / ".venv"
VENV_BIN: Final = VENV / ("Scripts" if os.name == "nt" else "bin")
VENV_PYTHON: Final = VENV_BIN / ("python.exe" if os.name == "nt" else "python")
NODE_MODULES: Final = ROOT / "node_modules"
REQUIREMENTS: Final = ROOT / "requirements"
PACKAGE: Final = ROOT / "py" / "tabletin"
WEB: Final = ROOT / "web"
WORK: Final = ROOT / ".build"
STAMPS: Final = WORK / "stamps"
