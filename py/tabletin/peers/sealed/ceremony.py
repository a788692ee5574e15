"""How a deal goes on: it takes in what the rules ask and what peers say, in order.

`ask` and `accept` change a `DealState` by the request or message alone, so every replica of the log holds the same. They
draw nothing and send nothing. What is refused changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.deck import Cipher, open_cards
from tabletin.peers.sealed.judging import claim_of, judge
from tabletin.peers.sealed.messages import Message, ShuffleTurn, decode
from tabletin.peers.sealed.pending import Card, Mixing, Pending, Rolling, Showing, TakingBack
from tabletin.peers.sealed.requests import (
    CardsReady,
    DealRefusal,
    Effect,
    Open,
    Readable,
    Request,
    RequestResult,
    Roll,
    Show,
    Shuffle,
    TakeBack,
)
from tabletin.peers.sealed.rolls import MOST_SIDES
from tabletin.peers.sealed.wire import MOST_CARDS, MalformedMessage, is_face

# ---- what the rules ask ----


def ask(deal: DealState, request: Request) -> list[Effect] | DealRefusal:
    """Take in the rules' next request. Its number (`step`) is how many were taken in before it."""
    if deal.void:
        return DealRefusal("sealed.spoiled")
    refusal = _refusal_of_request(deal, request)
    if refusal:
        return refusal
    match request:
        case Shuffle(cards, fresh):
            _mix(deal, cards, fresh, deal.peers)
        case Show(handles, seat):
            _queue(deal, Showing(deal.steps, handles, None if seat is None else deal.seats[seat]))
        case Open(handles):
            _queue(deal, Showing(deal.steps, handles, None))
        case TakeBack(handles):
            _queue(deal, TakingBack(deal.steps, handles))
        case Roll(sides, head):
            _queue(deal, Rolling(deal.steps, sides, head))
    return advance(deal)


def _refusal_of_request(deal: DealState, request: Request) -> DealRefusal | None:
    match request:
        case Shuffle(cards, fresh):
            return _refusal_of_mix(deal, cards, fresh)
        case Show(handles, seat):
            return _refusal_of_handles(deal, handles) or (None if seat is None else _refusal_of_seat(deal, seat))
        case Open(handles) | TakeBack(handles):
            return _refusal_of_handles(deal, handles)
        case Roll(sides, _):
            return None if 1 <= sides <= MOST_SIDES else DealRefusal("sealed.sides", {"sides": sides})


def _refusal_of_mix(deal: DealState, cards: Sequence[int | str], fresh: Sequence[int]) -> DealRefusal | None:
    if len(cards) != len(fresh) or len(cards) > MOST_CARDS:
        return DealRefusal("sealed.count", {"cards": len(cards), "fresh": len(fresh)})
    taken = set(deal.handles | deal.retired_handles)
    for handle in fresh:
        if handle < 0 or handle in taken:
            return DealRefusal("sealed.handle_taken", {"handle": handle})
        taken.add(handle)
    left = set(deal.handles)
    for card in cards:
        if isinstance(card, str):
            if not is_face(card.encode()):
                return DealRefusal("sealed.no_face", {"face": card})
        elif card in left:
            left.remove(card)  # no card goes in twice
        else:
            return DealRefusal("sealed.no_card", {"handle": card})
    return None


def _refusal_of_handles(deal: DealState, handles: Sequence[int]) -> DealRefusal | None:
    """A card may be named twice, as open dealing takes it, too: it is shown or taken back once, and answered twice."""
    unknown = next((handle for handle in handles if handle not in deal.handles), None)
    return None if unknown is None else DealRefusal("sealed.no_card", {"handle": unknown})


def _refusal_of_seat(deal: DealState, seat: int) -> DealRefusal | None:
    if 0 <= seat < len(deal.seats) and deal.seats[seat] in deal.peers:
        return None
    return DealRefusal("sealed.no_seat", {"seat": seat})


def _mix(deal: DealState, cards: tuple[int | str, ...], fresh: tuple[int, ...], authors: tuple[int, ...]) -> None:
    used = {card for card in cards if isinstance(card, int)}
    deal.handles = deal.handles - used | set(fresh)
    deal.retired_handles |= used
    _queue(deal, Mixing(deal.steps, cards, fresh, authors))


def _queue(deal: DealState, pending: Pending) -> None:
    deal.requests = (*deal.requests, pending)
    deal.steps += 1


# ---- what the peers say ----


