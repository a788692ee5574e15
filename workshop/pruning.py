"""Leaves out of Pyodide's WebAssembly what no page needs: modules of CPython that nothing here imports with the libraries
behind them, functions that nothing can reach then, and exports that no script names. Of Pyodide's script the lines that hand
those exports out. What is left keeps its number, its place in the table and its address.

A function can be reached that a script names, that a function calls which can be reached, or whose place in the table stands
in the data or in such a function. Any number counts as a place if it could be one, but for places of a module that is left out:
the linker gives places in the order in which modules first name their functions, and numbers in the order of the modules, so
each module has a row of both, and what has no name and lies in both belongs to that module alone. The rows and the tables below
are read out of one file and hold for it alone.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from workshop.console import StepFailed
from workshop.webassembly import (
    Export,
    Kind,
    Names,
    Section,
    Segment,
    bodies,
    code_section,
    data_section,
    export_section,
    exports,
    imports,
    named,
    packed,
    sections,
    segments,
    table,
    written,
)

FILE: Final = "f7a8a169e513791e18fa0790fb69d6f2656b779e9012ba57e03e973f0df0b39f"
"""The SHA-256 of the WebAssembly whose rows and tables stand here."""

MODULES: Final = frozenset({
    "_bz2", "_codecs_cn", "_codecs_hk", "_codecs_iso2022", "_codecs_jp", "_codecs_kr", "_codecs_tw", "_ctypes",
    "_elementtree", "_lsprof", "_lzma", "_multibytecodec", "_posixsubprocess", "_queue", "_remote_debugging",
    "_socket", "_sqlite3", "_testbuffer", "_testcapi", "_testclinic", "_testclinic_limited",
    "_testinternalcapi", "_testlimitedcapi", "_xxtestfuzz", "_zoneinfo", "_zstd", "fcntl", "mmap", "pyexpat", "select",
    "termios", "xxsubtype",
})
"""Of CPython's compiled modules those that nothing here imports: databases, packers, markup, sockets, codecs of many bytes,
tests of CPython itself."""

ROWS: Final = (
    range(2249, 2445),  # _ctypes to _bz2
    range(2530, 2689),  # _sqlite3 to _zstd
    range(3613, 3910),  # pyexpat to _multibytecodec
    range(3933, 5325),  # fcntl to _testclinic_limited
    range(6631, 6736),  # liblzma
    range(6740, 7584),  # SQLite
    range(7584, 7651),  # libzstd
)
"""Places in the function table that belong to them and to their libraries, where the function there has no other name."""

FUNCTIONS: Final = (
    range(5247, 5474), range(5650, 5829), range(6794, 7097), range(7122, 8503), range(10_225, 10_434), range(10_440, 12_382),
    range(12_593, 12_926),
)
"""The numbers of the functions there, which follow the same order. A function of another number is shared with what is left."""

LIBRARIES: Final = ("BZ2_", "FSE_", "HUF_", "XML_", "ZDICT_", "ZSTD_", "ffi_", "lzma_", "pysqlite", "sqlite3_")
"""How names of those libraries' functions begin."""

TABLES: Final = (range(802_656, 1_391_984),)
"""Addresses of what only they read: the characters of codecs of many bytes."""

STUB: Final = b"\x00\x00\x0b"  # a body without locals that stops Python
WORD: Final = 4  # bytes
LOWEST: Final = 1024  # the first address
HANDED_OUT: Final = re.compile(r'(?<![\w$.])(_[\w$]+)=Module\["\1"\]=wasmExports\["([\w$]+)"\](?:\.value>>>0)?;?')
DECLARED: Final = re.compile(r"var (?:[\w$]+,){500,}[\w$]+;")
WORDS: Final = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """Pyodide's WebAssembly and the script that starts it."""

    module: bytes
    script: str


