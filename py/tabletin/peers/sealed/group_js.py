"""ristretto255 in the browser, by libsodium.js through the batching shim `web/sodium.js`.

A batch of sums is packed into three buffers and crosses between Python and JavaScript once, however many points it
holds. Give it what `openGroup()` of the shim resolves to.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from typing import Any

from pyodide.ffi import to_js

from tabletin.peers.sealed.group import IDENTITY, Group, L, Term, encode_scalar

TIMES, BASE, PLUS, MINUS = range(4)
"""How a term enters its sum; the same numbers stand in the shim."""


class JsGroup(Group):
    """The real group in a page or worker. `shim` is the object that `openGroup()` resolves to."""

    name = "libsodium.js"
    secure = True

    def __init__(self, shim: Any) -> None:
        super().__init__()
        self._shim = shim
        layout = to_js(memoryview(pack("<I", 1)).cast("I"))
        one = shim.combine(layout, to_js(bytes([BASE])), to_js(encode_scalar(1)))
        self.base = bytes(one.to_bytes())

    def combine(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        layout: list[int] = []
        kinds = bytearray()
        values: list[bytes] = []
        for row in rows:
            before = len(kinds)
            base_scalar = 0
            for scalar, point in row:
                scalar %= L
                if point == self.base:
                    base_scalar += scalar
                elif not scalar or point == IDENTITY:
                    continue
                elif scalar == 1:
                    kinds.append(PLUS)
                    values.append(point)
                elif scalar == L - 1:
                    kinds.append(MINUS)
                    values.append(point)
                else:
                    kinds.append(TIMES)
                    values += (encode_scalar(scalar), point)
            base_scalar %= L
            if base_scalar:
                kinds.append(BASE)
                values.append(encode_scalar(base_scalar))
            layout.append(len(kinds) - before)
        layout_words = to_js(memoryview(pack(f"<{len(layout)}I", *layout)).cast("I"))
        return points_of(self._shim.combine(layout_words, to_js(bytes(kinds)), to_js(b"".join(values))))

    def from_digests(self, digests: Sequence[bytes]) -> list[bytes]:
        return points_of(self._shim.fromDigests(to_js(b"".join(digests))))

    def are_points(self, points: Sequence[bytes]) -> bool:
        return bool(self._shim.arePoints(to_js(b"".join(points))))


def points_of(array: Any) -> list[bytes]:
    """A packed Uint8Array as points."""
    data = bytes(array.to_bytes())
    return [data[at : at + 32] for at in range(0, len(data), 32)]
