"""What French asks of its texts: its own spaces at signs, its own quotes and apostrophe, one word for one thing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workshop.paths import PACKAGE

WORDS = sorted(PACKAGE.rglob("*fr.json"))
RULEBOOKS = sorted(PACKAGE.rglob("rulebook.fr.md"))
THIN = "\N{NARROW NO-BREAK SPACE}"
NO_PROSE = re.compile(r"^::.*?(?: :: |$)|`[^`]*`|\{#?[\w-]*\}|^\|[-|]+$|[−/] ?\?")
"""What a figure shows, what is typed, parameters and anchors, lines of a table, the unknown card of a sum."""


def texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    else:
        for name, part in value.items():
            yield from texts(part, f"{key}.{name}" if key else name)


def prose() -> Iterator[tuple[str, str]]:
    for path in WORDS:
        yield from ((key, text) for key, text in texts(json.loads(path.read_text("utf-8"))) if not key.startswith("language."))
    for path in RULEBOOKS:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield f"{path.parent.name}:{number}", line


def where(pattern: str) -> list[str]:
    found = ((name, NO_PROSE.sub("_", text)) for name, text in prose())
    return [f"{name}: {text}" for name, text in found if re.search(pattern, text)]


def test_every_part_of_french_is_read_here() -> None:
    assert {Path(path).name for path in (*WORDS, *RULEBOOKS)} == {"fr.json", "words.fr.json", "rulebook.fr.md"}
    assert len(list(prose())) > 1000


@pytest.mark.parametrize(("pattern", "why"), [
    (rf"[^{THIN}!?][;:!?»](?!\w)", "a narrow space stands before ; : ! ? »"), (rf"«[^{THIN}]", "and after «"),
    ("'", "the apostrophe is curved"), ('["“”„]', "quotes are « »"), (r"[^\W_] …", "the three points follow the word"),
])
def test_signs_stand_as_french_sets_them(pattern: str, why: str) -> None:
    assert where(pattern) == [], why


@pytest.mark.parametrize(("pattern", "why"), [
    (r"(?i)\b(tuile|talon|écart|donner les cartes|ordinateur portable)", "it is called otherwise everywhere else"),
    (r"(?i)\b(the|your|and|cards?|match|you)\b(?! nul)", "English"),
    (r"(?i)\b(veuillez|s’il vous plaît|cliquez|touchez|choisissez une)\b", "the reader is tu"),
    (r"(?i)\btu es (\w+é|prêt|parti|descendu|venu)\b", "it says whether the reader is a boy or a girl"),
])
def test_words_that_do_not_belong_here(pattern: str, why: str) -> None:
    assert where(pattern) == [], why
