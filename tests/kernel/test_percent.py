"""Percent-encoding: what is encoded can be read again, here and by the standard library, and nothing makes it fail."""

from __future__ import annotations

from urllib.parse import quote, unquote_plus

from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.percent import decode, encode


@given(st.text())
def test_what_is_encoded_is_read_again(text: str) -> None:
    whole = text.encode("utf-8", "replace").decode()
    assert decode(encode(text)) == decode(encode(text, ",")) == whole
    assert encode(whole) == quote(whole, safe="")


@given(st.text(alphabet="ab%+09éF"))
def test_whatever_is_spelled_wrongly_stays_as_it_is(text: str) -> None:
    assert decode(text) == unquote_plus(text)
