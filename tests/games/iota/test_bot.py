"""Iota's bots: what easy looks at, and the end of a match for two, which hard searches."""

from __future__ import annotations

from random import Random

import pytest

from tabletin.bots import arena
from tabletin.bots.decision import Decision, Position
from tabletin.bots.determinize import HiddenCards
from tabletin.games.iota.bot import LEVELS, choose
from tabletin.games.iota.ending import Ending, EndSearch, HandPlays, ending_after, play_points, play_to_the_end
from tabletin.games.iota.grid import BITS, Plays
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tests.games.iota.positions import Position as Picture
from tests.games.iota.reasons import claim
from tests.support.counted_clock import CountedClock

GRID = "rc1 rc2 rc3/gs1 . ./bt1 . ."


def decision(picture: Picture, level: str, seed: int = 1, budget: float = 2.0) -> Decision:
    """What the bot of seat 0 decides, given its own hand and what lies open."""
    state = picture.state
    faces = Faces({**state.public, **{card: picture.faces[card] for card in state.hands[0]}})
    return choose(Position(View(picture.rules, state, (0,), faces), 0, level, Random(seed), budget, CountedClock()))


def every_lead(ending: Ending) -> int:
    """What ``EndSearch`` finds, by trying every play at every turn and nothing cleverer."""
    if not ending.mine or not ending.theirs:
        return 0
    own = dict(ending.mine)
    passing = Ending(ending.bits, ending.wilds, ending.theirs, ending.mine, True)
    found = [0 if ending.has_passed else -every_lead(passing)]
    for play in Plays(ending.bits, ending.wilds, ending.mine):
        points = play_points(dict(ending.bits), play, own, ends=len(play) == len(own))
        found.append(points - every_lead(ending_after(ending, play)))
    return max(found)


@pytest.mark.parametrize("seed", range(6))
def test_the_search_of_an_ending_is_exact(seed: int) -> None:
    """With two cards each, a wild among them now and then, it finds what trying everything finds."""
    rng = Random(seed)
    picture = Picture(GRID, "")
    faces = rng.sample([face for face in BITS if face not in GRID.replace("/", " ").split()], 4)
    cards = [(-1 - index, BITS[face]) for index, face in enumerate(faces)]
    ending = Ending(picture.state.bits, picture.state.wilds, tuple(cards[:2]), tuple(cards[2:]))
    assert EndSearch(ending, lambda: False).lead(ending, 10_000) == every_lead(ending)


def test_easy_looks_at_two_places_only() -> None:
    """It lays one card or two, and seldom where most points are to be had; medium always does."""
    points = {level: [decision(Picture(GRID, "rc4 bt2 yx1 gs2"), level, seed).params["n"] for seed in range(20)]
              for level in LEVELS[:2]}
    assert set(points["medium"]) == {max(points["medium"])}
    assert sum(points["easy"]) < 0.75 * sum(points["medium"])
    assert all(len(decision(Picture(GRID, "rc4 bt2 yx1 gs2"), "easy", seed).move[2]) <= 2 for seed in range(20))


@pytest.mark.parametrize("seed", range(4))
def test_plays_on_a_grid_that_grew_are_those_of_a_fresh_look(seed: int) -> None:
    """Play after play of either hand, wilds among them: what was looked up before agrees with what is looked up anew."""
    rng = Random(seed)
    picture = Picture("rc1 rc2 rc3/gs1 . ./wild . .", "")
    faces = rng.sample([face for face in BITS if face not in ("rc1", "rc2", "rc3", "gs1", "wild")], 7)
    cards = [(-1 - index, BITS[face]) for index, face in enumerate(["wild", *faces])]
    ending = Ending(picture.state.bits, picture.state.wilds, tuple(cards[:4]), tuple(cards[4:]))
    search = EndSearch(ending, lambda: False)
    for _ in range(4):
        found = search.plays(ending)
        own = dict(ending.mine)
        fresh = {(play_points(dict(ending.bits), play, own, ends=len(play) == len(own)), play)
                 for play in Plays(ending.bits, ending.wilds, ending.mine)}
        assert len(found) == len(fresh)
        assert set(found) == fresh
        assert [points for points, _ in found] == sorted((points for points, _ in found), reverse=True)
        short = [play for _, play in found if len(play) == 1]
        if not short:
            break
        ending = ending_after(ending, rng.choice(short))


def test_hard_counts_to_the_end() -> None:
    """In matches whose pile is empty, with two cards in every hand or fewer, no other play or pass ends better for it."""
    checked = 0

    def mind(position: Position) -> Decision:
        nonlocal checked
        state, seat = position.state, position.seat
        position.level = "medium" if state.pile or max(map(len, state.hands)) > 2 else "hard"
        position.clock, position.start_time = CountedClock(), 0
        found = choose(position)
        if position.level == "hard":
            checked += 1
            assert claim(position, found)
            world = HiddenCards(position.view).draw(Random(1))
            mine, theirs = (tuple((card, BITS[world[card]]) for card in state.hands[who]) for who in (seat, 1 - seat))
            trial = state.copy()
            assert position.rules.make(trial, seat, found.move, position.faces) is None
            gained = trial.scores[seat] - state.scores[seat]
            left = tuple((card, BITS[world[card]]) for card in trial.hands[seat])
            after_it = 0 if trial.end_reason else every_lead(
                Ending(trial.bits, trial.wilds, theirs, left, has_passed=found.move[0] == "pass"))
            assert gained - after_it >= every_lead(Ending(state.bits, state.wilds, mine, theirs, has_passed=state.passes > 0))
        return found

    for seed in range(1, 3):
        arena.play("iota", ("guest", "guest"), {}, seed, budget=5.0, guests={"guest": mind})
    assert checked


