"""What a call would bring, in words: with which closed cards of the other it is won."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.games.teeth.board_call import call_note
from tabletin.games.teeth.columns import Values, winner
from tabletin.games.teeth.rules import Teeth
from tabletin.kernel.deck52 import RANKS
from tabletin.kernel.table import Table
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.board_tables import seated, sight


def column_of(own: str, middle: str) -> tuple[Table, int]:
    """A match whose seat to move sees ``own`` and ``middle`` in the first column."""
    table = seated("teeth", 2, 4)
    seat, column = table.match.state.turn, table.match.state.columns[0]
    table.match.knowledge.update({column.owns[seat]: own, column.middle: middle})
    table.match.state.public[column.middle] = middle
    return table, seat


def said(own: str, middle: str, language: str = "en") -> str:
    table, seat = column_of(own, middle)
    seen = replace(sight(table, seat), words=Wording(load(language), table.match.setup, seat))
    rules = seen.view.rules
    assert isinstance(rules, Teeth)
    return call_note(seen, rules, seat, table.match.state.columns[0])


@pytest.mark.parametrize(("own", "middle", "cards"), [
    ("8S", "4D", "A–7, joker"),  # 12 − ? against ? − 4: an 8 ties, and the caller loses ties
    ("KS", "9D", "A, 4–Q"),  # 22 − ?: a 3 is not enough to get down to 18, but an ace may be 11
    ("KS", "7D", "A–Q"),  # a joker taken off adds 4
])
def test_it_names_the_closed_cards_with_which_the_call_is_won(own: str, middle: str, cards: str) -> None:
    """TE-1, TE-2. The example is checked with the values of cards alone, too."""
    values = Values("rank", -4, 18)
    note = said(own, middle)
    assert note.endswith(f"’s hidden card is one of these: {cards}.")
    for rank in RANKS:
        other = f"{rank}H"
        won = winner(0, (values.score([own], middle, [other]), values.score([other], middle, [own]))) == 0
        first, _, last = next((part for part in cards.split(", ") if "–" in part), cards).partition("–")
        assert won == (rank in cards.split(", ") or RANKS.index(first) <= RANKS.index(rank) <= RANKS.index(last)), rank


@pytest.mark.parametrize(("own", "mine", "theirs", "said_so"), [
    ("KS", ("KC",), (), "You can’t win this column now, whatever"),  # 39 − ? is bust, and ? − 13 never
    ("2S", (), ("KC", "KH"), "Whatever"),  # 37 + ? is bust
])
def test_a_call_that_is_won_or_lost_whatever_is_turned_up_says_so(
        own: str, mine: tuple[str, ...], theirs: tuple[str, ...], said_so: str) -> None:
    table, seat = column_of(own, "KD")
    column, pile = table.match.state.columns[0], table.match.state.pile
    added, against = pile[:len(mine)], pile[2:2 + len(theirs)]
    table.match.state.public.update(zip((*added, *against), (*mine, *theirs), strict=True))
    seen = sight(table, seat)
    rules = seen.view.rules
    assert isinstance(rules, Teeth)
    extras = (added, against) if seat == 0 else (against, added)
    assert call_note(seen, rules, seat, column._replace(extras=extras)).startswith(said_so)


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_it_is_said_in_every_language_with_the_letters_on_the_cards(language: str) -> None:
    queen = load(language).text("deck52.mark.Q")
    assert f"4–{queen}" in said("KS", "9D", language)
