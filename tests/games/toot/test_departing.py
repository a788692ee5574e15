"""A seat leaves a game of TooT that the others play on: rounds at once, claims and heats, turns and the last turns."""

from __future__ import annotations

import pytest

from tabletin.games.toot.speed import NO_TOOT, NOT_YET
from tabletin.kernel.requests import Shuffle
from tabletin.registry import rules_of
from tests.games.toot.scene import Scene


def begun(game: str, *hands: str, pile: str = "", **options: object) -> Scene:
    """A round under way, or the turn of seat 0."""
    scene = Scene(game, *hands, pile=pile, **options)
    if game == "toot-progressive":
        scene.state.phase = "work"
    elif game == "toot-speed":
        scene.state.phase, scene.state.round = "go", 1
    else:
        scene.state.turn = 0
    return scene


def leave(scene: Scene, *seats: int) -> None:
    assert scene.rules.can_depart(scene.state, *seats)
    scene.rules.depart(scene.state, *seats)


# ---- Progressive ----


def test_to_5_nobody_waits_for_the_done_of_who_left() -> None:
    scene = begun("toot-progressive", "red blue 1 2", "green 1 1 1", "4 4 red 3")
    scene.move(0, "done")
    scene.move(2, "done")
    leave(scene, 1)
    assert scene.state.phase == "show"
    assert scene.rules.to_act(scene.state) == (0, 2)


def test_to_5_who_left_takes_the_worst_cost_of_the_round() -> None:
    scene = begun("toot-progressive", "red blue 1 2", "green 1 1 1", "4 4 red 3")
    for seat in range(3):
        scene.move(seat, "done")
    scene.move(1, "show", "1[green]")
    leave(scene, 1)
    assert scene.rules.zones(scene.state)["toot", "1"], "what it has shown stays"
    scene.move(0, "show", "1[red+blue]")
    scene.move(2, "show", "")
    assert scene.state.rounds == ((1, 4, 4),)
    assert isinstance(scene.state.requests[0], Shuffle)
    assert not scene.state.absentees
    scene.answer()
    assert [len(hand) for hand in scene.state.hands] == [5, 5, 5]


def test_to_5_after_a_leave_the_next_round_is_dealt_from_a_new_deck() -> None:
    """Even where cards are set aside: whoever takes the seat over plays again."""
    hands = ("red blue 1 2", "green 1 1 1", "4 4 red 3")
    for leaver in (None, 1):
        scene = begun("toot-progressive", *hands, pile=" ".join(["red"] * 20), set_aside=True)
        if leaver is not None:
            leave(scene, leaver)
        for verb in (("done",), ("show", ())):
            for seat in scene.rules.to_act(scene.state):
                scene.move(seat, *verb)
        assert isinstance(scene.state.requests[0], Shuffle) == (leaver is not None)


def test_to_5_the_lead_of_who_left_the_last_round_wins_nothing() -> None:
    scene = begun("toot-progressive", "red", "red", "red red", last_round=4)
    scene.state.rounds = ((9, 0, 9),)
    leave(scene, 1)
    for verb in (("done",), ("show", ())):
        for seat in scene.rules.to_act(scene.state):
            scene.move(seat, *verb)
    outcome = scene.rules.outcome(scene.state)
    assert (outcome.scores, outcome.winners) == ((10, 2, 11), (0,))


# ---- Speed ----


def test_to_8_who_left_cannot_claim() -> None:
    scene = begun("toot-speed", "red blue", "green 1", "2 2", pile="2 2")
    leave(scene, 1)
    assert scene.rules.to_act(scene.state) == (0, 2)
    assert scene.rules.judge(scene.state, 1, ("claim", ())).key == "kernel.not_your_turn"
    assert scene.move(0, "claim", "red+blue") is None
    assert scene.state.wins == (1, 0, 0)
    scene.answer()
    assert [len(hand) for hand in scene.state.hands] == [7, 7, 7]


def test_to_8_the_last_to_be_ready_leaves() -> None:
    scene = Scene("toot-speed", "", "", "")
    scene.state = scene.rules.start()
    scene.answer()
    scene.move(0, "ready")
    scene.move(2, "ready")
    leave(scene, 1)
    assert scene.state.phase == "go"
    assert [request.reader for request in scene.state.requests] == [0, 2]


