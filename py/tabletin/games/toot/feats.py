"""Feats of a match of TooT: the largest TooTs; in Pursuit, where every turn is worth the same, who laid turn after turn; in Speed
the least time, and the fewest cards that were needed, since every card drawn takes time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tabletin.board.highlights import Feat, Feats, Moment, feat_of
from tabletin.kernel.state import Event


def tenths(event: Event) -> int:
    """How many tenths of a second a heat took."""
    seconds = 60 * int(event.params.get("minutes", 0)) + int(event.params["seconds"])
    return 10 * seconds + int(event.params.get("tenths", 0))


FIGURES: Final[Mapping[str, str]] = {"toot.log.needed": "toot.board.seat.time",
                                     "toot.log.needed_minutes": "toot.board.seat.minutes"}
"""The words for a time, by the event that tells it."""

FASTEST: Final = Feat("result.tenths", tuple(FIGURES), measure=tenths, minimum=0, least=True, figures=FIGURES,
                      title="result.feat.fastest")


def best_time(moments: Sequence[Moment], say: Callable[..., str]) -> str:
    """Alone it is played for the time: the least one, and how many cards it took; "" with others, or where none was taken."""
    best = feat_of(moments, FASTEST)
    if best is None or len(moments[0].standings) > 1:
        return ""
    (shown,) = (event for moment in moments if moment.index == best.index for event in moment.events
                if event.key == "toot.log.claimed")
    return say("toot.board.all_in", n=len(shown.cards), time=say(best.figure, **best.event.params))


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
    "toot-speed": Feats((FASTEST, Feat("result.cards", ("toot.log.claimed",), least=True, title="result.feat.fewest_cards")),
                        most_gains=0, headline=best_time),
}
