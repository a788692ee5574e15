"""Speed TooT: hands shown at GO, draws at any time, claims true and false, giving up (TO-8)."""

from __future__ import annotations

import pytest

from tabletin.games.toot.speed import NO_TOOT, NOT_YET
from tabletin.kernel.requests import Show, Shuffle
from tabletin.registry import rules_of
from tests.games.toot.scene import Scene


def scene(*hands: str, pile: str = "", **options: object) -> Scene:
    made = Scene("toot-speed", *hands, pile=pile, **options)
    made.state.phase = "go"
    made.state.round = 1
    return made


def test_hands_are_shown_when_the_last_seat_is_ready() -> None:
    """TO-8: not at the deal."""
    table = Scene("toot-speed", "", "", "")
    table.state = table.rules.start()
    table.answer()
    assert [len(hand) for hand in table.state.hands] == [7, 7, 7]
    assert not table.state.viewers
    assert table.move(0, "draw") == "not_now"
    assert table.move(2, "ready") is None
    assert table.rules.to_act(table.state) == (0, 1)
    assert table.move(0, "ready") is None
    assert not table.state.requests
    assert table.move(1, "ready") is None
    assert table.state.requests == tuple(Show(table.state.hands[seat], seat, "go") for seat in range(3))
    assert table.rules.to_act(table.state) == ()  # GO comes for all at once
    table.answer()
    assert table.rules.to_act(table.state) == (0, 1, 2)
    assert table.move(0, "ready") == "not_now"
    assert all(table.state.viewers[card] == 1 << seat for seat in range(3) for card in table.state.hands[seat])


def test_the_first_valid_claim_with_all_cards_wins_the_round() -> None:
    """TO-8."""
    table = scene("red blue 1", "green 1", pile="2 2")
    assert table.move(1, "claim", "1[green]") is None
    assert table.state.wins == (0, 1)
    assert table.state.last == (1, (((("1", None),), (((("green", None),), ()),)),), "")
    assert isinstance(table.state.requests[0], Shuffle)
    table.answer()
    assert table.state.phase == "ready"
    assert table.state.round == 2


def test_the_score_sheet_tells_who_won_each_round_and_with_how_many_cards() -> None:
    table = scene("red blue 1", "green 1", pile="2 2")
    assert table.move(1, "claim", "1[green]") is None
    (won, total) = table.rules.sheet(table.state)
    assert won.key == "toot.sheet.cards_round" and won.params == {"n": 1} and won.cells == (None, 2)
    assert total.total and total.cells == (0, 1)


@pytest.mark.parametrize(("claim", "why"), [
    ("2[2[green, green], orange]", None), ("2[orange, 2[green, green]]", "touch"), ("2[green, green]", "cards_left"),
    ("2, 2, orange, green, green", "lone_number"), ("", "nothing_laid")])
def test_an_invalid_claim_voids_the_round_once(claim: str, why: str | None) -> None:
    """TO-8: a 2 on a 2, a card left over, anything else; the round is played again and nobody wins it."""
    table = scene("2 2 orange green green", "red", pile="1")
    assert table.move(0, "claim", claim) is None
    if why is None:
        assert table.state.wins == (1, 0)
        assert table.state.voiding_seats == frozenset()
    else:
        assert table.state.wins == (0, 0)
        assert table.state.voiding_seats == {0}
        assert table.state.last is not None
        assert table.state.last[2] == f"toot.refuse.{why}"
    table.answer()
    assert table.state.phase == "ready"
    assert [len(hand) for hand in table.state.hands] == [7, 7]


def test_a_seat_voids_once_a_match_and_is_only_refused_after_that() -> None:
    """TO-8: once per seat and match."""
    table = scene("2 2 orange green green", "red", pile="1")
    table.move(0, "claim", "2[orange, 2[green, green]]")
    table.answer()
    for seat in range(2):
        table.move(seat, "ready")
    table.answer()
    before = table.state.copy()
    first = table.faces[table.state.hands[0][0]]
    wrong = f"{first}+{first}"
    assert table.move(0, "claim", first if first != "X" else "X=red") is not None
    assert table.state == before
    assert table.move(0, "claim", wrong) is not None
    other = table.faces[table.state.hands[1][0]]
    assert table.move(1, "claim", other if other != "X" else "X=red") is None  # seat 1 has its own once
    assert table.state.voiding_seats == {0, 1}


