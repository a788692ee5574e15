"""The canonical spelling, and what is refused on reading."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.kernel import log
from tabletin.kernel.log import (
    MOST_BYTES,
    MOST_DEPTH,
    MOST_KEYS,
    NOTHING,
    Entry,
    Statement,
    canonical,
    depth,
    digest,
    key_count,
    parse,
    place,
    spelled_place,
    value_count,
)
from tabletin.kernel.schema import Malformed

texts = st.text(st.characters(codec="utf-8"))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20)


@given(values)
def test_what_is_written_reads_back_and_is_written_the_same(value: Any) -> None:
    assert parse(canonical(value)) == value
    assert canonical(parse(canonical(value))) == canonical(value)


def test_the_spelling_is_fixed() -> None:
    assert canonical({"b": [1, True, None], "a": "é"}) == '{"a":"é","b":[1,true,null]}'.encode()
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize("text", ["", "{", "1.5", "NaN", "Infinity", '{"a":1,"a":2}', "1e3", "[" * 1000 + "]" * 1000,
                                  "[" * 9000, '["]",' * 9000, '{"[":' * 9000,
                                  str(2**53), str(-(2**53)), f'{{"a":["b",{2**53}]}}', f'["1",{10**40}]', '"\\ud800"', '"\ud800"',
                                  '{"\\uD800":1}', '["é\\udfff"]', "\ufeff1", "\x00", "[1,]"])
def test_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text)


@given(values)
def test_depth_is_that_of_the_value_and_not_of_its_texts(value: Any) -> None:
    def deep(part: Any) -> int:
        inner = list(part.values()) if isinstance(part, dict) else part if isinstance(part, list) else None
        return 0 if inner is None else 1 + max(map(deep, inner), default=0)

    assert depth(canonical(value)) == depth(json.dumps(value)) == deep(value)


@pytest.mark.parametrize("value", [1.5, {1: 2}, object(), {"a": b"x"}, 2**53, {"a": {1, 2}}])
def test_what_has_no_spelling_is_refused(value: Any) -> None:
    with pytest.raises(Malformed):
        canonical(value)


def test_what_holds_itself_has_no_spelling() -> None:
    value: list[Any] = []
    value.append({"a": value})
    with pytest.raises(Malformed, match="deep"):
        canonical(value)


def test_large_numbers_are_read_as_they_are() -> None:
    for number in (2**53 - 1, 1 - 2**53, 10**15, 10**15 - 1):
        assert parse(f'["é",{number}]') == ["é", number]
        assert parse(f'["e",{number}]') == ["e", number]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        value = parse(data)
    except Malformed:
        return
    canonical(value)


GOOD = Statement("a" * 64, "me", 3, "b" * 64, "move", {"seat": 0}).to_json()


@pytest.mark.parametrize("change", [
    {"match": "x"}, {"match": "A" * 64}, {"match": None}, {"by": 1}, {"by": "x" * 300}, {"n": -1}, {"n": True}, {"n": "1"},
    {"head": "b" * 63}, {"kind": "shout"}, {"kind": None}, {"body": []}, {"body": None}, {"sig": 3}, {"extra": 1}])
def test_malformed_statements_are_refused(change: dict[str, Any]) -> None:
    assert Statement.from_json(GOOD).to_json() == GOOD
    with pytest.raises(Malformed):
        Statement.from_json({**GOOD, **change})


@given(values)
def test_no_value_at_all_breaks_the_readers(value: Any) -> None:
    for read in (Statement.from_json, Entry.from_json):
        try:
            read(value)
        except Malformed:
            continue


def test_a_place_is_hashed_over_index_previous_and_statement() -> None:
    statement = Statement.from_json(GOOD)
    entry = Entry.create(1, NOTHING, statement)
    assert len({entry.hash, Entry.create(2, NOTHING, statement).hash, Entry.create(1, "c" * 64, statement).hash,
                Entry.create(1, NOTHING, Statement.from_json({**GOOD, "n": 4})).hash}) == 4
    assert Entry.from_json(entry.to_json()) == entry


def test_a_signature_does_not_change_what_is_hashed() -> None:
    signed = Statement.from_json({**GOOD, "sig": "ff"})
    assert signed.hash == Statement.from_json(GOOD).hash
    assert signed.to_json() == {**GOOD, "sig": "ff"}


signatures = texts.filter(lambda text: len(text) <= 200)


@given(st.dictionaries(texts, values, max_size=3), signatures, signatures)
def test_an_entrys_line_is_its_one_spelling_and_is_read_without_spelling_it_again(body: Any, said: str, placed: str) -> None:
    entry = Entry.create(3, "d" * 64, Statement.from_json({**GOOD, "body": body, "sig": said}), placed)
    assert entry.line.encode() == canonical(entry.to_json())
    read = Entry.from_line(entry.line)
    assert (read, read.hash, read.statement.canonical_bytes) == (entry, entry.hash, entry.statement.canonical_bytes)


def test_a_line_in_another_spelling_is_refused() -> None:
    entry = Entry.create(3, "d" * 64, Statement.from_json({**GOOD, "sig": "ff"}), "ee")
    for line in (json.dumps(entry.to_json()), entry.line + " ", f" {entry.line}", entry.line[:-1], "[]", "{}"):
        with pytest.raises(Malformed):
            Entry.from_line(line)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig"])
@pytest.mark.parametrize("text", ["[" * 10_000 + "]" * 10_000, '{"a":1}'])
def test_only_plain_utf_8_is_read(encoding: str, text: str) -> None:
    """json.loads would guess the encoding of bytes, so that 10,000 levels reached the interpreter unseen."""
    with pytest.raises(Malformed):
        parse(text.encode(encoding))


@pytest.mark.parametrize("data", [b"\xff", b'"\xed\xa0\x80"', b'"\xc0\xaf"', b'{"a":"\x80"}'])
def test_bytes_that_are_no_utf_8_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        parse(data)


@pytest.mark.parametrize(("text", "count"), [("[]", 1), ("[1,2,3]", 3), ('{"a":[1,{"b":"[,{"}],"c":"\\\\"}', 5), ('"a,[{"', 0)])
def test_values_are_counted_before_they_are_read(text: str, count: int) -> None:
    assert value_count(text) == value_count(text.encode()) == count
    assert parse(text, values=count) == json.loads(text)
    if count:
        with pytest.raises(Malformed):
            parse(text, values=count - 1)


def test_a_statements_values_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str | bytes] = []

    def count_values(text: str | bytes) -> int:
        counted.append(text)
        return value_count(text)

    monkeypatch.setattr(log, "value_count", count_values)
    statement = Statement(NOTHING, "a", 0, NOTHING, "move", {"x": [1, [2], "[,"]})
    count = value_count(statement.canonical_bytes)
    before = repr(statement)
    assert statement.value_count == statement.value_count == count == 11
    assert counted == [statement.canonical_bytes]
    assert repr(statement) == before and statement == replace(statement), "that is no part of it"
    assert "_value_count" not in {field.name for field in fields(Statement) if field.init}


@pytest.mark.parametrize("key", ["k{}", 'k{}\\"', "\\\\{}", "é{}"])
def test_keys_that_differ_are_counted_before_they_are_read(key: str) -> None:
    """They can be chosen so that they collide: twice as many take four times as long."""
    def text(count: int) -> str:
        return "[" + ",".join(f'{{"{key.format(number)}" : ": ,"}}' for number in range(count)) + "]"

    assert len(parse(text(MOST_KEYS))) == MOST_KEYS
    with pytest.raises(Malformed, match="too many keys"):
        parse(text(MOST_KEYS + 1))
    with pytest.raises(Malformed, match="too many keys"):
        parse(text(MOST_KEYS + 1).encode())
    assert len(parse("[" + ",".join(['{"same":1}'] * 5 * MOST_KEYS) + "]")) == 5 * MOST_KEYS


def test_short_numbers_as_keys_are_not_counted() -> None:
    """What tells the faces of a match has one for each card."""
    cards = dict.fromkeys(map(str, range(999_999 - 5 * MOST_KEYS, 1_000_000)), 1)
    assert parse(json.dumps(cards)) == cards
    with pytest.raises(Malformed, match="too many keys"):
        parse(json.dumps(dict.fromkeys(map(str, range(1_000_000, 1_000_001 + MOST_KEYS)), 1)))


def test_texts_and_short_numbers_are_no_keys() -> None:
    text = '{"a": "x", "b" :{"a":"y","12":"z"}, "c":["d","e"]}'
    assert key_count(text) == key_count(text.encode()) == 3
    assert parse(text, keys=3)
    with pytest.raises(Malformed, match="too many keys"):
        parse(text, keys=2)
    assert key_count("[]") == 0


def test_keys_that_differ_in_what_is_escaped_are_counted_apart() -> None:
    keys = ["\\\\" * number for number in range(MOST_KEYS + 1)]
    with pytest.raises(Malformed, match="too many keys"):
        parse("{" + ",".join(f'"{key}":1' for key in keys) + "}")


# ---- just at the limit and just beyond ----

def nested(levels: int, around: Any = list) -> Any:
    value: Any = [] if around is list else {}
    for _ in range(levels - 1):
        value = [value] if around is list else {"a": value}
    return value


@pytest.mark.parametrize("around", [list, dict])
def test_what_is_nested_just_so_deep_is_read(around: type) -> None:
    value = nested(MOST_DEPTH, around)
    assert parse(canonical(value)) == value
    assert parse(canonical(value).replace(b"[]", '["é"]'.encode()).replace(b"{}", '{"é":0}'.encode())), "each value is looked at"
    with pytest.raises(Malformed, match="deep"):
        parse(json.dumps(nested(MOST_DEPTH + 1, around)))
    with pytest.raises(Malformed, match="deep"):
        canonical(nested(MOST_DEPTH + 1, around))
    assert MOST_DEPTH == 400, "as docs/log.md has it"


def test_a_text_is_long_only_so_far() -> None:
    for text in ("[1,2]", b"[1,2]"):
        assert parse(text, 5) == [1, 2]
        with pytest.raises(Malformed, match="too long"):
            parse(text, 4)
    assert MOST_BYTES == 4_000_000, "of one statement"
    assert len(parse(f'"{"x" * (MOST_BYTES - 2)}"')) == MOST_BYTES - 2
    with pytest.raises(Malformed, match="too long"):
        parse(f'"{"x" * (MOST_BYTES - 1)}"')


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_is_large_only_so_far(sign: int) -> None:
    most = sign * (2**53 - 1)
    assert parse(canonical([most])) == [most]
    for value in (most + sign, {"a": most + sign}, [[most + sign]]):
        with pytest.raises(Malformed, match="number"):
            canonical(value)


def test_a_tuple_is_spelled_as_a_list() -> None:
    assert canonical((1, ("é", "a"))) == canonical([1, ["é", "a"]])


@pytest.mark.parametrize("code", [0xD800, 0xDBFF, 0xDC00, 0xDFFF])
def test_half_a_character_is_refused_wherever_it_stands(code: int) -> None:
    half = chr(code)
    for value in (half, [half], {"a": half}, {half: 1}, ["a", {"b": [half]}], (half,), f"a{half}", f"{half}a"):
        with pytest.raises(Malformed, match="half a character"):
            canonical(value)
    assert canonical(["\ud7ff\ue000"])


@pytest.mark.parametrize(("name", "most"), [("by", 200), ("sig", 200)])
def test_a_text_in_a_statement_is_long_only_so_far(name: str, most: int) -> None:
    assert Statement.from_json({**GOOD, name: "x" * most}).to_json()[name] == "x" * most
    with pytest.raises(Malformed, match=name):
        Statement.from_json({**GOOD, name: "x" * (most + 1)})


@pytest.mark.parametrize("change", [
    {"i": -1}, {"i": True}, {"i": None}, {"prev": "x"}, {"prev": "A" * 64}, {"prev": "a" * 65}, {"prev": 1}, {"say": None},
    {"say": {}}, {"sig": 1}, {"sig": "x" * 201}, {"more": 1}])
def test_malformed_entries_are_refused(change: dict[str, Any]) -> None:
    good = Entry.create(0, "d" * 64, Statement.from_json({**GOOD, "sig": "ff"}), "e" * 200)
    assert Entry.from_json(good.to_json()) == good
    wrong = {**good.to_json(), **change}
    with pytest.raises(Malformed):
        Entry.from_json(wrong)
    with pytest.raises(Malformed):
        Entry.from_line(json.dumps(wrong, sort_keys=True, separators=(",", ":")))


@pytest.mark.parametrize("data", [None, 1, "x", [], {}])
def test_what_is_no_object_is_no_statement_and_no_entry(data: Any) -> None:
    for read in (Statement.from_json, Entry.from_json):
        with pytest.raises(Malformed):
            read(data)
    for line in ("null", "1", '"x"', "[]", "{}", "", "{"):
        with pytest.raises(Malformed):
            Entry.from_line(line)


def test_what_is_not_signed_has_no_signature() -> None:
    statement = Statement.from_json(GOOD)
    assert "sig" not in statement.to_json() and statement.signature == ""
    entry = Entry.create(3, "d" * 64, statement)
    assert entry.to_json().keys() == {"i", "prev", "say"} and entry.signature == ""
    assert Entry.from_line(entry.line) == entry
    assert Entry.from_line(entry.line).statement.hash == statement.hash


def test_what_is_computed_once_is_no_part_of_a_statement() -> None:
    asked, other = Statement.from_json(GOOD), Statement.from_json(GOOD)
    assert asked.canonical_bytes is asked.canonical_bytes and asked.hash is asked.hash
    assert asked == other and hash(asked) == hash(other), "whatever was asked of one of them"
    assert repr(asked) == repr(other) and asked.hash not in repr(asked)
    with pytest.raises(TypeError):
        Statement(*(GOOD[name] for name in ("match", "by", "n", "head", "kind", "body")), "", b"forged")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Statement(*(GOOD[name] for name in ("match", "by", "n", "head", "kind", "body")), _hash="forged")  # type: ignore[call-arg]


def test_a_line_is_not_spelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Entry.create(3, "d" * 64, Statement.from_json({**GOOD, "sig": "ff"}), "ee").line
    monkeypatch.setattr("tabletin.kernel.log.canonical", None)
    assert Entry.from_line(line).line == line


def test_a_line_with_a_key_too_many_is_refused() -> None:
    """Also where the key stands so that the line begins and ends as one should."""
    line = Entry.create(3, "d" * 64, Statement.from_json(GOOD), "ee").line
    with pytest.raises(Malformed):
        Entry.from_line(line.replace(',"sig":"ee"', ',"sh":{},"sig":"ee"'))


def test_a_kind_that_is_too_long_is_not_repeated() -> None:
    for length, said in ((20, "no such kind of statement: 'xxxx"), (21, "kind: expected text")):
        with pytest.raises(Malformed, match=said):
            Statement.from_json({**GOOD, "kind": "x" * length})


def test_an_entrys_hash_is_that_of_its_place() -> None:
    statement = Statement.from_json(GOOD)
    assert statement.hash == digest(statement.signed_fields())
    assert statement.canonical_bytes == canonical(statement.signed_fields())
    assert Entry.create(7, "d" * 64, statement).hash == digest(place(7, "d" * 64, statement.hash))
    assert spelled_place(7, "d" * 64, statement.hash) == canonical(place(7, "d" * 64, statement.hash))
    assert NOTHING == "0" * 64


@pytest.mark.parametrize(("text", "levels"), [
    ("[]", 1), ("{}", 1), ('"["', 0), ('["]"]', 1), ("1", 0),
    (r'["\"[", []]', 2), (r'["\\", [[]]]', 3), (r'"\\\"[["', 0), ("[[][]]", 2), ("", 0)])
def test_brackets_in_texts_are_no_levels(text: str, levels: int) -> None:
    assert depth(text) == depth(text.encode()) == levels


@pytest.mark.parametrize("text", ["[" * 10_000 + "]" * 10_000, '{"a":' * 10_000 + "1" + "}" * 10_000])
@pytest.mark.parametrize("form", [str, str.encode])
def test_what_is_nested_too_deeply_is_refused_before_it_is_parsed(
    text: str, form: Callable[[str], str | bytes], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a browser, parsing that many levels ends the interpreter, whatever catches errors around it."""
    def loads(*given: object, **more: object) -> None:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(log.READER, "decode", loads)
    with pytest.raises(Malformed, match="nested too deeply"):
        parse(form(text))
