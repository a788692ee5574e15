"""One connection to another browser: an RTCPeerConnection with two data channels, and the proxies they need.

It makes and takes descriptions in their short form (``peers/invite.py``), sends pieces and says what happened. Who is at
the other end, and what is said, it does not know.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from secrets import token_urlsafe
from typing import Any, Final

from js import Object, RTCPeerConnection
from pyodide.ffi import JsException, create_proxy, to_js

from tabletin.peers.net.code import Description, Kind, expand, shrink
from tabletin.peers.net.framing import LANE_COUNT
from tabletin.peers.net.link import Ticket

GATHERING: Final = 3.0  # seconds; what was not found until then is left out
PAUSE: Final = 1_000_000  # bytes buffered by the browser
RESUME: Final = 256_000
USER: Final = 8  # characters
PASSWORD: Final = 24
TO_ICE: Final = str.maketrans("-_", "+/")


def js_object(value: object) -> Any:
    """A dictionary as the browser wants it."""
    return to_js(value, dict_converter=Object.fromEntries)


def own(description: Any, user: str, password: str) -> Any:
    """A description with ICE credentials of our own choice."""
    sdp = re.sub(r"a=ice-ufrag:\S+", f"a=ice-ufrag:{user}", str(description.sdp))
    return js_object({"type": str(description.type), "sdp": re.sub(r"a=ice-pwd:\S+", f"a=ice-pwd:{password}", sdp)})


async def redeems() -> bool:
    """Whether this browser takes ICE credentials of a page's own choice: browsers are closing that door."""
    pc = RTCPeerConnection.new()
    try:
        pc.createDataChannel("")
        await pc.setLocalDescription(own(await pc.createOffer(), "tabletin", "t" * PASSWORD))
        return "a=ice-ufrag:tabletin" in str(pc.localDescription.sdp)
    except JsException:
        return False
    finally:
        pc.close()


class RtcConnection:
    """``opened()`` once both lanes are, ``heard(lane, piece)``, ``free(lane)`` when there is room again, ``ended()``."""

    def __init__(self, configuration: dict[str, Any], *, opened: Callable[[], None], heard: Callable[[int, bytes], None],
                 free: Callable[[int], None], ended: Callable[[], None]) -> None:
        self._pc = RTCPeerConnection.new(js_object(configuration))
        self._opened, self._heard, self._free, self._ended = opened, heard, free, ended
        self._proxies: list[tuple[Any, str, Any]] = []
        self._gathered = asyncio.Event()
        self._lanes = [self._lane(number) for number in range(LANE_COUNT)]
        self._open = False
        self.closed = False
        self.theirs = b""  # the other certificate's fingerprint
        self._on(self._pc, "icegatheringstatechange", self._gathering)

    def _lane(self, number: int) -> Any:
        lane = self._pc.createDataChannel("", js_object({"negotiated": True, "id": number}))
        lane.binaryType = "arraybuffer"
        lane.bufferedAmountLowThreshold = RESUME
        self._on(lane, "open", lambda event: self._lane_opened())
        self._on(lane, "message", lambda event: self._message(number, event.data))
        self._on(lane, "bufferedamountlow", lambda event: self._free(number))
        self._on(lane, "close", lambda event: self._lane_closed())
        return lane

    def _on(self, target: Any, name: str, act: Callable[[Any], None]) -> None:
        proxy = create_proxy(act)
        target.addEventListener(name, proxy)
        self._proxies.append((target, name, proxy))

    # ---- descriptions ----

    async def offer(self, *, mend: bool = False) -> Description:
        """An offer with its candidates."""
        return await self._described(await self._pc.createOffer(js_object({"iceRestart": mend})))

    async def reply(self, offer: Description) -> Description:
        """The answer to an offer."""
        await self._take("offer", expand(offer, Kind.INVITE))
        return await self._described(await self._pc.createAnswer())

    async def finish(self, answer: Description) -> None:
        await self._take("answer", expand(answer, Kind.REPLY))

    async def _take(self, kind: str, sdp: str) -> None:
        self.theirs = shrink(sdp).fingerprint  # the browser holds the other side to it
        await self._pc.setRemoteDescription(js_object({"type": kind, "sdp": sdp}))

    async def _described(self, description: Any) -> Description:
        """What was found of it when all was looked for, or time is up."""
        await self._pc.setLocalDescription(description)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_found(), GATHERING)
        return shrink(str(self._pc.localDescription.sdp))

    async def _all_found(self) -> None:
        """When a connection is mended, the browser says "complete" for a moment longer, of what it found before."""
        while str(self._pc.iceGatheringState) != "complete" or not shrink(str(self._pc.localDescription.sdp)).candidates:
            self._gathered.clear()
            await self._gathered.wait()

    def _gathering(self, event: Any) -> None:
        self._gathered.set()

    async def arm(self, fingerprint: bytes) -> Ticket:
        """Wait for the device with this certificate to connect with credentials agreed now."""
        user, password = (token_urlsafe(64).translate(TO_ICE)[:length] for length in (USER, PASSWORD))
        offer = await self.offer()
        await self.finish(Description(user, password, fingerprint, ()))
        return Ticket(offer.to_text(), user, password)

    async def redeem(self, ticket: Ticket) -> None:
        """Connect to what waits for this device."""
        await self._take("offer", expand(Description.from_text(ticket.offer), Kind.INVITE))
        await self._pc.setLocalDescription(own(await self._pc.createAnswer(), ticket.user, ticket.password))

    # ---- pieces ----

    def room(self, lane: int) -> bool:
        """Whether a lane takes another piece now; if not, ``free`` will tell."""
        channel = self._lanes[lane]
        return self._open and str(channel.readyState) == "open" and int(channel.bufferedAmount) < PAUSE

    def send(self, lane: int, piece: bytes) -> None:
        self._lanes[lane].send(to_js(piece))

    def _message(self, lane: int, data: Any) -> None:
        if not self.closed:
            self._heard(lane, b"" if isinstance(data, str) else bytes(data.to_bytes()))

    def _lane_opened(self) -> None:
        """A lane is open: perhaps before the browser shows the descriptions that led there, so they are not asked for."""
        if not self._open and not self.closed and all(str(lane.readyState) == "open" for lane in self._lanes):
            self._open = True
            self._opened()

    def _lane_closed(self) -> None:
        if not self.closed:
            self.close()
            self._ended()

    def close(self) -> None:
        """End it; nothing is told any more."""
        if self.closed:
            return
        self.closed = True
        self._open = False
        self._gathered.set()
        for target, name, proxy in self._proxies:
            target.removeEventListener(name, proxy)
            proxy.destroy()
        self._proxies.clear()
        self._pc.close()
