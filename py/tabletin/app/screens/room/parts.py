"""The parts of a room's screen as HTML: chairs, spectators, options, chat. Pure: from a room to text."""

from __future__ import annotations

from typing import Any, Final

from tabletin.app.routes import address
from tabletin.app.session.plan import FAR
from tabletin.app.ui.html import button, esc, game_key, game_name, icon, link, section, select, tag
from tabletin.kernel.options import Choice, Option, Switch
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import LEVELS
from tabletin.kernel.user_text import NAME, clean, is_nameless
from tabletin.peers.room.chat import REACTIONS
from tabletin.peers.room.room import Room
from tabletin.peers.room.state import BOT, MOST_CHAIRS, OPEN, PERSON, Chair, Member, RoomState
from tabletin.registry import rules_of
from tabletin.words import MOST_QUOTED, Catalogue

LEVEL_NAMES: Final = "shell.level"
SIGNS: Final = {"hello": "hand", "luck": "clover", "well_played": "thumbs-up", "thanks": "heart", "wow": "star",
                "oops": "frown", "laugh": "laugh", "moment": "clock"}
"""The icon of every reaction."""

assert set(SIGNS) == set(REACTIONS)


class Parts:
    """The parts of the screen of ``room`` as it stands."""

    def __init__(self, room: Room, words: Catalogue) -> None:
        self.room = room
        self.words = words
        state = room.state
        assert state is not None
        self.state: RoomState = state

    def text(self, key: str, **params: Any) -> str:
        return self.words.text(key, **params)

    @property
    def host_name(self) -> str:
        return self.name(self.state.host)

    def name(self, author: str) -> str:
        """How people here call a member; somebody who gave no name is called by their place, as at the table."""
        member = self.state.member(author)
        if member is None:
            return self.text("room.someone")
        if not is_nameless(member.name):
            return member.name
        chair = self.state.chair_of(author)
        return self.text("room.person_name", n=1 + (self.state.members.index(member) if chair is None else chair))

    def names(self, authors: tuple[str, ...] | list[str]) -> str:
        return self.words.join_names([self.name(author) for author in authors])

    @property
    def signature(self) -> str:
        """The person here, as invitations name them."""
        member = self.state.member(self.room.author)
        return self.text("room.someone") if member is None or is_nameless(member.name) else member.name

    @property
    def mine(self) -> str:
        """The person here, as addressed on its own screen."""
        member = self.state.member(self.room.author)
        nameless = member is None or is_nameless(member.name)
        return self.text("kernel.you") if nameless else self.text("room.you", name=self.name(self.room.author))

    # ---- chairs ----

    def chairs(self) -> str:
        """Every chair in a row of its own."""
        rows = "".join(self.chair(index, chair) for index, chair in enumerate(self.state.chairs))
        add = ""
        if self.may_change and len(self.state.chairs) < min(MOST_CHAIRS, rules_of(self.state.game).seat_counts[-1]):
            add = button(self.text("room.add"), "add_chair", look="quiet", picture="plus", id="add-chair")
        return f'<ol class="seats chairs">{rows}</ol>{add}'

    @property
    def free(self) -> bool:
        """Whether there is an empty chair."""
        return any(chair.kind == OPEN for chair in self.state.chairs)

    @property
    def may_change(self) -> bool:
        """Whether this device may change who sits where."""
        return self.room.hosting and not self.state.playing and self.state.known

    def chair(self, index: int, chair: Chair) -> str:
        ready = chair.kind == PERSON and self.state.ready.get(chair.author) == self.state.agreement
        disc = tag("span", icon("check") if ready else str(index + 1), class_=f"disc seat-{index}", aria_hidden="true")
        name, about = self.label(chair)
        if self.may_change and chair.kind == PERSON and chair.name:  # a second person at the host's device
            known = tag("input", type="text", name=f"person-{index}", id=f"person-{index}", value=name, maxlength=NAME,
                        autocomplete="off", spellcheck="false",
                        aria_label=self.text("newmatch.name_of", n=index + 1)).removesuffix("</input>")
        else:
            known = tag("span", f'<span class="name">{esc(name)}</span><span class="quiet">{esc(about)}</span>',
                        class_="unseen" if chair.kind == OPEN and self.may_change else "who")
        classes = " ".join(filter(None, (chair.kind, "ready" if ready else "", self.presence_class(chair))))
        return tag("li", disc + known + self.chair_controls(index, chair), class_=classes, data_chair=index)

    def label(self, chair: Chair) -> tuple[str, str]:
        """The name on a chair, and a few words about it."""
        state = self.state
        if chair.kind == OPEN:
            return self.text("room.empty"), self.text("room.empty_host") if self.may_change else ""
        if chair.kind == BOT:
            return chair.name, self.text("room.bot", level=self.text(f"{LEVEL_NAMES}.{chair.level}"))
        if chair.name:
            other = "room.here" if chair.author == self.room.author else "room.shares"
            return chair.name, self.text(other, name=self.name(chair.author))
        name = self.name(chair.author)
        invites = self.text("room.host") if chair.author == state.host else ""
        if chair.author == self.room.author:
            name, invites = self.mine, ""
        ready = state.ready.get(chair.author) == state.agreement
        mark = "" if state.playing else self.text("room.ready_mark" if ready else "room.not_ready_mark")
        present = self.presence(chair.author)
        return name, " · ".join(part for part in (invites, present or mark) if part)

    def presence(self, author: str) -> str:
        """The presence of a device in words; "" while it is here."""
        lost = author in self.room.transport.lost_authors()
        return self.text(f"room.presence.{'lost' if lost else self.room.presence(author).value}")

    def presence_class(self, chair: Chair) -> str:
        return "" if chair.kind != PERSON or chair.author == self.room.author else self.room.presence(chair.author).value

    def chair_controls(self, index: int, chair: Chair) -> str:
        """The controls of a chair for this device."""
        if self.may_change:
            return self.host_controls(index, chair)
        if chair.kind == OPEN and self.room.inside and not self.state.playing and self.state.chair_of(self.room.author) is None:
            return button(self.text("room.sit"), "sit", data_chair=index, id=f"sit-{index}")
        return ""

    def host_controls(self, index: int, chair: Chair) -> str:
        """The controls of a chair for the host."""
        state = self.state
        if chair.kind == PERSON and chair.author != self.room.author:
            return button(self.text("room.remove", name=self.name(chair.author)), "remove", look="quiet", picture="x",
                          only_picture=True, data_author=chair.author, id=f"remove-{chair.author[:8]}")
        drop = ""
        if len(state.chairs) > rules_of(state.game).seat_counts[0]:
            drop = button(self.text("room.drop", n=index + 1), "drop_chair", look="quiet", picture="x", only_picture=True,
                          data_chair=index, id=f"drop-{index}")
        if chair.kind == PERSON and not chair.name:
            return ""
        chosen = FAR if chair.kind == OPEN else PERSON if chair.kind == PERSON else chair.level
        choices = [(who, self.text(f"newmatch.who_choices.{who}")) for who in (FAR, PERSON, *LEVELS)]
        return select(f"chair-{index}", choices, chosen, aria_label=self.text("room.who", n=index + 1)) + drop

    # ---- spectators ----

    def watchers(self) -> str:
        """Members without a chair."""
        rows = "".join(self.watcher(member) for member in self.state.spectators)
        if not rows:
            return ""
        return section("watchers-title", self.text("room.watching"), f'<ul class="seats watchers">{rows}</ul>')

    def watcher(self, member: Member) -> str:
        mine = member.author == self.room.author
        name = self.mine if mine else self.name(member.author)
        known = (f'<span class="who"><span class="name">{esc(name)}</span>'
                 f'<span class="quiet">{esc("" if mine else self.presence(member.author))}</span></span>')
        away = button(self.text("room.remove", name=name), "remove", look="quiet", picture="x", only_picture=True,
                      data_author=member.author, id=f"remove-{member.author[:8]}") if self.may_change and not mine else ""
        return tag("li", f'<span class="disc eye" aria-hidden="true">{icon("eye")}</span>{known}{away}')

    # ---- options ----

    def options(self) -> str:
        """The game's options in words."""
        state = self.state
        try:
            lines = option_lines(self.words, state)
        except Malformed:
            return ""
        rows = "".join(f"<div><dt>{esc(label)}</dt><dd>{esc(value)}</dd></div>" for label, value in lines)
        shown = f"<dl>{rows}</dl>" if rows else f'<p class="quiet">{esc(self.text("room.as_printed"))}</p>'
        ways = link(self.text("room.rules"), address(state.game, "rules"), look="quiet", picture="book-open")
        if self.may_change:
            ways += link(self.text("room.change"), address(state.game, "new"), look="quiet", picture="settings", id="change")
        return f'{shown}<div class="row">{ways}</div>'

    def openness(self) -> str:
        """Which devices can see whose cards, said before the deal."""
        sentences = []
        bots: dict[str, list[str]] = {}
        people: dict[str, list[str]] = {}
        for chair in self.state.chairs:
            if chair.kind == BOT:
                bots.setdefault(chair.author, []).append(chair.name)
            elif chair.kind == PERSON:
                people.setdefault(chair.author, []).append(self.state.name_of(chair))
        for author, names in bots.items():
            key = "room.bots_yours" if author == self.room.author else "room.bots_theirs"
            sentences.append(self.text(key, n=len(names), names=self.words.join_names(names), host=self.name(author)))
        sentences += [self.text("room.shared", names=self.words.join_names(names)) for names in people.values() if len(names) > 1]
        sentences.append(self.text("room.sealed" if sentences else "room.all_sealed"))
        return "".join(f"<p>{esc(sentence)}</p>" for sentence in sentences)


