"""Runs in a page of the site: opens its links and hands them to the test as ``globalThis.wire``. Keys are a stand-in's.

What it hears stands in lists that only grow: ``texts`` as [channel, author, text], ``changes`` as [author, presence].
"""

import json
from types import SimpleNamespace

from js import document, globalThis
from pyodide.ffi import create_proxy, to_js
from pyscript import config  # noqa: F401 – part of what a page has

from tabletin.page.wire import open_net
from tabletin.peers.identity import StandIn, StandInVerifier
from tabletin.peers.invite import BadCode
from tabletin.peers.net import Blocked


class Peering:
    """Signs at once."""

    def __init__(self, seed):
        self._identity = StandIn(seed.encode())
        self.author = self._identity.author

    async def sign(self, text):
        return self._identity.sign(text.encode())

    async def check(self, author, text, signature):
        return StandInVerifier().verify(author, text.encode(), signature)


held = SimpleNamespace(net=None, invitations=[], answers=[], texts=[], changes=[])


async def opened(seed, room="", helpers="null"):
    settings = json.loads(helpers)
    held.net = net = await open_net(Peering(seed), None if settings is None else SimpleNamespace(**settings),
                                    room or None)
    for channel in ("match", "room"):
        net.on_text(channel, lambda author, text, channel=channel: held.texts.append([channel, author, text]))
    net.on_presence(lambda author: held.changes.append([author, net.presence(author).value]))
    return net.author


def reasons(act):
    async def tried(*arguments):
        try:
            return await act(*arguments)
        except (BadCode, Blocked) as error:
            return f"!{error.key}"
    return create_proxy(tried)


async def invite():
    held.invitations.append(await held.net.invite())
    return held.invitations[-1].code


async def accept(reply, number=-1):
    return await held.invitations[number].accept(reply)


async def answer(code):
    held.answers.append(await held.net.answer(code))
    return held.answers[-1].reply


async def connected():
    return await held.answers[-1].connected()


def state():
    net = held.net
    return json.dumps({
        "room": net.room, "connected": net.connected(), "lost": net.lost(), "texts": held.texts, "changes": held.changes,
        "presence": {author: net.presence(author).value for author in {*net.connected(), *(who for who, _ in held.changes)}},
        "troubles": net.troubles, "returns": [author for author in net.connected() if net.returns(author)]})


def call(name, *arguments):
    return getattr(held.net, name)(*arguments)


def send(to, channel, text):
    held.net.send(to or None, channel, text)


def cancel(number=-1):
    held.invitations[number].cancel()


def connection(author):
    net = held.net
    return net._connections[net._mesh.people[author].links[-1]]


def break_off(author):
    """As a browser does it that gives a connection up."""
    connection(author)._pc.close()


def garbage(author, pieces):
    """Send anything at all."""
    for lane, piece in json.loads(pieces):
        connection(author)._lanes[lane].send(piece if isinstance(piece, str) else to_js(bytes(piece)))


def pose(author):
    """Claim to be another."""
    held.net._peering.author = author


def buffered(author):
    return max(int(lane.bufferedAmount) for lane in connection(author)._lanes)


globalThis.wire = globalThis.Object.new()
for name, act in {"opened": reasons(opened), "invite": reasons(invite), "accept": reasons(accept), "answer": reasons(answer),
                  "connected": reasons(connected), "state": create_proxy(state), "call": create_proxy(call),
                  "send": create_proxy(send), "cancel": create_proxy(cancel),
                  "break_off": create_proxy(break_off), "garbage": create_proxy(garbage),
                  "buffered": create_proxy(buffered), "pose": create_proxy(pose)}.items():
    setattr(globalThis.wire, name, act)
document.documentElement.dataset.wire = "ready"
