"""``python -m tabletin new``: the game that it writes plays at once, passes the tests that all games share, and is one line.

It is tried in a copy of the package, with tests of its own run there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabletin.kernel.schema import Malformed
from tabletin.registry import FAMILIES, GAMES
from tabletin.scaffold import REGISTRY, create, unfit
from tests.support.checkout import checkout
from workshop.paths import ROOT


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False,
                          env={**clean, "PYTHONPATH": str(folder / "py")})


def test_what_it_writes_plays_and_passes_the_shared_tests(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    before = (folder / REGISTRY).read_text("utf-8").splitlines()
    written = run(folder, "tabletin", "new", "old_maid")
    assert written.returncode == 0, written.stderr
    after = (folder / REGISTRY).read_text("utf-8").splitlines()
    assert [line for line in after if line not in before] == [
        next(line for line in before if line.startswith("FAMILIES")).replace(")", ', "old_maid")')]
    assert set(written.stdout.splitlines()[:-1]) == {
        *(f"py/tabletin/games/old_maid/{name}" for name in
          ("__init__.py", "rules.py", "art.py", "rulebook.md", "words.en.json", "words.de.json")),
        "tests/games/old_maid/example.py", "tests/games/old_maid/test_old_maid.py", str(REGISTRY)}
    played = run(folder, "tabletin", "play", "old-maid", "--seats", "random,random")
    assert played.returncode == 0 and "won" in played.stdout, played.stderr
    tried = run(folder, "pytest", "-q", "-k", "(old_maid or old-maid) and not missing", "--matches", "2",
                "tests/games", "tests/board/test_scenes.py", "tests/board/art/test_pieces.py", "tests/words")
    assert tried.returncode == 0, tried.stdout[-3000:]
    assert " passed" in tried.stdout and "test_old_maid" not in tried.stdout
    whole = run(folder, "pytest", "-q", "tests/games/test_completeness.py")
    assert "old-maid: its table: games/old_maid/board.py" in whole.stdout


@pytest.mark.parametrize(("name", "why"), [
    (FAMILIES[0], "already"), (list(GAMES)[-1].replace("-", "_"), "already"), ("table", "own words"), ("Old", "no name"),
    ("class", "word of Python"), ("import", "word of Python"), ("2up", "no name"), ("a b", "no name"),
    ("none", "name of Python"), ("true", "name of Python"), ("value_error", "name of Python"),
    ("shuffle", "rules import"), ("outcome", "rules import"), ("show", "rules import"), ("refusal", "rules import"),
    ("card", "rules import"), ("iterator", "rules import"),
    ("match", "begins addresses"), ("matches", "begins addresses"), ("replay", "begins addresses"),
    ("x", "two characters"), ("old_", "do not end"), ("fünf", "no name"), ("../x", "no name")])
def test_a_name_that_cannot_be_is_refused_with_a_sentence(name: str, why: str) -> None:
    assert why in unfit(name)


def test_nothing_is_written_where_it_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="checkout"):
        create("old_maid", tmp_path)
    (tmp_path / REGISTRY).parent.mkdir(parents=True)
    (tmp_path / REGISTRY).write_bytes((ROOT / REGISTRY).read_bytes())
    (tmp_path / "tests" / "games" / "old_maid").mkdir(parents=True)
    with pytest.raises(Malformed, match="is there already"):
        create("old_maid", tmp_path)
    assert not (tmp_path / "py" / "tabletin" / "games").exists()
    assert (tmp_path / REGISTRY).read_bytes() == (ROOT / REGISTRY).read_bytes()
