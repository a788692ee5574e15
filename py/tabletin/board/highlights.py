"""What is worth telling of a finished match: the entries that won most points, and feats that no score counts.

Pure, and read from the log alone. Which feats a game has stands in its family's ``feats``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeAlias

from tabletin.kernel.faces import Card, Face
from tabletin.kernel.match import Match
from tabletin.kernel.rules import SheetRow
from tabletin.kernel.state import Event
from tabletin.registry import GAMES

MOST_GAINS = 3
MOST_FEATS = 3
POINTS = "points"  # the name of the marks that are gains
SecondsRun: TypeAlias = Callable[[str], "float | None"]  # of the clock with a key; None where nobody knows


def cards(event: Event) -> int:
    """How many cards an event names."""
    return len(event.cards)


@dataclass(frozen=True, slots=True)
class Feat:
    """The event of one of ``keys`` that has most of ``measure``, ``minimum`` at least, told beside ``badge`` with that number
    (n) and under ``title``, which says what it was the best of.

    With ``turns`` what is counted is how many events of these keys its seat had since one of ``start_keys``; fewest is best.
    With ``break_keys`` it is how many of ``keys`` its seat had since its own last one of these; most is best.
    With ``least`` the least of ``measure`` is best. ``all_cards``: of all that is counted the cards are shown. ``figures``: by
    the key of the event the words that tell its parameters in place of ``badge``, where they are plainer.
    """

    badge: str
    keys: tuple[str, ...]
    measure: Callable[[Event], int] = cards
    minimum: int = 1
    turns: tuple[str, ...] = ()
    start_keys: tuple[str, ...] = ()
    break_keys: tuple[str, ...] = ()
    least: bool = False
    all_cards: bool = False
    figures: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    terms: Callable[[Any], Sequence[tuple[str, Face]]] | None = None

    @property
    def is_least_best(self) -> bool:
        return self.least or bool(self.turns)


@dataclass(frozen=True, slots=True)
class Feats:
    """What a family's ``feats`` says of one game. ``weight`` decides between events that won as many points; ``most_gains``: how
    many of these are told (one where a gain is a whole hand, whose points stand on the score sheet anyway). ``gain_badge``: how
    the number of a gain is worded where it is no points, and ``gain_title`` what it was the best of. ``headline``: what
    is told first, before who won, in words that it takes from the catalogue; "" where that is who won. ``time_event``: the event
    that says how long what was done in a moment took, by the seconds that a clock ran at a table (``SecondsRun``);
    ``sheet_with_times``: the score sheet with that."""

    feats: tuple[Feat, ...] = ()
    weight: Callable[[Event], int] = cards
    most_gains: int = MOST_GAINS
    gain_badge: str = ""
    gain_title: str = ""
    headline: Callable[[Sequence[Moment], Callable[..., str]], str] | None = None
    time_event: Callable[[Match, Moment, SecondsRun], Event | None] | None = None
    sheet_with_times: Callable[[Sequence[SheetRow], Sequence[Moment], Callable[..., str]], Sequence[SheetRow]] | None = None


@dataclass(frozen=True, slots=True)
class Highlight:
    """What entry ``index`` did for ``seat`` and in which words it was told; ``n`` as ``badge`` words it ("" for points), or the
    parameters of the event as ``figure`` words them, and what it was the best of as ``title`` words it ("" where the points say
    it). ``cards``: what is drawn of it; ``terms``: as a sum (``Feat.terms``)."""

    index: int
    seat: int
    n: int
    event: Event
    badge: str = ""
    title: str = ""
    figure: str = ""
    cards: tuple[Card, ...] = ()
    terms: Callable[[Any], Sequence[tuple[str, Face]]] | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """The best that a seat did of one kind. ``name``: of the kind; ``is_least_best``: a smaller ``n`` is better."""

    name: str
    highlight: Highlight
    is_least_best: bool


@dataclass(frozen=True, slots=True)
class MarkKind:
    """What marks of one name are the best of: ``title`` and ``badge`` as of a feat; ``is_least_best``: a smaller number is
    better."""

    title: str
    badge: str
    is_least_best: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """One entry that stood: its index, its kind, the points after it, its events."""

    index: int
    kind: str
    standings: Sequence[int]
    events: Sequence[Event]


def highlights(match: Match, moments: Sequence[Moment] | None = None, readers: Collection[int] = ()) -> list[Highlight]:
    """The entries that won most points, best first, and the feats; nothing that was taken back.

    ``moments``: those of the match, where they are known already; ``readers``: seats of those who read it, whose best is told
    even where others won more points, and whose feat where it is as good."""
    own = _feats_of(match)
    moments = lasting_moments(match) if moments is None else moments
    found = with_one_of(readers, _gains_of(match, moments, own), own.most_gains)
    for feat in own.feats[:MOST_FEATS]:
        one = feat_for(readers, moments, feat)
        if one is not None and all(one.index != other.index for other in found):
            found.append(one)
    return found


def with_one_of(readers: Collection[int], ranked: Sequence[Highlight], most: int) -> list[Highlight]:
    """The first ``most`` of ``ranked``; the last of several gives way where none is of ``readers``, who have one."""
    told = list(ranked[:most])
    theirs = next((one for one in ranked if one.seat in readers), None)
    if len(told) > 1 and theirs is not None and theirs not in told:
        told[-1] = theirs
    return told


def marks(match: Match, moments: Sequence[Moment], seat: int) -> list[Mark]:
    """The best that ``seat`` did of each kind that the game tells, for comparison with other matches."""
    own = _feats_of(match)
    is_least_best = match.rules.low_wins and not own.gain_badge
    gained = [one for one in _gains_of(match, moments, own) if own.most_gains and one.seat == seat]
    found = [Mark(POINTS, one, is_least_best) for one in gained[:1]]
    for feat in own.feats:
        one = feat_of(moments, feat, seat)
        if one is not None:
            found.append(Mark(feat.keys[0], one, feat.is_least_best))
    return found


def kind_of(game: str, name: str) -> MarkKind | None:
    """What the marks called ``name`` are the best of in ``game``; None for points, and for a kind that it does not tell."""
    own = _feats_in(game)
    kinds = {feat.keys[0]: MarkKind(feat.title, feat.badge, feat.is_least_best) for feat in own.feats}
    if own.most_gains and own.gain_badge:
        kinds[POINTS] = MarkKind(own.gain_title, own.gain_badge, is_least_best=False)
    return kinds.get(name)


def headline(match: Match, moments: Sequence[Moment], say: Callable[..., str]) -> str:
    """What is told of a finished match before who won, in the words that ``say`` has for a key; "" where there is nothing."""
    own = _feats_of(match).headline
    return "" if own is None else own(moments, say)


def with_times(match: Match, moments: Sequence[Moment], seconds: SecondsRun) -> list[Moment]:
    """``moments`` with how long what was done in them took, where only the table's clock knows."""
    time_event = _feats_of(match).time_event
    if time_event is None:
        return list(moments)
    found = [(moment, time_event(match, moment, seconds)) for moment in moments]
    return [moment if event is None else replace(moment, events=(*moment.events, event)) for moment, event in found]


