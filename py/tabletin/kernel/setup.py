"""What a match is agreed on before anything happens: the body of its genesis statement, checked.

A log may name a seat as its author likes. What is read here can be shown: names are cleaned, and a level or colour that there
is not is left out. ``check_seats``, ``check_names`` and ``check_one_device`` are for the doors where such a log comes in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tabletin.kernel.log import NOTHING, Json, Statement, count_field, text_field
from tabletin.kernel.options import refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.user_text import NAME, clean, is_legible

LEVELS: Final = ("easy", "medium", "hard")  # of bots, weakest first
USUAL_LEVEL: Final = "medium"
RANDOM: Final = "random"  # the arena's floor: a uniformly random legal move; not offered to people
SEER: Final = "seer"  # the arena's ceiling: hard, but shown every card; means something where hard imagines closed cards
ALL_LEVELS: Final = ("", *LEVELS, RANDOM, SEER)
COLOURS: Final = ("red", "blue", "green", "yellow", "purple", "orange", "brass", "enamel", "pip-9", "pip-10")
"""Colours of seats, in order of seats: names of the style sheet's tokens."""


OPEN: Final = "open"  # one device deals, and knows every card
SEALED: Final = "sealed"  # the peers deal, and nobody knows the deck
DEALINGS: Final = (OPEN, SEALED)

MOST_SEATS: Final = 20  # of a table that any game could have

PROTOCOL: Final = 6
"""Of a log among peers, named by its genesis (``extra``): 2 has epochs, and what was refused once never stands; in 3 nothing
takes an end back, and who agrees to play a seat signs all of what it becomes; in 4 who has no seat any more does not order; in
5 nobody but voters does, and a seat that is given away while a deck is dealt changes hands with the next one; in 6 moves that
were taken back do not come back without their seats' consent, and how often somebody goes on from another device is limited. A
genesis that names none is of 1."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a seat: ``kind`` "person" or "bot"; ``level`` of a bot; ``author`` the author who speaks for it."""

    kind: str
    author: str
    name: str = ""
    level: str = ""
    colour: str = ""

    @property
    def is_bot(self) -> bool:
        return self.kind == "bot"

    def to_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "by": self.author, "name": self.name, "level": self.level, "colour": self.colour}

    @classmethod
    def from_json(cls, data: Json) -> Seat:
        """The seat as it can be shown. Raises ``Malformed``."""
        if type(data) is not dict or data.keys() != {"kind", "by", "name", "level", "colour"}:
            raise Malformed("expected a seat")
        kind = data["kind"]
        if kind not in ("person", "bot"):
            raise Malformed("a seat is a person's or a bot's")
        level, colour = text_field(data, "level", 20), text_field(data, "colour", 20)
        if kind == "person":
            level = ""
        elif level not in ALL_LEVELS:
            level = USUAL_LEVEL
        return cls(kind, text_field(data, "by"), clean(text_field(data, "name", 40), NAME), level,
                   colour if colour in COLOURS else "")


@dataclass(frozen=True, slots=True)
class Setup:
    """Game id, its rules' version, options, seats, which dealing ("open", "sealed"), a nonce, and what else it names."""

    game: str
    version: int
    options: Mapping[str, Any]
    seats: tuple[Seat, ...]
    dealing: str = OPEN
    nonce: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    _authors: tuple[str, ...] = field(default=(), init=False, repr=False, compare=False)  # once computed

    @property
    def authors(self) -> tuple[str, ...]:
        """Who speaks for the seats, in the order of their first seats."""
        if not self._authors:
            object.__setattr__(self, "_authors", tuple(dict.fromkeys(seat.author for seat in self.seats)))
        return self._authors

    @property
    def people(self) -> frozenset[str]:
        """The authors who speak for a person's seat."""
        return frozenset(seat.author for seat in self.seats if not seat.is_bot)

    @property
    def protocol(self) -> int:
        """By which ``PROTOCOL`` statements among peers are judged; beyond all known ones where that is no count."""
        named = self.extra.get("protocol", 1)
        return named if type(named) is int and named >= 1 else PROTOCOL + 1

    def statement(self, author: str) -> Statement:
        body = {"game": self.game, "rules": self.version, "options": _plain(self.options),
                "seats": [seat.to_json() for seat in self.seats], "dealing": self.dealing, "nonce": self.nonce,
                "extra": dict(self.extra)}
        return Statement(NOTHING, author, 0, NOTHING, "genesis", body)

    @classmethod
    def from_statement(cls, statement: Statement) -> Setup:
        """Raises ``Malformed``."""
        body = statement.body
        if statement.kind != "genesis" or (statement.match, statement.head, statement.count) != (NOTHING, NOTHING, 0):
            raise Malformed("a log begins with a genesis statement")
        if body.keys() != {"game", "rules", "options", "seats", "dealing", "nonce", "extra"}:
            raise Malformed("genesis: expected game, rules, options, seats, dealing, nonce, extra")
        options, extra = body["options"], body["extra"]
        if type(options) is not dict or type(extra) is not dict:
            raise Malformed("options: expected an object")
        if body["dealing"] not in DEALINGS:
            raise Malformed("dealing: expected " + " or ".join(DEALINGS))
        return cls(text_field(body, "game", 40), count_field(body, "rules"), options,
                   tuple(Seat.from_json(seat) for seat in _seat_list(body)), body["dealing"], text_field(body, "nonce"), extra)

    def with_seat(self, index: int, seat: Seat) -> Setup:
        """This setup with another player on seat ``index``."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1:]))


def check_seats(statement: Statement) -> None:
    """That there are the levels and colours of the seats that ``statement`` names, if any. Raises ``Malformed``, ``Refused``."""
    for seat in _seats_named(statement):
        if seat["level"] not in (ALL_LEVELS if seat["kind"] == "bot" else ("",)):
            raise refused("kernel.seat_level")
        if seat["colour"] not in ("", *COLOURS):
            raise refused("kernel.seat_colour")


def check_one_device(statement: Statement, author: str) -> None:
    """That ``statement`` is of ``author``, and so are the seats that it names, if any. Raises ``Malformed``, ``Refused``.

    In a match that one device deals, that one speaks for everybody. Where it could not, nobody could go on."""
    if any(one != author for one in (statement.author, *(seat["by"] for seat in _seats_named(statement)))):
        raise refused("kernel.one_device")


def check_names(statement: Statement) -> None:
    """That the names of the seats that ``statement`` names, if any, can be shown as they are. Raises ``Malformed``, ``Refused``.

    For what peers say now. A file may be older, and is shown cleaned.
    """
    if not all(is_legible(seat["name"], NAME) for seat in _seats_named(statement)):
        raise refused("kernel.seat_name")


def _seats_named(statement: Statement) -> list[dict[str, Json]]:
    """The seats in a genesis or in a change of player, as they are written; none in other statements. Raises ``Malformed``."""
    named: list[Json] = []
    if statement.kind == "genesis":
        named = _seat_list(statement.body)
    elif statement.kind == "seat":
        named = [statement.body.get("to")]
    for seat in named:
        Seat.from_json(seat)
    return named


def _seat_list(body: dict[str, Json]) -> list[Json]:
    """The seats of a genesis as they are written. Raises ``Malformed`` if that is no list, or none that could be a table."""
    seats: Json = body.get("seats")
    if type(seats) not in (list, tuple) or not 1 <= len(seats) <= MOST_SEATS:
        raise Malformed("seats: expected a list")
    return list(seats)


def _plain(options: Mapping[str, Any]) -> dict[str, Json]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in options.items()}
