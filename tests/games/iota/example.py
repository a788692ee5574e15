"""Examples of this family's games for the tests that all games share."""

from __future__ import annotations

from tests.support.examples import LEGAL, LOG, Ended, Example, Moments, Picture

EXAMPLES = {
    "iota": Example(
        option_sets=((2, {}), (3, {"half_deck": True}), (4, {"young_children": True, "first_seat": "4"})),
        departures=((3, {}), (4, {"half_deck": True}), (4, {"young_children": True})),
        golden={"iota": (3, {}), "iota-half-deck": (2, {"half_deck": True}),
                "iota-young-children": (2, {"young_children": True, "half_deck": True, "first_seat": "2"})},
        ended=Ended(34, (122, 80, 77), (0,)),
        short={"half_deck": True, "first_seat": "1"},
        hand={"seats": "me,easy", "half_deck": 1},
        by_hand=True,
        moments=Moments({"seats": "me,easy,easy"}),
        pictures=(
            Picture("iota-2", "mb", 14, tap=(LEGAL,)),
            Picture("iota-4", "mbbb", 46, tap=(LEGAL, ".spot")),
            Picture("iota-large-text", "mbb", 16, text=200),
            Picture("iota-cover-large-text", "mpp", 3, text=200, whoever=True),
            Picture("iota-cover", "mpp", 3, whoever=True),
            Picture("iota-log", "mbbb", 20, tap=(LOG,)),
        ),
    ),
}
