"""A match that is planned: who sits where, with which options; from a link, from last time, or as printed.

It knows a game's rules as declarations (how many seats, which options) and turns the plan into a kernel ``Setup``. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any, Final

from tabletin.app.session.adaptation import ADAPTS, seats_that_adapt
from tabletin.bots.characters import NAMED_IN, habit_of_name, stock_names
from tabletin.kernel.options import Choice, Listing, Number, Option, Preset, Refusal, Refused, Switch
from tabletin.kernel.rules import Rules
from tabletin.kernel.setup import COLOURS, LEVELS, USUAL_LEVEL, Seat, Setup
from tabletin.kernel.table import AUTHOR
from tabletin.kernel.user_text import NAME, clean
from tabletin.registry import GAMES, rules_of
from tabletin.words import Catalogue

ME: Final = "me"
PERSON: Final = "person"
FAR: Final = "far"
BOTS: Final = (*LEVELS, ADAPTS)
WHO: Final = (ME, PERSON, *BOTS, FAR)
AS_PRINTED: Final = Preset("as_printed")


def presets_of(game: str) -> tuple[Preset, ...]:
    """The presets of ``game``: its own, and everything as printed."""
    own: Mapping[str, tuple[Preset, ...]] = GAMES[game].declaration("presets", "PRESETS", {})
    return (*own.get(game, ()), AS_PRINTED)


@dataclass(slots=True)
class Place:
    """A planned seat: ``who`` is "me", "person" (somebody else at this device), "far" (at another one), a bot's level, or
    "adapts": a bot of the level that fits."""

    who: str
    name: str = ""


@dataclass(slots=True)
class Plan:
    """A planned match of ``game``. ``seed`` chooses the shuffles; None leaves them to chance."""

    game: str
    places: list[Place]
    options: dict[str, Any] = field(default_factory=dict)
    open_hands: bool = False
    seed: int | None = None

    @property
    def rules(self) -> type[Rules[Any]]:
        return rules_of(self.game)

    @property
    def fewest(self) -> int:
        return self.rules.seat_counts[0]

    @property
    def largest(self) -> int:
        return self.rules.seat_counts[-1]

    @property
    def is_shared(self) -> bool:
        """Whether several people sit at this device."""
        return sum(place.who in (ME, PERSON) for place in self.places) > 1

    @property
    def is_remote(self) -> bool:
        """Whether somebody far away is to play."""
        return any(place.who == FAR for place in self.places)

    # ---- where a plan comes from ----

    @classmethod
    def usual(cls, game: str) -> Plan:
        """Me and as many bots as the game needs, its options as printed."""
        fewest = max(2, rules_of(game).seat_counts[0])
        return cls(game, [Place(ME), *(Place(USUAL_LEVEL) for _ in range(fewest - 1))])

    @classmethod
    def from_text(cls, game: str, text: str | None) -> Plan:
        """What was chosen last time, as far as it can still be used."""
        plan = cls.usual(game)
        try:
            found: Any = json.loads(text) if text else {}
        except ValueError:
            found = {}
        if not isinstance(found, dict):
            return plan
        seats = found.get("seats")
        plan.seat(place for place in (seats if isinstance(seats, list) else ()) if isinstance(place, list))
        plan.choose(found.get("options"))
        if plan.refusal() is not None:  # choices of an older version that no longer go together
            plan.options.clear()
        plan.open_hands = found.get("open_hands") is True
        return plan

    def adopt_query(self, query: Mapping[str, str]) -> Plan:
        """This plan as a link asks for it: ``seats=me,hard``, ``seed=7``, and options by their keys."""
        if "seats" in query:
            self.seat([who] for who in query["seats"].split(","))
        if query.get("seed", "").isdecimal():
            self.seed = int(query["seed"][:9])
        self.open_hands = query.get("open_hands", str(self.open_hands)) in ("1", "True", "true")
        for option in self.rules.options:
            if option.key in query:
                self.set_text(option.key, query[option.key])
        return self

    def seat(self, wanted: Iterable[list[Any]]) -> None:
        """Take the places ``[who, name]`` that can be understood, if they are as many as the game takes."""
        places = [Place(one[0], clean(str(one[1]), NAME) if len(one) > 1 else "")
                  for one in wanted if one and one[0] in WHO]
        if self.fewest <= len(places) <= self.largest:
            self.places = []
            for place in places:
                known = any(other.who == ME for other in self.places)
                self.places.append(Place(PERSON if place.who == ME and known else place.who, place.name))

    def choose(self, options: Any) -> None:
        """Take the options that the game has and whose values it accepts."""
        if not isinstance(options, Mapping):
            return
        for option in self.rules.options:
            if option.key in options:
                try:
                    self.options[option.key] = option.check(options[option.key])
                except Refused:
                    self.options.pop(option.key, None)  # an older version's choice: as printed, then

    # ---- changing it ----

    def value(self, option: Option) -> Any:
        """What is chosen of ``option`` now."""
        return self.options.get(option.key, option.default)

    def choices(self, option: Choice) -> list[Any]:
        """What ``option`` offers as many players as there are, and what is chosen of it now: "Seat 6 begins" is none for two."""
        def can_be(seats: int, value: Any) -> bool:
            try:
                self.rules(seats, {option.key: value})
            except Refused:
                return False
            return True

        other_numbers = [seats for seats in self.rules.seat_counts if seats != len(self.places)]
        return [one for one in option.choices if one == self.value(option) or can_be(len(self.places), one)
                or not any(can_be(seats, one) for seats in other_numbers)]

    def set_text(self, key: str, text: str) -> None:
        """Choose what ``text``, from a link or a control, says for the option ``key``, if it can be read."""
        option = next((option for option in self.rules.options if option.key == key), None)
        if option is None:
            return
        try:
            self.options[key] = option.check(read_value(option, text))
        except (Refused, ValueError):
            return

    def presets(self) -> list[Preset]:
        """The options for as many players as there are."""
        return [preset for preset in presets_of(self.game) if preset.seats is None or len(self.places) in preset.seats]

    @property
    def preset(self) -> str:
        """The key of the preset that is chosen as a whole, "" if the options are others."""
        now = {option.key: self.value(option) for option in self.rules.options}
        printed = {option.key: option.default for option in self.rules.options}
        return next((preset.key for preset in self.presets() if {**printed, **preset.options} == now), "")

    def take(self, key: str) -> None:
        """Choose the preset ``key`` and nothing else."""
        self.options = next((dict(preset.options) for preset in self.presets() if preset.key == key), self.options)

    def add(self) -> None:
        """One more seat, for a bot like the last one."""
        if len(self.places) < self.largest:
            levels = [place.who for place in self.places if place.who in BOTS]
            self.places.append(Place(levels[-1] if levels else USUAL_LEVEL))

    def drop(self, seat: int) -> None:
        """Take ``seat`` away."""
        if len(self.places) > self.fewest and 0 <= seat < len(self.places):
            del self.places[seat]

    def put(self, seat: int, who: str) -> None:
        """``who`` sits on ``seat``. "me" can sit on one seat only."""
        if who not in WHO or not 0 <= seat < len(self.places):
            return
        if who == ME:
            for place in self.places:
                if place.who == ME:
                    place.who = PERSON
        self.places[seat].who = who

    def sit(self, seat: int, name: str) -> None:
        """Somebody called ``name`` sits on ``seat``, or gets up from it; whoever sat there takes the seat that comes free."""
        place = self.places[seat]
        if place.name == name:
            place.name = ""
            return
        for other in self.places:
            if other.name == name:
                other.name = place.name
        place.name = name

    def habits(self, words: Catalogue) -> list[str]:
        """The habit of every seat whose bot has a name from stock, and that this game knows; "" for the others."""
        stock = stock_names(words)
        knows = self.game in GAMES[self.game].declaration("habits", "WITH_HABITS", ())
        return [habit_of_name(stock[name]) if knows and place.who in BOTS and name in stock else ""
                for place, name in zip(self.places, self.names(words), strict=True)]

    def names(self, words: Catalogue) -> list[str]:
        """What every seat is called: its own name, or one from stock that nobody else at the table has.

        I am "You" only where nobody else sits at this device.
        """
        taken = {place.name for place in self.places if place.name}
        stock = [name for name in stock_names(words) if name not in taken]
        names, people = [], int(any(place.who == ME for place in self.places))  # I am the first of them
        for place in self.places:
            if place.who == PERSON:
                people += 1
            if place.name:
                names.append(place.name)
            elif place.who == ME:
                names.append(words.text("newmatch.person_name" if self.is_shared else "newmatch.me_name", n=1))
            elif place.who == PERSON:
                names.append(words.text("newmatch.person_name", n=people))
            elif place.who == FAR:
                names.append(words.text("newmatch.far_name"))
            else:
                names.append(stock.pop(0))
        return names

    # ---- what becomes of it ----

    def refusal(self) -> Refusal | None:
        """Why this cannot be played; None if it can."""
        if self.is_shared and not self.rules.can_share(self.options):
            return Refusal("newmatch.one_person")
        try:
            self.rules(len(self.places), self.options)
        except Refused as refused:
            return refused.refusal
        return None

    @property
    def is_adapting(self) -> bool:
        """Whether a bot is to adapt."""
        return any(place.who == ADAPTS for place in self.places)

    def setup(self, words: Catalogue, fitting: str = USUAL_LEVEL) -> Setup:
        """The kernel's setup, with a fresh nonce. ``fitting``: the level of bots that adapt."""
        seats = tuple(
            Seat("bot" if place.who in BOTS else "person", AUTHOR, clean(name, NAME), self._level(place, fitting),
                 COLOURS[seat % len(COLOURS)])
            for seat, (place, name) in enumerate(zip(self.places, self.names(words), strict=True)))
        extra: dict[str, Any] = {}
        if self.is_adapting:
            extra[ADAPTS] = [seat for seat, place in enumerate(self.places) if place.who == ADAPTS]
        habits = self.habits(words)
        if any(habits):
            extra[NAMED_IN] = habits
        mine = next((seat for seat, place in enumerate(self.places) if place.who == ME), None)
        if mine is not None:
            extra["me"] = mine
        if self.seed is not None:
            extra["seed"] = self.seed
        if self.open_hands and self.is_shared:
            extra["open_hands"] = True
        return Setup(self.game, self.rules.version, dict(self.options), seats, nonce=token_hex(16), extra=extra)

    @staticmethod
    def _level(place: Place, fitting: str) -> str:
        return fitting if place.who == ADAPTS else place.who if place.who in LEVELS else ""

    def to_json(self) -> str:
        """For next time; the shuffles are new then."""
        options = {key: list(value) if isinstance(value, tuple) else value for key, value in self.options.items()}
        return json.dumps({"seats": [[place.who, place.name] for place in self.places], "options": options,
                           "open_hands": self.open_hands})