@dataclass(frozen=True, slots=True)
class Memory:
    """What the memory holds from the start."""

    content: bytes
    words: array[int]

    @classmethod
    def of(cls, stored: Sequence[Segment]) -> Memory:
        content = bytearray(-(-max(segment.end for segment in stored) // WORD) * WORD)
        for segment in stored:
            content[segment.offset:segment.end] = segment.content
        return cls(bytes(content), array("I", bytes(content)))

    def text(self, address: int) -> str:
        """The text that begins at ``address``."""
        return self.content[address:self.content.index(0, address)].decode("latin-1")


def named_in(script: str) -> Counter[str]:
    """How often each word stands in ``script``, but for where exports are handed out."""
    return Counter(WORDS.findall(HANDED_OUT.sub("", script))) - Counter(WORDS.findall(declaration(script)))


def declaration(script: str) -> str:
    """The line of ``script`` that declares the variables of its exports. Raises ``StepFailed`` where it is not there once."""
    found: list[str] = DECLARED.findall(script)
    if len(found) != 1:
        raise StepFailed("Pyodide's script does not declare its exports in one line.")
    return found[0]


def inittab(memory: Memory, places: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Where each entry of CPython's table of compiled modules stands, in words, with the module's name."""
    found = [at for at, (text, place) in enumerate(pairwise(memory.words))
             if place in places and LOWEST <= text < len(memory.content)
             and places[place] == f"PyInit_{memory.text(text)}"]
    at = found[0]
    while memory.words[at]:
        yield at, memory.text(memory.words[at])
        at += 2


def reached(roots: Iterable[int], names: Mapping[int, Names], places: Mapping[int, int]) -> set[int]:
    """The functions that can be reached from ``roots``. ``places``: those of the table that count."""
    found: set[int] = set()
    ahead = list(roots)
    while ahead:
        function = ahead.pop()
        if function in found or function not in names:
            continue
        found.add(function)
        ahead.extend(names[function].calls)
        ahead.extend(places[number] for number in names[function].numbers if number in places)
    return found


def without(stored: Iterable[Segment], tables: Sequence[range]) -> Iterator[Segment]:
    """``stored`` with blanks, which no module holds, in place of ``tables``."""
    for segment in stored:
        begin = segment.offset
        for one in tables:
            if begin < one.stop and one.start < segment.end:
                if begin < one.start:
                    yield Segment(begin, segment.content[begin - segment.offset:one.start - segment.offset])
                begin = min(one.stop, segment.end)
        if begin < segment.end:
            yield Segment(begin, segment.content[begin - segment.offset:])


def rewritten(stored: Iterable[Segment], words: Mapping[int, int]) -> Iterator[Segment]:
    """``stored`` with other ``words`` by their address."""
    changes = {address + number: value >> 8 * number & 0xFF for address, value in words.items() for number in range(WORD)}
    for segment in stored:
        content = bytearray(segment.content)
        for address, byte in changes.items():
            if segment.offset <= address < segment.end:
                content[address - segment.offset] = byte
        yield Segment(segment.offset, bytes(content))


def pruned(stock: Interpreter, scripts: Sequence[str]) -> Interpreter:
    """``stock`` without what no page needs. ``scripts``: what else names its exports.

    Raises ``StepFailed`` for a WebAssembly that this is not made for.
    """
    if hashlib.sha256(stock.module).hexdigest() != FILE:
        raise StepFailed("Pyodide's WebAssembly is another one than workshop/pruning.py was made for: read its rows anew.")
    content = dict(sections(stock.module))
    said = named_in(stock.script) + sum((Counter(WORDS.findall(script)) for script in scripts), Counter[str]())
    said.update(name for origin, name, _ in imports(content[Section.IMPORT]) if origin.startswith("GOT"))
    first = sum(kind == Kind.FUNCTION for _, _, kind in imports(content[Section.IMPORT]))
    names = {first + number: named(body) for number, body in enumerate(bodies(content[Section.CODE]))}
    everything = list(exports(content[Section.EXPORT]))
    kept = [one for one in everything
            if one.kind not in (Kind.FUNCTION, Kind.GLOBAL) or said[one.name] or said[f"_{one.name}"]]

    known = _known(everything)
    places = table(content[Section.ELEMENT])
    stored = list(segments(content[Section.DATA]))
    memory = Memory.of(stored)
    entries = list(inittab(memory, {place: one for place, function in places.items() for one in known.get(function, ())
                                    if one.startswith("PyInit_")}))
    if missing := MODULES - {name for _, name in entries}:
        raise StepFailed(f"Pyodide has no compiled module {min(missing)}.")
    listed = range(entries[0][0], entries[-1][0] + 2)
    begun = {memory.words[at + 1] for at, name in entries if name in MODULES}
    counted = {place: function for place, function in places.items()
               if place not in begun and not _owned(place, function, known.get(function, ()))}

    roots = {one.index for one in kept if one.kind == Kind.FUNCTION}
    roots |= {places[memory.words[at + 1]] for at, name in entries if name not in MODULES and memory.words[at + 1]}
    roots |= {counted[word] for at, word in enumerate(memory.words) if word in counted and at not in listed}
    live = reached(roots, names, counted)

    left = [memory.words[at + step] for at, name in entries if name not in MODULES for step in (0, 1)]
    left += [0] * (len(listed) - len(left))
    data = list(rewritten(without(stored, TABLES), {WORD * at: word for at, word in zip(listed, left, strict=True)}))

    def changed(kind: int, section: bytes) -> bytes:
        if kind == Section.EXPORT:
            return export_section(kept)
        if kind == Section.CODE:
            return code_section([body if first + number in live else STUB for number, body in enumerate(bodies(section))])
        if kind == Section.DATA_COUNT:
            return packed(len(data))
        return data_section(data) if kind == Section.DATA else section

    return Interpreter(written(stock.module, changed), _script(stock.script, {one.name for one in kept}))


def _known(everything: Iterable[Export]) -> dict[int, list[str]]:
    """The names of every function that has some."""
    found: dict[int, list[str]] = {}
    for one in everything:
        if one.kind == Kind.FUNCTION:
            found.setdefault(one.index, []).append(one.name)
    return found


def _owned(place: int, function: int, names: Sequence[str]) -> bool:
    """Whether the ``function`` at ``place`` belongs to what is left out alone."""
    inside = any(place in row for row in ROWS) and any(function in row for row in FUNCTIONS)
    return inside and all(name.startswith(LIBRARIES) for name in names)


def _script(script: str, kept: set[str]) -> str:
    """``script``, handing out only the exports ``kept``."""
    gone = {found[1] for found in HANDED_OUT.finditer(script) if found[2] not in kept}
    line = declaration(script)
    variables = [name for name in line.removeprefix("var ").removesuffix(";").split(",") if name not in gone]
    script = script.replace(line, f"var {','.join(variables)};")
    return HANDED_OUT.sub(lambda found: found[0] if found[2] in kept else "", script)
