"""The room where friends meet before the deal and after: its state on this device, and the messages on its channel.

One device hosts the room and keeps its state; the others ask the host (``host.py`` has the host's side). A room believes
nothing: a sender is the author that its link is authenticated for, each message is parsed strictly and bounded, and what is
wrong is counted by reason and changes nothing. It knows no page, founds no match and deals no card: when all members have
agreed to the same, it calls ``on_agreed``. What members say of a league goes to ``on_league``, unread.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from secrets import token_hex
from typing import Any, Final

from tabletin.kernel.log import Entry, Hash, Json, canonical
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import COLOURS, Setup, check_names, check_seats
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.net.rendezvous import Rendezvous
from tabletin.peers.net.transport import ROOM, Presence, Transport
from tabletin.peers.room.chat import Chat, TokenBucket
from tabletin.peers.room.host import Admission, RoomHost
from tabletin.peers.room.messages import MOST_TEXT, Message, read, spell
from tabletin.peers.room.state import NONCE, Chair, Member, RoomState, agreement_on
from tabletin.registry import rules_of

SETTLING: Final = 20.0  # seconds in which two new hosts find together
ANONYMOUS: Final = "?"
BURST: Final = 40.0  # messages of one sender at once
REFILL: Final = 8.0  # a second
MOST_SENDERS: Final = 64
LED: Final = 4.0  # matches at once to which the page is led because their host says that they are under way
LED_A_SECOND: Final = 1 / 300  # one that is watched is stored, and the page remembers so many
MOST_STAND_INS: Final = 4
OUT_OF_REACH: Final = (Presence.AWAY, Presence.LEFT, Presence.UNKNOWN)


def digits(count: int) -> str:
    return token_hex(count // 2)


class Room:
    """One room. ``Room.hosted`` opens one, ``Room.joined`` waits to be let into one, ``Room.resumed`` goes on with one.

    - ``author``, ``name``: this device, and its person's name. ``watching``: this person wants no chair. ``rendezvous``: of the
      link that leads here, by which guests show that they may come in; None where there is none.
    - ``state``: None until the host has sent one. ``host_side``: the host's side while this device is the host, else None.
    - ``expected_host``: at whom this device knocks while it has no state; "" for the device that the link names, or any host
      where it names none. ``stand_ins``: rooms of others who were met by such a link, and are followed only if the person here
      says so. ``turned_away``: why somebody there says that this device is not taken in, who may not be the host; else "".
    - ``end_reason``: why this device is no longer in the room ("removed", "refused", "full", "version", "left"), else "".
    - ``rival``: the room as another member hosts it since this device, its host, was away.
    - ``genesis``: of the match under way. ``match_over``: that match has ended. ``has_begun``: whether this device took part
      in a match of this room earlier, by its hash. ``own_agreement``: what the person here agreed to and has not begun yet,
      else "". ``on_unasked`` is called when there is an ``unasked_match`` that the person here should be asked about now.
    - ``rejections``: how often something was wrong, by reason. ``other_versions``: the authors that speak another version.
    """

    def __init__(self, transport: Transport, name: str, *, now: Callable[[], float] = time.monotonic,
                 digits: Callable[[int], str] = digits) -> None:
        self.transport = transport
        self.author = transport.author
        self.name = clean(name, NAME)
        self.watching = False
        self.rendezvous: Rendezvous | None = None
        self.state: RoomState | None = None
        self.host_side: RoomHost | None = None
        self.expected_host = ""
        self.end_reason = ""
        self.stand_ins: dict[str, RoomState] = {}
        self.turned_away = ""
        self.rival: RoomState | None = None
        self.genesis: Json = None
        self.match_over = False
        self.rejections: Counter[str] = Counter()
        self.other_versions: set[str] = set()
        self.chat = Chat(now)
        self.on_agreed: Callable[[Setup], None] = lambda setup: None
        self.on_genesis: Callable[[Json], None] = lambda genesis: None
        self.on_league: Callable[[str, Json], None] = lambda member, said: None
        self.on_unasked: Callable[[], None] = lambda: None
        self.has_begun: Callable[[Hash], bool] = lambda match: False
        self._table: Hash = ""  # the match at the table of this page
        self._table_is_over: Callable[[], bool] = lambda: False
        self._players: Callable[[], Collection[str]] = tuple  # of this page's table
        self.digits = digits
        self._now = now
        self.own_agreement: Hash = ""  # never taken from messages
        self._unasked: Json = None  # genesis of the match under way, if it did not begin here
        self._absentees: set[str] = set()  # members that were out of reach at some time
        self._claims: dict[str, RoomState] = {}  # rooms of members who say that the host is gone, by member
        self._new_host_since = -SETTLING
        self._listeners: list[Callable[[str], None]] = []
        self._buckets: dict[str, TokenBucket] = {}
        self._led = TokenBucket(LED, LED_A_SECOND, now())
        transport.on_text(ROOM, self.receive)
        transport.on_presence(self._presence_changed)

    @classmethod
    def open(cls, transport: Transport, name: str, game: str, options: Mapping[str, Any], chairs: tuple[Chair, ...], *,
               rendezvous: Rendezvous | None = None, **given: Any) -> Room:
        """A room of this device: ``chairs`` as planned, with ``by`` of this device where people or bots sit already."""
        room = cls(transport, name, **given)
        room.rendezvous = rendezvous
        host = Member(room.author, room.name or ANONYMOUS, COLOURS[0])
        room._accept_state(RoomState(room.author, game, rules_of(game).version, dict(options), chairs, (host,),
                                     room.digits(NONCE)))
        return room

    @classmethod
    def join(cls, transport: Transport, name: str, host: str, *, watching: bool = False, rendezvous: Rendezvous | None = None,
               **given: Any) -> Room:
        """Knock at the room of ``host``, with whom this device is connected; "": of any host that is connected."""
        room = cls(transport, name, **given)
        room.expected_host, room.watching, room.rendezvous = host, watching, rendezvous
        room.enter()
        return room

    @classmethod
    def resume(cls, transport: Transport, name: str, state: RoomState, genesis: Json = None, *, agreement: Hash = "",
                rendezvous: Rendezvous | None = None, **given: Any) -> Room:
        """A room this device was in before its page was closed; ``genesis``: of the match that was under way; ``agreement``: what
        the person here had agreed to."""
        room = cls(transport, name, **given)
        room.expected_host, room.genesis, room.own_agreement, room.rendezvous = state.host, genesis, agreement, rendezvous
        room._absentees.update(member.author for member in state.members if member.author != room.author)
        room._accept_state(state)
        room.enter()
        return room

    def _accept_state(self, state: RoomState) -> None:
        """The room's state is ``state``, of whichever host."""
        self.state = state
        if state.host != self.author:
            self.host_side = None
        elif self.host_side is None:
            self.host_side = RoomHost(self)

    # ---- questions ----

    @property
    def hosting(self) -> bool:
        return self.host_side is not None

    @property
    def inside(self) -> bool:
        """Whether this device is a member."""
        return not self.end_reason and self.state is not None and self.state.member(self.author) is not None

    @property
    def ready(self) -> bool:
        return self.state is not None and self.state.ready.get(self.author) == self.state.agreement == self.own_agreement

    @property
    def unasked_match(self) -> Json:
        """The genesis of the match under way, if it did not begin here: because the person has a seat in it and never agreed
        to it, plays another one, or was led to many others. It waits for ``join_match``: a host may say of any match that it is
        under way."""
        unasked = self._unasked
        return None if unasked is None or self.has_begun(Entry.from_json(unasked).statement.hash) else unasked

    def has_agreed_to(self, setup: Setup) -> bool:
        """Whether the person here agreed to this very match, or has no seat in it."""
        return self.author not in setup.authors or agreement_on(setup) == self.own_agreement

    @property
    def missing(self) -> tuple[str, ...]:
        """Seated devices that are out of reach."""
        if self.state is None:
            return ()
        return tuple(author for author in self.state.seated_authors if self.out_of_reach(author))

    @property
    def host_gone(self) -> bool:
        """Whether another member could go on with the room now."""
        return self.state is not None and not self.hosting and self.inside and self.out_of_reach(self.state.host)

    @property
    def is_match_over(self) -> bool:
        is_at_table = self.state is not None and self.state.playing == self._table
        return self.match_over or (is_at_table and self._table_is_over())

    @property
    def is_playing(self) -> bool:
        """Whether this device plays a match at the table of this page that goes on."""
        return self.author in self._players() and not self._table_is_over()

    @property
    def table(self) -> Hash:
        """The match at the table of this page; "" before there was one."""
        return self._table

    def presence(self, author: str) -> Presence:
        return Presence.HERE if author == self.author else self.transport.presence(author)

    def follow_table(self, match: Hash, is_over: Callable[[], bool], players: Callable[[], Collection[str]]) -> None:
        """A table of this page plays ``match``. ``is_over``: whether that has ended; ``players``: the authors who play it.

        Whatever the host says, it plays with all of them until then: a host that cut a player off from the others, or led it to
        another table, would have them vote somebody gone who is there. Nor does it forget any of them for others who come."""
        self._table, self._table_is_over, self._players = match, is_over, players
        playing = () if is_over() else players()
        self.transport.retain(playing)
        for author in playing:
            if author != self.author:
                self.transport.admit(author)

    def out_of_reach(self, author: str) -> bool:
        return self.presence(author) in OUT_OF_REACH

    def as_host(self) -> RoomHost:
        """The host's side. Raises ``Refused`` where another device is the host."""
        if self.host_side is None:
            raise refused("room.refuse.host")
        return self.host_side

    # ---- the page ----

    def on_change(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call ``listener`` with what changed: "room", "chat" or "presence". Returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def notify(self, what: str) -> None:
        for listener in list(self._listeners):
            listener(what)

    def end(self, reason: str) -> None:
        """This device is out of the room."""
        self.end_reason = reason
        self.host_side = None
        self.notify("room")

    def reject(self, reason: str) -> None:
        self.rejections[reason] += 1

    # ---- what every member does ----

    def enter(self) -> None:
        """Tell the host who this is: at first, and whenever the link is new."""
        if not self.hosting:
            host = self.state.host if self.state is not None else self.expected_host
            self._enter_at(host or None)

    def _enter_at(self, host: str | None) -> None:
        proof = self.rendezvous.proof(self.author) if self.rendezvous is not None else ""
        self.send(host, "enter", name=self.name or ANONYMOUS, watching=self.watching, proof=proof)

    def rename(self, name: str) -> None:
        name = clean(name, NAME)
        if name:
            self.name = name
            self._ask("name", name=name)

    def sit(self, index: int) -> None:
        """Take the empty chair ``index``."""
        self._ask("sit", chair=index)

    def stand(self) -> None:
        """Leave the chair and watch. Whatever the host makes of it, the person here agrees to no match any more."""
        self.own_agreement = ""
        self._ask("stand")
        self.notify("room")

    def set_ready(self, on: bool) -> None:
        """Agree to the match as it is proposed now, or take that back."""
        if self.state is not None:
            self.own_agreement = self.state.agreement if on else ""
            self._ask("ready", agreement=self.own_agreement)
            self.notify("room")

    def join_match(self) -> None:
        """Agree to the match that is under way already."""
        if self.unasked_match is not None:
            self.begin(self.unasked_match)

    def begin(self, genesis: Json) -> None:
        """The match of ``genesis`` begins here. The agreement to it is used up: it begins no other match, also if the page is
        closed now."""
        statement = Entry.from_json(genesis).statement
        players = Setup.from_statement(statement).authors
        self.match_over, self._unasked, self.own_agreement = False, None, ""
        if self._table != statement.hash:
            self.follow_table(statement.hash, lambda: False, lambda: players)  # until the table itself is there
        self.notify("room")  # so it is kept; a page that is closed before its table is there is led to it again
        self.genesis = genesis
        self.on_genesis(genesis)

    def end_match(self, match: Hash, *, is_over: bool = True) -> None:
        """``match`` has ended, as a table of this page says; or goes on after all, where its last entries fell away."""
        if self.state is not None and self.state.playing == match:
            self.match_over = is_over
            self.notify("room")

    def play_again(self) -> None:
        """The match is over: ask for another with the same people, each one chair further."""
        self._ask("again")

    def say(self, text: str = "", reaction: str = "") -> bool:
        """Send a chat line to all members who are here; False if that is too much at once."""
        state = self.state
        if state is None or not self.inside or not self.chat.hear(self.author, text=text, reaction=reaction, mine=True):
            return False
        line = self.chat.lines[-1]
        for author in self.transport.connected_authors():
            if state.member(author) is not None:
                self.send(author, "say", text=line.text, reaction=line.reaction)
        self.notify("chat")
        return True

    def mute(self, author: str, on: bool = True) -> None:
        self.chat.mute(author, on)
        self.notify("chat")

    def leave(self) -> None:
        """Say goodbye to everybody. A host's chair is empty then, and the next member hosts the room."""
        if not self.end_reason:
            self.send(None, "leave")
            self.end("left")

    def take_over(self) -> None:
        """Become the host, because the present one is gone."""
        if not self.host_gone:
            raise refused("room.refuse.host_here")
        self._new_host_since = self._now()
        self._become_host()

    def _become_host(self) -> None:
        assert self.state is not None
        self.host_side = RoomHost(self)
        self.host_side.set_state(self.state.with_host(self.author))
        for author in self.transport.connected_authors():
            if self.state.member(author) is None:  # it may have come while nobody was there to let it in
                self.send(author, "host", author=self.author)

    def yield_to_rival(self) -> None:
        """Follow the member who hosts the room since this device was away."""
        if self.rival is not None:
            self.expected_host = self.rival.host
            self._accept_state(self.rival)
            self.rival = None
            self.enter()
            self.notify("room")

    def follow_stand_in(self, author: str) -> None:
        """Go into the room of ``author``, who is met by the link although it leads to somebody else."""
        state = self.stand_ins.get(author)
        if state is not None and self.state is None:
            self.expected_host = author
            self._follow(state)

    def keep_own(self) -> None:
        """Stay the host of this device's own room."""
        self.rival = None
        self.notify("room")

    def _ask(self, do: str, **asked: Any) -> None:
        """Ask the host; the host asks itself."""
        if self.end_reason or self.state is None:
            return
        if self.host_side is not None:
            self.host_side.request(self.author, Message(do, asked))
        else:
            self.send(self.state.host, do, **asked)

    # ---- what goes out ----

    def send(self, to: str | None, do: str, **said: Json) -> None:
        self.transport.send(to, ROOM, spell(do, **said))

    def send_room(self, to: str | None = None) -> None:
        """Send the state to one author, or to all members."""
        state = self.state
        if state is None:
            return
        members = [one for one in self.transport.connected_authors() if state.member(one) is not None]
        for author in members if to is None else [to]:
            self.send(author, "room", room=state.to_json())

    # ---- what comes in ----

    def receive(self, sender: str, text: str) -> None:
        """A message of ``sender`` on the channel. Never raises; what is wrong is counted."""
        if self.end_reason or sender == self.author:
            return
        if not self._is_within_rate(sender):
            self.reject("rate")
            return
        guest = self.host_side.guests.get(sender) if self.host_side is not None else None
        if guest is not None and guest.admission is Admission.REMOVED:  # by now it has heard that it is to go
            self.reject("unwanted")
            self.transport.refuse(sender)
            return
        try:
            message = read(text)
            self.other_versions.discard(sender)
            self._read(sender, message)
        except Malformed as error:
            is_version = str(error) == "version"
            self.reject("version" if is_version else "form")
            if is_version:
                self._note_other_version(sender)
        except Refused as error:
            self.reject(error.refusal.key)

    def _note_other_version(self, sender: str) -> None:
        """``sender`` speaks another version: the page says so here, and to who is not in yet an answer lets it say so there. Of
        who is met by a link that names nobody it is not known whether it is the host."""
        if self.state is None and self._may_turn_away(sender):
            self.end("version")
        elif sender not in self.other_versions and len(self.other_versions) < MOST_SENDERS:
            self.other_versions.add(sender)
            if self.host_side is not None and self.host_side.state(playing=True).member(sender) is None:
                self.send(sender, "no", why="version")
            self.notify("room")

    def _is_within_rate(self, sender: str) -> bool:
        if sender not in self._buckets and len(self._buckets) >= MOST_SENDERS:
            self._buckets.pop(next(iter(self._buckets)))
        return self._buckets.setdefault(sender, TokenBucket(BURST, REFILL, self._now())).take(self._now())

    def _read(self, sender: str, message: Message) -> None:
        state, do, said = self.state, message.do, message.fields
        if do == "room":
            self._read_room(sender, RoomState.from_json(said["room"]))
        elif do == "no":
            self._read_no(sender, said["why"])
        elif do == "enter" and state is not None and self.inside:
            if self.host_side is not None:
                self.host_side.enter(sender, said)
            else:
                self.send(sender, "host", author=state.host)
        elif do == "host":
            self._read_host(sender, said["author"])
        elif do == "leave" and self.host_side is not None and sender in self.host_side.knocking:
            del self.host_side.knocking[sender]
            self.notify("room")
        elif state is None or not self.inside or state.member(sender) is None:
            self.reject("stranger")
        elif do == "say":
            if self.chat.hear(sender, text=said["text"], reaction=said["reaction"]):
                self.notify("chat")
        elif do == "league":
            self.on_league(sender, said["league"])
        elif do == "found":
            self._read_genesis(state, sender, said["genesis"])
        elif do == "leave":
            self._read_leave(state, sender)
        elif self.host_side is not None:
            self.host_side.request(sender, message)
        else:
            self.reject("not_host")

    def _is_sought(self, author: str) -> bool:
        """Whether ``author`` is the device that this one knocks at, as far as that is known. The one that the link names stays
        one, whomever it has named as the host: that one may go, and leave the room to it."""
        return author == self.expected_host or (self.rendezvous is not None and self.rendezvous.leads_to(author))

    def _may_turn_away(self, author: str) -> bool:
        """Whether ``author`` may turn this device away, which has no state: no more the device that the link names once it has
        named another one that is there."""
        is_there = bool(self.expected_host) and not self.out_of_reach(self.expected_host)
        return author == self.expected_host if is_there else self._is_sought(author)

    def _may_be_host(self, author: str) -> bool:
        """Whether this device, which has no state, follows ``author`` without a question."""
        nobody_is_named = not self.expected_host and (self.rendezvous is None or not self.rendezvous.host)
        return nobody_is_named or self._is_sought(author)

    def _read_no(self, sender: str, why: str) -> None:
        """``sender`` does not take this device in, or no longer. Of who may be anybody it is only shown."""
        if self._may_turn_away(sender) if self.state is None else sender == self.state.host:
            self.send(sender, "leave")
            self.end(why)
        elif self.state is None and self._may_be_host(sender):
            self.turned_away = why
            self.notify("room")
        else:
            self.reject("impostor")

    def _read_host(self, sender: str, author: str) -> None:
        """The member who invited this device is not the host: knock at the host. Who came by a link knocks at everybody there,
        and need not be told, but of one who is the host since then."""
        if self.state is None and not self.expected_host and author == sender:
            self._enter_at(sender)
            return
        if self.state is not None or not self._is_sought(sender) or not author:
            raise refused("impostor")
        if author != self.author:
            self.expected_host = author
            self.enter()

    def _read_room(self, sender: str, state: RoomState) -> None:
        """The room as ``sender`` hosts it: believed of the host, or of a member who goes on when the host is gone."""
        now = self.state
        if now is None and sender == state.host and not self.expected_host and not self._may_be_host(sender):
            self._note_stand_in(state)
            return
        if sender != state.host or (now is None and not self._may_be_host(sender)):
            raise refused("impostor")
        if now is None:
            self._follow(state)
        elif not now.may_become(state):
            raise refused("impostor")
        elif sender == now.host:
            if (state.term, state.version) > (now.term, now.version):
                self._follow(state)
            elif state != now:
                raise refused("old")
        elif now.member(sender) is None or state.term < max(1, now.term):
            raise refused("impostor")
        elif self.hosting:
            self._meet_rival(now, state)
        elif (self.out_of_reach(now.host) if state.term > now.term else self._is_settling and sender < now.host):
            self._follow(state)
        else:
            self._claims[sender] = state
            raise refused("impostor")

    def _note_stand_in(self, state: RoomState) -> None:
        """Who is met by a link that leads to another device says that the room is theirs: its host may be gone, or not."""
        if state.host in self.stand_ins or len(self.stand_ins) < MOST_STAND_INS:
            self.stand_ins[state.host] = state
            self.notify("room")

    @property
    def is_host_met(self) -> bool:
        """Whether this device, which has no state, has a link with the device that it knocks at."""
        return any(map(self._is_sought, self.transport.connected_authors()))

    @property
    def _is_settling(self) -> bool:
        """Whether the host is so new that several may have gone on at once; then the smaller author hosts the room."""
        return self._now() - self._new_host_since < SETTLING

    def _meet_rival(self, now: RoomState, state: RoomState) -> None:
        """Another member hosts the room of this device."""
        if self._is_settling and state.term == now.term:
            if state.host < now.host:
                self._follow(state)
        elif state.host in self._absentees and state.term > now.term:
            self.rival = state
            self.notify("room")
        else:
            raise refused("impostor")

    def _follow(self, state: RoomState) -> None:
        """Accept the state that another device sent."""
        before = self.state
        if before is not None and before.playing != state.playing:
            self.genesis, self.match_over, self._unasked = None, False, None
        if before is not None and before.host != state.host:
            self._new_host_since = self._now()
        if not state.playing and self.own_agreement != state.agreement:
            self.own_agreement = ""  # the person here sees another proposal, and is not ready for it
        self._claims.clear()
        self._accept_state(state)
        if self.author in state.removed_authors:
            self.end("removed")
            return
        players = () if self._table_is_over() else self._players()
        for author in state.removed_authors:
            if author not in players:
                self.transport.refuse(author)
        for member in state.members:
            if member.author != self.author:
                self.transport.admit(member.author)
        if state.member(self.author) is None:
            if before is None or before.member(self.author) is not None:
                self.enter()
        elif before is None or before.host != state.host:
            self.enter()
        self.notify("room")

    def _read_genesis(self, state: RoomState, sender: str, genesis: Json) -> None:
        """The host says that the match begins, or is under way. What does not begin here by that waits for ``join_match``."""
        if sender != state.host or self.hosting:
            raise refused("impostor")
        match, setup = self.check_genesis(genesis, state)
        if self.genesis is not None:
            return
        if self.is_playing and match == self._table:
            self.genesis = genesis  # it is played here already: nobody has to be led anywhere
        elif self._goes_along(match, setup):
            self.begin(genesis)
        elif genesis != self._unasked:
            self._unasked = genesis
            self.notify("room")
            if self.unasked_match is not None and not self.is_playing and self._led.take(self._now()):
                self.on_unasked()

    def _goes_along(self, match: Hash, setup: Setup) -> bool:
        """Whether this device begins ``match`` because the host says that it is under way: nobody plays what they did not agree
        to, nobody who plays is led to another table, and nobody is led to one table after another."""
        if self.author in setup.authors and self.has_agreed_to(setup):
            return True
        is_known = self.author not in setup.authors or self.has_begun(match)  # a host knows many that were begun here, too
        return is_known and not self.is_playing and self._led.take(self._now())

    def check_genesis(self, genesis: Json, state: RoomState) -> tuple[Hash, Setup]:
        """The match's hash and setup, if it is the match that ``state`` names as under way, or proposes.

        Raises ``Malformed``, ``Refused``.
        """
        if len(canonical(genesis)) > MOST_TEXT:
            raise Malformed("too long")
        statement = Entry.from_json(genesis).statement
        check_seats(statement)
        check_names(statement)
        setup = Setup.from_statement(statement)
        if state.playing:
            is_named = statement.hash == state.playing
        else:
            is_named = agreement_on(setup) == state.agreement and statement.author == state.host
        same_game = replace(state.setup(), seats=setup.seats, nonce=setup.nonce, extra=setup.extra)
        if not is_named or agreement_on(same_game) != agreement_on(setup):
            raise refused("another_match")
        return statement.hash, setup

    def _read_leave(self, state: RoomState, sender: str) -> None:
        if self.host_side is not None:
            self.host_side.leave(sender)
        elif sender == state.host and not state.playing:
            heirs = [one.author for one in state.members if one.author != sender and not self.out_of_reach(one.author)]
            if heirs and heirs[0] == self.author:
                self._become_host()
            elif heirs:
                self._enter_at(heirs[0])
        self.notify("presence")

    def _presence_changed(self, author: str) -> None:
        state = self.state
        if self.end_reason or state is None:
            is_expected = not self.expected_host or self._is_sought(author)
            if not self.end_reason and is_expected and not self.out_of_reach(author):
                self._enter_at(author if self.expected_host else None)
            return
        if self.out_of_reach(author):
            self.other_versions.discard(author)
            self._absentees.add(author)
            if author == state.host and not self.hosting and self._claims:
                claim = max(self._claims.values(), key=lambda one: (one.term, [-ord(digit) for digit in one.host]))
                self._follow(claim)
        elif self.presence(author) is Presence.HERE:
            if author == state.host:
                self.enter()
            elif self.hosting and state.member(author) is not None:
                self.send_room(author)
        self.notify("presence")
        if self.host_side is not None:
            self.host_side.check_agreement()
