"""How a hand moves on: dealing, carrying out penalties, the window after a discard, drawing, reshuffling (TT-1…TT-5).

Each step records in the state where it stands (``phase``, ``owed``), so that it can go on after the dealer has answered. This
module draws handles, never looks at a face, and ends the hand by ``scoring``.
"""

from __future__ import annotations

from collections import Counter

from tabletin.games.teeth_time import scoring
from tabletin.games.teeth_time.cards import (
    GUMPSTER,
    GUMPSTER_FILLS_TO,
    HAND_SIZE,
    MOST_RESHUFFLES,
    PENALTY_DRAWS,
    TOOTHACHE,
)
from tabletin.games.teeth_time.state import (
    COUNTER,
    DRAWING,
    NO_REPLY,
    NOBODY,
    PENALTIES_DUE,
    PLAY,
    PULLED,
    REPLY,
    SCORED,
    WINDOW,
    TeethTimeState,
)
from tabletin.kernel.requests import ALL, Show, Shuffle

DISCARDS = "discards"  # purpose of a reshuffle
HAND = "hand"  # purpose of showing a seat its ten cards
STARTER = "starter"  # purpose of turning up the first card


def deal_hand(state: TeethTimeState) -> None:
    """Ten cards to each seat, one at a time from the dealer's left; the next is turned up, the first seat's window opens."""
    cards = state.pile
    count = len(state.playing)
    first = state.next_seat(state.dealer)
    seat = first
    for number in range(count):
        hand = cards[number:count * HAND_SIZE:count]
        state.hands[seat] = hand
        state.ask(Show(hand, seat, HAND))
        seat = state.next_seat(seat)
    state.discards, state.pile = cards[count * HAND_SIZE:][:1], cards[count * HAND_SIZE + 1:]
    state.ask(Show(state.discards, ALL, STARTER))
    state.say("teeth_time.log.dealt", state.dealer, n=state.hand_no + 1)
    groups = Counter(state.contract).items()
    state.say("teeth_time.log.contract", groups=tuple((f"teeth_time.log.needs_{kind}", {"n": count, "least": least})
                                                      for (kind, least), count in groups))
    state.turn = first
    state.discarder = NOBODY
    open_window(state)


def open_window(state: TeethTimeState) -> None:
    """The drawer (``turn``) may take the top discard, the others may call for it (TT-4)."""
    state.phase = WINDOW
    state.left = False
    state.caller = NOBODY
    state.callers = state.pullers()


def note_discard(state: TeethTimeState) -> None:
    """The turn of ``turn`` has ended with a discard: who is skipped, what is due, then the window (TT-4)."""
    state.discarder = state.turn
    state.turn = state.next_seat(state.turn)
    if state.penalties:
        state.phase = PENALTIES_DUE
        go_on(state)
    else:
        open_window(state)


def play_without(state: TeethTimeState, seats: tuple[int, ...]) -> None:
    """Go on without ``seats``, who have left the hand.

    A drawer, or a seat in its turn: the next one draws, after its penalties; in the middle of a turn nothing was discarded,
    so that what lies on the discard pile may be drawn but not pulled. A window that rests on an answer of theirs opens anew.
    A penalty of theirs that waits for a reply stays where it lies and is not carried out.
    """
    phase, played = state.phase, state.turn in seats
    if (phase == REPLY and (played or state.reply[1] in seats)) or (phase == COUNTER and played):
        answered = state.reply[0]
        state.penalties = tuple(p._replace(live=False) if p.card == answered else p for p in state.penalties)
        state.phase, state.reply = PLAY, NO_REPLY
    if played and phase != SCORED:
        if phase != WINDOW:
            state.discarder = NOBODY
        state.turn = state.next_seat(state.turn)
        state.phase = PENALTIES_DUE
        go_on(state)
    elif phase == WINDOW and state.caller in seats:
        open_window(state)
    elif phase == WINDOW:
        state.callers = tuple(seat for seat in state.callers if seat not in seats)
        _settle(state)


def go_on(state: TeethTimeState) -> None:
    """Do what follows until somebody has to act, or the dealer has to shuffle, or the hand is blocked."""
    while True:
        if state.debt[1] and not _draw_owed(state):
            return
        phase = state.phase
        if phase == PENALTIES_DUE:
            if _carry_out_one(state):
                continue
            if not state.discards:  # the last one went with a seat that left
                start_drawing(state)
                continue
            open_window(state)
        elif phase == PULLED:
            start_drawing(state)
            continue
        elif phase == DRAWING:
            _start_playing(state)
        return


