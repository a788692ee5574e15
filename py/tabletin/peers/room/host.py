"""What the host's device does: take people in, seat them, propose a game, hear what they ask, and see when all agree."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tabletin.kernel.log import Hash, Json
from tabletin.kernel.options import refused
from tabletin.kernel.setup import COLOURS, LEVELS, Seat
from tabletin.peers.room.base import Gathering
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
from tabletin.peers.text import NAME, clean
from tabletin.registry import rules_of

MOST_KNOCKING: Final = 6


class RoomHost(Gathering):
    """A room with what its host may do. Each act raises ``Refused`` and changes nothing where it may not be."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.expected: dict[str, bool] = {}  # whom the host invited itself → whether only to watch
        self.unwanted: set[str] = set()  # told to go; their links are closed once they have heard it
        self.forgiven: set[str] = set()  # told to go before; an invite is out that they may answer
        self.early: dict[str, str] = {}  # of the forgiven, who entered before it was known here that they answered one → name
        self._asked = ""  # the agreement that on_agreed was told of

    def host_state(self, *, playing: bool = False) -> RoomState:
        """The state, for its host to change. ``playing``: also while a match is under way."""
        if self.state is None or not self.hosting or self.ended:
            raise refused("room.refuse.host")
        if self.state.playing and not playing:
            raise refused("room.refuse.playing")
        return self.state

    def set(self, state: RoomState) -> None:
        """The room is this now, for everybody."""
        self.state = state
        self.send_room()
        self.tell("room")
        self.look_whether_agreed()

    # ---- who comes in ----

    def open_door(self) -> None:
        """Before somebody is invited: whoever was removed may answer that invite, too."""
        self.forgiven = {*self.unwanted, *self.host_state(playing=True).removed}
        for author in self.forgiven:
            self.net.admit(author)

    def expect(self, author: str, *, watching: bool = False) -> None:
        """``author`` answered an invite of this device's: take it in when it enters."""
        state = self.host_state(playing=True)
        self.expected[author] = watching
        self.unwanted.discard(author)
        self.forgiven.discard(author)
        self.net.admit(author)
        if author in self.early:
            self.knocking[author] = self.early.pop(author)
        if author in state.removed:
            self.set(replace(state, removed=tuple(one for one in state.removed if one != author), version=state.version + 1))
        if author in self.knocking:
            self.let_in(author)

    def let_in(self, author: str) -> None:
        """Take in somebody who knocks."""
        state = self.host_state(playing=True)
        name = self.knocking.pop(author, "")
        if name:
            self._take_in(state, author, name, watching=self.expected.setdefault(author, False))

    def turn_away(self, author: str) -> None:
        """Do not take in somebody who knocks."""
        self.host_state(playing=True)
        if self.knocking.pop(author, None) is not None:
            self._send_away(author, "refused")
            self.tell("room")

    def remove(self, author: str) -> None:
        """Take a member out of the room; before the deal only."""
        state = self.host_state()
        if author == self.me or state.member(author) is None:
            raise refused("room.refuse.nobody")
        self.expected.pop(author, None)
        self._send_away(author, "removed")
        gone = state.without(author)
        self.set(replace(gone, removed=(*gone.removed, author)[-MOST_REMOVED:]))

    def entered(self, state: RoomState, sender: str, said: Mapping[str, Any]) -> None:
        """``sender`` says who it is."""
        name = clean(said["name"], NAME)
        if sender in self.forgiven and name:
            self.early[sender] = name
        elif sender in state.removed or not name:
            self._send_away(sender, "removed")
        elif state.member(sender) is not None:  # there again
            self.send_room(sender)
            self._send_genesis(sender)
        elif sender in self.expected:
            self._take_in(state, sender, name, watching=said["watching"])
        elif len(self.knocking) < MOST_KNOCKING or sender in self.knocking:
            self.knocking[sender] = name
            self.tell("room")
        else:
            self.rejected["crowd"] += 1

    def _take_in(self, state: RoomState, author: str, name: str, *, watching: bool) -> None:
        if len(state.members) >= MOST_MEMBERS:
            self.send(author, "no", why="full")
            return
        name = unlike(name, {member.name for member in state.members})
        if state.playing:  # looks on, and may play the next one
            came = state.with_member(Member(author, name, "", True)).members[-1]
            self.set(replace(state, members=(*state.members, replace(came, watching=watching)), version=state.version + 1))
        else:
            self.set(state.with_member(Member(author, name, "", watching or self.expected.get(author, False))))
        self._send_genesis(author)

    def _send_away(self, author: str, why: str) -> None:
        self.unwanted.add(author)
        self.forgiven.discard(author)
        self.early.pop(author, None)
        self.send(author, "no", why=why)

    def _send_genesis(self, to: str | None) -> None:
        if self.genesis is not None:
            self.send(to, "found", genesis=self.genesis)

    # ---- what is proposed ----

    def choose(self, game: str, options: Mapping[str, Any]) -> None:
        """Another game, or other options. Chairs are added or taken away to suit it: empty ones first, then bots'."""
        state = self.host_state()
        counts = rules_of(game).seat_counts
        taken = [chair for chair in state.chairs if chair.kind != OPEN]
        wanted = max(counts[0], min(counts[-1], MOST_CHAIRS, len(state.chairs)))
        chairs = sorted(taken, key=lambda chair: chair.kind == BOT)[:wanted] if len(taken) > wanted else list(state.chairs)
        for chair in [one for one in chairs if one.kind == OPEN][:max(0, len(chairs) - wanted)]:
            chairs.remove(chair)
        chairs += [Chair()] * (wanted - len(chairs))
        self.set(state.changed(game=game, rules=rules_of(game).version, options=dict(options), chairs=tuple(chairs)))

    def put(self, index: int, kind: str, *, level: str = "", name: str = "") -> None:
        """Who plays chair ``index``: "open", a "bot" of ``level``, or a "person" at this device, called ``name``.

        A member who sat there watches until it takes an empty chair.
        """
        state = self.host_state()
        name = clean(name, NAME)
        if not 0 <= index < len(state.chairs) or kind not in (OPEN, BOT, PERSON) or (kind == BOT) != (level in LEVELS):
            raise refused("room.refuse.nobody")
        if not name and (kind == BOT or (kind == PERSON and state.chair_of(self.me) is not None)):
            raise refused("room.refuse.name")
        if name:
            name = unlike(name, {state.name_of(chair) for other, chair in enumerate(state.chairs) if other != index})
        self.set(state.with_chair(index, Chair() if kind == OPEN else Chair(kind, self.me, name, level)))

    def add_chair(self) -> None:
        state = self.host_state()
        if len(state.chairs) >= min(MOST_CHAIRS, rules_of(state.game).seat_counts[-1]):
            raise refused("room.refuse.most")
        self.set(state.changed(chairs=(*state.chairs, Chair())))

    def drop_chair(self, index: int) -> None:
        """One chair fewer; whoever sat there watches."""
        state = self.host_state()
        if len(state.chairs) <= rules_of(state.game).seat_counts[0] or not 0 <= index < len(state.chairs):
            raise refused("room.refuse.fewest")
        self.set(state.changed(chairs=(*state.chairs[:index], *state.chairs[index + 1:])))

    # ---- what members ask ----

    def asked_by(self, sender: str, message: Message) -> None:
        """A member, or the host itself, asks for something."""
        state, do, said = self.host_state(playing=True), message.do, message.said
        if do == "again":
            self._ask_again(sender)
        elif state.playing:
            self.rejected["playing"] += 1
        elif do == "ready":
            self._readied(state, sender, said["agreement"])
        elif do == "name":
            name = clean(said["name"], NAME)
            if name and all(one.name != name for one in state.members):
                self.set(state.changed(members=changed_member(state, sender, name=name)))
        elif do == "sit":
            self._sat(state, sender, said["chair"])
        elif do == "stand":
            chairs = tuple(Chair() if chair.kind == PERSON and chair.by == sender else chair for chair in state.chairs)
            self.set(state.changed(members=changed_member(state, sender, watching=True), chairs=chairs))

    def _sat(self, state: RoomState, sender: str, index: int) -> None:
        if index >= len(state.chairs) or state.chairs[index].kind != OPEN:
            self.rejected["chair"] += 1
            return
        before, chairs = state.chair_of(sender), list(state.chairs)
        if before is not None:
            chairs[before] = Chair()
        chairs[index] = Chair(PERSON, sender)
        self.set(state.changed(members=changed_member(state, sender, watching=False), chairs=tuple(chairs)))

    def _readied(self, state: RoomState, sender: str, agreement: str) -> None:
        if agreement and agreement != state.agreement:  # to a proposal that has changed since
            self.send_room(sender)
            return
        ready = {author: named for author, named in state.ready.items() if author != sender}
        if agreement and sender in state.seated:
            ready[sender] = agreement
        self.set(state.changed(ready=ready))

    # ---- the match ----

    def look_whether_agreed(self) -> None:
        """When everybody agrees to the same and is here, the page is asked to found the match, once."""
        state = self.state
        if state is None or self.ended or not self.hosting or state.playing or not state.all_ready or self.missing:
            return
        if state.agreement != self._asked:
            self._asked = state.agreement
            self.on_agreed(state.setup())

    def founded(self, genesis: Json) -> None:
        """The worker wrote the genesis of what was agreed: everybody is told, and the match begins."""
        state = self.host_state()
        playing = self.checked(genesis, state)
        self.genesis, self.over = genesis, False
        for author in (*self.unwanted, *state.removed):
            self.net.refuse(author)
        self.set(replace(state, playing=playing, version=state.version + 1))
        for member in state.members:
            if member.author != self.me:
                self._send_genesis(member.author)
        self.on_genesis(genesis)

    def follow(self, match: Hash, seats: Sequence[Seat]) -> None:
        """Whoever speaks for ``seats`` now, as the log of ``match`` says: a person who went on at another device sits there,
        and the device before watches."""
        if self.state is None or not self.hosting or self.state.playing != match or len(seats) != len(self.state.chairs):
            return
        for chair, seat in zip(self.state.chairs, seats, strict=True):
            if chair.kind == PERSON and not seat.is_bot and chair.by != seat.by:
                self.set(self._moved(self.state, chair.by, seat.by))
                self._send_genesis(seat.by)
                return self.follow(match, seats)

    def _moved(self, state: RoomState, old: str, new: str) -> RoomState:
        """The room with the person of ``old`` at ``new``."""
        person = state.member(old)
        assert person is not None
        self.knocking.pop(new, None)
        self.expected[new] = False
        self.net.admit(new)
        here = tuple(one for one in state.members if one.author != new)
        spare = next((colour for colour in COLOURS if all(one.colour != colour for one in here)), COLOURS[0])
        before = replace(person, name=unlike(person.name, {one.name for one in here}), colour=spare, watching=True)
        members = tuple(before if one is person else one for one in here) + (replace(person, author=new, watching=False),)
        chairs = tuple(replace(chair, by=new) if chair.by == old else chair for chair in state.chairs)
        return replace(state, members=members[:MOST_MEMBERS], chairs=chairs, version=state.version + 1)

    def went_on(self, match: Hash, genesis: Json, authors: Collection[str]) -> None:
        """Those who are left of the match that was played go on in ``match``: only ``authors`` have chairs in it."""
        state = self.host_state(playing=True)
        chairs = tuple(chair for chair in state.chairs if chair.by in authors)
        members = tuple(one for one in state.members if one.author in authors or state.chair_of(one.author) is None)
        self.genesis, self.over = genesis, False
        self.set(replace(state, playing=match, chairs=chairs, members=members, ready={}, version=state.version + 1))

    def not_founded(self) -> None:
        """It did not begin after all: it can be agreed upon again."""
        self._asked = ""
        state = self.host_state()
        self.set(state.changed(ready={}))

    def _ask_again(self, sender: str) -> None:
        state = self.host_state(playing=True)
        if not state.playing:
            return
        if not (self.over or self.is_over()):
            self.rejected["playing"] += 1
            return
        self.genesis, self.over, self._asked = None, False, ""
        chairs = (*state.chairs[1:], state.chairs[0])
        self.set(state.changed(playing="", chairs=chairs, ready={}, nonce=self.digits(NONCE)))

    def succeed(self) -> None:
        """This device is the host from now on, in place of the one that is gone."""
        assert self.state is not None
        self.expected.update({member.author: member.watching for member in self.state.members})
        self._asked = ""
        self.set(self.state.under(self.me))


def changed_member(state: RoomState, author: str, **fields: Any) -> tuple[Member, ...]:
    """The members, that of ``author`` with other ``fields``."""
    return tuple(replace(one, **fields) if one.author == author else one for one in state.members)


def unlike(name: str, taken: set[str]) -> str:
    """``name``, with a number behind it where somebody is called so already."""
    others = (f"{name[:NAME - 3].strip()} {n}" for n in range(2, MOST_MEMBERS + 2))
    return name if name not in taken else next(other for other in others if other not in taken)