def sheet_of(match: Match, moments: Sequence[Moment], say: Callable[..., str]) -> Sequence[SheetRow]:
    """The score sheet of ``match`` as its result shows it."""
    rows, told = match.rules.sheet(match.state), _feats_of(match).sheet_with_times
    return rows if told is None else told(rows, moments, say)


def _feats_of(match: Match) -> Feats:
    return _feats_in(match.setup.game)


def _gains_of(match: Match, moments: Sequence[Moment], own: Feats) -> list[Highlight]:
    """The gains of a match in the words of its game."""
    found = gains(moments, own.weight, low=match.rules.low_wins)
    return [replace(one, n=abs(one.n), badge=own.gain_badge) for one in found] if own.gain_badge else found


def _feats_in(game: str) -> Feats:
    found: Feats = GAMES[game].declaration("feats", "FEATS", {}).get(game, Feats())
    return found


def lasting_moments(match: Match) -> list[Moment]:
    """The match as it stands at its end, entry by entry."""
    moments: list[Moment] = []
    for entry, state, events in match.story():
        if entry.statement.kind == "undo":
            to = entry.statement.body["to"]
            moments = [moment for moment in moments if moment.index <= to]
        else:
            moments.append(Moment(entry.index, entry.statement.kind, match.rules.standings(state), events))
    return moments


