"""Contracts: what must be laid to go down in each hand (TT-6), the rulebook's eight and those players make up (TT-16).

A contract is written as words, ``"set 3 + run 4"``; ``parse`` reads that and says what is wrong with it.
"""

from __future__ import annotations

import re
from typing import Final

from tabletin.games.teeth_time.cards import NUMBERS, SHORTEST
from tabletin.games.teeth_time.groups import RUN, SET, Contract
from tabletin.kernel.options import Refusal, refused

EIGHT: Final[tuple[Contract, ...]] = (
    ((SET, 3),),
    ((RUN, 4),),
    ((SET, 3), (SET, 3)),
    ((SET, 3), (RUN, 3)),
    ((SET, 4), (RUN, 3)),
    ((SET, 3), (RUN, 4)),
    ((SET, 4), (SET, 4)),
    ((SET, 4), (RUN, 4)),
)
TIE_BREAK: Final[Contract] = ((SET, 3), (RUN, 4))  # TT-15
MOST_GROUPS: Final = 4  # of a contract players make up
LONGEST_SET: Final = 16  # eight teeth of a rank and eight wilds are all that one deck has
LONGEST_RUN: Final = len(NUMBERS)

_GROUP: Final = re.compile(r"\s*(set|run)\s*(\d{1,3})\s*", re.ASCII)


def parse(text: str) -> Contract:
    """The contract that ``text`` spells: one to four of "set n" or "run n", joined by "+". Raises ``Refused``."""
    parts = text.lower().split("+")
    if len(parts) > MOST_GROUPS:
        raise refused("teeth_time.refuse.contract_long", rule="TT-16", text=text, n=MOST_GROUPS)
    return tuple(_group(text, part) for part in parts)


def _group(text: str, part: str) -> tuple[str, int]:
    read = _GROUP.fullmatch(part)
    if read is None:
        raise refused("teeth_time.refuse.contract_words", rule="TT-16", text=text)
    kind, least = read[1], int(read[2])
    most = LONGEST_SET if kind == SET else LONGEST_RUN
    if not SHORTEST <= least <= most:
        raise refused(f"teeth_time.refuse.contract_{kind}", rule="TT-16", text=text, low=SHORTEST, high=most)
    return kind, least


def spell(contract: Contract) -> str:
    """``contract`` as ``parse`` reads it."""
    return " + ".join(f"{kind} {least}" for kind, least in contract)


def too_few_decks(seats: int, decks: int) -> Refusal | None:
    """Seven or more seats need two decks (TT-16)."""
    if seats >= 7 and decks == 1:
        return Refusal("teeth_time.refuse.decks", {"seats": seats}, rule="TT-16")
    return None
