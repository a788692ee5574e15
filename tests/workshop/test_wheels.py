"""Wheels that a page loads late: compiled, pinned, and what Pyodide's lock and the licences say of them."""

from __future__ import annotations

import hashlib
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from workshop import wheels
from workshop.app import write_zip
from workshop.console import StepFailed
from workshop.paths import ROOT


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> wheels.Wheel:
    """A small wheel, compiled by a stand-in for the compiler."""
    monkeypatch.setattr(wheels, "compile_modules", lambda sources, what: {f"{name}c": b"code" for name in sources})
    monkeypatch.setattr(wheels, "python_version", lambda: "3.14")
    source = tmp_path / "toy-1.2-py3-none-any.whl"
    write_zip(source, {"toy/__init__.py": b"x = 1\n", "toy/data.txt": b"data", "toy/__init__.pyi": b"x: int\n",
                       "toy-1.2.data/data/share/man/man1/toy.1": b".TH TOY 1\n",
                       "toy-1.2.dist-info/METADATA": b"Name: toy\nVersion: 1.2\n\n# Toy\n\nA long page.\n",
                       "toy-1.2.dist-info/WHEEL": b"Tag: py3-none-any\n", "toy-1.2.dist-info/RECORD": b"old",
                       "toy-1.2.dist-info/licenses/LICENSE": b"Do as you like.\n"})
    target = tmp_path / "compiled"
    target.mkdir()
    wheels.compile_wheel(source, target)
    return wheels.read_wheel(next(target.iterdir()))


def test_a_compiled_wheel_says_for_which_python_it_is(wheel: wheels.Wheel) -> None:
    assert (wheel.path.name, wheel.licence) == ("toy-1.2-cp314-none-any.whl", "Do as you like.")
    with zipfile.ZipFile(wheel.path) as archive:
        names = set(archive.namelist())
        record = archive.read("toy-1.2.dist-info/RECORD").decode().splitlines()
        assert "Tag: cp314-none-any" in archive.read("toy-1.2.dist-info/WHEEL").decode()
    assert {"toy/__init__.pyc", "toy/data.txt"} <= names and "toy/__init__.py" not in names
    assert {line.split(",")[0] for line in record} == names
    assert f"toy/data.txt,sha256={wheels.record_hash(b'data')},4" in record


def test_a_compiled_wheel_holds_nothing_that_no_page_reads(wheel: wheels.Wheel) -> None:
    """Type stubs, manuals and the text of its page on PyPI cost every first visit."""
    with zipfile.ZipFile(wheel.path) as archive:
        assert set(archive.namelist()) == {"toy/__init__.pyc", "toy/data.txt", *(
            f"toy-1.2.dist-info/{name}" for name in ("METADATA", "WHEEL", "RECORD", "licenses/LICENSE"))}
        assert archive.read("toy-1.2.dist-info/METADATA") == b"Name: toy\nVersion: 1.2\n"


def test_pyodides_lock_holds_the_hash_of_what_is_served(wheel: wheels.Wheel) -> None:
    entry = wheel.lock_entry("../wheels/toy.whl")
    assert entry["sha256"] == hashlib.sha256(wheel.path.read_bytes()).hexdigest()
    assert (entry["file_name"], entry["imports"], entry["depends"]) == ("../wheels/toy.whl", ["toy"], [])


def test_a_wheel_without_a_licence_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "toy-1.2-py3-none-any.whl"
    write_zip(path, {"toy/__init__.py": b""})
    with pytest.raises(StepFailed, match="licence"):
        wheels.read_wheel(path)


def test_every_late_package_is_pinned() -> None:
    named = tomllib.loads((ROOT / "pyscript.toml").read_text("utf-8"))["tabletin"]["wheels"]
    lock = (ROOT / "requirements" / "browser.txt").read_text("utf-8")
    pinned = set(re.findall(r"(?m)^([\w-]+)==", lock))
    assert set(named) == pinned
    assert lock.count("--hash=sha256:") >= len(pinned) and "http" not in lock
