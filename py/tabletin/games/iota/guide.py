"""Iota's first hand, step by step: a card beside another, a lot with a wild, the wild back to the hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.board.guide import Guide, Step

GUIDES: Final[Mapping[str, Guide]] = {
    "iota": Guide("iota", 2, options={"first_seat": "1"}, deals=(
        "rc2 rc3 wild gx1"  # mine
        " bs1 yt1 gs2 bt4"  # the other hand
        " rc1"  # in the middle
        " bx2 ys4 rc4 gt3",  # what is drawn: I, the other seat, I, I
    ), steps=(
        Step("line"),
        Step("first", ("play", (), (("rc2", 1, 0),)), point=("rc2>at1,0", "play")),
        Step("answer", ("play", (), (("bs1", 0, 1),)), seat=1),
        Step("mixed"),
        Step("lot", ("play", (), (("rc3", 2, 0), ("wild", 3, 0))), point=("rc3>at2,0", "wild>at3,0", "play")),
        Step("doubled", ("play", (), (("yt1", 0, 2),)), seat=1),
        Step("recycle", ("play", (("wild", "rc4"),), (("gx1", 0, 3),)), point=("rc4>wild*", "gx1>at0,3", "play")),
        Step("trade"),
        Step("end"),
    )),
}
