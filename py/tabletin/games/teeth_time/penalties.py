"""Penalty cards, the replies they open, and the face cards that a seat plays in front of itself (TT-10…TT-14).

It applies what was judged legal. It draws no card: ``turn`` carries out what a penalty costs.
"""

from __future__ import annotations

from tabletin.games.teeth_time import scoring
from tabletin.games.teeth_time.cards import DENTIST, FAIRY, LETTERS, PREVENTION
from tabletin.games.teeth_time.state import COUNTER, NO_REPLY, PLAY, REPLY, Penalty, TeethTimeState
from tabletin.kernel.faces import Card


def play_penalty(state: TeethTimeState, seat: int, card: Card, target: int) -> None:
    """Lay a penalty in front of ``target`` and wait for its reply, unless it was the last card (TT-11, TT-12)."""
    state.drop(seat, card)
    state.fresh += (card,)
    state.targeted_mask |= 1 << target
    state.penalties += (Penalty(card, target, True),)
    state.say("teeth_time.log.penalty", seat, cards=(card,), target=target)
    if not state.hands[seat]:
        scoring.go_out(state, seat)
        return
    state.reply = (card, target)
    state.phase = REPLY


def whammy(state: TeethTimeState, seat: int, prevention: Card) -> None:
    """A Prevention against the penalty: back to its player, or, reflected twice, dead (TT-11)."""
    card = state.reply[0]
    state.drop(seat, prevention)
    state.preventions[seat] += (prevention,)
    state.say("teeth_time.log.whammy", seat, cards=(prevention, card))
    state.penalties = tuple(penalty for penalty in state.penalties if penalty.card != card)
    if state.phase == REPLY:
        state.penalties += (Penalty(card, state.turn, True),)
        state.phase = COUNTER
    else:
        state.dead += (card,)
        state.say("teeth_time.log.dead", cards=(card,))
        _back_to_play(state)
    if not state.hands[seat]:
        state.reply = NO_REPLY
        scoring.go_out(state, seat)


def accept(state: TeethTimeState, seat: int) -> None:
    """The penalty stays where it lies."""
    state.say("teeth_time.log.accepted", seat, cards=(state.reply[0],))
    _back_to_play(state)


def _back_to_play(state: TeethTimeState) -> None:
    state.phase = PLAY
    state.reply = NO_REPLY


def play_own(state: TeethTimeState, seat: int, card: Card) -> None:
    """Dentist, Tooth Fairy or Prevention, each for its own points even if nothing is collected (TT-13)."""
    face = state.public[card]
    state.drop(seat, card)
    if face == PREVENTION:
        state.preventions[seat] += (card,)
        state.direction = -state.direction
        state.say("teeth_time.log.reversed", seat, cards=(card,))
    elif face == DENTIST:
        taken = collected_by_dentist(state)
        state.penalties = tuple(penalty for penalty in state.penalties if penalty.card not in taken)
        state.dentists[seat] += (card, *taken)
        state.say("teeth_time.log.dentist", seat, cards=(card, *taken), n=len(taken))
    else:
        assert face == FAIRY
        taken = collected_by_fairy(state)
        gone = set(taken)
        for number, group in list(state.groups.items()):
            if group.suite == LETTERS and not gone.isdisjoint(group.cards_held):
                left = group.without_cards(gone)
                if left is None:
                    del state.groups[number]
                else:
                    state.groups[number] = left
        state.fairies[seat] += (card, *taken)
        state.say("teeth_time.log.fairy", seat, cards=(card, *taken), n=len(taken))
    if not state.hands[seat]:
        scoring.go_out(state, seat)


def collected_by_dentist(state: TeethTimeState) -> tuple[Card, ...]:
    """All penalty cards on the field from earlier turns, carried out or not (TT-13)."""
    return tuple(penalty.card for penalty in state.penalties if penalty.card not in state.fresh)


def collected_by_fairy(state: TeethTimeState) -> tuple[Card, ...]:
    """All letters, and wilds that stand for letters, on the field from earlier turns (TT-13)."""
    fresh = state.fresh
    return tuple(card for group in state.groups.values() if group.suite == LETTERS
                 for card in group.cards_held if card not in fresh)


def penalty_targets(state: TeethTimeState, seat: int) -> list[int]:
    """Whom ``seat`` may still penalise this turn: one card a target (TT-10)."""
    return [other for other in state.playing if other != seat and not state.targeted_mask >> other & 1]
