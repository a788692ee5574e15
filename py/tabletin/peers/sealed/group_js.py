"""ristretto255 in the browser, by libsodium.js through the batching shim `web/crypto/sodium.js`.

A batch of sums is packed into a few buffers and crosses between Python and JavaScript once, however many points it
holds. Give it what `openGroup()` of the shim resolves to. Which of its three sorts of sums multiplies what, and why, is
in docs/sealed.md: only `combine`, which is libsodium's, may be given a key.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from pyodide.ffi import to_js

from tabletin.peers.sealed.group import IDENTITY, L, PrimeGroup, Term, encode_scalar

TIMES, BASE, PLUS, MINUS = range(4)
"""How a term enters its sum; the same numbers stand in the shim."""


class JsGroup(PrimeGroup):
    """The real group in a page or worker. `shim` is the object that `openGroup()` resolves to."""

    name = "libsodium.js"
    secure = True

    def __init__(self, shim: Any) -> None:
        super().__init__()
        self._shim = shim
        one = shim.combine(words([1]), to_js(bytes([BASE])), to_js(encode_scalar(1)))
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
        return points_of(self._shim.combine(words(layout), to_js(bytes(kinds)), to_js(b"".join(values))))

    def combine_ephemeral(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        terms = [term for row in rows for term in row]
        kinds = bytes([PLUS if scalar == 1 else TIMES for scalar, _ in terms])
        scalars = b"".join([encode_scalar(scalar % L) for scalar, _ in terms if scalar != 1])
        points: dict[bytes, int] = {self.base: 0}
        which = [points.setdefault(point, len(points)) for _, point in terms]
        layout = words([len(row) for row in rows])
        result = self._shim.combineEphemeral(
            layout, to_js(kinds), to_js(scalars), words(which), to_js(b"".join(points))
        )
        return points_of(result)

    def combine_public(self, rows: Sequence[Sequence[Term]]) -> list[bytes]:
        points: dict[bytes, int] = {self.base: 0}
        which: list[int] = []
        scalars: list[bytes] = []
        for row in rows:
            for scalar, point in row:
                scalars.append(encode_scalar(scalar % L))
                which.append(points.setdefault(point, len(points)))
        result = self._shim.combinePublic(
            words([len(row) for row in rows]), to_js(b"".join(scalars)), words(which), to_js(b"".join(points))
        )
        return points_of(result)

    def from_digests(self, digests: Sequence[bytes]) -> list[bytes]:
        return points_of(self._shim.fromDigests(to_js(b"".join(digests))))

    def are_points(self, points: Sequence[bytes]) -> bool:
        return bool(self._shim.arePoints(to_js(b"".join(points))))


def words(numbers: Sequence[int]) -> Any:
    """A Uint32Array."""
    return to_js(array("I", numbers))


def points_of(packed: Any) -> list[bytes]:
    """A packed Uint8Array as points."""
    data = bytes(packed.to_bytes())
    return [data[at : at + 32] for at in range(0, len(data), 32)]
