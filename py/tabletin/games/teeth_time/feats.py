"""Feats of a match of Teeth Time that no score counts: the longest run laid, the quickest way out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.highlights import Feat, Feats

LOG: Final = "teeth_time.log."
FEATS: Final[Mapping[str, Feats]] = {
    "teeth-time": Feats((
        Feat("result.cards", (f"{LOG}laid_run",), minimum=4),
        Feat("result.turns", (f"{LOG}out",), turns=(f"{LOG}drew", f"{LOG}took", f"{LOG}nothing_to_draw"),
             start_keys=(f"{LOG}dealt",)),
    )),
}
