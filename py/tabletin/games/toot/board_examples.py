"""Four TooTs by way of example, pale, where the first one of a table will lie: a card by itself, two of a kind that makes one,
a number on top, an X that is any card (TO-2). Pictures and words alone; none of them is a card of the match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from tabletin.board.scene import Drawing, Label, Piece, Point, Rect
from tabletin.games.toot.arrangement import FaceNode
from tabletin.games.toot.board_stacks import STRIP, TootStack, drawing, lines, number_cards
from tabletin.games.toot.cards import PRIMARIES, SECONDARIES, WILD
from tabletin.kernel.faces import Face

PURPLE: Final[FaceNode] = ((("purple", None),), ())
GREEN: Final[FaceNode] = ((("green", None),), ())
EXAMPLES: Final[tuple[tuple[str, FaceNode], ...]] = (
    ("alone", PURPLE),
    ("two", ((("red", None), ("blue", None)), ())),
    ("number", ((("1", None),), (PURPLE,))),
    ("wild", ((("X", "1"),), (GREEN,))),
)
LARGEST: Final = 1.5  # of a card of the hand
UNDER: Final = 0.35  # of a line, free between a picture and its words …
APART: Final = 0.25  # … between these and what comes below …
AIR: Final = 0.5  # … and more at most over each row of examples and under the last
SIDE: Final = 6.0  # px left and right of an example
HEADING: Final = 1.3  # lines that the heading takes …
MARGIN: Final = 6.0  # … and px left free over it and under all
LEAST: Final = 32.0  # px of a card's width where examples are no must …
LEAST_ALONE: Final = 40.0  # … where they stand without words …
LEAST_WITH_WORDS: Final = 24.0  # … and from which they have words
ACROSS: Final = (2, 4)  # examples side by side …
BESIDE: Final = 14.0  # px between a picture and words beside it …
MOST_BESIDE: Final = 3  # … which have so many lines at most, and are no higher than it
ALIKE: Final = 0.92  # … and of the largest, how large they may be where that saves lines of words


def makeable(hand: Collection[Face]) -> frozenset[str]:
    """Which of the examples ``hand`` can make one like; an X counts as itself alone."""
    found = set()
    if any(face in SECONDARIES for face in hand):
        found.add("alone")
    if sum(face in PRIMARIES for face in hand) > 1:
        found.add("two")
    if found and "1" in hand:
        found.add("number")
    if found and WILD in hand:
        found.add("wild")
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class ExamplePlacement:
    """Where examples lie: in ``frame``, with the middle of a heading at ``heading``, their cards ``card`` px wide. ``pictures``
    and ``words`` by example: the left top corner of its cards, and the middle of each of its lines of words, or with
    ``are_beside`` where each begins."""

    frame: Rect
    heading: Point
    card: float
    pictures: Mapping[str, Point]
    words: Mapping[str, Sequence[tuple[Point, str]]]
    are_beside: bool = False

    @property
    def most_lines(self) -> int:
        """Lines of words that an example has at most."""
        return max(map(len, self.words.values()))

    @property
    def has_room(self) -> bool:
        """Whether they are large enough to be known."""
        return self.card >= (LEAST if self.most_lines else LEAST_ALONE)


def place_examples(room: Rect, card: float, line: float, letter: float, say: Callable[[str], str]) -> ExamplePlacement:
    """The examples and their heading in the middle of ``room``, no higher than they need: all or two side by side, whatever makes
    them largest, with their words below or, where two have room for them, beside; these have lines ``line`` px high and letters
    ``letter`` px wide. Where the sizes are about the same, the way with the fewest lines. No card is larger than suits a hand of
    cards ``card`` px wide."""
    ways = [_place(room, across, card, line, letter, say) for across in ACROSS]
    beside = _place_with_words_beside(room, card, line, letter, say)
    if beside is not None and beside.card >= max(way.card for way in ways):
        return beside
    if max(way.card for way in ways) < LEAST_WITH_WORDS:  # where text is very large the pictures say it
        ways = [_place(room, across, card, line, letter, None) for across in ACROSS]
    largest = max(way.card for way in ways)
    return min((way for way in ways if way.card >= ALIKE * largest), key=lambda way: way.most_lines)


def _place(room: Rect, across: int, card: float, line: float, letter: float,
           say: Callable[[str], str] | None) -> ExamplePlacement:
    """The same with ``across`` of them side by side. ``say`` is None where they have no words."""
    keys, width = [key for key, _ in EXAMPLES], room.width / across
    letters = (width - 2 * SIDE) / letter
    said = {key: _wrapped(say(f"example.{key}"), letters) if say else () for key in keys}
    rows = [keys[start:start + across] for start in range(0, len(keys), across)]
    shares = [max(_size(key)[1] for key in row) for row in rows]
    below = [line * (UNDER + max(len(said[key]) for key in row) + APART) for row in rows]
    title = MARGIN + HEADING * line
    high = room.height - title - MARGIN - sum(below)
    wide = min((width - 2 * SIDE) / _size(key)[0] for key in keys)
    size = max(0.0, min(wide, high / sum(shares), LARGEST * card))
    air = max(0.0, min(AIR * line, (high - size * sum(shares)) / (len(rows) + 1)))
    frame = room._replace(height=min(room.height, room.height - high + size * sum(shares) + air * (len(rows) + 1)))
    frame = frame._replace(y=room.centre[1] - frame.height / 2)
    pictures: dict[str, Point] = {}
    words: dict[str, Sequence[tuple[Point, str]]] = {}
    foot = frame.y + title
    for row, share, under in zip(rows, shares, below, strict=True):
        foot += air + size * share
        for index, key in enumerate(row):
            middle, (own_width, own_height) = frame.x + width * (index + 0.5), _size(key)
            pictures[key] = middle - size * own_width / 2, foot - size * own_height
            words[key] = [((middle, foot + line * (UNDER + number + 0.5)), text) for number, text in enumerate(said[key])]
        foot += under
    return ExamplePlacement(frame, (frame.centre[0], frame.y + MARGIN + HEADING * line / 2), size, pictures, words)


def _place_with_words_beside(room: Rect, card: float, line: float, letter: float,
                             say: Callable[[str], str]) -> ExamplePlacement | None:
    """The same with two side by side, each with its words right of it; None where these have no room there."""
    bare, keys = _place(room, 2, card, line, letter, None), [key for key, _ in EXAMPLES]
    pictures: dict[str, Point] = {}
    words: dict[str, Sequence[tuple[Point, str]]] = {}
    for column in (keys[::2], keys[1::2]):
        widest = bare.card * max(_size(key)[0] for key in column)
        free = room.width / 2 - 2 * SIDE - BESIDE - widest
        said = {key: _wrapped(say(f"example.{key}"), free / letter) for key in column}
        wide = letter * max(len(text) for lines_of_one in said.values() for text in lines_of_one)
        if wide > free or any(len(texts) > min(MOST_BESIDE, bare.card * _size(key)[1] / line) for key, texts in said.items()):
            return None
        for key in column:
            own_width, own_height = (bare.card * share for share in _size(key))
            x, y = bare.pictures[key]
            middle = x + own_width / 2 - (BESIDE + wide) / 2
            pictures[key] = middle - own_width / 2, y
            first = y + (own_height - line * (len(said[key]) - 1)) / 2
            words[key] = [((middle + widest / 2 + BESIDE, first + line * at), text) for at, text in enumerate(said[key])]
    return replace(bare, pictures=pictures, words=words, are_beside=True)


def examples(at: ExamplePlacement, language: str, say: Callable[[str], str],
             lit: Collection[str]) -> tuple[list[Piece], list[Label]]:
    """The examples as ``at`` places them. ``lit``: those that are not pale."""
    pieces: list[Piece] = []
    labels: list[Label] = []
    for key, _ in EXAMPLES:
        stack, faces = _stack(key)
        flags = ("example", "legal") if key in lit else ("example",)
        pieces += [Piece(f"{key}{lie.card}", _drawing(faces[lie.card], lie.stated_face, language), lie.x, lie.y, at.card,
                         z=lie.z, flags=flags) for lie in stack.lies(Rect(*at.pictures[key], 0, 0), at.card, STRIP, 1)]
        labels += [Label(f"example-{key}{number}", x, y, text, "title" if key in lit else "plain",
                         speech="" if number else say(f"example.{key}"), anchor="start" if at.are_beside else "")
                   for number, ((x, y), text) in enumerate(at.words[key])]
    return pieces, labels


@cache
def _stack(key: str) -> tuple[TootStack, Mapping[int, Face]]:
    """The example ``key`` as a stack, and the face of each of its cards."""
    node, faces = number_cards(dict(EXAMPLES)[key])
    return TootStack(tuple(lines(node))), faces


def _size(key: str) -> tuple[float, float]:
    """How wide and how high the example ``key`` is, in widths of a card."""
    return _stack(key)[0].size(1, STRIP)


@cache
def _drawing(face: Face, stated: Face | None, language: str) -> Drawing:
    """A card that is nobody's: its drawing shows no face of the match."""
    return replace(drawing(face, stated, language), shows=None)


@lru_cache(256)
def _wrapped(words: str, letters: float) -> tuple[str, ...]:
    """``words`` in as few lines as possible of at most ``letters`` letters, where a word is not longer by itself, and these about
    as long as each other."""
    said = _filled(words, letters)
    while letters > 1 and len(narrower := _filled(words, letters - 1)) == len(said):
        said, letters = narrower, letters - 1
    return tuple(said)


def _filled(words: str, letters: float) -> list[str]:
    """``words`` in lines, each as full as can be."""
    said: list[str] = []
    for word in words.split():
        if said and len(said[-1]) + 1 + len(word) <= letters:
            said[-1] += f" {word}"
        else:
            said.append(word)
    return said
