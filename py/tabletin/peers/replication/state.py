"""What one replica holds: its log, what is stored with it, and what it knows of the others.

The parts of a replica share this one value and read each other's work from it. It verifies what is appended and notes what is
to be stored, but it neither speaks nor decides what to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from tabletin.kernel.log import Entry, Hash, Statement
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.setup import Setup
from tabletin.kernel.trusted_match import VerifiedEntry
from tabletin.kernel.undo import holds_up
from tabletin.peers.dealing.dealer import SealedDealer
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.dealing.deferred_checker import DeferredChecker
from tabletin.peers.identity import Identity
from tabletin.peers.replication.acks import Acknowledgements
from tabletin.peers.replication.authority import LogEnd, SignedAuthority, named_epoch, required_voters, signer_of
from tabletin.peers.replication.epoch_vote import EpochVote, votes_of
from tabletin.peers.replication.evidence import Accusation
from tabletin.peers.replication.outbox import Pending
from tabletin.peers.replication.statement_quota import BESIDE_PLAY, exceeds_quota

SILENT_AFTER: Final = 10.0  # seconds without a signed head after which a peer may be voted gone
EMPTY_HANDED: Final = 30.0  # seconds in which who says that it holds another log than this one gives out something of it
STANDS_STILL: Final = (*BESIDE_PLAY, "pass")  # kinds of statements by which no match goes on


@dataclass(frozen=True, slots=True)
class DeadStatement:
    """A statement of this device that its own log refuses since there are ``length`` entries, or fewer. If the last of these
    falls away, it may stand after all."""

    statement: Statement
    length: int


@dataclass(frozen=True, slots=True)
class Roster:
    """Who takes part, for one setup and one set of authors gone."""

    setup: Setup
    former_authors: frozenset[str]
    live: tuple[str, ...]
    other_authors: tuple[str, ...]


class ReplicaView(Protocol):
    """What a part of a replica may read, if it changes nothing."""

    @property
    def identity(self) -> Identity: ...
    @property
    def authority(self) -> SignedAuthority: ...
    @property
    def match(self) -> Match: ...
    @property
    def dealer(self) -> SealedDealer: ...
    @property
    def pending(self) -> Statement | None: ...
    @property
    def dead(self) -> Sequence[DeadStatement]: ...
    @property
    def author(self) -> str: ...
    @property
    def live(self) -> tuple[str, ...]: ...
    @property
    def other_authors(self) -> tuple[str, ...]: ...
    @property
    def takes_part(self) -> bool: ...
    @property
    def orders(self) -> bool: ...
    @property
    def ready(self) -> bool: ...
    @property
    def cuts(self) -> int: ...
    @property
    def dealing(self) -> SealedDealing: ...
    @property
    def current_dealing(self) -> SealedDealing: ...
    def orderer_without(self, author: str) -> str: ...
    def payer(self, sender: str) -> str: ...


class ReplicaState:
    """The shared state of a replica's parts (see ``ReplicaView`` for those that only read)."""

    def __init__(self, identity: Identity, authority: SignedAuthority, match: Match, dealer: SealedDealer, *,
                 pending: Statement | None = None, count: int = 0, dead: Sequence[Statement] = (),
                 promise: EpochVote | None = None, bound_end: LogEnd | None = None, dead_lengths: Sequence[int] = (),
                 begun_epoch: int = 0, restarted: bool = False) -> None:
        self.identity = identity
        self.authority = authority
        self.match = match
        self.dealer = dealer
        self.acknowledgements = Acknowledgements(match, authority)
        self.acknowledgements.note_log()
        self.accusations: list[Accusation] = []  # what is proven against others
        self.idle_accusations: list[Accusation] = []  # … who play no more, until the entry falls away by which they went
        self.refusal_counts: Counter[str] = Counter()  # what came in and was wrong, by reason
        self.other_versions: set[str] = set()  # live peers whose heads are of another version
        self.pending = pending  # signed here, and not in the log yet
        self.rejections: list[tuple[Statement, str]] = []  # this device's own statements that were refused, and why
        lengths = (*dead_lengths, *[len(match.entries)] * len(dead))
        self.dead = [DeadStatement(statement, min(max(1, length), len(match.entries)))
                     for statement, length in zip(dead, lengths, strict=False)]
        self.count = max(count, match.count(self.author))  # of this device's next statement
        self.promise = promise  # the newest vote for an epoch; it binds until that epoch begins
        # the newest entry that no vote of this device forbids it to acknowledge, where one binds it
        self.bound_end = bound_end if bound_end is not None or promise is None else promise.end
        # the newest epoch that this device began, also in a log that fell away: nobody may sign two beginnings of one
        self.begun_epoch = max([begun_epoch, *[named_epoch(entry.statement) for entry in match.entries
                                               if entry.statement.author == self.author]])
        self.time = 0.0  # seconds
        self.cuts = 0  # how often the log was cut
        self.stored_length: int | None = None  # what is left of the entries on the disk, where that has changed
        self._taken = len(match.entries)  # how many entries the disk holds
        self._heard: dict[str, float] = {}  # when an author's newest signed head came from itself
        self._behind_since: dict[str, float] = {}  # since when an author's heads are older than what everybody had long ago
        self._since: float | None = None  # the first time that it was told
        self._grown_at: tuple[float, int] = (0.0, 0)  # when the log was found to have grown last, and how long it is since
        self._went_on_at: tuple[float, int] = (0.0, -1)  # … when the match went on last, and the entry by which it did
        self._lengths: list[tuple[float, int]] = [(0.0, 0)]  # how long the log was, at times of the last seconds
        self.unstored_entries: list[VerifiedEntry] = []  # entries that nobody has taken to the disk yet
        self.has_signed = False  # whether ``to_keep`` has changed since somebody took it to the disk
        self._roster: Roster | None = None
        self._lives: list[tuple[str, ...]] = []  # who was live behind each entry; empty where nobody asked and a log was there
        if len(match.entries) == 1:
            self._note_live(match.snapshot.live)
        self._current: tuple[Hash, SealedDealing] | None = None
        # whose heads are to be heard before anything is signed
        self.unheard_authors = set(self.other_authors) if restarted else set()
        self._note_hand()

    # ---- who ----

    @property
    def author(self) -> str:
        return self.identity.author

    @property
    def roster(self) -> Roster:
        setup, gone = self.match.setup, self.match.former_authors
        if self._roster is None or self._roster.setup is not setup or self._roster.former_authors is not gone:
            live = self.match.snapshot.live
            self._roster = Roster(setup, gone, live, tuple(peer for peer in live if peer != self.author))
        return self._roster

    @property
    def live(self) -> tuple[str, ...]:
        """The peers that are not gone, in the order of their first seats."""
        return self.roster.live

    @property
    def other_authors(self) -> tuple[str, ...]:
        """The live peers but this one."""
        return self.roster.other_authors

    @property
    def takes_part(self) -> bool:
        """Whether this is a player's replica, not a spectator's."""
        return self.author in self.live

    def payer(self, sender: str) -> str:
        """At whose cost what ``sender`` says is read and held: its own, where it plays or has played. All others have one
        allowance together, "", because one person may come with many keys."""
        return sender if sender in self.live or sender in self.match.former_authors else ""

    @property
    def orders(self) -> bool:
        return self.match.orderer == self.author

    def orderer_without(self, author: str) -> str:
        """Who orders once ``author`` is gone: the peer that does now, or the next live one."""
        orderer = self.match.orderer
        return self.match.snapshot.next_to_order(author) if orderer == author else orderer

    @property
    def is_bound(self) -> bool:
        """Whether it has voted for an epoch that has not begun here: it signs nothing of an older one."""
        return self.promise is not None and self.promise.epoch > self.match.snapshot.epoch

    @property
    def has_given_vote_away(self) -> bool:
        """Whether this device has signed that another one of the same person goes on, and some log may hold that. There the other
        one votes, even where this device's own log refuses the handover."""
        said = [one.statement for one in self.dead] + ([] if self.pending is None else [self.pending])
        return any(statement.kind == "device" for statement in said)

    def note_time(self, now: float) -> None:
        """Time has come to ``now`` (seconds)."""
        self.time = now
        self._since = now if self._since is None else self._since
        self._lengths.append((now, len(self.match.entries)))
        while self._lengths[1][0] <= now - SILENT_AFTER:
            self._lengths.pop(0)
        self._note_growth()
        self._give_up_waiting()

    def _note_growth(self) -> None:
        """Note whether the log has grown since the last call, and whether the match has gone on by that. One voter alone can have
        epochs begin without end, and say a dozen things beside the play."""
        entries = self.match.entries
        if self._grown_at[1] == len(entries):
            return
        self._grown_at = self.time, len(entries)
        newest = next(entry.index for entry in reversed(entries) if entry.statement.kind not in STANDS_STILL)
        if newest != self._went_on_at[1]:
            self._went_on_at = self.time, newest

    def _give_up_waiting(self) -> None:
        """Who has been there all the time since the match went on last, says that it holds more and gives nothing of it out
        counts as heard, and so does who cannot be heard here and has told others that it holds the entry by which it did: nobody
        keeps a device that was restarted from saying anything."""
        if self._stands_still:
            self.unheard_authors = {author for author in self.unheard_authors
                                    if not self.is_present(author) and not self._holds_newest(author)}

    def _holds_newest(self, author: str) -> bool:
        """Whether ``author`` has signed, since this device was started, that it holds the entry by which the match went on last;
        others passed it on."""
        held = self.acknowledgements.newest_held(author)
        return held is not None and held.index >= self._went_on_at[1]

    @property
    def _stands_still(self) -> bool:
        """Whether the match has not gone on for long, as far as ``note_time`` saw."""
        return self.time - self._went_on_at[0] >= EMPTY_HANDED

    def has_rested(self, seconds: float) -> bool:
        """Whether the log has not grown for so long, as far as ``note_time`` saw."""
        return self._grown_at[1] == len(self.match.entries) and self.time - self._grown_at[0] >= seconds

    def note_presence(self, author: str, index: int, head: Hash) -> None:
        """``author`` itself sent a signed head. One that is older than what everybody had long ago shows for a while that it is
        there, because a vote may bind it, and so does one of an entry that this device does not get to see."""
        entries = self.match.entries
        is_held = index < len(entries) and entries[index].hash == head
        if index < self._lengths[0][1] - 1:
            is_there = is_held and self.time - self._behind_since.setdefault(author, self.time) < EMPTY_HANDED
        else:
            is_there = is_held or not self._stands_still
            if is_held:
                self._behind_since.pop(author, None)
        if is_there:
            self._heard[author] = self.time

    def is_present(self, author: str) -> bool:
        """Whether ``author`` was heard in the last seconds. Nobody who is there can be voted gone."""
        heard = self._heard.get(author)
        return heard is not None and self.time - heard < SILENT_AFTER

    def is_silent(self, author: str) -> bool:
        """Whether ``author`` itself sent no signed head for long, and there was time to."""
        return self.time - self._heard.get(author, self._since or 0.0) >= SILENT_AFTER

    @property
    def ready(self) -> bool:
        """Whether it may sign.

        After a restart it waits for the head of every live peer, and until it has caught up. It waits for the deferred
        shuffles that are urgent. Once somebody at the table was proven to break the rules it signs no more.
        """
        may_sign = self.takes_part and not self.is_bound and not self.is_stopped
        return may_sign and self.is_checked and self.unheard_authors.isdisjoint(self.other_authors)

    @property
    def is_checked(self) -> bool:
        """Whether every shuffle was checked by which what stands in the log could be wrong."""
        checker = self.deferred_checker
        return checker is None or not (checker.urgent or checker.failed)

    # ---- misdeeds ----

    @property
    def is_stopped(self) -> bool:
        """Whether this device signs nothing more, because somebody was proven to break the rules."""
        return any(map(self.stops_by, self.accusations))

    def stops_by(self, accusation: Accusation) -> bool:
        """Whether nothing more is signed because of ``accusation``. Its culprit plays, or the same person does at another device.
        Who plays no more stops nobody else, unless two logs may have parted for good by what it signed while it did. Nor does a
        shuffle whose author went behind it, though it is back: everybody finds it in the same log at another time, and some
        never do. Nor does what rests on entries that this log lacks: others may lack them, too, and could not be shown it. What
        gives the lie to a vote by which this log went on is shown along with them."""
        if not self._concerns(accusation):
            return False
        if accusation.why == "shuffle":
            return self._goes_on(accusation.culprit) and not self._was_away(accusation)
        if self._goes_on(accusation.culprit):
            return True
        index = self._parted_at(accusation)
        return index is not None and not self.settled_behind(index)

    def set_aside(self, accusation: Accusation) -> None:
        """``accusation`` stops nobody, for who is accused plays no more, and may play again where entries fall away. Of those
        that are alike the one is kept that rests on the fewest entries; of shuffles one for each time that their author went."""
        have_played = self.match.former_authors.union(self.match.snapshot_at(0).setup.authors)
        if accusation.culprit not in have_played or not self._concerns(accusation):
            return
        went = self._went_before(accusation)
        alike = accusation.like(one for one in self.idle_accusations if self._went_before(one) == went)
        if alike is None:
            self.idle_accusations.append(accusation)
        elif accusation.rests_on_less(alike):
            self.idle_accusations[self.idle_accusations.index(alike)] = accusation

    def _went_before(self, accusation: Accusation) -> Hash:
        """The statement by which the author of a false shuffle went last before that; "" for none, and for other misdeeds."""
        if accusation.why != "shuffle":
            return ""
        return self.match.snapshot_at(len(accusation.prefix) - 1).departures.get(accusation.culprit, "")

    def _concerns(self, accusation: Accusation) -> bool:
        """Whether ``accusation`` rests on this log, or this log on the vote that is broken by what the accusation rests on."""
        if self._holds(accusation.prefix[-1]):
            return True
        return accusation.why == "vote" and self.went_on_by(EpochVote.from_json(accusation.exhibits[0]))

    def went_on_by(self, vote: EpochVote) -> bool:
        """Whether an epoch of this log began by ``vote``."""
        return any(vote in votes_of(entry) for entry in self.match.entries if named_epoch(entry.statement) == vote.epoch)

    def _holds(self, entry: Entry) -> bool:
        entries = self.match.entries
        return entry.index < len(entries) and entries[entry.index].hash == entry.hash

    def _goes_on(self, author: str) -> bool:
        """Whether ``author`` plays, or the device to which its person went on."""
        return not set(self._devices_of(author)).isdisjoint(self.live)

    def _devices_of(self, author: str) -> list[str]:
        """``author``, and the devices to which its person went on."""
        devices = [author]
        for entry in self.match.entries:
            if entry.statement.kind == "device" and entry.statement.author == devices[-1]:
                devices.append(str(entry.statement.body["to"]))
        return devices

    def _was_away(self, accusation: Accusation) -> bool:
        """Whether the accused, at whatever device, did not play for a while behind the log that ``accusation`` rests on."""
        devices = self._devices_of(accusation.culprit)
        return any(live.isdisjoint(devices) for live in map(frozenset, set(self._note_lives()[len(accusation.prefix):])))

    def _parted_at(self, accusation: Accusation) -> int | None:
        """The entry here in whose place others may hold another one, by what is proven; None if there is none."""
        entries, index = self.match.entries, len(accusation.prefix)
        if accusation.why == "fork" and 0 < index < len(entries):
            return index if entries[index].previous == accusation.prefix[-1].hash else None
        if accusation.why == "epoch":
            epoch = named_epoch(Statement.from_json(accusation.exhibits[0]))
            return next((entry.index for entry in entries if named_epoch(entry.statement) == epoch
                         and entry.statement.author == accusation.culprit), None)
        if accusation.why == "vote":
            epoch = EpochVote.from_json(accusation.exhibits[0]).epoch
            return next((entry.index for entry in entries if named_epoch(entry.statement) == epoch
                         and accusation.culprit in entry.statement.body["votes"]), None)
        return None

    # ---- the dealing ----

    @property
    def dealing(self) -> SealedDealing:
        dealing = self.match.dealing
        assert isinstance(dealing, SealedDealing)
        return dealing

    @property
    def current_dealing(self) -> SealedDealing:
        """The dealing with every request of the rules taken in."""
        if self._current is None or self._current[0] != self.match.head:
            self._current = self.match.head, self.dealing.with_requests(self.match.state)
        return self._current[1]

    @property
    def orderer_owes(self) -> bool:
        """Whether the next entry is one that only the peer that orders may say: it hands the order on, or takes in answers that
        need no message of anybody."""
        return bool(self.match.snapshot.must_order) or self.dealer.idle(self.match.state, self.current_dealing)

    @property
    def deferred_checker(self) -> DeferredChecker | None:
        """The checker of this replica, if it can defer shuffles."""
        checker = self.dealing.checker
        return checker if isinstance(checker, DeferredChecker) else None

    def placing_refusal(self, statement: Statement) -> Refusal | None:
        """Why ``statement`` gets no place here; None if it is due one. Nobody has to place an undo that holds the match
        up without consent (``kernel/undo``), nor what is too much beside the play, though a log may hold it."""
        match, body = self.match, statement.body
        refusal = match.refusal(statement)
        if refusal is None and statement.kind == "undo" and holds_up(match.prefix(), body["seat"], body["to"]):
            return Refusal("kernel.undo.consent")
        if refusal is None and exceeds_quota(reversed(match.entries), statement):
            return Refusal("peers.quota")
        return refusal

    @property
    def are_two(self) -> bool:
        """Whether two play and there never was a third who ordered: then nobody can have been shown another history."""
        return len(self.live) < 3 and len(self.match.snapshot.voters) < 3

    def missing_acknowledgers(self, index: int) -> tuple[str, ...]:
        """The peers that must acknowledge entry ``index`` before anything is shared because of it."""
        return () if self.are_two else self.acknowledgements.lacking(self.other_authors, index)

    def settled_behind(self, index: int) -> bool:
        """Whether entry ``index`` can never fall away, as far as is known here: all who were live behind some entry from that
        one on acknowledged it, this device among them, and no ballot can have gone past it."""
        for end in self._ends_to_try(index):
            if not self.has_acknowledged(end):
                return False
            others = [author for author in self._lives[end] if author != self.author]
            if not self.acknowledgements.lacking(others, end):
                return not self._is_for_one_voter(index)
        return False

    def _is_for_one_voter(self, index: int) -> bool:
        """Whether entry ``index`` is behind one that a single voter acknowledged, where the others are enough for a ballot. Who
        left had said so before, perhaps, and voted elsewhere afterwards, without having seen any of it."""
        last, acknowledgements = len(self.match.entries) - 1, self.acknowledgements
        held = sorted((last if voter == self.author else acknowledgements.held_by(voter), voter)
                      for voter in self.match.snapshot.voters)
        if len(held) < 2 or held[-2][0] >= index:
            return False
        (second, _), (_, first) = held[-2:]
        return bool(required_voters(self.match.snapshot_at(second), {"kind": "pass", "against": first}))

    def has_acknowledged(self, index: int) -> bool:
        """Whether this device acknowledges its entry ``index``. One that is bound holds more than it acknowledges. So
        does one that has to check shuffles first: by a false one an entry falls away."""
        is_allowed = (not self.is_bound or self.bound_end is None
                      or (self.match.snapshot_at(index).epoch, index) <= self.bound_end[:2])
        return is_allowed and self.is_checked

    def _ends_to_try(self, index: int) -> list[int]:
        """Entry ``index``, and those behind it by which others are live than before: whoever holds an entry holds all before it,
        so behind the others no fewer would have to hold more."""
        lives = self._note_lives()
        return [index, *(end for end in range(index + 1, len(lives)) if lives[end] is not lives[end - 1])]

    def _note_lives(self) -> list[tuple[str, ...]]:
        """Who was live behind each entry. A log that was there before is folded once for it, where it is asked for first."""
        if len(self._lives) < len(self.match.entries):
            self._lives.clear()
            for _, snapshot, _ in self.match.steps():
                self._note_live(snapshot.live)
        return self._lives

    def _note_live(self, live: tuple[str, ...]) -> None:
        """``live`` are so behind the next entry; the same object where they were before, too."""
        is_same = bool(self._lives) and self._lives[-1] == live
        self._lives.append(self._lives[-1] if is_same else live)

    # ---- what is to be stored ----

    def cut(self, length: int) -> None:
        """Let all entries but the first ``length`` fall away: a new epoch begins there. What this device said in them, and what
        died because of them, may stand after all. Who plays again because of that is accused again."""
        idle = [one for one in self.idle_accusations if not self.stops_by(one)]
        self._let_go(self._shorten(length), idle)

    def _let_go(self, lost: Sequence[Entry], idle: Sequence[Accusation]) -> None:
        """The entries ``lost`` fell away from the end of the log. ``idle``: accusations that stopped nobody before."""
        length = len(self.match.entries)
        self.accusations[:] = filter(self._concerns, self.accusations)
        self.idle_accusations = list(filter(self._concerns, self.idle_accusations))
        for one in filter(self.stops_by, idle):
            if one.like(filter(self.stops_by, self.accusations)) is None:
                self.accusations.append(one)
        own = [entry.statement for entry in lost if entry.statement.author == self.author]
        own += [] if self.pending is None else [self.pending]
        lengths = {one.statement.hash: min(one.length, length) for one in self.dead}
        dead = [one.statement for one in self.dead]
        self.dead, self.pending = [], None
        for statement in sorted(own + dead, key=lambda statement: statement.count):
            refusal = self.match.refusal(statement)
            if self.pending is None and refusal is None:
                self.pending = statement
                continue
            self.dead.append(DeadStatement(statement, lengths.get(statement.hash, length)))
            if refusal is not None and statement in own and statement.kind != "deal":  # somebody may wait for it
                self.rejections.append((statement, refusal.key))
        self.has_signed = True

    def _shorten(self, length: int) -> list[Entry]:
        """Take all entries but the first ``length`` out of the log, here and on the disk; those."""
        lost = self.match.cut(length)
        del self._lives[length:]
        self.cuts, self._current = self.cuts + 1, None
        self._note_hand()
        self.acknowledgements.cut(length)
        self.unstored_entries = [new for new in self.unstored_entries if new.entry.index < length]
        if length < self._taken:
            self.stored_length, self._taken = length, length
        return lost

    def fold_again(self, length: int) -> Entry | None:
        """Fold all entries but the first ``length`` anew, where a shuffle among them was taken for good and is false. One that is
        wrong by that falls away, with what stands behind it: whoever checks at once refuses it there. Nobody honest who dealt has
        shared anything because of it: they check before they acknowledge it. That entry, or None."""
        branch = self.match.branch(length)
        wrong = None
        for entry in self.match.entries[length:]:
            try:
                branch.append(entry)
            except Refused:
                wrong = entry
                break
        idle = [one for one in self.idle_accusations if not self.stops_by(one)]
        lost = self._shorten(length)
        right = len(branch.entries) - length
        for entry in lost[:right]:
            self.append_judged(entry)
        if wrong is not None:
            self._let_go(lost[right:], idle)
        return wrong

    def set_promise(self, vote: EpochVote) -> None:
        """``vote`` was signed. Votes before it, whose epochs have not begun, bind as well."""
        ends = [vote.end] if self.bound_end is None or not self.is_bound else [vote.end, self.bound_end]
        self.bound_end = min(ends, key=lambda end: end[:2])
        self.promise, self.has_signed = vote, True

    def append(self, entry: Entry) -> None:
        """Verify ``entry`` and take it in. Raises ``Refused`` and changes nothing if it is wrong."""
        self._grow(entry, self.match.append)

    def append_judged(self, entry: Entry) -> None:
        """Take in ``entry``, which was verified in its place in a branch of this log."""
        self._grow(entry, self.match.append_judged)

    def _grow(self, entry: Entry, append: Callable[[Entry], object]) -> None:
        signer = signer_of(self.match.snapshot, entry.statement)
        append(entry)
        if len(self._lives) == entry.index:
            self._note_live(self.match.snapshot.live)
        answers = tuple(self.dealing.last_results) if entry.statement.kind == "deal" else None
        self.unstored_entries.append(VerifiedEntry(entry, answers))
        self._note_hand()
        if entry.statement.kind in ("deal", "device"):  # nothing else makes a card readable
            self.match.learn(self.dealer.read(self.dealing, self.match.knowledge))
        self.acknowledgements.note_entry(entry, signer)
        self.count = max(self.count, self.match.count(self.author))  # it may have said more than this device remembers
        if entry.statement.author == self.author and named_epoch(entry.statement) > self.begun_epoch:
            self.begun_epoch, self.has_signed = named_epoch(entry.statement), True
        if self.pending is not None and entry.statement.hash == self.pending.hash:
            self.set_pending(None)

    def _note_hand(self) -> None:
        """Tell the checker which hand is under way: its shuffles are checked before anything is said. It is so as soon as the
        rules ask for its deck, though that was prepared and nothing is said of it yet."""
        if self.deferred_checker is not None:
            self.deferred_checker.hand = self.match.snapshot.deals

    @property
    def to_keep(self) -> Pending:
        """What the disk should hold beside the log."""
        statement = None if self.pending is None else self.pending.to_json()
        dead = tuple(one.statement.to_json() for one in self.dead)
        promise = None if self.promise is None else self.promise.to_json()
        bound_end = None if self.bound_end is None else list(self.bound_end)
        return Pending(statement, self.count, dead, promise, bound_end, tuple(one.length for one in self.dead), self.begun_epoch)

    def take(self) -> tuple[int | None, tuple[VerifiedEntry, ...], Pending | None]:
        """What is to be stored: how many entries are left of those that are, what comes behind them, and what to keep."""
        length, entries, pending = self.stored_length, tuple(self.unstored_entries), self.to_keep if self.has_signed else None
        self._taken = len(self.match.entries)
        self.unstored_entries.clear()
        self.stored_length, self.has_signed = None, False
        return length, entries, pending

    def set_pending(self, statement: Statement | None) -> None:
        self.pending, self.has_signed = statement, True

    def bury_pending(self) -> None:
        """The pending statement is dead, because this device's own log refuses it. Nothing else ends it."""
        assert self.pending is not None
        self.dead.append(DeadStatement(self.pending, len(self.match.entries)))
        self.set_pending(None)

    def forget_dead(self) -> None:
        """Forget the dead statements that can never stand again, but no leave that was signed, for its author has to go."""
        kept = [one for one in self.dead if self._may_be_needed(one)]
        if len(kept) < len(self.dead):
            self.dead, self.has_signed = kept, True

    def _may_be_needed(self, dead: DeadStatement) -> bool:
        if dead.statement.kind == "leave" and self.takes_part:
            return True
        return bool(self.missing_acknowledgers(dead.length - 1)) or not self.has_acknowledged(dead.length - 1)
