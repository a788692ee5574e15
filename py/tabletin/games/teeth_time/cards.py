"""The Teeth Time deck as tables: faces, what each counts, which ranks follow each other, what a penalty does.

Pure data that can be read against the rulebook and TT-15; it knows no state and judges nothing.
"""

from __future__ import annotations

from typing import Final

from tabletin.kernel.faces import Face

COLOURS: Final = "rbyg"  # red, blue, yellow, green
LETTERS: Final = "ABCDE"  # primary teeth, from the midline outward
NUMBERS: Final = "12345678"  # permanent teeth
RANKS: Final = tuple(LETTERS + NUMBERS)
SUITES: Final = (LETTERS, NUMBERS)  # a run keeps to one of them

DENTIST: Final = "dentist"
FAIRY: Final = "fairy"
GUMPSTER: Final = "gumpster"
PREVENTION: Final = "prevention"
CAVITY: Final = "cavity"
BROKEN: Final = "broken"
TOOTHACHE: Final = "toothache"
IMPLANT: Final = "implant"
BRIDGE: Final = "bridge"

FACE_CARDS: Final = {DENTIST: 1, FAIRY: 1, GUMPSTER: 1, PREVENTION: 2, CAVITY: 2, BROKEN: 2, TOOTHACHE: 2,
                     IMPLANT: 4, BRIDGE: 4}  # how many of each in one deck
WILDS: Final = frozenset({IMPLANT, BRIDGE})
PENALTIES: Final = frozenset({TOOTHACHE, CAVITY, BROKEN, GUMPSTER})
OWN_PLAYS: Final = frozenset({DENTIST, FAIRY, PREVENTION})  # played in front of oneself
PENALTY_DRAWS: Final = {CAVITY: 2, BROKEN: 4}
GUMPSTER_FILLS_TO: Final = 10

TEETH: Final = tuple(colour + rank for colour in COLOURS for rank in RANKS)
ONE_DECK: Final[tuple[Face, ...]] = (*TEETH, *TEETH, *(face for face, count in FACE_CARDS.items() for _ in range(count)))

RANK: Final[dict[Face, str]] = {face: face[1] for face in TEETH}  # of a tooth card; absent for face cards
COLOUR: Final[dict[Face, str]] = {face: face[0] for face in TEETH}
SUITE: Final = {rank: suite for suite in SUITES for rank in suite}
PLACE: Final = {rank: place for suite in SUITES for place, rank in enumerate(suite)}  # 0 … 4 or 0 … 7

IN_HAND: Final[dict[Face, int]] = {  # what a card left in hand adds (TT-15)
    **{face: 5 if RANK[face] in LETTERS else 10 for face in TEETH},
    **dict.fromkeys(FACE_CARDS, 20),
    GUMPSTER: 30,
}
GOING_OUT: Final = -30
FAIRY_EACH: Final = -5
DENTIST_EACH: Final = -10
PREVENTION_EACH: Final = -20

HAND_SIZE: Final = 10
SHORTEST: Final = 3  # cards in any group
MOST_RESHUFFLES: Final = 5  # needing one more blocks the hand (TT-3)


def deck(decks: int) -> tuple[Face, ...]:
    """The faces of one deck (123 cards; the 124th is a reference card) or two."""
    return ONE_DECK * decks
