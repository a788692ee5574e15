"""The state of a room before the deal: its members, who sits where, the game and its options, who is ready.

The host's device keeps it and sends it whole; the others read it strictly. A state is a value: each change makes a new one.
It knows no network, no chat and no page; of a game it knows the declarations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from tabletin.kernel.log import HEXADECIMAL, Hash, Json, count_field, digest, text_field
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import COLOURS, LEVELS, PROTOCOL, USUAL_LEVEL, Seat, Setup
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.identity import AUTHOR_DIGITS
from tabletin.registry import GAMES, rules_of

MOST_CHAIRS: Final = 10
MOST_MEMBERS: Final = 16
MOST_REMOVED: Final = 32
NONCE: Final = 32  # digits
MOST_COUNT: Final = 2**31
MOST_AHEAD: Final = 10_000  # terms, or versions, by which a room that is followed may be ahead of what is known
PERSON: Final = "person"
BOT: Final = "bot"
OPEN: Final = "open"


def author_of(value: Json) -> str:
    """An author, checked. Raises ``Malformed``."""
    if type(value) is not str or len(value) != AUTHOR_DIGITS or not set(value) <= HEXADECIMAL:
        raise Malformed("expected an author")
    return value


@dataclass(frozen=True, slots=True)
class Member:
    """A device that the host let in: its ``author``, and its person's name. ``watching``: the person wants no chair."""

    author: str
    name: str
    colour: str
    watching: bool = False

    def to_json(self) -> dict[str, Json]:
        return {"author": self.author, "name": self.name, "colour": self.colour, "watching": self.watching}

    @classmethod
    def from_json(cls, data: Json) -> Member:
        if type(data) is not dict or data.keys() != {"author", "name", "colour", "watching"}:
            raise Malformed("expected a member")
        name, colour = name_field(data), text_field(data, "colour", NAME)
        if not name or colour not in COLOURS or type(data["watching"]) is not bool:
            raise Malformed("a member has a name and a colour")
        return cls(author_of(data["author"]), name, colour, data["watching"])


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat: of a "person" or a "bot" (of ``level``) at the device ``author``, or "open".

    ``name`` is empty for a member's own chair: the member has the name.
    """

    kind: str = OPEN
    author: str = ""
    name: str = ""
    level: str = ""

    def to_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "by": self.author, "name": self.name, "level": self.level}

    @classmethod
    def from_json(cls, data: Json) -> Chair:
        if type(data) is not dict or data.keys() != {"kind", "by", "name", "level"}:
            raise Malformed("expected a chair")
        kind, name, level = data["kind"], name_field(data), text_field(data, "level", NAME)
        if kind == OPEN:
            if data["by"] or name or level:
                raise Malformed("an empty chair is nobody's")
            return cls()
        if kind not in (PERSON, BOT) or (kind == BOT) != (level in LEVELS) or (kind == PERSON and level):
            raise Malformed("a chair is a person's or a bot's")
        if kind == BOT and not name:
            raise Malformed("a bot has a name")
        return cls(kind, author_of(data["by"]), name, level)


def name_field(data: dict[str, Json]) -> str:
    """The field "name", which must be clean already. Raises ``Malformed``."""
    name = text_field(data, "name", NAME)
    if clean(name, NAME) != name:
        raise Malformed("a name that cannot be shown")
    return name


@dataclass(frozen=True, slots=True)
class RoomState:
    """``members``: the host first, then in the order in which they came. ``ready``: author → what it agreed to.

    ``removed_authors``: authors that the host sent away. ``term`` counts hosts, ``version`` the changes by one host. ``nonce``
    makes two matches with the same seats differ. ``playing``: the match's hash, "" before the deal.
    """

    host: str
    game: str
    rules: int
    options: Mapping[str, Any]
    chairs: tuple[Chair, ...]
    members: tuple[Member, ...]
    nonce: str
    ready: Mapping[str, Hash] = field(default_factory=lambda: MappingProxyType({}))
    removed_authors: tuple[str, ...] = ()
    playing: Hash = ""
    term: int = 0
    version: int = 0

    # ---- reading ----

    def member(self, author: str) -> Member | None:
        return next((member for member in self.members if member.author == author), None)

    def chair_of(self, author: str) -> int | None:
        """The chair where the person of ``author``'s device sits (the first, where several do)."""
        return next((index for index, chair in enumerate(self.chairs)
                     if chair.kind == PERSON and chair.author == author), None)

    @property
    def seated_authors(self) -> tuple[str, ...]:
        """The devices that have a person at the table, in order of their chairs."""
        return tuple(dict.fromkeys(chair.author for chair in self.chairs if chair.kind == PERSON))

    @property
    def spectators(self) -> tuple[Member, ...]:
        return tuple(member for member in self.members if self.chair_of(member.author) is None)

    def name_of(self, chair: Chair) -> str:
        """The name of the person or bot on ``chair``; "" for an empty one."""
        member = self.member(chair.author)
        return chair.name or ("" if member is None or chair.kind != PERSON else member.name)

    @property
    def known(self) -> bool:
        """Whether this program has the game, in the same version of its rules."""
        return self.game in GAMES and rules_of(self.game).version == self.rules

    def refusal(self) -> Refusal | None:
        """Why the match cannot begin, readiness aside; None if it can."""
        if not self.known:
            return Refusal("room.refuse.version")
        try:
            rules_of(self.game)(len(self.chairs), self.options)
        except Refused as refused:
            return refused.refusal
        if any(chair.kind == OPEN for chair in self.chairs):
            return Refusal("room.refuse.open")
        if len(self.seated_authors) < 2:
            return Refusal("room.refuse.alone")
        return None

    def setup(self) -> Setup:
        """The match that is proposed. An empty chair is a seat of nobody."""
        taken = [member.colour for member in self.members if self.chair_of(member.author) is not None]
        spare = [colour for colour in COLOURS if colour not in taken]
        given: set[str] = set()
        seats = []
        for chair in self.chairs:
            member = self.member(chair.author)
            if chair.kind == PERSON and member is not None and member.colour not in given:
                colour = member.colour
            else:
                colour = spare.pop(0) if spare else COLOURS[0]
            given.add(colour)
            seats.append(Seat(chair.kind, chair.author, self.name_of(chair), chair.level, colour))
        return Setup(self.game, self.rules, self.options, tuple(seats), "sealed", self.nonce,
                     {"protocol": PROTOCOL})

    @property
    def agreement(self) -> Hash:
        """What members agree to: the hash of game, rules, options, seats and nonce."""
        return agreement_on(self.setup())

    @property
    def all_ready(self) -> bool:
        """Whether every seated device agreed to exactly this."""
        if self.refusal() is not None:
            return False
        agreement = self.agreement
        return all(self.ready.get(author) == agreement for author in self.seated_authors)

    @classmethod
    def of_match(cls, match: Hash, setup: Setup, host: str) -> RoomState:
        """A room of ``host`` for a match under way, made from its log: for when no device has the room any more."""
        authors = dict.fromkeys([host, *(seat.author for seat in setup.seats)])
        names = {seat.author: seat.name for seat in reversed(setup.seats) if not seat.is_bot}
        members = tuple(Member(author, clean(names.get(author, ""), NAME) or "?", COLOURS[place % len(COLOURS)],
                               author not in names) for place, author in enumerate(authors))
        first: set[str] = set()
        chairs = []
        for seat in setup.seats:
            own = not seat.is_bot and seat.author not in first
            first.add(seat.author if own else "")
            chairs.append(Chair(seat.kind, seat.author, "" if own else clean(seat.name, NAME) or "?",
                                (seat.level if seat.level in LEVELS else USUAL_LEVEL) if seat.is_bot else ""))
        nonce = setup.nonce[:NONCE].ljust(NONCE, "0")
        return cls(host, setup.game, setup.version, dict(setup.options), tuple(chairs), members,
                   nonce if set(nonce) <= HEXADECIMAL else "0" * NONCE, playing=match)

    # ---- JSON ----

    def may_become(self, other: RoomState) -> bool:
        """Whether ``other`` can be a later state of this room. A host that counted to the last number there is would leave none
        to the hosts after it."""
        return max(other.term - self.term, other.version - self.version) <= MOST_AHEAD

    def to_json(self) -> dict[str, Json]:
        options = {key: list(value) if isinstance(value, tuple) else value for key, value in self.options.items()}
        return {"host": self.host, "game": self.game, "rules": self.rules, "options": options,
                "chairs": [chair.to_json() for chair in self.chairs],
                "members": [member.to_json() for member in self.members], "nonce": self.nonce, "ready": dict(self.ready),
                "removed": list(self.removed_authors), "playing": self.playing, "term": self.term, "version": self.version}

    @classmethod
    def from_json(cls, data: Json) -> RoomState:
        """Raises ``Malformed`` for anything that no host could have sent."""
        if type(data) is not dict or data.keys() != FIELDS:
            raise Malformed("expected a room")
        options = data["options"]
        if type(options) is not dict or len(options) > 40:
            raise Malformed("options: expected an object")
        chairs = tuple(Chair.from_json(one) for one in list_field(data, "chairs", MOST_CHAIRS))
        members = tuple(Member.from_json(one) for one in list_field(data, "members", MOST_MEMBERS))
        authors = [member.author for member in members]
        host = author_of(data["host"])
        if len(set(authors)) != len(authors) or not authors or authors[0] != host:
            raise Malformed("members: the host first, everybody once")
        if any(chair.author not in authors for chair in chairs if chair.kind != OPEN) or not chairs:
            raise Malformed("chairs: only members sit")
        ready = data["ready"]
        if type(ready) is not dict or not ready.keys() <= set(authors):
            raise Malformed("ready: only members are")
        for agreement in ready.values():
            hash_of(agreement)
        nonce = text_field(data, "nonce", NONCE)
        if len(nonce) != NONCE or not set(nonce) <= HEXADECIMAL:
            raise Malformed("nonce: expected digits")
        removed = tuple(author_of(one) for one in list_field(data, "removed", MOST_REMOVED))
        playing = data["playing"] and hash_of(data["playing"])
        term, version = count_field(data, "term"), count_field(data, "version")
        if max(term, version) > MOST_COUNT or set(removed) & set(authors) or type(playing) is not str:
            raise Malformed("a room that cannot be")
        return cls(host, text_field(data, "game", 40), count_field(data, "rules"), options, chairs, members, nonce,
                   MappingProxyType(ready), removed, playing, term, version)

    # ---- changes: each makes the next version ----

    def with_fields(self, **fields: Any) -> RoomState:
        """The next version, with ``fields``. Members that agreed to something else are no longer ready."""
        after = replace(self, **fields, version=self.version + 1)
        agreement = after.agreement
        ready = {author: named for author, named in after.ready.items() if named == agreement and after.member(author)}
        return replace(after, ready=MappingProxyType(ready))

    def with_chair(self, index: int, chair: Chair) -> RoomState:
        return self.with_fields(chairs=(*self.chairs[:index], chair, *self.chairs[index + 1:]))

    def with_member(self, member: Member) -> RoomState:
        """With ``member`` in a free colour, on the first empty chair unless it watches or none is empty."""
        taken = {one.colour for one in self.members}
        member = replace(member, colour=next((one for one in COLOURS if one not in taken), COLOURS[0]))
        chairs = list(self.chairs)
        free = next((index for index, chair in enumerate(chairs) if chair.kind == OPEN), None)
        if free is not None and not member.watching:
            chairs[free] = Chair(PERSON, member.author)
        return self.with_fields(members=(*self.members, member), chairs=tuple(chairs))

    def without_member(self, author: str) -> RoomState:
        """Without ``author``: its chair is empty, and its bots are at the host's device."""
        chairs = tuple(chair if chair.author != author else replace(chair, author=self.host) if chair.kind == BOT else Chair()
                       for chair in self.chairs)
        return self.with_fields(members=tuple(one for one in self.members if one.author != author), chairs=chairs)

    def with_host(self, author: str) -> RoomState:
        """With ``author`` as the host. The host before is no longer a member, unless a match is under way."""
        if self.playing:
            others = tuple(one for one in self.members if one.author != author)
            members = (*(one for one in self.members if one.author == author), *others)
            return replace(self, term=self.term + 1, version=self.version + 1, host=author, members=members)
        members = (*(one for one in self.members if one.author == author),
                   *(one for one in self.members if one.author not in (author, self.host)))
        chairs = tuple(chair if chair.author != self.host else replace(chair, author=author) if chair.kind == BOT else Chair()
                       for chair in self.chairs)
        return replace(self, term=self.term + 1, host=author, members=members, chairs=chairs).with_fields()


FIELDS: Final = frozenset({"host", "game", "rules", "options", "chairs", "members", "nonce", "ready", "removed", "playing",
                           "term", "version"})


def agreement_on(setup: Setup) -> Hash:
    """The agreement to ``setup``: its hash."""
    return digest(setup.statement("").body)


def list_field(data: dict[str, Json], name: str, most: int) -> list[Json]:
    """A list of at most ``most``. Raises ``Malformed``."""
    value = data[name]
    if type(value) is not list or len(value) > most:
        raise Malformed(f"{name}: expected a list of at most {most}")
    return value


def hash_of(value: Json) -> Hash:
    """A hash, checked. Raises ``Malformed``."""
    if type(value) is not str or len(value) != 64 or not set(value) <= HEXADECIMAL:
        raise Malformed("expected a hash")
    return value
