"""What the seat whose turn it is may lay: going down, further groups, hits, wilds taken, face cards, the discard.

Judges and applies on open faces (TT-1, TT-6…TT-10). A move opens every card that it names, so that a lie is
refused at once; nothing here waits for anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletin.games.teeth_time import scoring
from tabletin.games.teeth_time.cards import OWN_PLAYS, PENALTIES, PLACE, WILDS
from tabletin.games.teeth_time.groups import NamedGroup, group_of, hit_refusal, laid_refusal, meets, swap_refusal
from tabletin.games.teeth_time.penalties import penalty_targets
from tabletin.games.teeth_time.state import TeethTimeState
from tabletin.games.teeth_time.turn import note_discard
from tabletin.kernel.faces import Card
from tabletin.kernel.options import Refusal

BEGINNER = "beginner"
ADVANCED = "advanced"

_NOT_YOURS = Refusal("kernel.not_yours")
_NOT_DOWN = Refusal("teeth_time.refuse.not_down", rule="TT-8")


def held_refusal(state: TeethTimeState, seat: int, cards: Sequence[Card]) -> Refusal | None:
    """Every card must be in the seat's hand, and named once."""
    hand = state.hands[seat]
    for card in cards:
        if card not in hand:
            return _NOT_YOURS
    if len(cards) > 1 and len(set(cards)) != len(cards):
        return Refusal("teeth_time.refuse.named_twice")
    return None


def down_refusal(state: TeethTimeState, seat: int, laid: tuple[NamedGroup, ...], skill: str) -> Refusal | None:
    """Going down lays exactly the contract's groups (TT-6)."""
    if state.has_melded(seat):
        return Refusal("teeth_time.refuse.already_down", rule="TT-6")
    refusal = held_refusal(state, seat, [card for _, _, cards in laid for card in cards])
    if refusal is not None:
        return refusal
    if not meets(state.contract, laid):
        return Refusal("teeth_time.refuse.contract", rule="TT-6")
    return _groups_refusal(state, laid, skill)


def group_refusal(state: TeethTimeState, seat: int, laid: NamedGroup, skill: str) -> Refusal | None:
    """Other groups follow once the contract lies (TT-6, TT-8)."""
    if not state.has_melded(seat):
        return _NOT_DOWN
    return held_refusal(state, seat, laid[2]) or _groups_refusal(state, (laid,), skill)


def _groups_refusal(state: TeethTimeState, laid: tuple[NamedGroup, ...], skill: str) -> Refusal | None:
    for group in laid:
        refusal = laid_refusal(group, state.public, one_colour=skill == ADVANCED)
        if refusal is not None:
            return refusal
    return None


def on_group_refusal(state: TeethTimeState, seat: int, verb: str, number: int, rank: str, card: Card,
                     skill: str) -> Refusal | None:
    """A hit or the taking of a wild, both only after the initial meld (TT-8, TT-9)."""
    if not state.has_melded(seat):
        return _NOT_DOWN
    if verb == "swap" and skill == BEGINNER:
        return Refusal("teeth_time.refuse.beginner_wild", rule="TT-9")
    if card not in state.hands[seat]:
        return _NOT_YOURS
    group = state.groups.get(number)
    if group is None:
        return Refusal("teeth_time.refuse.no_group")
    face = state.public[card]
    if verb == "swap":
        return swap_refusal(group, rank, face, state.public)
    return hit_refusal(group, rank, face)


def own_play_refusal(state: TeethTimeState, seat: int, card: Card) -> Refusal | None:
    """Dentist, Tooth Fairy, Prevention: on any of one's turns after drawing (TT-8)."""
    if card not in state.hands[seat]:
        return _NOT_YOURS
    return None if state.public[card] in OWN_PLAYS else Refusal("teeth_time.refuse.not_playable", rule="TT-8")


def penalty_refusal(state: TeethTimeState, seat: int, card: Card, target: int) -> Refusal | None:
    """At most one penalty on any one target a turn, reflected or not (TT-10)."""
    if card not in state.hands[seat]:
        return _NOT_YOURS
    if state.public[card] not in PENALTIES:
        return Refusal("teeth_time.refuse.no_penalty", rule="TT-10")
    if target == seat or target not in state.playing:
        return Refusal("teeth_time.refuse.no_target", rule="TT-10")
    if target not in penalty_targets(state, seat):
        return Refusal("teeth_time.refuse.one_penalty", {"target": target}, rule="TT-10")
    return None


# ---- applying ----


def go_down(state: TeethTimeState, seat: int, laid: tuple[NamedGroup, ...], skill: str) -> None:
    """Lay the contract; a tie-break hand is won by it (TT-15)."""
    state.melded_mask |= 1 << seat
    state.say("teeth_time.log.down", seat)
    for group in laid:
        _lay(state, seat, group, skill)
    if state.tie_break:
        scoring.decide_match(state, seat)
    elif not state.hands[seat]:
        scoring.go_out(state, seat)


def lay_group(state: TeethTimeState, seat: int, laid: NamedGroup, skill: str) -> None:
    _lay(state, seat, laid, skill)
    if not state.hands[seat]:
        scoring.go_out(state, seat)


def _lay(state: TeethTimeState, seat: int, laid: NamedGroup, skill: str) -> None:
    kind, _, cards = laid
    state.drop(seat, *cards)
    state.groups[state.next_group] = group_of(laid, state.public, seat, one_colour=skill == ADVANCED)
    state.next_group += 1
    state.fresh += cards
    state.say(f"teeth_time.log.laid_{kind}", seat, cards=cards)


def hit(state: TeethTimeState, seat: int, number: int, rank: str, card: Card) -> None:
    group = state.groups[number]
    state.drop(seat, card)
    state.groups[number] = group.with_card(rank, card)
    state.fresh += (card,)
    wild = "_wild" if state.public[card] in WILDS and group.kind == "run" else ""
    state.say(f"teeth_time.log.hit_{group.kind}{wild}", seat, cards=(card,), rank=rank, other=group.owner)
    if not state.hands[seat]:
        scoring.go_out(state, seat)


def take_wild(state: TeethTimeState, seat: int, number: int, rank: str, card: Card) -> None:
    """One exchange: the tooth onto the run, the wild to hand; it never empties a hand (TT-1, TT-9)."""
    group = state.groups[number]
    wild = group.cards[PLACE[rank]]
    assert wild is not None
    state.drop(seat, card)
    state.hands[seat] += (wild,)
    state.groups[number] = group.with_card(rank, card)
    state.fresh += (card,)
    state.say("teeth_time.log.took_wild", seat, cards=(card, wild), rank=rank)


def discard(state: TeethTimeState, seat: int, card: Card) -> None:
    """The turn ends; with the last card, the hand (TT-1)."""
    state.drop(seat, card)
    state.discards += (card,)
    if state.events is not None:  # in rollouts nobody listens, and this is their commonest move
        state.say("teeth_time.log.discarded", seat, cards=(card,))
    if state.hands[seat]:
        note_discard(state)
    else:
        scoring.go_out(state, seat)
