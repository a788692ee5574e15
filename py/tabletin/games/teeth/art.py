"""The 54 cards of Teeth as SVG: the shared deck of 52, one joker twice, a back and a lid of its own.

It knows faces and the design tokens. What a card is worth it is told.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tabletin.board import deck52
from tabletin.board.deck52 import VIEWBOX as VIEWBOX
from tabletin.board.svg import (
    Markup,
    back_frame,
    circle,
    fan,
    group,
    lettering,
    num,
    paint,
    path,
    rect,
    sheet,
    tin_lid,
    words_in,
)
from tabletin.words import SOURCE

FACES: Final = (*deck52.FACES, "joker")


@cache
def front(face: str, language: str = SOURCE) -> Markup:
    """The inner markup of a face, court letters as in ``language``. Raises ``KeyError`` for no face."""
    return _joker(language) if face == "joker" else deck52.front(face, language)


@cache
def worth(text: str) -> Markup:
    """What a card counts, in its corner at the right, in the room of a strip that is seen under another card."""
    wide = min(150, 24 + 21 * len(text))
    pill = rect(238 - wide, 12, wide, 48, 24, f'fill="{paint("paper")}" stroke="{paint("ink")}" stroke-width="3"')
    return pill + lettering(text, 238 - wide / 2, 49, 38, "ink", width=wide - 24 if len(text) > 6 else 0)


def _joker(language: str) -> Markup:
    """A jester with all the teeth showing."""
    word = words_in(language).text("teeth.art.joker")
    line = f'stroke="{paint("ink")}" stroke-width="4" stroke-linejoin="round"'
    cap = (path("M125 150Q95 70 46 92Q34 120 40 150Q62 122 78 176z", f'fill="{paint("red")}"')
           + path("M125 150Q155 70 204 92Q216 120 210 150Q188 122 172 176z", f'fill="{paint("blue")}"')
           + path("M78 176Q96 96 125 62Q154 96 172 176z", f'fill="{paint("yellow")}"'))
    bells = "".join(circle(x, y, 11) for x, y in ((40, 158), (210, 158), (125, 54)))
    face = circle(125, 206, 56, f'fill="{paint("cream")}"')
    grin = path("M93 216H157Q152 250 125 250Q98 250 93 216z", f'fill="{paint("paper")}"')
    teeth = path("M95 232H155M109 217V246M125 217V249M141 217V246", 'fill="none" stroke-width="2.5"')
    eyes = path("M104 194v8M146 194v8", 'fill="none" stroke-linecap="round" stroke-width="6"')
    index = group(_star(38, 46, 24), f'fill="{paint("ink")}"')
    head = group(face + cap + group(bells, f'fill="{paint("brass")}"') + grin + teeth + eyes, line)
    return (sheet(*VIEWBOX) + head + lettering(word, 125, 312, 40, "ink", font="display") + index)


def _star(x: float, y: float, radius: float) -> Markup:
    d = "l6 17h18l-14 11l5 17l-15-10l-15 10l5-17l-14-11h18z"
    return path(f"M{num(x)} {num(y - radius)}{d}")


@cache
def back() -> Markup:
    """The back: four jaws, their teeth closing on each other."""
    jaws = ""
    for y in range(45, 300, 69):
        jaws += f"M35 {y}" + "l9 24l9-24" * 10 + f"zM44 {y + 52}" + "l9-24l9 24" * 9 + "z"
    line = f'stroke="{paint("cream")}" stroke-width="4" stroke-linejoin="round"'
    return back_frame(*VIEWBOX, "pip-9-ink", path(jaws, f'fill="{paint("cream")}" {line}'))


@cache
def lid(game: str = "teeth", language: str = SOURCE) -> Markup:
    """The tin's lid: a closed card, two of a column, a joker."""
    return tin_lid("pip-9-ink", fan([back(), *(front(face, language) for face in ("7C", "QH", "AS", "joker"))], VIEWBOX, 74, 10))


def name(face: str) -> tuple[str, dict[str, str]]:
    """The catalogue key and parameters of a card's alternative text, for ``Wording.face``."""
    if face == "joker":
        return "teeth.art.joker", {}
    return deck52.name(face)
