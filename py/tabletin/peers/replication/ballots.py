"""Ballots: the votes by which a new epoch of the log begins, because a peer is gone or the one that orders places nothing.

First everybody wishes, unsigned and every second. Where all whose votes are needed wish the same, each signs a vote. A vote is
a promise: from then on its author signs nothing of an older epoch. Who would order gathers the votes and says what they amount
to, right behind the newest entry that any voter held. This is the view change of Viewstamped Replication (Liskov and Cowling,
2012), with ballots as in Paxos; ``docs/sync.md`` tells why it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tabletin.kernel.dealing import prepares_next_hand
from tabletin.kernel.log import Entry, Hash, Json, Statement, canonical
from tabletin.kernel.schema import Malformed
from tabletin.kernel.undo import MOST_UNDOS, holds_up, undo_count
from tabletin.peers.replication.authority import BEGINS_EPOCH, ballot_vote, named_epoch, required_voters, without_whom
from tabletin.peers.replication.ballot_numbers import BallotNumbers
from tabletin.peers.replication.choices import Choices
from tabletin.peers.replication.epoch_vote import MOST_SUBJECT, EpochVote, votes_of
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.state import ReplicaState
from tabletin.peers.replication.statement_quota import was_quota_exceeded

FRESH: Final = 3.0  # seconds for which a wish holds
BALLOT: Final = 5.0  # seconds after which a ballot that did not complete is begun anew …
MOST_PATIENCE: Final = 40.0  # … and twice as many each time that one for the same was in vain, up to so many
STUCK: Final = 15.0  # seconds after which the one who hinders all ballots is left out
PATIENCE: Final = 10.0  # seconds that the peer that orders may take over a statement of which everybody knows
MOST_WISHES: Final = 8
JOIN_PAUSE: Final = 0.9  # seconds after a vote, before its author joins another ballot
MOST_STAY: Final = 2 * BALLOT  # seconds for which nobody leaves one that has more votes: others may wish the same later
MOST_BALLOTS: Final = 64  # of one voter whose votes are remembered
PLEA_PAUSE: Final = 0.9  # seconds after a plea, before another one of its author is judged and handed on
MOST_VERDICTS: Final = 64  # that are remembered behind one entry
NO_DEBTS: Final = ("seat", "consent", "device", "leave", "pass")  # statements that pay no debt and make no new one
SETTLES_ORDER: Final = (*BEGINS_EPOCH, "leave")
PLAYS: Final = ("move", "deal", "gone", "leave")  # statements by which nobody may wait for a seat any more

Seats = tuple[int, ...]  # whose they are, whatever device that person goes on from
Idle = tuple[Seats, int, int]  # of who orders, the one that is waited for, and the entry since which it does nothing
Due = tuple[Seats, str, int]  # of who orders, who has to get the order, and the entry because of which something is due


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody agreed to, and when that was heard."""

    subjects: tuple[bytes, ...]
    time: float


@dataclass(frozen=True, slots=True)
class Plea:
    """A statement that its author says the peer that orders holds back, heard at ``time``."""

    statement: Statement
    time: float


@dataclass(frozen=True, slots=True)
class Certificate:
    """Votes that are enough: ``body`` of the statement of ``kind`` that says so, to stand right behind entry ``index``."""

    kind: str
    body: Message
    index: int


def _changes_no_debt(statement: Statement) -> bool:
    """Whether ``statement`` pays nothing that its author owes: it is of seats, begins an epoch in which the hand goes on, or
    hands the order to who has it already."""
    return statement.kind in NO_DEBTS or (statement.kind == "order" and statement.body.get("to") == statement.author)


