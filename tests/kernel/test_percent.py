"""Percent-encoding: what is encoded can be read again, here and by the standard library, and nothing makes it fail."""

from __future__ import annotations

from urllib.parse import quote, unquote_plus

import pytest
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


@pytest.mark.parametrize(("text", "safe", "encoded"), [
    ("AZaz09-._~", "", "AZaz09-._~"), ("a b", "", "a%20b"), ("a,b;c", ",", "a,b%3Bc"), ("é", "", "%C3%A9"), ("%", "", "%25"),
    ("\x0f", "", "%0F"), ("", "", "")])
def test_what_is_neither_unreserved_nor_safe_is_encoded(text: str, safe: str, encoded: str) -> None:
    assert encode(text, safe) == encoded
    assert decode(encoded) == text


@pytest.mark.parametrize(("encoded", "text"), [
    ("%41%42c%43", "ABcC"), ("a+b", "a b"), ("%4a%4A", "JJ"), ("%", "%"), ("%4", "%4"), ("%4x", "%4x"), ("%x4", "%x4"),
    ("%%41", "%A"), ("%411", "A1"), ("%+1", "% 1"), ("%c3%a9", "é"), ("%ff", "\ufffd")])
def test_what_is_spelled_rightly_is_decoded(encoded: str, text: str) -> None:
    assert decode(encoded) == text
