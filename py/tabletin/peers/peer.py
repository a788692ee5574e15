"""One replica of a match among peers: keeps its log in step with the others over any transport.

Without input or output of its own: ``receive`` and ``tick`` take what came and the time, ``outbox`` collects what to send.
What it says is signed and stored before it is sent; every statement goes to the peer that orders, every entry is verified
before it is applied (``following``). It never blames for silence: only what is signed is evidence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final, Protocol

from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Json, Statement, canonical, parse, place
from tabletin.kernel.match import Match, beside
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.rules import Rules
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.shapes import Malformed, Move

from .authority import Signed, device_agreement, peers_of, seat_agreement
from .blaming import Blaming
from .checking import LateChecker
from .evidence import Accusation
from .flood import Allowance
from .following import Following
from .identity import Identity
from .sealed_dealer import SealedDealer
from .sealed_dealing import SealedDealing
from .seen import Seen
from .voting import Voting

RESEND: Final = 1.0  # seconds between two sayings of a statement that is not in the log yet, and of one's head
MOST_MESSAGE: Final = 8_000_000  # bytes

Message = dict[str, Json]


class Storage(Protocol):
    """What must be on the device before it is told to anyone."""

    def save_entry(self, entry: Entry) -> None: ...

    def save_saying(self, statement: Statement | None, count: int) -> None: ...


class Peer:
    """A replica. ``to``: author of another peer, or None for all. ``refused``: what came in and was wrong, by reason."""

    def __init__(self, identity: Identity, authority: Signed, match: Match, dealer: SealedDealer, storage: Storage,
                 *, saying: Statement | None = None, count: int = 0, restarted: bool = False) -> None:
        self.identity = identity
        self._live: tuple[Setup, frozenset[str], tuple[str, ...], tuple[str, ...]] | None = None
        self.authority = authority
        self.match = match
        self.dealer = dealer
        self.storage = storage
        self.outbox: list[tuple[str | None, bytes]] = []
        self.refused: Counter[str] = Counter()
        self.rejections: list[tuple[Statement, str]] = []  # one's own statements that the peer that orders refused
        self.saying = saying
        self._count = max(count, match.count(self.author))
        self.seen = Seen(match, authority)
        self._following = Following(self)
        self._voting = Voting(self)
        self._blaming = Blaming(self)
        self._allowance = Allowance()
        self._unheard = set(self.others) if restarted else set()
        self._now = 0.0
        self._said_at = -RESEND
        self._dealt: tuple[str, SealedDealing] | None = None
        self._noted = ""
        self._kept: tuple[int, Move] | None = None  # a move to be said next
        if self.late is not None:
            self.late.author = self.author
        self._work()

    # ---- who ----

    @property
    def author(self) -> str:
        return self.identity.author

    @property
    def live(self) -> tuple[str, ...]:
        """The peers not declared gone, in order of their first seats."""
        setup, gone = self.match.setup, self.match.gone
        if self._live is None or self._live[0] is not setup or self._live[1] is not gone:
            live = tuple(peer for peer in peers_of(setup) if peer not in gone)
            self._live = setup, gone, live, tuple(peer for peer in live if peer != self.author)
        return self._live[2]

    @property
    def others(self) -> tuple[str, ...]:
        """The live peers but this one."""
        live = self.live
        return live if self._live is None else self._live[3]

    @property
    def orders(self) -> bool:
        return self.match.orderer == self.author

    @property
    def takes_part(self) -> bool:
        """Whether this is a player's replica, not a spectator's."""
        return self.author in self.live

    @property
    def ready(self) -> bool:
        """Whether it may sign: after a restart only once it has heard every live peer's head and has caught up, and never
        before the shuffles of the hand under way are checked, or after somebody was proven to break the rules."""
        checked = self.late is None or not self.late.urgent
        return self.takes_part and checked and self._unheard.isdisjoint(self.others) and not self.accusations

    @property
    def accusations(self) -> list[Accusation]:
        """What is proven against others, found here or told by somebody and checked."""
        return self._blaming.accusations

    @property
    def late(self) -> LateChecker | None:
        """The checker that may put shuffles off, if this replica has one."""
        checker = self.dealing.checker
        return checker if isinstance(checker, LateChecker) else None

    @property
    def checking(self) -> int:
        """How many shuffles are still being checked in the background."""
        return self.late.left if self.late is not None else 0

    @property
    def dealing(self) -> SealedDealing:
        dealing = self.match.dealing
        assert isinstance(dealing, SealedDealing)
        return dealing

    @property
    def dealt(self) -> SealedDealing:
        """The dealing with everything taken in that the rules have asked."""
        if self._dealt is None or self._dealt[0] != self.match.head:
            self._dealt = self.match.head, self.dealing.caught_up(self.match.state)
        return self._dealt[1]

    @property
    def wants_gone(self) -> set[str]:
        """The peers that this device's people agree to go on without."""
        return self._voting.wants_gone

    @wants_gone.setter
    def wants_gone(self, authors: set[str]) -> None:
        self._voting.wants_gone = authors

    @property
    def wants_without(self) -> set[str]:
        """Of these, the ones whose seats shall not be played on: the match ends, to go on as a new one without them."""
        return self._voting.wants_without

    @wants_without.setter
    def wants_without(self, authors: set[str]) -> None:
        self._voting.wants_without = authors

    @property
    def wants_timeout(self) -> set[int]:
        """The seats that have kept this device's people waiting long enough."""
        return self._voting.wants_timeout

    @wants_timeout.setter
    def wants_timeout(self, seats: set[int]) -> None:
        self._voting.wants_timeout = seats

    # ---- saying ----

    def move(self, seat: int, move: Move) -> None:
        """Say ``seat``'s move. Raises ``Refused`` for one that this replica knows to be wrong.

        While this peer's part of the next hand is on its way the move is kept, and said right after."""
        match = self.match
        if self.saying is not None and beside(self.saying):
            refusal = match.rules.own_refusal(match.state, seat, move, match.view((seat,)).faces)
            if refusal is not None:
                raise Refused(refusal)
            self._kept = seat, move
            return
        faces = match.view((seat,)).faces
        refusal = match.rules.own_refusal(match.state, seat, move, faces)
        if refusal is not None:
            raise Refused(refusal)
        openings = match.rules.openings(match.state, seat, move, faces)
        self.say("move", {"seat": seat, "do": move, "open": self.dealer.open(match.state, self.dealt, openings)})

    def say(self, kind: str, body: Message) -> None:
        """Sign, store and send a statement; one at a time. Raises ``Refused`` for one that would be refused."""
        if not self.ready:
            raise RuntimeError("nothing is signed before the others' heads are known")
        if self.saying is not None:
            raise RuntimeError("the last statement is not in the log yet")
        statement = Statement(self.match.id, self.author, self._count, self.match.head, kind, body)
        statement = replace(statement, signature=self.identity.sign(canonical(statement.signed())))
        self.match.judge(statement)
        self._count += 1
        self._keep_saying(statement)
        self._utter()

    def _keep_saying(self, statement: Statement | None) -> None:
        self.saying = statement
        self.storage.save_saying(statement, self._count)

    def _utter(self) -> None:
        """Place what is being said, or send it to the peer that orders."""
        statement = self.saying
        if statement is None:
            return
        self._said_at = self._now
        if self.orders or self._takes_over(statement):
            self._place(statement)
        else:
            self.send(self.match.orderer, {"t": "say", "s": statement.to_json()})

    def _takes_over(self, statement: Statement) -> bool:
        return statement.kind == "gone" and statement.body.get("order") == self.author == statement.author

    def _place(self, statement: Statement) -> None:
        """Give ``statement`` the next place, or tell its author why not."""
        match = self.match
        message = canonical(place(len(match.entries), match.head, statement.hash))
        entry = Entry.at(len(match.entries), match.head, statement, self.identity.sign(message))
        try:
            self.append(entry)
        except Refused as error:
            if statement.author == self.author:
                self._rejected(statement, str(error.refusal))
            else:
                self.send(statement.author, {"t": "no", "h": statement.hash, "k": error.refusal.key})
                self._blaming.statement(statement)
            return
        self.send(None, {"t": "put", "e": [entry.to_json()]})
        self._work()

    def append(self, entry: Entry) -> None:
        """Verify ``entry``, take it in and store it. Raises ``Refused`` and changes nothing if it is wrong."""
        deals, orderer = self.dealing.deals, self.match.orderer
        self.match.append(entry)
        self.storage.save_entry(entry)
        if self.late is not None and self.dealing.deals > deals:
            self.late.new_deal()
        if entry.statement.kind in ("deal", "device"):  # nothing else makes a card readable
            self.match.learn(self.dealer.read(self.dealing, self.match.knowledge))
        self.seen.entry(entry, orderer)
        if self.saying is not None and entry.statement.hash == self.saying.hash:
            self._keep_saying(None)
        if self.dealing.guilty is not None:
            self.accuse(Accusation.of_log(self.match, self.dealing.guilty, "shuffle"))

    def _rejected(self, statement: Statement, why: str) -> None:
        self.rejections.append((statement, why))
        self._keep_saying(None)

    def forget_saying(self) -> None:
        """What is being said was lost with the peer that ordered."""
        if self.saying is not None:
            self._rejected(self.saying, "kernel.gone")

    # ---- what falls due ----

    def _work(self) -> None:
        """Say what this peer owes: its part of the deal, "go on" where nobody's word is needed, handing the order on."""
        self._acknowledge()
        self._say_kept()
        while self.ready and self.saying is None and self.match.outcome is None:
            before = len(self.match.entries)
            owed = self._owed()
            if owed is None:
                return
            self.say(*owed)
            if len(self.match.entries) == before:
                return
            self._acknowledge()

    def _say_kept(self) -> None:
        """Make the move that waited; if the table has moved on so that it is wrong now, its author is told."""
        if self._kept is None or self.saying is not None or not self.ready:
            return
        (seat, move), self._kept = self._kept, None
        try:
            self.move(seat, move)
        except Refused as error:
            body: Message = {"seat": seat, "do": move, "open": []}
            self.rejections.append((self.match.propose(self.author, "move", body), error.refusal.key))

    def _acknowledge(self) -> None:
        """Tell the others at once that one holds an entry because of which shares are asked for."""
        if self._noted != self.match.head and self.ready and self.match.outcome is None:
            self._noted = self.match.head
            if self.seen.asked(self.dealt.ceremony) and len(self.live) > 2:
                self._following.tell_head()

    def _owed(self) -> tuple[str, Message] | None:
        state, dealt = self.match.state, self.dealt
        for duty in self.dealer.duties(state, dealt):
            if not self.unseen(self.seen.since(duty)):
                return "deal", self.dealer.fulfil(state, dealt, duty)
        if self.orders:
            if self.dealer.idle(state, dealt):
                return "deal", {}
            due = self.live[max(dealt.deals - 1, 0) % len(self.live)]
            if due != self.author and state.requests:
                return "order", {"to": due}
        if self._may_prepare():
            body = self.dealer.prepare(dealt)
            return None if body is None else ("deal", body)
        return None

    def _may_prepare(self) -> bool:
        """Whether this is a moment to prepare the next hand: there may be one, and nobody waits for this device."""
        match = self.match
        if match.state.requests or self.dealt.ceremony is None or type(match.rules).redeal is Rules.redeal or match.promised:
            return False
        return all(match.setup.seats[seat].by != self.author for seat in match.rules.to_act(match.state))

    def unseen(self, index: int) -> tuple[str, ...]:
        """Whose acknowledgement of entry ``index`` is waited for before anything is shared because of it."""
        return self.seen.lacking(self.others, index) if len(self.live) > 2 else ()

    # ---- hearing ----

    def receive(self, sender: str, data: bytes) -> None:
        """Take in what ``sender`` (known by the transport) sent. Whatever is wrong with it is counted and harmless."""
        if not self._allowance.takes(sender, len(data)):
            self.refused["peers.flood"] += 1
            return
        try:
            message = parse(data) if len(data) <= MOST_MESSAGE else None
            if type(message) is not dict:
                raise Malformed("not a message")
            following = self._following
            handler = {"say": self._hear_saying, "put": following.hear_entries, "head": following.hear_head,
                       "want": following.hear_want, "no": self._hear_no, "vote": self._voting.hear,
                       "blame": self._blaming.hear,
                       }.get(str(message.get("t")))
            if handler is None:
                raise Malformed("no such message")
            if not self._allowance.works(sender, message["t"]):
                raise refused("peers.flood")
            handler(sender, message)
        except Malformed:
            self.refused["malformed"] += 1
        except Refused as error:
            self.refused[error.refusal.key] += 1
        self._work()

    def _hear_saying(self, sender: str, message: Message) -> None:
        statement = Statement.from_json(message.get("s"))
        if statement.match != self.match.id:
            raise Malformed("another match")
        if not self.authority.statement_signed(statement):
            self.refused["peers.unsigned"] += 1
            return
        if not self.orders or not self.ready:
            self.refused["peers.not_ordering"] += 1
            return
        if statement.count < self.match.count(statement.author):
            self._hear_old_saying(sender, statement)
            return
        self._place(statement)

    def _hear_old_saying(self, sender: str, statement: Statement) -> None:
        """Said again, because its author has not seen its entry yet – or another statement with a used counter."""
        for entry in reversed(self.match.entries):
            placed = entry.statement
            if placed.author == statement.author and placed.count == statement.count:
                if placed.hash != statement.hash:
                    self.accuse(Accusation.of_counter(self.match, placed, statement))
                else:
                    self.send(sender, {"t": "put", "e": [entry.to_json()]})
                return
        self.refused["kernel.log.counter"] += 1
        self.send(sender, {"t": "no", "h": statement.hash, "k": "kernel.log.counter"})

    def _hear_no(self, sender: str, message: Message) -> None:
        if sender == self.match.orderer and self.saying is not None and message.get("h") == self.saying.hash:
            self._rejected(self.saying, str(message.get("k")))

    def heard(self, sender: str) -> None:
        """``sender`` has no entry that is missing here."""
        self._unheard.discard(sender)

    def leave(self) -> None:
        """Go politely: bots of the peer that orders play on, the hand is dealt anew."""
        order = self._voting.successor(self.author)
        self.say("gone", {"peer": self.author, "order": order, "heir": order, "then": "bot", "votes": {}})

    # ---- another device ----

    def offer(self, author: str) -> Message:
        """What this device, which follows the match, gives to ``author``, the same person's other device, to go on for it."""
        offered = self.dealer.offer(self.dealing, author)
        message = device_agreement(self.match.id, author, self.author, offered)
        return {"to": self.author, "offer": offered, "agreed": self.identity.sign(message)}

    def move_to(self, offer: Message) -> None:
        """Let the device that made ``offer`` go on, with all seats of this one and what they hold. Raises ``Refused``."""
        if offer.keys() != {"to", "offer", "agreed"}:
            raise refused("peers.device_form")
        deal, key = self.dealer.hand_over(self.dealt, offer["offer"])
        self.say("device", {**offer, "deal": deal, "key": key})

    def agree_to_seat(self, seat: int) -> str:
        """This device's signature that it will play ``seat`` from the next hand on, for whoever speaks for it now."""
        author = self.match.setup.seats[seat].by
        return self.identity.sign(seat_agreement(self.match.id, seat, author, self.author))

    def promise_seat(self, seat: int, to: Seat, agreed: str) -> None:
        """Let ``to``, whose device has agreed, play ``seat`` from the next hand on. Raises ``Refused``."""
        self.say("seat", {"seat": seat, "to": to.to_json(), "agreed": agreed})

    # ---- time ----

    def tick(self, now: float) -> None:
        """Time has come to ``now`` (seconds): say again what is not in the log, tell one's head, vote."""
        self._now = now
        self._allowance.renew(now)
        if now - self._said_at < RESEND:
            return
        self._said_at = now
        self._following.tell_head(gossip=True)
        self._following.check()
        self._blaming.look_again()
        if self.ready:
            if self.saying is not None:
                self._utter()
            self._voting.vote()
        self._work()

    def accuse(self, accusation: Accusation) -> None:
        """Hold what is proven against somebody, and tell the others."""
        self._blaming.accuse(accusation)

    def send(self, to: str | None, message: Message) -> None:
        if to != self.author:
            self.outbox.append((to, canonical(message)))

    def knowledge(self) -> Faces:
        """All the private faces this device knows."""
        return self.match.knowledge
