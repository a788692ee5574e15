"""Makes a drawn PNG smaller without changing a pixel: its rows unfiltered and packed best, its few colours in a palette.

Drawings have large plain areas, and filters, which help photographs, hide them from the packer. Pure.
"""

from __future__ import annotations

import zlib
from itertools import accumulate
from struct import pack, unpack
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
RGBA: Final = (8, 6, 0, 0, 0)  # bits, colours with alpha, deflate, filters by row, not interlaced
PLAIN, SUB = 0, 1  # of a row: as it is; each byte less the one of the pixel before
PIXEL: Final = 4  # bytes
MOST_COLOURS: Final = 256


def compact(data: bytes) -> bytes:
    """``data`` with the same pixels, or as it is where it is made in another way than drawings are."""
    chunks = dict[bytes, bytes]()
    for kind, body in _chunks(data):
        chunks[kind] = chunks.get(kind, b"") + body
    width, height, *form = unpack(">IIBBBBB", chunks[b"IHDR"])
    rows = _rows(zlib.decompress(chunks[b"IDAT"]), width * PIXEL) if tuple(form) == RGBA else None
    if rows is None:
        return data
    pixels = b"".join(rows)
    colours = sorted({pixels[at:at + PIXEL] for at in range(0, len(pixels), PIXEL)})
    if len(colours) > MOST_COLOURS:
        made = _png([(b"IHDR", chunks[b"IHDR"]), (b"IDAT", _packed(rows))])
    else:
        numbers = {colour: number for number, colour in enumerate(colours)}
        drawn = [bytes(numbers[row[at:at + PIXEL]] for at in range(0, len(row), PIXEL)) for row in rows]
        made = _png([
            (b"IHDR", pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)), (b"PLTE", b"".join(colour[:3] for colour in colours)),
            (b"tRNS", bytes(colour[3] for colour in colours)), (b"IDAT", _packed(drawn))])
    return min(made, data, key=len)


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Each chunk's kind and body, in order."""
    at, found = len(SIGNATURE), []
    while at < len(data):
        size, kind = unpack(">I4s", data[at:at + 8])
        found.append((kind, data[at + 8:at + 8 + size]))
        at += size + 12
    return found


def _rows(data: bytes, size: int) -> list[bytes] | None:
    """The rows of ``size`` bytes without their filters; None where one has another filter than drawings have."""
    rows = []
    for at in range(0, len(data), size + 1):
        kind, row = data[at], data[at + 1:at + 1 + size]
        if kind not in (PLAIN, SUB):
            return None
        if kind == SUB:
            whole = bytearray(size)
            for part in range(PIXEL):
                whole[part::PIXEL] = bytes(total & 255 for total in accumulate(row[part::PIXEL]))
            row = bytes(whole)
        rows.append(row)
    return rows


def _packed(rows: list[bytes]) -> bytes:
    return zlib.compress(b"".join(bytes((PLAIN,)) + row for row in rows), 9)


def _png(chunks: list[tuple[bytes, bytes]]) -> bytes:
    whole = ((kind, body, zlib.crc32(kind + body)) for kind, body in (*chunks, (b"IEND", b"")))
    return SIGNATURE + b"".join(pack(">I", len(body)) + kind + body + pack(">I", check) for kind, body, check in whole)
