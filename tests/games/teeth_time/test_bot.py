"""The bots: legal from their own view alone, at every level and in every window; and the plain good sense they should show."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tabletin.bots.decision import Decision, Position
from tabletin.games.teeth_time.bot import LEVELS, choose
from tabletin.games.teeth_time.rules import TeethTime
from tabletin.games.teeth_time.state import Penalty
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tabletin.kernel.schema import Move
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.words import load
from tests.games.teeth_time.scene import Scene
from tests.support.counted_clock import CountedClock

WORDS = load()


def decision_of(scene: Scene, seat: int = 0, level: str = "hard", seed: int = 2) -> Decision:
    """What a bot at ``seat`` decides: it is given its own hand's faces and the public ones."""
    faces = Faces({**scene.state.public, **{card: scene.world[card] for card in scene.state.hands[seat]}})
    view = View(scene.rules, scene.state, (seat,), faces)
    return choose(Position(view, seat, level, Random(seed), clock=CountedClock()))


def decided(scene: Scene, seat: int = 0, level: str = "hard", seed: int = 2) -> Move:
    """The move that a bot at ``seat`` decides on."""
    return decision_of(scene, seat, level, seed).move


def faces_of(scene: Scene, move: Move) -> list[Any]:
    return [scene.world[part] if type(part) is int and part in scene.world else part for part in move]


@pytest.mark.parametrize("options", [{}, {"level": "advanced"}, {"level": "beginner", "decks": 2}], ids=str)
@pytest.mark.parametrize("levels", [("easy", "medium", "hard"), ("hard", "hard"), ("medium",) * 4], ids=str)
def test_whole_hands_from_the_seats_own_views(levels: tuple[str, ...], options: dict[str, Any]) -> None:
    """Faces it may not know read as HIDDEN and raise when used; ``Table`` refuses what is illegal."""
    assert set(levels) <= set(LEVELS)
    setup = Setup("teeth-time", TeethTime.version, {"hands": 1, "contracts": "one", "one": 4, **options},
                  tuple(Seat("bot", AUTHOR, level=level) for level in levels))
    table, mind = Table.begin(TeethTime, setup, OpenDealer(Random(8))), Random(9)
    for _ in range(2000):
        acting = table.match.rules.to_act(table.match.state)
        if not acting:
            break
        decision = choose(Position(table.match.view(acting[:1]), acting[0], levels[acting[0]], mind))
        assert WORDS.text(decision.why, **decision.params)
        table.move(acting[0], decision.move)
    assert len(table.match.state.scores) == 1


