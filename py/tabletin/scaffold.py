"""``python3 -m tabletin new NAME``: a new family of games as a folder that plays at once, to be made one's own.

It writes the family's folder with rules, words in English and German, playing cards and the first lines of a rulebook, a folder
of tests, and the family's name into the registry. It changes nothing else and overwrites nothing. See docs/adding-a-game.md.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Mapping
from functools import cache
from keyword import iskeyword
from pathlib import Path
from typing import Final

from tabletin.app.routes import FIRST_WORDS
from tabletin.kernel.schema import Malformed
from tabletin.registry import GAMES, HOMES
from tabletin.words import application_sections

NAME: Final = re.compile(r"[a-z][a-z0-9_]*[a-z0-9]", re.ASCII)
LINE: Final = re.compile(r"^FAMILIES: Final = \((.*)\)$", re.MULTILINE)
SAMPLE: Final = "no_such_game"
REGISTRY: Final = Path("py/tabletin/registry.py")


def create(name: str, root: Path) -> list[Path]:
    """Write the family ``name`` into the checkout at ``root``; the files written, the registry last.

    Raises ``Malformed`` with a sentence, before anything is written, where the name cannot be that of a new family.
    """
    registry = root / REGISTRY
    if not registry.is_file():
        raise Malformed("a new game is written into a checkout of Tabletin, and this is none")
    reason = unfit(name)
    if reason:
        raise Malformed(reason)
    source = registry.read_text("utf-8")
    line = LINE.search(source)
    if line is None:
        raise Malformed(f"{REGISTRY} has no line that begins with FAMILIES")
    folder, tests = root / "py" / "tabletin" / "games" / name, root / "tests" / "games" / name
    for taken in (folder, tests):
        if taken.exists():
            raise Malformed(f"{taken.relative_to(root)} is there already")
    files = {folder / file: text for file, text in family_files(name).items()}
    files |= {tests / file: text for file, text in test_files(name).items()}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    listed = f'{line.group(1).rstrip(", ")}, "{name}"'
    registry.write_text(source[:line.start(1)] + listed + source[line.end(1):], "utf-8")
    return [*files, registry]


def unfit(name: str) -> str:
    """Why ``name`` cannot be that of a new family, in one sentence; "" if it can."""
    if iskeyword(name):
        return f"{name!r} is a word of Python itself: choose another name"
    if not NAME.fullmatch(name):
        return (f"{name!r} is no name for a game's folder: use small letters, digits and _, two characters at least; "
                "begin with a letter, and do not end with _")
    if name in (family.name for family in HOMES.values()) or game_id(name) in GAMES:
        return f"there is a game {name!r} already"
    if name in FIRST_WORDS:
        return f"{name!r} begins addresses of the page that are no game's: choose another name"
    if name in application_sections():
        return f"{name!r} names a section of the application's own words: choose another name"
    name_of_class = class_name(name)
    if name_of_class in dir(builtins):
        return f"{name!r} would make the class {name_of_class}, which is a name of Python itself: choose another name"
    if name_of_class in imported_names():
        return f"{name!r} would make the class {name_of_class}, a name that the rules import: choose another name"
    return ""


@cache
def imported_names() -> frozenset[str]:
    """The names that the files of a new family import, except its own class: one of another meaning would hide them."""
    trees = [ast.parse(fill(text, SAMPLE)) for text in (RULES, ART, EXAMPLE, TEST)]
    imports = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return frozenset(alias.asname or alias.name for node in imports for alias in node.names) - {class_name(SAMPLE)}


def game_id(name: str) -> str:
    return name.replace("_", "-")


def family_files(name: str) -> Mapping[str, str]:
    """What the family's folder holds at first: file → text."""
    files = {"__init__.py": INIT, "rules.py": RULES, "art.py": ART, "rulebook.md": RULEBOOK}
    texts = {file: fill(text, name) for file, text in files.items()}
    for language, words in WORDS.items():
        section = {**words, "name": title(name)}
        texts[f"words.{language}.json"] = json.dumps({name: section}, ensure_ascii=False, indent=1) + "\n"
    return texts


