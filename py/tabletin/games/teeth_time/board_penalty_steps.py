"""A penalty that is carried out, step by step: the discard lands, the penalty is named, its cards come one after another.

The rules do all that at once (TT-4). This winds a state back to what it was before, for drawings alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from tabletin.board.board import ActStep
from tabletin.board.scene import Sight
from tabletin.games.teeth_time.cards import GUMPSTER, GUMPSTER_FILLS_TO, PENALTY_DRAWS
from tabletin.games.teeth_time.state import PENALTIES_DUE, TeethTimeState
from tabletin.kernel.faces import Card, Faces
from tabletin.kernel.state import Event

LANDS: Final = 0.4  # paces: until the discard lies, …
NAMED: Final = 0.6  # … the penalty was read, …
DRAWN: Final = 0.2  # … a card has come, …
SKIPPED: Final = 0.9  # … and a turn that is missed was seen
ENDS: Final = frozenset(f"teeth_time.log.{what}" for what in ("reshuffled", "blocked", "nothing_to_draw", "void", "scored"))


class Payment(NamedTuple):
    """``penalties`` that ``seat`` has carried out, and the cards that it ``drew`` for them."""

    seat: int
    penalties: tuple[Card, ...]
    drew: tuple[Card, ...] = ()


def steps_of(sight: Sight, events: Sequence[Event]) -> Sequence[ActStep]:
    """What is shown of the penalties that ``events`` tell of; nothing where the pile was shuffled or the hand ended meanwhile."""
    state: TeethTimeState = sight.view.state
    paid = _payments(state, events)
    if not paid or any(event.key in ENDS for event in events):
        return ()
    before = state.copy()
    before.phase = PENALTIES_DUE
    for seat, penalties, drew in reversed(paid):
        before.hands[seat] = tuple(card for card in before.hands[seat] if card not in drew)
        before.pile = drew + before.pile
        before.penalties = tuple(p._replace(live=True) if p.card in penalties else p for p in before.penalties)
    return _Steps(sight, before).steps_for(paid)


def _payments(state: TeethTimeState, events: Sequence[Event]) -> list[Payment]:
    """The penalties carried out, in order. What was drawn for them is told after all of them, in their order."""
    due = [event for event in events if event.key in ("teeth_time.log.carries_out", "teeth_time.log.skipped")]
    draws = [event for event in events if event.key == "teeth_time.log.drew"]
    held = {event.seat: len(state.hands[event.seat]) for event in due if event.seat is not None}
    for event in draws:
        if event.seat in held:
            held[event.seat] -= len(event.cards)
    paid: list[Payment] = []
    for event in due:
        seat, face = event.seat, state.public.get(event.cards[0])
        assert seat is not None
        wanted = 0
        if event.key == "teeth_time.log.carries_out" and face is not None:
            wanted = max(0, GUMPSTER_FILLS_TO - held[seat]) if face == GUMPSTER else PENALTY_DRAWS[face]
        found = next((draw for draw in draws if draw.seat == seat), None) if wanted else None
        if found is not None:
            draws.remove(found)
        cards = () if found is None else found.cards
        held[seat] += len(cards)
        paid.append(Payment(seat, event.cards, cards))
    return paid


class _Steps:
    """The steps in the making; ``state`` goes on with each."""

    def __init__(self, sight: Sight, state: TeethTimeState) -> None:
        self._sight = sight
        self._state = state

    def _step(self, paces: float, words: str, fresh: Sequence[Card]) -> ActStep:
        """How it is now; what still lies in the pile is not known."""
        view, state = self._sight.view, self._state.copy()
        faces = Faces({card: face for card, face in view.faces.items() if card not in state.pile})
        return ActStep(replace(view, state=state, faces=faces), paces, words, frozenset(fresh))

    def steps_for(self, paid: Sequence[Payment]) -> Sequence[ActStep]:
        state = self._state
        state.turn = paid[0].seat
        made = [self._step(LANDS, "", state.discards[-1:])]
        for seat, penalties, drew in paid:
            state.turn = seat
            card = penalties[0]
            if drew or state.public.get(card) in (*PENALTY_DRAWS, GUMPSTER):
                words = self._sight.say("teeth_time.board.step.pays", seat=seat, n=len(drew),
                                        card=self._sight.words.card(card, self._sight.view.faces))
                made.append(self._step(NAMED, words, penalties))
            else:
                made.append(self._step(SKIPPED, self._sight.say("teeth_time.board.step.skipped", seat=seat), penalties))
            for drawn in drew:
                state.hands[seat] = (*state.hands[seat], drawn)
                state.pile = tuple(other for other in state.pile if other != drawn)
                made.append(self._step(DRAWN, words, penalties))
            state.penalties = tuple(p._replace(live=False) if p.card in penalties else p for p in state.penalties)
        return made
