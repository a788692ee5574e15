"""The nine face cards of Teeth Time as SVG: a field by what they do, a corner sign, a picture, two lines of words.

It knows the names of the face cards and the design tokens. It never knows their rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tabletin.board.svg import LINE, Markup, circle, group, lettering, paint, path, rect, words_in

FIELDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({
    "dentist": ("ivory", "enamel-deep"), "fairy": ("ivory", "enamel-deep"), "prevention": ("ivory", "enamel-deep"),
    "cavity": ("purple-soft", "purple-ink"), "broken": ("purple-soft", "purple-ink"),
    "toothache": ("purple-soft", "purple-ink"), "gumpster": ("purple-soft", "purple-ink"),
    "implant": ("ink", "cream"), "bridge": ("ink", "cream"),
})
"""Field and ink: ivory for what one plays for oneself, purple for penalties, black for wilds."""

SIGNS: Final[Mapping[str, str]] = MappingProxyType({"cavity": "+2", "broken": "+4", "gumpster": "10"})
"""What stands in the corner of a card that makes somebody draw."""

MOLAR: Final = ("M-58-40Q-60-72-30-70Q-14-70 0-62Q14-70 30-70Q60-72 58-40Q56-10 44 12Q38 66 24 66Q14 66 8 30Q4 20 0 20"
                "Q-4 20-8 30Q-14 66-24 66Q-38 66-44 12Q-56-10-58-40z")
NAME: Final = 440
"""Units: how long a name is, in its letters times their size, that fills a card."""

LEAST_ACT: Final = 27  # units: letters smaller than that cannot be read on a card that lies small

STAR: Final = "M0-20l5.5 13h14l-11 9l4 14l-12.5-8l-12.5 8l4-14l-11-9h14z"


def small_face_card(face: str, language: str, *, named: bool) -> Markup:
    """The same for a card that lies small: its words larger, or, if it is not ``named``, none and a larger picture."""
    field, ink = FIELDS[face]
    words, place = words_in(language), "translate(125 176)" if named else "translate(125 206) scale(1.16)"
    picture = group(PICTURES[face], f'fill="none" stroke="{paint("ink")}" stroke-width="{LINE}" '
                                    f'stroke-linejoin="round" stroke-linecap="round" transform="{place}"')
    out = rect(10, 10, 230, 330, 11, f'fill="{paint(field)}"') + picture + corner(face, ink)
    if not named:
        return out
    name, act = words.text(f"teeth_time.art.face.{face}"), words.text(f"teeth_time.art.act.{face}")
    out += lettering(name, 125, 297, size_that_fits(name, 38), ink, font="display")
    size = size_that_fits(act, 31)
    return out + lettering(act, 125, 329, size, ink, weight=600) if size >= LEAST_ACT else out


def cut_face_card(face: str) -> Markup:
    """The sign, and below it the picture, of a card cut short to 200 × 216."""
    picture = group(PICTURES[face], f'fill="none" stroke="{paint("ink")}" stroke-width="{LINE}" '
                                    'stroke-linejoin="round" stroke-linecap="round" transform="translate(122 132) scale(.8)"')
    place = "translate(-14 -10) scale(1.12)" if face in SIGNS else "translate(-8 -6) scale(1.12)"
    return picture + group(corner(face, FIELDS[face][1]), f'transform="{place}"')


def in_lines(words: str, most: int, middle: float, down: float, colour: str) -> Markup:
    """``words`` in one line or two about ``middle``, broken where both are about as long; ``most``: the size of its letters."""
    parts = words.split(" ")
    ways = [(" ".join(parts[:at]), " ".join(parts[at:])) for at in range(1, len(parts))]
    lines = min(ways, key=lambda way: max(map(len, way))) if ways else (words,)
    size = min(size_that_fits(line, most) for line in lines)
    top = middle - down * (len(lines) - 1) / 2
    return "".join(lettering(line, 125, top + down * at, size, colour) for at, line in enumerate(lines))


def face_card(face: str, language: str) -> Markup:
    """The inner markup of a face card but for its paper, with its words in ``language``."""
    field, ink = FIELDS[face]
    words = words_in(language)
    name, act = words.text(f"teeth_time.art.face.{face}"), words.text(f"teeth_time.art.act.{face}")
    picture = group(PICTURES[face], f'fill="none" stroke="{paint("ink")}" stroke-width="{LINE}" '
                                    'stroke-linejoin="round" stroke-linecap="round" transform="translate(125 178)"')
    return (rect(10, 10, 230, 330, 11, f'fill="{paint(field)}"') + picture + corner(face, ink)
            + lettering(name, 125, 304, size_that_fits(name, 30), ink, font="display")
            + lettering(act, 125, 330, size_that_fits(act, 21), ink, weight=500))


def size_that_fits(words: str, most: int) -> int:
    """The size of letters, ``most`` at the most, in which ``words`` fit on a card."""
    return min(most, NAME // len(words))


def corner(face: str, ink: str) -> Markup:
    """The sign in the left upper corner."""
    if face in SIGNS:
        return lettering(SIGNS[face], 22, 68, 58, ink, anchor="start")
    fill, line = f'fill="{paint(ink)}"', f'fill="none" stroke="{paint(ink)}" stroke-width="7" stroke-linecap="round"'
    if face == "toothache":
        sign = circle(0, 0, 21, line) + path("M-14 14L14-14", line)
    elif face == "prevention":
        sign = path("M-20-9H17M8-18L18-9L8 0M20 11H-17M-8 2L-18 11L-8 20", line.replace('"7"', '"6"') + JOIN)
    elif face == "dentist":
        sign = path(MOLAR, f'{fill} transform="scale(.4)"')
    elif face == "fairy":
        sign = path(STAR, f'{fill} transform="scale(1.25)"')
    else:
        sign = "".join(path("M2-2V-25A23 23 0 0 1 25-2z", f'fill="{paint(c)}" transform="rotate({t})"')
                       for c, t in (("blue", 0), ("yellow", 90), ("green", 180), ("red", 270)))
    return group(sign, 'transform="translate(49 50)"')


JOIN: Final = ' stroke-linejoin="round"'


def _fill(colour: str) -> str:
    return f'fill="{paint(colour)}"'


def _eyes(x: float, y: float, gap: float, size: float = 5) -> Markup:
    return circle(x - gap, y, size) + circle(x + gap, y, size)


def _dentist() -> Markup:
    coat = path("M-70 84Q-68 34-30 30H30Q68 34 70 84z", _fill("tooth")) + path("M-16 30L0 58L16 30M0 58V84")
    head = circle(0, -18, 46, _fill("cream"))
    cap = path("M-48-30Q-46-76 0-76Q46-76 48-30Q0-46-48-30z", _fill("enamel")) + circle(0, -58, 13, _fill("brass"))
    mask = (path("M-44-8Q0-20 44-8Q42 26 0 34Q-42 26-44-8z", _fill("blue-soft"))
            + path("M-26 6Q0 0 26 6M-22 18Q0 13 22 18"))
    mirror = path("M84 60L70 4", 'stroke-width="7"') + circle(66, -14, 17, _fill("tooth")) + path("M60-18l8-5")
    return coat + head + mask + cap + group(_eyes(0, -24, 17), f'{_fill("ink")} stroke="none"') + mirror


def _fairy() -> Markup:
    wing = path("M-8 0Q-90-70-88-8Q-86 26-10 18zM-8 18Q-74 24-66 58Q-50 78-6 34z", _fill("blue-soft"))
    wings = wing + group(wing, 'transform="scale(-1 1)"')
    dress = path("M0-14L46 84Q23 74 0 84Q-23 74-46 84z", _fill("purple"))
    hair = path("M-34 6V-36A34 34 0 0 1 34-36V6Q0 18-34 6z", _fill("yellow"))
    head = circle(0, -30, 26, _fill("cream"))
    crown = path("M-22-58L-26-80L-10-69L0-86L10-69L26-80L22-58z", _fill("brass"))
    face = path("M-9-34v3M9-34v3M-9-20Q0-11 9-20")
    wand = path("M26 22L62-44") + path(STAR, f'{_fill("yellow")} transform="translate(66-60)"')
    return wings + hair + dress + head + crown + face + wand


def _gumpster() -> Markup:
    body = path("M-64 66Q-74-20-44-34H44Q74-20 64 66Q48 88 32 68Q16 90 0 70Q-16 90-32 68Q-48 88-64 66z", _fill("gum"))
    eyes = group(circle(-20, -6, 15) + circle(20, -6, 15), _fill("tooth"))
    pupils = group(_eyes(3, -3, 19, 6), f'{_fill("ink")} stroke="none"')
    grin = (path("M-38 20H38Q34 52 0 52Q-34 52-38 20z", _fill("gum-ink"))
            + path("M-26 20H-8V36H-25zM6 20H24V35H6z", f'{_fill("tooth")} stroke-width="3"'))
    hat = (path("M-44-42Q-46-90-20-86Q0-74 20-86Q46-90 44-42z", _fill("ink-quiet"))
           + path("M-44-56Q0-46 44-56V-40H-44z", _fill("red")) + path("M-76-38Q0-22 76-38Q56-52 0-46Q-56-52-76-38z",
                                                                      _fill("ink-quiet")))
    return body + eyes + pupils + grin + hat


def _prevention() -> Markup:
    arrows = path("M-80 22A82 82 0 0 1 40-72M22-86L42-72L26-54M80-22A82 82 0 0 1-40 72M-22 86L-42 72L-26 54",
                  f'stroke="{paint("enamel")}" stroke-width="10"')
    bristles = path("M28-11V-34H72V-11", _fill("tooth")) + path("M39-13V-33M50-13V-33M61-13V-33", 'stroke-width="3"')
    paste = path("M26-36Q28-52 40-46Q48-60 58-48Q72-54 74-36z", _fill("blue-soft"))
    handle = path("M-84-2Q-84-12-72-11H76Q84-11 84-2Q84 8 76 8H22Q-6 3-30 10H-72Q-84 10-84-2z", _fill("red"))
    return arrows + group(paste + bristles + handle, 'transform="translate(-4 10) rotate(-40) scale(.9)"')


def _cavity() -> Markup:
    hole = circle(24, -44, 17, _fill("pip-12-ink")) + circle(19, -40, 5, _fill("ink"))
    face = (path("M-24-18v6M14-18v6M-18 8Q-5-6 8 8", 'stroke-width="5"')
            + path("M-34-30l12-6M8-28l8 2", 'stroke-width="3"'))
    return group(path(MOLAR, _fill("tooth")) + hole + face, 'transform="scale(1.22)"')


def _broken() -> Markup:
    crack = "L14-42L-8-24L12-4L0 20"
    left = path(f"M-58-40Q-60-72-30-70Q-14-70 0-62{crack}Q-4 20-8 30Q-14 66-24 66Q-38 66-44 12Q-56-10-58-40z",
                f'{_fill("tooth")} transform="translate(-10 0) rotate(-7)"')
    right = path(f"M58-40Q60-72 30-70Q14-70 0-62{crack}Q4 20 8 30Q14 66 24 66Q38 66 44 12Q56-10 58-40z",
                 f'{_fill("tooth")} transform="translate(12 4) rotate(9)"')
    chips = path("M12-78l8-12l8 12zM34-88l12-4l-2 12z", _fill("tooth"))
    return group(left + right + chips, 'transform="scale(1.16)"')


def _toothache() -> Markup:
    knot = path("M-3-74Q-40-104-38-62zM3-74Q40-104 38-62z", _fill("blue"))
    head = path("M0-66C40-66 58-38 60-4Q80 6 74 34Q66 56 40 58Q24 72 0 72C-40 72-60 36-60 0C-60-38-40-66 0-66z",
                _fill("cream"))
    cheek = circle(52, 28, 13, f'{_fill("gum")} stroke="none"')
    cloth = path("M-30-60Q-84 10-18 70L14 72Q-52 10-8-66zM-8-66Q20-62 34-52L52-40Q40-66 0-70z", _fill("blue"))
    face = path("M-14-20l14 8l-14 8M42-22l-14 8l14 8M-4 34q7-9 14 0t14 0", 'stroke-width="5"')
    bolts = path("M74-30l16-20l-2 14l14-2l-18 22l2-14z", f'{_fill("yellow")} stroke-width="3"')
    return head + cheek + cloth + knot + face + bolts


def _implant() -> Markup:
    bone = rect(-84, 6, 168, 84, 10, _fill("root"))
    gum = path("M-84 30V4Q-60-14-34-2H34Q60-14 84 4V30Q40 18 0 20Q-40 18-84 30z", _fill("gum"))
    screw = (path("M-19 8H19L16 66Q0 86-16 66z", _fill("blue-soft"))
             + path("M-21 24L21 18M-20 40L20 34M-19 56L19 50M-15 70L15 65"))
    crown = path("M-26-2Q-52-30-46-62Q-40-84-22-74L0-66L22-74Q40-84 46-62Q52-30 26-2Q0 8-26-2z", _fill("tooth"))
    return bone + gum + screw + crown


def _bridge() -> Markup:
    gum = path("M-92 84V36Q-60 18-28 38Q0 50 28 38Q60 18 92 36V84z", _fill("gum"))
    stump = path("M-72 30L-66-4H-50L-44 30z", _fill("root"))
    crown = "M-32 16Q-38-14-32-40Q-26-58-12-50Q0-44 0-44Q0-44 12-50Q26-58 32-40Q38-14 32 16Q0 28-32 16z"
    crowns = "".join(path(crown, f'{_fill(c)} transform="translate({x}-6)"')
                     for c, x in (("tooth", -58), ("tooth", 58), ("brass", 0)))
    return gum + stump + group(stump, 'transform="scale(-1 1)"') + crowns


PICTURES: Final[Mapping[str, Markup]] = MappingProxyType({
    "dentist": _dentist(), "fairy": _fairy(), "gumpster": _gumpster(), "prevention": _prevention(),
    "cavity": _cavity(), "broken": _broken(), "toothache": _toothache(), "implant": _implant(), "bridge": _bridge(),
})
"""Each picture about (0, 0), some 180 units wide, drawn in the card's common line."""
