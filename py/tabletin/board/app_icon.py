"""The app's own picture as a whole SVG: an open tin with a card, a tooth and a domino looking out.

Colours are the light values of the tokens, because an icon stands alone. It knows no game.
"""

from __future__ import annotations

from typing import Final

from tabletin.board.svg import PAINTS, Markup, circle, group, path, rect, standalone

SIZE: Final = 512
WHOLE: Final = 1.08
SAFE: Final = 0.84
"""How large the picture is: as it stands, and where a launcher may cut the icon to a circle."""

TOOTH: Final = ("M-58-40Q-60-72-30-70Q-14-70 0-62Q14-70 30-70Q60-72 58-40Q56-10 44 12Q38 66 24 66H-24Q-38 66-44 12"
                "Q-56-10-58-40z")


def app_icon_svg(maskable: bool) -> str:
    """The icon: on round-cornered enamel, or ``maskable``, on enamel to the edges with all of it in the safe middle."""
    ground = rect(0, 0, SIZE, SIZE, 0 if maskable else 112, f'fill="{PAINTS["enamel"]}"')
    scale = SAFE if maskable else WHOLE
    picture = group(_pieces() + _tin(), f'transform="translate(256 256) scale({scale}) translate(-256 -256)" '
                                        f'stroke="{PAINTS["ink"]}" stroke-width="10" stroke-linejoin="round"')
    return standalone(SIZE, SIZE, ground + picture)


def _pieces() -> Markup:
    card = (rect(-68, -92, 136, 200, 18, f'fill="{PAINTS["paper"]}"')
            + circle(0, -30, 40, f'fill="{PAINTS["blue"]}" stroke="{PAINTS["blue-ink"]}"'))
    pips = "".join(circle(x, y, 15) for x in (-27, 27) for y in (-74, -34, 6))
    tile = (rect(-60, -112, 120, 230, 20, f'fill="{PAINTS["ivory"]}"')
            + group(pips, f'fill="{PAINTS["orange"]}" stroke="{PAINTS["orange-ink"]}" stroke-width="7"'))
    tooth = path(TOOTH, f'fill="{PAINTS["tooth"]}" stroke-width="7.4"')
    return (group(card, 'transform="translate(146 220) rotate(-12)"')
            + group(tile, 'transform="translate(374 226) rotate(11)"')
            + group(tooth, 'transform="translate(256 196) scale(1.35)"'))


def _tin() -> Markup:
    body = rect(88, 290, 336, 140, 26, f'fill="{PAINTS["red"]}"')
    band = rect(93, 346, 326, 34, 0, f'fill="{PAINTS["cream"]}" stroke="none"')
    rim = rect(68, 262, 376, 54, 22, f'fill="{PAINTS["red"]}"')
    return body + band + rim
