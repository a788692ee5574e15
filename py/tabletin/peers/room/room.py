"""The room where friends meet before the deal and after: the host's device keeps it, the others ask.

It speaks on the channel "room" of a ``Net`` and believes nothing: a sender is whom the channel was authenticated for, every
message is parsed strictly, bounded, and counted by reason where it is wrong; nothing wrong changes anything. It knows no
page, founds no match and deals no card: when everybody has agreed to the same, it says so (``on_agreed``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tabletin.kernel.log import Json
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import COLOURS
from tabletin.peers.net.transport import ROOM, Presence, Transport
from tabletin.peers.room.host import RoomHost
from tabletin.peers.room.messages import Message, read
from tabletin.peers.room.state import NONCE, Chair, Member, RoomState
from tabletin.peers.text import NAME, clean
from tabletin.registry import rules_of

SETTLING: Final = 20.0  # seconds in which two who went on at once find together
ANONYMOUS: Final = "?"


class Room(RoomHost):
    """One room. ``Room.hosted`` opens one, ``Room.joined`` waits to be taken into one, ``Room.resumed`` goes on with one."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self._claims: dict[str, RoomState] = {}  # of members who say that the host is gone
        self._new_host_since = -SETTLING
        self.net.on_text(ROOM, self.receive)
        self.net.on_presence(self._presence)

    @classmethod
    def hosted(cls, net: Transport, name: str, game: str, options: Mapping[str, Any], chairs: tuple[Chair, ...],
               **given: Any) -> Room:
        """A room of one's own: ``chairs`` as planned, with ``by`` of this device where people or bots sit already."""
        room = cls(net, name, **given)
        me = Member(net.author, room.name or ANONYMOUS, COLOURS[0])
        room.state = RoomState(net.author, game, rules_of(game).version, dict(options), chairs, (me,), room.digits(NONCE))
        return room

    @classmethod
    def joined(cls, net: Transport, name: str, host: str, *, watching: bool = False, **given: Any) -> Room:
        """Knock at the room of ``host``, with whom this device is connected; "": of whoever keeps one under a name."""
        room = cls(net, name, **given)
        room.awaited, room.watching = host, watching
        room.enter()
        return room

    @classmethod
    def resumed(cls, net: Transport, name: str, state: RoomState, genesis: Json = None, **given: Any) -> Room:
        """A room this device was in before its page was closed; ``genesis``: of the match that was under way."""
        room = cls(net, name, **given)
        room.state, room.awaited, room.genesis, room.came_to = state, state.host, genesis, state.playing
        room.was_gone.update(member.author for member in state.members if member.author != net.author)
        room.expected.update({member.author: member.watching for member in state.members} if room.hosting else {})
        room.enter()
        return room

    # ---- what everybody does ----

    def enter(self) -> None:
        """Say who this is to the host: at first, and whenever the channel is there anew."""
        if not self.hosting:
            host = self.state.host if self.state is not None else self.awaited
            self.send(host or None, "enter", name=self.name or ANONYMOUS, watching=self.watching)

    def rename(self, name: str) -> None:
        name = clean(name, NAME)
        if name:
            self.name = name
            self._ask("name", name=name)

    def sit(self, index: int) -> None:
        """Take the empty chair ``index``."""
        self._ask("sit", chair=index)

    def stand(self) -> None:
        """Leave one's chair and watch."""
        self._ask("stand")

    def set_ready(self, on: bool) -> None:
        """Agree to the match as it is proposed now, or take that back."""
        if self.state is not None:
            self.promised = self.state.agreement if on else ""
            self._ask("ready", agreement=self.promised)

    def again(self) -> None:
        """The match is over: the same people, everybody one chair further. Anybody may ask for it."""
        self._ask("again")

    def say(self, text: str = "", reaction: str = "") -> bool:
        """A line to all members who are here; False where it is too much at once."""
        state = self.state
        if state is None or not self.inside or not self.talk.hear(self.me, text=text, reaction=reaction, mine=True):
            return False
        line = self.talk.lines[-1]
        for author in self.net.connected():
            if state.member(author) is not None:
                self.send(author, "say", text=line.text, reaction=line.reaction)
        self.tell("talk")
        return True

    def mute(self, author: str, on: bool = True) -> None:
        self.talk.mute(author, on)
        self.tell("talk")

    def leave(self) -> None:
        """Say good-bye to everybody. The host's chair is empty then, and the room the next member's."""
        if not self.ended:
            self.send(None, "leave")
            self.end("left")

    def take_over(self) -> None:
        """Go on as the host, because the one who was is gone."""
        if not self.host_gone:
            raise refused("room.refuse.host_here")
        self._new_host_since = self.now()
        self.succeed()

    def yield_to_rival(self) -> None:
        """Follow the member who went on with the room while this device was away."""
        if self.rival is not None:
            self.awaited, self.state, self.rival = self.rival.host, self.rival, None
            self.enter()
            self.tell("room")

    def keep_own(self) -> None:
        """Stay with one's own room."""
        self.rival = None
        self.tell("room")

    def _ask(self, do: str, **asked: Any) -> None:
        """Ask the host; the host asks itself."""
        if self.ended or self.state is None:
            return
        if self.hosting:
            self.asked_by(self.me, Message(do, asked))
        else:
            self.send(self.state.host, do, **asked)

    # ---- what comes in ----

    def receive(self, sender: str, text: str) -> None:
        """A message of ``sender`` on the channel. Never raises; what is wrong is counted."""
        if self.ended or sender == self.me:
            return
        if not self.may_pass(sender):
            self.rejected["rate"] += 1
            return
        if sender in self.unwanted - self.forgiven:  # it has heard by now that it is to go
            self.rejected["unwanted"] += 1
            self.net.refuse(sender)
            return
        try:
            self._hear(sender, read(text))
        except Malformed as error:
            version = str(error) == "version"
            self.rejected["version" if version else "form"] += 1
            if version and self.state is None and sender == self.awaited:
                self.end("version")
        except Refused as error:
            self.rejected[error.refusal.key] += 1

    def _hear(self, sender: str, message: Message) -> None:
        state, do, said = self.state, message.do, message.said
        if do == "room":
            self._room_of(sender, RoomState.from_json(said["room"]))
        elif do == "no":
            if sender == (self.awaited if state is None else state.host):
                self.send(sender, "leave")
                self.end(said["why"])
            else:
                self.rejected["impostor"] += 1
        elif do == "enter" and state is not None and self.inside:
            if self.hosting:
                self.entered(state, sender, said)
            else:
                self.send(sender, "host", author=state.host)
        elif do == "host":
            self._host_is(sender, said["author"])
        elif do == "leave" and sender in self.knocking:
            del self.knocking[sender]
            self.tell("room")
        elif state is None or not self.inside or state.member(sender) is None:
            self.rejected["stranger"] += 1
        elif do == "say":
            if self.talk.hear(sender, text=said["text"], reaction=said["reaction"]):
                self.tell("talk")
        elif do == "found":
            self._found_by(state, sender, said["genesis"])
        elif do == "leave":
            self._left(state, sender)
        elif self.hosting:
            self.asked_by(sender, message)
        else:
            self.rejected["not_host"] += 1

    def _host_is(self, sender: str, author: str) -> None:
        """Who invited this device is not the host: knock there."""
        if self.state is not None or (self.awaited and sender != self.awaited) or not author:
            raise refused("impostor")
        if author != self.me:
            self.awaited = author
            self.enter()

    def _room_of(self, sender: str, state: RoomState) -> None:
        """The room as ``sender`` keeps it: believed of the host, or of whoever goes on when the host is gone."""
        now = self.state
        if sender != state.host or (now is None and self.awaited and sender != self.awaited):
            raise refused("impostor")
        if now is None:
            self._follow(state)
        elif sender == now.host:
            if (state.term, state.version) > (now.term, now.version):
                self._follow(state)
            elif state != now:
                raise refused("old")
        elif now.member(sender) is None or state.term < max(1, now.term):
            raise refused("impostor")
        elif self.hosting:
            self._rivalled_by(now, state)
        elif (self.gone(now.host) if state.term > now.term else self._settling and sender < now.host):
            self._follow(state)
        else:
            self._claims[sender] = state
            raise refused("impostor")

    @property
    def _settling(self) -> bool:
        """Whether the host is so new that several may have gone on at once; then the smaller author keeps the room."""
        return self.now() - self._new_host_since < SETTLING

    def _rivalled_by(self, now: RoomState, state: RoomState) -> None:
        """Somebody else goes on with the room of this device."""
        if self._settling and state.term == now.term:
            if state.host < now.host:
                self._follow(state)
        elif state.host in self.was_gone and state.term > now.term:
            self.rival = state
            self.tell("room")
        else:
            raise refused("impostor")

    def _follow(self, state: RoomState) -> None:
        before = self.state
        if before is not None and before.playing != state.playing:
            self.genesis, self.over = None, False
        if before is not None and before.host != state.host:
            self._new_host_since = self.now()
        if before is None:
            self.came_to = state.playing
        self._claims.clear()
        self.state = state
        if self.me in state.removed:
            self.end("removed")
            return
        for author in state.removed:
            self.net.refuse(author)
        for member in state.members:
            if member.author != self.me:
                self.net.admit(member.author)
        if state.member(self.me) is None:
            if before is None or before.member(self.me) is not None:
                self.enter()
        elif before is None or before.host != state.host:
            self.enter()
        self.tell("room")

    def _found_by(self, state: RoomState, sender: str, genesis: Json) -> None:
        """The host says that the match begins: only if it is what this device agreed to."""
        if sender != state.host or self.hosting:
            raise refused("impostor")
        self.checked(genesis, state)
        if self.genesis is None:
            self.genesis, self.over = genesis, False
            self.on_genesis(genesis)

    def _left(self, state: RoomState, sender: str) -> None:
        self.expected.pop(sender, None)
        if self.hosting and state.playing:
            if sender not in state.seated:
                members = tuple(one for one in state.members if one.author != sender)
                self.set(state.changed(members=members))
        elif self.hosting:
            self.set(state.without(sender))
        elif sender == state.host and not state.playing:
            heirs = [one.author for one in state.members if one.author != sender and not self.gone(one.author)]
            if heirs and heirs[0] == self.me:
                self.succeed()
            elif heirs:
                self.send(heirs[0], "enter", name=self.name or ANONYMOUS, watching=self.watching)
        self.tell("presence")

    def _presence(self, author: str) -> None:
        state = self.state
        if self.ended or state is None:
            if not self.ended and author == (self.awaited or author) and not self.gone(author):
                self.enter()
            return
        if self.gone(author):
            self.was_gone.add(author)
            if author == state.host and not self.hosting and self._claims:
                claim = max(self._claims.values(), key=lambda one: (one.term, [-ord(digit) for digit in one.host]))
                self._follow(claim)
        elif self.presence(author) is Presence.HERE:
            if author == state.host:
                self.enter()
            elif self.hosting and state.member(author) is not None:
                self.send_room(author)
        self.tell("presence")
        self.look_whether_agreed()
