"""Statements, places and the chain they make: what was said, by whom, and where it stands.

A *statement* is what an author says; a *place* is where it stands in the log. Both have one canonical spelling in bytes
and are hashed over it, so that a log is fixed by its last hash. This module knows nothing of games: bodies are JSON.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate, pairwise
from typing import Any, Final, TypeAlias

from tabletin.kernel.schema import Malformed

Json: TypeAlias = Any
Hash: TypeAlias = str  # 64 lower-case hexadecimal digits

NOTHING: Final[Hash] = "0" * 64  # the hash before the first entry
MOST_BYTES: Final = 4_000_000  # of one statement; a reshuffle with its proofs is the largest
MOST_DEPTH: Final = 400
MOST_VALUES: Final = 1_000_000  # of one text; each takes some microseconds and a hundred bytes, however short it is spelled
MOST_KEYS: Final = 1_000  # that differ, of one message: as many can be chosen so that each is compared with all others
LONGEST_HANDLE: Final = 6  # digits: of so short numbers at most two have one hash, so they are not counted among these keys
HEXADECIMAL: Final = frozenset("0123456789abcdef")
STEPS: Final = bytes.maketrans(b"[{]}", bytes([1, 1, 255, 255]))  # one deeper; as a signed byte, one less
NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[{]}"))
# What holds itself is refused as nested too deeply before it is spelled.
SPELLER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False)
LONG_NUMBER: Final = re.compile(rb"[0-9]{16}")  # all numbers with fewer digits are small enough
KINDS: Final = ("genesis", "move", "deal", "timeout", "undo", "consent", "resign", "seat", "order", "gone", "leave",
                "device", "pass")


def canonical(value: Json) -> bytes:
    """The one spelling of ``value``: JSON in UTF-8, keys sorted, no spaces, whole numbers only. Raises ``Malformed``."""
    _check(value, 1)
    return SPELLER.encode(value).encode()


def _check(value: Json, depth: int) -> None:
    """``depth``: how many levels there are with this one. Raises ``Malformed``."""
    kind = type(value)
    if kind is str:
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise Malformed("text with half a character")
    elif kind is int:
        if not -(2**53) < value < 2**53:
            raise Malformed("a number too large")
    elif kind is dict:
        if depth > MOST_DEPTH:
            raise Malformed("nested too deeply")
        for key, item in value.items():
            if type(key) is not str:
                raise Malformed("a key that is no text")
            if not key.isascii():
                _check(key, depth)
            if type(item) is not str or not item.isascii():
                _check(item, depth + 1)
    elif kind in (list, tuple):
        if depth > MOST_DEPTH:
            raise Malformed("nested too deeply")
        for item in value:
            if type(item) is not str or not item.isascii():
                _check(item, depth + 1)
    elif value is not None and kind is not bool:
        raise Malformed(f"a {kind.__name__} has no place in a log")


def parse(text: str | bytes, most: int = MOST_BYTES, *, values: int = MOST_VALUES, keys: int = MOST_KEYS) -> Json:
    """The value that ``text`` of at most ``most`` bytes or characters spells, with at most ``values`` others in it and
    ``keys`` keys that differ; refuses what ``canonical`` could not have written. Raises ``Malformed``."""
    if len(text) > most:
        raise Malformed("too long")
    if isinstance(text, bytes):  # never left to json: it would guess UTF-16 and UTF-32, whose brackets ``depth`` does not see
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Malformed("not UTF-8") from error
    pieces = _pieces(text)
    outside = b"".join(pieces[::2])
    if _depth(outside) > MOST_DEPTH:  # before it is read: in a browser, thousands of levels end the whole interpreter
        raise Malformed("nested too deeply")
    if _count(outside) > values:
        raise Malformed("too many values")
    if outside.count(b":") > keys and _key_count(pieces) > keys:
        raise Malformed("too many keys")
    try:
        value = READER.decode(text)
    except Malformed:
        raise
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {error}") from error
    if "\\u" in text or not text.isascii() or LONG_NUMBER.search(outside):
        _check(value, 1)  # else it holds neither half a character nor a large number: all else was looked at before
    return value


def depth(text: str | bytes) -> int:
    """How deeply the brackets of a JSON text are nested, those within strings left out; at least as deep as a reader gets."""
    return _depth(b"".join(_pieces(text)[::2]))


def value_count(text: str | bytes) -> int:
    """How many values a JSON text holds, at least: what it costs to read, before it is read."""
    return _count(b"".join(_pieces(text)[::2]))


def key_count(text: str | bytes) -> int:
    """How many keys of objects differ in a JSON text, short numbers left out. Other keys can be chosen so that each is compared
    with all others."""
    return _key_count(_pieces(text))


def _pieces(text: str | bytes) -> list[bytes]:
    """A JSON text cut at its quotation marks: what stands outside and within strings, by turns. What is escaped is replaced by
    characters that have no place in a string."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return data.replace(b"\\\\", b"\1").replace(b'\\"', b"\2").split(b'"')


