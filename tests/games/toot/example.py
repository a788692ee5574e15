"""Examples of this family's games for the tests that all games share."""

from __future__ import annotations

from tests.support.examples import Ended, Example, Moments, Picture

EXAMPLES = {
    "toot-progressive": Example(
        option_sets=((1, {}), (3, {}), (6, {})),
        departures=((3, {}), (6, {"set_aside": True})),
        golden={"toot-progressive": (2, {}), "toot-progressive-set-aside": (3, {"last_round": 7, "set_aside": True})},
        ended=Ended(50, (29, 22), (1,)),
        lasting={"last_round": 8},
        open_hands=True,
        hand={"seats": "me,easy", "last_round": 4},
        longer={"last_round": 8},
        by_hand=True,
        moments=Moments({"seats": "me,easy"}, ("phase=work", "phase=show")),
        pictures=(
            Picture("toot-progressive", "mbb", 20, "phase=work", tap=("[data-key=best]", "[data-key=best_show]")),
            Picture("toot-progressive-ten-cards", "mbbbbb", 66, "size=10"),
        ),
        silent_rulings=frozenset({"TO-4", "TO-6", "TO-7", "TO-8"}),
    ),
    "toot-fluke": Example(
        option_sets=((2, {}), (4, {})),
        departures=((3, {}), (5, {})),
        golden={"toot-fluke": (2, {})},
        ended=Ended(90, (6, 8, 1), (2,)),
        short={"first_seat": "1"},
        hand={"seats": "me,easy,easy,easy,easy,easy", "first_seat": 1},
        moments=Moments({"seats": "me,easy"}),
        pictures=(
            Picture("toot-fluke", "mbbb", 12, tap=("[data-key=roll]",)),
        ),
        silent_rulings=frozenset({"TO-5", "TO-7", "TO-8"}),
    ),
    "toot-pursuit": Example(
        option_sets=((2, {}), (5, {})),
        departures=((3, {}), (5, {})),
        golden={"toot-pursuit": (2, {})},
        ended=Ended(176, (11, 9), (0,)),
        short={"first_seat": "1"},
        hand={"seats": "me,easy,easy,easy,easy,easy", "first_seat": 1},
        moments=Moments({"seats": "me,easy"}),
        pictures=(
            Picture("toot-pursuit", "mbbbbb", 20, tap=("[data-key=draw]",)),
            Picture("toot-large-text", "mbbb", 16, text=200),
        ),
        self_evident=frozenset({"draw"}),
        silent_rulings=frozenset({"TO-5", "TO-6", "TO-8"}),
    ),
    "toot-speed": Example(
        option_sets=((1, {"target": 2}), (3, {"target": 2}), (3, {"target": 2, "heats": True})),
        departures=((3, {"target": 2}), (4, {"target": 2, "heats": True})),
        golden={"toot-speed": (2, {"target": 2})},
        ended=Ended(37, (1, 2), (1,)),
        quick={"target": 1},
        lasting={"target": 5},
        open_hands=True,
        hand={"seats": "me", "target": 1},
        longer={"target": 9},
        moments=Moments({"seats": "me,easy"}, ("phase=ready", "phase=go")),
        pictures=(
            Picture("toot-speed", "m", 2, "phase=go", tap=("[data-key=best]", "[data-key=best_show]")),
        ),
        silent_rulings=frozenset({"TO-4", "TO-5", "TO-6", "TO-7"}),
    ),
}