def accept(
    deal: DealState, author: int, data: bytes, *, own: bool = False, live: Collection[int] | None = None
) -> list[Effect] | DealRefusal:
    """Take in a peer's message: what comes of it, or why it is wrong.

    ``own``: it is this device's own, read again. Its program checked the proof before it signed the message. ``live``: for a
    leave, the cards that stay in play, where those are not simply all but the leaver's hand.

    A wrong message convicts its author by itself: everything it was judged by stands in the log before it. A shuffle is
    judged when the last of its chain is in; then an earlier author may be found guilty (`Void`).
    """
    refusal = _refusal_of_author(deal, author)
    if refusal:
        return refusal
    try:
        message = decode(deal.group, data, own=own)
    except MalformedMessage as error:
        return DealRefusal("sealed.malformed", {"what": str(error)})
    return accept_message(deal, author, message, own=own, live=live)


def accept_message(
    deal: DealState, author: int, message: Message, *, own: bool = False, live: Collection[int] | None = None
) -> list[Effect] | DealRefusal:
    """`accept` of a message that was decoded already, with the same ``own``."""
    refusal = _refusal_of_author(deal, author)
    if refusal:
        return refusal
    if own and isinstance(message, ShuffleTurn):
        claim = claim_of(deal, author, message)
        if not isinstance(claim, DealRefusal):
            deal.checker.trust(claim)
    deal.checker.reads_own = own
    try:
        effects = judge(deal, author, message, live)
    finally:
        deal.checker.reads_own = False
    if isinstance(effects, DealRefusal):
        return effects
    if not deal.void:
        effects += advance(deal)
    return [*effects, deal.void] if deal.void else effects


def _refusal_of_author(deal: DealState, author: int) -> DealRefusal | None:
    if deal.void:
        return DealRefusal("sealed.spoiled")
    return None if author in deal.peers else DealRefusal("sealed.stranger", {"peer": author})


# ---- how requests are worked off ----


def advance(deal: DealState) -> list[Effect]:
    """Begin and end what can be begun and ended, until nothing moves; then answer from the front."""
    effects: list[Effect] = []
    if deal.key is None:
        return effects
    moved = True
    while moved:
        moved = False
        for pending in list(deal.current()):
            later = _step(deal, pending, effects)
            if later is not pending:
                deal.put(later)
                moved = moved or later.done
    while deal.requests and deal.requests[0].done:
        first, *rest = deal.requests
        result = first.result if isinstance(first, Showing | Rolling) else None
        effects.append(RequestResult(first.step, result))
        deal.requests = tuple(rest)
    return effects


def _step(deal: DealState, pending: Pending, effects: list[Effect]) -> Pending:
    match pending:
        case Mixing():
            return _step_mixing(deal, pending, effects)
        case Showing():
            return _step_showing(deal, pending, effects)
        case TakingBack(_, handles):
            held = [h for h in handles if deal.cards[h].face is None and deal.cards[h].reader is not None]
            return pending if held else replace(pending, done=True)
        case Rolling():
            return pending


def _step_mixing(deal: DealState, pending: Mixing, effects: list[Effect]) -> Mixing:
    if pending.start is None:
        pending = replace(pending, start=_inputs(deal, pending.cards))
    if not pending.fresh or len(pending.claims) == len(pending.authors):
        for card in pending.cards:
            if isinstance(card, int):
                del deal.cards[card]
        for handle, cipher in zip(pending.fresh, pending.input, strict=True):
            deal.cards[handle] = Card(cipher)
        effects.append(CardsReady(pending.step, pending.fresh))
        return replace(pending, done=True)
    return pending


def _inputs(deal: DealState, cards: Sequence[int | str]) -> tuple[Cipher, ...]:
    """Sealed cards as they are, open ones as (G, M + H)."""
    assert deal.key is not None
    faces = [card if isinstance(card, str) else deal.cards[card].face for card in cards]
    for face in faces:
        if face is not None:
            deal.faces[deal.group.card_point(face)] = face
    opened = iter(open_cards(deal.group, deal.key, [face for face in faces if face is not None]))
    return tuple(
        deal.cards[card].cipher if face is None and isinstance(card, int) else next(opened)
        for card, face in zip(cards, faces, strict=True)
    )


def _step_showing(deal: DealState, pending: Showing, effects: list[Effect]) -> Showing:
    if pending.reader is None:
        deal.turn_up([h for h in pending.handles if not deal.missing(h)], effects)
        result = tuple(face for h in pending.handles if (face := deal.cards[h].face) is not None)
        return replace(pending, done=True, result=result) if len(result) == len(pending.handles) else pending
    reader = pending.reader
    waiting = False
    for handle in pending.handles:
        card = deal.cards[handle]
        if card.face is None:
            if card.reader is None:
                deal.cards[handle] = Card(card.cipher, card.face, reader, card.shares)
            waiting = waiting or bool(deal.missing(handle) - {reader})  # who holds it for now has not shared it
    if waiting:
        return pending
    hidden = tuple(h for h in pending.handles if deal.cards[h].face is None)
    if hidden:
        effects.append(Readable(reader, hidden))
    return replace(pending, done=True)