class Ballots:
    """The ballots as one peer sees them."""

    def __init__(self, state: ReplicaState, outbox: Outbox, choices: Choices) -> None:
        self._state = state
        self._outbox = outbox
        self._choices = choices
        self._wishes: dict[str, Wish] = {}
        self._votes: dict[int, dict[str, EpochVote]] = {}  # by epoch and voter
        self._pleas: dict[str, Plea] = {}  # by author
        self._handed_on_at: dict[str, float] = {}  # when a plea of each author was judged and handed on
        self._usable: tuple[Hash, dict[Hash, bool]] = "", {}  # behind which entry, and whether the log would take a statement
        self._numbers = BallotNumbers()
        self._epoch = state.match.snapshot.epoch  # when this peer looked last
        self._compared_to = self._epoch  # whose votes were held against those that were heard
        self._voted_at = 0.0
        self._granted: tuple[bytes, float] = b"", BALLOT  # what this peer voted for last, and how long that ballot may take
        self._joined: dict[int, float] = {}  # when this peer voted, by epoch
        self._stuck_since: float | None = None
        self._said_at: tuple[str, float] = ("", 0.0)  # the pending statement, and when it was sent first
        self._idle_since: tuple[Idle | None, float] = None, 0.0  # the seat of the peer that orders for which the table waits
        self._placed_unfairly: tuple[Hash, bool] = "", False  # behind which entry, and whether nobody had to place it
        self._due_since: tuple[Due | None, float] = None, 0.0  # what the peer that orders owes, and since when
        self._changes = 0  # how often what is known of others' votes changed; one's own changes the promise
        self._looked_at: tuple[Hash, int, int] | None = None  # behind which entry, promise and change they were looked through
        if state.promise is not None:
            self._votes[state.promise.epoch] = {state.author: state.promise}

    # ---- what this peer wishes ----

    def subjects(self) -> list[dict[str, Json]]:
        """What this peer agrees to now: that somebody is gone, that the peer that orders is passed over, or, where a promise
        was made that led to nothing, that a new epoch begins with the same one."""
        state, snapshot = self._state, self._state.match.snapshot
        if not state.takes_part or state.author not in snapshot.voters or state.is_stopped or state.has_given_vote_away:
            return []
        if state.match.outcome is not None:
            return list(self._lifts())
        found: list[dict[str, Json]] = []
        for gone in sorted(self._choices.removals & set(state.live)):
            if gone != state.author and not state.is_present(gone):
                order, then = state.orderer_without(gone), "without" if gone in self._choices.ending_removals else "bot"
                found.append({"kind": "gone", "peer": gone, "order": order, "heir": order, "then": then})
        orderer = snapshot.orderer
        if self._is_withheld() and orderer != state.author and orderer in state.live:
            found.append({"kind": "pass", "against": orderer, "order": snapshot.next_to_order(orderer)})
        lifts = list(self._lifts())
        hindering = {lift["against"] for lift in lifts}

        def lateness(subject: dict[str, Json]) -> tuple[bool, bool]:
            """What needs the vote of who hinders comes last, because that one may wish it and never vote; of such, what was tried
            last comes behind the others."""
            needs = not hindering.isdisjoint(required_voters(snapshot, subject))
            return needs, needs and canonical(subject) == self._granted[0]

        return sorted(found + lifts, key=lateness)[:MOST_WISHES]

    def _lifts(self) -> Iterator[dict[str, Json]]:
        """Nobody may stay bound by a promise that led to nothing. The last is what needs everybody's vote."""
        state, snapshot = self._state, self._state.match.snapshot
        if self._stuck_since is None or state.time - self._stuck_since < BALLOT or snapshot.orderer not in state.live:
            return
        if snapshot.epoch != self._epoch:
            return  # one has begun since this peer looked: the wait begins anew
        lift: dict[str, Json] = {"kind": "pass", "against": None, "order": snapshot.orderer}
        if state.time - self._stuck_since >= STUCK:
            wished, others = canonical(lift), [voter for voter in snapshot.live_voters if voter != state.author]
            unwilling = [voter for voter in others if not self._wishes_lately(voter, wished)]
            alone = [hindering[0] for hindering in (self._hindering(), unwilling) if len(hindering) == 1]
            for against in dict.fromkeys(alone):
                yield {"kind": "pass", "against": against, "order": state.orderer_without(against)}
        yield lift

    def _hindering(self) -> list[str]:
        """Because of whom a ballot that this peer joined a while ago came to nothing: who did not vote along; or, where all did,
        who votes for an end of the log that nobody gives out; or else who was to begin the epoch. The newest ballot counts in
        which it is a single one: into a newer one not all may have come yet."""
        state = self._state
        for epoch in sorted(self._joined, reverse=True):
            votes = self._votes.get(epoch, {})
            own = votes.get(state.author)
            if own is not None and state.time - self._joined[epoch] >= FRESH:
                agreed = {voter for voter, vote in votes.items() if vote.subject == own.subject}
                missing = [voter for voter in required_voters(state.match.snapshot, own.subject) if voter not in agreed]
                without_end = self._without_end([votes[voter] for voter in agreed])
                hindering = missing or without_end or [one for one in state.other_authors if one == own.subject.get("order")]
                if len(hindering) == 1:
                    return hindering
        return []

    def _without_end(self, votes: list[EpochVote]) -> list[str]:
        """Who of those that gave ``votes`` holds back the epoch: its vote names an entry that should be in the log behind which
        the epoch begins, and that nobody has given out."""
        match = self._state.match
        newest = max(vote.end[0] for vote in votes)
        return [vote.voter for vote in votes if vote.end[0] == newest
                and not (vote.end[1] < len(match.entries) and match.entries[vote.end[1]].hash == vote.end[2])]

    def _wishes_lately(self, voter: str, subject: bytes) -> bool:
        """Whether it was heard to wish that while a ballot lasts."""
        wish = self._wishes.get(voter)
        return wish is not None and self._state.time - wish.time <= BALLOT and subject in wish.subjects

    def _is_withheld(self) -> bool:
        """Whether the peer that orders holds back a statement that this peer's own log would take, or what it alone may say."""
        state = self._state
        if self._due_since[0] is not None and state.time - self._due_since[1] >= 2 * PATIENCE:
            return True
        if state.pending is not None and state.time - self._said_at[1] >= 2 * PATIENCE \
                and self._said_at[0] == state.pending.hash and self._is_usable(state.pending):
            return True
        if self._idle_since[0] is not None and state.time - self._idle_since[1] >= 2 * PATIENCE:
            return True
        if self._placed_unfairly[1]:
            return True
        return any(state.time - plea.time >= PATIENCE and self._is_usable(plea.statement) for plea in self._pleas.values())

    def _is_usable(self, statement: Statement) -> bool:
        """Whether ``statement`` is due a place behind this peer's own log. Judged once behind each entry: wishes come all the
        time."""
        match = self._state.match
        if self._usable[0] != match.head or len(self._usable[1]) >= MOST_VERDICTS:
            self._usable = match.head, {}
        known = self._usable[1]
        if statement.hash not in known:
            known[statement.hash] = self._state.placing_refusal(statement) is None
        return known[statement.hash]

    # ---- time ----

    def tick(self) -> None:
        """Once a second: wish, plead, say the own vote again, and vote where all agree."""
        state = self._state
        self._numbers.tick(state.match.snapshot.voters, self._newest_ballot)
        self._forget_votes()
        self._note_stuck()
        self._note_due()
        self._note_idle()
        self._note_unfair_places()
        self._plead()
        if state.is_bound and state.promise is not None:
            self._outbox.send(None, {"t": "ballot", **state.promise.to_json()})
            if state.time - self._voted_at >= FRESH:
                self._hand_on(state.promise.epoch)
        subjects = self.subjects()
        if subjects:
            self._outbox.send(None, {"t": "wish", "what": subjects})
            self._vote(subjects)

    @property
    def _newest_ballot(self) -> int:
        """The newest that this peer voted in, or whose epoch has begun here."""
        state = self._state
        return max(state.match.snapshot.epoch, 0 if state.promise is None else state.promise.epoch)

    def _forget_votes(self) -> None:
        """Forget votes for epochs that are over. Where one has begun meanwhile, others' votes for later ones, too: who is bound
        says its vote again, and nobody else's hinders anybody."""
        state, epoch = self._state, self._state.match.snapshot.epoch
        if epoch != self._epoch:
            self._epoch, self._stuck_since = epoch, None
            self._votes = {number: {voter: vote for voter, vote in votes.items() if voter == state.author}
                           for number, votes in self._votes.items()}
        self._votes = {number: votes for number, votes in self._votes.items() if number > epoch and votes}
        self._joined = {number: at for number, at in self._joined.items() if number in self._votes}

    def _note_stuck(self) -> None:
        """Since when there are votes for an epoch that does not begin."""
        voters = self._state.match.snapshot.live_voters
        if any(voter in voters for votes in self._votes.values() for voter in votes):
            if self._stuck_since is None:
                self._stuck_since = self._state.time
        else:
            self._stuck_since = None

    def _note_due(self) -> None:
        """Since when the peer that orders owes what nobody else may say."""
        due = self._due()
        if due != self._due_since[0]:
            self._due_since = due, self._state.time

    def _note_idle(self) -> None:
        """Since when the people here want a seat timed out whose device orders. With whatever that says meanwhile it could make
        all votes void, which are for one head; only a move changes anything about it."""
        state, match = self._state, self._state.match
        wanted = [seat for seat in sorted(self._choices.timeouts.intersection(match.rules.to_act(match.state)))
                  if match.setup.seats[seat].author == match.orderer]
        last = next(entry.index for entry in reversed(match.entries)
                    if entry.index == 0 or (entry.statement.kind in PLAYS and not prepares_next_hand(entry.statement)))
        idle = (match.snapshot.seats_of(match.orderer), wanted[0], last) if wanted and match.outcome is None else None
        if idle != self._idle_since[0]:
            self._idle_since = idle, state.time

    def _note_unfair_places(self) -> None:
        """Whether the peer that orders, or who gave it the order, gave a place to an undo that nobody has to place, or to too
        much beside the play. Looked at once behind each entry, because that takes a fold of the log."""
        match = self._state.match
        if self._placed_unfairly[0] != match.head:
            self._placed_unfairly = match.head, (was_quota_exceeded(reversed(match.entries))
                                                 or any(self._is_unfair_undo(entry) for entry in self._since_new_order()))

    def _since_new_order(self) -> Iterator[Entry]:
        """The entries since chance was asked last, or since others than the peer that orders settled who does; the newest first.
        No undo crosses chance."""
        for entry in reversed(self._state.match.entries):
            said = entry.statement
            if entry.index == 0 or said.kind in SETTLES_ORDER or (said.kind == "deal" and not prepares_next_hand(said)):
                return
            yield entry

    def _is_unfair_undo(self, entry: Entry) -> bool:
        match, said = self._state.match, entry.statement
        if said.kind != "undo":
            return False
        before, seat, target = match.entries[:entry.index], said.body["seat"], said.body["to"]
        is_suspect = any(one.statement.kind == "timeout" for one in before[target + 1:])
        own = match.snapshot.seats_of(match.setup.seats[seat].author)
        return ((is_suspect or undo_count(reversed(before), own) == MOST_UNDOS)
                and holds_up(match.prefix(entry.index - 1), seat, target))

    def _due(self) -> Due | None:
        """What the peer that orders owes just now. What is said of seats meanwhile does not make it another debt."""
        state, match = self._state, self._state.match
        if match.outcome is not None or not state.orderer_owes:
            return None
        last = next(entry.index for entry in reversed(match.entries) if not _changes_no_debt(entry.statement))
        return match.snapshot.seats_of(match.orderer), match.snapshot.must_order, last

    def _plead(self) -> None:
        """Tell everybody of the own statement that does not get its place, and forget what others said so of once it stands."""
        state = self._state
        pending = state.pending
        if pending is not None and pending.hash != self._said_at[0]:
            self._said_at = pending.hash, state.time
        if pending is not None and not state.orders and state.time - self._said_at[1] >= PATIENCE:
            self._outbox.send(None, {"t": "plea", "s": pending.to_json()})
        self._pleas = {author: plea for author, plea in self._pleas.items() if self._is_usable(plea.statement)}

    # ---- hearing ----

    def hear_plea(self, statement: Statement) -> bool:
        """A signed ``statement`` does not get its place, its author says. Whether it is to be handed to the peer that orders."""
        state = self._state
        if statement.author not in state.live or state.orders:
            return False
        if state.time - self._handed_on_at.get(statement.author, -PLEA_PAUSE) < PLEA_PAUSE:
            return False  # a leave takes long to judge, and what this peer hands on counts as its own there
        self._handed_on_at[statement.author] = state.time
        known = self._pleas.get(statement.author)
        if (known is None or not self._is_usable(known.statement)) and self._is_usable(statement):
            self._pleas[statement.author] = Plea(statement, state.time)  # another one does not begin the wait anew
        return True

    def hear_wish(self, sender: str, message: Message) -> None:
        """What ``sender`` agrees to. Raises ``Malformed``."""
        subjects = message.get("what")
        if type(subjects) is not list or len(subjects) > MOST_WISHES:
            raise Malformed("expected wishes")
        if sender not in self._state.match.snapshot.live_voters:
            return  # nobody counts it
        spelled = tuple(canonical(subject) for subject in subjects)
        if sum(map(len, spelled)) > MOST_WISHES * MOST_SUBJECT:
            raise Malformed("expected short wishes")
        self._wishes[sender] = Wish(spelled, self._state.time)
        self._vote(self.subjects())

    def hear_vote(self, sender: str, message: Message) -> EpochVote | None:
        """Somebody's vote. The other one, where its author voted for two things in one ballot. Raises ``Malformed``."""
        state = self._state
        vote = EpochVote.from_json({name: value for name, value in message.items() if name != "t"})
        snapshot = state.match.snapshot
        if vote.voter not in snapshot.voters or vote.epoch <= snapshot.epoch:
            return None
        if vote.subject.get("kind") not in BEGINS_EPOCH:
            raise Malformed("a vote for what begins no epoch")
        known = self._votes.get(vote.epoch, {}).get(vote.voter)
        if known == vote:
            return None
        if not (self._numbers.holds(vote) or self.is_signed(vote)):
            raise Malformed("a vote that is not signed")
        if known is not None:
            return known
        is_believed = self._numbers.hear(vote, snapshot.voters, self._newest_ballot)
        if not is_believed or vote.voter not in snapshot.live_voters:
            return None  # it is said again each second, until that much is believed; who is gone only shows whom it led on
        self._votes.setdefault(vote.epoch, {})[vote.voter] = vote
        self._changes += 1
        self._crowd_out(vote.voter)
        self._note_stuck()
        self._vote(self.subjects())
        return None

    def _crowd_out(self, voter: str) -> None:
        """Forget votes of ``voter`` where they are too many, so that they crowd out nobody else's: never the newest; first those
        that it gave alone, and of these the oldest. Else it could have others forget its votes in their ballots."""
        *older, _ = sorted(epoch for epoch, votes in self._votes.items() if voter in votes)
        voters = self._state.match.snapshot.live_voters  # not the devices from which one of them went on
        for epoch in sorted(older, key=lambda epoch: (len(self._votes[epoch].keys() & voters), epoch))[:1 - MOST_BALLOTS]:
            del self._votes[epoch][voter]
        self._votes = {epoch: votes for epoch, votes in self._votes.items() if votes}

    def contradictions(self) -> list[tuple[EpochVote, EpochVote]]:
        """Votes that were heard here, and others of the same voters in the same ballot by which the log went on, told once. More
        than one epoch may have begun in one message."""
        match = self._state.match
        found: list[tuple[EpochVote, EpochVote]] = []
        if self._compared_to != match.snapshot.epoch:
            self._compared_to = match.snapshot.epoch
            for entry in match.entries:
                heard = self._votes.get(named_epoch(entry.statement), {})
                found += [(heard[vote.voter], vote) for vote in votes_of(entry) if heard.get(vote.voter, vote) != vote]
        return found

    def is_signed(self, vote: EpochVote) -> bool:
        message = ballot_vote(self._state.match.id, vote.epoch, vote.subject, list(vote.end))
        return self._state.authority.verifier.verify(vote.voter, message, vote.signature)

    # ---- voting ----

    def _vote(self, subjects: list[dict[str, Json]]) -> None:
        """Vote for the first of ``subjects`` on which all agree whose votes it needs: in a ballot that one of them began, or in a
        new one."""
        state, snapshot, newest = self._state, self._state.match.snapshot, self._newest_ballot
        if state.is_bound and state.time - self._voted_at < JOIN_PAUSE:
            return  # nobody has this peer sign and send votes over and over
        if not state.is_checked:
            return  # a vote acknowledges what it names
        for subject in subjects:
            required = required_voters(snapshot, subject)
            spelled = canonical(subject)
            ranks = {epoch: self._rank(epoch, subject, required) for epoch in self._votes if epoch > newest}
            begun = max((rank for rank in ranks.values() if rank[0]), default=None)
            # whatever others wish: somebody may wish it to one alone
            is_joined = begun is not None and without_whom(subject) is None
            if state.author not in required or not (is_joined or all(self._agrees(voter, spelled) for voter in required)):
                continue
            if begun is not None and self._is_ahead(begun, subject, required):
                self._sign(begun[1], subject)
                if is_joined:
                    self._hand_on(begun[1])
            elif not state.is_bound or state.time - self._voted_at >= self._patience(spelled):
                self._sign(max(newest, *(self._numbers.highest(voter) for voter in required)) + 1, subject)
            return

    def _rank(self, epoch: int, subject: dict[str, Json], required: Iterable[str]) -> tuple[int, int]:
        """How near the ballot for ``epoch`` is to its end: how many of ``required`` have voted for ``subject`` in it; of two that
        are equal the newer one is nearer."""
        votes = self._votes.get(epoch, {})
        return sum(voter in votes and votes[voter].subject == subject for voter in required), epoch

    def _is_ahead(self, rank: tuple[int, int], subject: dict[str, Json], required: tuple[str, ...]) -> bool:
        """Whether this peer leaves the ballot in which it voted for one of that ``rank`` for ``subject``: one that is nearer to
        its end, or any other once its own had time. Else somebody could lead each voter on to ballots of its own, and none
        would end."""
        state, own = self._state, self._state.promise
        stay = min(self._patience(canonical(subject)), MOST_STAY)
        if own is None or not state.is_bound or state.time - self._voted_at >= stay:
            return True
        known = self._rank(own.epoch, own.subject, required_voters(state.match.snapshot, own.subject))
        is_last = rank[0] == len(required) - 1  # only its own vote is missing there
        if own.subject == subject:
            return rank > known or (is_last and rank[0] > 1)  # one voter alone leads it nowhere
        return rank[0] > known[0] or is_last

    def _hand_on(self, epoch: int) -> None:
        """Say others' votes in the ballot for ``epoch``, and the newest ones: somebody may tell its votes to one alone."""
        votes = dict.fromkeys((*self._votes.get(epoch, {}).values(), *self._numbers.newest_votes()))
        for vote in votes:
            if vote.voter != self._state.author and vote.epoch > self._state.match.snapshot.epoch:
                self._outbox.send(None, {"t": "ballot", **vote.to_json()})

    def _patience(self, subject: bytes) -> float:
        """Seconds that this peer's last ballot may take before it begins one for ``subject``. Where votes travel for long, those
        for the same are given longer and longer; whoever wants something else is not kept waiting by that."""
        known, seconds = self._granted
        return seconds if known == subject else BALLOT

    def _grant(self, subject: bytes) -> None:
        """This peer votes for ``subject``: how long that ballot may take. One that had no time was not in vain."""
        state, seconds = self._state, self._patience(subject)
        if not state.is_bound:
            seconds = BALLOT
        elif subject == self._granted[0] and state.time - self._voted_at >= BALLOT:
            seconds = min(2 * seconds, MOST_PATIENCE)
        self._granted = subject, seconds

    def _agrees(self, voter: str, subject: bytes) -> bool:
        if voter == self._state.author:
            return True
        wish = self._wishes.get(voter)
        return wish is not None and self._state.time - wish.time <= FRESH and subject in wish.subjects

    def _sign(self, epoch: int, subject: dict[str, Json]) -> None:
        state, match = self._state, self._state.match
        seen = (match.snapshot.epoch, len(match.entries) - 1, match.head)
        signature = state.identity.sign(ballot_vote(match.id, epoch, subject, list(seen)))
        vote = EpochVote(state.author, epoch, subject, seen, signature)
        self._grant(canonical(subject))
        self._voted_at = self._joined[epoch] = state.time
        self._votes.setdefault(epoch, {})[state.author] = vote
        state.set_promise(vote)
        self._outbox.send(None, {"t": "ballot", **vote.to_json()})
        self._note_stuck()

    # ---- what was decided ----

    def certificate(self) -> Certificate | None:
        """What this peer has to say now because enough voted for it, told once; entries that it lacks for that are asked for."""
        state, match = self._state, self._state.match
        promised = 0 if state.promise is None else state.promise.epoch
        now = match.head, promised, self._changes
        if self._looked_at == now:
            return None  # this is asked with every message, and there may be many votes
        self._looked_at = now
        for epoch in sorted(self._votes, reverse=True):
            is_over = epoch <= max(match.snapshot.epoch, state.begun_epoch)  # it may have begun in entries that fell away
            if is_over or epoch < promised or state.is_stopped or not state.takes_part:
                return None
            votes = self._votes[epoch]
            for subject in {canonical(vote.subject): vote.subject for vote in votes.values()}.values():
                required = required_voters(match.snapshot, subject)
                given = {voter: vote for voter, vote in votes.items() if voter in required and vote.subject == subject}
                if subject.get("order") == state.author and required and len(given) == len(required):
                    return self._certificate(epoch, subject, given)
        return None

    def _certificate(self, epoch: int, subject: dict[str, Json], votes: dict[str, EpochVote]) -> Certificate | None:
        match = self._state.match
        newest = max(votes.values(), key=lambda vote: vote.end)
        _, index, head = newest.end
        if index >= len(match.entries) or match.entries[index].hash != head:
            return None  # backfill brings what the voter told of
        body = {name: value for name, value in subject.items() if name != "kind"}
        said = {voter: [list(vote.end), vote.signature] for voter, vote in votes.items()}
        return Certificate(str(subject["kind"]), {**body, "epoch": epoch, "votes": said}, index)
