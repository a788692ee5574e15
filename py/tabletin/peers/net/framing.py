"""Texts cut into pieces that every browser takes, and joined again within bounds. Pure, and trusting nobody.

A data channel carries at most 16 kB at once for certain. A piece is one header byte – which channel, whether it is a
message's last – and a part of the text. Small talk (control and room) has a lane of its own, so that a shuffle of half a
megabyte on the match's lane never holds up a sign of life; a lane is one data channel, and browsers serve these in turn.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from tabletin.peers.net.transport import MATCH, ROOM

CONTROL: Final = "control"
CHANNELS: Final = (CONTROL, MATCH, ROOM)  # their places are what the header says
LANES: Final[dict[str, int]] = {CONTROL: 0, ROOM: 0, MATCH: 1}
LANE_COUNT: Final = 2
MOST: Final[dict[str, int]] = {CONTROL: 20_000, ROOM: 400_000, MATCH: 8_000_000}  # bytes of a message taken in
MOST_QUEUED: Final = 24_000_000  # bytes waiting for one device on one lane
PIECE: Final = 16_000  # bytes, with the header
LAST: Final = 0x80


class Unfit(ValueError):
    """A piece that is not one: "empty", "piece", "channel", "size", "text"."""


class Outgoing:
    """What waits for one lane of one link; of its channels the earlier in ``CHANNELS`` goes first, between pieces too."""

    def __init__(self, lane: int) -> None:
        self._queues: dict[str, deque[bytes]] = {name: deque() for name in CHANNELS if LANES[name] == lane}
        self._sent: dict[str, int] = dict.fromkeys(self._queues, 0)  # bytes of the first message already cut off
        self.waiting = 0  # bytes

    def put(self, channel: str, text: str) -> bool:
        """Queue a message; False if too much waits already, or it is larger than anybody would take."""
        data = text.encode()
        if self.waiting + len(data) > MOST_QUEUED or len(data) > MOST[channel]:
            return False
        self._queues[channel].append(data)
        self.waiting += len(data)
        return True

    def take(self) -> bytes | None:
        """The next piece, or None."""
        for channel, queue in self._queues.items():
            if queue:
                data, start = queue[0], self._sent[channel]
                part = data[start:start + PIECE - 1]
                self.waiting -= len(part)
                last = start + len(part) == len(data)
                if last:
                    queue.popleft()
                self._sent[channel] = 0 if last else start + len(part)
                return bytes([CHANNELS.index(channel) | LAST * last]) + part
        return None


class Incoming:
    """Joins the pieces of one lane of one link."""

    def __init__(self, lane: int) -> None:
        self._parts: dict[str, bytearray] = {name: bytearray() for name in CHANNELS if LANES[name] == lane}
        self._skipping: set[str] = set()

    def take(self, piece: bytes) -> tuple[str, str] | None:
        """(channel, text) with a message's last piece, None before. Raises ``Unfit``; the message is then lost, no other."""
        if not piece:
            raise Unfit("empty")
        if len(piece) > PIECE:
            raise Unfit("piece")
        number, last = piece[0] & ~LAST, bool(piece[0] & LAST)
        channel = CHANNELS[number] if number < len(CHANNELS) else ""
        if channel not in self._parts:
            raise Unfit("channel")
        parts = self._parts[channel]
        if channel in self._skipping:
            if last:
                self._skipping.discard(channel)
            return None
        if len(parts) + len(piece) - 1 > MOST[channel]:
            parts.clear()
            if not last:
                self._skipping.add(channel)
            raise Unfit("size")
        parts += piece[1:]
        if not last:
            return None
        data = bytes(parts)
        parts.clear()
        try:
            return channel, data.decode()
        except UnicodeDecodeError as error:
            raise Unfit("text") from error
