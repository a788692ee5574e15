"""What a tooth is good for in a hand that is not down yet, or why it is of little use there, in facts that a hint can say.

It takes one seat's known faces. It names a fact and what fills its sentence, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tabletin.games.teeth_time.cards import COLOUR, PLACE, RANK, SUITE
from tabletin.games.teeth_time.groups import RUN, SET, Contract
from tabletin.games.teeth_time.hand_groups import HandGroup, gathering
from tabletin.kernel.faces import Card, Face

CLOSE: Final = 2  # places between two teeth that one short run can hold
RARE: Final = 2  # of a rank that may still come, at most, to be called rare

Fact = tuple[str, Mapping[str, Any]]
"""The last part of a key, and its parameters."""


def little_use(card: Card, others: Sequence[Card], faces: Mapping[Card, Face], contract: Contract, *, one_colour: bool,
               unseen: Mapping[Face, int] | None = None) -> Fact | None:
    """Why the tooth ``card`` helps ``others`` little towards ``contract``; None where no single fact says it.

    ``one_colour``: of runs. ``unseen``: the faces that may still come, of a seat that counts them."""
    face = faces[card]
    if face not in RANK:
        return None
    rank, teeth = RANK[face], [faces[other] for other in others if faces[other] in RANK]
    kinds = {kind for kind, _ in contract}
    has_mate = any(RANK[tooth] == rank for tooth in teeth)
    if RUN not in kinds and not has_mate:
        coming = None if unseen is None else sum(n for other, n in unseen.items() if RANK.get(other) == rank)
        if coming is None or coming > RARE:
            return "single", {"rank": rank}
        return ("rare", {"rank": rank, "n": coming}) if coming else ("gone", {"rank": rank})
    if SET not in kinds and (face in teeth if one_colour else has_mate):
        return "twice", {"rank": rank}
    if not any(_are_close(face, tooth, one_colour=one_colour) for tooth in teeth):
        if SET not in kinds:
            return "far", {}
        if not has_mate:
            return "alone", {"rank": rank}
    parts = gathering((*others, card), faces, contract, one_colour=one_colour)
    if any(card in part.cards for part in parts) or any(len(_teeth(part, faces)) < 2 for part in parts):
        return None
    return _collected(parts)


def good_use(card: Card, others: Sequence[Card], faces: Mapping[Card, Face], contract: Contract, *,
             one_colour: bool) -> Fact | None:
    """What the tooth ``card`` goes with among ``others``; None where it is alone in its group."""
    parts = gathering((*others, card), faces, contract, one_colour=one_colour)
    part = next((part for part in parts if card in part.cards), None)
    if part is None or len(_teeth(part, faces)) < 2:
        return None
    if part.kind == SET:
        return "set", {"rank": part.ranks[0], "n": len(_teeth(part, faces))}
    return "run", {"first": part.ranks[0], "last": part.ranks[-1], "n": len(part.cards)}


def _collected(parts: Sequence[HandGroup]) -> Fact | None:
    """What ``parts`` are, in one name; None where they are too many to say."""
    sets = [part.ranks[0] for part in parts if part.kind == SET]
    runs = [{"first": part.ranks[0], "last": part.ranks[-1]} for part in parts if part.kind == RUN]
    match len(sets), len(runs):
        case 1, 0:
            return "set", {"rank": sets[0]}
        case 0, 1:
            return "run", runs[0]
        case 2, 0:
            return "sets", {"rank": sets[0], "second": sets[1]}
        case 1, 1:
            return "set_run", {"rank": sets[0], **runs[0]}
    return None


def _teeth(part: HandGroup, faces: Mapping[Card, Face]) -> list[Card]:
    return [card for card in part.cards if faces[card] in RANK]


def _are_close(one: Face, other: Face, *, one_colour: bool) -> bool:
    """Whether two teeth of different rank could lie in one short run."""
    first, second = RANK[one], RANK[other]
    if first == second or SUITE[first] != SUITE[second] or (one_colour and COLOUR[one] != COLOUR[other]):
        return False
    return abs(PLACE[first] - PLACE[second]) <= CLOSE
