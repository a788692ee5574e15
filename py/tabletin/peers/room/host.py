"""What the host of a room does: admit members, seat them, propose a game, answer requests, and see when all agree.

A ``Room`` has a ``RoomHost`` while its own device is the host. It changes the room's state and sends it to the members; it
knows no other device's replica, and founds no match itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, Protocol

from tabletin.kernel.log import Hash, Json
from tabletin.kernel.options import refused
from tabletin.kernel.setup import COLOURS, LEVELS, Seat, Setup
from tabletin.kernel.user_text import NAME, clean, visible
from tabletin.peers.net.rendezvous import Access, Rendezvous
from tabletin.peers.net.transport import Transport
from tabletin.peers.room.messages import Message
from tabletin.peers.room.state import (
    BOT,
    MOST_CHAIRS,
    MOST_MEMBERS,
    MOST_REMOVED,
    NONCE,
    OPEN,
    PERSON,
    Chair,
    Member,
    RoomState,
)
from tabletin.registry import rules_of

MOST_KNOCKING: Final = 6


class Admission(Enum):
    """How an author stands with the host. An author that the host has decided nothing about has none."""

    INVITED = "invited"  # answered an invite of the host, or is a member: let in when it enters
    REMOVED = "removed"  # told to go: its link is closed with its next message
    PARDONED = "pardoned"  # told to go earlier; an invite is open that it may answer
    KNOCKS = "knocks"  # waits at the door
    EARLY = "early"  # pardoned, and entered before the host knew of its answer


@dataclass(frozen=True, slots=True)
class Guest:
    """An author's admission. ``watching``: an INVITED one takes no chair, nor will one that KNOCKS. ``name``: of an EARLY one,
    and of one that KNOCKS."""

    admission: Admission
    watching: bool = False
    name: str = ""


class HostedRoom(Protocol):
    """What a host needs of its room."""

    transport: Transport
    author: str
    state: RoomState | None
    genesis: Json
    match_over: bool
    rendezvous: Rendezvous | None
    on_agreed: Callable[[Setup], None]
    digits: Callable[[int], str]

    @property
    def is_match_over(self) -> bool: ...

    @property
    def missing(self) -> tuple[str, ...]: ...

    def reject(self, reason: str) -> None: ...

    def notify(self, what: str) -> None: ...

    def send(self, to: str | None, do: str, **said: Json) -> None: ...

    def send_room(self, to: str | None = None) -> None: ...

    def check_genesis(self, genesis: Json, state: RoomState) -> tuple[Hash, Setup]: ...

    def has_agreed_to(self, setup: Setup) -> bool: ...

    def begin(self, genesis: Json) -> None: ...


class RoomHost:
    """The host's side of a room. Each act raises ``Refused``, and changes nothing, where it is not allowed.

    ``knocking``: by author, those who came without an invite of the host, and who came by the link after somebody was removed.
    ``guests``: author → admission.
    """

    def __init__(self, room: HostedRoom) -> None:
        self._room = room
        self.knocking: dict[str, Guest] = {}
        self.guests: dict[str, Guest] = {}
        for member in room.state.members if room.state is not None else ():
            self.guests[member.author] = Guest(Admission.INVITED, member.watching)
        self._agreed_on: Hash = ""  # the agreement that on_agreed was called with

    def state(self, *, playing: bool = False) -> RoomState:
        """The state, to be changed. ``playing``: also while a match is under way."""
        state = self._room.state
        if state is None or state.host != self._room.author:
            raise refused("room.refuse.host")
        if state.playing and not playing:
            raise refused("room.refuse.playing")
        return state

    def set_state(self, state: RoomState) -> None:
        """Change the room, for everybody."""
        self._room.state = state
        self._room.send_room()
        self._room.notify("room")
        self.check_agreement()

    # ---- admission ----

    def open_door(self) -> None:
        """An invite goes out: authors that were removed may answer it, too."""
        removed = [author for author, guest in self.guests.items() if guest.admission is Admission.REMOVED]
        for author in (*removed, *self.state(playing=True).removed_authors):
            if not self._is_pardoned(author):
                self.guests[author] = Guest(Admission.PARDONED)
        for author in self.guests:
            if self._is_pardoned(author):
                self._room.transport.admit(author)

    def _is_pardoned(self, author: str) -> bool:
        return author in self.guests and self.guests[author].admission in (Admission.PARDONED, Admission.EARLY)

    def invited_guest(self, author: str) -> Guest | None:
        """The guest that ``author`` is, if it is to be let in."""
        guest = self.guests.get(author)
        return guest if guest is not None and guest.admission is Admission.INVITED else None

    def expect(self, author: str, *, watching: bool = False) -> None:
        """``author`` answered an invite of this device: let it in when it enters."""
        state = self.state(playing=True)
        before = self.guests.get(author)
        self.guests[author] = Guest(Admission.INVITED, watching)
        self._room.transport.admit(author)
        if before is not None and before.admission is Admission.EARLY:
            self.knocking[author] = replace(before, admission=Admission.KNOCKS)
        if author in state.removed_authors:
            self.set_state(replace(state, removed_authors=tuple(one for one in state.removed_authors if one != author),
                                   version=state.version + 1))
        if author in self.knocking:
            self.let_in(author)

    def let_in(self, author: str) -> None:
        """Take in somebody who knocks."""
        state = self.state(playing=True)
        knocking = self.knocking.pop(author, None)
        if knocking is not None:
            guest = self.invited_guest(author) or Guest(Admission.INVITED, knocking.watching)
            self.guests[author] = guest
            self._take_in(state, author, knocking.name, watching=guest.watching)

    def turn_away(self, author: str) -> None:
        """Do not take in somebody who knocks."""
        self.state(playing=True)
        if self.knocking.pop(author, None) is not None:
            self._send_away(author, "refused")
            self._room.notify("room")

    def remove(self, author: str) -> None:
        """Take a member out of the room; only before the deal."""
        state = self.state()
        if author == self._room.author or state.member(author) is None:
            raise refused("room.refuse.nobody")
        self._send_away(author, "removed")
        rest = state.without_member(author)
        self.set_state(replace(rest, removed_authors=(*rest.removed_authors, author)[-MOST_REMOVED:]))

    def enter(self, sender: str, said: Mapping[str, Any]) -> None:
        """``sender`` enters, for the first time or again."""
        state, name, access = self.state(playing=True), clean(said["name"], NAME), self._access(sender, said["proof"])
        if self._is_pardoned(sender) and name:
            self.guests[sender] = Guest(Admission.EARLY, name=name)
        elif sender in state.removed_authors or not name:
            self._send_away(sender, "removed")
        elif state.member(sender) is not None:  # it is back
            self._room.send_room(sender)
            self._send_genesis(sender)
        elif self.invited_guest(sender) is not None or (access is not None and not state.removed_authors):
            if self.invited_guest(sender) is None:
                self.guests[sender] = Guest(Admission.INVITED, access is Access.WATCH)
            self._take_in(state, sender, name, watching=said["watching"])
        elif len(self.knocking) < MOST_KNOCKING or sender in self.knocking:  # who was removed may have a new key
            self.knocking[sender] = Guest(Admission.KNOCKS, access is Access.WATCH or said["watching"], name)
            self._room.notify("room")
        else:
            self._room.reject("crowd")

    def _access(self, sender: str, proof: str) -> Access | None:
        """What the link of this room lets ``sender`` do; None without it."""
        return self._room.rendezvous.access(sender, proof) if self._room.rendezvous is not None else None

    def _take_in(self, state: RoomState, author: str, name: str, *, watching: bool) -> None:
        if len(state.members) >= MOST_MEMBERS:
            self._room.send(author, "no", why="full")
            return
        name = unlike(name, {member.name for member in state.members})
        if state.playing:  # it watches this match, and may play the next one
            member = state.with_member(Member(author, name, "", True)).members[-1]
            members = (*state.members, replace(member, watching=watching))
            self.set_state(replace(state, members=members, version=state.version + 1))
        else:
            guest = self.invited_guest(author)
            watching = watching or (guest is not None and guest.watching)
            self.set_state(state.with_member(Member(author, name, "", watching)))
        self._send_genesis(author)

    def leave(self, sender: str) -> None:
        """A member says goodbye."""
        state = self.state(playing=True)
        if self.invited_guest(sender) is not None:
            del self.guests[sender]
        if not state.playing:
            self.set_state(state.without_member(sender))
        elif sender not in state.seated_authors:
            self.set_state(state.with_fields(members=tuple(one for one in state.members if one.author != sender)))

    def _send_away(self, author: str, why: str) -> None:
        self.guests[author] = Guest(Admission.REMOVED)
        self._room.send(author, "no", why=why)

    def _send_genesis(self, to: str | None) -> None:
        if self._room.genesis is not None:
            self._room.send(to, "found", genesis=self._room.genesis)

    # ---- the proposal ----

    def choose(self, game: str, options: Mapping[str, Any]) -> None:
        """Propose another game, or other options. Chairs that do not fit it are removed: empty ones first, then bots'."""
        state = self.state()
        counts = rules_of(game).seat_counts
        occupied = [chair for chair in state.chairs if chair.kind != OPEN]
        wanted = max(counts[0], min(counts[-1], MOST_CHAIRS, len(state.chairs)))
        if len(occupied) > wanted:
            chairs = sorted(occupied, key=lambda chair: chair.kind == BOT)[:wanted]
        else:
            chairs = list(state.chairs)
        for chair in [one for one in chairs if one.kind == OPEN][:max(0, len(chairs) - wanted)]:
            chairs.remove(chair)
        chairs += [Chair()] * (wanted - len(chairs))
        self.set_state(state.with_fields(game=game, rules=rules_of(game).version, options=dict(options), chairs=tuple(chairs)))

    def set_chair(self, index: int, kind: str, *, level: str = "", name: str = "") -> None:
        """Chair ``index`` is "open", of a "bot" of ``level``, or of a "person" at this device, called ``name``.

        A member who had it watches until it takes an empty chair.
        """
        state = self.state()
        name = clean(name, NAME)
        if not 0 <= index < len(state.chairs) or kind not in (OPEN, BOT, PERSON) or (kind == BOT) != (level in LEVELS):
            raise refused("room.refuse.nobody")
        if not name and (kind == BOT or (kind == PERSON and state.chair_of(self._room.author) is not None)):
            raise refused("room.refuse.name")
        if name:
            name = unlike(name, {state.name_of(chair) for other, chair in enumerate(state.chairs) if other != index})
        self.set_state(state.with_chair(index, Chair() if kind == OPEN else Chair(kind, self._room.author, name, level)))

    def add_chair(self) -> None:
        state = self.state()
        if len(state.chairs) >= min(MOST_CHAIRS, rules_of(state.game).seat_counts[-1]):
            raise refused("room.refuse.most")
        self.set_state(state.with_fields(chairs=(*state.chairs, Chair())))

    def drop_chair(self, index: int) -> None:
        """Remove a chair; a member who had it watches."""
        state = self.state()
        if len(state.chairs) <= rules_of(state.game).seat_counts[0] or not 0 <= index < len(state.chairs):
            raise refused("room.refuse.fewest")
        self.set_state(state.with_fields(chairs=(*state.chairs[:index], *state.chairs[index + 1:])))

    # ---- requests of members ----

    def request(self, sender: str, message: Message) -> None:
        """A member, or the host itself, asks for something."""
        state, do, said = self.state(playing=True), message.do, message.fields
        if do == "again":
            self._play_again(state)
        elif state.playing:
            self._room.reject("playing")
        elif do == "ready":
            self._set_ready(state, sender, said["agreement"])
        elif do == "name":
            name = clean(said["name"], NAME)
            others = {visible(one.name) for one in state.members if one.author != sender}
            if name and visible(name) not in others:
                self.set_state(state.with_fields(members=members_with(state, sender, name=name)))
        elif do == "sit":
            self._sit(state, sender, said["chair"])
        elif do == "stand":
            chairs = tuple(Chair() if chair.kind == PERSON and chair.author == sender else chair for chair in state.chairs)
            self.set_state(state.with_fields(members=members_with(state, sender, watching=True), chairs=chairs))

    def _sit(self, state: RoomState, sender: str, index: int) -> None:
        if index >= len(state.chairs) or state.chairs[index].kind != OPEN:
            self._room.reject("chair")
            return
        before, chairs = state.chair_of(sender), list(state.chairs)
        if before is not None:
            chairs[before] = Chair()
        chairs[index] = Chair(PERSON, sender)
        self.set_state(state.with_fields(members=members_with(state, sender, watching=False), chairs=tuple(chairs)))

    def _set_ready(self, state: RoomState, sender: str, agreement: str) -> None:
        if agreement and agreement != state.agreement:  # to a proposal that has changed since
            self._room.send_room(sender)
            return
        ready = {author: named for author, named in state.ready.items() if author != sender}
        if agreement and sender in state.seated_authors:
            ready[sender] = agreement
        self.set_state(state.with_fields(ready=ready))

    def _play_again(self, state: RoomState) -> None:
        if not state.playing:
            return
        if not self._room.is_match_over:
            self._room.reject("playing")
            return
        self._room.genesis, self._room.match_over, self._agreed_on = None, False, ""
        chairs = (*state.chairs[1:], state.chairs[0])
        self.set_state(state.with_fields(playing="", chairs=chairs, ready={}, nonce=self._room.digits(NONCE)))

    # ---- the match ----

    def check_agreement(self) -> None:
        """When all agree to the same and are here, ask the page to found the match, once."""
        state = self._room.state
        if state is None or state.playing or not state.all_ready or self._room.missing:
            return
        if state.agreement != self._agreed_on:
            self._agreed_on = state.agreement
            self._room.on_agreed(state.setup())

    def begin_match(self, genesis: Json) -> None:
        """The worker wrote the genesis of the agreed match: send it to everybody, and begin."""
        state, room = self.state(), self._room
        playing, setup = room.check_genesis(genesis, state)
        if not room.has_agreed_to(setup):
            raise refused("not_agreed")
        room.genesis, room.match_over = genesis, False
        for author, guest in self.guests.items():
            if guest.admission is not Admission.INVITED:
                room.transport.refuse(author)
        for author in state.removed_authors:
            room.transport.refuse(author)
        self.set_state(replace(state, playing=playing, version=state.version + 1))
        for member in state.members:
            if member.author != room.author:
                self._send_genesis(member.author)
        room.begin(genesis)

    def cancel_match(self) -> None:
        """The agreed match was not founded: all may agree again."""
        self._agreed_on = ""
        self.set_state(self.state().with_fields(ready={}))

    def follow_seats(self, match: Hash, seats: Sequence[Seat]) -> None:
        """Take over from the log of ``match`` who speaks for each of ``seats``.

        A person who went on at another device sits there, and the device before watches. Where several people sat at a device,
        one of them may have gone on alone.
        """
        state = self.state(playing=True)
        if state.playing != match or len(seats) != len(state.chairs):
            return
        people = [(chair.author, seat.author) for chair, seat in zip(state.chairs, seats, strict=True)
                  if chair.kind == PERSON and not seat.is_bot]
        for index, (chair, seat) in enumerate(zip(state.chairs, seats, strict=True)):
            if chair.kind == PERSON and not seat.is_bot and chair.author != seat.author:
                is_whole_device = all(now == seat.author for before, now in people if before == chair.author)
                is_free = state.chair_of(seat.author) is None
                self.set_state(self._with_people_moved(state, chair.author, seat.author) if is_whole_device and is_free
                               else self._with_one_moved(state, index, seat))
                self._send_genesis(seat.author)
                return self.follow_seats(match, seats)  # which differ in fewer now

    def _with_people_moved(self, state: RoomState, old: str, new: str) -> RoomState:
        """The room with the people of ``old`` at ``new``."""
        person = state.member(old)
        assert person is not None
        self._expect_player(new)
        here = tuple(one for one in state.members if one.author != new)
        before = replace(person, name=unlike(person.name, {one.name for one in here}), colour=spare_colour(here), watching=True)
        members = tuple(before if one is person else one for one in here) + (replace(person, author=new, watching=False),)
        chairs = tuple(replace(chair, author=new) if chair.author == old else chair for chair in state.chairs)
        return with_seated(state, members, chairs, old)

    def _with_one_moved(self, state: RoomState, index: int, seat: Seat) -> RoomState:
        """The room with the person of chair ``index`` at the device of ``seat``; others stay at the device before."""
        chair, new, members = state.chairs[index], seat.author, state.members
        self._expect_player(new)
        name = state.name_of(chair)
        if state.member(new) is None:
            members = (*members, Member(new, unlike(name, {one.name for one in members}), spare_colour(members)))
            name = ""
        chairs = (*state.chairs[:index], replace(chair, author=new, name=name), *state.chairs[index + 1:])
        return with_seated(state, members, chairs, "")

    def _expect_player(self, author: str) -> None:
        """``author`` plays from now on, as the log says."""
        self.knocking.pop(author, None)
        self.guests[author] = Guest(Admission.INVITED)
        self._room.transport.admit(author)

    def begin_successor(self, match: Hash, genesis: Json, authors: Collection[str]) -> None:
        """Those who are left of the match go on in ``match``: only ``authors`` have chairs in it."""
        state = self.state(playing=True)
        chairs = tuple(chair for chair in state.chairs if chair.author in authors)
        members = tuple(one for one in state.members if one.author in authors or state.chair_of(one.author) is None)
        self._room.genesis, self._room.match_over = genesis, False
        self.set_state(replace(state, playing=match, chairs=chairs, members=members, ready={}, version=state.version + 1))


