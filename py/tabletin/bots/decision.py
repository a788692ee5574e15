"""What a bot is: a family's ``bot`` module, given one seat's view, names a move within its budget.

A family's ``bot`` module has ``LEVELS`` (weakest first) and ``choose(thought) -> Decision``. It sees a ``View`` of its own
seat and nothing else; the page runs it in a worker, the command line and the arena in their own process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any, Final

from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Move

BUDGET: Final = 0.8  # seconds a decision may take


@dataclass(slots=True)
class Position:
    """What a bot decides from: its seat's view, its level, its own random numbers, and how long it may take.

    ``budget``: seconds by ``clock``, from the moment the thought is made. ``habit``: its character's, or "". ``is_advice``:
    whether a person is advised. ``worlds``: in how many imagined worlds the bot has looked at its moves, which it counts itself.
    """

    view: View
    seat: int
    level: str
    rng: Random
    budget: float = BUDGET
    clock: Callable[[], float] = monotonic
    habit: str = ""
    is_advice: bool = False
    worlds: int = field(default=0, init=False)
    start_time: float = field(init=False)

    def __post_init__(self) -> None:
        self.start_time = self.clock()

    @property
    def rules(self) -> Rules[Any]:
        return self.view.rules

    @property
    def state(self) -> Any:
        return self.view.state

    @property
    def faces(self) -> Faces:
        return self.view.faces

    @property
    def time_spent(self) -> float:
        """Seconds that have gone by."""
        return self.clock() - self.start_time

    def out_of_time(self, share: float = 1.0, more: float = 0.0) -> bool:
        """Whether ``share`` of the budget is used up, or would be after ``more`` seconds."""
        return self.time_spent + more >= self.budget * share


@dataclass(frozen=True, slots=True)
class Decision:
    """A move; ``why`` a catalogue key with parameters (one sentence for a hint); ``delay`` seconds where speed counts.

    ``short_why``: the same in short, for whoever has been told ``why`` before. ``other``: a move that is nearly as good, and
    ``or_else`` the key of a sentence that offers it, with the same parameters.
    """

    move: Move
    why: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    delay: float = 0.0
    short_why: str = ""
    other: Move | None = None
    or_else: str = ""
