"""Drawn PNGs become smaller and keep every pixel."""

from __future__ import annotations

import zlib
from struct import pack
from typing import Final

import pytest

from workshop.png import RGBA, SIGNATURE, compact

WIDE: Final = 24


def drawing(rows: list[bytes], kind: int) -> bytes:
    """``rows`` of RGBA as a PNG in which each row is filtered by ``kind``."""
    filtered = [bytes((row[at] - (row[at - 4] if at >= 4 else 0)) % 256 for at in range(len(row))) if kind == 1 else row
                for row in rows]
    chunks = ((b"IHDR", pack(">IIBBBBB", WIDE, len(rows), *RGBA)),
              (b"IDAT", zlib.compress(b"".join(bytes((kind,)) + row for row in filtered), 1)), (b"IEND", b""))
    whole = ((name, body, zlib.crc32(name + body)) for name, body in chunks)
    return SIGNATURE + b"".join(pack(">I", len(body)) + name + body + pack(">I", check) for name, body, check in whole)


def pixels(data: bytes) -> list[bytes]:
    """The colours of a PNG that was made compact, read by what the format says and not by the code under test."""
    at, body, palette, alpha = 8, b"", b"", b""
    while at < len(data):
        size, name = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        part = data[at + 8:at + 8 + size]
        assert zlib.crc32(name + part) == int.from_bytes(data[at + 8 + size:at + 12 + size], "big")
        body += part if name == b"IDAT" else b""
        palette, alpha = (part, alpha) if name == b"PLTE" else (palette, part) if name == b"tRNS" else (palette, alpha)
        at += size + 12
    plain, step = zlib.decompress(body), WIDE * (1 if palette else 4) + 1
    rows = [plain[start + 1:start + step] for start in range(0, len(plain), step)]
    assert not any(plain[start] for start in range(0, len(plain), step)), "no row is filtered"
    if palette:
        return [palette[3 * n:3 * n + 3] + alpha[n:n + 1] for row in rows for n in row]
    return [row[at:at + 4] for row in rows for at in range(0, len(row), 4)]


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("colours", [3, 256, 300])
def test_every_pixel_is_kept(kind: int, colours: int) -> None:
    drawn = [bytes((n % 256, n * 7 % 256, n // 256, 255 - n % 3)) for n in (at * at % colours for at in range(WIDE * 40))]
    rows = [b"".join(drawn[at:at + WIDE]) for at in range(0, len(drawn), WIDE)]
    made = compact(drawing(rows, kind))
    assert len(made) < len(drawing(rows, kind))
    assert pixels(made) == drawn


def test_what_is_filtered_in_another_way_stays_as_it_is() -> None:
    data = drawing([bytes(4 * WIDE)] * 3, 2)
    assert compact(data) == data
