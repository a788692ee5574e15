"""The memory of a start that the build makes: what is in it, and that it is made the same again."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from workshop import app, memory, runtime
from workshop.cache import CACHE
from workshop.paths import ROOT
from workshop.runtime import INSIDE
from workshop.setup import node

MOST_THAT_DIFFER = 1_000  # bytes: of some millions


@pytest.fixture(scope="module")
def made() -> memory.Started:
    return memory.started(runtime.standard_library(), app.application().main)


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The memory, made once more: elsewhere, by another user, at another hour."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"HOME": "/home/somebody", "USER": "somebody", "LANG": "fr_FR.UTF-8", "TZ": "Asia/Tokyo"}.items():
            patch.setenv(name, value)
        memory.make(runtime.standard_library(), app.application().main, folder)
    return gzip.decompress((folder / "start.memory").read_bytes())


def test_it_holds_nothing_of_the_machine_that_made_it(made: memory.Started, again: bytes) -> None:
    names = [str(ROOT), str(CACHE), str(Path.home()), str(Path(runtime.PYODIDE).parent), "/home/somebody", "Asia/Tokyo", "fr_FR",
             os.uname().nodename]
    for data in (gzip.decompress(made.memory.read_bytes()), again):
        assert len(data) > 1_000_000
        assert [name for name in names if len(name) > 4 and name.encode() in data] == []


def test_it_is_made_the_same_again(made: memory.Started, again: bytes) -> None:
    first = gzip.decompress(made.memory.read_bytes())
    assert len(first) == len(again)
    differing = int.from_bytes(first, "big") ^ int.from_bytes(again, "big")  # millions of pairs, one by one, take seconds
    assert len(first) - differing.to_bytes(len(first), "big").count(0) <= MOST_THAT_DIFFER


def test_what_it_holds_lies_in_no_archive_beside_it(made: memory.Started) -> None:
    with zipfile.ZipFile(made.application) as rest, zipfile.ZipFile(app.application().main) as whole:
        left, all_of_it = set(rest.namelist()), set(whole.namelist())
    assert left < all_of_it
    assert "tabletin/kernel/match.pyc" in all_of_it - left and "tabletin/app/main/app.pyc" in left
    assert all(name.endswith(".pyc") for name in all_of_it - left), "all data are still there"


@pytest.mark.parametrize("damage", ["a bit", "its end", "nothing"])
def test_a_damaged_one_is_refused(made: memory.Started, tmp_path: Path, damage: str) -> None:
    data = bytearray(gzip.decompress(made.memory.read_bytes()))
    if damage == "a bit":
        data[len(data) // 3] ^= 4
    elif damage == "its end":
        del data[len(data) // 2 // 4 * 4:]
    (tmp_path / "start.memory").write_bytes(data)
    script = (f"import {{ readFileSync }} from 'node:fs'; import {{ read }} from {json.dumps((INSIDE / 'memory.mjs').as_uri())};"
              f"const file = new Uint8Array(readFileSync({json.dumps(str(tmp_path / 'start.memory'))}));"
              "read(file, async () => {}).then(() => console.log('read'), (error) => console.log(error.name));")
    said = subprocess.run([node(), "--input-type=module", "-e", script], capture_output=True, text=True, check=True).stdout
    assert said.strip() == ("read" if damage == "nothing" else "RangeError")
