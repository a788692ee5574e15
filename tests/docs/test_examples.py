"""What README and docs show is run: Python examples as doctests, the terminal commands of README in a shell's order."""

from __future__ import annotations

import ast
import doctest
import shlex
import tomllib
from pathlib import Path

import pytest

from tabletin import cli
from tabletin.registry import GAMES
from tests.docs.pages import PAGES, README, blocks, commands, name
from tests.support.examples import game_for
from workshop.paths import ROOT

EXAMPLES = [page for page in PAGES if ">>>" in page.read_text("utf-8")]


@pytest.mark.parametrize("document", EXAMPLES, ids=name)
def test_examples_do_what_they_show(document: Path) -> None:
    result = doctest.testfile(str(document), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed


def test_the_readme_opens_with_ten_lines_of_python_at_most() -> None:
    first = blocks(README, "python")[0]
    assert any(f'"{game}"' in first for game in GAMES)
    assert len([line for line in first.splitlines() if line.startswith((">>>", "..."))]) <= 10
    assert README.read_text("utf-8").index("```python") < 300


def test_the_readme_names_the_command_to_play_and_the_one_to_test_first() -> None:
    assert blocks(README, "")[:2] == ["python3 serve.py\n", "python3 check.py\n"]


def test_the_readmes_terminal_commands_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """In their order and in one folder, as somebody would type them; a hundred deals are one here."""
    block = next(text for text in blocks(README, "") if "tabletin games" in text)
    first, *lines = block.splitlines()
    assert first == "cd py"
    assert len(lines) >= 5
    monkeypatch.chdir(tmp_path)
    for line in lines:
        words = shlex.split(line.replace("--deals 100", f"--deals 1 --pairs easy:random --record {tmp_path / 'arena.jsonl'}"))
        assert words[:3] == ["python3", "-m", "tabletin"]
        assert cli.main(words[3:]) == 0, line
        said = capsys.readouterr()
        assert said.out, line
        assert not said.err, line


NO_COMMANDS = {"tabletin match m"}  # the name of a lock
NAMED = [(name(page), command) for page in PAGES for command in commands(page) if command not in NO_COMMANDS]


def options(program: Path) -> set[str]:
    """The options that a program of ours adds to its parser."""
    calls = [node for node in ast.walk(ast.parse(program.read_text("utf-8"))) if isinstance(node, ast.Call)]
    return {argument.value for call in calls for argument in call.args
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str) and argument.value.startswith("-")}


PYTEST_OPTIONS = {"-n", "-k", "-q", "--dist"} | options(ROOT / "tests" / "conftest.py") | options(ROOT / "e2e" / "conftest.py")


def check_arguments(words: list[str], command: str) -> None:
    """The words after ``tabletin`` are as many as its command takes, and games where it wants games."""
    try:
        asked = cli._parser().parse_args(words)
    except SystemExit:
        pytest.fail(command)
    assert set(getattr(asked, "games", ())) <= set(GAMES), command


def installable(word: str) -> bool:
    """Whether ``pip`` finds it here: the checkout with an extra that it declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return word in {".", *(f".[{extra}" for extra in project["optional-dependencies"])}  # the last bracket is taken off


@pytest.mark.parametrize("words", [["play", "chess"], ["arena", "chess"], ["show"], ["games", "any"], ["judge", "a", "b"]])
def test_arguments_that_no_command_takes_are_noticed(words: list[str]) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check_arguments(words, "")


def test_only_what_is_here_can_be_installed() -> None:
    assert installable(".") and not installable("tabletin") and not installable(".[jury")


@pytest.mark.parametrize(("document", "command"), NAMED, ids=[f"{page}: {command}" for page, command in NAMED])
def test_commands_that_docs_name_exist(document: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, *words = (word.strip("[]") for word in shlex.split(command))
    if program.startswith("python") and words[:2] == ["-m", "pytest"]:
        program, words = "pytest", words[2:]
    if program == "pytest":
        known = PYTEST_OPTIONS
        paths = [word for word in words if "/" in word and not word[0].isdigit()] + [word for word in words if word == "e2e"]
        assert all(list(ROOT.glob(path)) for path in paths), command
    elif program == "tabletin" or words[:2] == ["-m", "tabletin"]:
        words = words if program == "tabletin" else words[2:]
        with pytest.raises(SystemExit) as ended:
            cli.main([words[0], "--help"])
        assert ended.value.code == 0, command
        said = capsys.readouterr().out
        assert all(word in said for word in words if word.startswith("--")), command
        made = {words[-1].replace("_", "-") for page, words in ((page, other.split()) for page, other in NAMED)
                if page == document and words[-2:-1] == ["new"]}  # games that this page has the reader write
        check_arguments([game_for(2) if word in made else word for word in words], command)
        return
    elif program == "pip":
        assert words[0] == "install", command
        assert all(installable(word) for word in words[1:]), command
        return
    else:
        assert program in ("python", "python3"), command
        path = ROOT / words[0]
        assert path.is_file(), command
        known = options(path) | {"--help"}
    assert {word for word in words if word.startswith("-")} <= known, command


def test_commands_are_found() -> None:
    assert {"python3 serve.py", "python3 check.py"} <= {command for _, command in NAMED}
