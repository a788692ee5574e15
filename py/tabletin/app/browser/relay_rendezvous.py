"""Finds other devices by a name, through public relays that the player switched on. Only codes go through the relays.

Of two devices that use the same name, one sends an invite and the other a reply: the codes that people hand over otherwise,
so the links are the same. The relays see a scrambled name, and that somebody looks for it. Loaded only when used.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from hashlib import sha256
from typing import Any, Protocol

from pyodide.ffi import JsException, create_proxy, to_js
from pyscript import config, js_import

from tabletin.app.browser.rtc_connection import js_object
from tabletin.app.browser.workers import absolute
from tabletin.peers.net.code import ROOM_BYTES, BadCode, Code, Kind
from tabletin.peers.net.transport import Invitation, InviteReply, Unreachable


class Links(Protocol):
    """The part of a transport that it needs."""

    async def invite(self) -> Invitation: ...

    async def answer(self, invite: str) -> InviteReply: ...


def room_of(name: str) -> str:
    """The room that everybody with this name is in, in hexadecimal."""
    return sha256(f"tabletin room {name}".encode()).digest()[:ROOM_BYTES].hex()


class RelayRendezvous:
    """Devices that look for ``name``. ``await begin()``, then ``leave()``."""

    def __init__(self, links: Links, name: str, urls: list[str], servers: list[dict[str, str]]) -> None:
        self._links = links
        self._name = name
        self._urls = urls
        self._servers = servers
        self._room: Any = None
        self._invites: dict[str, Invitation] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._on_device = create_proxy(lambda peer: self._start(self._invite(str(peer))))
        self._on_code = create_proxy(lambda peer, text: self._start(self._take_code(str(peer), str(text))))

    async def begin(self) -> None:
        module, = await js_import(absolute(config["tabletin"]["modules"]["relay"]))
        self._room = module.gather(self._name, to_js(self._urls), js_object(self._servers), self._on_device, self._on_code)

    async def _invite(self, peer: str) -> None:
        if str(self._room.self) < peer:  # one of the two invites
            self._invites[peer] = await self._links.invite()
            await self._room.send(self._invites[peer].code, peer)

    async def _take_code(self, peer: str, text: str) -> None:
        if Code.from_text(text).kind is Kind.INVITE:
            await self._room.send((await self._links.answer(text)).reply, peer)
        elif peer in self._invites:
            await self._invites.pop(peer).accept(text)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        async def attempt() -> None:
            with suppress(BadCode, Unreachable, JsException):  # the other device may try again; people see who is there
                await work
        task = asyncio.ensure_future(attempt())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def leave(self) -> None:
        """Look for nobody any more. Links that were made stay."""
        for task in list(self._tasks):
            task.cancel()
        for invite in self._invites.values():
            invite.cancel()
        if self._room is not None:
            await self._room.leave()
        self._on_device.destroy()
        self._on_code.destroy()
