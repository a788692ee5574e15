"""The wheel, installed in an empty environment: every command works there, and says in one sentence what it lacks.

Nothing of the checkout is on the path of what is run here. Only the environment for judging holds anything beside our wheel.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tabletin.kernel.logfile import export
from tabletin.registry import GAMES
from tests.support.examples import ONE_DEAL, game_for, short
from tests.support.peer_tables import tables
from workshop.paths import PACKAGE, REQUIREMENTS, ROOT, VENV_PYTHON

BIN = "Scripts" if os.name == "nt" else "bin"


def pip(*arguments: str | Path) -> None:
    done = subprocess.run([VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments],
                          text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


class Installed:
    """An environment of its own with our wheel in it."""

    def __init__(self, home: Path, wheel: Path, extra: str = "") -> None:
        venv.create(home / "env", symlinks=os.name != "nt")
        self.programs = home / "env" / BIN
        self.home = home
        if extra:
            self.pip("install", "--quiet", "--require-hashes", "--only-binary", ":all:", "-r", REQUIREMENTS / f"{extra}.txt")
        # No index: what the wheel asks for has to be there already.
        self.pip("install", "--quiet", "--no-index", f"tabletin{f'[{extra}]' if extra else ''} @ {wheel.as_uri()}")

    def pip(self, *arguments: str | Path) -> None:
        pip("--python", self.programs / "python", *arguments)

    def run(self, command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        """``command`` in this environment, in an empty folder of its own."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        program, *arguments = command
        return subprocess.run([self.programs / program, *arguments], cwd=self.home, env=environment, text=True,
                              encoding="utf-8", capture_output=True, check=False)

    def tabletin(self, *arguments: str | Path) -> str:
        """What the command says; it has to end well, without a complaint."""
        done = self.run(["tabletin", *arguments])
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("plain"), wheel)


@pytest.fixture(scope="module")
def judging(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("judging"), wheel, "judge")


@pytest.fixture(scope="module")
def log(plain: Installed) -> Path:
    plain.tabletin("play", ONE_DEAL, "--seats", "easy,easy", "--seed", "3", "--log", "match.jsonl")
    return plain.home / "match.jsonl"


@pytest.fixture(scope="module")
def sealed_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished match between two devices, with its signatures and proofs."""
    async def played() -> str:
        async with tables(ONE_DEAL, [1, 2], options=short(ONE_DEAL)) as match:
            await match.play(400, Random(1))
            await match.until(match.agreed)
            return export(match.sessions[0].match)

    path = tmp_path_factory.mktemp("sealed") / "sealed.jsonl"
    path.write_text(asyncio.run(played()), "utf-8")
    return path


def test_the_wheel_holds_every_module_and_all_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    ours = {f"tabletin/{path.relative_to(PACKAGE).as_posix()}" for path in PACKAGE.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts}
    assert held == ours
    assert {Path(name).suffix for name in held} >= {".py", ".json", ".md"}


def test_games_are_listed(plain: Installed) -> None:
    assert plain.tabletin("games").split() == list(GAMES)


def test_the_command_and_the_module_are_the_same(plain: Installed) -> None:
    as_module = plain.run(["python", "-m", "tabletin", "--help"])
    assert as_module.returncode == 0
    assert as_module.stdout == plain.tabletin("--help")
    assert "arena" in as_module.stdout


def test_a_match_is_played_verified_and_told(plain: Installed, log: Path) -> None:
    assert "all in order" in plain.tabletin("verify", log)
    assert "Seat 1 drew" in plain.tabletin("show", log)


def test_a_reader_that_has_enough_is_no_error(plain: Installed, log: Path) -> None:
    command = [str(plain.programs / "tabletin"), "show", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()  # before anything is written; `head` does it a little later
        assert program.stderr.read() == b""


def test_a_new_game_tells_what_it_needs(plain: Installed) -> None:
    assert "plays at once" in plain.tabletin("--help")
    done = plain.run(["tabletin", "new", "old_maid"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "tabletin: a new game is written into a checkout of Tabletin, and this is none\n"


def test_a_deal_of_the_arena_is_played(plain: Installed) -> None:
    game = game_for(2)
    assert f"| {game} | easy – random |" in plain.tabletin("arena", game, "--deals", "1", "--pairs", "easy:random")
    assert not list(plain.home.glob("**/arena.jsonl"))  # what was played is kept in a checkout alone


def test_judging_says_what_it_lacks(plain: Installed, sealed_log: Path) -> None:
    done = plain.run(["tabletin", "judge", sealed_log])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tabletin: judging signatures and proofs needs more: python3 -m pip install pynacl rbcl\n"


def test_with_the_extra_a_sealed_log_is_judged(judging: Installed, sealed_log: Path) -> None:
    assert "proofs" in judging.tabletin("judge", sealed_log)
    lines = sealed_log.read_text("utf-8").splitlines()
    number = next(n for n, line in enumerate(lines) if '"kind":"move"' in line)
    lines[number] = lines[number].replace('"seat":0', '"seat":1')
    damaged = judging.home / "damaged.jsonl"
    damaged.write_text("\n".join(lines) + "\n", "utf-8")
    done = judging.run(["tabletin", "judge", damaged])
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [
    (), ("fly",), ("play", "chess"), ("play", ONE_DEAL, "--seats", "genius"), ("play", ONE_DEAL, "--seats", "easy"),
    ("play", ONE_DEAL, "--options", "{"), ("verify", "nowhere.jsonl"), ("show", "."), ("judge",),
    ("new", "a_game"), ("arena", ONE_DEAL, "--pairs", "easy"), ("arena", ONE_DEAL, "--workers", "0"),
], ids=" ".join)
def test_an_error_is_one_sentence(plain: Installed, arguments: tuple[str, ...]) -> None:
    done = plain.run(["tabletin", *arguments])
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert done.stderr.startswith("tabletin: ")
    assert done.stderr.count("\n") == 1