@pytest.mark.parametrize("seed", range(4))
def test_playing_to_the_end_takes_what_makes_most_each_time(seed: int) -> None:
    """Three hands, a wild in one: each turn makes as much as a fresh search finds, until one hand is empty or nobody can lay."""
    rng, picture = Random(seed), Picture(GRID, "")
    bits, wilds = dict(picture.state.bits), picture.state.wilds
    faces = rng.sample([face for face in BITS if face not in ("wild", *GRID.replace("/", " ").split())], 8)
    cards = [(-1 - index, BITS[face]) for index, face in enumerate(["wild", *faces])]
    hands = [tuple(cards[at::3]) for at in range(3)]
    plays = [HandPlays(bits, wilds, hand) for hand in hands]
    made = play_to_the_end(bits, wilds, hands, plays)
    fresh, held, passes, at = [0, 0, 0], list(hands), 0, 0
    while all(held) and passes < 3:
        own = dict(held[at])
        found = {play: play_points(bits, play, own, ends=len(play) == len(own)) for play in Plays(bits, wilds, held[at])}
        best = plays[at].best(bits, wilds, held[at])
        assert (best is None) == (not found)
        passes = 0 if best else passes + 1
        if best is not None:
            assert best[0] == found[best[1]] == max(found.values())
            fresh[at] += best[0]
            bits = bits | {cell: own[card] for card, cell in best[1]}
            wilds = (*wilds, *(cell for card, cell in best[1] if not own[card]))
            held[at] = tuple(card for card in held[at] if card[0] not in dict(best[1]))
        at = (at + 1) % 3
    assert made == fresh and sum(made) > 0


def test_hard_imagines_the_end_of_a_match_of_more_than_two() -> None:
    """Once the pile is empty it deals the cards that it cannot see to the others, and plays on; it sees no hand but its own."""
    seats, imagined = 3, 0

    def mind(position: Position) -> Decision:
        nonlocal imagined
        state = position.state
        position.level = "medium" if state.pile else "hard"
        position.clock, position.start_time = CountedClock(), 0
        found = choose(position)
        if not state.pile and found.why != "iota.why.pass":
            assert found.why in ("iota.why.best_now", "iota.why.played_on")
            assert claim(position, found)
            imagined += position.worlds > 0
            assert all(card not in position.faces for seat in range(seats) if seat != position.seat
                       for card in state.hands[seat])
        return found

    arena.play("iota", ("guest",) * seats, {}, 2, guests={"guest": mind})
    assert imagined


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_without_time_stops_looking_and_plays_all_the_same(level: str) -> None:
    """Two wilds make thousands of turns. A clock that goes on by much at every look ends the search after a few."""
    picture = Picture(GRID, "wild wild rc4 bt2")
    state, looks = picture.state, iter(range(0, 10_000, 10))
    faces = Faces({**state.public, **{card: picture.faces[card] for card in state.hands[0]}})
    position = Position(View(picture.rules, state, (0,), faces), 0, level, Random(1), 60, lambda: next(looks))
    assert choose(position).move[0] == "play"
    assert 10 < next(looks) < 200  # it did look


@pytest.mark.parametrize("seed", range(4))
def test_what_the_next_seat_can_make_is_found_alike_from_the_grid_before(seed: int) -> None:
    """Plays noted once and looked up after each turn are those that a fresh search finds, wilds laid meanwhile included."""
    rng, picture = Random(seed), Picture(GRID, "")
    bits, wilds = picture.state.bits, picture.state.wilds
    faces = rng.sample([face for face in BITS if face not in GRID.replace("/", " ").split()], 8)
    mine, theirs = (tuple((-1 - index, BITS[face]) for index, face in part) for part in (
        enumerate(faces[:4]), enumerate(faces[4:], 4)))
    mine = (*mine[:3], (-9, BITS["wild"]))
    answers, own = HandPlays(bits, wilds, theirs), dict(mine)
    plays = list(Plays(bits, wilds, mine))
    for play in rng.sample(plays, min(25, len(plays))):
        after = bits | {cell: own[card] for card, cell in play}
        now_wilds = (*wilds, *(cell for card, cell in play if not own[card]))
        for ends in (False, True):
            most = max((play_points(after, answer, dict(theirs), ends=ends and len(answer) == 4)
                        for answer in Plays(after, now_wilds, theirs)), default=0)
            assert answers.best_points(after, now_wilds, theirs, ends=ends) == most
