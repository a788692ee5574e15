"""How long catching up takes in a real browser's worker: the log of ``bench/catching_up.py``, taken in by Chromium.

    python3 bench/catching_up_browser.py [entries] [game]
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import sync_playwright

from bench.catching_up import played, signed_head
from e2e.support.in_worker import RUN_IN_WORKER, run
from tabletin.registry import GAMES
from workshop import server, site
from workshop.chromium import FLAGS, chromium

IN_WORKER = """
import gc
import json
import time

from pyodide.code import run_js
from pyscript import config, sync
from tabletin.registry import rules_of
from tabletin.kernel.log import Entry, canonical
from tabletin.kernel.setup import Setup
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.identity_js import JsIdentity, JsVerifier
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.replication.evidence import peer_match
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.group import hash_to_scalars
from tabletin.peers.sealed.group_js import JsGroup
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.replication.backfill import BATCH

LOG, HEAD = json.loads(LOG), json.loads(HEAD)


def one_multiplication(group):
    scalars = hash_to_scalars(200, "bench", b"scalars")
    start = time.perf_counter()
    group.multiples(group.card_point("A"), scalars)
    return (time.perf_counter() - start) / len(scalars)


async def play(which):
    shim = await (await run_js("address => import(address)")(config["sodium"])).openGroup()
    group, verifier = JsGroup(shim), JsVerifier(shim)
    group.generators(256)
    genesis = Entry.from_json(LOG[0])
    puts = [canonical({"t": "put", "e": LOG[start:start + BATCH]}) for start in range(1, len(LOG), BATCH)]
    messages = [canonical(HEAD), *puts]
    setup = Setup.from_statement(genesis.statement)
    identity = JsIdentity(shim, bytes([1, 1]) + bytes(30))
    lines = []
    for _ in range(3):
        match = peer_match(genesis, rules_of(setup.game), verifier, DeferredChecker(group))
        dealer = SealedDealer(identity.author, bytes([2]) * 32)
        peer = Replica(identity, SignedAuthority(setup, verifier), match, dealer, restarted=True)
        gc.collect()
        unit = one_multiplication(group)
        start = time.perf_counter()
        for message in messages:
            peer.receive(setup.seats[0].author, message)
        took = time.perf_counter() - start
        unit = (unit + one_multiplication(group)) / 2
        late, now, start = peer.unchecked_count, 0.0, time.perf_counter()
        while peer.unchecked_count:
            now += 2.0
            peer.tick(now)
        lines.append(f"{len(match.entries)} entries taken in: {took:.2f} s, {took / unit:.0f} multiplications of "
                     f"{unit * 1e6:.0f} µs; {late} shuffles afterwards: {time.perf_counter() - start:.2f} s")
    return lines


sync.play = play
"""


def main(entries: int, game: str) -> None:
    replica = played(entries, game).peers[0]
    log = replica.match.entries[:entries]
    head = signed_head(replica, log[-1])
    source = f"LOG = {json.dumps([entry.to_json() for entry in log])!r}\nHEAD = {json.dumps(head)!r}\n{IN_WORKER}"
    serving = server.server(site.built(), port=0, prefix="/")
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(300_000)
        page.goto(f"http://localhost:{serving.server_port}/#/")
        page.wait_for_function("document.documentElement.dataset.python === 'ready'")
        print(*run(page, RUN_IN_WORKER.format(source=json.dumps(source), game=game)), sep="\n")
        browser.close()
    serving.shutdown()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("entries", nargs="?", type=int, default=2000)
    parser.add_argument("game", nargs="?", choices=GAMES, default="teeth-time")
    chosen = parser.parse_args()
    main(chosen.entries, chosen.game)