def rotate(setup: Setup) -> Setup:
    """The same match once more, everybody one seat further, so that somebody else begins."""
    seats = (*setup.seats[1:], setup.seats[0])
    extra = {key: value for key, value in setup.extra.items() if key != "seed"}
    if type(extra.get("me")) is int:
        extra["me"] = (extra["me"] - 1) % len(seats)
    if isinstance(extra.get(NAMED_IN), (list, tuple)):
        extra[NAMED_IN] = [*extra[NAMED_IN][1:], *extra[NAMED_IN][:1]]
    if ADAPTS in extra:
        extra[ADAPTS] = [(seat - 1) % len(seats) for seat in seats_that_adapt(setup)]
    return Setup(setup.game, rules_of(setup.game).version, dict(setup.options), seats, nonce=token_hex(16), extra=extra)


def read_value(option: Option, text: str) -> Any:
    """The value of ``option`` that ``text`` spells. Raises ``ValueError``."""
    if isinstance(option, Switch):
        return text.lower() in ("1", "true", "on", "yes")
    if isinstance(option, Number):
        return None if text in ("", "off") else int(text)
    if isinstance(option, Listing):
        return [line.strip() for line in text.replace("|", "\n").splitlines() if line.strip()]
    found = [choice for choice in option.choices if str(choice) == text]
    if not found:
        raise ValueError(text)
    return found[0]


def spell_value(option: Option, value: Any) -> str:
    """The text that ``read_value`` reads ``value`` from."""
    if isinstance(option, Switch):
        return "1" if value else "0"
    if isinstance(option, Listing):
        return "\n".join(value)
    return "off" if value is None else str(value)


def reword(text: str, words: Mapping[str, str]) -> str:
    """``text`` with other ``words``, in lower case there, for some of it: a list in the reader's language, or back."""
    if not words:
        return text
    found = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.sub(rf"\b(?:{found})\b", lambda one: words[one[0].lower()], text, flags=re.IGNORECASE)


def kept_as(game: str) -> str:
    """Where the last plan of ``game`` is kept."""
    return f"tabletin.plan.{game}"
