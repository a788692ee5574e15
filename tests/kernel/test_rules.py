"""What every game inherits: who may act, how a match ends that no rulebook ends, and what a game leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tabletin.kernel.faces import HIDDEN, Faces
from tabletin.kernel.options import Options, Refusal, Refused
from tabletin.kernel.requests import Request, Roll
from tabletin.kernel.rules import Finding, Outcome, Rules, SheetRow, Zone
from tabletin.kernel.schema import Move
from tabletin.kernel.state import State
from tests.support.highcard import HighCard, HighCardState


class Empty(State):
    __slots__ = ()


class Bare(Rules[State]):
    """Nothing but what a game must say."""

    id = "bare"
    seat_counts = range(1, 6)
    verbs = {"go": ()}

    def start(self) -> State:
        return Empty()

    def actors(self, state: State) -> tuple[int, ...]:
        return (1,)

    def verdict(self, state: State, seat: int, move: Move) -> Refusal | None:
        return None

    def apply(self, state: State, seat: int, move: Move) -> None:
        state.next_card += 1

    def outcome(self, state: State) -> Outcome | None:
        return None

    def standings(self, state: State) -> tuple[int, ...]:
        return (3, 9, 9, 1, 5)[:self.seats]

    def moves(self, state: State, seat: int, faces: Faces) -> Iterator[Move]:
        yield ("go",)

    def zones(self, state: State) -> dict[Zone, tuple[int, ...]]:
        return {}


class Low(Bare):
    low_wins = True


class Forcing(Bare):
    forced_verbs = frozenset({"pass"})
    forced_verbs_among_bots = frozenset({"draw"})
    brief_verbs = frozenset({"draw"})


def playing(seats: int = 2, **fields: Any) -> tuple[HighCard, HighCardState]:
    """A match of dealt hands: seat 0 acts and holds 0 and 1, seat 1 holds 2 and 3."""
    rules = HighCard(seats)
    state = rules.start()
    state.requests, state.turn, state.next_card = (), 0, 12
    state.hands = tuple((2 * seat, 2 * seat + 1) for seat in range(seats))
    for name, value in fields.items():
        setattr(state, name, value)
    return rules, state


WORLD = Faces({card: str(card + 1) for card in range(12)})


# ---- what a game leaves out ----

def test_what_a_game_need_not_say() -> None:
    rules, other = Bare(2), HighCard(2)
    state = rules.start()
    assert (rules.version, rules.random_delay) == (1, 0.0)
    assert (rules.low_wins, rules.several_hands, rules.plays_on) == (False, False, False)
    assert (rules.deck(), rules.sheet(state), rules.audit(state, Faces()), rules.opens(state, 0, ("go",))) == ((), [], [], ())
    assert rules.check() is None and rules.default(state, 0) is None and rules.own_refusal(state, 0, ("go",), Faces()) is None
    assert Bare.can_share({}) is True
    assert other.option_values == {"turns": 2} and rules.option_values == {}
    outcome = Outcome((1,), (0,), "a")
    assert (outcome.low_wins, outcome.unfinished, SheetRow("a", ()).total) == (False, False, False)


def test_an_act_is_brief_by_its_verb() -> None:
    assert Forcing(2).is_brief(("draw", "go")) is True
    assert Forcing(2).is_brief(("go", "draw")) is Bare(2).is_brief(("draw", "go")) is False


def test_a_finding_names_its_entry_where_it_is_known() -> None:
    assert Finding(0, "a", {"n": 1}).all_params() == {"n": 1}
    assert Finding(0, "a", {"n": 1}, entry=0).all_params() == {"n": 1, "entry": 0}


@pytest.mark.parametrize(("counts", "seats", "key"), [
    (range(2, 5), 1, "seats"), (range(2, 5), 5, "seats"), (range(1, 3), True, "seats"), (range(1, 3), "2", "seats"),
    (range(2, 3), 1, "seats_exactly")])
def test_a_game_is_for_so_many(counts: range, seats: Any, key: str) -> None:
    rules = type("Sized", (Bare,), {"seat_counts": counts})
    for fitting in counts:
        assert rules(fitting).seats == fitting
    with pytest.raises(Refused) as caught:
        rules(seats)
    assert caught.value.refusal == Refusal(f"kernel.{key}", {"low": counts[0], "high": counts[-1]})


def test_options_that_do_not_go_together_are_refused() -> None:
    class Picky(HighCard):
        def check(self) -> Refusal | None:
            return Refusal("picky.no") if self.seats == 2 and self.option_values["turns"] == 3 else None

    given: Options = {"turns": 3}
    assert Picky(3, given).option_values == {"turns": 3}
    with pytest.raises(Refused, match=r"picky\.no"):
        Picky(2, given)


# ---- who may act ----

def test_nobody_acts_while_something_is_asked_or_once_it_is_over() -> None:
    rules = Bare(2)
    assert rules.to_act(rules.start()) == (1,)
    state = rules.start()
    state.requests = (Roll(6),)
    assert rules.busy(state) is True and rules.to_act(state) == ()
    for name, value in (("resigner", 0), ("broken_off", True)):
        state = rules.start()
        setattr(state, name, value)
        assert rules.busy(state) is False and rules.to_act(state) == ()


@pytest.mark.parametrize(("fields", "seat", "refusal"), [
    ({}, 0, None), ({}, 1, Refusal("kernel.not_your_turn", {"seat": 1})), ({}, 2, Refusal("kernel.no_seat", {"seat": 2})),
    ({}, -1, Refusal("kernel.no_seat", {"seat": -1})), ({"turn": 1}, 0, Refusal("kernel.not_your_turn", {"seat": 0})),
    ({"requests": (Roll(6),)}, 0, Refusal("kernel.dealing", {"seat": 0})), ({"done": True}, 0, Refusal("kernel.over")),
    ({"resigner": 1}, 0, Refusal("kernel.over")), ({"broken_off": True}, 2, Refusal("kernel.over")),
    ({"hands": ((), (2, 3))}, 0, Refusal("kernel.not_yours"))])
def test_a_move_is_judged_by_what_holds_everywhere_and_by_its_game(
    fields: dict[str, Any], seat: int, refusal: Refusal | None,
) -> None:
    rules, state = playing(**fields)
    before = state.copy()
    assert rules.judge(state, seat, ("low", 0)) == refusal
    assert rules.make(state, seat, ("low", 0), WORLD) == refusal
    assert (state == before) is (refusal is not None)


def test_a_move_that_is_made_opens_its_card_and_a_refused_one_does_not() -> None:
    rules, state = playing()
    before = state.copy()
    for seat, move in ((1, ("lay", 2)), (0, ("lay", 2))):
        assert rules.make(state, seat, move, WORLD) is not None and state == before
    assert rules.make(state, 0, ("lay", 1), Faces()) == Refusal("kernel.unknown_card") and state == before
    assert rules.make(state, 0, ("lay", 1), WORLD) is None
    assert (state.public, state.points, state.turn) == ({1: "2"}, (2, 0), 1)


def test_a_move_opens_what_is_not_public_yet() -> None:
    rules, state = playing()
    assert rules.openings(state, 0, ("lay", 1), WORLD) == {1: "2"}
    assert rules.openings(state, 0, ("lay", 1), Faces()) == {1: HIDDEN}
    assert rules.openings(state, 0, ("low", 1), WORLD) == {}
    state.public[1] = "2"
    assert rules.openings(state, 0, ("lay", 1), WORLD) == {}


def test_random_moves_are_all_of_them() -> None:
    rules, state = playing()
    rng = Random(1)
    found = {rules.random_move(state, 0, WORLD, rng) for _ in range(50)}
    assert found == set(rules.moves(state, 0, WORLD)) and len(found) == 4


@pytest.mark.parametrize(("found", "among_people", "among_bots"), [
    ((), None, None), ((("pass",),), ("pass",), ("pass",)), ((("draw", 1),), None, ("draw", 1)), ((("go",),), None, None),
    ((("pass",), ("go",)), None, None), ((("go",), ("pass",)), None, None), ((("draw",), ("pass",)), None, None)])
def test_a_page_makes_the_only_move_where_the_game_says_so(
    found: tuple[Move, ...], among_people: Move | None, among_bots: Move | None, monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = Forcing(2)
    many = len(found) > 1

    def moves(self: Forcing, state: State, seat: int, faces: Faces) -> Iterator[Move]:
        yield from found
        assert not many, "two are enough to know"

    monkeypatch.setattr(Forcing, "moves", moves)
    state = rules.start()
    assert rules.forced_move(state, 0, Faces(), among_people=True) == among_people
    assert rules.forced_move(state, 0, Faces(), among_people=False) == among_bots


def test_a_game_that_forces_nothing_need_not_look_for_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    def moves(self: Bare, state: State, seat: int, faces: Faces) -> Iterator[Move]:
        raise AssertionError("it was asked for its moves")

    monkeypatch.setattr(Bare, "moves", moves)
    rules = Bare(2)
    assert rules.forced_move(rules.start(), 0, Faces(), among_people=True) is None
    assert rules.forced_move(rules.start(), 0, Faces(), among_people=False) is None
    assert rules.forced_reason(rules.start(), 0, Faces(), ("go",)) == "", "what happens says so itself"


# ---- ends that no rulebook knows ----

def test_the_best_score_wins_among_who_is_here() -> None:
    state = Bare(5).start()
    scores = (3, 9, 9, 1, 5)
    assert Bare(5).best(state, scores) == (1, 2) and Low(5).best(state, scores) == (3,)
    state.resigner, state.absentees = 1, frozenset({3})
    assert Bare(5).best(state, scores) == (2,) and Low(5).best(state, scores) == (0,)
    state.absentees = frozenset({0, 2, 3, 4})
    assert Bare(5).best(state, scores) == (1, 2), "where nobody is left, all are counted"


@pytest.mark.parametrize(("rules", "winners"), [(Bare(5), (1, 2)), (Low(5), (3,))])
def test_a_match_that_was_broken_off_or_given_up_ends_as_it_stands(rules: Bare, winners: tuple[int, ...]) -> None:
    state = rules.start()
    assert rules.result(state) is None
    state.broken_off = True
    broken = Outcome((3, 9, 9, 1, 5), winners, "kernel.broken_off", rules.low_wins, unfinished=True)
    assert rules.result(state) == rules.broken_off_outcome(state) == broken
    state.resigner = 4
    given_up = Outcome((3, 9, 9, 1, 5), winners, "kernel.resigned", rules.low_wins, unfinished=True)
    assert rules.result(state) == given_up, "whoever gave up, gave it up first"
    assert rules.resignation_outcome(state, 4) == given_up


def test_a_void_hand_of_a_game_of_one_deal_ends_it() -> None:
    rules = Bare(2)
    state = rules.start()
    rules.redeal(state)
    assert state.broken_off is True


def test_the_games_own_outcome_counts_where_nobody_gave_up() -> None:
    rules, state = playing(done=True, points=(3, 4))
    assert rules.result(state) == rules.outcome(state) == Outcome((3, 4), (1,), "highcard.over")


# ---- a hand played on without somebody ----

def test_turns_go_round_among_who_plays() -> None:
    rules, state = playing(4)
    assert rules.playing(state) == range(4)
    assert [rules.next_seat(state, seat) for seat in range(4)] == [1, 2, 3, 0]
    assert [rules.next_seat(state, seat, -1) for seat in range(4)] == [3, 0, 1, 2]
    assert [rules.next_seat(state, seat, 2) for seat in range(4)] == [2, 3, 0, 1]
    state.absentees = frozenset({1, 2})
    assert rules.playing(state) == [0, 3]
    assert [rules.next_seat(state, seat) for seat in range(4)] == [3, 3, 3, 0]
    assert [rules.next_seat(state, seat, -1) for seat in range(4)] == [3, 0, 0, 0]


def test_a_hand_goes_on_where_two_are_left_and_nothing_else_is_in_the_way() -> None:
    rules, state = playing(4)
    assert rules.can_depart(state, 0) is rules.can_depart(state, 0, 3) is True
    assert rules.can_depart(state, 0, 1, 2) is False
    state.absentees = frozenset({1})
    assert rules.can_depart(state, 1, 3) is True and rules.can_depart(state, 0, 3) is False
    for fields in ({"requests": (Roll(6),)}, {"done": True}, {"broken_off": True}):
        rules, state = playing(4, **fields)
        assert rules.can_depart(state, 0) is False
    bare = Bare(4)
    assert bare.can_depart(bare.start(), 0) is False, "it does not play on"


def test_who_leaves_stays_away() -> None:
    left: list[tuple[int, ...]] = []

    class Leaving(Bare):
        plays_on = True

        def play_without(self, state: State, seats: tuple[int, ...]) -> None:
            left.append((*sorted(state.absentees), *seats))

    rules = Leaving(4)
    state = rules.start()
    rules.depart(state, 2)
    rules.depart(state, 0, 3)
    assert state.absentees == {0, 2, 3} and left == [(2, 2), (0, 2, 3, 0, 3)]
    assert rules.can_depart(state, 1) is False


def test_an_answer_and_a_remix_may_mean_nothing_to_a_game() -> None:
    rules = Bare(2)
    state = rules.start()
    before, request = state.copy(), Roll(6)
    asked: Request = request
    rules.take_answer(state, asked, (), 3)
    rules.remix(state)
    Rules.play_without(rules, state, (0,))
    assert state == before
