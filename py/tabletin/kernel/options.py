"""What players may choose before a match, declared by each game as data and checked here.

An option's words (label, one sentence, names of choices) live in the catalogue under ``<game>.options.<key>``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Options: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not accepted: a catalogue key and its parameters. ``rule`` names the rulebook's point."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""

    def __str__(self) -> str:
        inside = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.key}({inside})" if inside else self.key


class Failure(Exception):
    """Something did not happen; ``refusal`` says why, in words of the catalogue."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    @property
    def key(self) -> str:
        """The catalogue's key of the reason."""
        return self.refusal.key


class Refused(Failure):
    """Something was not accepted and nothing has changed."""


def refused(key: str, rule: str = "", **params: Any) -> Refused:
    return Refused(Refusal(key, params, rule))


@dataclass(frozen=True, slots=True)
class Choice:
    """One of ``choices`` (words or whole numbers)."""

    key: str
    choices: tuple[Any, ...]
    default: Any
    advanced: bool = False

    def check(self, value: Any) -> Any:
        for choice in self.choices:
            if type(choice) is type(value) and choice == value:
                return choice
        raise refused("kernel.option.choice", option=self.key, choices=", ".join(map(str, self.choices)))


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from ``low`` to ``high``; ``off`` allows None as well ("no limit")."""

    key: str
    low: int
    high: int
    default: int | None
    off: bool = False
    step: int = 1
    advanced: bool = False

    def check(self, value: Any) -> int | None:
        if value is None and self.off:
            return None
        if type(value) is not int or not self.low <= value <= self.high:
            raise refused("kernel.option.number", option=self.key, low=self.low, high=self.high)
        return value


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    key: str
    default: bool = False
    advanced: bool = False

    def check(self, value: Any) -> bool:
        if type(value) is not bool:
            raise refused("kernel.option.switch", option=self.key)
        return value


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of ``min_length`` to ``max_length`` words, each accepted by the game itself (``Rules.check``), edited as text.

    ``words``: those that stand in it, for which a page has words in its own language ("options.<key>.words.<word>").
    """

    key: str
    default: tuple[str, ...]
    max_length: int
    min_length: int = 0
    advanced: bool = True
    words: tuple[str, ...] = ()

    def check(self, value: Any) -> tuple[str, ...]:
        if (not isinstance(value, list | tuple) or not self.min_length <= len(value) <= self.max_length
                or not all(type(item) is str and len(item) <= 200 for item in value)):
            raise refused("kernel.option.listing", option=self.key, least=self.min_length, most=self.max_length)
        return tuple(value)


@dataclass(frozen=True, slots=True)
class Preset:
    """Options that go well together, under a name: "quick", "family". What ``options`` leaves out is as printed.

    ``seats``: the numbers of players it is for, None for all that the game takes.
    """

    key: str
    options: Options = field(default_factory=dict)
    seats: range | None = None


Option: TypeAlias = Choice | Number | Switch | Listing


def fill(declared: tuple[Option, ...], given: Options) -> dict[str, Any]:
    """Every declared option with its given or default value, checked; raises ``Refused``."""
    known = {option.key: option for option in declared}
    for key in given:
        if key not in known:
            raise refused("kernel.option.unknown", option=key, known=", ".join(known) or "–")
    return {key: option.check(given[key]) if key in given else option.default for key, option in known.items()}
