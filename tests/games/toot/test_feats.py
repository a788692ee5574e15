"""What a finished match of TooT is told for."""

from __future__ import annotations

from tabletin.board.highlights import Moment, feat_of
from tabletin.games.toot.feats import FEATS
from tabletin.kernel.state import Event


def test_pursuit_tells_who_laid_turn_after_turn_and_what_was_longest() -> None:
    """TO-7: every turn is a point, however many cards it takes."""
    turns = [(0, 1), (1, 5), (0, 1), (1, 0), (0, 2), (1, 1), (0, 0), (1, 1)]
    moments = [Moment(index, "move", (0, 0), (Event("toot.log.played", seat, {"top": ""}, cards=tuple(range(cards)))
                                              if cards else Event("toot.log.passed", seat),))
               for index, (seat, cards) in enumerate(turns)]
    feats = FEATS["toot-pursuit"]
    row, longest = (feat_of(moments, feat) for feat in feats.feats)
    assert feats.most_gains == 0, "no turn is worth more than another"
    assert row is not None and (row.index, row.seat, row.n) == (4, 0, 3)
    assert longest is not None and (longest.index, longest.seat, longest.n) == (1, 1, 5)