def _depth(outside: bytes) -> int:
    brackets = outside.translate(STEPS, NOT_BRACKETS)
    return max(accumulate(memoryview(brackets).cast("b")), default=0)


def _count(outside: bytes) -> int:
    return outside.count(b",") + outside.count(b"[") + outside.count(b"{")


def _key_count(pieces: list[bytes]) -> int:
    """How many keys differ, but for short numbers, such as those of cards. They are sorted: a set would cost what is avoided."""
    keys = sorted(within for within, after in zip(pieces[1::2], pieces[2::2], strict=False)
                  if after.lstrip().startswith(b":") and not (len(within) <= LONGEST_HANDLE and within.isdigit()))
    return sum(one != other for one, other in pairwise(keys)) + bool(keys)


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Malformed("the same key twice")
    return result


def _no_float(text: str) -> Json:
    raise Malformed(f"{text}: only whole numbers")


READER: Final = json.JSONDecoder(object_pairs_hook=_no_twins, parse_float=_no_float, parse_constant=_no_float)


def digest(value: Json) -> Hash:
    return sha256(canonical(value)).hexdigest()


def text_field(data: dict[str, Json], name: str, most: int = 200) -> str:
    value = data.get(name)
    if type(value) is not str or len(value) > most:
        raise Malformed(f"{name}: expected text")
    return value


def count_field(data: dict[str, Json], name: str) -> int:
    value = data.get(name)
    if type(value) is not int or value < 0:
        raise Malformed(f"{name}: expected a count")
    return value


def hash_field(data: dict[str, Json], name: str) -> Hash:
    value = text_field(data, name)
    if len(value) != 64 or not HEXADECIMAL.issuperset(value):
        raise Malformed(f"{name}: expected a hash")
    return value


