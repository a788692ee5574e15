"""The registry: which families of games there are, and where to find what each of them brings.

**A family is one folder, and one word in ``FAMILIES`` below.** The folder's ``__init__`` is data only and imports nothing:

- ``GAMES``: the id of each game and its rules class, in the order of the shelf: ``{"iota": "Iota"}``;
- ``RULINGS`` (not needed to play): how the ids of its rulings begin, and how many there are: ``("IO", 10)``;
- ``PUZZLES`` (not needed to play): the games of which its module ``puzzle`` makes the puzzle of a day.

Everything else is found by its name in the folder, on first need:

=====================  ==============================================================  ==========================
``rules``              the rules classes                                               needed
``words.en.json``      its texts; ``words.<language>.json`` for each other language    ``tabletin.words``
``board``, ``art``     its table as a scene; its pieces as SVG                         ``tabletin.board``
``bot``                ``LEVELS``, ``choose``                                          ``tabletin.bots``
``measurements``       ``MEASUREMENTS``: how its bots are measured                     ``tabletin.bots.matchups``
``presets``            ``PRESETS``: options that go well together                      the new-match page
``guide``              ``GUIDES``: a first hand of each game, step by step             ``tabletin.board.guide``
``feats``              ``FEATS``: what is told of a match beside its points            ``tabletin.board.highlights``
``lesson``             ``LESSONS``: pages to learn from                                ``tabletin.board.lesson``
``puzzle``             ``PUZZLES``: who makes its puzzles of a day                      ``tabletin.puzzles``
``figures``            ``figure_pieces``: how the pieces of a rulebook's figure lie    the rulebook
``rulebook.md``        its rules page; ``rulebook.<language>.md`` where translated     the rulebook
=====================  ==============================================================  ==========================

A reader of such a part asks ``GAMES[game].declaration("presets", "PRESETS", {})``, which gives what it named last where the
family has no such module. ``tests/games/<family>/`` holds a family's tests and their data in the same way;
``tests/games/test_completeness.py`` lists by name what a registered game still lacks. Tests add a family from
elsewhere by ``install``. Importing the registry imports no rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, Final
from zipimport import zipimporter

from tabletin.kernel.rules import Rules
from tabletin.kernel.schema import Malformed

FAMILIES: Final = ("teeth_time", "teeth", "dominoes", "iota", "toot")
"""The folders in ``tabletin/games``, in the order of the shelf. Adding or removing a family changes this line alone."""


STAND_INS: Final[Mapping[str, str]] = MappingProxyType({
    "board": "tabletin.board.plain", "art": "tabletin.board.plain_art", "bot": "tabletin.bots.plain",
})
"""What is imported in place of a module that a family does not have yet."""

PARTS: Final[Mapping[str, str | None]] = MappingProxyType({
    "words": "words.en.json", "board": None, "art": None, "bot": None, "presets": None, "guide": None, "rulebook": "rulebook.md",
})
"""What a whole family has beside its rules: a module of that name (None), or a file. ``lacking.<part>`` says what is missing."""

NEEDED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "board": ("board",), "art": ("VIEWBOX", "front", "back", "lid", "name"), "bot": ("LEVELS", "choose"),
})
"""What such a module has to define: every reader of it asks for these."""

AT_A_TABLE: Final = ("rules", "art", "draft", "board")
"""What a table needs of a family, in an order in which none brings much along."""

COMPILED: Final[Mapping[str, str]] = MappingProxyType({"rulebook.md": "rulebook.json"})
"""What the build makes of a data file: a page has that in its place."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family's folder as the importable ``package``; its ``games`` by id; how its ``rulings`` begin and how many there are; the
    games that have ``puzzles``."""

    package: str
    games: Mapping[str, str]
    rulings: tuple[str, int] | None = None
    puzzles: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What its folder is called."""
        return self.package.rpartition(".")[2]

    def module(self, name: str) -> ModuleType:
        """The family's module ``name``, or what stands in for it (``STAND_INS``).

        Raises ``Malformed`` where the module cannot be read or does not define what is ``NEEDED`` of it, and
        ``ModuleNotFoundError`` where there is none.
        """
        wanted = f"{self.package}.{name}"
        try:
            module = import_module(wanted)
        except Exception as error:  # it runs what a family wrote, and that can raise anything
            if not isinstance(error, ModuleNotFoundError) or error.name != wanted:
                raise Malformed(f"{self.name}/{name}.py cannot be read: {_said(error)}") from error
            if name not in STAND_INS:
                raise
            return import_module(STAND_INS[name])
        missing = [needed for needed in NEEDED.get(name, ()) if not hasattr(module, needed)]
        if missing:
            raise Malformed(f"{self.name}/{name}.py does not define {', '.join(missing)}")
        return module

    def has(self, name: str) -> bool:
        """Whether the family has a module ``name``."""
        return find_spec(f"{self.package}.{name}") is not None

    def lacking(self) -> tuple[str, ...]:
        """The parts of ``PARTS`` that it does not have yet. It plays without them: something stands in for each."""
        return tuple(part for part, file in PARTS.items() if not (self.has(part) if file is None else self.has_file(file)))

    def has_file(self, file: str) -> bool:
        """Whether the family has the data file ``file``, or what the build makes of it."""
        return any(data_of(self.package, one) for one in (file, COMPILED.get(file)) if one is not None)

    def text(self, file: str) -> str | None:
        """The data file ``file`` of its folder, such as "rulebook.md"; None where there is none. Raises ``Malformed``."""
        return text_of(self.package, file)


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the family ``home``, by the class ``rules`` in the family's module ``rules``."""

    home: Family
    rules: str

    @property
    def family(self) -> str:
        """What the family's folder is called."""
        return self.home.name

    def module(self, name: str) -> ModuleType:
        """The family's module ``name``, as ``Family.module`` gives it."""
        return self.home.module(name)

    def has(self, name: str) -> bool:
        """Whether the family has a module ``name``."""
        return self.home.has(name)

    def load_table(self) -> Iterator[str]:
        """Import what a table needs of the family, a module a step, so that a page hears taps in between. Gives each name before
        it is imported. Raises as ``module`` does.
        """
        for name in AT_A_TABLE:
            if self.has(name):
                yield name
                self.module(name)

    def lacking(self) -> tuple[str, ...]:
        """The parts that its family does not have yet."""
        return self.home.lacking()

    def declaration(self, module: str, name: str, default: Any) -> Any:
        """What the family's ``module`` calls ``name``; ``default`` where it has no such module or name."""
        return getattr(self.module(module), name, default) if self.has(module) else default


