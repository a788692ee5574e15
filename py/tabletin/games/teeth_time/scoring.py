"""The end of a hand and of the match: opening hands, points, stars, totals, ties, the score sheet (TT-3, TT-15, TT-16).

It scores open cards only, and asks for the hands to be opened first. It changes nothing while a hand goes on.
"""

from __future__ import annotations

from tabletin.games.teeth_time.cards import (
    DENTIST,
    DENTIST_EACH,
    FAIRY,
    FAIRY_EACH,
    GOING_OUT,
    IN_HAND,
    PREVENTION,
    PREVENTION_EACH,
)
from tabletin.games.teeth_time.state import NOBODY, OPENING, OVER, SCORED, TeethTimeState
from tabletin.kernel.requests import Open
from tabletin.kernel.rules import SheetRow

STAR = "★"


def go_out(state: TeethTimeState, seat: int) -> None:
    """``seat`` has no card left: the hand ends at once, melded or not (TT-1)."""
    state.first_out = seat
    state.say("teeth_time.log.out", seat)
    end_hand(state)


def end_hand(state: TeethTimeState) -> None:
    """The hand is over: hands are opened and counted. A tie-break hand counts nothing (TT-15)."""
    state.phase = OPENING
    if state.tie_break:
        state.stars += (NOBODY,)  # nobody went down: another is played
        state.phase = SCORED
        return
    closed = tuple(card for seat in state.playing for card in state.hands[seat] if card not in state.public)
    if closed:
        state.ask(Open(closed))


def hand_items(state: TeethTimeState, seat: int) -> dict[str, tuple[int, int]]:
    """What the hand counts for ``seat``, item by item (TT-15): how many cards, and their points. Its hand is open.

    "left": cards left in the hand; "star": going out; "fairy", "dentist", "prevention": those played; "letters", "penalties":
    what they collected.
    """
    public, hand = state.public, state.hands[seat]
    is_out = int(seat == state.first_out)
    items = {"left": (len(hand), sum(IN_HAND[public[card]] for card in hand)), "star": (is_out, GOING_OUT * is_out)}
    for played, collected, cards, each in ((FAIRY, "letters", state.fairies[seat], FAIRY_EACH),
                                           (DENTIST, "penalties", state.dentists[seat], DENTIST_EACH)):
        own = sum(public[card] == played for card in cards)
        items[played], items[collected] = (own, each * own), (len(cards) - own, each * (len(cards) - own))
    count = len(state.preventions[seat])
    items[PREVENTION] = count, PREVENTION_EACH * count
    return items


def hand_scores(state: TeethTimeState) -> tuple[int, ...]:
    """What the hand counts for every seat (TT-15); for those that left it as much as the worst. Every hand is open."""
    points = [sum(points for _, points in hand_items(state, seat).values()) for seat in range(len(state.hands))]
    worst = max(points[seat] for seat in state.playing)
    return tuple(worst if seat in state.absentees else own for seat, own in enumerate(points))


def score_hand(state: TeethTimeState, hands: int, limit: int | None) -> None:
    """Write the hand down, with the star for going out; then the next, or the end of the match.

    ``hands``: in the match. ``limit``: total that ends it, or None (TT-16).
    """
    points = hand_scores(state)
    state.scores += (points,)
    state.stars += (state.first_out,)
    state.totals = tuple(total + own for total, own in zip(state.totals, points, strict=True))
    for seat, own in enumerate(points):
        state.say("teeth_time.log.scored", seat, n=own, total=state.totals[seat])
    if state.first_out != NOBODY:
        state.say("teeth_time.log.star", state.first_out)
    state.phase = SCORED
    if state.hand_no + 1 >= hands or (limit is not None and max(state.totals) >= limit):
        _finish(state)


def hand_winners(state: TeethTimeState) -> frozenset[int]:
    """Who has won the hand that was counted last: the fewest points (TT-15), of those who played it to its end."""
    points = state.scores[state.hand_no] if len(state.scores) > state.hand_no else ()
    least = min((points[seat] for seat in state.playing), default=None) if points else None
    return frozenset(seat for seat in state.playing if points and points[seat] == least)


def star_count(state: TeethTimeState, seat: int) -> int:
    """Stars of ``seat`` in the hands that were scored."""
    return state.stars[:len(state.scores)].count(seat)


def _finish(state: TeethTimeState) -> None:
    """Lowest total, then most stars; still tied: those seats alone play a hand to decide (TT-15). Who left is none of them."""
    seats = state.playing
    best = min((state.totals[seat], -star_count(state, seat)) for seat in seats)
    tied = tuple(seat for seat in seats if (state.totals[seat], -star_count(state, seat)) == best)
    if len(tied) == 1:
        by_stars = sum(state.totals[seat] == best[0] for seat in seats) > 1
        finish(state, tied, "teeth_time.ended.stars" if by_stars else "teeth_time.ended.lowest")
    else:
        state.tie_break = True
        state.playing = tied
        for seat in tied:
            state.say("teeth_time.log.tied", seat, n=state.totals[seat])


def decide_match(state: TeethTimeState, seat: int) -> None:
    """``seat`` was the first to go down in a tie-break hand and wins the match (TT-15)."""
    state.stars += (seat,)
    finish(state, (seat,), "teeth_time.ended.tie_break")


def finish(state: TeethTimeState, winners: tuple[int, ...], reason: str) -> None:
    """The match is over."""
    state.phase = OVER
    state.winners = winners
    state.end_reason = reason
    state.say("teeth_time.log.won", winners[0])


def sheet(state: TeethTimeState) -> list[SheetRow]:
    """Per hand its points, a star for going out, and the running totals below, as on the scorecard."""
    rows: list[SheetRow] = []
    totals = [0] * len(state.totals)
    for number, (points, star) in enumerate(zip(state.scores, state.stars, strict=False), 1):
        rows.append(SheetRow("teeth_time.sheet.hand", tuple(f"{own} {STAR}" if seat == star else own
                                                            for seat, own in enumerate(points)), {"n": number}))
        totals = [total + own for total, own in zip(totals, points, strict=True)]
        rows.append(SheetRow("teeth_time.sheet.total", tuple(totals), {"n": number}, total=True))
    stars = tuple(STAR * star_count(state, seat) or None for seat in range(len(totals)))
    rows.append(SheetRow("teeth_time.sheet.stars", stars))
    for number, winner in enumerate(state.stars[len(state.scores):], 1):
        rows.append(SheetRow("teeth_time.sheet.tie_break",
                             tuple(STAR if seat == winner else None for seat in range(len(totals))), {"n": number}))
    return rows
