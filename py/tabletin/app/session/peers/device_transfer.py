"""Going on from another device: what the old device and the new one of the same person say to each other beside the match.

The two meet by an invite made for this. The new one hears which match it is, follows it, and offers to go on; the old one
signs it over. Both signatures, and the running deal's secret for the new device's eyes only, stand in the log.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tabletin.app.session.peers.ports import PeerMatch
from tabletin.app.session.peers.side_channel import SIDE_CHANNEL_MARK, SideChannel
from tabletin.kernel.log import Json, canonical, count_field, parse
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.net.transport import MATCH, Transport

AGAIN: Final = 1.0  # seconds until something is said again
TRIES: Final = 8  # a deal may move on while its secret is on its way
LATE: Final = ("peers.device_late", "peer_match.overtaken")
OFFER: Final = frozenset({"to", "offer", "agreed"})


class Host(PeerMatch, Protocol):
    """What this part needs beside the match."""

    side_channel: SideChannel


class DeviceTransfer:
    """The old device's side, of ``session``. ``expected``: the devices that answered an invite to go on for this one;
    ``stage``: "", "met", "handing", "done"; ``trouble``: why it was refused."""

    def __init__(self, session: Host) -> None:
        self._session = session
        self.expected: set[str] = set()
        self.stage = ""
        self.trouble: Refusal | None = None
        self._room: Json = None
        session.side_channel.on("come", self._hear_come)
        session.side_channel.on("offer", self._hear_offer)

    def begin(self) -> None:
        """An invite is made; what became of one before, when the seats were here and went and came back, is done with."""
        self.stage, self.trouble = "", None

    def expect(self, author: str, room: Json) -> None:
        """``author`` answered the invite: it may have the seats of this device. ``room``: where the others are met."""
        self.expected.add(author)
        self._room, self.trouble = room, None
        self._go("met")

    def _go(self, stage: str) -> None:
        self.stage = stage
        self._session.status_changed()

    def _hear_come(self, sender: str, data: Any) -> None:
        session = self._session
        if sender in self.expected:
            entries = session.match.entries
            offer = {"genesis": entries[0].to_json(), "entries": len(entries), "room": self._room}
            session.side_channel.say(sender, {"match": offer})

    def _hear_offer(self, sender: str, data: Any) -> None:
        if type(data) is not dict or data.keys() != OFFER or data["to"] != sender:
            raise Malformed("expected an offer")
        if sender in self.expected and self.stage == "met":
            self._go("handing")
            self._session.later(self._hand_over(sender, data))

    async def _hand_over(self, to: str, offer: dict[str, Json]) -> None:
        for attempt in range(TRIES):
            try:
                await self._session.speak(do="move_to", offer=offer)
            except Refused as error:
                if error.refusal.key in LATE and attempt < TRIES - 1:
                    continue
                self.trouble = error.refusal
                self._session.side_channel.say(to, {"stay": error.refusal.key})
                self._go("")
                return
            self.expected.discard(to)
            self._go("done")
            return


@dataclass(frozen=True, slots=True)
class TransferOffer:
    """Which match it is, how long its log was, and the room as the old device knew it (or null)."""

    genesis: Json
    entries: int
    room: Json


class DeviceTakeover:
    """The new device's side: it goes on for ``old``, over ``net``."""

    def __init__(self, net: Transport, old: str) -> None:
        self._net = net
        self._old = old

    async def told(self) -> TransferOffer:
        """Ask the old device until it says which match it is."""
        heard: asyncio.Future[TransferOffer] = asyncio.get_running_loop().create_future()

        def hear(sender: str, text: str) -> None:
            if sender != self._old or not text.startswith(SIDE_CHANNEL_MARK) or heard.done():
                return
            try:
                heard.set_result(_read(parse(text[len(SIDE_CHANNEL_MARK):])))
            except Malformed:
                return  # something else that tables say; the answer is asked for again

        self._net.on_text(MATCH, hear)
        while not heard.done():
            self._net.send(self._old, MATCH, SIDE_CHANNEL_MARK + canonical({"come": {}}).decode())
            await asyncio.wait([heard], timeout=AGAIN)
        return heard.result()

    async def take_over(self, session: Host, told: TransferOffer) -> None:
        """Follow the match, and offer to go on until the seats are this device's. Raises ``Refused``."""
        refusal: list[str] = []
        session.side_channel.on("stay", lambda sender, key: refusal.append(str(key)) if sender == self._old else None)
        while not session.people:
            if session.match.outcome is not None:
                raise Refused(Refusal("kernel.over"))
            if refusal:
                raise Refused(Refusal(refusal[0]))
            if session.device is not None and len(session.match.entries) >= told.entries:
                answer = await session.ask_worker(do="offer", author=self._old)
                session.side_channel.say(self._old, {"offer": answer["offer"]})
            for _ in range(10):
                if not session.people:
                    await asyncio.sleep(AGAIN / 10)


def _read(data: Json) -> TransferOffer:
    """Raises ``Malformed``."""
    told = data.get("match") if type(data) is dict else None
    if type(told) is not dict or told.keys() != {"genesis", "entries", "room"}:
        raise Malformed("expected a match")
    return TransferOffer(told["genesis"], count_field(told, "entries"), told["room"])
