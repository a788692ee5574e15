"""Small texts that stay on this device: what whoever keeps them promises. Pure; the browser's are ``browser/local_storage``.

Settings, the plan of the next match and the room are such texts. Matches are kept by a ``MatchStore``.
"""

from __future__ import annotations

from typing import Protocol


class TextStore(Protocol):
    """Texts by their keys. A store that cannot write keeps nothing and raises nothing."""

    def keep(self, key: str, text: str | None) -> None:
        """Keep ``text`` under ``key``; None takes it away. It may reach the disk seconds later."""
        ...

    def recall(self, key: str) -> str | None:
        """The text under ``key``, if there is one."""
        ...

    async def keep_at_once(self, key: str, text: str | None) -> None:
        """Keep ``text`` under ``key``; it is on the disk on return. None takes it away."""
        ...

    async def swap_at_once(self, key: str, before: str | None, text: str | None) -> bool:
        """Keep ``text`` as ``keep_at_once`` does, if ``before`` is what is kept; whether it was. Nothing comes in between, from
        another tab neither."""
        ...

    async def recall_at_once(self, key: str) -> str | None:
        """The text under ``key``, however it was kept."""
        ...
