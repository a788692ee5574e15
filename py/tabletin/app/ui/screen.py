"""What every screen of the shell is, and what the shell offers to it. Pure: screens make HTML and answer acts.

A screen paints with ``self.shell.paint``, and is told what was tapped (``data-do``) and what was changed (a control's
name). The shell alone touches the browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tabletin.app.routes import Route
from tabletin.kernel.options import Refusal
from tabletin.words import Catalogue

if TYPE_CHECKING:
    from tabletin.app.room.controller import RoomController
    from tabletin.app.session.peers.ports import PeerDevice
    from tabletin.app.session.session import MatchSession, SessionContext
    from tabletin.app.settings import Settings
    from tabletin.app.storage.matches import MatchStore, Record
    from tabletin.kernel.log import Hash
    from tabletin.kernel.setup import Setup
    from tabletin.peers.net.transport import Transport


class Shell(Protocol):
    """What the page does for a screen."""

    words: Catalogue
    settings: Settings
    shelf: MatchStore
    context: SessionContext
    meeting: RoomController  # made on first need
    met: RoomController | None  # the same, if it was made
    route: Route
    version: str
    came_from: str  # the address before this one, "" for the first

    def paint(self, html: str, title: str) -> None:
        """Show ``html`` as the whole screen; ``title`` names it in the window."""
        ...

    def repaint(self, part: str, html: str) -> None:
        """Put ``html`` in the element with id ``part``; the focus stays on the control of the same id or act."""
        ...

    def point_at(self, anchor: str) -> None:
        """Bring the place ``anchor`` of the screen into sight, and the keyboard to it."""
        ...

    def mark_words(self, part: str, words: str, *, go: bool) -> int:
        """Mark ``words`` wherever they stand in the element ``part``, and ``go`` to the first; how often."""
        ...

    def unusable(self, server: str) -> str:
        """Why the browser cannot use the server "stun" or "turn" of the settings: "address", "account"; "" if it can."""
        ...

    def go(self, address: str, *, replace: bool = False) -> None: ...

    def say(self, sentence: str) -> None:
        """A sentence for everybody, above the screen, until it is put away; spoken too."""
        ...

    def announce(self, sentence: str) -> None:
        """A sentence for screen readers alone."""
        ...

    def keep(self, key: str, text: str | None) -> None:
        """Keep a small text on this device; None takes it away."""
        ...

    def recall(self, key: str) -> str | None: ...

    def adopt(self, settings: Settings) -> None:
        """Use and keep ``settings`` from now on."""
        ...

    def when(self, seconds: float) -> str:
        """A moment in the reader's own way of writing dates."""
        ...

    def hand_out(self, name: str, text: str) -> None:
        """Offer ``text`` as a file to keep."""
        ...

    def knock(self) -> None:
        """The sound of a piece that is put down."""
        ...

    def prepare(self, game: str = "", *, bots: bool = False) -> None:
        """Load what a table needs, that of ``game`` above all, while nothing else is to be done; ``bots``: theirs too."""
        ...

    def stay_awake(self, wanted: bool) -> None:
        """Keep the device's screen on, where the browser can; a match among peers is kept from being cleared, too."""
        ...

    async def peering(self) -> PeerDevice:
        """This device among others; see ``page.far.Device``."""
        ...

    async def net_for(self, setup: Setup, match: Hash) -> Transport:
        """The links to the others of a stored match; see ``page.far.Far``. Raises ``Blocked``."""
        ...

    def take_along(self, session: MatchSession) -> None:
        """Hand an open session to the screen that comes next."""
        ...

    def taken_along(self, name: str) -> MatchSession | None:
        """The session that the screen before handed over, if it is that of ``name``."""
        ...

    def element(self, name: str) -> Any:
        """The element with the id ``name``, for parts that draw by themselves."""
        ...

    def focus(self, name: str) -> None:
        """The keyboard goes to the element with the id ``name``."""
        ...

    def focus_title(self) -> None:
        """The keyboard goes to the screen's title, when what had it is gone."""
        ...

    def forget_everything(self) -> None:
        """Drop every small text that was kept, settings included."""
        ...

    def fill_home(self, records: list[Record]) -> None:
        """Show on the home page what is unfinished and what was played last."""
        ...


class Screen:
    """Base of the screens."""

    def __init__(self, shell: Shell, route: Route) -> None:
        self.shell = shell
        self.route = route

    @property
    def words(self) -> Catalogue:
        return self.shell.words

    def text(self, key: str, **params: Any) -> str:
        return self.words.text(key, **params)

    def sentence(self, refusal: Refusal) -> str:
        """A refusal in words, outside a match."""
        return self.words.text(refusal.key, **refusal.params) if refusal.key in self.words else str(refusal)

    async def open(self) -> None:
        """Paint the screen."""
        raise NotImplementedError

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """Something with ``data-do`` was tapped."""

    async def changed(self, name: str, value: str) -> None:
        """The control ``name`` has another value; a switch says "1" or "0"."""

    async def typed(self, name: str, value: str) -> None:
        """A letter was typed in the search field ``name``."""

    async def chosen_file(self, name: str, text: str) -> None:
        """A file was chosen in the control ``name``."""

    def asked_again(self, route: Route) -> bool:
        """Whether this screen stays and shows ``route`` itself (another moment of the same replay)."""
        return False

    def close(self) -> None:
        """The screen goes away."""
