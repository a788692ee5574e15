"""A TURN server on loopback: starts ``turn_server.mjs`` and reads what it reports."""

from __future__ import annotations

import subprocess
import threading
from collections import Counter
from pathlib import Path

from workshop.setup import node

SCRIPT = Path(__file__).parent / "turn_server.mjs"
USER, PASSWORD = "ada", "tin of games"
BEHIND_A_WALL = """() => {
    const Own = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Own {
        constructor(settings) { super({ ...settings, iceTransportPolicy: 'relay' }); }
    };
}"""
"""JavaScript that makes a page use relayed addresses only, as in a network that blocks direct ways."""


class TurnServer:
    """``start`` and ``stop`` it. ``requests``: how often it was asked for what.

    "binding" is STUN, "allocate" a relayed address, "channel_bind" a way to one other device.
    """

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.port = 0

    def start(self) -> TurnServer:
        self._program = subprocess.Popen([node(), SCRIPT, USER, PASSWORD], stdout=subprocess.PIPE, text=True)
        assert self._program.stdout is not None
        self._output = self._program.stdout
        self.port = int(self._output.readline())
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def _read(self) -> None:
        for line in self._output:
            self.requests[line.strip()] += 1

    def stop(self) -> None:
        self._program.terminate()
        self._program.wait()
        self._reader.join()
        self._output.close()

    @property
    def stun(self) -> str:
        return f"stun:127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"turn:127.0.0.1:{self.port}"
