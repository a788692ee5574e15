"""What is retold of dominoes: how many somebody drew, and which doubles nobody has."""

from __future__ import annotations

from random import Random

from tabletin.app.table.narration import Narration
from tabletin.app.table.recap import recap
from tabletin.words.wording import Wording
from tests.support.board_tables import WORDS, seated


def test_several_drawn_in_a_row_are_told_as_a_number() -> None:
    table, rng, drawn, seen = seated("matador", 3, 2), Random(2), 0, set()
    match = table.match
    while drawn < 40 and match.rules.to_act(match.state):
        seat = match.rules.to_act(match.state)[0]
        if match.state.phase == "playing" and seat == 0 and match.state.hands[0]:
            rows = [line.text for line in recap(Narration(match), 0, Wording(WORDS, match.setup, 0), (0,))]
            assert not any(row.count(" drew") > 1 for row in rows), rows
            seen |= {row.split(" domino")[0] for row in rows if "; " in row and " drew " in row}
        move = match.rules.random_move(match.state, seat, match.view((seat,)).faces, rng)
        table.move(seat, move)
        drawn += move[0] == "draw"
    assert {row.split(" drew ")[1] for row in seen} >= {"2", "4"}, seen


def test_a_double_that_everybody_lacks_is_told_as_nobodys() -> None:
    table = seated("matador", 3, 6)  # nobody has been dealt one of the highest three
    match = table.match
    while match.state.question < 2 and match.state.phase == "leading":
        table.move(match.rules.to_act(match.state)[0], ("none",))
    table.move(next(seat for seat in match.rules.to_act(match.state) if seat), ("none",))
    rows = [line.text for line in recap(Narration(match), 0, Wording(WORDS, match.setup, 0), (0,), lambda _index: True)]
    assert rows == ["Nobody has the double nine.", "Nobody has the double eight.", "Ben has no double seven."]
