"""What a finished mat leads to in each of the four games, and what else a turn there has: drawing, rolling, being done,
the countdown, looks at the last round. Pure but for the clock of a heat: seconds pass only where the page presses a button
by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from time import time
from typing import Any, Final, NamedTuple

from tabletin.board.board import Reply
from tabletin.board.scene import Key, Sight
from tabletin.games.toot.arrangement import FaceNode, Node, as_faces, cards_of, nodes, top
from tabletin.games.toot.board_stacks import number_cards, sorted_hand
from tabletin.games.toot.cards import kinds
from tabletin.games.toot.draft import TootDraft
from tabletin.games.toot.onetable import OneTable, OneTableState
from tabletin.games.toot.progressive import ProgressiveState
from tabletin.games.toot.solver import best_use, build, fitting_faces
from tabletin.games.toot.speed import Claim, Speed, SpeedState, clock_key, fastest_seats
from tabletin.games.toot.turn import TootTurn
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move

COUNTDOWN: Final = 3


def clock() -> int:
    """What a heat is timed by, in milliseconds: the device's clock, so that a page opened again does not set it back."""
    return round(1000 * time())


class TableDraft(TootDraft[OneTableState]):
    """Fluke and Pursuit: draw, then lay what leaves one TooT on the table, or pass. ``passes``: a hint advises it."""

    rules: OneTable[Any]
    passes = False

    def _epoch(self, state: OneTableState) -> object:
        return state.table_cards, state.turn

    @property
    def has_choice(self) -> bool:
        """Before drawing there is nothing to decide."""
        return self.state.drawn

    @property
    def stuck(self) -> bool:
        """Whether no card can be laid."""
        return self.best() == 0

    def tap(self, key: Key) -> Reply:
        self.passes = False
        return super().tap(key)

    def compose(self, move: Move) -> None:
        super().compose(move)
        self.passes = move == ("pass",)

    def holds(self, move: Move) -> bool:
        """The same cards make one TooT with the same on top: how they lie under it changes nothing."""
        if move[0] != "play" or self.turn.flaw() is not None or self.selection is not None:
            return False
        return set(self.turn.mat_cards) == set(cards_of(move[1])) and \
            top(self.turn.toots()[0], self.faces, self.top_face) == top(move[1][0], self.faces, self.top_face)

    def would_fit(self) -> tuple[Face, ...]:
        """Before drawing: the faces that would help a hand of which nothing can be laid yet."""
        return fitting_faces(kinds(self.faces[card] for card in self.hand), self.top_face)

    def points_of(self, turn: TootTurn) -> int | None:
        """A point in Pursuit; in Fluke every card laid is one card fewer, and few win."""
        if turn.flaw() is not None:
            return None
        return -len(turn.mat_cards) if self.rules.low_wins else 1

    def draw_move(self) -> Move | None:
        return None if self.state.drawn else (self.rules.draw_verb,)

    def _press(self, key: Key) -> Reply:
        if key in ("draw", "roll", "die"):
            return (self.rules.draw_verb,)
        if key == "pass":
            return ("pass",)
        if key == "play":
            return self.turn.flaw() or ("play", self.turn.toots())
        return super()._press(key)


class Best(NamedTuple):
    """A largest TooT that there was, and the faces that it leaves over."""

    toot: FaceNode
    left_over: tuple[Face, ...]


def best_of_all(cards: Sequence[Card], faces: Faces, used: int) -> Best | None:
    """A largest TooT of the hand ``cards``; None where it uses no more than ``used`` of them."""
    hand = [(card, faces[card]) for card in cards]
    use = best_use(kinds(face for _, face in hand))
    if use is None or use.size <= used:
        return None
    toot = build(use, hand)
    return Best(as_faces(toot, faces), _left_over(cards, faces, cards_of((toot,))))


def _left_over(cards: Sequence[Card], faces: Faces, used: Collection[Card]) -> tuple[Face, ...]:
    """The faces of the hand ``cards`` without ``used``."""
    return tuple(faces[card] for card in sorted_hand([card for card in cards if card not in used], faces))


class LastRound(NamedTuple):
    """What a seat did in the last round: how many cards it laid, how many it could have, and how it could have been done where
    that is more."""

    laid_count: int
    could: int
    best: Best | None = None


class Reach(NamedTuple):
    """How many cards a seat had in one TooT when somebody was first, of how many in all, and how it could have been more."""

    use: int
    total: int
    better: Best | None


