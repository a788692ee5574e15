"""The invites that this page has handed out, one for each purpose, and the replies to them.

A guest's reply comes by hand, or from another tab that the reply's link was opened in. What a guest is let into is decided
elsewhere: nothing here knows a room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from tabletin.peers.net.code import BadCode, Code
from tabletin.peers.net.invite_link import join_link, read_link
from tabletin.peers.net.transport import Invitation, Transport

PLAY: Final = "play"  # to take a chair
WATCH: Final = "watch"  # to look on
MOVE: Final = "move"  # to go on with the same seat on another device
USELESS: Final = ("peers.code.used", "peers.code.expired")  # after these an invite takes no other reply


class Tabs(Protocol):
    """This site's address, and the other tabs of this device."""

    @property
    def site(self) -> str: ...

    def listen(self, take: Callable[[str], bool]) -> None:
        """Call ``take`` with each reply that another tab was opened with; it answers whether the reply belongs here."""
        ...


@dataclass(frozen=True, slots=True)
class OpenInvite:
    """An invite that waits for a reply: its link, and what it is for."""

    invitation: Invitation
    link: str
    purpose: str


class Invites:
    """``on_reply`` is called with a reply that another tab was opened with."""

    def __init__(self, tabs: Tabs, on_reply: Callable[[str], None]) -> None:
        self._site = tabs.site
        self._open: dict[str, OpenInvite] = {}  # by purpose
        self._on_reply = on_reply
        tabs.listen(self._take_from_tab)

    def __bool__(self) -> bool:
        """Whether a reply is waited for."""
        return bool(self._open)

    def find(self, purpose: str) -> OpenInvite | None:
        return self._open.get(purpose)

    def includes(self, code: str) -> bool:
        """Whether ``code`` is of one of these invites."""
        return any(invite.invitation.code == code for invite in self._open.values())

    async def make(self, purpose: str, transport: Transport, *, game: str, by: str) -> OpenInvite:
        """A new invite of ``by`` to play ``game``, in place of an earlier one. Raises ``Unreachable``."""
        invitation = await transport.invite()
        link = join_link(self._site, invitation.code, game=game, by=by, watch=purpose == WATCH, move=purpose == MOVE)
        made = self._open[purpose] = OpenInvite(invitation, link, purpose)
        return made

    async def accept(self, text: str) -> tuple[str, str]:
        """Take a guest's reply: the guest's author once it is connected, and the invite's purpose.

        Raises ``BadCode``, ``Unreachable``.
        """
        code = read_link(text).code
        invite = self._answered_by(code)
        self._open.pop(invite.purpose, None)
        try:
            return await invite.invitation.accept(code), invite.purpose
        except BadCode as error:
            if error.key not in USELESS:
                self._open.setdefault(invite.purpose, invite)  # another reply may be tried
            raise

    def _answered_by(self, code: str) -> OpenInvite:
        """The invite that ``code`` answers, or any of them where that cannot be told."""
        if not self._open:
            raise BadCode("of_another")
        try:
            number = Code.from_text(code).number
        except BadCode:
            number = -1
        invites = list(self._open.values())
        return next((one for one in invites if getattr(one.invitation, "number", None) == number), invites[0])

    def _take_from_tab(self, reply: str) -> bool:
        if self._open:
            self._on_reply(reply)
        return bool(self._open)

    def withdraw(self) -> None:
        """Withdraw all: others are made in their place."""
        for invite in self._open.values():
            invite.invitation.cancel()
        self._open.clear()

    def clear(self) -> None:
        """Forget all: the links that they were made over are closed."""
        self._open.clear()
