"""What every screen of the shell is, and what the shell offers to it. Pure: screens make HTML and answer acts.

A screen paints with ``self.shell.document``, and is told what was tapped (``data-do``) and what was changed (a control's
name). Only the shell's parts touch the browser; this file says what each of them does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tabletin.app.routes import Route
from tabletin.app.ui.signals import Signals
from tabletin.kernel.options import Refusal
from tabletin.words import Catalogue

if TYPE_CHECKING:
    from tabletin.app.room.controller import RoomController
    from tabletin.app.session.handoff import SessionHandoff
    from tabletin.app.session.peers.ports import PeerDevice
    from tabletin.app.session.review import Reviewer
    from tabletin.app.session.session import SessionContext
    from tabletin.app.settings import Settings
    from tabletin.app.storage.league import LeagueBook
    from tabletin.app.storage.matches import MatchRecord, MatchStore
    from tabletin.app.storage.texts import TextStore
    from tabletin.kernel.log import Hash
    from tabletin.kernel.setup import Setup
    from tabletin.peers.net.transport import Transport


class Document(Protocol):
    """The page as a screen writes on it."""

    def paint(self, html: str, title: str) -> None:
        """Show ``html`` as the whole screen; ``title`` names it in the window."""
        ...

    def repaint(self, part: str, html: str) -> None:
        """Put ``html`` in the element with id ``part``; the focus stays on the control of the same id or act."""
        ...

    def element(self, name: str) -> Any:
        """The element with the id ``name``, for parts that draw by themselves."""
        ...

    def focus(self, name: str) -> None:
        """The keyboard goes to the element with the id ``name``."""
        ...

    def focus_title(self) -> None:
        """The keyboard goes to the screen's title, when the element that had it is gone."""
        ...

    def point_at(self, anchor: str) -> None:
        """Bring the place ``anchor`` of the screen into sight, and the keyboard to it."""
        ...

    def mark_words(self, part: str, words: str, *, go: bool) -> int:
        """Mark ``words`` wherever they stand in the element ``part``, and ``go`` to the first; how often."""
        ...

    def seconds_run(self, page: str, clock: str) -> float | None:
        """For how many seconds ``clock`` ran on the table at the address ``page`` in this tab; None where nothing knows."""
        ...

    async def share_picture(self, svg: str, name: str, words: str) -> str:
        """Let the person share the drawing ``svg`` as a picture, "shared", or keep it as the file ``name``, "saved"; "" where it
        cannot be drawn."""
        ...

    async def share_words(self, words: str) -> str:
        """Let the person share ``words``: "shared", "copied" where they can only be copied, "" where neither can be."""
        ...

    def hand_out(self, name: str, text: str) -> None:
        """Offer ``text`` as a file to keep."""
        ...


class Notices(Protocol):
    """Sentences that belong to no screen."""

    def say(self, sentence: str) -> None:
        """A sentence for everybody, above the screen, until it is put away; spoken too."""
        ...

    def announce(self, sentence: str) -> None:
        """A sentence for screen readers alone."""
        ...

    def trouble(self, key: str) -> None:
        """What could not be done, by its key in the catalogue, with a way out where there is one."""
        ...


class Shell(Protocol):
    """The page as a screen sees it."""

    words: Catalogue
    settings: Settings
    route: Route
    version: str
    came_from: str  # the address before this one, "" for the first

    @property
    def document(self) -> Document: ...

    @property
    def notices(self) -> Notices: ...

    @property
    def texts(self) -> TextStore:
        """Small texts that stay on this device."""
        ...

    @property
    def matches(self) -> MatchStore:
        """The matches of this device."""
        ...

    @property
    def context(self) -> SessionContext:
        """What sessions stand on; made on first need."""
        ...

    @property
    def reviewer(self) -> Reviewer:
        """The bots that look back at finished matches; they start on first need."""
        ...

    @property
    def handoff(self) -> SessionHandoff:
        """The open session that the screen before left for this one, or this one leaves for the next."""
        ...

    @property
    def rooms(self) -> RoomController:
        """The controller of the room with friends far away; made on first need."""
        ...

    @property
    def rooms_if_any(self) -> RoomController | None:
        """The same controller; None as long as nobody needed it."""
        ...

    @property
    def league(self) -> LeagueBook:
        """The family league of this device."""
        ...

    def device(self) -> Awaitable[PeerDevice]:
        """This device among others; its worker starts on first need, at once."""
        ...

    async def net_for(self, setup: Setup, match: Hash) -> Transport:
        """The links to the others of a stored match. Raises ``Unreachable``."""
        ...

    def go(self, address: str, *, replace: bool = False) -> None:
        """Go to another address of the page; ``replace``: the one before is dropped from the browser's history."""
        ...

    def adopt(self, settings: Settings) -> None:
        """Use and keep ``settings`` from now on."""
        ...

    async def translate(self) -> None:
        """Say everything in the language that is set; where its words cannot be fetched, that is said instead."""
        ...

    def forget_everything(self) -> None:
        """Drop every small text that was kept, settings included."""
        ...

    def fill_home(self, records: list[MatchRecord]) -> None:
        """Show on the home page what is unfinished and what was played last."""
        ...

    def fill_puzzle(self) -> None:
        """Show on the home page how today's puzzle stands."""
        ...

    def prepare(self, game: str = "", *, bots: bool = False) -> None:
        """Load what a table needs, that of ``game`` above all, while nothing else is to be done; ``bots``: theirs too."""
        ...

    def stay_awake(self, wanted: bool) -> None:
        """Keep the device's screen on, where the browser can; a match among peers is kept from being cleared, too."""
        ...

    def unusable(self, server: str) -> str:
        """Why the browser cannot use the server "stun" or "turn" of the settings: "address", "account"; "" if it can."""
        ...

    def describe_time(self, seconds: float) -> str:
        """A moment in the reader's own way of writing dates, with its year unless it is this one."""
        ...

    def describe_day(self, day: str) -> str:
        """A day, "2026-11-23", in the reader's own way of writing dates, without its year."""
        ...

    @property
    def signals(self) -> Signals:
        """Sounds, a voice and notices, as far as the person wants them."""
        ...


class Screen:
    """Base of the screens. ``largest_file``: in bytes, that is read where the screen asks for one."""

    largest_file = 50_000_000  # a photograph

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
        return self.words.reason(refusal)

    def way_back(self, *kinds: str) -> str:
        """The address before this one, where it is one of a screen of ``kinds`` ("room"); else home."""
        came_from = self.shell.came_from
        is_one = came_from.startswith("#/") and came_from[2:].partition("?")[0].partition("/")[0] in kinds
        return came_from if is_one else "#/"

    async def open(self) -> None:
        """Paint the screen."""
        raise NotImplementedError

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """Something with ``data-do`` was tapped."""

    async def on_change(self, name: str, value: str) -> None:
        """The control ``name`` has another value; a switch says "1" or "0"."""

    async def on_input(self, name: str, value: str) -> None:
        """A letter was typed in the search field ``name``."""

    async def on_file(self, name: str, text: str) -> None:
        """A file was chosen in the control ``name``."""

    def stays_for(self, route: Route) -> bool:
        """Whether this screen stays and shows ``route`` itself (another moment of the same replay)."""
        return False

    def close(self) -> None:
        """The screen goes away."""
