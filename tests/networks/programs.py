"""Programs in a namespace, and the servers that a club runs on the internet: STUN and TURN, and two relays."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

from tests.networks.houses import SERVERS, SERVERS_6, Space
from workshop.paths import ROOT

ICE_PORT = 3478
USER, PASSWORD = "ada", "tin"
COTURN = ("sh", "-c", 'exec "$@" 2>&1', "-",
          "turnserver", "-n", "--lt-cred-mech", "--user", f"{USER}:{PASSWORD}", "--realm", "tin",
          "--listening-port", str(ICE_PORT),
          *(word for address in (SERVERS, SERVERS_6) for word in ("--listening-ip", address, "--relay-ip", address)),
          "--no-tls", "--no-dtls", "--no-cli", "--no-rfc5780", "--log-file", "stdout", "--simple-log", "--verbose",
          "--pidfile", "/run/turnserver.pid", "--userdb", "/run/turnserver.db")
"""STUN and TURN by UDP and by TCP. The last three lines keep it to its namespace, and let it say what it does."""
CHROMIUM, FIREFOX = "chromium", "firefox"
RELAY_PORTS = (7777, 7778)
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'py'}"}


class Program:
    """A program in a namespace. ``lines``: what it has said since it was ready; ``times``: when, by ``time.monotonic``.

    ``sign``: what stands in the line with which it says that it is ready; "" for the first one.
    """

    def __init__(self, space: Space, *words: str, sign: str = "") -> None:
        self._process = subprocess.Popen(space.inside(*words), stdout=subprocess.PIPE, text=True, cwd=ROOT, env=ENVIRONMENT)
        assert self._process.stdout is not None
        self._output = self._process.stdout
        while sign not in (line := self._output.readline()) or not line:
            assert line, f"{words} ended at once"
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
        self.ice = Program(space, *COTURN, sign="IPv6. UDP listener opened")
        self.relays = [Program(space, *ours("relay", "::", str(port))) for port in RELAY_PORTS]

    def settings(self, *, turn: bool = False, at: str = SERVERS) -> dict[str, object]:
        """The page's settings that name them. None is switched on, except STUN and TURN, which a person names by own wish."""
        found: dict[str, object] = {"changes": 0, "relay": False, "stun": f"stun:{at}:{ICE_PORT}",
                                    "relay_url": " ".join(f"ws://{at}:{port}" for port in RELAY_PORTS)}
        return {**found, "turn": f"turn:{at}:{ICE_PORT}", "turn_user": USER, "turn_password": PASSWORD} if turn else found

    @property
    def allocations(self) -> int:
        """How often a relayed address was given out."""
        return sum("ALLOCATE processed, success" in line for line in self.ice.lines)

    def said_since(self, begin: float) -> list[float]:
        """After how many seconds since ``begin`` a first relay was given something."""
        return [at - begin for at in self.relays[0].times if at >= begin]

    def stop(self) -> None:
        for program in (self.ice, *self.relays):
            program.stop()

