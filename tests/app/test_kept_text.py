"""What was kept is read whatever became of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.app.kept_text import kept_object, kept_value


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_an_object_comes_back(kept: dict[str, object]) -> None:
    assert kept_object(json.dumps(kept)) == kept


@pytest.mark.parametrize("text", [None, "", "{", "nonsense", "\x00", "[" * 100_000, '{"a": ' * 100_000])
def test_damaged_text_is_as_if_nothing_had_been_kept(text: str | None) -> None:
    assert kept_value(text) is None
    assert kept_object(text) == {}


@pytest.mark.parametrize("text", ["[]", "1", '"text"', "null", "true"])
def test_another_value_is_no_object(text: str) -> None:
    assert kept_value(text) == json.loads(text)
    assert kept_object(text) == {}
