"""The portraits of the bots' people: each its own, in the two colours of its seat, beside its name at every table."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

from tabletin.board.portraits import PORTRAITS, portrait
from tabletin.board.scene import Plate, Sight
from tabletin.bots.characters import HABITS, NAMED_IN, STOCK_NAMES, habit_of_name, stock_names
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import languages, load
from tabletin.words.wording import Wording
from tests.support.board_tables import DESK, board_of, with_boards
from tests.support.scene_checks import drawn


def test_every_stock_name_has_a_portrait_of_its_own() -> None:
    assert len(set(PORTRAITS)) == len(PORTRAITS) == STOCK_NAMES
    for number in range(1, STOCK_NAMES + 1):
        picture = portrait(number)
        assert PORTRAITS[number - 1] in picture
        ElementTree.fromstring(picture)
        assert set(re.findall(r"var\(--([\w-]+)\)", picture)) <= {"seat", "seat-ink", "paper"}
        assert "#" not in picture and " id=" not in picture


@pytest.mark.parametrize("language", languages())
def test_no_two_people_have_one_name(language: str) -> None:
    assert list(stock_names(load(language)).values()) == list(range(1, STOCK_NAMES + 1))


def plates(game: str, names: tuple[str, str], habits: list[str], language: str = "en") -> list[Plate]:
    """The plates of two bots that begin a match; with more seats where the game needs them."""
    rules = rules_of(game)
    seats = [Seat("bot", AUTHOR, name, level="easy") for name in names]
    seats += [Seat("person", AUTHOR, f"Person {number}") for number in range(rules.seat_counts[0] - 2)]
    setup = Setup(game, rules.version, {}, tuple(seats), extra={NAMED_IN: [*habits, *[""] * (len(seats) - 2)]})
    table = Table.begin(rules, setup, OpenDealer(Random(1)))
    sight = Sight(table.match.view(()), Wording(load(language), setup), DESK)
    return list(drawn(board_of(game), sight).plates)


@pytest.mark.parametrize("game", with_boards())
def test_a_plate_shows_who_sits_there(game: str) -> None:
    number = 1 + list(GAMES).index(game)
    name = list(stock_names(load()))[number - 1]
    named, other = plates(game, (name, "Zoe"), [habit_of_name(number), ""])[:2]
    assert (named.character, other.character) == (number, 0)
    assert named.trait == load().text(f"newmatch.habits.{habit_of_name(number)}", name=name)
    assert other.trait == ""


def test_a_person_with_such_a_name_gets_no_portrait() -> None:
    game = with_boards()[0]
    rules, name = rules_of(game), next(iter(stock_names(load())))
    seats = tuple(Seat("person", AUTHOR, name) for _ in range(max(2, rules.seat_counts[0])))
    table = Table.begin(rules, Setup(game, rules.version, {}, seats), OpenDealer(Random(1)))
    scene = drawn(board_of(game), Sight(table.match.view(()), Wording(load(), table.match.setup), DESK))
    assert not any(plate.character or plate.trait for plate in scene.plates)


def test_every_language_says_each_habit() -> None:
    game = with_boards()[0]
    for language in languages():
        said = {plates(game, ("Zoe", "Ida"), [habit, ""], language)[0].trait for habit in HABITS}
        assert len(said) == len(HABITS) and all("Zoe" in line for line in said)
