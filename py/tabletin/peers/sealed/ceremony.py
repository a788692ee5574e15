"""One deal among the peers: which cards there are, who has shared what, and what each peer owes next.

A pure function of the requests and messages it is given, in order, so that every replica of the log holds the same;
copying it is cheap. It holds no secret, draws nothing, sends nothing, and knows neither rules nor log. A refused
request or message changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tabletin.peers.sealed.deck import Cipher, context, open_cards, unmask
from tabletin.peers.sealed.group import Group
from tabletin.peers.sealed.judging import claim_of, judge
from tabletin.peers.sealed.messages import Shuffled, decode
from tabletin.peers.sealed.pending import Card, Checker, Mixing, Pending, Rolling, Showing, TakingBack
from tabletin.peers.sealed.requests import (
    Answered,
    Duty,
    Effect,
    HandMix,
    KeyDuty,
    Mixed,
    Open,
    Readable,
    Refusal,
    RemaskDuty,
    Request,
    Roll,
    RollDuty,
    ShareDuty,
    Show,
    Shuffle,
    ShuffleDuty,
    Spoiled,
    TakeBack,
    Turned,
)
from tabletin.peers.sealed.rolls import MOST_SIDES
from tabletin.peers.sealed.wire import MOST_CARDS, Malformed, is_face


@dataclass(slots=True)
class Ceremony:
    """The state of deal number `deal` of a match.

    `seats[s]` is the peer of seat s; peers are numbered in order of their first seats, and shuffle in that order.
    `key` is H, once every peer's key is there. `requests` are those not yet answered, in order.
    """

    checker: Checker = field(compare=False, repr=False)
    match: bytes
    deal: int
    seats: tuple[int, ...]
    peers: tuple[int, ...] = ()
    keys: dict[int, bytes] = field(default_factory=dict)
    key: bytes | None = None
    cards: dict[int, Card] = field(default_factory=dict)
    faces: dict[bytes, str] = field(default_factory=dict)
    requests: tuple[Pending, ...] = ()
    steps: int = 0
    handles: frozenset[int] = frozenset()
    retired: frozenset[int] = frozenset()
    gone_votes: frozenset[tuple[int, int]] = frozenset()
    spoiled: Spoiled | None = None

    def __post_init__(self) -> None:
        if not self.peers:
            self.peers = tuple(dict.fromkeys(self.seats))

    @property
    def group(self) -> Group:
        return self.checker.group

    def copy(self) -> Ceremony:
        return Ceremony(self.checker, self.match, self.deal, self.seats, self.peers, dict(self.keys), self.key,
                        dict(self.cards), dict(self.faces), self.requests, self.steps, self.handles, self.retired,
                        self.gone_votes, self.spoiled)

    def renumbered(self, fresh: tuple[int, ...]) -> Ceremony:
        """This deal with the handles ``fresh`` in the place of 0 … N − 1: nothing but its deck was asked for."""
        requests = tuple(replace(pending, fresh=fresh) for pending in self.requests if isinstance(pending, Mixing))
        return replace(self.copy(), cards={fresh[handle]: card for handle, card in self.cards.items()},
                       requests=requests, handles=frozenset(fresh))

    def context(self, step: int, author: int, purpose: str) -> bytes:
        return context(self.match, self.deal, step, author, purpose)

    # What the rules ask

    def ask(self, request: Request) -> list[Effect] | Refusal:
        """Take in the rules' next request. Its number (`step`) is how many were taken in before it."""
        if self.spoiled:
            return Refusal("sealed.spoiled")
        refusal = self._unfit(request)
        if refusal:
            return refusal
        match request:
            case Shuffle(cards, fresh):
                self._mix(cards, fresh, self.peers)
            case HandMix(seat, cards, fresh):
                reader = self.seats[seat]
                self._mix(cards, fresh, (reader,))
                self._queue(Showing(self.steps, fresh, reader))
            case Show(handles, seat):
                self._queue(Showing(self.steps, handles, None if seat is None else self.seats[seat]))
            case Open(handles):
                self._queue(Showing(self.steps, handles, None))
            case TakeBack(handles):
                self._queue(TakingBack(self.steps, handles))
            case Roll(sides, head):
                self._queue(Rolling(self.steps, sides, head))
        return self.advance()

    def _unfit(self, request: Request) -> Refusal | None:
        match request:
            case Shuffle(cards, fresh):
                return self._unfit_mix(cards, fresh)
            case HandMix(seat, cards, fresh):
                return self._unfit_seat(seat) or self._unfit_mix(cards, fresh) or self._unfit_hand(seat, cards)
            case Show(handles, seat):
                return self._unfit_handles(handles) or (None if seat is None else self._unfit_seat(seat))
            case Open(handles) | TakeBack(handles):
                return self._unfit_handles(handles)
            case Roll(sides, _):
                return None if 1 <= sides <= MOST_SIDES else Refusal("sealed.sides", {"sides": sides})

    def _unfit_mix(self, cards: Sequence[int | str], fresh: Sequence[int]) -> Refusal | None:
        if len(cards) != len(fresh) or len(cards) > MOST_CARDS:
            return Refusal("sealed.count", {"cards": len(cards), "fresh": len(fresh)})
        taken = set(self.handles | self.retired)
        for handle in fresh:
            if handle < 0 or handle in taken:
                return Refusal("sealed.handle_taken", {"handle": handle})
            taken.add(handle)
        for card in cards:
            if isinstance(card, str) and not is_face(card.encode()):
                return Refusal("sealed.no_face", {"face": card})
        return self._unfit_handles([card for card in cards if isinstance(card, int)])

    def _unfit_handles(self, handles: Sequence[int]) -> Refusal | None:
        left = set(self.handles)
        for handle in handles:
            if handle not in left:
                return Refusal("sealed.no_card", {"handle": handle})
            left.remove(handle)
        return None

    def _unfit_hand(self, seat: int, cards: Sequence[int]) -> Refusal | None:
        """A hand is mixed at rest: each card read by that seat's peer, none of them asked for elsewhere."""
        waited = self.busy()
        for handle in cards:
            if handle in waited or self.cards[handle].face or self.cards[handle].reader != self.seats[seat]:
                return Refusal("sealed.not_in_hand", {"handle": handle})
        return None

    def _unfit_seat(self, seat: int) -> Refusal | None:
        if 0 <= seat < len(self.seats) and self.seats[seat] in self.peers:
            return None
        return Refusal("sealed.no_seat", {"seat": seat})

    def _mix(self, cards: tuple[int | str, ...], fresh: tuple[int, ...], authors: tuple[int, ...]) -> None:
        used = {card for card in cards if isinstance(card, int)}
        self.handles = self.handles - used | set(fresh)
        self.retired |= used
        self._queue(Mixing(self.steps, cards, fresh, authors))

    def _queue(self, pending: Pending) -> None:
        self.requests = (*self.requests, pending)
        self.steps += 1

    # What the peers say

    def accept(
        self, author: int, data: bytes, *, own: bool = False, live: Collection[int] | None = None
    ) -> list[Effect] | Refusal:
        """Take in a peer's message: what comes of it, or why it is wrong. ``own``: it is this device's own, read
        again: its program checked the proof in it before it signed it. ``live``: of a leave, the cards that stay in play,
        where those are not simply all but the leaver's hand.

        A wrong message convicts its author by itself, for everything it was judged by stands in the log before it.
        A shuffle is judged when the last of its chain is in; then an earlier author may be found guilty (`Spoiled`).
        """
        if self.spoiled:
            return Refusal("sealed.spoiled")
        if author not in self.peers:
            return Refusal("sealed.stranger", {"peer": author})
        try:
            message = decode(self.group, data, own=own)
        except Malformed as error:
            return Refusal("sealed.malformed", {"what": str(error)})
        if own and isinstance(message, Shuffled):
            claim = claim_of(self, author, message)
            if not isinstance(claim, Refusal):
                self.checker.trust(claim)
        self.checker.reads_own = own
        try:
            effects = judge(self, author, message, live)
        finally:
            self.checker.reads_own = False
        if isinstance(effects, Refusal):
            return effects
        if not self.spoiled:
            effects += self.advance()
        return [*effects, self.spoiled] if self.spoiled else effects

    # What is owed

    def duties(self, peer: int) -> list[Duty]:
        """What this peer has to say now: at most one message of each kind, but one for each shuffle and roll."""
        if self.spoiled or peer not in self.peers:
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

    def asked(self) -> dict[tuple[str, int], Any]:
        """What shares are asked for now, of whomever: cards by handle, with their point and who will read it, and rolls."""
        asked: dict[tuple[str, int], Any] = {}
        for pending in self.current():
            match pending:
                case Showing(_, handles, reader):
                    for handle in handles:
                        card = self.cards[handle]
                        if card.face is None and (reader is None or card.reader == reader):
                            asked["card", handle] = (card.cipher.a, reader)
                case Rolling(step, _, head):
                    asked["roll", step] = head
        return asked

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

    # How requests are worked off

    def advance(self) -> list[Effect]:
        """Begin and end what can be begun and ended, until nothing moves; then answer from the front."""
        effects: list[Effect] = []
        if self.key is None:
            return effects
        moved = True
        while moved:
            moved = False
            for pending in list(self.current()):
                later = self._step(pending, effects)
                if later is not pending:
                    self.put(later)
                    moved = moved or later.done
        while self.requests and self.requests[0].done:
            first, *rest = self.requests
            result = first.result if isinstance(first, Showing | Rolling) else None
            effects.append(Answered(first.step, result))
            self.requests = tuple(rest)
        return effects

    def put(self, pending: Pending) -> None:
        """Replace the request of the same number."""
        self.requests = tuple(pending if old.step == pending.step else old for old in self.requests)

    def _step(self, pending: Pending, effects: list[Effect]) -> Pending:
        match pending:
            case Mixing():
                return self._step_mixing(pending, effects)
            case Showing():
                return self._step_showing(pending, effects)
            case TakingBack(_, handles):
                held = [h for h in handles if self.cards[h].face is None and self.cards[h].reader is not None]
                return pending if held else replace(pending, done=True)
            case Rolling():
                return pending

    def _step_mixing(self, pending: Mixing, effects: list[Effect]) -> Mixing:
        if pending.before is None:
            pending = replace(pending, before=self._inputs(pending.cards))
        if not pending.fresh or len(pending.claims) == len(pending.authors):
            for card in pending.cards:
                if isinstance(card, int):
                    del self.cards[card]
            for handle, cipher in zip(pending.fresh, pending.input, strict=True):
                self.cards[handle] = Card(cipher)
            effects.append(Mixed(pending.step, pending.fresh))
            return replace(pending, done=True)
        return pending

    def _inputs(self, cards: Sequence[int | str]) -> tuple[Cipher, ...]:
        """Sealed cards as they are, open ones as (G, M + H)."""
        assert self.key is not None
        faces = [card if isinstance(card, str) else self.cards[card].face for card in cards]
        for face in faces:
            if face is not None:
                self.faces[self.group.card_point(face)] = face
        opened = iter(open_cards(self.group, self.key, [face for face in faces if face is not None]))
        return tuple(
            self.cards[card].cipher if face is None and isinstance(card, int) else next(opened)
            for card, face in zip(cards, faces, strict=True)
        )

    def _step_showing(self, pending: Showing, effects: list[Effect]) -> Showing:
        if pending.reader is None:
            self.turn_up([h for h in pending.handles if not self.missing(h)], effects)
            result = tuple(face for h in pending.handles if (face := self.cards[h].face) is not None)
            return replace(pending, done=True, result=result) if len(result) == len(pending.handles) else pending
        reader = pending.reader
        waiting = False
        for handle in pending.handles:
            card = self.cards[handle]
            if card.face is None:
                if card.reader is None:
                    self.cards[handle] = Card(card.cipher, card.face, reader, card.shares)
                waiting = waiting or self.cards[handle].reader != reader or bool(self.missing(handle) - {reader})
        if waiting:
            return pending
        hidden = tuple(h for h in pending.handles if self.cards[h].face is None)
        if hidden:
            effects.append(Readable(reader, hidden))
        return replace(pending, done=True)

    def missing(self, handle: int) -> set[int]:
        """The peers that have not shared this card."""
        return set(self.peers) - self.cards[handle].shares.keys()

    def turn_up(self, handles: Sequence[int], effects: list[Effect], points: Sequence[bytes] = ()) -> None:
        """Make public the faces of fully shared cards. ``points``: theirs, where they are known already."""
        sealed = [handle for handle in handles if self.cards[handle].face is None]
        if not points:
            cards = [self.cards[handle] for handle in sealed]
            points = unmask(self.group, [c.cipher for c in cards], [list(card.shares.values()) for card in cards])
        for handle, point in zip(sealed, points, strict=True):
            face = self.faces.get(point)
            if face is None:  # every step was proven: only a broken proof system leads here
                self.spoiled = Spoiled(None, "sealed.no_such_card", {"handle": handle})
                return
            card = self.cards[handle]
            self.cards[handle] = Card(card.cipher, face, card.reader, card.shares)
            effects.append(Turned(handle, face))
