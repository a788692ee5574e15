"""One replica of a match among peers: it keeps its log in step with the others over any transport.

It has no input or output of its own: ``receive`` and ``tick`` take what came and the time, ``take`` gives what is to be stored
and sent. What it says is signed, and stored before it is sent. Every statement goes to the peer that orders, and every entry is
verified before it is appended. Its parts read one shared ``ReplicaState``; they never call back into the replica. It never
blames for silence: only what is signed is evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import Hash, Statement, parse, value_count
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.schema import Malformed, Move
from tabletin.kernel.setup import Seat
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.identity import Identity
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.authority import LogEnd, SignedAuthority
from tabletin.peers.replication.backfill import Backfill
from tabletin.peers.replication.ballots import Ballots
from tabletin.peers.replication.choices import Choices
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.replication.evidence import Accusation, check_size
from tabletin.peers.replication.membership import Membership
from tabletin.peers.replication.offer import Offer
from tabletin.peers.replication.outbox import Message, Outbox, Output
from tabletin.peers.replication.payloads import Payloads, travel_time
from tabletin.peers.replication.rate_limit import RateLimit
from tabletin.peers.replication.sequencer import Sequencer
from tabletin.peers.replication.state import ReplicaState
from tabletin.peers.replication.statement_quota import exceeds_quota
from tabletin.peers.replication.sync import LogSync
from tabletin.peers.replication.timeout_votes import TimeoutVotes

TICK: Final = 1.0  # seconds between two heads that it tells, and before a pending statement is sent again
MOST_TRIES: Final = 4  # after each of so many sendings the next one waits a tick longer
MOST_MESSAGE: Final = 8_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Sending:
    """The last time a pending statement was sent: which one, to whom, how often so far, and when it is due again."""

    statement: str = ""
    orderer: str = ""
    tries: int = 0
    due: float = 0.0


class Replica:
    """A replica. After each call of a method, ``take`` gives what is to be stored and sent."""

    def __init__(self, identity: Identity, authority: SignedAuthority, match: Match, dealer: SealedDealer, *,
                 pending: Statement | None = None, count: int = 0, dead: Sequence[Statement] = (),
                 promise: EpochVote | None = None, bound_end: LogEnd | None = None, dead_lengths: Sequence[int] = (),
                 begun_epoch: int = 0, restarted: bool = False) -> None:
        """``pending``, ``count``, ``dead``, ``promise``, ``bound_end``, ``dead_lengths``, ``begun_epoch``: as they were
        stored last (``Pending``); ``restarted``: others may know more than it does."""
        state = ReplicaState(identity, authority, match, dealer, pending=pending, count=count, dead=dead, promise=promise,
                             bound_end=bound_end, dead_lengths=dead_lengths, begun_epoch=begun_epoch, restarted=restarted)
        outbox = Outbox(state.author)
        self.state = state
        self.identity = identity
        self.match = match
        self.dealer = dealer
        self.refusal_counts = state.refusal_counts
        self.accusations = state.accusations
        self.outbox = outbox.messages
        self.rejections = state.rejections
        self.membership = Membership(state)
        self.choices = Choices()
        self._timeout_votes = TimeoutVotes(state, outbox, self.choices)
        self._ballots = Ballots(state, outbox, self.choices)
        self._outbox = outbox
        self._payloads = Payloads(state, outbox)
        self._backfill = Backfill(state, outbox, self._payloads)
        self._accusations = Accusations(state, outbox)
        self._sync = LogSync(state, outbox, self._backfill, self._accusations)
        self._sequencer = Sequencer(state, outbox, self._backfill, self._accusations, self.choices)
        self._rate_limit = RateLimit()
        self._now = 0.0
        self._last_tick = -TICK
        self._told_at = -TICK  # when it last told its head
        self._sending = Sending()
        self._noted_head = ""  # the head after which the wanted shares were noted last
        self._postponed: tuple[int, Move] | None = None  # a move to be said next
        if state.deferred_checker is not None:
            state.deferred_checker.author = state.author
        self._prepared: tuple[Hash, Message | None] | None = None  # behind which entry, and what prepares the next hand
        self._doubted: tuple[str, str] | None = None  # the pending statement that was answered "no", and where it was judged
        self.work()

    # ---- what others read ----

    @property
    def author(self) -> str:
        return self.state.author

    @property
    def live(self) -> tuple[str, ...]:
        return self.state.live

    @property
    def other_authors(self) -> tuple[str, ...]:
        return self.state.other_authors

    @property
    def orders(self) -> bool:
        return self.state.orders

    @property
    def takes_part(self) -> bool:
        return self.state.takes_part

    @property
    def ready(self) -> bool:
        return self.state.ready

    @property
    def pending(self) -> Statement | None:
        return self.state.pending

    @property
    def dealing(self) -> SealedDealing:
        return self.state.dealing

    @property
    def current_dealing(self) -> SealedDealing:
        return self.state.current_dealing

    @property
    def deferred_checker(self) -> DeferredChecker | None:
        return self.state.deferred_checker

    @property
    def unchecked_count(self) -> int:
        """How many shuffles are still to be checked in the background."""
        return self.deferred_checker.remaining if self.deferred_checker is not None else 0

    def take(self) -> Output:
        """What came of all calls since this was last asked. To be stored, and only then to be sent."""
        length, entries, pending = self.state.take()
        output = Output(entries, pending, tuple(self.outbox), length)
        self.outbox.clear()
        return output

    # ---- saying ----

    def move(self, seat: int, move: Move) -> Hash | None:
        """Say ``seat``'s move; the hash of the statement. Raises ``Refused`` for one that this replica knows to be wrong.

        While this peer's part of the next hand is on its way, the move is postponed until that is in the log: then None."""
        said = self._move(seat, move)
        self.work()
        return said

    def say(self, kind: str, body: Message) -> Hash:
        """Sign a statement, to be stored and sent; one at a time. Its hash. Raises ``Refused`` for one that would be refused."""
        said = self._say(kind, body)
        self.work()
        return said

    def leave(self) -> None:
        """Leave as soon as nothing is asked for. Raises ``Refused``."""
        self.membership.leave()
        self.work()

    def move_to(self, offer: Offer) -> Hash:
        """Let the device that made ``offer`` go on, with all seats of this one and what they hold. Raises ``Refused``, also while
        the peer that orders is silent: whoever signed that votes no more, and nobody else could go on without that peer; and
        while a seat is promised to this device, which would have it all the same."""
        if any(player.author == self.author for player in self.match.promises.values()):
            raise refused("peers.device_promised")
        if len(self.live) > 2 and not self.orders and self.state.is_silent(self.match.orderer):
            raise refused("peers.device_wait")
        return self.say("device", self.membership.device_body(offer))

    def promise(self, seat: int, to: Seat, agreed: str) -> Hash:
        """Let ``to``, whose device has agreed, play ``seat`` from the next hand on. Raises ``Refused``."""
        return self.say("seat", self.membership.seat_body(seat, to, agreed))

    def accuse(self, accusation: Accusation) -> None:
        """Hold what is proven against a peer, and tell the others."""
        self._accusations.accuse(accusation)

    def check_urgent(self) -> None:
        """Check the shuffles that are put off and that the state of the match depends on."""
        self._sync.check_urgent()

    def check_all(self) -> None:
        """Check all shuffles that are put off. It takes as long as the log is, so it is for what is rare."""
        self._sync.check_all()

    def _move(self, seat: int, move: Move) -> Hash | None:
        match, pending = self.match, self.pending
        if self.membership.is_leaving:
            raise refused("peers.leaving")
        if seat in range(match.rules.seats) and match.setup.seats[seat].author != self.author:
            raise refused("kernel.not_your_seat", seat=seat)  # this device cannot read what that seat holds
        if pending is not None and prepares_next_hand(pending):
            match.view((seat,)).prepare(seat, move)
            self._postponed = seat, move
            return None
        read, openings = match.view((seat,)).prepare(seat, move)
        body = {"seat": seat, "do": read, "open": self.dealer.open(match.state, self.current_dealing, openings)}
        return self._say("move", body)

    def _say(self, kind: str, body: Message) -> Hash:
        state = self.state
        if not state.ready:
            raise RuntimeError("nothing is signed before the others' heads are known")
        if state.pending is not None:
            raise RuntimeError("the last statement is not in the log yet")
        statement = self._sign(kind, body, self.match.head)
        if exceeds_quota(reversed(self.match.entries), statement):
            raise refused("peers.quota")  # nobody has to place it, and nothing else could be said meanwhile
        self.match.judge(statement)
        state.count += 1
        state.set_pending(statement)
        self._send_pending()
        return statement.hash

    def _send_pending(self) -> None:
        """Place the pending statement, or send it to the peer that orders."""
        statement, orderer = self.pending, self.match.orderer
        if statement is None:
            return
        if self._now - self._told_at < 3 * TICK:
            self._last_tick = self._now
        before = self._sending
        tries = before.tries + 1 if (before.statement, before.orderer) == (statement.hash, orderer) else 1
        patience = TICK * min(tries, MOST_TRIES) + travel_time(len(statement.canonical_bytes))
        self._sending = Sending(statement.hash, orderer, tries, self._now + patience)
        if self.orders:
            self._sequencer.place_due(statement)
            self._judge_pending()
        elif tries == 1:
            self._outbox.send(orderer, self._payloads.say(statement))
        else:  # the text that went apart may be lost
            self._outbox.send(orderer, {"t": "say", "s": statement.to_json()})

    def _judge_pending(self) -> None:
        """Give the pending statement up if this device's own log refuses it: then it can never stand. Nobody's word is enough,
        for who says "no" and places it all the same could choose between two statements."""
        statement = self.pending
        refusal = None if statement is None else self.match.refusal(statement)
        if refusal is not None:
            self._give_up(refusal.key)

    def _give_up(self, why: str) -> None:
        """The pending statement is dead."""
        statement = self.pending
        assert statement is not None
        self.rejections.append((statement, why))
        self.state.bury_pending()
        if statement.kind == "leave":
            self.membership.note_refusal()

    def _withdraw(self) -> None:
        """Take an own undo back that nobody has to place any more, because this device's seat was timed out meanwhile: it could
        wait for ever. Agreeing to go back to where the log stands changes nothing, and its counter kills the undo."""
        undo, match = self.pending, self.match
        if undo is None or undo.kind != "undo" or self.state.placing_refusal(undo) is None:
            return
        body: Message = {"seat": undo.body["seat"], "to": len(match.entries) - 1}
        if self.state.placing_refusal(self._sign("consent", body, match.head)) is None:
            self._give_up("kernel.undo.consent")
            self._say("consent", body)

    def _judge_doubted(self) -> None:
        """Judge a pending statement that was answered "no" again, where the log has gone on."""
        if self._doubted is None or self.pending is None or self.pending.hash != self._doubted[0]:
            self._doubted = None
        elif self._doubted[1] != self.match.head:
            self._doubted = self._doubted[0], self.match.head
            self._judge_pending()

    def _begin_epoch(self) -> None:
        """Place the first entry of the epoch that enough have voted for, right behind the newest entry that any of them held.
        An own statement that is still on its way may be dead by it."""
        state, certificate = self.state, self._ballots.certificate()
        if certificate is None:
            return
        self._sync.check_urgent()
        index = certificate.index
        if index >= len(self.match.entries) or state.is_stopped:  # perhaps by what was checked
            return
        statement = self._sign(certificate.kind, certificate.body, self.match.entries[index].hash)
        if self.match.refusal_at(index, statement) is not None:
            return
        if index + 1 < len(self.match.entries):
            if state.settled_behind(index + 1):
                return
            state.cut(index + 1)
        state.count += 1
        state.has_signed = True
        self._sequencer.place(statement)
        self._judge_pending()

    def _sign(self, kind: str, body: Message, head: Hash) -> Statement:
        statement = Statement(self.match.id, self.state.author, self.state.count, head, kind, body)
        return replace(statement, signature=self.identity.sign(statement.canonical_bytes))

    # ---- what is due ----

    def work(self) -> None:
        """Say what this peer owes: its part of the deal, an empty ``deal`` where no message is needed, a new orderer."""
        self._suspect_votes()
        while True:
            self._begin_epoch()
            self._note_departure()
            self._note_wanted_shares()
            self._judge_doubted()
            self._say_postponed()
            if not self.ready or self.pending is not None or self.match.outcome is not None:
                return
            owed = self._owed()
            if owed is None:
                return
            before = len(self.match.entries)
            self._say(*owed)
            if len(self.match.entries) == before:
                return

    def _suspect_votes(self) -> None:
        """Somebody may have told this device another vote than the one by which the log has gone on."""
        for one, other in self._ballots.contradictions():
            self._accusations.accuse_votes(one, other)

    def _note_departure(self) -> None:
        """Who is gone and comes back means nothing of what it meant before: its wish to leave, and a leave that got no place."""
        if not self.takes_part:
            self.membership.note_departure()
            self._judge_pending()

    def _say_postponed(self) -> None:
        """Say the move that waited. If the match has gone on so that it is wrong now, it counts as refused."""
        if self._postponed is None or self.pending is not None or not self.ready:
            return
        (seat, move), self._postponed = self._postponed, None
        try:
            self._move(seat, move)
        except Refused as error:
            body: Message = {"seat": seat, "do": move, "open": []}
            self.rejections.append((self.match.propose(self.author, "move", body), error.refusal.key))

    def _note_wanted_shares(self) -> None:
        """Tell the others at once that this device holds an entry because of which shares are asked for."""
        if self._noted_head != self.match.head and self.ready and self.match.outcome is None:
            self._noted_head = self.match.head
            if self.state.acknowledgements.note_wanted(self.current_dealing.deal) and not self.state.are_two:
                self._sync.tell_head()

    def _owed(self) -> tuple[str, Message] | None:
        """The kind and body of the statement that this peer owes now."""
        if self.membership.is_leaving:
            leave = self.membership.leave_body()
            if leave is not None:
                return "leave", leave
        state, dealing, due = self.match.state, self.current_dealing, self.match.snapshot.must_order
        if self.orders and self.dealer.idle(state, dealing):
            return "deal", {}
        if due:
            return ("order", {"to": due}) if self.orders else None
        for duty in self.dealer.duties(state, dealing):
            if not self.state.missing_acknowledgers(self.state.acknowledgements.wanted_since(duty)):
                return "deal", self.dealer.fulfil(state, dealing, duty)
        if self._may_prepare():
            body = self._next_hand()
            return None if body is None or not self._payloads.offer(body) else ("deal", body)
        return None

    def _next_hand(self) -> Message | None:
        """What prepares the next hand, made once. Moves change nothing about it."""
        index = next(entry.index for entry in reversed(self.match.entries) if entry.statement.kind != "move")
        at = self.match.entries[index].hash
        if self._prepared is None or self._prepared[0] != at:
            self._prepared = at, self.dealer.prepare(self.current_dealing)
        return self._prepared[1]

    def _may_prepare(self) -> bool:
        """Whether this is a moment to prepare the next hand: there may be one, and nobody waits for this device."""
        match = self.match
        if self.membership.is_leaving or match.state.requests or match.promises:
            return False
        if self.current_dealing.deal is None or not match.rules.several_hands:
            return False
        return all(match.setup.seats[seat].author != self.author for seat in match.rules.to_act(match.state))

    # ---- hearing ----

    def receive(self, sender: str, data: bytes) -> None:
        """Take in what ``sender`` (known by the transport) sent. Whatever is wrong with it is counted and harmless."""
        limit, payer = self._rate_limit, self.state.payer(sender)
        if not limit.takes(payer, len(data)) or not limit.parses(payer, value_count(data)):
            self.refusal_counts["peers.flood"] += 1
            return
        self._take(sender, data)
        self.work()

    def _take(self, sender: str, data: bytes | Message) -> None:
        """Hear a message, parsed or not, and count what is wrong with it."""
        try:
            message = data if not isinstance(data, bytes) else parse(data) if len(data) <= MOST_MESSAGE else None
            if type(message) is not dict:
                raise Malformed("not a message")
            self._hear(sender, message)
        except Malformed:
            self.refusal_counts["malformed"] += 1
        except Refused as error:
            self.refusal_counts[error.refusal.key] += 1

    def _hear(self, sender: str, message: Message) -> None:
        """Raises ``Malformed`` or ``Refused``."""
        hear = {"say": self._sequencer.hear_statement, "put": self._sync.hear_entries, "head": self._sync.hear_head,
                "want": self._sync.hear_want, "no": self._hear_no, "vote": self._hear_timeout_vote,
                "wish": self._ballots.hear_wish, "ballot": self._hear_ballot,
                "plea": self._hear_plea, "blame": self._hear_blame, "load": self._hear_load,
                "have": self._payloads.hear_have,
                }.get(str(message.get("t")))
        if hear is None:
            raise Malformed("no such message")
        payer = self.state.payer(sender)
        if not self._rate_limit.works(payer, message["t"], self._lateness(message)):
            raise refused("peers.flood")
        if "apart" in message:
            if not self._rate_limit.takes(payer, self._payloads.size_apart(message)):
                raise refused("peers.flood")
            filled = self._payloads.fill(sender, message)
            if filled is None:
                index = self._payloads.missing_entry(message)
                if index is not None:
                    self._backfill.note_head(sender, index)
                return
            message = filled
        if not self._rate_limit.deals(payer, self._size_dealt(message)):
            raise refused("peers.flood")
        hear(sender, message)

    def _lateness(self, message: Message) -> int:
        """Behind how many entries the statement in ``message`` is judged, if there is one."""
        match message:
            case {"t": "say" | "plea", "s": {"head": str(head), "kind": kind}}:
                return self.match.lateness(kind, head)
        return 0

    @staticmethod
    def _size_dealt(message: Message) -> int:
        """How many characters of the dealing the statement in ``message`` holds, if there is one."""
        match message:
            case {"t": "say" | "plea", "s": {"kind": "deal" | "leave", "body": dict(body)}}:
                return sum(len(text) for text in body.values() if type(text) is str)
        return 0

    def _hear_load(self, sender: str, message: Message) -> None:
        """A text came that goes into messages which came before it, or will come."""
        for speaker, filled in self._payloads.hear(sender, message):
            self._take(speaker, filled)

    def _hear_no(self, sender: str, message: Message) -> None:
        pending = self.pending
        if sender == self.match.orderer and pending is not None and message.get("h") == pending.hash:
            if self._doubted == (pending.hash, self.match.head):
                return  # it was judged here, and a leave takes long
            self._doubted = pending.hash, ""
            self._judge_doubted()
            if self.pending is not None:  # its log is another than ours
                self._outbox.send(sender, {"t": "want", "i": len(self.match.entries)})

    def _hear_timeout_vote(self, sender: str, message: Message) -> None:
        body = self._timeout_votes.hear(sender, message)
        if body is not None:
            self._time_out(body)

    def _time_out(self, body: Message) -> None:
        """Say a timeout that enough have voted for. Where the rules refuse it, nothing is said: people vote for what they see,
        and the match may be further on."""
        try:
            self._say("timeout", body)
        except Refused as error:
            self.refusal_counts[error.refusal.key] += 1

    def _hear_ballot(self, sender: str, message: Message) -> None:
        other = self._ballots.hear_vote(sender, message)
        if other is not None:
            vote = EpochVote.from_json({name: value for name, value in message.items() if name != "t"})
            self._accusations.accuse_votes(other, vote)

    def _hear_blame(self, sender: str, message: Message) -> None:
        self._sync.check_urgent()
        self._accusations.hear(sender, message)

    def _hear_plea(self, sender: str, message: Message) -> None:
        """A statement that the peer that orders holds back, its author says: hand it to that peer, or place it. Nobody pleads for
        another one: who did would have its old statements judged in place of its new one."""
        statement = Statement.from_json(message.get("s"))
        check_size(statement)
        if statement.match != self.match.id or not self.state.authority.statement_signed(statement):
            raise Malformed("a plea that is not signed")
        if self.orders:
            self._sequencer.hear_statement(sender, message)
        elif sender == statement.author and self._ballots.hear_plea(statement):
            self._outbox.send(self.match.orderer, {"t": "say", "s": statement.to_json()})

    # ---- time ----

    def tick(self, now: float) -> None:
        """Time has come to ``now`` (seconds): send what is not in the log again, tell the head, vote."""
        self._now = now
        self.state.note_time(now)
        self._rate_limit.renew(now)
        self._backfill.tick(now)
        if now - self._last_tick < TICK:
            return
        self._last_tick = self._told_at = now
        self._sync.tell_head(gossip=True)
        self._sync.tick()
        self._sync.check_deferred()
        self._accusations.tick()
        self.membership.tick()
        self._suspect_votes()
        self._ballots.tick()
        self.state.forget_dead()
        if self.ready:
            if now >= self._sending.due or self._sending.orderer != self.match.orderer:
                self._judge_pending()
                self._withdraw()
                self._send_pending()
            for body in self._timeout_votes.vote():
                self._time_out(body)
        self.work()
