"""The table: dominoes laid as a tree of places, and the places still open.

A place is a whole number, ``4 * tile + side``: ``tile`` is the index of a domino in the order laid, ``side`` one of its
sides as its own line runs. Each laid domino names the place it was attached to, so a board can lay the tree out and
nothing already drawn ever moves. This module knows public faces only and judges nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tabletin.kernel.faces import Card

ONWARD, BACK, LEFT, RIGHT = range(4)  # onward: away from what it is attached to, which lies at its back
LEAD: Final = -1  # the place of the domino that nothing came before


class LaidTile(NamedTuple):
    """A domino on the table: ``inner`` is the half that touches ``place``, ``outer`` the half that points away.

    The lead's place is ``LEAD``; its inner half points to its back. Halves of a double are equal.
    """

    card: Card
    place: int
    inner: int
    outer: int


def place_of(tile: int, side: int) -> int:
    """The place at ``side`` of the ``tile``-th domino on the table; each has four."""
    return 4 * tile + side


def tile_and_side(place: int) -> tuple[int, int]:
    """Which laid domino ``place`` belongs to, and which of its sides it is."""
    return divmod(place, 4)


def opened_branching(tile: int, laid: LaidTile) -> dict[int, int]:
    """The places that ``laid``, the ``tile``-th domino, opens where doubles branch (DO-2), with their numbers.

    A lead double opens four; a later double, crosswise, its far long side and both ends; any other domino one.
    """
    if laid.inner != laid.outer:
        return {place_of(tile, ONWARD): laid.outer}
    sides = (ONWARD, BACK, LEFT, RIGHT) if laid.place == LEAD else (ONWARD, LEFT, RIGHT)
    return {place_of(tile, side): laid.outer for side in sides}


def opened_in_line(tile: int, laid: LaidTile) -> dict[int, int]:
    """The same where all lie in one line and a double shows one half's value (DO-6): two for the lead, then one."""
    if laid.place == LEAD:
        return {place_of(tile, ONWARD): laid.outer, place_of(tile, BACK): laid.inner}
    return {place_of(tile, ONWARD): laid.outer}


def line_order(tiles: Sequence[LaidTile]) -> list[int]:
    """The ``tiles``, as numbers in the order laid, as they lie: one line from its one end to its other.

    Where arms branch, the lead, then arm by arm from the inside out; what branches off a double comes right after it."""
    if not tiles:
        return []
    ahead = {laid.place: tile for tile, laid in enumerate(tiles)}

    def arm(side: int) -> list[int]:
        found: list[int] = []
        places = [place_of(0, side)]
        while places:
            tile = ahead.get(places.pop())
            if tile is not None:
                found.append(tile)
                places += [place_of(tile, on) for on in (ONWARD, BACK, RIGHT, LEFT)]
        return found

    back, onward, sides = arm(BACK), arm(ONWARD), [*arm(LEFT), *arm(RIGHT)]
    is_line = not any(tile_and_side(laid.place)[1] in (LEFT, RIGHT) for laid in tiles if laid.place != LEAD)
    return [*reversed(back), 0, *onward] if is_line else [0, *back, *sides, *onward]
