"""A hidden face can be held and passed on, and nothing else."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from tabletin.kernel.faces import HIDDEN, Faces, HiddenFace

USES: dict[str, Callable[[Any], Any]] = {
    "compared": lambda face: face == "rc1", "compared from the left": lambda face: face == "rc1",
    "told apart": lambda face: face != "rc1", "ordered": lambda face: face < "rc1", "sorted": lambda face: sorted(["a", face]),
    "hashed": hash, "in a set": lambda face: {face}, "a key": lambda face: {"rc1": 1}[face],
    "looked for": lambda face: face in ("rc1", "rc2"), "printed": str, "formatted": lambda face: f"{face}",
    "percent": lambda face: f"{face}", "measured": len, "first letter": lambda face: face[0],
    "iterated": list, "a method": lambda face: face.startswith("r"), "tested": bool, "added": lambda face: face + "x",
    "added to": lambda face: "x" + face, "int": int,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
def test_every_use_of_a_hidden_face_raises(use: Callable[[Any], Any]) -> None:
    with pytest.raises((HiddenFace, TypeError)):
        use(HIDDEN)


def test_it_cannot_slip_into_json_or_text() -> None:
    with pytest.raises(TypeError):
        json.dumps({"face": HIDDEN})
    with pytest.raises(TypeError):
        "".join(["a", HIDDEN])


def test_what_inspects_an_object_may_ask_for_what_it_has_not() -> None:
    """``hasattr`` and the like ask for names with underscores; an answer of None would be taken for one."""
    assert not hasattr(HIDDEN, "__wrapped__")
    with pytest.raises(HiddenFace):
        HIDDEN.isdigit()


def test_it_stays_itself_when_copied() -> None:
    assert copy.deepcopy(HIDDEN) is HIDDEN
    assert copy.copy(HIDDEN) is HIDDEN
    assert pickle.loads(pickle.dumps(HIDDEN)) is HIDDEN
    assert repr(HIDDEN) == "HIDDEN"


def test_faces_give_hidden_for_what_they_do_not_know() -> None:
    faces = Faces({1: "rc1"})
    assert faces[1] == "rc1"
    assert faces[2] is HIDDEN
    assert 2 not in faces
    assert faces.knows([1]) and not faces.knows([1, 2])
    twin = faces.copy()
    twin[2] = "rc2"
    assert isinstance(twin, Faces) and faces[2] is HIDDEN
