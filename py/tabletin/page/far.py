"""What a match among peers needs of its page: this device among others, and the way back to them."""

from __future__ import annotations

from typing import Any, Protocol

from tabletin.kernel.log import Hash
from tabletin.kernel.setup import Setup
from tabletin.peers.net import Net


class Device(Protocol):
    """This device among others: its key and its replica, in a worker. ``kept``: whether its key outlives the page."""

    author: str
    kept: bool

    async def call(self, **asked: Any) -> dict[str, Any]:
        """See ``peers/remote.py``."""
        ...


class Far(Protocol):
    """What brings a stored match back among its peers."""

    async def peering(self) -> Device: ...

    async def net_for(self, setup: Setup, match: Hash) -> Net:
        """The links of that match's room, opened anew where they must be. Raises ``Blocked``."""
        ...
