"""Before there is a room on the screen: inviting to a game, coming where one was invited, rooms by a name."""

from __future__ import annotations

from tabletin.app.routes import address
from tabletin.app.screens.room.code import CodeScreen
from tabletin.app.session.plan import FAR, ME, Plan, kept_as
from tabletin.app.ui.html import bar, esc, game_name, lid_picture, link, section, tag, trouble
from tabletin.kernel.setup import LEVELS
from tabletin.peers.net.code import BadCode, Code, Kind
from tabletin.peers.net.invite_link import read
from tabletin.peers.net.transport import Unreachable
from tabletin.peers.room.state import BOT, OPEN, PERSON, Chair
from tabletin.registry import GAMES


class RoomStart(CodeScreen):
    """What the room's screen shows while there is none."""

    async def for_game(self, game: str) -> None:
        """Open a room for ``game`` as planned; one's own room changes to it."""
        rooms = self.shell.rooms
        plan = Plan.remembered(game, self.shell.texts.recall(kept_as(game)))
        room = rooms.room
        if room is not None and not room.end_reason:
            room.as_host().choose(game, dict(plan.options))
        else:
            self.wait(self.text("room.opening"))
            if not rooms.name:
                mine = next((place.name for place in plan.places if place.who == ME), "")
                rooms.set_name(mine)
            try:
                await rooms.host(game, dict(plan.options), lambda author: self.planned(plan, author))
            except Unreachable as error:
                self.refuse(self.text(error.key))
                return
        self.shell.go(address("room"), replace=True)

    def planned(self, plan: Plan, author: str) -> tuple[Chair, ...]:
        """The plan's seats as chairs; where nobody far away was planned, one is kept free."""
        names = plan.names(self.words)
        chairs = []
        for place, name in zip(plan.places, names, strict=True):
            if place.who == FAR:
                chairs.append(Chair())
            elif place.who in LEVELS:
                chairs.append(Chair(BOT, author, name, place.who))
            else:
                chairs.append(Chair(PERSON, author, "" if place.who == ME else name))
        if all(chair.kind != OPEN for chair in chairs):
            bots = [index for index, chair in enumerate(chairs) if chair.kind == BOT]
            chairs = [Chair() if index in bots else chair for index, chair in enumerate(chairs)]
            if not bots and len(chairs) < plan.most:
                chairs.append(Chair())
        return tuple(chairs)

    def start(self) -> None:
        """Invite, or come where one was invited."""
        tins = "".join(
            tag("li", tag("a", lid_picture(game) + f'<span class="name">{esc(game_name(self.words, game))}</span>',
                          class_="open", href=address(game, "room"), data_tin=game), class_="tin") for game in GAMES)
        invite = section("invite", self.text("room.start.invite"),
                         f'<p class="quiet">{esc(self.text("room.start.invite_text"))}</p><ul class="tins small">{tins}</ul>')
        entry = self.entry(self.text("room.start.code"), self.text("room.start.go"), primary=True)
        come = section("invited", self.text("room.start.invited"),
                       f'<p class="quiet">{esc(self.text("room.start.invited_text"))}</p>{entry}')
        if self.shell.settings.relay:
            come += self.named(self.text("room.by_name.find"), "find")
        name = self.text("room.title")
        self.shell.document.paint(f'{bar(self.words, name)}<div class="room far">'
                         f'<p class="lead">{esc(self.text("room.start.lead"))}</p>{invite}<div>{come}</div></div>', name)

    def named(self, do: str, act: str) -> str:
        """Meeting by a name, for whoever switched relays on."""
        box = tag("input", type="text", name="called", id="called", maxlength=20, autocomplete="off", spellcheck="false",
                  data_typed=True).removesuffix("</input>")
        push = tag("button", tag("span", esc(do)), type="submit", class_="button")
        return section("by-name", self.text("room.by_name.title"),
                       f'<p class="quiet">{esc(self.text("room.by_name.help"))}</p><form class="code" data-do="{act}">'
                       f'<label for="called">{esc(self.text("room.by_name.label"))}</label>'
                       f'<div class="code-field">{box}{push}</div></form>')

    async def got(self, text: str) -> None:
        """An invitation was brought: go where its link leads."""
        carried = read(text)
        if Code.from_text(carried.code).kind is not Kind.INVITE:
            raise BadCode("kind_reply")
        query = {name: value for name, value in (("game", carried.game), ("by", carried.by),
                                                 ("watch", "1" if carried.watch else ""),
                                                 ("move", "1" if carried.move else "")) if value}
        self.shell.go(address("room", "join", code=carried.code, **query))

    def wait(self, sentence: str) -> None:
        name = self.text("room.title")
        told = f'<p class="lead" role="status">{esc(sentence)}</p>'
        self.shell.document.paint(f'{bar(self.words, name)}<div class="room">{told}</div>', name)

    def refuse(self, sentence: str) -> None:
        name = self.text("room.title")
        ways = link(self.text("shell.home"), "#/", look="primary")
        self.shell.document.paint(bar(self.words, name) + trouble(self.words, sentence, ways), name)
