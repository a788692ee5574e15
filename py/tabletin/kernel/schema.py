"""The forms that moves may have, written as data: checks what came from outside before any rule sees it.

A shape says what a value must look like, never whether it is legal. A move is a tuple ``(verb, *arguments)``; a game
lists its verbs with the shapes of their arguments, and malformed input is refused in one place. ``sample`` draws a
random value of a shape, which is what the fuzzers throw at the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

Move: TypeAlias = tuple[Any, ...]


class Malformed(ValueError):
    """Input that has not the form it must have. The message says what was expected."""


class Shape(ABC):
    @abstractmethod
    def read(self, value: Any) -> Any:
        """``value`` with lists made tuples; raises ``Malformed``."""

    @abstractmethod
    def sample(self, rng: Random) -> Any:
        """A random value of this shape."""


@dataclass(frozen=True, slots=True)
class Int(Shape):
    """A whole number from ``low`` to ``high``."""

    low: int
    high: int

    def read(self, value: Any) -> int:
        if type(value) is not int or not self.low <= value <= self.high:
            raise Malformed(f"expected a whole number from {self.low} to {self.high}")
        return value

    def sample(self, rng: Random) -> int:
        likely = rng.randint(max(self.low, -9), min(self.high, 99))  # small numbers name real cards and places
        return rng.choice((self.low, self.high, rng.randint(self.low, self.high), likely))


@dataclass(frozen=True, slots=True)
class OneOf(Shape):
    """One of the given words."""

    words: tuple[str, ...]

    def read(self, value: Any) -> str:
        if type(value) is not str or value not in self.words:
            raise Malformed(f"expected one of {', '.join(self.words)}")
        return value

    def sample(self, rng: Random) -> str:
        return rng.choice(self.words)


@dataclass(frozen=True, slots=True)
class Seq(Shape):
    """A list of ``min_length`` to ``max_length`` values of one shape."""

    item: Shape
    max_length: int
    min_length: int = 0

    def read(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or not self.min_length <= len(value) <= self.max_length:
            raise Malformed(f"expected a list of {self.min_length} to {self.max_length}")
        return tuple(self.item.read(item) for item in value)

    def sample(self, rng: Random) -> tuple[Any, ...]:
        longest = min(self.max_length, self.min_length + 4)
        return tuple(self.item.sample(rng) for _ in range(rng.randint(self.min_length, longest)))


@dataclass(frozen=True, slots=True)
class Tup(Shape):
    """A list of exactly these shapes."""

    items: tuple[Shape, ...]

    def read(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) != len(self.items):
            raise Malformed(f"expected a list of {len(self.items)}")
        return tuple(shape.read(item) for shape, item in zip(self.items, value, strict=True))

    def sample(self, rng: Random) -> tuple[Any, ...]:
        return tuple(shape.sample(rng) for shape in self.items)


@dataclass(frozen=True, slots=True)
class Maybe(Shape):
    """Nothing (null), or a value of the shape."""

    item: Shape

    def read(self, value: Any) -> Any:
        return None if value is None else self.item.read(value)

    def sample(self, rng: Random) -> Any:
        return None if rng.random() < 0.3 else self.item.sample(rng)


@dataclass(frozen=True, slots=True)
class Tree(Shape):
    """A node ``[*label, [child, …]]``: the label's shapes, then a list of nodes like it; bounded in size."""

    label: tuple[Shape, ...]
    most_children: int
    most_depth: int = 200

    def read(self, value: Any, depth: int = 0) -> tuple[Any, ...]:
        if depth > self.most_depth:
            raise Malformed("nested too deeply")
        if not isinstance(value, list | tuple) or len(value) != len(self.label) + 1:
            raise Malformed(f"expected a node of {len(self.label) + 1} parts")
        children = value[-1]
        if not isinstance(children, list | tuple) or len(children) > self.most_children:
            raise Malformed(f"expected at most {self.most_children} children")
        label = tuple(shape.read(item) for shape, item in zip(self.label, value, strict=False))
        return (*label, tuple(self.read(child, depth + 1) for child in children))

    def sample(self, rng: Random, depth: int = 0) -> tuple[Any, ...]:
        fanout = rng.randint(0, min(3, self.most_children)) if depth < 3 else 0
        label = tuple(shape.sample(rng) for shape in self.label)
        return (*label, tuple(self.sample(rng, depth + 1) for _ in range(fanout)))


CARD = Int(0, 2**31 - 1)
CARDS = Seq(CARD, max_length=512)

Verbs: TypeAlias = Mapping[str, tuple[Shape, ...]]


def read_move(verbs: Verbs, value: Any) -> Move:
    """The move that ``value`` (lists or tuples, from JSON or a page) spells; raises ``Malformed``."""
    if not isinstance(value, list | tuple) or not value or type(value[0]) is not str:
        raise Malformed("a move is a list that begins with a word")
    shapes = verbs.get(value[0])
    if shapes is None:
        raise Malformed(f"no such move; expected one of {', '.join(verbs)}")
    arguments: Sequence[Any] = value[1:]
    if len(arguments) != len(shapes):
        raise Malformed(f"{value[0]} takes {len(shapes)} arguments")
    return (value[0], *(shape.read(item) for shape, item in zip(shapes, arguments, strict=True)))


def sample_move(verbs: Verbs, rng: Random) -> Move:
    """A random move of the right form, hardly ever legal."""
    verb = rng.choice(list(verbs))
    return (verb, *(shape.sample(rng) for shape in verbs[verb]))
