"""What is said once instead of several times, in the log, aloud and in what is retold: pure.

What a seat did several times in a row is told once, with how often, and with the cards that it alone saw of it; what all seats
said of themselves is told once of nobody. All this has words of its own, where there are any: keys that end in ``OFTEN``,
``SEEN`` and ``NOBODY``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from tabletin.app.table.narration import NarratedEvent, Narration, NarrationLine, Reader, for_readers
from tabletin.kernel.faces import Faces
from tabletin.kernel.state import Event
from tabletin.words.wording import Wording

OFTEN: Final = "_often"  # the same several times: as the last of them, and ``times``
SEEN: Final = "_seen"  # with what only this seat saw of it, however often: as the last of them, and ``cards``
NAMED: Final = 4  # cards at most that are named of it: more are seen in the hand, and only counted here
NOBODY: Final = "_nobody"  # what every seat said of itself, one after another, said once of all


def log_lines(narration: Narration, wording: Wording, uncovered: Iterable[int], until: str = "") -> list[NarrationLine]:
    """What the log has not taken yet, in words for the readers at the seats ``uncovered``. They stand in place of the lines that
    the log has of the first of their entries and of later ones: what came last may be merged with what is new. ``until``: as
    ``Narration.take`` has it."""
    pending, readers = narration.take(Reader.LOG, until), frozenset(uncovered)
    first = next((one for one in pending if for_readers(one.event, readers)), None)
    if first is None:
        return []
    events = narration.events
    at = bisect_left(events, pending[0].index, key=lambda one: one.index)
    while at:
        before = events[at - 1]
        if for_readers(before.event, readers):
            if before.index != first.index and not _may_be_merged(before, first, wording):
                break
            first = before
        at -= 1
    return merged_lines(narration, (one for one in events[at:] if one.index <= pending[-1].index), wording, readers)


def merged_lines(narration: Narration, events: Iterable[NarratedEvent], wording: Wording,
                 uncovered: Iterable[int]) -> list[NarrationLine]:
    """``events`` in words for the readers at the seats ``uncovered``; what can be said once is said once."""
    readers = frozenset(uncovered)
    heard = [one for one in events if for_readers(one.event, readers)]
    return narration.lines(merge_events(heard, wording, narration.match.rules.seats), wording, readers)


def _may_be_merged(one: NarratedEvent, after: NarratedEvent, wording: Wording) -> bool:
    first, second = one.event, after.event
    if first.seat == second.seat and (_is_seen_of(second, first, wording) or _is_seen_of(first, second, wording)):
        return True
    if first.key != second.key or first.cards or second.cards:
        return False
    return (first.seat == second.seat and f"{first.key}{OFTEN}" in wording.catalogue) or (
        first.params == second.params and f"{first.key}{NOBODY}" in wording.catalogue)


def _is_again(event: Event, act: Event) -> bool:
    """Whether ``event`` is ``act`` once more, of the same seat."""
    return event.key == act.key and event.seat == act.seat and not event.cards


def _is_seen_of(event: Event, act: Event, wording: Wording) -> bool:
    """Whether ``event`` says to one seat alone which cards it saw of ``act``, its own."""
    return bool(event.cards) and event.reader == event.seat == act.seat and f"{act.key}{SEEN}" in wording.catalogue


def merge_events(events: Sequence[NarratedEvent], wording: Wording, seats: int) -> Iterator[NarratedEvent]:
    """``events``, of which the same of one seat several times in a row is one, with what it saw of it, and the same of all seats
    that played then, where that has words. ``seats``: how many the match has."""
    at = 0
    while at < len(events):
        said, count = _merge_first(events[at:], wording, seats)
        yield said
        at += count


def _merge_first(events: Sequence[NarratedEvent], wording: Wording, seats: int) -> tuple[NarratedEvent, int]:
    """What is said of the first of ``events``, and of how many."""
    first = events[0].event
    if f"{first.key}{SEEN}" in wording.catalogue:
        found = _merge_seen(events, wording)
        if found is not None:
            return found
    same = list(takewhile(lambda one: one.event.key == first.key and not one.event.cards, events))
    own = list(takewhile(lambda one: one.event.seat == first.seat, same))
    if f"{first.key}{OFTEN}" in wording.catalogue and len(own) > 1:
        last = own[-1].event
        often = replace(last, key=f"{first.key}{OFTEN}", params={**last.params, "times": len(own)})
        return replace(events[0], event=often), len(own)
    playing = seats - len(events[0].absentees)
    alike = {one.event.seat for one in takewhile(lambda one: one.event.params == first.params, same[:playing])}
    if f"{first.key}{NOBODY}" in wording.catalogue and len(alike) == playing > 1:
        return replace(events[0], event=replace(first, key=f"{first.key}{NOBODY}", seat=None)), playing
    return events[0], 1


def _merge_seen(events: Sequence[NarratedEvent], wording: Wording) -> tuple[NarratedEvent, int] | None:
    """What the first of ``events`` did, several times or once, with the cards that it alone saw of it where they are few; None
    where the readers are not told of these."""
    first = events[0].event
    run = list(takewhile(lambda one: _is_again(one.event, first) or _is_seen_of(one.event, first, wording), events))
    acts, seen = ([one.event for one in run if bool(one.event.cards) == is_seen] for is_seen in (False, True))
    if not seen:
        return None
    cards = tuple(card for event in seen for card in event.cards)
    key = f"{first.key}{OFTEN}" if len(acts) > 1 else first.key
    if len(acts) == 1 or len(cards) <= NAMED:
        key += SEEN
    else:
        cards = ()
    params = {**acts[-1].params, "times": len(acts)}
    event = replace(acts[-1], key=key, params=params, cards=cards, reader=seen[0].reader)
    faces = Faces({card: face for one in run for card, face in one.faces.items()})
    viewers = {card: seats for one in run for card, seats in one.viewers.items()}
    return replace(events[0], event=event, faces=faces, viewers=viewers), len(run)
