"""Looking back at a finished match: each turn of one seat beside what *hard* would have played, and what that would have gained.

The bots get only what the seat knew at the time. Every turn is looked at once; then those that may have cost most are looked at
longer. What was found so far stands at any moment, so a review may be stopped and taken up again. It draws nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any, Final, Protocol

from tabletin.board.spelling import spell
from tabletin.bots.comparison import Comparison
from tabletin.bots.decision import BUDGET, Decision
from tabletin.kernel.log import Entry
from tabletin.kernel.match import Match
from tabletin.kernel.schema import Malformed, Move, read_move
from tabletin.kernel.state import Event

KEPT_AS: Final = "tabletin.review"
LEVEL: Final = "hard"
TIMES: Final = 8  # as long as hard thinks at a table
FIRST_LOOK: Final = 1.0  # seconds for two turns to be compared at first …
LONGER_LOOK: Final = 1.5  # … and each time once more …
LONGER_LOOKS: Final = 3
MOST_LOOKED_AT_LONGER: Final = 5
MOST_WORTH_A_LOOK: Final = 3
LIKELY: Final = 2  # times as often better as worse, by a standard error: that looks better, though it is not sure


class Reviewer(Protocol):
    """Where bots look at an earlier moment of a match: a worker, or a test. Both raise ``BotFailed``."""

    async def think_back(self, match: Match, seat: int, index: int, level: str, budget: float) -> Decision:
        """What ``seat`` would have decided after entry ``index``."""
        ...

    async def compare(self, match: Match, seat: int, index: int, moves: tuple[Move, Move], budget: float) -> Comparison:
        """By how much the first of ``moves`` comes out ahead of the second, if ``seat`` makes it after entry ``index``."""
        ...


@dataclass(frozen=True, slots=True)
class TurnReview:
    """A turn looked at. ``index``: its entry. ``played_move``: what was done; ``hard``: what hard would have done, for the
    reason ``why`` with ``params``. ``closed_cards``: how many cards the seat could not see. ``comparison``: hard's move against
    the one made; None where they are the same."""

    index: int
    played_move: Move
    hard: Move
    why: str
    params: Mapping[str, Any]
    closed_cards: int
    comparison: Comparison | None

    @property
    def verdict(self) -> str:
        """What came of it: "same"; "better", hard's was, surely; "maybe", it looks so; "yours", the one made was, surely; "even",
        both brought the same; "open", it cannot be told."""
        found = self.comparison
        if found is None:
            return "same"
        if found.worlds and not found.better and not found.worse:
            return "even"
        if abs(found.mean) <= found.half:
            is_likely = found.mean > found.half / 2 and found.better >= LIKELY * max(1, found.worse)
            return "maybe" if is_likely else "open"
        return "better" if found.mean > 0 else "yours"

    @property
    def cost(self) -> float:
        """Points that the turn cost at least, as far as that can be told."""
        found = self.comparison
        return 0.0 if found is None or found.worlds < 2 else found.mean - found.half


@dataclass(slots=True)
class Review:
    """What was found about the turns of ``seat``: ``looks`` by entry. ``turns``: the entries to be looked at, None before they
    are known. ``is_complete``: whether nothing is left to do."""

    match: Match
    seat: int
    looks: dict[int, TurnReview] = field(default_factory=dict)
    turns: tuple[int, ...] | None = None
    is_complete: bool = False

    @property
    def progress(self) -> float:
        """How much of it is done, 0…1."""
        if self.is_complete:
            return 1.0
        return 0.9 * len(self.looks) / len(self.turns) if self.turns else 0.0

    def worth_a_look(self) -> list[TurnReview]:
        """The turns that cost most, dearest first."""
        found = [look for look in self.looks.values() if look.verdict in ("better", "maybe")]
        found.sort(key=lambda look: (look.verdict == "better", look.cost), reverse=True)
        return found[:MOST_WORTH_A_LOOK]

    def count(self, *verdicts: str) -> int:
        """How many turns came out so."""
        return sum(look.verdict in verdicts for look in self.looks.values())

    async def run(self, reviewer: Reviewer, on_progress: Callable[[], None]) -> None:
        """Look at every turn that was not looked at yet. ``on_progress`` is called after each. Raises ``BotFailed``."""
        if self.turns is None:
            self.turns = await self._find_turns()
        on_progress()
        for index in self.turns:
            if index not in self.looks:
                self.looks[index] = await self._look(reviewer, index)
                on_progress()
        if not self.is_complete:
            dear = sorted((look for look in self.looks.values() if look.comparison is not None and look.comparison.mean > 0),
                          key=lambda look: look.comparison.mean, reverse=True)  # type: ignore[union-attr]  # just looked
            for look in dear[:MOST_LOOKED_AT_LONGER]:
                await self._look_longer(reviewer, look)
                on_progress()
        self.is_complete = True
        on_progress()

    async def _find_turns(self) -> tuple[int, ...]:
        """The entries with which the seat chose among several moves."""
        found = []
        for entry in lasting(self.match):
            if entry.statement.kind == "move" and entry.statement.body["seat"] == self.seat:
                await asyncio.sleep(0)  # taps come first
                view = self.match.view((self.seat,), entry.index - 1)
                if len(tuple(islice(view.moves(self.seat), 2))) > 1:
                    found.append(entry.index)
        return tuple(found)

    async def _look(self, reviewer: Reviewer, index: int) -> TurnReview:
        view = self.match.view((self.seat,), index - 1)
        verbs = self.match.rules.verbs
        played = read_move(verbs, self.match.entries[index].statement.body["do"])
        decision = await reviewer.think_back(self.match, self.seat, index - 1, LEVEL, TIMES * BUDGET)

        def by_faces(move: Move) -> Move:
            return spell(verbs, move, lambda card: view.faces.get(card, card))

        is_same = by_faces(played) == by_faces(decision.move)
        found = None if is_same else await reviewer.compare(
            self.match, self.seat, index - 1, (decision.move, played), FIRST_LOOK)
        live = (card for cards in view.rules.zones(view.state).values() for card in cards)
        closed = sum(card not in view.faces for card in live)
        return TurnReview(index, played, decision.move, decision.why, dict(decision.params), closed, found)

    async def _look_longer(self, reviewer: Reviewer, look: TurnReview) -> None:
        for _ in range(LONGER_LOOKS):
            assert look.comparison is not None
            more = await reviewer.compare(self.match, self.seat, look.index - 1, (look.hard, look.played_move), LONGER_LOOK)
            look = replace(look, comparison=look.comparison.plus(more))
            self.looks[look.index] = look

    # ---- kept on the device ----

    def to_json(self) -> str:
        """What was found, as text."""
        return json.dumps({"match": self.match.id, "head": self.match.head, "seat": self.seat,
                           "turns": self.turns, "complete": self.is_complete,
                           "looks": [asdict(look) for look in self.looks.values()]})

    @classmethod
    def restore_any(cls, match: Match, kept: str | None) -> Review | None:
        """The review of ``match`` that ``kept`` has, whoever's turns it is about; None where it is of another match."""
        found = (cls.restore(match, seat, kept) for seat in range(match.rules.seats))
        return next((review for review in found if review.looks), None)

    @classmethod
    def restore(cls, match: Match, seat: int, kept: str | None) -> Review:
        """The review of ``seat`` in ``match`` as far as ``kept`` has it; an empty one where that is of another match. If the
        log has grown since (peers sign an end, a turn is taken back), only what still stands is taken up; nothing where its
        last entries fell away, as they may among peers."""
        try:
            found: Any = json.loads(kept) if kept else {}
            if found.get("match") != match.id or found["seat"] != seat or match.index_of(found["head"]) is None:
                return cls(match, seat)
            looks = {one["index"]: _read_look(match, one) for one in found["looks"]}
            if found["head"] != match.head:
                standing = {entry.index for entry in lasting(match)}
                return cls(match, seat, {index: look for index, look in looks.items() if index in standing})
            turns = found["turns"]
            return cls(match, seat, looks, None if turns is None else tuple(turns), found["complete"] is True)
        except (ValueError, KeyError, TypeError, AttributeError, Malformed):
            return cls(match, seat)


def _read_look(match: Match, data: dict[str, Any]) -> TurnReview:
    verbs, found = match.rules.verbs, data["comparison"]
    return TurnReview(data["index"], read_move(verbs, data["played_move"]), read_move(verbs, data["hard"]), data["why"],
                      data["params"], data["closed_cards"], None if found is None else Comparison(**found))


def lasting(match: Match) -> Iterable[Entry]:
    """The entries that nobody took back."""
    found: list[Entry] = []
    for entry in match.entries:
        if entry.statement.kind == "undo":
            to = entry.statement.body["to"]
            found = [one for one in found if one.index <= to]
        else:
            found.append(entry)
    return found


def events_of(match: Match, seat: int, index: int, move: Move) -> list[Event]:
    """What ``move`` would have brought about, had ``seat`` made it after entry ``index``; before anything is dealt for it."""
    view = match.view((seat,), index)
    state = view.state.copy()
    state.events = []
    match.rules.make(state, seat, move, view.faces)
    found: list[Event] = state.events
    return found
