"""The design tokens keep their promises: contrast computed by WCAG 2.2, pieces painted as the sheet says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from tabletin.app.settings import CLOTHS as CHOICES
from tabletin.board.svg import PAINTS

SHEET = (Path(__file__).parents[3] / "web/styles/tokens.css").read_text("utf-8")
TOKENS = dict(re.findall(r"^  --([\w-]+): (#[^;]+|light-dark\(#[^;]+\));", SHEET, re.M))
THEMES = ("light", "dark")


def colour(token: str, theme: str) -> str:
    """The six hex digits a token has in a theme."""
    value = str(TOKENS[token])
    if value.startswith("light-dark"):
        light, dark = value.removeprefix("light-dark(").removesuffix(")").split(", ")
        value = light if theme == "light" else dark
    assert re.fullmatch(r"#[0-9a-f]{6}", value), (token, value)
    return value


def linear(hexadecimal: str) -> list[float]:
    """Red, green and blue as amounts of light."""
    parts = [int(hexadecimal[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def luminance(hexadecimal: str) -> float:
    red, green, blue = linear(hexadecimal)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, theme: str) -> float:
    high, low = sorted((luminance(colour(one, theme)), luminance(colour(other, theme))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_the_guideline_says() -> None:
    assert luminance("#ffffff") == pytest.approx(1) and luminance("#000000") == 0
    assert (luminance("#ffffff") + 0.05) / (luminance("#767676") + 0.05) == pytest.approx(4.54, abs=0.01)


GAME = ("red", "blue", "green", "yellow", "orange", "purple")
APART = 0.08  # of lightness and hue in OKLab; full black and white are 1 apart
EYES = {  # how linear red, green and blue reach eyes that lack one kind of cone; Machado, Oliveira and Fernandes 2009
    "all three cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
CONES = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
         (0.0883024619, 0.2817188376, 0.6299787005))
OKLAB = ((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
         (0.0259040371, 0.7827717662, -0.8086757660))
Matrix = tuple[tuple[float, ...], ...]


def times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(weight * part for weight, part in zip(row, vector, strict=True)) for row in matrix]


def seen(hexadecimal: str, eyes: str) -> list[float]:
    """A colour in OKLab as ``eyes`` see it (Björn Ottosson, 2020)."""
    cones = times(CONES, times(EYES[eyes], linear(hexadecimal)))
    return times(OKLAB, [max(0.0, cone) ** (1 / 3) for cone in cones])


def test_oklab_is_computed_as_published() -> None:
    assert seen("#ffffff", "all three cones") == pytest.approx([1, 0, 0], abs=1e-4)
    assert seen("#ff0000", "all three cones") == pytest.approx([0.628, 0.2249, 0.1258], abs=1e-3)


@pytest.mark.parametrize("eyes", EYES)
def test_game_colours_are_told_apart_by_all_eyes(eyes: str) -> None:
    """Shapes, letters and patterns say the colour, too; this is so that nobody has to look twice."""
    near = {pair: round(apart, 3) for pair in combinations(GAME, 2)
            if (apart := dist(*(seen(colour(game, "light"), eyes) for game in pair))) < APART}
    assert not near


WORDS = [(text, ground) for ground in ("table", "table-deep", "table-grain", "panel", "panel-raised")
         for text in ("text", "text-quiet", "accent", "accent-strong", "chosen", "good", "bad")]
WORDS += [("accent-text", "accent"), ("accent-text", "accent-strong"), ("text", "accent-soft"),
          ("text", "bad-soft"),
          ("cream", "enamel"), ("cream", "enamel-deep"), ("ink", "brass")]
WORDS += [("ink-quiet", ground) for ground in ("paper", "paper-shade", "ivory")]
INDICES = [(f"{game}-ink", ground) for game in GAME for ground in ("paper", "ivory")] + [("ink", "paper")]
INDICES += [("ink", f"{game}-soft") for game in GAME] + [("cream", "ink")]
INDICES += [(f"{game}-ink", f"{game}-soft") for game in ("red", "blue", "green", "yellow")]  # Iota's cards where they lie small
SIGNS = [(f"{game}-ink", f"{game}-soft") for game in GAME]
SIGNS += [("line-strong", "panel"), ("line-strong", "table"), ("line-strong", "table-deep")]
SIGNS += [(f"pip-{n}-ink", "ivory") for n in range(1, 13)]
SIGNS += [(sign, ground) for ground in ("table", "panel", "panel-raised")
          for sign in ("focus", "legal", "chosen")]
SIGNS += [("paper", game) for game in ("red", "blue", "green", "purple")]
SIGNS += [("yellow-ink", "yellow"), ("orange-ink", "orange")]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("least", "pairs"), [(7.0, INDICES), (4.5, WORDS), (3.0, SIGNS)],
                         ids=["AAA", "AA", "signs"])
def test_contrast(theme: str, least: float, pairs: list[tuple[str, str]]) -> None:
    short = {pair: round(contrast(*pair, theme), 2) for pair in pairs if contrast(*pair, theme) < least}
    assert not short


WOVEN = (Path(__file__).parents[3] / "web/styles/cloths.css").read_text("utf-8")
CLOTHS = {name: dict(re.findall(r"^  --([\w-]+): ([^;]+);", tokens, re.M))
          for name, tokens in re.findall(r'^:root\[data-cloth="(\w+)"\],\n[^{]*\{\n(.*?)^\}',
                                         WOVEN, re.M | re.S)}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("cloth", CLOTHS)
def test_words_are_read_on_every_cloth(cloth: str, theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for token, value in CLOTHS[cloth].items():
        monkeypatch.setitem(TOKENS, token, value)
    on_table = [(text, ground) for text, ground in WORDS if ground.startswith("table")]
    short = {pair: round(contrast(*pair, theme), 2) for pair in on_table if contrast(*pair, theme) < 4.5}
    short |= {pair: round(contrast(*pair, theme), 2) for pair in SIGNS if pair[1] == "table" and contrast(*pair, theme) < 3}
    assert not short
    assert contrast("cream", "back", theme) >= 4.5, "what is drawn on a back is seen"


def test_every_cloth_that_can_be_chosen_is_woven() -> None:
    assert {*CLOTHS, "linen"} == set(CHOICES)
    assert all(f'[value="{name}"] + span {{' in (WOVEN if name in CLOTHS else SHEET) for name in CHOICES), "shown in the settings"


def test_pieces_are_painted_with_the_tokens() -> None:
    assert dict(PAINTS) == {token: colour(token, "light") for token in PAINTS}
