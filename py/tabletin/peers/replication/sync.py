"""Keeping the log in step with the others: entries that come, and heads. ``backfill`` decides whom to ask for more.

An entry is appended only at the next place and only if it is right; one that comes too early is held. Two heads that do not
fit are compared entry by entry, until one of the two devices holds proof of a fork. Shuffles of finished hands may be checked
later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tabletin.kernel.log import Entry, Hash, Json
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.replication.accusations import Accusations
from tabletin.peers.replication.authority import acknowledgement, named_epoch, signer_of
from tabletin.peers.replication.backfill import BATCH, Backfill
from tabletin.peers.replication.epoch_vote import votes_of
from tabletin.peers.replication.evidence import (
    Accusation,
    are_fork,
    check_size,
    false_shuffles,
    is_evidence_of_place,
)
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.state import ReplicaState

VERSION: Final = 5  # 1 knew no polite leave that plays on, 2 no epochs, 3 no texts that go apart, 4 said numbers with wishes
MOST_EARLY: Final = 512  # entries from the next place on that are held of each sender
MOST_EARLY_BYTES: Final = 8_000_000  # of these, in statements
VALUE_BYTES: Final = 64  # that each value in a statement counts for, however short it is spelled
MANY: Final = 8  # entries in one message from which on it is catching up, not play
CHECKED_A_TICK: Final = 2  # shuffles of finished hands
MOST_LATENESS: Final = 2_000  # of the entries that are taken in between two ticks; a second's work on a slow device
TRIAL_PAUSE: Final = 1.0  # seconds after a sender's branch was judged, before another one like it is; of all who do not play
MOST_TRIED: Final = 100  # verdicts, behind entries beside the last, for a branch at one time; the rest of it is asked for again
MOST_BRANCH: Final = 10_000  # entries of a branch that are held
SETTLED_PAUSE: Final = 10.0  # … after one by which something settled would fall away
MOST_VOTES: Final = 32  # votes in such a branch that are held against what their voters said: that takes long
TRIAL_PATIENCE: Final = 10.0  # seconds for which a branch is held of which nothing more comes


@dataclass(slots=True)
class Trial:
    """How the log goes on elsewhere, judged as it comes: the log of ``match`` parts from this one at entry ``start``. ``sender``
    showed it, and more of it at ``time`` (seconds). ``cuts``: how often the log here was cut before."""

    match: Match
    start: int
    sender: str
    time: float
    cuts: int

    def __len__(self) -> int:
        """How many entries stand where the log here goes on otherwise."""
        return len(self.match.entries) - self.start

    def rest_of(self, branch: list[Entry]) -> list[Entry] | None:
        """What of ``branch`` is new behind this one; None where it is another one."""
        entries, index = self.match.entries, branch[0].index
        if not self.start <= index <= len(entries) or branch[0].previous != entries[index - 1].hash:
            return None
        known = branch[:len(entries) - index]
        if known and known[-1].hash != entries[known[-1].index].hash:
            return None
        return branch[len(known):]


def read_head(data: Json) -> tuple[int, Hash]:
    """``data`` as the index and the hash of an entry. Raises ``Malformed``."""
    match data:
        case [index, str(head)] if type(index) is int and index >= 0:
            return index, head
    raise Malformed("expected a head")


def _size_held(entry: Entry) -> int:
    """What it costs to hold ``entry``, in bytes."""
    return len(entry.statement.canonical_bytes) + VALUE_BYTES * entry.statement.value_count


class LogSync:
    """Takes in the log as others send it."""

    def __init__(self, state: ReplicaState, outbox: Outbox, backfill: Backfill, accusations: Accusations) -> None:
        self._state = state
        self._outbox = outbox
        self._backfill = backfill
        self._accusations = accusations
        self._early: dict[int, dict[str, Entry]] = {}  # by index and sender, so that no forgery keeps the true one out
        self._early_bytes: Counter[str] = Counter()
        self._lateness = 0  # of the entries taken in since the last tick: each is judged behind so many others
        self._unready: set[str] = set()  # whose newest head was not signed: who was restarted signs none until it has heard all
        self._tried_at: dict[str, float] = {}  # when a branch of a newer epoch was judged, by who pays for it
        self._compared_at: dict[str, float] = {}  # when a branch of no newer epoch was judged, by who pays for it
        self._trials: dict[str, Trial] = {}  # branches of which more is to come, by who pays for it

    # ---- entries ----

    def hear_entries(self, sender: str, message: Message) -> None:
        """Append the entries that ``sender`` sent, as far as they fit and are right. Raises ``Malformed``."""
        match, deferred, backfill = self._state.match, self._state.deferred_checker, self._backfill
        entries = message.get("e")
        if not isinstance(entries, list) or len(entries) > BATCH:
            raise Malformed("expected entries")
        before, repeated = len(match.entries), False
        branch: list[Entry] = []  # what stands behind a difference
        for data in entries:
            entry = Entry.from_json(data)
            check_size(entry.statement)
            if entry.statement.match != match.id:
                raise Malformed("another match")
            if branch:
                if (entry.index, entry.previous) == (branch[-1].index + 1, branch[-1].hash):
                    branch.append(entry)
            elif self._goes_on_with(sender, entry):
                branch.append(entry)
            elif entry.index >= len(match.entries):
                self._hold(sender, entry)
            else:
                repeated = True
                if self._differs(sender, entry):
                    branch.append(entry)
        if branch:
            self._go_over(sender, branch)
        if deferred is not None:
            deferred.catching_up = max(len(entries), self._signed_missing(sender)) > MANY
        self._advance()
        backfill.note_entries(sender, before, repeated, min(self._early, default=None))
        has_more = len(match.entries) > before and self._signed_missing(sender) > 0
        if deferred is not None:
            deferred.catching_up = False
            if not has_more:
                self.check_urgent()

    def _signed_missing(self, sender: str) -> int:
        """How many entries are missing here that ``sender`` has signed to hold: an unsigned word would put off what is urgent."""
        newest = self._state.acknowledgements.newest(sender)
        return 0 if newest is None else max(0, newest.index + 1 - len(self._state.match.entries))

    def _hold(self, sender: str, entry: Entry) -> None:
        """Keep an entry that may be the next one, or comes too early; of each sender the last that it gave out for a place,
        because its log may have gone on otherwise."""
        known = self._early.get(entry.index, {}).get(sender)
        if known is not None and known.hash == entry.hash:
            return
        size = _size_held(entry) - (0 if known is None else _size_held(known))
        is_too_early = entry.index >= len(self._state.match.entries) + MOST_EARLY
        if is_too_early or self._held_for(sender) + size > MOST_EARLY_BYTES:
            self._state.refusal_counts["peers.too_far_ahead"] += 1
        else:
            self._early.setdefault(entry.index, {})[sender] = entry
            self._early_bytes[sender] += size

    def _held_for(self, sender: str) -> int:
        """How many bytes are held at the cost of ``sender``."""
        payer = self._state.payer(sender)
        return sum(size for other, size in self._early_bytes.items() if self._state.payer(other) == payer)

    def _advance(self) -> None:
        """Append what is held for the next place, as long as there is any. Where it is dear to judge, the rest waits for
        the next tick."""
        state = self._state
        has_grown = True
        while has_grown and self._lateness < MOST_LATENESS:
            has_grown = False
            for sender, entry in list(self._next()):
                if entry.index < len(state.match.entries):
                    if self._differs(sender, entry):
                        self._go_over(sender, [entry])
                    continue
                late = state.match.lateness(entry.statement.kind, entry.statement.head)
                try:
                    self._append(entry)
                except Refused as error:
                    self._judge_refused(sender, entry, error, state.match)
                else:
                    self._lateness += late  # what is refused costs one verdict, and whoever likes can send it
                    self._accusations.check_log()
                    has_grown = True
        self._drop_placed()

    def _append(self, entry: Entry) -> None:
        """Take ``entry`` in. Raises ``Refused``, but not because of a shuffle that was taken for good and is false."""
        state = self._state
        try:
            state.append(entry)
        except Refused:
            cuts = state.cuts
            self.check_urgent()
            if state.cuts == cuts or entry.index != len(state.match.entries):
                raise
            state.append(entry)

    def tick(self) -> None:
        """Once a second: go on with what waits."""
        self._lateness = 0
        if self._early:
            self._advance()
        now, cuts = self._state.time, self._state.cuts
        self._trials = {payer: trial for payer, trial in self._trials.items()
                        if trial.cuts == cuts and now - trial.time < TRIAL_PATIENCE}
        for trial in self._trials.values():
            self._backfill.ask_ahead(trial.sender, len(trial.match.entries))

    def _drop_placed(self) -> None:
        """Let go of entries whose places were taken by others: of a branch, or by statements that this device placed there."""
        for index in [index for index in self._early if index < len(self._state.match.entries)]:
            for sender, entry in self._early.pop(index).items():
                self._early_bytes[sender] -= _size_held(entry)

    def _next(self) -> Iterator[tuple[str, Entry]]:
        """What each sender says is the entry at the next place."""
        for sender, entry in self._early.pop(len(self._state.match.entries), {}).items():
            self._early_bytes[sender] -= _size_held(entry)
            yield sender, entry

    def _judge_refused(self, sender: str, entry: Entry, error: Refused, match: Match) -> None:
        """An entry that cannot stand in ``match`` is evidence, if who places it signed it for this very place. One with another
        history shows that the sender's log parted from that one further back."""
        state, signer = self._state, signer_of(match.snapshot, entry.statement)
        is_signed = state.authority.place_signed(entry, signer)
        if entry.previous != match.head:
            self._trace(sender, entry.index)
            state.refusal_counts["peers.other_history" if is_signed else error.refusal.key] += 1
        elif not self._accuse_placer(entry, match):
            state.refusal_counts[error.refusal.key] += 1

    def _accuse_placer(self, entry: Entry, match: Match) -> bool:
        """Hold against who signed it that ``entry`` was given the next place in ``match``, which refuses it. False where it is
        not shown that anybody did."""
        signer = signer_of(match.snapshot, entry.statement)
        if not is_evidence_of_place(entry, signer, self._state.authority):
            return False
        self._accusations.accuse(Accusation.of_place(match, entry))
        return True

    def _differs(self, sender: str, entry: Entry) -> bool:
        """Whether ``entry`` stands behind the same entry as the one at its place here, and is another one."""
        state, ours = self._state, self._state.match.entries[entry.index]
        if ours.hash == entry.hash or entry.index == 0:
            state.refusal_counts["peers.again"] += 1
            return False
        if entry.previous != ours.previous:
            self._trace(sender, entry.index)
            state.refusal_counts["peers.other_history"] += 1
            return False
        return True

    def _trace(self, sender: str, index: int) -> None:
        """Look for where the log of ``sender`` parts from this one, before entry ``index``, unless that is known: then what comes
        behind it is judged now, and more of it is asked for."""
        trial = self._trial(self._state.payer(sender))
        if trial is None or trial.sender != sender:
            self._backfill.trace(sender, index)

    def _is_branch(self, entry: Entry) -> bool:
        """Whether ``entry`` begins another branch of the log than the one that stands here. Two of one epoch are a fork, which
        convicts who signed them."""
        state, match = self._state, self._state.match
        ours, before = match.entries[entry.index], match.snapshot_at(entry.index - 1)
        if not state.authority.place_signed(entry, signer_of(before, entry.statement)):
            state.refusal_counts["peers.place_unsigned"] += 1
            return False
        if are_fork(before, entry.previous, ours, entry):
            self._accusations.accuse(Accusation.of_fork(match, ours, entry))
            return False
        return True

    def _go_over(self, sender: str, branch: list[Entry]) -> None:
        """Take ``branch`` in place of what stands here, if it begins a newer epoch than any that this log knows. The newest epoch
        decides, whatever the entries are at which the two logs part.

        To judge a branch takes a fold of the log, or many: so it is done once in ``TRIAL_PAUSE`` for each sender, and for all who
        do not play together."""
        state, match = self._state, self._state.match
        index, epoch = branch[0].index, match.snapshot.epoch
        begun = [entry for entry in branch if named_epoch(entry.statement) > epoch]
        judged_at, payer = self._tried_at if begun else self._compared_at, state.payer(sender)
        if state.time < judged_at.get(payer, -TRIAL_PAUSE) + TRIAL_PAUSE:
            state.refusal_counts["peers.too_soon"] += 1  # a network that repeats a message is enough for that
            return
        judged_at[payer] = state.time
        cuts = state.cuts
        self.check_urgent()
        if state.cuts != cuts:
            return  # what stood here may have fallen away
        trial = self._trial(payer)
        rest = None if trial is None else trial.rest_of(branch)
        self._trials.pop(payer, None)
        is_new = trial is None or rest is None
        if (is_new and not self._is_branch(branch[0])) or self._accusations.suspect_rivals(branch):
            return
        if is_new and not begun:
            self._backfill.serve(sender, index)  # ours is the newer one, or the rest of theirs is to come yet
            self._backfill.ask_ahead(sender, index)
            if len(branch) == 1:
                return
        if trial is None or rest is None:
            trial, rest = Trial(match.branch(index), index, sender, state.time, state.cuts), branch
        if self._is_right(trial, rest):
            self._take(trial)

    def _goes_on_with(self, sender: str, entry: Entry) -> bool:
        """Whether ``entry`` stands behind what ``sender`` showed of a branch."""
        trial = self._trial(self._state.payer(sender))
        return trial is not None and (entry.index, entry.previous) == (len(trial.match.entries), trial.match.head)

    def _trial(self, payer: str) -> Trial | None:
        """The branch that is judged at the cost of ``payer``, if it still parts from this log where it did."""
        trial = self._trials.get(payer)
        return trial if trial is not None and trial.cuts == self._state.cuts else None

    def _is_right(self, trial: Trial, entries: list[Entry]) -> bool:
        """Whether a newer epoch begins in ``trial``, which is judged on by ``entries`` to there. What cannot stand is evidence.
        Where it takes long, or no epoch begins yet, more is asked for: others may have gone on for long before one did."""
        state, tried = self._state, 0
        for entry in entries:
            if tried > MOST_TRIED or len(trial) >= MOST_BRANCH:
                break
            tried += trial.match.lateness(entry.statement.kind, entry.statement.head)
            try:
                trial.match.append(entry)
            except Refused as error:
                self._judge_refused(trial.sender, entry, error, trial.match)
                return False
            trial.time = state.time
            if named_epoch(entry.statement) > state.match.snapshot.epoch:
                return True
        self._trials[state.payer(trial.sender)] = trial
        return False

    def _take(self, trial: Trial) -> None:
        """Go over to the branch that was judged, unless that would have something settled fall away."""
        state, branch = self._state, trial.match.entries[trial.start:]
        if state.settled_behind(trial.start):
            epoch = state.match.snapshot_at(trial.start).epoch
            begun = [entry for entry in branch if named_epoch(entry.statement) > epoch]
            self._accusations.suspect_votes([vote for entry in begun for vote in votes_of(entry)][:MOST_VOTES])
            self._tried_at[state.payer(trial.sender)] = state.time + SETTLED_PAUSE - TRIAL_PAUSE
            state.refusal_counts["peers.settled"] += 1
            return
        state.cut(trial.start)
        for entry in branch:
            state.append_judged(entry)
            self._accusations.check_log()

    def check_urgent(self) -> None:
        """Check now what is put off and urgent: by a false shuffle that is taken for good somebody innocent may look wrong."""
        if not self._state.is_checked:
            self.check_deferred()

    def check_all(self) -> None:
        """Check now all that is put off: a file that rests on this log is to hold to anybody who checks it."""
        deferred = self._state.deferred_checker
        if deferred is not None:
            deferred.work(deferred.remaining)
            self.check_deferred()

    def check_deferred(self) -> None:
        """Check deferred shuffles: all that are urgent, else a few. One that fails convicts its author."""
        state, deferred = self._state, self._state.deferred_checker
        if deferred is None or not (deferred.remaining or deferred.failed):
            return
        deferred.work(deferred.urgent or min(CHECKED_A_TICK, deferred.remaining))
        if deferred.failed:
            deferred.failed = False  # all of the log is checked now, once: what was false may stand there no more
            found = list(false_shuffles(state.match, state.authority, deferred.group))
            wrong = state.fold_again(len(found[0].prefix) - 1) if found else None
            for accusation in found:
                self._accusations.accuse(accusation)
            if wrong is not None:
                self._accusations.suspect(wrong.statement)
                self._accuse_placer(wrong, state.match)

    # ---- heads ----

    def tell_head(self, *, gossip: bool = False) -> None:
        """Tell everybody what the newest entry here is; ``gossip``: also what others acknowledged, where that is waited for."""
        acknowledgements = self._state.acknowledgements
        message = self._head()
        if gossip and (acknowledgements.is_share_wanted or not self._unready.isdisjoint(self._state.live)):
            message["seen"] = acknowledgements.report()
        self._outbox.send(None, message)

    def _head(self) -> Message:
        state, match = self._state, self._state.match
        index = newest = len(match.entries) - 1
        head, may_sign = match.head, state.ready
        if state.is_bound and state.bound_end is not None and not state.is_stopped:
            may_sign, (_, index, head) = True, state.bound_end  # nothing newer of an older epoch is signed
        message: Message = {"t": "head", "i": index, "h": head, "m": match.id, "v": VERSION}
        if head != match.head:
            message["has"] = [newest, match.head]  # others may need what it took in since it voted
        if may_sign:
            message["sig"] = state.identity.sign(acknowledgement(match.id, index, head))
        return message

    def hear_head(self, sender: str, message: Message) -> None:
        """``sender`` says what its newest entry is. Raises ``Malformed``."""
        state, match = self._state, self._state.match
        if message.get("m") != match.id:
            raise Malformed("another match")
        if message.get("v") != VERSION:
            state.other_versions.update({sender}.intersection(state.live))
            raise Malformed("another version")
        state.other_versions.discard(sender)
        index, head = read_head([message.get("i"), message.get("h")])
        newest, newest_head = read_head(message.get("has", [index, head]))  # whoever a vote binds may hold more than it signs
        self._hear_acknowledgements(sender, message)
        if "sig" in message:
            self._unready.discard(sender)
            state.note_presence(sender, index, head)
        elif sender in state.live:
            self._unready.add(sender)
        ours = len(match.entries) - 1
        if newest > ours:
            self._backfill.note_head(sender, newest)
            return
        state.unheard_authors.discard(sender)
        if match.entries[newest].hash != newest_head:
            self._backfill.serve(sender, newest)  # let the other side compare: one of us holds proof of a fork
            self._outbox.send(sender, {"t": "want", "i": newest})
        elif newest < ours and "sig" not in message:  # a peer that may not sign yet is told at once how far the log is
            self._outbox.send(sender, self._head())

    def _hear_acknowledgements(self, sender: str, message: Message) -> None:
        """Those of the sender and of the peers that it heard. A spectator's are of no use to anybody."""
        reports = message.get("seen", {})
        if type(reports) is not dict:
            raise Malformed("expected acknowledgements")
        if "sig" in message:
            reports = {**reports, sender: [message["i"], message["h"], message["sig"]]}
        for author in self._state.other_authors:
            if author in reports:
                match reports[author]:
                    case [index, str(head), str(signature)] if type(index) is int and index >= 0:
                        self._state.acknowledgements.acknowledge(author, index, head, signature)
                    case _:
                        raise Malformed("expected an acknowledgement")

    def hear_want(self, sender: str, message: Message) -> None:
        """``sender`` lacks entries, or those by which a vote with the signature "vote" is broken. Raises ``Malformed``."""
        index, end = message.get("i"), message.get("to")
        if type(index) is not int or index < 0 or (end is not None and type(end) is not int):
            raise Malformed("expected an index")
        if "vote" in message:
            self._backfill.show(sender, self._accusations.show(index, message["vote"]))
        else:
            self._backfill.serve(sender, index, end)