@pytest.mark.parametrize("level", ["medium", "hard"])
class TestGoodSense:
    """What no sound player gets wrong."""

    def test_goes_down_when_it_can(self, level: str) -> None:
        scene = Scene("r4 b4 y4 r1 g7", "b1 b2").drawn()
        assert decided(scene, level=level)[0] == "down"

    def test_goes_down_with_natural_cards_before_wilds(self, level: str) -> None:
        scene = Scene("r4 b4 y4 r1 g7 implant", "b1 b2").drawn()
        move = decided(scene, level=level)
        assert sorted(scene.world[card] for card in move[1][0][2]) == ["b4", "r4", "y4"]

    def test_lays_what_fits(self, level: str) -> None:
        scene = Scene("b4 g7 yB", "b1 b2 b3 b4 b5", down=(0,)).drawn()
        number = scene.set_on_field("4", "r4 y4 g4")
        assert decided(scene, level=level) == ("hit", number, "4", scene.held(0, "b4"))

    def test_goes_out_with_its_last_cards(self, level: str) -> None:
        scene = Scene("b4 implant prevention yB", "b1 b2 b3", down=(0,)).drawn()
        scene.set_on_field("4", "r4 y4 g4")
        for _ in range(6):
            if scene.acting() != (0,) or scene.state.phase != "play":
                break
            move = decided(scene, level=level)
            assert scene.rules.make(scene.state, 0, move, scene.world) is None
        assert scene.state.first_out == 0

    def test_bridges_with_a_wild_to_go_out(self, level: str) -> None:
        scene = Scene("implant r7 yB", "b1 b2 b3", down=(0,)).drawn()
        run = scene.run_on_field("3", "r3 b4 g5")
        assert decided(scene, level=level) == ("hit", run, "6", scene.held(0, "implant"))

    def test_frees_a_wild(self, level: str) -> None:
        scene = Scene("r4 yB g8", "b1 b2 b3", down=(0,)).drawn()
        run = scene.run_on_field("3", "r3 implant g5 g6")
        assert decided(scene, level=level) == ("swap", run, "4", scene.held(0, "r4"))

    def test_takes_a_wild_discard(self, level: str) -> None:
        assert decided(Scene("r1 gB y7", "b1", discard="bridge"), level=level) == ("take",)

    def test_leaves_what_does_not_help(self, level: str) -> None:
        assert decided(Scene("r1 b1 gB yB r3 b3", "b1", discard="y8"), level=level) == ("leave",)

    def test_pulls_what_completes_its_meld(self, level: str) -> None:
        scene = Scene("r1", "r4 b4 gA y8 g6", "b2", discard="y4")
        assert decided(scene, 1, level) == ("call",)
        assert decided(Scene("r1", "r4 b4 gA y8 g6", "b2", discard="yE"), 1, level) == ("decline",)

    def test_turns_a_hard_penalty_back(self, level: str) -> None:
        scene = Scene("broken r1", "prevention b1", "b2 b3").drawn().do(0, "penalty", "broken", 1)
        assert decided(scene, 1, level)[0] == "whammy"

    def test_keeps_its_pair_and_its_wild(self, level: str) -> None:
        scene = Scene("r4 b4 implant y8 gA", "b1 b2", contract=(("set", 4),)).drawn()
        assert faces_of(scene, decided(scene, level=level))[1] in ("y8", "gA")

    def test_penalises_the_one_that_is_nearest_to_going_out(self, level: str) -> None:
        scene = Scene("cavity r1 g5", "b1 b2 b3 b4", "r2 r3", "y1 y2", down=(2,)).drawn()
        assert decided(scene, level=level) == ("penalty", scene.held(0, "cavity"), 2)


def test_patience_with_the_dentist() -> None:
    """Hard keeps the Dentist while there is little to collect and nobody is near going out; medium plays it for one."""
    hand, other = "dentist r1 g5 y7", "b1 b2 b3 b4 b5 b6 b7"
    scene = Scene(hand, other).drawn()
    scene.state.penalties = (Penalty(scene.cards("cavity", public=True)[0], 1, False),)
    assert decided(scene, level="hard")[0] == "discard"
    assert decided(scene, level="medium") == ("play", scene.held(0, "dentist"))
    late = Scene(hand, "b1 b2", down=(1,)).drawn()
    assert decided(late, level="hard") == ("play", late.held(0, "dentist"))


def test_levels_differ_in_what_they_overlook() -> None:
    scene = Scene("r4 b4 y4 r1 g7", "b1 b2").drawn()
    downs = {level: sum(decided(scene, level=level, seed=seed)[0] == "down" for seed in range(60)) for level in LEVELS}
    assert 0 < downs["easy"] < downs["medium"] < downs["hard"] == 60


def test_hard_keeps_what_the_next_draw_may_complete() -> None:
    """Once down: two cards in a row stay, the loner goes though it costs less."""
    scene = Scene("r5 b6 yB", "b1 b2 b3", down=(0,)).drawn()
    scene.set_on_field("D", "rD yD gD")
    assert decided(scene, level="hard") == ("discard", scene.held(0, "yB"))


