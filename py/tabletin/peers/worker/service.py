"""A peer behind a wall of text: what a page says to the worker that holds its replica, and what it hears back.

Everything goes in and comes out as JSON text, so that the worker may be a browser's, a process or a test. The page gives
what arrived from others and the time; it gets back what to send, which entries are new, and the private faces of its own
seats. Secrets stay on this side.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from tabletin.kernel.log import NOTHING, Entry, Json, Statement, canonical, place
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused, refused
from tabletin.kernel.schema import Malformed, read_move
from tabletin.kernel.setup import Seat, Setup
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred import DeferredChecker
from tabletin.peers.identity import Identity, Verifier
from tabletin.peers.replication.authority import SignedAuthority
from tabletin.peers.replication.evidence import Accusation, judge, peer_match, what_was_wrong
from tabletin.peers.replication.replica import Replica
from tabletin.peers.sealed.group import Group
from tabletin.peers.sealed.pending import Checker
from tabletin.peers.worker.progress import progress_of
from tabletin.peers.worker.verify import answers_of, verify_log
from tabletin.registry import rules_of

SEED_BYTES: Final = 32
HELLO: Final = b"tabletin hello\n"  # before what a page has signed, so that it can never be a statement or a place


class PendingWrites:
    """What must be stored before anything is sent: gathered here, and handed over with every answer."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.entries: list[tuple[Json, Json]] = []  # an entry, and what it answered
        self.saying: tuple[Statement | None, int] | None = None
        self.said: list[str] = []  # hashes of what was signed in the call under way

    def save_entry(self, entry: Entry) -> None:
        self.entries.append((entry.to_json(), answers_of(self.match, entry)))

    def save_pending(self, statement: Statement | None, count: int) -> None:
        self.saying = statement, count
        if statement is not None:
            self.said.append(statement.hash)


