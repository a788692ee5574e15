"""A relay of the Nostr protocol, on loopback unless told otherwise, as small as the tests need it.

Events go to sessions that asked for their tag. It uses plain sockets, and reads the few WebSocket frames that browsers send.
A page connects to ``address``.
"""

from __future__ import annotations

import json
import socket
import socketserver
import struct
import threading
from base64 import b64encode
from contextlib import suppress
from hashlib import sha1
from queue import SimpleQueue
from typing import Any

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Session(socketserver.StreamRequestHandler):
    """One page's connection. ``subscriptions``: name → tags."""

    relay: Relay

    def setup(self) -> None:
        super().setup()
        self.subscriptions: dict[str, set[str]] = {}
        self.outgoing: SimpleQueue[bytes] = SimpleQueue()  # nobody waits for a page that takes nothing any more

    def handle(self) -> None:
        assert isinstance(self.server, Server)
        self.relay = self.server.relay
        key = b""
        while (line := self.rfile.readline().strip()):
            name, _, value = line.partition(b":")
            if name.lower() == b"sec-websocket-key":
                key = value.strip()
        accept = b64encode(sha1(key + MAGIC).digest())
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        threading.Thread(target=self.write_out, daemon=True).start()
        self.relay.sessions.add(self)
        try:
            while (text := self.read()) is not None:
                self.relay.take(self, json.loads(text))
        except (ConnectionError, ValueError):
            pass  # the page is gone
        finally:
            self.relay.sessions.discard(self)
            self.outgoing.put(b"")

    def write_out(self) -> None:
        """Write until there is an empty frame, or nobody reads."""
        with suppress(OSError, ValueError):  # of a connection that is closed
            while frame := self.outgoing.get():
                self.wfile.write(frame)

    def read(self) -> str | None:
        """The next text; None at the end. Browsers send these whole."""
        while True:
            head = self.rfile.read(2)
            if len(head) < 2:
                return None
            kind, size = head[0] & 15, head[1] & 127
            if size > 125:
                size = int.from_bytes(self.rfile.read(2 if size == 126 else 8), "big")
            mask = self.rfile.read(4)
            data = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(size)))
            if kind == TEXT:
                return data.decode()
            if kind == CLOSE:
                return None
            if kind == PING:
                self.write(PONG, data)

    def write(self, kind: int, data: bytes) -> None:
        size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data)) if len(data) < 65536 \
            else b"\x7f" + struct.pack(">Q", len(data))
        self.outgoing.put(bytes([128 | kind]) + size + data)

    def say(self, *message: Any) -> None:
        self.write(TEXT, json.dumps(message).encode())


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    relay: Relay

    def __init__(self, address: tuple[str, int]) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6  # "::" hears those who come by IPv4, too
        super().__init__(address, Session)


class Relay:
    """``start`` and ``stop`` it. ``stored``: every event that it was given."""

    says_what_it_took = True

    def __init__(self, address: str = "127.0.0.1", port: int = 0) -> None:
        self.sessions: set[Session] = set()
        self.stored: list[dict[str, Any]] = []
        self.server = Server((address, port))
        self.server.relay = self

    @property
    def address(self) -> str:
        return f"ws://localhost:{self.server.server_address[1]}"

    def start(self) -> Relay:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def take(self, session: Session, message: list[Any]) -> None:
        match message:
            case ["REQ", str(name), *filters]:
                session.subscriptions[name] = {tag for one in filters for tag in one.get("#x", [])}
                for event in [one for one in self.stored if session.subscriptions[name] & tags_of(one)]:
                    session.say("EVENT", name, event)  # as relays do that keep what they need not keep
                session.say("EOSE", name)
            case ["CLOSE", str(name)]:
                session.subscriptions.pop(name, None)
            case ["EVENT", dict(event)]:
                self.stored.append(event)
                if self.says_what_it_took:
                    session.say("OK", event["id"], True, "")
                tags = tags_of(event)
                for other in list(self.sessions):
                    for name, wanted in list(other.subscriptions.items()):
                        if wanted & tags:
                            other.say("EVENT", name, event)


def tags_of(event: dict[str, Any]) -> set[str]:
    return {tag[1] for tag in event["tags"] if tag[0] == "x"}
