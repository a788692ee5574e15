"""Going on from another device: what the old and the new device of the same person say to each other beside the match.

The two meet by an invite made for this. The new one hears which match it is, follows it, and offers to go on; the old one
signs it over. Both signatures stand in the log, and so does the running deal's secret, for the new device's eyes only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tabletin.app.session.peers.ports import PeerMatch, SessionPart
from tabletin.app.session.peers.side_channel import MOST_TEXT, MOST_VALUES, SIDE_CHANNEL_MARK, SideChannel
from tabletin.kernel.log import Json, canonical, count_field, parse
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.net.rendezvous import transfer_proof
from tabletin.peers.net.transport import MATCH, Transport
from tabletin.peers.replication.offer import Offer
from tabletin.peers.worker.calls import AcceptOffer, MakeOffer

AGAIN: Final = 1.0  # seconds until something is said again
TRIES: Final = 8  # a deal may move on while its secret is on its way
TOO_LATE: Final = ("peers.device_late", "peer_match.overtaken")


class DeviceTransfer(SessionPart):
    """The old device's side, of ``session``. ``expected_devices``: the devices that answered an invite to go on for this one;
    ``stage``: "", "met", "handing", "done"; ``trouble``: why it was refused."""

    def __init__(self, session: PeerMatch, channel: SideChannel) -> None:
        self._session = session
        self._channel = channel
        self.expected_devices: set[str] = set()
        self.stage = ""
        self.trouble: Refusal | None = None
        self._room: Json = None
        self._room_now: Callable[[], Json] = lambda: None
        self._transfer = ""  # the secret of the link that is out; "" for none
        channel.add_handler("come", self._hear_come)
        channel.add_handler("offer", self._hear_offer)

    def begin(self) -> None:
        """An invite is made. Forget an earlier transfer: the seats may have come back to this device since."""
        self.stage, self.trouble, self._transfer = "", None, ""

    def expect(self, author: str, room: Json) -> None:
        """``author`` answered the invite: it may have the seats of this device. ``room``: where the others are met."""
        self.expected_devices.add(author)
        self._room, self.trouble = room, None
        self._enter("met")

    def _enter(self, stage: str) -> None:
        self.stage = stage
        self._session.status_changed()

    def accept_link(self, transfer: str, room: Callable[[], Json]) -> None:
        """Whoever shows that they hold ``transfer`` may have the seats of this device; ``room`` as for ``expect``."""
        self._transfer, self._room_now = transfer, room

    def _hear_come(self, sender: str, data: Any) -> None:
        shown = data.get("proof") if type(data) is dict else None
        if self._transfer and shown == transfer_proof(self._transfer, sender) and sender not in self.expected_devices:
            self.expect(sender, self._room_now())
        if sender in self.expected_devices:
            entries = self._session.match.entries
            self._channel.say(sender, {"match": {"genesis": entries[0].to_json(), "entries": len(entries), "room": self._room}})

    def _hear_offer(self, sender: str, data: Any) -> None:
        offer = Offer.from_json(data)
        if offer.author != sender:
            raise Malformed("the offer of another device")
        if sender in self.expected_devices and self.stage == "met":
            self._enter("handing")
            self._session.start_task(self._hand_over(sender, offer))

    async def _hand_over(self, to: str, offer: Offer) -> None:
        for attempt in range(TRIES):
            try:
                await self._session.speak(AcceptOffer(offer))
            except Refused as error:
                if error.refusal.key in TOO_LATE and attempt < TRIES - 1:
                    continue
                self.trouble = error.refusal
                self._channel.say(to, {"stay": error.refusal.key})
                self._enter("")
                return
            self.expected_devices.discard(to)
            self._transfer = ""
            self._enter("done")
            return


@dataclass(frozen=True, slots=True)
class TransferOffer:
    """Which match it is, how long its log was, and the room as the old device knew it (or null)."""

    genesis: Json
    entries: int
    room: Json


class DeviceTakeover:
    """The new device's side: it goes on for ``old``, over ``net``. ``proof``: of a device that came by a link."""

    def __init__(self, net: Transport, old: str, proof: str = "") -> None:
        self._net = net
        self._old = old
        self._come = {"proof": proof} if proof else {}

    async def offer(self) -> TransferOffer:
        """Ask the old device until it says which match it is."""
        found: asyncio.Future[TransferOffer] = asyncio.get_running_loop().create_future()

        def hear(sender: str, text: str) -> None:
            if sender != self._old or not text.startswith(SIDE_CHANNEL_MARK) or found.done():
                return
            try:
                found.set_result(_read(parse(text[len(SIDE_CHANNEL_MARK):], MOST_TEXT, values=MOST_VALUES)))
            except Malformed:
                return  # something else that tables say; the answer is asked for again

        self._net.on_text(MATCH, hear)
        while not found.done():
            self._net.send(self._old, MATCH, SIDE_CHANNEL_MARK + canonical({"come": self._come}).decode())
            await asyncio.wait([found], timeout=AGAIN)
        return found.result()

    async def take_over(self, session: PeerMatch, channel: SideChannel, offer: TransferOffer) -> None:
        """Follow the match of ``session``, and offer to go on until the seats are this device's. Raises ``Refused``."""
        refusal: list[str] = []
        channel.add_handler("stay", lambda sender, key: refusal.append(str(key)) if sender == self._old else None)
        while not session.people:
            if session.match.outcome is not None:
                raise Refused(Refusal("kernel.over"))
            if refusal:
                raise Refused(Refusal(refusal[0]))
            if session.device is not None and len(session.match.entries) >= offer.entries:
                answer = await session.ask_worker(MakeOffer(self._old))
                channel.say(self._old, {"offer": answer.result_as(Offer).to_json()})
            for _ in range(10):
                if not session.people:
                    await asyncio.sleep(AGAIN / 10)


def _read(data: Json) -> TransferOffer:
    """Raises ``Malformed``."""
    match = data.get("match") if type(data) is dict else None
    if type(match) is not dict or match.keys() != {"genesis", "entries", "room"}:
        raise Malformed("expected a match")
    return TransferOffer(match["genesis"], count_field(match, "entries"), match["room"])
