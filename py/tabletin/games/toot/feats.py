"""Feats of a match of TooT: the longest TooTs, where points do not tell them already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.highlights import Feat, Feats

FEATS: Final[Mapping[str, Feats]] = {
    "toot-progressive": Feats((
        Feat("result.cards", ("toot.log.showed_all",)),
        Feat("result.cards", ("toot.log.showed",), minimum=3),
    )),
}
