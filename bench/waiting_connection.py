"""How long a bare Firefox keeps a connection that waits for a page, by how often and how late it is given an address to try.

``python3 bench/waiting_connection.py [--late 0 3 6 9 12] [--every 3]`` in our environment. One connection in an empty page, as
``app/browser/rtc_connection.py`` arms it: its remote addresses are this device's own, at a port where nobody answers. The first
row gets no address after that; each other one gets one every so many seconds, and once so many seconds too late. A row ends when
the browser gives up, or after a minute.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "py")]

from playwright.sync_api import sync_playwright

from e2e.support import firefox

SECONDS: Final = 60.0
WAIT: Final = """async ([every, late, seconds]) => {
    const began = performance.now();
    const passed = () => (performance.now() - began) / 1000;
    const pause = (time) => new Promise((go) => setTimeout(go, 1000 * time));
    const pc = new RTCPeerConnection();
    pc.createDataChannel("", { negotiated: true, id: 0 });
    let failed = null;
    let last = 0;
    pc.addEventListener("iceconnectionstatechange", () => {
        if (pc.iceConnectionState === "failed") failed = { after: passed(), since: passed() - last };
    });
    await pc.setLocalDescription(await pc.createOffer());
    while (pc.iceGatheringState !== "complete") await pause(0.1);
    const found = pc.localDescription.sdp.matchAll(/a=candidate:\\S+ 1 udp \\d+ (\\S+) \\d+ typ host/gi);
    const hosts = [...found].map((one) => one[1]);
    const candidate = (host, number) => `candidate:${number} 1 udp ${2113937151 - number} ${host} 9 typ host`;
    const fingerprint = Array.from({ length: 32 }, (_, index) => (index + 16).toString(16).toUpperCase()).join(":");
    const lines = ["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0",
        "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", "a=ice-ufrag:tabletin",
        `a=ice-pwd:${"t".repeat(24)}`, "a=ice-options:trickle", `a=fingerprint:sha-256 ${fingerprint}`,
        "a=setup:active", "a=mid:0", "a=sctp-port:5000", ...hosts.map((host) => `a=${candidate(host, 1)}`), ""];
    await pc.setRemoteDescription({ type: "answer", sdp: lines.join("\\r\\n") });
    last = passed();
    for (let number = 2; every && !failed && passed() < seconds; number += 1) {
        await pause(number === 5 ? every + late : every);
        if (!failed) last = passed();
        for (const host of hosts) await pc.addIceCandidate({ candidate: candidate(host, number), sdpMid: "0", sdpMLineIndex: 0 });
    }
    while (!failed && passed() < seconds) await pause(0.5);
    pc.close();
    return failed;
}"""


class Empty(BaseHTTPRequestHandler):
    """A page with nothing in it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 – the name in the standard library
        """Nothing is logged."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--late", type=float, nargs="*", default=[0.0, 3.0, 6.0, 9.0, 12.0], metavar="SECONDS")
    parser.add_argument("--every", type=float, default=3.0, metavar="SECONDS")
    options = parser.parse_args()
    os.environ["NODE_OPTIONS"] = f"--require={firefox.LACKING_COMMANDS}"
    server = ThreadingHTTPServer(("localhost", 0), Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        browser = play.firefox.launch(**firefox.launch_arguments())
        page = browser.new_page()
        page.goto(f"http://localhost:{server.server_port}/")
        for every, late in ((0.0, 0.0), *((options.every, late) for late in options.late)):
            failed = page.evaluate(WAIT, [every, late, SECONDS])
            case = f"every {every:g} s, once {late:g} s late" if every else "no address after the first"
            end = f"given up {failed['since']:.1f} s after the last one" if failed else f"kept for {SECONDS:g} s"
            print(f"{case:<32}{end}", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
