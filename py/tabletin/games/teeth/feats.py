"""Feats of a match of Teeth: each column wins one point, so those that were won by most are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.highlights import Feats
from tabletin.kernel.state import Event


def margin(event: Event) -> int:
    """How far apart the two totals of a column were; 0 for what is no column won."""
    return int(abs(event.params.get("own", 0) - event.params.get("theirs", 0)))


FEATS: Final[Mapping[str, Feats]] = {"teeth": Feats(weight=margin)}
