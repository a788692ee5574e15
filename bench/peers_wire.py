"""Links between browsers, timed: how long a whole mesh takes, a round trip, a megabyte, and coming back after each fault.

``python3 bench/peers_wire.py [--sizes 2 4 6 10] [--times 5] [--only …]`` in our environment. All on loopback in one browser
(another process where one is stopped or killed), no helper on. A mesh: from the first invite asked for to everybody hearing
everybody, codes handed over by this script. Back after a reload: from the room being opened again in the new page; the page's
own start is told apart. Milliseconds, the median, and the longest in brackets.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from e2e.support.devices import Device, company, connect
from e2e.support.site import PEER_FLAGS, ready
from workshop import server, site
from workshop.chromium import FLAGS, chromium

LONG = """() => { window.long = []; new PerformanceObserver((list) =>
    window.long.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' }); }"""


def told(name: str, took: list[float]) -> None:
    print(f"{name:<52}{statistics.median(took):>8.0f}  ({max(took):.0f})", flush=True)


def timed(act: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - begun)


class Bench:
    """Pages of one browser, each in a context of its own."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address

    def page(self) -> Page:
        page = self.browser.new_context(permissions=["camera", "microphone"]).new_page()
        page.goto(self.address)
        ready(page)
        return page

    @contextmanager
    def devices(self, count: int) -> Iterator[list[Device]]:
        made = [Device(self.page(), f"device {number}").open() for number in range(count)]
        for device in made:
            device.page.evaluate(LONG)
        yield made
        for device in made:
            device.page.context.close()

    def meshes(self, counts: list[int], times: int) -> None:
        for count in counts:
            took, long = [], 0
            for _ in range(times):
                with self.devices(count) as devices:
                    took.append(timed(lambda devices=devices: company(*devices)))  # type: ignore[misc]
                    long += sum(device.page.evaluate("window.long.length") for device in devices)
            told(f"mesh of {count}", took)
            if long:
                print(f"    tasks over 50 ms on the pages' own threads: {long} in {times} meshes")

    def talk(self) -> None:
        with self.devices(2) as (anna, ben):
            connect(anna, ben)
            trips = json.loads(anna.do("round_trips", ben.author, 300))
            print(f"{'round trip':<52}{statistics.median(trips):>8.1f}  (95 of 100: {sorted(trips)[284]:.1f})")
            told("a megabyte there, and a word back", [anna.do("carried", ben.author, 1_000_000) for _ in range(5)])

    def goodbye(self, times: int) -> None:
        took = []
        for _ in range(times):
            with self.devices(2) as (anna, ben):
                connect(anna, ben)
                anna.knows([ben])

                def left(anna: Device = anna, ben: Device = ben) -> None:
                    ben.page.close()
                    anna.sees(ben, "left")
                took.append(timed(left))
        told("page closed, until the other knows", took)

    def reload(self, times: int) -> None:
        starts, took = [], []
        with self.devices(2) as (anna, ben):
            connect(anna, ben)
            room = anna.state["room"]
            for _ in range(times):
                ben.can_return_to([anna])
                anna.can_return_to([ben])

                def start(ben: Device = ben) -> None:
                    ben.page.reload()
                    ready(ben.page)

                def back(anna: Device = anna, ben: Device = ben) -> None:
                    ben.open(room)
                    anna.knows([ben])
                    ben.knows([anna])
                starts.append(timed(start))
                took.append(timed(back))
        told("reload, two devices, no code: until both hear", took)
        told("    the page's own start before that", starts)

    def broken(self, times: int) -> None:
        took = []
        with self.devices(3) as devices:
            company(*devices)
            anna, ben, _ = devices
            for _ in range(times):
                anna.do("break_off", ben.author)
                took.append(timed(lambda: self._again(anna, ben)))
        told("connection closed, made anew by a third", took)

    @staticmethod
    def _again(anna: Device, ben: Device) -> None:
        ben.says(anna, mark := f"again {time.perf_counter()}")
        begun = time.monotonic()
        while not any(text == mark for _, _, text in anna.state["texts"]):
            if time.monotonic() - begun > 0.3:  # what was said to a closed connection is lost: say it again
                ben.says(anna, mark)
                begun = time.monotonic()
            time.sleep(0.02)


@contextmanager
def program(playwright: Playwright, folder: str, address: str) -> Iterator[tuple[Page, int]]:
    """A browser process of its own, and its process group."""
    port = Path(folder) / "DevToolsActivePort"
    port.unlink(missing_ok=True)
    found = subprocess.Popen([str(chromium()), *FLAGS, *PEER_FLAGS, "--headless=new", "--remote-debugging-port=0",
                              f"--user-data-dir={folder}", "about:blank"], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while not (port.exists() and "/" in port.read_text()):
            time.sleep(0.05)
        number, where = port.read_text().split()
        context = playwright.chromium.connect_over_cdp(f"ws://127.0.0.1:{number}{where}").contexts[0]
        context.grant_permissions(["camera", "microphone"], origin=address)
        page = context.pages[0]
        page.goto(address)
        ready(page)
        yield page, found.pid
    finally:
        if found.poll() is None:
            os.killpg(found.pid, signal.SIGCONT)
            os.killpg(found.pid, signal.SIGKILL)
            found.wait()


def processes(playwright: Playwright, bench: Bench) -> None:
    """A browser that is stopped for a while, and one that is killed."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, bench.devices(1) as (anna,):
        with program(playwright, folder, bench.address) as (page, pid):
            ben = Device(page, "ben").open()
            connect(anna, ben)
            room = anna.state["room"]
            for seconds in (8, 40):
                os.killpg(pid, signal.SIGSTOP)
                time.sleep(seconds)
                os.killpg(pid, signal.SIGCONT)
                told(f"browser stopped for {seconds} s and woken", [timed(lambda ben=ben: Bench._again(anna, ben))])  # type: ignore[misc]
            ben.can_return_to([anna])
            anna.can_return_to([ben])
        with program(playwright, folder, bench.address) as (page, _):
            ben = Device(page, "ben")

            def back() -> None:
                ben.open(room)
                anna.knows([ben])
                ben.knows([anna])
            told("browser killed and started again, no code", [timed(back)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=[2, 4, 6, 10])
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[], help="talk, meshes, goodbye, reload, broken, processes")
    asked = parser.parse_args()
    served = server.server(site.built(), port=0, prefix="/")
    threading.Thread(target=served.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=[*FLAGS, *PEER_FLAGS])
        print(f"Chromium {browser.version}; ms: median (longest)")
        bench = Bench(browser, f"http://localhost:{served.server_port}/")
        parts: dict[str, Callable[[], None]] = {
            "talk": bench.talk,
            "meshes": lambda: bench.meshes(asked.sizes, asked.times),
            "goodbye": lambda: bench.goodbye(asked.times),
            "reload": lambda: bench.reload(asked.times),
            "broken": lambda: bench.broken(asked.times),
            "processes": lambda: processes(playwright, bench),
        }
        for name in asked.only or parts:
            parts[name]()
        browser.close()
    served.shutdown()


if __name__ == "__main__":
    main()
