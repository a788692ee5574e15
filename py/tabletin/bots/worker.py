"""What runs in the bots' worker: each match a log, folded there anew, and for each seat only the faces that it was shown.

A request holds the log's new entries and the faces newly shown to the seat that is asked. So no bot can see what its seat may
not, and none learns a shuffle. The same code runs under CPython, where tests ask it directly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, Final

from tabletin.bots.characters import habit_of
from tabletin.bots.decision import Decision, Position
from tabletin.kernel.envelope import pack, unpack
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry, Hash
from tabletin.kernel.logfile import read_faces, refold
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Move, read_move
from tabletin.kernel.setup import Setup
from tabletin.kernel.trusted_match import (
    SEALED,
    answers_json,
    deal_answers,
    follow,
    is_trusted,
    read_answers,
    trusted_match,
)
from tabletin.registry import GAMES, rules_of

if TYPE_CHECKING:
    from tabletin.bots.comparison import Comparison

MOST_MATCHES: Final = 3  # kept in the worker at a time; one that was dropped is sent again


@dataclass(slots=True)
class _FollowedMatch:
    """A match as its bots know it: the public log, and for each seat its own faces."""

    match: Match
    faces: dict[int, Faces] = field(default_factory=dict)


class BotWorker:
    """Answers requests to think, which ``encode_request`` writes."""

    def __init__(self) -> None:
        self._followed: dict[str, _FollowedMatch] = {}
        self._rng = SystemRandom()

    def prepare(self, game: str) -> None:
        """Load what the bots of ``game`` need: the first of them is not to wait for it."""
        GAMES[game].module("bot")

    def think(self, request: str) -> str:
        """The decision asked for, as JSON text; ``{"need": n}`` where entries before those in ``request`` are missing."""
        return self._answer(request, _decide)

    def compare(self, request: str) -> str:
        """The comparison asked for, as JSON text; or what is needed, as ``think``."""
        return self._answer(request, _compare)

    def _answer(self, request: str, answer: Callable[[Position, dict[str, Any]], dict[str, Any]]) -> str:
        """What ``answer`` finds in the position asked about, with only the faces that its seat was shown by then."""
        asked, lines = unpack(request)
        followed = self._follow(asked, lines)
        if isinstance(followed, int):
            return json.dumps({"need": followed})
        seat, match = asked["seat"], followed.match
        known = followed.faces.setdefault(seat, Faces())
        known.update(read_faces({"faces": asked["faces"]}))
        match.knowledge = known
        view = match.view((seat,), asked.get("index"))
        seed = match.setup.extra.get("seed")  # the same seed plays the same, as far as time allows
        rng = self._rng if seed is None else Random(f"{seed} {seat} {len(match.entries)}")
        position = Position(view, seat, asked["level"], rng, asked["budget"], habit=habit_of(match.setup, seat),
                            is_advice=not match.setup.seats[seat].is_bot)
        found = answer(position, asked)
        match.knowledge = Faces()
        return json.dumps(found)

    def _follow(self, asked: dict[str, Any], lines: list[str]) -> _FollowedMatch | int:
        """The match with the entries of ``lines``; or from which entry on they are needed."""
        entries = [Entry.from_line(line) for line in lines]
        followed = self._followed.pop(asked["match"], None)
        if followed is None or not asked["from"]:  # what it has of a match that is told from the start is of no use
            if asked["from"]:
                return 0
            followed = _FollowedMatch(_begun(entries[0]))
            entries = entries[1:]
        else:
            have = len(followed.match.entries)
            if asked["from"] > have:
                self._followed[asked["match"]] = followed
                return have
            entries = entries[have - asked["from"]:]
        if is_trusted(followed.match):
            known = len(deal_answers(followed.match)) - asked["answers_from"]
            answers = iter([read_answers(one) for one in asked["answers"][known:]])
            for entry in entries:
                follow(followed.match, entry, next(answers) if entry.statement.kind == "deal" else None)
        else:
            for entry in entries:
                followed.match.append(entry)
        self._followed[asked["match"]] = followed
        while len(self._followed) > MOST_MATCHES:
            del self._followed[next(iter(self._followed))]
        return followed


def _decide(position: Position, asked: dict[str, Any]) -> dict[str, Any]:
    """What the seat's bot does."""
    decision: Decision = GAMES[position.rules.id].module("bot").choose(position)
    return {"move": decision.move, "why": decision.why, "params": dict(decision.params), "delay": decision.delay,
            "short_why": decision.short_why, "other": decision.other, "or_else": decision.or_else}


def _compare(position: Position, asked: dict[str, Any]) -> dict[str, Any]:
    """How the first of two moves does against the second."""
    from tabletin.bots.comparison import compare  # bots at a table never need it
    one, other = (read_move(position.rules.verbs, move) for move in asked["moves"])
    return asdict(compare(position, one, other))


def _begun(genesis: Entry) -> Match:
    """A match at its beginning, however it is dealt."""
    if Setup.from_statement(genesis.statement).dealing == SEALED:
        return trusted_match(rules_of(Setup.from_statement(genesis.statement).game), genesis)
    return refold([genesis], rules_of)


@dataclass(slots=True)
class SyncPoint:
    """What the worker has of one match: how many entries, with which hash of the last, how many answers, and which faces of each
    seat."""

    entries: int = 0
    head: Hash = ""
    answers: int = 0
    faces: dict[int, set[int]] = field(default_factory=dict)

    def check(self, match: Match) -> None:
        """The worker has nothing of use where some of its entries fell away, as the last ones may among peers."""
        if self.entries and (self.entries > len(match.entries) or match.entries[self.entries - 1].hash != self.head):
            self.entries = self.answers = 0
            self.faces.clear()


def encode_request(match: Match, seat: int, level: str, budget: float, synced: SyncPoint, index: int | None = None,
                   moves: Sequence[Move] = ()) -> str:
    """The request to think for ``seat``, with what is new since ``synced``, which is brought up to date.

    Its texts are the lines of the new entries. ``index``: the entry after which it thinks, None for now; ``moves``: two to be
    compared there.
    """
    synced.check(match)
    seen = synced.faces.setdefault(seat, set())
    view = match.view((seat,), index)
    public = view.state.public
    faces = {card: face for card, face in view.faces.items() if card not in public and card not in seen}
    request: dict[str, Any] = {
        "match": match.id, "seat": seat, "level": level, "budget": budget, "from": synced.entries,
        "faces": {str(card): face for card, face in faces.items()}}
    if index is not None:
        request |= {"index": index, "moves": list(moves)}
    if is_trusted(match):
        answers = deal_answers(match)
        request["answers_from"] = synced.answers
        request["answers"] = [answers_json(one) for one in answers[synced.answers:]]
        synced.answers = len(answers)
    lines = [entry.line for entry in match.entries[synced.entries:]]
    synced.entries, synced.head = len(match.entries), match.head
    seen.update(faces)
    return pack(request, lines)


def decode_reply(match: Match, reply: str) -> Decision | None:
    """The decision in a worker's ``reply``; None where it needs the log from the start. Raises ``Malformed``."""
    said = json.loads(reply)
    if "need" in said:
        return None
    other = said["other"] and read_move(match.rules.verbs, said["other"])
    return Decision(read_move(match.rules.verbs, said["move"]), said["why"], said["params"], said["delay"],
                    said["short_why"], other, said["or_else"])


def decode_comparison(reply: str) -> Comparison | None:
    """The comparison in a worker's ``reply``; None as for ``decode_reply``."""
    from tabletin.bots.comparison import Comparison
    said = json.loads(reply)
    return None if "need" in said else Comparison(**said)
