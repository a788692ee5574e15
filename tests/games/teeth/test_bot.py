"""Bots of Teeth: chances reckoned right, the opponent's turns undone and read, legal play at every level."""

from __future__ import annotations

from collections import Counter
from math import log
from random import Random

import pytest

from tabletin.bots.decision import Position
from tabletin.bots.determinize import deal_on
from tabletin.games.teeth import bot
from tabletin.games.teeth.columns import DECK, Values, winner
from tabletin.games.teeth.reading import beliefs, draw_worlds, history, weigh
from tabletin.games.teeth.reckon import Belief, Look, Reckoner, count_hidden
from tabletin.games.teeth.rules import Teeth
from tabletin.games.teeth.state import OVER, PLACING, TeethState
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tabletin.kernel.setup import LEVELS
from tabletin.words import load
from tests.games.teeth.deals import Deal

WORDS = load()


def sees(state: TeethState, faces: Faces, seat: int) -> Faces:
    """What ``seat`` may know of ``faces``."""
    return Faces({card: face for card, face in faces.items() if card in state.public or state.viewers.get(card, 0) >> seat & 1})


def think(deal: Deal, seat: int, level: str, seed: int = 1) -> Position:
    return Position(View(deal.rules, deal.state, (seat,), sees(deal.state, deal.faces, seat)), seat, level, Random(seed))


def test_ends_equal_scoring_the_cards() -> None:
    rng, reckoner = Random(1), Reckoner(Values("rank", -4, 18))
    for _ in range(500):
        cards = rng.sample(DECK, rng.randint(3, 6))
        cut = rng.randint(2, len(cards) - 1)
        mine, middle, theirs = cards[1:cut], cards[0], cards[cut:]
        scores = (reckoner.values.score(mine, middle, theirs), reckoner.values.score(theirs, middle, mine))
        results = {winner(caller, scores) for caller in (0, 1)}
        expected = 0 if len(results) == 2 else 1 if results == {0} else -1
        assert reckoner.end(reckoner.side(mine), reckoner.side([middle]), reckoner.side(theirs)) == expected


def test_a_chance_is_the_share_of_unseen_cards_that_win() -> None:
    reckoner = Reckoner(Values("rank", -4, 18))
    pool = count_hidden(reckoner, DECK, range(3), Faces({0: "9S", 1: "2H", 2: "joker"}))
    assert sum(pool.values()) == 51
    chance = Belief(reckoner, pool).chance(Look(reckoner.side(["9S"]), reckoner.side(["2H"]), (0, 0)))
    rest = Counter(DECK) - Counter(("9S", "2H", "joker"))
    ends = [reckoner.end((9, 0), (2, 0), reckoner.side([face])) for face in rest.elements()]
    assert chance.win == pytest.approx(ends.count(1) / 51)
    assert chance.level == pytest.approx(ends.count(0) / 51)


@pytest.mark.parametrize("mode", ["whole_deck", "continuous", "score_card"])
def test_bots_play_whole_matches_legally(mode: str) -> None:
    rng = Random(2)
    rules = Teeth(2, {"mode": mode, "rounds": 2})
    state, faces = rules.start(), Faces()
    for _ in range(300):
        deal_on(rules, state, faces, rng)
        acting = rules.to_act(state)
        if not acting:
            break
        seat = acting[0]
        view = View(rules, state, (seat,), sees(state, faces, seat))
        decision = bot.choose(Position(view, seat, LEVELS[rng.randrange(3)], rng))
        assert WORDS.text(decision.why, **decision.params)
        assert rules.make(state, seat, decision.move, view.faces) is None
    assert state.phase == OVER


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_a_sure_column_is_called(level: str) -> None:
    """King and 4 against at most 13, over a joker: no closed card can turn that round or bust it."""
    deal = Deal("KS joker 2D", columns=1).do(0, "draw")
    card = deal.state.drawn_card
    assert card is not None
    deal.state.drawn_card = None
    column = deal.state.columns[0]
    assert column is not None
    deal.state.public[card] = deal.faces[card] = "4S"
    deal.state.columns = (column._replace(extras=((card,), ())),)
    deal.state.phase = "turn"
    assert bot.choose(think(deal, 0, level)).move == ("call", 0)