def test_files(name: str) -> Mapping[str, str]:
    """What its folder of tests holds at first: file → text."""
    return {"example.py": fill(EXAMPLE, name), f"test_{name}.py": fill(TEST, name)}


def title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def fill(text: str, name: str) -> str:
    """``text`` with the family's name, its game's id, its title and its class in their places."""
    for mark, word in (("NAME", name), ("GAME", game_id(name)), ("TITLE", title(name)), ("CLASS", class_name(name))):
        text = text.replace(f"<{mark}>", word)
    return text


INIT: Final = '''"""<TITLE>: say in one sentence what the game is."""

GAMES = {"<GAME>": "<CLASS>"}
'''

ART: Final = '''"""<TITLE> is played with the shared playing cards."""

from tabletin.board.deck52 import FACES as FACES
from tabletin.board.deck52 import VIEWBOX as VIEWBOX
from tabletin.board.deck52 import back as back
from tabletin.board.deck52 import front as front
from tabletin.board.deck52 import lid as lid
from tabletin.board.deck52 import name as name
'''

RULES: Final = '''"""The rules of <TITLE>. This is a whole small game to begin with; replace it by yours.

Everybody is dealt five cards. In turn each seat lays one open. Whoever laid the highest takes the trick and leads to the
next; of equal cards the first counts. Most tricks win. What each method is asked is said in ``kernel/rules.py``.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabletin.kernel.deck52 import FACES, RANKS, rank_of
from tabletin.kernel.faces import Card, Face, Faces
from tabletin.kernel.options import Number, Refusal
from tabletin.kernel.requests import Request, Result, Show, Shuffle
from tabletin.kernel.rules import Outcome, Rules, Zone
from tabletin.kernel.schema import CARD, Move
from tabletin.kernel.state import State


class <CLASS>State(State):
    """``pile``, ``hands`` by seat; ``trick``: the seats and cards laid so far; ``heap``: tricks taken; ``taken``: how many."""

    __slots__ = ("pile", "hands", "trick", "heap", "taken", "turn")

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.pile: tuple[Card, ...] = ()
        self.hands: tuple[tuple[Card, ...], ...] = ((),) * seats
        self.trick: tuple[tuple[int, Card], ...] = ()
        self.heap: tuple[Card, ...] = ()
        self.taken: tuple[int, ...] = (0,) * seats
        self.turn = 0


class <CLASS>(Rules[<CLASS>State]):
    """<TITLE> for two to five seats."""

    id = "<GAME>"
    seat_counts = range(2, 6)
    options = (Number("cards", 1, 10, 5),)
    verbs = {"lay": (CARD,)}

    def deck(self) -> tuple[Face, ...]:
        return FACES

    def start(self) -> <CLASS>State:
        state = <CLASS>State(self.seats)
        state.new_deck(self.deck())
        return state

    def take_answer(self, state: <CLASS>State, request: Request, cards: tuple[Card, ...], result: Result) -> None:
        """The deck is shuffled: deal, and let each seat see its own hand."""
        if isinstance(request, Shuffle):
            count = self.option_values["cards"]
            state.hands = tuple(cards[seat * count:(seat + 1) * count] for seat in range(self.seats))
            state.pile = cards[self.seats * count:]
            for seat, hand in enumerate(state.hands):
                state.ask(Show(hand, seat))

    def actors(self, state: <CLASS>State) -> tuple[int, ...]:
        return (state.turn,) if state.hands[state.turn] else ()

    def opens(self, state: <CLASS>State, seat: int, move: Move) -> tuple[Card, ...]:
        return (move[1],)

    def verdict(self, state: <CLASS>State, seat: int, move: Move) -> Refusal | None:
        return None if move[1] in state.hands[seat] else Refusal("kernel.not_yours")

    def apply(self, state: <CLASS>State, seat: int, move: Move) -> None:
        card = move[1]
        hand = tuple(other for other in state.hands[seat] if other != card)
        state.hands = (*state.hands[:seat], hand, *state.hands[seat + 1:])
        state.trick += ((seat, card),)
        state.say("<NAME>.log.laid", seat, cards=(card,))
        state.turn = self.next_seat(state, seat)
        if len(state.trick) == self.seats:
            self._take(state)

    def _take(self, state: <CLASS>State) -> None:
        """The highest card of a whole trick takes it."""
        winner, _ = max(state.trick, key=lambda laid: RANKS.index(rank_of(state.public[laid[1]])))
        state.taken = tuple(count + (seat == winner) for seat, count in enumerate(state.taken))
        state.heap += tuple(card for _, card in state.trick)
        state.trick = ()
        state.turn = winner
        state.say("<NAME>.log.took", winner)

    def outcome(self, state: <CLASS>State) -> Outcome | None:
        if state.requests or any(state.hands) or not state.heap:
            return None
        return Outcome(state.taken, self.best(state, state.taken), "<NAME>.ended")

    def standings(self, state: <CLASS>State) -> tuple[int, ...]:
        return state.taken

    def moves(self, state: <CLASS>State, seat: int, faces: Faces) -> Iterator[Move]:
        for card in state.hands[seat]:
            yield ("lay", card)

    def zones(self, state: <CLASS>State) -> dict[Zone, tuple[Card, ...]]:
        hands: dict[Zone, tuple[Card, ...]] = {("hand", str(seat)): hand for seat, hand in enumerate(state.hands)}
        return {"pile": state.pile, "trick": tuple(card for _, card in state.trick), "heap": state.heap, **hands}
'''

