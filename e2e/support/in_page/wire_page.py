"""Runs in a page of the site: opens its links and hands them to the test as ``globalThis.wire``. Keys are a stand-in's.

What it hears stands in lists that only grow: ``texts`` as [channel, author, text], ``changes`` as [author, presence].
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from js import document, globalThis, performance
from pyodide.ffi import create_proxy, to_js

from tabletin.app.browser import rtc_connection
from tabletin.app.browser.transport import Invite, WebRtcInviteReply, WebRtcTransport, open_transport
from tabletin.peers.net.code import BadCode, shrink
from tabletin.peers.net.effects import Dial
from tabletin.peers.net.link import Signal
from tabletin.peers.net.rendezvous import Rendezvous
from tabletin.peers.net.signaling import begin
from tabletin.peers.net.transport import Unreachable
from tests.support.standin import StandIn, StandInVerifier


class Signer:
    """Signs at once."""

    def __init__(self, seed: str) -> None:
        self._identity = StandIn(seed.encode())
        self.author = self._identity.author

    async def sign(self, text: str) -> str:
        return self._identity.sign(text.encode())

    async def check(self, author: str, text: str, signature: str) -> bool:
        return StandInVerifier().verify(author, text.encode(), signature)


nets: list[WebRtcTransport] = []
signers: list[Signer] = []
invitations: list[Invite] = []
answers: list[WebRtcInviteReply] = []
texts: list[list[str]] = []
changes: list[list[str]] = []
echoes: list[asyncio.Future[None]] = []


def net() -> WebRtcTransport:
    return nets[-1]


def hear(channel: str, author: str, text: str) -> None:
    if text.startswith("echo?"):
        net().send(author, channel, "echo!")
    elif text == "echo!":
        echoes.pop().set_result(None)
    else:
        texts.append([channel, author, text])


async def opened(seed: str, room: str = "", servers: str = "null") -> str:
    settings = json.loads(servers)
    signers.append(Signer(seed))
    nets.append(await open_transport(signers[-1], None if settings is None else SimpleNamespace(**settings), room or None))
    for channel in ("match", "room"):
        net().on_text(channel, lambda author, text, channel=channel: hear(channel, author, text))  # type: ignore[misc]
    net().on_presence(lambda author: changes.append([author, net().presence(author).value]))
    return net().author


async def meet(name: str, relays: str) -> None:
    """Be found under ``name`` through ``relays``."""
    await net().meet(Rendezvous.from_name(name), relays.split(), seeks=True)


async def invite() -> str:
    invitations.append(await net().invite())
    return invitations[-1].code


async def accept(reply: str, number: int = -1) -> str:
    return await invitations[number].accept(reply)


async def answer(code: str) -> str:
    answers.append(await net().answer(code))
    return answers[-1].reply


async def connected() -> str:
    return await answers[-1].wait_connected()


async def round_trips(author: str, count: int) -> str:
    """Milliseconds of each, as JSON."""
    took = []
    for _ in range(count):
        echoes.append(asyncio.get_running_loop().create_future())
        begun = float(performance.now())
        net().send(author, "room", "echo?")
        await echoes[-1]
        took.append(float(performance.now()) - begun)
    return json.dumps(took)


async def carried(author: str, size: int) -> float:
    """Milliseconds until a text of ``size`` characters has come and was answered."""
    echoes.append(asyncio.get_running_loop().create_future())
    begun = float(performance.now())
    net().send(author, "match", "echo?".ljust(size))
    await echoes[-1]
    return float(performance.now()) - begun


def reasons(act: Callable[..., Awaitable[Any]]) -> Any:
    """What it returns, or "!" and the key of why not."""
    async def tried(*arguments: Any) -> Any:
        try:
            return await act(*arguments)
        except (BadCode, Unreachable) as error:
            return f"!{error.key}"
    return create_proxy(tried)


def state() -> str:
    here = net()
    return json.dumps({
        "room": here.room, "connected": here.connected_authors(), "lost": here.lost_authors(), "texts": texts, "changes": changes,
        "presence": {author: here.presence(author).value for author in {*here.connected_authors(), *(who for who, _ in changes)}},
        "troubles": here.troubles, "returns": [author for author in here.connected_authors() if here.returns(author)]})


def call(name: str, *arguments: Any) -> Any:
    return getattr(net(), name)(*arguments)


def send(to: str, channel: str, text: str) -> None:
    net().send(to or None, channel, text)


def cancel(number: int = -1) -> None:
    invitations[number].cancel()


def connection(author: str) -> Any:
    mesh: Any = net().driver.mesh
    return net().driver.connections[mesh.state.neighbours[author].links[-1]]


def hurry() -> None:
    """Descriptions wait for no address: all of them follow."""
    rtc_connection.GLANCE = 0.0  # type: ignore[misc]


def break_off(author: str) -> None:
    """As a browser does it that gives a connection up."""
    connection(author)._pc.close()


def mend(author: str, via: str) -> None:
    """As the mesh does it when a link fell silent."""
    mesh: Any = net().driver.mesh
    state = mesh.state
    link = state.newest(state.neighbours[author])
    begin(link, via, Signal.MEND, state.token())
    state.effects.append(Dial(link.id, mend=True))
    net().driver.perform()


def path(author: str) -> str:
    """The link in use, and the ICE credentials at both ends of it."""
    found = connection(author)._pc
    users = [shrink(str(side.sdp)).user for side in (found.localDescription, found.remoteDescription)]
    return json.dumps([str(found.signalingState), str(found.connectionState), *users])


async def ends_in_use(author: str) -> list[Any]:
    """What the browser says of the addresses by which the way in use goes, here and there."""
    stats = await connection(author)._pc.getStats()
    found = {str(one.id): one for one in stats.values()}
    pair = next(found[str(one.selectedCandidatePairId)] for one in found.values()
                if str(one.type) == "transport" and hasattr(one, "selectedCandidatePairId"))
    return [found[str(end)] for end in (pair.localCandidateId, pair.remoteCandidateId)]


async def kinds(author: str) -> Any:
    """By what the way in use goes, here and there: "host", "srflx" or "relay"."""
    return to_js([str(end.candidateType) for end in await ends_in_use(author)])


async def users_in_use(author: str) -> Any:
    """The ICE users of the way in use, here and there: others once it was mended."""
    return to_js([str(end.usernameFragment) for end in await ends_in_use(author)])


def garbage(author: str, pieces: str) -> None:
    """Send anything at all."""
    for lane, piece in json.loads(pieces):
        connection(author)._lanes[lane].send(piece if isinstance(piece, str) else to_js(bytes(piece)))


def pose(author: str) -> None:
    """Claim to be another."""
    signers[-1].author = author


def buffered(author: str) -> int:
    return max(int(lane.bufferedAmount) for lane in connection(author)._lanes)


def end() -> None:
    """Close all links."""
    for one in nets:
        one.close()


globalThis.wire = globalThis.Object.new()
for waited in (opened, meet, invite, accept, answer, connected, round_trips, carried, kinds, users_in_use):
    setattr(globalThis.wire, waited.__name__, reasons(waited))
for done in (state, call, send, cancel, hurry, break_off, mend, path, garbage, pose, buffered, end):
    setattr(globalThis.wire, done.__name__, create_proxy(done))
document.documentElement.dataset.wire = "ready"
