"""Reads a WebAssembly module as far as leaving something out of it asks for: its sections, exports, table, data, and what the
body of a function names. Writes sections again. Knows the format and no Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

PREAMBLE: Final = 8  # bytes before the first section


class Section(IntEnum):
    """The sections that are read or written here."""

    IMPORT = 2
    EXPORT = 7
    ELEMENT = 9
    CODE = 10
    DATA = 11
    DATA_COUNT = 12


class Kind(IntEnum):
    """What an import or an export is."""

    FUNCTION = 0
    TABLE = 1
    MEMORY = 2
    GLOBAL = 3
    TAG = 4


@dataclass(frozen=True, slots=True)
class Export:
    """A thing with a name: its ``index`` among those of its ``kind``."""

    name: str
    kind: int
    index: int


@dataclass(frozen=True, slots=True)
class Segment:
    """Bytes that stand at ``offset`` of the memory from the start."""

    offset: int
    content: bytes

    @property
    def end(self) -> int:
        return self.offset + len(self.content)


@dataclass(frozen=True, slots=True)
class Names:
    """What a function's body names: functions it calls, and all numbers that could be an address or a place in the table."""

    calls: frozenset[int]
    numbers: frozenset[int]


def unsigned(data: bytes, at: int) -> tuple[int, int]:
    """A LEB128 number and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def signed(data: bytes, at: int) -> tuple[int, int]:
    """A signed LEB128 number and where it ends."""
    start = at
    value, at = unsigned(data, at)
    return (value - (1 << 7 * (at - start)) if data[at - 1] & 0x40 else value), at


def packed(value: int) -> bytes:
    """``value`` as LEB128."""
    found = bytearray()
    while True:
        value, byte = value >> 7, value & 0x7F
        found.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(found)


def packed_signed(value: int) -> bytes:
    """``value`` as signed LEB128."""
    found = bytearray()
    while True:
        value, byte = value >> 7, value & 0x7F
        if value == (-1 if byte & 0x40 else 0):
            found.append(byte)
            return bytes(found)
        found.append(byte | 0x80)


def sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """Every section: what it is, and its content."""
    at = PREAMBLE
    while at < len(module):
        kind = module[at]
        size, at = unsigned(module, at + 1)
        yield kind, module[at:at + size]
        at += size


def text(data: bytes, at: int) -> tuple[str, int]:
    length, at = unsigned(data, at)
    return data[at:at + length].decode(), at + length


def imports(section: bytes) -> Iterator[tuple[str, str, int]]:
    """Of every import the module it is from, its name and its kind."""
    count, at = unsigned(section, 0)
    for _ in range(count):
        origin, at = text(section, at)
        name, at = text(section, at)
        kind = section[at]
        at += 1
        if kind == Kind.GLOBAL:
            at += 2
        else:
            if kind in (Kind.TABLE, Kind.TAG):
                at += 1
            if kind in (Kind.TABLE, Kind.MEMORY):
                has_most = section[at] & 1
                _, at = unsigned(section, at + 1)
                if not has_most:
                    yield origin, name, kind
                    continue
            _, at = unsigned(section, at)
        yield origin, name, kind


def exports(section: bytes) -> Iterator[Export]:
    """Every export."""
    count, at = unsigned(section, 0)
    for _ in range(count):
        name, at = text(section, at)
        index, end = unsigned(section, at + 1)
        yield Export(name, section[at], index)
        at = end


def export_section(kept: Sequence[Export]) -> bytes:
    """The section with these exports."""
    parts = (packed(len(one.name.encode())) + one.name.encode() + bytes([one.kind]) + packed(one.index) for one in kept)
    return packed(len(kept)) + b"".join(parts)


def table(section: bytes) -> dict[int, int]:
    """What the function table holds from the start: place → function. Raises ``ValueError`` for other than plain elements."""
    found: dict[int, int] = {}
    count, at = unsigned(section, 0)
    for _ in range(count):
        if section[at:at + 2] != b"\x00\x41":
            raise ValueError("an element segment of another kind")
        place, at = signed(section, at + 2)
        length, at = unsigned(section, at + 1)
        for number in range(length):
            found[place + number], at = unsigned(section, at)
    return found


def bodies(section: bytes) -> Iterator[bytes]:
    """Every function's body, its locals before it."""
    count, at = unsigned(section, 0)
    for _ in range(count):
        size, at = unsigned(section, at)
        yield section[at:at + size]
        at += size


def code_section(kept: Sequence[bytes]) -> bytes:
    """The section with these bodies."""
    return packed(len(kept)) + b"".join(packed(len(body)) + body for body in kept)


