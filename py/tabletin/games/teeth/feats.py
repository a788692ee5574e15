"""Feats of a match of Teeth. Each column wins one point, so that no gain is told, but the closest win and the best total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tabletin.board.highlights import Feat, Feats
from tabletin.games.teeth.state import TeethState
from tabletin.kernel.faces import Face
from tabletin.kernel.state import Event

HIGHER: Final = "teeth.log.higher"
ONE_BUST: Final = "teeth.log.one_bust"


def margin(event: Event) -> int:
    """By how much a column was won; 0 for what is no column won."""
    return int(abs(event.params.get("own", 0) - event.params.get("theirs", 0)))


def total(event: Event) -> int:
    """What the winner of a column had there."""
    return int(event.params["own"])


def terms(state: TeethState) -> Sequence[tuple[str, Face]]:
    """The cards of the column just scored as its winner adds them up: its own and the middle one, less those of the other."""
    last = state.last
    assert last is not None
    own, *more = last.sides[last.winner]
    return [("", own), *(("+", face) for face in (last.middle, *more)), *(("−", face) for face in last.sides[1 - last.winner])]


FEATS: Final[Mapping[str, Feats]] = {"teeth": Feats((
    Feat("result.margin", (HIGHER,), measure=margin, least=True, title="result.feat.closest", terms=terms),
    Feat("result.total", (ONE_BUST, HIGHER), measure=total, title="result.feat.best_total", terms=terms),
), weight=margin, most_gains=0)}
