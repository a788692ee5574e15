"""The public state of a Teeth Time match: where every card lies, whose turn it is, which window is open.

It holds no private face. Fields are flat, so that a copy costs the same at any point of a match; what is kept of earlier
hands is one immutable line each.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tabletin.games.teeth_time.cards import TOOTHACHE
from tabletin.games.teeth_time.groups import Contract, Group
from tabletin.kernel.faces import Card
from tabletin.kernel.state import State

NOBODY: Final = -1
NO_REPLY: Final = (-1, NOBODY)

# Phases. In brackets: who may act.
SETUP: Final = "setup"  # the dealer is being chosen, or a hand dealt (nobody)
PENALTIES_DUE: Final = "penalties"  # penalties are being carried out after a discard (nobody)
WINDOW: Final = "window"  # a card was discarded or turned up (the drawer; others may pull)
PULLED: Final = "pulled"  # the one that pulled draws its penalty card (nobody)
DRAWING: Final = "drawing"  # the drawer draws (nobody)
PLAY: Final = "play"  # drawn; plays, then a discard (``turn``)
REPLY: Final = "reply"  # a penalty was played; whammy or accept (its target)
COUNTER: Final = "counter"  # it was reflected; whammy or accept (``turn``)
OPENING: Final = "opening"  # the hand is over, hands are being opened (nobody)
SCORED: Final = "scored"  # the hand is scored; deal the next (the next dealer)
OVER: Final = "over"  # the match is over (nobody)


class Penalty(NamedTuple):
    """A penalty card on the field in front of ``seat``; ``live`` until it is carried out."""

    card: Card
    seat: int
    live: bool


class TeethTimeState(State):
    """A match of hands; see the rulebook and rulings TT-1…TT-16.

    hand_no: hands dealt before this one. contract: of this hand. tie_break: this hand decides a tie (TT-15).
    playing: seats that play this hand, ascending; who leaves it is none of them any more. dealer: NOBODY before the first is
    chosen. direction: 1 or -1.
    phase: one of those above. turn: the seat whose turn it is; in a window the drawer, after a discard the discarder.

    Cards: pile (next first), discards (last on top), dead, hands (by seat), groups (id → group), next_group,
    penalties (on the field, in the order received), fairies, dentists, preventions (by seat: the played card and what it
    collected), fresh (laid this turn: TT-13).

    melded: bit mask of the seats that went down. targeted: bit mask of the seats penalised this turn (TT-10).
    reply: (penalty card, target), in REPLY and COUNTER.
    discarder: who discarded the top card, NOBODY for the one turned up. left: the drawer left it. caller: who called first,
    or NOBODY. asked: seats that may still call or decline, the next after the drawer first (TT-4).
    owed: (seat, cards) still to be drawn. reshuffles: in this hand (TT-3).

    out: who went out, or NOBODY; blocked: the hand ended by TT-3. scores: per hand, by seat. totals: running, by seat.
    stars: per hand the seat that went out, or NOBODY; after the scored hands one entry a tie-break hand, who won it.
    winners, ended: once the match is over (ended: a catalogue key).
    """

    __slots__ = ("hand_no", "contract", "tie_break", "playing", "dealer", "direction", "phase", "turn",
                 "pile", "discards", "dead", "hands", "groups", "next_group", "penalties", "fairies", "dentists",
                 "preventions", "fresh", "melded_mask", "targeted_mask", "reply", "discarder", "left", "caller", "callers",
                 "debt", "reshuffles", "first_out", "blocked", "scores", "stars", "totals", "winners", "end_reason")

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.hand_no = 0
        self.contract: Contract = ()
        self.tie_break = False
        self.playing: tuple[int, ...] = tuple(range(seats))
        self.dealer = NOBODY
        self.scores: tuple[tuple[int, ...], ...] = ()
        self.stars: tuple[int, ...] = ()
        self.totals: tuple[int, ...] = (0,) * seats
        self.winners: tuple[int, ...] = ()
        self.end_reason = ""
        self.clear_table(seats)

    def clear_table(self, seats: int) -> None:
        """Nothing on the table and no turn: as before a deal. Each hand starts clockwise again (TT-14), and every seat plays
        it, but a tie-break hand only those of the tied who have not left one (TT-15)."""
        nothing: list[tuple[Card, ...]] = [()] * seats
        if not self.tie_break:
            self.playing = tuple(range(seats))
        self.direction = 1
        self.phase = SETUP
        self.turn = NOBODY
        self.pile: tuple[Card, ...] = ()
        self.discards: tuple[Card, ...] = ()
        self.dead: tuple[Card, ...] = ()
        self.hands = nothing
        self.groups: dict[int, Group] = {}
        self.next_group = 0
        self.penalties: tuple[Penalty, ...] = ()
        self.fairies = nothing.copy()
        self.dentists = nothing.copy()
        self.preventions = nothing.copy()
        self.fresh: tuple[Card, ...] = ()
        self.melded_mask = 0
        self.targeted_mask = 0
        self.reply: tuple[Card, int] = NO_REPLY
        self.discarder = NOBODY
        self.left = False
        self.caller = NOBODY
        self.callers: tuple[int, ...] = ()
        self.debt: tuple[int, int] = (NOBODY, 0)
        self.reshuffles = 0
        self.first_out = NOBODY
        self.blocked = False

    def next_seat(self, seat: int) -> int:
        """The seat that follows ``seat`` in the direction of play, among those that play this hand."""
        playing, direction = self.playing, self.direction
        if seat in playing:
            return playing[(playing.index(seat) + direction) % len(playing)]
        while seat not in playing:  # it has left
            seat = (seat + direction) % len(self.hands)
        return seat

    def seat_after_turn(self) -> int:
        """The seat whose turn comes after this one, as things stand: who has to skip is passed over (TT-1)."""
        seat = self.next_seat(self.turn)
        for _ in self.playing:
            if all(self.public[penalty.card] != TOOTHACHE for penalty in self.live_penalties(seat)):
                break
            seat = self.next_seat(seat)
        return seat

    def next_dealer(self) -> int:
        """The seat that deals the next hand: to the left of this dealer, among those that played this one or, after a tie,
        play the next (TT-15)."""
        playing = self.playing
        return next((other for other in playing if other > self.dealer), playing[0])

    def has_melded(self, seat: int) -> bool:
        return bool(self.melded_mask >> seat & 1)

    def drop(self, seat: int, *cards: Card) -> None:
        """``cards`` leave the hand of ``seat``."""
        self.hands[seat] = tuple([card for card in self.hands[seat] if card not in cards])

    def live_penalties(self, seat: int) -> list[Penalty]:
        """The penalties ``seat`` still has to carry out, in the order received."""
        return [penalty for penalty in self.penalties if penalty.seat == seat and penalty.live]

    def pullers(self) -> tuple[int, ...]:
        """The seats that may call "Pull It!" for the top discard, the next after the drawer first (TT-2, TT-4, TT-5)."""
        if self.discarder == NOBODY:
            return ()
        playing, discarder = self.playing, self.discarder
        at = playing.index(self.turn)
        order = playing[at + 1:] + playing[:at]
        if discarder in order:
            at = order.index(discarder)
            order = order[:at] + order[at + 1:]
        return order if self.direction == 1 else order[::-1]
