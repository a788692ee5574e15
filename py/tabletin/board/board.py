"""What a game provides for its table: a ``Board`` that draws scenes, and a ``Draft`` in which a turn is composed.

Both are pure. A board is a function of ``Sight`` and draft, and of what it drew before; a draft holds what a player tries out
and never touches the match. The screen asks the draft what a tap means, and makes the move that it answers with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from tabletin.board.scene import Key, Leaf, Point, Scene, Sight
from tabletin.kernel.faces import Card
from tabletin.kernel.match import View
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move
from tabletin.kernel.state import Event, State

Reply: TypeAlias = Refusal | Move | None
"""What came of a tap: a reason why not, the move to make now, or nothing but a changed draft."""


class Reason(NamedTuple):
    """Why a turn laid out on trial may lie where it lies, in a ``sentence``, and the ``cards`` on the table to which it holds.

    ``last``: what is said with the whole turn, in place of what the bot gives as its reason.
    ``turn``: its cards, first the one to look at first; ``nudge``: what is said of that, where it is more than its name;
    ``places``: the areas of the table as it is to which they go, by key, or that are looked at where no card is named. For a
    board that knows this better than the move tells.
    ``parts``: what is said of one part of the turn after another, in place of the sentence, with the cards of each.
    """

    sentence: str
    cards: tuple[Card, ...] = ()
    turn: tuple[Card, ...] = ()
    nudge: str = ""
    places: tuple[Key, ...] = ()
    parts: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    last: str = ""


class ActStep(NamedTuple):
    """One of the things that came of an act, shown for so many paces, and ``minimum`` seconds at least: the ``view`` then, what
    is ``fresh`` in it, and ``words`` for the line over the table."""

    view: View
    paces: float
    words: str = ""
    fresh: frozenset[Card] = frozenset()
    minimum: float = 0.0

    def seconds(self, pace: float) -> float:
        """For how long it is shown."""
        return max(self.minimum, self.paces * pace)


class Draft(ABC):
    """The turn that one seat composes, from nothing to the move. Changed in place by taps; read by its board."""

    @property
    def has_choice(self) -> bool:
        """Whether there is something to decide, so that a hint has something to say."""
        return True

    @abstractmethod
    def tap(self, key: Key) -> Reply:
        """Somebody tapped the piece, spot, control or answer ``key`` (a click, a touch, Enter)."""

    def pick(self, key: Key) -> None:  # noqa: B027 – most drafts choose a piece when it is carried, some have none
        """The piece ``key`` is being carried: choose it, so that its places light up."""

    def drop(self, key: Key, spot: Key) -> Reply:
        """The piece ``key`` was let go over ``spot``."""
        self.pick(key)
        return self.tap(spot)

    def miss(self, key: Key, point: Point, *, plane: bool) -> Reply:
        """``key`` was let go where no spot is; ``point`` on the plane or the stage. A refusal says why it
        cannot lie there.
        """
        return None

    def step_back(self) -> bool:
        """Take the last step back; whether there was one."""
        return False

    @property
    def has_steps(self) -> bool:
        """Whether something lies on trial that the table's own "Undo" takes back, before it takes back what was done."""
        return False

    def undo(self) -> None:
        """All that was tried out goes back to where it was."""
        while self.step_back():
            pass

    def put_away(self) -> None:
        """A hint begins: what was chosen goes back to where it was, so that nothing else is lit."""
        self.undo()

    @property
    def hint_takes_back(self) -> bool:
        """Whether cards lie on trial that ``put_away`` takes back to the hand, which a hint then says."""
        return False

    def holds(self, move: Move) -> bool:
        """Whether what is chosen now is ``move``, so that it only has to be confirmed and no hint puts it away."""
        return False

    def renew(self, sight: Sight) -> bool:
        """The match has moved on and this seat may act: go on with what lies here as far as it still holds; False to
        begin anew. For games in which others act while a turn is composed, or whose turn has several moves.
        """
        return False

    def compose(self, move: Move) -> None:  # noqa: B027 – a game without tentative turns has nothing to lay out
        """Lay out ``move`` (a hint) as far as it can be shown before it is confirmed."""


class Board(ABC):
    """How one game looks. Fixed for a match. It keeps nothing but caches, and what this page saw that no match tells: when a
    clock began, which cards lay open before the last ones were shown.

    ``results``: keys of the events that tell how something was decided; what they show stays until it was seen. ``counts``: keys
    of those after which a scene counts what is left, or how a turn scored; ``Sight.laying`` holds until the last piece lies and
    was seen. Where the keys alone do not tell, ``counted_events`` does.
    ``opens_hands``: once the match is over, a scene shows every face that this device knows.
    """

    results: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    opens_hands = False

    @abstractmethod
    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        """The table as ``sight`` shows it; ``draft`` is there while ``sight.seat`` may act."""

    def counted_events(self, events: Sequence[Event], state: State) -> Sequence[Event]:
        """Those of ``events`` up to the last whose end the scene of ``state``, to which they have led, counts; none if it counts
        nothing."""
        last = max((index for index, event in enumerate(events) if event.key in self.counts), default=-1)
        return events[:last + 1]

    def past_cards(self, state: State) -> Collection[Card]:
        """Cards of hands that have been counted and are not played with any more: a scene shows those that this device knows. The
        others' stay closed among devices, where nobody but their owner knows them."""
        return ()

    def flourish(self, events: Sequence[Event]) -> tuple[Card, ...]:
        """The cards that shine for a moment because of what just happened (a lot completed, a match won)."""
        return ()

    def steps(self, sight: Sight, events: Sequence[Event]) -> Sequence[ActStep]:
        """What came of an act one thing after another, before the table is shown as ``sight`` has it: for what the rules do at
        once and nobody could follow. None where it is seen at a glance. What the first seat of ``events`` did itself is shown
        with the first step."""
        return ()

    def reason(self, sight: Sight, draft: Draft) -> Reason | None:
        """Why what ``draft`` has laid out fits, for a hint that shows its place. None where the place tells that by itself."""
        return None

    def leaves(self, sight: Sight) -> tuple[Leaf, ...]:
        """What can be read under the score sheet: large, in words, as ``sight`` knows it. None for most games."""
        return ()

    @abstractmethod
    def draft(self, sight: Sight) -> Draft:
        """An empty draft for ``sight.seat``, which may act."""