def test_gentle_only_refuses() -> None:
    """TO-8, option."""
    table = scene("2 2 orange green green", "red", pile="1", gentle=True)
    assert table.move(0, "claim", "2[orange, 2[green, green]]") == "touch"
    assert table.move(0, "claim", "green") == "cards_left"
    assert table.state.voiding_seats == frozenset()
    assert not table.state.public


def test_a_claim_with_cards_not_held_is_refused() -> None:
    """TO-8: it voids nothing."""
    table = scene("red", "green 1", pile="1")
    assert table.move(0, "claim", "1[green]") == "not_held"
    assert table.state.voiding_seats == frozenset()
    assert table.state.phase == "go"


def test_others_play_on_while_a_draw_is_answered() -> None:
    """TO-8: draw any time; and a round that ends with a draw under way is dealt anew after its answer."""
    table = scene("red", "green 1", "red red", pile="1 2")
    assert table.move(0, "draw") is None
    assert table.rules.to_act(table.state) == (1, 2)
    assert table.move(0, "draw") == "kernel.not_your_turn"
    assert table.move(2, "draw") is None
    assert table.rules.to_act(table.state) == (1,)
    assert table.move(1, "claim", "1[green]") is None
    assert table.rules.to_act(table.state) == ()
    table.answer_one()
    assert table.state.phase == "over"
    table.answer_one()
    assert isinstance(table.state.requests[0], Shuffle)
    table.answer()
    assert table.state.phase == "ready"


