"""A replica behind a wall of text: what a page asks of the worker that holds it, and what it answers.

Each call is one text and so is its answer (``answer``), so that the worker may be a browser's, a process or a test. The page
gives what arrived from others and the time. It gets back what to send, which entries are new, and the faces of its own seats.
Secrets stay on this side.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from tabletin.kernel.envelope import unpack
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import NOTHING, Entry, Json, Statement, canonical, place
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.schema import Malformed, read_move
from tabletin.kernel.setup import Seat, Setup
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred import DeferredChecker
from tabletin.peers.identity import Identity, Verifier
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.evidence import Accusation, judge, peer_match, what_was_wrong
from tabletin.peers.replication.offer import Offer
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.group import Group
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.worker.answer import Answer, NewEntry, News, Pending, Spoken
from tabletin.peers.worker.progress import progress_of
from tabletin.peers.worker.report import AccusationReport
from tabletin.peers.worker.status import SAID, WAITS, Accused, WorkerStatus
from tabletin.peers.worker.verify import answers_of, verify_log
from tabletin.registry import rules_of

SEED_BYTES: Final = 32
HELLO: Final = b"tabletin hello\n"  # before what a page has signed, so that it can never be a statement or a place
MOST_REJECTIONS: Final = 3  # of own statements, told to the page


class PendingWrites:
    """What must be stored before anything is sent: gathered here, and handed over with every answer."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.entries: list[NewEntry] = []
        self.pending: Pending | None = None  # where it has changed
        self.signed: list[str] = []  # hashes of the statements that were signed in the call under way

    def save_entry(self, entry: Entry) -> None:
        self.entries.append(NewEntry(entry.line, answers_of(self.match, entry)))

    def save_pending(self, statement: Statement | None, count: int) -> None:
        self.pending = Pending(None if statement is None else statement.to_json(), count)
        if statement is not None:
            self.signed.append(statement.hash)