class ProgressiveDraft(TootDraft[ProgressiveState]):
    """``reviewing``: the last round's results are looked at before the new cards are. ``last``: what this seat did in that round,
    None if that is not known. ``shows_itself``: the seat said that it is done with what lies here, so that this is shown without
    another tap. ``asks_done``: it said so with no TooT, though its cards make one, and is asked whether it means it. ``result``:
    what it has shown in this round, of which the number from 0 is ``round``. ``shows_best``: in the results it looks at what it
    could have shown.
    """

    def __init__(self, sight: Sight, last: LastRound | None = None) -> None:
        super().__init__(sight)
        self.last = last
        self.shows_itself = self.asks_done = False
        self.shows_best = False
        self.result: LastRound | None = None
        self.round = len(self.state.rounds)
        self.reviewing = bool(self.state.rounds) and self.state.phase == "work"

    @property
    def has_choice(self) -> bool:
        """Where nothing better can be shown than what lies here, a hint has nothing to say."""
        return not self.reviewing and self.best() > self._to_show()

    def _epoch(self, state: ProgressiveState) -> object:
        return len(state.rounds)

    def renew(self, sight: Sight) -> bool:
        if super().renew(sight):
            return True
        if sight.seat != self.seat:
            return False
        self.__init__(sight, self.result)  # type: ignore[misc]  # a new round
        return True

    def _to_show(self) -> int:
        """How many cards the TooT that would be shown uses."""
        node = self.showing()
        return 0 if node is None else len(cards_of((node,)))

    def showing(self) -> Node | None:
        """The TooT that would be shown: the one chosen, else the largest on the mat."""
        whole = self.whole()
        own = [node for node in whole if self.selection is not None and self.selection in cards_of((node,))]
        return max(own or whole, key=lambda node: len(cards_of((node,))), default=None)

    def _keep(self) -> None:
        super()._keep()
        self.shows_itself = self.asks_done = False

    def step_back(self) -> bool:
        self.shows_itself = False
        if self.asks_done:
            self.asks_done = False
            return True
        return super().step_back()

    def put_away(self) -> None:
        super().put_away()
        self.asks_done = False

    @property
    def costs(self) -> bool:
        """Whether no TooT lies here to be shown, though the cards make one."""
        return self.showing() is None and self.best() > 0

    def points_of(self, turn: TootTurn) -> int | None:
        """Every card of the largest TooT is a point that is not counted against this seat."""
        sizes = [len(cards_of((node,))) for node in turn.toots() if self.fault(node) is None]
        return -max(sizes) if sizes else None

    def _press(self, key: Key) -> Reply:
        if key == "next":
            self.reviewing = False
        elif key == "best_of_all":
            self.shows_best = not self.shows_best
        elif key == "done" and self.costs:
            self.selection, self.asks_done = None, True
        elif key == "build_on":
            self.asks_done = False
        elif key in ("done", "done_without"):
            self.selection = None
            self.shows_itself = key == "done_without" or self.showing() is not None
            self.asks_done = False
            return ("done",)
        elif key in ("show", "none"):
            node = self.showing() if key == "show" else None
            toots = () if node is None else (node,)
            used = cards_of(toots)
            best = best_of_all(self.hand, self.faces, len(used))
            self.result = LastRound(len(used), self.best(), best)
            return ("show", toots)
        else:
            return super()._press(key)
        return None

    def compose(self, move: Move) -> None:
        """Being done says nothing: then the best there is is laid out."""
        self.reviewing = False
        if move[0] == "done":
            self._keep()
            self.solve()
        else:
            super().compose(move)


