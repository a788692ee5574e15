"""What one peer holds against others, and how everybody comes to hold it.

An accusation is sent with what was signed and nothing else. The receiver checks it against its own log, so a false accusation
is harmless and the same exhibits convict at every table. Only players are accused, and former ones by whose words logs have
parted: what others sign is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf
from typing import Final

from tabletin.kernel.log import Entry, Json, Statement
from tabletin.kernel.match import MOST_BEHIND, Match
from tabletin.kernel.schema import Malformed
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.replication.authority import BEGINS_EPOCH, named_epoch, signer_of
from tabletin.peers.replication.epoch_vote import EpochVote, votes_of
from tabletin.peers.replication.evidence import (
    Accusation,
    are_fork,
    are_two_beginnings,
    breaks,
    check_size,
    convicts_voter,
    is_evidence_of_place,
    may_break,
    uses_old_counter,
)
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.payloads import PACE
from tabletin.peers.replication.state import ReplicaState

MOST_LOOKED_BACK: Final = 64  # entries in which a voter's words are looked for
MOST_RIVALS: Final = 8  # epochs that begin in two ways, in one branch, at whose signatures this device looks
MOST_SHOWN: Final = 512  # entries of another branch with which a broken vote is shown to those whose log lacks them
MOST_SHOWN_BYTES: Final = 2_000_000  # of their statements
MOST_SHOWN_LATENESS: Final = 2_000  # of these entries: each is judged behind so many others
SHOWING_PAUSE: Final = 0.9  # seconds after a sender was asked for such entries, or some were read, before that is done again
JUDGED_PAUSE: Final = 60.0  # … after some were judged: they may be wrong, or add nothing to what is held
OF_STATEMENTS: Final = ("statement", "counter", "twice", "epoch")  # kinds that rest on statements; the others rest on entries


class Accusations:
    """The accusations of one peer."""

    def __init__(self, state: ReplicaState, outbox: Outbox) -> None:
        self._state = state
        self._outbox = outbox
        self._head_at_tick = ""
        self._tell_at = -inf  # when the others are told again what they were told
        # when, and how far back, such entries were asked for, by who pays for it and the signature of the vote
        self._asked: dict[tuple[str, str], tuple[float, int]] = {}
        self._read_from: dict[str, float] = {}  # from when on more of them are read, by who pays for it

    def accuse(self, accusation: Accusation) -> bool:
        """Hold ``accusation``, unless its like is held already and rests on no more, and tell the others. False where it stops
        nobody, because its culprit does not play."""
        state = self._state
        if not state.stops_by(accusation):
            state.refusal_counts["kernel.stranger"] += 1
            state.set_aside(accusation)
            return False
        self._forget_idle()
        alike = accusation.like(state.accusations)
        if alike is None:
            state.accusations.append(accusation)
            self._tell(accusation)
        elif accusation.rests_on_less(alike):  # nobody keeps the proof that all can read away by a long one
            state.accusations[state.accusations.index(alike)] = accusation
            self._tell(accusation)
        return True

    def _forget_idle(self) -> None:
        """Set aside what stops nobody any more."""
        state = self._state
        for accusation in state.accusations:
            if not state.stops_by(accusation):
                state.set_aside(accusation)
        state.accusations[:] = filter(state.stops_by, state.accusations)

    def check_log(self) -> None:
        """The newest entry may have shown that a shuffle in the log is false. One that an older entry showed was held then."""
        state, match = self._state, self._state.match
        guilty = state.dealing.guilty
        if guilty is None:
            return
        before = match.snapshot_at(len(match.entries) - 2).dealing
        assert isinstance(before, SealedDealing)
        if state.dealing.spoiled_decks > before.spoiled_decks:
            self.accuse(Accusation.of_log(match, guilty, "shuffle"))

    def suspect(self, statement: Statement) -> None:
        """Accuse the author of a refused statement if it was already wrong at the head it names, or shuffles one deck in a
        second way."""
        match = self._state.match
        accusation = Accusation.of_statement(match, statement) or Accusation.of_second_shuffle(match, statement)
        if accusation is not None:
            self.accuse(accusation)

    def suspect_votes(self, votes: Iterable[EpochVote]) -> bool:
        """Accuse who voted and had signed, or signs later, that it held something newer of an older epoch. Whether anybody
        was accused."""
        match, found = self._state.match, False
        newest: dict[str, list[tuple[int, Json]]] = {}  # of each voter: to look for them takes long

        def words_for(vote: EpochVote) -> Iterator[tuple[int, Json]]:
            yield from self._first_words_of(vote)
            if vote.voter not in newest:
                newest[vote.voter] = list(self._words_of(vote.voter))
            yield from newest[vote.voter]

        for vote in votes:
            for index, word in words_for(vote):
                if index and breaks(vote, match, index):
                    found |= self._accuse_of_parting(Accusation.of_broken_vote(match, vote, index, word))
                    break
        return found

    def _accuse_of_parting(self, accusation: Accusation) -> bool:
        """Accuse somebody by whom two logs have parted. Others are told though it plays no more in this one: it may play in
        theirs."""
        has_stopped = self.accuse(accusation)
        if not has_stopped:
            self._tell(accusation)
        return has_stopped

    def suspect_rivals(self, branch: Iterable[Entry]) -> bool:
        """Accuse who began an epoch in ``branch``, which nobody has judged, and otherwise the same one in this log; and who voted
        for it there, and otherwise here. Whether anybody was accused. Of several the newest that accuses somebody counts, for who
        did wrong in an older one may play no more."""
        match = self._state.match
        ours = {named_epoch(entry.statement): entry for entry in match.entries if named_epoch(entry.statement)}
        rivals = [(ours[named_epoch(entry.statement)], entry) for entry in branch if named_epoch(entry.statement) in ours]
        return any(self._suspect_rival(beginning, rival) for beginning, rival in rivals[:-MOST_RIVALS - 1:-1])

    def _suspect_rival(self, beginning: Entry, rival: Entry) -> bool:
        """The same of one epoch, which begins with ``beginning`` in this log and with ``rival`` in the other one."""
        match, authority = self._state.match, self._state.authority
        known = {vote.voter: vote for vote in votes_of(beginning)}
        accused: list[bool] = []
        if are_two_beginnings(beginning.statement, rival.statement) and authority.statement_signed(rival.statement):
            two = Accusation.of_two_beginnings(match, beginning.statement, rival.statement)
            accused.append(self._accuse_of_parting(two))
        try:
            doubled = [(known[vote.voter], vote) for vote in votes_of(rival) if vote.voter in known]
        except Malformed:
            doubled = []  # no votes: whoever judges the entry says what is wrong with it
        accused += [self._accuse_of_parting(Accusation.of_two_votes(match, one, other)) for one, other in doubled
                   if convicts_voter(one.voter, (one.to_json(), other.to_json()), match, 0, authority)]
        return any(accused)

    def _words_of(self, author: str) -> Iterator[tuple[int, Json]]:
        """What ``author`` signed that shows up to which entry it held this log, the newest of each kind."""
        match, held = self._state.match, self._state.acknowledgements.newest_held(author)
        if held is not None:
            yield held.index, [held.index, held.head, held.signature]
        for entry in reversed(match.entries[-MOST_LOOKED_BACK:]):
            yield from self._words_in(entry, author)

    def _first_words_of(self, vote: EpochVote) -> Iterator[tuple[int, Json]]:
        """What its voter signed soon behind the entry that ``vote`` names: such a proof rests on few entries, which can be shown
        to those who lack them."""
        for entry in self._state.match.entries[vote.end[1] + 1:][:MOST_LOOKED_BACK]:
            yield from self._words_in(entry, vote.voter)

    def _words_in(self, entry: Entry, author: str) -> Iterator[tuple[int, Json]]:
        """What ``author`` said or placed in ``entry``."""
        match = self._state.match
        if entry.statement.author == author and entry.statement.kind not in BEGINS_EPOCH:
            yield match.index_of(entry.statement.head) or 0, entry.statement.to_json()
        if entry.index and signer_of(match.snapshot_at(entry.index - 1), entry.statement) == author:
            yield entry.index, {"i": entry.index}

    def accuse_votes(self, one: EpochVote, other: EpochVote) -> None:
        """Somebody voted for two things in one ballot."""
        self.accuse(Accusation.of_two_votes(self._state.match, one, other))

    def tick(self) -> None:
        """Once a second: tell the others again, for messages get lost, as often as a slow line carries it, and forget what stops
        nobody any more. Where nothing has come since the last tick, check the shuffles of a chain that is not complete."""
        state, match = self._state, self._state.match
        self._forget_idle()
        if state.time >= self._tell_at:
            self._tell_at = state.time + sum(map(self._tell, state.accusations)) // PACE
        if self._head_at_tick == match.head and not state.accusations and match.outcome is None:
            guilty = state.dealing.unfinished_guilty()
            if guilty is not None:
                self.accuse(Accusation.of_log(match, guilty, "shuffle"))
        self._head_at_tick = match.head

    def _tell(self, accusation: Accusation) -> int:
        """Tell the others of it; in how many bytes. Everybody finds in its own log what the log itself proves."""
        if not accusation.exhibits:
            return 0
        return self._outbox.send(None, {"t": "blame", "why": accusation.why, "x": list(accusation.exhibits)})

    def hear(self, sender: str, message: Message) -> None:
        """A peer tells of a misdeed. Raises ``Malformed`` for what proves nothing, or not yet, and ``Refused`` where the entries
        that it shows for that are wrong."""
        exhibits, why = message.get("x"), message.get("why")
        if not isinstance(exhibits, list):
            raise Malformed("expected exhibits")
        accusation = self._from_exhibits(why, exhibits)
        if accusation is None and why == "vote" and len(exhibits) == 2:
            accusation = self._from_branch(sender, exhibits, message.get("e"))
        if accusation is None:
            raise Malformed("an accusation that proves nothing")
        self.accuse(accusation)

    # ---- a vote that is broken in another branch ----

    def _from_branch(self, sender: str, exhibits: list[Json], shown: Json) -> Accusation | None:
        """An accusation that a vote by which this log went on was broken in another branch. ``shown``: the entries of that one,
        for which ``sender`` is asked first: nobody has this device judge a branch that it has not asked for."""
        state = self._state
        vote, payer = EpochVote.from_json(exhibits[0]), state.payer(sender)
        if not state.went_on_by(vote) or self._proof_against(vote.signature) is not None:
            return None
        if shown is None:
            self._ask(sender, vote)
            return None
        if (payer, vote.signature) not in self._asked or state.time < self._read_from.get(payer, -inf):
            return None
        self._read_from[payer] = state.time + SHOWING_PAUSE
        entries = self._read_shown(shown)
        if entries is None:
            return None
        start, match = entries[0].index, state.match
        before = match.snapshot_at(start - 1)
        if not may_break(vote, exhibits[1], entries, before.epoch, state.authority):
            return None  # as nothing does that stands behind the end of this log
        if are_fork(before, entries[0].previous, match.entries[start], entries[0]) \
                and state.authority.place_signed(entries[0], signer_of(before, entries[0].statement)):
            return Accusation.of_fork(match, match.entries[start], entries[0])
        self._read_from[payer] = state.time + JUDGED_PAUSE
        branch = match.branch(start)
        for entry in entries:
            branch.append(entry)
        return self._broken_vote(exhibits, branch)

    def _ask(self, sender: str, vote: EpochVote) -> None:
        """Ask ``sender`` for the entries by which ``vote`` is broken, a little further back each time: nobody knows where its log
        parts from this one, but not behind the entry that the vote names."""
        state = self._state
        key = state.payer(sender), vote.signature
        at, back = self._asked.get(key, (-inf, 0))
        if state.time - at < SHOWING_PAUSE:
            return
        back = 2 * back + 1 if back < MOST_SHOWN else 0
        self._asked[key] = state.time, back
        start = max(1, min(vote.end[1] + 1, len(state.match.entries)) - back)
        self._outbox.send(sender, {"t": "want", "i": start, "vote": vote.signature})

    def _read_shown(self, shown: Json) -> list[Entry] | None:
        """The entries ``shown``, from where they part from this log on, at least one; None where they do not fit, or are too
        many. Nobody has judged them. Raises ``Malformed``."""
        match = self._state.match
        if type(shown) is not list or len(shown) > MOST_SHOWN:
            return None
        entries = [Entry.from_json(data) for data in shown]
        for entry in entries:
            check_size(entry.statement)
            if entry.statement.match != match.id:
                raise Malformed("another match")
        while entries and match.index_of(entries[0].hash) is not None:
            del entries[0]
        if not entries or not are_shown(entries) or self._lateness(entries) > MOST_SHOWN_LATENESS:
            return None
        if match.index_of(entries[0].previous) != entries[0].index - 1:
            return None
        return entries if all((two.index, two.previous) == (one.index + 1, one.hash) for one, two in pairwise(entries)) else None

    def _lateness(self, entries: list[Entry]) -> int:
        """Behind how many others of them, or of this log, the statements in ``entries`` are judged."""
        match, lateness = self._state.match, 0
        places = {entry.hash: entry.index for entry in entries}
        for entry in entries:
            seen = places.get(entry.statement.head, match.index_of(entry.statement.head))
            if seen is not None and entry.statement.kind != "deal":
                lateness += min(max(0, entry.index - 1 - seen), MOST_BEHIND)
        return lateness

    def show(self, start: int, signature: Json) -> Message | None:
        """What proves that the vote with that ``signature`` was broken, with the entries from ``start`` on that it rests on; None
        where nothing is held that does, or it would be more than is read."""
        found = self._proof_against(signature)
        if found is None:
            return None
        entries = list(found.prefix[max(1, start):])
        if not 0 < len(entries) <= MOST_SHOWN or not are_shown(entries):
            return None
        return {"t": "blame", "why": found.why, "x": list(found.exhibits), "e": [entry.to_json() for entry in entries]}

    def _proof_against(self, signature: Json) -> Accusation | None:
        """What is held, and rests on entries, of who signed a vote with that ``signature`` and broke it."""
        state = self._state
        return next((one for one in (*state.accusations, *state.idle_accusations) if one.why == "vote" and len(one.prefix) > 1
                     and EpochVote.from_json(one.exhibits[0]).signature == signature), None)

    def _from_exhibits(self, why: Json, exhibits: list[Json]) -> Accusation | None:
        """What these exhibits prove beside this peer's own log; None if they prove nothing."""
        authority, match = self._state.authority, self._state.match
        if why in OF_STATEMENTS:
            said = [Statement.from_json(exhibit) for exhibit in exhibits]
            for statement in said:
                check_size(statement)
            if not all(authority.statement_signed(one) and one.match == match.id for one in said):
                return None
            if why == "statement" and len(said) == 1:
                return Accusation.of_statement(match, said[0])
            if why == "counter" and len(said) == 2 and differ(said[0], said[1]) and said[0].count == said[1].count:
                return Accusation.of_counter(match, said[0], said[1])
            if why == "epoch" and len(said) == 2 and are_two_beginnings(said[0], said[1]):
                return Accusation.of_two_beginnings(match, said[0], said[1])
            if why == "twice" and len(said) == 2:
                return Accusation.of_two_shuffles(match, said[0], said[1])
            return None
        if why == "vote" and len(exhibits) == 2:
            return self._broken_vote(exhibits, match)
        placed = [Entry.from_json(exhibit) for exhibit in exhibits]
        for entry in placed:
            check_size(entry.statement)
        if why == "fork" and len(placed) == 2:
            one, two = placed
            if not 0 < one.index == two.index <= len(match.entries):
                return None
            before = match.snapshot_at(one.index - 1)
            signer = signer_of(before, one.statement)
            if are_fork(before, match.entries[one.index - 1].hash, one, two) \
                    and all(authority.place_signed(entry, signer) for entry in placed):
                return Accusation.of_fork(match, one, two)
        if why == "place" and len(placed) == 1:
            return self._wrong_place(placed[0])
        return None

    def _broken_vote(self, exhibits: list[Json], match: Match) -> Accusation | None:
        """An accusation that somebody broke the promise of a vote; None if these exhibits and the log of ``match`` do not prove
        it."""
        word = exhibits[1]
        vote = EpochVote.from_json(exhibits[0])
        index = 0
        if type(word) is list and len(word) == 3:
            index = match.index_of(str(word[1])) or 0
        elif type(word) is dict:
            named = word.get("i")
            index = named if type(named) is int else match.index_of(str(word.get("head"))) or 0
        if not convicts_voter(vote.voter, tuple(exhibits), match, index, self._state.authority):
            return None
        return Accusation(vote.voter, "vote", tuple(match.entries[:index + 1]), tuple(exhibits))

    def _wrong_place(self, entry: Entry) -> Accusation | None:
        """An accusation that ``entry``, signed by the peer that orders there, cannot stand in its place; None if it can."""
        match = self._state.match
        if not 0 < entry.index <= len(match.entries) or entry.previous != match.entries[entry.index - 1].hash:
            return None
        before, authority = match.snapshot_at(entry.index - 1), self._state.authority
        signer = signer_of(before, entry.statement)
        if not is_evidence_of_place(entry, signer, authority):
            return None
        is_refused = match.refusal_at(entry.index - 1, entry.statement) is not None
        if not is_refused and not uses_old_counter(match, entry.index, entry.statement):
            return None
        return Accusation(signer, "place", tuple(match.entries[:entry.index]), (entry.to_json(),))


def differ(one: Statement, other: Statement) -> bool:
    """Whether these are two statements of one author."""
    return one.author == other.author and one.hash != other.hash


def are_shown(entries: list[Entry]) -> bool:
    """Whether so much is shown along with an accusation."""
    return sum(len(entry.statement.canonical_bytes) for entry in entries) <= MOST_SHOWN_BYTES