class ReplicaService:
    """One replica, called by name: ``call(text)`` with ``{"do": name, …}`` answers with one JSON object.

    Every answer may hold ``out`` ([to or null, message] to send), ``entries`` with ``told`` beside them (what each answered,
    see ``told``) and ``saying`` (all to be stored before sending), ``faces`` (own seats' cards, newly read), ``status``; or
    ``refused``, a catalogue key. A call may name the ``match`` it is for; one for another match is refused and hears no news.
    """

    def __init__(self, group: Group, verifier: Verifier, identity: Callable[[bytes], Identity]) -> None:
        self._group = group
        self._verifier = verifier
        self._make_identity = identity
        self._identity: Identity | None = None
        self._dealer: SealedDealer | None = None
        self._peer: Replica | None = None
        self._kept = PendingWrites()
        self._told: set[int] = set()
        self._wrong: dict[tuple[str, str], Json] = {}  # what was wrong, of every accusation

    def call(self, text: str) -> str:
        asked: dict[str, Any] = json.loads(text)
        about_device: dict[str, Callable[..., dict[str, Json]]] = {
            "identify": self._identify, "found": self._found, "sign": self._sign, "check": self._check,
            "judge": self._judge, "verify": self._verify}
        about_match: dict[str, Callable[..., dict[str, Json]]] = {
            "join": self._join, "receive": self._receive, "tick": self._tick, "move": self._move, "say": self._say,
            "want": self._want, "leave": self._leave, "stay": self._stay, "part": self._part, "accusations": self._accusations,
            "offer": self._offer, "move_to": self._move_to, "agree_to_seat": self._agree_to_seat,
            "promise_seat": self._promise_seat, "hear_proof": self._hear_proof}
        do, match = asked.pop("do"), asked.pop("match", None)
        if match is not None and (self._peer is None or self._peer.match.id != match):
            return json.dumps({"refused": "kernel.log.other_match", "params": {}})  # a page that is late: no news for it
        self._kept.said.clear()
        try:
            answer = (about_device.get(do) or about_match[do])(**asked)
        except Refused as error:
            answer = {"refused": error.refusal.key, "params": dict(error.refusal.params)}
        except Malformed as error:
            answer = {"refused": "kernel.malformed", "params": {"what": str(error)}}
        return json.dumps({**answer, **self._news()} if do in about_match else answer)

    # ---- beginning ----

    def _identify(self, seed: str) -> dict[str, Json]:
        """Take this device's secret seed (hexadecimal); the author it speaks as."""
        secret = bytes.fromhex(seed)
        if len(secret) != SEED_BYTES:
            raise Malformed("a seed has 32 bytes")
        self._identity = self._make_identity(secret)
        self._dealer = SealedDealer(self._identity.author, secret)
        return {"author": self._identity.author}

    def _sign(self, text: str) -> dict[str, Json]:
        """This device's signature over ``text``, for greetings between pages; never one over a statement."""
        return {"sig": self._me().sign(HELLO + text.encode())}

    def _check(self, author: str, text: str, sig: str) -> dict[str, Json]:
        return {"ok": self._verifier.verify(author, HELLO + text.encode(), sig)}

    def _found(self, game: str, options: dict[str, Any], seats: list[Any], nonce: str,
               extra: dict[str, Any] | None = None) -> dict[str, Json]:
        """Write and sign the genesis of a new match; it is joined like anybody else's."""
        identity = self._me()
        setup = Setup(game, rules_of(game).version, options, tuple(Seat.from_json(seat) for seat in seats), "sealed", nonce,
                      extra or {})
        said = setup.statement(identity.author)
        statement = Statement.from_json({**said.to_json(), "sig": identity.sign(canonical(said.signed()))})
        signature = identity.sign(canonical(place(0, NOTHING, statement.hash)))
        return {"genesis": Entry.at(0, NOTHING, statement, signature).to_json()}

    def _join(self, genesis: Json, entries: list[Json], saying: Json, count: int, restarted: bool) -> dict[str, Json]:
        """Take part in the match of ``genesis`` with the ``entries`` this device has stored of it."""
        identity, dealer = self._me(), self._dealer
        assert dealer is not None
        first = Entry.from_json(genesis)
        setup = Setup.from_statement(first.statement)
        checker = DeferredChecker(self._group)
        match = peer_match(first, rules_of(setup.game), self._verifier, checker)
        checker.catching_up = True  # they were checked before they were stored; once more, while play goes on
        for data in entries:
            entry, deals = Entry.from_json(data), dealing_of(match).deals
            match.append(entry)
            if dealing_of(match).deals > deals:
                checker.new_deal()
            match.learn(dealer.read(dealing_of(match), match.knowledge))
        checker.catching_up = False
        self._told.clear()
        self._kept.match = match
        said = None if saying is None else Statement.from_json(saying)
        authority = SignedAuthority(setup, self._verifier)
        self._peer = Replica(identity, authority, match, dealer, self._kept, pending=said, count=count, restarted=restarted)
        return {"match": match.id}

    def _part(self) -> dict[str, Json]:
        """Hold that match no more."""
        self._peer, self._kept, self._told, self._wrong = None, PendingWrites(), set(), {}
        return {}

    def _me(self) -> Identity:
        if self._identity is None:
            raise Malformed("nobody is identified yet")
        return self._identity

    def _here(self) -> Replica:
        if self._peer is None:
            raise Malformed("no match is joined yet")
        return self._peer

    # ---- playing ----

    def _receive(self, texts: list[list[str]]) -> dict[str, Json]:
        """``texts``: [sender, message] each, in the order in which they came."""
        peer = self._here()
        for sender, data in texts:
            peer.receive(sender, data.encode())
        return {}

    def _tick(self, now: float) -> dict[str, Json]:
        self._here().tick(now)
        return {}

    def _move(self, seat: int, move: Json) -> dict[str, Json]:
        peer = self._here()
        read = read_move(peer.match.rules.verbs, move)
        return self._speak(lambda: peer.move(seat, read))

    def _say(self, kind: str, body: dict[str, Json]) -> dict[str, Json]:
        peer = self._here()
        return self._speak(lambda: peer.say(kind, body))

    def _speak(self, speak: Callable[[], None]) -> dict[str, Json]:
        """``said``: the hash of the statement that ``speak`` made, which may be in the log already; or ``wait``: nothing can
        be said now, before the others were heard or while the last statement is on its way."""
        peer = self._here()
        if not peer.takes_part:
            raise refused("kernel.stranger")
        if not peer.ready or peer.pending is not None:
            return {"wait": True}
        speak()
        return {"said": self._kept.said[0]}

    def _want(self, gone: list[str], timeouts: list[int], without: list[str] | None = None) -> dict[str, Json]:
        """Whom this device's people agree to go on without; ``without``: whose seats no bot shall play."""
        votes = self._here().votes
        votes.wants_gone, votes.wants_timeout, votes.wants_without = set(gone), set(timeouts), set(without or ())
        return {}

    def _leave(self) -> dict[str, Json]:
        """Go politely, as soon as nothing is asked for; ``status`` tells when that is said, the log when it is so."""
        self._here().leave()
        return {}

    def _stay(self) -> dict[str, Json]:
        """Not leave after all, if that is not signed yet."""
        self._here().membership.stay()
        return {}

    def _judge(self, text: str) -> dict[str, Json]:
        """What the accusation in ``text`` proves: ``against``, ``why``, the ``names`` of that device's seats, and ``proven``, a
        refusal or null."""
        accusation = Accusation.from_text(text)
        proven = judge(accusation, rules_of, self._verifier, Checker(self._group))
        setup = Setup.from_statement(accusation.prefix[0].statement)
        names = [seat.name for seat in setup.seats if seat.by == accusation.against]
        return {"against": accusation.against, "why": accusation.why, "game": setup.game, "names": names,
                "match": accusation.prefix[0].statement.hash, "entries": len(accusation.prefix),
                "proven": None if proven is None else [proven.key, dict(proven.params)]}

    def _hear_proof(self, text: str) -> dict[str, Json]:
        """Proof from another device about the match here: taken in only if it holds, judged anew."""
        accusation, peer = Accusation.from_text(text), self._here()
        if accusation.prefix[0].statement.hash != peer.match.id:
            raise refused("kernel.log.other_match")
        if judge(accusation, rules_of, self._verifier, Checker(self._group)) is not None:
            peer.accuse(accusation)
        return {}

    def _verify(self, text: str) -> dict[str, Json]:
        """The exported log of a match among peers, every signature and every proof in it checked; see ``peers/verified``."""
        return verify_log(text, self._verifier, self._group)

    def _offer(self, author: str) -> dict[str, Json]:
        """This device would go on for ``author``, another one of the same person: what that one needs to hand over."""
        return {"offer": self._here().membership.offer(author)}

    def _move_to(self, offer: dict[str, Json]) -> dict[str, Json]:
        """Hand everything to the device that made ``offer``."""
        peer = self._here()
        return self._speak(lambda: peer.move_to(offer))

    def _agree_to_seat(self, seat: int) -> dict[str, Json]:
        """This device will play ``seat`` from the next hand on."""
        return {"agreed": self._here().membership.agree_to(seat)}

    def _promise_seat(self, seat: int, to: Json, agreed: str) -> dict[str, Json]:
        peer, player = self._here(), Seat.from_json(to)
        return self._speak(lambda: peer.promise(seat, player, agreed))

    def _accusations(self) -> dict[str, Json]:
        """Everything proven against anybody, as files that anybody can judge."""
        return {"files": [[a.against, a.why, a.to_text()] for a in self._here().accusations]}

    # ---- what is new ----

    def _news(self) -> dict[str, Json]:
        news: dict[str, Json] = {}
        kept = self._kept
        if kept.entries:
            news["entries"] = [entry for entry, _ in kept.entries]
            news["told"] = [answers for _, answers in kept.entries]
            kept.entries = []
        if kept.saying is not None:
            said, count = kept.saying
            news["saying"] = [None if said is None else said.to_json(), count]
            kept.saying = None
        peer = self._peer
        if peer is None:
            return news
        if peer.outbox:
            news["out"] = [[to, data.decode()] for to, data in peer.outbox]
            peer.outbox.clear()
        fresh = {card: face for card, face in peer.match.knowledge.items() if card not in self._told}
        if fresh:
            self._told |= fresh.keys()
            news["faces"] = {str(card): face for card, face in fresh.items()}
        news["status"] = {"length": len(peer.match.entries), "head": peer.match.head, "ready": peer.ready,
                          "saying": peer.pending is not None, "leaving": leaving_of(peer),
                          "checking": peer.unchecked, "orders": peer.orders,
                          "accused": [[a.against, a.why, self._what_was_wrong(peer, a)] for a in peer.accusations],
                          "refused": dict(peer.refused),
                          "unsigned": list(peer.state.acknowledgements.lacking(peer.others, len(peer.match.entries) - 1)),
                          "rejected": [[said.hash, key] for said, key in peer.rejections[-3:]],
                          "progress": progress_of(peer)}
        return news

    def _what_was_wrong(self, peer: Replica, accusation: Accusation) -> Json:
        """A refusal as [key, params], or null. It is looked for once: that folds the log again."""
        known = accusation.against, accusation.why
        if known not in self._wrong:
            wrong = what_was_wrong(accusation, peer.match)
            self._wrong[known] = None if wrong is None else [wrong.key, dict(wrong.params)]
        return self._wrong[known]


def leaving_of(peer: Replica) -> str:
    """Whether this device's people are about to go: "", "waits" until nothing is asked for, or "said"."""
    if not peer.takes_part or not peer.membership.is_leaving:
        return ""
    return "said" if peer.membership.leave_is_signed else "waits"


def dealing_of(match: Match) -> SealedDealing:
    dealing = match.dealing
    assert isinstance(dealing, SealedDealing)
    return dealing