def test_history_shows_each_act_of_the_opponent_as_it_saw_the_table() -> None:
    """Turn by turn, over several rounds with one deck; where its own card is closed still, that alone is missing."""
    for seed in range(6):
        rng = Random(seed)
        rules = Teeth(2, {"mode": "continuous" if seed % 2 else "whole_deck"})
        reckoner = Reckoner(rules.values)
        state, faces = rules.start(), Faces()
        recorded: list[dict[int, tuple[Look, int]]] = []  # by act of seat 1: the columns it saw, and their own cards
        while len(state.acts) < 9 and state.round < 3:
            deal_on(rules, state, faces, rng)
            acting = rules.to_act(state)
            if not acting:
                break
            seat = acting[0]
            move = rng.choice([move for move in rules.moves(state, seat, faces) if move[0] != "call" or rng.random() < 0.15]
                              or list(rules.moves(state, seat, faces)))
            if seat == 1 and move[0] not in ("draw", "ready"):
                recorded.append({at: (reckoner.look(column, 1, faces), column.owns[1])
                                 for at, column in enumerate(state.columns) if column})
            assert rules.make(state, seat, move, faces) is None
            if state.phase == PLACING and len(state.acts) >= 9:
                break
        deal_on(rules, state, faces, rng)
        befores = history(reckoner, state, 0, sees(state, faces, 0))
        for before, then in zip(befores, recorded, strict=True):
            world = {at: reckoner.count[faces[then[at][1]]] for at in before.hidden_columns}
            assert before.looks(world) == {at: look for at, (look, _) in then.items()}
            assert before.hidden_columns == {at for at, (_, card) in then.items() if card not in state.public}


def test_a_reader_without_time_keeps_to_the_plain_odds() -> None:
    """It stops where its time is over; the fewer worlds it weighed, the more it believes of the plain odds."""
    rng, reckoner = Random(1), Reckoner(Values("rank", -4, 18))
    pool = Counter(reckoner.count[face] for face in DECK)
    drawn = draw_worlds(pool, [0, 1, 2], 150, rng)
    for number in (5, 50):
        looks = iter([False] * (number - 1) + [True])
        worlds = weigh(drawn, [], Belief(reckoner, pool), looks.__next__)
        assert [world for world, _ in worlds] == drawn[:number]
        assert sum(weight for _, weight in worlds) == pytest.approx(1)
        for belief in beliefs(reckoner, worlds, [0, 1, 2], pool).values():
            for count, weight in belief.weights:
                assert weight >= (1 - number / 100) * pool[count] / len(DECK) - 1e-9


def test_reading_comes_nearer_the_truth_than_plain_odds() -> None:
    """Against an opponent that reckons, what it does tells of its cards: the truth is likelier than by counting alone."""
    gained = []
    for seed in range(25):
        rng = Random(seed)
        rules = Teeth(2)
        reckoner = Reckoner(rules.values)
        state, faces = rules.start(), Faces()
        while True:
            deal_on(rules, state, faces, rng)
            seat = rules.to_act(state)[0]
            if state.round > 1 or (seat == 0 and sum(act.seat for act in state.acts) >= 3):
                break
            view = View(rules, state, (seat,), sees(state, faces, seat))
            assert rules.make(state, seat, bot.choose(Position(view, seat, "medium", rng)).move, view.faces) is None
        known = sees(state, faces, 0)
        live = [card for cards in rules.zones(state).values() for card in cards]
        pool = count_hidden(reckoner, DECK, live, known)
        places = [at for at, column in enumerate(state.columns) if column is not None]
        worlds = weigh(draw_worlds(pool, places, 150, rng), history(reckoner, state, 0, known), Belief(reckoner, pool))
        for at, belief in beliefs(reckoner, worlds, places, pool).items():
            column = state.columns[at]
            assert column is not None
            truth = reckoner.count[faces[column.owns[1]]]
            gained.append(log(dict(belief.weights)[truth]) - log(pool[truth] / sum(pool.values())))
    assert len(gained) > 20
    assert sum(gained) / len(gained) > 0.02