@dataclass(frozen=True, slots=True)
class Statement:
    """What ``author`` says as its ``count``-th statement in ``match``, having seen the log up to ``head``.

    ``match`` is the hash of the genesis statement, and ``NOTHING`` in that one. ``signature`` (hex) is over ``signed_fields()``.
    """

    match: Hash
    author: str
    count: int
    head: Hash
    kind: str
    body: dict[str, Json] = field(hash=False)
    signature: str = ""
    _spelled: bytes = field(default=b"", init=False, repr=False, compare=False)  # all once computed: a statement
    _hash: Hash = field(default="", init=False, repr=False, compare=False)  # never changes
    _value_count: int = field(default=-1, init=False, repr=False, compare=False)

    def signed_fields(self) -> dict[str, Json]:
        return {"match": self.match, "by": self.author, "n": self.count, "head": self.head,
                "kind": self.kind, "body": self.body}

    @property
    def canonical_bytes(self) -> bytes:
        """The canonical bytes of ``signed_fields()``."""
        if not self._spelled:
            object.__setattr__(self, "_spelled", canonical(self.signed_fields()))
        return self._spelled

    @property
    def hash(self) -> Hash:
        if not self._hash:
            object.__setattr__(self, "_hash", sha256(self.canonical_bytes).hexdigest())
        return self._hash

    @property
    def value_count(self) -> int:
        """How many values its canonical bytes hold, as ``value_count`` counts them."""
        if self._value_count < 0:
            object.__setattr__(self, "_value_count", value_count(self.canonical_bytes))
        return self._value_count

    def to_json(self) -> dict[str, Json]:
        return {**self.signed_fields(), "sig": self.signature} if self.signature else self.signed_fields()

    @classmethod
    def from_json(cls, data: Json) -> Statement:
        """Raises ``Malformed``."""
        if type(data) is not dict or not data.keys() <= {"match", "by", "n", "head", "kind", "body", "sig"}:
            raise Malformed("expected a statement")
        body = data.get("body")
        if type(body) is not dict:
            raise Malformed("body: expected an object")
        kind = text_field(data, "kind", 20)
        if kind not in KINDS:
            raise Malformed(f"no such kind of statement: {kind!r}")
        signature = text_field(data, "sig", 200) if "sig" in data else ""
        return cls(hash_field(data, "match"), text_field(data, "by"), count_field(data, "n"),
                   hash_field(data, "head"), kind, body, signature)


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement at its place: ``index``-th of the log, after the entry with hash ``previous``.

    ``hash`` is the place's own hash, over index, previous and the statement's hash; ``signature`` is by the author who orders.
    """

    index: int
    previous: Hash
    statement: Statement
    hash: Hash
    signature: str = ""

    @classmethod
    def create(cls, index: int, previous: Hash, statement: Statement, signature: str = "") -> Entry:
        return cls(index, previous, statement, sha256(spelled_place(index, previous, statement.hash)).hexdigest(), signature)

    def to_json(self) -> dict[str, Json]:
        data = {"i": self.index, "prev": self.previous, "say": self.statement.to_json()}
        return {**data, "sig": self.signature} if self.signature else data

    @classmethod
    def from_json(cls, data: Json) -> Entry:
        """Raises ``Malformed``. The hash is computed, never taken."""
        if type(data) is not dict or not data.keys() <= {"i", "prev", "say", "sig"}:
            raise Malformed("expected an entry")
        signature = text_field(data, "sig", 200) if "sig" in data else ""
        return cls.create(count_field(data, "i"), hash_field(data, "prev"), Statement.from_json(data.get("say")), signature)

    @property
    def line(self) -> str:
        """The entry's line of a log: the canonical spelling of ``to_json()``, put together from the statement's own bytes."""
        return (_line_start(self.index, self.previous) + self.statement.canonical_bytes[:-1].decode()
                + _line_end(self.statement.signature, self.signature))

    @classmethod
    def from_line(cls, line: str) -> Entry:
        """The entry of a ``line`` that this device has written itself: parsed once, and hashed over its own bytes.

        What comes from elsewhere is for ``parse`` and ``from_json``. Raises ``Malformed``."""
        try:
            data = json.loads(line)
        except ValueError as error:
            raise Malformed(f"not JSON: {error}") from error
        if type(data) is not dict or not data.keys() <= {"i", "prev", "say", "sig"}:
            raise Malformed("expected an entry")
        index, previous, statement = count_field(data, "i"), hash_field(data, "prev"), Statement.from_json(data.get("say"))
        signature = text_field(data, "sig", 200) if "sig" in data else ""
        start, end = _line_start(index, previous), _line_end(statement.signature, signature)
        if not (line.startswith(start) and line.endswith(end)):
            raise Malformed("not in the one spelling")
        object.__setattr__(statement, "_spelled", f"{line[len(start):len(line) - len(end)]}}}".encode())
        return cls.create(index, previous, statement, signature)


def _line_start(index: int, previous: Hash) -> str:
    """What stands in an entry's line before its statement."""
    return f'{{"i":{index},"prev":"{previous}","say":'


def _line_end(said: str, placed: str) -> str:
    """What stands after the statement's own keys, all of which sort before its signature ``said``; ``placed``: the entry's."""
    return "}".join([*(f',"sig":{SPELLER.encode(signature)}' if signature else "" for signature in (said, placed)), ""])


def place(index: int, previous: Hash, statement: Hash) -> dict[str, Json]:
    """What a place's hash and signature are over."""
    return {"i": index, "prev": previous, "say": statement}


def spelled_place(index: int, previous: Hash, statement: Hash) -> bytes:
    """``canonical(place(…))``, written down at once: every entry is hashed and verified over it."""
    return f'{{"i":{index},"prev":"{previous}","say":"{statement}"}}'.encode()
