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
from tabletin.kernel.log import Entry, Json, Statement, canonical, parse
from tabletin.kernel.match import Match, prepares_next_hand
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.schema import Malformed, Move
from tabletin.kernel.setup import Setup, peers_of
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred import DeferredChecker
from tabletin.peers.identity import Identity
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.acks import Acknowledgements
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.backfill import Backfill
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.membership import Membership
from tabletin.peers.replication.rate_limit import RateLimit
from tabletin.peers.replication.sequencer import Sequencer
from tabletin.peers.replication.sync import LogSync
from tabletin.peers.replication.votes import Votes

RESEND: Final = 1.0  # seconds between two sayings of a statement that is not in the log yet, and of one's head
MOST_TRIES: Final = 4  # sayings after each of which it takes one such time longer
MOST_MESSAGE: Final = 8_000_000  # bytes

Message = dict[str, Json]


class Storage(Protocol):
    """What must be on the device before it is told to anyone."""

    def save_entry(self, entry: Entry) -> None: ...

    def save_saying(self, statement: Statement | None, count: int) -> None: ...


class Replica:
    """A replica. ``to``: author of another peer, or None for all. ``refused``: what came in and was wrong, by reason."""

    def __init__(self, identity: Identity, authority: SignedAuthority, match: Match, dealer: SealedDealer, storage: Storage,
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
        self.seen = Acknowledgements(match, authority)
        self.tails = Backfill(self)
        self._following = LogSync(self)
        self._voting = Votes(self)
        self._blaming = Accusations(self)
        self._ordering = Sequencer(self)
        self.seats = Membership(self)
        self._allowance = RateLimit()
        self._unheard = set(self.others) if restarted else set()
        self._now = 0.0
        self._said_at = -RESEND
        self._said_to, self._tries, self._again_at = ("", ""), 0, 0.0
        self._dealt: tuple[str, SealedDealing] | None = None
        self._noted = ""
        self._kept: tuple[int, Move] | None = None  # a move to be said next
        if self.late is not None:
            self.late.author = self.author
        self.work()

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
    def successor(self) -> str:
        """Who puts in order once this peer is gone."""
        return self._voting.successor(self.author)

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
    def late(self) -> DeferredChecker | None:
        """The checker that may put shuffles off, if this replica has one."""
        checker = self.dealing.checker
        return checker if isinstance(checker, DeferredChecker) else None

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
        if self.seats.leaving:
            raise refused("peers.leaving")
        if self.saying is not None and prepares_next_hand(self.saying):
            match.view((seat,)).prepare(seat, move)
            self._kept = seat, move
            return
        read, openings = match.view((seat,)).prepare(seat, move)
        self.say("move", {"seat": seat, "do": read, "open": self.dealer.open(match.state, self.dealt, openings)})

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
        self.seats.left_for_good = self.seats.left_for_good or kind == "leave"
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
        to = statement.hash, self.match.orderer
        self._tries = self._tries + 1 if to == self._said_to else 1
        self._said_to, self._again_at = to, self._now + RESEND * min(self._tries, MOST_TRIES)
        if self.orders or self._takes_over(statement):
            self._ordering.place(statement)
        else:
            self.send(self.match.orderer, {"t": "say", "s": statement.to_json()})

    def _takes_over(self, statement: Statement) -> bool:
        return statement.kind == "gone" and statement.body.get("order") == self.author == statement.author

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

    def rejected(self, statement: Statement, why: str) -> None:
        """The peer that orders refused what this one said, or is gone."""
        self.rejections.append((statement, why))
        if statement.kind == "leave":
            self.saying = None  # but not on the disk: whoever has signed a leave leaves, also after a restart
            self.seats.refused()
        else:
            self._keep_saying(None)

    def forget_saying(self) -> None:
        """What is being said was lost with the peer that ordered."""
        if self.saying is not None:
            self.rejected(self.saying, "kernel.gone")

    # ---- what falls due ----

    def work(self) -> None:
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
        if self.seats.leaving:
            leave = self.seats.last_word()
            if leave is not None:
                return "leave", leave
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
        if self.seats.leaving or match.state.requests or match.promised:
            return False
        if self.dealt.ceremony is None or not match.rules.several_hands:
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
            handler = {"say": self._ordering.hear_saying, "put": following.hear_entries, "head": following.hear_head,
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
        self.work()

    def _hear_no(self, sender: str, message: Message) -> None:
        if sender == self.match.orderer and self.saying is not None and message.get("h") == self.saying.hash:
            self.rejected(self.saying, str(message.get("k")))

    def heard(self, sender: str) -> None:
        """``sender`` has no entry that is missing here."""
        self._unheard.discard(sender)

    # ---- time ----

    def tick(self, now: float) -> None:
        """Time has come to ``now`` (seconds): say again what is not in the log, tell one's head, vote."""
        self._now = now
        self._allowance.renew(now)
        self.tails.look(now)
        if now - self._said_at < RESEND:
            return
        self._said_at = now
        self._following.tell_head(gossip=True)
        self._following.check()
        self._blaming.look_again()
        self.seats.look_again()
        if self.ready:
            if self.saying is not None and (now >= self._again_at or self._said_to[1] != self.match.orderer):
                self._utter()
            self._voting.vote()
        self.work()

    def suspect(self, statement: Statement) -> None:
        """A signed statement was refused: whether that was a misdeed."""
        self._blaming.statement(statement)

    def accuse(self, accusation: Accusation) -> None:
        """Hold what is proven against somebody, and tell the others."""
        self._blaming.accuse(accusation)

    def send(self, to: str | None, message: Message) -> None:
        if to != self.author:
            self.outbox.append((to, canonical(message)))

    def knowledge(self) -> Faces:
        """All the private faces this device knows."""
        return self.match.knowledge
