"""What is retold of dominoes, and what the log says of them once: how many somebody drew, and which doubles nobody has."""

from __future__ import annotations

import re
from random import Random

from tabletin.app.table.event_merging import log_lines
from tabletin.app.table.narration import Narration, NarrationLine, Reader
from tabletin.app.table.recap import recap
from tabletin.kernel.match import Match
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


def test_the_log_says_once_what_everybody_said_and_grows_into_what_it_would_be_as_a_whole() -> None:
    table, rng = seated("matador", 3, 6), Random(2)
    match = table.match
    narration, wording = Narration(match), Wording(WORDS, match.setup, 0)
    narration.rewind(Reader.LOG)
    shown: list[NarrationLine] = log_lines(narration, wording, (0,))
    is_replaced = False
    for _ in range(60):
        seats = match.rules.to_act(match.state)
        if not seats:
            break
        seat = rng.choice(seats)
        move = match.rules.random_move(match.state, seat, match.view((seat,)).faces, rng)
        table.move(seat, move)
        for entry in match.entries[narration.last + 1:]:
            narration.add(entry.index, match.events(entry.index))
        lines = log_lines(narration, wording, (0,))
        kept = [line for line in shown if not lines or line.index < lines[0].index]
        is_replaced |= len(kept) < len(shown)
        shown = kept + lines
        whole = Narration(match)
        whole.rewind(Reader.LOG)
        assert shown == log_lines(whole, wording, (0,))
    texts = [line.text for line in shown]
    assert is_replaced and "Nobody has the double nine." in texts
    assert not any(text.endswith("has no double nine.") or text == "You have no double nine." for text in texts)
    assert any(" drew " in text and " dominoes; " in text for text in texts), "several drawn in a row, too"


def test_the_log_says_once_what_somebody_drew_with_the_dominoes_that_only_they_saw() -> None:
    table, rng = seated("matador", 3, 2), Random(2)
    match = table.match
    while match.state.phase in ("leading", "playing"):
        seat = match.rules.to_act(match.state)[0]
        table.move(seat, match.rules.random_move(match.state, seat, match.view((seat,)).faces, rng))
    own = texts(match, Wording(WORDS, match.setup, 0), (0,))
    assert "You drew 3 dominoes: nine–blank, eight–seven and four–two; 31 are left to draw." in own
    assert own.count("None of your dominoes fits, so you draw.") == sum(text.startswith("You drew ") for text in own)
    assert "Cleo drew 2 dominoes; 29 are left to draw." in own, "another one's stay closed"
    assert not any(text.startswith("Ann drew ") and ":" in text for text in texts(match, Wording(WORDS, match.setup)))


def test_of_many_that_were_drawn_the_log_says_only_how_many() -> None:
    """Ten names make three lines of a narrow log, and all of them lie in the hand."""
    named: set[int] = set()
    counted: set[int] = set()
    for seed in range(8):
        table, rng = seated("matador", 3, seed), Random(seed)
        match = table.match
        while match.state.phase in ("leading", "playing"):
            seat = match.rules.to_act(match.state)[0]
            table.move(seat, match.rules.random_move(match.state, seat, match.view((seat,)).faces, rng))
        for text in texts(match, Wording(WORDS, match.setup, 0), (0,)):
            found = re.match(r"You drew (\d+) dominoes([:;])", text)
            if found:
                (named if found[2] == ":" else counted).add(int(found[1]))
    assert named and max(named) <= 4 and counted and min(counted) > 4


def test_who_left_later_had_been_asked_all_the_same() -> None:
    """Of three, two say no and the third leads. Then one leaves, and the log is written anew for the two that play on."""
    table, rng = seated("dominoes", 3, 1), Random(1)
    match = table.match
    while match.state.phase == "leading":
        moves = {seat: match.rules.random_move(match.state, seat, match.view((seat,)).faces, rng)
                 for seat in match.rules.to_act(match.state)}
        seat = next((seat for seat, move in moves.items() if move == ("none",)), next(iter(moves)))
        table.move(seat, moves[seat])
    wording = Wording(WORDS, match.setup)
    before = texts(match, wording)
    assert " has no double " in before[-3] and " has no double " in before[-2] and " led with " in before[-1]
    match.state.absentees = frozenset((0,))
    assert texts(match, wording) == before


def texts(match: Match, wording: Wording, uncovered: tuple[int, ...] = ()) -> list[str]:
    """The whole log in words, for the readers at the seats ``uncovered``."""
    narration = Narration(match)
    narration.rewind(Reader.LOG)
    return [line.text for line in log_lines(narration, wording, uncovered)]
