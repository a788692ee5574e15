"""A replica behind a wall of text: what a page asks of the worker that holds it, and what it answers.

Each call is one text and so is its answer (``answer``), so that the worker may be a browser's, a process or a test. The page
gives what arrived from others and the time. It gets back what to send, which entries are new, and the faces of its own seats.
Secrets stay on this side.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, Hash, Statement, canonical, parse, place
from tabletin.kernel.logfile import audit
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.schema import Malformed, read_move
from tabletin.kernel.setup import PROTOCOL, Setup, check_names, check_seats
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.identity import Identity, Verifier
from tabletin.peers.league.file import read_league_file
from tabletin.peers.league.result import result_of
from tabletin.peers.league.signed_result import ResultSignature, SignedResult, check_day, signed_bytes
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.epoch_vote import EpochVote, read_end
from tabletin.peers.replication.evidence import Accusation, judge, judge_behind, peer_match, what_was_wrong
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.worker import calls
from tabletin.peers.worker.answer import News, WorkerAnswer
from tabletin.peers.worker.progress import progress_of
from tabletin.peers.worker.results import (
    AccusationProof,
    AccusationReport,
    DeviceAuthor,
    Genesis,
    Proofs,
    ResultsCheck,
    Signature,
    SignatureCheck,
    SpeechResult,
)
from tabletin.peers.worker.status import SAID, WAITS, Culprit, WorkerStatus
from tabletin.peers.worker.verify import proven_match, verify_log
from tabletin.registry import rules_of

SEED_BYTES: Final = 32
HELLO: Final = b"tabletin hello\n"  # before what a page has signed, so that it can never be a statement or a place
MOST_REJECTIONS: Final = 3  # of own statements, told to the page


class ReplicaService:
    """One replica: ``call(text)`` with a call of ``calls`` answers with an ``WorkerAnswer``, both as text.

    A call may name the ``match`` it is for. One for another match is refused and hears no news.
    """

    def __init__(self, group: PrimeGroup, verifier: Verifier, identity: Callable[[bytes], Identity]) -> None:
        self._group = group
        self._verifier = verifier
        self._make_identity = identity
        self._identity: Identity | None = None
        self._dealer: SealedDealer | None = None
        self._replica: Replica | None = None
        self._shown: set[int] = set()  # cards whose faces the page knows
        self._refusals: dict[tuple[str, str, Hash], Refusal | None] = {}  # why the log refuses what was signed

    def call(self, text: str) -> str:
        try:
            call, match = calls.decode(text)
        except Malformed as error:
            return WorkerAnswer(refusal=Refusal("kernel.malformed", {"what": str(error)})).encode()
        if match is not None and (self._replica is None or self._replica.match.id != match):
            return WorkerAnswer(refusal=Refusal("kernel.log.other_match")).encode()  # a page that is late: no news for it
        try:
            answer = self._answer(call)
        except Refused as error:
            answer = WorkerAnswer(refusal=error.refusal)
        except Malformed as error:
            answer = WorkerAnswer(refusal=Refusal("kernel.malformed", {"what": str(error)}))
        return (answer if isinstance(call, calls.DeviceCall) else replace(answer, news=self._news())).encode()

    def _answer(self, call: calls.Call) -> WorkerAnswer:
        match call:
            case calls.Identify(seed):
                return self._identify(seed)
            case calls.SignGreeting(text):
                return WorkerAnswer(Signature(self._me().sign(HELLO + text.encode())))
            case calls.CheckGreeting(author, text, sig):
                return WorkerAnswer(SignatureCheck(self._verifier.verify(author, HELLO + text.encode(), sig)))
            case calls.FoundMatch():
                return self._found(call)
            case calls.CheckGenesis(line):
                return self._check_genesis(line)
            case calls.JudgeAccusation(file):
                return self._judge(file)
            case calls.VerifyLog(file):
                return WorkerAnswer(verify_log(file, self._verifier, self._group))
            case calls.SignLog(file, day):
                return self._sign_end(proven_match(file, self._verifier, self._group), day)
            case calls.CheckResults(file):
                return self._check_results(file)
            case calls.Join():
                return self._join(call)
            case calls.Release():
                self._replica, self._shown, self._refusals = None, set(), {}
                return WorkerAnswer()
        return self._answer_of(self._here(), call)

    def _answer_of(self, peer: Replica, call: calls.JoinedCall) -> WorkerAnswer:
        """The answer to what is asked of ``peer``, the replica of a joined match."""
        match call:
            case calls.Receive(senders, messages):
                if len(senders) != len(messages):
                    raise Malformed("expected a message of each sender")
                for sender, message in zip(senders, messages, strict=True):
                    peer.receive(sender, message.encode())
            case calls.Tick(now):
                peer.tick(now)
            case calls.SetChoices(removals, timeouts, ending_removals):
                choices = peer.choices
                choices.removals, choices.timeouts = set(removals), set(timeouts)
                choices.ending_removals = set(ending_removals)
            case calls.LeaveMatch():
                peer.leave()
            case calls.StayInMatch():
                peer.membership.stay()
            case calls.HearProof(file):
                self._hear_proof(peer, file)
            case calls.PlayMove(seat, move):
                read = read_move(peer.match.rules.verbs, move)
                return self._speak(lambda: peer.move(seat, read))
            case calls.Say(kind, body):
                said = dict(body)
                return self._speak(lambda: peer.say(kind, said))
            case calls.AcceptOffer(offer):
                return self._speak(lambda: peer.move_to(offer))
            case calls.PromiseSeat(place, to, agreed):
                return self._speak(lambda: peer.promise(place, to, agreed))
            case calls.SignResult(day):
                return self._sign_result(peer, day)
            case calls.MakeOffer(author):
                return WorkerAnswer(peer.membership.offer(author))
            case calls.AgreeToSeat(place, to):
                return WorkerAnswer(Signature(peer.membership.agree_to(place, to)))
            case calls.ListAccusations():
                peer.check_all()
                return WorkerAnswer(Proofs(tuple(AccusationProof(one.culprit, one.why, one.to_text())
                                                 for one in peer.accusations)))
        return WorkerAnswer()

    # ---- beginning ----

    def _identify(self, seed: str) -> WorkerAnswer:
        try:
            secret = bytes.fromhex(seed)
        except ValueError as error:
            raise Malformed("a seed is hexadecimal") from error
        if len(secret) != SEED_BYTES:
            raise Malformed("a seed has 32 bytes")
        self._identity = self._make_identity(secret)
        self._dealer = SealedDealer(self._identity.author, secret)
        return WorkerAnswer(DeviceAuthor(self._identity.author))

    def _found(self, call: calls.FoundMatch) -> WorkerAnswer:
        identity = self._me()
        setup = Setup(call.game, rules_of(call.game).version, call.options, call.seats, "sealed", call.nonce,
                      {**call.extra, "protocol": PROTOCOL})
        said = setup.statement(identity.author)
        statement = Statement.from_json({**said.to_json(), "sig": identity.sign(canonical(said.signed_fields()))})
        signature = identity.sign(canonical(place(0, NOTHING, statement.hash)))
        return WorkerAnswer(Genesis(Entry.create(0, NOTHING, statement, signature).to_json()))

    def _check_genesis(self, line: str) -> WorkerAnswer:
        first = Entry.from_json(parse(line))
        setup = Setup.from_statement(first.statement)
        self._check_new(first, setup)
        peer_match(first, rules_of(setup.game), self._verifier, Checker(self._group))
        return WorkerAnswer()

    def _check_new(self, genesis: Entry, setup: Setup) -> None:
        """That a match that is not stored here begins as matches do today. Raises ``Malformed``, ``Refused``."""
        check_seats(genesis.statement)
        check_names(genesis.statement)
        if setup.protocol != PROTOCOL:
            raise refused("peers.protocol")

    def _join(self, call: calls.Join) -> WorkerAnswer:
        identity, dealer = self._me(), self._dealer
        assert dealer is not None
        first, *entries = (Entry.from_json(json.loads(line)) for line in call.lines)
        setup = Setup.from_statement(first.statement)
        checker = DeferredChecker(self._group)
        if not entries and not call.restarted:  # a match that is stored already still opens
            self._check_new(first, setup)
        match = self._folded(first, entries, checker, dealer)
        self._shown.clear()
        stored = call.pending
        said = None if stored.statement is None else Statement.from_json(stored.statement)
        dead = [Statement.from_json(one) for one in stored.dead]
        authority = SignedAuthority(setup, self._verifier)
        self._replica = Replica(identity, authority, match, dealer, pending=said, count=stored.count, dead=dead,
                                promise=None if stored.promise is None else EpochVote.from_json(stored.promise),
                                bound_end=None if stored.bound_end is None else read_end(stored.bound_end),
                                dead_lengths=stored.dead_lengths, begun_epoch=stored.begun_epoch, restarted=call.restarted)
        return WorkerAnswer()

    def _folded(self, first: Entry, entries: Sequence[Entry], checker: DeferredChecker, dealer: SealedDealer) -> Match:
        """The log as this device has stored it. Raises ``Refused``. Its shuffles were checked before they were stored; they are
        once more, while play goes on. Where it is refused because a deck that was given up was taken for good, it is read
        again; any other fault is found again only."""
        while True:
            try:
                return self._read(first, entries, checker, dealer)
            except Refused:
                if not checker.work(checker.urgent):
                    raise

    def _read(self, first: Entry, entries: Sequence[Entry], checker: DeferredChecker, dealer: SealedDealer) -> Match:
        checker.begin()
        match = peer_match(first, rules_of(Setup.from_statement(first.statement).game), self._verifier, checker)
        checker.catching_up, checker.hand = True, match.snapshot.deals
        try:
            for entry in entries:
                match.append(entry)
                checker.hand = match.snapshot.deals
                match.learn(dealer.read(dealing_of(match), match.knowledge))
        finally:
            checker.catching_up = False
        return match

    def _me(self) -> Identity:
        if self._identity is None:
            raise Malformed("nobody is identified yet")
        return self._identity

    def _here(self) -> Replica:
        if self._replica is None:
            raise Malformed("no match is joined yet")
        return self._replica

    # ---- playing ----

    def _speak(self, speak: Callable[[], Hash | None]) -> WorkerAnswer:
        """What came of ``speak``."""
        peer = self._here()
        if not peer.takes_part:
            raise refused("kernel.stranger")
        if not peer.ready or peer.pending is not None:
            return WorkerAnswer(SpeechResult(None))
        return WorkerAnswer(SpeechResult(speak()))

    def _judge(self, file: str) -> WorkerAnswer:
        accusation = Accusation.from_text(file)
        proven = judge(accusation, rules_of, self._verifier, Checker(self._group))
        setup = Setup.from_statement(accusation.prefix[0].statement)
        names = tuple(seat.name for seat in setup.seats if seat.author == accusation.culprit)
        report = AccusationReport(accusation.culprit, accusation.why, setup.game, names, accusation.prefix[0].statement.hash,
                                  len(accusation.prefix), proven)
        return WorkerAnswer(report)

    def _hear_proof(self, peer: Replica, file: str) -> None:
        """Proof from another device about the match here: taken in only if it holds, and rests on this device's own entries,
        whose signatures were checked. What rests on others stops nobody, so nobody has them judged here."""
        accusation = Accusation.from_text(file)
        peer.check_urgent()
        known = tuple(peer.match.entries[:len(accusation.prefix)])
        if known[-1].hash != accusation.prefix[-1].hash:
            raise refused("kernel.log.unknown_head")
        own = replace(accusation, prefix=known)
        if judge_behind(peer.match.branch(len(known)), own, peer.state.authority) is not None:
            peer.accuse(own)

    # ---- a league ----

    def _sign_result(self, peer: Replica, day: str) -> WorkerAnswer:
        """This device's signature under how its own replica came to the end: everything checked, and held by everybody."""
        state, last = peer.state, len(peer.match.entries) - 1
        is_held = state.has_acknowledged(last) and not state.acknowledgements.lacking(peer.other_authors, last)
        if not is_held or state.is_stopped or peer.unchecked_count:
            raise refused("league.not_signed")
        return self._sign_end(peer.match, day)

    def _sign_end(self, match: Match, day: str) -> WorkerAnswer:
        """This device's signature under how ``match`` ended, all of which was checked but for the audit."""
        identity, result = self._me(), result_of(match)
        if result is None or identity.author not in result.signers or audit(match):
            raise refused("league.not_signed")
        signature = ResultSignature(check_day(day), identity.sign(signed_bytes(result.hash, day)))
        return WorkerAnswer(SignedResult(result, {identity.author: signature}))

    def _check_results(self, file: str) -> WorkerAnswer:
        results = read_league_file(file).results
        return WorkerAnswer(ResultsCheck(tuple(one.false_signers(self._verifier) for one in results)))

    # ---- what is new ----

    def _news(self) -> News:
        peer = self._replica
        if peer is None:
            return News()
        output = peer.take()
        out = tuple((to, data.decode()) for to, data in output.messages)
        if output.length is not None:  # the page forgets the faces of decks that fell away, as this match does
            free = peer.match.snapshot_at(output.length - 1).state.next_card
            self._shown = {card for card in self._shown if card < free}
        faces = Faces((card, face) for card, face in peer.match.knowledge.items() if card not in self._shown)
        self._shown |= faces.keys()
        return News(output.entries, output.pending, out, faces, self._status(peer), output.length)

    def _status(self, peer: Replica) -> WorkerStatus:
        length = len(peer.match.entries)
        accused = tuple(Culprit(one.culprit, one.why, self._refusal_of(peer, one)) for one in peer.accusations)
        unsigned = tuple(peer.state.acknowledgements.lacking(peer.other_authors, length - 1))
        rejected = tuple(statement.hash for statement, _ in peer.rejections[-MOST_REJECTIONS:])
        return WorkerStatus(length, peer.match.head, peer.ready, peer.orders, peer.pending is not None, stage_of_leave(peer),
                            accused, unsigned, rejected, dict(peer.refusal_counts), progress_of(peer),
                            tuple(sorted(peer.state.other_versions)))

    def _refusal_of(self, peer: Replica, accusation: Accusation) -> Refusal | None:
        """Why the log refuses what was signed. It is looked for once, because that folds the log again."""
        known = accusation.culprit, accusation.why, accusation.prefix[-1].hash
        if known not in self._refusals:
            self._refusals[known] = what_was_wrong(accusation, peer.match)
        return self._refusals[known]


def stage_of_leave(peer: Replica) -> str:
    """Whether this device's people are about to go: "", ``WAITS`` or ``SAID``."""
    if not peer.takes_part or not peer.membership.is_leaving:
        return ""
    return SAID if peer.membership.leave_is_signed else WAITS


def dealing_of(match: Match) -> SealedDealing:
    dealing = match.dealing
    assert isinstance(dealing, SealedDealing)
    return dealing
