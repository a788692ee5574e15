"""What a replica wants to send: messages in canonical JSON, until the transport takes them."""

from __future__ import annotations

from tabletin.kernel.log import Json, canonical

Message = dict[str, Json]


class Outbox:
    """``messages``: [author of another peer or None for all, bytes] each, in order."""

    def __init__(self, author: str) -> None:
        self._author = author
        self.messages: list[tuple[str | None, bytes]] = []

    def send(self, to: str | None, message: Message) -> None:
        """Send ``message``; one to this device itself is dropped."""
        if to != self._author:
            self.messages.append((to, canonical(message)))
