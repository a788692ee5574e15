"""Packed copies of the site's files, with Brotli and gzip, for hosts that give them out by a request's Accept-Encoding.

The copies of an archive hold one with the same files, stored as they are: packed as a whole it is much smaller than with every
file packed alone, and Python unpacks nothing when it imports. A memory is packed with gzip for hosts that pack nothing; its
copies hold it as it is. Packing is cached by content.
Knows files and types; never touches the list of what the site keeps.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import brotli

from workshop.cache import CACHE

# What packs well; fonts and pictures are packed already. A wheel holds its files as they are.
PACKED: Final = frozenset({
    ".css", ".html", ".js", ".json", ".memory", ".mjs", ".py", ".svg", ".txt", ".wasm", ".webmanifest", ".whl",
    ".zip",
})
OWN_SOURCE: Final = Path(__file__).read_bytes()
LEAST: Final = 256  # bytes from which packing is worth a file
Ways: TypeAlias = Mapping[str, tuple[str, Callable[[bytes], bytes]]]
BEST: Final = 11  # Brotli's quality: a tenth less to send than with GOOD, for some twenty times the work
GOOD: Final = 9


def _brotli(data: bytes, quality: int = BEST) -> bytes:
    window = 21 if data.startswith(b"\0asm") else 24  # as measured: what is far away is rarely the same in WebAssembly
    made: bytes = brotli.compress(data, quality=quality, lgwin=window)
    return made


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


WAYS: Final[Ways] = MappingProxyType({
    "br": (".br", _brotli), "gzip": (".gz", _gzip),
})
"""How a request may accept a file, the smallest first: the suffix of the packed copy, and what packs it."""
QUICK_WAYS: Final[Ways] = MappingProxyType({**WAYS, "br": (".br", partial(_brotli, quality=GOOD))})
"""The same for what hardly anybody is sent."""


def is_packed(path: Path, data: bytes) -> bool:
    """Whether ``path`` has packed copies."""
    return path.suffix in PACKED and len(data) >= LEAST


def copy(way: str, data: bytes, *, quickly: bool = False) -> bytes:
    """``data`` packed in ``way``, from the cache if it was before."""
    suffix, make = (QUICK_WAYS if quickly else WAYS)[way]
    mark = hashlib.sha256(OWN_SOURCE + data).hexdigest()[:24]  # what another way of packing made is of no use
    kept = CACHE / ("packed-quickly" if quickly else "packed") / f"{mark}{suffix}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        work = kept.with_name(f"{kept.name}.{os.getpid()}")
        work.write_bytes(make(data))
        work.replace(kept)
    return kept.read_bytes()


def unpacked(path: Path, data: bytes) -> bytes:
    """What a browser has that was sent a packed copy of ``path``."""
    if path.suffix == ".memory":
        return gzip.decompress(data)
    if path.suffix != ".zip" or not is_packed(path, data):
        return data
    stored = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stored, "w") as new:
        for entry in old.infolist():
            new.writestr(zipfile.ZipInfo(entry.filename, entry.date_time), old.read(entry))
    return stored.getvalue()


def smallest(path: Path, data: bytes) -> bytes:
    """``data`` as it travels where packing is agreed upon."""
    return copy("br", unpacked(path, data)) if is_packed(path, data) else data


def pack(root: Path, names: Iterable[str], rare: Collection[str] = ()) -> None:
    """Writes the packed copies of the files ``names`` beside them; those that are ``rare``, quickly."""
    for name in set(names):
        data = (root / name).read_bytes()
        if is_packed(Path(name), data):
            data = unpacked(Path(name), data)
            for way, (suffix, _) in WAYS.items():
                (root / f"{name}{suffix}").write_bytes(copy(way, data, quickly=name in rare))
