"""What runs in the bots' worker: one match a log, folded there anew, and for each seat only the faces it was shown.

A request is JSON text with the log's new entries and the faces newly shown to the seat that is asked; so no bot can see
what its seat may not. It never learns a shuffle, and it is the same code under CPython, where tests ask it directly.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any, Final

from tabletin.bots.decision import Decision, Position
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Entry
from tabletin.kernel.logfile import read_faces, refold
from tabletin.kernel.match import Match
from tabletin.kernel.schema import read_move
from tabletin.kernel.setup import Setup
from tabletin.kernel.trusted import SEALED, answers_json, follow, is_told, read_answers, told_of, trusted_match
from tabletin.registry import GAMES, rules_of

MOST_MATCHES: Final = 3  # kept in the worker at a time; one that was dropped is sent again


@dataclass(slots=True)
class _Followed:
    """A match as its bots know it: the public log, and each seat's own faces."""

    match: Match
    faces: dict[int, Faces] = field(default_factory=dict)


class BotWorker:
    """Answers requests to think; ``ask`` writes them."""

    def __init__(self) -> None:
        self._followed: dict[str, _Followed] = {}
        self._rng = SystemRandom()

    def think(self, request: str) -> str:
        """The decision asked for, as JSON text; ``{"need": n}`` where entries before the ones sent are missing."""
        asked = json.loads(request)
        followed = self._follow(asked)
        if isinstance(followed, int):
            return json.dumps({"need": followed})
        seat, match = asked["seat"], followed.match
        known = followed.faces.setdefault(seat, Faces())
        known.update(read_faces({"faces": asked["faces"]}))
        match.knowledge = known
        thought = Position(match.view((seat,)), seat, asked["level"], self._rng, asked["budget"])
        decision: Decision = GAMES[match.setup.game].module("bot").choose(thought)
        match.knowledge = Faces()
        return json.dumps({"move": decision.move, "why": decision.why, "params": dict(decision.params),
                           "delay": decision.delay})

    def _follow(self, asked: dict[str, Any]) -> _Followed | int:
        entries = [Entry.from_json(line) for line in asked["entries"]]
        followed = self._followed.pop(asked["match"], None)
        if followed is None:
            if asked["from"] > 0:
                return 0
            followed = _Followed(_begun(entries[0]))
            entries = entries[1:]
        else:
            have = len(followed.match.entries)
            if asked["from"] > have:
                self._followed[asked["match"]] = followed
                return have
            entries = entries[have - asked["from"]:]
        if is_told(followed.match):
            known = len(told_of(followed.match)) - asked["told_from"]
            answers = iter([read_answers(one) for one in asked["told"][known:]])
            for entry in entries:
                follow(followed.match, entry, next(answers) if entry.statement.kind == "deal" else None)
        else:
            for entry in entries:
                followed.match.append(entry)
        self._followed[asked["match"]] = followed
        while len(self._followed) > MOST_MATCHES:
            del self._followed[next(iter(self._followed))]
        return followed


def _begun(genesis: Entry) -> Match:
    """A match at its beginning, however it is dealt."""
    if Setup.from_statement(genesis.statement).dealing == SEALED:
        return trusted_match(rules_of(Setup.from_statement(genesis.statement).game), genesis)
    return refold([genesis], rules_of)


@dataclass(slots=True)
class Synced:
    """What the worker has been told of one match: how many entries and answers, and which faces of each seat."""

    entries: int = 0
    answers: int = 0
    faces: dict[int, set[int]] = field(default_factory=dict)


def encode_request(match: Match, seat: int, level: str, budget: float, told: Synced) -> str:
    """The request to think for ``seat``, holding what is new since ``told``, which is brought up to date."""
    seen = told.faces.setdefault(seat, set())
    public = match.state.public
    faces = {card: face for card, face in match.view((seat,)).faces.items() if card not in public and card not in seen}
    request: dict[str, Any] = {
        "match": match.id, "seat": seat, "level": level, "budget": budget, "from": told.entries,
        "entries": [entry.to_json() for entry in match.entries[told.entries:]],
        "faces": {str(card): face for card, face in faces.items()}}
    if is_told(match):
        request["told_from"] = told.answers
        request["told"] = [answers_json(answers) for answers in told_of(match)[told.answers:]]
        told.answers = len(told_of(match))
    told.entries = len(match.entries)
    seen.update(faces)
    return json.dumps(request)


def decode_reply(match: Match, reply: str) -> Decision | None:
    """The decision in a worker's ``reply``; None where it needs the log from the start. Raises ``Malformed``."""
    said = json.loads(reply)
    if "need" in said:
        return None
    return Decision(read_move(match.rules.verbs, said["move"]), said["why"], said["params"], said["delay"])
