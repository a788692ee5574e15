"""Each import contract of ``pyproject.toml`` breaks where it should: one wrong line is added to a copy of the package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tabletin.registry import FAMILIES
from workshop.paths import PACKAGE, ROOT

CONTRACTS = tuple(one["id"] for one in
                  tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"])
BREAKS = (
    ("layers", "play.py", "import tabletin.app.routes"),
    ("layers", "app/routes.py", "import tabletin.scaffold"),
    ("layers", "extra.py", "import tabletin.app.main.app"),
    ("peers", "peers/identity.py", "import tabletin.peers.net.transport"),
    ("peers", "peers/extra.py", ""),
    ("app", "app/storage/texts.py", "import tabletin.app.ui.html"),
    ("app", "app/extra.py", ""),
    ("circles", "kernel/faces.py", "import tabletin.kernel.match"),
    ("families", f"games/{FAMILIES[0]}/rules.py", f"import tabletin.games.{FAMILIES[1]}.rules"),
    ("browser", "play.py", "import js"),
    ("browser", "board/svg.py", "import pyodide_js"),
    ("browser", "cli.py", "from pyodide.ffi import to_js"),
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What import-linter has read of the modules: the same in every copy."""
    return tmp_path_factory.mktemp("imports")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name,
                    ignore=lambda folder, names: [name for name in names
                                                  if not (name.endswith(".py") or Path(folder, name, "__init__.py").exists())])
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def broken(copy: Path, cache: Path, *contracts: str) -> tuple[bool, str]:
    """Whether one of ``contracts`` is broken in ``copy``, and what import-linter says."""
    chosen = [word for contract in contracts for word in ("--contract", contract)]
    done = subprocess.run([sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()",
                           *chosen, "--cache-dir", str(cache)], cwd=copy, text=True, capture_output=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"})
    assert "Analyzed" in done.stdout, done.stdout + done.stderr
    return done.returncode != 0, done.stdout


def test_a_break_is_tried_for_every_contract() -> None:
    assert {contract for contract, _, _ in BREAKS} == set(CONTRACTS)


def test_the_copy_itself_breaks_none(copy: Path, cache: Path) -> None:
    is_broken, report = broken(copy, cache, *CONTRACTS)
    assert not is_broken, report
    assert f"{len(CONTRACTS)} kept, 0 broken" in report


@pytest.mark.parametrize(("contract", "module", "line"), BREAKS)
def test_a_wrong_import_or_module_breaks_its_contract(copy: Path, cache: Path, contract: str, module: str, line: str) -> None:
    path = copy / PACKAGE.name / module
    path.write_text(f"{path.read_text('utf-8') if path.exists() else ''}\n{line}\n", "utf-8")
    is_broken, report = broken(copy, cache, contract)
    assert is_broken, report
    assert "0 kept, 1 broken" in report and path.stem in report


def test_no_button_of_a_game_has_a_letter_that_the_table_listens_for() -> None:
    """But "c", which presses the primary button everywhere."""
    listed = re.search(r"^KEYS: Final = \((.*)\)", (PACKAGE / "app/table/panels.py").read_text("utf-8"), re.MULTILINE)
    assert listed is not None
    taken = set(re.findall(r'"(.)"', listed[1])) - {"c"}
    sources = [path.read_text("utf-8") for path in (PACKAGE / "games").rglob("*.py")]
    letters = {letter for source in sources for letter in re.findall(r'shortcut="(.)"', source)}
    assert len(taken) > 4 and len(letters) > 4 and not letters & taken
