"""Examples of this family's games for the tests that all games share."""

from __future__ import annotations

from tests.support.examples import Ended, Example, Moments, Picture

ART_BYTES = 2100  # of the markup of one face, at most
EXAMPLES = {
    "teeth": Example(
        option_sets=((2, {}), (2, {"mode": "continuous"}), (2, {"mode": "score_card", "rounds": 2, "limit": 10})),
        golden={"teeth": (2, {}), "teeth-continuous": (2, {"mode": "continuous"})},
        ended=Ended(115, (4, 5), (1,)),
        hand={"seats": "me,easy", "mode": "score_card", "rounds": 1},
        longer={"rounds": 8},
        by_hand=True,
        moments=Moments({"seats": "me,easy"}, ("phase=turn", "phase=placing", "phase=counted")),
        pictures=(
            Picture("teeth-turn", "mb", 8, "phase=turn"),
            Picture("teeth-placing", "mb", 5, "phase=placing", options={"columns": 6}),
            Picture("teeth-counted", "mb", 5, "phase=counted", whoever=True),
            Picture("teeth-large-text", "mb", 8, "phase=turn", text=200),
        ),
    ),
}
