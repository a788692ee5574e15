"""The room at the table: its messages, quick signs and link in a drawer, with a button above the table, and who asks to come in.

The drawer covers the upper part of the table while it is open, never a hand, and is closed until somebody opens it. Nothing of
this belongs to the match. The room decides what goes to whom and what is heard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletin.app.routes import address
from tabletin.app.screens.room.parts import SIGNS, Parts, chat_lines, door, mutes, reactions
from tabletin.app.ui.html import esc, icon, link, tag
from tabletin.app.ui.screen import Shell
from tabletin.kernel.options import Refused
from tabletin.peers.room.room import Room

PLACE, DOOR = "chat", "door"


class TableChat:
    """The messages of ``room`` in the element "chat" and who knocks in "door", at the table of ``match``, until ``close``.

    ``open``: whether the drawer is.
    """

    def __init__(self, shell: Shell, room: Room, match: str) -> None:
        self._shell = shell
        self._room = room
        self._match = match
        self.open = False
        self._seen = room.chat.lines_heard
        self._line = ""
        self._drawn: dict[str, str] = {}
        self._end = room.on_change(self._heard)
        shell.document.repaint(PLACE, self._frame())
        self._draw()

    def close(self) -> None:
        self._end()

    # ---- drawing ----

    def _text(self, key: str, **params: Any) -> str:
        return self._shell.words.text(key, **params)

    def _frame(self) -> str:
        write = (f'<form class="say" data-do="say"><label class="unseen" for="line">{esc(self._text("chat.write"))}</label>'
                 '<input type="text" id="line" name="line" maxlength="200" autocomplete="off" data-typed '
                 f'placeholder="{esc(self._text("chat.write"))}">'
                 f'{tag("button", tag("span", esc(self._text("chat.send"))), type="submit", class_="button")}</form>')
        ways = link(self._text("chat.to_room"), address("room"), look="quiet", picture="users")
        if self._shell.rooms.link():
            ways += link(self._text("invite.link.title"), address("room", "invite", match=self._match), look="quiet",
                         picture="share-2", id="link-again")
        return (f'<div id="chat-button"></div><div id="fresh" role="status"></div>'
                f'<section id="drawer" data-escape="open-chat" hidden aria-label="{esc(self._text("chat.title"))}">'
                f'<div class="row"><div id="mutes"></div>{ways}</div>'
                f'<div id="said" tabindex="0" role="log" aria-label="{esc(self._text("chat.title"))}"></div>'
                f'{reactions(self._shell.words)}{write}</section>')

    def _draw(self) -> None:
        room, words = self._room, self._shell.words
        if room.state is None:
            return
        parts = Parts(room, words)
        new = 0 if self.open else room.chat.lines_heard - self._seen
        count = f'<span class="count" aria-hidden="true">{min(new, 99)}</span>' if new else ""
        label = self._text("chat.new", n=new) if new else self._text("chat.close" if self.open else "chat.open")
        self._part("chat-button", tag("button", icon("message-circle") + count, type="button", class_="button quiet square",
                                      data_do="drawer", id="open-chat", aria_label=label, aria_expanded=self._expanded,
                                      aria_controls="drawer"))
        self._part("said", chat_lines(room, words, parts))
        self._part("mutes", mutes(room, words, parts))
        self._part(DOOR, door(room, words))
        box = self._shell.document.element("said")
        box.scrollTop = box.scrollHeight

    @property
    def _expanded(self) -> str:
        return "true" if self.open else "false"

    def _part(self, name: str, html: str) -> None:
        if self._drawn.get(name) != html:
            self._drawn[name] = html
            self._shell.document.repaint(name, html)

    def _heard(self, what: str) -> None:
        room = self._room
        if what == "chat" and room.state is not None and room.chat.lines and room.chat.lines[-1].author != room.author:
            line = room.chat.lines[-1]
            name = Parts(room, self._shell.words).name(line.author)
            told = line.text or self._text(f"chat.reactions.{line.reaction}")
            if not self.open:  # a sign flies by; words wait in the drawer
                sign = icon(SIGNS[line.reaction]) if line.reaction else icon("message-circle")
                words = esc(self._text("chat.line", name=name, text=told))
                self._part("fresh", f'<p class="passing" data-line="{room.chat.lines_heard}">{sign}<span>{words}</span></p>')
            else:
                self._shell.notices.announce(self._text("chat.line", name=name, text=told))
        self._draw()

    # ---- acts ----

    async def act(self, do: str, data: Mapping[str, str]) -> bool:
        """Do what was tapped, if it is the drawer's or the door's; whether it was."""
        room = self._room
        if do == "drawer":
            self._toggle()
        elif do == "react":
            self._say(reaction=data["sign"])
        elif do == "say":
            self._say(text=self._line)
        elif do in ("let_in", "turn_away"):
            try:
                (room.as_host().let_in if do == "let_in" else room.as_host().turn_away)(data["author"])
            except Refused as refused:  # another hosts the room by now
                self._shell.notices.say(self._text(refused.refusal.key, **refused.refusal.params))
        elif do == "mute":
            room.mute(data["author"], data["author"] not in room.chat.muted_authors)
        elif do == "quiet":
            room.chat.is_quiet = not room.chat.is_quiet
        else:
            return False
        self._draw()
        return True

    def _toggle(self) -> None:
        self.open = not self.open
        self._seen = self._room.chat.lines_heard
        self._part("fresh", "")
        self._shell.document.element("drawer").hidden = not self.open
        if self.open:
            self._shell.document.focus("line")

    def _say(self, text: str = "", reaction: str = "") -> None:
        if self._room.say(text, reaction):
            self._line = ""
            self._shell.document.element("line").value = ""
        elif text.strip() or reaction:
            self._shell.notices.announce(self._text("chat.too_fast"))

    def on_input(self, name: str, value: str) -> None:
        if name == "line":
            self._line = value
