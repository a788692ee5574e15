"""What a page and a worker write to each other: a head, and texts as they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel.envelope import pack, unpack

texts = st.lists(st.text(st.characters(codec="utf-8")))


@given(texts)
def test_texts_come_out_as_they_went_in(sent: list[str]) -> None:
    assert unpack(pack({"do": "receive"}, sent)) == ({"do": "receive"}, sent)


def test_a_text_is_not_put_into_json() -> None:
    assert pack({}, ['{"a":"b"}', "c\nd"]).endswith('\n{"a":"b"}c\nd')


def test_a_head_alone_is_plain_json() -> None:
    assert pack({"do": "tick", "now": 1}) == '{"do": "tick", "now": 1}'
    assert unpack('{"do": "tick"}') == ({"do": "tick"}, [])
