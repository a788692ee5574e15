"""Worlds that a seat may imagine: the faces it has not seen, dealt so that every claim at the table was true.

A seat that drew, passed or said "none" said what none of the dominoes in its hand could be (DO-10). A handle keeps that
until it is opened. This module knows one seat's view and nothing else.
"""

from __future__ import annotations

from random import Random

from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.sketch import NUMBERS, BranchSketch, LineSketch, Sketch, Tile
from tabletin.games.dominoes.state import Claim, DominoState
from tabletin.games.dominoes.tiles import HALVES
from tabletin.kernel.faces import Card, Face, Faces


class HiddenTiles:
    """Closed dominoes of a view, the faces they can have, and for those that claims speak of, which ones are ruled out."""

    def __init__(self, rules: DominoRules, state: DominoState, faces: Faces, *, heed: bool = True) -> None:
        """``heed``: whether to draw conclusions from claims at all."""
        self.rules = rules
        self.state = state
        self.faces = faces
        live = [card for cards in rules.zones(state).values() for card in cards]
        seen = set(faces.values())  # a domino may have been seen before its holder left and took it away
        self.cards = [card for card in live if card not in faces]
        self.pool = [face for face in rules.deck() if face not in seen]
        said: dict[Card, set[Claim]] = {card: set() for card in self.cards}
        for claim in state.claims if heed else ():
            word = claim._replace(seat=0, hand=())  # who said it is of no matter
            for card in claim.hand:
                if card in said:
                    said[card].add(word)
        fitting: dict[frozenset[Claim], frozenset[Face]] = {}
        self.possible: dict[Card, frozenset[Face]] = {}
        for card, claims in said.items():
            if claims:
                key = frozenset(claims)
                if key not in fitting:
                    fitting[key] = frozenset(face for face in self.pool if not any(rules.contradicts(c, face) for c in key))
                self.possible[card] = fitting[key]

    def draw(self, rng: Random) -> Faces:
        """One world: a face for every live domino. A claim that nothing can satisfy any more is disbelieved."""
        world = self.faces.copy()
        pool = self.pool[:]
        rng.shuffle(pool)
        possible = self.possible
        order = sorted(possible, key=lambda card: (len(possible[card]), rng.random()))
        for card in order:
            at = next((index for index, face in enumerate(pool) if face in possible[card]), 0)
            world[card] = pool.pop(at)
        for card in self.cards:
            if card not in possible:
                world[card] = pool.pop()
        return world

    def sketch(self, world: Faces) -> Sketch:
        """The round as it stands, with the faces of ``world``; a hand for each seat that plays it."""
        state = self.state
        sketch = table_only(self.rules, state)
        sketch.hands = [[HALVES[world[card]] for card in state.hands[seat]] for seat in self.rules.playing(state)]
        if "draw" in self.rules.verbs:
            sketch.pile = [HALVES[world[card]] for card in reversed(state.pile)]
        return sketch


def table_only(rules: DominoRules, state: DominoState) -> Sketch:
    """A sketch of what lies on the table, hands and pile left empty. Seats are counted among those that play the round."""
    seats = rules.playing(state)
    hands: list[list[Tile]] = [[] for _ in seats]
    turn = seats.index(state.turn) if state.turn in seats else -1
    if isinstance(rules, Matador):
        ends = [number for _, number in sorted(state.open.items())]
        matadors = frozenset(HALVES[face] for face in rules.matadors)
        return LineSketch(hands, [], turn, state.passes, ends, rules.option_values["total"], matadors)
    open_ = [0] * NUMBERS
    for number in state.open.values():
        open_[number] += 1
    return BranchSketch(hands, [], turn, state.passes, open_, replays_doubles="draw" not in rules.verbs)