def _said(error: Exception) -> str:
    """What went wrong while a module was imported, with the file and the line: "rules.py, line 3: invalid syntax"."""
    if isinstance(error, SyntaxError):
        return f"{_file(error.filename or '')}, line {error.lineno}: {error.msg}"
    place, frame = "", error.__traceback__
    while frame is not None:
        if not frame.tb_frame.f_code.co_filename.startswith("<frozen"):  # Python's own import
            place = f"{_file(frame.tb_frame.f_code.co_filename)}, line {frame.tb_lineno}: "
        frame = frame.tb_next
    return f"{place}{type(error).__name__}: {error}"


def _file(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def text_of(package: str, file: str) -> str | None:
    """The text of ``file`` in the folder of ``package``; None where there is none. Raises ``Malformed`` for other bytes."""
    data = data_of(package, file)
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"{file} of {package} is no text in UTF-8") from error


def data_of(package: str, file: str) -> bytes | None:
    """What ``file`` in the folder of ``package`` holds, or an archive that was added; None where there is none.

    Through the module's own loader: it reads from a zip as well, and importing ``importlib.resources`` would delay every start.
    """
    module = import_module(package)
    inside = f"{package.replace('.', '/')}/{file}"
    places = [(module.__loader__, f"{module.__path__[0]}/{file}"), *((archive, inside) for archive in _archives)]
    for loader, path in places:
        with suppress(OSError):
            data: bytes = loader.get_data(path)  # type: ignore[union-attr]  # every loader of ours reads files
            return data
    return None


_archives: list[zipimporter] = []


def add_archive(path: str) -> None:
    """Read data files that a package lacks from the zip at ``path``, too: a page fetches the words of a language apart."""
    _archives.append(zipimporter(path))


_homes: dict[str, Family] = {}
_games: dict[str, Game] = {}
HOMES: Final[Mapping[str, Family]] = MappingProxyType(_homes)
"""The families by package, in the order of the shelf."""
GAMES: Final[Mapping[str, Game]] = MappingProxyType(_games)
"""The games by id, in the order of the shelf."""


def install(package: str) -> Family:
    """Add the family in ``package``. Raises ``Malformed`` where that is no family, or a game's id is taken."""
    if package in HOMES:
        return HOMES[package]
    try:
        declared = import_module(package)
    except Exception as error:  # it runs what a family wrote, and that can raise anything
        if isinstance(error, ModuleNotFoundError) and error.name == package:
            raise Malformed(f"the registry names {package}, and there is no such folder") from error
        raise Malformed(f"{package}/__init__.py cannot be read: {error}") from error
    games = getattr(declared, "GAMES", None)
    if not isinstance(games, dict) or not games or not all(isinstance(word, str) for pair in games.items() for word in pair):
        raise Malformed(f"{package}/__init__.py has no GAMES: the id of each game and its rules class, {{'iota': 'Iota'}}")
    for game in games:
        if game in GAMES:
            raise Malformed(f"{package}/__init__.py: the game {game!r} is one of {GAMES[game].home.package} already")
    family = Family(package, MappingProxyType(dict(games)), getattr(declared, "RULINGS", None),
                    tuple(getattr(declared, "PUZZLES", ())))
    _homes[package] = family
    _games.update({game: Game(family, rules) for game, rules in games.items()})
    return family


def remove(package: str) -> None:
    """Take the family in ``package`` out again."""
    for game in _homes.pop(package).games:
        del _games[game]


def install_all(packages: Iterable[str]) -> list[str]:
    """Add the families in ``packages``; a sentence for each that cannot be added. The others are there all the same."""
    findings = []
    for package in packages:
        try:
            install(package)
        except Malformed as error:
            findings.append(str(error))
    return findings


FINDINGS: Final = tuple(install_all(f"tabletin.games.{name}" for name in FAMILIES))
"""Why a family of the tin is not there, one sentence each. ``tests/games/test_completeness.py`` fails on any."""


def rules_of(game: str) -> type[Rules[Any]]:
    """The rules class of ``game``. Raises ``Malformed`` for one that is not in the tin, or has no such class."""
    if game not in GAMES:
        raise Malformed(f"no such game: {game}")
    entry = GAMES[game]
    if not entry.has("rules"):
        raise Malformed(f"{entry.family} has no rules.py")
    found: type[Rules[Any]] | None = getattr(entry.module("rules"), entry.rules, None)
    if found is None:
        raise Malformed(f"{entry.family}/__init__.py names the class {entry.rules}, and rules.py does not define it")
    return found
