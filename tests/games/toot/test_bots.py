"""TooT's bots: legal moves from a seat's own view, within any budget; what each level is; what hard knows to do."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from tabletin.bots.decision import BUDGET, Position
from tabletin.games.toot import bot
from tabletin.games.toot.arrangement import cards_of, flaw
from tabletin.games.toot.cards import KIND_OF, Kinds
from tabletin.games.toot.pursuit_bot import NO_TOOT, SHOWS_ONE, SHOWS_OTHER, thrifty
from tabletin.games.toot.solver import uses
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tabletin.words import load
from tests.games.toot.scene import Scene
from tests.support.counted_clock import CountedClock

WORDS = load()
GAMES = {"toot-progressive": {"last_round": 7}, "toot-fluke": {}, "toot-pursuit": {}, "toot-speed": {"target": 2}}


def position(scene: Scene, seat: int, level: str, seed: int = 1, budget: float = BUDGET) -> Position:
    """What the bot of ``seat`` is given: its own hand and what lies open."""
    known = Faces((card, scene.faces[card]) for card in (*scene.state.hands[seat], *scene.state.public))
    return Position(View(scene.rules, scene.state, (seat,), known), seat, level, Random(seed), budget, CountedClock())


def size(scene: Scene, seat: int, level: str, seed: int = 1) -> int:
    """How many cards the bot lays."""
    move = bot.choose(position(scene, seat, level, seed)).move
    return len(cards_of(move[1])) if len(move) > 1 else 0


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_whole_matches_between_all_levels(game: str, seats: int) -> None:
    """The table accepts whatever they decide (it refuses anything else), and each decision says why in words."""
    rules, levels = rules_of(game), (*bot.LEVELS, "hard")[-seats:]
    setup = Setup(game, rules.version, GAMES[game], tuple(Seat("bot", AUTHOR, level=level) for level in levels))
    table, rng = Table.begin(rules, setup, OpenDealer(Random(5))), Random(6)
    while acting := table.match.rules.to_act(table.match.state):
        thoughts = [Position(table.match.view((seat,)), seat, levels[seat], rng, 0.02) for seat in acting]
        decisions = {position.seat: bot.choose(position) for position in thoughts}
        seat, decision = min(decisions.items(), key=lambda item: item[1].delay)
        table.move(seat, decision.move)
        assert WORDS.text(decision.why, **decision.params)
    assert table.match.outcome is not None


@pytest.mark.parametrize("level", bot.LEVELS)
def test_they_decide_with_no_time_left(level: str) -> None:
    scene = Scene("toot-pursuit", "1 2 green red red X", "1 1 2", pile="1 2 3 4")
    scene.state.turn, scene.state.drawn, scene.state.top_face, scene.state.table = 0, True, "2", ((), ())
    decision = bot.choose(position(scene, 0, level, budget=0.0))
    assert decision.move[0] in ("play", "pass")
    assert decision.why in WORDS


def test_progressive_handicaps() -> None:
    """Easy overlooks one card in four, medium one in ten, hard none: declared, and so in the mean."""
    scene = Scene("toot-progressive", "1 1 2 2 3 green green orange purple purple")
    scene.state.phase = "show"
    mean = {level: fmean(size(scene, 0, level, seed) for seed in range(120)) for level in bot.LEVELS}
    assert mean["hard"] == 10
    assert mean["easy"] + 0.5 < mean["medium"] < 9.9


def test_progressive_easy_always_sees_a_small_toot() -> None:
    """TO-5: with cards that make one nobody shows none, however many of them are overlooked."""
    scene = Scene("toot-progressive", "2 3 3 4 1 1 red blue")
    scene.state.phase = "show"
    shown = {size(scene, 0, "easy", seed) for seed in range(60)}
    assert min(shown) == 2
    assert min(size(Scene("toot-progressive", "2 3 3 4"), 0, level) for level in bot.LEVELS) == 0


def test_progressive_says_done_first() -> None:
    scene = Scene("toot-progressive", "1 1 2 2")
    scene.state.phase = "work"
    assert bot.choose(position(scene, 0, "hard")).move == ("done",)
    scene.state.phase = "show"
    assert bot.choose(position(scene, 0, "hard")).move == ("show", ())


def test_speed_levels_need_different_time() -> None:
    scene = Scene("toot-speed", "1 red blue", "red", pile="1")
    scene.state.phase = "go"
    delays = {level: [bot.choose(position(scene, 0, level, seed)).delay for seed in range(400)] for level in bot.LEVELS}
    assert fmean(delays["hard"]) * 1.5 < fmean(delays["medium"])
    assert fmean(delays["medium"]) * 1.5 < fmean(delays["easy"])
    assert min(map(min, delays.values())) > 0.5
    for level in bot.LEVELS:
        assert bot.choose(position(scene, 0, level)).move[0] == "claim"
        assert bot.choose(position(scene, 1, level)).move == ("draw",)
    scene.state.pile = ()
    assert bot.choose(position(scene, 1, "easy")).move == ("give_up",)


@pytest.mark.parametrize(("level", "soonest", "mean"), [("easy", 30, 60), ("medium", 10, 20), ("hard", 5, 10)])
def test_speed_leaves_half_its_time_in_every_round(level: str, soonest: int, mean: int) -> None:
    """TO-8: a TooT of seven cards is never seen at once, so that a child has half a minute before an easy bot has one."""
    scene = Scene("toot-speed", "2 2 1 red blue orange green", pile="1")
    scene.state.phase = "go"
    found = [bot.choose(position(scene, 0, level, seed)) for seed in range(400)]
    assert {decision.move[0] for decision in found} == {"claim"}
    delays = [decision.delay for decision in found]
    assert soonest <= min(delays) < 1.1 * soonest
    assert mean * 0.9 < fmean(delays) < mean * 1.1


def fluke(hand: str, pile: str) -> Scene:
    scene = Scene("toot-fluke", hand, "1 2 red", pile=pile)
    scene.state.turn, scene.state.drawn, scene.state.top_face, scene.state.table = 0, True, "green", ((), ())
    return scene


def test_fluke_hard_keeps_its_x_and_lays_all_in_the_last_turn() -> None:
    scene = fluke("X red red", " ".join(["red", "blue", "2", "green", "1"] * 5))
    assert size(scene, 0, "hard") == 0
    assert bot.choose(position(scene, 0, "hard")).why == "toot.why.keep_wild", "only what is left in the end counts"
    scene.state.pile, scene.state.closing = (), True
    for level in ("medium", "hard"):
        assert size(scene, 0, level) == 3


def test_fluke_medium_lays_no_x_for_little() -> None:
    scene = fluke("X 1", "red blue")
    assert size(scene, 0, "medium") == 1
    many = fluke("X red red red red red red", "red blue")
    assert size(many, 0, "medium") == 7


def test_pursuit_hard_is_thrifty() -> None:
    """With a 1 and a 2 with its leaf in hand a point is had for one card."""
    scene = Scene("toot-pursuit", "1 2 green 2 orange", "1 1 2", pile="1 2 3 4 red red blue blue green X")
    scene.state.turn, scene.state.drawn, scene.state.top_face, scene.state.table = 0, True, "green", ((), ())
    assert size(scene, 0, "hard") == 1
    assert size(scene, 0, "easy") > 2


def test_pursuit_hard_takes_any_point_in_its_last_turn() -> None:
    scene = Scene("toot-pursuit", "4 3 green green red red red red red blue X", "", pile="")
    scene.state.turn, scene.state.drawn, scene.state.top_face, scene.state.table = 0, True, "1", ((), ())
    scene.state.closing = True
    assert size(scene, 0, "hard") > 0


@pytest.mark.parametrize(("hand", "why"), [("1 2 2 purple", "wait_one"), ("4 yellow blue X", "wait_wild_one"),
                                           ("2 yellow blue", "wait_open")])
def test_pursuit_hard_leaves_a_1_for_others_to_cover(hand: str, why: str) -> None:
    """TO-7: what it could lay on a 1 costs more than the one card that does it on any other top, and fits there as well."""
    scene = Scene("toot-pursuit", hand, "1 1 2", pile="1 2 3 4 red red blue blue green X " * 4)
    scene.state.turn, scene.state.drawn, scene.state.top_face, scene.state.table = 0, True, "1", ((), ())
    found = bot.choose(position(scene, 0, "hard"))
    assert (found.move, found.why) == (("pass",), f"toot.why.{why}")


@pytest.mark.parametrize(("hand", "top", "again"), [("4 yellow blue X", "1", "again_one"), ("X red red", "1", "again_one")])
def test_pursuit_waiting_offers_the_point_that_there_is(hand: str, top: str, again: str) -> None:
    """In short, where it was explained before, it says who comes next."""
    scene = Scene("toot-pursuit", hand, "1 1 2", pile="1 2 3 4 red red blue blue green X " * 4)
    scene.state.turn, scene.state.drawn, scene.state.top_face, scene.state.table = 0, True, top, ((), ())
    found = bot.choose(position(scene, 0, "hard"))
    assert found.move == ("pass",) and found.other is not None and found.short_why == f"toot.why.{again}"
    assert len(cards_of(found.other[1])) == found.params["n"] and found.params["seat"] == 1
    assert all(WORDS.text(key, n=1, seat="Ada") for key in (found.short_why, found.or_else))


def test_fluke_waiting_offers_the_cards_that_can_be_laid() -> None:
    scene = fluke("2 4 green green X", "red blue")
    found = bot.choose(position(scene, 0, "hard"))
    assert found.move == ("pass",) and found.other is not None and found.short_why == "toot.why.again"
    assert len(cards_of(found.other[1])) == found.params["n"] and WORDS.text(found.or_else, n=2)
    asked = position(scene, 0, "hard")
    asked.is_advice = True
    assert bot.choose(asked).move[0] == "play", "a person is advised to lay, where it costs next to nothing"


def test_pursuit_advises_the_sure_point_where_waiting_is_hardly_better() -> None:
    """A person's hand is to do something; a bot of the same level waits."""
    scene = Scene("toot-pursuit", "2 green green", "1 1 2", pile="1 2 3 4 red red blue blue green X " * 4)
    scene.state.turn, scene.state.drawn, scene.state.top_face, scene.state.table = 0, True, "1", ((), ())
    asked = position(scene, 0, "hard")
    assert bot.choose(asked).move == ("pass",)
    asked = position(scene, 0, "hard")
    asked.is_advice = True
    found = bot.choose(asked)
    assert (found.move[0], found.why, found.other) == ("play", "toot.why.cheap", None)


def test_the_thrifty_play_is_a_use() -> None:
    """What rollouts lay is legal: the solver knows a use that takes just these cards; and no use means no play."""
    rng = Random(4)
    for _ in range(400):
        hand = [rng.choice((0, 0, 1, 2)) for _ in Kinds._fields]
        for base, shown in ((NO_TOOT, None), (SHOWS_ONE, "1"), (SHOWS_OTHER, "green")):
            play = thrifty(hand, base)
            found = {use.cost(Kinds._make(hand)) for use in uses(Kinds._make(hand), shown)}
            counts = Kinds._make(play.count(kind) for kind in range(len(hand)))
            assert counts in found if play else True
            if not found:
                assert not play


def test_kinds_of_faces() -> None:
    assert [KIND_OF[face] for face in ("1", "4", "X", "blue", "orange")] == [0, 3, 4, 5, 6]


def test_a_bots_arrangement_uses_only_its_own_cards() -> None:
    scene = fluke("1 2 green red blue", "red blue")
    move = bot.choose(position(scene, 0, "easy", seed=3)).move
    assert set(cards_of(move[1])) <= set(scene.state.hands[0])
    assert flaw(move[1], scene.faces, scene.state.top_face) is None
