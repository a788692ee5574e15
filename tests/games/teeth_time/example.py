"""Examples of this family's games for the tests that all games share."""

from __future__ import annotations

from tests.support.examples import HAND, SHEET, Ended, Example, Moments, Picture

ART_BYTES = 2600  # of the markup of one face, at most
OF_OTHERS = ("teeth_time.board.counter.title", "teeth_time.board.reply.title",
             "teeth_time.log.penalty_short_target_you", "teeth_time.why.penalty")  # never said of the reader
EXAMPLES = {
    "teeth-time": Example(
        option_sets=((2, {"hands": 2}), (4, {"hands": 2, "level": "advanced"}), (7, {"hands": 1, "decks": 2})),
        departures=((3, {"hands": 2}), (4, {"hands": 2, "level": "advanced"}),
                    (5, {"hands": 1, "level": "intermediate"}), (7, {"hands": 1, "decks": 2})),
        golden={"teeth-time": (3, {"hands": 2}), "teeth-time-advanced": (4, {"hands": 1, "level": "advanced"})},
        ended=Ended(92, (-50, 0), (0,)),
        quick={"hands": 1},
        lasting={"hands": 4},
        hand={"seats": "me,easy,easy", "contracts": "one", "one": 1, "hands": 1},
        by_hand=True,
        moments=Moments({"seats": "me,easy,easy,easy", "contracts": "one", "one": 1},
                        ("phase=window", "phase=play", "phase=reply")),
        pictures=(
            Picture("teeth-time-window", "mbb", 30, "phase=window"),
            Picture("teeth-time-play", "mbbb", 150, "phase=play", tap=(HAND,)),
            Picture("teeth-time-late", "mbbb", 420, "phase=play", options={"one": 1, "contracts": "one"}),
            Picture("teeth-time-ten", "mbbbbbbbbb", 300, "phase=play", seed=7, options={"one": 1, "contracts": "one"}),
            Picture("teeth-time-reply", "mbb", 60, "phase=reply", seed=3),
            Picture("teeth-time-scored", "mbbb", 40, "phase=scored", options={"one": 1, "contracts": "one"}, whoever=True),
            Picture("teeth-time-shared", "mpp", 9, "phase=window"),
            Picture("teeth-time-large-text", "mbbb", 150, "phase=play", text=200),
            Picture("teeth-time-reply-large-text", "mbb", 60, "phase=reply", seed=3, text=200),
            Picture("teeth-time-sheet", "mbbbbb", 300, "phase=play", options={"one": 1, "contracts": "one"}, tap=(SHEET,)),
        ),
    ),
}
