"""A TURN server on loopback: ``turn_server.mjs``, started and listened to."""

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
"""JavaScript after which nothing of a page gets through but by a relay, as in a network that blocks direct ways."""


class TurnServer:
    """``start`` and ``stop`` it. ``asked``: how often for a "binding" (that is STUN), an "allocate" (a relayed address), a
    "channel_bind" (a way to one other device)."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.port = 0

    def start(self) -> TurnServer:
        self._program = subprocess.Popen([node(), SCRIPT, USER, PASSWORD], stdout=subprocess.PIPE, text=True)
        assert self._program.stdout is not None
        self._said = self._program.stdout
        self.port = int(self._said.readline())
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()
        return self

    def _listen(self) -> None:
        for line in self._said:
            self.asked[line.strip()] += 1

    def stop(self) -> None:
        self._program.terminate()
        self._program.wait()
        self._listening.join()
        self._said.close()

    @property
    def stun(self) -> str:
        return f"stun:127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"turn:127.0.0.1:{self.port}"
