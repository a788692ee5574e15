"""Who deals on this device: chance, or a number that friends agreed on, so that all play the same shuffles.

A chosen deal depends on the number and on what lies on the table alone; a match resumed anywhere is dealt on alike. Pure.
"""

from __future__ import annotations

from random import Random, SystemRandom
from typing import Any

from tabletin.kernel.dealing import Dealer, OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.setup import Setup
from tabletin.kernel.state import State


class SeededDealer(OpenDealer):
    """Shuffles that follow from a number, so that friends can play the same deal; resumes anywhere."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed))
        self.seed = seed

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Any], Faces]:
        self.rng = Random(f"{self.seed} {state.next_card} {len(state.requests)} {len(state.seen)}")
        return super().deal(state, knowledge)


def dealer_for(setup: Setup) -> Dealer:
    """Who deals: chance, or the number that the match was begun with."""
    seed = setup.extra.get("seed")
    return SeededDealer(seed) if type(seed) is int else OpenDealer(SystemRandom())
