"""The best single turns that the people of this device ever had, game by game. Kept as one short text. Pure.

A best turn is kept with the match it was in, so that a result tells the same when it is opened again. What cannot be read of the
text is as if it had never been.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final, TypeAlias

from tabletin.app.kept_text import kept_value
from tabletin.board.highlights import Mark

KEPT_AS: Final = "tabletin.turns"
MOST: Final = 400  # best turns in all
MOST_COUNTED: Final = 1_000_000  # in a turn, of whatever is counted
SECONDS, TENTHS = "result.seconds", "result.tenths"
LONGEST_NAME: Final = 64  # characters of whose, of which game, of which kind, and of the others
Place: TypeAlias = tuple[str, str, str]  # whose (a profile's id, "" for nobody in particular), of which game, of which kind


@dataclass(frozen=True, slots=True)
class TurnBest:
    """``n`` as ``badge`` words it ("" for points). ``match``: the id of its match. ``is_first``: there was none before."""

    n: int
    badge: str
    is_least_best: bool
    match: str
    is_first: bool

    def is_better_than(self, other: TurnBest) -> bool:
        """Whether it counts instead of ``other``; one that was the best of something else counts for nothing."""
        if self.is_least_best != other.is_least_best:
            return False
        return self.n < other.n if self.is_least_best else self.n > other.n


@dataclass(frozen=True, slots=True)
class TurnBests:
    """``turns``: each by its place."""

    turns: Mapping[Place, TurnBest] = field(default_factory=dict)

    def add_marks(self, person: str, game: str, match: str, marks: Iterable[Mark]) -> TurnBests:
        """After ``person`` did ``marks`` in the match with the id ``match``."""
        turns = dict(self.turns)
        for mark in marks:
            place = person, game, mark.name
            before = turns.get(place)
            now = TurnBest(mark.highlight.n, mark.highlight.badge, mark.is_least_best, match, before is None)
            if before is not None and before.is_least_best != now.is_least_best:  # kept when the game told another thing
                before, now = None, replace(now, is_first=True)
            if before is None or now.is_better_than(before):
                turns[place] = now
        return TurnBests(dict(list(turns.items())[-MOST:]))

    def is_record(self, person: str, game: str, match: str, mark: Mark) -> bool:
        """Whether ``mark`` is the best that ``person`` ever did, better than what was there before this match."""
        best = self.turns.get((person, game, mark.name))
        return best is not None and best.match == match and best.n == mark.highlight.n and not best.is_first

    def turns_of(self, person: str, game: str) -> dict[str, TurnBest]:
        """The best turns of ``person`` in ``game``, by their kind."""
        return {kind: best for (whose, played, kind), best in self.turns.items() if (whose, played) == (person, game)}

    def remove(self, person: str) -> TurnBests:
        """Without those of ``person``."""
        return TurnBests({place: best for place, best in self.turns.items() if place[0] != person})

    def of_person(self, person: str) -> TurnBests:
        """Those of ``person`` alone."""
        return TurnBests({place: best for place, best in self.turns.items() if place[0] == person})

    def merge(self, other: TurnBests) -> TurnBests:
        """With those of another device: the better one counts."""
        turns = {place: best for place, best in other.turns.items() if place not in self.turns}
        turns |= self.turns  # last: where there are too many, the first fall away
        for place, best in other.turns.items():
            if best.is_better_than(turns[place]):
                turns[place] = best
        return TurnBests(dict(list(turns.items())[-MOST:]))

    def to_json(self) -> str:
        return json.dumps([[*place, asdict(best)] for place, best in self.turns.items()])

    @classmethod
    def from_json(cls, text: str | None) -> TurnBests:
        """Whatever of ``text`` can be used."""
        found = kept_value(text)
        read = (_read(one) for one in found[:MOST]) if isinstance(found, list) else ()
        return cls(dict(one for one in read if one is not None))


def _read(found: Any) -> tuple[Place, TurnBest] | None:
    """A best turn with its place, if ``found`` has the form."""
    if not isinstance(found, list) or len(found) != 4 or not isinstance(found[3], dict):
        return None
    person, game, name, said = found
    kinds = {"n": int, "badge": str, "is_least_best": bool, "match": str, "is_first": bool}
    if any(type(said.get(one.name)) is not kinds[one.name] for one in fields(TurnBest)):
        return None
    texts = (person, game, name, said["badge"], said["match"])
    if not all(isinstance(one, str) and len(one) <= LONGEST_NAME for one in texts) or abs(said["n"]) > MOST_COUNTED:
        return None
    best = TurnBest(**{one: said[one] for one in kinds})
    if best.badge == SECONDS:  # as times were kept once
        best = replace(best, n=10 * best.n, badge=TENTHS)
    return (person, game, name), best
