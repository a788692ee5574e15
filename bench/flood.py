"""What a page holds while somebody at the table floods it: memory before, during and after, of two browsers at a match.

``python3 bench/flood.py [--seconds 60]`` in our environment. One page sends as fast as its links take it: chat lines, rooms,
and messages of the match that are wrong or ask for much, up to 50,000 characters each. Counted on the other page: the browser's
heap after a forced collection, the elements, what Python holds, and the resident memory of its browser's page processes, its
workers included.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import Browser, CDPSession, Page

from bench.browser import site_and_browser
from bench.memory import counted
from e2e.support.page_python import get_inside
from e2e.support.rooms import at_a_table, python
from e2e.support.site import PATIENCE, PEER_FLAGS, ready
from workshop.chromium import FLAGS, chromium

LOOKS: Final = 6  # while the flood lasts
MOST: Final = 50.0  # MB more, in all page processes, than before
LANES: Final = """
globalThis.lanes = new Set();
const { send } = RTCDataChannel.prototype;
RTCDataChannel.prototype.send = function (piece) { lanes.add(this); return send.call(this, piece); };
globalThis.waiting = () => Math.max(0, ...[...lanes].map((lane) => lane.bufferedAmount));
"""
FLOOD: Final = """
import asyncio, js
from time import monotonic
from tabletin.app.main import app
from tabletin.app.session.peers.side_channel import SIDE_CHANNEL_MARK
from tabletin.peers.room.messages import spell
net = app.app.rooms.transport
kinds = [
    ("room", lambda n: spell("say", text=f"{{n}} " + "x" * 900, reaction="")),
    ("room", lambda n: spell("name", name=f"Bo {{n}}")),
    ("room", lambda n: '{{"v":1,"do":"room","room":' + "[" * 300 + "]" * 300 + "}}"),
    ("match", lambda n: '{{"t":"put","e":"' + "x" * 50000 + '"}}'),
    ("match", lambda n: '{{"t":"say","s":[' + "1," * 20000 + "1]}}"),
    ("match", lambda n: '{{"t":"want","i":0}}'),
    ("match", lambda n: '{{"t":"wish","what":[{{"kind":"pass","against":"' + "%064x" % n + '","order":""}}],"e":5}}'),
    ("match", lambda n: '{{"t":"ballot","epoch":' + str(n) + ',"voter":"' + "%064x" % n + '"}}'),
    ("match", lambda n: SIDE_CHANNEL_MARK + '{{"back":{{"seat":1,"to":' + str(n) + "}}}}"),
    ("match", lambda n: "\\u2028" * 50000),
]
end, n = monotonic() + {seconds}, 0
while monotonic() < end:
    channel, make = kinds[n % len(kinds)]
    net.send(None, channel, make(n))
    n += 1
    while js.waiting() > 300000 and monotonic() < end:
        await asyncio.sleep(0.005)
    if n % 20 == 0:
        await asyncio.sleep(0)
js.document.documentElement.dataset.flooded = str(n)
"""


@contextmanager
def second_browser(of: Browser) -> Iterator[Browser]:
    """Another browser, so that its processes are the flooded page's alone."""
    made = of.browser_type.launch(executable_path=str(chromium()), args=[*FLAGS, *PEER_FLAGS])
    yield made
    made.close()


def resident(browser: Browser) -> float:
    """MB of the browser's page processes."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    pages = 0
    for process in processes:
        if process["type"] == "renderer":
            status = Path(f"/proc/{process['id']}/status").read_text()
            pages += int(status.split("VmRSS:")[1].split()[0])
    return pages / 1000


def looked(browser: Browser, page: Page, devtools: CDPSession) -> tuple[float, ...]:
    return (*counted(page, devtools), resident(browser))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    seconds = parser.parse_args().seconds
    with site_and_browser() as (address, shared), second_browser(shared) as own, second_browser(shared) as other:
        waiting: list[Any] = [own, other]

        def new_device() -> Page:
            context = waiting.pop(0).new_context(permissions=["camera", "microphone"])
            context.set_default_timeout(PATIENCE)
            context.add_init_script(LANES)
            page: Page = context.new_page()
            page.goto(f"{address}#/")
            ready(page)
            return page

        victim, hostile = at_a_table(new_device, "iota", "Ada", "Bo")
        get_inside(victim)
        devtools = victim.context.new_cdp_session(victim)
        seen = [("before", looked(own, victim, devtools))]
        python(hostile, FLOOD.format(seconds=seconds))
        for number in range(1, LOOKS + 1):
            victim.wait_for_timeout(1000 * seconds / LOOKS)
            seen.append((f"{number * seconds // LOOKS} s", looked(own, victim, devtools)))
        hostile.wait_for_selector("html[data-flooded]", state="attached")
        sent = int(hostile.evaluate("document.documentElement.dataset.flooded"))
        victim.wait_for_timeout(5000)
        seen.append(("5 s later", looked(own, victim, devtools)))
    print(f"{sent:,} messages in {seconds} s\n\n| | heap MB | elements | Python objects | WebAssembly MB | page processes MB |")
    print("|---|---|---|---|---|---|")
    for when, values in seen:
        print(f"| {when} | {' | '.join(f'{value:,.1f}'.removesuffix('.0') for value in values)} |")
    half, last = seen[len(seen) // 2][1][-1], seen[-1][1][-1]
    print(f"\ngoal: under {MOST:.0f} MB more at the end than half-way: {'met' if last - half < MOST else 'missed'}")
    return 0 if last - half < MOST else 1


if __name__ == "__main__":
    raise SystemExit(main())
