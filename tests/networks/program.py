"""What runs inside a namespace, as a program of its own: the site on its localhost, a relay, a watch over an interface …

``python -m tests.networks.program`` with ``site FOLDER PORT``, ``relay ADDRESS PORT``, ``watch INTERFACE``, ``mirror ADDRESS
PORT…`` or ``ask PORT ADDRESS PORT…``. All but the last say "ready" once they are, and run until they are ended.
"""

from __future__ import annotations

import json
import select
import socket
import sys
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from e2e.support.nostr_relay import Relay, Session
from workshop import server

EVERY_KIND = 3  # ETH_P_ALL
IPV4, IPV6 = 0x0800, 0x86DD
TRANSPORTS = {1: "icmp", 6: "tcp", 17: "udp", 58: "icmp"}
OUTGOING = 4  # PACKET_OUTGOING


def say(line: str) -> None:
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


def mirror(address: str, ports: Sequence[int]) -> None:
    """Tell everybody who says something by UDP from where it came."""
    ears = []
    for port in ports:
        ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ear.bind((address, port))
        ears.append(ear)
    say("ready")
    while True:
        for ear in select.select(ears, [], [])[0]:
            _, seen = ear.recvfrom(100)
            ear.sendto(json.dumps(seen).encode(), seen)


def ask(own_port: int, address: str, ports: Sequence[int]) -> Iterator[str]:
    """From where each of these mirrors sees this device; "" for one that does not answer within a moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
        mouth.bind(("", own_port))
        mouth.settimeout(1)
        for port in ports:
            mouth.sendto(b"?", (address, port))
            try:
                yield mouth.recv(100).decode()
            except TimeoutError:
                yield ""


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
        case "mirror", (address, *ports):
            mirror(address, [int(port) for port in ports])
        case "ask", (own_port, address, *ports):
            for seen in ask(int(own_port), address, [int(port) for port in ports]):
                say(seen)


if __name__ == "__main__":
    main(*sys.argv[1:])
