"""Imagined worlds: faces for every card a seat cannot see, drawn so that they fit what it does see, and playing on in them.

A world is an honest guess from a seat's view: the deck less what the seat knows, dealt at random to the cards it does not
know, batch by batch where a shuffle's make-up is public. It knows the view and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tabletin.kernel.dealing import answer
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.match import View
from tabletin.kernel.options import Refused
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Move

Policy = Callable[[Rules[Any], Any, int, Faces, Random], Move]


class HiddenCards:
    """What a view leaves open: the unknown live cards and the faces they can have, in groups that mix among themselves."""

    def __init__(self, view: View) -> None:
        live = [card for cards in view.rules.zones(view.state).values() for card in cards]
        faces = view.faces
        unknown = sorted(card for card in live if card not in faces)
        rest = Counter(view.rules.deck()) - Counter(faces[card] for card in live if card in faces)
        if view.state.absentees:  # nor has any card the face of one that was seen and left the table with its holder
            gone = (view.state.public.keys() | view.state.viewers.keys()) - set(live)
            rest -= Counter(faces[card] for card in gone if card in faces)
        self.known_faces = Faces((card, faces[card]) for card in live if card in faces)
        self.groups: list[tuple[list[Card], list[Face]]] = []
        for first, batch in view.state.batches.items():
            cards = [card for card in unknown if first <= card < first + batch.size]
            if not cards or batch.hidden_count or len(batch.faces) != batch.size:
                continue
            pool = Counter(batch.faces) - Counter(faces[c] for c in range(first, first + batch.size) if c in faces)
            if pool.total() == len(cards):  # else faces of this batch left play unseen: it mixes with the rest
                self.groups.append((cards, sorted(pool.elements())))
                unknown = [card for card in unknown if card not in set(cards)]
                rest -= pool
        if unknown:
            self.groups.append((unknown, sorted(rest.elements())))

    def draw(self, rng: Random) -> Faces:
        """One world: every live card with a face."""
        world = self.known_faces.copy()
        for cards, pool in self.groups:
            world.update(zip(cards, rng.sample(pool, len(cards)), strict=True))
        return world


def deal_on(rules: Rules[Any], state: Any, world: Faces, rng: Random) -> None:
    """Answer in ``world`` every request that waits; ``state`` and ``world`` change in place."""
    while state.requests:
        result, fresh = answer(state, state.requests[0], world, rng)
        world.update(fresh)
        request, cards = state.settle(result)
        rules.take_answer(state, request, cards, result)


def play_on(rules: Rules[Any], state: Any, world: Faces, policy: Policy, rng: Random, most: int,
            until: Callable[[Any], bool] | None = None) -> None:
    """Let ``policy`` play every seat in ``world`` for ``most`` moves, to the end, or until ``until(state)``."""
    deal_on(rules, state, world, rng)
    for _ in range(most):
        acting = rules.to_act(state)
        if not acting or (until is not None and until(state)):
            return
        seat = acting[0]
        refusal = rules.make(state, seat, policy(rules, state, seat, world, rng), world)
        if refusal is not None:
            raise Refused(refusal)
        deal_on(rules, state, world, rng)