def option_lines(words: Catalogue, state: RoomState) -> list[tuple[str, str]]:
    """Label and value of every option that is not as printed. Raises ``Malformed`` for a game that is not in the tin."""
    lines = []
    for option in rules_of(state.game).options:
        value = state.options.get(option.key, option.default)
        value = tuple(value) if isinstance(value, list) else value
        if value == option.default:
            continue
        label = game_key(words, state.game, f"options.{option.key}.label")
        told = clean(option_value(words, state.game, option, value), MOST_QUOTED)  # a host may say anything
        lines.append((words.text(label) if label in words else option.key, told))
    return lines


def option_value(words: Catalogue, game: str, option: Option, value: Any) -> str:
    """A value in words."""
    if isinstance(option, Switch):
        return words.text("room.on" if value else "room.off")
    if isinstance(option, Choice):
        key = game_key(words, game, f"options.{option.key}.choices.{value}")
        return words.text(key) if key in words else str(value)
    if value is None:
        return words.text("newmatch.off")
    return ", ".join(str(one) for one in value) if isinstance(value, tuple | list) else str(value)


def title(words: Catalogue, state: RoomState) -> str:
    """The title of the room's screen."""
    return words.text("room.of", game=game_name(words, state.game)) if state.known else words.text("room.title")


# ---- chat ----


