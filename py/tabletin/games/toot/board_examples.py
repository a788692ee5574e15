"""Three TooTs by way of example, pale, where the first one of a table will lie: a card by itself, two of a kind that makes one,
a number on top (TO-2). Pictures and words alone; none of them is a card of the match.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from tabletin.board.scene import Drawing, Label, Piece, Rect
from tabletin.games.toot import art
from tabletin.games.toot.arrangement import FaceNode
from tabletin.games.toot.board_stacks import TootStack, arrange, lines, number_cards
from tabletin.kernel.faces import Face

PURPLE: Final[FaceNode] = ((("purple", None),), ())
EXAMPLES: Final[tuple[tuple[str, FaceNode], ...]] = (
    ("alone", PURPLE),
    ("two", ((("red", None), ("blue", None)), ())),
    ("number", ((("1", None),), (PURPLE,))),
)
LARGEST: Final = 1.3  # of a card of the hand
LETTER: Final = 0.33  # of a line's height that a letter is wide


def examples(room: Rect, card: float, line: float, language: str, say: Callable[[str], str]) -> tuple[list[Piece], list[Label]]:
    """The examples in ``room``, side by side or one under another, each with its words in a line of ``line`` px below; cards
    about as large as one of the hand, which is ``card`` px wide. No pictures where they would be too small to be told apart."""
    is_wide = room.width > 1.5 * room.height
    across, down = (len(EXAMPLES), 1) if is_wide else (1, len(EXAMPLES))
    width, height = room.width / across, room.height / down
    pieces: list[Piece] = []
    labels: list[Label] = []
    for index, (key, example) in enumerate(EXAMPLES):
        cell = Rect(room.x + width * (index if is_wide else 0), room.y + height * (0 if is_wide else index), width, height)
        words = say(f"example.{key}")
        said = [words] if LETTER * line * len(words) <= width - 6 else _halves(words)
        foot, upper = cell.grow(-3).foot(line * len(said))
        node, faces = number_cards(example)
        stack = TootStack(tuple(lines(node)))
        how = arrange([stack], upper, card * LARGEST, 0.0)
        pieces += [Piece(f"{key}{lie.card}", _drawing(faces[lie.card], language), lie.x, lie.y, how.width,
                         z=lie.z, flags=("example",)) for lie in stack.lies(how.rects[0], how.width, how.strip, 1)]
        labels += [Label(f"example-{key}{number}", foot.centre[0], foot.y + line * (number + 0.5), text,
                         speech="" if number else words) for number, text in enumerate(said)]
    return pieces, labels


@cache
def _drawing(face: Face, language: str) -> Drawing:
    """A card that is nobody's: its drawing shows no face of the match."""
    return Drawing(art.front(face, language), *art.VIEWBOX)


def _halves(words: str) -> list[str]:
    """``words`` in two lines of about the same length."""
    gaps = [index for index, letter in enumerate(words) if letter == " "]
    middle = min(gaps, key=lambda index: abs(index - len(words) / 2), default=len(words))
    return [words[:middle], words[middle + 1:]]
