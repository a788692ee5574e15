"""What runs inside a namespace, as a program of its own: the site on its localhost, a relay, a watch over an interface …

``python -m tests.networks.program`` with ``site FOLDER PORT``, ``relay ADDRESS PORT``, ``watch INTERFACE``, ``mirror ADDRESS
PORT…``, ``line STREET HOME LOSS DELAY JITTER RATE``, ``ask PORT ADDRESS PORT…`` or ``sockets COUNT ADDRESS PORT``. All but the
last two say "ready" once they are, and run until they are ended.
"""

from __future__ import annotations

import json
import select
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from random import Random
from typing import Any, Final

from e2e.support.nostr_relay import Relay, Session
from workshop import server

EVERY_KIND = 3  # ETH_P_ALL
IPV4, IPV6 = 0x0800, 0x86DD
TRANSPORTS = {1: "icmp", 6: "tcp", 17: "udp", 58: "icmp"}
OUTGOING = 4  # PACKET_OUTGOING
PROMISCUOUS = (263, 1, 1)  # SOL_PACKET, PACKET_ADD_MEMBERSHIP, PACKET_MR_PROMISC
ARP = b"\x08\x06"
MOST_WAITING = 1.5  # seconds that a packet waits for a full line, until it is dropped


SAYING: Final = threading.Lock()  # a relay has a thread for each of its guests


def say(line: str) -> None:
    with SAYING:
        print(line, flush=True)


class SpokenRelay(Relay):
    """Says every event that it is given."""

    def take(self, session: Session, message: list[Any]) -> None:
        super().take(session, message)
        if message[0] == "EVENT":
            say(json.dumps(message[1]))


def question(message: bytes) -> str:
    """The name that a message to a name server asks for."""
    labels, at = [], 12
    while at < len(message) and (size := message[at]):
        labels.append(message[at + 1:at + 1 + size].decode("latin-1"))
        at += 1 + size
    return ".".join(labels)


def packets(interface: str) -> Iterator[tuple[str, str]]:
    """Each IP packet that leaves by ``interface``: where to, and how ("udp 5000"; for a name server "asks for" and the name)."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(EVERY_KIND)) as ear:
        ear.bind((interface, EVERY_KIND))
        say("ready")
        while True:
            data, (_, kind, direction, *_) = ear.recvfrom(65536)
            if direction != OUTGOING or kind not in (IPV4, IPV6):
                continue
            at, protocol, to = ((data[0] & 15) * 4, data[9], data[16:20]) if kind == IPV4 else (40, data[6], data[24:40])
            port = int.from_bytes(data[at + 2:at + 4], "big") if protocol in (6, 17) else 0
            how = f"{TRANSPORTS.get(protocol, protocol)} {port}"
            yield str(ip_address(to)), f"asks for {question(data[at + 8:])}" if how == "udp 53" else how


class Direction:
    """One direction of a slow line. ``due``: packets on their way, each with the time at which it arrives.

    ``loss``: the share of packets that is lost. ``delay``, ``jitter``: seconds. ``rate``: bytes a second.
    """

    def __init__(self, loss: float, delay: float, jitter: float, rate: float, chance: Random) -> None:
        self.loss, self.delay, self.jitter, self.rate, self.chance = loss, delay, jitter, rate, chance
        self.due: deque[tuple[float, bytes]] = deque()
        self._free_at = self._last = 0.0  # when the line has sent what it was given; when the newest packet arrives

    def take(self, packet: bytes, now: float) -> None:
        begin = max(now, self._free_at)
        if (packet[12:14] != ARP and self.chance.random() < self.loss) or begin - now > MOST_WAITING:
            return
        self._free_at = begin + len(packet) / self.rate
        self._last = max(self._last, self._free_at + self.delay + self.chance.uniform(-self.jitter, self.jitter))
        self.due.append((self._last, packet))

    def arrivals(self, now: float) -> Iterator[bytes]:
        while self.due and self.due[0][0] <= now:
            yield self.due.popleft()[1]


def slow_line(ends: Sequence[str], loss: float, delay: float, jitter: float, rate: float) -> None:
    """Carry packets between two interfaces; each way has the loss, delay, jitter and rate of a ``Direction``."""
    ears, chance = [], Random(7)
    for name in ends:
        ear = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERY_KIND))
        ear.bind((name, EVERY_KIND))
        level, option, mode = PROMISCUOUS
        ear.setsockopt(level, option, socket.if_nametoindex(name).to_bytes(4, sys.byteorder)
                       + mode.to_bytes(2, sys.byteorder) + bytes(10))
        ears.append(ear)
    ways = {ear: (Direction(loss, delay, jitter, rate, chance), other) for ear, other in zip(ears, reversed(ears), strict=True)}
    say("ready")
    while True:
        first = min((way.due[0][0] for way, _ in ways.values() if way.due), default=time.monotonic() + 1)
        for ear in select.select(ears, [], [], max(0.0, first - time.monotonic()))[0]:
            packet, (_, _, direction, *_) = ear.recvfrom(65536)
            if direction != OUTGOING:
                ways[ear][0].take(packet, time.monotonic())
        for way, other in ways.values():
            for packet in way.arrivals(time.monotonic()):
                other.send(packet)


def datagrams(address: str) -> socket.socket:
    return socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)


def mirror(address: str, ports: Sequence[int]) -> None:
    """Tell everybody who says something by UDP from where it came."""
    ears = []
    for port in ports:
        ear = datagrams(address)
        ear.bind((address, port))
        ears.append(ear)
    say("ready")
    while True:
        for ear in select.select(ears, [], [])[0]:
            _, seen = ear.recvfrom(100)
            ear.sendto(json.dumps(seen[:2]).encode(), seen)


def ask(own_port: int, address: str, ports: Sequence[int]) -> Iterator[str]:
    """From where each of these mirrors sees this device; "" for one that does not answer within a moment."""
    with datagrams(address) as mouth:
        mouth.bind(("", own_port))
        mouth.settimeout(1)
        for port in ports:
            mouth.sendto(b"?", (address, port))
            try:
                yield mouth.recv(100).decode()
            except TimeoutError:
                yield ""


def sockets(count: int, address: str, port: int) -> Iterator[str]:
    """From where a mirror sees each of so many sockets of this device; nothing of those that it does not hear."""
    for _ in range(count):
        with datagrams(address) as mouth:
            mouth.settimeout(1)
            mouth.sendto(b"?", (address, port))
            with suppress(TimeoutError):
                yield mouth.recv(100).decode()


def main(what: str, *rest: str) -> None:
    match what, rest:
        case "site", (folder, port):
            running = server.server(Path(folder), port=int(port))
            say("ready")
            running.serve_forever()
        case "relay", (address, port):
            relay = SpokenRelay(address, int(port))
            say("ready")
            relay.server.serve_forever()
        case "watch", (interface,):
            for to, how in packets(interface):
                say(f"{to} {how}")
        case "line", (street, home, *values):
            loss, delay, jitter, rate = (float(value) for value in values)
            slow_line((street, home), loss, delay, jitter, rate)
        case "mirror", (address, *ports):
            mirror(address, [int(port) for port in ports])
        case "ask", (own_port, address, *ports):
            for seen in ask(int(own_port), address, [int(port) for port in ports]):
                say(seen)
        case "sockets", (count, address, port):
            for seen in sockets(int(count), address, int(port)):
                say(seen)


if __name__ == "__main__":
    main(*sys.argv[1:])
