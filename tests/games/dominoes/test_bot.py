"""Bots of the domino games: legal and honest from their own view, worlds that fit what was said, sketches true to the rules."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from tabletin.bots.decision import Position
from tabletin.games.dominoes import bot
from tabletin.games.dominoes.sketch import BranchSketch, LineSketch
from tabletin.games.dominoes.state import PLAYING
from tabletin.games.dominoes.tiles import HALVES
from tabletin.games.dominoes.worlds import HiddenTiles
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.match import View
from tabletin.kernel.schema import sample_move
from tabletin.kernel.setup import LEVELS, Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tabletin.words import load
from tests.games.dominoes.positions import Round

WORDS = load()
CASES = [("dominoes", 2, {"set": 6}), ("dominoes", 4, {}), ("matador", 3, {}), ("matador", 4, {"set": 12, "total": 13}),
         ("tiddle-a-wink", 6, {})]
each_case = pytest.mark.parametrize(("game", "seats", "options"), CASES)


def begin(game: str, seats: int, options: dict[str, Any], seed: int) -> Table:
    setup = Setup(game, 1, options, (Seat("bot", AUTHOR, level="easy"),) * seats)
    return Table.begin(rules_of(game), setup, OpenDealer(Random(seed)))


@each_case
def test_bots_play_a_round_legally_and_honestly(game: str, seats: int, options: dict[str, Any], monkeypatch: Any) -> None:
    monkeypatch.setattr(bot, "WORLDS", 6)
    table, rng = begin(game, seats, options, 3), Random(5)
    match = table.match
    for _ in range(400):
        if match.state.phase in ("counted", "over"):
            break
        seat = match.rules.to_act(match.state)[0]
        decision = bot.choose(Position(match.view((seat,)), seat, LEVELS[seat % 3], rng))
        assert WORDS.text(decision.why, **decision.params)
        table.move(seat, decision.move)
    assert match.state.last_count is not None
    assert match.state.last_count.liars == ()


def test_that_there_is_no_choice_is_said_only_where_there_is_one_place() -> None:
    """On equal ends the same domino goes to several: which of them is left to the player."""
    table, rng, said = begin("dominoes", 2, {"set": 6}, 3), Random(5), set()
    match = table.match
    for _ in range(600):
        seat = match.rules.to_act(match.state)[0]
        view = match.view((seat,))
        ways = list(match.rules.moves(match.state, seat, view.faces))
        if len({way[1] for way in ways if way[0] == "lay"}) == 1 < len(match.state.hands[seat]):
            why = bot.choose(Position(view, seat, "easy", rng)).why
            assert (why == "dominoes.why.forced") == (len(ways) == 1)
            said.add(why)
        table.move(seat, match.rules.random_move(match.state, seat, view.faces, rng))
        if said >= {"dominoes.why.forced", "dominoes.why.alike"}:
            return
    raise AssertionError(f"only {said} were met")


@each_case
def test_do_10_worlds_fit_every_claim(game: str, seats: int, options: dict[str, Any]) -> None:
    """Whoever drew, passed or said "none" cannot have held what that rules out; nor does any imagined world have it so."""
    table, rng = begin(game, seats, options, 4), Random(6)
    match, rules = table.match, table.match.rules
    looked = 0
    while match.state.round == 1 and looked < 12 and rules.to_act(match.state):
        seat = rules.to_act(match.state)[0]
        view = match.view((seat,))
        if match.state.phase == PLAYING and match.state.claims and rng.random() < 0.7:
            looked += 1
            unseen = HiddenTiles(rules, match.state, view.faces)  # type: ignore[arg-type]
            for _ in range(5):
                world = unseen.draw(rng)
                live = [card for cards in rules.zones(match.state).values() for card in cards]
                assert Counter(world[card] for card in live) == Counter(rules.deck())
                assert all(world[card] == face for card, face in view.faces.items())
                assert rules.audit(match.state, world) == []
        table.move(seat, rules.random_move(match.state, seat, view.faces, rng))
    assert looked >= 3


def test_a_claim_that_cannot_be_true_is_disbelieved() -> None:
    """A liar among the others: worlds are imagined all the same."""
    game = Round("dominoes", ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 6-2 6-1 6-0"], set=6).led().do(1, "draw")
    seen = {card: game.faces[card] for card in (*game.state.hands[0], *(laid.card for laid in game.state.tiles))}
    view = type(game.faces)(seen)
    view.update({card: game.faces[card] for card in game.state.pile[:-3]})
    world = HiddenTiles(game.rules, game.state, view).draw(Random(1))
    assert all(card in world for hand in game.state.hands for card in hand)


@each_case
def test_a_sketch_goes_as_the_rules_do(game: str, seats: int, options: dict[str, Any]) -> None:
    """The same round in handles and in numbers: hands, turn, ends and the end agree at every step."""
    table, rng = begin(game, seats, options, 7), Random(8)
    match, rules = table.match, table.match.rules
    while match.state.phase != PLAYING:
        seat = rules.to_act(match.state)[0]
        table.move(seat, rules.random_move(match.state, seat, match.view((seat,)).faces, rng))
    sketch = HiddenTiles(rules, match.state, match.view(None).faces).sketch(match.view(None).faces)  # type: ignore[arg-type]
    steps = 0
    while match.state.phase == PLAYING:
        state, faces = match.state.copy(), match.view(None).faces
        assert sketch.turn == state.turn
        assert sketch.passes == state.passes
        assert [sorted(hand) for hand in sketch.hands] == [sorted(HALVES[faces[card]] for card in hand) for hand in state.hands]
        if isinstance(sketch, LineSketch):
            assert sorted(sketch.ends) == sorted(state.open.values())
        else:
            assert isinstance(sketch, BranchSketch)
            assert Counter(state.open.values()) == Counter({n: count for n, count in enumerate(sketch.open) if count})
        move = rng.choice(bot.distinct(state, list(rules.moves(state, state.turn, faces))))
        if move[0] == "pass":
            sketch.passes, sketch.turn = sketch.passes + 1, (sketch.turn + 1) % seats
        elif move[0] == "draw":
            sketch.hands[sketch.turn].append(sketch.pile.pop())
        else:
            bot.make(sketch, state, move, faces[move[1]])
        table.move(state.turn, move)
        steps += 1
    assert steps > 5
    assert sketch.first_out == match.state.first_out


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_goes_out_when_it_can(level: str) -> None:
    game = Round("dominoes", ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"], set=6).led().hold("6-5", "6-4")
    decision = bot.choose(Position(View(game.rules, game.state, (1,), game.faces), 1, level, Random(1)))
    assert decision.move[:2] == ("lay", game.card("6-4"))
    assert decision.why == "dominoes.why.out"


def test_equal_ends_are_one_choice() -> None:
    game = Round("dominoes", ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"], set=6).led()
    moves = list(game.honest(1))
    assert len(moves) == 8
    assert len(bot.distinct(game.state, moves)) == 2


@each_case
def test_refusals_point_into_the_rulebook(game: str, seats: int, options: dict[str, Any]) -> None:
    """Every ruling that a refusal names has its place in the game's own part of the rulebook."""
    text = files("tabletin.games.dominoes").joinpath("rulebook.md").read_text("utf-8")
    part = text.split(f"::: game {game}\n")[1].split("\n:::\n")[0]
    table, rng = begin(game, seats, options, 2), Random(9)
    match, rules = table.match, table.match.rules
    named = set()
    for _ in range(150):
        if not rules.to_act(match.state):
            break
        seat = rules.to_act(match.state)[0]
        for _ in range(4):
            move = sample_move(rules.verbs, rng)
            if move[0] in ("lay", "lead") and match.state.hands[seat] and rng.random() < 0.8:
                move = (move[0], rng.choice(match.state.hands[seat]), *move[2:])
            faces = match.view((seat,)).faces
            refusal = rules.make(match.state.copy(), seat, move, faces) or rules.own_refusal(match.state, seat, move, faces)
            if refusal is not None and refusal.rule:
                named.add(refusal.rule)
        table.move(seat, rules.random_move(match.state, seat, match.view((seat,)).faces, rng))
    assert len(named) >= 2
    assert all("{#" + rule + "}" in part for rule in named), named
