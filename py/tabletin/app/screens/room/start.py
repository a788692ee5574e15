"""What the room's screen shows before there is a room: ways to invite, to answer an invite, and to meet by a name."""

from __future__ import annotations

from tabletin.app.routes import address
from tabletin.app.screens.room.code_entry import CodeEntry
from tabletin.app.session.plan import BOTS, FAR, ME, Plan, kept_as
from tabletin.app.ui.html import bar, esc, game_name, lid_picture, link, section, tag, trouble
from tabletin.app.ui.screen import Screen, Shell
from tabletin.kernel.setup import LEVELS, USUAL_LEVEL
from tabletin.peers.net.code import BadCode, Code, Kind
from tabletin.peers.net.invite_link import MEET, read_link
from tabletin.peers.net.transport import Unreachable
from tabletin.peers.room.state import BOT, OPEN, PERSON, Chair
from tabletin.registry import GAMES


class RoomStart:
    """A part of ``screen``. ``entry``: the field for an invite."""

    def __init__(self, screen: Screen) -> None:
        self.entry = CodeEntry(screen, self.use_invite)
        self._screen = screen
        self._shell = screen.shell

    # ---- drawing ----

    def draw(self) -> None:
        """The ways to a room."""
        words, text = self._screen.words, self._screen.text
        tins = "".join(
            tag("li", tag("a", lid_picture(game, words.language) + f'<span class="name">{esc(game_name(words, game))}</span>',
                          class_="open", href=address(game, "room"), data_tin=game), class_="tin") for game in GAMES)
        invite = section("invite", text("room.start.invite"),
                         f'<p class="quiet">{esc(text("room.start.invite_text"))}</p><ul class="tins small">{tins}</ul>')
        entry = self.entry.html(text("room.start.code"), text("room.start.go"), primary=True)
        join = section("invited", text("room.start.invited"),
                       f'<p class="quiet">{esc(text("room.start.invited_text"))}</p>{entry}')
        if self._shell.settings.relay:
            join += self.name_form(text("room.by_name.find"), "find")
        name = text("room.title")
        self._shell.document.paint(f'{bar(words, name)}<div class="room far">'
                                   f'<p class="lead">{esc(text("room.start.lead"))}</p>{invite}<div>{join}</div></div>', name)

    def name_form(self, label: str, act: str, *, folded: bool = False) -> str:
        """The form to meet by a name, for players who switched relays on; ``folded``: there is a better way above it."""
        text = self._screen.text
        box = tag("input", type="text", name="called", id="called", maxlength=20, autocomplete="off", spellcheck="false",
                  data_typed=True).removesuffix("</input>")
        push = tag("button", tag("span", esc(label)), type="submit", class_="button")
        form = (f'<p class="quiet">{esc(text("room.by_name.help"))}</p><form class="code" data-do="{act}">'
                f'<label for="called">{esc(text("room.by_name.label"))}</label>'
                f'<div class="code-field">{box}{push}</div></form>')
        title = text("room.by_name.title")
        return f"<details><summary>{esc(title)}</summary>{form}</details>" if folded else section("by-name", title, form)

    def wait(self, sentence: str, more: str = "") -> None:
        name = self._screen.text("room.title")
        status = f'<p class="lead" role="status">{esc(sentence)}</p>'
        self._shell.document.paint(f'{bar(self._screen.words, name)}<div class="room far">{status}{more}</div>', name)

    def refuse(self, sentence: str) -> None:
        name = self._screen.text("room.title")
        ways = link(self._screen.text("shell.home"), "#/", look="primary")
        self._shell.document.paint(bar(self._screen.words, name) + trouble(self._screen.words, sentence, ways), name)

    # ---- acts ----

    async def open_room(self, game: str) -> None:
        """Open a room for ``game`` as planned; a room that this device hosts changes to it."""
        rooms, text = self._shell.rooms, self._screen.text
        plan = Plan.from_text(game, self._shell.texts.recall(kept_as(game)))
        room = rooms.room
        if room is not None and not room.end_reason:
            room.as_host().choose(game, dict(plan.options))
        else:
            self.wait(text("room.opening"))
            if not rooms.name:
                rooms.set_name(next((place.name for place in plan.places if place.who == ME), ""))
            names = plan.names(self._screen.words)
            try:
                await rooms.host(game, dict(plan.options), lambda author: planned_chairs(plan, names, author))
            except Unreachable as error:
                self.refuse(text(error.key))
                return
        self._shell.go(address("room"), replace=True)

    async def use_invite(self, text: str) -> None:
        """Go where the link of an invite leads. Raises ``BadCode``."""
        go_to_invite(self._shell, text)


def go_to_invite(shell: Shell, text: str) -> None:
    """Go where the link of an invite leads. Raises ``BadCode``."""
    invite = read_link(text)
    if invite.kind == MEET:
        known = {name: value for name, value in invite.fields.items() if name != "code"}
        shell.go(address("room", "meet", code=invite.code, **known))
        return
    if Code.from_text(invite.code).kind is not Kind.INVITE:
        raise BadCode("kind_reply")
    query = {name: value for name, value in (("game", invite.game), ("by", invite.inviter),
                                             ("watch", "1" if invite.watch else ""),
                                             ("move", "1" if invite.move else "")) if value}
    shell.go(address("room", "join", code=invite.code, **query))


def planned_chairs(plan: Plan, names: tuple[str, ...] | list[str], author: str) -> tuple[Chair, ...]:
    """The seats of a plan as chairs at the device of ``author``; one is empty even if nobody far away was planned."""
    chairs = []
    for place, name in zip(plan.places, names, strict=True):
        if place.who == FAR:
            chairs.append(Chair())
        elif place.who in BOTS:
            level = place.who if place.who in LEVELS else USUAL_LEVEL  # whom should it fit, among several?
            chairs.append(Chair(BOT, author, name, level))
        else:
            chairs.append(Chair(PERSON, author, "" if place.who == ME else name))
    if all(chair.kind != OPEN for chair in chairs):
        bots = [index for index, chair in enumerate(chairs) if chair.kind == BOT]
        chairs = [Chair() if index in bots else chair for index, chair in enumerate(chairs)]
        if not bots and len(chairs) < plan.largest:
            chairs.append(Chair())
    return tuple(chairs)
