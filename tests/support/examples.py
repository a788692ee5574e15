"""Examples of every game for the tests that all games share: options, seats, moments, pictures, what a stored match came to.

A family declares its own in ``tests/games/<family>/example.py`` as ``EXAMPLES``: game → ``Example``; beside it lie
``golden/<name>.txt`` and ``stored/<game>.jsonl``. Whatever an example leaves out has a default here, so that the shared
tests run for a new game at once. ``tests/games/test_completeness.py`` says what is left out. Knows no browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, Final

from tabletin.app.ui.html import game_name
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from workshop.paths import ROOT

OptionSet = tuple[int, Mapping[str, Any]]  # how many seats, and the options that differ from the printed ones
Query = Mapping[str, str | int]  # of the address of a new match: {"seats": "me,easy", "set": 6}
USUAL_ART_BYTES: Final = 2100  # of the markup of one face, as the largest of the shared playing cards

HAND: Final = ".over > .piece.can-tap"
LEGAL: Final = f"{HAND}.is-legal"
LOG: Final = "button.bar-button:nth-of-type(1)"
SHEET: Final = "button.bar-button:nth-of-type(2)"


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene to be looked at: ``seats`` (one letter each: m me, p a person here, b a bot) with ``options``, played on for
    ``moves`` moves, until seat 0 may act and ``asked`` holds. ``tap``: selectors tapped then; ``text``: its size in %.
    ``whoever``: it need not be seat 0 who may act.
    """

    name: str
    seats: str
    moves: int = 0
    asked: str = ""
    seed: int = 5
    options: Query = field(default_factory=dict)
    tap: tuple[str, ...] = ()
    text: int = 100
    whoever: bool = False


@dataclass(frozen=True, slots=True)
class Moments:
    """How a match is begun in the browser, and the moments at which its table is looked at ("phase=play"; "": any)."""

    begin: Query
    asked: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True)
class Ended:
    """What the stored match came to, as its own version told it."""

    entries: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """What tests use of one game. None or nothing: see the functions below for what is used instead."""

    option_sets: tuple[OptionSet, ...] = ()
    """For the shared properties."""
    departures: tuple[OptionSet, ...] = ()
    """In which seats leave a hand that is being played; of games for more than two that play on."""
    golden: Mapping[str, OptionSet] = field(default_factory=dict)
    """Matches told in words: the file's name → how it is set up."""
    ended: Ended | None = None
    """What the match in ``stored/<game>.jsonl`` came to."""
    quick: Mapping[str, Any] = field(default_factory=dict)
    """Options by which a match on the simulated network takes a few hands."""
    lasting: Mapping[str, Any] = field(default_factory=dict)
    """Options by which such a match takes more hands than that."""
    unending: Mapping[str, Any] = field(default_factory=dict)
    """Options by which a match takes many hands, whatever is dealt."""
    short: Mapping[str, Any] = field(default_factory=dict)
    """Options by which a match takes as few moves as they allow, and seat 0 begins where that can be chosen."""
    open_hands: bool = False
    """Whether no card of a hand that somebody leaves is closed."""
    hand: Query | None = None
    """A match as short as its options allow, played by hand in the browser."""
    longer: Query = field(default_factory=dict)
    """What of ``hand`` differs where more is to be seen."""
    by_hand: bool = False
    """Whether each run of the browser tests plays it by hand; else only a wide run."""
    moments: Moments | None = None
    """For accessibility, by day and by lamplight."""
    pictures: tuple[Picture, ...] = ()
    """Taken by ``check.py --screenshots``."""
    self_evident: frozenset[str] = frozenset()
    """Verbs of moves that are no choice and of which no reason is said: they say it themselves, or everybody begins so."""
    silent_rulings: frozenset[str] = frozenset()
    """Rulings of the family that say nothing about this game: its rulebook page has no place for them."""


def home_of(family: str) -> Path:
    """Where the tests of ``family`` lie."""
    return ROOT / "tests" / "games" / family


def declared(family: str, name: str, default: Any, module: str = "example") -> Any:
    """What ``module`` in ``tests/games/<family>/`` calls ``name``; ``default`` where there is none."""
    place = f"tests.games.{family}.{module}"
    try:
        found = find_spec(place)
    except ModuleNotFoundError:  # the family has no folder of tests
        found = None
    return default if found is None else getattr(import_module(place), name, default)


def game_for(people: int) -> str:
    """A game that so many can play: the one that is made for the fewest other numbers of players."""
    counts = {game: rules_of(game).seat_counts for game in GAMES}
    return min((game for game in GAMES if people in counts[game]), key=lambda game: len(counts[game]))


def game_of_many() -> str:
    """The game that needs the most players."""
    return max(GAMES, key=lambda game: rules_of(game).seat_counts[0])


