"""Portraits of the bots' characters: twelve drawn people, by the number of their stock name; who has a habit in common shows it.

The careful wear glasses, the bold grin under wild hair, collectors wear what they have found, sprinters are dressed to run. Pure:
SVG that takes its two colours, ``--seat`` and ``--seat-ink``, from the page's style sheet.
"""

from __future__ import annotations

from typing import Final

from tabletin.board.avatar import DARK, FUR, INK, LIGHT, SIDE
from tabletin.board.svg import Markup

HAIR: Final = FUR
SHIRT: Final = f'<path d="M14 101Q16 80 50 80Q84 80 86 101Z" {FUR}/>'
HEAD: Final = f'<ellipse cx="50" cy="55" rx="27" ry="29" {LIGHT}/>'
EYES: Final = f'<circle cx="40" cy="54" r="3.6" {DARK}/><circle cx="60" cy="54" r="3.6" {DARK}/>'
SMILE: Final = f'<path d="M41 69q9 7 18 0" {INK}/>'
GRIN: Final = f'<path d="M37 66Q50 84 63 66Z" {DARK}/>'
CALM: Final = HEAD + EYES + SMILE
WILD: Final = HEAD + EYES + GRIN
ROUND_GLASSES: Final = f'<circle cx="39" cy="54" r="9.5" {INK}/><circle cx="61" cy="54" r="9.5" {INK}/>'
SQUARE_GLASSES: Final = f'<path d="M29 47h19v14h-19zM52 47h19v14h-19zM48 53h4" {INK}/>'
HALF_GLASSES: Final = f'<path d="M30 55h18q-1 11-9 11t-9-11zM52 55h18q-1 11-9 11t-9-11zM48 57h4" {INK}/>'


def _hair(outline: str) -> Markup:
    return f'<path d="{outline}" {HAIR}/>'


