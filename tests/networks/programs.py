"""Programs in a namespace, and the servers that a club runs on the internet: STUN and TURN, and two relays."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

from e2e.support.turn_server import PASSWORD, SCRIPT, USER
from tests.networks.houses import SERVERS, Space
from workshop.paths import ROOT
from workshop.setup import node

ICE_PORT = 3478
RELAY_PORTS = (7777, 7778)
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'py'}"}


class Program:
    """A program in a namespace. ``lines``: what it has said after its first line, with which it says that it is ready.

    ``times``: when, by the clock of ``time.monotonic``.
    """

    def __init__(self, space: Space, *words: str) -> None:
        self._process = subprocess.Popen(space.inside(*words), stdout=subprocess.PIPE, text=True, cwd=ROOT, env=ENVIRONMENT)
        assert self._process.stdout is not None
        self._output = self._process.stdout
        assert self._output.readline(), f"{words} ended at once"
        self.lines: list[str] = []
        self.times: list[float] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in iter(self._output.readline, ""):
            self.times.append(time.monotonic())
            self.lines.append(line.strip())

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._reader.join()
        self._output.close()


def ours(*words: str) -> tuple[str, ...]:
    """The words that start ``program.py``."""
    return sys.executable, "-m", "tests.networks.program", *words


def answer(space: Space, *words: str) -> list[str]:
    """What a program of ours says in ``space`` until it ends, line by line."""
    done = subprocess.run(space.inside(*ours(*words)), capture_output=True, text=True, check=True, cwd=ROOT, env=ENVIRONMENT)
    return done.stdout.splitlines()


class Servers:
    """STUN and TURN, and two relays, on the internet."""

    def __init__(self, space: Space) -> None:
        self.ice = Program(space, str(node()), str(SCRIPT), USER, PASSWORD, SERVERS, str(ICE_PORT))
        self.relays = [Program(space, *ours("relay", SERVERS, str(port))) for port in RELAY_PORTS]

    def settings(self, *, turn: bool = False) -> dict[str, object]:
        """The page's settings that name them. None is switched on, except TURN, which has no use but by a person's own wish."""
        found: dict[str, object] = {"relay": False, "relay_url": " ".join(f"ws://{SERVERS}:{port}" for port in RELAY_PORTS),
                                    "stun": f"stun:{SERVERS}:{ICE_PORT}"}
        return {**found, "turn": f"turn:{SERVERS}:{ICE_PORT}", "turn_user": USER, "turn_password": PASSWORD} if turn else found

    def said_since(self, begin: float) -> list[float]:
        """After how many seconds since ``begin`` a first relay was given something."""
        return [at - begin for at in self.relays[0].times if at >= begin]

    def stop(self) -> None:
        for program in (self.ice, *self.relays):
            program.stop()