def chat_lines(room: Room, words: Catalogue, parts: Parts) -> str:
    """The latest lines of the chat, the newest last."""
    lines = []
    for line in room.chat.lines:
        mine = line.author == room.author
        name = parts.name(line.author)
        sign = f'{icon(SIGNS[line.reaction])}<span>{esc(words.text(f"chat.reactions.{line.reaction}"))}</span>' \
            if line.reaction else f"<span>{esc(line.text)}</span>"
        lines.append(f'<li class="{"mine" if mine else "theirs"}{" sign" if line.reaction else ""}">'
                     f'<span class="by">{esc(name)}</span>{sign}</li>')
    if not lines:
        return f'<p class="quiet">{esc(words.text("chat.none"))}</p>'
    return f'<ol class="said">{"".join(lines)}</ol>'


def door(room: Room, words: Catalogue) -> str:
    """The people who ask to come in."""
    return "".join(
        f'<div class="notice"><p>{esc(words.text("room.knocks", name=guest.name))}</p>'
        + button(words.text("room.let_in"), "let_in", look="primary", data_author=author, id=f"let-in-{author[:8]}")
        + button(words.text("room.turn_away"), "turn_away", look="quiet", data_author=author, id=f"turn-away-{author[:8]}")
        + "</div>" for author, guest in (room.host_side.knocking if room.host_side is not None else {}).items())


def answers(room: Room, words: Catalogue, inviter: str) -> str:
    """What others say who are met by the link, while the device of ``inviter`` is not: that they would let one in, or not."""
    inviter = inviter or words.text("room.someone")
    said = tag("p", esc(words.text(f"room.ended.{room.turned_away}", name=inviter))) if room.turned_away else ""
    for author, state in room.stand_ins.items() if not room.is_host_met else ():
        name = words.text("room.someone") if is_nameless(state.members[0].name) else state.members[0].name
        said += (tag("p", esc(words.text("room.wait.stand_in", name=inviter, host=name)))
                 + button(words.text("room.follow", name=name), "go_in", data_author=author, id=f"go-in-{author[:8]}"))
    return f'<div class="notice">{said}</div>' if said else ""


def other_versions(room: Room, words: Catalogue) -> str:
    """That somebody who is connected has another version of the program."""
    here = room.other_versions.intersection(room.transport.connected_authors())
    return f'<div class="notice bad"><p>{esc(words.text("room.ended.version"))}</p></div>' if here else ""


def reactions(words: Catalogue) -> str:
    """The quick reactions, one button each."""
    pushes = "".join(button(words.text(f"chat.reactions.{one}"), "react", picture=picture, data_sign=one,
                            only_picture=False, look="sign") for one, picture in SIGNS.items())
    return f'<div class="signs" role="group" aria-label="{esc(words.text("chat.signs"))}">{pushes}</div>'


def mutes(room: Room, words: Catalogue, parts: Parts) -> str:
    """A button that silences the chat, and one for each member."""
    on = room.chat.is_quiet
    quiet = button(words.text("chat.loud" if on else "chat.quiet"), "quiet", look="quiet",
                   picture="bell" if on else "bell-off", id="quiet")
    each = ""
    for member in parts.state.members:
        if member.author == room.author:
            continue
        muted = member.author in room.chat.muted_authors
        label = words.text("chat.unmute" if muted else "chat.mute", name=parts.name(member.author))
        each += button(label, "mute", look="quiet", picture="volume-2" if muted else "volume-x", data_author=member.author,
                       id=f"mute-{member.author[:8]}")
    more = f'<details class="people"><summary>{esc(words.text("chat.people"))}</summary><div class="row">{each}</div></details>'
    status = f'<p class="quiet">{esc(words.text("chat.is_quiet"))}</p>' if room.chat.is_quiet else ""
    return f'<div class="row">{quiet}</div>{status}{more if each else ""}'
