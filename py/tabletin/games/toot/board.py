"""The tables of the four TooT games; what each looks like is in the modules beside this one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from tabletin.board.board import Board, Draft, Reason
from tabletin.board.scene import Scene, Sight
from tabletin.games.toot.board_mat import Scenery
from tabletin.games.toot.board_progressive import ProgressiveScenery, RoundMemory
from tabletin.games.toot.board_speed import SpeedScenery
from tabletin.games.toot.board_table import TableScenery
from tabletin.games.toot.draft import TootDraft
from tabletin.games.toot.draft_games import ProgressiveDraft, SpeedDraft, TableDraft
from tabletin.games.toot.lesson import lesson
from tabletin.games.toot.progressive import ProgressiveState
from tabletin.kernel.faces import Card
from tabletin.kernel.state import Event, State

PARTS: Final[dict[str, tuple[type[Scenery[Any]], type[TootDraft[Any]]]]] = {
    "toot-fluke": (TableScenery, TableDraft),
    "toot-pursuit": (TableScenery, TableDraft),
    "toot-progressive": (ProgressiveScenery, ProgressiveDraft),
    "toot-speed": (SpeedScenery, SpeedDraft),
}

SHINING: Final = {"toot.log.played": "toot.log.scored", "toot.log.started": "toot.log.scored",
                  "toot.log.claimed": "toot.log.won_round", "toot.log.showed_all": "toot.log.showed_all"}
"""Events whose cards shine, each where the other event came with it."""

SHOWED: Final = frozenset(("toot.log.showed", "toot.log.showed_all", "toot.log.showed_none"))


def board(game: str) -> Board:
    """The board of ``game``."""
    return TootBoard(*PARTS[game])


class TootBoard(Board):
    """Draws one of the four games."""

    def __init__(self, scenery: type[Scenery[Any]], draft: type[TootDraft[Any]]) -> None:
        self._scenery = scenery
        if issubclass(scenery, TableScenery):  # what is left is counted once, at the end
            self.results = self.counts = frozenset(("toot.log.over",))
        self.opens_hands = scenery is not SpeedScenery  # what is left over is what counts
        self._draft = draft
        self._timed: SpeedDraft | None = None  # the draft that saw the last GO
        self._memory = RoundMemory()

    def counted_events(self, events: Sequence[Event], state: State) -> Sequence[Event]:
        """A round of Progressive TooT is counted once the last seat has shown its cards."""
        if not isinstance(state, ProgressiveState):
            return super().counted_events(events, state)
        if state.phase == "show" and not state.end_reason:
            return ()
        return events[:max((index for index, event in enumerate(events) if event.key in SHOWED), default=-1) + 1]

    def past_cards(self, state: State) -> Collection[Card]:
        """What was left over in the last round of Progressive TooT, unless it was set aside: then it tells which cards are still
        to come."""
        if not isinstance(state, ProgressiveState):
            return ()
        return {card for hand in state.left_over for card in hand}.difference(state.set_aside)

    def flourish(self, events: Sequence[Event]) -> tuple[Card, ...]:
        """A TooT that scores or wins a round shines, and one that leaves no card over."""
        keys = {event.key for event in events}
        lit = {key for key, needed in SHINING.items() if needed in keys}
        return tuple(card for event in events if event.key in lit for card in event.cards)

    def draft(self, sight: Sight) -> TootDraft[Any]:
        return self._draft(sight)

    def reason(self, sight: Sight, draft: Draft) -> Reason | None:
        assert isinstance(draft, self._draft)
        return lesson(sight, draft)

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        assert draft is None or isinstance(draft, self._draft)
        scenery = self._scenery(sight, draft)
        if isinstance(draft, SpeedDraft) and draft.saw_go:
            self._timed = draft
        elif draft is None and isinstance(scenery, SpeedScenery):
            scenery.last_draft = self._timed
        elif isinstance(scenery, ProgressiveScenery):
            scenery.memory = self._memory
        return scenery.scene()
