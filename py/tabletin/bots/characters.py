"""Characters: the people behind the bots' stock names, whose habits differ within a level. Data and where a match names them.

A habit decides between moves that are about as good; it makes nobody much stronger or weaker. Which seat has which habit stands
in the match's setup, so that a match that is played again has the same people. What a habit means a family's bot says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from tabletin.kernel.setup import Setup
from tabletin.words import Catalogue

STOCK_NAMES: Final = 12

BOLD: Final = "bold"  # takes chances
CAREFUL: Final = "careful"  # takes few
COLLECTOR: Final = "collector"  # keeps and gathers what may be worth more later
SPRINTER: Final = "sprinter"  # wants to be done first
HABITS: Final = (CAREFUL, BOLD, COLLECTOR, SPRINTER)
NAMED_IN: Final = "habits"  # in a setup's ``extra``: a habit for each seat, "" for none


@lru_cache(maxsize=4)
def stock_names(words: Catalogue) -> Mapping[str, int]:
    """The stock names in a language, in order, each with its number from 1."""
    return MappingProxyType({words.text(f"newmatch.names.{number}"): number for number in range(1, STOCK_NAMES + 1)})


def habit_of_name(number: int) -> str:
    """The habit of the ``number``-th stock name, from 1."""
    return HABITS[(number - 1) % len(HABITS)]


def habit_of(setup: Setup, seat: int) -> str:
    """The habit of the bot on ``seat``; "" for a person, and for a bot of whom nothing is said."""
    named: Any = setup.extra.get(NAMED_IN)
    if not isinstance(named, (list, tuple)) or len(named) != len(setup.seats) or not setup.seats[seat].is_bot:
        return ""
    return named[seat] if named[seat] in HABITS else ""
