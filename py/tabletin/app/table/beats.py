"""One thing after another: how long what just happened is shown before the next thing may come.

Pure: it reads events, scores and seats, and answers with seconds and with what a seat gained. What waits is the session's
``pacing`` and the table's ``updates`` and ``landing``; a tap ends them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from tabletin.app.table.event_merging import OFTEN
from tabletin.kernel.requests import ALL
from tabletin.kernel.state import Event
from tabletin.words import Catalogue

RESULT: Final = 2.5  # seconds a result stays at least, …
COUNTED: Final = 4.0  # … and one that was counted piece by piece
LANDING: Final = 0.6  # of the pace: how long another seat's act is seen at least before one's own turn begins
READ: Final = 1.4  # of the pace: the same where there are words to read, or a result to see; nobody acts before that
ACT: Final = 1.6  # of the pace: how long these words stand before they give way to whose turn it is
SHORT: Final = "_short"  # ends the key of an act's words for the line over the table
AFTER: Final = "_after"  # … and, before that, of words that also count the brief acts of the same seat right before, ``times``
TOGETHER: Final = "_together"  # … and of words for several seats that did it one after another, each seen at a glance
UNDONE: Final = "kernel.undone"


@dataclass(frozen=True, slots=True)
class Gain:
    """What ``seat`` came to have more or less of than before; ``is_good``: whether that is what it plays for."""

    seat: int
    points: int
    is_good: bool


def gains(before: Sequence[int], after: Sequence[int], events: Iterable[Event], *, low_wins: bool) -> list[Gain]:
    """What the scores say about ``events``; nothing where a turn was taken back."""
    if len(before) != len(after) or any(event.key == UNDONE for event in events):
        return []
    changes = (new - old for old, new in zip(before, after, strict=True))
    return [Gain(seat, change, (change < 0) == low_wins) for seat, change in enumerate(changes) if change]


def result_seconds(events: Iterable[Event], results: frozenset[str], pace: float, *, is_counted: bool = False) -> float:
    """How long ``events`` are to be looked at, of which the keys ``results`` are a result, or of which a scene counts what they
    ended; 0 for no longer than usual."""
    has_result = is_counted or any(event.key in results for event in events)
    return max(COUNTED if is_counted else RESULT, 1.6 * pace) if has_result and pace else 0.0


def landing_seconds(events: Iterable[Event], me: int | None, acting: Sequence[int], pace: float, *,
                    is_over: bool = False, has_words: bool = False) -> float:
    """How long ``me``, who is the only one to act now, still sees what somebody else has just done, at least; 0 for no time.

    ``is_over``: the match ended with it; then what anybody did is seen first. ``has_words``: there is
    something to read, or to see decided.
    """
    told = [event.seat for event in events if event.reader == ALL and event.seat is not None]
    is_seen = bool(told) if is_over else any(seat != me for seat in told) and me is not None and tuple(acting) == (me,)
    return (READ if has_words else LANDING) * pace if is_seen else 0.0


def mover(events: Sequence[Event], me: int | None) -> int | None:
    """The other seat that these events tell most recently of."""
    return next((event.seat for event in reversed(events) if event.reader == ALL and event.seat not in (None, me)), None)


def short_act(events: Iterable[Event], catalogue: Catalogue) -> Event | None:
    """The first of ``events`` that has words for the line over the table, with their key."""
    told = (replace(event, key=f"{event.key}{SHORT}") for event in events if event.reader == ALL and event.seat is not None)
    return next((event for event in told if event.key in catalogue), None)


def with_glances(act: Event, before: Sequence[Event], catalogue: Catalogue, name: Callable[[int], str]) -> Event:
    """``act``, as ``short_act`` gives it, in one sentence with the brief acts ``before`` it.

    Seats that did the same are named together ("Ada and Bruno pass"), by ``name``. What one seat did several times is counted
    ("Ada draws 2"), and so is what it did first ("Ada draws 2, lays five–two").
    """
    acts = [*before, act]
    same = list(takewhile(lambda one: one.key == act.key, reversed(acts)))
    seats = dict.fromkeys(one.seat for one in reversed(same) if one.seat is not None)
    if len(seats) > 1:
        return replace(act, seat=None, params={**act.params, "seat": catalogue.join_names(map(name, seats))})
    own = list(takewhile(lambda one: one.seat == act.seat, reversed(acts)))
    form, times = (OFTEN, len(same)) if len(same) > 1 else (AFTER, len(own) - 1)
    key = f"{act.key.removesuffix(SHORT)}{form}{SHORT}"
    return replace(act, key=key, params={**act.params, "times": times}) if times and key in catalogue else act


def shared_act(events: Iterable[Event], catalogue: Catalogue) -> Event | None:
    """The first of ``events`` that has words for several seats, with their key."""
    told = (replace(event, key=f"{event.key}{TOGETHER}") for event in events if event.reader == ALL and event.seat is not None)
    return next((event for event in told if event.key in catalogue), None)


def first_mover(events: Iterable[Event]) -> int | None:
    """The seat of whose act these events tell, with all that came of it."""
    return next((event.seat for event in events if event.reader == ALL and event.seat is not None), None)


def single_act(events: Iterable[Event], seat: int) -> Event | None:
    """The event that tells all of what ``seat`` did, where there is but one."""
    told = [event for event in events if event.reader == ALL and event.seat == seat]
    return told[0] if len(told) == 1 else None