def _start_playing(state: TeethTimeState) -> None:
    """``turn`` has drawn."""
    state.phase = PLAY
    state.fresh = ()
    state.targeted_mask = 0


def start_drawing(state: TeethTimeState) -> None:
    """The normal draw of ``turn`` from the pile."""
    state.phase = DRAWING
    state.debt = (state.turn, 1)


def _carry_out_one(state: TeethTimeState) -> bool:
    """Carry out the next thing due to ``turn``: draws as received, all Skips last at the cost of one turn (TT-1).

    Returns whether something was due.
    """
    seat = state.turn
    due = state.live_penalties(seat)
    if not due:
        return False
    public = state.public
    draws = [penalty for penalty in due if public[penalty.card] != TOOTHACHE]
    done = draws[:1] or due
    state.penalties = tuple(p._replace(live=False) if p in done else p for p in state.penalties)
    if draws:
        card = draws[0].card
        face = public[card]
        count = GUMPSTER_FILLS_TO - len(state.hands[seat]) if face == GUMPSTER else PENALTY_DRAWS[face]
        state.say("teeth_time.log.carries_out", seat, cards=(card,))
        state.debt = (seat, max(0, count))
    else:
        state.say("teeth_time.log.skipped", seat, cards=tuple(p.card for p in done))
        state.turn = state.next_seat(seat)
    return True


def _draw_owed(state: TeethTimeState) -> bool:
    """Draw what is owed; False if it has to wait for a shuffle, or the hand is blocked (TT-3)."""
    seat, count = state.debt
    cards, state.pile = state.pile[:count], state.pile[count:]
    if cards:
        state.hands[seat] += cards
        state.ask(Show(cards, seat))
    missing = count - len(cards)
    if missing:
        state.debt = (seat, missing)
        spare = state.discards[:-1] if state.phase == PENALTIES_DUE else state.discards
        if spare:
            if state.reshuffles == MOST_RESHUFFLES:
                state.debt = (NOBODY, 0)
                state.blocked = True
                state.say("teeth_time.log.blocked")
                scoring.end_hand(state)
            else:
                state.reshuffles += 1
                state.say("teeth_time.log.reshuffled", n=state.reshuffles)
                state.ask(Shuffle(cards=spare, purpose=DISCARDS))
            return False
        state.say("teeth_time.log.nothing_to_draw", seat)
    state.debt = (NOBODY, 0)
    return True


def take_shown_cards(state: TeethTimeState, request: Show) -> None:
    """Cards have been shown: told now, when their reader knows them."""
    if state.events is None:
        return
    cards, seat = request.cards, request.reader
    if request.purpose == STARTER:
        state.say("teeth_time.log.turned_up", cards=cards)
    elif request.purpose == HAND:
        state.say("teeth_time.log.hand", seat, cards=cards, to=seat)
    else:
        state.say("teeth_time.log.drew", seat, cards=cards, n=len(cards))


def take_reshuffle(state: TeethTimeState, cards: tuple[int, ...]) -> None:
    """The discards are the draw pile again, but for a last one that may still be drawn or pulled (TT-3)."""
    state.pile = cards
    state.discards = state.discards[-1:] if state.phase == PENALTIES_DUE else ()
    go_on(state)


# ---- answers in the window ----


def take(state: TeethTimeState, seat: int) -> None:
    """The drawer takes the discard; this closes the window, even after a call."""
    card = state.discards[-1]
    state.discards = state.discards[:-1]
    state.hands[seat] += (card,)
    if state.events is not None:
        state.say("teeth_time.log.took", seat, cards=(card,))
    _start_playing(state)


def leave(state: TeethTimeState, seat: int) -> None:
    state.left = True
    state.say("teeth_time.log.left", seat)
    _settle(state)


def call(state: TeethTimeState, seat: int) -> None:
    state.caller = seat
    state.callers = ()
    state.say("teeth_time.log.called", seat)
    _settle(state)


def decline(state: TeethTimeState, seat: int) -> None:
    state.callers = tuple(other for other in state.callers if other != seat)
    _settle(state)


def _settle(state: TeethTimeState) -> None:
    """Once the drawer has left it and one has called or all have declined, go on (TT-4)."""
    if not state.left:
        return
    caller = state.caller
    if caller != NOBODY:
        card = state.discards[-1]
        state.discards = state.discards[:-1]
        state.hands[caller] += (card,)
        state.say("teeth_time.log.pulled", caller, cards=(card,))
        state.phase = PULLED
        state.debt = (caller, 1)
        go_on(state)
    elif not state.callers:
        start_drawing(state)
        go_on(state)