RULEBOOK: Final = '''# <TITLE>

Everybody is dealt five cards. In turn each player lays one card open.

## The trick

Whoever laid the highest card takes the trick and leads to the next. An ace is low, a king is high; of equal cards the first
counts.

:: 4C QH 9S :: The queen takes this trick.

## The end

When all cards are played, whoever took most tricks wins.
'''

WORDS: Final[Mapping[str, Mapping[str, object]]] = {
    "en": {
        "tagline": "Say in one line what it is like",
        "options": {"cards": {"label": "Cards", "help": "How many cards everybody is dealt."}},
        "log": {"laid": "{seat} laid {cards}.", "laid_you": "You laid {cards}.",
                "took": "{seat} took the trick.", "took_you": "You took the trick."},
        "ended": "All cards are played.",
    },
    "de": {
        "tagline": "Sag in einer Zeile, wie es sich spielt",
        "options": {"cards": {"label": "Karten", "help": "Wie viele Karten jeder bekommt."}},
        "log": {"laid": "{seat} legt {cards}.", "laid_you": "Du legst {cards}.",
                "took": "{seat} nimmt den Stich.", "took_you": "Du nimmst den Stich."},
        "ended": "Alle Karten sind gespielt.",
    },
}

EXAMPLE: Final = '''"""Examples of this family's games for the tests that all games share."""

from __future__ import annotations

from tests.support.examples import Example

EXAMPLES = {
    "<GAME>": Example(option_sets=((2, {}), (5, {"cards": 10}))),
}
'''

TEST: Final = '''"""<TITLE>: what its rulebook says, tried at the table."""

from __future__ import annotations

import pytest

from tabletin.games.<NAME>.rules import <CLASS>
from tabletin.kernel.deck52 import RANKS, rank_of
from tabletin.kernel.faces import Card
from tests.support.board_tables import seated


@pytest.mark.parametrize("winner", [0, 1])
def test_the_highest_card_takes_the_trick_and_leads_to_the_next(winner: int) -> None:
    table = seated("<GAME>", 2, seed=1)
    match = table.match
    assert isinstance(match.rules, <CLASS>)
    faces = match.view((0, 1)).faces

    def rank(card: Card) -> int:
        return RANKS.index(rank_of(faces[card]))

    laid = [(max if seat == winner else min)(match.state.hands[seat], key=rank) for seat in range(2)]
    assert rank(laid[winner]) > rank(laid[1 - winner]), "take another seed"
    for seat, card in enumerate(laid):
        table.move(seat, ("lay", card))
    assert match.state.taken == ((1, 0) if winner == 0 else (0, 1))
    assert match.rules.to_act(match.state) == (winner,)


def test_a_card_of_somebody_elses_hand_is_refused() -> None:
    match = seated("<GAME>", 2, seed=1).match
    refusal = match.view((0,)).refusal(0, ("lay", match.state.hands[1][0]))
    assert refusal is not None and refusal.key == "kernel.unknown_card"
'''
