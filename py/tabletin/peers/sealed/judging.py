"""Whether a peer's message is what the deal waits for and what it claims to be, and what it changes.

Each function judges one kind of message against a `DealState`. It refuses the message before it changes anything.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.deck import Cipher, joint_key, pack, unmask
from tabletin.peers.sealed.group import digest, encode_scalar
from tabletin.peers.sealed.messages import (
    Key,
    Leave,
    Message,
    Play,
    Remask,
    RollShare,
    Share,
    ShuffleTurn,
)
from tabletin.peers.sealed.pending import Card, Mixing, Rolling
from tabletin.peers.sealed.proofs import Proof, check_key, check_remask, check_shares
from tabletin.peers.sealed.requests import (
    DealRefusal,
    Departure,
    Effect,
    KeyReady,
    RemaskDuty,
    RollDuty,
    RollResult,
    ShareDuty,
    Void,
)
from tabletin.peers.sealed.rolls import roll_point, roll_result
from tabletin.peers.sealed.shuffle import ShuffleClaim


def judge(deal: DealState, author: int, message: Message, live: Collection[int] | None = None) -> list[Effect] | DealRefusal:
    """Apply the message, or refuse it and leave the deal as it was. ``live``: of a leave, see `leave_handles`."""
    if isinstance(message, Key):
        return _key(deal, author, message)
    if deal.key is None:
        return DealRefusal("sealed.too_early")
    match message:
        case ShuffleTurn():
            return _shuffled(deal, author, message)
        case Share():
            return _share(deal, author, message)
        case Play():
            return _play(deal, author, message)
        case Remask():
            return _remask(deal, author, message)
        case RollShare():
            return _roll(deal, author, message)
        case Leave():
            return leave(deal, author, message, live)


def _key(deal: DealState, author: int, message: Key) -> list[Effect] | DealRefusal:
    if author in deal.keys:
        return DealRefusal("sealed.not_due")
    if not check_key(deal.group, deal.context(0, author, "key"), message.public, message.proof):
        return DealRefusal("sealed.bad_key")
    deal.keys[author] = message.public
    if len(deal.keys) < len(deal.peers):
        return []
    deal.key = joint_key(deal.group, [deal.keys[peer] for peer in deal.peers])
    return [KeyReady()]


def claim_of(deal: DealState, author: int, message: ShuffleTurn) -> ShuffleClaim | DealRefusal:
    """What the author claims with its turn, for `Checker.shuffles`; refused if it is not its turn."""
    for pending in deal.current():
        if isinstance(pending, Mixing) and pending.step == message.step and pending.turn == author:
            if len(message.output) != len(pending.fresh):
                return DealRefusal("sealed.count", {"cards": len(message.output), "fresh": len(pending.fresh)})
            assert deal.key is not None
            ctx = deal.context(message.step, author, "shuffle")
            return ShuffleClaim(ctx, deal.key, pending.input, message.output, message.proof)
    return DealRefusal("sealed.not_due")


def _shuffled(deal: DealState, author: int, message: ShuffleTurn) -> list[Effect] | DealRefusal:
    claim = claim_of(deal, author, message)
    if isinstance(claim, DealRefusal):
        return claim
    pending = next(p for p in deal.current() if isinstance(p, Mixing) and p.step == message.step)
    pending = replace(pending, claims=(*pending.claims, claim))
    if len(pending.claims) == len(pending.authors):
        verdicts = deal.checker.shuffles(pending.claims)
        if not all(verdicts):
            guilty = pending.authors[verdicts.index(False)]
            if guilty == author:
                return DealRefusal("sealed.bad_shuffle", {"step": message.step})
            deal.void = Void(guilty, "sealed.bad_shuffle", {"step": message.step})
    deal.put(pending)
    return []


def _share(deal: DealState, author: int, message: Share) -> list[Effect] | DealRefusal:
    due = {h for duty in deal.duties(author) if isinstance(duty, ShareDuty) for h in duty.handles}
    if not due.issuperset(message.handles):
        return DealRefusal("sealed.not_due")
    if not _shares_hold(deal, author, "share", message.handles, message.shares, message.proof):
        return DealRefusal("sealed.bad_share")
    _put_shares(deal, author, message.handles, message.shares)
    return []


def _play(deal: DealState, author: int, message: Play) -> list[Effect] | DealRefusal:
    busy = deal.busy()
    for handle in message.handles:
        card = deal.cards.get(handle)
        if card is None or handle in busy or card.face is not None or card.reader != author:
            return DealRefusal("sealed.not_in_hand", {"handle": handle})
    if not _shares_hold(deal, author, "play", message.handles, message.shares, message.proof):
        return DealRefusal("sealed.bad_share")
    if deal.checker.reads_own:  # this device's program read these cards before it signed their faces
        points = [deal.group.card_point(face) for face in message.faces]
    else:
        cards = [deal.cards[handle] for handle in message.handles]
        everyones = [[*card.shares.values(), share] for card, share in zip(cards, message.shares, strict=True)]
        points = unmask(deal.group, [card.cipher for card in cards], everyones)
    for handle, face, point in zip(message.handles, message.faces, points, strict=True):
        if deal.faces.get(point) != face:
            return DealRefusal("sealed.false_face", {"handle": handle})
    _put_shares(deal, author, message.handles, message.shares)
    effects: list[Effect] = []
    deal.turn_up(message.handles, effects, points)
    return effects


def _remask(deal: DealState, author: int, message: Remask) -> list[Effect] | DealRefusal:
    due = {h for duty in deal.duties(author) if isinstance(duty, RemaskDuty) for h in duty.handles}
    if not due.issuperset(message.handles):
        return DealRefusal("sealed.not_due")
    before = [deal.cards[handle].cipher for handle in message.handles]
    assert deal.key is not None
    ctx = deal.context(0, author, "remask")
    good = all(old.a != new.a for old, new in zip(before, message.output, strict=True))
    if not good or not check_remask(deal.group, ctx, deal.key, before, message.output, message.proof):
        return DealRefusal("sealed.bad_remask")
    for handle, cipher in zip(message.handles, message.output, strict=True):
        deal.cards[handle] = Card(cipher)
    return []


def _roll(deal: DealState, author: int, message: RollShare) -> list[Effect] | DealRefusal:
    if RollDuty(message.step) not in deal.duties(author):
        return DealRefusal("sealed.not_due")
    pending = next(p for p in deal.current() if isinstance(p, Rolling) and p.step == message.step)
    point = roll_point(deal.group, deal.match, deal.number, pending.head, pending.step)
    ctx = deal.context(message.step, author, "roll")
    if not check_shares(deal.group, ctx, deal.keys[author], [point], [message.share], message.proof):
        return DealRefusal("sealed.bad_share")
    pending = replace(pending, shares={**pending.shares, author: message.share})
    if len(pending.shares) < len(deal.peers):
        deal.put(pending)
        return []
    value = roll_result(deal.group, point, list(pending.shares.values()), pending.sides)
    deal.put(replace(pending, done=True, result=value))
    return [RollResult(pending.step, value)]


def leave_handles(deal: DealState, leaver: int, live: Collection[int] | None = None) -> tuple[int, ...]:
    """The cards a leaver owes a share of: sealed, not in its own hand, not shared already.

    ``live``: the only cards that stay in play, where the rules take out more than what the leaver was shown."""
    return tuple(
        sorted(
            handle
            for handle, card in deal.cards.items()
            if card.face is None
            and card.reader != leaver
            and leaver not in card.shares
            and (live is None or handle in live)
        )
    )


def leave(deal: DealState, author: int, message: Leave, live: Collection[int] | None = None) -> list[Effect] | DealRefusal:
    """A peer leaves: its shares come off all cards that stay in play, and all other sealed cards are out of the deal."""
    if deal.requests:
        return DealRefusal("sealed.busy")
    if message.handles != leave_handles(deal, author, live):
        return DealRefusal("sealed.not_due")
    sealed = {handle for handle, card in deal.cards.items() if card.face is None}
    removed = {handle for handle in sealed if deal.cards[handle].reader == author}
    if live is not None:
        if not removed.isdisjoint(live):  # nobody could read it any more, and the rules still count on it
            return DealRefusal("sealed.in_play", {"handle": min(removed & set(live))})
        removed = sealed.difference(live)
    if message.handles and not _shares_hold(deal, author, "leave", message.handles, message.shares, message.proof):
        return DealRefusal("sealed.bad_share")
    _put_shares(deal, author, message.handles, message.shares)
    for handle in removed:
        del deal.cards[handle]
    left = sorted(sealed - removed)
    cards = [deal.cards[handle] for handle in left]
    lighter = unmask(deal.group, [card.cipher for card in cards], [[card.shares[author]] for card in cards])
    for handle, card, point in zip(left, cards, lighter, strict=True):
        shares = {peer: share for peer, share in card.shares.items() if peer != author}
        deal.cards[handle] = replace(card, cipher=Cipher(card.cipher.a, point), shares=shares)
    deal.handles -= removed
    deal.retired_handles |= removed
    deal.peers = tuple(peer for peer in deal.peers if peer != author)
    del deal.keys[author]
    deal.key = joint_key(deal.group, [deal.keys[peer] for peer in deal.peers])
    return [Departure(author, tuple(sorted(removed)))]


def _shares_hold(
    deal: DealState, author: int, purpose: str, handles: Sequence[int], shares: Sequence[bytes], proof: Proof
) -> bool:
    if deal.checker.reads_own:
        return True
    ctx = deal.context(0, author, purpose)
    public = deal.keys[author]
    ciphers = [deal.cards[handle].cipher for handle in handles]
    name = digest("shares", ctx, public, pack(ciphers), b"".join(shares), *map(encode_scalar, proof))
    points = [cipher.a for cipher in ciphers]
    return deal.checker.once(name, lambda: check_shares(deal.group, ctx, public, points, shares, proof))


def _put_shares(deal: DealState, author: int, handles: Sequence[int], shares: Sequence[bytes]) -> None:
    for handle, share in zip(handles, shares, strict=True):
        card = deal.cards[handle]
        deal.cards[handle] = Card(card.cipher, card.face, card.reader, {**card.shares, author: share})
