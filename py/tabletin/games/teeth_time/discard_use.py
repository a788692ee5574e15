"""What a discard would be good for in a hand that may pull it: a pull costs an extra card, so most discards help in nothing.

It takes one seat's known faces. It proposes: a call is legal whatever this says (TT-4).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tabletin.games.teeth_time.cards import (
    DENTIST,
    DENTIST_EACH,
    FAIRY,
    FAIRY_EACH,
    PREVENTION,
    PREVENTION_EACH,
    RANK,
    WILDS,
)
from tabletin.games.teeth_time.hand_groups import gathering
from tabletin.games.teeth_time.layoff import Field, lay_off
from tabletin.games.teeth_time.penalties import collected_by_dentist, collected_by_fairy
from tabletin.games.teeth_time.state import TeethTimeState
from tabletin.kernel.faces import Card, Face, Faces

LEAST_OFF: Final = 20  # points that a face card played at once must count off to be worth an extra card


class DiscardUse(NamedTuple):
    """``what``: "down" (with it the contract is met), "part" (it brings the contract nearer), "wild" (so it does, whatever is
    collected), "lays" (with it cards of the hand can be laid that fit nowhere now), "off" (played at once it counts ``points``).
    ``cards``: those of the hand that it goes with."""

    what: str
    cards: tuple[Card, ...] = ()
    points: int = 0


def use_of_discard(state: TeethTimeState, seat: int, faces: Faces, *, one_colour: bool, takes_wilds: bool) -> DiscardUse | None:
    """What the top of the discard pile would be good for in the hand of ``seat``; None for nothing. ``one_colour``: of runs, and
    ``takes_wilds``: from them, as the level has it."""
    if not state.discards or not faces.knows((*state.hands[seat], state.discards[-1])):
        return None
    card, hand = state.discards[-1], state.hands[seat]
    face = faces[card]
    off = _points_off(state, face)
    if off:
        return DiscardUse("off", points=-off) if off >= LEAST_OFF else None
    if face not in RANK and face not in WILDS:
        return None
    if not state.has_melded(seat):
        return _part_of(state, hand, card, faces, one_colour=one_colour)
    return _laid_with(hand, card, Field(state.groups, state.next_group, faces, one_colour=one_colour, takes_wilds=takes_wilds))


def _points_off(state: TeethTimeState, face: Face) -> int:
    """What a face card that is played before oneself counts off at once (TT-15); 0 for any other."""
    if face == PREVENTION:
        return -PREVENTION_EACH
    if face == DENTIST:
        return -DENTIST_EACH * (1 + len(collected_by_dentist(state)))
    return -FAIRY_EACH * (1 + len(collected_by_fairy(state))) if face == FAIRY else 0


def _part_of(state: TeethTimeState, hand: tuple[Card, ...], card: Card, faces: Faces, *, one_colour: bool) -> DiscardUse | None:
    """Whether it brings the contract nearer, and with which cards."""
    def gathered(cards: tuple[Card, ...]) -> tuple[int, tuple[Card, ...]]:
        """How many cards the contract still asks for, and those that ``card`` goes with."""
        parts = gathering(cards, faces, state.contract, one_colour=one_colour)
        mates = next((part.cards for part in parts if card in part.cards), ())
        return sum(slot is None for part in parts for slot in part.slots), tuple(mate for mate in mates if mate != card)

    before, (after, mates) = gathered(hand)[0], gathered((*hand, card))
    if after >= before:
        return None
    if not after:
        return DiscardUse("down", mates)
    if faces[card] in WILDS:
        return DiscardUse("wild")
    return DiscardUse("part", mates) if mates else None


def _laid_with(hand: tuple[Card, ...], card: Card, field: Field) -> DiscardUse | None:
    """Whether cards of a hand that is down can be laid with it that fit nowhere now."""
    stuck = set(lay_off(hand, field).stuck_cards)
    after = set(lay_off((*hand, card), field).stuck_cards)
    freed = tuple(held for held in hand if held in stuck - after)
    return DiscardUse("lays", freed) if len(after) < len(stuck) and card not in after and freed else None