def spare_colour(members: Sequence[Member]) -> str:
    """A colour that none of ``members`` has, as long as there is one."""
    return next((colour for colour in COLOURS if all(one.colour != colour for one in members)), COLOURS[0])


def with_seated(state: RoomState, members: tuple[Member, ...], chairs: tuple[Chair, ...], old: str) -> RoomState:
    """The room with other ``members``, in any order, and ``chairs``. Where there are too many, one that only watches makes way:
    ``old`` first, then who came last."""
    if len(members) > MOST_MEMBERS:
        staying = {state.host, *(chair.author for chair in chairs)}
        watching = [one for one in members if one.author not in staying]
        leaving = next((one for one in watching if one.author == old), watching[-1])
        members = tuple(one for one in members if one is not leaving)
    ordered = tuple(sorted(members, key=lambda one: one.author != state.host))
    ready = {one.author: state.ready[one.author] for one in members if one.author in state.ready}
    return replace(state, members=ordered, chairs=chairs, ready=ready, version=state.version + 1)


def members_with(state: RoomState, author: str, **fields: Any) -> tuple[Member, ...]:
    """The members, that of ``author`` with other ``fields``."""
    return tuple(replace(one, **fields) if one.author == author else one for one in state.members)


def unlike(name: str, others: set[str]) -> str:
    """``name``, which is clean, with a number behind it where somebody has it already, or one that looks the same."""
    taken = set(map(visible, others))
    numbered = (f"{clean(name, NAME - 3)} {n}" for n in range(2, MOST_MEMBERS + 2))
    return next(one for one in (name, *numbered) if visible(one) not in taken)
