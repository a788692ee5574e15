"""Four TooTs by way of example, pale, where the first one of a table will lie: a card by itself, two of a kind that makes one,
a number on top, an X that is any card (TO-2). Pictures and words alone; none of them is a card of the match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from tabletin.board.scene import Drawing, Label, Piece, Rect
from tabletin.games.toot.arrangement import FaceNode
from tabletin.games.toot.board_stacks import TootStack, arrange, drawing, lines, number_cards
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
UNDER: Final = 0.4  # of a line, free between a picture and its words
WIDE: Final = 1.5  # cards, how wide the largest example is with its margin …
HIGH: Final = 1.75  # … and how high
PICTURE: Final = 0.5  # of the width, where the words stand beside
FULL: Final = 0.8  # of its height: more words leave an example no room
HEADING: Final = 1.3  # lines that the heading takes …
MARGIN: Final = 12.0  # … and px left free over and under all
LEAST: Final = 40.0  # px of a card's width where examples are no must
ACROSS: Final = (1, 2, 4)  # examples side by side
LETTER: Final = 0.33  # of a line's height that a letter is wide


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


def _words_below(room: Rect, across: int, line: float, say: Callable[[str], str]) -> dict[str, list[str]]:
    """What is said below each example where so many lie side by side."""
    letters = (room.width / across - 12) / (LETTER * line)
    return {key: _wrapped(say(f"example.{key}"), letters) for key, _ in EXAMPLES}


def _sizes(room: Rect, line: float, say: Callable[[str], str]) -> list[tuple[int, int, int]]:
    """How wide a card may be in ``room``, px, with how many lines of words of ``line`` px below it, negative, for each number of
    examples side by side; one alone has its words beside."""
    found = []
    for across in ACROSS:
        width, height = room.width / across, room.height * across / len(EXAMPLES)
        words = 0 if across == 1 else max(map(len, _words_below(room, across, line, say).values()))
        wide = width * (PICTURE if across == 1 else 1) / WIDE
        found.append((round(min(wide, (height - words * line) / HIGH)), -words, across))
    return found


def _across(room: Rect, line: float, say: Callable[[str], str]) -> int:
    """How many lie side by side in ``room``: so that they are largest, and then with the fewest lines of words."""
    return max(_sizes(room, line, say))[2]


def has_room(room: Rect, line: float, say: Callable[[str], str]) -> bool:
    """Whether examples in ``room`` are large enough to be known, with their heading."""
    rest = room._replace(height=room.height - HEADING * line - 2 * MARGIN)
    return max(_sizes(rest, line, say))[0] >= LEAST


def fitting(room: Rect, card: float, line: float, say: Callable[[str], str]) -> Rect:
    """The part of ``room``, in its middle, that a heading and the examples need: all of it where they lie one under another, no
    more height than they fill where they lie side by side."""
    across = _across(room, line, say)
    if across == 1:
        return room
    rows = len(EXAMPLES) // across
    words = max(map(len, _words_below(room, across, line, say).values()))
    largest = min(card * LARGEST, room.width / across / WIDE)
    high = min(room.height, rows * (HIGH * largest + (words + 2 * UNDER) * line) + HEADING * line + 2 * MARGIN)
    return room._replace(y=room.centre[1] - high / 2, height=high)


def examples(room: Rect, card: float, line: float, language: str, say: Callable[[str], str],
             lit: Collection[str]) -> tuple[list[Piece], list[Label]]:
    """The examples in ``room``: all or two side by side with their words below, or one under another with their words beside, in
    lines of ``line`` px; cards about as large as one of the hand, which is ``card`` px wide. ``lit``: those that are not pale."""
    across = _across(room, line, say)
    width, height = room.width / across, room.height * across / len(EXAMPLES)
    pieces: list[Piece] = []
    labels: list[Label] = []
    words_at: list[tuple[str, list[str], Rect]] = []
    pictures: list[tuple[str, FaceNode, Rect]] = []
    below = _words_below(room, across, line, say)
    most_words = max(map(len, below.values()))
    for index, (key, example) in enumerate(EXAMPLES):
        top, left = divmod(index, across)
        cell = Rect(room.x + width * left, room.y + height * top, width, height).grow(-3)
        if across > 1:
            said = below[key]
            beside, picture = cell.foot(line * most_words)  # so that all pictures are half-way up alike
        else:
            said = _wrapped(say(f"example.{key}"), cell.width * (1 - PICTURE) / (LETTER * line))
            wide = min(cell.width * (1 - PICTURE), LETTER * line * max(map(len, said)))
            share = min(cell.width * PICTURE, cell.height)
            picture, beside = Rect(cell.centre[0] - (share + wide) / 2, cell.y, share + wide, cell.height).left(share)
        pictures.append((key, example, picture))
        if line * len(said) <= FULL * cell.height:  # where text is larger, the picture says it
            words_at.append((key, said, beside))
    most, lowest = min(_largest(example, picture, card) for _, example, picture in pictures), dict[float, float]()
    for key, example, picture in pictures:
        node, faces = number_cards(example)
        stack = TootStack(tuple(lines(node)))
        how = arrange([stack], picture, most, 0.0, ())
        flags = ("example", "legal") if key in lit else ("example",)
        pieces += [Piece(f"{key}{lie.card}", _drawing(faces[lie.card], lie.stated_face, language), lie.x, lie.y, how.width,
                         z=lie.z, flags=flags) for lie in stack.lies(how.rects[0], how.width, how.strip, 1)]
        lowest[picture.y] = max(lowest.get(picture.y, room.y), how.rects[0].bottom)
    for key, said, beside in words_at:
        x, y = beside.centre[0], beside.centre[1] - line * len(said) / 2
        if across > 1:  # right under the pictures of this row, all alike
            y = min(beside.y, max(low for top, low in lowest.items() if top < beside.y) + UNDER * line)
        labels += [Label(f"example-{key}{number}", x, y + line * (number + 0.5), text, "title" if key in lit else "plain",
                         speech="" if number else say(f"example.{key}")) for number, text in enumerate(said)]
    return pieces, labels


def _largest(example: FaceNode, picture: Rect, card: float) -> float:
    """How wide a card of ``example`` may be in ``picture``: the smallest of them is what all are."""
    return arrange([TootStack(tuple(lines(number_cards(example)[0])))], picture, card * LARGEST, 0.0, ()).width


@cache
def _drawing(face: Face, stated: Face | None, language: str) -> Drawing:
    """A card that is nobody's: its drawing shows no face of the match."""
    return replace(drawing(face, stated, language), shows=None)


@lru_cache(256)
def _wrapped(words: str, letters: float) -> list[str]:
    """``words`` in as few lines as possible of at most ``letters`` letters, where a word is not longer by itself, and these about
    as long as each other."""
    said = _filled(words, letters)
    while letters > 1 and len(narrower := _filled(words, letters - 1)) == len(said):
        said, letters = narrower, letters - 1
    return said


def _filled(words: str, letters: float) -> list[str]:
    """``words`` in lines, each as full as can be."""
    said: list[str] = []
    for word in words.split():
        if said and len(said[-1]) + 1 + len(word) <= letters:
            said[-1] += f" {word}"
        else:
            said.append(word)
    return said
