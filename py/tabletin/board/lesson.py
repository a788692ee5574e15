"""Pages to learn from beside a game: a picture of things, and what there is to know of the one that was tapped. Pure.

A family declares its own in its module ``lesson`` as ``LESSONS``: game → lessons. The application shows them all alike. A
lesson knows the family's art and facts; it knows no match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tabletin.registry import GAMES
from tabletin.words import Catalogue


@dataclass(frozen=True, slots=True)
class Picture:
    """Markup within a view box of ``width`` by ``height``, and its alternative text."""

    markup: str
    width: float
    height: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class Topic:
    """What there is to know of one thing: pairs of a label and a value, and a related thing with the words that lead there.

    Where nothing is related, ``no_relative`` says so.
    """

    title: str
    picture: Picture
    facts: tuple[tuple[str, str], ...]
    relative: tuple[str, str] | None = None
    no_relative: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page with the address ``#/<game>/<word>?at=<item>``.

    ``section`` of the catalogue has the words ``title``, ``play``, ``before`` and ``after``. ``items``: the things, in the
    order in which one leads to the next. ``picture`` draws them all with one chosen: each is an element with ``data-item``
    and, where it is marked, the class "picked" or "related". ``topic`` tells of one.
    """

    word: str
    section: str
    items: tuple[str, ...]
    picture: Callable[[Catalogue, str], Picture]
    topic: Callable[[Catalogue, str], Topic]

    def select(self, item: str) -> str:
        """``item`` if it is one of this lesson, else the first."""
        return item if item in self.items else self.items[0]

    def neighbour(self, item: str, step: int) -> str:
        """The thing ``step`` further on; after the last comes the first."""
        return self.items[(self.items.index(item) + step) % len(self.items)]


def lessons_of(game: str) -> tuple[Lesson, ...]:
    """The lessons of ``game``; none where its family declares none."""
    lessons: Mapping[str, tuple[Lesson, ...]] = GAMES[game].declaration("lesson", "LESSONS", {})
    return lessons.get(game, ())


def lesson_of(game: str, word: str) -> Lesson | None:
    """The lesson of ``game`` that has ``word`` in its address."""
    return next((lesson for lesson in lessons_of(game) if lesson.word == word), None)
