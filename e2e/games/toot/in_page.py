"""How TooT's table draws a face besides its card, for the witness in the page: runs there after ``inside_page.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabletin.games.toot import board_examples
from tabletin.games.toot.board_stacks import drawing
from tabletin.games.toot.cards import DECK, STATED

if TYPE_CHECKING:
    from e2e.support.in_page.inside_page import DRAWINGS, EXAMPLES, PLAIN_NAMES


def drawings() -> list[tuple[str, str]]:
    """Every face in a TooT on the table, an X as what it is stated to be."""
    return [*((face, drawing(face).markup) for face in dict.fromkeys(DECK)),
            *(("X", drawing("X", stated).markup) for stated in STATED)]


def is_example(key: str) -> bool:
    return key.startswith(tuple(name for name, _ in board_examples.EXAMPLES))


DRAWINGS["toot"] = drawings
EXAMPLES["toot"] = is_example
PLAIN_NAMES.add("toot")  # its faces are called by colours and numbers