class TestPenalties:
    """Hard keeps them for a seat that may be out soon: more cards help one that is not down."""

    def test_are_held_while_nobody_is_near_going_out(self) -> None:
        far = "b1 b2 b3 b4 b5 b6 b7 b8 gA gB"
        for face in ("cavity", "broken", "gumpster", "toothache"):
            scene = Scene(f"{face} r1 g5 y8", far).drawn()
            assert decided(scene) == ("discard", scene.held(0, "y8")), face
            assert decided(scene, level="medium")[0] == "penalty"

    def test_strike_one_that_may_be_out_soon_with_what_costs_it_most(self) -> None:
        scene = Scene("cavity broken gumpster r1 g5", "b1 b2 b3", "r2 r3 y5 y6 y7 y8", down=(1, 2)).drawn()
        assert decided(scene) == ("penalty", scene.held(0, "gumpster"), 1)
        full = Scene("cavity gumpster r1 g5", "b1 b2 b3", down=(1,)).drawn()
        full.state.penalties = tuple(Penalty(card, 1, True) for card in full.cards("broken broken", public=True))
        assert decided(full) == ("penalty", full.held(0, "cavity"), 1), "the Gumpster would hardly make it draw any more"

    def test_leave_the_hand_that_goes_out(self) -> None:
        scene = Scene("gumpster r1", "b1 b2 b3 b4 b5 b6 b7 b8 gA gB").drawn()
        found = decision_of(scene)
        assert (found.move, found.why) == (("penalty", scene.held(0, "gumpster"), 1), "teeth_time.why.penalty_rid")


class TestDiscards:
    """What the next seat could lay at once is kept from it."""

    def test_none_that_lets_the_next_seat_go_out(self) -> None:
        hand = "r4 b4 y6 g8"
        free = Scene(hand, "b1 b2", contract=(("set", 4),)).drawn()
        assert faces_of(free, decided(free))[1] == "g8"
        fed = Scene(hand, "b1 b2", contract=(("set", 4),), down=(1,)).drawn()
        fed.set_on_field("8", "r8 y8 b8")
        found = decision_of(fed)
        assert faces_of(fed, found.move)[1] == "y6"
        assert found.why == "teeth_time.why.discard_denies"

    def test_none_that_frees_a_wild_for_it(self) -> None:
        scene = Scene("r4 b4 y6 g8", "b1 b2", contract=(("set", 4),), down=(1,)).drawn()
        scene.run_on_field("5", "r5 b6 y7 implant")
        assert faces_of(scene, decided(scene))[1] == "y6"

    def test_colours_count_at_the_advanced_level(self) -> None:
        scene = Scene("r4 b4 y1 g8", "b1 b2", contract=(("set", 4),), down=(1,), level="advanced").drawn()
        scene.run_on_field("5", "r5 r6 r7", colour="r")
        assert faces_of(scene, decided(scene))[1] == "g8", "a green 8 does not fit a red run"


class TestRestlessness:
    """It leaves a discard that it wants only where cards may go to and fro: where it would let go one that lay there before."""

    HAND = "r4 b4 y1 gD"

    def reasons(self, scene: Scene, seat: int = 0) -> set[str]:
        return {decision_of(scene, seat, seed=seed).why.rpartition(".")[2] for seed in range(60)}

    def test_never_with_a_card_given_for_it_that_nobody_has_seen(self) -> None:
        assert self.reasons(Scene(self.HAND, "b1", discard="g4", contract=(("set", 4),))) == {"take_set"}

    def test_never_with_a_wild_or_what_lets_it_go_down(self) -> None:
        wild, last = (Scene(self.HAND, "b1", discard=discard) for discard in ("implant", "g4"))
        for scene in (wild, last):
            scene.state.public |= {card: scene.world[card] for card in scene.state.hands[0]}
        assert self.reasons(wild) == {"take_wild"}
        assert self.reasons(last) == {"take_down"}

    def test_now_and_then_with_one_that_lay_there_before(self) -> None:
        scene = Scene(self.HAND, "b1", discard="g4", contract=(("set", 4),))
        scene.state.public |= {card: scene.world[card] for card in scene.state.hands[0]}
        assert self.reasons(scene) == {"take_set", "leave_restless"}
