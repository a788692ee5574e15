"""Reading and writing canonical bytes: each value has one encoding, and everything else raises one exception.

It knows nothing of groups or cards. Every length is bounded before anything is allocated.
"""

from __future__ import annotations

MOST_CARDS = 512
"""More cards than any deck of ours; a list that claims more is refused before it is read."""

MOST_BYTES = 192 * MOST_CARDS + 4096
"""The largest message: a shuffle of `MOST_CARDS`."""

LONGEST_FACE = 32
"""Characters of a face, printable ASCII."""


class MalformedMessage(ValueError):
    """These bytes are not a message. The only exception a decoder raises; its text names what was wrong."""


class Writer:
    """Collects the bytes of one message."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def raw(self, data: bytes) -> None:
        self._parts.append(data)

    def count(self, value: int) -> None:
        """A number from 0, seven bits a byte, least first; the shortest form is the only one."""
        if not 0 <= value < 2**63:
            raise ValueError(f"{value} does not fit a count")
        out = bytearray()
        while value >= 0x80:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)
        self._parts.append(bytes(out))

    def handles(self, handles: tuple[int, ...]) -> None:
        """How many, then each as the distance from the one before: ascending, so there is one order."""
        self.count(len(handles))
        before = -1
        for handle in handles:
            if handle <= before:
                raise ValueError("handles must ascend")
            self.count(handle - before - 1)
            before = handle

    def face(self, face: str) -> None:
        data = face.encode("ascii")
        if not is_face(data):
            raise ValueError(f"{face!r} is not a face")
        self._parts.append(bytes([len(data)]))
        self._parts.append(data)

    def bytes(self) -> bytes:
        return b"".join(self._parts)


class MessageReader:
    """Takes a message apart from the front; raises `MalformedMessage` at the first byte that should not be."""

    def __init__(self, data: bytes) -> None:
        if len(data) > MOST_BYTES:
            raise MalformedMessage("too long")
        self._data = data
        self._at = 0

    def raw(self, size: int) -> bytes:
        end = self._at + size
        if end > len(self._data):
            raise MalformedMessage("too short")
        part = self._data[self._at : end]
        self._at = end
        return part

    def byte(self) -> int:
        return self.raw(1)[0]

    def count(self, most: int) -> int:
        value = 0
        for shift in range(0, 63, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if byte == 0 and shift:
                    raise MalformedMessage("number with leading zeros")
                if value > most:
                    raise MalformedMessage("number too large")
                return value
        raise MalformedMessage("number too long")

    def handles(self) -> tuple[int, ...]:
        size = self.count(MOST_CARDS)
        handles: list[int] = []
        before = -1
        for _ in range(size):
            before += self.count(2**32) + 1
            handles.append(before)
        if before > 2**32:
            raise MalformedMessage("handle too large")
        return tuple(handles)

    def points(self, count: int) -> tuple[bytes, ...]:
        """Undecoded: 32 bytes each. `PrimeGroup.decode_points` judges them."""
        data = self.raw(32 * count)
        return tuple(data[at : at + 32] for at in range(0, len(data), 32))

    def face(self) -> str:
        data = self.raw(self.byte())
        if not is_face(data):
            raise MalformedMessage("face")
        return data.decode("ascii")

    def end(self) -> None:
        if self._at != len(self._data):
            raise MalformedMessage("too long")


def is_face(data: bytes) -> bool:
    return 0 < len(data) <= LONGEST_FACE and all(0x21 <= byte <= 0x7E for byte in data)
