"""What a call would bring, in words: with which closed cards of the other it is won (TE-1, TE-2).

It counts from what the reader knows, and sees no closed face.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from tabletin.board.scene import Sight
from tabletin.games.teeth.columns import JOKER, winner
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import Column
from tabletin.kernel.deck52 import RANKS
from tabletin.kernel.faces import Face

KINDS: Final[tuple[Face, ...]] = (*RANKS, JOKER)  # all that a closed card may be, whatever its suit


def winning_kinds(sight: Sight, rules: Teeth, seat: int, column: Column) -> list[Face]:
    """With which ranks, or the joker, as the other's closed card ``seat`` wins ``column`` by calling it; its own card is known
    to it. In the order of ``KINDS``."""
    found: list[Face] = []
    sides = [[sight.face(card) for card in (column.owns[who], *column.extras[who])] for who in (0, 1)]
    middle = sight.face(column.middle)
    assert middle is not None
    for kind in KINDS:
        sides[1 - seat][0] = kind if kind == JOKER else f"{kind}S"
        scores = rules.scores((tuple(map(_known, sides[0])), tuple(map(_known, sides[1]))), middle)
        if winner(seat, scores) == seat:
            found.append(kind)
    return found


def call_note(sight: Sight, rules: Teeth, seat: int, column: Column) -> str:
    """The sentence about a call of ``column``."""
    kinds, name = winning_kinds(sight, rules, seat, column), sight.words.seat(1 - seat)
    if len(kinds) == len(KINDS):
        return sight.say("teeth.board.note.calling_always", name=name)
    if not kinds:
        return sight.say("teeth.board.note.calling_never", name=name)
    return sight.say("teeth.board.note.calling", name=name, cards=_ranges(sight, kinds))


def _ranges(sight: Sight, kinds: list[Face]) -> str:
    """"A–5, joker": cards that follow each other with a stroke between the first and the last."""
    places = [KINDS.index(kind) for kind in kinds]
    breaks = [0, *(at for at, (before, after) in enumerate(pairwise(places), 1) if after != before + 1 or KINDS[after] == JOKER)]
    parts = []
    for first, end in pairwise([*breaks, len(kinds)]):
        marks = [_mark(sight, kind) for kind in kinds[first:end]]
        parts.append(", ".join(marks) if len(marks) < 3 else f"{marks[0]}–{marks[-1]}")
    return ", ".join(parts)


def _mark(sight: Sight, kind: Face) -> str:
    """What stands in the corner of such a card."""
    if kind == JOKER:
        return sight.say("teeth.art.joker")
    return sight.say(f"deck52.mark.{kind}") if kind in "AJQK" else kind


def _known(face: Face | None) -> Face:
    assert face is not None
    return face
