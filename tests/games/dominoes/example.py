"""Examples of this family's games for the tests that all games share."""

from __future__ import annotations

from tests.support.examples import LEGAL, Ended, Example, Moments, Picture

OF_OTHERS = ("dominoes.log.laid_after_short",)
EXAMPLES = {
    "dominoes": Example(
        option_sets=((2, {}), (4, {"set": 9}), (6, {"set": 12, "target": 50})),
        departures=((3, {"set": 6, "target": 30}), (6, {"set": 12, "target": 50})),
        golden={"dominoes": (3, {})},
        ended=Ended(39, (0, 0, 0, 18), (3,)),
        quick={"target": 20},
        self_evident=frozenset({"none"}),
        lasting={"target": 100}, unending={"target": 1000},
        hand={"seats": "me,easy", "set": 6, "target": 1},
        moments=Moments({"seats": "me,easy,easy"}, ("phase=leading", "phase=playing")),
        pictures=(
            Picture("dominoes-2", "mb", 16, "phase=playing"),
            Picture("dominoes-6", "mbbbbb", 40, "phase=playing", options={"set": 12}, tap=(LEGAL,)),
            Picture("dominoes-large-text", "mbbb", 20, "phase=playing", text=200),
        ),
        silent_rulings=frozenset({"DO-6", "DO-7", "DO-8"}),
    ),
    "matador": Example(
        option_sets=((3, {}), (6, {"set": 12, "total": 13}), (8, {"target": 50})),
        departures=((3, {"target": 60}), (6, {"set": 12, "total": 13, "target": 60})),
        golden={"matador": (4, {}), "matador-13": (3, {"set": 12, "total": 13})},
        ended=Ended(125, (33, 0, 0), (0,)),
        quick={"target": 20},
        self_evident=frozenset({"none"}),
        lasting={"target": 100}, unending={"target": 1000},
        hand={"seats": "me,easy,easy", "target": 1},
        moments=Moments({"seats": "me,easy,easy"}, ("phase=playing", "phase=counted")),
        pictures=(
            Picture("matador-8", "mbbbbbbb", 50, "phase=playing", options={"set": 12}, tap=(LEGAL,)),
        ),
        silent_rulings=frozenset({"DO-2", "DO-3", "DO-8", "DO-9"}),
    ),
    "tiddle-a-wink": Example(
        option_sets=((6, {}), (10, {"set": 12})),
        departures=((6, {"target": 80}), (10, {"set": 12, "target": 80})),
        golden={"tiddle-a-wink": (6, {})},
        ended=Ended(43, (0, 0, 0, 0, 0, 47), (5,)),
        quick={"target": 20},
        self_evident=frozenset({"none"}),
        lasting={"target": 100}, unending={"target": 1000},
        hand={"seats": "me,easy,easy,easy,easy,easy", "target": 1},
        by_hand=True,
        moments=Moments({"seats": "me,easy,easy,easy,easy,easy,easy,easy,easy,easy", "set": 12},
                        ("phase=playing", "phase=counted")),
        pictures=(
            Picture("tiddle-a-wink-10", "mbbbbbbbbb", 70, "phase=playing", options={"set": 12}, tap=(LEGAL,)),
            Picture("tiddle-a-wink-counted", "mbbbbbbbbb", 70, "phase=counted", options={"set": 12}, whoever=True),
        ),
        silent_rulings=frozenset({"DO-3", "DO-6", "DO-7", "DO-9"}),
    ),
}
