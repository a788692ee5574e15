"""Folds a sealed match whose signatures and proofs somebody else has verified, as a page's worker does for its page.

The results of each deal are given beside its entry: ``answers``. Rules are judged all the same. It needs no group and no key,
and so it also folds what lies on disk. It is not for a log from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tabletin.kernel.dealing import RequestAnswer, SeatAgnosticDealing, read_openings
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.log import Entry, Json, Statement
from tabletin.kernel.match import Match
from tabletin.kernel.options import refused
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.requests import Result
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Malformed
from tabletin.kernel.state import State, well_formed

SEALED = "sealed"  # the name of this dealing in a genesis

Answers = tuple[Result, ...]  # what one ``deal`` entry answered: one result a request it completed


@dataclass(frozen=True, slots=True)
class VerifiedEntry:
    """An entry whose signatures and proofs were checked; ``answers``: what it answered if it is a deal, else None."""

    entry: Entry
    answers: Answers | None = None


class TrustedDealing(SeatAgnosticDealing):
    """A ``kernel.dealing.Dealing``. ``answers``: those of each ``deal`` entry in the log's order, shared by all copies.

    ``read_so_far`` says how many such entries it has read. That follows from the log, because an undo takes back no deal.
    """

    def __init__(self, answers: list[Answers] | None = None) -> None:
        self.answers: list[Answers] = [] if answers is None else answers
        self.read_so_far = 0

    def copy(self) -> TrustedDealing:
        twin = TrustedDealing(self.answers)
        twin.read_so_far = self.read_so_far
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TrustedDealing):
            return NotImplemented
        return self.answers[:self.read_so_far] == other.answers[:other.read_so_far]

    __hash__ = None  # type: ignore[assignment]

    def read(self, state: State, author: str, body: dict[str, Json]) -> Iterable[RequestAnswer]:
        if self.read_so_far == len(self.answers):
            raise refused("kernel.deal.form")
        answers = self.answers[self.read_so_far]
        if len(answers) > len(state.requests):
            raise refused("kernel.deal.nothing_asked")
        for request, result in zip(state.requests, answers, strict=False):
            if not well_formed(request, result):
                raise refused("kernel.deal.form")
        self.read_so_far += 1
        return [RequestAnswer(result) for result in answers]

    def take_openings(self, state: State, author: str, openings: list[list[Json]]) -> dict[Card, Face]:
        return read_openings(openings, parts=(2, 3))  # a proof may stand beside; it was checked


class TrustedAuthority:
    """A ``kernel.match.Authority`` for entries whose signatures the worker has checked."""

    def check(self, prefix: Prefix, statement: Statement) -> None:
        pass

    def place(self, prefix: Prefix, entry: Entry) -> None:
        pass


def trusted_match(rules: type[Rules[Any]], genesis: Entry) -> Match:
    """A sealed match at its beginning, as a page folds it. Raises ``Malformed`` or ``Refused``."""
    return Match(rules, genesis, TrustedDealing(), TrustedAuthority())


def follow(match: Match, entry: Entry, answers: Answers | None) -> list[Any]:
    """Take ``entry`` into a trusted match; ``answers`` are those of a ``deal``, None for every other kind. Its events.

    Raises ``Refused`` or ``Malformed`` and changes nothing if it does not fit.
    """
    known = deal_answers(match)
    if (answers is not None) != (entry.statement.kind == "deal"):
        raise Malformed("answers stand beside deals")
    if answers is None:
        return match.append(entry)
    known.append(answers)
    try:
        return match.append(entry)
    except BaseException:
        known.pop()
        raise


def cut(match: Match, length: int) -> None:
    """Take back all entries of a trusted match but the first ``length``, with what they answered."""
    answers = deal_answers(match)
    match.cut(length)
    del answers[sum(entry.statement.kind == "deal" for entry in match.entries):]


def deal_answers(match: Match) -> list[Answers]:
    """The answers of each deal of ``match``. Raises ``Malformed`` for a match that is dealt otherwise."""
    dealing = match.dealing
    if not isinstance(dealing, TrustedDealing):
        raise Malformed("not a match that somebody else has verified")
    return dealing.answers


def is_trusted(match: Match) -> bool:
    """Whether ``match`` is folded here from verified entries: a match among peers, on its page or from disk."""
    return isinstance(match.dealing, TrustedDealing)


def answers_json(answers: Sequence[Result] | None) -> Json:
    """``answers`` as they are sent and stored: faces as a list, a roll as a number, null for an answer that says nothing."""
    return None if answers is None else [list(one) if isinstance(one, tuple) else one for one in answers]


def read_answers(data: Json) -> Answers | None:
    """Raises ``Malformed``."""
    if data is None:
        return None
    if not isinstance(data, list):
        raise Malformed("answers: expected a list")
    return tuple(_result(one) for one in data)


def _result(data: Json) -> Result:
    if data is None or type(data) is int:
        return data
    if isinstance(data, list) and all(type(face) is str for face in data):
        return tuple(data)
    raise Malformed("answers: expected faces, a number or nothing")
