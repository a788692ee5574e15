"""One connection to another browser: an RTCPeerConnection with two data channels, and the proxies they need.

It makes and takes descriptions in their short form (``peers/net/code.py``), sends pieces and reports what happened. It does
not know who is at the other end, or what the pieces mean.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace
from secrets import token_urlsafe
from time import monotonic
from typing import Any, Final

from js import Object, RTCPeerConnection
from pyodide.ffi import JsException, create_proxy, to_js

from tabletin.peers.net.code import Description, Kind, candidate_lines, expand, shrink
from tabletin.peers.net.framing import LANE_COUNT
from tabletin.peers.net.link import Ticket

GATHERING: Final = 3.0  # seconds; what was not found until then is left out
FIRST_ADDRESS: Final = 17.0  # more seconds for the first address, where the browser still looks for one: devices can be slow
GLANCE: Final = 0.3  # seconds for the first part, where addresses may follow; and for each part after it
QUIET: Final = 1.0  # seconds without another address after one from a server: a server that never answers is not waited for
MORE_FOR: Final = 12.0  # seconds in which later addresses are told
MOST_EARLY: Final = 8
HOLD_EVERY: Final = 3.0  # seconds between one try of the other side's addresses and the next
MOST_IN_VAIN: Final = 2  # addresses that a browser is given after it has failed, until it counts as having given up
NOBODY: Final = 9  # the port "discard", where nothing answers
PAUSE: Final = 1_000_000  # bytes buffered by the browser
RESUME: Final = 256_000
USER: Final = 8  # characters
PASSWORD: Final = 24
TO_ICE: Final = str.maketrans("-_", "+/")


def js_object(value: object) -> Any:
    """``value`` as JavaScript objects."""
    return to_js(value, dict_converter=Object.fromEntries)


def with_credentials(description: Any, user: str, password: str) -> Any:
    """A description with ICE credentials that the page chose."""
    sdp = re.sub(r"a=ice-ufrag:\S+", f"a=ice-ufrag:{user}", str(description.sdp))
    return js_object({"type": str(description.type), "sdp": re.sub(r"a=ice-pwd:\S+", f"a=ice-pwd:{password}", sdp)})


async def can_redeem() -> bool:
    """Whether this browser takes ICE credentials that the page chose. Browsers are about to stop that."""
    pc = RTCPeerConnection.new()
    try:
        pc.createDataChannel("")
        await pc.setLocalDescription(with_credentials(await pc.createOffer(), "tabletin", "t" * PASSWORD))
        return "a=ice-ufrag:tabletin" in str(pc.localDescription.sdp)
    except JsException:
        return False
    finally:
        pc.close()


class RtcConnection:
    """Calls ``on_way()`` once a way is found, ``on_open()`` once all lanes are open, ``on_piece(lane, piece)``,
    ``on_space(lane)`` and ``on_end()``.

    ``on_space``: a lane that was full takes pieces again.
    """

    def __init__(self, configuration: dict[str, Any], *, on_way: Callable[[], None], on_open: Callable[[], None],
                 on_piece: Callable[[int, bytes], None], on_space: Callable[[int], None], on_end: Callable[[], None]) -> None:
        self._pc = RTCPeerConnection.new(js_object(configuration))
        self._on_way, self._on_open, self._on_piece, self._on_space, self._on_end = on_way, on_open, on_piece, on_space, on_end
        self._proxies: list[tuple[Any, str, Any]] = []
        self._candidates_found = asyncio.Event()
        self._lanes = [self._lane(number) for number in range(LANE_COUNT)]
        self._is_open = False
        self._seeks_way = True  # addresses count: no lane was open yet, or the way is being mended
        self.is_closed = False
        self.their_fingerprint = b""
        self._described = self._theirs = Description("", "", b"", ())
        self._early: list[Description] = []  # addresses that came before the description they belong to
        for name in ("icegatheringstatechange", "icecandidate"):
            self._on(self._pc, name, lambda event: self._candidates_found.set())
        self._on(self._pc, "iceconnectionstatechange", lambda event: self._way_changed())

    def _lane(self, number: int) -> Any:
        lane = self._pc.createDataChannel("", js_object({"negotiated": True, "id": number}))
        lane.binaryType = "arraybuffer"
        lane.bufferedAmountLowThreshold = RESUME
        self._on(lane, "open", lambda event: self._lane_opened())
        self._on(lane, "message", lambda event: self._message(number, event.data))
        self._on(lane, "bufferedamountlow", lambda event: self._on_space(number))
        self._on(lane, "close", lambda event: self._lane_closed())
        return lane

    def _on(self, target: Any, name: str, act: Callable[[Any], None]) -> None:
        proxy = create_proxy(act)
        target.addEventListener(name, proxy)
        self._proxies.append((target, name, proxy))

    def _way_changed(self) -> None:
        if not self._is_open and not self.is_closed and str(self._pc.iceConnectionState) in ("connected", "completed"):
            self._on_way()

    @property
    def seeks_way(self) -> bool:
        """Whether the browser still looks for a way, or has one."""
        return not self.is_closed and str(self._pc.iceConnectionState) in ("new", "checking", "connected", "completed")

    # ---- descriptions ----

    async def offer(self, *, mend: bool = False, in_parts: bool = False) -> Description:
        """An offer with its candidates; ``in_parts``: with the first, and ``further_addresses`` gives the others."""
        return await self._describe(await self._pc.createOffer(js_object({"iceRestart": mend})), in_parts)

    async def reply(self, offer: Description, *, in_parts: bool = False) -> Description:
        """The answer to an offer; ``in_parts`` as with ``offer``."""
        await self._take("offer", expand(offer, Kind.INVITE))
        return await self._describe(await self._pc.createAnswer(), in_parts)

    async def further_addresses(self) -> AsyncIterator[Description]:
        """The addresses that are found after a description in parts, some at a time, until the connection is open or closed.

        Where a way is mended, the connection is open all the while: they are told until the last one is found.
        """
        described = self._described
        told = set(described.candidates)
        end = monotonic() + MORE_FOR
        while self._seeks_way and not self.is_closed and described is self._described and monotonic() < end:
            self._candidates_found.clear()
            now = shrink(str(self._pc.localDescription.sdp))
            more = tuple(one for one in now.candidates if one not in told)
            if more and now.user == described.user:
                told.update(more)
                yield replace(described, candidates=more)
            elif now.candidates and str(self._pc.iceGatheringState) == "complete":
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._candidates_found.wait(), end - monotonic())
            await asyncio.sleep(GLANCE)

    async def extend(self, description: Description) -> None:
        """Try further addresses of the other side, or keep them until the description is there that they belong to."""
        if description.user != self._theirs.user:
            self._early = [*self._early, description][-MOST_EARLY:]
            return
        lines = candidate_lines(description, first=len(self._theirs.candidates) + 1)
        self._theirs = replace(self._theirs, candidates=(*self._theirs.candidates, *description.candidates))
        for line in lines:
            if self._seeks_way and not self.is_closed:
                await self._try(line)

    async def hold_open(self, offer: Description, *, ends: bool = False) -> None:
        """Keep trying the addresses of ``offer`` until the connection is open or closed: people carry the answer meanwhile.

        Browsers stop some 12 seconds after the last address: the router at home then forgets the way. A page that was held up
        so long tries too late. Chromium takes the next address up; Firefox has given up for good. ``ends``: then end it.
        """
        generation = in_vain = 0
        while not self._is_open and not self.is_closed:
            await asyncio.sleep(HOLD_EVERY)
            generation += 1
            in_vain = in_vain + 1 if str(self._pc.iceConnectionState) == "failed" else 0
            if ends and in_vain > MOST_IN_VAIN and not self.is_closed:
                self.close()
                self._on_end()
                return
            for line in candidate_lines(offer, generation):
                if not self._is_open and not self.is_closed:
                    await self._try(line)

    async def _try(self, candidate: str) -> None:
        with suppress(JsException):  # one that this browser cannot use
            await self._pc.addIceCandidate(js_object({"candidate": candidate, "sdpMid": "0", "sdpMLineIndex": 0}))

    async def finish(self, answer: Description) -> None:
        await self._take("answer", expand(answer, Kind.REPLY))

    async def _take(self, kind: str, sdp: str) -> None:
        taken = shrink(sdp)
        self.their_fingerprint = taken.fingerprint  # the browser accepts no other certificate
        await self._pc.setRemoteDescription(js_object({"type": kind, "sdp": sdp}))
        self._theirs = taken
        early, self._early = self._early, []
        for description in early:
            await self.extend(description)

    async def _describe(self, description: Any, in_parts: bool) -> Description:
        """The description with the candidates that were found until all were, or time is up.

        In parts it may have none yet. Whole, it has one unless the browser says that there are none, or time for the first is up.
        """
        self._seeks_way = True
        await self._pc.setLocalDescription(description)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._all_found(), GLANCE if in_parts else GATHERING)
        if not in_parts:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._first_found(), FIRST_ADDRESS)
        self._described = shrink(str(self._pc.localDescription.sdp))
        return self._described

    async def _all_found(self) -> None:
        """Wait for the last candidate, or for the last that is likely to come.

        While a connection is mended, the browser says "complete" for a moment longer, about the candidates before.
        """
        while True:
            self._candidates_found.clear()
            found = shrink(str(self._pc.localDescription.sdp)).candidates
            if found and str(self._pc.iceGatheringState) == "complete":
                return
            try:
                await asyncio.wait_for(self._candidates_found.wait(), QUIET if any(one.kind != "host" for one in found) else None)
            except TimeoutError:
                return

    async def _first_found(self) -> None:
        """Wait for one candidate, or for the browser to say that it looks for none any more."""
        while not self.is_closed and str(self._pc.iceGatheringState) != "complete":
            if shrink(str(self._pc.localDescription.sdp)).candidates:
                return
            self._candidates_found.clear()
            await self._candidates_found.wait()

    async def arm(self, fingerprint: bytes) -> tuple[Ticket, Description]:
        """Wait for the device with this certificate to connect with credentials agreed now: its ticket, what to ``hold_open``.

        Firefox gives up a connection that has nothing to try: so this one tries this device's own addresses, where nobody is.
        """
        user, password = (token_urlsafe(64).translate(TO_ICE)[:length] for length in (USER, PASSWORD))
        offer = await self.offer()
        nowhere = tuple(replace(one, port=NOBODY) for one in offer.candidates if one.kind == "host")
        other = Description(user, password, fingerprint, nowhere)
        await self.finish(other)
        return Ticket(offer.to_text(), user, password), other

    async def redeem(self, ticket: Ticket) -> None:
        """Connect to the connection that waits for this device."""
        await self._take("offer", expand(Description.from_text(ticket.offer), Kind.INVITE))
        await self._pc.setLocalDescription(with_credentials(await self._pc.createAnswer(), ticket.user, ticket.password))

    # ---- pieces ----

    def has_space(self, lane: int) -> bool:
        """Whether a lane takes another piece now. If not, ``on_space`` follows."""
        channel = self._lanes[lane]
        return self._is_open and str(channel.readyState) == "open" and int(channel.bufferedAmount) < PAUSE

    def send(self, lane: int, piece: bytes) -> None:
        self._lanes[lane].send(to_js(piece))

    def _message(self, lane: int, data: Any) -> None:
        if not self.is_closed:
            self._on_piece(lane, b"" if isinstance(data, str) else bytes(data.to_bytes()))

    def _lane_opened(self) -> None:
        """A lane is open. The browser may not show the descriptions yet, so they are not asked for."""
        if not self._is_open and not self.is_closed and all(str(lane.readyState) == "open" for lane in self._lanes):
            self._is_open, self._seeks_way = True, False
            self._on_open()

    def _lane_closed(self) -> None:
        if not self.is_closed:
            self.close()
            self._on_end()

    def close(self) -> None:
        """End it. No callback is called any more."""
        if self.is_closed:
            return
        self.is_closed = True
        self._is_open = False
        self._candidates_found.set()
        for target, name, proxy in self._proxies:
            target.removeEventListener(name, proxy)
            proxy.destroy()
        self._proxies.clear()
        self._pc.close()
