"""Cuts texts into pieces that every browser takes, and joins pieces within bounds. Pure; it trusts no sender.

All browsers carry at least 16 kB at once on a data channel. A piece is one header byte (its channel, and whether it is the
message's last) and a part of the text. A lane is one data channel, and browsers serve lanes in turn: control and room have
their own lane, so that a match never delays a sign of life. What is long in a match has a lane, too, and short pieces: on a slow
line a shuffle takes seconds, and a move overtakes it.

Between devices that both can, what a match and a room say is packed: each channel of a link is one stream of DEFLATE, and
every message ends at a byte of its own. Hashes and keys that come again and again then take a few bytes.
"""

from __future__ import annotations

import zlib
from collections import deque
from typing import Final

from tabletin.peers.net.transport import MATCH, ROOM

CONTROL: Final = "control"
CHANNELS: Final = (CONTROL, MATCH, ROOM)  # the header names a channel by its place here
LANES: Final[dict[str, int]] = {CONTROL: 0, ROOM: 0, MATCH: 1}  # of texts that are not long
BULK: Final = 2  # the lane of the match's long texts
LONG: Final = 4_000  # characters from which on a text is one
LANE_COUNT: Final = 3
MOST: Final[dict[str, int]] = {CONTROL: 20_000, ROOM: 400_000, MATCH: 8_000_000}  # bytes of a message taken in
MOST_QUEUED: Final = 24_000_000  # bytes waiting for one device on one lane
PIECE: Final = 16_000  # bytes, with the header
BULK_PIECE: Final = 4_000  # the same on that lane
LAST: Final = 0x80
PACKED: Final = 0x40  # the message is a part of the channel's stream
UNPACKED: Final = frozenset({CONTROL})  # short, and must go on whatever becomes of a stream
RAW: Final = -15  # zlib's word for DEFLATE without a head
SYNC: Final = b"\x00\x00\xff\xff"  # every message of a stream ends so; it is not sent


def lane_of(channel: str, text: str) -> int:
    """The lane on which ``text`` goes."""
    return BULK if channel == MATCH and len(text) >= LONG else LANES[channel]


def channels_of(lane: int) -> tuple[str, ...]:
    """The channels that have texts on ``lane``."""
    return (MATCH,) if lane == BULK else tuple(name for name in CHANNELS if LANES[name] == lane)


class BadPiece(ValueError):
    """A piece that cannot be read: "empty", "piece", "channel", "size", "text"."""


class BrokenStream(BadPiece):
    """A message of a stream that cannot be unpacked ("stream"): nothing after it can be read either."""


class Outgoing:
    """The queue of one lane of one link. Channels earlier in ``CHANNELS`` go first, also between the pieces of a text.

    ``packs``: whether the other device reads streams.
    """

    def __init__(self, lane: int) -> None:
        self.packs = False
        self._most = BULK_PIECE if lane == BULK else PIECE
        self._streams: dict[str, zlib._Compress] = {}
        self._queues: dict[str, deque[tuple[int, bytes]]] = {name: deque() for name in channels_of(lane)}
        self._positions: dict[str, int] = dict.fromkeys(self._queues, 0)  # bytes of the first message already cut off
        self.waiting = 0  # bytes

    def put(self, channel: str, text: str) -> bool:
        """Queue a message; False if too much waits already, or if it is larger than any device takes."""
        data = text.encode()
        if self.waiting + len(data) > MOST_QUEUED or len(data) > MOST[channel]:
            return False
        flag = 0
        if self.packs and data and channel not in UNPACKED:  # nothing, in a stream, has no form
            stream = self._streams.setdefault(channel, zlib.compressobj(wbits=RAW))
            flag, data = PACKED, (stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)).removesuffix(SYNC)
        self._queues[channel].append((flag, data))
        self.waiting += len(data)
        return True

    def take(self) -> bytes | None:
        """The next piece, or None."""
        for channel, queue in self._queues.items():
            if queue:
                (flag, data), start = queue[0], self._positions[channel]
                part = data[start:start + self._most - 1]
                self.waiting -= len(part)
                last = start + len(part) == len(data)
                if last:
                    queue.popleft()
                self._positions[channel] = 0 if last else start + len(part)
                return bytes([CHANNELS.index(channel) | LAST * last | flag]) + part
        return None


class Incoming:
    """Joins the pieces of one lane of one link."""

    def __init__(self, lane: int) -> None:
        self._parts: dict[str, bytearray] = {name: bytearray() for name in channels_of(lane)}
        self._skipping: set[str] = set()
        self._streams: dict[str, zlib._Decompress] = {}

    def take(self, piece: bytes) -> tuple[str, str] | None:
        """(channel, text) with a message's last piece, None before.

        Raises ``BadPiece``, and only that message is lost; or ``BrokenStream``, and the link is of no use any more.
        """
        if not piece:
            raise BadPiece("empty")
        if len(piece) > PIECE:
            raise BadPiece("piece")
        number, last, is_packed = piece[0] & ~(LAST | PACKED), bool(piece[0] & LAST), bool(piece[0] & PACKED)
        channel = CHANNELS[number] if number < len(CHANNELS) else ""
        if channel not in self._parts or (is_packed and channel in UNPACKED):
            raise BadPiece("channel")
        parts = self._parts[channel]
        if channel in self._skipping:
            if last:
                self._skipping.discard(channel)
            return None
        if len(parts) + len(piece) - 1 > MOST[channel]:
            parts.clear()
            if is_packed:
                raise BrokenStream("stream")
            if not last:
                self._skipping.add(channel)
            raise BadPiece("size")
        parts += piece[1:]
        if not last:
            return None
        data = bytes(parts)
        parts.clear()
        if is_packed:
            data = self._unpacked(channel, data)
        try:
            return channel, data.decode()
        except UnicodeDecodeError as error:
            raise BadPiece("text") from error

    def _unpacked(self, channel: str, data: bytes) -> bytes:
        """What a message of the channel's stream says. Raises ``BrokenStream``, also for one that is larger than allowed."""
        stream = self._streams.setdefault(channel, zlib.decompressobj(wbits=RAW))
        try:
            found = stream.decompress(data + SYNC, MOST[channel] + 1)
        except zlib.error as error:
            raise BrokenStream("stream") from error
        if len(found) > MOST[channel] or stream.unconsumed_tail or stream.eof:
            raise BrokenStream("stream")
        return found
