"""What was no choice is told with its reason, to the seat whose move it was and to nobody else."""

from __future__ import annotations

from itertools import product

import pytest

from tabletin.app.session.forced_moves import forced_move, forced_reason
from tabletin.app.table.narration import Narration
from tabletin.games.toot.cards import STATED, Kinds
from tabletin.games.toot.onetable import pass_reason
from tabletin.games.toot.solver import best_use
from tabletin.kernel.faces import Face
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.games.toot.boards import Game

NO_NUMBER = "You have no number to put on the TooT, so you pass."


def who_cannot_lay(hand: str = "red", shown: Face = "purple") -> Game:
    """Pursuit with ``shown`` on the table, and ``hand`` and nothing else in the hand of the seat that has drawn."""
    game = Game("toot-pursuit", 2, first_seat="1")
    first, *others = game.state.pile
    own, game.state.pile = tuple(others[:len(hand.split()) - 1]), tuple(others[len(hand.split()) - 1:])  # and one is drawn
    game.state.hands = (own, game.state.hands[1])
    game.state.viewers.update(dict.fromkeys(own, 1))
    game.state.table, game.state.table_cards, game.state.top_face = (((first, None),), ()), (first,), shown
    game.state.public[first] = shown
    game.table.move(0, ("draw",))
    game.deal(0, hand)
    return game


def test_pursuit_draws_by_itself_also_among_people_and_a_die_is_thrown_by_hand() -> None:
    """TO-6, TO-7: both are no choice. Drawing tells nobody anything, and throwing is half the fun."""
    pursuit, fluke = Game("toot-pursuit", 2, first_seat="1"), Game("toot-fluke", 2, first_seat="1")
    assert forced_move(pursuit.table.match, 0) == ("draw",) and forced_reason(pursuit.table.match, 0) == ""
    assert forced_move(fluke.table.match, 0) is None
    pursuit.table.move(0, ("draw",))
    pursuit.deal(0, "red")
    assert forced_move(pursuit.table.match, 0) is None, "Ben would learn from a hasty pass that nothing can be laid"


def told(game: Game, me: int | None, *readers: int) -> list[str]:
    narration, match = Narration(game.table.match), game.table.match
    last = [one for one in narration.events if one.index == narration.last]
    return [line.text for line in narration.lines(last, Wording(load("en"), match.setup, me), readers)]


def test_a_pass_that_was_no_choice_is_told_with_its_reason_to_its_seat_alone() -> None:
    """TO-7: red does not join a purple."""
    game = who_cannot_lay()
    scene = game.scene(0, game.draft(0))
    assert scene.note == NO_NUMBER, "on the table, too, where it is tapped by hand"
    game.table.move(0, ("pass",))
    assert told(game, 0, 0) == [NO_NUMBER]
    assert told(game, None, 0) == [NO_NUMBER, "Ann passed."], "several people share the device: it names who"
    assert told(game, 1, 1) == ["Ann passed."], "why is not for the others to know"
    assert told(game, None) == ["Ann passed."]


@pytest.mark.parametrize(("hand", "shown", "reason"), [
    ("red red yellow", "purple", NO_NUMBER),
    ("1 1 red red", "1", "A 1 can’t go on a 1, so you pass."),
    ("X 1", "1", "Your X can’t go on a 1 by itself, so you pass."),
    ("2 2 red", "purple", "Your 2 must lie on 2 TooTs: the table’s and 1 of yours. You pass."),
    ("3 4 red red", "purple", "Your 3 must lie on 3 TooTs: the table’s and 2 of yours. You pass."),
    ("4 1 purple", "1", "Your 4 must lie on 4 TooTs: the table’s and 3 of yours. You pass."),
])
def test_a_pass_says_what_comes_nearest_and_what_it_lacks(hand: str, shown: Face, reason: str) -> None:
    """TO-2, TO-3."""
    game = who_cannot_lay(hand, shown)
    draft = game.draft(0)
    assert draft.stuck
    assert game.scene(0, draft).note == reason
    game.table.move(0, ("pass",))
    assert told(game, 0, 0) == [reason]
    assert told(game, 1, 1) == ["Ann passed."]


@pytest.mark.parametrize("shown", [None, *STATED])
def test_what_a_pass_says_is_true_of_every_hand(shown: Face | None) -> None:
    """Every hand of up to four cards that can be laid nowhere lacks what is said, and would do with it."""
    found = set[str]()
    for hand in {Kinds(*counts) for counts in product(range(4), repeat=len(Kinds._fields)) if sum(counts) <= 4}:
        if best_use(hand, shown) is not None:
            continue
        reason = pass_reason(hand, shown).rpartition(".")[2]
        found.add(reason)
        if reason == "pass_no_number":
            assert not any(hand[:5]), "no number, and no X that could be one"
        elif reason == "pass_ones":
            assert shown == "1" and hand.ones and not any(hand[1:5])
        elif reason == "pass_wild":
            assert shown == "1" and hand.wilds == 1 and not any(hand[1:4])
        elif reason != "pass_first":
            number = int(reason[-1])
            assert hand[number - 1], "it is held"
            more = hand._replace(secondaries=hand.secondaries + number - 1)
            assert best_use(more, shown) is not None
    assert found == ({"pass_first"} if shown is None else {"pass_no_number", "pass_2", "pass_3", "pass_4"}
                     | ({"pass_ones", "pass_wild"} if shown == "1" else set()))


def test_a_pass_by_choice_is_told_as_ever() -> None:
    game = who_cannot_lay()
    game.deal(0, "1")
    game.table.move(0, ("pass",))
    assert told(game, 0, 0) == ["You passed."]


def test_before_there_is_a_toot_the_reason_is_another() -> None:
    game = Game("toot-pursuit", 2, first_seat="1")
    game.table.move(0, ("draw",))
    game.deal(0, "red")
    assert game.scene(0, game.draft(0)).note == "Your cards don’t make a TooT yet, so you pass."
    game.table.move(0, ("pass",))
    assert told(game, 0, 0) == ["Your cards don’t make a TooT yet, so you pass."]


def test_what_others_got_and_that_they_are_done_is_told_by_the_round() -> None:
    """TO-5: the log of a round is about what was shown."""
    game = Game("toot-progressive", 3)
    for seat in (1, 0, 2):
        game.table.move(seat, ("done",))
    narration = Narration(game.table.match)
    lines = [line.text for line in narration.lines(narration.events, Wording(load("en"), game.table.match.setup, 0), (0,))]
    assert lines[0] == "A new round: 4 cards each." and lines[1].startswith("You got ")
    assert lines[2:] == ["You are done.", "Everybody is done: show your TooTs."]
