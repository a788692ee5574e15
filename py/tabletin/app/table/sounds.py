"""Which sound goes with what happened at the table. Pure; the page's script makes the sounds (web/page/sound.js).

One act makes one sound: the most important thing that it brought about.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tabletin.app.table.beats import Gain
from tabletin.kernel.requests import ALL
from tabletin.kernel.rules import Outcome
from tabletin.kernel.state import Event

DEAL: Final = "deal"
LAY: Final = "lay"
TAKE: Final = "take"
SCORE: Final = "score"
ERROR: Final = "error"
WIN: Final = "win"
END: Final = "end"
TURN: Final = "turn"
SOUNDS: Final = (DEAL, LAY, TAKE, SCORE, ERROR, WIN, END, TURN)


def sound_of(events: Iterable[Event], won: Iterable[Gain], outcome: Outcome | None, people: Iterable[int]) -> str:
    """The sound of ``events``, which brought the gains ``won`` and perhaps the end of the match; "" for none. ``people``: the
    seats of those who hear it."""
    events = tuple(events)
    if not events:
        return ""
    if outcome is not None:
        return sound_of_end(outcome, people)
    if any(gain.is_good for gain in won):
        return SCORE
    if any(event.reader == ALL and event.seat is not None and event.cards for event in events):
        return LAY
    if any(event.reader == ALL and event.seat is not None for event in events):
        return TAKE
    return DEAL if any(event.cards for event in events) else ""


def sound_of_end(outcome: Outcome, people: Iterable[int]) -> str:
    """The sound of the end of a match, for those who play ``people`` and hear it."""
    return WIN if set(outcome.winners) & set(people) else END


def is_own(events: Iterable[Event], won: Iterable[Gain], people: Iterable[int]) -> bool:
    """Whether the sound of ``events``, which brought the gains ``won``, is of those who play ``people`` and hear it: they won
    something; if nobody did, they did something, or nobody."""
    people = set(people)
    winners = {gain.seat for gain in won if gain.is_good}
    doers = {event.seat for event in events if event.reader == ALL and event.seat is not None}
    return bool((winners or doers) & people) or not (winners or doers)
