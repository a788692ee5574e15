"""The people who play on this device: each with a name, a colour and a drawn face. Kept as one short text. Pure.

A match names its players; a profile's matches are those in which somebody of its name sat at this device. So a log says no more
than it did, and a profile can be deleted without touching a match.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from tabletin.app.kept_text import kept_object
from tabletin.app.storage.matches import MatchRecord
from tabletin.kernel.user_text import NAME, clean

KEPT_AS: Final = "tabletin.profiles"
MOST: Final = 12
ID: Final = re.compile(r"[0-9A-Za-z]{1,32}")
MOST_NAMES: Final = 8  # that one profile had, so that its earlier matches stay its own
COLOURS: Final = 6  # of the seats, in the style sheet
NUMBERED: Final = re.compile(r".* \d{1,2}")  # what guests are called by the page, in every language: "Player 2"


@dataclass(frozen=True, slots=True)
class Profile:
    """``id``: never changes. ``animal``: of its face (``board/avatar``). ``colour``: 0 to ``COLOURS`` - 1. ``names``: what it was
    called before."""

    id: str
    name: str
    animal: str = ""
    colour: int = 0
    names: tuple[str, ...] = ()

    def has_name(self, name: str) -> bool:
        return name == self.name or name in self.names

    def rename(self, name: str, *, has_played: bool = True) -> Profile:
        """The same person under another name. ``has_played``: whether matches were played under the old one: it is kept then."""
        name = clean(name, NAME)
        if not name or name == self.name:
            return self
        earlier = (*self.names, self.name) if has_played and NUMBERED.fullmatch(self.name) is None else self.names
        return replace(self, name=name, names=tuple(one for one in earlier if one != name)[-MOST_NAMES:])

    def seat_in(self, record: MatchRecord) -> int | None:
        """The seat on which this person sat in a match at this device; None where it did not."""
        for seat, player in enumerate(record.seats):
            if not player.is_bot and record.author in (None, player.author) and self.has_name(player.name):
                return seat
        return None


@dataclass(frozen=True, slots=True)
class Profiles:
    """Everybody, in the order in which they came; ``chosen_id``: the id of who plays now, "" for nobody in particular."""

    people: tuple[Profile, ...] = ()
    chosen_id: str = ""

    @property
    def current(self) -> Profile | None:
        """Who plays now."""
        return self.find(self.chosen_id)

    def find(self, name: str) -> Profile | None:
        """The profile with the id ``name``."""
        return next((one for one in self.people if one.id == name), None)

    def with_profile(self, profile: Profile) -> Profiles:
        """With ``profile`` new, or in the place of its older self."""
        if self.find(profile.id) is None:
            return replace(self, people=(*self.people, profile)[:MOST])
        return replace(self, people=tuple(profile if one.id == profile.id else one for one in self.people))

    def remove(self, name: str) -> Profiles:
        """Without the profile with the id ``name``."""
        return Profiles(tuple(one for one in self.people if one.id != name), "" if self.chosen_id == name else self.chosen_id)

    def choose(self, name: str) -> Profiles:
        return replace(self, chosen_id=name if self.find(name) is not None else "")

    def merge(self, others: Profiles) -> Profiles:
        """With those of ``others`` that are not here; who is here stays as here."""
        found = self
        for profile in others.people:
            if found.find(profile.id) is None:
                found = found.with_profile(profile)
        return found

    def is_name_of_somebody(self, name: str) -> bool:
        return any(one.has_name(name) for one in self.people)

    def to_json(self) -> str:
        return json.dumps({"chosen": self.chosen_id, "people": [asdict(one) for one in self.people]})

    @classmethod
    def from_json(cls, text: str | None) -> Profiles:
        """Whatever of ``text`` can be used."""
        found = kept_object(text)
        people = found.get("people")
        read = tuple(_read(people if isinstance(people, list) else []))
        return cls(read).choose(str(found.get("chosen", "")) if read else "")


def _read(people: Iterable[Any]) -> Iterable[Profile]:
    seen: set[str] = set()
    for one in people:
        if not isinstance(one, dict) or len(seen) == MOST:
            continue
        key, name, names, colour = one.get("id"), one.get("name"), one.get("names", []), one.get("colour")
        if not isinstance(key, str) or ID.fullmatch(key) is None or key in seen:
            continue
        if not isinstance(name, str) or not clean(name, NAME):
            continue
        seen.add(key)
        earlier = (clean(old, NAME) for old in names[-MOST_NAMES:] if isinstance(old, str)) if isinstance(names, list) else ()
        own = tuple(old for old in earlier if old and NUMBERED.fullmatch(old) is None)  # a guest's
        yield Profile(key, clean(name, NAME), str(one.get("animal", ""))[:20],
                      colour % COLOURS if type(colour) is int else 0, own)
