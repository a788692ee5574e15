"""One replica of a match among peers: keeps its log in step with the others over any transport.

Without input or output of its own: ``receive`` and ``tick`` take what came and the time, ``outbox`` collects what to send.
What it says is signed and stored before it is sent; every statement goes to the peer that orders, every entry is verified
before it is applied. It never blames for silence: only what is signed is evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Json, Statement, canonical, parse, place
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.shapes import Malformed, Move

from .authority import Signed, gone_vote, next_peer, timeout_vote
from .checking import LateChecker
from .evidence import Accusation, guilty_of_shuffle
from .identity import Identity
from .sealed_dealing import SealedDealer, SealedDealing

VERSION: Final = 1
BATCH: Final = 64  # entries in one message
MOST_AHEAD: Final = 512  # entries held that cannot be placed yet
RESEND: Final = 1.0  # seconds between two sayings of a statement that is not in the log yet, and of one's head
MANY: Final = 8  # entries in one message from which it is catching up, not play
CHECKED_A_TICK: Final = 2  # shuffles of finished hands
MOST_MESSAGE: Final = 8_000_000  # bytes

Message = dict[str, Json]


class Storage(Protocol):
    """What must be on the device before it is told to anyone."""

    def save_entry(self, entry: Entry) -> None: ...

    def save_saying(self, statement: Statement | None, count: int) -> None: ...


@dataclass(slots=True)
class Votes:
    """Signatures gathered for one question at one head."""

    message: bytes
    signatures: dict[str, str] = field(default_factory=dict)


class Peer:
    """A replica. ``to``: author of another peer, or None for all. ``refused``: what came in and was wrong, by reason."""

    def __init__(self, identity: Identity, authority: Signed, match: Match, dealer: SealedDealer, storage: Storage,
                 *, saying: Statement | None = None, count: int = 0, restarted: bool = False) -> None:
        self.identity = identity
        self.authority = authority
        self.match = match
        self.dealer = dealer
        self.storage = storage
        self.outbox: list[tuple[str | None, bytes]] = []
        self.refused: Counter[str] = Counter()
        self.accusations: list[Accusation] = []
        self.rejections: list[tuple[Statement, str]] = []  # one's own statements that the peer that orders refused
        self.saying = saying
        self._count = max(count, match.count(self.author))
        self._ahead: dict[int, Entry] = {}
        self._unheard = set(self.others) if restarted else set()
        self._now = 0.0
        self._said_at = -RESEND
        self._votes: dict[tuple[Any, ...], Votes] = {}
        self.wants_gone: set[str] = set()
        self.wants_timeout: set[int] = set()
        self._work()

    # ---- who ----

    @property
    def author(self) -> str:
        return self.identity.author

    @property
    def live(self) -> tuple[str, ...]:
        return tuple(peer for peer in self.authority.roster if peer not in self.match.gone)

    @property
    def others(self) -> tuple[str, ...]:
        """The live peers but this one."""
        return tuple(peer for peer in self.live if peer != self.author)

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
        return self.takes_part and checked and not (self._unheard & set(self.others)) and not self.accusations

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

    # ---- saying ----

    def move(self, seat: int, move: Move) -> None:
        """Say ``seat``'s move. Raises ``Refused`` for one that this replica knows to be wrong."""
        match = self.match
        faces = match.view((seat,)).faces
        refusal = match.rules.own_refusal(match.state, seat, move, faces)
        if refusal is not None:
            raise Refused(refusal)
        openings = match.rules.openings(match.state, seat, move, faces)
        self.say("move", {"seat": seat, "do": move, "open": self.dealer.open(match.state, self.dealing, openings)})

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
            self._send(self.match.orderer, {"t": "say", "s": statement.to_json()})

    def _takes_over(self, statement: Statement) -> bool:
        return statement.kind == "gone" and statement.body.get("order") == self.author == statement.author

    def _place(self, statement: Statement) -> None:
        """Give ``statement`` the next place, or tell its author why not."""
        match = self.match
        message = canonical(place(len(match.entries), match.head, statement.hash))
        entry = Entry.at(len(match.entries), match.head, statement, self.identity.sign(message))
        try:
            self._append(entry)
        except Refused as error:
            if statement.author == self.author:
                self._rejected(statement, str(error.refusal))
            else:
                self._send(statement.author, {"t": "no", "h": statement.hash, "k": error.refusal.key})
                self._blame(statement)
            return
        self._send(None, {"t": "put", "e": [entry.to_json()]})
        self._work()

    def _append(self, entry: Entry) -> None:
        deals = self.dealing.deals
        self.match.append(entry)
        self.storage.save_entry(entry)
        if self.late is not None and self.dealing.deals > deals:
            self.late.new_deal()
        self.match.learn(self.dealer.read(self.dealing, self.match.knowledge))
        if self.saying is not None and entry.statement.hash == self.saying.hash:
            self._keep_saying(None)
        if self.dealing.guilty is not None:
            self._accuse(Accusation.of_log(self.match, self.dealing.guilty, "shuffle"))

    def _rejected(self, statement: Statement, why: str) -> None:
        self.rejections.append((statement, why))
        self._keep_saying(None)

    # ---- what falls due ----

    def _work(self) -> None:
        """Say what this peer owes: its part of the deal, "go on" where nobody's word is needed, handing the order on."""
        while self.ready and self.saying is None and self.match.outcome is None:
            before = len(self.match.entries)
            owed = self._owed()
            if owed is None:
                return
            self.say(*owed)
            if len(self.match.entries) == before:
                return

    def _owed(self) -> tuple[str, Message] | None:
        state, dealing = self.match.state, self.dealing
        body = self.dealer.owes(state, dealing)
        if body is not None:
            return "deal", body
        if self.orders:
            if self.dealer.idle(state, dealing):
                return "deal", {}
            due = self.live[max(dealing.deals - 1, 0) % len(self.live)]
            if due != self.author and state.requests:
                return "order", {"to": due}
        return None

    # ---- hearing ----

    def receive(self, sender: str, data: bytes) -> None:
        """Take in what ``sender`` (known by the transport) sent. Whatever is wrong with it is counted and harmless."""
        try:
            message = parse(data) if len(data) <= MOST_MESSAGE else None
            if type(message) is not dict:
                raise Malformed("not a message")
            handler = {"say": self._hear_saying, "put": self._hear_entries, "head": self._hear_head,
                       "want": self._hear_want, "no": self._hear_no, "vote": self._hear_vote}.get(str(message.get("t")))
            if handler is None:
                raise Malformed("no such message")
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
        for entry in self.match.entries:
            placed = entry.statement
            if placed.author == statement.author and placed.count == statement.count:
                if placed.hash != statement.hash:
                    self._accuse(Accusation.of_counter(self.match, placed, statement))
                else:
                    self._send(sender, {"t": "put", "e": [entry.to_json()]})
                return
        self.refused["kernel.log.counter"] += 1
        self._send(sender, {"t": "no", "h": statement.hash, "k": "kernel.log.counter"})

    def _hear_no(self, sender: str, message: Message) -> None:
        if sender == self.match.orderer and self.saying is not None and message.get("h") == self.saying.hash:
            self._rejected(self.saying, str(message.get("k")))

    def _hear_entries(self, sender: str, message: Message) -> None:
        entries = message.get("e")
        if not isinstance(entries, list) or len(entries) > BATCH:
            raise Malformed("expected entries")
        for data in entries:
            entry = Entry.from_json(data)
            if entry.statement.match != self.match.id:
                raise Malformed("another match")
            if entry.index < len(self.match.entries):
                self._compare(entry)
            elif entry.index < len(self.match.entries) + MOST_AHEAD:
                self._ahead.setdefault(entry.index, entry)
            else:
                self.refused["peers.too_far_ahead"] += 1
        late = self.late
        if late is not None:
            late.catching_up = len(entries) > MANY
        self._advance(sender)
        if late is not None:
            late.catching_up = False
            self._check(late.urgent)

    def _check(self, count: int) -> None:
        """Check ``count`` shuffles that were put off; one that fails convicts its author from the log."""
        late = self.late
        if late is None or not count:
            return
        late.work(count)
        if late.failed:
            against = guilty_of_shuffle(self.match, self.authority, late.group)
            if against is not None:
                self._accuse(Accusation.of_log(self.match, against, "shuffle"))

    def _advance(self, sender: str) -> None:
        while (entry := self._ahead.pop(len(self.match.entries), None)) is not None:
            try:
                self._append(entry)
            except Refused as error:
                self._hear_wrong_entry(entry, error)
                return
        self._ahead = {index: entry for index, entry in self._ahead.items() if index > len(self.match.entries)}
        if self._ahead:
            self._send(sender, {"t": "want", "i": len(self.match.entries)})

    def _hear_wrong_entry(self, entry: Entry, error: Refused) -> None:
        """An entry that cannot stand here: evidence, if the peer that orders signed it for this very place."""
        if entry.previous == self.match.head and self.authority.place_signed(entry, self.match.orderer):
            self._accuse(Accusation.of_place(self.match, entry))
        elif entry.previous != self.match.head and self.authority.place_signed(entry, self.match.orderer):
            self.refused["peers.other_history"] += 1
        else:
            self.refused[error.refusal.key] += 1

    def _compare(self, entry: Entry) -> None:
        """Two places at one index, signed by one key, are a fork."""
        ours = self.match.entries[entry.index]
        if ours.hash == entry.hash or entry.index == 0:
            return
        orderer = self.match.at(entry.index - 1).orderer
        if self.authority.place_signed(entry, orderer):
            self._accuse(Accusation.of_fork(self.match, ours, entry))
        else:
            self.refused["peers.place_unsigned"] += 1

    def _hear_head(self, sender: str, message: Message) -> None:
        index, head = message.get("i"), message.get("h")
        if message.get("m") != self.match.id or message.get("v") != VERSION:
            raise Malformed("another match or version")
        if type(index) is not int or type(head) is not str:
            raise Malformed("expected a head")
        mine = len(self.match.entries) - 1
        if index > mine:
            self._send(sender, {"t": "want", "i": mine + 1})
            return
        self._unheard.discard(sender)
        if index < 0:
            raise Malformed("expected a head")
        if self.match.entries[index].hash != head:
            self._send_entries(sender, index)  # let the other side compare: one of us holds proof of a fork
            self._send(sender, {"t": "want", "i": index})
        elif index < mine:
            self._send_entries(sender, index + 1)

    def _hear_want(self, sender: str, message: Message) -> None:
        index = message.get("i")
        if type(index) is not int or index < 0:
            raise Malformed("expected an index")
        self._send_entries(sender, index)

    def _send_entries(self, to: str, start: int) -> None:
        entries = self.match.entries[start:start + BATCH]
        if entries:
            self._send(to, {"t": "put", "e": [entry.to_json() for entry in entries]})

    # ---- votes: a seat that keeps the table waiting, a peer that is gone ----

    def _questions(self) -> Iterable[tuple[tuple[Any, ...], bytes, str]]:
        """What this peer agrees to just now: the question, what is signed, who gathers the votes."""
        match = self.match
        for seat in sorted(self.wants_timeout):
            if seat in match.rules.to_act(match.state):
                yield ("timeout", seat), timeout_vote(match.id, match.head, seat), match.orderer
        for gone in sorted(self.wants_gone & set(self.live)):
            order = self._successor(gone)
            yield ("gone", gone), gone_vote(match.id, match.head, gone, order, order), order

    def _successor(self, gone: str) -> str:
        """Who orders once ``gone`` is gone: whoever does now, or the next live peer."""
        return next_peer(self.live, gone) if self.match.orderer == gone else self.match.orderer

    def _vote(self) -> None:
        for question, message, gatherer in self._questions():
            signature = self.identity.sign(message)
            if gatherer == self.author:
                self._count_vote(question, message, self.author, signature)
            else:
                self._send(gatherer, {"t": "vote", "q": list(question), "h": self.match.head, "sig": signature})

    def _hear_vote(self, sender: str, message: Message) -> None:
        for question, signed, gatherer in self._questions():
            if list(question) == message.get("q") and gatherer == self.author and message.get("h") == self.match.head:
                signature = message.get("sig")
                if type(signature) is not str or not self.authority.verifier.verify(sender, signed, signature):
                    raise Malformed("a vote that is not signed")
                self._count_vote(question, signed, sender, signature)
                return

    def _count_vote(self, question: tuple[Any, ...], message: bytes, voter: str, signature: str) -> None:
        votes = self._votes.setdefault(question, Votes(message))
        if votes.message != message:  # the log went on: votes at an older head are void
            votes = self._votes[question] = Votes(message)
        votes.signatures[voter] = signature
        what, whom = question
        if not self.ready or (self.saying is not None and what != "gone"):
            return
        owner = whom if what == "gone" else self.match.setup.seats[whom].by
        left = [peer for peer in self.live if peer != owner]
        if not set(left) <= votes.signatures.keys():
            return
        signatures = {peer: votes.signatures[peer] for peer in left}
        del self._votes[question]
        if what == "gone" and 2 * len(left) > len(self.authority.roster):
            if self.saying is not None:  # it went to the peer that is gone, and can only have been lost with it
                self._rejected(self.saying, "kernel.gone")
            self.say("gone", {"peer": whom, "order": self.author, "heir": self.author, "votes": signatures})
        elif what == "timeout" and len(left) > 1:
            self.say("timeout", {"seat": whom, "agreed": signatures})

    def leave(self) -> None:
        """Go politely: bots of the peer that orders play on, the hand is dealt anew."""
        order = self._successor(self.author)
        self.say("gone", {"peer": self.author, "order": order, "heir": order, "votes": {}})

    # ---- time ----

    def tick(self, now: float) -> None:
        """Time has come to ``now`` (seconds): say again what is not in the log, tell one's head, vote."""
        self._now = now
        if now - self._said_at < RESEND:
            return
        self._said_at = now
        self._send(None, {"t": "head", "i": len(self.match.entries) - 1, "h": self.match.head,
                          "m": self.match.id, "v": VERSION})
        self._check(min(self.checking, CHECKED_A_TICK))
        if self.ready:
            if self.saying is not None:
                self._utter()
            self._vote()
        self._work()

    # ---- evidence ----

    def _blame(self, statement: Statement) -> None:
        """A signed statement that was already wrong at the head it names convicts its author."""
        accusation = Accusation.of_statement(self.match, statement)
        if accusation is not None:
            self._accuse(accusation)

    def _accuse(self, accusation: Accusation) -> None:
        if all(known.against != accusation.against or known.why != accusation.why for known in self.accusations):
            self.accusations.append(accusation)

    def _send(self, to: str | None, message: Message) -> None:
        if to != self.author:
            self.outbox.append((to, canonical(message)))

    def knowledge(self) -> Faces:
        """All the private faces this device knows."""
        return self.match.knowledge
