"""How a match among peers ended, as a small value that follows from its log alone. So all honest devices write the same one.

It knows no signatures (``signed_result``), and it does not judge the match: who makes one has folded the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from tabletin.kernel.log import Hash, Json, canonical, count_field, digest, hash_field, text_field
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import MOST_SEATS, Seat
from tabletin.kernel.user_text import NAME, clean
from tabletin.peers.identity import AUTHOR_DIGITS, digits
from tabletin.registry import GAMES

MOST_RESULT: Final = 8_000  # bytes of one in its canonical spelling
MOST_SCORE: Final = 10**6
FEWEST_SIGNERS: Final = 2  # what one device says of itself proves nothing
FIELDS: Final = frozenset({"match", "head", "game", "rules", "options", "seats", "scores", "winners"})


@dataclass(frozen=True)
class LeagueResult:
    """The match whose genesis has the hash ``match`` ended with the entry of hash ``head``.

    ``rules``: the version of the game's rules. ``seats``: who sat there at the end, with one of ``scores`` each; ``winners``:
    seats, in order.
    """

    match: Hash
    head: Hash
    game: str
    rules: int
    options: Mapping[str, Any]
    seats: tuple[Seat, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def signers(self) -> tuple[str, ...]:
        """The authors whose signatures it needs: of all people's seats."""
        return tuple(dict.fromkeys(seat.author for seat in self.seats if not seat.is_bot))

    @cached_property
    def hash(self) -> Hash:
        return digest(self.to_json())

    def to_json(self) -> dict[str, Json]:
        return {"match": self.match, "head": self.head, "game": self.game, "rules": self.rules, "options": dict(self.options),
                "seats": [seat.to_json() for seat in self.seats], "scores": list(self.scores), "winners": list(self.winners)}

    @classmethod
    def from_json(cls, data: Json) -> LeagueResult:
        """Raises ``Malformed`` for what no match could have ended with, or could not be shown as it is written."""
        if type(data) is not dict or data.keys() != FIELDS or len(canonical(data)) > MOST_RESULT:
            raise Malformed("expected a result")
        game, options = text_field(data, "game", 40), data["options"]
        if game not in GAMES:
            raise Malformed("a game that there is not here")
        if type(options) is not dict:
            raise Malformed("options: expected an object")
        seats = tuple(map(_seat, _list(data, "seats")))
        scores, winners = tuple(_list(data, "scores")), tuple(_list(data, "winners"))
        if len(scores) != len(seats) or not all(type(score) is int and abs(score) <= MOST_SCORE for score in scores):
            raise Malformed("scores: expected a number a seat")
        if not all(type(seat) is int and 0 <= seat < len(seats) for seat in winners) or list(winners) != sorted(set(winners)):
            raise Malformed("winners: expected seats in order")
        result = cls(hash_field(data, "match"), hash_field(data, "head"), game, count_field(data, "rules"), options, seats,
                     scores, winners)
        if len(result.signers) < FEWEST_SIGNERS:
            raise Malformed("a result is signed by two devices at least")
        return result


def result_of(match: Match) -> LeagueResult | None:
    """How ``match``, which is among peers, ended. None where it counts in no league: it goes on, was broken off, or somebody
    who would have to sign is gone. What stands behind the end changes nothing about it."""
    outcome, setup, end = match.outcome, match.setup, match.end
    if outcome is None or outcome.unfinished or end is None:
        return None
    result = LeagueResult(match.id, end.hash, setup.game, setup.version, dict(setup.options), setup.seats,
                         tuple(outcome.scores), tuple(sorted(outcome.winners)))
    if len(result.signers) < FEWEST_SIGNERS or match.former_authors.intersection(result.signers):
        return None
    return result


def _list(data: dict[str, Json], name: str) -> list[Json]:
    value = data[name]
    if type(value) is not list or len(value) > MOST_SEATS:
        raise Malformed(f"{name}: expected a list")
    return value


def _seat(data: Json) -> Seat:
    seat = Seat.from_json(data)
    name = str(data["name"])
    if clean(name, NAME, keeps_newer=True) == name:  # another Python, such as the page's, may know its signs
        seat = replace(seat, name=name)
    if seat.to_json() != data:
        raise Malformed("a seat that cannot be shown as it is written")
    if digits(seat.author, AUTHOR_DIGITS) is None:
        raise Malformed("expected an author")
    return seat
