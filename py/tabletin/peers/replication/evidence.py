"""Accusations that anybody can check: a prefix of the log, and what somebody signed that cannot be honest.

*fork*: two places at one index. *counter*: two statements with one counter. *twice*: two shuffles of one deck. *statement*: a
statement that is refused right after the entry that its author names as the newest it saw; an honest program signs none.
*vote*: two votes in one ballot, or a vote and a later word of an older epoch, which that vote promised not to give.
*epoch*: two beginnings of one epoch, behind different entries.
*place*: a place where the log refuses the entry. *shuffle*: the log itself holds a shuffle whose proof fails. Silence is
never evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tabletin.kernel.log import Entry, Hash, Json, Statement, canonical, count_field, parse
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused, refused
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import PROTOCOL, Setup
from tabletin.kernel.snapshot import Snapshot
from tabletin.peers.dealing.dealing import SealedDealing, match_bytes, read_bytes
from tabletin.peers.identity import AUTHOR_DIGITS, Verifier, digits
from tabletin.peers.replication.authority import (
    SignedAuthority,
    acknowledgement,
    ballot_vote,
    epoch_of,
    named_epoch,
    signer_of,
)
from tabletin.peers.replication.epoch_vote import EpochVote
from tabletin.peers.sealed import wire
from tabletin.peers.sealed.group import PrimeGroup
from tabletin.peers.sealed.messages import step_of_shuffle
from tabletin.peers.sealed.pending import Checker

FORM: Final = "tabletin-accusation"
MOST_BYTES: Final = 30_000_000  # of an accusation: its prefix may be the log of a long match of many
MOST_SAID_BYTES: Final = 600_000  # of a statement that is read from others; twice what the longest of an honest program takes
MOST_SAID_VALUES: Final = 20_000  # in it. Two such statements are an accusation that everybody can still read in one message
MOST_BEGINNING: Final = 16  # characters of a dealing message, in which its kind and the number of a shuffle stand
BAD_SHUFFLE: Final = "sealed.bad_shuffle"
PROVEN: Final = {why: Refusal(f"peers.why.{why}") for why in ("fork", "counter", "twice", "shuffle", "vote", "epoch")}


@dataclass(frozen=True, slots=True)
class Accusation:
    """What is held against an author, with all that proves it."""

    culprit: str
    why: str  # "fork", "counter", "twice", "statement", "place", "vote", "epoch" or "shuffle"
    prefix: tuple[Entry, ...]  # the log it rests on
    exhibits: tuple[Json, ...]  # entries or statements

    def like(self, others: Iterable[Accusation]) -> Accusation | None:
        """The first of ``others`` that holds the like against the same author; None if none does."""
        return next((one for one in others if (one.culprit, one.why) == (self.culprit, self.why)), None)

    def rests_on_less(self, other: Accusation) -> bool:
        """Whether it is told in fewer entries: those are kept longer, and judged by more."""
        return len(self.prefix) < len(other.prefix)

    @classmethod
    def of_fork(cls, match: Match, ours: Entry, theirs: Entry) -> Accusation:
        signer = signer_of(match.snapshot_at(ours.index - 1), ours.statement)
        return cls(signer, "fork", tuple(match.entries[:ours.index]), (ours.to_json(), theirs.to_json()))

    @classmethod
    def of_two_votes(cls, match: Match, one: EpochVote, other: EpochVote) -> Accusation:
        return cls(one.voter, "vote", tuple(match.entries[:1]), (one.to_json(), other.to_json()))

    @classmethod
    def of_broken_vote(cls, match: Match, vote: EpochVote, index: int, word: Json) -> Accusation:
        """``word``: what shows that the voter held entry ``index``; see ``convicts_voter``."""
        return cls(vote.voter, "vote", tuple(match.entries[:index + 1]), (vote.to_json(), word))

    @classmethod
    def of_two_beginnings(cls, match: Match, one: Statement, other: Statement) -> Accusation:
        return cls(one.author, "epoch", tuple(match.entries[:1]), (one.to_json(), other.to_json()))

    @classmethod
    def of_counter(cls, match: Match, one: Statement, other: Statement) -> Accusation:
        return cls(one.author, "counter", tuple(match.entries[:1]), (one.to_json(), other.to_json()))

    @classmethod
    def of_statement(cls, match: Match, statement: Statement) -> Accusation | None:
        """None for a statement that was right when it was made and only came too late."""
        index = match.index_of(statement.head)
        if index is None or match.refusal_at(index, statement) is None:
            return None
        return cls(statement.author, "statement", tuple(match.entries[:index + 1]), (statement.to_json(),))

    @classmethod
    def of_second_shuffle(cls, match: Match, statement: Statement) -> Accusation | None:
        """None unless the log holds another shuffle that the author of ``statement`` made of the same deck: its first with that
        number behind the entry that ``statement`` names. Nobody makes this device look at any other."""
        index, step = match.index_of(statement.head), _step_of_shuffle(statement)
        if index is None or step is None:
            return None
        said = (entry.statement for entry in match.entries[index + 1:] if entry.statement.author == statement.author)
        other = next((one for one in said if one.body.keys() == statement.body.keys() and _step_of_shuffle(one) == step), None)
        return None if other is None else cls.of_two_shuffles(match, other, statement)

    @classmethod
    def of_two_shuffles(cls, match: Match, one: Statement, other: Statement) -> Accusation | None:
        """None unless both are right after the entry that both name, and are different shuffles of one deck."""
        index = match.index_of(one.head)
        if index is None or not _two_shuffles(match, index, one, other):
            return None
        return cls(one.author, "twice", tuple(match.entries[:index + 1]), (one.to_json(), other.to_json()))

    @classmethod
    def of_place(cls, match: Match, entry: Entry) -> Accusation:
        return cls(signer_of(match.snapshot, entry.statement), "place", tuple(match.entries), (entry.to_json(),))

    @classmethod
    def of_log(cls, match: Match, against: str, why: str) -> Accusation:
        return cls(against, why, tuple(match.entries), ())

    def to_text(self) -> str:
        """The accusation as a file."""
        return canonical({"form": FORM, "version": 1, "against": self.culprit, "why": self.why,
                          "prefix": [entry.to_json() for entry in self.prefix],
                          "exhibits": list(self.exhibits)}).decode() + "\n"

    @classmethod
    def from_text(cls, text: str) -> Accusation:
        """Raises ``Malformed``."""
        data = parse(text, MOST_BYTES)
        if type(data) is not dict or data.get("form") != FORM or count_field(data, "version") != 1:
            raise Malformed("not an accusation")
        prefix, exhibits, against, why = (data.get(name) for name in ("prefix", "exhibits", "against", "why"))
        if not isinstance(prefix, list) or not prefix or not isinstance(exhibits, list):
            raise Malformed("an accusation has a prefix and exhibits")
        if type(against) is not str or digits(against, AUTHOR_DIGITS) is None or type(why) is not str:
            raise Malformed("an accusation has against and why")
        return cls(against, why, tuple(Entry.from_json(entry) for entry in prefix), tuple(exhibits))


def check_size(statement: Statement) -> None:
    """That an accusation with ``statement``, and another one like it, can be told. Raises ``Malformed``: nobody reads one that
    could not be held against its author."""
    if len(statement.canonical_bytes) > MOST_SAID_BYTES or statement.value_count > MOST_SAID_VALUES:
        raise Malformed("too much for one statement")


def what_was_wrong(accusation: Accusation, match: Match) -> Refusal | None:
    """Why the log of ``match``, which holds the prefix, refuses what was signed; None if ``why`` says it all."""
    if accusation.why not in ("statement", "place"):
        return None
    (exhibit,) = accusation.exhibits
    statement = Statement.from_json(exhibit) if accusation.why == "statement" else Entry.from_json(exhibit).statement
    return match.refusal_at(len(accusation.prefix) - 1, statement)


def peer_match(genesis: Entry, rules: type[Rules[Any]], verifier: Verifier, checker: Checker) -> Match:
    """A match among peers with nothing but its ``genesis``. Raises ``Malformed`` or ``Refused``."""
    setup = Setup.from_statement(genesis.statement)
    if setup.protocol > PROTOCOL:
        raise refused("peers.protocol")
    authority = SignedAuthority(setup, verifier)
    host = genesis.statement.author
    if not authority.statement_signed(genesis.statement) or not authority.place_signed(genesis, host):
        raise Malformed("the genesis is not signed")
    dealing = SealedDealing(setup, match_bytes(genesis.statement.hash), checker)
    return Match(rules, genesis, dealing, authority)


def false_shuffles(match: Match, authority: SignedAuthority, group: PrimeGroup) -> Iterator[Accusation]:
    """Everybody who made a shuffle in ``match``'s log that fails, every one checked again. Each rests on no entry behind the one
    that shows it: whatever else falls away, that shuffle stands. Behind one whose deck was not played the log goes on."""
    again = peer_match(match.entries[0], type(match.rules), authority.verifier, Checker(group))
    spoiled = 0
    for entry in match.entries[1:]:
        prefix = tuple(match.entries[:entry.index + 1])
        try:
            again.append(entry)
        except Refused as error:  # the last shuffle of a chain is refused at once, earlier ones are judged when it is complete
            if error.refusal.key == BAD_SHUFFLE:
                yield Accusation(entry.statement.author, "shuffle", prefix, ())
            return
        dealing = _dealing(again)
        if dealing.guilty is not None and dealing.spoiled_decks > spoiled:
            yield Accusation(dealing.guilty, "shuffle", prefix, ())
        spoiled = dealing.spoiled_decks


def judge(accusation: Accusation, find: Callable[[str], type[Rules[Any]]], verifier: Verifier,
          checker: Checker) -> Refusal | None:
    """What is proven against the accused, as a key with parameters; None if nothing is.

    Everything is verified again. Raises ``Malformed`` or ``Refused`` where the prefix is no log.
    """
    genesis = accusation.prefix[0]
    setup = Setup.from_statement(genesis.statement)
    return judge_behind(peer_match(genesis, find(setup.game), verifier, checker), accusation, SignedAuthority(setup, verifier))


def judge_behind(match: Match, accusation: Accusation, authority: SignedAuthority) -> Refusal | None:
    """The same by a ``match`` that holds the first entries of the prefix, which was judged, and grows by the others."""
    rest = accusation.prefix[len(match.entries):]
    if accusation.why == "shuffle":
        return PROVEN["shuffle"] if _shuffle_fails(match, rest, accusation.culprit) else None
    judge_kind = _JUDGES.get(accusation.why)
    if judge_kind is None:
        raise Malformed(f"no such accusation: {accusation.why}")
    for entry in rest:
        match.append(entry)
    return judge_kind(accusation, match, authority)


def _judge_fork(accusation: Accusation, match: Match, authority: SignedAuthority) -> Refusal | None:
    against = accusation.culprit
    one, two = (Entry.from_json(exhibit) for exhibit in _two(accusation))
    if not authority.place_signed(one, against) or not authority.place_signed(two, against):
        return None
    return PROVEN["fork"] if are_fork(match.snapshot, match.head, one, two) and one.index == len(match.entries) else None


def uses_old_counter(match: Match, length: int, statement: Statement) -> bool:
    """Whether the author of ``statement`` said something with its counter, or a higher one, in the first ``length`` entries."""
    said = (entry.statement for entry in match.entries[:length])
    return any(one.author == statement.author and one.count >= statement.count for one in said)


def is_evidence_of_place(entry: Entry, signer: str, authority: SignedAuthority) -> bool:
    """Whether ``entry`` shows what ``signer`` gave a place to. A place is signed over its statement, but not over that one's own
    signature: anybody could put another one there, and have an honest place look wrong."""
    return authority.place_signed(entry, signer) and authority.statement_signed(entry.statement)


def are_fork(before: Snapshot, head: Hash, one: Entry, other: Entry) -> bool:
    """Whether these are two entries for one place, in one history and one epoch, of one signer. ``head``: the hash of the entry
    before, ``before``: what the log amounts to there."""
    if one.index != other.index or one.hash == other.hash or not one.previous == other.previous == head:
        return False
    said = one.statement, other.statement
    return (epoch_of(before, said[0]) == epoch_of(before, said[1])
            and signer_of(before, said[0]) == signer_of(before, said[1]))


def _judge_vote(accusation: Accusation, match: Match, authority: SignedAuthority) -> Refusal | None:
    _two(accusation)
    index = len(match.entries) - 1
    return PROVEN["vote"] if convicts_voter(accusation.culprit, accusation.exhibits, match, index, authority) else None


def convicts_voter(voter: str, exhibits: tuple[Json, ...], match: Match, index: int, authority: SignedAuthority) -> bool:
    """Whether the two ``exhibits`` are two votes of ``voter`` in one ballot, or a vote and a word that shows that it held entry
    ``index`` of ``match`` and ``breaks`` the vote. Raises ``Malformed``."""
    first, word = exhibits
    vote = EpochVote.from_json(first)
    if vote.voter != voter or not _vote_signed(vote, match, authority):
        return False
    if type(word) is dict and word.keys() == first.keys():
        other = EpochVote.from_json(word)
        is_double = other.voter == vote.voter and other.epoch == vote.epoch and other != vote
        return is_double and _vote_signed(other, match, authority)
    if not 0 < index < len(match.entries):
        return False
    entry, before = match.entries[index], match.snapshot_at(index - 1)
    is_placed = signer_of(before, entry.statement) == voter
    return breaks(vote, match, index) and _shows(word, vote, entry, is_placed, authority)


def may_break(vote: EpochVote, word: Json, branch: Sequence[Entry], epoch: int, authority: SignedAuthority) -> bool:
    """Whether ``word`` and the signatures in ``branch``, which nobody has judged, show that the voter held its last entry and
    broke ``vote`` by that. ``epoch``: that of the entry before. So nobody has others judge entries by the vote of somebody
    honest. Raises ``Malformed``."""
    last, epoch = branch[-1], max(epoch, *(named_epoch(entry.statement) for entry in branch))
    if not epoch < vote.epoch or (epoch, last.index) <= vote.end[:2]:
        return False
    return _shows(word, vote, last, authority.place_signed(last, vote.voter), authority)


def breaks(vote: EpochVote, match: Match, index: int) -> bool:
    """Whether it breaks the promise of ``vote`` that its author shows to hold entry ``index`` of ``match``: one newer than what
    the vote names, and of an epoch before the one voted for."""
    epoch = epoch_of(match.snapshot_at(index - 1), match.entries[index].statement)
    return epoch < vote.epoch and (epoch, index) > vote.end[:2]


def _shows(word: Json, vote: EpochVote, entry: Entry, is_placed: bool, authority: SignedAuthority) -> bool:
    """Whether ``word`` is of an older epoch than ``vote`` was given for and shows that the voter held ``entry``: a signed
    head ``[index, hash, signature]``, a statement that names it as the newest, or ``{"i": index}`` where the voter placed it
    (``is_placed``). Raises ``Malformed``.

    A statement that begins the epoch names the newest entry that any of its voters held. Its author may have got that since it
    voted."""
    voter, match_id = vote.voter, entry.statement.match
    match word:
        case [at, str(head), str(signature)] if type(at) is int:
            message = acknowledgement(match_id, at, head)
            return (at, head) == (entry.index, entry.hash) and authority.verifier.verify(voter, message, signature)
        case {"i": at, **rest} if not rest:
            return type(at) is int and at == entry.index and is_placed
    statement = Statement.from_json(word)
    check_size(statement)
    if named_epoch(statement) >= vote.epoch:
        return False
    return (statement.author == voter and statement.match == match_id and statement.head == entry.hash
            and authority.statement_signed(statement))


def _vote_signed(vote: EpochVote, match: Match, authority: SignedAuthority) -> bool:
    message = ballot_vote(match.id, vote.epoch, vote.subject, list(vote.end))
    return authority.verifier.verify(vote.voter, message, vote.signature)


def are_two_beginnings(one: Statement, other: Statement) -> bool:
    """Whether one author begins one epoch by both, behind different entries. A ballot has one result, and who carries it out
    holds one log: nobody honest signs that twice. Two behind the same entry are a fork."""
    return one.author == other.author and 0 < named_epoch(one) == named_epoch(other) and one.head != other.head


def _judge_epoch(accusation: Accusation, match: Match, authority: SignedAuthority) -> Refusal | None:
    one, two = (Statement.from_json(exhibit) for exhibit in _two(accusation))
    if not all(_is_of_accused(statement, accusation, match, authority) for statement in (one, two)):
        return None
    return PROVEN["epoch"] if are_two_beginnings(one, two) else None


def _judge_counter(accusation: Accusation, match: Match, authority: SignedAuthority) -> Refusal | None:
    one, two = (Statement.from_json(exhibit) for exhibit in _two(accusation))
    if not all(_is_of_accused(statement, accusation, match, authority) for statement in (one, two)):
        return None
    return PROVEN["counter"] if one.count == two.count and one.hash != two.hash else None


def _judge_twice(accusation: Accusation, match: Match, authority: SignedAuthority) -> Refusal | None:
    one, two = (Statement.from_json(exhibit) for exhibit in _two(accusation))
    if not all(_is_of_accused(statement, accusation, match, authority) for statement in (one, two)):
        return None
    return PROVEN["twice"] if _two_shuffles(match, len(match.entries) - 1, one, two) else None


def _judge_statement(accusation: Accusation, match: Match, authority: SignedAuthority) -> Refusal | None:
    statement = Statement.from_json(_one(accusation))
    if statement.head != match.head or not _is_of_accused(statement, accusation, match, authority):
        return None
    return match.refusal_at(len(match.entries) - 1, statement)


def _judge_place(accusation: Accusation, match: Match, authority: SignedAuthority) -> Refusal | None:
    entry = Entry.from_json(_one(accusation))
    signer = signer_of(match.snapshot, entry.statement)
    if signer != accusation.culprit or not is_evidence_of_place(entry, signer, authority):
        return None
    if (entry.index, entry.previous) != (len(match.entries), match.head):
        return None
    try:
        match.append(entry)
    except Refused as error:
        return error.refusal
    return None


_JUDGES: Final = {"fork": _judge_fork, "counter": _judge_counter, "twice": _judge_twice, "statement": _judge_statement,
                  "place": _judge_place, "vote": _judge_vote, "epoch": _judge_epoch}


def _is_of_accused(statement: Statement, accusation: Accusation, match: Match, authority: SignedAuthority) -> bool:
    """Whether the accused signed ``statement`` in this match."""
    return (statement.author == accusation.culprit and statement.match == match.id
            and authority.statement_signed(statement))


def _shuffle_fails(match: Match, rest: Iterable[Entry], against: str) -> bool:
    """Whether the log, read on by the ``rest``, comes to a shuffle of ``against`` that fails. It may come to others before, whose
    decks were not played."""
    for entry in rest:
        try:
            match.append(entry)
        except Refused as error:
            return entry.statement.author == against and error.refusal.key == BAD_SHUFFLE
        if _dealing(match).guilty == against:
            return True
    return _dealing(match).unfinished_guilty() == against


def _dealing(match: Match) -> SealedDealing:
    """That of a match among peers."""
    assert isinstance(match.dealing, SealedDealing)
    return match.dealing


def _two_shuffles(match: Match, index: int, one: Statement, other: Statement) -> bool:
    """Whether two statements of one author, both right after entry ``index``, shuffle one deck in two ways. An honest program
    makes the same bytes again, even after a crash."""
    if one.author != other.author or not one.head == other.head == match.entries[index].hash:
        return False
    if one.body.keys() != other.body.keys() or one.body == other.body:
        return False
    step = _step_of_shuffle(one)
    if step is None or step != _step_of_shuffle(other):
        return False
    return all(match.refusal_at(index, statement) is None for statement in (one, other))


def _step_of_shuffle(statement: Statement) -> int | None:
    """Which shuffle of the deal ``statement`` says that it is a turn of; None if it says nothing like that. What else is in it,
    which takes long to read, is not looked at."""
    text = statement.body.get("sealed", statement.body.get("ahead"))
    if statement.kind != "deal" or type(text) is not str:
        return None
    try:
        return step_of_shuffle(read_bytes(text[:MOST_BEGINNING]))
    except (Refused, wire.MalformedMessage):
        return None


def _one(accusation: Accusation) -> Json:
    if len(accusation.exhibits) != 1:
        raise Malformed("expected one exhibit")
    return accusation.exhibits[0]


def _two(accusation: Accusation) -> tuple[Json, Json]:
    if len(accusation.exhibits) != 2:
        raise Malformed("expected two exhibits")
    return accusation.exhibits[0], accusation.exhibits[1]
