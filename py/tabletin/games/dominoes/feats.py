"""Feats of a match with dominoes that no score counts: the quickest way out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.highlights import Feat, Feats


def quickest_way_out(game: str) -> Feat:
    """The round in which somebody went out with fewest dominoes laid."""
    return Feat("result.laid", (f"{game}.log.out",), turns=("dominoes.log.laid", "dominoes.log.led"),
                start_keys=("dominoes.log.round",))


FEATS: Final[Mapping[str, Feats]] = {
    game: Feats((quickest_way_out(game),), most_gains=1) for game in ("dominoes", "matador", "tiddle-a-wink")
}
