"""The two faces, cut to the letters in use: Latin with its accents (names people type), the signs of the catalogue.

Runs in our environment (fontTools). Knows npm's font packages and the catalogue; writes woff2 files into our cache.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from workshop.cache import cached, folder_digest
from workshop.console import report
from workshop.paths import NODE_MODULES, PACKAGE

PACKAGES: Final = NODE_MODULES / "@fontsource-variable"
LATIN: Final = (*range(0x20, 0x7F), *range(0xA0, 0x180))
SIGNS: Final = "–—‘’‚“”„†•…‰′″‹›€™←↑→↓↔↕−×÷≤≥≠"

# Name in the site: the files it is cut from, the features kept.
FACES: Final = {
    "text": ("atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2",
             "atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2"),
    "display": ("bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2",),
}
FEATURES: Final = ("kern", "liga", "tnum", "lnum", "calt", "mark", "mkmk", "ccmp", "locl")


def catalogues() -> list[Path]:
    """The files that hold words: the application's, and those of each family of games."""
    return sorted([*(PACKAGE / "words").glob("*.json"), *(PACKAGE / "games").glob("*/words.*.json")])


def letters() -> set[int]:
    """Every character that the catalogues use, beside the Latin ones."""
    words = [json.loads(path.read_text("utf-8")) for path in catalogues()]
    signs = set(SIGNS).union(*(text for catalogue in words for text in texts(catalogue)))
    return set(LATIN) | {ord(sign) for sign in signs if sign >= " "}


def texts(value: Any) -> Iterable[str]:
    """Every text in a catalogue."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for entry in value.values():
            yield from texts(entry)


def cut(source: Path, target: Path, wanted: set[int]) -> None:
    """Writes the part of ``source`` that shows ``wanted``."""
    from fontTools import subset

    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = list(FEATURES)
    options.notdef_outline = True
    with subset.load_font(str(source), options) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=sorted(wanted))
        cutter.subset(font)
        subset.save_font(font, str(target), options)


def fonts() -> Path:
    """The folder with ``text.woff2``, ``text-2.woff2``, ``display.woff2`` …, one file for each source."""
    wanted = letters()
    sources = [PACKAGES / name for names in FACES.values() for name in names]
    key = folder_digest([*sources, Path(__file__)], extra=",".join(map(str, sorted(wanted))))

    def make(folder: Path) -> None:
        report("Cutting the fonts to the letters in use")
        for face, names in FACES.items():
            for number, name in enumerate(names, 1):
                suffix = "" if number == 1 else f"-{number}"
                cut(PACKAGES / name, folder / f"{face}{suffix}.woff2", wanted)

    return cached("fonts", key, make)
