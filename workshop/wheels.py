"""Python packages that only some screens import, as wheels for Pyodide to install.

They come from PyPI for the interpreter's Python, with the hashes of requirements/browser.txt, and are compiled as our own
package is. Knows PyPI and our cache.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workshop.app import compile_modules, write_zip
from workshop.cache import cached, folder_digest
from workshop.console import StepFailed, report, run
from workshop.paths import REQUIREMENTS, VENV_PYTHON
from workshop.runtime import INSIDE, PYODIDE
from workshop.setup import NETWORK

LOCK: Final = REQUIREMENTS / "browser.txt"
UNUSED: Final = ("segno/cli.py",)
"""How files end that nothing on a page imports: a command."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package as a compiled wheel; ``licence`` is the text that came with it."""

    name: str
    version: str
    path: Path
    licence: str

    def lock_entry(self, address: str) -> dict[str, Any]:
        """What Pyodide's lock says of it, which is where ``loadPackage`` looks; the wheel is at ``address``."""
        return {
            "name": self.name, "version": self.version, "file_name": address, "install_dir": "site", "depends": [],
            "sha256": hashlib.sha256(self.path.read_bytes()).hexdigest(), "package_type": "package",
            "imports": [self.name], "unvendored_tests": False,
        }


def python_version() -> str:
    """The interpreter's Python, as ``3.14``."""
    version: str = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]["python"]
    return ".".join(version.split(".")[:2])


def downloaded() -> Path:
    """The folder of the wheels that requirements/browser.txt names, as PyPI has them."""
    def fetch(folder: Path) -> None:
        report("Fetching the wheels of requirements/browser.txt")
        run(
            [VENV_PYTHON, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps",
             "--require-hashes", "--only-binary", ":all:", "--python-version", python_version(), "--dest", folder, "-r", LOCK],
            f"The wheels of requirements/{LOCK.name} could not be fetched. {NETWORK}",
        )

    return cached("browser-wheels", folder_digest([LOCK], extra=python_version()), fetch)


def wheels() -> dict[str, Wheel]:
    """The compiled wheels, by the names of their packages."""
    source = downloaded()

    def make(folder: Path) -> None:
        for path in sorted(source.glob("*.whl")):
            compile_wheel(path, folder)

    folder = cached("compiled-wheels", folder_digest([source, INSIDE / "compile_tree.py", Path(__file__)]), make)
    found = [read_wheel(path) for path in sorted(folder.glob("*.whl"))]
    return {wheel.name: wheel for wheel in found}


def compile_wheel(path: Path, folder: Path) -> None:
    """Writes the wheel at ``path`` into ``folder`` with compiled modules; the tag in its name says for which Python."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    name, version, *_ = path.stem.split("-")
    files = {file: data for file, data in files.items() if is_read(file)}
    sources = {file: data for file, data in files.items() if file.endswith(".py")}
    kept = {file: data for file, data in files.items() if file not in sources}
    files = kept | compile_modules(sources, name)
    tag = f"cp{python_version().replace('.', '')}-none-any"
    about = f"{name}-{version}.dist-info"
    files[f"{about}/METADATA"] = files[f"{about}/METADATA"].partition(b"\n\n")[0] + b"\n"  # below stands its page on PyPI
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tabletin\nRoot-Is-Purelib: true\nTag: {tag}\n".encode()
    files.pop(f"{about}/RECORD", None)
    rows = [f"{file},sha256={record_hash(data)},{len(data)}" for file, data in sorted(files.items())]
    files[f"{about}/RECORD"] = "\n".join([*rows, f"{about}/RECORD,,", ""]).encode()
    write_zip(folder / f"{name}-{version}-{tag}.whl", files, packed=False)  # packs better as a whole, one hash everywhere


def is_read(file: str) -> bool:
    """Whether a page uses ``file`` of a wheel: not type stubs, nor what is put elsewhere on a system, as manuals are, nor what
    no page imports."""
    return not file.endswith((".pyi", *UNUSED)) and not file.partition("/")[0].endswith(".data")


def record_hash(data: bytes) -> str:
    """The SHA-256 of ``data`` as a wheel's RECORD spells it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def read_wheel(path: Path) -> Wheel:
    """The wheel at ``path``. Raises ``StepFailed`` where it holds no licence."""
    name, version, *_ = path.stem.split("-")
    with zipfile.ZipFile(path) as archive:
        about = f"{name}-{version}.dist-info/"
        texts = [file for file in archive.namelist() if file.startswith(about) and "LICENSE" in file.upper()]
        if not texts:
            raise StepFailed(f"The Python package {name} has no file with its licence.")
        licence = "\n".join(archive.read(file).decode("utf-8").strip() for file in texts)
    return Wheel(name, version, path, licence)