class SpeedDraft(TootDraft[SpeedState]):
    """``count``: what the countdown says, None before it. ``waiting``: ready as soon as the bots are.

    ``step``: how much of the last claim has been verified, None once it has been seen. ``wins_before``: what each seat had won
    before that claim. ``is_repeat``: nobody saw a TooT in the round before, so this one is played in its place. ``took``: the
    milliseconds from GO to the end of the last round, as this page saw it, or None. ``last_reach``: how far the reader
    was then; ``shows_best``: what they could have built is looked at in place of the claim. ``counts_before``: how many cards
    each seat had. ``shows_pile``: a hint says that a card is to be drawn.
    """

    rules: Speed
    decides = True

    def __init__(self, sight: Sight) -> None:
        super().__init__(sight)
        self.is_repeat = False
        self.count: int | None = None
        self.waiting = False
        self.step: int | None = 0 if self.state.last is not None and self.state.phase == "ready" else None
        if self.rules.heats and self.state.last is not None and self.state.last[0] in set(sight.people) - {self.seat}:
            self.step = None  # who shares the device has seen it on the table before the hand was uncovered
        self.wins_before = self._wins_before()
        self.counts_before: tuple[int, ...] | None = None
        self.took: int | None = None
        self.last_reach: Reach | None = None
        self.shows_best = False
        self.shows_pile = False
        self._go_at = self._went_at(sight)
        self._until_end: int | None = None
        self._reach: Reach | None = None

    def _went_at(self, sight: Sight) -> int | None:
        """When this page saw GO of the round that is played, before it was reloaded; None where it did not."""
        seconds = sight.clock_seconds(clock_key(self.state, self.rules)) if self.state.phase == "go" else None
        return None if seconds is None else clock() - round(1000 * seconds)

    def _wins_before(self) -> tuple[int, ...]:
        """What each seat had won before the last claim."""
        state, winners = self.state, set[int]()
        if state.last is not None and not state.last[2]:
            winners = {state.last[0]}
        if self.rules.heats:  # only the last heat of a round decides it
            winners = set() if any(state.times) and not state.end_reason else set(fastest_seats(state.last_times))
        return tuple(wins - (seat in winners) for seat, wins in enumerate(state.wins))

    @property
    def has_choice(self) -> bool:
        """Cards face down give no hint."""
        return self.state.phase == "go"

    @property
    def _is_own_claim(self) -> bool:
        """Whether the last claim is this seat's."""
        return self.state.last is not None and self.state.last[0] == self.seat

    @property
    def is_checking(self) -> bool:
        """Whether steps of the last claim's verification are still to come."""
        return self.step is not None and self.step < self.steps

    def _epoch(self, state: SpeedState) -> object:
        return state.round, self.rules.turns(state)

    def renew(self, sight: Sight) -> bool:
        if sight.seat != self.seat:
            return False
        told, before, phase, counts = self._seen, self._round, self._phase, tuple(map(len, self.state.hands))
        if super().renew(sight):
            if self.waiting and self._last_ready:
                self.waiting, self.count = False, COUNTDOWN
            if (phase, self._phase) == ("ready", "go"):
                self._go_at = clock()
            return True
        took = None if self._go_at is None else clock() - self._go_at
        reach = self.reach() if phase == "go" else None
        self.__init__(sight)  # type: ignore[misc]  # a new round, but what was claimed before it has been seen
        self.took, self.last_reach, self.counts_before = took, reach, counts
        self.wins_before = told[0]
        if self._seen == told:
            self.step = None
            self.is_repeat = self._round != before
        return True

    def reach(self) -> Reach:
        """How far the reader is now; found once, as what was when the match ended stays so."""
        if self._reach is None:
            used = max((len(cards_of((node,))) for node in self.whole()), default=0)
            self._reach = Reach(used, len(self.hand), best_of_all(self.hand, self.faces, used))
        return self._reach

    @property
    def saw_go(self) -> bool:
        """Whether it was there when the round began that is played."""
        return self._go_at is not None

    def until_end(self) -> int | None:
        """The milliseconds from GO to when this was first asked: at the end of the match, as no round follows. None where this
        page saw no GO."""
        if self._until_end is None and self._go_at is not None:
            self._until_end = clock() - self._go_at
        return self._until_end

    @property
    def steps(self) -> int:
        """How many steps the verification of the last claim has."""
        return claim_steps(self.state.last)

    @property
    def _last_ready(self) -> bool:
        return all(seat in self.state.ready for seat in self.rules.playing(self.state) if seat != self.seat)

    def ready(self, bots: frozenset[int]) -> Reply:
        """Ready. The last seat counts down first. A seat that waits for bots alone lets them go first, so that it counts down."""
        others = set(self.rules.turns(self.state)) - self.state.ready - {self.seat}
        if not others:
            self.count = COUNTDOWN
        elif others <= bots:
            self.waiting = True
        else:
            return ("ready",)
        return None

    def draw_move(self) -> Move | None:
        return ("draw",) if self.state.phase == "go" else None

    def _press(self, key: Key) -> Reply:
        if key.startswith("step") and self.step is not None:
            self.step += 1
        elif key == "hurry":
            if self.step or self._is_own_claim:  # else the finger was on its way to a button that stood there before
                self.step = self.steps
        elif key == "best_of_all":
            self.shows_best = not self.shows_best
        elif key == "ready":
            self.step = None
            return self.ready(self.bots)
        elif key.startswith("count") and self.count is not None:
            self.count = self.count - 1 or None
            return self._off() if self.count is None else None
        elif key == "draw":
            return ("draw",)
        elif key == "give_up":
            return ("give_up",)
        elif key == "claim":
            return self.claim_fault() or self._claim()
        else:
            return super()._press(key)
        return None

    def _off(self) -> Move:
        return ("set_off", clock()) if self.rules.heats or self.rules.seats == 1 else ("ready",)

    def _claim(self) -> Move:
        toots, is_timed = self.turn.toots(), self.rules.is_timed(self.state)
        return ("finish", toots, max(clock(), self.state.start_time + 1)) if is_timed else ("claim", toots)

    def claim_fault(self) -> Refusal | None:
        """What is wrong with claiming the mat as it is; None if nothing is."""
        fault = self.turn.flaw()
        if fault is None and self.turn.hand_left:
            return Refusal("toot.refuse.cards_left", {"n": len(self.turn.hand_left)}, "TO-8")
        return fault

    def _take(self, sight: Sight) -> None:
        super()._take(sight)
        self._seen = self.state.wins, self.state.voiding_seats, self.state.last
        self._round, self._phase = self.state.round, self.state.phase
        self.bots = frozenset(seat for seat, player in enumerate(sight.words.setup.seats) if player.is_bot)

    def tap(self, key: Key) -> Reply:
        self.shows_pile = False
        return super().tap(key)

    def compose(self, move: Move) -> None:
        self.step, self.shows_pile = None, move == ("draw",)
        if move[0] in ("claim", "finish"):
            super().compose(move[:2])


def claim_steps(last: Claim | None) -> int:
    """The TooTs in a claim that are looked at one after another, and then the whole."""
    return 0 if last is None else 1 + sum(1 for toot in last[1] for _ in nodes((number_cards(toot)[0],)))
