"""Feats of a match of TooT: the largest TooTs; in Pursuit, where every turn is worth the same, who laid turn after turn; in Speed
the least time, and the fewest cards that were needed, since every card drawn takes time. The log has no time of a round that all
play at once: there the clock of this table tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from tabletin.board.highlights import Feat, Feats, Moment, SecondsRun, feat_of
from tabletin.games.toot.speed import Speed, SpeedState, clock_key, time_words
from tabletin.kernel.match import Match
from tabletin.kernel.rules import SheetRow
from tabletin.kernel.state import Event


def tenths(event: Event) -> int:
    """How many tenths of a second a heat took."""
    seconds = 60 * int(event.params.get("minutes", 0)) + int(event.params["seconds"])
    return 10 * seconds + int(event.params.get("tenths", 0))


CLAIMED, WON = "toot.log.claimed", "toot.log.won_round"
TIMES: Final = {"time": "toot.log.needed", "minutes": "toot.log.needed_minutes"}
FIGURES: Final[Mapping[str, str]] = {event: f"toot.board.seat.{key}" for key, event in TIMES.items()}
"""The words for a time, by the event that tells it."""

FASTEST: Final = Feat("result.tenths", tuple(FIGURES), measure=tenths, minimum=0, least=True, figures=FIGURES,
                      title="result.feat.fastest")


def best_time(moments: Sequence[Moment], say: Callable[..., str]) -> str:
    """Alone it is played for the time: the least one, and how many cards it took; "" with others, or where none was taken."""
    best = feat_of(moments, FASTEST)
    if best is None or len(moments[0].standings) > 1:
        return ""
    (shown,) = (event for moment in moments if moment.index == best.index for event in moment.events
                if event.key == CLAIMED)
    return say("toot.board.all_in", n=len(shown.cards), time=say(best.figure, **best.event.params))


def time_event(match: Match, moment: Moment, seconds: SecondsRun) -> Event | None:
    """How long a claim took that won a round, if the log does not say so itself."""
    claim = next((event for event in moment.events if event.key == CLAIMED), None)
    if claim is None or any(event.key in FIGURES for event in moment.events):
        return None
    before = match.snapshot_at(moment.index - 1)
    assert isinstance(match.rules, Speed) and isinstance(before.state, SpeedState)
    ran = seconds(clock_key(before.state, match.rules))
    if ran is None:
        return None
    key, params = time_words(round(1000 * ran))
    return Event(TIMES[key], claim.seat, params)


def sheet_with_times(rows: Sequence[SheetRow], moments: Sequence[Moment], say: Callable[..., str]) -> Sequence[SheetRow]:
    """The score sheet with the time of each round and how many cards it took, for who won it."""
    told = []
    for moment in moments:
        if any(event.key == WON for event in moment.events):
            times = [say(FIGURES[event.key], **event.params) for event in moment.events if event.key in FIGURES]
            needed = [say("result.cards", n=len(event.cards)) for event in moment.events if event.key == CLAIMED]
            told.append(" · ".join((*times, *needed)))
    return [replace(row, key="toot.sheet.heats_round", cells=tuple(words if cell else None for cell in row.cells))
            if row.key == "toot.sheet.cards_round" and words else row
            for row, words in zip(rows, (*told, *[""] * len(rows)), strict=False)]


SHOWN: Final = ("toot.log.showed", "toot.log.showed_all")
LAID: Final = ("toot.log.played", "toot.log.started")

FEATS: Final[Mapping[str, Feats]] = {
    "toot-progressive": Feats((
        Feat("result.cards", SHOWN, minimum=3, title="result.feat.most_cards"),
        Feat("result.cards", SHOWN[1:], title="result.feat.all_cards"),  # told where it was not the largest, too
    )),
    "toot-fluke": Feats(gain_badge="result.cards", gain_title="result.feat.most_cards"),
    "toot-pursuit": Feats((
        Feat("result.in_a_row", LAID, minimum=3, break_keys=("toot.log.passed",), all_cards=True, title="result.feat.row"),
        Feat("result.cards", LAID[::-1], minimum=3, title="result.feat.most_cards"),
    ), most_gains=0),
    "toot-speed": Feats((FASTEST, Feat("result.cards", (CLAIMED,), least=True, title="result.feat.fewest_cards")),
                        most_gains=0, headline=best_time, time_event=time_event, sheet_with_times=sheet_with_times),
}