def of_hands(several: bool) -> str:
    """A game of several hands, or of one deal, that two to four can play, and play on when one leaves; the one that is made for
    the fewest other numbers of players. Where there is no such game: any.
    """
    rules = {game: rules_of(game) for game in GAMES}
    fitting = [game for game, one in rules.items() if one.several_hands == several and one.plays_on
               and {2, 3, 4} <= set(one.seat_counts)]
    return min(fitting or GAMES, key=lambda game: len(rules[game].seat_counts))


def deals_hands(game: str) -> bool:
    """Whether seats hold cards before anybody has moved."""
    rules = rules_of(game)
    seats = tuple(Seat("person", AUTHOR) for _ in range(rules.seat_counts[0]))
    match = Table.begin(rules, Setup(game, rules.version, {}, seats), OpenDealer(Random(1))).match
    return any(cards for zone, cards in match.rules.zones(match.state).items() if isinstance(zone, tuple) and zone[0] == "hand")


ONE_DEAL: Final = of_hands(several=False)
MANY_HANDS: Final = of_hands(several=True)
DEALT: Final = next(game for game in (ONE_DEAL, MANY_HANDS, *GAMES) if deals_hands(game))
"""A game that deals hands before anybody moves: of one deal, where there is such a game."""


WIDEST: Final = max(GAMES, key=lambda game: len(rules_of(game).seat_counts))
"""The game that is made for the most numbers of players."""


def name_of(game: str) -> str:
    """What ``game`` is called in English."""
    return game_name(load(), game)


def one_a_family(people: int) -> list[str]:
    """Of each family the first game that so many can play."""
    chosen: dict[str, str] = {}
    for game, entry in GAMES.items():
        if people in rules_of(game).seat_counts:
            chosen.setdefault(entry.family, game)
    return list(chosen.values())


def lasting(game: str) -> dict[str, Any]:
    """Options of a match of several hands; as printed, where the family declares none."""
    return dict(example_of(game).lasting)


def unending(game: str) -> dict[str, Any]:
    """Options of a match of many hands, whatever is dealt; as printed, where the family declares none."""
    return dict(example_of(game).unending)


def short(game: str) -> dict[str, Any]:
    """Options of a short match, by ``quick`` where the family declares none."""
    return dict(example_of(game).short or example_of(game).quick)


def having(part: str) -> list[str]:
    """The games whose family has ``part`` of ``registry.PARTS``: a test of that part is for these.

    ``tests/games/test_completeness.py`` names the others.
    """
    return [game for game, entry in GAMES.items() if part not in entry.lacking()]


def example_of(game: str) -> Example:
    """What the family declares of ``game``; nothing, where it declares nothing."""
    examples: Mapping[str, Example] = declared(GAMES[game].family, "EXAMPLES", {})
    return examples.get(game, Example())


def option_sets(game: str) -> tuple[OptionSet, ...]:
    """By default as printed, for the fewest and the most seats."""
    counts = rules_of(game).seat_counts
    return example_of(game).option_sets or tuple((seats, {}) for seats in dict.fromkeys((counts[0], counts[-1])))


def departures(game: str) -> tuple[OptionSet, ...]:
    """By default as printed, for the fewest seats of which one can leave; none where a match cannot be played on."""
    counts = rules_of(game).seat_counts
    if not rules_of(game).plays_on or counts[-1] < 3:
        return ()
    return example_of(game).departures or ((max(3, counts[0]), {}),)


def hand_of(game: str) -> Query:
    """By default against as few easy bots as sit down."""
    return example_of(game).hand or {"seats": seats_of(game)}


def moments_of(game: str) -> Moments:
    """By default any moment of a match against as few easy bots as sit down."""
    return example_of(game).moments or Moments({"seats": seats_of(game)})


def pictures_of(game: str) -> tuple[Picture, ...]:
    """By default one, after some moves."""
    fewest = rules_of(game).seat_counts[0]
    return example_of(game).pictures or (Picture(game, "m" + "b" * (fewest - 1), 12),)


def query(asked: Mapping[str, Any]) -> str:
    """What follows the ``?`` of an address that asks for seats and options: ``seats=me,easy&first_seat=1``."""
    return "&".join(f"{key}={int(value) if isinstance(value, bool) else value}" for key, value in asked.items())


def seats_of(game: str) -> str:
    """The fewest seats: me, and easy bots."""
    return ",".join(["me", *["easy"] * (rules_of(game).seat_counts[0] - 1)])


def by_hand() -> frozenset[str]:
    """The games that each run of the browser tests plays by hand: one of each family at least."""
    chosen = {game for game in GAMES if example_of(game).by_hand}
    for game, entry in GAMES.items():
        if not any(GAMES[one].family == entry.family for one in chosen):
            chosen.add(game)
    return frozenset(chosen)
