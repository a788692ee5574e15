"""Feats of a match of Teeth Time that no score counts: the longest run laid, the quickest way out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.highlights import Feat, Feats
from tabletin.kernel.state import Event


def swept(event: Event) -> int:
    """How many cards a Dentist or a Tooth Fairy took away."""
    return int(event.params.get("n", 0))


LOG: Final = "teeth_time.log."
FEATS: Final[Mapping[str, Feats]] = {
    "teeth-time": Feats((
        Feat("result.cards", (f"{LOG}laid_run",), minimum=4, title="result.feat.run"),
        Feat("result.cards", (f"{LOG}fairy", f"{LOG}dentist"), measure=swept, minimum=2, title="result.feat.sweep"),
        Feat("result.turns", (f"{LOG}out",), turns=(f"{LOG}left", f"{LOG}took"),  # a turn begins with either
             start_keys=(f"{LOG}dealt",), title="result.feat.quickest"),
    ), most_gains=0),
}
