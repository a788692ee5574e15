"""A match dealt elsewhere, folded here: its dealing was told what each ``deal`` entry answered, and asks no more.

Whoever tells has verified every signature and every proof before (a page's worker does), so this folds and checks nothing of
that; rules are judged all the same. It needs no group and no key, and so it also folds what lies on disk. A log from elsewhere is
not for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tabletin.kernel.authority import Log
from tabletin.kernel.dealing import Answered, Unmoved, read_openings
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.log import Entry, Json, Statement
from tabletin.kernel.match import Match
from tabletin.kernel.options import refused
from tabletin.kernel.requests import Result
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Malformed
from tabletin.kernel.snapshot import Snapshot
from tabletin.kernel.state import State, well_formed

SEALED = "sealed"  # the name of this dealing in a genesis

Answers = tuple[Result, ...]  # what one ``deal`` entry answered: one result a request it completed


class TrustedDealing(Unmoved):
    """A ``kernel.dealing.Dealing``. ``told``: the answers of each ``deal`` entry in the log's order, shared by all copies.

    Where it stands is how many such entries it has read: a function of the log, for undo takes back no deal.
    """

    def __init__(self, told: list[Answers] | None = None) -> None:
        self.told: list[Answers] = [] if told is None else told
        self.read_so_far = 0

    def copy(self) -> TrustedDealing:
        twin = TrustedDealing(self.told)
        twin.read_so_far = self.read_so_far
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TrustedDealing):
            return NotImplemented
        return self.told[:self.read_so_far] == other.told[:other.read_so_far]

    __hash__ = None  # type: ignore[assignment]

    def read(self, state: State, author: str, body: dict[str, Json]) -> Iterable[Answered]:
        if self.read_so_far == len(self.told):
            raise refused("kernel.deal.form")
        answers = self.told[self.read_so_far]
        if len(answers) > len(state.requests):
            raise refused("kernel.deal.nothing_asked")
        for request, result in zip(state.requests, answers, strict=False):
            if not well_formed(request, result):
                raise refused("kernel.deal.form")
        self.read_so_far += 1
        return [Answered(result) for result in answers]

    def opened(self, state: State, author: str, openings: list[list[Json]]) -> dict[Card, Face]:
        return read_openings(openings, parts=(2, 3))  # a proof may stand beside; it was checked


class TrustedAuthority:
    """A ``kernel.match.Authority`` for entries whose signatures the worker has checked."""

    def check(self, log: Log, statement: Statement, snapshot: Snapshot) -> None:
        pass

    def place(self, log: Log, entry: Entry, snapshot: Snapshot) -> None:
        pass


def trusted_match(rules: type[Rules[Any]], genesis: Entry) -> Match:
    """A sealed match at its beginning, as a page folds it. Raises ``Malformed`` or ``Refused``."""
    return Match(rules, genesis, TrustedDealing(), TrustedAuthority())


def follow(match: Match, entry: Entry, answers: Answers | None) -> list[Any]:
    """Take ``entry`` into a told match; ``answers`` are those of a ``deal``, None for every other kind. Its events.

    Raises ``Refused`` or ``Malformed`` and changes nothing if it does not fit.
    """
    told = told_of(match)
    if (answers is not None) != (entry.statement.kind == "deal"):
        raise Malformed("answers stand beside deals")
    if answers is None:
        return match.append(entry)
    told.append(answers)
    try:
        return match.append(entry)
    except BaseException:
        told.pop()
        raise


def told_of(match: Match) -> list[Answers]:
    """The answers that ``match`` was told. Raises ``Malformed`` for a match that was dealt otherwise."""
    dealing = match.dealing
    if not isinstance(dealing, TrustedDealing):
        raise Malformed("not a match that was told")
    return dealing.told


def is_told(match: Match) -> bool:
    return isinstance(match.dealing, TrustedDealing)


def answers_json(answers: Sequence[Result] | None) -> Json:
    """``answers`` as they are told and stored: faces as a list, a roll as a number, null for an answer that says nothing."""
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
