"""Feats of a match with dominoes that no score counts: the quickest way out, the longest row of turns in which something fitted.

The points of a round stand on the score sheet, so no gain is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.highlights import Feat, Feats

LAID: Final = ("dominoes.log.laid", "dominoes.log.led", "matador.log.laid", "tiddle-a-wink.log.laid", "tiddle-a-wink.log.led")
ROUND: Final = ("dominoes.log.round",)


def quickest_way_out(game: str) -> Feat:
    """The round in which somebody went out with fewest dominoes laid."""
    return Feat("result.laid", (f"{game}.log.out",), turns=LAID, start_keys=ROUND, all_cards=True, title="result.feat.quickest")


def longest_row(game: str) -> Feat:
    """The most dominoes that somebody laid in a round without drawing or passing."""
    return Feat("result.in_a_row", LAID, minimum=3, start_keys=ROUND, break_keys=("dominoes.log.drew", f"{game}.log.passed"),
                all_cards=True, title="result.feat.row")


FEATS: Final[Mapping[str, Feats]] = {
    game: Feats((quickest_way_out(game), longest_row(game)), most_gains=0) for game in ("dominoes", "matador", "tiddle-a-wink")
}
