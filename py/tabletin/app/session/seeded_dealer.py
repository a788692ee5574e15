"""Who deals on this device: chance, or a number that friends agreed on, so that all play the same shuffles. Pure.

A seeded deal depends only on the number and on what lies on the table, so a match goes on alike wherever it is resumed.
"""

from __future__ import annotations

from random import Random, SystemRandom
from typing import Any

from tabletin.kernel.dealing import Dealer, OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.setup import Setup
from tabletin.kernel.state import State


class SeededDealer(OpenDealer):
    """Deals shuffles that follow from the number ``seed``."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed))
        self.seed = seed

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Any], Faces]:
        self.rng = Random(f"{self.seed} {state.next_card} {len(state.requests)} {len(state.viewers)}")
        return super().deal(state, knowledge)


def dealer_for(setup: Setup) -> Dealer:
    """The dealer of a match: chance, or the number with which it was begun."""
    seed = setup.extra.get("seed")
    return SeededDealer(seed) if type(seed) is int else OpenDealer(SystemRandom())
