"""How long a match among browsers takes to go on after a fault, measured on loopback.

``python3 bench/peers_faults.py [--times 5] [--only reload killed cut cut3 sleep tunnel both]`` in our environment. Two devices at
a match of Iota (*cut3*: three). *reload*: from the reload of one page until it stands at its table, has heard the other and may
act; *killed*: a browser ended without a word, from opening the match's address in it again until the same; *cut*: a connection
given up, from then until both have a link again and a move made on one page stands in the other; *sleep*: a browser's process
stopped for ten seconds, from waking it until a move made meanwhile stands in it; *tunnel*: ten seconds without a packet between
the two, from their end until a move made meanwhile stands in the other; *both*: both pages reloaded at once, from asking for a
fresh code until both may act, with no time for people to carry it. Milliseconds: median (longest).
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from bench.peers_wire import program
from e2e.support.network import Network
from e2e.support.peer_tables import Far, agree, connect, deal, reload_at_once
from e2e.support.site import PEER_FLAGS, ready
from workshop import server, site
from workshop.chromium import FLAGS, chromium

HALF: Final = {"half_deck": True, "first_seat": "1"}


def told(name: str, took: list[float]) -> None:
    print(f"| {name} | {statistics.median(took) * 1000:.0f} ({max(took) * 1000:.0f}) | {len(took)} |", flush=True)


def opened(browser: Browser, address: str) -> Far:
    page = browser.new_context(permissions=["camera", "microphone"]).new_page()
    page.goto(address)
    ready(page)
    return Far(page).open()


def at_table(fars: list[Far]) -> None:
    connect(fars[0], *fars[1:])
    deal(fars, "iota", HALF)
    for number, far in enumerate(fars):
        far.until("state.requests === 0 && state.entries > 3")
        far.do("play", number, 1)
    agree(fars)


def back(page: Page) -> Far:
    """At the table again, and allowed to act."""
    ready(page)
    far = Far(page).enter()
    far.table()
    far.until("state.ready")
    return far


def reloads(browser: Browser, address: str, times: int) -> None:
    fars = [opened(browser, address) for _ in range(2)]
    at_table(fars)
    took = []
    for number in range(times):
        for far in fars:
            far.until("state.returns")
        begun = time.monotonic()
        fars[number % 2].page.reload()
        back(fars[number % 2].page)
        took.append(time.monotonic() - begun)
        agree(fars)
    told("reload", took)


def kill(playwright: Playwright, browser: Browser, address: str) -> None:
    anna = opened(browser, address)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with program(playwright, folder, address) as (page, _):
            fars = [anna, Far(page).open()]
            at_table(fars)
            for far in fars:
                far.until("state.returns")
            place = str(page.evaluate("location.hash"))
        with program(playwright, folder, address) as (page, _):  # ended without a goodbye, and begun again
            begun = time.monotonic()
            page.goto(address + place)
            back(page)
            told("killed and started again", [time.monotonic() - begun])


def cut(browser: Browser, address: str, times: int, peers: int) -> None:
    fars = [opened(browser, address) for _ in range(peers)]
    at_table(fars)
    took = []
    for _ in range(times):
        for far in fars:
            far.until("state.returns")
        one = next(far for far in fars if set(far.state["acting"]) & set(far.state["people"]))
        other = next(far for far in fars if far is not one)
        before = other.state["entries"]
        begun = time.monotonic()
        one.do("break_off", other.author)
        one.do("play", 1, 1)
        other.until("state.entries > given && state.requests === 0", before)
        one.until("state.entries > given && state.requests === 0 && !state.sending", before)
        took.append(time.monotonic() - begun)
        agree(fars)
    told(f"a connection given up, {peers} devices", took)


def sleep(playwright: Playwright, browser: Browser, address: str, times: int) -> None:
    anna = opened(browser, address)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, \
            program(playwright, folder, address) as (page, group):
        ben = Far(page).open()
        at_table([anna, ben])
        told("a process stopped for ten seconds", [
            missed([ben, anna], anna, lambda: os.killpg(group, signal.SIGSTOP), lambda: os.killpg(group, signal.SIGCONT))
            for _ in range(times)])


def tunnel(browser: Browser, address: str, times: int) -> None:
    pages = [browser.new_context(permissions=["camera", "microphone"]).new_page() for _ in range(2)]
    networks = [Network(page) for page in pages]
    for page in pages:
        page.goto(address)
        ready(page)
    fars = [Far(page).open() for page in pages]
    at_table(fars)
    told("ten seconds without a packet", [missed(fars, None, networks[1].cut, networks[1].back) for _ in range(times)])


def missed(fars: list[Far], mover: Far | None, ends: Callable[[], None], begins: Callable[[], None]) -> float:
    """Seconds from the end of a silence of ten until a move made in it stands in both; the move is ``mover``'s, None: of whoever
    it is to move."""
    while mover is not None and not set(mover.state["acting"]) & set(mover.state["people"]):
        for number, far in enumerate(fars):
            if far is not mover:
                far.do("play", number, 1)
        agree(fars)
    one = mover or next(far for far in fars if set(far.state["acting"]) & set(far.state["people"]))
    other = next(far for far in fars if far is not one)
    before = other.state["entries"]
    ends()
    time.sleep(1)
    one.do("play", 1, 1)
    time.sleep(9)
    begun = time.monotonic()
    begins()
    other.until("state.entries > given && state.requests === 0", before)
    one.until("state.entries > given && state.requests === 0 && !state.sending", before)
    took = time.monotonic() - begun
    agree(fars)
    return took


def both(browser: Browser, address: str, times: int) -> None:
    fars = [opened(browser, address) for _ in range(2)]
    at_table(fars)
    took = []
    for _ in range(times):
        reload_at_once(fars)
        for far in fars:
            far.page.wait_for_function("far.adopt_links()")
        begun = time.monotonic()
        reply = fars[1].do("answer", fars[0].do("invite"))
        fars[0].do("accept", reply)
        for far in fars:
            far.until("state.ready")
        took.append(time.monotonic() - begun)
        agree(fars)
    told("both pages reloaded at once, one fresh code", took)


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--times", type=int, default=5)
    asked.add_argument("--only", nargs="*", default=[], help="reload, killed, cut, cut3, sleep, tunnel, both")
    chosen = asked.parse_args()
    serving = server.server(site.built(), port=0, prefix="/")
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    address = f"http://localhost:{serving.server_port}/"
    print("| fault | ms: median (longest) | times |\n|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=[*FLAGS, *PEER_FLAGS])
        parts: dict[str, Callable[[], None]] = {
            "reload": lambda: reloads(browser, address, chosen.times),
            "killed": lambda: kill(playwright, browser, address),
            "cut": lambda: cut(browser, address, chosen.times, 2),
            "cut3": lambda: cut(browser, address, chosen.times, 3),
            "sleep": lambda: sleep(playwright, browser, address, chosen.times),
            "tunnel": lambda: tunnel(browser, address, chosen.times),
            "both": lambda: both(browser, address, chosen.times),
        }
        for name in chosen.only or parts:
            parts[name]()
            for context in browser.contexts:
                context.close()
        browser.close()
    serving.shutdown()


if __name__ == "__main__":
    main()