def test_to_8_all_the_others_have_given_up() -> None:
    """The pile empty and every seat left having given up, the round is void."""
    scene = begun("toot-speed", "red blue", "green 1", "2 2")
    scene.move(0, "give_up")
    scene.move(1, "give_up")
    leave(scene, 2)
    assert scene.state.wins == (0, 0, 0)
    assert isinstance(scene.state.requests[0], Shuffle)


@pytest.mark.parametrize("running", [False, True])
def test_to_8_heats_go_on_with_the_next(running: bool) -> None:
    """Who leaves in its heat, or before it, has run none; the best time of those left wins."""
    scene = begun("toot-speed", "red blue", "green", "2 2", heats=True)
    scene.state.phase = "ready"
    scene.move(0, "set_off", 100)
    scene.answer()
    scene.move(0, "finish", "red+blue", 5100)
    if running:
        scene.move(1, "set_off", 100)
        scene.answer()
    leave(scene, 1)
    assert scene.state.times == (5000, NO_TOOT, NOT_YET)
    assert (scene.state.phase, scene.rules.to_act(scene.state)) == ("ready", (2,))
    scene.move(2, "set_off", 100)
    scene.answer()
    scene.move(2, "give_up")
    assert scene.state.wins == (1, 0, 0)


def test_to_8_the_best_time_of_who_left_wins_nothing() -> None:
    scene = begun("toot-speed", "red blue", "green", "orange", heats=True)
    scene.state.times = (1000, 2000, NOT_YET)
    scene.state.phase = "ready"
    leave(scene, 0)
    scene.move(2, "set_off", 100)
    scene.answer()
    leave_two = scene.rules.can_depart(scene.state, 2)
    assert not leave_two
    scene.move(2, "finish", "orange", 9100)
    assert scene.state.wins == (0, 1, 0)


# ---- one TooT on the table ----


def test_to_6_a_turn_ends_with_its_seat() -> None:
    scene = begun("toot-fluke", "red blue 3", "green 1", "2 2", pile="2 2 2")
    scene.move(0, "roll")
    scene.answer(roll=1)
    leave(scene, 0)
    assert (scene.state.turn, scene.state.drawn, scene.state.roll) == (1, False, 0)
    assert scene.rules.standings(scene.state) == (4, 2, 2), "its cards count as when it left"


def test_to_6_who_drew_the_last_card_leaves() -> None:
    """The last turns go round from its left; who left wins nothing."""
    scene = begun("toot-fluke", "", "green 1", "green", pile="2")
    scene.move(0, "roll")
    scene.answer(roll=3)
    leave(scene, 0)
    assert (scene.state.closing, scene.state.turn, scene.state.queue) == (True, 1, (2,))
    scene.move(1, "play", "1[green]")
    scene.move(2, "pass")
    outcome = scene.rules.outcome(scene.state)
    assert (outcome.scores, outcome.winners, outcome.unfinished) == ((1, 0, 1), (1,), False)


def test_to_7_a_last_turn_falls_away() -> None:
    scene = begun("toot-pursuit", "2", "green 1", "green", pile="2")
    scene.move(0, "draw")
    scene.answer()
    scene.move(0, "pass")
    assert (scene.state.turn, scene.state.queue) == (1, (2, 0))
    leave(scene, 2)
    assert scene.state.queue == (0,)
    scene.state.points = (3, 3, 9)
    scene.move(1, "pass")
    scene.move(0, "pass")
    outcome = scene.rules.outcome(scene.state)
    assert (outcome.scores, outcome.winners) == ((3, 3, 9), (0, 1))


def test_nobody_to_leave_a_game_for_one_or_two() -> None:
    for game in ("toot-progressive", "toot-speed", "toot-fluke", "toot-pursuit", "teeth"):
        counts = rules_of(game).seat_counts
        for seats in range(counts.start, min(counts.stop, 3)):
            rules = rules_of(game)(seats)
            state = rules.start()
            state.requests = ()
            assert not any(rules.can_depart(state, seat) for seat in range(seats))
