"""A seat leaves a round of dominoes that the others play on: the lead, the turn, a block, claims and the count."""

from __future__ import annotations

from random import Random

from tabletin.bots.decision import Position
from tabletin.games.dominoes import bot
from tabletin.games.dominoes.state import COUNTED, LEADING, OVER, PLAYING
from tabletin.games.dominoes.worlds import HiddenTiles
from tabletin.kernel.faces import Faces
from tabletin.kernel.match import View
from tests.games.dominoes.positions import Round

THREE = ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0", "6-2 6-1 4-3 3-3 1-1"]


def leave(game: Round, *seats: int) -> Round:
    assert game.rules.can_depart(game.state, *seats)
    game.rules.depart(game.state, *seats)
    game.settle()
    return game


def test_the_lead_is_asked_of_who_is_left() -> None:
    """DO-1: nobody waits for the answer of a seat that has left, and none of its answers is checked."""
    game = Round("dominoes", THREE, set=6)
    game.do(1, "none").do(2, "none")
    leave(game, 0)  # it held the double six
    assert (game.state.phase, game.state.question, game.state.waiting) == (LEADING, 1, (1, 2))
    game.led()
    assert [game.faces[laid.card] for laid in game.state.tiles] == ["4-4"]
    assert game.state.turn == 2
    assert {claim.seat for claim in game.state.claims} == {1, 2}


def test_the_turn_goes_to_the_next_seat_that_is_left() -> None:
    """What it laid stays; what it held is on no place of the table."""
    game = Round("dominoes", THREE, set=6).led()
    assert game.state.turn == 1
    leave(game, 1)
    assert game.rules.to_act(game.state) == (2,)
    game.lay(2, "6-2", 6)
    assert game.state.turn == 0
    leave_again = game.rules.can_depart(game.state, 0)
    assert not leave_again, "one alone plays no round"
    live = [card for cards in game.rules.zones(game.state).values() for card in cards]
    assert not {game.card(face) for face in THREE[1].split()} & set(live)
    assert len(live) == 28 - 5


def test_blocked_without_who_left() -> None:
    """DO-4: the others have passed already, so the round is blocked when the last one waited for leaves."""
    game = Round("dominoes", THREE, set=6).led()
    game.hold("5-1 4-1", "3-0 2-0", "4-3 3-3", ends=(6,), pile="")
    game.state.turn = 0
    game.do(0, "pass").do(1, "pass")
    assert game.state.phase == PLAYING
    leave(game, 2)
    assert game.state.phase == COUNTED
    assert game.state.last_count is not None
    assert game.state.last_count.ending == "blocked"
    assert game.state.last_count.winner == 1
    assert game.state.last_count.pips == (11, 5, 0)  # nobody opened what the third held
    assert game.state.last_count.points == (0, 6, 0)
    assert game.state.waiting == (0, 1)
    game.do(0, "ready").do(1, "ready")
    assert not game.state.absentees
    assert [len(hand) for hand in game.state.hands] == [5, 5, 5], "in the next round its seat plays again"


def test_a_pass_of_who_left_counts_no_more() -> None:
    """DO-4: the two that are left must both pass."""
    game = Round("dominoes", THREE, set=6).led()
    game.hold("5-1 4-1", "3-0 2-0", "4-3 3-3", ends=(6,), pile="")
    game.state.turn = 0
    game.do(0, "pass").do(1, "pass")
    leave(game, 0)
    assert (game.state.passes, game.state.turn, game.state.phase) == (1, 2, PLAYING)
    game.do(2, "pass")
    assert game.state.last_count is not None
    assert game.state.last_count.winner == 1
    assert game.state.last_count.points == (0, 13 - 5, 0)


def test_a_false_claim_of_who_left_is_no_matter() -> None:
    """DO-10: nobody opens the hand, so nobody looks; a liar who stays is found out all the same, and only that seat loses."""
    game = Round("dominoes", THREE, set=6).led()
    game.hold("6-1 5-1", "6-3 2-0", "6-2", ends=(6,), pile="")
    game.state.turn = 0
    game.do(0, "pass").do(1, "pass")
    leave(game, 0)
    assert game.rules.audit(game.state, game.faces) != []
    game.lay(2, "6-2", 6)
    assert game.state.last_count is not None
    assert game.state.last_count.liars == (1,)
    assert game.state.last_count.points == (0, -11, 0)
    assert game.state.last_count.winner == 2


def test_two_leave_at_once() -> None:
    game = Round("dominoes", [*THREE, "5-4 5-3 5-2 4-2 4-0"], set=6).led()
    leave(game, 1, 2)
    assert game.rules.to_act(game.state) == (3,)
    assert game.rules.next_seat(game.state, 3) == 0


def test_who_left_cannot_be_among_the_winners() -> None:
    game = Round("dominoes", THREE, set=6, target=10).led()
    game.state.totals = (9, 0, 0)
    leave(game, 0)
    game.hold("", "2-0", "6-2 4-3", ends=(2,))
    game.lay(1, "2-0", 2)
    assert game.state.phase == OVER
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.unfinished) == ((9, 15, 0), (1,), False)


def test_bots_deal_the_rest_of_the_table_to_who_is_left() -> None:
    """A sketch has a hand for each seat that plays, and a bot decides in it."""
    game = Round("dominoes", THREE, set=6).led()
    leave(game, 0)
    view = Faces({card: game.faces[card] for card in (*game.state.hands[1], *game.state.public)})
    unseen = HiddenTiles(game.rules, game.state, view)
    sketch = unseen.sketch(unseen.draw(Random(1)))
    assert ([len(hand) for hand in sketch.hands], sketch.turn) == ([5, 5], 0)
    assert len(unseen.pool) == 28 - len(view), "what left may be thought to lie anywhere"
    for level in ("easy", "medium", "hard"):
        decision = bot.choose(Position(View(game.rules, game.state, (1,), view), 1, level, Random(1), 0.05))
        assert decision.move in game.honest(1)