class ReplicaService:
    """One replica, called by name: ``call(text)`` with the head ``{"do": name, …}`` answers with an ``Answer``, as text.

    A call may name the ``match`` it is for. One for another match is refused and hears no news.
    """

    def __init__(self, group: Group, verifier: Verifier, identity: Callable[[bytes], Identity]) -> None:
        self._group = group
        self._verifier = verifier
        self._make_identity = identity
        self._identity: Identity | None = None
        self._dealer: SealedDealer | None = None
        self._replica: Replica | None = None
        self._writes = PendingWrites()
        self._shown: set[int] = set()  # cards whose faces the page knows
        self._refusals: dict[tuple[str, str], Refusal | None] = {}  # of every accusation: why the log refuses what was signed

    def call(self, text: str) -> str:
        asked, texts = unpack(text)
        about_device: dict[str, Callable[..., Answer]] = {
            "identify": self._identify, "found": self._found, "sign": self._sign, "check": self._check,
            "judge": self._judge, "verify": self._verify}
        about_match: dict[str, Callable[..., Answer]] = {
            "join": self._join, "receive": self._receive, "tick": self._tick, "move": self._move, "say": self._say,
            "want": self._want, "leave": self._leave, "stay": self._stay, "part": self._part, "accusations": self._accusations,
            "offer": self._offer, "move_to": self._move_to, "agree_to_seat": self._agree_to_seat,
            "promise_seat": self._promise_seat, "hear_proof": self._hear_proof}
        do, match = asked.pop("do"), asked.pop("match", None)
        if match is not None and (self._replica is None or self._replica.match.id != match):
            return Answer(refusal=Refusal("kernel.log.other_match")).encode()  # a page that is late: no news for it
        self._writes.signed.clear()
        if texts:
            asked["texts"] = texts
        try:
            answer = (about_device.get(do) or about_match[do])(**asked)
        except Refused as error:
            answer = Answer(refusal=error.refusal)
        except Malformed as error:
            answer = Answer(refusal=Refusal("kernel.malformed", {"what": str(error)}))
        return (replace(answer, news=self._news()) if do in about_match else answer).encode()

    # ---- beginning ----

    def _identify(self, seed: str) -> Answer:
        """Take this device's secret seed (hexadecimal); ``author``: as whom it speaks."""
        secret = bytes.fromhex(seed)
        if len(secret) != SEED_BYTES:
            raise Malformed("a seed has 32 bytes")
        self._identity = self._make_identity(secret)
        self._dealer = SealedDealer(self._identity.author, secret)
        return Answer({"author": self._identity.author})

    def _sign(self, text: str) -> Answer:
        """``sig``: this device's signature over ``text``, for greetings between pages; never one over a statement."""
        return Answer({"sig": self._me().sign(HELLO + text.encode())})

    def _check(self, author: str, text: str, sig: str) -> Answer:
        """``ok``: whether ``sig`` is ``author``'s signature over ``text``."""
        return Answer({"ok": self._verifier.verify(author, HELLO + text.encode(), sig)})

    def _found(self, game: str, options: dict[str, Any], seats: list[Any], nonce: str,
               extra: dict[str, Any] | None = None) -> Answer:
        """Write and sign the ``genesis`` (an entry as JSON) of a new match; it is joined as any other one."""
        identity = self._me()
        setup = Setup(game, rules_of(game).version, options, tuple(Seat.from_json(seat) for seat in seats), "sealed", nonce,
                      extra or {})
        said = setup.statement(identity.author)
        statement = Statement.from_json({**said.to_json(), "sig": identity.sign(canonical(said.signed()))})
        signature = identity.sign(canonical(place(0, NOTHING, statement.hash)))
        return Answer({"genesis": Entry.at(0, NOTHING, statement, signature).to_json()})

    def _join(self, texts: list[str], pending: list[Any], restarted: bool) -> Answer:
        """Take part in a match. ``texts``: the lines of the log as this device has stored them, the genesis first;
        ``pending``: the stored ``Pending``; ``restarted``: whether this device has been in the match before."""
        identity, dealer = self._me(), self._dealer
        assert dealer is not None
        first, *entries = (Entry.from_json(json.loads(line)) for line in texts)
        setup = Setup.from_statement(first.statement)
        checker = DeferredChecker(self._group)
        match = peer_match(first, rules_of(setup.game), self._verifier, checker)
        checker.catching_up = True  # they were checked before they were stored; once more, while play goes on
        for entry in entries:
            deals = dealing_of(match).deals
            match.append(entry)
            if dealing_of(match).deals > deals:
                checker.new_deal()
            match.learn(dealer.read(dealing_of(match), match.knowledge))
        checker.catching_up = False
        self._shown.clear()
        self._writes.match = match
        stored = Pending.from_json(pending)
        said = None if stored.statement is None else Statement.from_json(stored.statement)
        authority = SignedAuthority(setup, self._verifier)
        self._replica = Replica(identity, authority, match, dealer, self._writes, pending=said, count=stored.count,
                                restarted=restarted)
        return Answer()

    def _part(self) -> Answer:
        """Hold that match no more."""
        self._replica, self._writes, self._shown, self._refusals = None, PendingWrites(), set(), {}
        return Answer()

    def _me(self) -> Identity:
        if self._identity is None:
            raise Malformed("nobody is identified yet")
        return self._identity

    def _here(self) -> Replica:
        if self._replica is None:
            raise Malformed("no match is joined yet")
        return self._replica

    # ---- playing ----

    def _receive(self, senders: list[str], texts: list[str]) -> Answer:
        """``texts``: the messages of ``senders``, one each, in the order in which they came."""
        peer = self._here()
        for sender, text in zip(senders, texts, strict=True):
            peer.receive(sender, text.encode())
        return Answer()

    def _tick(self, now: float) -> Answer:
        self._here().tick(now)
        return Answer()

    def _move(self, seat: int, move: Json) -> Answer:
        peer = self._here()
        read = read_move(peer.match.rules.verbs, move)
        return self._speak(lambda: peer.move(seat, read))

    def _say(self, kind: str, body: dict[str, Json]) -> Answer:
        peer = self._here()
        return self._speak(lambda: peer.say(kind, body))

    def _speak(self, speak: Callable[[], None]) -> Answer:
        """What came of ``speak``: a ``Spoken``."""
        peer = self._here()
        if not peer.takes_part:
            raise refused("kernel.stranger")
        if not peer.ready or peer.pending is not None:
            return Answer(Spoken(None).to_json())
        speak()
        return Answer(Spoken(self._writes.signed[0]).to_json())

    def _want(self, gone: list[str], timeouts: list[int], without: list[str]) -> Answer:
        """Whom this device's people agree to go on without; ``without``: of these, whose seats no bot shall play."""
        votes = self._here().votes
        votes.wants_gone, votes.wants_timeout, votes.wants_without = set(gone), set(timeouts), set(without)
        return Answer()

    def _leave(self) -> Answer:
        """Leave as soon as nothing is asked for. The status tells when that is said, the log when it is so."""
        self._here().leave()
        return Answer()

    def _stay(self) -> Answer:
        """Not leave after all, if that is not signed yet."""
        self._here().membership.stay()
        return Answer()

    def _judge(self, texts: list[str]) -> Answer:
        """What the accusation in ``texts`` (one file) proves: an ``AccusationReport``."""
        accusation = Accusation.from_text(texts[0])
        proven = judge(accusation, rules_of, self._verifier, Checker(self._group))
        setup = Setup.from_statement(accusation.prefix[0].statement)
        names = tuple(seat.name for seat in setup.seats if seat.by == accusation.against)
        return Answer(AccusationReport(accusation.against, accusation.why, setup.game, names, accusation.prefix[0].statement.hash,
                                       len(accusation.prefix), proven).to_json())

    def _hear_proof(self, texts: list[str]) -> Answer:
        """Proof from another device about the match here: taken in only if it holds, judged anew."""
        accusation, peer = Accusation.from_text(texts[0]), self._here()
        if accusation.prefix[0].statement.hash != peer.match.id:
            raise refused("kernel.log.other_match")
        if judge(accusation, rules_of, self._verifier, Checker(self._group)) is not None:
            peer.accuse(accusation)
        return Answer()

    def _verify(self, texts: list[str]) -> Answer:
        """The exported log of a match among peers, every signature and every proof in it checked: a ``LogReport``."""
        return Answer(verify_log(texts[0], self._verifier, self._group).to_json())

    def _offer(self, author: str) -> Answer:
        """This device would go on for ``author``, another one of the same person; ``offer``: what that one needs for it."""
        return Answer({"offer": self._here().membership.offer(author).to_json()})

    def _move_to(self, offer: Json) -> Answer:
        """Hand everything to the device that made ``offer``."""
        peer, made = self._here(), Offer.from_json(offer)
        return self._speak(lambda: peer.move_to(made))

    def _agree_to_seat(self, seat: int) -> Answer:
        """``agreed``: the signature that this device will play ``seat`` from the next hand on."""
        return Answer({"agreed": self._here().membership.agree_to(seat)})

    def _promise_seat(self, seat: int, to: Json, agreed: str) -> Answer:
        peer, player = self._here(), Seat.from_json(to)
        return self._speak(lambda: peer.promise(seat, player, agreed))

    def _accusations(self) -> Answer:
        """All that is proven against anybody: ``files`` as [author, why], and for each a text that anybody can judge."""
        found = self._here().accusations
        return Answer({"files": [[one.against, one.why] for one in found]}, tuple(one.to_text() for one in found))

    # ---- what is new ----

    def _news(self) -> News:
        writes, peer = self._writes, self._replica
        entries, pending = tuple(writes.entries), writes.pending
        writes.entries, writes.pending = [], None
        if peer is None:
            return News(entries, pending)
        out = tuple((to, data.decode()) for to, data in peer.outbox)
        peer.outbox.clear()
        faces = Faces((card, face) for card, face in peer.match.knowledge.items() if card not in self._shown)
        self._shown |= faces.keys()
        return News(entries, pending, out, faces, self._status(peer))

    def _status(self, peer: Replica) -> WorkerStatus:
        length = len(peer.match.entries)
        accused = tuple(Accused(one.against, one.why, self._refusal_of(peer, one)) for one in peer.accusations)
        unsigned = tuple(peer.state.acknowledgements.lacking(peer.others, length - 1))
        rejected = tuple(statement.hash for statement, _ in peer.rejections[-MOST_REJECTIONS:])
        return WorkerStatus(length, peer.match.head, peer.ready, peer.orders, peer.pending is not None, stage_of_leave(peer),
                            accused, unsigned, rejected, dict(peer.refused), progress_of(peer))

    def _refusal_of(self, peer: Replica, accusation: Accusation) -> Refusal | None:
        """Why the log refuses what was signed. It is looked for once, because that folds the log again."""
        known = accusation.against, accusation.why
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
