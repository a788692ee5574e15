"""The room on the screen: chairs, options, readiness and chat; before there is a room, the ways to one.

The next step is the primary button at the foot. Everything drawn comes from the room, and what the player does goes to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from tabletin.app.connection_servers import Servers
from tabletin.app.routes import Route, address
from tabletin.app.screens.room.advice import advice, tell_friend
from tabletin.app.screens.room.parts import Parts, answers, chat_lines, door, mutes, other_versions, reactions, title
from tabletin.app.screens.room.server_list import consent_words, server_list
from tabletin.app.screens.room.share_panel import SharePanel
from tabletin.app.screens.room.start import RoomStart
from tabletin.app.session.plan import FAR
from tabletin.app.session.plan import PERSON as HERE
from tabletin.app.storage.matches import StorageFailed, local_id
from tabletin.app.ui.html import bar, button, esc, field, game_name, link, section, tag, trouble
from tabletin.app.ui.screen import Screen, Shell
from tabletin.bots.characters import stock_names
from tabletin.kernel.options import Refused
from tabletin.kernel.setup import USUAL_LEVEL
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.net.transport import Presence, Unreachable
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import BOT, OPEN, PERSON

LOOK_EVERY: Final = 1.0  # seconds


class RoomScreen(Screen):
    """``#/room``, and ``#/<game>/room``, which opens one (or changes its game); ``?link=ID`` while that room is looked for."""

    def __init__(self, shell: Shell, route: Route) -> None:
        super().__init__(shell, route)
        self.start = RoomStart(self)
        self.room: Room | None = None
        self.asking = ""  # "leave", "helpers", or the author whose removal is being asked about
        self.sharing = SharePanel(self, self.message, lambda key: self.text(f"invite.{key}"), self.draw)
        self.line = ""  # the chat line in the field
        self.shared_name = ""  # the name for relays in the field
        self._shown: dict[str, str] = {}  # HTML by part
        self._search: asyncio.Task[None] | None = None
        self._stop: Callable[[], None] | None = None

    async def open(self) -> None:
        rooms = self.shell.rooms
        game = self.route.subject
        room = rooms.room
        if game and (room is None or room.end_reason or rooms.may_change):
            await self.start.open_room(game)
        elif room is not None and room.end_reason:
            self.show_end(room)
        elif room is not None:
            self.asking = "helpers" if self.route.query.get("ask") == "helpers" and not rooms.link() else ""
            await self.show(room)
        elif self.route.query.get("link") or await rooms.remembered_room() is not None:
            await self.resume()
        else:
            self.start.draw()

    async def resume(self) -> None:
        self.start.wait(self.text("room.back_in"))
        try:
            room = await self.shell.rooms.resume(self.route.query.get("link", ""))
        except KeyError:
            self.start.draw()
        except Unreachable as error:
            self.start.refuse(self.text(error.key))
        else:
            self.shell.rooms.inviter = clean(self.route.query.get("by", ""), NAME)
            await self.show(room)

    def stays_for(self, route: Route) -> bool:
        is_known = self.room is not None and self.room.state is not None
        return is_known and "link" in self.route.query and route == Route("room")

    def show_end(self, room: Room) -> None:
        """Why this device is no longer in the room."""
        host = self.text("room.someone") if room.state is None else Parts(room, self.words).host_name
        sentence = self.text(f"room.ended.{room.end_reason}", name=host)
        self.shell.rooms.drop_room()
        name = self.text("room.title")
        ways = link(self.text("home.far"), address("room"), look="primary") + link(self.text("shell.home"), "#/", look="quiet")
        self.shell.document.paint(bar(self.words, name) + trouble(self.words, sentence, ways), name)

    # ---- the room ----

    async def check_match_over(self, room: Room) -> None:
        """A match that this device has stored as finished is over."""
        assert room.state is not None
        name = local_id(room.state.playing)
        try:
            records = await self.shell.matches.records()
            room.match_over = any(record.id == name and record.outcome is not None for record in records)
        except StorageFailed as failure:
            self.shell.notices.say(self.text(failure.key))

    async def show(self, room: Room) -> None:
        self.room = room
        if room.state is not None and room.state.playing:  # its end may have fallen away
            await self.check_match_over(room)
        if room.state is None:
            self.shell.rooms.renew_servers()  # the advice may have led to the settings
            stop = button(self.text("room.do.stop_looking"), "really_leave", look="quiet", id="stop-looking")
            self.start.wait(self.waiting(), f'<div><div id="search" role="status"></div><div class="helps">{stop}</div></div>')
            self._search = asyncio.ensure_future(self.search(room))
        else:
            self.lay_out(room)
        self._stop = room.on_change(self.room_changed)

    async def search(self, room: Room) -> None:
        """Say what was found so far, as long as this device looks for the room."""
        shown, rooms = "", self.shell.rooms
        while room.state is None and not room.end_reason:
            cause = rooms.search_cause()
            found = (other_versions(room, self.words) + answers(room, self.words, rooms.inviter)
                     + (advice(self.words, cause, guest=True) if cause else ""))
            if found != shown:
                shown = found
                self.shell.document.repaint("search", found)
            await asyncio.sleep(LOOK_EVERY)

    def waiting(self) -> str:
        """What this device waits for while it is not in the room yet."""
        rooms = self.shell.rooms
        if rooms.shared_name:
            return self.text("room.wait.looking", name=rooms.shared_name)
        if rooms.transport is not None and rooms.transport.connected_authors():
            return self.text("room.wait.taken_in", name=rooms.inviter or self.text("room.someone"))
        return self.text("room.wait.by_link", name=rooms.inviter or self.text("room.someone_within"))

    def lay_out(self, room: Room) -> None:
        """Paint the frame of the screen. Its parts are drawn again when the room changes."""
        state = room.state
        assert state is not None
        self.shell.prepare(state.game)  # while people find each other
        name = title(self.words, state)
        mine = self.shell.rooms.name
        box = tag("input", type="text", name="name", id="name", value=mine, maxlength=NAME, autocomplete="nickname",
                  placeholder=self.text("room.person_name", n=1), spellcheck="false").removesuffix("</input>")
        chat = (f'<section class="chat" id="room-chat" aria-labelledby="chat-title">'
                f'<h2 id="chat-title">{esc(self.text("chat.title"))}</h2>'
                f'<div id="said" tabindex="0" role="log" aria-labelledby="chat-title"></div>{reactions(self.words)}'
                f'<form class="say" data-do="say"><label class="unseen" for="line">{esc(self.text("chat.write"))}</label>'
                f'<input type="text" id="line" name="line" maxlength="200" autocomplete="off" data-typed '
                f'placeholder="{esc(self.text("chat.write"))}">'
                f'{tag("button", tag("span", esc(self.text("chat.send"))), type="submit", class_="button")}</form>'
                f'<div id="mutes"></div></section>')
        self._shown.clear()
        self.shell.document.paint(
            f'{bar(self.words, name)}<div class="room"><div class="meet"><div id="knocking" role="status"></div>'
            f'{field("name", self.text("room.name"), box)}'
            f'{section("seats-title", self.text("room.seats"), "<div id=chairs></div>")}<div id="watchers"></div>'
            f'{section("agreed-title", self.text("room.options"), "<div id=agreed></div>")}'
            f'<div id="openness" class="quiet"></div><div id="invitation"></div><div id="named"></div>'
            f'<div id="ways" class="row"></div></div>'
            f'{chat}<div class="start"><div id="start"></div></div></div>', name)
        self.draw()

    def room_changed(self, what: str) -> None:
        """The room changed."""
        room = self.room
        if room is None:
            return
        if room.end_reason:
            self.close()
            self.show_end(room)
        elif room.state is not None and not self._shown:
            self.lay_out(room)
            if "link" in self.route.query:  # nothing is looked for any more: the address says so, too
                self.shell.go(address("room"), replace=True)
        else:
            if what == "chat" and room.chat.lines and room.chat.lines[-1].author != room.author:
                line = room.chat.lines[-1]
                words = line.text or self.text(f"chat.reactions.{line.reaction}")
                self.shell.notices.announce(self.text("chat.line", name=Parts(room, self.words).name(line.author), text=words))
            self.draw()

    def draw(self) -> None:
        """Draw the parts that have changed."""
        room = self.room
        if room is None or room.state is None:
            return
        parts = Parts(room, self.words)
        self.show_part("chairs", parts.chairs())
        self.show_part("watchers", parts.watchers())
        self.show_part("knocking", other_versions(room, self.words) + door(room, self.words) + self.rival(parts)
                       + self.question(parts))
        self.show_part("agreed", parts.options())
        self.show_part("openness", parts.openness())
        alone = len(room.state.members) < 2  # nobody is there to be talked to yet
        self.shell.document.element("room-chat").hidden = alone
        self.show_part("said", chat_lines(room, self.words, parts))
        self.show_part("mutes", mutes(room, self.words, parts))
        step = self.next_step(room, parts)
        self.show_part("invitation", self.invitation(room, parts, has_step=self.send_button() in step))
        self.show_part("named", self.by_name())
        self.show_part("ways", self.other_ways(room, parts) if self.asking != "helpers" else "")
        self.show_part("start", step)

    def by_name(self) -> str:
        """The form to share a name, or the name that is shared."""
        rooms = self.shell.rooms
        if rooms.can_share_name:
            return self.start.name_form(self.text("room.by_name.open"), "open_under", folded=True)
        return f'<p>{esc(self.text("room.by_name.opened", name=rooms.shared_name))}</p>' if rooms.shared_name else ""

    def invitation(self, room: Room, parts: Parts, *, has_step: bool) -> str:
        """The link of the room, which stays good; or what it would use, before the person here has agreed to that.

        ``has_step``: to send it is the next step, at the foot.
        """
        rooms = self.shell.rooms
        if not (room.inside and (room.hosting or parts.state.playing)):
            return ""
        if self.asking == "helpers":
            servers = Servers.proposal(self.shell.settings)
            said = f'<p>{esc(consent_words(self.words, "host", servers))}</p>'
            return section("consent", self.text("helpers.title"), said + server_list(self.words, servers))
        self.sharing.offer(rooms.link())
        if not rooms.link():
            return ""
        by_code = link(self.text("invite.link.by_code"), address("room", "invite", by="code"), look="quiet", id="by-code")
        return section("link-title", self.text("invite.link.title"),
                       f'{self.sharing.html(has_step=has_step)}<div class="row">{by_code}</div>')

    def send_button(self) -> str:
        """The step that sends the link, and may send it again."""
        return self.sharing.send_button("large" if self.sharing.is_sent else "primary large")

    def message(self, to: str) -> str:
        """The text that goes with a link."""
        room = self.shell.rooms.room
        if room is None or room.state is None:
            return to
        return self.text("invite.text", name=Parts(room, self.words).signature,
                         game=game_name(self.words, room.state.game), link=to)

    def show_part(self, name: str, html: str) -> None:
        if self._shown.get(name) != html:
            self._shown[name] = html
            self.shell.document.repaint(name, html)
            if name == "said":
                box = self.shell.document.element("said")
                if box:
                    box.scrollTop = box.scrollHeight

    def rival(self, parts: Parts) -> str:
        """The question what to do about another host."""
        rival = parts.room.rival
        if rival is None:
            return ""
        name = parts.name(rival.host)
        return (f'<div class="notice"><p>{esc(self.text("room.rival", name=name))}</p>'
                + button(self.text("room.follow", name=name), "follow", look="primary", id="follow")
                + button(self.text("room.keep_own"), "keep_own", look="quiet") + "</div>")

    def question(self, parts: Parts) -> str:
        """The question before leaving or removing."""
        if self.asking in ("", "helpers"):
            return ""
        if self.asking == "leave":
            return self.confirmation(self.text("room.leaving.sure"), self.text("room.leaving.yes"), "really_leave",
                              self.text("room.leaving.no"))
        return self.confirmation(self.text("room.removing.sure", name=parts.name(self.asking)), self.text("room.removing.yes"),
                          "really_remove", self.text("room.removing.no"))

    def confirmation(self, sentence: str, yes: str, do: str, no: str) -> str:
        return (f'<div class="notice" role="alert"><p>{esc(sentence)}</p>'
                + button(yes, do, look="danger", id="really") + button(no, "never", look="quiet", id="never") + "</div>")

    # ---- what to do next ----

    def next_step(self, room: Room, parts: Parts) -> str:
        """The next step: one primary button, and a sentence about what is waited for."""
        sentence, do = self.step(room, parts)
        status = f'<p role="status">{esc(sentence)}</p>' if sentence else ""
        bots = button(self.text("room.do.bots"), "bots", id="bots") \
            if parts.may_change and parts.free and len(parts.state.members) > 1 else ""
        return f'{status}<div class="row">{do}{bots}</div>'

    def other_ways(self, room: Room, parts: Parts) -> str:
        """What else can be done."""
        ways = ""
        if room.inside and (room.hosting or parts.state.playing):
            ways += link(self.text("room.invite_watcher"), address("room", "invite", watch=1), look="quiet", picture="eye",
                         id="invite-watcher")
        if not room.hosting and room.inside and not parts.state.playing and parts.state.chair_of(room.author) is not None:
            ways += button(self.text("room.stand"), "stand", look="quiet", picture="eye", id="stand")
        return ways + button(self.text("room.do.leave"), "leave", look="quiet", picture="log-out", id="leave")

    def step(self, room: Room, parts: Parts) -> tuple[str, str]:
        """What is waited for, and the button that helps."""
        state = parts.state
        if not state.known:
            return self.text("room.refuse.version", name=parts.host_name), ""
        if not room.inside:
            return self.text("room.wait.taken_in", name=parts.host_name), ""
        if self.asking == "helpers" and (room.hosting or state.playing):
            agree = button(self.text("helpers.agree"), "agree", look="primary large", picture="check", id="agree")
            return "", agree + button(self.text("helpers.not_now"), "never", look="quiet", id="never")
        if state.playing:
            return self.match_step(room, parts)
        if room.host_gone:
            return (self.text("room.wait.host_gone", name=parts.host_name),
                    button(self.text("room.do.go_on", name=parts.host_name), "take_over", look="primary large", id="take-over"))
        lost = [author for author in room.transport.lost_authors() if author in state.seated_authors]
        if lost and room.hosting:
            return (self.text("room.wait.lost", names=parts.names(lost)),
                    link(self.text("room.do.invite_again", name=parts.name(lost[0])), address("room", "invite"),
                         look="primary large", picture="user-plus", id="invite"))
        if parts.free:
            if not room.hosting:
                return self.text("room.wait.host", name=parts.host_name), ""
            return self.inviting()
        refusal = state.refusal()
        if refusal is not None:
            known = self.text(refusal.key, **refusal.params) if refusal.key in self.words else str(refusal)
            if not room.hosting or refusal.key != "room.refuse.alone":
                return known, ""
            return known, link(self.text("room.do.invite"), address("room", "invite", watch=1), look="primary large",
                               picture="user-plus", id="invite")
        return self.readiness(room, parts)

    def inviting(self) -> tuple[str, str]:
        """How the next guest is invited: by the link; or first the question where they are."""
        if self.shell.rooms.link():
            return self.sharing.status, self.send_button()
        near = link(self.text("invite.where.near"), address("room", "invite"), look="primary large", picture="wifi", id="invite")
        if self.shell.rooms.shared_name:  # whoever knows the name finds it from anywhere
            return "", near
        far = button(self.text("invite.where.far"), "another_house", look="primary large", picture="house", id="another-house")
        return self.text("invite.where.question"), near + far

    def readiness(self, room: Room, parts: Parts) -> tuple[str, str]:
        state = parts.state
        if room.author not in state.seated_authors:
            return self.text("room.wait.watching"), ""
        if not room.ready and room.missing:
            never = all(room.presence(author) is Presence.UNKNOWN for author in room.missing)
            return self.text("room.wait.linking" if never else "room.wait.away", names=parts.names(room.missing)), ""
        if not room.ready:
            return "", button(self.text("room.do.ready"), "ready", look="primary large", picture="check", id="ready")
        take_back = button(self.text("room.do.not_ready"), "not_ready", id="not-ready")
        agreement = state.agreement
        others = [author for author in state.seated_authors if state.ready.get(author) != agreement]
        if others:
            key = "room.wait.ready_one" if len(others) == 1 else "room.wait.ready"
            return self.text(key, names=parts.names(others)), take_back
        if room.hosting and room.missing:
            return self.text("room.wait.away", names=parts.names(room.missing)), take_back
        return self.text("room.wait.dealing"), ""

    def match_step(self, room: Room, parts: Parts) -> tuple[str, str]:
        """While a match is under way, and after it."""
        lost = [author for author in room.transport.lost_authors() if author in parts.state.seated_authors]
        if room.is_match_over:
            return self.text("room.wait.over"), button(self.text("room.do.again"), "again", look="primary large",
                                                       picture="rotate-ccw", id="again")
        if room.unasked_match is not None:
            is_seated = parts.state.chair_of(room.author) is not None
            return (self.text("room.wait.unasked", name=parts.host_name) if is_seated else self.text("room.wait.playing"),
                    button(self.text("room.do.join_match" if is_seated else "room.do.table"), "join_match", look="primary large",
                           picture="play", id="join-match"))
        table = link(self.text("room.do.table"), address("match", local_id(parts.state.playing)), picture="play", id="to-table",
                     look="large" if lost else "primary large")
        if not lost:
            return self.text("room.wait.playing"), table
        again = link(self.text("room.do.invite_again", name=parts.name(lost[0])), address("room", "invite"),
                     look="primary large", picture="user-plus", id="invite")
        return self.text("room.wait.lost", names=parts.names(lost)), again + table

    # ---- acts ----

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        room = self.room
        if await self.sharing.act(do):
            return
        if do == "agree":
            await self.agree()
            return
        if do == "tell":
            await tell_friend(self, data["cause"])
            return
        if do in ("find", "open_under"):
            await self.meet_by_name(do)
            return
        if room is None:
            await self.start.entry.act(do, data)
            return
        try:
            self.act_in_room(room, do, data)
        except Refused as refused:
            self.shell.notices.say(self.sentence(refused.refusal))
        if self.room is not None:
            self.draw()
        if do in ("leave", "remove"):
            self.shell.document.focus("never")
        elif do == "another_house":
            self.shell.document.point_at("consent")

    async def agree(self) -> None:
        """The person here agrees to the servers: the link is there, and goes out."""
        self.asking = ""
        self.shell.rooms.agree()
        self.draw()
        self.shell.document.point_at("link-title")
        await self.sharing.send()

    async def meet_by_name(self, do: str) -> None:
        """Open the room under a name, or look for one."""
        rooms = self.shell.rooms
        if not self.shared_name.strip():
            return
        try:
            if do == "find":
                self.start.wait(self.text("room.opening"))
                await self.show(await rooms.find_by_name(self.shared_name))
            else:
                await rooms.share_name(self.shared_name)
                if self._stop is not None:
                    self._stop()
                assert rooms.room is not None
                await self.show(rooms.room)  # it is kept over other links now
        except Unreachable as error:
            self.start.refuse(self.text(error.key))

    def act_in_room(self, room: Room, do: str, data: Mapping[str, str]) -> None:
        """Do what was tapped. Raises ``Refused``."""
        asking, self.asking = self.asking, ""
        if do in ("ready", "not_ready"):
            room.set_ready(do == "ready")
        elif do == "leave":
            self.asking = "leave"
        elif do == "another_house":
            self.asking = "helpers"
        elif do == "really_leave":
            self.close()
            self.shell.rooms.leave()
            self.shell.go(address(), replace="link" in self.route.query)  # the way back does not look for the room again
        elif do == "remove":
            self.asking = data["author"]
        elif do == "really_remove":
            room.as_host().remove(asking)
        elif do == "bots":
            self.fill_with_bots(room)
        elif do in ("sit", "drop_chair"):
            (room.sit if do == "sit" else room.as_host().drop_chair)(int(data["chair"]))
        elif do in ("let_in", "turn_away"):
            (room.as_host().let_in if do == "let_in" else room.as_host().turn_away)(data["author"])
        elif do == "go_in":
            room.follow_stand_in(data["author"])
        elif do == "mute":
            room.mute(data["author"], data["author"] not in room.chat.muted_authors)
        elif do == "quiet":
            room.chat.is_quiet = not room.chat.is_quiet
        elif do == "react":
            self.say(room, reaction=data["sign"])
        elif do == "say":
            self.say(room, text=self.line)
        else:
            plain = {"stand": room.stand, "join_match": room.join_match, "take_over": room.take_over,
                     "follow": room.yield_to_rival, "keep_own": room.keep_own, "add_chair": lambda: room.as_host().add_chair(),
                     "again": self.shell.rooms.play_again}
            if do in plain:
                plain[do]()

    def say(self, room: Room, text: str = "", reaction: str = "") -> None:
        if not room.say(text, reaction):
            if text.strip() or reaction:
                self.shell.notices.announce(self.text("chat.too_fast"))
            return
        if text:
            self.line = ""
            self.shell.document.element("line").value = ""

    def fill_with_bots(self, room: Room) -> None:
        state = room.state
        assert state is not None
        for index, chair in enumerate(state.chairs):
            if chair.kind == OPEN:
                room.as_host().set_chair(index, BOT, level=USUAL_LEVEL, name=self.stock_name(room))

    def stock_name(self, room: Room) -> str:
        """A name for a bot that nobody in the room has."""
        assert room.state is not None
        taken = {chair.name for chair in room.state.chairs} | {member.name for member in room.state.members}
        stock = list(stock_names(self.words))
        return next((name for name in stock if name not in taken), stock[0])

    async def on_change(self, name: str, value: str) -> None:
        room = self.room
        kind, _, which = name.partition("-")
        if room is None:
            await self.start.entry.on_change(name, value)
        elif name == "name":
            self.shell.rooms.set_name(value)
        elif name in ("line", "called"):
            await self.on_input(name, value)
        elif kind in ("chair", "person"):
            if kind == "chair":
                self.set_chair(room, int(which), value)
            else:
                self.set_chair(room, int(which), HERE, value)
            self.draw()

    def set_chair(self, room: Room, index: int, who: str, name: str = "") -> None:
        """Give chair ``index`` to ``who``; ``name``: of a person at this device."""
        try:
            if who == FAR:
                room.as_host().set_chair(index, OPEN)
            elif who == HERE:
                room.as_host().set_chair(index, PERSON, name=name.strip() or self.text("room.person_name", n=index + 1))
            else:
                room.as_host().set_chair(index, BOT, level=who, name=self.stock_name(room))
        except Refused as refused:
            self.shell.notices.say(self.sentence(refused.refusal))

    async def on_input(self, name: str, value: str) -> None:
        if name == "line":
            self.line = value
        elif name == "called":
            self.shared_name = value
        elif self.room is None:
            await self.start.entry.on_input(name, value)

    async def on_file(self, name: str, text: str) -> None:
        await self.start.entry.on_file(name, text)

    def close(self) -> None:
        self.start.entry.close()
        self.sharing.close()
        if self._search is not None:
            self._search.cancel()
        self.room = None
        if self._stop is not None:
            self._stop()
            self._stop = None
