"""In which matches of this device a hint laid a turn out, and how often: such a match counts, but proves less. Pure.

Kept as one short text beside the matches; no log tells it. What cannot be read is as if it had never been.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tabletin.app.kept_text import kept_object

KEPT_AS: Final = "tabletin.hints"
MOST: Final = 300  # matches; the oldest fall away
MOST_TURNS: Final = 10_000  # in a match
LONGEST_NAME: Final = 64  # characters of a match's id


@dataclass(frozen=True, slots=True)
class HintCounts:
    """``turns``: by the id of a match, how many turns a hint laid out."""

    turns: Mapping[str, int] = field(default_factory=dict)

    def add_turn(self, match: str) -> HintCounts:
        """After a hint laid out one more turn in ``match``."""
        turns = {name: n for name, n in self.turns.items() if name != match}
        turns[match] = min(MOST_TURNS, self.turns.get(match, 0) + 1)
        return HintCounts(dict(list(turns.items())[-MOST:]))

    def of_matches(self, names: Iterable[str]) -> HintCounts:
        """Those of the matches with the ids ``names`` alone."""
        wanted = set(names)
        return HintCounts({name: n for name, n in self.turns.items() if name in wanted})

    def merge(self, other: HintCounts) -> HintCounts:
        """With those of another device: what was taken on either counts, those that are here last of all to fall away."""
        turns = {name: n for name, n in other.turns.items() if name not in self.turns}
        turns |= {name: max(n, other.turns.get(name, 0)) for name, n in self.turns.items()}
        return HintCounts(dict(list(turns.items())[-MOST:]))

    def to_json(self) -> str:
        return json.dumps(dict(self.turns))

    @classmethod
    def from_json(cls, text: str | None) -> HintCounts:
        """Whatever of ``text`` can be used."""
        found = {name: n for name, n in kept_object(text).items()
                 if len(name) <= LONGEST_NAME and type(n) is int and 0 < n <= MOST_TURNS}
        return cls(dict(list(found.items())[-MOST:]))
