"""What a drawn card would bring a column, in words: the sum, and for which closed cards of the other it is good."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tabletin.board.hints import HintStep, nudges
from tabletin.games.teeth.board import TeethBoard
from tabletin.games.teeth.board_place import place_note
from tabletin.games.teeth.columns import DECK, Values
from tabletin.games.teeth.rules import Teeth
from tabletin.kernel.schema import Move
from tabletin.kernel.table import Table
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.board_tables import seated, sight

VALUES = Values("rank", -4, 18)


def placing(own: str, middle: str, drawn: str) -> tuple[Table, int]:
    """A match whose seat to move sees ``own`` and ``middle`` in the first column, and has drawn ``drawn``."""
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    table.move(seat, ("draw",))
    state = table.match.state
    column = state.columns[0]
    table.match.knowledge.update({column.owns[seat]: own, column.middle: middle, state.drawn_card: drawn})
    state.public[column.middle] = middle
    return table, seat


def said(own: str, middle: str, drawn: str, verb: str, language: str = "en") -> str:
    table, seat = placing(own, middle, drawn)
    seen = replace(sight(table, seat), words=Wording(load(language), table.match.setup, seat))
    rules = seen.view.rules
    assert isinstance(rules, Teeth)
    return place_note(seen, rules, seat, (verb, 0))


@pytest.mark.parametrize(("own", "middle", "drawn", "verb", "words"), [
    ("5S", "2D", "KH", "double", "5 + 2 + 13 = 20. If Ben’s card is 2 or more, you stay at 18 or less."),
    ("KS", "2D", "QH", "replace", "13 + 12 = 25. If Ben’s card is 7 or more, you stay at 18 or less."),
    ("5S", "2D", "QH", "double", "5 + 2 + 12 = 19. Only a joker would put you over 18."),
    ("5S", "2D", "3H", "double", "5 + 2 + 3 = 10. You win if Ben’s hidden card is one of these: A–7, joker."),
    ("5S", "2D", "joker", "double", "5 + 2 − 4 = 3. You win if Ben’s hidden card is one of these: joker."),
    ("AS", "2D", "3H", "double", "You win if Ben’s hidden card is one of these: A–8, joker."),
    ("KS", "QD", "KH", "double", ""),  # 38 − ? is bust whatever it is
])
def test_it_adds_up_and_says_with_which_cards_that_is_good(own: str, middle: str, drawn: str, verb: str, words: str) -> None:
    told = said(own, middle, drawn, verb)
    assert re.sub(r"\w+’s", "Ben’s", told) == words


@pytest.mark.parametrize("drawn", ["KH", "QH", "JH", "9H", "6H", "3H", "joker"])
@pytest.mark.parametrize("verb", ["double", "replace"])
def test_what_it_says_of_the_limit_is_true_of_each_card(drawn: str, verb: str) -> None:
    """TE-1, with the values of cards alone: from that card up, or with all but a joker, the column is not bust."""
    for own, middle in (("5S", "2D"), ("9S", "8D"), ("KS", "7D")):
        told = said(own, middle, drawn, verb)
        least, joker = re.search(r"is (\d+) or more", told), "Only a joker" in told
        for face in set(DECK):
            other = VALUES.values[face]
            score = VALUES.score([own], drawn, [face]) if verb == "replace" else VALUES.score([own, drawn], middle, [face])
            if (least and other >= int(least[1])) or (joker and face != "joker"):
                assert not score.bust, (told, face)
            elif joker:
                assert score.bust, (told, face)


def test_a_call_is_told_by_the_cards_that_win_it_before_it_is_laid_out() -> None:
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    column = table.match.state.columns[1]
    table.match.knowledge.update({column.owns[seat]: "9S", column.middle: "8D"})
    table.match.state.public[column.middle] = "8D"
    seen, board = sight(table, seat), TeethBoard()
    draft = board.draft(seen)
    draft.compose(("call", 1))
    reason = board.reason(seen, draft)
    assert reason is not None and reason.last == "", "with the call it is said how often it is won"
    first, second = nudges(board.scene(seen, board.draft(seen)), board.scene(seen, draft), (), reason)
    assert first.keys == second.keys == {"column1"} and (first.label, first.why) == ("Column 2", "")
    assert second.why.startswith("You win if")
    draft.compose(("draw",))
    [nudge] = nudges(board.scene(seen, board.draft(seen)), board.scene(seen, draft), (), board.reason(seen, draft))
    assert nudge.keys == {"column0", "column1", "column2"} and nudge.why == "Would you win one of these columns now?"


@pytest.mark.parametrize("move", [("double", 0), ("discard",)])
def test_a_hint_points_at_the_drawn_card_then_at_its_place_and_only_then_gives_a_reason(move: Move) -> None:
    """It spoke of what wins before it was said of which card."""

    table, seat = placing("5S", "2D", "KH")
    seen, board = sight(table, seat), TeethBoard()
    draft = board.draft(seen)
    draft.compose(move)
    reason = board.reason(seen, draft)
    assert reason is not None and reason.last.startswith("5 + 2 + 13 = 20." if move[0] == "double" else "")
    look, place = nudges(board.scene(seen, board.draft(seen)), board.scene(seen, draft), (), reason)
    assert (look.step, place.step) == (HintStep.LOOK, HintStep.PLACE)
    assert look.cards == place.cards == (table.match.state.drawn_card,) and not look.places
    assert [zone.key for zone in place.places] == ["hint-" + "".join(map(str, move))]
    asked = "Look at column 1: you are at 7 − ? there." if move[0] == "double" else "Does it help you in any column?"
    assert (look.why, place.why) == (asked, ""), "there is only one card: what to look at"


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_each_language_names_the_sum_and_the_limit(language: str) -> None:
    for drawn, numbers in (("KH", ["20", "2", "18"]), ("QH", ["19", "18"])):
        told = said("5S", "2D", drawn, "double", language)
        assert re.findall(r"\d+", told.partition("= ")[2]) == numbers
