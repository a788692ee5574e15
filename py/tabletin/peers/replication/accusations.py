"""What one peer holds against others, and how everybody comes to hold it.

An accusation is sent with what was signed and nothing else. The receiver checks it against its own log, so a false accusation
is harmless and the same exhibits convict at every table. Only players are accused, and former ones by whose words logs have
parted: what others sign is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tabletin.kernel.log import Entry, Json, Statement
from tabletin.kernel.schema import Malformed
from tabletin.peers.dealing.dealing import SealedDealing
from tabletin.peers.replication.authority import BEGINS_EPOCH, named_epoch, signer_of
from tabletin.peers.replication.epoch_vote import EpochVote, votes_of
from tabletin.peers.replication.evidence import (
    Accusation,
    are_fork,
    are_two_beginnings,
    breaks,
    convicts_voter,
    is_evidence_of_place,
    uses_old_counter,
)
from tabletin.peers.replication.outbox import Message, Outbox
from tabletin.peers.replication.state import ReplicaState

MOST_LOOKED_BACK: Final = 64  # entries in which a voter's words are looked for
OF_STATEMENTS: Final = ("statement", "counter", "twice", "epoch")  # kinds that rest on statements; the others rest on entries


class Accusations:
    """The accusations of one peer."""

    def __init__(self, state: ReplicaState, outbox: Outbox) -> None:
        self._state = state
        self._outbox = outbox
        self._head_at_tick = ""

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
        for vote in votes:
            for index, word in self._words_of(vote.voter):
                if index and breaks(vote, match, index):
                    found |= self.accuse(Accusation.of_broken_vote(match, vote, index, word))
                    break
        return found

    def suspect_rivals(self, branch: Iterable[Entry]) -> bool:
        """Accuse who began an epoch in ``branch``, which nobody has judged, and otherwise the same one in this log; and who voted
        for it there, and otherwise here. Whether anybody was accused. Only the first such epoch is looked at."""
        match, authority = self._state.match, self._state.authority
        ours = {named_epoch(entry.statement): entry for entry in match.entries if named_epoch(entry.statement)}
        rival = next((entry for entry in branch if named_epoch(entry.statement) in ours), None)
        if rival is None:
            return False
        beginning = ours[named_epoch(rival.statement)]
        known = {vote.voter: vote for vote in votes_of(beginning)}
        accused: list[bool] = []
        if are_two_beginnings(beginning.statement, rival.statement) and authority.statement_signed(rival.statement):
            accused.append(self.accuse(Accusation.of_two_beginnings(match, beginning.statement, rival.statement)))
        try:
            doubled = [(known[vote.voter], vote) for vote in votes_of(rival) if vote.voter in known]
        except Malformed:
            doubled = []  # no votes: whoever judges the entry says what is wrong with it
        accused += [self.accuse(Accusation.of_two_votes(match, one, other)) for one, other in doubled
                   if convicts_voter(one.voter, (one.to_json(), other.to_json()), match, 0, authority)]
        return any(accused)

    def _words_of(self, author: str) -> Iterator[tuple[int, Json]]:
        """What ``author`` signed that shows up to which entry it held this log, the newest of each kind."""
        match, held = self._state.match, self._state.acknowledgements.newest_held(author)
        if held is not None:
            yield held.index, [held.index, held.head, held.signature]
        for entry in reversed(match.entries[-MOST_LOOKED_BACK:]):
            if entry.statement.author == author and entry.statement.kind not in BEGINS_EPOCH:
                yield match.index_of(entry.statement.head) or 0, entry.statement.to_json()
            if entry.index and signer_of(match.snapshot_at(entry.index - 1), entry.statement) == author:
                yield entry.index, {"i": entry.index}

    def accuse_votes(self, one: EpochVote, other: EpochVote) -> None:
        """Somebody voted for two things in one ballot."""
        self.accuse(Accusation.of_two_votes(self._state.match, one, other))

    def tick(self) -> None:
        """Once a second: tell the others again, for messages get lost, and forget what stops nobody any more. Where nothing has
        come since the last tick, check the shuffles of a chain that is not complete."""
        state, match = self._state, self._state.match
        self._forget_idle()
        for accusation in state.accusations:
            self._tell(accusation)
        if self._head_at_tick == match.head and not state.accusations and match.outcome is None:
            guilty = state.dealing.unfinished_guilty()
            if guilty is not None:
                self.accuse(Accusation.of_log(match, guilty, "shuffle"))
        self._head_at_tick = match.head

    def _tell(self, accusation: Accusation) -> None:
        if accusation.exhibits:  # everybody finds in its own log what the log itself proves
            self._outbox.send(None, {"t": "blame", "why": accusation.why, "x": list(accusation.exhibits)})

    def hear(self, sender: str, message: Message) -> None:
        """A peer tells of a misdeed. Raises ``Malformed`` for what proves nothing."""
        exhibits = message.get("x")
        if not isinstance(exhibits, list):
            raise Malformed("expected exhibits")
        accusation = self._from_exhibits(message.get("why"), exhibits)
        if accusation is None:
            raise Malformed("an accusation that proves nothing")
        self.accuse(accusation)

    def _from_exhibits(self, why: Json, exhibits: list[Json]) -> Accusation | None:
        """What these exhibits prove beside this peer's own log; None if they prove nothing."""
        authority, match = self._state.authority, self._state.match
        if why in OF_STATEMENTS:
            said = [Statement.from_json(exhibit) for exhibit in exhibits]
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
            return self._broken_vote(exhibits)
        placed = [Entry.from_json(exhibit) for exhibit in exhibits]
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

    def _broken_vote(self, exhibits: list[Json]) -> Accusation | None:
        """An accusation that somebody broke the promise of a vote; None if these exhibits and this log do not prove it."""
        match, word = self._state.match, exhibits[1]
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
