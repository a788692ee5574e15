"""Going politely: what comes of it for the others, waiting until nothing is asked for, and staying after all.

The worker says the leave as soon as it can; here is what the people at this device are told meanwhile.
"""

from __future__ import annotations

from typing import Any, Final

from tabletin.app.session.peers.ports import PeerMatch
from tabletin.kernel import membership as seating
from tabletin.kernel.options import Refusal, Refused, refused

WAITS: Final = "waits"  # the stages of the worker's ``leaving``; the other one, "said", cannot be taken back


class Leave:
    """Of ``session``. ``stage``: "", "waits" until nothing is asked for, or "said"."""

    def __init__(self, session: PeerMatch) -> None:
        self._session = session
        self.stage = ""

    def hear(self, status: dict[str, Any]) -> None:
        self.stage = status.get("leaving", "")

    def consequence(self) -> str:
        """What the others do without this device: "hand" – they play it on, and then a bot plays –, "deal" – they play the
        one deal there is to its end –, "anew" – the hand is dealt anew, with a bot –, or "ends"."""
        session = self._session
        match = session.match
        one_deal = not match.rules.several_hands
        if seating.leaving(match.rules, match.now, session.author) == seating.VOID:
            return "ends" if one_deal else "anew"
        return "deal" if one_deal else "hand"

    async def leave(self) -> bool:
        """Go as soon as nothing is asked for; returns when that stands in the log. False if they stayed after all, or if the
        match was over first. Raises ``Refused``."""
        session = self._session
        await self._ask("leave")
        while self.stage and session.author not in session.match.gone:
            await session.news()
        left = session.author in session.match.gone
        if left:
            session.settled()
            await session.flushed()
        return left

    async def stay(self) -> None:
        """Not leave after all. Raises ``Refused`` once the leave is signed."""
        await self._ask("stay")
        self._session.settled()

    async def _ask(self, do: str) -> None:
        if self._session.device is None:
            raise refused("peer_match.nobody_yet")
        answer = await self._session.ask_worker(do=do)
        if "refused" in answer:
            raise Refused(Refusal(answer["refused"], answer["params"]))
