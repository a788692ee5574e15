"""The replicated state of one deal: which cards there are, who has shared what, and what each peer owes next.

`DealState` holds values and answers questions about them. `ceremony` takes in requests and messages, `judging` judges
the messages; both change a `DealState` and nothing else does. It holds no secret and knows neither rules nor log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tabletin.peers.sealed.deck import context, unmask
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.pending import Card, Checker, Mixing, Pending, Rolling, Showing, TakingBack
from tabletin.peers.sealed.requests import (
    Duty,
    Effect,
    KeyDuty,
    PublicFace,
    RemaskDuty,
    RollDuty,
    ShareDuty,
    ShuffleDuty,
    Void,
)


@dataclass(slots=True)
class DealState:
    """The state of deal `number` of a match. Copying it is cheap.

    `seats[s]` is the peer of seat s; peers are numbered in the order of their first seats, and shuffle in that order.
    """

    checker: Checker = field(compare=False, repr=False)
    match: bytes
    number: int
    seats: tuple[int, ...]
    peers: tuple[int, ...] = ()  # those who have not left
    keys: dict[int, bytes] = field(default_factory=dict)  # X of each peer
    key: bytes | None = None  # H, once every peer's key is there
    cards: dict[int, Card] = field(default_factory=dict)
    faces: dict[bytes, str] = field(default_factory=dict)  # the face of each point
    requests: tuple[Pending, ...] = ()  # not yet answered, in order
    steps: int = 0  # how many requests were taken in
    handles: frozenset[int] = frozenset()  # all that the requests taken in name, cards or not yet
    retired_handles: frozenset[int] = frozenset()  # were cards once; never used again
    void: Void | None = None

    def __post_init__(self) -> None:
        if not self.peers:
            self.peers = tuple(dict.fromkeys(self.seats))

    @property
    def group(self) -> PrimeGroup:
        return self.checker.group

    def copy(self) -> DealState:
        return replace(self, keys=dict(self.keys), cards=dict(self.cards), faces=dict(self.faces))

    def renumber(self, fresh: tuple[int, ...]) -> DealState:
        """This deal with the handles ``fresh`` in place of 0 … N − 1. Only for a deal that was asked for its deck alone."""
        requests = tuple(replace(pending, fresh=fresh) for pending in self.requests if isinstance(pending, Mixing))
        return replace(self.copy(), cards={fresh[handle]: card for handle, card in self.cards.items()},
                       requests=requests, handles=frozenset(fresh))

    def context(self, step: int, author: int, purpose: str) -> bytes:
        return context(self.match, self.number, step, author, purpose)

    # ---- what is owed ----

    def duties(self, peer: int) -> list[Duty]:
        """What this peer owes now: at most one message of each kind, but one for each shuffle and roll."""
        if self.void or peer not in self.peers:
            return []
        if self.key is None:
            return [] if peer in self.keys else [KeyDuty()]
        duties: list[Duty] = []
        shares: set[int] = set()
        remasks: set[int] = set()
        for pending in self.current():
            match pending:
                case Mixing(step):
                    if pending.turn == peer:
                        duties.append(ShuffleDuty(step))
                case Showing(_, handles, reader):
                    for handle in handles:
                        card = self.cards[handle]
                        if card.face is not None:
                            continue
                        if reader is None or (card.reader == reader and peer != reader):
                            if peer not in card.shares:
                                shares.add(handle)
                        elif card.reader == peer != reader:
                            remasks.add(handle)
                case TakingBack(_, handles):
                    remasks |= {h for h in handles if self.cards[h].face is None and self.cards[h].reader == peer}
                case Rolling(step):
                    if peer not in pending.shares:
                        duties.append(RollDuty(step))
        if shares:
            duties.append(ShareDuty(tuple(sorted(shares))))
        if remasks:
            duties.append(RemaskDuty(tuple(sorted(remasks))))
        return duties

    def wanted_shares(self) -> dict[tuple[str, int], Any]:
        """The shares that somebody is asked for now: of cards, with their point and reader, and of rolls, with the log's head."""
        wanted: dict[tuple[str, int], Any] = {}
        for pending in self.current():
            match pending:
                case Showing(_, handles, reader):
                    for handle in handles:
                        card = self.cards[handle]
                        if card.face is None and (reader is None or card.reader == reader):
                            wanted["card", handle] = (card.cipher.a, reader)
                case Rolling(step, _, head):
                    wanted["roll", step] = head
        return wanted

    def current(self) -> Iterator[Pending]:
        """The requests that are being worked off: those whose cards no earlier one still needs."""
        busy: set[int] = set()
        for pending in self.requests:
            if not pending.done:
                touched = pending.touches()
                if busy.isdisjoint(touched):
                    yield pending
                busy |= touched

    def busy(self) -> set[int]:
        """Handles that some request still needs."""
        return {handle for pending in self.requests if not pending.done for handle in pending.touches()}

    def missing(self, handle: int) -> set[int]:
        """The peers that have not shared this card."""
        return set(self.peers) - self.cards[handle].shares.keys()

    # ---- changes that ceremony and judging share ----

    def put(self, pending: Pending) -> None:
        """Replace the request of the same number."""
        self.requests = tuple(pending if old.step == pending.step else old for old in self.requests)

    def turn_up(self, handles: Sequence[int], effects: list[Effect], points: Sequence[bytes] = ()) -> None:
        """Make public the faces of fully shared cards. ``points``: theirs, where they are known already."""
        sealed = [handle for handle in dict.fromkeys(handles) if self.cards[handle].face is None]
        if not points:
            cards = [self.cards[handle] for handle in sealed]
            points = unmask(self.group, [c.cipher for c in cards], [list(card.shares.values()) for card in cards])
        for handle, point in zip(sealed, points, strict=True):
            face = self.faces.get(point)
            if face is None:  # every step was proven: only a broken proof system leads here
                self.void = Void(None, "sealed.no_such_card", {"handle": handle})
                return
            card = self.cards[handle]
            self.cards[handle] = Card(card.cipher, face, card.reader, card.shares)
            effects.append(PublicFace(handle, face))
