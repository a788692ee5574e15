"""The interpreter of a page: nothing that a page can import misses what was left out of Pyodide, and the rest is as it was."""

from __future__ import annotations

import json
from typing import Final

import pytest

from workshop import app, pruning, runtime, webassembly
from workshop.console import StepFailed, run
from workshop.setup import node
from workshop.webassembly import Export, Kind, Section, Segment

IMPORT_ALL: Final = """
import importlib, json, sys, warnings, zipfile
warnings.simplefilter("ignore")
failures = {}
for path in [path for path in sys.path if path.endswith(".zip")]:
    for name in zipfile.ZipFile(path).namelist():
        module = name.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")
        if name.endswith(".pyc") and not module.endswith("__main__"):
            try:
                importlib.import_module(module)
            except ImportError as error:
                failures[module] = error.name
            except Exception:
                failures[module] = None
json.dumps({"failures": failures, "modules": sorted(sys.builtin_module_names), "imported": len(sys.modules)})
"""
COMPUTE: Final = """
import array, binascii, datetime, decimal, hashlib, hmac, json, math, random, re, statistics, struct, unicodedata, zlib
data = bytes(range(256)) * 300
packer, unpacker = zlib.compressobj(9), zlib.decompressobj()
packed = packer.compress(data) + packer.flush()
random.seed(7)
digests = {}
for name in sorted(hashlib.algorithms_guaranteed):
    found = hashlib.new(name, data)
    digests[name] = found.hexdigest(16) if name.startswith("shake") else found.hexdigest()
    if not name.startswith("shake"):
        digests[f"hmac {name}"] = hmac.new(b"key", data, name).hexdigest()
json.dumps([
    digests, len(packed), unpacker.decompress(packed) == data, zlib.crc32(data), zlib.adler32(data), random.random(),
    unicodedata.normalize("NFKD", "ﬁé"), unicodedata.name("é"), unicodedata.lookup("SNOWMAN"), "\\N{GREEK SMALL LETTER ALPHA}",
    str(datetime.date(2026, 1, 1) - datetime.timedelta(60)), 7**300 % 10**40,
    str(decimal.Decimal(1) / 7), statistics.NormalDist().cdf(1), math.gamma(5.5), math.comb(50, 20),
    array.array("d", [1, 2]).tobytes().hex(), struct.pack("<hIq", 1, 2, 3).hex(), binascii.crc32(data),
    re.sub(r"(\\w+) (\\w+)", r"\\2 \\1", "a b"), f"{1e300:.3g}", float("1e-5"), "ß".upper(), "İ".casefold(),
])
"""

PASSED: Final = """
import time
from pyodide.webloop import WebLoop
loop = WebLoop()
try:
    loop.call_at(loop.time() - 0.001, time.monotonic)
    said = "due at once"
except ValueError as error:
    said = str(error)
said
"""


def on_a_page(code: str, *, stock: bool = False) -> str:
    """What ``code`` gives in the interpreter of a page, or in one from which nothing is left out."""
    job = {"pyodide": str(runtime.PYODIDE if stock else runtime.interpreter()), "library": str(runtime.standard_library()),
           "application": str(app.application().main), "code": code}
    return run([node(), runtime.INSIDE / "as_on_a_page.mjs"], "Python did not start.", stdin=json.dumps(job))


def test_nothing_a_page_can_import_wants_a_module_that_is_left_out() -> None:
    found = json.loads(on_a_page(IMPORT_ALL))
    assert found["imported"] > 500
    assert not pruning.MODULES & set(found["modules"])
    assert {module: name for module, name in found["failures"].items() if name in pruning.MODULES} == {}
    assert found["failures"] == json.loads(on_a_page(IMPORT_ALL, stock=True))["failures"]


def test_what_is_left_computes_as_before() -> None:
    assert json.loads(on_a_page(COMPUTE)) == json.loads(on_a_page(COMPUTE, stock=True))


def test_a_moment_that_has_just_passed_is_due_at_once() -> None:
    """As in every other loop. A wait whose end came while it was being set up once ended a bot's turn with an error."""
    assert on_a_page(PASSED).strip() == "due at once"


def test_another_webassembly_is_refused() -> None:
    with pytest.raises(StepFailed, match="another one"):
        pruning.pruned(pruning.Interpreter(b"\x00asm\x01\x00\x00\x00", ""), [])


def test_a_third_of_the_webassembly_is_left_out_and_every_number_stays() -> None:
    stock = (runtime.PYODIDE / "pyodide.asm.wasm").read_bytes()
    less = (runtime.interpreter() / "pyodide.asm.wasm").read_bytes()
    assert len(less) < len(stock) * 2 / 3 + 100_000
    before, after = dict(webassembly.sections(stock)), dict(webassembly.sections(less))
    assert before.keys() == after.keys()
    assert before[Section.ELEMENT] == after[Section.ELEMENT] and before[Section.IMPORT] == after[Section.IMPORT]
    bodies = [list(webassembly.bodies(each[Section.CODE])) for each in (before, after)]
    assert len(bodies[0]) == len(bodies[1])
    assert all(new in (old, pruning.STUB) for old, new in zip(*bodies, strict=True))


def test_what_is_written_reads_the_same() -> None:
    names = [Export("tap", Kind.FUNCTION, 300), Export("é", Kind.GLOBAL, 0)]
    assert list(webassembly.exports(webassembly.export_section(names))) == names
    stored = [Segment(1024, b"abc"), Segment(70_000, b"\x00" * 200)]
    assert list(webassembly.segments(webassembly.data_section(stored))) == stored
    for number in (0, 63, 64, 127, 128, 8191, 8192, 2**31 - 1):
        assert webassembly.unsigned(webassembly.packed(number), 0)[0] == number
        for signed in (number, -number - 1):
            assert webassembly.signed(webassembly.packed_signed(signed), 0)[0] == signed


def test_a_body_names_what_it_calls_and_what_it_holds() -> None:
    # local.get 0, i32.const -1, i32.load offset=1030, call 300, f64.const, drop, br_table 0 0 0, end
    body = b"\x01\x02\x7f" + b"\x20\x00\x41\x7f\x28\x02\x86\x08\x10\xac\x02\x44" + bytes(8) + b"\x1a\x0e\x02\x00\x00\x00\x0b"
    assert webassembly.named(body) == webassembly.Names(frozenset({300}), frozenset({0xFFFFFFFF, 1030}))
    with pytest.raises(ValueError, match="not known"):
        webassembly.named(b"\x00\xff\x0b")


def test_a_table_in_the_middle_of_a_segment_leaves_both_ends() -> None:
    stored = [Segment(10, b"abcdefgh"), Segment(30, b"xyz")]
    assert list(pruning.without(stored, [range(12, 15), range(29, 40)])) == [Segment(10, b"ab"), Segment(15, b"fgh")]
    assert list(pruning.rewritten(stored, {11: 0x34333231})) == [Segment(10, b"a1234fgh"), Segment(30, b"xyz")]