def gains(moments: Sequence[Moment], weight: Callable[[Event], int], *, low: bool) -> list[Highlight]:
    """Every entry by which a seat came to be better off and that says so, best first."""
    found: list[tuple[float, int, Highlight]] = []
    for before, moment in pairwise(moments):
        if moment.kind not in ("move", "timeout", "deal"):
            continue
        changes = [new - old for old, new in zip(before.standings, moment.standings, strict=True)]
        for seat, gain in enumerate(worth(changes, low=low, hand=moment.kind == "deal")):
            told = _told(moment.events, seat)
            if gain > 0 and told is not None:
                found.append((gain, weight(told), Highlight(moment.index, seat, changes[seat], told, cards=told.cards)))
    found.sort(key=lambda one: (-one[0], -one[1], one[2].index))
    return [shown for _, _, shown in found]


def worth(changes: Sequence[int], *, low: bool, hand: bool) -> list[float]:
    """By how much each seat is better off. Where low wins and a whole hand is counted: than the others on average."""
    if not low:
        return [float(change) for change in changes]
    if not hand:
        return [-float(change) for change in changes]
    others = max(1, len(changes) - 1)
    return [(sum(changes) - change) / others - change for change in changes]


def feat_of(moments: Sequence[Moment], feat: Feat, seat: int | None = None) -> Highlight | None:
    """The moment of ``feat``, the first of equal ones; None where it never came to it. ``seat``: of this seat alone."""
    counts: Counter[int] = Counter()
    counted: dict[int, tuple[Card, ...]] = {}  # the cards of these, by seat
    best: Highlight | None = None
    for moment in moments:
        for event in moment.events:
            if event.key in feat.start_keys:
                counts.clear()
                counted.clear()
            if event.seat is None or seat not in (None, event.seat):
                continue
            if event.key in feat.break_keys:
                counts[event.seat], counted[event.seat] = 0, ()
            if event.key in (feat.turns or feat.keys):
                counts[event.seat] += 1
                counted[event.seat] = (*counted.get(event.seat, ()), *event.cards)
            if event.key not in feat.keys:
                continue
            n = counts[event.seat] if feat.turns or feat.break_keys else feat.measure(event)
            better = best is None or (n < best.n if feat.is_least_best else n > best.n)
            if better and n >= feat.minimum:
                best = Highlight(moment.index, event.seat, n, event, feat.badge, feat.title, feat.figures.get(event.key, ""),
                                 counted.get(event.seat, ()) if feat.all_cards else event.cards, feat.terms)
    return best


def feat_for(readers: Collection[int], moments: Sequence[Moment], feat: Feat) -> Highlight | None:
    """The moment of ``feat``; of several that are as good, one of ``readers``."""
    best = feat_of(moments, feat)
    theirs = [feat_of(moments, feat, seat) for seat in readers]
    return next((one for one in theirs if one is not None and best is not None and one.n == best.n), best)


def _told(events: Sequence[Event], seat: int) -> Event | None:
    """The event that says most of it: of ``seat`` itself, with cards and a number if there is one."""
    own = [event for event in events if event.seat == seat and (event.cards or event.params)]
    return max(own, key=lambda event: (bool(event.cards), bool(event.params)), default=None)