def segments(section: bytes) -> Iterator[Segment]:
    """Every segment. Raises ``ValueError`` for one that does not stand in the memory from the start."""
    count, at = unsigned(section, 0)
    for _ in range(count):
        if section[at:at + 2] != b"\x00\x41":
            raise ValueError("a data segment of another kind")
        offset, at = signed(section, at + 2)
        length, at = unsigned(section, at + 1)
        yield Segment(offset, section[at:at + length])
        at += length


def data_section(kept: Sequence[Segment]) -> bytes:
    """The section with these segments."""
    parts = (b"\x00\x41" + packed_signed(one.offset) + b"\x0b" + packed(len(one.content)) + one.content for one in kept)
    return packed(len(kept)) + b"".join(parts)


def written(module: bytes, changed: Callable[[int, bytes], bytes]) -> bytes:
    """``module`` with what ``changed`` makes of each section."""
    found = bytearray(module[:PREAMBLE])
    for kind, content in sections(module):
        made = changed(kind, content)
        found += bytes([kind]) + packed(len(made)) + made
    return bytes(found)


# How many numbers follow an instruction, where it is not one of those that `named` reads itself.
_NUMBERS: Final = {
    **dict.fromkeys((0x07, 0x08, 0x09, 0x0C, 0x0D, 0x18, *range(0x20, 0x27), 0x3F, 0x40, 0x42, 0xD0, 0xD2), 1),
    **dict.fromkeys((0x11, 0x13), 2),
    **dict.fromkeys((0x00, 0x01, 0x05, 0x0A, 0x0B, 0x0F, 0x19, 0x1A, 0x1B, 0xD1, *range(0x45, 0xC5)), 0),
}
_BLOCKS: Final = frozenset({0x02, 0x03, 0x04, 0x06})
_FEW_CATCHES: Final = 2  # kinds of catch clauses below this name a tag besides
_CALLS: Final = (0x10, 0x12)
_CONSTANT, _TABLE_OF_BRANCHES, _TYPED_SELECT, _TRY_TABLE, _BULK, _VECTOR = 0x41, 0x0E, 0x1C, 0x1F, 0xFC, 0xFD
_LOADS_AND_STORES: Final = range(0x28, 0x3F)
_FLOATS: Final = {0x43: 4, 0x44: 8}
_CONVERSIONS, _TWO_NUMBERS = range(8), (8, 10, 12, 14)


def _past(data: bytes, at: int, count: int) -> int:
    """Where ``count`` numbers from ``at`` on end."""
    for _ in range(count):
        while data[at] >= 0x80:
            at += 1
        at += 1
    return at


def _past_vector(data: bytes, at: int) -> int:
    """Where a vector instruction ends whose number begins at ``at``."""
    number, at = unsigned(data, at)
    if number <= 11 or number in (92, 93):
        return _past(data, at, 2)
    if number in (12, 13):
        return at + 16
    if 84 <= number <= 91:
        return _past(data, at, 2) + 1
    return at + 1 if 21 <= number <= 34 else at


def _past_try(data: bytes, at: int) -> int:
    """Where the head of a try table ends."""
    count, at = unsigned(data, _past(data, at, 1))
    for _ in range(count):
        at = _past(data, at + 1, 2 if data[at] < _FEW_CATCHES else 1)
    return at


def named(body: bytes) -> Names:
    """What ``body`` names. Raises ``ValueError`` where it holds an instruction that is not known here."""
    calls: set[int] = set()
    numbers: set[int] = set()
    count, at = unsigned(body, 0)
    at = _past(body, at, 2 * count)
    end = len(body)
    while at < end:
        instruction = body[at]
        at += 1
        if instruction == _CONSTANT:
            value, at = signed(body, at)
            numbers.add(value & 0xFFFFFFFF)
        elif (plain := _NUMBERS.get(instruction)) is not None:
            at = _past(body, at, plain)
        elif instruction in _LOADS_AND_STORES:
            offset, at = unsigned(body, _past(body, at, 1))
            numbers.add(offset)
        elif instruction in _CALLS:
            function, at = unsigned(body, at)
            calls.add(function)
        elif instruction in _BLOCKS:
            at = _past(body, at, 1)
        elif instruction in _FLOATS:
            at += _FLOATS[instruction]
        elif instruction in (_TABLE_OF_BRANCHES, _TYPED_SELECT):
            length, at = unsigned(body, at)
            at = _past(body, at, length + (instruction == _TABLE_OF_BRANCHES))
        elif instruction == _TRY_TABLE:
            at = _past_try(body, at)
        elif instruction == _BULK:
            which, at = unsigned(body, at)
            at = _past(body, at, 0 if which in _CONVERSIONS else 2 if which in _TWO_NUMBERS else 1)
        elif instruction == _VECTOR:
            at = _past_vector(body, at)
        else:
            raise ValueError(f"an instruction that is not known: {instruction:#x}")
    if at != end:
        raise ValueError("a body that does not end where it should")
    return Names(frozenset(calls), frozenset(numbers))