def test_the_last_round_leaves_nothing_to_answer() -> None:
    table = scene("red", "green 1", pile="1 2", target=1)
    table.move(0, "draw")
    assert table.move(1, "claim", "1[green]") is None
    assert not table.state.requests
    outcome = table.rules.outcome(table.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((0, 1), (1,))


def test_giving_up_with_the_pile_empty_voids_the_round() -> None:
    """TO-8: the pile empty and every seat having given up since the last draw."""
    table = scene("red", "red 1", pile="1")
    assert table.move(0, "give_up") is None
    assert table.move(0, "give_up") == "gave_up_already"
    assert table.move(1, "give_up") is None
    assert table.state.phase == "go"  # the pile is not empty
    assert table.move(1, "draw") is None
    table.answer()
    assert table.state.yielding_seats == frozenset()
    assert table.move(1, "draw") == "pile_empty"
    assert table.move(0, "give_up") is None
    assert table.rules.to_act(table.state) == (1,)
    assert table.move(1, "give_up") is None
    assert table.state.wins == (0, 0)
    assert isinstance(table.state.requests[0], Shuffle)


def test_seven_rounds_win_unless_chosen_otherwise() -> None:
    """TO-8."""
    table = scene("red", "green 1", pile="1")
    table.state.wins = (0, 6)
    table.move(1, "claim", "1[green]")
    assert table.state.end_reason
    shorter = scene("red", "green 1", pile="1", target=8)
    shorter.state.wins = (0, 6)
    shorter.move(1, "claim", "1[green]")
    assert not shorter.state.end_reason


def test_a_silent_seat_is_ready_and_then_gives_up() -> None:
    table = Scene("toot-speed", "", "")
    table.state = table.rules.start()
    table.answer()
    assert table.rules.default(table.state, 0) == ("ready",)
    table.state.phase = "go"
    assert table.rules.default(table.state, 0) == ("give_up",)
    table.state.yielding_seats = frozenset({0})
    assert table.rules.default(table.state, 0) is None


# ---- heats ----

def heats(*hands: str, pile: str = "", **options: object) -> Scene:
    made = Scene("toot-speed", *hands, pile=pile, heats=True, **options)
    made.state.round = 1
    return made


def test_in_heats_one_seat_after_another_sees_its_cards() -> None:
    table = heats("red blue", "green 1", pile="2 2")
    assert table.rules.to_act(table.state) == (0,)
    assert [table.move(0, "ready"), table.move(0, "draw"), table.move(1, "set_off", 0)] == [
        "not_now", "not_now", "kernel.not_your_turn"]
    assert table.move(0, "set_off", 5_000) is None
    table.answer()
    assert all(table.state.viewers[card] == 1 for card in table.state.hands[0])
    assert not any(card in table.state.viewers for card in table.state.hands[1])
    assert [table.move(0, "claim", "red+blue"), table.move(0, "set_off", 0)] == ["not_now", "not_now"]
    assert table.move(0, "finish", "red+blue", 12_345) is None
    assert table.state.times == (7_345, NOT_YET)
    assert table.state.wins == (0, 0)
    assert table.rules.to_act(table.state) == (1,)


def run(table: Scene, seat: int, claim: str, needed: int) -> str | None:
    """One heat, from the start to its end."""
    table.move(seat, "set_off", 1_000)
    table.answer()
    return table.move(seat, "finish", claim, 1_000 + needed) if claim else table.move(seat, "give_up")


def test_the_least_time_wins_the_round_and_another_seat_begins_the_next() -> None:
    table = heats("red blue", "green 1", "orange")
    for seat, (claim, needed) in enumerate((("red+blue", 9_000), ("1[green]", 4_000), ("orange", 4_001))):
        assert run(table, seat, claim, needed) is None
    assert table.state.wins == (0, 1, 0)
    table.answer()
    assert table.state.times == (NOT_YET,) * 3
    assert table.rules.to_act(table.state) == (1,)


def test_equal_times_win_alike_and_may_win_the_match_together() -> None:
    table = heats("red blue", "green 1", target=1)
    run(table, 0, "red+blue", 4_000)
    run(table, 1, "1[green]", 4_000)
    outcome = table.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_a_wrong_claim_costs_the_heat_alone_and_with_gentle_only_time() -> None:
    table = heats("red blue", "green 1")
    assert run(table, 0, "red+blue", 4_000) is None
    assert run(table, 1, "green", 1_000) is None
    assert table.state.last is not None
    assert table.state.last[2] == "toot.refuse.cards_left"
    assert table.state.wins == (1, 0)
    gentle = heats("red blue", "green 1", gentle=True)
    assert run(gentle, 0, "red", 4_000) == "lone_primary"
    assert gentle.rules.to_act(gentle.state) == (0,)


def test_a_round_without_any_toot_is_played_again() -> None:
    table = heats("red blue", "green 1")
    assert run(table, 0, "", 0) is None
    assert table.state.times == (NO_TOOT, NOT_YET)
    run(table, 1, "", 0)
    assert table.state.wins == (0, 0)
    assert isinstance(table.state.requests[0], Shuffle)


def test_no_heat_ends_before_it_began() -> None:
    table = heats("red blue", "green 1")
    table.move(0, "set_off", 1_000)
    table.answer()
    assert table.move(0, "finish", "red+blue", 1_000) == "clock"
    assert table.move(0, "finish", "red+blue", 1_001) is None


def test_who_plays_alone_may_begin_by_the_clock_or_without() -> None:
    """TO-8: alone a round has a time, and a match its fastest one."""
    table = Scene("toot-speed", "red blue")
    table.state.round = 1
    assert run(table, 0, "red+blue", 4_000) is None
    assert (table.state.wins, table.state.last_times, table.state.fastest) == ((1,), (4_000,), (4_000,))
    for needed, fastest in ((5_000, 4_000), (3_000, 3_000)):
        table.answer()
        table.state.hands = (table.cards("red blue"),)
        assert run(table, 0, "red+blue", needed) is None
        assert (table.state.last_times, table.state.fastest) == ((needed,), (fastest,))
    table.answer()
    assert table.move(0, "ready") is None
    table.answer()
    table.state.hands = (table.cards("red blue"),)
    assert table.move(0, "finish", "red+blue", 4_000) == "not_now", "no clock was set off"
    assert table.move(0, "claim", "red+blue") is None
    assert table.state.wins == (4,)


def test_in_a_race_of_several_nobody_sets_off_alone() -> None:
    table = Scene("toot-speed", "red blue", "green 1")
    table.state.round = 1
    assert table.move(0, "set_off", 1_000) == "not_now"


def test_the_times_of_a_round_are_kept_until_the_next_one_ends() -> None:
    table = heats("red blue", "green 1")
    run(table, 0, "red+blue", 9_000)
    run(table, 1, "1[green]", 4_000)
    table.answer()
    assert (table.state.times, table.state.last_times) == ((NOT_YET, NOT_YET), (9_000, 4_000))


def test_only_heats_can_be_shared_at_one_device() -> None:
    rules = rules_of("toot-speed")
    assert not rules.can_share({})
    assert rules.can_share({"heats": True})
    assert rules_of("toot-fluke").can_share({})


def test_the_score_sheet_of_heats_tells_every_time() -> None:
    table = heats("red blue", "green 1", "orange")
    for seat, (claim, needed) in enumerate((("red+blue", 8_460), ("", 0), ("orange", 61_250))):
        assert run(table, seat, claim, needed) is None
    (won, _) = table.rules.sheet(table.state)
    assert won.key == "toot.sheet.heats_round" and won.cells == ("0:08.4 ★", None, "1:01.2")
