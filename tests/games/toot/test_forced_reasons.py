"""What was no choice is told with its reason, to the seat whose move it was and to nobody else."""

from __future__ import annotations

from tabletin.app.table.narration import Narration
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.games.toot.boards import Game

FITS = "None of your cards fits the TooT, so you pass."


def who_cannot_lay() -> Game:
    """Pursuit with a purple on the table, and a red and nothing else in the hand of the seat that has drawn."""
    game = Game("toot-pursuit", 2, first_seat="1")
    first, *_ = game.state.pile
    game.state.pile = game.state.pile[1:]
    game.state.table, game.state.table_cards, game.state.top_face = (((first, None),), ()), (first,), "purple"
    game.state.public[first] = "purple"
    game.table.move(0, ("draw",))
    game.deal(0, "red")
    return game


def told(game: Game, me: int | None, *readers: int) -> list[str]:
    narration, match = Narration(game.table.match), game.table.match
    last = [one for one in narration.events if one.index == narration.last]
    return [line.text for line in narration.lines(last, Wording(load("en"), match.setup, me), readers)]


def test_a_pass_that_was_no_choice_is_told_with_its_reason_to_its_seat_alone() -> None:
    """TO-7: red does not join a purple."""
    game = who_cannot_lay()
    scene = game.scene(0, game.draft(0))
    assert scene.note == FITS, "on the table, too, where it is tapped by hand"
    game.table.move(0, ("pass",))
    assert told(game, 0, 0) == [FITS]
    assert told(game, None, 0) == [FITS, "Ann passed."], "several people share the device: it names who"
    assert told(game, 1, 1) == ["Ann passed."], "why is not for the others to know"
    assert told(game, None) == ["Ann passed."]


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
