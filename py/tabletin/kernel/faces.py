"""Cards and what a reader knows of them.

A card is an opaque integer *handle*; what it shows is looked up in a reader's ``Faces`` and is either a face (a short
ASCII string, the same everywhere: log, rules, art) or ``HIDDEN``. This module never decides who may know what.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NoReturn, TypeAlias, cast

Card: TypeAlias = int
Face: TypeAlias = str


class HiddenFace(Exception):
    """A rule, a bot or a page tried to use a face that its reader does not know."""


class _HiddenSentinel:
    """The face of a card its reader may not see: every use but ``is HIDDEN`` and ``repr`` raises ``HiddenFace``."""

    __slots__ = ()

    def _refuse(self, *_args: Any) -> NoReturn:
        raise HiddenFace("this reader does not know that face")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __str__ = __format__ = __bool__ = _refuse
    __len__ = __iter__ = __getitem__ = __contains__ = __add__ = __radd__ = __mul__ = __mod__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # pickling, copying and inspection ask for these; none of them reveals a face
            raise AttributeError(name)
        self._refuse()

    def __repr__(self) -> str:  # a debugger and a failing test may name it; a page prints with str()
        return "HIDDEN"

    def __reduce__(self) -> str:
        return "HIDDEN"

    def __copy__(self) -> _HiddenSentinel:
        return self

    def __deepcopy__(self, _memo: Any) -> _HiddenSentinel:
        return self


HIDDEN: Final[Face] = cast(Face, _HiddenSentinel())  # typed as a face, so that signatures need no Optional


class Faces(dict[Card, Face]):
    """What one reader knows, handle → face; a handle it does not know reads as ``HIDDEN``.

    >>> seen = Faces({7: "rc1"})
    >>> seen[7], seen[8] is HIDDEN
    ('rc1', True)
    """

    __slots__ = ()

    def __missing__(self, card: Card) -> Face:
        return HIDDEN

    def copy(self) -> Faces:
        return Faces(self)

    def knows(self, cards: Iterable[Card]) -> bool:
        """Whether every one of ``cards`` has a known face."""
        return all(card in self for card in cards)