PORTRAITS: Final[tuple[Markup, ...]] = (
    # careful, with a bun and round glasses
    f'<circle cx="50" cy="15" r="11" {HAIR}/>' + SHIRT + CALM
    + _hair("M22 55C18 32 32 23 50 23S82 32 78 55C74 42 64 37 50 37S26 42 22 55Z") + ROUND_GLASSES,
    # bold, with spikes
    SHIRT + WILD + _hair("M22 52L14 32L29 33L30 14L43 25L53 8L61 25L76 15L74 33L88 34L78 52C73 42 63 40 50 40S27 42 22 52Z"),
    # a collector, with a flower on a wide hat
    SHIRT + CALM + _hair("M26 74C17 66 20 40 24 38H76C80 40 83 66 74 74C76 60 75 50 73 44H27C25 50 24 60 26 74Z")
    + f'<path d="M29 35C29 6 71 6 71 35Z" {LIGHT}/><path d="M6 38Q50 26 94 38Q88 46 50 43Q12 46 6 38Z" {LIGHT}/>'
    + "".join(f'<circle cx="{x}" cy="{y}" r="5" {HAIR}/>' for x, y in ((66, 20), (74, 26), (71, 35), (61, 35), (58, 26)))
    + f'<circle cx="66" cy="28" r="3.5" {DARK}/>',
    # a sprinter, with a headband
    SHIRT + CALM + _hair("M22 46C18 22 34 15 52 15S82 24 78 46Z") + f'<path d="M21 38Q50 31 79 38V47Q50 40 21 47Z" {LIGHT}/>'
    + f'<path d="M79 42l14-6m-14 7l13 8" {INK}/>',
    # careful, with a bob and square glasses
    _hair("M18 80V48C18 26 32 16 50 16S82 26 82 48V80Q76 84 70 80V50H30V80Q24 84 18 80Z") + SHIRT + CALM
    + _hair("M24 48C24 30 34 24 50 24S76 30 76 48Q50 38 24 48Z") + SQUARE_GLASSES,
    # bold, with curls and freckles
    SHIRT + WILD + "".join(f'<circle cx="{x}" cy="{y}" r="11" {HAIR}/>' for x, y in
                           ((23, 42), (77, 42), (29, 28), (71, 28), (40, 19), (60, 19), (50, 29)))
    + "".join(f'<circle cx="{x}" cy="{y}" r="1.5" {DARK}/>' for x, y in ((31, 62), (35, 65), (69, 62), (65, 65))),
    # a collector, with plaits, bows and a beret
    "".join(f'<ellipse cx="{x}" cy="{y}" rx="8" ry="7" {HAIR}/>' for x in (18, 82) for y in (58, 70, 82)) + SHIRT + CALM
    + _hair("M23 52C21 36 32 30 50 30S79 36 77 52C68 46 58 42 50 36C42 42 32 46 23 52Z")
    + "".join(f'<path d="M{x} 90l-9-6v12zM{x} 90l9-6v12z" {DARK}/>' for x in (18, 82))
    + f'<path d="M18 32C16 10 74 4 84 30Q50 22 18 32ZM50 13v-7" {LIGHT}/>',
    # a sprinter, with a cap
    SHIRT + CALM + _hair("M23 40C23 18 34 12 50 12S77 18 77 40Q50 33 23 40Z")
    + f'<path d="M42 36Q72 30 97 42Q74 47 42 40Z" {DARK}/>',
    # careful, with long hair and half glasses
    _hair("M15 96C22 76 14 58 20 42C25 24 36 17 50 17S75 24 80 42C86 58 78 76 85 96Z") + SHIRT + CALM
    + _hair("M24 56C22 36 34 27 50 24C66 27 78 36 76 56C70 44 60 38 50 28C40 38 30 44 24 56Z") + HALF_GLASSES,
    # bold, with an eye patch and a scarf on the head
    SHIRT + HEAD + f'<circle cx="40" cy="54" r="3.6" {DARK}/>' + GRIN + f'<ellipse cx="61" cy="54" rx="9" ry="8" {DARK}/>'
    + f'<path d="M25 40L58 48M68 48L77 42" {INK}/>' + _hair("M22 44C20 22 34 15 50 15S80 22 78 44Q50 32 22 44Z")
    + f'<path d="M78 40l14 2-9 5 7 9-13-8z" {HAIR}/>'
    + "".join(f'<circle cx="{x}" cy="{y}" r="2.5" {DARK}/>' for x, y in ((36, 28), (50, 22), (64, 28))),
    # a collector, with curls and a necklace
    "".join(f'<circle cx="{x}" cy="{y}" r="10" {HAIR}/>' for x, y in
            ((20, 62), (80, 62), (19, 46), (81, 46), (25, 31), (75, 31), (38, 21), (62, 21), (50, 18))) + SHIRT + CALM
    + _hair("M26 44C30 34 40 30 50 30S70 34 74 44Q50 36 26 44Z")
    + "".join(f'<circle cx="{x}" cy="{y}" r="4.5" {LIGHT}/>' for x, y in ((30, 84), (39, 89), (50, 91), (61, 89), (70, 84))),
    # a sprinter, with hair in the wind
    SHIRT + CALM + _hair("M23 48C18 24 34 17 50 17C62 17 76 12 95 16Q88 20 86 24Q94 26 97 32Q86 30 80 34Q88 38 90 44Q78 40 76 46"
                         "C68 34 58 36 44 36Q30 38 23 48Z")
    + f'<path d="M3 52h11M1 63h12M4 74h9" {INK}/>',
)
"""The inner SVG of each, ``SIDE`` by ``SIDE``."""


def portrait(number: int) -> Markup:
    """The picture of the ``number``-th stock name, from 1."""
    return f'<svg class="avatar" viewBox="0 0 {SIDE} {SIDE}" aria-hidden="true" focusable="false">{PORTRAITS[number - 1]}</svg>'
