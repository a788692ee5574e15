"""What one peer keeps to itself in a deal, and the messages it owes.

Everything comes from one secret seed, so a peer that lost its page makes the same messages again. It shares only cards that
the replicated deal waits for, and those come from a verified shuffle or remask. The seed never enters the replicated state,
and no method returns a secret other than the faces that this peer may read.
"""

from __future__ import annotations

from collections.abc import Collection

from tabletin.peers.sealed.deal import DealState
from tabletin.peers.sealed.deck import reencrypt, unmask
from tabletin.peers.sealed.group import Stream, hash_to_scalar, number
from tabletin.peers.sealed.handover import WrappedKey, wrap
from tabletin.peers.sealed.judging import leave_handles
from tabletin.peers.sealed.messages import (
    Key,
    Leave,
    Message,
    Play,
    Remask,
    RollShare,
    Share,
    ShuffleTurn,
    encode,
    nothing_to_prove,
)
from tabletin.peers.sealed.pending import Mixing, Rolling
from tabletin.peers.sealed.proofs import Proof, make_shares, prove_key, prove_remask, prove_shares
from tabletin.peers.sealed.requests import Duty, KeyDuty, RemaskDuty, RollDuty, ShareDuty, ShuffleDuty
from tabletin.peers.sealed.rolls import roll_point
from tabletin.peers.sealed.shuffle import shuffle


class Party:
    """Peer number `peer` with its 32 secret bytes. Who has the seed can read and play as this peer."""

    def __init__(self, peer: int, seed: bytes, key: int | None = None) -> None:
        """``key``: the secret of this deal, where it came from another device."""
        if len(seed) < 32:
            raise ValueError("a seed has at least 32 bytes")
        self.peer = peer
        self._seed = seed
        self._handed = key

    def answer(self, deal: DealState) -> list[bytes]:
        """The messages this peer owes now. Ask again only when they are in the deal, or refused."""
        return [self.fulfil(deal, duty) for duty in deal.duties(self.peer)]

    def fulfil(self, deal: DealState, duty: Duty) -> bytes:
        """One message owed; `PermissionError` if the deal does not wait for it."""
        if duty not in deal.duties(self.peer):
            raise PermissionError(f"the deal does not wait for {duty}")
        match duty:
            case KeyDuty():
                message: Message = self._key(deal)
            case ShuffleDuty(step):
                message = self._shuffle(deal, step)
            case ShareDuty(handles):
                shares, proof = self._shares(deal, "share", handles)
                message = Share(handles, shares, proof)
            case RemaskDuty(handles):
                message = self._remask(deal, handles)
            case RollDuty(step):
                message = self._roll(deal, step)
        return encode(message)

    def play(self, deal: DealState, handles: tuple[int, ...]) -> bytes:
        """Open cards of this peer's hand to all."""
        handles = tuple(sorted(handles))
        faces = self.read(deal, handles)
        shares, proof = self._shares(deal, "play", handles)
        return encode(Play(handles, tuple(faces[handle] for handle in handles), shares, proof))

    def leave(self, deal: DealState, live: Collection[int] | None = None) -> bytes:
        """The leave of this peer, only while nothing is asked for. ``live``: the cards that stay in play, see `leave_handles`."""
        if deal.requests:
            raise PermissionError("requests are open")
        handles = leave_handles(deal, self.peer, live)
        if not handles:
            return encode(Leave((), (), nothing_to_prove()))
        shares, proof = self._shares(deal, "leave", handles)
        return encode(Leave(handles, shares, proof))

    def read(self, deal: DealState, handles: tuple[int, ...]) -> dict[int, str]:
        """The faces of cards shown to this peer alone. `PermissionError` for any other card."""
        secret = self._secret(deal)
        for handle in handles:
            card = deal.cards.get(handle)
            if card is None or card.reader != self.peer or deal.missing(handle) - {self.peer}:
                raise PermissionError(f"card {handle} is not shown to peer {self.peer}")
        cards = [deal.cards[handle] for handle in handles]
        own = make_shares(deal.group, secret, [card.cipher.a for card in cards])
        others = [[share for peer, share in card.shares.items() if peer != self.peer] for card in cards]
        points = unmask(
            deal.group,
            [card.cipher for card in cards],
            [[*those, mine] for those, mine in zip(others, own, strict=True)],
        )
        return {handle: deal.faces[point] for handle, point in zip(handles, points, strict=True)}

    def hand_over(self, deal: DealState, offered: bytes) -> WrappedKey:
        """This deal's secret for another device of the same person. Only the device that made the offer can read it."""
        ctx = deal.context(0, self.peer, "handover")
        return wrap(deal.group, ctx, self._secret(deal), offered, self._stream(ctx, offered))

    def _secret(self, deal: DealState) -> int:
        if self._handed is not None:
            return self._handed
        return hash_to_scalar("secret key", self._seed, deal.match, number(deal.number), number(self.peer)) or 1

    def _stream(self, ctx: bytes, *statement: bytes) -> Stream:
        return Stream(self._seed, ctx, *statement)

    def _key(self, deal: DealState) -> Key:
        secret = self._secret(deal)
        public = deal.group.sum([(secret, deal.group.base)])
        ctx = deal.context(0, self.peer, "key")
        return Key(public, prove_key(deal.group, ctx, secret, public, self._stream(ctx, public)))

    def _shuffle(self, deal: DealState, step: int) -> ShuffleTurn:
        assert deal.key is not None
        pending = next(p for p in deal.current() if isinstance(p, Mixing) and p.step == step)
        before = pending.input
        ctx = deal.context(step, self.peer, "shuffle")
        stream = self._stream(ctx, deal.key, *(point for card in before for point in card))
        after, proof = shuffle(deal.group, ctx, deal.key, before, stream)
        return ShuffleTurn(step, tuple(after), proof)

    def _shares(self, deal: DealState, purpose: str, handles: tuple[int, ...]) -> tuple[tuple[bytes, ...], Proof]:
        points = [deal.cards[handle].cipher.a for handle in handles]
        ctx = deal.context(0, self.peer, purpose)
        return self._prove_shares(deal, ctx, points)

    def _prove_shares(self, deal: DealState, ctx: bytes, points: list[bytes]) -> tuple[tuple[bytes, ...], Proof]:
        secret = self._secret(deal)
        shares = make_shares(deal.group, secret, points)
        stream = self._stream(ctx, b"".join(points))
        proof = prove_shares(deal.group, ctx, secret, deal.keys[self.peer], points, shares, stream)
        return tuple(shares), proof

    def _remask(self, deal: DealState, handles: tuple[int, ...]) -> Remask:
        assert deal.key is not None
        before = [deal.cards[handle].cipher for handle in handles]
        ctx = deal.context(0, self.peer, "remask")
        stream = self._stream(ctx, deal.key, *(point for card in before for point in card))
        factors = stream.scalars(len(handles))
        after = reencrypt(deal.group, deal.key, before, factors)
        proof = prove_remask(deal.group, ctx, deal.key, before, after, factors, stream)
        return Remask(handles, tuple(after), proof)

    def _roll(self, deal: DealState, step: int) -> RollShare:
        pending = next(p for p in deal.current() if isinstance(p, Rolling) and p.step == step)
        point = roll_point(deal.group, deal.match, deal.number, pending.head, step)
        ctx = deal.context(step, self.peer, "roll")
        (share,), proof = self._prove_shares(deal, ctx, [point])
        return RollShare(step, share, proof)
