"""The relays of one rendezvous in the browser: sealed texts out and in.

What they mean is decided in ``peers/net/relay_signaling.py``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from pyodide.ffi import create_proxy, to_js
from pyscript import config, js_import

from tabletin.app.browser.workers import absolute
from tabletin.peers.net.rendezvous import Rendezvous


class Relays:
    """``on_text`` is called with each text, ``on_count`` when ``open`` changed: how many relays answer."""

    def __init__(self, rendezvous: Rendezvous, urls: Sequence[str], on_text: Callable[[str], None],
                 on_count: Callable[[], None]) -> None:
        self.rendezvous = rendezvous
        self.urls = tuple(urls)
        self.open = 0
        self._on_count = on_count
        self._channel: Any = None
        self._is_closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._text = create_proxy(lambda text: on_text(str(text)))
        self._state = create_proxy(self._count)

    async def begin(self) -> None:
        """Open the relays. Raises ``JsException`` where that cannot be done at all."""
        module, = await js_import(absolute(config["tabletin"]["modules"]["relay"]))
        rendezvous = self.rendezvous
        channel = await module.join(rendezvous.topic, to_js(rendezvous.key), to_js(list(self.urls)), self._text, self._state)
        if self._is_closed:
            channel.close()
        else:
            self._channel = channel

    def _count(self, count: int) -> None:
        self.open = count
        self._on_count()

    def publish(self, text: str) -> None:
        """Hand out ``text``. Where no relay takes it within some seconds it is lost, and the mesh says it again."""
        if self._channel is not None:
            task = asyncio.ensure_future(self._publish(text))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _publish(self, text: str) -> None:
        await self._channel.publish(text)

    def renew(self) -> None:
        """The network has changed: open all relays anew."""
        if self._channel is not None:
            self._channel.renew()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        for task in list(self._tasks):
            task.cancel()
        if self._channel is not None:
            self._channel.close()
        self._text.destroy()
        self._state.destroy()
