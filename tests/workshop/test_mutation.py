"""Mutation testing: the list of harmless mutants fits the code, and what is changed where."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from workshop.mutation.ledger import Harmless, read_harmless, sources, unfit
from workshop.paths import ROOT

SOURCE = '''"""A module."""
LIMIT = 3
Name = str | None

class Door:
    def refusal(self, name: str, known: bool) -> str | None:
        """Whether it is closed."""
        if not name or known:
            return "closed"
        self.last = name
        self.known = dict(zip(name, name, strict=True))
        return None
'''


def test_every_entry_of_the_list_fits_a_line_of_its_function() -> None:
    assert unfit(read_harmless()) == []


def test_an_entry_is_listed_once_and_says_why() -> None:
    entries = read_harmless()
    assert len({(*entry[:5], entry.which) for entry in entries}) == len(entries)
    assert all(entry.reason.endswith(".") for entry in entries)


@pytest.mark.parametrize(("scope", "line", "before"), [
    ("Door.refusal", "if name:", "name"),
    ("Door.refusal", "if not name or known:", "unknown"),
    ("Door", "LIMIT = 3", "3"),
    ("Gate.refusal", "if not name or known:", "known"),
])
def test_an_entry_that_fits_nothing_is_found(tmp_path: Path, scope: str, line: str, before: str) -> None:
    (tmp_path / "door.py").write_text(SOURCE, "utf-8")
    good = Harmless("door.py", "Door.refusal", "if not name or known:", "not name or known", "known", "Nobody has no name.")
    assert unfit([good], tmp_path) == []
    bad = good._replace(scope=scope, line=line, before=before)
    assert unfit([bad], tmp_path) == [bad]
    assert unfit([good._replace(path="gate.py")], tmp_path)


def test_an_entry_that_fits_more_lines_than_it_says_is_found(tmp_path: Path) -> None:
    (tmp_path / "door.py").write_text(SOURCE.replace("        self.last = name\n", "        self.last = name\n" * 2), "utf-8")
    entry = Harmless("door.py", "Door.refusal", "self.last = name", "self.last = name", "pass", "Nobody looks.")
    assert unfit([entry], tmp_path) == [entry]
    assert unfit([entry._replace(which="2 of 2")], tmp_path) == []


@pytest.mark.parametrize("which", ["", "1", "0 of 1", "2 of 1", "2, 1 of 2", "1, 1 of 2", "1 of 0", "all"])
def test_an_entry_means_what_can_be(tmp_path: Path, which: str) -> None:
    path = tmp_path / "list.toml"
    fields = "".join(f'{name} = "x"\n' for name in Harmless._fields if name != "which")
    path.write_text(f'[[harmless]]\n{fields}which = "1, 3 of 3"\n', "utf-8")
    assert [(entry.meant, entry.total) for entry in read_harmless(path)] == [([1, 3], 3)]
    path.write_text(f'[[harmless]]\n{fields}which = "{which}"\n', "utf-8")
    with pytest.raises(ValueError, match="means"):
        read_harmless(path)


def test_of_changes_that_read_alike_those_are_harmless_that_are_meant(tmp_path: Path) -> None:
    pytest.importorskip("libcst", reason="installed by check.py --mutants")
    pytest.importorskip("mutmut", reason="installed by check.py --mutants")
    from workshop.mutation.operators import mutants
    from workshop.mutation.runner import harmless_mutants

    path = tmp_path / "door.py"
    text = SOURCE.replace("LIMIT = 3", "LIMIT = 3 + 3")
    path.write_text(text, "utf-8")
    found, lines = mutants(path, tmp_path), text.splitlines()
    entry = Harmless("door.py", "", "LIMIT = 3 + 3", "3", "4", "It is far away.", "2 of 2")
    keys, wrong = harmless_mutants(found, [entry], lines)
    assert [(mutant.before, mutant.start) for mutant in found if mutant.key in keys] == [("3", text.index("+ 3") + 2)]
    assert wrong == []
    for which in ("1 of 1", "1 of 3"):
        wrong = harmless_mutants(found, [entry._replace(which=which)], lines)[1]
        assert [count for _, count in wrong] == [2]
    assert harmless_mutants(found, [entry._replace(after="5")], lines) == (frozenset(), [(entry._replace(after="5"), 0)])


def test_an_entry_has_all_its_fields(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text('[[harmless]]\npath = "door.py"\nscope = "Door"\n', "utf-8")
    with pytest.raises(ValueError, match="reason"):
        read_harmless(path)


def test_the_packages_that_judge_are_changed() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in sources([])}
    assert {"py/tabletin/kernel/logfile.py", "py/tabletin/peers/replication/ballots.py"} <= found
    assert not any(name.endswith("_js.py") for name in found)


def test_each_check_and_act_is_taken_out_once(tmp_path: Path) -> None:
    pytest.importorskip("libcst", reason="installed by check.py --mutants")
    pytest.importorskip("mutmut", reason="installed by check.py --mutants")
    from workshop.mutation.operators import mutants

    path = tmp_path / "door.py"
    path.write_text(SOURCE, "utf-8")
    found = mutants(path, tmp_path)
    assert {(mutant.scope, mutant.before, mutant.after, mutant.cold) for mutant in found} == {
        ("", "3", "4", True),
        ("Door.refusal", "not name or known", "True", False),
        ("Door.refusal", "not name or known", "False", False),
        ("Door.refusal", "not name or known", "not name", False),
        ("Door.refusal", "not name or known", "known", False),
        ("Door.refusal", '"closed"', "None", False),
        ("Door.refusal", "self.last = name", "pass", False),
        ("Door.refusal", "self.known = dict(zip(name, name, strict=True))", "pass", False),
    }
    assert len({mutant.key for mutant in found}) == len(found)
    for mutant in found:
        compile(mutant.applied(path.read_bytes()), "door.py", "exec")

    path.write_text("import os\n" + SOURCE, "utf-8")
    moved = [mutant for mutant in mutants(path, tmp_path) if not mutant.cold]
    assert {mutant.key for mutant in moved} == {mutant.key for mutant in found if not mutant.cold}


def test_since_a_commit_only_functions_that_read_otherwise_are_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("libcst", "mutmut", "coverage"):
        pytest.importorskip(needed, reason="installed by check.py --mutants")
    from workshop.mutation import ledger, runner

    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *words], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setattr(runner, "ROOT", tmp_path)
    monkeypatch.setattr(ledger, "STATE", tmp_path / "state")
    path = tmp_path / "door.py"
    other = "\n\ndef other(number: int) -> int:\n    return number + 1\n"
    path.write_text(SOURCE + other, "utf-8")
    git("init", "-q")
    git("add", "door.py")
    git("commit", "-q", "-m", "x")
    path.write_text("import os\n" + SOURCE + other.replace("1", "3"), "utf-8")
    assert {mutant.scope for mutant in runner.new_mutants(path, "HEAD")} == {"other"}
    assert {mutant.scope for mutant in runner.new_mutants(path, "")} == {"", "Door.refusal", "other"}
    (tmp_path / "gate.py").write_text(SOURCE, "utf-8")
    assert len(runner.new_mutants(tmp_path / "gate.py", "HEAD")) == 8
    with pytest.raises(subprocess.CalledProcessError):
        runner.new_mutants(path, "nonsense")


def test_the_likeliest_to_fail_are_run_first_and_all_others_in_their_order_where_nothing_was_measured() -> None:
    for needed in ("libcst", "mutmut", "coverage"):
        pytest.importorskip(needed, reason="installed by check.py --mutants")
    from workshop.mutation.reach import Reach
    from workshop.mutation.runner import Trial, mutants_of

    path = "py/tabletin/kernel/percent.py"
    mutant = next(mutant for mutant in mutants_of(ROOT / path) if mutant.scope and not mutant.cold)
    tests = [Reach(name, seconds, {}) for name, seconds in (("a", 3.0), ("b", 1.0), ("c", 2.0), ("d", 1.0))]
    trial = Trial(tests, (), 5.5, whole=True)
    assert [one.test for one in trial.tests(mutant)] == ["a", "b", "d"], "worth so many seconds"
    trial.credit(mutant, "c")
    assert [one.test for one in trial.tests(mutant)] == ["c", "a"]
    reached = Reach("e", 1.0, {path: {mutant.scope: ("", [0])}})
    assert [one.test for one in Trial([*tests, reached], (), 5.5, whole=False).tests(mutant)] == ["e"]


def test_lines_measured_in_another_text_of_a_function_say_nothing() -> None:
    pytest.importorskip("coverage", reason="installed by check.py --mutants")
    from workshop.mutation.reach import Reach, text_digest

    path, scope = "py/tabletin/kernel/undo.py", "undo_refusal"
    now = text_digest(ROOT / path, scope)
    assert now != text_digest(ROOT / path, "holds_up")
    for digest, hits in ((now, [False, True, True, False]), ("another", [True] * 4)):
        reach = Reach("test", 1.0, {path: {scope: (digest, [8, 9])}})
        assert [reach.hits(path, scope, first, first + 1) for first in (6, 7, 9, 10)] == hits
        assert not reach.hits(path, "holds_up", 0, 99), "it does not reach that function"
