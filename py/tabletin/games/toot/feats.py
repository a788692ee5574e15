"""Feats of a match of TooT: the longest TooTs, where points do not tell them already; in Pursuit, where every turn is worth the
same, who laid turn after turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.highlights import Feat, Feats
from tabletin.kernel.state import Event


def seconds(event: Event) -> int:
    """How long a heat took."""
    return int(event.params["seconds"])


LAID: Final = ("toot.log.played", "toot.log.started")

FEATS: Final[Mapping[str, Feats]] = {
    "toot-progressive": Feats((
        Feat("result.cards", ("toot.log.showed_all",), title="result.feat.all_cards"),
        Feat("result.cards", ("toot.log.showed",), minimum=3, title="result.feat.most_cards"),
    )),
    "toot-pursuit": Feats((
        Feat("result.in_a_row", LAID, minimum=2, break_keys=("toot.log.passed",), title="result.feat.row"),
        Feat("result.cards", LAID[::-1], minimum=3, title="result.feat.most_cards"),
    ), most_gains=0),
    "toot-speed": Feats((
        Feat("result.cards", ("toot.log.claimed",), title="result.feat.most_cards"),
        Feat("result.seconds", ("toot.log.needed",), measure=seconds, least=True, title="result.feat.fastest"),
    ), most_gains=0),
}
